from django.db import migrations, models
from django.db.models.deletion import PROTECT

from beanpost.play.log import guards


def set_up(apps, schema_editor):
    guards.set_up(schema_editor.connection)


def lift(apps, schema_editor):
    guards.lift(schema_editor.connection)


class Migration(migrations.Migration):
    """Drop indexes that a constraint over the match and another column covers, so that a move writes fewer of them.
    The guards are lifted while SQLite copies the log.
    """

    dependencies = [("play", "0008_match_card_digest")]
    operations = [
        migrations.RunPython(lift, set_up, elidable=False),
        *(
            migrations.AlterField(
                name, "match", models.ForeignKey("play.match", PROTECT, db_index=False, related_name=related)
            )
            for name, related in (("event", "events"), ("place", "places"), ("wait", "waits"))
        ),
        migrations.RunPython(set_up, lift, elidable=False),
    ]
