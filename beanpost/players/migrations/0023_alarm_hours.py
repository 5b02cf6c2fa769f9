from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0022_index_absences_by_last_day")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="alarm_hours",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
