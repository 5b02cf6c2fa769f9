from django.db import migrations, models


class Migration(migrations.Migration):
    """Reports say whether a mail brought them. Those that came before were read long ago."""

    dependencies = [("post", "0012_letter_state_due")]
    operations = [migrations.AddField("report", "by_mail", models.BooleanField(default=False))]
