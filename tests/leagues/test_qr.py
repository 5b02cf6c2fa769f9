"""The QR code of a second factor, square by square as another program draws it (the library qrcode 8.2)."""

from hashlib import sha256

import pytest

from beanpost.leagues import qr

LINK = "otpauth://totp/Beanpost:olga?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Beanpost"
LINK_IN_MASK_6 = """
1fd33d687f 104c1a8541 174536e95d 174118395d 174a74e55d 10453c6441 1fd555557f 16b15900 1b4e988741 58990423e 1cdea47339
7af8b238d 16d3a1a669 73cf20396 1243af8e4f abe313277 7cc70e147 1d33e993a2 8da2b6229 142d7218b1 1279dbafe9 8386446ba
84168e3e5 885a4637 1a40e2bb69 1c293103be 1d6c7f13e3 1391e5245e 114306e1f4 1e21e11e 1fc9ea395d 1046803f19 175ab29ffb
175da4466b 1746b53935 105f8f448f 1fd7b29991
"""
SMALL = """
055820a9d70badee 33794ad7bea5917b 954634df67122334 1ed4faf18d640941
9cd8cc35d58d129a b26522e2e023370b 035f2dae4085a3e7 2f2bb73adbb8dedb
"""
LARGE = """
fcf6199d8b88b33d 7eb94441ef48bc0a 8bea03b08cf07955 7a8f9226d1f772f1
1cefa17fe3143773 0dea8f3f0e79f39f 3d30022aa441bfb7 bae3f9ee0786a0ce
"""


def line(row):
    return "".join("01"[dark] for dark in row)


def test_the_link_of_a_second_factor():
    rows = qr.drawn(*qr.in_blocks(LINK.encode()), 6)
    assert [f"{int(line(row), 2):x}" for row in rows] == LINK_IN_MASK_6.split()


@pytest.mark.parametrize(("text", "fingerprints"), [("A bean.", SMALL), ("x" * 134, LARGE)])
def test_the_smallest_and_the_largest_in_every_mask(text, fingerprints):
    version, stream = qr.in_blocks(text.encode())
    drawn = ["".join(map(line, qr.drawn(version, stream, mask))) for mask in range(8)]
    assert [sha256(squares.encode()).hexdigest()[:16] for squares in drawn] == fingerprints.split()


def test_the_mask_is_the_one_that_is_read_most_easily():
    version, stream = qr.in_blocks(LINK.encode())
    every = [qr.drawn(version, stream, mask) for mask in range(8)]
    assert qr.draw(LINK) in every
    assert qr.disorder(qr.draw(LINK)) == min(map(qr.disorder, every))


def test_what_is_too_long_is_not_drawn():
    with pytest.raises(qr.TooLong):
        qr.draw("x" * 135)
