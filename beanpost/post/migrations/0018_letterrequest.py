from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("post", "0017_refused_replies")]

    operations = [
        migrations.CreateModel(
            name="LetterRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.EmailField(max_length=254)),
                ("kind", models.CharField(max_length=16)),
                ("asked_at", models.DateTimeField()),
            ],
        ),
    ]
