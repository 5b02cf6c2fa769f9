from django.db import migrations

from beanpost.play.log import guards

# As the guards were then: those of today speak of a column that came later.
REFUSAL = "The log of a match is never changed."
SQLITE = [
    f"CREATE TRIGGER event_unchanged BEFORE UPDATE ON play_event BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER event_kept BEFORE DELETE ON play_event BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
]
POSTGRESQL = [
    "CREATE OR REPLACE FUNCTION keep_the_log() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$",
    "CREATE TRIGGER event_kept BEFORE UPDATE OR DELETE ON play_event FOR EACH ROW EXECUTE FUNCTION keep_the_log()",
    "CREATE TRIGGER event_not_emptied BEFORE TRUNCATE ON play_event "
    "FOR EACH STATEMENT EXECUTE FUNCTION keep_the_log()",
]


def set_up(apps, schema_editor):
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        for statement in POSTGRESQL if connection.vendor == "postgresql" else SQLITE:
            cursor.execute(statement)


def lift(apps, schema_editor):
    guards.lift(schema_editor.connection)


class Migration(migrations.Migration):
    """The database itself refuses to change or remove a line of the log."""

    dependencies = [("play", "0001_initial")]
    operations = [migrations.RunPython(set_up, lift, elidable=False)]
