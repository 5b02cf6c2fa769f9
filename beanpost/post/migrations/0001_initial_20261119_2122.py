import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('play', '0001_initial_20261119_2122'),
        ('players', '0001_initial_20261119_2122'),
    ]

    operations = [
        migrations.CreateModel(
            name='Letter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(blank=True, max_length=254)),
                ('kind', models.CharField(max_length=16)),
                ('key', models.CharField(max_length=80)),
                ('about_model', models.CharField(blank=True, max_length=16)),
                ('about_id', models.PositiveBigIntegerField(blank=True, null=True)),
                ('state', models.CharField(choices=[('queued', 'waiting to be sent'), ('inflight', 'being sent'), ('retry', 'will be retried'), ('sent', 'sent'), ('failed', 'given up'), ('dropped', 'no longer needed'), ('withheld', 'not sent: this address has not answered our letters yet')], default='queued', max_length=8)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('error', models.CharField(blank=True, max_length=80)),
                ('fate', models.CharField(blank=True, choices=[('deferred', 'delayed'), ('delivered', 'delivered'), ('failed', 'couldn’t be sent'), ('rejected', 'refused'), ('bounced', 'bounced'), ('complained', 'marked as spam')], max_length=12)),
                ('returned_at', models.DateTimeField(blank=True, null=True)),
                ('refused_replies', models.PositiveIntegerField(default=0)),
                ('values', models.JSONField(blank=True, default=dict)),
                ('subject', models.CharField(blank=True, max_length=400)),
                ('options', models.JSONField(blank=True, default=list)),
                ('asked', models.JSONField(blank=True, default=dict)),
                ('is_erased', models.BooleanField(default=False, editable=False)),
                ('match', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='letters', to='play.match')),
                ('recipient', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='letters', to='players.player')),
                ('replaces', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replacements', to='post.letter')),
            ],
        ),
        migrations.CreateModel(
            name='LetterRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(max_length=254)),
                ('kind', models.CharField(max_length=16)),
                ('asked_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Meter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('taken', models.JSONField(default=list)),
            ],
        ),
        migrations.CreateModel(
            name='VisitorHour',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('visitor', models.CharField(max_length=32, unique=True)),
                ('letters', models.PositiveSmallIntegerField(default=0)),
                ('began_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Body',
            fields=[
                ('letter', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='body', serialize=False, to='post.letter')),
                ('packed', models.BinaryField()),
            ],
            options={
                'verbose_name_plural': 'bodies',
            },
        ),
        migrations.CreateModel(
            name='OutboxPause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('error', models.CharField(max_length=80)),
                ('began_at', models.DateTimeField(null=True)),
                ('next_try_at', models.DateTimeField(null=True)),
                ('letter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='post.letter')),
            ],
        ),
        migrations.CreateModel(
            name='Reply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(max_length=64)),
                ('sender', models.CharField(blank=True, max_length=254)),
                ('is_returned', models.BooleanField(default=False)),
                ('received_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('state', models.CharField(choices=[('waiting', 'waiting to be read'), ('played', 'made a move'), ('answered', 'answered by letter'), ('left', 'not answered')], default='waiting', max_length=8)),
                ('finding', models.CharField(blank=True, choices=[('move', 'a move'), ('unread', 'no move we could read'), ('unclear', 'more than one move'), ('costly', 'a costly move, to be confirmed'), ('refused', 'a move that isn’t allowed'), ('repeated', 'a move already made'), ('late', 'too late: the question was closed'), ('over', 'too late: the match isn’t in progress'), ('void', 'a reply to an old letter'), ('links', 'a reply to a letter without a question'), ('unsigned', 'a reply to our sender address'), ('away', 'an automatic reply: the player seems to be away'), ('automatic', 'an automatic email'), ('fault', 'an email we failed to process'), ('report', 'a mail server’s report')], max_length=9)),
                ('error', models.CharField(blank=True, max_length=80)),
                ('source', models.BinaryField(blank=True, default=bytes)),
                ('letter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='replies', to='post.letter')),
            ],
            options={
                'verbose_name_plural': 'replies',
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=16)),
                ('number', models.CharField(blank=True, max_length=120)),
                ('proven', models.BooleanField(default=True)),
                ('by_mail', models.BooleanField(default=False)),
                ('soft', models.BooleanField(default=False)),
                ('told_at', models.DateTimeField()),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('letter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='post.letter')),
            ],
        ),
        migrations.AddIndex(
            model_name='letter',
            index=models.Index(fields=['state', 'due_at'], name='letter_state_due'),
        ),
        migrations.AddIndex(
            model_name='letter',
            index=models.Index(fields=['match', 'recipient', 'kind'], name='letter_thread'),
        ),
        migrations.AddIndex(
            model_name='letter',
            index=models.Index(condition=models.Q(('match', None)), fields=['is_erased', 'created_at'], name='letter_alone'),
        ),
        migrations.AddIndex(
            model_name='letter',
            index=models.Index(condition=models.Q(('about_id__isnull', False)), fields=['about_id', 'kind'], name='letter_about'),
        ),
        migrations.AddIndex(
            model_name='letter',
            index=models.Index(condition=models.Q(('refused_replies__gt', 0)), fields=['refused_replies'], name='letter_refused'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.UniqueConstraint(fields=('recipient', 'kind', 'key'), name='one_letter_per_news'),
        ),
        migrations.AddIndex(
            model_name='reply',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['due_at'], name='reply_due'),
        ),
        migrations.AddIndex(
            model_name='reply',
            index=models.Index(fields=['finding', 'received_at'], name='reply_set_aside'),
        ),
        migrations.AddConstraint(
            model_name='reply',
            constraint=models.UniqueConstraint(fields=('letter', 'fingerprint'), name='one_reply_per_mail'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(condition=models.Q(('read_at', None)), fields=['id'], name='report_unread'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('letter', 'kind', 'number'), name='one_report_per_event'),
        ),
    ]
