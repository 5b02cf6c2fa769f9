"""Every address of the house. Those that carry a ticket show on GET and act on POST."""

from django.conf import settings
from django.urls import path

from beanpost.pages import absences, gathering, health, home, leagues, letters, matches, moves, orders, people, seats

urlpatterns = [
    path("", home.home, name="home"),
    path("open/", home.open_match, name="open"),
    path("join/<slug:code>/", home.join, name="join"),
    path("lost/", home.lost, name="lost"),
    # before a match begins
    path("o/<str:ticket>/", gathering.opening, name="opening"),
    path("j/<str:ticket>/", gathering.joining, name="joining"),
    path("r/<str:ticket>/", gathering.ready, name="ready"),
    path("k/<str:ticket>/", gathering.keep, name="keep"),
    # while it is played
    path("m/<str:ticket>/", moves.move, name="move"),
    path("m/<str:ticket>/letter/", moves.current, name="current"),
    path("f/<str:ticket>/", seats.renew, name="renew"),
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
    path("me/<str:ticket>/", people.me, name="me"),
    path("s/<str:ticket>/", people.settings, name="settings"),
    path("a/<str:ticket>/", people.address, name="address"),
    # for anybody
    path("match/<slug:code>/", matches.match, name="match"),
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
