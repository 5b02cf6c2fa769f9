"""Collect everything a reader of a match can get: pages, letters, feeds, exports, the pages of its league,
and the admin pages of a host.
"""

from __future__ import annotations

from typing import Any
from unittest import mock

from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from beanpost.leagues.models import Fixture, League
from beanpost.monitoring import counters
from beanpost.pages.sessions import VISIT_KEY
from beanpost.play.display import scene
from beanpost.play.display.orders.offers import find_planned_moves
from beanpost.play.models import Match, Place
from beanpost.play.tickets import FeedTicket, PlayedTicket, UndoTicket, sign
from beanpost.players.models import Player
from beanpost.post import kinds, metrics
from beanpost.post.models import Letter, VisitorHour
from beanpost.post.outbox import addresses, queue
from beanpost.post.receive import inbox, replies
from tests.friends import NOON
from tests.opaque import masked
from tests.post.answering import answer, head, mail, with_replies
from tests.post.gallery import deliver

FOR_ANYBODY = ("match", "replay", "verify", "pulse", "export", "api-match", "api-verification")
LISTS = ("watch", "tables", "api-matches")
OFFICE = ("play_match", "post_letter", "post_reply", "players_player")
OF_LEAGUE = ("league", "league-calendar", "league-feed", "api-league")
OF_SEASON = ("season", "season-embed", "api-standings", "api-fixtures")
COCKPIT = ("cockpit", "story", "follow_up", "change", "history")
WATCHING = ("metrics", "readyz", "watching")


def received(match: Match, reader: int | None) -> dict[str, Any]:
    """Return every page and letter of one reader, as things stand. None is a bystander, who may also be the host."""
    if reader is None:
        return public(Client(), match) | office(match)
    place = match.places.select_related("player").get(seat=reader)
    return own_pages(match, place) | letters(match, place) | answers(match, place)


def public(client: Client, match: Match) -> dict[str, Any]:
    """Return the public pages of a match, and the lists where it may stand: all its players let others watch."""
    match.places.update(may_be_watched=True)
    VisitorHour.objects.all().delete()  # no time passes, and these tests ask more often than visitors may
    got = {name: page(client, name, match.code) for name in FOR_ANYBODY} | {name: page(client, name) for name in LISTS}
    fixture = fixture_of(match)
    return got | in_league(client, fixture) if fixture else got


def fixture_of(match: Match) -> Fixture | None:
    return Fixture.objects.filter(match=match).select_related("round__division__season__league").first()


def in_league(client: Client, fixture: Fixture) -> dict[str, Any]:
    """Return the public pages, feeds and files of a match's league, and what a league for members shows of them."""
    season = fixture.round.division.season
    slug, player = season.league.slug, fixture.chairs.all()[0].sitter_id
    got = {name: page(client, name) for name in ("leagues", "api-leagues")}
    got |= {f"standings as {form}": page(client, "standings", slug, season.pk, form) for form in ("json", "csv")}
    got["a player's page"] = page(client, "league-player", slug, player)
    for visibility in ("public", "members"):
        League.objects.filter(pk=season.league_id).update(visibility=visibility)
        got |= {f"{name} ({visibility})": page(client, name, slug) for name in OF_LEAGUE}
        got |= {f"{name} ({visibility})": page(client, name, slug, season.pk) for name in OF_SEASON}
    League.objects.filter(pk=season.league_id).update(visibility="public")
    return got


def office(match: Match) -> dict[str, Any]:
    """Return every admin page a superuser may open."""
    client = Client()
    host, _ = get_user_model().objects.get_or_create(username="host", is_staff=True, is_superuser=True)
    client.force_login(host, backend="django.contrib.auth.backends.ModelBackend")
    got = {name: page(client, f"admin:{name}_changelist") for name in OFFICE}
    for counted in (counters.REQUESTS, counters.SECONDS, counters.MOVES):
        counted.clear()  # these depend on the time and on earlier tests
    roomy = metrics.Sign("free_space_bytes", metrics.MIN_SPACE, "", is_well=True)  # other programs change it any time
    with mock.patch.object(metrics, "check_space", return_value=roomy):
        got |= {name: page(client, name) for name in WATCHING}
    got["erasing"] = page(client, "erase-person", match.keeper_id)
    got["in the office"] = page(client, "admin:play_match_change", match.pk)
    if fixture := fixture_of(match):
        season = fixture.round.division.season_id
        got |= {f"season {tab}": page(client, f"admin:leagues_season_{tab}", season) for tab in COCKPIT}
        got["fixture"] = page(client, "admin:leagues_fixture_change", fixture.pk)
    return got


