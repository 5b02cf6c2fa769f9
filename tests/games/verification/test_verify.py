"""An export is checked line by line, and its first fault is named."""

import json
from contextlib import suppress
from copy import deepcopy

import pytest

import games
from games.__main__ import main
from games.contract.errors import RulesError
from games.verification import witness
from games.verification.export import HashMismatch, MalformedExport, RulesViolated
from games.verification.verify import Verdict, verify
from tests.games.exporter import SECRET, Match


@pytest.fixture(scope="module")
def sprint():
    return Match(variant="sprint").play()


@pytest.fixture
def finished(sprint):
    return deepcopy(sprint.export("finished"))


@pytest.fixture
def running():
    return Match(variant="sprint").play(5).export(reader=0)


def resealed(export):
    """Return the export with seals and digests that match its present lines, so that only the rules can object."""
    digest = export["card"]["digest"]
    for seq, entry in enumerate(export["entries"], start=1):
        entry["seq"], entry["nonce"] = seq, witness.compute_nonce(SECRET, seq)
        entry["seal"] = witness.compute_seal(
            entry["nonce"], seq, entry["seat"], entry["line"], entry["origin"], entry["said_at"]
        )
        entry["digest"] = digest = witness.chain_digest(digest, entry["seal"])
    export["head"] = {"seq": len(export["entries"]), "digest": digest}
    return export


# ── valid exports ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("slug", games.GAMES)
def test_a_finished_match_of_every_game_is_valid(slug):
    for variant in games.get(slug).variants:
        seats = games.get(slug).seats[-1]
        verdict = verify(Match(slug, seats, variant).play().export("finished"))
        assert str(verdict).endswith("every move check out. The result follows from the rules.")


def test_a_running_match_is_valid_as_far_as_its_reader_may_read(running):
    assert str(verify(running)) == "5 lines: 4 open, 1 sealed until the end."


@pytest.mark.parametrize("slug", games.GAMES)
def test_a_running_match_of_every_game_is_valid_for_every_reader(slug):
    match = Match(slug, games.get(slug).seats[0]).play(30)
    for reader in (None, *range(match.table.seats)):
        verdict = verify(match.export(reader=reader))
        assert verdict.opened < verdict.lines == len(match.log)  # at least a shuffle is sealed


def test_a_sealed_line_may_leave_out_its_origin(running):
    assert running["entries"][1].pop("origin") == "dealer"
    assert verify(running).opened == 4
    del running["entries"][2]["origin"]
    with pytest.raises(MalformedExport, match="“origin” is missing from line 3"):
        verify(running)


def test_the_head_is_the_card_before_the_first_line():
    export = Match().export()
    assert str(verify(export)) == "0 lines: 0 open, 0 sealed until the end."
    export["head"]["seq"] = 1
    with pytest.raises(HashMismatch, match="head"):
        verify(export)


def test_a_match_rewound_past_a_deal_is_valid_and_dealt_anew():
    match = Match(variant="sprint").play(6)
    match.house("rewind to 1")
    match.play(4)
    match.house("pause")
    match.house("resume")
    match.house("rewind to 9")  # a line said after the first rewind
    match.play()
    deals = [line for seat, line, _ in match.log if seat == games.DEALER and line.startswith("shuffle")]
    assert len(set(deals)) == 2
    assert verify(match.export("finished")).opened == len(match.log)


def test_a_rewind_to_line_0_starts_the_match_again():
    match = Match(variant="sprint").play(3)
    match.house("rewind to 0")
    assert verify(match.play().export("finished")).ended == "finished"


def test_a_match_annulled_in_the_middle_is_valid():
    match = Match().play(9)
    match.house("annul")
    assert str(verify(match.export("annulled"))).endswith("The match was annulled.")


def test_an_adjudicated_match_has_the_ranks_the_house_gave():
    match = Match().play(9)
    match.house("adjudicate B A C")
    export = match.export("adjudicated")
    assert export["result"] == {"scores": None, "ranks": [2, 1, 3]}
    assert str(verify(export)).endswith("The organiser decided the result.")
    export["result"]["ranks"] = [1, 2, 3]
    with pytest.raises(RulesViolated, match="result"):
        verify(export)


def test_an_expired_match_is_valid_without_a_result():
    assert verify(Match().play(9).export("expired")).ended == "expired"


# ── invalid exports ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("field", ["match", "variant", "seats", "words", "game", "edition"])
def test_a_changed_card_is_noticed(finished, field):
    value = finished["card"][field]
    finished["card"][field] = value[::-1] if isinstance(value, (str, list)) else value + 1
    with pytest.raises(HashMismatch, match="The card was changed"):
        verify(finished)


