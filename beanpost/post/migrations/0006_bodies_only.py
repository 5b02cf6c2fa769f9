from django.db import migrations


class Migration(migrations.Migration):
    """What stands in a letter's bytes is not kept twice."""

    dependencies = [("post", "0005_bodies")]
    operations = [migrations.RemoveField("letter", name) for name in ("source", "html", "text", "message_id")]
