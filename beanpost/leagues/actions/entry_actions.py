"""An organiser's actions on one person in a season."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from beanpost.leagues import locks
from beanpost.leagues.actions.action import Action, ActionCall, Answers, Fields
from beanpost.leagues.mail import invitations
from beanpost.leagues.mail.letters import LazySentence
from beanpost.leagues.models import Entry, Round, Season
from beanpost.leagues.people import entries, mending
from beanpost.leagues.seasons import next_rounds, phases, rounds, substitutes
from beanpost.players.models import Player

# ── previews ──


def preview_invite_again(entry: Entry, answers: Answers) -> list[str]:
    asked = invitations.annotate_delivery(Entry.objects.filter(pk=entry.pk)).get()
    last = {"address": entry.shown_address, "what": invitations.describe_delivery(asked)}
    return [
        _("The last letter to %(address)s: %(what)s.") % last,
        _("We’ll send a new one. If the address is wrong, withdraw this entry and add the right address."),
    ]


def describe_state(entry: Entry) -> str:
    return _("%(name)s: %(state)s.") % {"name": entry.called, "state": entries.name_state(entry)}


def preview_state(entry: Entry, answers: Answers) -> list[str]:
    return [describe_state(entry)]


def preview_enter(entry: Entry, answers: Answers) -> list[str]:
    now = describe_state(entry)
    if not next_rounds.can_enter(entry):
        return [now, next_rounds.say_knock_out_begun()]
    if not entry.has_accepted:
        return [now, *describe_asking(entry), _("They play from the next draw once they say yes.")]
    if substitutes.has_open_tables(entry):
        return [now, _("They’ll stay in, including at tables already drawn.")]
    if next_rounds.is_out(entry):
        return [now, _("They’ll be in the season but won’t be drawn for any more tables.")]
    return [now, _("They’ll play from the next draw on."), *describe_drawn_rounds(entry)]


def describe_drawn_rounds(entry: Entry) -> list[str]:
    """Say that drawn rounds don't include a person who comes back."""
    if entry.division is None or not entry.division.rounds.filter(phase=Round.Phase.DRAWN).exists():
        return []
    return [_("Rounds that are already drawn don’t include them. Draw again, with a reason, if they should.")]


def describe_asking(entry: Entry) -> list[str]:
    """Say what happens to somebody who has not accepted an invitation yet."""
    if entry.state == Entry.State.DECLINED:
        return [describe_declined(entry)]
    if entry.invited_at and entry.reminded_at:
        return [_("We asked them twice and won’t write again. The link in those letters still works.")]
    return [_("No one plays without accepting. We’ll ask them by letter.")]


def describe_declined(entry: Entry) -> str:
    sentence = _("%(name)s declined. Only they can change that, with the link in their invitation.")
    return sentence % {"name": entry.called}


def preview_substitute(entry: Entry, answers: Answers) -> list[str]:
    now = describe_state(entry)
    if not entry.has_accepted:
        return [now, *describe_asking(entry), _("They are a substitute once they say yes.")]
    return [now, _("They’ll step in when you ask them to."), *describe_leaving(entry, answers)]


def preview_withdraw(entry: Entry, answers: Answers) -> list[str]:
    return [describe_state(entry), _("They won’t be in any more draws."), *describe_leaving(entry, answers)]


def describe_leaving(entry: Entry, answers: Answers) -> list[str]:
    played = [
        _("%(chair)s is in progress and will need a substitute.") % {"chair": chair.fixture}
        for chair in substitutes.list_open_chairs(entry)
    ]
    drawn = entry.chairs.filter(fixture__round__phase=Round.Phase.DRAWN).exists()
    return played + ([_("Rounds that are drawn but not started will have to be redrawn.")] if drawn else [])


def preview_mend(entry: Entry, answers: Answers) -> list[str]:
    sentences = [_("You can correct what you typed until the person accepts.")]
    if entry.invited_at:
        sentences.append(_("A new address voids the link in the old invitation, and we invite the new address."))
    return sentences


# ── actions ──


def invite_again(entry: Entry, call: ActionCall) -> LazySentence:
    invitations.resend(entry, now=call.now)
    return lambda: _("A new letter is on its way to %(name)s.") % {"name": entry.called}


def lock_entry(entry: Entry) -> None:
    """Lock a season that is not over, and reload the entry."""
    locks.lock_row(entry.season, entry)
    locks.check_not_over(entry.season)


def withdraw(entry: Entry, call: ActionCall) -> LazySentence:
    lock_entry(entry)
    rounds.check_may_take_out(entry, call.by)
    substitutes.withdraw(entry)
    entries.fill_free_places(entry.season, now=call.now)
    return lambda: _("%(name)s has left %(season)s.") % {"name": entry.called, "season": entry.season.name}


def name_season(sentence: Any) -> Callable[[Entry], str]:
    """Return the sentence that somebody reads about a change to their own entry."""
    return lambda entry: str(sentence) % {"season": entry.season.name}


def describe_entering(entry: Entry) -> str:
    if substitutes.has_open_tables(entry):
        sentence = _("You’re still playing in %(season)s, including at tables already drawn.")
    elif next_rounds.is_out(entry):
        sentence = _("You’re in %(season)s, but you won’t be drawn for any more tables.")
    else:
        sentence = _("You’re playing in %(season)s from the next draw.")
    return sentence % {"season": entry.season.name}


