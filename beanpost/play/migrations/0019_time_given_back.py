import datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0018_sweep_indexes")]

    operations = [
        migrations.AddField(
            model_name="wait",
            name="rounding",
            field=models.DurationField(db_default=datetime.timedelta(), default=datetime.timedelta),
        ),
        migrations.AddField(
            model_name="place",
            name="waited_from",
            field=models.DateField(blank=True, null=True),
        ),
    ]
