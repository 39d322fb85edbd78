"""Mail programs: how each of them answers a report with orders, each way with a name.

`write` is for any test that needs a player with a mail program. The same arguments give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from email.parser import BytesParser
from email.policy import compat32

from tests.mail.replies import Reply, shown

PRINTABLE = "quoted-printable"
STYLES: Mapping[str, Reply] = {
    "plain": Reply("mutt", encoding=PRINTABLE),
    "quoted": Reply("alpine", "filled", encoding=PRINTABLE),
    "gmail": Reply("gmail", kind="page", encoding=PRINTABLE),
    "outlook": Reply("outlook", kind="both", encoding=f"windows-1252 {PRINTABLE}"),
    "flowed": Reply("thunderbird", encoding=PRINTABLE),
    "attachment": Reply("gnus", kind="file", encoding=PRINTABLE),
}
MORE_STYLES: Mapping[str, Reply] = {
    **STYLES,
    "gmail-both": Reply("gmail", kind="both", encoding=PRINTABLE, look="nbsp"),
    "outlook-filled": Reply("outlook-german", "filled", encoding=PRINTABLE),
    "iphone": Reply("iphone", kind="both", encoding=PRINTABLE),
    "phone": Reply("k9", "filled", encoding="base64"),
    "company": Reply("company", encoding=PRINTABLE),
    "webmail": Reply("fairemail", kind="page", encoding=PRINTABLE),
}
LOSSY_STYLES: Mapping[str, Reply] = {"flat": Reply("yahoo", kind="page", encoding=PRINTABLE, look="flat")}
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
    report = BytesParser(policy=compat32).parsebytes(report_mail, headersonly=True)
    code = hashlib.sha256(repr((style, report_mail, orders, sender)).encode()).hexdigest()[:24]
    name, _, domain = sender.partition("@")
    head = (
        f"From: {name.capitalize()} <{sender}>\nTo: {recipient}\nSubject: Re: {report['Subject']}\n"
        f"Date: {report['Date']}\nMessage-ID: <{code}@{domain}>\nIn-Reply-To: {report['Message-ID']}\n"
        f"References: {report['Message-ID']}\n"
    )
    found = {**MORE_STYLES, **LOSSY_STYLES}[style].answer(shown(report_mail), orders, head)
    return found.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
