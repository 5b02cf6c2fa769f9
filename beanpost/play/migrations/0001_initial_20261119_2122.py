import datetime
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_initial_20261119_2122'),
    ]

    operations = [
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=32, unique=True)),
                ('game', models.CharField(max_length=32)),
                ('edition', models.PositiveSmallIntegerField()),
                ('variant', models.CharField(max_length=32)),
                ('seats', models.PositiveSmallIntegerField()),
                ('pace', models.CharField(default='daily', max_length=100)),
                ('allowance', models.DurationField()),
                ('away_days', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('open_to_all', models.BooleanField(default=False)),
                ('listed', models.BooleanField(default=True)),
                ('phase', models.CharField(choices=[('gathering', 'waiting for players'), ('running', 'being played'), ('ended', 'over'), ('called off', 'called off before it started')], db_index=True, default='gathering', max_length=16)),
                ('ending', models.CharField(blank=True, max_length=16)),
                ('commitment', models.CharField(max_length=64)),
                ('card_digest', models.CharField(blank=True, max_length=64)),
                ('length', models.PositiveIntegerField(default=0)),
                ('head', models.CharField(blank=True, max_length=64)),
                ('dealt', models.PositiveIntegerField(default=0)),
                ('opened_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('practice', models.BooleanField(default=False, editable=False)),
                ('watchable', models.BooleanField(default=False, editable=False)),
                ('placed', models.BooleanField(default=False, editable=False)),
                ('letters_kept', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('follows', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='followed_by', to='play.match')),
                ('keeper', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='kept', to='players.player')),
            ],
            options={
                'verbose_name_plural': 'matches',
            },
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField(unique=True)),
                ('ended_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Pulse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('beat_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Vault',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, serialize=False, to='play.match')),
                ('secret', models.BinaryField(max_length=32)),
                ('memory', models.TextField(blank=True)),
                ('remembered', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('seat', models.SmallIntegerField()),
                ('line', models.TextField()),
                ('origin', models.CharField(choices=[('player', 'Player'), ('bot', 'Bot'), ('clock', 'Clock'), ('house', 'House'), ('dealer', 'Dealer'), ('organiser', 'Organiser')], max_length=16)),
                ('said_at', models.DateTimeField()),
                ('digest', models.CharField(max_length=64)),
                ('practice', models.BooleanField(default=False, editable=False)),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='play.match')),
            ],
            options={
                'ordering': ('seq',),
            },
        ),
        migrations.CreateModel(
            name='Departure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('seq', models.PositiveIntegerField()),
                ('left_at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='departures', to='players.player')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='departures', to='play.match')),
            ],
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.SmallIntegerField()),
                ('seq', models.PositiveIntegerField()),
                ('text', models.CharField(max_length=200)),
                ('said_at', models.DateTimeField()),
                ('reported_at', models.DateTimeField(blank=True, null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='play.match')),
            ],
            options={
                'ordering': ('seq', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Order',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('line', models.TextField()),
                ('given_at', models.DateTimeField()),
                ('answered', models.JSONField(default=list)),
                ('lapsed_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('values', models.JSONField(default=dict)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='play.match')),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='Place',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('word', models.CharField(blank=True, max_length=40)),
                ('word_of_house', models.BooleanField(default=False)),
                ('occupant', models.PositiveIntegerField(default=1)),
                ('invited_at', models.DateTimeField()),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('hears_notes', models.BooleanField(default=True)),
                ('wants_reminders', models.BooleanField(default=True)),
                ('may_be_watched', models.BooleanField(default=False)),
                ('bank', models.DurationField(default=datetime.timedelta)),
                ('excuses', models.PositiveSmallIntegerField(default=2)),
                ('misses', models.PositiveSmallIntegerField(default=0)),
                ('stand_in', models.BooleanField(default=False)),
                ('resigned_at', models.DateTimeField(blank=True, null=True)),
                ('waited_from', models.DateField(blank=True, null=True)),
                ('unreached', models.DurationField(default=datetime.timedelta)),
                ('nudge_at', models.DateTimeField(blank=True, null=True)),
                ('nudged', models.BooleanField(default=False)),
                ('card_name', models.CharField(blank=True, max_length=40)),
                ('here_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('seated', models.PositiveIntegerField(default=0)),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='places', to='play.match')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='places', to='players.player')),
            ],
            options={
                'ordering': ('seat',),
            },
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('about', models.CharField(choices=[('pause', 'Pause'), ('resume', 'Resume'), ('rewind', 'Rewind'), ('give', 'Give')], max_length=8)),
                ('seat', models.SmallIntegerField(default=-2)),
                ('origin', models.CharField(choices=[('player', 'Player'), ('bot', 'Bot'), ('clock', 'Clock'), ('house', 'House'), ('dealer', 'Dealer'), ('organiser', 'Organiser')], max_length=16)),
                ('line', models.PositiveIntegerField(blank=True, null=True)),
                ('length', models.PositiveIntegerField(default=0)),
                ('reason', models.CharField(blank=True, default='', max_length=200)),
                ('opened_at', models.DateTimeField()),
                ('passed_at', models.DateTimeField(blank=True, null=True)),
                ('free_at', models.DateTimeField(blank=True, null=True)),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('vetoed_at', models.DateTimeField(blank=True, null=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='proposals', to='play.match')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='Voice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('proposal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='voices', to='play.proposal')),
            ],
        ),
        migrations.CreateModel(
            name='Wait',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('about', models.CharField(max_length=120)),
                ('opened', models.PositiveIntegerField()),
                ('asked_at', models.DateTimeField()),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('rounding', models.DurationField(default=datetime.timedelta)),
                ('remind_at', models.DateTimeField(blank=True, null=True)),
                ('since', models.DateTimeField()),
                ('window', models.BooleanField(default=False)),
                ('left', models.DurationField(blank=True, null=True)),
                ('credit', models.DurationField(default=datetime.timedelta)),
                ('credited_at', models.DateTimeField(blank=True, null=True)),
                ('stalled_at', models.DateTimeField(blank=True, null=True)),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='waits', to='play.match')),
            ],
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('expires_at__isnull', False)), fields=['expires_at'], name='match_expires'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('paused_at__isnull', False)), fields=['paused_at'], name='match_paused'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('phase', 'running'), ('watchable', True)), fields=['started_at'], name='match_watched'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('phase', 'running')), fields=['game', 'edition'], name='match_played'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at__isnull', False), ('letters_kept__gt', 0)), fields=['letters_kept', 'ended_at'], name='match_letters'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('match', 'seq'), name='one_event_per_line'),
        ),
        migrations.AddConstraint(
            model_name='departure',
            constraint=models.UniqueConstraint(fields=('match', 'player'), name='leaves_a_match_once'),
        ),
        migrations.AddConstraint(
            model_name='note',
            constraint=models.UniqueConstraint(fields=('match', 'seat', 'seq'), name='one_note_per_move'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('lapsed_at__isnull', True)), fields=['match'], name='order_open'),
        ),
        migrations.AddIndex(
            model_name='place',
            index=models.Index(condition=models.Q(('nudge_at__isnull', False)), fields=['nudge_at'], name='place_nudge'),
        ),
        migrations.AddConstraint(
            model_name='place',
            constraint=models.UniqueConstraint(fields=('match', 'seat'), name='one_place_per_seat'),
        ),
        migrations.AddConstraint(
            model_name='place',
            constraint=models.UniqueConstraint(fields=('match', 'player'), name='one_seat_per_player'),
        ),
        migrations.AddIndex(
            model_name='proposal',
            index=models.Index(condition=models.Q(('accepted_at__isnull', False), ('closed_at', None)), fields=['free_at'], name='proposal_newcomer_waits'),
        ),
        migrations.AddConstraint(
            model_name='proposal',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at', None), ('passed_at', None)), fields=('match', 'about', 'seat'), name='one_open_proposal'),
        ),
        migrations.AddConstraint(
            model_name='voice',
            constraint=models.UniqueConstraint(fields=('proposal', 'seat'), name='one_voice_per_seat'),
        ),
        migrations.AddIndex(
            model_name='wait',
            index=models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='wait_due'),
        ),
        migrations.AddIndex(
            model_name='wait',
            index=models.Index(condition=models.Q(('remind_at__isnull', False)), fields=['remind_at'], name='wait_remind'),
        ),
        migrations.AddIndex(
            model_name='wait',
            index=models.Index(condition=models.Q(('stalled_at__isnull', False)), fields=['stalled_at'], name='wait_stalled'),
        ),
        migrations.AddIndex(
            model_name='wait',
            index=models.Index(condition=models.Q(('left__isnull', False)), fields=['match'], name='wait_stopped'),
        ),
        migrations.AddConstraint(
            model_name='wait',
            constraint=models.UniqueConstraint(fields=('match', 'seat'), name='one_question_per_seat'),
        ),
        migrations.AddConstraint(
            model_name='wait',
            constraint=models.CheckConstraint(condition=models.Q(('remind_at', None), ('due_at', None), ('remind_at__lte', models.F('due_at')), _connector='OR'), name='remind_before_due'),
        ),
    ]
