import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0007_link_organisers_to_players"),
        ("players", "0011_former_addresses"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="known",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="entry",
            name="on_acceptance",
            field=models.CharField(
                blank=True,
                choices=[
                    ("invited", "invited"),
                    ("entered", "plays"),
                    ("waiting", "on the waiting list"),
                    ("substitute", "sits in for others"),
                    ("declined", "declined"),
                    ("left", "left"),
                ],
                db_default="",
                default="",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="typed_address",
            field=models.EmailField(blank=True, db_default="", default="", max_length=254),
        ),
        migrations.AddField(
            model_name="entry",
            name="typed_name",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        migrations.AddField(
            model_name="historicalentry",
            name="known",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="historicalentry",
            name="on_acceptance",
            field=models.CharField(
                blank=True,
                choices=[
                    ("invited", "invited"),
                    ("entered", "plays"),
                    ("waiting", "on the waiting list"),
                    ("substitute", "sits in for others"),
                    ("declined", "declined"),
                    ("left", "left"),
                ],
                db_default="",
                default="",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="historicalentry",
            name="typed_address",
            field=models.EmailField(blank=True, db_default="", default="", max_length=254),
        ),
        migrations.AddField(
            model_name="historicalentry",
            name="typed_name",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        migrations.AddField(
            model_name="league",
            name="asked_keeper",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="leagues_offered",
                to="players.player",
            ),
        ),
        migrations.AddField(
            model_name="league",
            name="typed_keeper",
            field=models.EmailField(blank=True, db_default="", default="", max_length=254),
        ),
        migrations.AlterField(
            model_name="league",
            name="keeper",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="leagues_kept",
                to="players.player",
            ),
        ),
    ]
