from django.db import migrations


def note_whose_they_are(apps, schema_editor):
    apps.get_model("play", "Match").objects.filter(fixture__isnull=False).update(placed=True, expires_at=None)


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0004_the_pace_explains_itself_on_its_page"),
        ("play", "0010_match_placed"),
    ]
    operations = [migrations.RunPython(note_whose_they_are, migrations.RunPython.noop)]
