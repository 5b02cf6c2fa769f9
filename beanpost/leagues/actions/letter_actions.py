"""An organiser's letters: in their own words, the weekly letter, and letters that were lost."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.leagues.actions.action import Action, ActionCall, Answers, Fields, find_season, in_phase
from beanpost.leagues.mail import announcements, contacts, letters, organiser_letters
from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.mail.organiser_letters import Audience
from beanpost.leagues.models import Division, Fixture, News, Season
from beanpost.leagues.records.season_records import StandingsLine
from beanpost.play import clock
from beanpost.play.display.wording import add_colon, join_names
from beanpost.players.models import Player

Where = Season | Division | Fixture
MAX_NAMES = 30  # people in a preview
EVERYONE, SILENT = "everyone", "silent"


def find_audience(where: Where, answers: Answers) -> Audience:
    """Return whom the letter is for; in a season, the organiser chooses."""
    season = find_season(where)
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
    to, league = find_audience(where, answers), find_season(where).league
    names = list(to.players(clock.now()).values_list("name", flat=True))
    if not names:
        return [_("There’s no one to write to.")]
    sentences = [
        describe_readers(names),
        _("Only people who have accepted get it. They can unsubscribe from such letters."),
    ]
    headline, words = str(answers.get("headline") or "").strip(), str(answers.get("words") or "").strip()
    if headline:
        sentences.append(f"{add_colon(_('Subject'))} {league.name}{add_colon('')} {headline}")
    sentences += [line for line in words.splitlines() if line.strip()]
    if words and league.organiser_name:
        sentences.append(league.organiser_name)
    sentences.append(
        contacts.explain_no_contact(league) or _("Answers go to %(address)s.") % {"address": league.contact}
    )
    if answers.get("is_public") and to.may_be_public:
        sentences.append(_("The league’s page will show it, too."))
    return sentences


def describe_readers(names: list[str]) -> str:
    sentence = ngettext(
        "The letter goes to one person: %(names)s.", "The letter goes to %(count)d people: %(names)s.", len(names)
    )
    rest = len(names) - MAX_NAMES
    shown = names[:MAX_NAMES] + ([ngettext("one more", "%(count)d more", rest) % {"count": rest}] if rest > 0 else [])
    return sentence % {"count": len(names), "names": join_names(shown)}


def preview_removal(season: Season, answers: Answers) -> list[str]:
    return [_("The letters have been sent. The news only disappears from the league’s page.")]


def preview_week(season: Season, answers: Answers) -> list[str]:
    """Return the weekly letter as it would be written now, or that it has been sent this week."""
    if letters.is_weekly_sent(season, clock.now()):
        return [_("This week’s letter has already been sent.")]
    week = letters.summarise_week(season, clock.now())
    standings = [
        row for division, lines in week["divisions"] for row in (add_colon(division), *map(format_standing, lines))
    ]
    closest = [_("A close game: %(game)s with %(names)s.") % describe_close_game(fixture) for fixture in week["best"]]
    late = [_("Tables are waiting for %(names)s.") % {"names": ", ".join(week["late"])}] if week["late"] else []
    return quote_words(str(answers.get("words") or "")) + standings + closest + late


def quote_words(words: str) -> list[str]:
    """Show an organiser's own words as a letter quotes them."""
    lines = [line for line in words.splitlines() if line.strip()]
    return [_("The organiser writes:"), *lines] if lines else []


def format_standing(line: StandingsLine) -> str:
    return f"{line.row.rank}. {add_colon(line.name)} {line.points}" + (f" ({line.since})" if line.since else "")


def describe_close_game(fixture: Fixture) -> dict[str, str]:
    return {"game": fixture.round.title, "names": join_names([chair.sitter_name for chair in fixture.chairs.all()])}


def preview_lost(season: Season, answers: Answers) -> list[str]:
    lost = announcements.list_lost([season], clock.now())
    if not lost:
        return [_("As far as we know, every letter from the last two weeks has arrived.")]
    return [*map(str, lost), _("We’ll send each of them the same news again."), *describe_unreachable(season)]


def describe_unreachable(season: Season) -> list[str]:
    """Name people whom a new letter may not reach either, and say what else can be done."""
    again = announcements.find_lost_letters([season.pk], clock.now()).order_by().values("recipient")
    names = list(Player.objects.filter(pk__in=again, unreached_at__isnull=False).values_list("name", flat=True))
    if not names:
        return []
    return [
        _("Letters to %(names)s are bouncing.") % {"names": join_names(names)},
        _(
            "If you can’t reach a player, withdraw them or put a substitute in their seats, unless they give us a new "
            "address."
        ),
    ]


