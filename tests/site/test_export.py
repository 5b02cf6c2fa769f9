"""The export holds every row and every column about a person: what it leaves out is listed with its reason."""

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model

from beanpost.leagues.models import Entry
from beanpost.play.models import Place
from beanpost.players.models import Player
from beanpost.post.models import Letter, Reply
from beanpost.privacy import data_export
from tests.friends import welcome

pytestmark = pytest.mark.django_db
ABOUT_PEOPLE = (Player, get_user_model(), Letter, Entry)
ROWS_LEFT_OUT = {
    "auth.User_groups": "the host's groups for the office",
    "auth.User_user_permissions": "what the host lets an account do",
    "leagues.Draw": "by whom it was drawn: the events of the season say so",
    "leagues.League_organisers": "the leagues that an organiser runs are a section",
    "leagues.OrganiserAccount": "ties two things that are in the export",
    "leagues.SecondFactor": "a key, which whoever reads the export must not learn",
    "post.OutboxPause": "which letter the mail server refused first, until it accepts one",
    "post.Body": "the bytes of letters whose text is in the export",
}
TECHNICAL = "id player entry sitter user"
COLUMNS_LEFT_OUT = {
    "players.AddressChange": "session waited_for",  # how the change was asked for; matches it made wait
    "auth.User": "password is_superuser is_staff is_active",  # a key, and what the host lets the account do
    "axes.AccessLog": "http_accept path_info logout_time session_hash",  # what the browser sent with it; a key
    "axes.AccessAttempt": "http_accept path_info get_data post_data",  # the same; the password is masked
    "admin.LogEntry": "content_type object_id action_flag",  # `object_repr` and `change_message` say it in words
    # always "give"; the others are about the table, or about the player who has the seat
    "play.Proposal": "about origin line length reason free_at vetoed_at passed_at accepted_at closed_at",
    "play.Departure": "seq",  # the line, whose time is given
    "play.Event": "seat digest practice",  # the seat is in `seats`; the digest is in the match's export
    "play.Voice": "seat",
    "play.Note": "seat reported_at",  # a report is somebody else's
    "play.Order": "seat",
    "post.Report": "number proven by_mail read_at",  # the provider's number, and how we worked with it
    "leagues.Chair": "seat",
    "leagues.News": "division fixture sent_to is_public written_by",  # to whom it went, which the season's page shows
    "leagues.LeagueEvent": "league division round fixture kind done_by",  # `about` says it in words
    "play.Place": "word_of_house occupant bank waited_from unreached nudge_at nudged card_name seated",  # the clock's
}
PUBLIC = ("leagues.League", "play.Match")  # of these the export says which; their pages show the rest


def list_sections() -> list[tuple[type, str]]:
    player = welcome("Ann")
    return [(find(player).model, columns) for find, columns in data_export.SECTIONS.values()]


def test_every_model_that_refers_to_a_person_is_exported_or_left_out_for_a_reason():
    exported = {model for model, _ in list_sections()} | {Place, Letter, Reply}
    missing = [
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        if model not in exported and any(column.related_model in ABOUT_PEOPLE for column in model._meta.concrete_fields)
    ]
    assert sorted(missing) == sorted(ROWS_LEFT_OUT)


def test_every_column_of_an_exported_row_is_exported_or_left_out_for_a_reason():
    for model, columns in [*list_sections(), (Place, data_export.SEAT)]:
        label = model._meta.label
        known = {name.split("__")[0] for name in columns.split()}
        known |= {*TECHNICAL.split(), *COLUMNS_LEFT_OUT.get(label, "").split()}
        if label not in PUBLIC:
            assert [column.name for column in model._meta.concrete_fields if column.name not in known] == [], label
