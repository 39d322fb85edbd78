"""A downloaded game is verified on its own: nothing is asked of a host, and nothing of it is believed."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from pbem.archive.download import CONTENTS, DRAWS, ENDED, FORMAT, TAKEN_BACK, WHOLE
from pbem.archive.finished import Draw, WatchedDice, once_each
from pbem.archive.verifier import Archive, files_of
from pbem.core.interface import Json
from pbem.play.homes.home import Home, Secret, is_game_name, read_secret
from pbem.play.homes.integrity import Finding, is_root
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import receipt_proof, short
from pbem.play.homes.verify import DiceMaker, Verified, verify
from pbem.play.turn.luck import deal_of
from pbem.store.errors import WrongInput
from pbem.store.memory import MemoryStore
from pbem.text.canonical import canonical, receipt_of
from pbem.text.codec import dumps, fields_of, items_of
from pbem.text.orders import Submission, open_envelope, read_lines
from pbem.text.strictyaml import dump

_PLACE: Final = re.compile(r"[a-z0-9-]{1,40}(/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,60}){1,6}")


def verify_file(
    path: Path, foot: str | None = None, each: Callable[[], None] = lambda: None
) -> tuple[str, Verified]:
    """Verify a game that was downloaded from an archive.

    Args:
        path: The zip file.
        foot: The root from the foot of a report that a player kept.
        each: Told after each turn that was played again.

    Returns:
        The game, and what was found. Of a running game only what was public can be verified: nothing of it
        can be recomputed.

    Raises:
        WrongInput: It is no such file, or the root does not look like one.
    """
    if foot is not None and not is_root(foot):
        raise WrongInput(f"{foot!r} is no root.", "It stands in the foot of a report: xxxx-xxxx-xxxx-xxxx.")
    files = _unpacked(path)
    contents = _contents(path, files)
    archive = Archive(files)
    if contents["kind"] != WHOLE:
        findings = [Finding(*one) for one in archive.findings()]
        return str(contents["game"]), _public(contents, findings, foot)
    if listed := archive.findings(only_listed=True):
        why, wrong = ("the file is not as it was made",), tuple(Finding(*one) for one in listed)
        return str(contents["game"]), Verified(len(archive.turns), 0, wrong, 0, why)
    return str(contents["game"]), _whole(contents, archive, foot, each)


def file_findings(path: Path) -> tuple[Finding, ...]:
    """Return what is wrong in a downloaded game by its hashes, roots and dice; no turn is played again.

    Args:
        path: The zip file.

    Raises:
        WrongInput: It is no such file.
    """
    files = _unpacked(path)
    _contents(path, files)
    return tuple(Finding(*one) for one in Archive(files).findings())


def receipt_in(path: Path, receipt: str) -> str:
    """Say what a receipt that a player kept proves by a downloaded game; "" if nothing.

    Args:
        path: The zip file.
        receipt: The receipt, as it was mailed or printed.

    Raises:
        WrongInput: It is no such file, the game is not over, or the turn that took the orders of the receipt
            has others there.
    """
    files = _unpacked(path)
    contents = _contents(path, files)
    if contents["kind"] != WHOLE:
        raise _not_whole(path, contents, "receipt")
    archive = Archive(files)
    took, is_compared = archive.sent(receipt)[-1], False
    if took and took not in archive.excused:
        home, data = _home_of(contents, files), files[took]
        grammar, envelope = SavedGame(home, str(contents["game"])).grammar, open_envelope(data)
        read = envelope if isinstance(envelope, list) else read_lines(envelope, grammar)
        if isinstance(read, list) or _proof_of(read, data, home) not in receipt:
            text = f"The receipt is genuine, but {took} does not hold its orders."
            raise WrongInput(text, "Ask the host: the file was changed after he gave the receipt.")
        is_compared = True
    return archive.of_receipt(receipt, is_compared=is_compared)


def report_in(path: Path, report: bytes) -> str:
    """Say which report of a downloaded game a file is that a player kept, word for word; "" if none.

    Args:
        path: The zip file.
        report: The report as text, with any line ends.

    Raises:
        WrongInput: It is no such file, or the game is not over.
    """
    files = _unpacked(path)
    if (contents := _contents(path, files))["kind"] != WHOLE:
        raise _not_whole(path, contents, "report")
    return Archive(files).of_report(report)


def _not_whole(path: Path, contents: Mapping[str, Json], what: str) -> WrongInput:
    """Return why a receipt or a report cannot be checked by a download that holds only what was public."""
    if contents.get("over") is True:
        text = (
            f"{path} holds only what was public: the records of the game tell what is not published, names "
            "of players or who sent an anonymous message."
        )
        hint = f"Ask the moderator, who has the records, to check the {what}."
        return WrongInput(text, hint)
    text = f"{path} holds only what is public of a running game."
    now = "; its root with --foot now" if what == "report" else ""
    return WrongInput(text, f"A {what} can be checked when the game is over{now}.")


def _proof_of(sent: Submission, data: bytes, home: Home) -> str:
    """Return what the receipt of an orders file has as its proof."""
    game, seat = sent.envelope.game, sent.envelope.seat
    seed = read_secret(home.game(game)).seed
    return receipt_proof(seed, game, seat, receipt_of(data), canonical(sent.orders))


def _unpacked(path: Path) -> dict[str, bytes]:
    """Return the files of a download by their paths in the game's folder, within limits."""
    try:
        with zipfile.ZipFile(path) as packed:
            if strange := [name for name in packed.namelist() if not _PLACE.fullmatch(name)]:
                raise WrongInput(f"{path} is no archive of a game: it holds {strange[0]!r}.")
        return files_of(path)
    except OSError as wrong:
        raise WrongInput(f"{path} cannot be read: {wrong.strerror}.") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as wrong:
        raise WrongInput(f"{path} is damaged, or no zip file: {wrong}.", "Get the file again.") from None


