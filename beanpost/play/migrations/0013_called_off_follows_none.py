from django.db import migrations


def follow_no_more(apps, schema_editor):
    apps.get_model("play", "Match").objects.filter(phase="called off", follows__isnull=False).update(follows=None)


class Migration(migrations.Migration):
    """Who played before a match that was called off may ask to play again, also where that was long ago."""

    dependencies = [("play", "0012_why_an_organiser_has_decided")]
    operations = [migrations.RunPython(follow_no_more, migrations.RunPython.noop)]
