"""Link each account of the office to its player where exactly one player has its address; ask the others."""

from django.conf import settings
from django.db import migrations
from django.db.models.functions import Now


def link_accounts(apps, schema_editor):
    users = apps.get_model(settings.AUTH_USER_MODEL).objects
    players = apps.get_model("players", "Player").objects
    accounts = apps.get_model("leagues", "OrganiserAccount").objects
    for user in users.filter(is_staff=True):
        addresses = {name.strip().lower() for name in (user.email or "", user.username) if "@" in name}
        found = list(players.filter(address__in=addresses, guest=False)[:2])
        if len(found) == 1:
            accounts.create(user=user, player=found[0])
        else:
            accounts.create(user=user, asked_at=Now())


class Migration(migrations.Migration):
    dependencies = [("leagues", "0006_organiser_accounts")]

    operations = [migrations.RunPython(link_accounts, migrations.RunPython.noop)]
