"""Every player at a table has a distinct name, and no name or note imitates anything else."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues.people import import_entries
from beanpost.play.display.story import tell_story
from beanpost.play.log.export import export_match
from beanpost.play.models import Match, Note, Place
from beanpost.play.seats import joining, own_seat, takeover, votes
from beanpost.players import accounts, names
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.reply_parser.move_meaning import find_meaning
from games.verification.verify import verify
from tests.friends import NOON, gather, seat_friends
from tests.pages.table import asked, press, seat_link
from tests.post.gallery import deliver
from tests.post.reply_parser.test_move_meaning import question

pytestmark = pytest.mark.django_db

CYRILLIC_ANN = "\u0410nn"


def called_alike(*typed: str, game: str = "haricots", variant: str = "sprint") -> Match:
    """A running match of people with these names."""
    match = gather(game, variant, seats=len(typed))
    Player.objects.filter(kept=match).update(name=typed[0])
    match.places.filter(seat=0).update(name=typed[0])
    for place, name in zip(match.places.select_related("player")[1:], typed[1:], strict=True):
        joining.accept_invitation(place, name=name, word="", now=NOON)
    match.refresh_from_db()
    return match


def shown(match: Match) -> list[str]:
    return list(match.places.values_list("name", flat=True))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["Ann", "Ann", "Cleo"], ["Ann (A)", "Ann (B)", "Cleo"]),
        (["Ann", "ANN", "ann"], ["Ann (A)", "ANN (B)", "ann (C)"]),
        (["Cop", "Сор", "Cleo"], ["Cop (A)", "Сор (B)", "Cleo"]),  # the second is Cyrillic
        (["Olaf", "0laf", "OIaf"], ["Olaf (A)", "0laf (B)", "OIaf (C)"]),
        (["x" * 40, "x" * 40, "Cleo"], ["x" * 36 + " (A)", "x" * 36 + " (B)", "Cleo"]),
        (["Ann", "Anna", "Zoé"], ["Ann", "Anna", "Zoé"]),
        (["ABBA", "ꓮꓐꓐꓮ", "Cleo"], ["ABBA (A)", "ꓮꓐꓐꓮ (B)", "Cleo"]),  # the second is Lisu
        (["SASS", "ՏᎪՏՏ", "Cleo"], ["SASS (A)", "ՏᎪՏՏ (B)", "Cleo"]),  # Armenian and Cherokee
    ],
)
def test_players_with_the_same_name_are_distinguished_by_seat(typed, expected):
    assert shown(called_alike(*typed)) == expected


def test_namesakes_are_distinguished_in_letters_notes_votes_and_pages(client):
    match = called_alike("Ann", "Ann", "Cleo")
    speaker = asked(match).place
    press(match, "play", note="Good luck!")
    match.places.filter(seat=1).update(stand_in=True)
    ann = match.places.select_related("match", "player").get(seat=0)
    votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
    deliver()
    for letter in Letter.objects.filter(match=match, kind__in=("turn", "started"), state="sent"):
        assert "Ann (A)" in letter.text
        assert "Ann (B)" in letter.text
    asked_to_agree = Letter.objects.filter(match=match, kind="decide", recipient__name="Cleo").get()
    assert "Ann (B)" in asked_to_agree.text
    reader = match.places.select_related("match", "player").get(seat=2)
    assert own_seat.find_readable_notes(reader)[0][0] == speaker.name
    assert speaker.name in client.get(seat_link("notes", reader)).content.decode()
    page = client.get(reverse("match", args=[match.code])).content.decode()
    assert "Ann (A)" in page
    assert "Ann (B)" in page


def test_a_match_with_namesakes_can_still_be_verified():
    match = called_alike("Ann", "Ann", "Cleo")
    exported = export_match(match, None)
    assert exported["card"]["seats"] == ["Ann (A)", "Ann (B)", "Cleo"]
    assert verify(exported).lines == match.length


def test_a_player_whose_namesake_declines_gets_their_plain_name_back():
    match = gather()
    joining.accept_invitation(match.places.select_related("player").get(seat=1), name="Ann", word="", now=NOON)
    assert shown(match) == ["Ann (A)", "Ann (B)", "Cleo"]
    joining.decline(match.places.select_related("match").get(seat=1), now=NOON)
    assert shown(match) == ["Ann", "Cleo"]


def test_the_ready_page_asks_for_the_name_without_the_seat(client):
    match = gather()
    Player.objects.filter(address="bob@example.org").update(name="Ann")
    place = match.places.select_related("player").get(seat=1)
    Place.objects.filter(pk=place.pk).update(name="Ann (B)")
    page = client.get(seat_link("ready", place)).content.decode()
    assert 'value="Ann"' in page


def test_a_newcomer_is_distinguished_from_a_namesake_at_the_table():
    match = seat_friends()
    match.places.filter(seat=1).update(stand_in=True)
    ann, cleo = (match.places.select_related("match", "player").get(seat=seat) for seat in (0, 2))
    votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
    proposal = votes.propose(cleo, "give", seat=1, address="", now=NOON)
    Player.objects.filter(address="zoe@example.org").update(name="Ann")
    proposal.player.refresh_from_db()
    place = takeover.take_over(proposal, proposal.player, now=NOON)
    assert (place.name, place.card_name) == ("Ann (B)", "Bob")
    assert "Ann (B)" in tell_story(match, 0)[-1].text


def test_a_reply_that_names_one_of_two_namesakes_is_not_taken_for_the_other():
    """“Ann” alone names neither; the seat's letter, with or without the name, says which one is meant."""
    match = called_alike("Dora", "Ann", "Ann", game="bohnanza", variant="standard")
    names_by_seat = shown(match)
    assert names_by_seat == ["Dora", "Ann (B)", "Ann (C)"]
    may_offer = question("bohnanza", "no deal", names=names_by_seat, also=lambda line: line.startswith("offer"))
    for text, line in (
        ("offer stink for chili to Ann (C)", "offer stink for chili to C"),
        ("offer stink for chili to Ann B", "offer stink for chili to B"),
        ("offer stink for chili to C", "offer stink for chili to C"),
    ):
        assert find_meaning(text, may_offer).legal == (line,)
    assert not find_meaning("offer stink for chili to Ann", may_offer).legal


