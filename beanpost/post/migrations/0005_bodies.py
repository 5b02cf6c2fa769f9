import zlib
from email import message_from_bytes, policy

from django.db import migrations, models
from django.db.models.deletion import CASCADE

AT_ONCE = 100


def move_out(apps, editor):
    letters, bodies = (apps.get_model("post", name).objects.using(editor.connection.alias) for name in ("Letter", "Body"))
    numbers = list(letters.exclude(source=b"").values_list("pk", flat=True))
    for first in range(0, len(numbers), AT_ONCE):
        written = letters.filter(pk__in=numbers[first : first + AT_ONCE]).values_list("pk", "source")
        bodies.bulk_create([bodies.model(letter_id=pk, packed=zlib.compress(source)) for pk, source in written])


def move_back(apps, editor):
    letters, bodies = (apps.get_model("post", name).objects.using(editor.connection.alias) for name in ("Letter", "Body"))
    for pk, packed in bodies.order_by("pk").values_list("pk", "packed").iterator(AT_ONCE):
        source = zlib.decompress(packed)
        mail = message_from_bytes(source, policy=policy.default)
        text, html = (mail.get_body((kind,)) for kind in ("plain", "html"))
        letters.filter(pk=pk).update(
            source=source,
            message_id=mail["Message-ID"],
            text=text.get_content() if text else "",
            html=html.get_content() if html else "",
        )


class Migration(migrations.Migration):
    """A letter's bytes lie beside its row, which changes with every step on its way. They do not."""

    dependencies = [("post", "0004_fewer_indexes")]
    operations = [
        migrations.CreateModel(
            "Body",
            [
                (
                    "letter",
                    models.OneToOneField("post.letter", CASCADE, primary_key=True, related_name="body", serialize=False),
                ),
                ("packed", models.BinaryField()),
            ],
            {"verbose_name_plural": "bodies"},
        ),
        migrations.RunPython(move_out, move_back),
    ]
