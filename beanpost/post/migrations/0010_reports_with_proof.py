from django.db import migrations, models


class Migration(migrations.Migration):
    """Reports say whether they are proven, and whether the reason may pass. Those that came before were all believed."""

    dependencies = [("post", "0009_visitor_hours")]
    operations = [
        migrations.AddField("report", "proven", models.BooleanField(default=True)),
        migrations.AddField("report", "soft", models.BooleanField(default=False)),
    ]
