"""Answers to a league's letters go to an address only once somebody there has agreed."""

from html import unescape

import pytest
from django.forms import modelform_factory
from django.urls import reverse

from beanpost.leagues.admin.forms import LeagueForm
from beanpost.leagues.mail import contacts, letters
from beanpost.leagues.mail.contacts import ContactTicket
from beanpost.leagues.models import League, News
from beanpost.leagues.seasons import keepers
from beanpost.play.tickets import sign
from beanpost.players.models import Player
from beanpost.post.compose.letter import compose
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from beanpost.privacy import erasure
from tests.friends import NOON
from tests.leagues.office import LATER, do, fill_season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]
ADDRESS = "olga@club.example"


@pytest.fixture
def asked(league):
    contacts.ask_for_confirmation(league, ADDRESS, now=NOON)
    return Player.objects.get(address=ADDRESS)


def page_for(player, league):
    return reverse("contacting", args=[sign(ContactTicket(player.pk, player.sessions, league.pk))])


def test_an_address_is_used_once_its_reader_agrees(client, league, asked):
    assert letters.find_reply_address(League.objects.get()) == {"reply_to": ""}
    letter = Letter.objects.get(kind="contact")
    assert letter.recipient == asked
    for body in split_parts(compose(letter, NOON).source)[:2]:
        assert "/league-contact/" in body
    url = page_for(asked, league)
    assert "May answers to this league’s letters go to your address?" in unescape(client.get(url).content.decode())
    assert League.objects.get().contact == ""  # GET changes nothing
    client.post(url, {"accept": "1"})
    league.refresh_from_db()
    assert (league.contact, league.asked_contact) == (ADDRESS, "")
    assert letters.find_reply_address(league) == {"reply_to": ADDRESS}


def test_the_present_address_stays_in_use_until_the_new_one_is_confirmed(client, league, asked):
    contacts.confirm(league, asked)
    contacts.ask_for_confirmation(league, "new@club.example", now=NOON)
    assert letters.find_reply_address(League.objects.get()) == {"reply_to": ADDRESS}
    contacts.ask_for_confirmation(league, ADDRESS, now=NOON)  # a change of mind
    newcomer = Player.objects.get(address="new@club.example")
    client.post(page_for(newcomer, league), {"accept": "1"})
    assert League.objects.get().contact == ADDRESS


def test_a_reader_can_decline_and_stop(client, league, asked):
    client.post(page_for(asked, league), {"decline": "1"})
    assert League.objects.get().asked_contact == ""
    client.post(page_for(asked, league), {"accept": "1"})
    assert League.objects.get().contact == ""
    contacts.ask_for_confirmation(league, ADDRESS, now=NOON)
    contacts.confirm(league, asked)
    client.post(page_for(asked, league), {"decline": "1"})
    assert League.objects.get().contact == ""


def test_nobody_is_asked_twice(league, asked):
    for address in ("", ADDRESS, "other@club.example", ADDRESS):
        contacts.ask_for_confirmation(league, address, now=LATER)
    assert Letter.objects.filter(kind="contact", recipient=asked).count() == 1


def test_a_letter_about_another_address_is_not_sent(league, asked):
    contacts.ask_for_confirmation(league, "other@club.example", now=NOON)
    assert compose(Letter.objects.get(recipient=asked), NOON) is None


def test_organisers_write_once_answers_can_reach_them(at_olgas, league):
    season = fill_season(league, 4, size=4)
    words = {"headline": "Hello", "words": "Hello, all.", "to": "everyone"}
    refused = unescape(do(at_olgas, season, "write", **words).content.decode())
    assert "first enter the address that they go to on the league’s page" in refused
    contacts.ask_for_confirmation(league, ADDRESS, now=NOON)
    refused = unescape(do(at_olgas, season, "write", **words).content.decode())
    assert f"press the link in our letter to {ADDRESS} first" in refused
    assert not News.objects.exists()
    contacts.confirm(league, Player.objects.get(address=ADDRESS))
    assert do(at_olgas, season, "write", **words).status_code == 302