@pytest.mark.parametrize(
    "name",
    [
        "\u2800\u2800",
        "Ann\u2800",
        "Ann\U0001d159",
        "Ann\ue000",
    ],
)
def test_a_name_with_invisible_characters_is_refused(name):
    with pytest.raises(ValidationError, match="ordinary punctuation"):
        accounts.tidy_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "A\u3164nn",
        "Ann\u115f",
        "Ann\U000e0100",
        "A\ufe00nn",
        "A\u00adnn",
        "Ann\uffa0",
        "An\u034fn",
        "\u202eAnn",
        "Ann\u200b",
    ],
)
def test_a_name_loses_what_fonts_draw_nothing_for(name):
    assert accounts.tidy_name(name) == "Ann"
    assert names.are_alike(name, "Ann")


def test_a_name_of_nothing_visible_is_refused():
    with pytest.raises(ValidationError, match="Enter a name"):
        accounts.tidy_name("\u3164\ufe0f")


@pytest.mark.parametrize("name", ["A" + "\u0301\u0302\u0303\u0304\u0305nn", "Z\u0489\u0489\u0489\u0489oe", "\u0301nn"])
def test_a_pile_of_combining_marks_is_refused(name):
    with pytest.raises(ValidationError):
        accounts.tidy_name(name)


