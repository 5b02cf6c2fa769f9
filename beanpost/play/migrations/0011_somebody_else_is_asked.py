from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """Allow a second proposal once the first has passed: the newcomer it named may never take the seat."""

    dependencies = [("play", "0010_match_placed")]
    operations = [
        migrations.RemoveConstraint("proposal", "one_open_proposal"),
        migrations.AddConstraint(
            "proposal",
            models.UniqueConstraint(
                fields=("match", "about", "seat"),
                condition=Q(closed_at=None, passed_at=None),
                name="one_open_proposal",
            ),
        ),
    ]
