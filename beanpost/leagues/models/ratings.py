"""Players' ratings, and the matches they follow from."""

from __future__ import annotations

from django.db import models

from beanpost.play.models import Match
from beanpost.players.models import Player

RATED_AFTER = 5  # matches, before a rating means much


class Rating(models.Model):
    """A player's estimated strength and its uncertainty, in one game or (game "") over all games."""

    player = models.ForeignKey(Player, models.PROTECT, related_name="ratings")
    game = models.CharField(max_length=32, blank=True)
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("player", "game"), name="one_rating_per_game"),)

    def __str__(self) -> str:
        return f"{self.player} {self.game}: {self.mu:.1f} ± {self.sigma:.1f}"

    @property
    def shown(self) -> float:
        """Return the rating as lists show it: a strength the player almost certainly has."""
        return self.mu - 3 * self.sigma

    @property
    def is_provisional(self) -> bool:
        return self.matches < RATED_AFTER


class Rated(models.Model):
    """A match that has been rated, with its position: recomputing follows the same order."""

    match = models.OneToOneField(Match, models.PROTECT, related_name="rated")
    nth = models.PositiveIntegerField(unique=True)

    def __str__(self) -> str:
        return f"match {self.match_id} was rated as number {self.nth}"