# ── actions ──


def send_letter(where: Where, call: ActionCall) -> LazySentence:
    given = call.answers
    count = organiser_letters.queue_letter(
        find_audience(where, given),
        headline=given["headline"],
        words=given["words"],
        is_public=bool(given.get("is_public")),
        by=call.by,
        now=call.now,
    )
    return lambda: (
        ngettext("The letter goes to one person.", "The letter goes to %(count)d people.", count) % {"count": count}
    )


def take_down(season: Season, call: ActionCall) -> LazySentence:
    news = organiser_letters.find_public_news(season.league).filter(season=season, pk=call.answers["news"]).first()
    if news is None:
        raise ValidationError(_("The league’s page doesn’t show that any more."))
    organiser_letters.take_down(season, news)
    return lambda: _("The league’s page no longer shows “%(headline)s”.") % {"headline": news.headline}


def send_weekly_letter(season: Season, call: ActionCall) -> LazySentence:
    if letters.is_weekly_sent(season, call.now):
        raise ValidationError(_("This week’s letter has already been sent."))
    count = letters.send_weekly(season, now=call.now, words=call.answers.get("words", ""))
    return lambda: (
        ngettext("The weekly letter goes to one person.", "The weekly letter goes to %(count)d people.", count)
        % {"count": count}
    )


def resend_lost_letters(season: Season, call: ActionCall) -> LazySentence:
    count = announcements.resend_lost_letters(season, now=call.now)
    return lambda: (
        ngettext("One letter was sent again.", "%(count)d letters were sent again.", count) % {"count": count}
    )


# ── fields ──


def letter_fields(where: Where) -> Fields:
    fields: Fields = {}
    season = find_season(where)
    if isinstance(where, Season):
        homes = [(str(division.pk), str(division)) for division in season.divisions.all()]
        choices = [
            (EVERYONE, News.To.EVERYONE.label),
            *(homes if len(homes) > 1 else []),
            (SILENT, News.To.SILENT.label),
        ]
        fields["to"] = forms.ChoiceField(label=gettext_lazy("To"), choices=choices, initial=EVERYONE)
    fields |= {
        "headline": forms.CharField(label=gettext_lazy("Subject"), max_length=80),
        "words": forms.CharField(label=gettext_lazy("Your letter"), widget=forms.Textarea, max_length=3000),
    }
    if not isinstance(where, Fixture):
        label = gettext_lazy("Also show it on the league’s page")
        fields["is_public"] = forms.BooleanField(label=label, required=False)
    return fields


def words_field(season: Season) -> Fields:
    label = gettext_lazy("Your own words (if you like)")
    return {"words": forms.CharField(label=label, required=False, widget=forms.Textarea, max_length=1000)}


def news_field(season: Season) -> Fields:
    shown = [
        (news.pk, news.headline) for news in organiser_letters.find_public_news(season.league).filter(season=season)
    ]
    return {"news": forms.TypedChoiceField(label=gettext_lazy("News"), choices=shown, coerce=int)}


def can_be_written_to(where: Where) -> bool:
    return find_season(where).cancelled_at is None


def has_news(season: Any) -> bool:
    return getattr(season, "shows_news", False)  # from `annotate_public_news`


_l = gettext_lazy
# fmt: off
SEASON_LETTERS = (
    Action(name="write", label=_l("Write to everyone"), act=send_letter, preview=preview_letter,
           is_open=can_be_written_to, fields=letter_fields, asks_reason=False, group="letters"),
    Action(name="take-down", label=_l("Take news off the page"), act=take_down, preview=preview_removal,
           is_open=has_news, fields=news_field, asks_reason=False, group="letters"),
    Action(name="weekly", label=_l("Send the weekly letter"), act=send_weekly_letter, preview=preview_week,
           is_open=in_phase(Season.Phase.RUNNING), fields=words_field, group="letters"),
    Action(name="write-again", label=_l("Resend lost letters"), act=resend_lost_letters, preview=preview_lost,
           is_open=announcements.has_lost_letters, group="letters"),
)
DIVISION_LETTERS = (
    Action(name="write", label=_l("Write to the division"), act=send_letter, preview=preview_letter,
           is_open=can_be_written_to, fields=letter_fields, asks_reason=False),
)
TABLE_LETTERS = (
    Action(name="write", label=_l("Write to the table"), act=send_letter, preview=preview_letter,
           is_open=can_be_written_to, fields=letter_fields, asks_reason=False),
)
# fmt: on
