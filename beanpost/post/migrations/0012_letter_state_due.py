from django.db import migrations, models


class Migration(migrations.Migration):
    """Index every letter by state and due time, instead of only those on their way and those given up.

    SQLite uses a partial index only where the query spells out its condition; the ORM sends parameters instead.
    """

    dependencies = [("post", "0011_replies_set_aside")]
    operations = [
        migrations.AddIndex("letter", models.Index(fields=["state", "due_at"], name="letter_state_due")),
        migrations.RemoveIndex("letter", "letter_due"),
        migrations.RemoveIndex("letter", "letter_failed"),
    ]
