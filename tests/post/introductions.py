"""The lines with which Gmail, Apple Mail, Thunderbird and Outlook introduce a quotation, in many languages; typed
by hand."""

FROM = "Beanpost <post@beans.example>"

INTRODUCED = {
    "English": [
        f"On Mon, 16 Nov 2026 at 13:05, {FROM} wrote:",
        f"On Nov 16, 2026, at 1:05 PM, {FROM} wrote:",
        "On 16/11/2026 13:05, Beanpost wrote:",
        'At 2026-11-16 13:05:00, "Beanpost" <post@beans.example> wrote:',
        "Beanpost wrote:",
    ],
    "French": [
        f"Le lun. 16 nov. 2026 à 13:05, {FROM} a écrit :",
        f"Le 16 nov. 2026 à 13:05, {FROM} a écrit :",
        "Le 16/11/2026 à 13:05, Beanpost a écrit :",
    ],
    "German": [
        f"Am Mo., 16. Nov. 2026 um 13:05 Uhr schrieb {FROM}:",
        f"Am 16.11.2026 um 13:05 schrieb {FROM}:",
        "Am 16.11.26 um 13:05 schrieb Beanpost:",
        f"{FROM} schrieb am Mo., 16. Nov. 2026, 13:05:",
    ],
    "Spanish": [
        "El lun, 16 nov 2026 a las 13:05, Beanpost (<post@beans.example>) escribió:",
        f"El 16 nov 2026, a las 13:05, {FROM} escribió:",
        "El 16/11/2026 a las 13:05, Beanpost escribió:",
    ],
    "Italian": [
        f"Il giorno lun 16 nov 2026 alle ore 13:05 {FROM} ha scritto:",
        f"Il giorno 16 nov 2026, alle ore 13:05, {FROM} ha scritto:",
        "Il 16/11/2026 13:05, Beanpost ha scritto:",
    ],
    "Dutch": [
        f"Op ma 16 nov 2026 om 13:05 schreef {FROM}:",
        f"Op 16 nov. 2026 om 13:05 heeft {FROM} het volgende geschreven:",
        "Op 16-11-2026 om 13:05 schreef Beanpost:",
    ],
    "Polish": [
        f"pon., 16 lis 2026 o 13:05 {FROM} napisał(a):",
        f"Wiadomość napisana przez {FROM} w dniu 16.11.2026, o godz. 13:05:",
        "W dniu 16.11.2026 o 13:05, Beanpost pisze:",
        f"W dniu pon., 16 lis 2026 o 13:05 {FROM} napisał:",
    ],
    "Russian": [
        f"пн, 16 нояб. 2026 г. в 13:05, {FROM}:",
        f"16 нояб. 2026 г., в 13:05, {FROM} написал(а):",
        "16.11.2026 13:05, Beanpost пишет:",
        f"Понедельник, 16 ноября 2026, 13:05 +03:00 от {FROM}:",
        '16.11.2026, 13:05, "Beanpost" <post@beans.example>:',
    ],
    "Ukrainian": [
        f"пн, 16 лист. 2026 р. о 13:05 {FROM} пише:",
        f"16 лист. 2026 р. о 13:05 {FROM} написав(-ла):",
        "16.11.26 13:05, Beanpost пише:",
        '16 листопада 2026, 13:05:00, від "Beanpost" <post@beans.example>:',
    ],
    "Chinese, simplified": [
        f"{FROM} 于2026年11月16日周一 13:05写道：",
        f"在 2026年11月16日，13:05，{FROM} 写道：",
        "在 2026/11/16 13:05, Beanpost 写道:",
    ],
    "Chinese, traditional": [
        f"{FROM} 於 2026年11月16日 週一 下午1:05寫道：",
        f"{FROM} 於 2026年11月16日 下午1:05 寫道：",
        "於 2026/11/16 13:05, Beanpost 寫道:",
    ],
    "Japanese": [
        f"2026年11月16日(月) 13:05 {FROM}:",
        f"2026/11/16 13:05、{FROM}のメール:",
        "On 2026/11/16 13:05, Beanpost wrote:",
        f"2026/11/16 13:05、{FROM} のメール：",
    ],
    "Portuguese": [
        f"Em seg., 16 de nov. de 2026 às 13:05, {FROM} escreveu:",
        f"{FROM} escreveu (segunda, 16/11/2026 à(s) 13:05):",
    ],
    "Swedish": [f"Den mån 16 nov. 2026 kl 13:05 skrev {FROM}:"],
    "Danish": [f"Den man. 16. nov. 2026 kl. 13.05 skrev {FROM}:"],
    "Czech": [f"po 16. 11. 2026 v 13:05 odesílatel {FROM} napsal:"],
    "Finnish": ["ma 16. marrask. 2026 klo 13.05 Beanpost (post@beans.example) kirjoitti:"],
    "Turkish": [f"{FROM}, 16 Kas 2026 Pzt, 13:05 tarihinde şunu yazdı:"],
    "Korean": [f"2026년 11월 16일 (월) 오후 1:05, {FROM}님이 작성:"],
}

