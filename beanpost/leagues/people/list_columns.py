"""Columns of a list of people: split it into cells, and propose which column holds what, by headings and cells."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

MAX_LENGTH = 60_000  # characters in a list
MAX_LINES = 500
MAX_CELL_LENGTH = 400  # characters of a name with an address
ROLES = ("address", "name", "last", "division")  # the columns that an organiser picks
HEADINGS = {  # words in a heading, without accents; earlier roles win
    "address": ("mail", "courriel", "correo", "adresse", "address", "indirizzo", "endereco"),
    "first": (
        "prenom", "first name", "firstname", "given name", "vorname", "nombre de pila", "voornaam", "imie", "fornamn",
        "fornavn", "jmeno",
    ),
    "last": (
        "nom de famille", "last name", "lastname", "surname", "family name", "nachname", "familienname", "cognome",
        "sobrenome", "apelido", "apellido", "achternaam", "nazwisko", "efternamn", "efternavn", "prijmeni",
    ),
    "division": ("division", "groupe", "group", "gruppe", "poule", "liga"),
    "name": ("name", "nom", "pseudo", "player", "joueur", "spieler", "nombre", "nome", "naam", "namn", "navn"),
}  # fmt: skip
SEPARATORS = "\t;,"
FIRST_ROWS, MAX_COLUMNS = 3, 30  # shown in the preview
BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class PastedTable:
    """A list with several columns: its heading, if it has one, and the numbered rows below."""

    heading: Sequence[str]
    rows: Sequence[tuple[int, list[str]]]

    @classmethod
    def parse(cls, text: str) -> PastedTable | None:
        """Return the list as a table, unless it has one column only. A first line with an address is no heading."""
        rows = (row for row in split_into_cells(text) if any(row[1]))
        try:
            cells = list(islice(rows, MAX_LINES + 2))  # a heading, and one line too many
        except csv.Error:
            return None
        if not cells:
            return None
        is_headed = not any("@" in cell for cell in cells[0][1])
        return cls(cells[0][1] if is_headed else (), cells[is_headed:])

    @property
    def width(self) -> int:
        return min(MAX_COLUMNS, max(len(self.heading), *(len(cells) for _number, cells in self.rows), 0))

    def column(self, n: int) -> list[str]:
        """Return the cells of a column below its heading, without empty ones."""
        return [cells[n] for _number, cells in self.rows if n < len(cells) and cells[n]]

    def first_cells(self, n: int) -> list[str]:
        """Return what an organiser sees of a column: its heading and its first cells."""
        shown = [self.heading, *(cells for _number, cells in self.rows)] if self.heading else [c for _n, c in self.rows]
        return [cells[n][:40] if n < len(cells) else "" for cells in shown[:FIRST_ROWS]]


def split_into_cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a list with several columns, split into cells, and the number of their first line."""
    lines = text.replace(BYTE_ORDER_MARK, "")[:MAX_LENGTH].splitlines(keepends=True)
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    heading = lines[first] if lines else ""
    mark = max(SEPARATORS, key=heading.count)
    if mark not in heading:
        return
    reader = csv.reader(lines[first:], delimiter=mark, skipinitialspace=True)
    number = first + 1
    for row in reader:
        yield number, [cell.strip() for cell in row]
        number = first + reader.line_num + 1


def propose_columns(text: str) -> dict[str, int]:
    """Return which column may hold what: as the heading says, or as the cells look. {} if we find no addresses.

    >>> propose_columns("参加日時,メール,名前\\n2026/11/17,ann@example.org,Ann\\n2026/11/18,zoe@example.org,Zoé")
    {'address': 1, 'name': 2}
    """
    table = PastedTable.parse(text)
    if table is None or (column := find_address_column(table)) is None:
        return {}
    titled = {role: n for role, n in find_columns_by_title(table.heading).items() if n != column}
    name = titled.get("first", titled.get("name"))
    by_cells = {"name": find_name_column(table, {column, *titled.values()}) if name is None else name}
    others = {role: titled.get(role) for role in ("last", "division")}
    return {"address": column, **{role: n for role, n in (by_cells | others).items() if n is not None}}


def find_address_column(table: PastedTable) -> int | None:
    """Return the column that its heading calls addresses, if there are some; otherwise the one with most of them.

    In a list without a heading, no other column may have any: people write several addresses on a line.
    """
    found = {n: count for n in range(table.width) if (count := sum("@" in cell for cell in table.column(n)))}
    titled = find_columns_by_title(table.heading).get("address")
    if titled in found or not found:
        return titled
    return max(found, key=lambda n: found[n]) if table.heading or len(found) == 1 else None


def find_name_column(table: PastedTable, taken: set[int]) -> int | None:
    """Return the first column whose cells are mostly letters, not times, numbers or one choice out of few."""
    for n in range(table.width):
        cells = table.column(n)
        words = [cell for cell in cells if not any(char.isdigit() or char == "@" for char in cell)]
        most = max(Counter(words).values(), default=0)
        if n not in taken and len(words) > len(cells) / 2 and (most <= len(cells) / 2 or len(cells) == 1):
            return n
    return None


def find_columns_by_title(titles: Sequence[str]) -> dict[str, int]:
    """Return which column holds what, by its title.

    >>> find_columns_by_title(["Timestamp", "Email Address", "First name", "Last name"])
    {'address': 1, 'first': 2, 'last': 3}
    >>> find_columns_by_title(["Nom", "Prénom", "E-Mail-Adresse"])
    {'address': 2, 'first': 1, 'last': 0}
    """
    plain = [fold_accents(title[:MAX_CELL_LENGTH]) for title in titles[:MAX_COLUMNS]]
    found: dict[str, int] = {}
    for role, words in HEADINGS.items():
        free = [(n, title) for n, title in enumerate(plain) if n not in found.values()]
        matches = [n for word in words for n, title in free if word in title]
        if matches:
            found[role] = matches[0]
    if "first" in found and "name" in found and "last" not in found:
        found["last"] = found.pop("name")  # French forms ask for “Nom” and “Prénom”
    return found


def fold_accents(title: str) -> str:
    """Return a heading in plain lower-case letters.

    >>> fold_accents("  E-Mail-Adresse*"), fold_accents("Prénom")
    ('e mail adresse', 'prenom')
    """
    letters = "".join(char for char in unicodedata.normalize("NFKD", title) if not unicodedata.combining(char))
    return " ".join(re.findall(r"[a-z]+", letters.lower()))
