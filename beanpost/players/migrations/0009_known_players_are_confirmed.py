from django.db import migrations
from django.db.models import Exists, F, OuterRef, Q


def confirm_known_players(apps, schema_editor):
    """Everybody who has signed in, taken a seat, kept a match, answered an invitation or replied to a letter.

    Players seated by others count too: their matches are being played, and go on.
    """
    player = OuterRef("pk")
    has_answered = (
        Q(visits__gt=0)
        | Q(sessions__gt=0)
        | Exists(apps.get_model("play", "Match").objects.filter(keeper=player))
        | Exists(apps.get_model("play", "Place").objects.filter(player=player, confirmed_at__isnull=False))
        | Exists(apps.get_model("play", "Departure").objects.filter(player=player))
        | Exists(apps.get_model("leagues", "Entry").objects.filter(player=player, answered_at__isnull=False))
        | Exists(apps.get_model("leagues", "League").objects.filter(keeper=player))
        | Exists(apps.get_model("post", "Reply").objects.filter(letter__recipient=player, state="played"))
    )
    players = apps.get_model("players", "Player").objects
    players.filter(has_answered, guest=False, confirmed_at=None).update(confirmed_at=F("joined_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0008_confirmed_addresses"),
        ("play", "0013_called_off_follows_none"),
        ("post", "0007_failed"),
        ("leagues", "0005_tables_are_the_leagues"),
    ]
    operations = [migrations.RunPython(confirm_known_players, migrations.RunPython.noop)]
