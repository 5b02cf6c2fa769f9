from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0007_match_listed")]
    operations = [migrations.AddField("match", "card_digest", models.CharField(blank=True, max_length=64))]
