import beanpost.i18n.languages
import beanpost.leagues.models.leagues
import beanpost.leagues.models.seasons
import beanpost.leagues.models.webhooks
import beanpost.play.pace
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('play', '0001_initial_20261119_2122'),
        ('players', '0001_initial_20261119_2122'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Division',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('level', models.PositiveSmallIntegerField(default=1)),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('level',),
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('invited', 'invited'), ('entered', 'playing'), ('waiting', 'on the waiting list'), ('substitute', 'substitute'), ('declined', 'declined'), ('left', 'left')], default='invited', max_length=12)),
                ('rung', models.PositiveSmallIntegerField(default=0)),
                ('invited_at', models.DateTimeField(blank=True, null=True)),
                ('reminded_at', models.DateTimeField(blank=True, null=True)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('on_acceptance', models.CharField(blank=True, choices=[('invited', 'invited'), ('entered', 'playing'), ('waiting', 'on the waiting list'), ('substitute', 'substitute'), ('declined', 'declined'), ('left', 'left')], default='', max_length=12)),
                ('typed_name', models.CharField(blank=True, default='', max_length=40)),
                ('typed_address', models.EmailField(blank=True, default='', max_length=254)),
                ('known', models.BooleanField(default=False)),
                ('division', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='entries', to='leagues.division')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='players.player')),
            ],
            options={
                'verbose_name_plural': 'entries',
                'ordering': ('rung', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Fixture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.PositiveSmallIntegerField()),
                ('ending', models.CharField(blank=True, choices=[('', 'undecided'), ('played', 'played'), ('adjudicated', 'decided by the organiser'), ('annulled', 'doesn’t count')], default='', max_length=12)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='fixture', to='play.match')),
            ],
            options={
                'ordering': ('round', 'table'),
            },
        ),
        migrations.CreateModel(
            name='EarlierMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('replaced_at', models.DateTimeField()),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='replaced_at_table', to='play.match')),
                ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='earlier_matches', to='leagues.fixture')),
            ],
        ),
        migrations.CreateModel(
            name='League',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('slug', models.SlugField(unique=True)),
                ('about', models.TextField(blank=True, max_length=2000)),
                ('typed_keeper', models.EmailField(blank=True, default='', max_length=254)),
                ('run_by', models.CharField(blank=True, default='', max_length=60)),
                ('contact', models.EmailField(blank=True, default='', max_length=254)),
                ('asked_contact', models.EmailField(blank=True, default='', max_length=254)),
                ('games', models.JSONField(default=beanpost.leagues.models.leagues.all_games, validators=[beanpost.leagues.models.leagues.check_games])),
                ('pace', models.CharField(default='daily', max_length=100, validators=[beanpost.play.pace.check_pace])),
                ('absence', models.CharField(choices=[('strict', 'strict: tables don’t wait for players who are away'), ('usual', 'usual: tables wait up to seven days for a player who is away'), ('patient', 'patient: tables wait as long as a player has away days left')], default='usual', max_length=8)),
                ('language', models.CharField(choices=beanpost.i18n.languages.choices, default='en', max_length=8)),
                ('sign_up', models.BooleanField(default=False)),
                ('visibility', models.CharField(choices=[('public', 'public: everyone finds it'), ('unlisted', 'unlisted: people with the link find it'), ('members', 'for members: people need its code')], default='public', max_length=8)),
                ('join_code', models.CharField(blank=True, default='', max_length=20)),
                ('weekly', models.CharField(choices=[('never', 'never'), ('approved', 'sent once an organiser approves it'), ('itself', 'sent automatically')], default='approved', max_length=8)),
                ('asked_keeper', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='leagues_offered', to='players.player')),
                ('keeper', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='leagues_kept', to='players.player')),
                ('organisers', models.ManyToManyField(blank=True, related_name='leagues', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('name',),
            },
        ),
        migrations.CreateModel(
            name='OrganiserAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(blank=True, null=True)),
                ('says_no_at', models.DateTimeField(blank=True, null=True)),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='organiser_accounts', to='players.player')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='organiser_account', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Rated',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nth', models.PositiveIntegerField(unique=True)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='rated', to='play.match')),
            ],
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('game', models.CharField(max_length=32)),
                ('variant', models.CharField(max_length=32)),
                ('phase', models.CharField(choices=[('drawn', 'drawn'), ('published', 'being played'), ('closed', 'closed')], default='drawn', max_length=12)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('due_on', models.DateField(blank=True, null=True)),
                ('warned_on', models.DateField(blank=True, null=True)),
                ('rungs', models.JSONField(blank=True, null=True)),
                ('division', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='leagues.division')),
            ],
            options={
                'ordering': ('number',),
            },
        ),
        migrations.AddField(
            model_name='fixture',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fixtures', to='leagues.round'),
        ),
        migrations.CreateModel(
            name='Bye',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='byes', to='leagues.entry')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='leagues.round')),
            ],
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('format', models.CharField(choices=[('round_robin', 'round robin: everyone plays everyone, as evenly as possible'), ('swiss', 'Swiss: players with similar scores meet'), ('ladder', 'ladder: neighbours play for their rungs'), ('knock_out', 'knock-out: the top half of each table goes through'), ('classic', 'classic: round robin with a different game each round')], default='round_robin', max_length=16)),
                ('size', models.PositiveSmallIntegerField(default=4)),
                ('rounds', models.PositiveSmallIntegerField(default=5)),
                ('points', models.CharField(default='share', max_length=60, validators=[beanpost.leagues.models.seasons.check_points])),
                ('tie_breaks', models.JSONField(default=beanpost.leagues.models.seasons.usual_breaks, validators=[beanpost.leagues.models.seasons.check_breaks])),
                ('moving', models.PositiveSmallIntegerField(default=2)),
                ('substitutes_score', models.BooleanField(default=True)),
                ('annulled', models.CharField(choices=[('nothing', 'count for nothing'), ('bye', 'count like sitting out: the points of an average seat'), ('replay', 'are played again')], default='bye', max_length=8)),
                ('most_entries', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('starts_on', models.DateField(blank=True, null=True)),
                ('ends_on', models.DateField(blank=True, null=True)),
                ('round_days', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('invitation_words', models.TextField(blank=True, default='', max_length=1000)),
                ('phase', models.CharField(choices=[('planned', 'being planned'), ('entering', 'open for entries'), ('closed', 'entries closed'), ('running', 'being played'), ('ended', 'over')], default='planned', max_length=8)),
                ('cancelled_at', models.DateTimeField(blank=True, null=True)),
                ('seed', models.CharField(blank=True, max_length=64)),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seasons', to='leagues.league')),
            ],
            options={
                'ordering': ('-pk',),
            },
        ),
        migrations.CreateModel(
            name='News',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sent_to', models.CharField(choices=[('everyone', 'everyone in the season'), ('division', 'a division'), ('table', 'a table'), ('silent', 'players whom tables wait for')], default='everyone', max_length=8)),
                ('headline', models.CharField(max_length=80)),
                ('words', models.TextField(max_length=3000)),
                ('is_public', models.BooleanField(default=False)),
                ('written_at', models.DateTimeField()),
                ('division', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='leagues.division')),
                ('fixture', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='leagues.fixture')),
                ('written_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='news', to='leagues.season')),
            ],
            options={
                'verbose_name_plural': 'news',
                'ordering': ('-pk',),
            },
        ),
        migrations.CreateModel(
            name='LeagueEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('rounds', 'rounds and draws'), ('tables', 'tables and results'), ('people', 'people'), ('letters', 'letters'), ('settings', 'settings')], max_length=8)),
                ('about', models.CharField(max_length=200)),
                ('told', models.TextField(blank=True)),
                ('changes', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('done_at', models.DateTimeField()),
                ('division', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to='leagues.division')),
                ('done_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to='leagues.entry')),
                ('fixture', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to='leagues.fixture')),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='leagues.league')),
                ('round', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to='leagues.round')),
                ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='leagues.season')),
            ],
            options={
                'ordering': ('-done_at', '-pk'),
            },
        ),
        migrations.AddField(
            model_name='entry',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='leagues.season'),
        ),
        migrations.AddField(
            model_name='division',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='divisions', to='leagues.season'),
        ),
        migrations.CreateModel(
            name='SecondFactor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=32)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('last_step', models.BigIntegerField(default=0)),
                ('guesses', models.PositiveSmallIntegerField(default=0)),
                ('guessing_since', models.DateTimeField(blank=True, null=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='second_factor', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.URLField(max_length=400, validators=[django.core.validators.URLValidator(schemes=['https'])])),
                ('format', models.CharField(choices=[('discord', 'Discord'), ('slack', 'Slack, Mattermost or Matrix (hookshot)'), ('json', 'JSON, for your own program')], default='discord', max_length=8)),
                ('results', models.BooleanField(default=True)),
                ('rounds', models.BooleanField(default=True)),
                ('standings', models.BooleanField(default=True)),
                ('active', models.BooleanField(default=True)),
                ('secret', models.CharField(default=beanpost.leagues.models.webhooks.new_secret, editable=False, max_length=64)),
                ('failures', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('busy_until', models.DateTimeField(editable=False, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='leagues.league')),
            ],
        ),
        migrations.CreateModel(
            name='WebhookCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=80)),
                ('body', models.TextField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('error', models.CharField(blank=True, max_length=80)),
                ('webhook', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='leagues.webhook')),
            ],
        ),
        migrations.CreateModel(
            name='Draw',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nth', models.PositiveSmallIntegerField()),
                ('seed', models.CharField(max_length=80)),
                ('first', models.PositiveSmallIntegerField()),
                ('rounds', models.JSONField(default=list)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('drawn_at', models.DateTimeField()),
                ('division', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='draws', to='leagues.division')),
                ('drawn_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('nth',),
                'constraints': [models.UniqueConstraint(fields=('division', 'nth'), name='one_draw_per_number')],
            },
        ),
        migrations.CreateModel(
            name='Chair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('rank', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('score', models.IntegerField(blank=True, null=True)),
                ('forfeited', models.BooleanField(default=False)),
                ('by_bot', models.BooleanField(default=False)),
                ('sitter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chairs', to='players.player')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chairs', to='leagues.entry')),
                ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chairs', to='leagues.fixture')),
            ],
            options={
                'ordering': ('seat',),
                'constraints': [models.UniqueConstraint(fields=('fixture', 'seat'), name='one_chair_per_seat'), models.UniqueConstraint(fields=('fixture', 'entry'), name='one_chair_per_entry')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(blank=True, max_length=32)),
                ('mu', models.FloatField()),
                ('sigma', models.FloatField()),
                ('matches', models.PositiveIntegerField(default=0)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='players.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('player', 'game'), name='one_rating_per_game')],
            },
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('division', 'number'), name='one_round_per_number'),
        ),
        migrations.AddConstraint(
            model_name='fixture',
            constraint=models.UniqueConstraint(fields=('round', 'table'), name='one_fixture_per_table'),
        ),
        migrations.AddConstraint(
            model_name='bye',
            constraint=models.UniqueConstraint(fields=('round', 'entry'), name='one_bye_per_round'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.UniqueConstraint(fields=('league', 'name'), name='one_season_per_name'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('season', 'player'), name='one_entry_per_player'),
        ),
        migrations.AddConstraint(
            model_name='division',
            constraint=models.UniqueConstraint(fields=('season', 'level'), name='one_division_per_level'),
        ),
        migrations.AddIndex(
            model_name='webhookcall',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['due_at'], name='webhook_call_due'),
        ),
        migrations.AddIndex(
            model_name='webhookcall',
            index=models.Index(fields=['created_at'], name='webhook_call_created'),
        ),
        migrations.AddConstraint(
            model_name='webhookcall',
            constraint=models.UniqueConstraint(fields=('webhook', 'key'), name='one_call_per_news'),
        ),
    ]
