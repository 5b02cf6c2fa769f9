from django.db import migrations, models


class Migration(migrations.Migration):
    """The house adds a note to what an organiser has decided, and who is asked to go back reads why."""

    dependencies = [("play", "0011_somebody_else_is_asked")]
    operations = [
        migrations.AlterField("note", "seat", models.SmallIntegerField()),
        migrations.AddField("proposal", "reason", models.CharField(blank=True, default="", max_length=200)),
    ]
