"""The verbs of players: form, check, submit."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.cli.base import (
    due_now,
    hand_out,
    hint,
    home_option,
    is_quiet,
    json_option,
    moment,
    next_step,
    now_option,
    open_home,
    print_json,
    read_file,
    say_what_changed,
    say_wrong,
    talk,
    tell,
    to_look_at,
)

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.homes.home import Home
    from pbem.play.homes.saved import SavedGame
    from pbem.play.submissions.anyfile import Handed
    from pbem.play.submissions.receipts import Judged, Lodged
    from pbem.store.records import Row
    from pbem.text.submission.orders import Fault

T = TypeVar("T")

_FILES = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))


@click.command()
@click.argument("game")
@click.argument("seat")
@click.option(
    "--write",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write GAME.SEAT.yaml into this folder, and its schema beside it for your editor.",
)
@click.option(
    "--suggest",
    "skill",
    type=click.Choice(["random", "greedy"]),
    help="Fill it in as a bot of this skill would; for a seat that is not asked, its next ask.",
)
@click.option(
    "--ahead",
    "asks",
    type=click.IntRange(1, 5),
    help="Fill it in with the ready lines for so many later asks too, after the order of a greedy bot.",
)
@click.option("--page", "as_page", is_flag=True, help="Print it as a page to click in, for a browser.")
@home_option
def form(
    game: str,
    seat: str,
    folder: Path | None,
    skill: str | None,
    asks: int | None,
    as_page: bool,
    home: str,
) -> None:
    """Print the orders form for a seat's next ask."""
    from pbem.cli.printing import write_file
    from pbem.play.homes.saved import SavedGame
    from pbem.play.reports.formpages import printed_page
    from pbem.play.reports.reading import filled_form, is_asked, report
    from pbem.text.schemas.codec import dumps
    from pbem.text.schemas.envelope import full_schema

    opened = to_look_at(open_home(home), game)
    say_what_changed(opened, game)
    due = due_now(opened, game, seat)
    if as_page:
        hand_out(printed_page(opened, game, seat, due))
        return
    if skill or asks:
        ahead = asks or (0 if is_asked(opened, game, seat) else 1)
        text = filled_form(opened, game, seat, skill or "greedy", ahead, due)
    else:
        text = report(opened, game, seat, name="orders.yaml", due=due)
    if folder is None:
        hand_out(text)
        return
    grammar = SavedGame(opened, game).grammar
    folder.mkdir(parents=True, exist_ok=True)
    orders, schema = folder / f"{game}.{seat}.yaml", folder / f"{game}.{seat}.schema.json"
    named = f"# yaml-language-server: $schema={schema.name}\n"  # it lies beside this form, and no other
    write_file(orders, text.replace("\ngame: ", f"\n{named}game: ", 1))
    whole = full_schema(grammar.move.schema, grammar.start.schema)
    write_file(schema, dumps(whole))
    hint(f"Wrote {orders} and {schema}.")


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@json_option
@home_option
def check(files: tuple[Path, ...], as_json: bool, home: str) -> int:
    """Check orders files: every mistake, or what the orders would do.

    Each mistake is told as FILE:LINE:COLUMN, with what would do instead. The home is always checked too, for
    secrets that others on this machine can read: passwords, the seeds, saves and orders of games, mails.
    """
    from pbem.play.homes.home import open_secrets
    from pbem.play.submissions.lodging import checked

    opened, is_open = open_home(home), False
    for told in open_secrets(opened):
        talk(f"pbem: {told}")
        is_open = True

    games: dict[str, SavedGame] = {}
    as_data = _judged_json if as_json else None

    def handle(handed: Handed) -> Judged | list[Fault]:
        return checked(opened, handed.data, games)

    worst = _each(opened, files, handle, as_data, _print_judged)
    if not files and not is_open:
        hint(f"{home}: nothing that is secret can be read by others on this machine.")
    return max(worst, 1 if is_open else 0)


@click.command()
@_FILES
@click.option("--for-moderator", is_flag=True, help="In your name, without a key; all players read of it.")
@json_option
@now_option
@home_option
def submit(files: tuple[Path, ...], for_moderator: bool, as_json: bool, now: str | None, home: str) -> int:
    """Check orders files and lodge them in place of older ones.

    A newer file of a seat replaces its older one. A file with press and without lines leaves the older lines
    as they are. `orders: none` withdraws what was sent before. The file `-` is standard input.
    """
    from pbem.cli.printing import print_held
    from pbem.host.notices.questions import waiting_press
    from pbem.host.office.acts import lodge_for_moderator
    from pbem.play.submissions.lodging import lodge

    opened, at = open_home(home), moment(now)

    def noting(judged: Judged, _number: int) -> tuple[Row, ...]:
        return waiting_press(judged.saved, judged.seat, judged.submission.orders.press, at)

    def handle(handed: Handed) -> Lodged | list[Fault]:
        if for_moderator:
            return lodge_for_moderator(opened, handed.data, at)
        return lodge(opened, handed.data, noting=noting)

    def show(path: Path, receipt: Lodged, handed: Handed) -> None:
        _print_receipt(path, receipt, handed)
        print_held(opened, receipt.judged.submission.envelope)

    code = _each(opened, files, handle, _receipt_json if as_json else None, show)
    if code == 0 and not as_json:
        next_step(home, "run", "runs the games that can go on")
    return code


