"""The letter as it was sent: find the lines of a reply that were copied from it, however they are wrapped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile

from beanpost.post.reply_parser.html_to_text import convert_html

MARKER = "Reply above this line / Répondez au-dessus"  # the first line of a letter that can be answered
URL = re.compile(r"<?https?://\S+")  # mail programs break or rewrite these
QUOTED = re.compile(r"[“«]([^“”«»]{3,200})[”»]")  # example answers in a letter
ALIKE = str.maketrans({"“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "–": "-", "—": "-"})
QUOTING = (">", "|")
SIGNS = "".join(QUOTING) + " \t"
UNCOUNTED = re.compile(r"[>*|]")  # signs that mail programs put around quotations
SHORTEST = 8  # characters a line needs to be searched anywhere in the letter
LONG = 24  # characters from which a piece may end within a word
MAX_PLACES = 50
TAIL = 12  # characters before a piece that tell where in the letter it stands
END_OF_QUOTATION = 24  # characters at its end that must stand in the letter
FEWEST_QUOTED = 2  # lines by which a quotation is known to be of the letter


def normalise_words(text: str) -> list[str]:
    """Return the words in lower case and without links, ">" and other quoting signs, to compare them.

    >>> normalise_words("> > *Play* 2 on the “left” pile\\n> https://beans.example/move/x")
    ['play', '2', 'on', 'the', '"left"', 'pile']
    """
    plain = unicodedata.normalize("NFKC", URL.sub(" ", text)).translate(ALIKE).casefold()
    return UNCOUNTED.sub("", plain).split()


def is_quoted(line: str) -> bool:
    return line.lstrip().startswith(QUOTING)


@dataclass(frozen=True)
class Copy:
    """One text of the letter without spaces, and the positions where its words end."""

    text: str
    ends: frozenset[int]

    @classmethod
    def from_text(cls, text: str) -> Copy:
        words, ends, at = normalise_words(text), {0}, 0
        for word in words:
            at += len(word)
            ends.add(at)
        return cls("".join(words), frozenset(ends))

    def find_ends(self, piece: str, starts: Sequence[int]) -> list[int]:
        """Return where a piece that begins at one of these positions ends in the letter."""
        found = (start + len(piece) for start in starts if self.text.startswith(piece, start))
        return [end for end in found if end in self.ends or len(piece) >= LONG]

    def find_starts(self, piece: str) -> list[int]:
        """Return where a piece begins in the letter, if it is long enough to be searched."""
        if len(piece) < SHORTEST:
            return []
        found = (at for at in self.find_all(piece) if at in self.ends or len(piece) >= LONG)
        return [*islice(found, MAX_PLACES)]

    def goes_on(self, before: str, piece: str) -> bool:
        """Return whether a piece continues the text before it, anywhere in the letter."""
        tail = before[-TAIL:]
        return any(at + len(tail + piece) in self.ends for at in self.find_all(tail + piece))

    def leads_to(self, piece: str, after: str) -> bool:
        """Return whether a piece stands somewhere in the letter before the beginning of the text after it."""
        return any(at in self.ends for at in self.find_all(piece + after[:TAIL]))

    def find_all(self, piece: str) -> Iterator[int]:
        """Yield every place of a piece in the letter."""
        at = self.text.find(piece)
        while at >= 0:
            yield at
            at = self.text.find(piece, at + 1)

    def iter_runs(self, pieces: Sequence[str]) -> Iterator[list[int]]:
        """Yield runs of line numbers whose lines follow each other in the letter; ignore blank lines."""
        run: list[int] = []
        ends: list[int] = []
        for n, piece in enumerate(pieces):
            if not piece:
                continue
            if following := self.find_ends(piece, ends):
                run.append(n)
            else:
                yield run
                following = self.find_ends(piece, self.find_starts(piece))
                run = [n] if following else []
            ends = following
        yield run


class SentLetter:
    """The texts of a letter, and the answers it prints, which the writer may copy."""

    def __init__(self, texts: Sequence[str] = (), answers: Sequence[str] = ()) -> None:
        self.copies = [Copy.from_text(text) for text in texts if text.strip()]
        examples = [example for text in texts for example in QUOTED.findall(" ".join(text.split()))]
        self.answers = {"".join(normalise_words(answer)) for answer in (*answers, *examples)}

    def find_copied_lines(self, lines: Sequence[str]) -> tuple[set[int], set[int]]:
        """Return the numbers of the lines that come from the letter, and of those that a mail program must have quoted.

        Several lines in the letter's order are a quotation. A single answer, even a wrapped one, may be copied by the
        writer, unless a part of it begins with ">".
        """
        words = ["".join(normalise_words(line)) for line in lines]
        runs = [run for copy in self.copies for run in copy.iter_runs(words) if run]
        quoted = {n for n, line in enumerate(lines) if is_quoted(line)}
        copied = [run for run in runs if quoted.isdisjoint(run) and self.is_copied_answer([words[n] for n in run])]
        certain = [run for run in runs if len(run) > 1 and run not in copied]
        links = {n for n, line in enumerate(lines) if line and not words[n]}
        return links.union(*runs), links.union(*certain)

    def find_lines_below_quotation(
        self, lines: Sequence[str], copied: Collection[int], broken: Collection[int]
    ) -> set[int]:
        """Return the numbers of those lines below a quotation of the letter that are the writer's all the same.

        They are the only answer of the letter that stands unquoted there, and what stands directly below the last
        quoted line.
        """
        words = ["".join(normalise_words(line)) for line in lines]
        quoted = [n for n, line in enumerate(lines) if words[n] and is_quoted(line)]
        if len({*quoted}.intersection(copied)) < FEWEST_QUOTED:
            return set()
        unquoted = [n for n in range(len(lines)) if n not in quoted]
        stray = [n for n in unquoted if words[n] and (n in copied or n in broken or words[n] in self.answers)]
        found: set[int] = set()
        if stray and stray[0] > quoted[0] and len(stray) == stray[-1] - stray[0] + 1:
            is_whole = not {*stray}.intersection(broken)
            found = {*stray} if is_whole and "".join(words[n] for n in stray) in self.answers else set()
        directly = [*takewhile(lambda n: lines[n].strip(), range(quoted[-1] + 1, len(lines)))]
        quotation = "".join(words[n] for n in quoted)
        if (
            directly
            and not any(is_quoted(lines[n]) for n in directly)
            and found.issuperset(stray)
            and self.is_end_known(lines[quoted[-1]], quotation)
            and words[directly[0]]
            and directly[0] not in broken
        ):
            found.update(directly)
        return found

    def find_broken_lines(self, lines: Sequence[str]) -> set[int]:
        """Return the numbers of unquoted lines beside a quoted one that continue the letter's text.

        A quoted line was broken there, by a mail program or by hand. But if the quoted lines above and below follow
        each other in the letter, no piece is missing, and the text between them is the writer's.
        """
        words = ["".join(normalise_words(line)) for line in lines]
        quoted = [n for n, line in enumerate(lines) if is_quoted(line) and line.strip(SIGNS)]
        known = [n for n in quoted if any(words[n] in copy.text for copy in self.copies)]
        found: set[int] = set()
        for above, below in pairwise([-1, *quoted, len(lines)]):
            between = [n for n in range(above + 1, below) if words[n]]
            before = "".join(words[n] for n in quoted if n <= above)
            after = "".join(words[n] for n in quoted if n >= below)
            if not between or self.is_complete(before, "".join(words[n] for n in between), after):
                continue
            text = find_nearest(words[n] for n in reversed(known) if n <= above)
            for n in between:
                if not self.goes_on(text, words[n]):
                    break
                found.add(n)
                text = f"{text}{words[n]}"
            text = find_nearest(words[n] for n in known if n >= below)
            for n in reversed(between):
                if not self.leads_to(words[n], text):
                    break
                found.add(n)
                text = f"{words[n]}{text}"
        return found

    def is_complete(self, before: str, piece: str, after: str) -> bool:
        """Return whether two quoted texts follow each other in the letter, and nowhere with the piece between them."""
        before, after = before[-END_OF_QUOTATION:], after[:END_OF_QUOTATION]
        return min(len(before), len(after)) >= TAIL and (
            any(before + after in copy.text for copy in self.copies)
            and not any(before[-TAIL:] + piece + after[:TAIL] in copy.text for copy in self.copies)
        )

    def goes_on(self, before: str | None, piece: str) -> bool:
        return before is not None and any(copy.goes_on(before, piece) for copy in self.copies)

    def leads_to(self, piece: str, after: str | None) -> bool:
        return after is not None and any(copy.leads_to(piece, after) for copy in self.copies)

    def is_end_known(self, last_line: str, quotation: str) -> bool:
        """Return whether a quotation ends with a text of the letter, and not with a link, which may be broken."""
        return not URL.search(last_line) and any(quotation[-END_OF_QUOTATION:] in copy.text for copy in self.copies)

    def is_copied_answer(self, run: Sequence[str]) -> bool:
        """Return whether these lines are answers that the letter prints, or a part of one."""
        whole = "".join(run)
        return all(piece in self.answers for piece in run) or any(whole in answer for answer in self.answers)


def find_nearest(texts: Iterable[str]) -> str | None:
    """Return the first text; "" if there are only links, None if there is nothing."""
    nearest = None
    for nearest in texts:
        if nearest:
            break
    return nearest


def build_sent_letter(text: str, html: str, printed: Sequence[tuple[str, str]]) -> SentLetter:
    """Return a letter as sent; `printed` holds the mark and the label of each answer. An erased letter is empty."""
    answers = [answer for mark, label in printed for answer in (label, f"{mark}. {label}", f"{mark} {label}")]
    return SentLetter([text, convert_html(html)], answers)
