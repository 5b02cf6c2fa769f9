"""Random lives of matches: moves, votes, absences, substitutes, resignations, erasures and organisers' acts.

After each act the match is checked from all sides. There is one life for twenty games of `ENDURANCE`, five at least.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from datetime import datetime, timedelta

import pytest
from django.core.exceptions import ValidationError

from beanpost.leagues.models import Fixture
from beanpost.leagues.seasons import results, tables
from beanpost.play import moves
from beanpost.play.display import scene, story
from beanpost.play.errors import Unplayed
from beanpost.play.log import audit, storage
from beanpost.play.log.export import export_match
from beanpost.play.models import Match, Proposal, Vault
from beanpost.play.seats import own_seat, takeover, votes
from beanpost.play.timekeeping import absence, sweep
from beanpost.players import accounts
from beanpost.post.compose.letter import compose
from beanpost.post.models import Letter
from beanpost.privacy import erasure
from games.verification.verify import verify
from tests.friends import NOON, seat_friends
from tests.leagues.office import put_in_league

pytestmark = pytest.mark.django_db
LIVES = max(5, int(os.environ.get("ENDURANCE", "10")) // 20)
ACTS = 60
KINDS = (
    ("haricots", "sprint", 3),
    ("haricots", "basic", 4),
    ("pas_de_haricots", "one", 3),
    ("fagioli", "standard", 2),
    ("bohnanza", "standard", 3),
)


class Life:
    """One match, its people, and one act after another."""

    def __init__(self, seed: int) -> None:
        self.chance, self.now = random.Random(seed), NOON
        game, variant, seats = KINDS[seed % len(KINDS)]
        self.match = seat_friends(game, variant, seats=seats, now=NOON)
        self.in_league = bool(seed % 2)
        if self.in_league:
            put_in_league(self.match)
        self.newcomers, self.seen = 0, Counter[str]()

    def live(self) -> None:
        acts = (
            *[self.move] * 6,
            *(self.wait, self.wait, self.vote, self.vote),
            *(self.propose, self.offer, self.answer_offer, self.resign, self.go_away, self.come_back, self.bot),
            *(self.undo, self.pause, self.remind, self.report, self.refuse_letters, self.erase),
        )
        for n in range(ACTS):
            act = self.chance.choice(acts) if n < ACTS - 1 else self.decide
            self.now += timedelta(minutes=self.chance.randrange(1, 90))
            try:
                act()
                self.seen[act.__name__] += 1
            except (ValidationError, Unplayed):
                self.seen["refused"] += 1
            self.match = Match.objects.get(pk=self.match.pk)
            faults = [*self.find_faults()]
            assert faults == [], f"after act {n}, {act.__name__}: {faults}"
            if self.match.phase == Match.Phase.ENDED:
                break

    # ── what people do ──

    def place(self):
        return self.chance.choice(list(self.match.places.select_related("player", "match")))

    def move(self) -> None:
        if not (waits := list(self.match.waits.order_by("seat"))):
            return
        wait = self.chance.choice(waits)
        table = storage.restore_table(self.match, Vault.objects.get(match=self.match))
        ask = table.ask(wait.seat)
        action = table.rules.bot(table.view(wait.seat), ask) or ask.default
        if action is not None:
            moves.play(self.match.pk, wait.seat, str(action), origin="player", question=wait.opened, now=self.now)

    def wait(self) -> None:
        self.now += timedelta(hours=self.chance.choice((2, 12, 40, 90)))
        sweep.sweep(self.now)

    def propose(self) -> None:
        about = self.chance.choice(("pause", "resume", "give"))
        place, wishes = self.place(), {}
        if about == "give":
            wishes = {"seat": self.place().seat, "address": self.candidate()}
        votes.propose(place, about, **wishes, now=self.now)

    def candidate(self) -> str:
        self.newcomers += self.chance.random() < 0.6
        return f"newcomer{self.newcomers}@example.org"

    def vote(self) -> None:
        if found := votes.find_undecided(self.match):
            votes.vote(self.place(), self.chance.choice(found).pk, now=self.now)

    def offer(self) -> None:
        votes.offer_seat(self.match.pk, self.place().seat, self.candidate(), now=self.now)

    def answer_offer(self) -> None:
        offers = list(Proposal.objects.filter(about="give", passed_at__isnull=False).select_related("player"))
        if offers:
            offer = self.chance.choice(offers)
            if self.chance.random() < 0.3:
                takeover.decline(offer, now=self.now)
            elif not offer.player.is_forgotten:  # their links are void
                takeover.take_over(offer, offer.player, now=self.now)

    def resign(self) -> None:
        absence.resign(self.place(), now=self.now)

    def go_away(self) -> None:
        place, today = self.place(), self.now.date()
        last = today + timedelta(days=self.chance.randrange(1, 5))
        if place.player:
            absence.announce_days_away(place.player, today, last, now=self.now)

    def come_back(self) -> None:
        absence.return_to_seat(self.place(), now=self.now)

    def refuse_letters(self) -> None:
        player = self.place().player
        if player and self.chance.random() < 0.3:
            absence.stop_letters_and_seats(player, now=self.now)
            accounts.refuse_letters(player, now=self.now)

    def erase(self) -> None:
        player = self.chance.choice([self.place().player, *(each.player for each in self.match.proposals.all())])
        if player and not player.is_forgotten:
            erasure.erase(player, now=self.now)

    def report(self) -> None:
        place = self.place()
        own_seat.write_note(place, "Beans!", now=self.now)
        reader = self.place()
        for _, note in own_seat.find_readable_notes(reader):
            own_seat.report_note(reader, note.pk, now=self.now)

    # ── what organisers do ──

    def chair(self):
        return self.chance.choice(list(Fixture.objects.get(match=self.match).chairs.all()))

    def bot(self) -> None:
        if self.in_league:
            tables.give_to_bot(self.chair(), now=self.now)

    def undo(self) -> None:
        lines = story.find_undoable_lines(self.match)
        if lines:
            votes.rewind_for_organiser(self.match.pk, self.chance.choice(lines[-3:]).seq, now=self.now)

    def pause(self) -> None:
        if self.in_league:
            act = tables.resume if self.match.paused_at else tables.pause
            act(Fixture.objects.get(match=self.match), reason="A test.", now=self.now)

    def remind(self) -> None:
        if self.in_league:
            act = self.chance.choice((tables.remind, lambda chair, now: tables.extend(chair, 2, now=now)))
            act(self.chair(), now=self.now)

    def decide(self) -> None:
        if self.in_league:
            fixture = Fixture.objects.get(match=self.match)
            places = {chair.pk: chair.seat + 1 for chair in fixture.chairs.all()}
            results.adjudicate(fixture, places, reason="A test.", now=self.now)

    # ── what must always hold ──

    def find_faults(self):
        yield from audit.find_differences(self.match)
        verdict = verify(export_match(self.match, None))  # seals
        if [place.seat for place in self.match.places.exclude(resigned_at=None).order_by("seat")] != [*verdict.gave_up]:
            yield f"The log says that {verdict.gave_up} gave up."
        table = storage.restore_table(self.match, Vault.objects.get(match=self.match))
        running, waits = self.match.phase == Match.Phase.RUNNING, {wait.seat: wait for wait in self.match.waits.all()}
        asked = {ask.seat: ask for ask in table.asks if ask.seat >= 0} if running else {}
        if set(waits) != set(asked):
            yield f"The table asks {set(asked)}, the rows {set(waits)}."
        places = {place.seat: place for place in self.match.places.select_related("player")}
        for number, wait in waits.items():
            yield from self.find_wrong_deadlines(places[number], wait, asked.get(number))
        yield from self.find_wrong_offers(places)
        yield from self.find_wrong_letters(places)
        for reader in (None, *places):
            scene.build_scene(self.match, reader)

    def find_wrong_deadlines(self, place, wait, ask):
        if ask and wait.is_blocking != (ask.default is not None):
            yield f"Seat {wait.seat} blocks: {wait.is_blocking}."
        if self.match.paused_at and wait.due_at and not place.is_bot:
            yield f"Seat {wait.seat} has a deadline in a pause."
        if not self.match.paused_at and wait.left is not None:
            yield f"The clock of seat {wait.seat} is stopped without a pause."
        if wait.due_at and place.is_bot and wait.due_at > self.now + timedelta(days=1):
            yield f"The bot of seat {wait.seat} lets the table wait."

    def find_wrong_offers(self, places):
        open_ones = list(self.match.proposals.filter(closed_at=None).select_related("player"))
        if open_ones and self.match.phase != Match.Phase.RUNNING:
            yield "A vote is open, but nothing can be decided."
        seated = {place.player_id for place in places.values()}
        for offer in open_ones:
            if offer.about == "give" and (offer.player_id in seated or offer.player.is_forgotten):
                yield f"Seat {offer.seat} is offered to somebody who can't take it."
            if offer.about == "give" and not places[offer.seat].is_bot:
                yield f"Seat {offer.seat} is offered, but its player is there."
            asked = {letter.recipient_id for letter in Letter.objects.filter(kind="decide", values__proposal=offer.pk)}
            voters = {
                voter.player_id for voter in votes.find_voters(offer) if voter not in votes.find_yes_voters(offer)
            }
            if offer.passed_at is None and not votes.is_outdated(offer) and not voters <= asked:
                yield f"Nobody has asked {voters - asked} to vote."

    def find_wrong_letters(self, places):
        seated = {place.player_id: place for place in places.values() if not place.resigned_at}
        for letter in Letter.objects.filter(state="queued").select_related("recipient", "match"):
            if letter.recipient.unwanted_at:
                continue
            composed = compose(letter, self.now)
            if composed and letter.kind in ("turn", "reminder", "decide") and letter.recipient_id not in seated:
                yield f"A {letter.kind} letter goes to somebody who has left."
            if composed and letter.kind == "takeover" and letter.recipient_id in seated:
                yield "A seat is offered to somebody who sits there."
        for letter in Letter.objects.filter(kind__in=("reported", "away_seen")):
            if letter.created_at == self.now and letter.recipient_id not in seated and not self.in_league:
                yield "A letter about the table goes to somebody who has left."


@pytest.mark.parametrize("seed", range(LIVES))
def test_a_match_holds_together_whatever_people_do(seed: int) -> None:
    life = Life(seed)
    life.live()
    assert life.seen["move"]
    assert isinstance(life.now, datetime)
