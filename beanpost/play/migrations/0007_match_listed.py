from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0006_practice")]
    operations = [migrations.AddField("match", "listed", models.BooleanField(default=True))]
