"""Read organisers' lists of people: pasted addresses, or a table as a form or a spreadsheet exports it.

A table has a heading that names its columns, in any order and in several languages; other columns are ignored.
"""

from __future__ import annotations

import codecs
import csv
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import parseaddr
from types import MappingProxyType

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from beanpost.play.display.wording import in_quotes, with_colon
from beanpost.players import accounts
from beanpost.players.names import without_unseen

MOST_LINES = 500
LONGEST = 60_000  # characters in a list
LONGEST_CELL = 400  # characters of a name with an address
MOST_BYTES = 4 * (LONGEST + 1)  # enough to notice, in any encoding, that a file is too long


@dataclass(frozen=True)
class Person:
    """A person on the list, or what is wrong with their line."""

    line: int  # 0: the whole list
    name: str = ""
    address: str = ""
    trouble: str = ""
    is_known: bool = False  # already in the season
    is_repeated: bool = False  # an earlier line of the list has the same address
    division: str = ""

    def __str__(self) -> str:
        if not self.line:
            return self.trouble
        if self.trouble:
            return _("Line %(line)d: %(trouble)s") % {"line": self.line, "trouble": self.trouble}
        shown = f"{self.name} <{self.address}>" if self.name else self.address
        if self.is_repeated:
            told = _("Line %(line)d: %(person)s is on the list twice. We take the first line.")
            return told % {"line": self.line, "person": self.address}
        if self.is_known:
            return _("Line %(line)d: %(person)s is already in this season.") % {"line": self.line, "person": shown}
        shown = f"{shown}, {self.division}" if self.division else shown
        return _("Line %(line)d: %(person)s") % {"line": self.line, "person": shown}

    @property
    def is_new(self) -> bool:
        return not (self.trouble or self.is_known or self.is_repeated)


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


def read(
    text: str, known: frozenset[str] = frozenset(), chosen: Mapping[str, int] = MappingProxyType({})
) -> list[Person]:
    """Return everybody on the list. People already in the season and repeated addresses are marked.

    `chosen` holds the columns that the organiser picked, by role; the heading says the others.

    >>> [person.address or person.trouble for person in read("Ann <ann@example.org>\\nname,address\\nBob;b@x.org")]
    ['ann@example.org', 'b@x.org']
    >>> read("Horodateur;Prénom;Nom;Adresse e-mail\\n17/11/2026 14:00:00;Zoé;Roux;zoe@example.org")
    [Person(line=2, name='Zoé Roux', address='zoe@example.org', trouble='', is_known=False, ...)]
    """
    if "\0" in text:
        return [Person(0, trouble=_("This file isn’t text. Save your list as a CSV file and choose that."))]
    seen: set[str] = set()
    people = []
    for person in read_people(text.replace("\ufeff", ""), chosen):
        if person.address in seen:
            person = replace(person, is_repeated=True)
        elif person.address in known:
            person = replace(person, is_known=True)
        seen.add(person.address or f"line {person.line}")
        people.append(person)
    if len(people) > MOST_LINES:
        return [Person(0, trouble=_("You can import up to %(most)d people at a time.") % {"most": MOST_LINES})]
    return people


def read_people(text: str, chosen: Mapping[str, int]) -> Iterator[Person]:
    if (table := Table.of(text, chosen)) is not None:
        yield from table.people()
        return
    for number, row in rows(text):
        yield from read_row(number, row)


# ── tables with a heading ──

ROLES = {  # words in a heading, without accents; earlier roles win
    "address": ("mail", "courriel", "correo", "adresse", "address", "indirizzo"),
    "first": ("prenom", "first name", "firstname", "given name", "vorname", "nombre de pila"),
    "last": ("nom de famille", "last name", "lastname", "surname", "family name", "nachname", "familienname"),
    "division": ("division", "groupe", "group", "gruppe", "poule", "liga"),
    "name": ("name", "nom", "pseudo", "player", "joueur", "spieler", "nombre", "nome"),
}
SEPARATORS = "\t;,"
FIRST_ROWS, MOST_COLUMNS = 3, 12  # shown in the preview


