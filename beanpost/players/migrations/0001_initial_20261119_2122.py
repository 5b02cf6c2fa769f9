import beanpost.i18n.languages
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='RefusedAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(max_length=64, unique=True)),
                ('since', models.DateTimeField()),
            ],
            options={
                'verbose_name_plural': 'refused addresses',
            },
        ),
        migrations.CreateModel(
            name='Unanswered',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(max_length=64, unique=True)),
                ('letters', models.PositiveSmallIntegerField()),
                ('last_at', models.DateTimeField(db_index=True)),
                ('last_letter', models.PositiveBigIntegerField()),
            ],
            options={
                'verbose_name_plural': 'unanswered',
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(max_length=254, unique=True)),
                ('name', models.CharField(max_length=40)),
                ('name_shown', models.CharField(choices=[('whole', 'my whole name'), ('initial', 'my first name and an initial'), ('nickname', 'a nickname')], default='initial', max_length=8)),
                ('nickname', models.CharField(blank=True, default='', max_length=40)),
                ('name_asked', models.BooleanField(default=False, editable=False)),
                ('language', models.CharField(choices=beanpost.i18n.languages.choices, default='en', max_length=8)),
                ('zone', models.CharField(default='UTC', max_length=64)),
                ('zone_asked', models.BooleanField(default=False, editable=False)),
                ('joined_at', models.DateTimeField()),
                ('unwanted_at', models.DateTimeField(blank=True, null=True)),
                ('unreached_at', models.DateTimeField(blank=True, null=True)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('guest', models.BooleanField(default=False, editable=False)),
                ('how_often', models.CharField(choices=[('every', 'a letter for every turn'), ('daily', 'one letter a day with everything waiting for me'), ('reminders', 'only a reminder when my time is running out'), ('once', 'one letter, then none until I look in')], default='every', max_length=9)),
                ('digest_hour', models.PositiveSmallIntegerField(default=8)),
                ('digest_at', models.DateTimeField(blank=True, null=True)),
                ('digest_on', models.DateField(blank=True, null=True)),
                ('text_only', models.BooleanField(default=False)),
                ('without_pictures', models.BooleanField(default=False)),
                ('calendar', models.BooleanField(default=False)),
                ('alarm_hours', models.PositiveSmallIntegerField(default=0)),
                ('hears_notes', models.BooleanField(default=True)),
                ('reply_receipts', models.BooleanField(default=True)),
                ('weekly', models.BooleanField(default=True)),
                ('league_news', models.BooleanField(default=True)),
                ('follows_rounds', models.BooleanField(default=False)),
                ('feed', models.PositiveIntegerField(default=0)),
                ('visits', models.PositiveIntegerField(default=0)),
                ('sessions', models.PositiveIntegerField(default=0)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('digest_at__isnull', False)), fields=['digest_at'], name='player_digest'), models.Index(fields=['name', 'id'], name='player_name')],
                'constraints': [models.CheckConstraint(condition=models.Q(('digest_hour__lt', 24)), name='digest_hour_of_a_day')],
            },
        ),
        migrations.CreateModel(
            name='FormerName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('until', models.DateTimeField(auto_now_add=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_names', to='players.player')),
            ],
            options={
                'verbose_name_plural': 'former names',
                'ordering': ('pk',),
                'constraints': [models.UniqueConstraint(fields=('player', 'name'), name='one_row_per_former_name')],
            },
        ),
        migrations.CreateModel(
            name='FormerAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(db_index=True, max_length=254)),
                ('until', models.DateTimeField(auto_now_add=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_addresses', to='players.player')),
            ],
            options={
                'verbose_name_plural': 'former addresses',
                'ordering': ('pk',),
                'constraints': [models.UniqueConstraint(fields=('player', 'address'), name='one_row_per_former_address')],
            },
        ),
        migrations.CreateModel(
            name='Away',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.DateField()),
                ('last', models.DateField()),
                ('used_from', models.DateField(blank=True, null=True)),
                ('used_until', models.DateField(blank=True, null=True)),
                ('announced_at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='absences', to='players.player')),
            ],
            options={
                'ordering': ('first',),
                'indexes': [models.Index(fields=['last'], name='away_last')],
                'constraints': [models.CheckConstraint(condition=models.Q(('first__lte', models.F('last'))), name='away_forwards')],
            },
        ),
        migrations.CreateModel(
            name='AddressChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('old', models.EmailField(max_length=254)),
                ('new', models.EmailField(max_length=254)),
                ('session', models.PositiveIntegerField()),
                ('asked_at', models.DateTimeField()),
                ('effective_at', models.DateTimeField()),
                ('stopped_at', models.DateTimeField(blank=True, null=True)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('waited_for', models.JSONField(blank=True, default=list)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='address_changes', to='players.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('done_at', None), ('stopped_at', None)), fields=('player',), name='one_address_change_at_a_time')],
            },
        ),
    ]
