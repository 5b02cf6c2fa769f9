from django.db import migrations, models


class Migration(migrations.Migration):
    """Refusals outlive the row of a player whose data is erased. Of those erased before, the address is not known."""

    dependencies = [("players", "0011_former_addresses")]
    operations = [
        migrations.CreateModel(
            "RefusedAddress",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("fingerprint", models.CharField(max_length=64, unique=True)),
                ("since", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "refused addresses"},
        ),
    ]
