"""Phrases of automatic emails and of mail servers' reports, in many languages.

Phrases are compared as plain substrings of a normalised text (no case, no accents), never by regular expressions, so
that hostile input takes no longer than any other. Add a new phrase to one of the lists below, and a sample of it to
tests/post/returns/ or a subject to tests/post/reply_parser/test_automatic_mail.py.
"""

from __future__ import annotations

from games.contract.replies.spelling import normalise

LONGEST_TEXT = 20_000  # characters that are searched; the rest is the returned letter


def normalise_all(*phrases: str) -> tuple[str, ...]:
    """Return the phrases in the form in which they are compared."""
    return tuple(normalise(phrase) for phrase in phrases)


# ── automatic replies ──

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
    text = normalise(subject[:LONGEST_TEXT]).lstrip("*[(<\"'!#-_=«„“‹{ .")
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
    normalised = normalise(subject[:LONGEST_TEXT])
    return is_reply_subject(subject) or any(phrase in normalised for phrase in AWAY_SUBJECTS)


def is_away_text(text: str) -> bool:
    """Return whether the text of an email says that its owner is away."""
    normalised = normalise(text[:LONGEST_TEXT])
    return any(phrase in normalised for phrase in AWAY_TEXTS)


# ── reports of mail servers ──

# Senders of reports, in the From header.
SERVERS = (
    "mailer-daemon", "mailer_daemon", "mailerdaemon", "mail-daemon", "maildaemon", "mdaemon", "postmaster",
    "mail delivery", "mail-delivery", "maildelivery", "system administrator", "mail administrator", "mail system",
    "mailsystem", "bounce", "delivery subsystem", "delivery-subsystem", "delivery service", "microsoft exchange",
)  # fmt: skip

# Beginnings of the subjects of reports.
REPORT_SUBJECTS = normalise_all(
    "undeliverable", "undelivered mail", "undelivered message", "delivery status notification", "delivery failure",
    "delivery notification", "delivery report", "mail delivery failed", "mail delivery failure",
    "mail delivery system", "message delivery failure", "returned mail", "failure notice", "delivery delayed",
    "delayed mail", "non remis", "échec de la remise", "unzustellbar", "nicht zustellbar",
)  # fmt: skip

DELAY_SUBJECTS = normalise_all(
    "delayed", "(delay", "delay)", "delivery delay", "delay notification", "still being retried",
    "warning: message", "warning: could not", "warning: cannot", "returned mail: warning", "still undelivered",
    "not yet delivered", "not yet been delivered", "deferral notice", "deferred", "delivery incomplete",
    "warning-timeout", "verzögert", "verzögerung", "noch nicht zugestellt", "retardé", "remise retard",
    "remise différée", "retard de", "retrasad", "entrega retras", "demorad", "aplazad", "in ritardo", "ritardat",
    "consegna ritard", "vertraagd", "vertraging", "opóźnion", "opóźnienie", "atrasad", "entrega atras", "adiada",
    "försenad", "fördröj", "forsinket", "forsinkelse", "viivästy", "zpožděn", "opožděn", "késleltet", "késik",
    "задерж", "отложен", "затрим", "відкладен", "延迟", "延遲", "延误", "遅延", "配信遅れ", "지연", "gecik",
    "ertelen",
)  # fmt: skip

