"""A knock-out continues until all remaining players sit at one table, and the winner there has won."""

from datetime import timedelta
from html import unescape

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues.models import Entry, Fixture, Round, Season
from beanpost.leagues.people import entries
from beanpost.leagues.records import knock_out_progress, round_results, season_records
from beanpost.leagues.seasons import next_rounds, phases, results, rounds, substitutes
from beanpost.play.timekeeping import absence
from beanpost.post.compose.letter import compose
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import do, fill_season, list_needs

pytestmark = pytest.mark.django_db


@pytest.fixture
def division(league, request):
    """Six people at tables of three; one round is planned, but it takes three."""
    people = getattr(request, "param", 6)
    return fill_season(league, people, size=3, rounds=1, format="knock_out").divisions.get()


CAN_DRAW, PLAYED = "The next round can be drawn.", "Everything has been played."
TWELVE = pytest.mark.parametrize("division", [12], indirect=True)  # tables of three, two of four, and a final of four


def play(division, *last):
    """Draw the next round, decide its tables and close it."""
    round_ = decide(division, *last)
    rounds.close_round(Round.objects.get(pk=round_.pk), now=NOON)
    return [[chair.sitter.name for chair in fixture.chairs.all()] for fixture in round_.fixtures.all()]


def decide(division, *last):
    """Draw the next round and decide its tables by name: the lower number wins, except for a player who is to come
    last."""
    rounds.draw(division, by=None, now=NOON)
    round_ = division.rounds.last()
    rounds.publish(round_, now=NOON)
    for fixture in round_.fixtures.all():
        chairs = sorted(fixture.chairs.all(), key=lambda chair: (chair.sitter.name in last, chair.sitter.name))
        places = {chair.pk: place for place, chair in enumerate(chairs, 1)}
        results.adjudicate(fixture, places, reason="A test.", now=NOON)
    return round_


def needs(user):
    return list_needs(user)


def order(division):
    return [(line.row.rank, line.entry.player.name, line.why) for line in season_records.compute_standings(division)]


@TWELVE
def test_a_knock_out_is_drawn_to_its_final_however_many_rounds_were_planned(olga, division):
    assert [len(table) for table in play(division)] == [3, 3, 3, 3]
    assert CAN_DRAW in needs(olga)
    play(division)
    assert CAN_DRAW in needs(olga)
    assert PLAYED not in needs(olga)
    assert [len(table) for table in play(division)] == [4]
    assert CAN_DRAW not in needs(olga)
    assert PLAYED in needs(olga)
    with pytest.raises(ValidationError, match="The final has been played"):
        rounds.draw(division, by=None, now=NOON)


@TWELVE
def test_a_final_that_comes_earlier_than_planned_is_the_end(olga, division):
    Season.objects.update(rounds=9)
    for _ in range(3):
        play(division)
    assert PLAYED in needs(olga)


@TWELVE
def test_a_player_who_came_further_ranks_higher_and_the_winner_of_the_final_first(division):
    play(division)
    play(division)
    (finalists,) = play(division, "Player 0")
    *_others, winner = sorted(name for name in finalists if name != "Player 0")[::-1]
    rows = order(division)
    assert rows[0] == (1, winner, "First place.")
    assert {name for _rank, name, _why in rows[:4]} == set(finalists)
    assert rows[3][1:] == ("Player 0", "Lost the final.")
    assert rows[4][2] == "Reached round 2; the player above reached round 3."


def test_the_draw_preview_counts_only_remaining_players(at_olgas, division):
    page = reverse("admin:leagues_division_do", args=[division.pk, "draw"])
    assert "6 people are playing in Division 1." in at_olgas.get(page).content.decode()
    play(division)
    assert "4 people are playing in Division 1." in at_olgas.get(page).content.decode()


def test_players_who_advance_rank_above_the_others_before_the_next_draw(division):
    play(division)
    whys = [why for _rank, _name, why in order(division)]
    assert whys[4] == "Reached round 1; the player above reached round 2."


def test_a_drawn_lot_decides_which_of_equals_advances(division):
    play(division)
    round_ = division.rounds.get()
    tied = round_.fixtures.first()
    tied.chairs.filter(rank__gt=1).update(rank=2)
    lots = round_results.draw_lots(division, division.entries.values_list("pk", flat=True))
    second = min(tied.chairs.filter(rank=2), key=lambda chair: lots[chair.entry_id])
    through = knock_out_progress.find_entries_through(Round.objects.get())
    assert second.entry_id in through
    assert len(through) == 4


