"""The Atom feed of a league: results, rounds and standings."""

from __future__ import annotations

from datetime import datetime

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.template.defaultfilters import linebreaksbr
from django.utils import translation
from django.utils.feedgenerator import Atom1Feed, SyndicationFeed

from beanpost.leagues.models import League
from beanpost.leagues.records.news import NewsItem, list_news, strip_control_characters
from beanpost.pages.leagues.readers import requires_league_reader
from beanpost.site.links import link


class LeagueFeed(Feed):  # type: ignore[type-arg]  # Django's class takes no parameters at run time
    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, league: League) -> League:
        return league

    def title(self, league: League) -> str:
        return strip_control_characters(league.name)

    def subtitle(self, league: League) -> str:
        return strip_control_characters(league.about)

    def link(self, league: League) -> str:
        return link("league", league.slug)

    def feed_url(self, league: League) -> str:
        return link("league-feed", league.slug)

    def get_feed(self, obj: League, request: HttpRequest) -> SyndicationFeed:
        with translation.override(obj.language):
            return super().get_feed(obj, request)

    def items(self, league: League) -> list[NewsItem]:
        return list_news(league)

    def item_title(self, item: NewsItem) -> str:
        return strip_control_characters(item.title)

    def item_description(self, item: NewsItem) -> str:
        return linebreaksbr(strip_control_characters(item.text), autoescape=True)  # feed readers treat it as HTML

    def item_link(self, item: NewsItem) -> str:
        return item.url

    def item_guid(self, item: NewsItem) -> str:
        return f"{item.url}#{item.key}"

    def item_pubdate(self, item: NewsItem) -> datetime:
        return item.at

    item_updateddate = item_pubdate


feed = requires_league_reader(LeagueFeed())
