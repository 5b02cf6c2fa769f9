from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """Index failed letters alone, so that counting them does not read the others."""

    dependencies = [("post", "0006_bodies_only")]
    operations = [
        migrations.AddIndex("letter", models.Index(fields=["id"], name="letter_failed", condition=Q(state="failed"))),
    ]
