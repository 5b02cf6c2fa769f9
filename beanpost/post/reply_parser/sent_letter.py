"""The letter as it was sent: find the lines of a reply that were copied from it, however they are wrapped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

URL = re.compile(r"<?https?://\S+")  # mail programs break or rewrite these
QUOTED = re.compile(r"[“«]([^“”«»]{3,200})[”»]")  # example answers in a letter
ALIKE = str.maketrans({"“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "–": "-", "—": "-"})
UNCOUNTED = re.compile(r"[>*|]")  # signs that mail programs put around quotations
SHORTEST = 8  # characters a line needs to be searched anywhere in the letter
LONG = 24  # characters of a piece that may end within a word
MOST_PLACES = 50


def squeezed(text: str) -> list[str]:
    """Return the words in the form in which they are compared: without ">" and other quoting signs, without case.

    >>> squeezed("> > *Play* 2 on the “left” pile\\n> https://beans.example/m/x")
    ['play', '2', 'on', 'the', '"left"', 'pile']
    """
    plain = unicodedata.normalize("NFKC", URL.sub(" ", text)).translate(ALIKE).casefold()
    return UNCOUNTED.sub("", plain).split()


@dataclass(frozen=True)
class Copy:
    """One text of the letter without spaces, and the positions where its words end."""

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
        """Return the ends of a piece in the letter, given where it may begin."""
        found = (place + len(piece) for place in places if self.text.startswith(piece, place))
        return [end for end in found if end in self.ends or len(piece) >= LONG]

    def places(self, piece: str) -> list[int]:
        """Return where a piece begins in the letter, if it is long enough to be searched."""
        found: list[int] = []
        at = self.text.find(piece) if len(piece) >= SHORTEST else -1
        while at >= 0 and len(found) < MOST_PLACES:
            if at in self.ends or len(piece) >= LONG:
                found.append(at)
            at = self.text.find(piece, at + 1)
        return found

    def runs(self, pieces: Sequence[str]) -> Iterator[list[int]]:
        """Yield runs of line numbers whose lines follow each other in the letter; ignore blank lines."""
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
    """The letter's texts, and the answers it printed, which the writer may copy."""

    def __init__(self, texts: Sequence[str] = (), answers: Sequence[str] = ()) -> None:
        self.copies = [Copy.of(text) for text in texts if text.strip()]
        examples = [example for text in texts for example in QUOTED.findall(" ".join(text.split()))]
        self.answers = {"".join(squeezed(answer)) for answer in (*answers, *examples)}

    def pieces(self, lines: Sequence[str]) -> tuple[set[int], set[int]]:
        """Return the numbers of the lines that come from the letter, and of those among them that cannot be a copied
        answer.

        A mail program has quoted several lines that keep the letter's order. A person may have copied a single answer,
        even a wrapped one, unless part of it begins with ">".
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
