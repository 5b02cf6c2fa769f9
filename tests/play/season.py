"""A season in a few seconds: matches of every game among all kinds of players, on a simulated clock."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from django.conf import settings

from beanpost.play import moves, signals
from beanpost.play.deadlines import days_away, waits
from beanpost.play.display import scene
from beanpost.play.errors import Unplayed
from beanpost.play.log import storage
from beanpost.play.models import Event, Match, Place, Pulse, Vault, Wait
from beanpost.play.seats import joining, opening
from beanpost.play.timekeeping import absence, mail_credits
from beanpost.play.timekeeping import sweep as sweeping
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.compose.letter import compose
from beanpost.post.models import Letter
from games.contract.seats import HOUSE

SPRING = datetime(2026, 3, 1, 9, tzinfo=UTC)  # clocks go forward in the north and back in the south
ZONES = ("Europe/Paris", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "Pacific/Auckland", "UTC")
TABLES = (
    ("haricots", "sprint", 3),
    ("pas_de_haricots", "one", 3),
    ("fagioli", "standard", 2),
    ("haricot_magique", "base", 2),
    ("haricots", "sprint", 4),
    ("bohnanza", "standard", 3),
)
PACES = (
    "4h bank 6h gain 1h window 2h quiet 22-6",
    "6h bank 6h gain 2h window 3h quiet 23-7 days 123456",
    "8h bank 4h gain 1h quiet 21-6",
    "brisk",
)
LANGUAGES = [*dict(settings.LANGUAGES)]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SECOND_LOOK = timedelta(seconds=30)


class Season:
    """All players, all scheduled events, and everything observed."""

    def __init__(
        self,
        *,
        matches: int,
        players: int,
        days: int,
        seed: int = 7,
        tables: Sequence[tuple[str, str, int]] = TABLES,
        paces: Sequence[str] = PACES,
    ) -> None:
        self.chance = random.Random(seed)
        self.tables, self.paces = tables, paces
        self.now, self.end = SPRING, SPRING + days * DAY
        self.agenda: list[tuple[datetime, int, Callable[[], None]]] = []
        self.entries = 0
        self.faults: list[str] = []
        self.seen: Counter[str] = Counter()
        self.last_letter = 0
        self.players = [self.enrol(n) for n in range(players)]
        self.unreliable = {player.pk for player in self.players[::3]}
        self.outages = [
            (SPRING + n * DAY + 3 * HOUR, SPRING + n * DAY + 3 * HOUR + self.hours(1, 30)) for n in (9, 30, 51)
        ]
        for n in range(matches):
            self.at(SPRING + n * (days * DAY / 5) / matches, partial(self.open, n))
        for player in self.players[::4]:
            self.at(SPRING + self.chance.randrange(days * 2 // 3) * DAY, partial(self.go_away, player))

    def enrol(self, n: int) -> Player:
        zone = ZONES[n % len(ZONES)]
        return accounts.get_or_create_player(
            f"p{n}@example.org", name=f"P{n}", zone=zone, language=LANGUAGES[n % len(LANGUAGES)], now=SPRING
        )

    def hours(self, least: float, most: float) -> timedelta:
        return self.chance.uniform(least, most) * HOUR

    def at(self, when: datetime, task: Callable[[], None]) -> None:
        self.entries += 1
        heapq.heappush(self.agenda, (when, self.entries, task))

    # ── time ──

    def run(self) -> None:
        listeners = {"asked": self.asked, "moved": self.moved, "stood_in": self.stood_in}
        for name, listener in listeners.items():
            getattr(signals, name).connect(listener)
        try:
            while self.now < self.end and self.step():
                pass
        finally:
            for name, listener in listeners.items():
                getattr(signals, name).disconnect(listener)

    def step(self) -> bool:
        """Advance to the next event of a player or of the sweep."""
        sweep, task = self.next_sweep(), self.agenda[0][0] if self.agenda else None
        if sweep is None and task is None:
            return False
        if task is not None and (sweep is None or task < sweep):
            self.now = max(self.now, task)
            heapq.heappop(self.agenda)[2]()
        else:
            assert sweep is not None
            self.sweep(max(self.now, sweep))
        self.write_some()
        return True

    def next_sweep(self) -> datetime | None:
        """Return when the sweep next has something to do; earlier sweeps would find nothing and are skipped."""
        soonest = [
            Wait.objects.exclude(due_at=None).order_by("due_at").values_list("due_at", flat=True).first(),
            Wait.objects.exclude(remind_at=None).order_by("remind_at").values_list("remind_at", flat=True).first(),
            Place.objects.exclude(nudge_at=None).order_by("nudge_at").values_list("nudge_at", flat=True).first(),
            Match.objects.exclude(expires_at=None).order_by("expires_at").values_list("expires_at", flat=True).first(),
        ]
        return min((at for at in soonest if at), default=None)

    def sweep(self, at: datetime) -> None:
        """Run the sweep, which runs every half minute unless the server is down."""
        for began, ended in self.outages:
            if began <= at < ended:
                Pulse.objects.update_or_create(pk=1, defaults={"beat_at": began})
                at = ended
                break
        else:
            Pulse.objects.update_or_create(pk=1, defaults={"beat_at": at - SECOND_LOOK})
        self.now = at
        self.seen["sweeps"] += 1
        for _ in range(50):
            if not sweeping.sweep(at) or not Wait.objects.filter(due_at__lte=at).exists():
                break
        if late := Wait.objects.filter(due_at__lte=at).count():
            self.faults.append(f"{late} questions stay open past their time at {at}.")

    def write_some(self) -> None:
        """Count the letters, and render one in fifty."""
        fresh = Letter.objects.filter(pk__gt=self.last_letter).order_by("pk").values_list("pk", "kind")
        for pk, kind in fresh:
            self.last_letter = pk
            self.seen["letters"] += 1
            self.seen[f"letters: {kind}"] += 1
            if self.seen["letters"] % 50 == 0:
                self.write(Letter.objects.select_related("recipient", "match").get(pk=pk))

    def write(self, letter: Letter) -> None:
        compose(letter, self.now)
        self.seen["letters written"] += 1

    # ── players ──

    def open(self, n: int) -> None:
        game, variant, seats = self.tables[n % len(self.tables)]
        table = [self.players[(n * 7 + k * 11) % len(self.players)] for k in range(seats)]
        people = list(dict.fromkeys(table))
        planned = opening.plan(
            people[0],
            game=game,
            variant=variant,
            seats=seats,
            pace=self.paces[n % len(self.paces)],
            open_to_all=False,
            bots=seats - len(people),
            addresses=[player.address for player in people[1:]],
        )
        match = opening.open_match(planned, people[0], now=self.now)
        for place in match.places.exclude(player=people[0]).exclude(player=None):
            self.at(self.now + self.hours(0.1, 20), partial(self.get_ready, place))

    def get_ready(self, place: Place) -> None:
        joining.accept_invitation(place, name=place.name, word="", now=self.now)

    def go_away(self, player: Player) -> None:
        today = self.now.astimezone(player.tz).date()
        absence.announce_days_away(player, today, today + timedelta(days=self.chance.randrange(2, 8)), now=self.now)
        self.seen["absences"] += 1

    def asked(self, match: Match, wait: Wait, place: Place, now: datetime, **_: object) -> None:
        """Let the player open their letter some time later, or never."""
        pace, unreliable = match.parsed_pace, place.player_id in self.unreliable
        if self.chance.random() < 0.01:
            self.at(now + HOUR / 2, partial(self.bounce, match, place))
        if unreliable and self.chance.random() < 0.35:
            return
        most = 1.4 if unreliable else 0.7
        self.at(
            now + self.chance.uniform(0.05, most) * pace.allowance,
            partial(self.answer, match.pk, wait.seat, wait.opened),
        )

    def bounce(self, match: Match, place: Place) -> None:
        assert place.player is not None
        self.seen["bounces"] += mail_credits.credit_bounce(match, place.player, now=self.now)

    def answer(self, match_id: int, seat: int, opened: int) -> None:
        match = Match.objects.get(pk=match_id)
        place = match.places.select_related("player").get(seat=seat)
        if place.is_bot or not match.waits.filter(seat=seat, opened=opened).exists():
            return
        assert place.player is not None
        if days_away.find_absence(place.player, self.now):
            return
        table = storage.restore_table(match, Vault.objects.get(match=match))
        ask = table.ask(seat)
        assert ask is not None
        action = table.rules.bot(table.view(seat), ask) or ask.default
        if action is None:
            return
        try:
            moves.play(match_id, seat, str(action), origin="player", question=opened, now=self.now)
            self.seen["moves"] += 1
        except Unplayed:
            return
        if match.waits.filter(seat=seat, opened=opened).exists():  # in a market the player may move again
            self.at(self.now + self.hours(0.1, 1), partial(self.answer, match_id, seat, opened))

    def stood_in(self, match: Match, place: Place, now: datetime, **_: object) -> None:
        self.seen["bots sat in"] += 1
        if self.chance.random() < 0.5:
            self.at(now + self.hours(3, 40), partial(self.come_back, place))
        elif self.chance.random() < 0.3:
            self.at(now + self.hours(3, 40), partial(self.give_up, place))

    def come_back(self, place: Place) -> None:
        place.refresh_from_db()
        if not place.resigned_at:
            absence.return_to_seat(place, now=self.now)
            self.seen["seats taken back"] += 1

    def give_up(self, place: Place) -> None:
        absence.resign(place, now=self.now)
        self.seen["resignations"] += 1

    # ── what must never happen ──

    def moved(self, match: Match, events: list[Event], now: datetime, **_: object) -> None:
        for event in events:
            if event.seat == HOUSE:
                self.seen[f"house: {event.line.split()[0]}"] += 1
            elif event.origin == Event.Origin.CLOCK:
                self.timed_out(match, event, now)

    def timed_out(self, match: Match, event: Event, now: datetime) -> None:
        self.seen["time-outs"] += 1
        place = match.places.select_related("player").get(seat=event.seat)
        assert place.player is not None
        local = now.astimezone(waits.find_time_zone(place))
        if not match.parsed_pace.is_counted(local.date()) or match.parsed_pace.is_quiet(local.hour):
            self.faults.append(f"{place} was timed out in quiet hours, at {now} in {place.player.zone}.")
        away = days_away.find_absence(place.player, now)
        if away and days_away.count_days_left(place.player, now, beside=away) > away.days_used:
            self.faults.append(f"{place} was timed out while away, at {now}.")

    def unfinished(self) -> list[str]:
        return [
            f"{match} ({scene.build_scene(match, None).waiting_for})" for match in Match.objects.exclude(phase="ended")
        ]

    def report(self) -> str:
        return "\n".join(f"  {what:<28} {count:>8,}" for what, count in sorted(self.seen.items()))
