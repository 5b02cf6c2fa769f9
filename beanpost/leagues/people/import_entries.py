"""Read organisers' lists of people: pasted addresses, or a table as a form or a spreadsheet exports it.

We propose which column of a table holds what, by its heading and by its cells. The organiser sees the first rows and
picks the columns.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from email.utils import parseaddr

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from beanpost.leagues.people.list_columns import (
    BYTE_ORDER_MARK,
    MAX_CELL_LENGTH,
    MAX_LENGTH,
    MAX_LINES,
    SEPARATORS,
    PastedTable,
    find_columns_by_title,
    propose_columns,
)
from beanpost.play.display.wording import add_colon, quote
from beanpost.players import accounts
from beanpost.players.names import strip_invisible

MAX_BYTES = 4 * (MAX_LENGTH + 1)  # enough to notice, in any encoding, that a file is too long


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
            sentence = _("Line %(line)d: %(person)s is on the list twice. We take the first line.")
            return sentence % {"line": self.line, "person": self.address}
        if self.is_known:
            return _("Line %(line)d: %(person)s is already in this season.") % {"line": self.line, "person": shown}
        shown = f"{shown}, {self.division}" if self.division else shown
        return _("Line %(line)d: %(person)s") % {"line": self.line, "person": shown}

    @property
    def is_new(self) -> bool:
        return not (self.trouble or self.is_known or self.is_repeated)


def decode_file(file: bytes) -> str:
    """Return a file's text, in whichever encoding a spreadsheet has saved it.

    >>> {decode_file("Zoé".encode(letters)) for letters in ("utf-8", "utf-8-sig", "utf-16", "cp1252")}
    {'Zoé'}
    """
    if file.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return file.decode("utf-16", "replace")
    try:
        return file.decode("utf-8-sig")
    except UnicodeDecodeError:
        return file.decode("cp1252", "replace")


def read_list(text: str, known: frozenset[str] = frozenset(), columns: Mapping[str, int] | None = None) -> list[Person]:
    """Return everybody on the list. People already in the season and repeated addresses are marked.

    `columns` holds the columns that the organiser picked, by role; without them we read the list as we propose. A list
    without a column of addresses is read line by line.

    >>> [person.address or person.trouble for person in read_list("Ann <ann@example.org>\\nname,address\\nBob;b@x.org")]
    ['ann@example.org', 'b@x.org']
    >>> read_list("Horodateur;Prénom;Nom;Adresse e-mail\\n17/11/2026 14:00:00;Zoé;Roux;zoe@example.org")
    [Person(line=2, name='Zoé Roux', address='zoe@example.org', trouble='', is_known=False, ...)]
    """
    if "\0" in text:
        return [Person(0, trouble=_("This file isn’t text. Save your list as a CSV file and choose that."))]
    if len(text) > MAX_LENGTH:
        return [Person(0, trouble=_("Your list is too long: use at most %(most)d characters.") % {"most": MAX_LENGTH})]
    seen: set[str] = set()
    people = []
    for person in read_people(text, propose_columns(text) if columns is None else columns):
        if person.address in seen:
            person = replace(person, is_repeated=True)
        elif person.address in known:
            person = replace(person, is_known=True)
        seen.add(person.address or f"line {person.line}")
        people.append(person)
        if len(people) > MAX_LINES:
            return [Person(0, trouble=_("You can import up to %(most)d people at a time.") % {"most": MAX_LINES})]
    return people


def read_people(text: str, columns: Mapping[str, int]) -> Iterator[Person]:
    table = PastedTable.parse(text) if "address" in columns else None
    for number, cells in table.rows if table else split_lines(text.replace(BYTE_ORDER_MARK, "")):
        if has_long_cell(cells):
            trouble = _("one of its entries is longer than %(most)d characters.") % {"most": MAX_CELL_LENGTH}
            yield Person(number, trouble=trouble)
        elif table:
            yield read_table_row(number, cells, columns)
        else:
            yield from read_row(number, cells)


def has_long_cell(cells: list[str]) -> bool:
    return any(len(cell) > MAX_CELL_LENGTH for cell in cells)


def read_table_row(number: int, cells: list[str], columns: Mapping[str, int]) -> Person:
    picked = {role: cells[n] if n < len(cells) else "" for role, n in columns.items()}
    if not picked["address"]:
        return Person(number, trouble=_("there’s no email address."))
    name = " ".join(filter(None, (picked.get("name"), picked.get("last"))))
    division = strip_invisible(picked.get("division", ""))[:60]
    return replace(read_person(number, picked["address"], name), division=division)


# ── lists without a column of addresses ──


def split_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not blank, split into cells, without a heading."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        mark = next((mark for mark in SEPARATORS if mark in line), ",")
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True), [])]
        if any(cells) and not is_heading(cells):
            yield number, [cell for cell in cells if cell]


def is_heading(cells: list[str]) -> bool:
    return (
        not any("@" in cell for cell in cells)
        and not has_long_cell(cells)
        and "address" in find_columns_by_title(cells)
    )


def read_row(number: int, cells: list[str]) -> Iterable[Person]:
    """Return the people on a line: one name and address, or several bare addresses, read as far as the caller asks."""
    found = [cell for cell in cells if "@" in cell]
    if not found:
        return [Person(number, trouble=_("there’s no email address."))]
    if len(found) == len(cells):
        return (read_person(number, cell) for cell in found)
    if len(found) > 1:  # we can't tell whose name it is
        return [Person(number, trouble=_("there’s more than one email address."))]
    name, *_others = [cell for cell in cells if cell not in found]
    return [read_person(number, found[0], name)]


def read_person(number: int, cell: str, name: str = "") -> Person:
    own_name, typed = parse_name_and_address(cell)
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
        called = quote((own_name or name)[:60])
        return Person(number, trouble=f"{add_colon(called)} {refusal.messages[0]}")


def parse_name_and_address(cell: str) -> tuple[str, str]:
    """Split a cell as mail programs write it, also with a comma in the name.

    >>> parse_name_and_address("Lee, Ann <ann@example.org>"), parse_name_and_address("ann@example.org")
    (('Lee, Ann', 'ann@example.org'), ('', 'ann@example.org'))
    >>> parse_name_and_address("Ann <ann@example.org> (at home)")
    ('Ann', 'ann@example.org')
    """
    if not cell.endswith(">"):
        return parseaddr(cell)  # it calls itself for each bracket in a bracket, so MAX_CELL_LENGTH bounds it
    name, _mark, address = cell.removesuffix(">").rpartition("<")
    return name.strip(), address