def _each(
    home: Home,
    files: tuple[Path, ...],
    handle: Callable[[Handed], T | list[Fault]],
    as_data: Callable[[Path, T | list[Fault], Handed], dict[str, Json]] | None,
    show: Callable[[Path, T, Handed], None],
) -> int:
    """Handle files one after the other; one that fails does not hide what came of the others."""
    from pbem.cli.printing import print_faults
    from pbem.play.submissions.anyfile import Handed, handed_in

    worst = 0
    data: list[Json] = []
    for path in files:
        try:
            found = handed_in(home, read_file(path))
            handed = found if isinstance(found, Handed) else Handed(b"")
            result = handle(found) if isinstance(found, Handed) else found
            worst = max(worst, 1 if isinstance(result, list) else 0)
            if as_data:
                data.append(as_data(path, result, handed))
            elif isinstance(result, list):
                print_faults(path, result, handed)
            elif not is_quiet():
                show(path, result, handed)
        except Exception as wrong:  # ours too
            worst = max(worst, say_wrong(wrong, path))
    if as_data:
        print_json(data)
    return worst


def _print_judged(path: Path, judged: Judged, handed: Handed) -> None:
    from pbem.cli.printing import print_taken
    from pbem.play.submissions.receipts import forecast_of, orders_before

    submission, before = judged.submission, orders_before(judged)
    plays = any(one.standing == "plays" for one in judged.verdict.prospects)
    works = "these orders will work" if plays else "no mistakes"
    tell(f"{path}: {'what is left of them will work' if submission.envelope.dropped else works}.")
    print_taken(path, judged, handed)
    _print_forecast(path, judged, forecast_of(judged), handed)
    if submission.envelope.withdraws:
        _print_lines("These orders would be withdrawn:", before)
    elif not submission.leaves_lines:
        _print_lines("They would replace your orders of before:", before)
    else:
        tell("There are no orders in it, only a message:")
        for line in judged.verdict.besides:
            tell(f"  {line}")
        _print_lines("These orders from before would stand:", before)


def _print_receipt(path: Path, receipt: Lodged, handed: Handed) -> None:
    from pbem.cli.printing import print_taken
    from pbem.play.submissions.receipts import PressReceipt, Receipt

    envelope = receipt.judged.submission.envelope
    if isinstance(receipt, PressReceipt):
        tell(f"{path}: press of {envelope.seat} in {envelope.game} is lodged for the next reports.")
        print_taken(path, receipt.judged, handed)
        _print_forecast(path, receipt.judged, receipt.forecast, handed)
        _print_lines("Your press:", receipt.press)
        _print_lines("There are no lines in it. These orders from before stand:", receipt.standing)
        return
    assert isinstance(receipt, Receipt), "there is no third kind"
    tell(f"{path}: lodged for {envelope.seat} in {envelope.game}, receipt {receipt.number}.")
    tell(f"Proof of what you sent: {receipt.proof}")
    print_taken(path, receipt.judged, handed)
    _print_forecast(path, receipt.judged, receipt.forecast, handed)
    if receipt.withdraws:
        none = "Of your orders none will run. These are withdrawn:"
        _print_lines(none, "" if receipt.is_same else receipt.replaced)
        _print_lines(f"This goes out{', the same again' * receipt.is_same}:", receipt.orders)
        return
    _print_lines("These lines will run:", receipt.orders)
    _print_lines("They replace:", receipt.replaced)


def _print_lines(title: str, orders: str) -> None:
    if orders:
        tell(title)
        tell(textwrap.indent(orders, "    "))


def _print_forecast(path: Path, judged: Judged, forecast: Iterable[str], handed: Handed) -> None:
    from pbem.cli.printing import print_fault

    for fault in judged.submission.envelope.dropped:
        number, _, action = fault.part.partition(".")
        print_fault(path, fault, handed, f" ({f'{action} of ' * bool(action)}order {number} is left out)")
    for line in forecast:
        tell(f"  {line}")


def _judged_json(path: Path, result: Judged | list[Fault], handed: Handed) -> dict[str, Json]:
    from pbem.cli.printing import faults_json, notes_json

    if isinstance(result, list):
        return {"file": str(path), **faults_json(result, handed)}
    notes = [(one.text, one.line) for one in result.notes]
    envelope = result.submission.envelope
    prospects: list[Json] = [
        {"order": one.number, "standing": one.standing, "meant": one.meant, "lines": [*one.lines]}
        for one in result.verdict.prospects
    ]
    return {
        "file": str(path),
        "game": envelope.game,
        "seat": envelope.seat,
        "faults": [],
        "prospects": prospects,
        "besides": [*result.verdict.besides],
        **notes_json(notes, handed),
    }


def _receipt_json(path: Path, result: Lodged | list[Fault], handed: Handed) -> dict[str, Json]:
    from pbem.play.submissions.receipts import PressReceipt, Receipt

    if isinstance(result, list):
        return _judged_json(path, result, handed)
    judged = _judged_json(path, result.judged, handed)
    if isinstance(result, PressReceipt):
        return {**judged, "press": result.press, "standing": result.standing}
    assert isinstance(result, Receipt), "there is no third kind"
    return {
        **judged,
        "receipt": result.number,
        "proof": result.proof,
        "orders": result.orders,
        "replaced": result.replaced,
    }