@pytest.mark.parametrize(
    ("field", "value"), [("line", "fold"), ("seat", 1), ("said_at", "2026-12-24T18:00:00Z"), ("origin", "clock")]
)
def test_a_changed_line_is_named(finished, field, value):
    entry = finished["entries"][3]
    assert entry[field] != value
    entry[field] = value
    with pytest.raises(HashMismatch, match=r"Line 4 was changed"):
        verify(finished)


def test_a_changed_seal_breaks_the_chain(running):
    running["entries"][1]["seal"] = "0" * 64
    with pytest.raises(HashMismatch, match="The chain breaks at line 2"):
        verify(running)


def test_a_missing_line_is_named(running):
    del running["entries"][2]
    with pytest.raises(HashMismatch, match="Line 3 is missing: line 4 is in its place"):
        verify(running)


def test_a_truncated_log_is_noticed(running):
    running["entries"].pop()
    with pytest.raises(HashMismatch, match="The head isn’t the digest of the last line"):
        verify(running)


def test_another_secret_is_noticed(finished):
    finished["secret"] = "ab" * 32
    with pytest.raises(HashMismatch, match="isn’t the one we committed to"):
        verify(finished)


def test_a_nonce_that_does_not_follow_from_the_secret_is_noticed(finished):
    finished["entries"][4]["nonce"] = "ab" * 32
    with pytest.raises(HashMismatch, match="nonce of line 5"):
        verify(finished)


def test_a_deal_that_does_not_follow_from_the_secret_is_noticed_though_every_hash_matches(finished):
    first, second, *rest = finished["entries"][1]["line"].split()[1:]
    finished["entries"][1]["line"] = " ".join(["shuffle", *rest, first, second])
    with pytest.raises(RulesViolated, match="Line 2 isn’t what the secret and the words make the dealer say"):
        verify(resealed(finished))


def test_a_move_against_the_rules_is_noticed_though_every_hash_matches(finished):
    finished["entries"][2]["line"] = "play 13"
    with pytest.raises(RulesViolated, match=r"Line 3, “play 13” by \w, breaks the rules: You don’t have 13"):
        verify(resealed(finished))


def test_a_dealers_line_out_of_turn_is_noticed(finished):
    finished["entries"].insert(2, finished["entries"][0] | {"line": "start A"})
    with pytest.raises(RulesViolated, match="Line 3, “start A” by dealer, breaks the rules: The table isn’t waiting"):
        verify(resealed(finished))


def test_a_line_that_is_not_canonical_is_noticed(finished):
    finished["entries"][2]["line"] = finished["entries"][2]["line"].upper()
    with pytest.raises(RulesViolated, match="Line 3 isn’t in the stored format"):
        verify(resealed(finished))


@pytest.mark.parametrize("line", ["rewind to 5", "rewind to 6", "juggle beans"])
def test_a_nonsensical_line_of_the_house_is_noticed(finished, line):
    house = finished["entries"][2] | {"seat": games.HOUSE, "origin": "organiser", "line": line}
    finished["entries"].insert(4, house)
    with pytest.raises(RulesViolated, match=f"Line 5, “{line}” by house, breaks the rules"):
        verify(resealed(finished))


def test_no_line_may_follow_the_end_of_a_match(finished):
    annul = finished["entries"][2] | {"seat": games.HOUSE, "origin": "organiser", "line": "annul"}
    finished["entries"].insert(4, annul)
    with pytest.raises(RulesViolated, match="Line 5 ends the match, but more lines follow"):
        verify(resealed(finished))


def test_a_wrong_result_is_noticed(finished):
    finished["result"]["scores"][0] += 1
    with pytest.raises(RulesViolated, match="The result doesn’t follow from the log"):
        verify(finished)


@pytest.mark.parametrize("ended", ["finished", "annulled", "adjudicated"])
def test_an_ending_that_the_log_does_not_show_is_noticed(ended):
    with pytest.raises(RulesViolated, match=f"recorded as {ended}, but its log doesn’t end that way"):
        verify(Match(variant="sprint").play(5).export("expired") | {"ended": ended})


def test_an_adjudication_must_place_every_seat():
    match = Match().play(3)
    match.house("adjudicate B A C")
    match.log[-1] = (games.HOUSE, "adjudicate B A", "organiser")
    export = Match.export(match, "annulled") | {"ended": "adjudicated"}
    with pytest.raises(RulesViolated, match="doesn’t give every seat a place"):
        verify(export)


