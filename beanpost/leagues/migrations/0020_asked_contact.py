from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0019_shown_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="league",
            name="asked_contact",
            field=models.EmailField(blank=True, db_default="", default="", max_length=254),
        ),
    ]