def test_the_leagues_page_says_that_an_address_is_not_confirmed(league, asked):
    form = modelform_factory(League, form=LeagueForm, fields=("about",))
    assert form(instance=league).initial["contact_address"] == ADDRESS
    assert form(instance=league).fields["contact_address"].help_text.startswith("Not confirmed yet")
    contacts.confirm(league, asked)
    contacts.ask_for_confirmation(league, "new@club.example", now=NOON)
    help_text = form(instance=league).fields["contact_address"].help_text
    assert help_text.endswith(f"Until then, answers go to {ADDRESS}.")


def test_erased_people_get_no_answers(league, asked):
    contacts.confirm(league, asked)
    erasure.erase(asked, now=LATER)
    assert League.objects.get().contact == ""


# ── the keeper's address as contact ──


@pytest.fixture
def asked_for_both(league):
    """Olga, whom one letter asks to be the keeper and to receive the answers."""
    League.objects.update(keeper=None)
    save_both(League.objects.get(), ADDRESS, ADDRESS)
    return Player.objects.get(address=ADDRESS)


def save_both(league, keeper, contact):
    keepers.ask_to_keep(league, keeper, contact=contact, now=NOON)
    contacts.ask_for_confirmation(league, contact, now=NOON)


def keeper_page(player, league):
    return reverse("keeping", args=[sign(letters.KeeperTicket(player.pk, player.sessions, league.pk))])


def test_one_letter_asks_the_keeper_also_for_the_answers(client, league, asked_for_both):
    letter = Letter.objects.get(recipient=asked_for_both)
    assert letter.kind == "keeper"
    for body in split_parts(compose(letter, NOON).source)[:2]:
        assert "Answers to its letters would also come to you" in unescape(body).replace("\n", " ")
    url = keeper_page(asked_for_both, league)
    page = unescape(client.get(url).content.decode())
    assert "Answers to its letters would also come to you" in page
    assert '<input type="hidden" name="contact" value="1">' in page
    client.post(url, {"accept": "1", "contact": "1"})
    league.refresh_from_db()
    assert (league.keeper, league.contact) == (asked_for_both, ADDRESS)


def test_declining_the_one_letter_declines_both(client, league, asked_for_both):
    client.post(keeper_page(asked_for_both, league), {"decline": "1", "contact": "1"})
    league.refresh_from_db()
    assert (league.keeper, league.asked_keeper, league.contact, league.asked_contact) == (None, None, "", "")


def test_a_keeper_asked_for_the_answers_later_gets_a_second_letter(league):
    save_both(league, ADDRESS, "")
    assert "Answers to its letters" not in split_parts(compose(Letter.objects.get(), NOON).source)[0]
    save_both(league, ADDRESS, ADDRESS)
    save_both(league, ADDRESS, ADDRESS)
    assert list(Letter.objects.order_by("pk").values_list("kind", flat=True)) == ["keeper", "contact"]


def test_the_contact_is_asked_alone_once_somebody_else_is_to_be_the_keeper(league, asked_for_both):
    save_both(League.objects.get(), "pam@club.example", ADDRESS)
    assert Letter.objects.get(recipient=asked_for_both, kind="contact")


def test_a_keeper_whose_page_did_not_ask_for_the_answers_shows_no_address(client, league):
    save_both(league, ADDRESS, "")
    olga = Player.objects.get(address=ADDRESS)
    page = unescape(client.get(keeper_page(olga, league)).content.decode())
    assert "Answers to its letters" not in page
    assert 'name="contact"' not in page
    save_both(league, ADDRESS, ADDRESS)  # while Olga reads the page
    client.post(keeper_page(olga, league), {"accept": "1"})
    league.refresh_from_db()
    assert (league.keeper, league.contact, league.asked_contact) == (olga, "", ADDRESS)


def test_a_contact_who_declines_to_be_the_keeper_stays_the_contact(client, league, asked):
    contacts.confirm(league, asked)
    save_both(league, ADDRESS, ADDRESS)
    client.post(keeper_page(asked, league), {"decline": "1"})
    league.refresh_from_db()
    assert (league.asked_keeper, league.contact) == (None, ADDRESS)
