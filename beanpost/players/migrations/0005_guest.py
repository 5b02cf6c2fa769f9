from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0004_returns")]
    operations = [migrations.AddField("player", "guest", models.BooleanField(default=False, editable=False))]
