"""Mail programs: how each of them answers a report with orders, byte for byte as such programs do it.

`write` is for any test that needs a player with a mail program. The same arguments give the same bytes.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

FORM = re.compile(r"^# pbem form .*\n(?:.+\n)*", re.MULTILINE)


@dataclass(frozen=True)
class Answered:
    """The report mail that is answered, as a mail program shows it.

    Attributes:
        text: Its plain text.
        page: Its page, or "".
        subject: Its subject.
        host: The address it came from.
        date: When it was sent, in words.
        orders: What the player sends; None sends the form back as it came.
        player: The player's own address.
    """

    text: str
    page: str
    subject: str
    host: str
    date: str
    orders: str | None
    player: str

    @property
    def words(self) -> str:
        """What the player writes above the quote."""
        return (
            f"Here are my orders.\n\n{self.orders}"
            if self.orders is not None
            else "Thanks, I will think about it.\n"
        )

    @property
    def filled(self) -> str:
        """The report's text with the form filled in."""
        found = FORM.search(self.text)
        if self.orders is None or found is None:
            return self.text
        head = found.group().splitlines(keepends=True)[:2]
        return (
            self.text[: found.start()]
            + "".join(head)
            + self.orders.rstrip("\n")
            + "\n"
            + self.text[found.end() :]
        )


def plain(mail: Answered) -> EmailMessage:
    """Write below nothing and above the quote, in plain text, with a signature (mutt, Alpine)."""
    above = f"{mail.words}\nBest wishes,\n{_name(mail)}\n"
    text = f"{above}\n{_attribution(mail)}\n{_quoted(mail.text)}\n-- \n{_name(mail)}\n"
    return _plain(text)


def quoted(mail: Answered) -> EmailMessage:
    """Fill in the form where it stands, in the quote."""
    return _plain(f"{_attribution(mail)}\n{_quoted(mail.filled)}")


def gmail(mail: Answered) -> EmailMessage:
    """Write a page as Gmail does, without its plain text; the quote is a page too."""
    words = "".join(f"<div>{_gmail_line(line)}</div>" for line in mail.words.splitlines())
    quote = mail.page or f"<pre>{html.escape(mail.text)}</pre>"
    inner = quote.partition("<body")[2].partition(">")[2].partition("</body>")[0] or quote
    page = (
        f'<div dir="ltr">{words}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" '
        f'class="gmail_attr">On {mail.date}, &lt;<a href="mailto:{mail.host}">{mail.host}</a>&gt; '
        "wrote:<br></div>"
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid '
        f'rgb(204,204,204);padding-left:1ex">{inner}</blockquote></div>\n'
    )
    message = EmailMessage(policy.SMTP)
    message.set_content(page, subtype="html", charset="utf-8", cte="quoted-printable")
    return message


def gmail_both(mail: Answered) -> EmailMessage:
    """Write plain text and a page, as Gmail does."""
    words = mail.words.replace("\n  ", "\n\xa0 ")
    message = _plain(f"{words}\n{_attribution(mail)}\n\n{_quoted(mail.text)}")
    message.add_alternative(
        gmail(mail).get_content(), subtype="html", charset="utf-8", cte="quoted-printable"
    )
    return message


def outlook(mail: Answered) -> EmailMessage:
    """Write above a quote that nothing marks but its headers, as text of Windows and as a page."""
    head = f"From: The host <{mail.host}>\nSent: {mail.date}\nTo: <{mail.player}>\nSubject: {mail.subject}\n"
    text = f"{mail.words}\n{_name(mail)}\n\n{head}\n{mail.text}"
    charset = "windows-1252" if _fits(text, "windows-1252") else "utf-8"
    message = EmailMessage(policy.SMTP)
    message.set_content(text, subtype="plain", charset=charset, cte="quoted-printable")
    paragraphs = [f'<p class="MsoNormal">{_outlook_line(line)}</p>' for line in mail.words.splitlines()]
    page = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p {margin:0cm} -->'
        "</style><!--[if gte mso 9]><xml><o:x/></xml><![endif]--></head>"
        f'<body lang="EN-GB"><div class="WordSection1">{"".join(paragraphs)}'
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">'
        + "<br>\n".join(f"<b>{html.escape(line)}</b>" for line in head.splitlines())
        + f"</p></div><pre>{html.escape(mail.text)}</pre></div></body></html>\n"
    )
    message.add_alternative(page, subtype="html", charset=charset, cte="quoted-printable")
    return message


