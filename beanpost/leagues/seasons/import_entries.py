"""Read organisers' lists of people: pasted addresses, or CSV with a name and an address per line."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.utils import parseaddr

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from beanpost.play.display.wording import in_quotes, with_colon
from beanpost.players import accounts

MOST_LINES = 500
LONGEST = 60_000  # characters in a list
MOST_BYTES = 4 * (LONGEST + 1)  # enough to notice, in any encoding, that a file is too long


@dataclass(frozen=True)
class Person:
    """A person on the list, or what is wrong with their line."""

    line: int  # 0: the whole list
    name: str = ""
    address: str = ""
    trouble: str = ""
    is_known: bool = False  # already in the season

    def __str__(self) -> str:
        if not self.line:
            return self.trouble
        if self.trouble:
            return _("Line %(line)d: %(trouble)s") % {"line": self.line, "trouble": self.trouble}
        shown = f"{self.name} <{self.address}>" if self.name else self.address
        if self.is_known:
            return _("Line %(line)d: %(person)s is already in this season.") % {"line": self.line, "person": shown}
        return _("Line %(line)d: %(person)s") % {"line": self.line, "person": shown}


def decoded(file: bytes) -> str:
    """Return a file's text, in whichever encoding a spreadsheet has saved it.

    >>> {decoded("Zoé".encode(letters)) for letters in ("utf-8", "utf-8-sig", "utf-16", "cp1252")}
    {'Zoé'}
    """
    if file.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return file.decode("utf-16", "replace")
    try:
        return file.decode("utf-8-sig")
    except UnicodeDecodeError:
        return file.decode("cp1252", "replace")


def read(text: str, known: frozenset[str] = frozenset()) -> list[Person]:
    """Return everybody on the list. People already in the season are marked; a repeated address is an error.

    >>> [person.address or person.trouble for person in read("Ann <ann@example.org>\\nname,address\\nBob;b@x.org")]
    ['ann@example.org', 'b@x.org']
    """
    if "\0" in text:
        return [Person(0, trouble=_("This file isn’t text. Save your list as a CSV file and choose that."))]
    seen: set[str] = set()
    people = []
    for number, row in rows(text):
        for person in read_row(number, row):
            if person.address in seen:
                person = Person(number, trouble=_("%(address)s is already on the list.") % {"address": person.address})
            elif person.address in known:
                person = replace(person, is_known=True)
            seen.add(person.address or f"line {number}")
            people.append(person)
    if len(people) > MOST_LINES:
        return [Person(0, trouble=_("You can import up to %(most)d people at a time.") % {"most": MOST_LINES})]
    return people


def rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not blank, split into cells, without a heading."""
    for number, line in enumerate(text.replace("\ufeff", "").splitlines(), 1):
        line = line[:LONGEST]  # csv raises an error for enormous cells
        mark = next((mark for mark in ("\t", ";", ",") if mark in line), ",")
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True), [])]
        if any(cells) and not is_heading(cells):
            yield number, [cell for cell in cells if cell]


def is_heading(cells: list[str]) -> bool:
    return not any("@" in cell for cell in cells) and any(
        cell.lower() in {"address", "email", "e-mail", "mail", "adresse", "courriel"} for cell in cells
    )


def read_row(number: int, cells: list[str]) -> list[Person]:
    """Return the people on a line: one name and address, or several bare addresses."""
    found = [cell for cell in cells if "@" in cell]
    if not found:
        return [Person(number, trouble=_("there’s no email address."))]
    if len(found) == len(cells):
        return [read_person(number, cell) for cell in found]
    if len(found) > 1:  # we can't tell whose name it is
        return [Person(number, trouble=_("there’s more than one email address."))]
    name, *_others = [cell for cell in cells if cell not in found]
    return [read_person(number, found[0], name)]


def read_person(number: int, cell: str, name: str = "") -> Person:
    own_name, typed = name_and_address(cell)
    try:
        address = accounts.tidy_address(typed or cell)
    except ValidationError:
        return Person(number, trouble=_("“%(text)s” isn’t an email address.") % {"text": cell[:60]})
    if address.endswith(accounts.ERASED):
        return Person(number, trouble=_("this player’s data has been deleted."))
    try:
        typed_name = own_name or name
        return Person(number, accounts.tidy_name(typed_name) if typed_name.strip() else "", address)
    except ValidationError as refusal:
        called = in_quotes((own_name or name)[:60])
        return Person(number, trouble=f"{with_colon(called)} {refusal.messages[0]}")


def name_and_address(cell: str) -> tuple[str, str]:
    """Split a cell as mail programs write it, also with a comma in the name.

    >>> name_and_address("Lee, Ann <ann@example.org>"), name_and_address("ann@example.org")
    (('Lee, Ann', 'ann@example.org'), ('', 'ann@example.org'))
    >>> name_and_address("Ann <ann@example.org> (at home)")
    ('Ann', 'ann@example.org')
    """
    if not cell.endswith(">"):
        return parseaddr(cell)
    name, _mark, address = cell.removesuffix(">").rpartition("<")
    return name.strip(), address