def own_pages(match: Match, place: Place) -> dict[str, Any]:
    """Return the pages behind one seat's links and its player's own pages."""
    player = place.player
    assert player is not None
    client, shown = signed_in(player), scene.build_scene(match, place.seat)
    got = public(client, match) | {"my games": page(client, "my-games")}
    got |= {name: page(client, name) for name in ("my-data-page", "my-data")}
    got["orders"] = page(client, "orders", shown.order_ticket)
    got["seat"] = page(client, "seat", shown.seat_ticket)
    got["calendar"] = page(client, "feed", sign(FeedTicket(player.pk, player.feed)))
    undoing = UndoTicket(match.pk, place.seat, place.occupant, find_last_own_line(match, place))
    got["undo"] = page(client, "undo", sign(undoing))
    got["played"] = page(client, "played", sign(PlayedTicket(match.pk, place.seat, place.occupant, 1, match.length)))
    if shown.wait:
        got["table"] = page(client, "move", shown.question.ticket)
        got |= {option.line: page(client, "move", option.ticket) for option in shown.question.options[:1]}
        got |= {option.label: page(client, "plan", option.ticket) for option in find_planned_moves(shown)}
    return got


def find_last_own_line(match: Match, place: Place) -> int:
    """Return the number of the seat's last line; 0 if there is none."""
    last = match.events.filter(seat=place.seat).order_by("seq").last()
    return last.seq if last else 0


def signed_in(player: Player) -> Client:
    client = Client()
    session = client.session
    session[VISIT_KEY] = [player.pk, player.sessions]
    session.save()
    return client


def page(client: Client, name: str, *arguments: object) -> tuple[int, str]:
    response = client.get(reverse(name, args=arguments))
    return response.status_code, masked(response.content.decode())


def letters(match: Match, place: Place) -> dict[str, Any]:
    """Return the letters that are queued, the current one, and the find-my-games letter.

    The last move is acknowledged twice, as if it had come by reply: by a letter of its own, and by the current one.
    """
    assert place.player is not None
    known = set(Letter.objects.filter(state=Letter.State.SENT).values_list("pk", flat=True))
    told = {"seq": find_last_own_line(match, place)}
    queue.queue(place.player, "played", "reply/1", told, now=NOON, match=match)
    deliver()
    queue.queue_current(match, place, now=NOON)
    queue.queue(place.player, "lost", "lost/1", now=NOON)
    queue.queue(place.player, "played", "reply/2", told, now=NOON, match=match)
    deliver()
    fresh = Letter.objects.filter(recipient=place.player, state=Letter.State.SENT).exclude(pk__in=known)
    return {f"{letter.kind} {letter.key}": written(letter) for letter in fresh}


def answers(match: Match, place: Place) -> dict[str, Any]:
    """Return the answers to a mail that we can't read, to a costly and a refused move, and to our From address."""
    assert place.player is not None
    shown = scene.build_scene(match, place.seat)
    if not shown.wait:
        return {}
    with with_replies():
        queue.queue_current(match, place, now=NOON)
        deliver()
        letter = Letter.objects.filter(recipient=place.player, state=Letter.State.SENT).exclude(asked={}).latest("pk")
        costly = [option.line for option in shown.question.options if option.warning]
        for text in ("How are you?", "m99", *costly[:1]):
            answer(letter, text, now=NOON)
        to_from = mail(letter, "m1", References=head(letter)["Message-ID"], Message_ID="<from@mail.example>")
        inbox.receive(to_from, addresses.build_from_alias(), sender="bob@example.org", now=NOON)
        replies.read_waiting(lambda: NOON)
        answering = [kind.name for kind in kinds.load().values() if kind.answers]
        fresh = Letter.objects.filter(recipient=place.player, kind__in=answering, state=Letter.State.QUEUED)
        numbers = list(fresh.values_list("pk", flat=True))
        deliver()
        fresh = Letter.objects.filter(pk__in=numbers).order_by("pk")
        names = [f"{one.kind} {one.values.get('why', '')}" for one in fresh]
        assert len(names) == 3 + bool(costly), names
        return {f"answer {n} {name}": written(one) for n, (name, one) in enumerate(zip(names, fresh, strict=True))}


def written(letter: Letter) -> tuple[object, ...]:
    source = bytes(letter.source)
    head = masked(source.partition(b"\n\n")[0].decode())
    return letter.subject, masked(letter.text), masked(letter.html), head, len(source), letter.options
