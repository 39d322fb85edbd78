"""The reports of the sample games as mails, and the orders that were sent for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pbem.play.config.registry import find_rules
from pbem.play.config.templates import templates_of
from pbem.store.opening import shipped_folder
from pbem.text.mail.compose import Attachment, Outgoing, compose
from pbem.text.reports.report import Report
from tests.homes import sample_games

SEATS = 3
DATE = "Sat, 21 Nov 2026 20:00:00 +0000"


@dataclass(frozen=True)
class Sent:
    """A report of a sample game as a mail.

    Attributes:
        game: The id of the game.
        seat: Whose report it is.
        turn: The turn.
        raw: The mail.
        form: The form in it, or "".
    """

    game: str
    seat: str
    turn: int
    raw: bytes
    form: str

    def __str__(self) -> str:
        return f"{self.game}-{self.seat}-{self.turn}"


def report_mail(
    text: str, page: str, form: str, game: str = "web-1", seat: str = "7", turn: int = 3
) -> bytes:
    """Return the mail of a report, its form attached."""
    files = (Attachment("orders.yaml", "text/x-yaml", form.encode()),) if form else ()
    return compose(
        Outgoing(
            kind="report",
            envelope_from=f"host+bounce.{game}.{seat}.t{turn}r0@pbem.example",
            to="ann@example.test",
            from_="host@pbem.example",
            reply_to=f"host+{game}.k3v9qq7tk3v9qq7t@pbem.example",
            subject=f"[{game}] Turn {turn}",
            message_id=f"<{game}.t{turn}.{seat}.report.r0@pbem.example>",
            date=DATE,
            text=text,
            html=page,
            headers=(("Auto-Submitted", "auto-generated"), ("X-Loop", "host@pbem.example")),
            attachments=files,
        )
    )


def a_mail(text: str, *attachments: Attachment) -> bytes:
    """Return a mail of a few words, with what is attached to it."""
    return compose(
        Outgoing(
            kind="report",
            envelope_from="ann@example.test",
            to="host+web-1.token@pbem.example",
            from_="ann@example.test",
            subject="Orders",
            message_id="<1@example.test>",
            date="Sat, 21 Nov 2026 20:00:00 +0000",
            text=text,
            attachments=attachments,
        )
    )


@cache
def all_sent() -> tuple[Sent, ...]:
    """Return the mails of the start and of the two newest turns of every sample game, of some seats."""
    return tuple(_sent())


@cache
def newest() -> tuple[Sent, ...]:
    """Return the newest mails that ask for orders, of the seats that the samples have orders for."""
    last = {(one.game, one.seat): one for one in all_sent() if one.form}
    return tuple(one for one in last.values() if orders_file(one) is not None)


def orders_file(sent: Sent) -> str | None:
    """Return the orders that the samples have for a seat."""
    path = Path(str(shipped_folder("orders"))) / sent.game / f"{sent.seat}.yaml"
    return path.read_text(encoding="utf-8") if path.exists() else None


def _sent() -> Iterator[Sent]:
    for game in sorted(sample_games().iterdir()):
        turns = sorted(path for path in (game / "turns").iterdir() if path.name.isdigit())
        for turn in sorted({turns[0], *turns[-2:]}):
            for folder in sorted((turn / "reports").iterdir())[:SEATS]:
                facts = json.loads((folder / "report.json").read_text(encoding="utf-8"))
                if facts["seat"] is None:
                    continue
                form = folder / "orders.yaml"
                text = form.read_text(encoding="utf-8") if form.exists() else ""
                report = (folder / "report.txt").read_text(encoding="utf-8")
                page = Report(templates_of(find_rules(facts["rules"])), facts).html
                number = int(turn.name)
                raw = report_mail(report, page, text, game.name, facts["seat"], number)
                yield Sent(game.name, facts["seat"], number, raw, text)
