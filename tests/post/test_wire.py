"""What a mail server is told, against the words of smtplib."""

from smtplib import SMTP, SMTPException
from types import SimpleNamespace

import pytest

from beanpost.post import wire

ANN, HOUSE = "ann@example.org", "post@beans.example"
LETTER = b"Subject: beans\n\nPlant one.\n"
ALL_IS_WELL = (250, 250, 354, 250)


class Scripted(SMTP):
    """A server that answers with these codes, and remembers what it was told."""

    def __init__(self, *codes: int, size: bool = True) -> None:
        super().__init__()
        self.ehlo_resp, self.does_esmtp, self.esmtp_features = b"beans", True, {"size": "100000"} if size else {}
        self.codes, self.told = [*codes, 250], b""
        self.sock = SimpleNamespace(gettimeout=lambda: None, settimeout=lambda seconds: None)

    def send(self, s) -> None:
        self.told += s if isinstance(s, bytes) else s.encode()

    def getreply(self) -> tuple[int, bytes]:
        return self.codes.pop(0), b"so it is"


@pytest.mark.parametrize("size", [True, False])
@pytest.mark.parametrize(
    "source", [LETTER, LETTER.rstrip(), LETTER + b"\n", LETTER + b".\n..\n.bean.\n", "Zoë\n".encode()]
)
def test_it_is_told_the_very_words_of_smtplib(source, size):
    theirs, ours = Scripted(*ALL_IS_WELL, size=size), Scripted(*ALL_IS_WELL, size=size)
    theirs.sendmail(HOUSE, ANN, source.replace(b"\n", b"\r\n"))
    wire.send(ours, HOUSE, ANN, source)
    assert ours.told == theirs.told


@pytest.mark.parametrize(
    "codes", [(550,), (451,), (250, 550), (250, 450), (250, 250, 554), (250, 250, 354, 552), (250, 250, 354, 451)]
)
def test_what_it_refuses_is_the_same_trouble_as_smtplibs(codes):
    theirs, ours = Scripted(*codes), Scripted(*codes)
    with pytest.raises(SMTPException) as usual:
        theirs.sendmail(HOUSE, ANN, LETTER.replace(b"\n", b"\r\n"))
    with pytest.raises(SMTPException) as trouble:
        wire.send(ours, HOUSE, ANN, LETTER)
    assert repr(trouble.value) == repr(usual.value)
    assert ours.told == theirs.told.removesuffix(b"rset\r\n")


@pytest.mark.parametrize(("source", "told"), [(LETTER, b""), ("Subject: Zoë\n".encode(), b" body=8bitmime")])
def test_a_server_that_takes_eight_bits_is_told_where_there_are_any(source, told):
    server = Scripted(*ALL_IS_WELL, size=False)
    server.esmtp_features["8bitmime"] = ""
    wire.send(server, HOUSE, ANN, source)
    assert server.told.startswith(b"mail FROM:<post@beans.example>" + told + b"\r\n")


def test_where_a_letter_is_sent_on_it_is_taken():
    wire.send(server := Scripted(250, 251, 354, 250), HOUSE, ANN, LETTER)
    assert server.told.endswith(b"Plant one.\r\n.\r\n")


def test_a_return_of_its_own_is_not_sent():
    wire.send(server := Scripted(*ALL_IS_WELL), HOUSE, ANN, b"Subject: beans\r\n\r\nPlant\r.\rone.\n\r.\r\n")
    assert server.told.endswith(b"data\r\nSubject: beans\r\n\r\nPlant.one.\r\n..\r\n.\r\n")


def test_an_address_cannot_say_more_than_an_address():
    with pytest.raises(ValueError, match="newline"):
        wire.send(Scripted(*ALL_IS_WELL), HOUSE, "ann@example.org>\r\nRCPT TO:<bob@example.org", LETTER)
