"""Phrases of automatic replies, such as out-of-office messages, in many languages.

Phrases are compared as plain substrings of a normalised text (no case, no accents, no ligatures), never by regular
expressions, so that hostile input takes no longer than any other. Add a new phrase to one of the lists below, and a
sample of it to tests/post/returns/ or a subject to tests/post/reply_parser/test_automatic_mail.py.
"""

from __future__ import annotations

from functools import lru_cache

from games.contract.replies.spelling import normalise

LIGATURES = str.maketrans({"æ": "ae", "œ": "oe"})  # "fravaer" is as good as "fravær"
LONGEST_TEXT = 20_000  # characters that are searched


def normalise_all(*phrases: str) -> tuple[str, ...]:
    """Return the phrases in the form in which they are compared."""
    return tuple(normalise(phrase, LIGATURES) for phrase in phrases)


@lru_cache(maxsize=8)  # many questions are asked about the texts of one email
def normalise_start(text: str) -> str:
    return normalise(text[:LONGEST_TEXT], LIGATURES)


# Beginnings of the subjects of automatic replies. People's subjects begin with "Re:" or with their own words.
REPLY_SUBJECTS = normalise_all(
    # English
    "auto:", "auto reply", "auto-reply", "autoreply", "auto response", "auto-response", "autoresponse",
    "autoresponder", "auto answer", "automatic reply", "automatic response", "automatic answer", "automated reply",
    "automated response", "automatic e-mail reply", "automatic email reply", "automatically generated reply",
    "out of office", "out of the office", "out-of-office", "out-of-the-office", "ooo:", "oof:", "ooto:",
    "vacation reply", "vacation response", "vacation auto", "vacation notice", "vacation message",
    "vacation responder", "holiday reply", "away message", "away from my mail", "away from the office",
    "i am out of the office", "i'm out of the office", "i am currently out of", "i'm currently out of",
    "i am away from", "i'm away from", "absence notification", "yahoo! auto response",
    # French
    "réponse automatique", "réponse automatisée", "message automatique", "message d'absence",
    "notification d'absence", "avis d'absence", "absence du bureau", "absent du bureau", "absente du bureau",
    "absent(e) du bureau", "répondeur automatique", "répondeur d'absence", "hors du bureau",
    # German
    "automatische antwort", "automatische rückantwort", "automatische abwesenheit", "automatische e-mail-antwort",
    "autom. antwort", "auto-antwort", "autoantwort", "abwesenheitsnotiz", "abwesenheitsmeldung",
    "abwesenheitsnachricht", "abwesenheitsbenachrichtigung", "abwesenheitsassistent", "abwesenheitsinfo",
    "urlaubsnotiz", "urlaubsbenachrichtigung", "nicht im büro", "nicht im hause", "außer haus",
    # Spanish, Catalan, Basque, Galician
    "respuesta automática", "contestación automática", "respuesta de ausencia", "fuera de la oficina",
    "fuera de oficina", "ausente de la oficina", "mensaje automático", "aviso de ausencia", "resposta automàtica",
    "fora de l'oficina", "erantzun automatikoa",
    # Italian
    "risposta automatica", "risposta non al computer", "risposta da fuori sede", "fuori sede", "fuori ufficio",
    "fuori dall'ufficio", "assente dall'ufficio", "messaggio automatico", "avviso di assenza",
    # Dutch
    "automatisch antwoord", "automatische beantwoording", "automatische reactie", "automatisch bericht",
    "afwezigheidsbericht", "afwezigheidsmelding", "afwezigheidsassistent", "niet op kantoor", "buiten kantoor",
    # Portuguese
    "resposta automática", "mensagem automática", "ausência temporária", "ausente do escritório",
    "fora do escritório", "aviso de ausência",
    # Swedish, Danish, Norwegian, Finnish, Icelandic
    "autosvar", "automatiskt svar", "automatisk svar", "automatsvar", "autom. svar", "frånvaromeddelande",
    "frånvarobesked", "ej på kontoret", "inte på kontoret", "fraværsbesked", "fraværsmelding", "fraværsmeddelelse",
    "ikke på kontoret", "ikke til stede", "automaattinen vastaus", "automaattivastaus", "poissa toimistosta",
    "poissaoloilmoitus", "sjálfvirkt svar",
    # Polish, Czech, Slovak, Hungarian, Romanian
    "automatyczna odpowiedź", "odpowiedź automatyczna", "autoodpowiedź", "poza biurem", "informacja o nieobecności",
    "automatická odpověď", "mimo kancelář", "oznámení o nepřítomnosti", "automatická odpoveď", "automatikus válasz",
    "automatikus üzenet", "házon kívül", "irodán kívül", "răspuns automat", "în afara biroului",
    # Slovenian, Croatian, Serbian, Bulgarian, Greek, Turkish
    "samodejni odgovor", "automatski odgovor", "аутоматски одговор", "автоматичен отговор", "αυτόματη απάντηση",
    "εκτός γραφείου", "otomatik yanıt", "otomatik cevap", "otomatik ileti", "ofis dışında",
    # Estonian, Latvian, Lithuanian
    "automaatvastus", "automaatne vastus", "automātiskā atbilde", "automātiska atbilde", "automatinis atsakymas",
    # Russian, Ukrainian, Belarusian
    "автоответ", "автоматический ответ", "автоматическое уведомление", "вне офиса", "нет на месте",
    "нет на рабочем", "автовідповідь", "автоматична відповідь", "поза офісом", "аўтаматычны адказ",
    # Chinese, Japanese, Korean
    "自动回复", "自动答复", "自動回覆", "自動回復", "自動答覆", "外出自动", "不在办公室", "不在辦公室", "自動応答",
    "自動返信", "自動送信", "不在通知", "不在応答", "不在のお知らせ", "休暇通知", "자동 회신", "자동회신",
    "자동 응답", "자동응답", "자동 답장", "부재중", "부재 중",
    # Hebrew, Arabic, Persian, Vietnamese, Thai, Indonesian, Malay
    "תשובה אוטומטית", "מענה אוטומטי", "رد تلقائي", "الرد التلقائي", "پاسخ خودکار", "trả lời tự động",
    "thư trả lời tự động", "ตอบกลับอัตโนมัติ", "การตอบกลับอัตโนมัติ", "balasan otomatis", "jawaban otomatis",
    "balasan automatik",
)  # fmt: skip

