from django.db import migrations


def follow_no_more(apps, schema_editor):
    apps.get_model("play", "Match").objects.filter(phase="called off", follows__isnull=False).update(follows=None)


class Migration(migrations.Migration):
    """Let players ask for a rematch again whose last rematch was called off, also long ago."""

    dependencies = [("play", "0012_why_an_organiser_has_decided")]
    operations = [migrations.RunPython(follow_no_more, migrations.RunPython.noop)]
