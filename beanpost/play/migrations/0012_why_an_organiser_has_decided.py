from django.db import migrations, models


class Migration(migrations.Migration):
    """Store the house's own notes, and the reason an organiser gives for going back."""

    dependencies = [("play", "0011_somebody_else_is_asked")]
    operations = [
        migrations.AlterField("note", "seat", models.SmallIntegerField()),
        migrations.AddField("proposal", "reason", models.CharField(blank=True, default="", max_length=200)),
    ]