def annul(fixture):
    results.annul(fixture, reason="A card was missing.", now=NOON)


def test_a_drawn_lot_decides_who_advances_from_an_annulled_table(division):
    play(division)
    round_ = division.rounds.get()
    table = round_.fixtures.first()
    annul(table)
    lots = round_results.draw_lots(division, division.entries.values_list("pk", flat=True))
    *through, _out = sorted(table.chairs.values_list("entry", flat=True), key=lots.get)
    assert set(through) < set(knock_out_progress.find_entries_through(Round.objects.get()))


def test_annulling_a_table_after_its_round_closed_changes_no_advancement(division):
    play(division)
    through = knock_out_progress.find_entries_through(Round.objects.get())
    Round.objects.update(closed_at=NOON - timedelta(days=1))
    for table in division.rounds.get().fixtures.all():
        annul(table)
    assert knock_out_progress.find_entries_through(Round.objects.get()) == through


@TWELVE
def test_an_annulled_final_has_no_winner(division):
    for _ in range(3):
        play(division)
    Round.objects.update(closed_at=NOON - timedelta(days=1))
    annul(division.rounds.last().fixtures.get())
    assert "Lost the final." not in [why for _rank, _name, why in order(division)]


def test_a_player_who_leaves_before_the_final_does_not_win_it(league):
    division = fill_season(league, 8, size=4, format="knock_out").divisions.get()
    play(division)
    gone = Entry.objects.get(pk=knock_out_progress.find_entries_through(division.rounds.get())[0])
    substitutes.withdraw(gone)
    (finalists,) = play(division)
    rows = order(division)
    assert {name for _rank, name, _why in rows[:3]} == set(finalists)
    assert (4, gone.player.name, "Reached round 1; the player above reached round 2.") in rows


@pytest.fixture
def halfway(league):
    """Eight people at tables of four, of whom four are left."""
    division = fill_season(league, 8, size=4, format="knock_out").divisions.get()
    play(division)
    return division


def leave(division, *, left):
    """Withdraw all but a number of the advancing players; return the names of those who stay."""
    last = division.rounds.exclude(phase="drawn").last()
    stay, go = (
        knock_out_progress.find_entries_through(last)[:left],
        knock_out_progress.find_entries_through(last)[left:],
    )
    for pk in go:
        substitutes.withdraw(Entry.objects.get(pk=pk))
    return [Entry.objects.get(pk=pk).player.name for pk in stay]


def test_the_only_remaining_player_has_won(at_olgas, olga, halfway):
    (last,) = leave(halfway, left=1)
    assert order(halfway)[0] == (1, last, "First place.")
    sentence = f"Division 1: {last} is the only player left and wins."
    assert sentence in needs(olga)
    assert CAN_DRAW not in needs(olga)
    assert sentence in at_olgas.get(reverse("admin:leagues_division_do", args=[halfway.pk, "draw"])).content.decode()
    with pytest.raises(ValidationError, match=f"{last} is the only player left"):
        rounds.draw(halfway, by=None, now=NOON)
    assert do(at_olgas, halfway.season, "close", announce="on").status_code == 302
    assert Letter.objects.latest("pk").values["headline"] == f"Autumn is over. Division 1: {last} wins."
    assert needs(olga) == ["This season is over."]  # so the next one can be planned


@pytest.mark.parametrize("action", ["withdraw", "substitute"])
def test_a_winner_cannot_be_withdrawn_from_an_ended_season(at_olgas, halfway, action):
    (last,) = leave(halfway, left=1)
    phases.close_season(halfway.season)
    winner = Entry.objects.get(player__name=last)
    assert reverse("admin:leagues_entry_do", args=[winner.pk, action]) not in office_page(at_olgas, winner)
    refused = do(at_olgas, winner, action, reason="Moved away.")
    assert (refused.status_code, "This season is over." in refused.content.decode()) == (400, True)
    assert order(halfway)[0] == (1, last, "First place.")


def office_page(client, entry):
    return client.get(reverse("admin:leagues_entry_change", args=[entry.pk])).content.decode()


def test_a_division_without_remaining_players_has_no_winner(at_olgas, client, olga, halfway):
    leave(halfway, left=0)
    sentence = "Division 1: no one is left, so there’s no winner."
    assert sentence in needs(olga)
    assert CAN_DRAW not in needs(olga)
    close = at_olgas.get(reverse("admin:leagues_season_do", args=[halfway.season_id, "close"])).content.decode()
    assert sentence in close
    assert " wins." not in close
    assert do(at_olgas, halfway.season, "close", announce="on").status_code == 302
    assert Letter.objects.latest("pk").values["headline"] == f"Autumn is over. {sentence}"
    for page in (reverse("season", args=["bean-league", halfway.season_id]), reverse("league", args=["bean-league"])):
        shown = client.get(page).content.decode()
        assert "Autumn" in shown
        assert " won." not in shown
        assert "First place" not in shown


