from django.db import migrations, models
from django.db.models.deletion import PROTECT


class Migration(migrations.Migration):
    """Drop indexes that another index or a constraint begins with, so that a letter writes fewer of them."""

    dependencies = [("post", "0003_replies"), ("players", "0001_initial"), ("play", "0001_initial")]
    operations = [
        migrations.AlterField(
            "letter",
            "recipient",
            models.ForeignKey("players.player", PROTECT, db_index=False, related_name="letters"),
        ),
        migrations.AlterField(
            "letter",
            "match",
            models.ForeignKey("play.match", PROTECT, null=True, blank=True, db_index=False, related_name="letters"),
        ),
        migrations.RemoveIndex("letter", "letter_thread"),
        migrations.AddIndex("letter", models.Index(fields=["match", "recipient", "kind"], name="letter_thread")),
    ]