def build_state_action(
    name: str, label: Any, state: str, preview: Any, sentence_for_person: Callable[[Entry], str]
) -> Action:
    """Return an action that moves a person to another list by hand."""

    def act(entry: Entry, call: ActionCall) -> LazySentence:
        lock_entry(entry)
        if entry.state == state:
            raise ValidationError(_("You can’t do that now."))
        if state == Entry.State.ENTERED and not next_rounds.can_enter(entry):
            raise ValidationError(next_rounds.say_knock_out_begun())
        if not entry.has_accepted:
            return ask_first(entry, state, call)
        check_not_erased(entry)
        if state != Entry.State.ENTERED:
            rounds.check_may_take_out(entry, call.by)
        entry.state, entry.answered_at = state, entry.answered_at or call.now  # the history says when they accepted
        entry.save(update_fields=["state", "answered_at"])
        if state == Entry.State.ENTERED and not phases.is_open(entry.season):
            phases.sort_into_divisions(entry.season)
        entries.fill_free_places(entry.season, now=call.now)
        return lambda: f"{entry.called}: {entry.get_state_display()}."

    def is_open(entry: Entry) -> bool:
        could_be = state not in (entry.state, entry.on_acceptance) and is_not_over(entry)
        could_be = could_be and entry.state != Entry.State.DECLINED
        return could_be and (state != Entry.State.ENTERED or next_rounds.can_enter(entry))

    return Action(
        name=name,
        label=label,
        act=act,
        preview=preview,
        is_open=is_open,
        concerns=list_recipients,
        sentence_for_person=sentence_for_person,
    )


def ask_first(entry: Entry, state: str, call: ActionCall) -> LazySentence:
    """Ask a person who has not accepted. The organiser's choice takes effect when they say yes."""
    if entry.state == Entry.State.DECLINED:
        raise ValidationError(describe_declined(entry))
    if entry.on_acceptance == state:
        raise ValidationError(_("You can’t do that now."))
    if entries.ask_person(entry, state, now=call.now):
        return lambda: _("We asked %(name)s by letter.") % {"name": entry.called}
    return lambda: _("We asked %(name)s twice before. The link in those letters still works.") % {"name": entry.called}


def mend(entry: Entry, call: ActionCall) -> LazySentence:
    fresh = mending.correct_entry(entry, call.answers["name"], call.answers["address"], now=call.now)
    if fresh.pk == entry.pk:
        return lambda: _("%(name)s: corrected.") % {"name": fresh.called}
    values = {"old": entry.shown_address, "new": fresh.shown_address}
    if fresh.invited_at:
        return lambda: _("The invitation to %(old)s is void. We invited %(new)s.") % values
    return lambda: _("%(new)s is on the list instead of %(old)s.") % values


def mend_fields(entry: Entry) -> Fields:
    name = forms.CharField(label=_("Name"), max_length=40, required=False, initial=entry.typed_name)
    return {"name": name, "address": forms.EmailField(label=_("Address"), initial=entry.typed_address)}


def remind(entry: Entry, call: ActionCall) -> LazySentence:
    if not entries.remind(entry, now=call.now):
        raise ValidationError(_("was reminded before, has answered, or was not invited yet."))
    return lambda: _("%(name)s was reminded.") % {"name": entry.called}


def move(entry: Entry, call: ActionCall) -> LazySentence:
    division = call.answers["division"]
    rounds.check_may_take_out(entry, call.by)
    phases.move_to_division(entry, division)
    return lambda: _("Moved to %(division)s.") % {"division": division}


def division_field(entry: Entry) -> Fields:
    choices = entry.season.divisions.all()
    return {"division": forms.ModelChoiceField(choices, label=_("Division"), empty_label=None)}


def check_not_erased(entry: Entry) -> None:
    if entry.player.is_forgotten:
        raise ValidationError(_("this player’s data has been deleted."))


def list_recipients(entry: Entry) -> list[Player]:
    """Return the person, if they have accepted. Other people get no letter from an organiser but an invitation."""
    return [entry.player] if entry.has_accepted else []


def can_withdraw(entry: Entry) -> bool:
    return entry.state not in GONE and is_not_over(entry)


def is_not_over(entry: Entry) -> bool:
    """Whether the season is still going on: players and results of an ended season don't change."""
    return entry.season.phase != Season.Phase.ENDED


_l = gettext_lazy
S = Entry.State
GONE = {S.LEFT, S.DECLINED}
# fmt: off
ENTRY_ACTIONS = (
    Action(name="mend", label=_l("Correct name or address"), act=mend, preview=preview_mend,
           is_open=mending.can_correct, fields=mend_fields, asks_reason=False),
    Action(name="invite", label=_l("Send the invitation again"), act=invite_again, preview=preview_invite_again,
           is_open=invitations.is_lost),
    build_state_action("enter", _l("Add to the draw"), S.ENTERED, preview_enter, describe_entering),
    build_state_action("substitute", _l("Make a substitute"), S.SUBSTITUTE, preview_substitute,
                       name_season(_l("You’re a substitute in %(season)s: you step in when a player is missing."))),
    Action(name="withdraw", label=_l("Withdraw"), act=withdraw, preview=preview_withdraw, is_open=can_withdraw,
           concerns=list_recipients, needs_reason=True,
           sentence_for_person=name_season(_l("You’re no longer playing in %(season)s."))),
)
LIST_ACTIONS = (  # for people chosen in the list; the first three have a button of their own, too
    *(action for action in ENTRY_ACTIONS if action.name in {"enter", "substitute", "withdraw"}),
    Action(name="move", label=_l("Move to a division"), act=move, preview=preview_state,
           is_open=is_not_over, fields=division_field, asks_reason=False),
    Action(name="remind", label=_l("Remind about the invitation"), act=remind, preview=preview_state,
           is_open=is_not_over, asks_reason=False),
)
# fmt: on
