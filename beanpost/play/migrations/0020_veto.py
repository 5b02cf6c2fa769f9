from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0019_time_given_back")]

    operations = [
        migrations.AddField("proposal", "accepted_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("proposal", "free_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("proposal", "vetoed_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex(
            "proposal",
            models.Index(
                condition=models.Q(("accepted_at__isnull", False), ("closed_at", None)),
                fields=["free_at"],
                name="proposal_newcomer_waits",
            ),
        ),
    ]
