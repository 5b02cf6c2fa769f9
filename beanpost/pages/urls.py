"""All URLs of the pages. Those with a ticket show on GET and act on POST."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from beanpost.pages import whereabouts
from beanpost.pages.api import views as api
from beanpost.pages.hosts import demo_mailboxes, health, texts
from beanpost.pages.players import account, calendar_feed, my_games, new_address, privacy, sign_in, start, stop_letters
from beanpost.pages.seats import absences, at_table, joining, move, practice, seat, standing_orders
from beanpost.pages.visitors import home, lists, matches, replays, rulebook, site_files

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("beanpost.pages.leagues.urls")),
    path("", home.home, name="home"),
    path("sample-letter/", home.sample_letter, name="sample-letter"),
    path("open/", home.open_match, name="open"),
    path("join/<slug:code>/", home.join, name="join"),
    path("lost/", home.find_my_games, name="lost"),
    path("robots.txt", site_files.robots, name="robots"),
    path("manifest.webmanifest", site_files.manifest, name="manifest"),
    path("favicon.ico", site_files.favicon, name="favicon"),
    path("rules/", rulebook.list_rules, name="rulebook"),
    path("rules/<slug:slug>/", rulebook.rules, name="rules"),
    path("whereabouts/", whereabouts.choose_whereabouts, name="whereabouts"),
    path("whereabouts/<str:ticket>/", whereabouts.choose_whereabouts_for, name="whereabouts-of"),
    path("try/", practice.practise, name="try"),
    # before a match begins
    path("opening/<str:ticket>/", joining.open_planned_match, name="opening"),
    path("joining/<str:ticket>/", joining.join_table, name="joining"),
    path("ready/<str:ticket>/", joining.accept_or_decline, name="ready"),
    path("keep/<str:ticket>/", joining.manage_gathering, name="keep"),
    # while it is played
    path("move/<str:ticket>/", move.move, name="move"),
    path("move/<str:ticket>/letter/", move.current, name="current"),
    path("plan/<str:ticket>/", move.plan, name="plan"),
    path("plan/<str:ticket>/letter/", move.current_for_plan, name="current-for-plan"),
    path("played/<str:ticket>/", move.played, name="played"),
    path("undo/<str:ticket>/", absences.propose_undo, name="undo"),
    path("played/<str:ticket>/letter/", move.current_since, name="current-since"),
    path("renew/<str:ticket>/", seat.renew_links, name="renew"),
    path("renew-all/<str:ticket>/", seat.renew_all_links, name="renew-all"),
    path("orders/<str:ticket>/", standing_orders.orders, name="orders"),
    path("notes/<str:ticket>/", seat.notes, name="notes"),
    path("again/<str:ticket>/", seat.open_rematch, name="again"),
    path("unsubscribe/<str:ticket>/", seat.stop_reminders, name="unsubscribe"),
    # time and absence
    path("away/<str:ticket>/", absences.announce_days_away, name="away"),
    path("back/<str:ticket>/", absences.take_seat_back, name="back"),
    path("still/<str:ticket>/", absences.confirm_still_playing, name="still"),
    path("seat/<str:ticket>/", absences.seat, name="seat"),
    path("takeover/<str:ticket>/", absences.take_over_seat, name="takeover"),
    path("veto/<str:ticket>/", absences.keep_seat, name="veto"),
    # the player
    path("never/<str:ticket>/", stop_letters.stop_all_letters, name="never"),
    path("less/<str:ticket>/", stop_letters.stop_one_kind, name="fewer"),
    path("me/<str:ticket>/", account.request_settings_link, name="me"),
    path("settings/<str:ticket>/", account.settings, name="settings"),
    path("wishes/<str:ticket>/", account.letter_settings, name="wishes"),
    path("calendar/<str:ticket>/beanpost.ics", calendar_feed.feed, name="feed"),
    path("address/<str:ticket>/", new_address.confirm_address, name="address"),
    path("address/back/<str:ticket>/", new_address.undo_address_change, name="address-back"),
    path("address/later/<str:ticket>/", new_address.confirm_address_later, name="address-later"),
    path("address/stop/<str:ticket>/", new_address.stop_address_change, name="stop-address"),
    path("never/yes/<str:ticket>/", stop_letters.confirm_stop, name="silence"),
    path("never/undo/<str:ticket>/", stop_letters.undo_stop, name="undo-silence"),
    path("sign-in/", sign_in.request_link, name="sign-in"),
    path("enter/<str:ticket>/", sign_in.sign_in, name="enter"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("my/", my_games.my_games, name="my-games"),
    path("my/name/", account.change_name, name="my-name"),
    path("my/shown-name/", my_games.choose_shown_name, name="shown-name"),
    path("my/write-again/", stop_letters.undo_own_stop, name="write-again"),
    path("my/address/stop/", new_address.stop_own_address_change, name="stop-own-address"),
    path("my/data/", privacy.show_data, name="my-data-page"),
    path("my/data.json", privacy.download_data, name="my-data"),
    path("my/erase/", privacy.request_erasure, name="ask-to-erase"),
    path("my/erase/<str:ticket>/", privacy.erase_player, name="erase"),
    path("start/", start.start, name="start"),
    # for anybody
    path("tables/", lists.open_tables, name="tables"),
    path("watch/", lists.watch, name="watch"),
    path("match/<slug:code>/", matches.match, name="match"),
    path("match/<slug:code>/replay/", replays.moment, name="replay"),
    path("match/<slug:code>/replay/<int:seq>/", replays.moment, name="moment"),
    path("match/<slug:code>/verify/", replays.check, name="verify"),
    path("match/<slug:code>/pulse/", matches.pulse, name="pulse"),
    path("match/<slug:code>/here/", at_table.note_presence, name="here"),
    path("match/<slug:code>/note/", at_table.write_note, name="note"),
    path("match/<slug:code>/beanpost.json", matches.export, name="export"),
    # for programs
    path("api/v1/openapi.json", api.openapi, name="api-openapi"),
    path("api/v1/games/", api.all_games, name="api-games"),
    path("api/v1/matches/", api.all_matches, name="api-matches"),
    path("api/v1/matches/<slug:code>/", api.match, name="api-match"),
    path("api/v1/matches/<slug:code>/verification/", api.verification, name="api-verification"),
    # of the host
    path("about/", texts.text, {"name": "about"}, name="about"),
    path("imprint/", texts.text, {"name": "imprint"}, name="imprint"),
    path("privacy/", texts.text, {"name": "privacy"}, name="privacy"),
    path("terms/", texts.text, {"name": "terms"}, name="terms"),
    path("colours.css", texts.colours, name="colours"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
]

# Everybody's letters, readable by everybody: only in the demo.
demo = [
    path("letters/", demo_mailboxes.mailboxes, name="letters"),
    path("letters/<str:name>/", demo_mailboxes.mailbox, name="mailbox"),
    path("letters/<str:name>/<int:pk>/", demo_mailboxes.letter, name="letter"),
    path("letters/<str:name>/<int:pk>/text/", demo_mailboxes.text, name="letter-text"),
    path("letters/<str:name>/<int:pk>/html/", demo_mailboxes.html, name="letter-html"),
    path("letters/<str:name>/<int:pk>/source/", demo_mailboxes.source, name="letter-source"),
]
if settings.DEMO:
    urlpatterns += demo