# People begin subjects with these words too. They count only before a colon, or if nothing follows.
REPLY_HEADS = normalise_all(
    "on vacation", "on holiday", "on leave", "away", "vacation", "absence", "absent", "absente", "en congé",
    "en congés", "en vacances", "abwesend", "abwesenheit", "im urlaub", "urlaub", "ausente", "ausencia", "ausência",
    "de vacaciones", "assente", "assenza", "in ferie", "afwezig", "afwezigheid", "op vakantie", "frånvaro",
    "frånvarande", "på semester", "fravær", "fraværende", "på ferie", "poissa", "poissaolo", "lomalla",
    "nieobecność", "nieobecny", "na urlopie", "nepřítomnost", "szabadságon", "в отпуске", "отсутствую",
    "у відпустці", "izinde", "休假", "外出", "休暇",
)  # fmt: skip

# Lotus Notes and others name the person first; these words follow the name, and only dates may follow them.
AFTER_A_NAME = normalise_all(
    "is out of the office", "is out of office", "ist außer haus", "ist nicht im büro", "est absent du bureau",
)  # fmt: skip
AFTER_OUT_OF_OFFICE = ("", ".", "(", "until", "from", "till", "bis", "vom", "jusqu", "du ")
REPLY_PREFIXES = (
    "re:",
    "re :",
    "aw:",
    "sv:",
    "vs:",
    "antw:",
    "odp:",
    "rv:",
    "tr:",
    "fw:",
    "fwd:",
    "wg:",
    "回复:",
    "答复:",
)

