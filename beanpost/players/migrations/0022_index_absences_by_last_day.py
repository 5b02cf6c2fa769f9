from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0021_follows_rounds"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="away",
            index=models.Index(fields=["last"], name="away_last"),
        ),
    ]
