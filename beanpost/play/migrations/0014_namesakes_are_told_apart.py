from collections import defaultdict

from django.db import migrations

from beanpost.play.seats.names import told_apart


def tell_apart(apps, schema_editor):
    """Give namesakes the letter of their seat. The name on the match's card stays: its chain of digests begins with it."""
    places = apps.get_model("play", "Place").objects.filter(match__phase__in=("running", "ended")).order_by("match", "seat")
    tables = defaultdict(list)
    for place in places.only("match_id", "seat", "name", "card_name").iterator():
        tables[place.match_id].append(place)
    for table in tables.values():
        names = [place.name for place in table]
        for at, place in enumerate(table):
            told = told_apart(place.name, place.seat, names[:at] + names[at + 1 :])
            if told != place.name:
                place.name, place.card_name = told, place.card_name or place.name
                place.save(update_fields=["name", "card_name"])


class Migration(migrations.Migration):
    """Matches that began before namesakes were told apart: they are told apart now, and their logs stay as they are."""

    dependencies = [("play", "0013_called_off_follows_none")]
    operations = [migrations.RunPython(tell_apart, migrations.RunPython.noop)]
