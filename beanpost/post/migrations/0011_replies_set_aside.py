from django.db import migrations, models


class Migration(migrations.Migration):
    """Replies that could not be read are counted without a look at all the others."""

    dependencies = [("post", "0010_reports_with_proof")]
    operations = [
        migrations.AddIndex("reply", models.Index(fields=["finding", "received_at"], name="reply_set_aside")),
    ]
