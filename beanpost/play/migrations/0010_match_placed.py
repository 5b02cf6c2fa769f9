from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0009_fewer_indexes")]
    operations = [migrations.AddField("match", "placed", models.BooleanField(default=False, editable=False))]
