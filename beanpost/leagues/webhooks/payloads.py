"""The body of a call, as each kind of chat expects it."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from typing import Any

from beanpost.leagues.models import Webhook
from beanpost.leagues.records.news import NewsItem

MAX_LENGTH = 1_800  # characters; Discord takes 2,000
MARKDOWN = re.compile(r"[\\`*_~|<>\[\]()#]")  # a name must be no link, heading or hidden text in a chat
# Places where an invisible character keeps a line from becoming a list item, and ":bean:" a picture.
MARKS = re.compile(r"^(?=[-+]\s)|(?<=:)(?=[\w+-]+:)", re.M)
# Full-width signs mark nothing in any chat. No backslashes: Slack, which reads no Markdown here, would show them.
WITHOUT_MARKDOWN = {ord(sign): ord(sign) + 0xFEE0 for sign in "\\`*_~|[]#$"}


def build_body(webhook: Webhook, news: NewsItem) -> str:
    return json.dumps(WRITERS[Webhook.Format(webhook.format)](webhook, news), ensure_ascii=False)


def format_for_discord(webhook: Webhook, news: NewsItem) -> dict[str, Any]:
    text = MARKDOWN.sub(r"\\\g<0>", summarise(webhook, news))[:MAX_LENGTH].rstrip("\\")
    # Without mentions: a player may be called "@everyone".
    return {"content": f"{text}\n<{news.url}>", "allowed_mentions": {"parse": []}}


def format_for_slack(webhook: Webhook, news: NewsItem) -> dict[str, Any]:
    text = summarise(webhook, news)
    for sign, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):  # "<!channel>" would call everybody
        text = text.replace(sign, escaped)
    # Mattermost and Matrix take the same body, and read Markdown in spite of `mrkdwn`, and "@channel" as a call to all.
    text = text.translate(WITHOUT_MARKDOWN).replace("@", "@\u200b")
    return {"text": f"{text}\n{news.url}", "mrkdwn": False}


def summarise(webhook: Webhook, news: NewsItem) -> str:
    return MARKS.sub("\u200b", f"{webhook.league.name}: {news.title}\n{news.text}")[:MAX_LENGTH]


def format_as_json(webhook: Webhook, news: NewsItem) -> dict[str, Any]:
    return {
        "format": "beanpost/webhook/1",
        "league": webhook.league.slug,
        "event": news.kind,
        "id": news.key,
        "at": news.at.isoformat(),
        "title": news.title,
        "text": news.text,
        "url": news.url,
    }


WRITERS = {
    Webhook.Format.DISCORD: format_for_discord,
    Webhook.Format.SLACK: format_for_slack,
    Webhook.Format.JSON: format_as_json,
}


def sign_body(secret: str, body: bytes) -> str:
    """Return the value of the header X-Beanpost-Signature.

    >>> sign_body("beans", b"{}")[:23]
    'sha256=3364ec652a25d619'
    """
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
