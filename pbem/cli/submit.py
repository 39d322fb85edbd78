"""The verb that lodges orders files, and the receipt of each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.base import home_option, json_option, moment, now_option, open_home, print_next_step, print_text
from pbem.cli.news import home_without_damage
from pbem.cli.orders import (
    handle_files,
    judged_json,
    print_cautions,
    print_forecast,
    print_interpretation,
    print_lines,
)
from pbem.host.notices.questions import waiting_press
from pbem.host.office.acts import lodge_for_moderator
from pbem.host.run.notes import notes_of
from pbem.play.submissions.lodging import lodge
from pbem.play.submissions.receipts import JudgedOrders, LodgingResult, PressReceipt, Receipt

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.homes.home import Home
    from pbem.play.submissions.anyfile import SubmittedFile
    from pbem.store.records import Row
    from pbem.text.orders import Envelope, Fault

_FILES = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))


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
    opened, at = open_home(home), moment(now)

    def noting(judged: JudgedOrders, _number: int) -> tuple[Row, ...]:
        return waiting_press(judged.saved, judged.seat, judged.submission.orders.press, at)

    def handle(handed: SubmittedFile) -> LodgingResult | list[Fault]:
        if for_moderator:
            return lodge_for_moderator(opened, handed.data, at)
        return lodge(opened, handed.data, noting=noting)

    def show(path: Path, receipt: LodgingResult, handed: SubmittedFile) -> None:
        _print_receipt(path, receipt, handed)
        _print_hold(opened, receipt.judged.submission.envelope)

    code = handle_files(opened, files, handle, _receipt_json if as_json else None, show)
    if code == 0 and not as_json:
        print_next_step(home, "run", "runs the games that can go on")
    return code


def _print_receipt(path: Path, receipt: LodgingResult, handed: SubmittedFile) -> None:
    envelope = receipt.judged.submission.envelope
    if isinstance(receipt, PressReceipt):
        print_text(f"{path}: press of {envelope.seat} in {envelope.game} is lodged for the next reports.")
        print_interpretation(path, receipt.judged, handed)
        print_forecast(path, receipt.judged, receipt.forecast, handed)
        print_lines("Your press:", receipt.press)
        print_lines("There are no lines in it. These orders from before stand:", receipt.standing)
        return
    assert isinstance(receipt, Receipt), "there is no third kind"
    print_text(f"{path}: lodged for {envelope.seat} in {envelope.game}, receipt {receipt.number}.")
    print_cautions(receipt.cautions)
    print_text(f"Proof of what you sent: {receipt.proof}")
    print_interpretation(path, receipt.judged, handed)
    print_forecast(path, receipt.judged, receipt.forecast, handed)
    if receipt.withdraws:
        none = "Of your orders none will run. These are withdrawn:"
        print_lines(none, "" if receipt.is_same else receipt.replaced)
        print_lines(f"This goes out{', the same again' * receipt.is_same}:", receipt.orders)
        return
    print_lines("These lines will run:", receipt.orders)
    print_lines("They replace:", receipt.replaced)


def _receipt_json(path: Path, result: LodgingResult | list[Fault], handed: SubmittedFile) -> dict[str, Json]:
    if isinstance(result, list):
        return judged_json(path, result, handed)
    judged = judged_json(path, result.judged, handed)
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


def _print_hold(home: Home, sent: Envelope) -> None:
    """Print that orders which were lodged just now are held back, if they are."""
    game, seat = sent.game, sent.seat
    if why := notes_of(home_without_damage(home, game), game).held.get(seat):
        until = f"no run looks at them before pbem hold {game} {seat} --release"
        print_text(f"Orders of {seat} are held back ({why}): {until}")
