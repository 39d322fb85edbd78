"""The verb that tells how games stand: status."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pbem.cli.shared.base import (
    hint,
    home_option,
    json_option,
    moment,
    next_archive,
    now_option,
    open_home,
    print_json,
    talk,
)
from pbem.cli.shared.everywhere import console as printer
from pbem.cli.shared.everywhere import hand_out, tell

if TYPE_CHECKING:
    from pbem.host.office.status import Status


@click.command()
@click.argument("game", required=False)
@click.option("--metrics", is_flag=True, help="Print figures of the whole home for Prometheus.")
@json_option
@now_option
@home_option
def status(game: str | None, metrics: bool, as_json: bool, now: str | None, home: str) -> int:
    """Tell how each game stands: who is waited for, and until when.

    It also tells what keeps a game or its mail back. With `--metrics` no game is opened: mails and games are
    counted, and in a database jobs and workers.
    """
    if metrics:
        return _print_metrics(home, alone=game is None and not as_json)
    from pbem.host.office.status import status_of
    from pbem.store.errors import JournalRefused, WrongInput, told_in_words

    opened, at, found, is_read = open_home(home), moment(now), [], True
    names = [opened.game(game).name] if game else opened.games()
    for name in names:
        try:
            try:
                found.append(status_of(opened, name, at))
            except JournalRefused as wrong:
                if is_read:
                    talk(f"pbem: {wrong}")
                is_read = False
                found.append(status_of(opened.without_journal(), name, at, is_journal_read=False))
        except (WrongInput, OSError) as wrong:
            talk(f"{name}: {told_in_words(wrong)}")
    if as_json:
        print_json([one.as_json() for one in found])
    else:
        _print_standings(found)
        if found and not any(one.label for one in found):
            next_archive(home)
    if not names:
        hint("This home has no games yet. Set one up: pbem new RULES GAME --players FILE.")
    return 1 if len(found) < len(names) or not is_read else 0


def _print_metrics(home: str, *, alone: bool) -> int:
    if not alone:
        raise click.UsageError("--metrics is about the whole home, and has a format of its own.")
    from pbem.host.office.metrics import metrics

    hand_out(metrics(open_home(home), moment(None)))
    return 0


def _print_standings(found: Sequence[Status]) -> None:
    """Print how games stand: as a table to a person at a terminal, else in plain lines."""
    console = printer()
    if not console.is_terminal or not found:
        for one in found:
            tell(one.text())
        return
    from rich.table import Table
    from rich.text import Text

    table = Table("Game", "Rules", "Turn", "Waits for", "Besides", header_style="bold", show_lines=True)
    for one in found:
        besides = Text("\n").join(
            Text.assemble((f"{what}: ", "bold red" if what in _ALARMING else "bold"), words)
            for what, words in one.rows()
        )
        over = "ended" if one.ended else "over"
        waits = Text(over, "dim") if not one.label else Text(", ".join(one.owing) or "nobody")
        table.add_row(Text(one.game, "bold"), one.rules, str(one.turn), waits, besides)
    console.print(table)


_ALARMING = frozenset(["BAD", "DAMAGED", "came back", "missed", "unsent"])
