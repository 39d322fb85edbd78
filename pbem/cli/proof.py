"""The verbs that need no home: proof, luck; and what a player kept, read back."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from pbem.cli.base import json_option, print_document, print_hint, print_json, print_text, read_file
from pbem.core.book import OPEN, START
from pbem.core.interface import Json, Outcome
from pbem.core.opening import seal_of
from pbem.play.homes.home import Home, is_game_name
from pbem.play.homes.saved import SavedGame
from pbem.store.disk import Disk, replace_file
from pbem.store.errors import WrongInput
from pbem.store.opening import open_store
from pbem.text.codec import encode
from pbem.text.mail.bodies import Text, text_of
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.strictyaml import YamlProblem, dump, parse

_SHORT: Final = r"[a-z2-7]{4}(?:-[a-z2-7]{4}){3}"
_GAME: Final = r"([a-z0-9][a-z0-9-]{0,20})"
_PROOF: Final = re.compile(rf"Proof\s+of\s+what\s+you\s+sent:\s*({_SHORT})")
_MAILED: Final = re.compile(
    rf"Your\s+orders\s+for\s+{_GAME}\s+are\s+(?:lodged|withdrawn):\s+receipt\s+(\d+)\."
)
_PRINTED: Final = re.compile(rf"lodged\s+for\s+(\S+)\s+in\s+{_GAME},\s+receipt\s+(\d+)\.")
_ROOT: Final = re.compile(rf"Root\s+of\s+turn\s+(\d+):\s*({_SHORT})")
_TITLED: Final = re.compile(rf"(?:^|,)\s*{_GAME},\s+(?:turn|report)\s+\d+[,.]", re.MULTILINE)
_PROMISE: Final = re.compile(r"before\s+anybody.{1,6}s\s+luck\s+words:\s*([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class KeptReceipt:
    """A receipt that a player kept.

    Attributes:
        game: The game.
        number: The number of the receipt.
        proof: What is in it to check.
    """

    game: str
    number: int
    proof: str


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A report that a player kept.

    Attributes:
        game: The game; "" if the text does not name it.
        turn: The turn.
        root: The root in its foot.
        promise: The SHA-256 of the seed, where it is told; else "".
    """

    game: str
    turn: int
    root: str
    promise: str


def find_proof(text: str) -> KeptReceipt | KeptReport | None:
    """Return the receipt or the report in a text, of a page too; None if it is neither."""
    plain = re.sub(r"<[^>]*>", " ", text) if "</" in text else text
    if proof := _PROOF.search(plain):
        if mailed := _MAILED.search(plain):
            game, number = mailed[1], mailed[2]
        elif printed := _PRINTED.search(plain):
            game, number = printed[2], printed[3]
        else:
            return None
        return KeptReceipt(game, int(number), proof[1])
    if root := _ROOT.search(plain):
        titled, promise = _TITLED.search(plain), _PROMISE.search(plain)
        return KeptReport(titled[1] if titled else "", int(root[1]), root[2], promise[1] if promise else "")
    return None


_HEAD: Final = """\
# Luck words and their seal. Tell the words to nobody before the report with
# the seals of all has come; if your seal stands there, send them then.
"""


@dataclass(frozen=True, slots=True)
class KeptLuck:
    """Luck words that a player keeps.

    Attributes:
        game: The game.
        seat: The seat.
        words: The words.
    """

    game: str
    seat: str
    words: str

    @property
    def seal(self) -> str:
        """The seal of the words."""
        return seal_of(self.game, self.seat, self.words)

    def as_text(self) -> str:
        """Return the content of the file."""
        told: Json = {"game": self.game, "seat": self.seat, "words": self.words, "seal": self.seal}
        return _HEAD + dump(told)

    def orders(self, *, opens: bool) -> Json:
        """Return the start form with the seal, or the form that opens it."""
        do: dict[str, Json] = {"luck": self.words} if opens else {"seal": self.seal}
        line: dict[str, Json] = {"at": OPEN if opens else START, "do": do}
        return {"game": self.game, "seat": self.seat, "orders": [line]}


