"""Find where a mail program begins to quote: by a line "On … wrote:", a block of headers, or "Original Message".

The words are those of common mail programs in many languages, not only ours. Every pattern is anchored or searches for
a plain word, and lines are cut short first, so that no line takes long.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST = 300  # characters of an introduction, after joining wrapped lines
MAX_WRAPPED = 3  # lines that one introduction may take
MAX_HEADERS = 8  # lines that hold the headers of a quoted email

COLON = (":", "：", "︰")
SIGNS = re.compile(r"[\s>*|]+")  # at the beginning of a line

# "wrote", which mail programs put between name and colon, or before the name.
WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|geschrieben|(?:a|avez) écrit|escribió|escribiste|(?:ha|hai) scritto|schreef|geschreven|"
    r"napisała?|napisał\(a\)|napisana|pisze|пишете?|пишет|написала?|написал\(а\)|пише|написав|написав\(-?ла\)|"
    r"escreveu|skrev|napsala?|napsal\(a\)|napísal|kirjoitti|yazdı|írta|a scris|έγραψε|va escriure|je napisao|"
    r"je napisal)(?!\w)|写道|写到|寫道|寫到|のメール|書きました|님이 작성|님이 씀",
    re.I,
)
# How an introduction begins; the year or the time may be on the next line.
BEGINS = re.compile(r"(?:on|at|am|le|el|il|op|w dniu|dnia|em|den|dne|dňa|στις|în|在|于|於)\s", re.I)
DIGIT = re.compile(r"[0-9]")
DATED = re.compile(r"(?:19|20)[0-9]{2}(?![0-9])|[0-9]{1,2}[:.h][0-9]{2}(?![0-9])")

# "-----Original Message-----" in any language: words between dashes.
DIVIDER = re.compile(r"[-—–_]{3,60}\s{0,4}([^-—–_\d]{3,60}?)\s{0,4}[-—–_]{3,60}")

FROM = """
    from|von|de|da|van|od|от|от кого|від|від кого|发件人|發件人|寄件者|寄件人|差出人|送信者|från|fra|lähettäjä|kimden|
    feladó|보낸 사람|de la|από|expéditeur|remitente|mittente|afzender|absender|nadawca|odesílatel|відправник|отправитель
"""
OTHERS = """
    sent|date|to|cc|subject|reply-to|gesendet|datum|an|kopie|betreff|envoyé|envoyé le|à|objet|enviado|enviado el|
    enviada em|enviada|fecha|para|asunto|inviato|data|a|oggetto|verzonden|aan|onderwerp|wysłano|wysłane|do|dw|temat|
    отправлено|дата|кому|копия|тема|надіслано|копія|发送时间|日期|收件人|抄送|主题|發送時間|寄件日期|傳送時間|收件者|
    副本|主旨|主題|送信日時|日付|宛先|件名|assunto|skickat|till|ämne|sendt|til|emne|dato|odesláno|komu|předmět|lähetetty|
    päivämäärä|vastaanottaja|aihe|gönderildi|tarih|kime|konu|elküldve|dátum|címzett|tárgy|보낸 날짜|날짜|받는 사람|제목|
    trimis|către|subiect|στάλθηκε|προς|θέμα|answer to|odpowiedź do|antwort an
"""
LABEL = re.compile(r"([^\W\d_][\w .'’-]{0,24}?)\s?(?::(?:[\s*\"<]|$)|：)")
LABEL_WITHOUT_SPACE = re.compile(r"([^\x00-\x7f]{2,8})\s?[:：]")  # Chinese, Japanese and Korean need no space


def split_labels(text: str) -> frozenset[str]:
    """Return the labels in a text that separates them by bars."""
    return frozenset(" ".join(label.split()) for label in text.split("|"))


FROM_LABELS, LABELS = split_labels(FROM), split_labels(FROM) | split_labels(OTHERS)


def find_first_quoted(lines: Sequence[str]) -> int:
    """Return the number of the first line of a quotation, or the number of lines if there is none.

    >>> find_first_quoted(["7", "", "Am 16.11.26 um 13:05 schrieb Beanpost:", "It is your turn."])
    2
    >>> find_first_quoted(["7", "", "El lun, 16 nov 2026 a las 13:05, Beanpost (<", "post@beans.example>) escribió:"])
    2
    >>> find_first_quoted(["7", "Von: Beanpost", "Gesendet: Montag", "An: Bob", "Betreff: Haricots"])
    1
    >>> find_first_quoted(["7", 'Von:"Beanpost" <post@beans.example>', "Gesendet: Montag", "An: Bob"])
    1
    >>> find_first_quoted(["7", "-----Ursprüngliche Nachricht-----"]), find_first_quoted(["I pass: see you", "To: all"])
    (1, 2)
    """
    bare = [strip_quote_signs(line[:LONGEST]) for line in lines]
    for n, line in enumerate(bare):
        if line.endswith(COLON) and (start := find_introduction(bare, n)) is not None:
            return start
        if DIVIDER.fullmatch(line) or is_start_of_headers(bare, n):
            return n
    return len(bare)


def strip_quote_signs(line: str) -> str:
    """Return the line without the signs of a quotation before it."""
    signs = SIGNS.match(line)
    return " ".join(line[signs.end() if signs else 0 :].rstrip(" *").split())


def find_introduction(lines: Sequence[str], end: int) -> int | None:
    """Return the number of the first line of the introduction that ends with line `end`, or None if there is none.

    A line above is part of it only if it holds a date; otherwise it may be the reply.
    """
    for start in range(max(0, end - MAX_WRAPPED + 1), end + 1):
        wrapped = lines[start:end]
        if (
            all(wrapped)
            and (start == end or is_dated(lines[start]))
            and is_introduction(" ".join(lines[start : end + 1]))
        ):
            return start
    return None


def is_dated(line: str) -> bool:
    """Return whether the line holds a date, or the beginning of one."""
    return bool(DATED.search(line) or (BEGINS.match(line) and DIGIT.search(line)))


def is_introduction(text: str) -> bool:
    """Return whether a text that ends with a colon introduces a quotation.

    It has a verb such as "wrote", or a date and an address, since Gmail uses no verb in Russian and Japanese.
    """
    if len(text) > LONGEST:
        return False
    words = text.rstrip(" ".join(COLON))
    if verb := WROTE.search(words):
        return bool(DIGIT.search(words) or "@" in words or verb.end() == len(words))
    return "@" in words and bool(DATED.search(words))


def is_start_of_headers(lines: Sequence[str], n: int) -> bool:
    """Return whether the headers of a quoted email begin here: at least three, one of them the sender's.

    The sender comes first; only GMX puts the date before it.
    """
    first = find_label(lines[n])
    if first not in LABELS or not FROM_LABELS & {first, *map(find_label, lines[n + 1 : n + 2])}:
        return False
    return len({find_label(line) for line in lines[n : n + MAX_HEADERS]} & LABELS) >= 3


def find_label(line: str) -> str:
    """Return the label before the colon of a header line, or "".

    >>> [find_label(line) for line in ("Gesendet: Montag, 16. November", "发件人：Beanpost", "pass", "7: pass")]
    ['gesendet', '发件人', '', '']
    """
    found = LABEL.match(line) or LABEL_WITHOUT_SPACE.match(line)
    return found[1].strip().lower() if found else ""
