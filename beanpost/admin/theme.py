"""Unfold's settings: name, colours and navigation of the admin. Name and logo are the host's."""

from __future__ import annotations

from django.templatetags.static import static

from beanpost.site.identity import site


def find_site_name(request: object) -> str:
    return site().name


def find_logo(request: object) -> str:
    return static(site().logo)


def find_stylesheet(request: object) -> str:
    return static("beanpost/office.css")


UNFOLD_SETTINGS = {
    "SITE_TITLE": find_site_name,
    "SITE_HEADER": find_site_name,
    "SITE_SYMBOL": "mail",
    "SITE_ICON": find_logo,
    "SITE_FAVICONS": [{"rel": "icon", "href": find_logo}],
    "COLORS": {  # those of the pages, from light to dark
        "base": {  # from paper to ink
            "50": "#fbf7ef",
            "100": "#f5eddd",
            "200": "#e3d9c6",
            "300": "#d3c7b0",
            "400": "#b9ae9c",
            "500": "#6a6052",
            "600": "#564d41",
            "700": "#463f35",
            "800": "#3b362d",
            "900": "#1d1b17",
            "950": "#141310",
        },
        "primary": {  # the leaf
            "50": "#f1f7f1",
            "100": "#deecdf",
            "200": "#bfdcc2",
            "300": "#8fca98",
            "400": "#5fa56b",
            "500": "#41874d",
            "600": "#2f6b3a",
            "700": "#24542d",
            "800": "#1f4426",
            "900": "#16301b",
            "950": "#0c1d10",
        },
    },
    "DASHBOARD_CALLBACK": "beanpost.leagues.admin.first_page.build_page",
    "SIDEBAR": {"navigation": "beanpost.leagues.admin.navigation.sidebar"},
    "STYLES": [find_stylesheet],
}
