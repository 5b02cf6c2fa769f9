import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0010_address_changes")]

    operations = [
        migrations.CreateModel(
            name="FormerAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.EmailField(db_index=True, max_length=254)),
                ("until", models.DateTimeField(auto_now_add=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_addresses",
                        to="players.player",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "former addresses",
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(fields=("player", "address"), name="one_row_per_former_address")
                ],
            },
        ),
    ]
