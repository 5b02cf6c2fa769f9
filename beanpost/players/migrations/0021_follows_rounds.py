from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0020_order_by_name"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="follows_rounds",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
