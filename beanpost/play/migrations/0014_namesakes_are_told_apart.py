from itertools import groupby

from django.db import migrations

from beanpost.play.seats.names import told_apart


def tell_apart(apps, schema_editor):
    """Give namesakes the letter of their seat. The name on the match's card stays: its chain of digests begins with it."""
    rows = apps.get_model("play", "Place").objects
    places = rows.filter(match__phase__in=("running", "ended")).order_by("match", "seat")
    for _, table in groupby(places.only("match_id", "seat", "name", "card_name").iterator(), lambda place: place.match_id):
        table = list(table)
        names = [place.name for place in table]
        for at, place in enumerate(table):
            told = told_apart(place.name, place.seat, names[:at] + names[at + 1 :])
            if told != place.name:
                # Filter by the old name: the seat may have been given to another player meanwhile.
                rows.filter(pk=place.pk, name=place.name).update(name=told, card_name=place.card_name or place.name)


class Migration(migrations.Migration):
    """Matches that began before namesakes were told apart: they are told apart now, and their logs stay as they are."""

    dependencies = [("play", "0013_called_off_follows_none")]
    operations = [migrations.RunPython(tell_apart, migrations.RunPython.noop)]
