from django.db import migrations


class Migration(migrations.Migration):
    """Drop columns that repeat a letter's stored bytes."""

    dependencies = [("post", "0005_bodies")]
    operations = [migrations.RemoveField("letter", name) for name in ("source", "html", "text", "message_id")]
