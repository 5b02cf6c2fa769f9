from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """Replies that could not be read are counted without a look at all the others."""

    dependencies = [("post", "0010_reports_with_proof")]
    operations = [
        migrations.AddIndex(
            "reply", models.Index(fields=["received_at"], name="reply_set_aside", condition=Q(finding="fault"))
        ),
    ]
