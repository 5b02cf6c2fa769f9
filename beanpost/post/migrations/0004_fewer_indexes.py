from django.db import migrations, models
from django.db.models.deletion import PROTECT


class Migration(migrations.Migration):
    """What a constraint over the recipient and something else finds as well needs no index of its own."""

    dependencies = [("post", "0003_replies"), ("players", "0001_initial")]
    operations = [
        migrations.AlterField(
            "letter",
            "recipient",
            models.ForeignKey("players.player", PROTECT, db_index=False, related_name="letters"),
        )
    ]