@dataclass(frozen=True)
class Table:
    """A list with a heading: the column of each role, and the rows below."""

    columns: dict[str, int]
    rows: Sequence[tuple[int, list[str]]]

    @classmethod
    def of(cls, text: str, chosen: Mapping[str, int] = MappingProxyType({})) -> Table | None:
        """Return the list as a table, if we know its column of addresses: by its heading or by the organiser's choice.

        The first line is a heading unless it has an address in it.
        """
        cells = cells_of(text)
        if not cells:
            return None
        is_headed = not any("@" in cell for cell in cells[0][1])
        if not is_headed and "address" not in chosen:
            return None
        found = columns_of(cells[0][1]) if is_headed else {}
        columns = {role: n for role, n in found.items() if n not in chosen.values()} | dict(chosen)
        if "address" not in columns:
            return None
        return cls(columns, [row for row in cells[is_headed:] if any(row[1])])

    def people(self) -> Iterator[Person]:
        for number, cells in self.rows:
            address = self.cell(cells, "address")
            name = " ".join(filter(None, (self.cell(cells, role) for role in ("first", "name", "last"))))
            if address:
                person = read_person(number, address, name)
                yield replace(person, division=without_unseen(self.cell(cells, "division"))[:60])
            else:
                yield Person(number, trouble=_("there’s no email address."))

    def cell(self, cells: list[str], role: str) -> str:
        column = self.columns.get(role, len(cells))
        return cells[column] if column < len(cells) else ""


def cells_of(text: str) -> list[tuple[int, list[str]]]:
    """Return the numbered lines of a list with several columns, split into cells; [] if it has one column only."""
    lines = text[:LONGEST].splitlines(keepends=True)
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    heading = lines[first] if lines else ""
    mark = max(SEPARATORS, key=heading.count)
    if mark not in heading:
        return []
    reader = csv.reader(lines[first:], delimiter=mark, skipinitialspace=True)
    try:
        return [(first + reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error:
        return []


def first_rows(text: str) -> list[tuple[int, list[str]]]:
    """Return each column's number with its first cells, so that an organiser sees what it holds."""
    shown = [cells for _number, cells in cells_of(text.replace("\ufeff", "")) if any(cells)][:FIRST_ROWS]
    if not shown:
        return []
    width = min(MOST_COLUMNS, max(map(len, shown)))
    return [(n + 1, [cells[n][:40] if n < len(cells) else "" for cells in shown]) for n in range(width)]


def columns_of(titles: Sequence[str]) -> dict[str, int]:
    """Return which column holds what.

    >>> columns_of(["Timestamp", "Email Address", "First name", "Last name"])
    {'address': 1, 'first': 2, 'last': 3}
    >>> columns_of(["Nom", "Prénom", "E-Mail-Adresse"])
    {'address': 2, 'first': 1, 'last': 0}
    """
    plain = [without_accents(title) for title in titles]
    found: dict[str, int] = {}
    for role, words in ROLES.items():
        free = [(n, title) for n, title in enumerate(plain) if n not in found.values()]
        matches = [n for word in words for n, title in free if word in title]
        if matches:
            found[role] = matches[0]
    if "first" in found and "name" in found and "last" not in found:
        found["last"] = found.pop("name")  # French forms ask for “Nom” and “Prénom”
    return found


def without_accents(title: str) -> str:
    """Return a heading in plain lower-case letters.

    >>> without_accents("  E-Mail-Adresse*"), without_accents("Prénom")
    ('e mail adresse', 'prenom')
    """
    letters = "".join(char for char in unicodedata.normalize("NFKD", title) if not unicodedata.combining(char))
    return " ".join(re.findall(r"[a-z]+", letters.lower()))


# ── lists without a heading ──


def rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not blank, split into cells, without a heading."""
    for number, line in enumerate(text.splitlines(), 1):
        line = line[:LONGEST]  # csv raises an error for enormous cells
        mark = next((mark for mark in SEPARATORS if mark in line), ",")
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True), [])]
        if any(cells) and not is_heading(cells):
            yield number, [cell for cell in cells if cell]


def is_heading(cells: list[str]) -> bool:
    return not any("@" in cell for cell in cells) and "address" in columns_of(cells)


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
        return parseaddr(cell[:LONGEST_CELL])  # it calls itself for each bracket in a bracket
    name, _mark, address = cell.removesuffix(">").rpartition("<")
    return name.strip(), address