def outlook_filled(mail: Answered) -> EmailMessage:
    """Fill in the form in a quote that nothing marks but its headers."""
    head = (
        f"Von: Spielleiter <{mail.host}>\nGesendet: {mail.date}\nAn: {mail.player}\nBetreff: {mail.subject}\n"
    )
    return _plain(f"Siehe unten.\n\n{head}\n{mail.filled}")


def flowed(mail: Answered) -> EmailMessage:
    """Write `format=flowed`, soft line ends and spaces at starts of lines included (Thunderbird)."""
    text = f"{_flowed(mail.words)}\n{_attribution(mail)}\n{_quoted(mail.text)}\n-- \n{_name(mail)}\n"
    message = _plain(text)
    message.set_param("format", "flowed")
    message.set_param("delsp", "no")
    return message


def attachment(mail: Answered) -> EmailMessage:
    """Attach a file, under a name in capitals and as nothing in particular."""
    message = _plain(f"My orders are in the file.\n\n{_attribution(mail)}\n{_quoted(mail.text)}")
    found = FORM.search(mail.text)
    data = mail.orders if mail.orders is not None else found.group() if found else ""
    message.add_attachment(data.encode(), "application", "octet-stream", filename="ORDERS.YML")
    return message


def iphone(mail: Answered) -> EmailMessage:
    """Write above a quote, plain and as a page, with an advertisement below it (Apple Mail)."""
    words = mail.words.replace("Here are my", "Here\u2019s what I\u2019d like: my")
    text = f"{words}\n\nSent from my iPhone\n\n> On {mail.date}, The host <{mail.host}> wrote:\n> \n"
    message = _plain(text + _quoted(mail.text).replace("> ", "> \ufeff", 1))
    lines = "".join(f"<div>{_gmail_line(line)}</div>" for line in words.splitlines())
    page = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        '<body dir="auto">'
        f'{lines}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Sent from my iPhone</div>'
        f'<blockquote type="cite">On {mail.date}, The host wrote:<br><br></blockquote>'
        f'<blockquote type="cite"><pre>{html.escape(mail.text)}</pre></blockquote></body></html>\n'
    )
    message.add_alternative(page, subtype="html", charset="utf-8", cte="quoted-printable")
    return message


def phone(mail: Answered) -> EmailMessage:
    """Fill in the quoted form, below words and above a signature, in base64 (K-9, FairEmail)."""
    text = (
        f"Here you are.\n\n{_attribution(mail)}\n{_quoted(mail.filled)}\n-- \nSent from my phone. "
        "Please excuse: my brevity."
    )
    message = EmailMessage(policy.SMTP)
    message.set_content(text, subtype="plain", charset="utf-8", cte="base64")
    return message


def company(mail: Answered) -> EmailMessage:
    """Write above a quote; a gateway adds a disclaimer below all, and a picture (mail of a company)."""
    disclaimer = (
        f"{'_' * 60}\nThis e-mail is confidential.\nRegistered: Sheffield, No: 123\n"
        "- If you are not the addressee: delete it\n"
    )
    text = f"{mail.words}\nKind regards,\n{_name(mail)}\nHead: of something\n\n{_attribution(mail)}\n"
    message = _plain(f"{text}{_quoted(mail.text)}\n{disclaimer}")
    message.add_attachment(b"\x89PNG\r\n\x1a\n", "image", "png", filename="logo.png", disposition="inline")
    return message


def webmail(mail: Answered) -> EmailMessage:
    """Write a page, lines ended by <br> and indented by spaces that are kept, without plain text."""
    return _page("<br>\n".join(_gmail_line(line) if line else "" for line in mail.words.splitlines()), mail)


def flat(mail: Answered) -> EmailMessage:
    """Write a page in which spaces at starts of lines are lost, without plain text."""
    return _page(
        "".join(f"<div>{html.escape(line.lstrip())}</div>\n" for line in mail.words.splitlines()), mail
    )


Style = Callable[[Answered], EmailMessage]
STYLES: Mapping[str, Style] = {
    "plain": plain,
    "quoted": quoted,
    "gmail": gmail,
    "outlook": outlook,
    "flowed": flowed,
    "attachment": attachment,
}
MORE_STYLES: Mapping[str, Style] = {
    **STYLES,
    "gmail-both": gmail_both,
    "outlook-filled": outlook_filled,
    "iphone": iphone,
    "phone": phone,
    "company": company,
    "webmail": webmail,
}
LOSSY_STYLES: Mapping[str, Style] = {"flat": flat}
"""What loses something on the way."""