DELAY_TEXTS = normalise_all(
    "will keep trying", "will continue trying", "will continue to try", "will continue to attempt", "keep retrying",
    "will try again", "will retry", "will be retried", "be retried until", "still being retried",
    "attempts will continue", "attempts will be made", "attempts to deliver the message will continue",
    "continue to be made", "will be attempted again", "no action is required", "warning message only",
    "this is a warning only", "still awaiting delivery", "this is only a warning", "this is just a warning",
    "is an advisory-only", "do not need to resend", "don't need to resend", "need not resend",
    "not need to send it again", "not yet been delivered", "not yet delivered", "not been delivered yet",
    "not be delivered yet", "not been able to deliver your message yet", "has been delayed", "delivery is delayed",
    "delivery delayed", "still undelivered", "has been postponed", "transient non-fatal errors",
    "temporary problem delivering", "delivery incomplete", "remains in the queue", "is still in the queue",
    # German
    "noch nicht zugestellt", "noch nicht ausgeliefert", "wird weiterhin versucht", "wird weiter versucht",
    "weiterhin versuchen", "erneut versucht", "weitere zustellversuche", "weiteren zustellversuche",
    "wurde verzögert", "verzögert sich", "nur eine warnung", "lediglich eine warnung", "nichts unternehmen",
    # French
    "n'a pas encore pu", "n'a pas encore été", "pas encore été remis", "pas encore été distribué", "a été retardé",
    "est retardé", "nouvelles tentatives", "sera retenté", "seront effectuées", "continuera à", "continuerons à",
    "essaiera à nouveau", "réessaiera", "simple avertissement", "aucune action n'est requise",
    "aucune action de votre part",
    # Spanish, Italian, Dutch, Portuguese
    "aún no se ha entregado", "todavía no se ha", "aún no ha sido", "seguirá intentando", "seguiremos intentando",
    "volverá a intentar", "se ha retrasado", "se reintentará", "non è stato ancora", "non è ancora stato",
    "ulteriori tentativi", "verrà ritentat", "è in ritardo", "continuerà a tentare", "nog niet bezorgd",
    "nog niet afgeleverd", "opnieuw geprobeerd", "blijven proberen", "is vertraagd", "ainda não foi entregue",
    "ainda não pôde", "tentará novamente", "continuará tentando", "novas tentativas", "está atrasad",
    # Polish, Czech, Hungarian
    "jeszcze nie została", "jeszcze nie dostarczono", "kolejne próby", "zostanie ponowion", "opóźnion",
    "dosud nebyla", "dosud nebyl", "bude opakován", "zpožděn", "még nem kézbesít", "késleltet", "újra megpróbál",
    # Swedish, Danish, Norwegian, Finnish
    "ännu inte levererats", "fortsätta att försöka", "har försenats", "endnu ikke leveret", "ennå ikke levert",
    "er forsinket", "prøve igen", "prøve igjen", "ei ole vielä", "yritetään uudelleen", "viivästynyt",
    # Russian, Ukrainian, Turkish
    "пока не доставлен", "ещё не доставлен", "еще не доставлен", "попытки доставки будут", "будут повторяться",
    "повторные попытки", "доставка задерж", "ще не доставлен", "буде повторен", "повторні спроби", "henüz teslim",
    "yeniden denenecek", "tekrar denenecek", "gecikti",
    # Chinese, Japanese, Korean
    "尚未送达", "尚未投递", "将继续尝试", "稍后重试", "已延迟", "尚未送達", "將繼續嘗試", "まだ配信されて",
    "配信が遅れて", "再送を試み", "再送信を試み", "配信が遅延", "아직 배달되지", "다시 시도",
)  # fmt: skip

# A report with one of these is final, even if it describes earlier attempts.
FINAL_TEXTS = normalise_all(
    "given up", "giving up", "gave up", "not going to try again", "will not be retried", "won't be retried",
    "will not try again", "won't try again", "no further attempts", "no more attempts", "stopped trying",
    "permanent error", "permanent fatal error", "failed permanently", "permanent failure", "permanently failed",
    "permanently rejected", "will be deleted from queue", "is being returned", "has been returned",
    "message is returned", "endgültig", "dauerhafter fehler", "permanenter fehler", "nicht erneut versucht",
    "erreur permanente", "définitive", "error permanente", "errore permanente", "permanente fout",
    "erro permanente", "постоянная ошибка", "永久",
)  # fmt: skip

FAILURES = normalise_all(
    "undeliver", "nondeliver", "non-deliver", "non deliver", "not deliver", "delivery fail", "delivery has failed",
    "delivery error", "delivery problem", "delivery unsuccessful", "unsuccessful delivery", "failed delivery",
    "failed to deliver", "failure notice", "failure notification", "failure delivery", "(failure)", "mail failure",
    "mail error", "mail system error", "returned mail", "mail returned", "message returned", "returned message",
    "returning message", "returned to sender", "return to sender", "could not be deliver", "couldn't be deliver",
    "cannot be deliver", "can't be deliver", "could not deliver", "couldn't deliver", "can not be deliver",
    "cannot deliver", "unable to deliver", "wasn't able to deliver", "was not able to deliver",
    "not able to deliver", "did not reach", "not reach the following", "wasn't delivered", "user unknown",
    "unknown user", "no such user", "unknown recipient", "invalid recipient", "invalid address", "unknown address",
    "recipient rejected", "mail rejected", "message rejected", "automatically rejected", "was rejected", "bounced",
    "failed recipient", "permanent error", "permanent fatal error", "permanent failure", "failed permanently",
    "mailbox unavailable", "mailbox not found", "mailbox is full", "mailbox full", "over quota", "quota exceeded",
    "exceeded storage", "could not send", "cannot send message", "email address does not exist",
    "address not found",
    # German
    "unzustellbar", "nicht zustellbar", "nicht zugestellt", "zustellung fehlgeschlagen",
    "zustellung ist fehlgeschlagen", "fehler bei der zustellung", "nicht ausgeliefert", "empfänger unbekannt",
    "unbekannter empfänger",
    # French
    "échec de la remise", "échec de livraison", "échec de la livraison", "échec d'envoi", "non remis", "non délivr",
    "non distribu", "pas pu être remis", "pas pu être distribu", "pas pu être délivr", "pas pu être livr",
    "n'a pas été remis", "impossible de remettre", "impossible de distribuer", "n'a pu être",
    # Spanish, Italian, Dutch, Portuguese
    "no se pudo entregar", "no se ha podido entregar", "no entregado", "no se puede entregar", "error de entrega",
    "fallo de entrega", "mensaje devuelto", "correo devuelto", "mancata consegna", "non recapitat",
    "non recapitabile", "impossibile recapitare", "impossibile consegnare", "non è stato consegnato",
    "niet bezorgd", "onbestelbaar", "niet worden bezorgd", "niet afgeleverd", "niet worden afgeleverd",
    "não entregue", "não foi possível entregar", "falha na entrega", "mensagem devolvida", "não pôde ser entregue",
    # Swedish, Danish, Norwegian, Finnish
    "inte levereras", "inte leverera", "olevererbar", "kunde inte leverera", "ikke leveres", "uleverbar",
    "ikke levert", "ikke leveret", "ei voitu toimittaa", "toimitus epäonnistui", "ei voida toimittaa",
    # Polish, Czech, Hungarian
    "niedostarcz", "nie dostarczono", "nie można dostarczyć", "nie mogła zostać dostarczona", "nedoručiteln",
    "nelze doručit", "nebyla doručena", "kézbesíthetetlen", "sikertelen kézbesítés", "nem kézbesíthető",
    # Russian, Ukrainian, Turkish
    "недоставлен", "не доставлен", "не удалось доставить", "невозможно доставить", "не может быть доставлен",
    "не було доставлено", "не вдалося доставити", "teslim edilemedi", "iletilemedi", "teslim hatası",
    # Chinese, Japanese, Korean
    "退信", "无法投递", "投递失败", "无法送达", "发送失败", "被退回", "無法傳遞", "無法送達", "未送達", "配信不能",
    "配信できません", "配信できなかった", "配送できません", "配信エラー", "送信できません", "お届けできません",
    "未配達", "不達", "전송 실패", "배달 실패", "배달되지",
)  # fmt: skip

