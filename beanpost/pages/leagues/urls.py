"""The URLs of leagues."""

from django.urls import path

from beanpost.pages.leagues import answers, api, embeds, feeds, public_pages

urlpatterns = [
    path("leagues/", public_pages.leagues, name="leagues"),
    path("league/<slug:slug>/", public_pages.league, name="league"),
    path("league/<slug:slug>/calendar.ics", public_pages.calendar, name="league-calendar"),
    path("league/<slug:slug>/atom.xml", feeds.feed, name="league-feed"),
    path("league/<slug:slug>/season/<int:pk>/", public_pages.season, name="season"),
    path("league/<slug:slug>/season/<int:pk>/embed/", embeds.embed, name="season-embed"),
    path("league/<slug:slug>/season/<int:pk>/standings.<slug:form>", embeds.standings, name="standings"),
    path("league/<slug:slug>/player/<int:pk>/", public_pages.player, name="league-player"),
    path("league/<slug:slug>/player/<int:pk>/against/<int:other>/", public_pages.head_to_head, name="head-to-head"),
    path("entering/<str:ticket>/", answers.answer_invitation, name="entering"),
    path("keeper/<str:ticket>/", answers.answer_keeper_offer, name="keeping"),
    path("league-contact/<str:ticket>/", answers.answer_contact_request, name="contacting"),
    # for programs
    path("api/v1/leagues/", api.all_leagues, name="api-leagues"),
    path("api/v1/leagues/<slug:slug>/", api.league, name="api-league"),
    path("api/v1/leagues/<slug:slug>/seasons/<int:pk>/standings/", api.standings, name="api-standings"),
    path("api/v1/leagues/<slug:slug>/seasons/<int:pk>/fixtures/", api.fixtures, name="api-fixtures"),
]
