"""Phrases of mail servers' reports (bounces, delays, complaints), in many languages.

They are compared like the phrases of automatic replies. Add a new phrase to one of the lists below, and a sample of it
to tests/post/returns/.
"""

from __future__ import annotations

from beanpost.post.reply_parser.automatic_replies import normalise_all, normalise_start

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
    "out of storage", "disk quota", "storage limit", "insufficient storage", "inbox is full", "inbox was full",
    "mailbox_full", "postfach voll", "postfach ist voll", "speicherplatz", "boîte pleine",
    "boîte aux lettres est pleine", "boîte de réception est pleine", "buzón lleno", "buzón está lleno",
    "casella piena", "mailbox vol",
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
    text = normalise_start(sender)
    return text.endswith("<>") or any(name in text for name in SERVERS)


def is_report_subject(subject: str) -> bool:
    """Return whether the subject begins like a mail server's report."""
    return normalise_start(subject).startswith(REPORT_SUBJECTS)


def is_delay(subject: str, notice: str) -> bool:
    """Return whether a report says that the server still tries to deliver the letter.

    >>> is_delay("Delivery Status Notification (Delay)", "")
    True
    >>> is_delay("Mail failure", "We tried for 5 days and will retry no more: this is a permanent error.")
    False
    """
    about, text = normalise_start(subject), normalise_start(notice)
    if any(phrase in about for phrase in DELAY_SUBJECTS):
        return True
    if any(phrase in text for phrase in FINAL_TEXTS):
        return False
    return any(phrase in text for phrase in DELAY_TEXTS)


def is_failure(subject: str, notice: str) -> bool:
    """Return whether a report says that the letter was not delivered."""
    text = f"{normalise_start(subject)} {normalise_start(notice)}"
    return any(phrase in text for phrase in FAILURES)


def is_mailbox_full(notice: str) -> bool:
    """Return whether the mailbox is full, whatever status code the server gives."""
    text = normalise_start(notice)
    return any(phrase in text for phrase in FULL_TEXTS)


def may_pass(notice: str) -> bool:
    """Return whether the reason is temporary, so that the next letter may arrive."""
    text = normalise_start(notice)
    return any(phrase in text for phrase in PASSING_TEXTS)


def is_complaint_subject(subject: str) -> bool:
    """Return whether the subject begins like a complaint from Outlook or Amazon."""
    return normalise_start(subject).startswith(COMPLAINT_SUBJECTS)