def new_luck(game: str, seat: str, secret: bytes) -> KeptLuck:
    """Return luck words that nobody can guess: 160 secret bits as eight groups of letters and digits."""
    letters = base64.b32encode(secret).decode().lower()
    return KeptLuck(game, seat, "-".join(letters[n : n + 4] for n in range(0, len(letters), 4)))


def read_luck_file(data: bytes) -> KeptLuck | str:
    """Return the words that a file keeps, or what is wrong with it."""
    try:
        value = parse(data).value
    except YamlProblem as wrong:
        return f"cannot be read: line {wrong.mark.line}: {wrong.text}"
    if not isinstance(value, dict) or not {"game", "seat", "words", "seal"} <= value.keys():
        return "keeps no luck words"
    found = KeptLuck(str(value["game"]), str(value["seat"]), str(value["words"]))
    return found if found.seal == value["seal"] else "was changed: its words do not give its seal"


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
    if not file.exists() or file.is_dir():
        whole = f" To check a whole game: pbem verify {file}" if is_game_name(str(file)) else ""
        wanted = f"Name a file that holds a receipt or a report that you kept.{whole}"
        raise WrongInput(f"{file} is a folder." if file.is_dir() else f"there is no file {file}.", wanted)
    for text, is_part in _readable_texts(read_file(file)):
        if kept := find_proof(text):
            if as_json:
                print_json(_as_json(kept))
                return
            made = (
                _explain_receipt(kept, file, is_part)
                if isinstance(kept, KeptReceipt)
                else _explain_report(kept)
            )
            for line in made:
                print_text(line)
            return
    way_out = (
        "Save the mail as it came: receipts have a line `Proof of what you sent`, reports `Root of turn`."
    )
    raise WrongInput(f"{file} is neither a receipt nor a report.", way_out)


def _as_json(kept: KeptReceipt | KeptReport) -> Json:
    """Return what was kept, as data."""
    value = encode(kept)
    assert isinstance(value, dict), "a dataclass becomes an object"
    return {"kind": "receipt" if isinstance(kept, KeptReceipt) else "report", **value}


def _readable_texts(data: bytes) -> Iterator[tuple[str, bool]]:
    """Yield the texts of a file: itself, or the parts of a saved mail; and whether it is such a part."""
    yield data.decode(errors="replace"), False
    letter = read_letter(data)
    for part in letter.parts if isinstance(letter, Letter) else ():
        found = text_of(part) if part.content_type.startswith("text/") else None
        if isinstance(found, Text):
            yield "\n".join(found.lines), True


def _explain_receipt(kept: KeptReceipt, file: Path, is_part: bool) -> Iterator[str]:
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


def _explain_report(kept: KeptReport) -> Iterator[str]:
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
    path = keep or Path(f"{game}.{seat}.luck")
    if not path.exists():
        if opens:
            way_out = "It lies where `pbem luck` made the seal; --keep names another file."
            raise WrongInput(f"{path} is not there.", way_out)
        _refuse_unsealed(game)
        _write_new(path, new_luck(game, seat, secrets.token_bytes(20)).as_text())
        print_hint(f"{path} keeps your words. Show it to nobody, and keep it: you need it to open the seal.")
    found = read_luck_file(path.read_bytes())
    if not isinstance(found, KeptLuck):
        raise WrongInput(f"{path} {found}.", "Name another file with --keep.")
    if (found.game, found.seat) != (game, seat):
        raise WrongInput(f"{path} is of {found.seat} in {found.game}.", "Name another file with --keep.")
    print_document(dump(found.orders(opens=opens)))


def _refuse_unsealed(game: str) -> None:
    """Refuse to make words where the home in which one works has the game, and it takes no seal now."""
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
