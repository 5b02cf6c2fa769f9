"""What becomes of every column of text when a person's data is deleted."""

import pytest
from django.apps import apps
from django.db import models

from beanpost.privacy import texts

TEXT = (models.CharField, models.TextField, models.JSONField, models.BinaryField, models.GenericIPAddressField)
# A person's own: emptied, replaced by a pseudonym, or deleted with its row.
EMPTIED = {
    "players.Player": "address name nickname",
    "players.AddressChange": "old new",
    "players.FormerAddress": "address",
    "players.FormerName": "name",
    "play.Place": "name card_name",
    "play.Departure": "name",
    "play.Order": "line answered reason values",
    "post.Letter": "address subject options",  # the subjects of others' letters go with their bodies
    "post.Body": "packed",
    "post.LetterRequest": "address",
    "post.Reply": "sender source",
    "leagues.League": "typed_keeper contact asked_contact",
    "leagues.Entry": "typed_name typed_address",
    "leagues.SecondFactor": "key",
    "auth.User": "username first_name last_name email password",
    "axes.AccessAttempt": "username user_agent ip_address http_accept path_info get_data post_data",
    "axes.AccessFailureLog": "username user_agent ip_address http_accept path_info",
    "axes.AccessLog": "username user_agent ip_address http_accept path_info session_hash",
}
STAYS = {
    "play.Place.word": "the deal was made with it: without the word nobody could check the seal",
    "play.Event.line": "the moves: with them the others check their match",
    "leagues.League.name": "the title of somebody else's league, which they can change",
    "leagues.League.slug": "the address of that league's pages",
    "leagues.Season.name": "the title of somebody else's season, which they can change",
    "leagues.WebhookCall.body": "the bytes that another site gets, deleted after three days",
    "leagues.Webhook.url": "the address of an organiser's chat",
    "auth.Group.name": "the host's groups",
}
# Only the program writes these: codes, digests, keys and fingerprints, from which no name can be read.
CODES = {
    "players.Player": "language zone",
    "players.AddressChange": "waited_for",
    "players.Unanswered": "fingerprint",
    "players.RefusedAddress": "fingerprint",
    "play.Match": "code game variant pace ending commitment card_digest head",
    "play.Vault": "secret memory",
    "play.Event": "digest",
    "play.Wait": "about",
    "post.Letter": "kind key about_model error asked",
    "post.Report": "kind number",
    "post.Meter": "taken",
    "post.OutboxPause": "error",
    "post.VisitorHour": "visitor",
    "post.LetterRequest": "kind",
    "post.Reply": "fingerprint error",
    "leagues.League": "games pace absence language join_code",
    "leagues.Season": "points tie_breaks seed",
    "leagues.Draw": "seed rounds",
    "leagues.Round": "game variant rungs",
    "leagues.Rating": "game",
    "leagues.Webhook": "secret",
    "leagues.WebhookCall": "key error",
    "admin.LogEntry": "object_id",
    "auth.Permission": "name codename",
    "contenttypes.ContentType": "app_label model",
    "sessions.Session": "session_key session_data",
}


def known(label: str) -> set[str]:
    """Return the columns of a model of which we know what becomes of them."""
    rewritten = {kind._meta.label: columns for kind, columns in texts.REWRITTEN.items()}.get(label, ())
    stays = {name.rpartition(".")[2] for name in STAYS if name.rpartition(".")[0] == label}
    return {*rewritten, *EMPTIED.get(label, "").split(), *CODES.get(label, "").split(), *stays}


def test_every_column_of_text_is_rewritten_emptied_or_stays_for_a_reason():
    unknown = []
    for model in apps.get_models(include_auto_created=True):
        label = model._meta.label
        for column in model._meta.concrete_fields:
            is_text = isinstance(column, TEXT) and not column.choices and not column.is_relation
            if is_text and column.name not in known(label):
                unknown.append(f"{label}.{column.name}")
    assert unknown == []


def test_every_listed_column_exists():
    listed = {f"{label}.{name}" for each in (EMPTIED, CODES) for label, names in each.items() for name in names.split()}
    for name in listed | STAYS.keys():
        label, _, column = name.rpartition(".")
        assert apps.get_model(label)._meta.get_field(column)
    for kind, columns in texts.REWRITTEN.items():
        assert all(kind._meta.get_field(column) for column in columns)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("Will", "We will see Will and WILL", "We will see X and X"),
        ("a", "A game for a friend", "A game for a friend"),
        ("Ann", "Annual, ann's <b>ANN</b>, Ann_B", "Annual, X's <b>X</b>, Ann_B"),
        ("Ann Lee", "Ann\nLee, ann  lee, Ann and Lee", "X, X, Ann and Lee"),
        ("C++ (", "c++ ( and C", "X and C"),
        ("É", "é, É and Été", "X, X and Été"),
        ("ann@a.org", "<Ann@a.org>, ann@a.org.", "<X>, X."),
        ("ann@a.org", "mary.ann@a.org, mary-ann@a.org, ann@a.org.uk", "mary.ann@a.org, mary-ann@a.org, ann@a.org.uk"),
    ],
)
def test_only_whole_names_and_addresses_are_replaced(name, before, after):
    assert texts.replace(before, texts.compile_names({name}), "X") == after


def test_what_programs_write_into_a_letters_values_stays():
    values = {"why": "order", "ticket": "eyJ:Order", "heard": "order the bean", "seq": 3}
    pattern = texts.compile_names({"Order"})
    assert texts.replace(values, pattern, "X") == values | {"heard": "X the bean"}
