from django.db import migrations, models


def keep_published_seasons(apps, schema_editor):
    apps.get_model("leagues", "Season").objects.filter(phase__in=("running", "ended")).update(edition=1)


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0020_asked_contact"),
    ]

    operations = [
        migrations.AddField(
            model_name="season",
            name="edition",
            field=models.PositiveSmallIntegerField(db_default=2, default=2, editable=False),
        ),
        migrations.RunPython(keep_published_seasons, migrations.RunPython.noop, elidable=True),
    ]
