"""What organisers sign in with beside their password."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SecondFactor(models.Model):
    """What the app of somebody who signs in works its digits out from. Shown to nobody but them, until confirmed."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor")
    key = models.CharField(max_length=32)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    last_step = models.BigIntegerField(default=0)  # of the code that was used last: none is taken twice

    def __str__(self) -> str:
        return f"the second factor of {self.user}"
