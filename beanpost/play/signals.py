"""What the table announces. The rooms above listen; it knows none of them.

Every signal is sent inside the transaction of what it announces, so a listener that only writes rows is
safe: if the move is undone, so are they. The sender is always the Match class, and `now` is always among the arguments.

    signal     arguments                                      listeners
    invited    place                                          post: the invitation
    declined   match, place (already removed from the table)  post: a word to the keeper
    called_off  match (its keeper gave it up)                 post: a word to who was ready
    started    match                                          post: the first letter
    asked      match, wait, place, again (the mover is asked  post: your turn
               once more: the page has shown it already)
    addressed  match, wait, place (may speak repeatedly,      post: your turn, once more
               and has something new to answer), through
               (all others have had their say)
    turned_down  match, wait, place (may still speak, and     post: your turn, once more, if nothing else is written
               something they offered has failed)
    moved      match, events                                  (none yet)
    reminded   match, wait, place                             post: the reminder
    excused    match, wait, place, event                      post: a little more time
    late       match, place, event                            post: your time was up
    stood_in   match, place                                   post: a bot sits in for you
    wondered   match, place                                   post: are you still playing?
    seemed_away  match, place                                 post: shall we note that you are away? (and to the keeper)
    proposed   match, proposal, voters                        post: please decide; leagues: whether they may
    decided    match, line (of the house: it pauses, goes     post: what was decided
               on or goes back), last (who agreed last, and
               has seen it on the page; None: nobody)
    offered    match, proposal                                post: would you take over a seat?
    handed     match, place, departure                        post: to who left, and to the table; leagues: too
    expired    match                                          post: the table never filled
    finished   match                                          post: the result; leagues: the standings
    reported   match, note                                    post: a word to the keeper
"""

from django.dispatch import Signal

invited = Signal()
declined = Signal()
called_off = Signal()
started = Signal()
asked = Signal()
addressed = Signal()
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
