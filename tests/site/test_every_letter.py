"""Letters and pages of the games with composed sentences, in every phase of a game played at random."""

import random
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

import games
from beanpost.play import moves
from beanpost.play.display import scene
from beanpost.play.log import storage
from beanpost.play.models import Match, Vault
from beanpost.play.tickets import MoveTicket
from beanpost.post.compose import letter as compose
from beanpost.post.compose.contents import build_scene_contents
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from games.engine.table import Table
from tests.friends import NOON, seat_friends
from tests.games.test_properties import people
from tests.site.mailbag import is_good_mail

pytestmark = pytest.mark.django_db

KINDS = [("bohnanza", "standard", 2), ("bohnanza", "standard", 4), ("haricot_magique", "base", 3),
         ("haricot_magique", "expert", 5)]  # fmt: skip


@pytest.mark.parametrize(("slug", "variant", "seats"), KINDS)
def test_letters_and_pages_are_well_formed_in_every_phase(slug, variant, seats):
    match = seat_friends(slug, variant, seats=seats)
    seen: set[tuple[str, bool]] = set()
    for phase, wait in moments(match, random.Random(4)):
        kind = (phase, wait.due_at is None)
        if kind not in seen:
            seen.add(kind)
            look(match, wait.seat)
    assert len(seen) >= {2: 3, 4: 5}.get(seats, 4)


def moments(match: Match, chance: random.Random, most: int = 110):
    """Play one move after the other; yield each phase with its question."""
    bots = [people(match.game, chance.randrange(1_000)) for _ in range(match.seats)]
    while most and match.phase == Match.Phase.RUNNING:
        most -= 1
        table = storage.restore_table(match, Vault.objects.get(match=match))
        wait = chance.choice(list(match.waits.all()))
        yield table.view(None).phase, wait
        if line := next_line(table, wait.seat, bots):
            occupant = match.places.get(seat=wait.seat).occupant
            ticket = MoveTicket(match.pk, wait.seat, occupant, wait.opened, since=match.length)
            moves.play_ticket(ticket, line, now=NOON)
            match.refresh_from_db()


def next_line(table: Table, seat: int, bots) -> str | None:
    ask = table.ask(seat)
    action = bots[seat](table.view(seat), ask)
    try:
        return str(action) if action and table.says(seat, str(action)) else None
    except games.RulesError:  # invented, and refused
        return None


def look(match: Match, seat: int) -> None:
    """Check this question's letter, its page, one of its moves, and a bystander's page."""
    shown = scene.build_scene(match, seat)
    player = match.places.get(seat=seat).player
    letter = Letter(pk=1, recipient=player, kind="turn", key="x", match=match, created_at=NOON, due_at=NOON)
    contents = build_scene_contents(shown) | {
        "first": False,
        "sent_count": 1,
        "letter": letter,
        "reader": player,
        "match": match,
    }
    contents |= {"player_ticket": "x", "letter_settings_ticket": "x", "fewer_ticket": ""}
    written = split_parts(compose.compose_message(letter, contents, NOON + timedelta(minutes=1)).source)
    assert is_good_mail(written)
    assert shown.question.text in " ".join(written.text.split())
    addresses = [
        reverse("move", args=[ticket])
        for ticket in [shown.question.ticket, *(o.ticket for o in shown.question.options[:1])]
    ]
    for address in [*addresses, reverse("match", args=[match.code])]:
        page = Client().get(address)
        assert page.status_code == 200
        assert "style=" not in page.content.decode()  # the content security policy would refuse it
