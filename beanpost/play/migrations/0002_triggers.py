from django.db import migrations

from beanpost.play.log import guards


def set_up(apps, schema_editor):
    guards.set_up(schema_editor.connection)


def lift(apps, schema_editor):
    guards.lift(schema_editor.connection)


class Migration(migrations.Migration):
    """The database itself refuses to change or remove a line of the log."""

    dependencies = [("play", "0001_initial_20261119_2122")]
    operations = [migrations.RunPython(set_up, lift, elidable=False)]
