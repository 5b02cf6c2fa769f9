"""An organiser's letters in their own words: to a season, a division, a table, or players whom tables wait for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.leagues.actions.action import Action, ActionCall, Fields
from beanpost.leagues.mail import organiser_letters
from beanpost.leagues.mail.letters import Told
from beanpost.leagues.mail.organiser_letters import Audience
from beanpost.leagues.models import Division, Fixture, League, News, Season
from beanpost.play import clock
from beanpost.play.display.wording import listed, with_colon

Answers = Mapping[str, Any]
Where = Season | Division | Fixture
NAMED = 30  # people in a preview
EVERYONE, SILENT = "everyone", "silent"


def season_of(where: Where) -> Season:
    match where:
        case Season():
            return where
        case Division():
            return where.season
        case Fixture():
            return where.round.division.season


def audience(where: Where, answers: Answers) -> Audience:
    """Return whom the letter is for; in a season, the organiser chooses."""
    season = season_of(where)
    match where:
        case Fixture():
            return Audience(season, fixture=where)
        case Division():
            return Audience(season, division=where)
    chosen = str(answers.get("to") or EVERYONE)
    if chosen == SILENT:
        return Audience(season, silent=True)
    division = season.divisions.filter(pk=chosen).first() if chosen.isdecimal() else None
    return Audience(season, division=division)


# ── previews ──


def preview_letter(where: Where, answers: Answers) -> list[str]:
    """Show the letter as it would be sent, and to whom."""
    to, league = audience(where, answers), season_of(where).league
    names = list(to.players(clock.now()).values_list("name", flat=True))
    if not names:
        return [_("There’s no one to write to.")]
    told = [describe_readers(names), _("Only people who have accepted get it. They can unsubscribe from such letters.")]
    headline, words = str(answers.get("headline") or "").strip(), str(answers.get("words") or "").strip()
    if headline:
        told.append(f"{with_colon(_('Subject'))} {league.name}{with_colon('')} {headline}")
    told += [line for line in words.splitlines() if line.strip()]
    if words and league.organiser_name:
        told.append(league.organiser_name)
    if contact := str(answers.get("contact") or league.contact):
        told.append(_("Answers go to %(address)s.") % {"address": contact})
    if answers.get("is_public") and to.may_be_public:
        told.append(_("The league’s page will show it, too."))
    return told


def describe_readers(names: list[str]) -> str:
    told = ngettext(
        "The letter goes to one person: %(names)s.", "The letter goes to %(count)d people: %(names)s.", len(names)
    )
    rest = len(names) - NAMED
    shown = names[:NAMED] + ([ngettext("one more", "%(count)d more", rest) % {"count": rest}] if rest > 0 else [])
    return told % {"count": len(names), "names": listed(shown)}


def preview_removal(season: Season, answers: Answers) -> list[str]:
    return [_("The letters have been sent. The news only disappears from the league’s page.")]


# ── actions ──


def write(where: Where, call: ActionCall) -> Told:
    given, season = call.answers, season_of(where)
    set_contact(season.league, given["contact"])
    count = organiser_letters.write(
        audience(where, given),
        headline=given["headline"],
        words=given["words"],
        is_public=bool(given.get("is_public")),
        by=call.by,
        now=call.now,
    )
    return lambda: (
        ngettext("The letter goes to one person.", "The letter goes to %(count)d people.", count) % {"count": count}
    )


def set_contact(league: League, contact: str) -> None:
    if league.contact != contact:
        league.contact = contact
        league.save(update_fields=["contact"])


def take_down(season: Season, call: ActionCall) -> Told:
    news = organiser_letters.published(season.league).filter(season=season, pk=call.answers["news"]).first()
    if news is None:
        raise ValidationError(_("The league’s page doesn’t show that any more."))
    organiser_letters.take_down(season, news)
    return lambda: _("The league’s page no longer shows “%(headline)s”.") % {"headline": news.headline}


# ── fields ──


def letter_fields(where: Where) -> Fields:
    fields: Fields = {}
    season = season_of(where)
    if isinstance(where, Season):
        homes = [(str(division.pk), division.name) for division in season.divisions.all()]
        choices = [
            (EVERYONE, News.To.EVERYONE.label),
            *(homes if len(homes) > 1 else []),
            (SILENT, News.To.SILENT.label),
        ]
        fields["to"] = forms.ChoiceField(label=gettext_lazy("To"), choices=choices, initial=EVERYONE)
    fields |= {
        "headline": forms.CharField(label=gettext_lazy("Subject"), max_length=80),
        "words": forms.CharField(label=gettext_lazy("Your letter"), widget=forms.Textarea, max_length=3000),
        "contact": forms.EmailField(label=gettext_lazy("Answers go to"), initial=season.league.contact),
    }
    if not isinstance(where, Fixture):
        label = gettext_lazy("Also show it on the league’s page")
        fields["is_public"] = forms.BooleanField(label=label, required=False)
    return fields


def news_field(season: Season) -> Fields:
    shown = [(news.pk, news.headline) for news in organiser_letters.published(season.league).filter(season=season)]
    return {"news": forms.TypedChoiceField(label=gettext_lazy("News"), choices=shown, coerce=int)}


def can_be_written_to(where: Where) -> bool:
    return season_of(where).cancelled_at is None


def has_news(season: Season) -> bool:
    return organiser_letters.published(season.league).filter(season=season).exists()


_l = gettext_lazy
# fmt: off
TO_SEASONS = (
    Action("write", _l("Write to everyone"), write, preview_letter, can_be_written_to, fields=letter_fields,
           asks_reason=False, group="letters"),
    Action("take-down", _l("Take news off the page"), take_down, preview_removal, has_news, fields=news_field,
           asks_reason=False, group="letters"),
)
TO_DIVISIONS = (
    Action("write", _l("Write to the division"), write, preview_letter, can_be_written_to, fields=letter_fields,
           asks_reason=False),
)
TO_TABLES = (
    Action("write", _l("Write to the table"), write, preview_letter, can_be_written_to, fields=letter_fields,
           asks_reason=False),
)
# fmt: on
