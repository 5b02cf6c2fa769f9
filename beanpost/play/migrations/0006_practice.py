from django.db import migrations, models

from beanpost.play.log import guards


def set_up(apps, schema_editor):
    guards.set_up(schema_editor.connection)


def lift(apps, schema_editor):
    guards.lift(schema_editor.connection)


class Migration(migrations.Migration):
    """Practice tables of guests, whose lines alone may be removed. The guards are lifted while the log gets its column."""

    dependencies = [("play", "0005_rewind"), ("players", "0005_guest")]
    operations = [
        migrations.RunPython(lift, migrations.RunPython.noop, elidable=False),
        migrations.AddField("match", "practice", models.BooleanField(default=False, editable=False)),
        migrations.AddField("event", "practice", models.BooleanField(default=False, editable=False)),
        migrations.RunPython(set_up, lift, elidable=False),
    ]
