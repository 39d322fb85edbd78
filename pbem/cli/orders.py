"""The verbs of players: form, check, submit; and luck, proof, which need no home."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
from pbem.cli.faults import (
    faults_json,
    notes_json,
    print_fault,
    print_faults,
    print_held,
    print_lines,
    print_taken,
)
from pbem.cli.printing import write_file
from pbem.core.interface import Outcome
from pbem.core.labels import START
from pbem.store.disk import Disk, replace_file
from pbem.store.errors import WrongInput
from pbem.store.opening import open_store
from pbem.text.codec import dumps, encode
from pbem.text.envelope import full_schema

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.homes.home import Home
    from pbem.play.homes.saved import SavedGame
    from pbem.play.submissions.anyfile import Handed
    from pbem.play.submissions.receipts import Judged, Lodged
    from pbem.store.records import Row
    from pbem.text.kept import KeptReceipt, KeptReport
    from pbem.text.orders import Fault


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
    from pbem.play.homes.saved import SavedGame
    from pbem.play.reports.formpages import printed_page
    from pbem.play.reports.reading import filled_form, is_asked
    from pbem.play.reports.reading import form as form_of_seat

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
        text = form_of_seat(opened, game, seat, due)
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
    from pbem.play.submissions.receipts import forecast_of, orders_before

    submission, before = judged.submission, orders_before(judged)
    plays = any(one.standing == "plays" for one in judged.verdict.prospects)
    works = "these orders will work" if plays else "no mistakes"
    tell(f"{path}: {'what is left of them will work' if submission.envelope.dropped else works}.")
    _print_cautions(judged.verdict.cautions)
    print_taken(path, judged, handed)
    _print_forecast(path, judged, forecast_of(judged), handed)
    if submission.envelope.withdraws:
        print_lines("These orders would be withdrawn:", before)
    elif not submission.leaves_lines:
        print_lines("They would replace your orders of before:", before)
    else:
        tell("There are no orders in it, only a message:")
        for line in judged.verdict.besides:
            tell(f"  {line}")
        print_lines("These orders from before would stand:", before)


def _print_receipt(path: Path, receipt: Lodged, handed: Handed) -> None:
    from pbem.play.submissions.receipts import PressReceipt, Receipt

    envelope = receipt.judged.submission.envelope
    if isinstance(receipt, PressReceipt):
        tell(f"{path}: press of {envelope.seat} in {envelope.game} is lodged for the next reports.")
        print_taken(path, receipt.judged, handed)
        _print_forecast(path, receipt.judged, receipt.forecast, handed)
        print_lines("Your press:", receipt.press)
        print_lines("There are no lines in it. These orders from before stand:", receipt.standing)
        return
    assert isinstance(receipt, Receipt), "there is no third kind"
    tell(f"{path}: lodged for {envelope.seat} in {envelope.game}, receipt {receipt.number}.")
    _print_cautions(receipt.cautions)
    tell(f"Proof of what you sent: {receipt.proof}")
    print_taken(path, receipt.judged, handed)
    _print_forecast(path, receipt.judged, receipt.forecast, handed)
    if receipt.withdraws:
        none = "Of your orders none will run. These are withdrawn:"
        print_lines(none, "" if receipt.is_same else receipt.replaced)
        print_lines(f"This goes out{', the same again' * receipt.is_same}:", receipt.orders)
        return
    print_lines("These lines will run:", receipt.orders)
    print_lines("They replace:", receipt.replaced)


def _print_cautions(cautions: Iterable[str]) -> None:
    """Print what the sender may not have meant, before anything else."""
    for one in cautions:
        tell(f"BUT {one}.")


def _print_forecast(path: Path, judged: Judged, forecast: Iterable[str], handed: Handed) -> None:
    for fault in judged.submission.envelope.dropped:
        number, _, action = fault.part.partition(".")
        print_fault(path, fault, handed, f" ({f'{action} of ' * bool(action)}order {number} is left out)")
    for line in forecast:
        tell(f"  {line}")


def _judged_json(path: Path, result: Judged | list[Fault], handed: Handed) -> dict[str, Json]:
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
        "cautions": [*result.verdict.cautions],
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


_TO_THE_BYTE = 'The page "What can be proven, and how" of pbem\'s documents says what it proves to the byte.'
_WITHOUT = "Without pbem, verify.py does it, with Python alone. It lies in that file, so unzip it first:"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def proof(file: Path, as_json: bool) -> None:
    """Tell how to check a receipt or a report that you kept.

    It says what can be checked now, and what later. FILE is a receipt or a report, as text or as the whole
    mail. No home is needed, and nothing is sent.
    """
    from pbem.play.homes.home import is_game_name
    from pbem.text.kept import KeptReceipt, kept_in

    if not file.exists() or file.is_dir():
        whole = f" To check a whole game: pbem verify {file}" if is_game_name(str(file)) else ""
        wanted = f"Name a file that holds a receipt or a report that you kept.{whole}"
        raise WrongInput(f"{file} is a folder." if file.is_dir() else f"there is no file {file}.", wanted)
    for text, is_part in _texts(read_file(file)):
        if kept := kept_in(text):
            if as_json:
                print_json(_as_json(kept))
                return
            made = _of_receipt(kept, file, is_part) if isinstance(kept, KeptReceipt) else _of_report(kept)
            for line in made:
                tell(line)
            return
    way_out = (
        "Save the mail as it came: receipts have a line `Proof of what you sent`, reports `Root of turn`."
    )
    raise WrongInput(f"{file} is neither a receipt nor a report.", way_out)


def _as_json(kept: KeptReceipt | KeptReport) -> Json:
    """Return what was kept, as data."""
    from pbem.text.kept import KeptReceipt

    value = encode(kept)
    assert isinstance(value, dict), "a dataclass becomes an object"
    return {"kind": "receipt" if isinstance(kept, KeptReceipt) else "report", **value}


def _texts(data: bytes) -> Iterator[tuple[str, bool]]:
    """Yield the texts of a file: itself, or the parts of a saved mail; and whether it is such a part."""
    from pbem.text.mail.bodies import Text, text_of
    from pbem.text.mail.letter import Letter, read_letter

    yield data.decode(errors="replace"), False
    letter = read_letter(data)
    for part in letter.parts if isinstance(letter, Letter) else ():
        found = text_of(part) if part.content_type.startswith("text/") else None
        if isinstance(found, Text):
            yield "\n".join(found.lines), True


def _of_receipt(kept: KeptReceipt, file: Path, is_part: bool) -> Iterator[str]:
    """Say how a receipt can be checked."""
    yield f"This is receipt {kept.number} of {kept.game}. Its proof is {kept.proof}."
    yield "Now: read the lines in it. If they are not what you sent, send again."
    yield "The proof is made with the seed, which is secret until the game is over. Keep the receipt."
    name = file if not is_part else file.with_suffix(".txt")
    yield f"When the game is over: take {kept.game}.zip from the page of the game in the archive, and give"
    if is_part:
        yield f"the receipt as text, without the rest of the mail; save it as {name}:"
    yield f"  pbem verify {kept.game}.zip --receipt {name}"
    yield _WITHOUT
    yield f"  python {kept.game}/verify.py {kept.game}.zip --receipt {name}"
    yield "They say which seat sent these lines, word for word; or that nothing proves it."
    yield _TO_THE_BYTE


def _of_report(kept: KeptReport) -> Iterator[str]:
    """Say how a report can be checked."""
    of, name = (f" of {kept.game}" if kept.game else ""), kept.game or "GAME"
    yield f"This is a report of turn {kept.turn}{of}. Its root is {kept.root}."
    yield "Now: ask another player for the root of the same turn. Each report of a turn has the same root;"
    yield "if yours differ, you were told different games. The roots of all turns stand in the archive too;"
    yield f"{name}.zip is on the page of the game there:"
    yield f"  pbem verify {name}.zip --foot {kept.root}"
    yield "When the game is over: the same command, with the file as it is then, shows"
    yield f"that turn {kept.turn} and all before it are what you were told, and plays every turn again."
    yield f"  pbem verify {name}.zip --report FILE   (is it that report, word for word?)"
    if kept.promise:
        yield f"The seed is told then, and its SHA-256 must be {kept.promise}."
    yield _WITHOUT
    yield f"  python {name}/verify.py {name}.zip --foot {kept.root}"
    yield f"  python {name}/verify.py {name}.zip --report FILE   (is it that report, word for word?)"
    yield "It checks the dice too; what it does not do is to play the turns again."
    yield _TO_THE_BYTE


@click.command()
@click.argument("game")
@click.argument("seat")
@click.option("--open", "opens", is_flag=True, help="Write the form that opens the seal.")
@click.option("--keep", type=click.Path(path_type=Path, dir_okay=False), help="The file for the words.")
def luck(game: str, seat: str, opens: bool, keep: Path | None) -> None:
    """Make luck words and their seal: a file, and a form to send.

    The words are kept in a file, GAME.SEAT.luck if you name no other, and the form with the seal is printed.
    If the command is repeated, it uses the same words. When the seals of all were told, `--open` prints the
    form with the words. Nothing is sent, and no home is needed.
    """
    from pbem.text.kept import KeptLuck, kept_luck, new_luck
    from pbem.text.strictyaml import dump

    path = keep or Path(f"{game}.{seat}.luck")
    if not path.exists():
        if opens:
            way_out = "It lies where `pbem luck` made the seal; --keep names another file."
            raise WrongInput(f"{path} is not there.", way_out)
        _refuse_unsealed(game)
        import secrets

        _write_new(path, new_luck(game, seat, secrets.token_bytes(20)).as_text())
        hint(f"{path} keeps your words. Show it to nobody, and keep it: you need it to open the seal.")
    found = kept_luck(path.read_bytes())
    if not isinstance(found, KeptLuck):
        raise WrongInput(f"{path} {found}.", "Name another file with --keep.")
    if (found.game, found.seat) != (game, seat):
        raise WrongInput(f"{path} is of {found.seat} in {found.game}.", "Name another file with --keep.")
    hand_out(dump(found.orders(opens=opens)))


def _refuse_unsealed(game: str) -> None:
    """Refuse to make words where the home in which one works has the game, and it takes no seal now."""
    from pbem.play.homes.home import Home
    from pbem.play.homes.saved import SavedGame

    home = Home(open_store("."))
    if not home.has(game):
        return
    saved = SavedGame(home, game)
    if not saved.start.sealed:
        raise WrongInput(f"the luck words of {game} are not sealed, so no seal of them is taken.")
    if isinstance(saved.ask, Outcome) or saved.ask.label != START:
        raise WrongInput(f"{START} has passed in {game}, so no seal is taken any more.")


def _write_new(path: Path, text: str) -> None:
    """Write a file that only its owner can read, and that was not there: all of it, or none."""
    replace_file(Disk(), path, text.encode(), 0o600)
