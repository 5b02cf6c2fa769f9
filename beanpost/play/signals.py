"""Signals that `play` sends. The layers above listen; `play` imports none of them.

Every signal is sent inside the transaction of what it announces. So receivers should only write rows: these are rolled
back with the move. The sender is always the Match class, and `now` is always among the arguments, except for
`keeper_sought`, which asks for an answer.

    signal     arguments                                      listeners
    invited    place                                          post: the invitation
    declined   match, place (already deleted)                 post: tell the keeper
    called_off  match (by its keeper)                         post: tell the players who had confirmed
    started    match                                          post: the first letter; leagues: pause, if it is paused
    asked      match, wait, place, again (the mover is asked  post: your turn
               once more: the page has shown it already)
    addressed  match, wait, place (may speak repeatedly,      post: your turn, again
               and has something new to answer), through
               (all others have had their say)
    resumed    match, wait, place (the match stood still,     post: your turn, again
               since its game was not installed)
    turned_down  match, wait, place (may still speak, and     post: your turn, again, unless another letter is due
               one of their offers has failed)
    moved      match, events                                  beanpost.apps: counts moves
    reminded   match, wait, place                             post: the reminder
    excused    match, wait, place, event                      post: a little more time
    late       match, place, event                            post: your time was up
    stood_in   match, place                                   post: a bot plays for you
    wondered   match, place                                   post: are you still playing?
    seemed_away  match, place                                 post: shall we note that you are away? (and to the keeper)
    proposed   match, proposal, voters                        post: please decide; leagues: check that they may
    decided    match, line (of the house: it pauses, goes     post: what was decided
               on or goes back), last (the deciding voter,
               who saw it on the page; None: nobody)
    offered    match, proposal                                post: would you take over a seat? (its player:) may they?
    handed     match, place, departure                        post: tell the former player and the table; leagues: too
    expired    match                                          post: the table never filled
    finished   match                                          post: the result; leagues: the standings
    reported   match, note, by (a player)                     post: tell the table's caretaker
    keeper_sought  match                                      leagues: return the id of its league's keeper
"""

from django.dispatch import Signal

invited = Signal()
declined = Signal()
called_off = Signal()
started = Signal()
asked = Signal()
addressed = Signal()
resumed = Signal()
turned_down = Signal()
moved = Signal()
reminded = Signal()
late = Signal()
excused = Signal()
stood_in = Signal()
wondered = Signal()
seemed_away = Signal()
proposed = Signal()
decided = Signal()
offered = Signal()
handed = Signal()
expired = Signal()
finished = Signal()
reported = Signal()
keeper_sought = Signal()
