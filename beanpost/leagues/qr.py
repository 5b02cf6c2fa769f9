"""A QR code that the house draws by itself: what stands in it is shown to nobody else (ISO/IEC 18004).

A small part of the standard is enough for an address: bytes, correction level L, versions 1 to 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, product

Rows = list[list[bool]]  # dark or light, from the top
Spot = tuple[int, int]  # column and row

# version: blocks, bytes of data in each, bytes of correction in each
BLOCKS = {1: (1, 19, 7), 2: (1, 34, 10), 3: (1, 55, 15), 4: (1, 80, 20), 5: (1, 108, 26), 6: (2, 68, 18)}
BYTES, LEVEL_L, PADDING = "0100", 1, (0b11101100, 0b00010001)
MASKS: tuple[Callable[[int, int], int], ...] = (
    lambda x, y: (x + y) % 2,
    lambda x, y: y % 2,
    lambda x, y: x % 3,
    lambda x, y: (x + y) % 3,
    lambda x, y: (x // 3 + y // 2) % 2,
    lambda x, y: x * y % 2 + x * y % 3,
    lambda x, y: (x * y % 2 + x * y % 3) % 2,
    lambda x, y: ((x + y) % 2 + x * y % 3) % 2,
)
LIKE_A_CORNER = ("10111010000", "00001011101")


class TooLong(ValueError):
    pass


def draw(text: str) -> Rows:
    """The code of a text, with the mask that is easiest to read."""
    version, stream = in_blocks(text.encode())
    return min((drawn(version, stream, mask) for mask in range(len(MASKS))), key=disorder)


def path(rows: Rows) -> str:
    """The dark squares as SVG takes them, a run at a time.

    >>> path([[True, True, False, True]])
    'M0 0h2v1h-2zM3 0h1v1h-1z'
    """
    pieces = []
    for y, row in enumerate(rows):
        x = 0
        for dark, run in groupby(row):
            length = len(list(run))
            pieces += [f"M{x} {y}h{length}v1h-{length}z"] * dark
            x += length
    return "".join(pieces)


# ── the bytes ──


def in_blocks(data: bytes) -> tuple[int, bytes]:
    """The smallest version that holds the data, and its bytes with their correction, in turn from every block."""
    version = next((v for v, (blocks, size, _) in BLOCKS.items() if len(data) + 2 <= blocks * size), None)
    if version is None:
        raise TooLong
    blocks, size, spare = BLOCKS[version]
    bits = BYTES + "".join(f"{byte:08b}" for byte in (len(data), *data)) + "0000"
    filled = [int(bits[n : n + 8], 2) for n in range(0, len(bits), 8)]
    filled += [PADDING[n % 2] for n in range(blocks * size - len(filled))]
    parts = [filled[n * size : (n + 1) * size] for n in range(blocks)]
    in_turn = [*zip(*parts, strict=True), *zip(*(correction(part, spare) for part in parts), strict=True)]
    return version, bytes(byte for turn in in_turn for byte in turn)


def times(a: int, b: int) -> int:
    """In the field of 256 numbers that Reed and Solomon calculate with.

    >>> times(2, 128), times(3, 7)
    (29, 9)
    """
    product_ = 0
    for bit in range(7, -1, -1):
        product_ = (product_ << 1) ^ (product_ >> 7) * 0x11D ^ (b >> bit & 1) * a
    return product_


def correction(data: Sequence[int], count: int) -> list[int]:
    """What is left when the data are divided by (x − 1)(x − 2)(x − 4) …"""
    divisor, root = [1], 1
    for _ in range(count):
        divisor = [a ^ times(b, root) for a, b in zip([*divisor, 0], [0, *divisor], strict=True)]
        root = times(root, 2)
    rest = [*data, *[0] * count]
    for n in range(len(data)):
        first = rest[n]
        for k, factor in enumerate(divisor):
            rest[n + k] ^= times(factor, first)
    return rest[-count:]


# ── the squares ──


def drawn(version: int, stream: bytes, mask: int) -> Rows:
    size = 17 + 4 * version
    squares = fixed(version, size) | format_of(mask, size)
    bits = (byte >> bit & 1 for byte in stream for bit in range(7, -1, -1))
    for x, y in way(size):
        if (x, y) not in squares:
            squares[x, y] = bool(next(bits, 0)) ^ (MASKS[mask](x, y) == 0)
    return [[squares[x, y] for x in range(size)] for y in range(size)]


def fixed(version: int, size: int) -> dict[Spot, bool]:
    """What every code of a version has: corners, the dotted lines, and from version 2 on the small square."""
    squares = {spot: n % 2 == 0 for n in range(size) for spot in ((n, 6), (6, n))}
    for cx, cy in ((3, 3), (size - 4, 3), (3, size - 4)):
        for x, y in product(range(max(0, cx - 4), min(size, cx + 5)), range(max(0, cy - 4), min(size, cy + 5))):
            squares[x, y] = max(abs(x - cx), abs(y - cy)) not in {2, 4}
    if version > 1:
        for dx, dy in product(range(-2, 3), repeat=2):
            squares[size - 7 + dx, size - 7 + dy] = max(abs(dx), abs(dy)) != 1
    return squares


def format_of(mask: int, size: int) -> dict[Spot, bool]:
    """Level and mask, written twice, around the corners."""
    told = LEVEL_L << 3 | mask
    rest = told
    for _ in range(10):
        rest = (rest << 1) ^ (rest >> 9) * 0x537
    bits = (told << 10 | rest) ^ 0x5412
    once = [*((8, y) for y in (0, 1, 2, 3, 4, 5, 7, 8)), *((x, 8) for x in (7, 5, 4, 3, 2, 1, 0))]
    twice = [*((size - 1 - n, 8) for n in range(8)), *((8, size - 7 + n) for n in range(7))]
    squares = {spot: bool(bits >> n & 1) for spots in (once, twice) for n, spot in enumerate(spots)}
    return squares | {(8, size - 8): True}


def way(size: int) -> Iterator[Spot]:
    """The order in which squares are filled: two columns at a time, up and down, from the right."""
    rights = [x for x in range(size - 1, 0, -2) if x > 6] + [5, 3, 1]
    for n, right in enumerate(rights):
        for y in range(size) if n % 2 else range(size - 1, -1, -1):
            yield from ((right, y), (right - 1, y))


def disorder(rows: Rows) -> int:
    """How hard a code is to read: long runs, blocks, what looks like a corner, too much of one colour."""
    lines = ["".join("01"[dark] for dark in line) for line in (*rows, *zip(*rows, strict=True))]
    runs = sum(n - 2 for line in lines for _, run in groupby(line) if (n := len(list(run))) >= 5)
    squares = product(range(len(rows) - 1), repeat=2)
    blocks = sum(rows[y][x] == rows[y][x + 1] == rows[y + 1][x] == rows[y + 1][x + 1] for x, y in squares)
    corners = sum(line.startswith(LIKE_A_CORNER, n) for line in lines for n in range(len(line)))
    dark = sum(map(sum, rows)) / len(rows) ** 2
    return runs + 3 * blocks + 40 * corners + 10 * int(abs(dark - 0.5) * 20)
