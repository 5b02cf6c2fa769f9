"""The letter that is answered, as it was sent: what of a reply is a piece of it, however it was wrapped again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

URL = re.compile(r"<?https?://\S+")  # mail programs break these anywhere, or wrap them in addresses of their own
QUOTED = re.compile(r"[“«]([^“”«»]{3,200})[”»]")  # what a letter gives as an example of an answer
ALIKE = str.maketrans({"“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "–": "-", "—": "-"})
UNCOUNTED = re.compile(r"[>*|]")  # signs that mail programs put before or around what they quote
SHORTEST = 8  # characters of a line that is looked for anywhere in the letter
LONG = 24  # characters of a piece that may end within a word
MOST_PLACES = 50


def squeezed(text: str) -> list[str]:
    """The words as they are compared: without signs of quotation, and without case.

    >>> squeezed("> > *Play* 2 on the “left” pile\\n> https://beans.example/m/x")
    ['play', '2', 'on', 'the', '"left"', 'pile']
    """
    plain = unicodedata.normalize("NFKC", URL.sub(" ", text)).translate(ALIKE).casefold()
    return UNCOUNTED.sub("", plain).split()


@dataclass(frozen=True)
class Copy:
    """One text of the letter in a row, without spaces, and where its words end."""

    text: str
    ends: frozenset[int]

    @classmethod
    def of(cls, text: str) -> Copy:
        words, ends, at = squeezed(text), {0}, 0
        for word in words:
            at += len(word)
            ends.add(at)
        return cls("".join(words), frozenset(ends))

    def after(self, piece: str, places: Sequence[int]) -> list[int]:
        """Where the letter goes on behind a piece that begins at one of these places."""
        found = (place + len(piece) for place in places if self.text.startswith(piece, place))
        return [end for end in found if end in self.ends or len(piece) >= LONG]

    def places(self, piece: str) -> list[int]:
        """Where a piece begins that is long enough to be looked for anywhere."""
        found: list[int] = []
        at = self.text.find(piece) if len(piece) >= SHORTEST else -1
        while at >= 0 and len(found) < MOST_PLACES:
            if at in self.ends or len(piece) >= LONG:
                found.append(at)
            at = self.text.find(piece, at + 1)
        return found

    def runs(self, pieces: Sequence[str]) -> Iterator[list[int]]:
        """The numbers of the lines that stand in the letter one behind the other; blank ones do not count."""
        run: list[int] = []
        ends: list[int] = []
        for n, piece in enumerate(pieces):
            if not piece:
                continue
            if following := self.after(piece, ends):
                run.append(n)
            else:
                yield run
                following = self.after(piece, self.places(piece))
                run = [n] if following else []
            ends = following
        yield run


class SentLetter:
    """What was sent: its texts, and the answers it printed, which the writer may copy."""

    def __init__(self, texts: Sequence[str] = (), answers: Sequence[str] = ()) -> None:
        self.copies = [Copy.of(text) for text in texts if text.strip()]
        examples = [example for text in texts for example in QUOTED.findall(" ".join(text.split()))]
        self.answers = {"".join(squeezed(answer)) for answer in (*answers, *examples)}

    def pieces(self, lines: Sequence[str]) -> tuple[set[int], set[int]]:
        """The numbers of the lines that are pieces of the letter; and of those that cannot be a copied answer either.

        Several lines in the order of the letter were quoted by a program. One answer alone, even if it is wrapped,
        may have been copied by a person, unless a part of it has a sign of quotation.
        """
        words = ["".join(squeezed(line)) for line in lines]
        runs = [run for copy in self.copies for run in copy.runs(words) if run]
        signed = {n for n, line in enumerate(lines) if line.lstrip().startswith(">")}
        copied = [run for run in runs if signed.isdisjoint(run) and self.is_copied([words[n] for n in run])]
        certain = [run for run in runs if len(run) > 1 and run not in copied]
        links = {n for n, line in enumerate(lines) if line and not words[n]}
        return links.union(*runs), links.union(*certain)

    def is_copied(self, run: Sequence[str]) -> bool:
        whole = "".join(run)
        return all(piece in self.answers for piece in run) or any(whole in answer for answer in self.answers)