HABITS: Mapping[str, tuple[str, ...]] = {
    "Gmail (web, phone)": ("gmail", "gmail-both"),
    "Outlook": ("outlook", "outlook-filled"),
    "Apple Mail, iPhone": ("iphone", "flowed"),
    "Thunderbird": ("flowed", "plain"),
    "K-9, FairEmail": ("phone", "quoted"),
    "web mail with pages only": ("webmail", "flat"),
    "mail of a company": ("company",),
    "mutt, pine, Gnus": ("plain", "quoted", "attachment"),
}
"""The programs that the page for players names, with the styles that stand for their habits."""


def write(style: str, report_mail: bytes, orders: str | None, sender: str, recipient: str) -> bytes:
    """Return the answer to a report mail, as a mail program would write it.

    Args:
        style: One of MORE_STYLES or LOSSY_STYLES.
        report_mail: The mail that is answered.
        orders: An orders file; None sends the form back untouched, below a few words.
        sender: The player's address.
        recipient: The address to send to.
    """
    report = BytesParser(policy=policy.default).parsebytes(report_mail)
    text, page = report.get_body(("plain",)), report.get_body(("html",))
    answered = Answered(
        text=_unix(text.get_content()) if text else "",
        page=_unix(page.get_content()) if page else "",
        subject=str(report["Subject"]),
        host=recipient,
        date=str(report["Date"]),
        orders=orders,
        player=sender,
    )
    message = {**MORE_STYLES, **LOSSY_STYLES}[style](answered)
    code = hashlib.sha256(repr((style, report_mail, orders, sender)).encode()).hexdigest()[:24]
    message["From"] = f"{_name(answered)} <{sender}>"
    message["To"] = recipient
    message["Subject"] = f"Re: {answered.subject}"
    message["Date"] = str(report["Date"])
    message["Message-ID"] = f"<{code}@{sender.partition('@')[2]}>"
    message["In-Reply-To"] = str(report["Message-ID"])
    message["References"] = str(report["Message-ID"])
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"----=_{number}_{code}")
    return message.as_bytes()


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")


def _plain(text: str) -> EmailMessage:
    message = EmailMessage(policy.SMTP)
    cte = (
        "7bit" if text.isascii() and max(map(len, text.splitlines()), default=0) < 900 else "quoted-printable"
    )
    message.set_content(text, subtype="plain", charset="us-ascii" if text.isascii() else "utf-8", cte=cte)
    return message


def _page(words: str, mail: Answered) -> EmailMessage:
    """Return a page with words above a quote."""
    message = EmailMessage(policy.SMTP)
    quote = f'<div class="yahoo_quoted"><pre>{html.escape(mail.text)}</pre></div>'
    page = f"<html><body>{words}<br>\n{quote}</body></html>\n"
    message.set_content(page, subtype="html", charset="utf-8", cte="quoted-printable")
    return message


def _quoted(text: str) -> str:
    return "".join(f"> {line}\n" if line else ">\n" for line in text.splitlines())


def _attribution(mail: Answered) -> str:
    return f"On {mail.date}, {mail.host} wrote:"


def _name(mail: Answered) -> str:
    return mail.player.partition("@")[0].capitalize()


def _gmail_line(line: str) -> str:
    if not line:
        return "<br>"
    indent = len(line) - len(line.lstrip(" "))
    spaces = "&nbsp;" * (indent - 1) + " " if indent else ""
    return spaces + html.escape(line[indent:])


def _outlook_line(line: str) -> str:
    indent = len(line) - len(line.lstrip(" "))
    return "&nbsp;" * indent + html.escape(line[indent:]) + "<o:p></o:p>" if line else "<o:p>&nbsp;</o:p>"


def _flowed(text: str) -> str:
    out: list[str] = []
    for line in text.splitlines():
        rest: str | None = line.rstrip(" ")
        while rest is not None:
            space = rest.rfind(" ", len(rest) - len(rest.lstrip(" ")), 72)
            cut = space + 1 if len(rest) > 72 and space > 0 else len(rest)
            piece, rest = rest[:cut], rest[cut:] or None
            out.append(f" {piece}" if piece.startswith((" ", ">", "From ")) else piece)
    return "\n".join(out) + "\n"


def _fits(text: str, charset: str) -> bool:
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        return False
    return True
