"""Every address of the house. Those that carry a ticket show on GET and act on POST."""

from django.conf import settings
from django.urls import path

from beanpost.pages import (
    absences,
    calendars,
    gathering,
    health,
    home,
    leagues,
    letters,
    matches,
    moves,
    my_games,
    orders,
    people,
    practising,
    privacy,
    replays,
    rulebook,
    seats,
    sign_in,
    starting,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("open/", home.open_match, name="open"),
    path("join/<slug:code>/", home.join, name="join"),
    path("lost/", home.lost, name="lost"),
    path("rules/", rulebook.shelf, name="rulebook"),
    path("rules/<slug:slug>/", rulebook.rules, name="rules"),
    path("try/", practising.practise, name="try"),
    # before a match begins
    path("o/<str:ticket>/", gathering.opening, name="opening"),
    path("j/<str:ticket>/", gathering.joining, name="joining"),
    path("r/<str:ticket>/", gathering.ready, name="ready"),
    path("k/<str:ticket>/", gathering.keep, name="keep"),
    # while it is played
    path("m/<str:ticket>/", moves.move, name="move"),
    path("m/<str:ticket>/letter/", moves.current, name="current"),
    path("played/<str:ticket>/", moves.played, name="played"),
    path("played/<str:ticket>/letter/", moves.current_since, name="current-since"),
    path("f/<str:ticket>/", seats.renew, name="renew"),
    path("fa/<str:ticket>/", seats.renew_all, name="renew-all"),
    path("orders/<str:ticket>/", orders.orders, name="orders"),
    path("notes/<str:ticket>/", seats.notes, name="notes"),
    path("again/<str:ticket>/", seats.again, name="again"),
    path("u/<str:ticket>/", seats.unsubscribe, name="unsubscribe"),
    # time and absence
    path("away/<str:ticket>/", absences.away, name="away"),
    path("back/<str:ticket>/", absences.back, name="back"),
    path("still/<str:ticket>/", absences.still, name="still"),
    path("seat/<str:ticket>/", absences.seat, name="seat"),
    path("t/<str:ticket>/", absences.takeover, name="takeover"),
    # who one is
    path("n/<str:ticket>/", people.never, name="never"),
    path("less/<str:ticket>/", people.fewer, name="fewer"),
    path("me/<str:ticket>/", people.me, name="me"),
    path("s/<str:ticket>/", people.settings, name="settings"),
    path("w/<str:ticket>/", people.how_we_write, name="wishes"),
    path("calendar/<str:ticket>/beanpost.ics", calendars.feed, name="feed"),
    path("a/<str:ticket>/", people.address, name="address"),
    path("sign-in/", sign_in.ask, name="sign-in"),
    path("in/<str:ticket>/", sign_in.enter, name="enter"),
    path("sign-out/", sign_in.leave, name="sign-out"),
    path("out/<str:ticket>/", sign_in.leave_everywhere, name="sign-out-everywhere"),
    path("my/", my_games.my_games, name="my-games"),
    path("my/data.json", privacy.take_along, name="my-data"),
    path("my/erase/", privacy.ask_to_erase, name="ask-to-erase"),
    path("my/erase/<str:ticket>/", privacy.erase, name="erase"),
    path("start/", starting.start, name="start"),
    # for anybody
    path("match/<slug:code>/", matches.match, name="match"),
    path("match/<slug:code>/replay/", replays.moment, name="replay"),
    path("match/<slug:code>/replay/<int:seq>/", replays.moment, name="moment"),
    path("match/<slug:code>/verify/", replays.check, name="verify"),
    path("match/<slug:code>/pulse/", matches.pulse, name="pulse"),
    path("match/<slug:code>/beanpost.json", matches.export, name="export"),
    path("leagues/", leagues.leagues, name="leagues"),
    path("league/<slug:slug>/", leagues.league, name="league"),
    path("league/<slug:slug>/calendar.ics", leagues.calendar, name="league-calendar"),
    path("league/<slug:slug>/feed.xml", leagues.feed, name="league-feed"),
    path("league/<slug:slug>/season/<int:pk>/", leagues.season, name="season"),
    path("league/<slug:slug>/player/<int:pk>/", leagues.player, name="league-player"),
    path("league/<slug:slug>/player/<int:pk>/against/<int:other>/", leagues.head_to_head, name="head-to-head"),
    path("e/<str:ticket>/", leagues.entering, name="entering"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
]

# Everybody's letters, open to everybody: for the demo alone.
demo = [
    path("letters/", letters.mailboxes, name="letters"),
    path("letters/<str:name>/", letters.mailbox, name="mailbox"),
    path("letters/<str:name>/<int:pk>/", letters.letter, name="letter"),
    path("letters/<str:name>/<int:pk>/text/", letters.text, name="letter-text"),
    path("letters/<str:name>/<int:pk>/html/", letters.html, name="letter-html"),
    path("letters/<str:name>/<int:pk>/source/", letters.source, name="letter-source"),
]
if settings.DEMO:
    urlpatterns += demo
