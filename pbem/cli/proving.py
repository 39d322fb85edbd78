"""The verb of whoever wants to check something that they kept: proof."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pbem.text.kept import KeptReceipt, KeptReport

_WITHOUT = "Without pbem, verify.py does it, which lies in that file and needs Python alone:"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def proof(file: Path) -> None:
    """Tell how to check a receipt or a report that you kept: what can be checked now, and what later.

    FILE is a receipt or a report, as text or as the whole mail. No home is needed, and nothing is sent.
    """
    from pbem.play.running import read_orders_file
    from pbem.store.errors import WrongInput
    from pbem.text.kept import KeptReceipt, kept_in

    for text, is_part in _texts(read_orders_file(file)):
        if kept := kept_in(text):
            made = _of_receipt(kept, file, is_part) if isinstance(kept, KeptReceipt) else _of_report(kept)
            for line in made:
                click.echo(line)
            return
    hint = "Save the mail as it came: receipts have a line `Proof of what you sent`, reports `Root of turn`."
    raise WrongInput(f"{file} is neither a receipt nor a report.", hint)


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
    if not kept.has_lines:
        yield "It holds no lines that will run, so there is nothing in it that can be checked."
        return
    yield "Now: read the lines that will run. If they are not what you sent, send again."
    yield "The proof is made with the seed, which is secret until the game is over. Keep the receipt."
    name = file if not is_part else file.with_suffix(".txt")
    yield f"When the game is over: take {kept.game}.zip from the page of the game in the archive, and give"
    if is_part:
        yield f"the receipt as text, without the rest of the mail; save it as {name}:"
    yield f"  pbem verify {kept.game}.zip --receipt {name}"
    yield _WITHOUT
    yield f"  python verify.py {kept.game}.zip --receipt {name}"
    yield "They say which seat sent these lines, word for word; or that nothing proves it."
    yield "What it proves to the byte, and what not, is told in docs/proof.md."


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
    if kept.promise:
        yield f"The seed is told then, and its SHA-256 must be {kept.promise}."
    yield _WITHOUT
    yield f"  python verify.py {name}.zip --foot {kept.root}"
    yield "It checks the dice too; what it does not do is to play the turns again."
    yield "What it proves to the byte, and what not, is told in docs/proof.md."
