"""What the table announces. The rooms above listen; it knows none of them.

Every signal is sent inside the transaction of what it announces, so a listener that only writes rows is
safe: if the move is undone, so are they. The sender is always the Match class, and `now` is always among the arguments.

    signal     arguments                                      listeners
    invited    place                                          post: the invitation
    declined   match, place (already removed from the table)  post: a word to the keeper
    started    match                                          post: the first letter
    asked      match, wait, place, again (the mover is asked  post: your turn
               once more: the page has shown it already)
    addressed  match, wait, place (may speak repeatedly,      post: your turn, once more
               and has something new to answer)
    moved      match, events                                  (none yet)
    reminded   match, wait, place                             post: the reminder
    late       match, place, event                            post: your time was up
    finished   match                                          post: the result; leagues: the standings
    reported   match, note                                    post: a word to the keeper
"""

from django.dispatch import Signal

invited = Signal()
declined = Signal()
started = Signal()
asked = Signal()
addressed = Signal()
moved = Signal()
reminded = Signal()
late = Signal()
finished = Signal()
reported = Signal()