def test_two_remaining_players_play_the_next_game_for_two(league):
    league.games = {"haricots": "sprint", "pas_de_haricots": "one", "fagioli": "standard"}
    league.save()
    division = fill_season(league, 8, size=4, format="knock_out").divisions.get()
    play(division)
    finalists = leave(division, left=2)
    (table,) = play(division)
    assert sorted(table) == sorted(finalists)
    assert division.rounds.last().game == "fagioli"  # Pas de Haricots would be next, which is for three or more


def test_the_standings_decide_between_two_players_without_a_game_for_two(olga, halfway):
    one, other = leave(halfway, left=2)
    assert any(f"{one} and {other} are left, too few for a table." in what for what in needs(olga))
    assert {name for _rank, name, _why in order(halfway)[:2]} == {one, other}


def test_a_drawn_final_with_one_remaining_player_needs_no_action(olga, halfway):
    rounds.draw(halfway, by=None, now=NOON)
    (last,) = leave(halfway, left=1)
    about = [what for what in needs(olga) if "Division 1" in what]
    assert about == [f"Division 1: {last} is the only player left and wins."]


def test_a_season_need_not_be_closed_while_another_division_continues(league, olga):
    season = fill_season(league, 16, size=4, divisions=2, format="knock_out")
    one, other = season.divisions.all()
    play(one)
    play(other)
    (last,) = leave(one, left=1)
    assert CAN_DRAW in needs(olga)
    assert not [what for what in needs(olga) if "Division" in what]
    play(other)
    assert f"Division 1: {last} is the only player left and wins." in needs(olga)


def test_a_late_entry_does_not_change_the_lots_of_a_round(division):
    play(division)
    for fixture in division.rounds.get().fixtures.all():
        fixture.chairs.filter(rank__gt=1).update(rank=2)
    through = knock_out_progress.find_entries_through(Round.objects.get())
    for n in range(8):
        entry = entries.add_entry(division.season, f"late{n}@example.org", name=f"Late {n}", now=NOON)
        Entry.objects.filter(pk=entry.pk).update(division=division, state=Entry.State.ENTERED)
        assert knock_out_progress.find_entries_through(Round.objects.get()) == through


def test_an_entry_is_not_let_into_a_started_knock_out(at_olgas, division):
    """The player would read that they play from the next draw on, and be in none."""
    late = entries.add_entry(division.season, "late@example.org", name="Late", now=NOON)
    let_play = reverse("admin:leagues_entry_do", args=[late.pk, "enter"])
    assert let_play in office_page(at_olgas, late)
    play(division)
    assert let_play not in office_page(at_olgas, late)
    assert "They’ll play from the next draw on." not in at_olgas.get(let_play).content.decode()
    refused = do(at_olgas, late, "enter", announce="on")
    assert "The knock-out has started, so no one can join it now." in refused.content.decode()
    assert Entry.objects.get(pk=late.pk).state == "invited"
    assert not Letter.objects.filter(kind="announcement", recipient=late.player).exists()


def test_a_late_entry_of_a_started_knock_out_can_only_be_a_substitute(at_olgas, division):
    add = reverse("admin:leagues_season_do", args=[division.season_id, "import"])
    assert "You can ask them to play or to be substitutes there." in at_olgas.get(add).content.decode()
    play(division)
    shown = at_olgas.get(add).content.decode()
    assert "ask them to play" not in shown
    assert "The knock-out has started, so no one can join it now." in shown
    assert "They’ll be added to the list. You can ask them to be substitutes there." in shown


@TWELVE
def test_a_finalist_withdrawn_by_mistake_can_return_during_the_final(at_olgas, olga, division):
    for _ in range(2):
        play(division)
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.last(), now=NOON)
    mistaken = Fixture.objects.last().chairs.first().entry
    do(at_olgas, mistaken, "withdraw", reason="Wrong line.")
    assert [what for what in needs(olga) if "has left the season but still has a seat." in what]
    shown = at_olgas.get(reverse("admin:leagues_entry_do", args=[mistaken.pk, "enter"])).content.decode()
    assert "They’ll stay in, including at tables already drawn." in shown
    assert do(at_olgas, mistaken, "enter").status_code == 302
    assert not [what for what in needs(olga) if "has left the season but still has a seat." in what]