def _contents(path: Path, files: Mapping[str, bytes]) -> dict[str, Json]:
    """Return what a download says of itself."""
    shape = {
        "format": int, "kind": str, "game": str, "rules": str, "seats": list, "commitment": str, "seed": str,
        "roots": list, "feet": list, "files": dict, "left_out": dict, "changed": dict,
    }  # fmt: skip
    try:
        value = json.loads(files[CONTENTS])
        is_one = isinstance(value, dict) and all(
            isinstance(value.get(name), kind) for name, kind in shape.items()
        )
    except (KeyError, ValueError, RecursionError):
        is_one = False
    if not is_one:
        raise WrongInput(f"{path} is no archive of a game: its {CONTENTS} is missing or damaged.")
    if not is_game_name(value["game"]):
        raise WrongInput(f"{path} is no archive of a game: its {CONTENTS} names no game.")
    if value["format"] > FORMAT:
        raise WrongInput(f"{path}: its {CONTENTS} is of a newer format.", "Install the pbem that wrote it.")
    found: dict[str, Json] = value
    return found


def _public(contents: Mapping[str, Json], findings: list[Finding], foot: str | None) -> Verified:
    roots = [root for root in map(str, items_of(contents["roots"])) if is_root(root)]
    held = None
    if foot is not None:
        wanted = re.sub(r"[\s-]", "", foot.partition("(")[0].lower())
        named = {f"turn {number}": root for number, root in enumerate(roots)}
        for place, root in fields_of(contents.get(TAKEN_BACK)).items():
            named[f"turn {place.partition('.')[0].lstrip('0')} (taken back later)"] = str(root)
        held = next((name for name, root in named.items() if _is_root_of(wanted, root)), "")
        if not held:
            text = f"no turn of this game has the root {foot}"
            if TAKEN_BACK not in contents:  # a file of an older version
                text += (
                    "; if a later report says that its turn was taken back, a newer file of the game names it"
                )
            findings.append(Finding(CONTENTS, text))
    is_over = contents.get("over") is True
    unfinished = "its moderator ended it" if contents.get(ENDED) is True else "the game is not over"
    why = "its records tell what is not published" if is_over else unfinished
    note = f"only what was public is here, and nothing was played again: {why}"
    return Verified(len(roots), 0, tuple(findings), 0, (), held, (note,))


def _is_root_of(wanted: str, root: str) -> bool:
    return is_root(root) and wanted in (root, short(root).replace("-", ""))


def _whole(
    contents: Mapping[str, Json], archive: Archive, foot: str | None, each: Callable[[], None]
) -> Verified:
    """Put a game into a home of its own, which nobody keeps, and verify it there; then by its files alone."""
    drawn: dict[int, list[Draw]] = {}

    def watched(number: int) -> DiceMaker:
        noted = drawn.setdefault(number, [])
        return lambda seed, step: WatchedDice(seed, step, noted)

    home = _home_of(contents, archive.files)
    game, left_out, changed = str(contents["game"]), contents["left_out"], contents["changed"]
    assert isinstance(left_out, dict) and isinstance(changed, dict), "its shape was checked"
    found = verify(home, game, foot, excused=frozenset(archive.excused), each=each, dice_of=watched)
    told = [f"{len(one)} files {how}" for one, how in ((left_out, "left out"), (changed, "shortened")) if one]
    normal = "as usual, what is not published was left out, and all else was compared"
    notes = [f"{normal}: {' and '.join(told)}"] if told else []
    if found.findings:
        return replace(found, notes=(*found.notes, *notes))
    notes += filter(None, [deal_of(home.turns(game)).doubt()])
    more = [Finding(*one) for one in archive.findings()] or _draw_findings(archive.files, drawn)
    return replace(found, findings=tuple(more), notes=(*found.notes, *notes))


def _draw_findings(files: Mapping[str, bytes], drawn: Mapping[int, list[Draw]]) -> Iterator[Finding]:
    """Compare the draws that are listed with those of playing each turn again."""
    listed = json.loads(files[DRAWS])["turns"] if DRAWS in files else {}
    for number, noted in drawn.items():
        told = [[one.step, one.label, one.n, one.limit, one.value] for one in once_each(noted)]
        if listed.get(str(number), told) != told:
            yield Finding(DRAWS, f"turn {number}: these are not all its draws in their order")


def _home_of(contents: Mapping[str, Json], files: Mapping[str, bytes]) -> Home:
    """Return a home in memory that holds a game which was downloaded whole."""
    game, seats = str(contents["game"]), list(map(str, items_of(contents["seats"])))
    try:
        seed = bytes.fromhex(str(contents["seed"]))
    except ValueError:
        raise WrongInput(f"the {CONTENTS} of {game} holds no seed.") from None
    table: Json = {"seats": {seat: {"player": seat} for seat in seats}}
    own = {"secret.json": dumps(Secret(seed, {}).as_json()).encode(), "game.yaml": dump(table).encode()}
    return Home(MemoryStore({f"games/{game}/{name}": data for name, data in {**files, **own}.items()}))