def test_an_unknown_edition_is_refused(finished):
    finished["card"]["edition"] = 99
    finished["card"]["digest"] = witness.Card(
        **{name: finished["card"][name] for name in ("match", "game", "edition", "variant", "commitment")},
        seats=tuple(finished["card"]["seats"]),
        words=tuple(finished["card"]["words"]),
    ).digest
    with pytest.raises(RulesError, match="don’t have edition 99 of Haricots"):
        verify(resealed(finished))


# ── what is no export ────────────────────────────────────────────────────────────────────────────


def test_a_running_match_must_not_reveal_its_secret(running):
    with pytest.raises(MalformedExport, match="doesn’t reveal its secret"):
        verify(running | {"secret": SECRET.hex()})


def test_an_ended_match_must_reveal_its_secret_and_open_every_line(finished):
    with pytest.raises(MalformedExport, match="its secret is missing"):
        verify(finished | {"secret": None})
    del finished["entries"][1]["line"], finished["entries"][1]["nonce"]
    finished["entries"][1]["heard"] = "shuffle …"
    with pytest.raises(MalformedExport, match="line 2 is still sealed"):
        verify(finished)


def every_part(value, path=()):
    """Yield the path of everything inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from every_part(item, (*path, key))


def parent(value, path):
    for key in path[:-1]:
        value = value[key]
    return value


JUNK: list[object] = [None, True, -3, 10**30, 1.5, "", "x", "\ud800", [], {}, [None], "0" * 64]


def test_any_damage_gets_a_verdict_or_a_rules_error(finished, running):
    """Remove each part of an export, then replace it with junk: no other error may occur."""
    for export in (running, finished):
        for path in every_part(export):
            if len(path) > 2 and path[0] == "entries" and path[1] > 2:
                continue
            for junk in JUNK:
                damaged = deepcopy(export)
                parent(damaged, path)[path[-1]] = junk
                refused_with_a_sentence(damaged)
            damaged = deepcopy(export)
            del parent(damaged, path)[path[-1]]
            refused_with_a_sentence(damaged)


def refused_with_a_sentence(export):
    with suppress(games.RulesError):
        verify(export)


@pytest.mark.parametrize("junk", [None, [], 7, "beanpost/1", {}, {"format": "beanpost/2"}])
def test_other_json_is_no_export(junk):
    with pytest.raises(MalformedExport):
        verify(junk)


# ── the command ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "export.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return str(path)

    return write


def test_the_command_prints_the_verdict(file, finished, running, capsys):
    assert main(["verify", file(running)]) == 0
    assert capsys.readouterr().out == "5 lines: 4 open, 1 sealed until the end.\n"
    assert main(["verify", file(finished)]) == 0
    assert "all open" in capsys.readouterr().out


def test_the_command_finds_the_line_of_a_digest_from_a_letter(file, running, capsys):
    path = file(running)
    assert main(["verify", path, "--head", running["entries"][2]["digest"].upper()]) == 0
    assert capsys.readouterr().out.endswith("This is the digest of line 3.\n")
    assert main(["verify", path, "--head", running["card"]["digest"]]) == 0
    assert capsys.readouterr().out.endswith("This is the digest of the card, before the first line.\n")
    assert main(["verify", path, "--head", "ab" * 32]) == 1
    assert capsys.readouterr().err == "This digest doesn’t belong to this match.\n"


def test_the_first_digits_find_a_line_but_do_not_prove_it():
    digests = ("a" * 64, "b" * 16 + "c" * 48, "b" * 16 + "d" * 48)
    found = Verdict(2, None, digests)
    assert str(found.find_digest("A" * 16)).startswith("The digest of line 0 begins like this. Only the whole digest")
    assert str(found.find_digest(digests[1])) == "This is the digest of line 1."
    vague = {"b" * 16: "More than one line", "a" * 15: "at least 16 digits", "e" * 16: "belong"}
    for digits, why in vague.items():
        with pytest.raises(HashMismatch, match=why):
            found.find_digest(digits)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"1" * 5_000, b"null", b'{"format": 1}'])
def test_the_command_refuses_junk_with_a_sentence(file, content, capsys):
    assert main(["verify", file(content)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith(".\n")


def test_the_command_says_when_there_is_no_such_file(tmp_path, capsys):
    assert main(["verify", str(tmp_path / "nowhere.json")]) == 1
    assert main(["verify", str(tmp_path)]) == 1
    assert "Can’t open" in capsys.readouterr().err