def test_the_list_of_entries_makes_no_query_per_active_player(at_olgas, division, django_assert_max_num_queries):
    play(division)
    with django_assert_max_num_queries(15):
        at_olgas.get(reverse("admin:leagues_entry_changelist"))


def let_back(client, entry):
    """Withdraw an entry and let it play again; return the headline of the player's letter."""
    substitutes.withdraw(entry)
    assert do(client, entry, "enter", announce="on").status_code == 302
    return Letter.objects.filter(kind="announcement", recipient=entry.player).last().values["headline"]


def test_a_player_who_had_advanced_and_left_can_return_to_the_next_round(at_olgas, division):
    play(division)
    gone = Entry.objects.get(pk=knock_out_progress.find_entries_through(division.rounds.get())[0])
    assert let_back(at_olgas, gone) == "You’re playing in Autumn from the next draw."
    play(division)
    assert gone.pk in round_results.list_entries(division.rounds.last())


def test_closing_a_knock_out_early_says_that_the_final_is_missing(at_olgas, division):
    url = reverse("admin:leagues_season_do", args=[division.season_id, "close"])
    sentence = "Division 1: the final hasn’t been played."
    play(division)
    assert sentence in unescape(at_olgas.get(url).content.decode())
    while not next_rounds.has_played_final(division):
        play(division)
    assert sentence not in unescape(at_olgas.get(url).content.decode())


@TWELVE
def test_a_knocked_out_player_who_returns_plays_no_further(at_olgas, division):
    play(division)
    out = division.entries.exclude(pk__in=knock_out_progress.find_entries_through(division.rounds.get()))[0]
    assert let_back(at_olgas, out) == "You’re in Autumn, but you won’t be drawn for any more tables."
    play(division)
    assert out.pk not in round_results.list_entries(division.rounds.last())
    assert (
        let_back(at_olgas, Entry.objects.get(pk=out.pk))
        == "You’re in Autumn, but you won’t be drawn for any more tables."
    )
    play(division)
    winner = season_records.compute_standings(division)[0].entry
    assert let_back(at_olgas, winner) == "You’re in Autumn, but you won’t be drawn for any more tables."
    assert season_records.compute_standings(division)[0].entry == winner


def test_a_player_is_knocked_out_before_the_round_is_closed(at_olgas, division):
    round_ = decide(division)
    through = Entry.objects.get(pk=knock_out_progress.find_entries_through(round_)[0])
    out = division.entries.exclude(pk__in=knock_out_progress.find_entries_through(round_))[0]
    assert let_back(at_olgas, through) == "You’re playing in Autumn from the next draw."
    assert let_back(at_olgas, out) == "You’re in Autumn, but you won’t be drawn for any more tables."


@TWELVE
def test_an_unclosed_final_is_followed_by_no_draw(at_olgas, division):
    play(division)
    play(division)
    table = decide(division).fixtures.get()
    winner = table.chairs.get(rank=1).entry
    assert let_back(at_olgas, winner) == "You’re in Autumn, but you won’t be drawn for any more tables."


@TWELVE
def test_a_player_who_resigns_in_the_final_is_in_no_later_draw(at_olgas, division):
    play(division)
    play(division)
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.last(), now=NOON)
    rounds.begin_tables(division.rounds.last(), now=NOON)
    chair = division.rounds.last().fixtures.get().chairs.first()
    absence.resign(chair.fixture.match.places.get(seat=chair.seat), now=NOON)
    assert let_back(at_olgas, chair.entry) == "You’re in Autumn, but you won’t be drawn for any more tables."


def test_the_invitation_to_a_knock_out_names_no_number_of_rounds(league):
    season = Season.objects.create(league=league, name="Cup", format="knock_out", phase="entering")
    entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)
    entries.invite_all(season, now=NOON)
    text = " ".join(split_parts(compose(Letter.objects.get(), NOON).source).text.split())
    assert "It’s a knock-out with tables of 4: the top half of each table goes through." in text
    assert "rounds" not in text


@TWELVE
def test_the_seasons_page_says_which_round_was_the_final(client, division):
    for _ in range(3):
        play(division)
    page = client.get(reverse("season", args=["bean-league", division.season_id])).content.decode()
    assert page.count("Final: ") == 1
    assert page.count(">goes through<") == 8 + 4  # advancing from rounds one and two