# Parts of subjects. An automatic email with one of these says that its owner is away.
AWAY_SUBJECTS = normalise_all(
    "out of office", "out of the office", "on vacation", "on holiday", "on leave", "away from", "i am away",
    "i'm away", "auto reply", "automatic reply", "auto-reply", "autoreply", "absent", "absence",
    "réponse automatique", "en congé", "en vacances", "urlaub", "abwesen", "vacaciones", "ausente", "ausencia",
    "ausência", "in ferie", "assente", "assenza", "vakantie", "afwezig", "frånvar", "på semester", "fravær",
    "på ferie", "poissa", "lomalla", "na urlopie", "nieobecn", "dovolen", "szabadság", "отпуск", "отсутств",
    "відпустц", "izinde", "休假", "休暇", "不在",
)  # fmt: skip

# The same in the text, for emails that are not from a mail server and mention no failure.
AWAY_TEXTS = normalise_all(
    "out of the office", "out of office", "on vacation", "on holiday", "on annual leave", "on maternity leave",
    "i am away", "i'm away", "i am currently away", "limited access to my e", "i will be back", "i'll be back",
    "i will return", "this is an automatic reply", "this is an automated reply", "je suis absent",
    "je suis en congé", "je suis en vacances", "actuellement absent", "de retour le", "réponse automatique",
    "nicht im büro", "nicht im hause", "im urlaub", "bin abwesend", "bin ich abwesend", "automatische antwort",
    "fuera de la oficina", "de vacaciones", "estoy ausente", "respuesta automática", "fuori ufficio", "in ferie",
    "sono assente", "risposta automatica", "op vakantie", "afwezig", "niet op kantoor", "automatisch antwoord",
    "fora do escritório", "de férias", "resposta automática", "på semester", "på ferie", "lomalla", "na urlopie",
    "jestem nieobecn", "na dovolené", "szabadságon", "в отпуске", "буду отсутствовать", "у відпустці", "izindeyim",
    "ofis dışında", "休假", "自动回复", "休暇", "不在にして", "自動返信", "휴가",
)  # fmt: skip


def is_reply_subject(subject: str) -> bool:
    """Return whether the subject is that of an automatic reply.

    >>> [is_reply_subject(text) for text in ("Automatic reply: 7", "[Abwesenheitsnotiz] 7", "Frånvaro: 7")]
    [True, True, True]
    >>> [is_reply_subject(text) for text in ("Re: Automatic reply: 7", "Haricots: absence until May", "Away we go: 7")]
    [False, False, False]
    """
    text = normalise_start(subject).lstrip("*[(<\"'!#-_=«„“‹{ .")
    if text.startswith(REPLY_PREFIXES):
        return False
    head = text.partition(":")[0].rstrip("]) .!")
    if text.startswith(REPLY_SUBJECTS) or head in REPLY_HEADS:
        return True
    return any(names_person_first(text, phrase) for phrase in AFTER_A_NAME)


def names_person_first(subject: str, phrase: str) -> bool:
    """Return whether the subject says "Bob Brown is out of the office", followed at most by the dates."""
    _, found, after = subject.partition(phrase)
    return bool(found) and (after.strip() in AFTER_OUT_OF_OFFICE or after.strip().startswith(AFTER_OUT_OF_OFFICE[1:]))


def is_away_subject(subject: str) -> bool:
    """Return whether the subject of an automatic email says that its owner is away."""
    normalised = normalise_start(subject)
    return is_reply_subject(subject) or any(phrase in normalised for phrase in AWAY_SUBJECTS)


def is_away_text(text: str) -> bool:
    """Return whether the text of an email says that its owner is away."""
    normalised = normalise_start(text)
    return any(phrase in normalised for phrase in AWAY_TEXTS)
