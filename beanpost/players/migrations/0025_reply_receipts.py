from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0024_former_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="reply_receipts",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