@pytest.mark.parametrize(
    "name",
    [
        CYRILLIC_ANN, "Bο\u0062", "Cleo\u0430", "Ann-\u0410nn", "ꓮnn", "Ꭺnn", "Ⲁnn", "Αnn", "Bօb", "かАn", "김か",
        "\u04101nn", "\u0410_nn", "\u0410·nn", "\u0410.n", "\u0410(nn)", "Lee \u04102nn",
    ],
)  # fmt: skip
def test_a_word_of_two_alphabets_is_refused(name):
    with pytest.raises(ValidationError, match="alphabet"):
        accounts.tidy_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Nguyễn Thị Ánh", "Nguye\u0302\u0303n", "สมศักดิ์ น้ำ", "क्षितिज शर्मा", "मुंबई", "مُحَمَّد", "יַעֲקֹב", "Анна", "Αλέξανδρος",
        "Анна Smith", "李小龍", "김민준", "O’Brien-Łukasz", "Zoë 2", "Ann ❤️", "Đặng", "Çağrı", "Ann (at home)",
        "Ólafur Þór", "Mr. X", "J. R. R. Tolkien", "田中さくらAnn", "김Ann", "ムック", "Abbot", "Hostetler",
        "Ann (Lee)", "Jean-Анна", "D’Анна", "Gal·la", "Анна (Ann)", "Анна2", "さくら。", "Bot Lee",
    ],
)  # fmt: skip
def test_ordinary_names_of_the_world_are_accepted(name):
    assert accounts.tidy_name(name)


@pytest.mark.parametrize(
    "name", ["Ann (B)", "Ann (B2)", "Ann (2)", "Ann (12)", "Ann （B）", "Ann(B)", "Ann（２）", "Ann ⑵",
             "Ann (b)", "Ann [B]", "Ann {B}", "Ann ⒝", "Ann ( B )", "Ann (B)."]
)  # fmt: skip
def test_a_name_that_ends_like_a_seat_is_refused(name):
    with pytest.raises(ValidationError, match="brackets"):
        accounts.tidy_name(name)


def test_an_organisers_import_refuses_imitations_too():
    [person] = import_entries.read_list(f"{CYRILLIC_ANN}, ann@example.org")
    assert person.trouble


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Good\u202e luck\u200b!\u0007", "Good luck!"),
        ("two\nlines\u2028and a third", "two lines and a third"),
        ("\u2066\u200d\u2060\u3164", ""),
        ("Viel Glück 🍀 ❤️", "Viel Glück 🍀 ❤️"),
    ],
)
def test_a_note_loses_its_invisible_characters(typed, read):
    assert names.strip_invisible(typed) == read
    match = seat_friends()
    press(match, "play", note=typed)
    assert [note.text for note in Note.objects.all()] == [read] * bool(read)


@pytest.mark.parametrize("name", ["ann@example.org", "Ann <ann@example.org>", "Ann ann.lee@mail.example.org"])
def test_an_address_is_refused_as_a_name(name):
    with pytest.raises(ValidationError, match="everyone would see it"):
        accounts.tidy_name(name)


@pytest.mark.parametrize("name", ["@nn", "Ann @ home", "ann@home"])
def test_a_sign_at_in_a_name_is_accepted(name):
    assert accounts.tidy_name(name) == name


@pytest.mark.parametrize(
    "name", ["Beanpost", "BEANP0ST", "Beanpost Team", "Bean Bot", "bean-bot", "Borlotti Bot", "Keeper", "Dealer Bot",
             "The House-Dealer", "HostAdmin 2"]
)  # fmt: skip
def test_a_name_of_ours_is_refused(name):
    with pytest.raises(ValidationError, match="own"):
        accounts.tidy_name(name)


@pytest.mark.parametrize(
    "name",
    ["[Free](https://evil.tld)", "https://evil.tld", "www.evil", "evil.tld", "Win at evil.example/x", "ＷＷＷ．evil",
     "evil。tld", "evil．tld", "evil｡tld", "evil。例え"],
)  # fmt: skip
def test_a_link_is_refused_as_a_name(name):
    with pytest.raises(ValidationError, match="can’t be a link"):
        accounts.tidy_name(name)


@pytest.mark.parametrize(
    ("address", "name"), [("zoe@example.org", "zoe"), ("ann.lee@example.org", "ann lee"), ("keeper@example.org", "k")]
)
def test_a_name_that_an_address_suggests_is_one_that_may_be_typed(address, name):
    assert accounts.get_or_create_player(address, now=NOON).name == name
