from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """Letters that were given up are counted without a look at all the others. None is entered until it is one."""

    dependencies = [("post", "0006_bodies_only")]
    operations = [
        migrations.AddIndex("letter", models.Index(fields=["id"], name="letter_failed", condition=Q(state="failed"))),
    ]
