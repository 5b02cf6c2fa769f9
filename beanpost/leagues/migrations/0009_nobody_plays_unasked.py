"""Keep what organisers know of people who never accepted, and take those who were made to play back to the list.

Whether somebody accepted by their own press is read from the history: a press of "Let play" has the organiser's account
beside it, a press of one's own link has none. Running matches go on; the hourly errand of the office invites them.
"""

from django.db import migrations

IN = ("entered", "waiting", "substitute")
ERASED = "@erased.invalid"


def accepted(entry, past):
    """Whether the first step away from the list was the player's own."""
    if entry.state not in (*IN, "left"):
        return False
    steps = past.filter(id=entry.pk, state__in=IN).order_by("history_id")
    first = steps.values_list("history_user", flat=True)[:1]
    if first:
        return first[0] is None
    return entry.state in IN and entry.invited_at is not None


def take_back(apps, schema_editor):
    entries = apps.get_model("leagues", "Entry").objects
    past = apps.get_model("leagues", "HistoricalEntry").objects
    willing, known = set(), set()
    for entry in entries.select_related("season"):
        if accepted(entry, past):
            willing.add(entry.pk)
            known.add((entry.season.league_id, entry.player_id))
    for entry in entries.select_related("season", "player"):
        entry.known = (entry.season.league_id, entry.player_id) in known
        if not entry.known and not entry.player.address.endswith(ERASED):
            entry.typed_name, entry.typed_address = entry.player.name, entry.player.address
            past.filter(id=entry.pk).update(typed_name=entry.typed_name, typed_address=entry.typed_address)
        if entry.pk not in willing and entry.state in IN and entry.season.phase != "ended":
            entry.on_acceptance = "substitute" if entry.state == "substitute" else "entered"
            entry.state, entry.invited_at, entry.reminded_at, entry.answered_at = "invited", None, None, None
        elif entry.pk not in willing and entry.state == "left":
            entry.answered_at = None
        entry.save()


def let_back(apps, schema_editor):
    """Without the new column nothing says who was taken back: they play again, as they did."""
    entries = apps.get_model("leagues", "Entry").objects
    for entry in entries.filter(state="invited").exclude(on_acceptance=""):
        entries.filter(pk=entry.pk).update(state=entry.on_acceptance)


class Migration(migrations.Migration):
    dependencies = [("leagues", "0008_what_organisers_typed")]

    operations = [migrations.RunPython(take_back, let_back)]
