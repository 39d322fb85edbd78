"""A downloaded game is verified on its own: nothing is asked of a host, and nothing of it is believed."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from pbem.archive.download import CONTENTS, DRAWS, ENDED, FORMAT, TAKEN_BACK
from pbem.archive.finished import Draw, WatchedDice, unique_draws
from pbem.archive.verifier import DAMAGE, Archive, files_of
from pbem.core.interface import Json
from pbem.play.homes.home import Home, Secret, is_game_name, read_secret
from pbem.play.homes.integrity import Finding, is_root
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import receipt_proof
from pbem.play.homes.verify import DiceMaker, VerifyResult, replay_game
from pbem.store.errors import WrongInput
from pbem.store.memory import MemoryStore
from pbem.text.codec import canonical_yaml, dumps, items_of, receipt_of
from pbem.text.orders import Submission, open_envelope, read_lines
from pbem.text.strictyaml import dump

_PLACE: Final = re.compile(r"[a-z0-9-]{1,40}(/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,60}){1,6}")


def verify_file(
    path: Path, foot: str | None = None, each: Callable[[], None] = lambda: None
) -> tuple[str, VerifyResult]:
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
    contents, archive = _open_download(path)
    findings, held = [Finding(*one) for one in archive.findings()], None
    is_intact = all(one.place.startswith("turns/undone/") for one in findings)
    if foot is not None:
        with suppress(*DAMAGE):
            held = archive.turn_of_foot(foot)
    if held == "":
        # Files of older versions name no turns that were taken back.
        newer = "" if archive.is_whole or TAKEN_BACK in contents else ", unless it was taken back later"
        findings.append(Finding(CONTENTS, f"no turn of this game has the root {foot}{newer}"))
    if not archive.is_whole:
        found = VerifyResult(len(archive.turns), 0, (), 0, (), notes=(_why_public(contents),))
    elif not is_intact:
        found = VerifyResult(len(archive.turns), 0, (), 0, ("the game is not intact",))
    else:
        found = _replay_game(contents, archive, each)
    return str(contents["game"]), replace(found, findings=(*findings, *found.findings), foot=held)


def file_findings(path: Path) -> tuple[Finding, ...]:
    """Return what is wrong in a downloaded game by its hashes, roots and dice; no turn is played again.

    Args:
        path: The zip file.

    Raises:
        WrongInput: It is no such file.
    """
    return tuple(Finding(*one) for one in _open_download(path)[1].findings())


def explain_archived_receipt(path: Path, receipt: str) -> str:
    """Say what a receipt that a player kept proves by a downloaded game; "" if nothing.

    Args:
        path: The zip file.
        receipt: The receipt, as it was mailed or printed.

    Raises:
        WrongInput: It is no such file, the game is not over, or the turn that took the orders of the receipt
            has others there.
    """
    contents, archive = _open_complete_download(path, "receipt")
    took, is_compared = archive.sent(receipt)[-1], False
    if took and took not in archive.excused:
        home, data = _memory_home(contents, archive.files), archive.files[took]
        grammar, envelope = SavedGame(home, str(contents["game"])).grammar, open_envelope(data)
        read = envelope if isinstance(envelope, list) else read_lines(envelope, grammar)
        if isinstance(read, list) or _receipt_proof(read, data, home) not in receipt:
            text = f"The receipt is genuine, but {took} does not hold its orders."
            raise WrongInput(text, "Ask the host: the file was changed after he gave the receipt.")
        is_compared = True
    return archive.explain_receipt(receipt, is_compared=is_compared)


def report_in(path: Path, report: bytes) -> str:
    """Say which report of a downloaded game a file is that a player kept, word for word; "" if none.

    Args:
        path: The zip file.
        report: The report as text, with any line ends.

    Raises:
        WrongInput: It is no such file, or the game is not over.
    """
    return _open_complete_download(path, "report")[1].identify_report(report)


def _open_complete_download(path: Path, what: str) -> tuple[dict[str, Json], Archive]:
    """Open a download that tells a game whole: by what was public only, no receipt or report is checked."""
    contents, archive = _open_download(path)
    if archive.is_whole:
        return contents, archive
    if contents.get("over") is True:
        text = (
            f"{path} holds only what was public: the records of the game tell what is not published, names "
            "of players or who sent an anonymous message."
        )
        hint = f"Ask the moderator, who has the records, to check the {what}."
        raise WrongInput(text, hint)
    text = f"{path} holds only what is public of a running game."
    now = "; its root with --foot now" if what == "report" else ""
    raise WrongInput(text, f"A {what} can be checked when the game is over{now}.")


def _receipt_proof(sent: Submission, data: bytes, home: Home) -> str:
    """Return what the receipt of an orders file has as its proof."""
    game, seat = sent.envelope.game, sent.envelope.seat
    seed = read_secret(home.game(game)).seed
    return receipt_proof(seed, game, seat, receipt_of(data), canonical_yaml(sent.orders))


def _open_download(path: Path) -> tuple[dict[str, Json], Archive]:
    """Return what a download says of itself, and what reads the rest of it."""
    files = _unpack_download(path)
    return _read_contents(path, files), Archive(files)


def _unpack_download(path: Path) -> dict[str, bytes]:
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


def _read_contents(path: Path, files: Mapping[str, bytes]) -> dict[str, Json]:
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


def _why_public(contents: Mapping[str, Json]) -> str:
    is_over = contents.get("over") is True
    unfinished = "its moderator ended it" if contents.get(ENDED) is True else "the game is not over"
    why = "its records tell what is not published" if is_over else unfinished
    return f"only what was public is here, and nothing was played again: {why}"


def _replay_game(contents: Mapping[str, Json], archive: Archive, each: Callable[[], None]) -> VerifyResult:
    """Put a game into a home that nobody keeps, and play it again there."""
    drawn: dict[int, list[Draw]] = {}

    def watched(number: int) -> DiceMaker:
        noted = drawn.setdefault(number, [])
        return lambda seed, step: WatchedDice(seed, step, noted)

    found = replay_game(_memory_home(contents, archive.files), str(contents["game"]), each, watched)
    archive.untold = []  # what is not listed was drawn again
    if found.findings or archive.found:
        return found
    doubts = filter(None, [archive.doubt()])
    findings = tuple(_draw_findings(archive.files, drawn))
    return replace(found, findings=findings, notes=(*found.notes, *doubts))


def _draw_findings(files: Mapping[str, bytes], drawn: Mapping[int, list[Draw]]) -> Iterator[Finding]:
    """Compare the draws that are listed with those of playing each turn again."""
    listed = json.loads(files[DRAWS])["turns"] if DRAWS in files else {}
    for number, noted in drawn.items():
        told = [[one.step, one.label, one.n, one.limit, one.value] for one in unique_draws(noted)]
        if listed.get(str(number), told) != told:
            yield Finding(DRAWS, f"turn {number}: these are not all its draws in their order")


def _memory_home(contents: Mapping[str, Json], files: Mapping[str, bytes]) -> Home:
    """Return a home in memory that holds a game which was downloaded whole."""
    game, seats = str(contents["game"]), list(map(str, items_of(contents["seats"])))
    try:
        seed = bytes.fromhex(str(contents["seed"]))
    except ValueError:
        raise WrongInput(f"the {CONTENTS} of {game} holds no seed.") from None
    table: Json = {"seats": {seat: {"player": seat} for seat in seats}}
    own = {"secret.json": dumps(Secret(seed, {}).as_json()).encode(), "game.yaml": dump(table).encode()}
    return Home(MemoryStore({f"games/{game}/{name}": data for name, data in {**files, **own}.items()}))