FULL_TEXTS = normalise_all(
    "mailbox is full", "mailbox full", "full mailbox", "mailbox has exceeded", "over quota", "overquota",
    "quota exceeded", "exceeded quota", "exceeded storage", "exceeds the quota", "exceeded its quota",
    "out of storage", "disk quota", "storage limit", "insufficient storage", "inbox is full", "postfach voll",
    "postfach ist voll", "speicherplatz", "boîte pleine", "boîte aux lettres est pleine",
    "boîte de réception est pleine", "buzón lleno", "buzón está lleno", "casella piena", "mailbox vol",
    "caixa postal cheia", "ящик переполнен", "邮箱已满", "信箱已滿", "メールボックスがいっぱい",
)  # fmt: skip

# Other temporary reasons: the address is valid, and the next letter may arrive.
PASSING_TEXTS = normalise_all(
    "in the queue too long", "too long in the queue", "retry timeout exceeded", "message expired",
    "delivery expired", "retry time not reached", "timed out", "timeout", "connection refused", "temporarily",
    "temporary failure", "try again later", "could not connect", "unable to connect", "greylist",
    "could not send message for", "for 5 days",
)  # fmt: skip

# The subject of Outlook's and Amazon's feedback reports, which have no machine-readable part.
COMPLAINT_SUBJECTS = normalise_all("complaint about message from")


def is_mail_server(sender: str) -> bool:
    """Return whether the From header names a mail server."""
    text = normalise(sender[:LONGEST_TEXT])
    return text.endswith("<>") or any(name in text for name in SERVERS)


def is_report_subject(subject: str) -> bool:
    """Return whether the subject begins like a mail server's report."""
    return normalise(subject[:LONGEST_TEXT]).startswith(REPORT_SUBJECTS)


def is_delay(subject: str, notice: str) -> bool:
    """Return whether a report says that the server still tries to deliver the letter.

    >>> is_delay("Delivery Status Notification (Delay)", "")
    True
    >>> is_delay("Mail failure", "We tried for 5 days and will retry no more: this is a permanent error.")
    False
    """
    about, text = normalise(subject[:LONGEST_TEXT]), normalise(notice[:LONGEST_TEXT])
    if any(phrase in about for phrase in DELAY_SUBJECTS):
        return True
    if any(phrase in text for phrase in FINAL_TEXTS):
        return False
    return any(phrase in text for phrase in DELAY_TEXTS)


def is_failure(subject: str, notice: str) -> bool:
    """Return whether a report says that the letter was not delivered."""
    text = normalise(f"{subject[:LONGEST_TEXT]}\n{notice[:LONGEST_TEXT]}")
    return any(phrase in text for phrase in FAILURES)


def is_mailbox_full(notice: str) -> bool:
    """Return whether the mailbox is full, whatever status code the server gives."""
    text = normalise(notice[:LONGEST_TEXT])
    return any(phrase in text for phrase in FULL_TEXTS)


def may_pass(notice: str) -> bool:
    """Return whether the reason is temporary, so that the next letter may arrive."""
    text = normalise(notice[:LONGEST_TEXT])
    return any(phrase in text for phrase in PASSING_TEXTS)


def is_complaint_subject(subject: str) -> bool:
    """Return whether the subject begins like a complaint from Outlook or Amazon."""
    return normalise(subject[:LONGEST_TEXT]).startswith(COMPLAINT_SUBJECTS)