WRAPPED = {
    "English": "On Mon, 16 Nov 2026 at 13:05, Beanpost, the post of the beans\n<post@beans.example> wrote:",
    "French": "Le lun. 16 nov. 2026 à 13:05, Beanpost <post@beans.example> a\nécrit :",
    "German": "Am Mo., 16. Nov. 2026 um 13:05 Uhr schrieb Beanpost <\npost@beans.example>:",
    "Spanish": "El lun, 16 nov 2026 a las 13:05, Beanpost (<post@beans.example>)\nescribió:",
    "Italian": "Il giorno lun 16 nov 2026 alle ore 13:05 Beanpost\n<post@beans.example> ha scritto:",
    "Dutch": "Op 16 nov. 2026 om 13:05 heeft Beanpost <post@beans.example> het\nvolgende geschreven:",
    "Polish": "pon., 16 lis 2026 o 13:05 Beanpost <post@beans.example>\nnapisał(a):",
    "Russian": "пн, 16 нояб. 2026 г. в 13:05, Beanpost\n<post@beans.example>:",
    "Ukrainian": "пн, 16 лист. 2026 р. о 13:05 Beanpost <post@beans.example>\nпише:",
    "Chinese, simplified": "Beanpost <post@beans.example> 于2026年11月16日周一\n13:05写道：",
    "Chinese, traditional": "Beanpost <post@beans.example> 於 2026年11月16日 週一\n下午1:05寫道：",
    "Japanese": "2026年11月16日(月) 13:05 Beanpost\n<post@beans.example>:",
    "Portuguese": "Em seg., 16 de nov. de 2026 às 13:05, Beanpost <\npost@beans.example> escreveu:",
    "Swedish": "Den mån 16 nov. 2026 kl 13:05 skrev Beanpost\n<post@beans.example>:",
}

HEADERS = {
    "English": ("From", "Sent", "To", "Subject"),
    "French": ("De", "Envoyé", "À", "Objet"),
    "German": ("Von", "Gesendet", "An", "Betreff"),
    "German, GMX": ("Gesendet", "Von", "An", "Betreff"),
    "Spanish": ("De", "Enviado el", "Para", "Asunto"),
    "Italian": ("Da", "Inviato", "A", "Oggetto"),
    "Dutch": ("Van", "Verzonden", "Aan", "Onderwerp"),
    "Polish": ("Od", "Wysłano", "Do", "Temat"),
    "Russian": ("От", "Отправлено", "Кому", "Тема"),
    "Ukrainian": ("Від", "Надіслано", "Кому", "Тема"),
    "Chinese, simplified": ("发件人", "发送时间", "收件人", "主题"),
    "Chinese, traditional": ("寄件者", "寄件日期", "收件者", "主旨"),
    "Japanese": ("差出人", "送信日時", "宛先", "件名"),
    "Portuguese": ("De", "Enviado", "Para", "Assunto"),
    "Swedish": ("Från", "Skickat", "Till", "Ämne"),
    "Danish": ("Fra", "Sendt", "Til", "Emne"),
    "Czech": ("Od", "Odesláno", "Komu", "Předmět"),
}

DIVIDED = {
    "English": "-----Original Message-----",
    "French": "-----Message d'origine-----",
    "German": "-----Ursprüngliche Nachricht-----",
    "Spanish": "-----Mensaje original-----",
    "Italian": "-----Messaggio originale-----",
    "Dutch": "-----Oorspronkelijk bericht-----",
    "Polish": "-----Wiadomość oryginalna-----",
    "Russian": "-----Исходное сообщение-----",
    "Ukrainian": "-----Оригінальне повідомлення-----",
    "Chinese, simplified": "------------------ 原始邮件 ------------------",
    "Chinese, simplified, NetEase": "---- 回复的原邮件 ----",
    "Chinese, traditional": "-----原始郵件-----",
    "Japanese": "-----元のメッセージ-----",
}
