"""Lists of people as forms and spreadsheets write them."""

import pytest

from beanpost.leagues.people import import_entries

ANN, ZOE = ("Ann Lee", "ann@example.org", "Gold"), ("Zoé Roux", "zoe@example.org", "Tin")

GOOGLE_FORMS = (
    '"Timestamp","Email Address","First name","Last name","Which division?"\r\n'
    '"2026/11/17 2:00:00 PM GMT+1","ann@example.org","Ann","Lee","Gold"\r\n'
    '"2026/11/17 2:05:00 PM GMT+1","zoe@example.org","Zoé","Roux","Tin"\r\n'
)
GOOGLE_FORMS_IN_FRENCH = (
    '"Horodateur","Adresse e-mail","Prénom","Nom","Division"\n'
    '"17/11/2026 14:00:00","ann@example.org","Ann","Lee","Gold"\n'
    '"17/11/2026 14:05:00","zoe@example.org","Zoé","Roux","Tin"\n'
)
EXCEL_SEMICOLON = "Nom;Prénom;Courriel;Groupe\r\nLee;Ann;ann@example.org;Gold\r\nRoux;Zoé;zoe@example.org;Tin\r\n"
EXCEL_COMMA = "Full Name,E-Mail,Group\r\nAnn Lee,ann@example.org,Gold\r\nZoé Roux,zoe@example.org,Tin\r\n"
LIBREOFFICE = (
    "Vorname\tNachname\tE-Mail-Adresse\tGruppe\nAnn\tLee\tann@example.org\tGold\nZoé\tRoux\tzoe@example.org\tTin\n"
)


def read(text):
    return [(person.name, person.address, person.division) for person in import_entries.read_list(text)]


@pytest.mark.parametrize("letters", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("file", [GOOGLE_FORMS, GOOGLE_FORMS_IN_FRENCH, EXCEL_SEMICOLON, EXCEL_COMMA, LIBREOFFICE])
def test_a_table_is_read_whatever_program_wrote_it(file, letters):
    assert read(import_entries.decode_file(file.encode(letters))) == [ANN, ZOE]


@pytest.mark.parametrize(
    "file",
    [
        "Data;Imię;Nazwisko;Adres e-mail\n17.11.2026;Ann;Lee;ann@example.org\n18.11.2026;Zoé;Roux;zoe@example.org",
        "タイムスタンプ,メール,名前\n2026/11/17,ann@example.org,Ann Lee\n2026/11/18,zoe@example.org,Zoé Roux",
        "Время;Имя;Почта\n17.11.2026;Ann Lee;ann@example.org\n18.11.2026;Zoé Roux;zoe@example.org",
        "Address;Name;Contact\n1 Lane;Ann Lee;ann@example.org\n2 Lane;Zoé Roux;zoe@example.org",
    ],
)
def test_columns_are_proposed_by_heading_or_by_what_is_in_them(file):
    assert read(file) == [("Ann Lee", "ann@example.org", ""), ("Zoé Roux", "zoe@example.org", "")]


def test_a_separator_in_quotes_belongs_to_its_cell():
    assert read('Name,Email\n"Lee, Ann",ann@example.org\n') == [("Lee, Ann", "ann@example.org", "")]


def test_a_row_without_an_address_is_reported_with_its_line():
    (person,) = import_entries.read_list("Name;Email\nAnn;\n")
    assert str(person) == "Line 2: there’s no email address."


def test_a_poll_without_addresses_is_reported_row_by_row():
    """Framadate exports names and votes, but no addresses."""
    poll = '"","lundi 7 décembre","mardi 8 décembre"\n"Ann","Oui","Non"\n"Zoé","Oui","Oui"\n'
    assert {person.trouble for person in import_entries.read_list(poll)} == {"there’s no email address."}


def test_the_name_of_a_division_is_one_line_without_invisible_characters():
    [person] = import_entries.read_list('Email,Division\nann@example.org,"Upper\r\nBcc: all\u202e\u200b"')
    assert person.division == "Upper Bcc: all"


def test_a_repeated_address_is_skipped_and_reported():
    first, second = import_entries.read_list("Email,Name\nann@example.org,Ann\nANN@example.org,Ann Lee\n")
    assert first.is_new
    assert (second.is_new, second.trouble) == (False, "")
    assert str(second) == "Line 3: ann@example.org is on the list twice. We take the first line."


LONG = "x" * 401


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"bob@example.org\n{LONG} <ann@example.org>\n", 2),
        (f"bob@example.org\n{LONG}@example.org, ann@example.org\n", 2),
        (f"bob@example.org\nann@example.org ({LONG})\n", 2),
        (f"bob@example.org\nPlease mail {LONG}\n", 2),
        (f"Name;Email\nBob;bob@example.org\n{LONG};ann@example.org\n", 3),
        (f"Email;Note\nbob@example.org;\nann@example.org;{LONG}\n", 3),
        ('Email;Note\nbob@example.org;\nann@example.org;"Hi\n' + "zoe@example.org;\n" * 30, 3),
    ],
    ids=["a name", "an address", "a comment", "a remark", "a name cell", "a note cell", "an open quote"],
)
def test_a_line_with_a_long_entry_is_reported_and_nothing_of_it_is_imported(text, line):
    people = import_entries.read_list(text)
    assert [person.address for person in people] == ["bob@example.org", ""]
    assert [str(person) for person in people if person.trouble] == [
        f"Line {line}: one of its entries is longer than 400 characters."
    ]


def test_an_entry_of_400_letters_is_read():
    """A line may have many addresses."""
    for text in (f"Ann <ann@example.org> ({LONG[:376]})", f"Email;Note\nann@example.org;{'1' * 400}"):
        assert [person.address for person in import_entries.read_list(text)] == ["ann@example.org"]
    friends = [f"friend{n:02}@example.org" for n in range(40)]
    assert [person.address for person in import_entries.read_list(", ".join(friends))] == friends
