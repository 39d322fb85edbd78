"""The verbs of what was played: verify, archive."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pbem.archive.verification import explain_archived_receipt, file_findings, report_in, verify_file
from pbem.cli.base import (
    home_option,
    json_option,
    open_home,
    print_hint,
    print_json,
    print_text,
    print_to_stderr,
    print_unless_quiet,
    progress,
)
from pbem.host.run.losses import add_lost_turns, damage_advice, lost_turn_lines
from pbem.play.homes.verify import VerifyResult, plan_restoration
from pbem.play.homes.verify import verify as verify_game
from pbem.store.errors import WrongInput
from pbem.text.codec import encode

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.homes.home import Home

NOT_ALL: Final = 5
"""The exit code of a game in which nothing is wrong, and of which not every turn was played again."""


@click.command()
@click.argument("game", metavar="[GAME|FILE]", required=False)
@click.option("--foot", metavar="ROOT", help="The root from the foot of a report that a player kept.")
@click.option(
    "--receipt",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A receipt that a player kept, as text: tell what it proves, by a FILE.zip of a finished game.",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A report that a player kept, as text: whether it is one of FILE.zip, word for word.",
)
@json_option
@home_option
def verify(
    game: str | None, foot: str | None, receipt: Path | None, report: Path | None, as_json: bool, home: str
) -> int:
    """Check every turn of a game: unchanged, and replayed alike.

    Without GAME all games of the home are checked. A FILE.zip that was downloaded from an archive is checked
    by itself, without a home.
    """
    if receipt is not None and report is not None:
        raise click.UsageError("Give --receipt or --report, not both.")
    if game is None:
        if foot or receipt or report:
            raise click.UsageError("--foot needs GAME or FILE.zip, --receipt and --report need FILE.zip.")
        return _verify_all(open_home(home), as_json=as_json)
    if receipt is not None:
        return _print_proven(game, "--receipt", receipt, as_json=as_json)
    if report is not None:
        return _print_proven(game, "--report", report, as_json=as_json)

    if is_file := game.endswith(".zip"):
        with progress("Turns") as step:
            game, found = verify_file(Path(game), foot, step)
    elif "/" in game or (home == "." and Path(game).is_dir() and not Path("games").is_dir()):
        way = f"Give the file of a game that you downloaded: pbem verify {Path(game).name}.zip"
        raise WrongInput(f"{game} is no game of a home, and no FILE.zip.", way)
    else:
        found = _verify_game(open_home(home), game, foot)
    if as_json:
        print_json(encode(found))
    else:
        _print_verified(game, found, None if is_file else open_home(home))
    return _exit_code(found)


def _exit_code(found: VerifyResult) -> int:
    return 1 if found.findings else NOT_ALL if found.skipped else 0


def _verify_game(home: Home, game: str, foot: str | None = None) -> VerifyResult:
    with progress("Turns", len(home.turns(game).numbers())) as step:
        return add_lost_turns(home, game, verify_game(home, game, foot, each=step))


def _verify_all(home: Home, *, as_json: bool) -> int:
    """Check all games of a home, one after the other; return the worst of their exit codes."""
    rows: list[Json] = []
    code = 0
    for game in home.games():
        found = _verify_game(home, game)
        code = max(code, _exit_code(found), key=(0, NOT_ALL, 1).index)
        rows.append({"game": game, "checked": encode(found)})
        if not as_json:
            _print_verified(game, found, home)
    if as_json:
        print_json(rows)
    elif not rows:
        print_unless_quiet("There is no game in this home.")
    return code


def _print_proven(game: str, option: str, kept: Path, *, as_json: bool) -> int:
    """Tell what a file that a player kept proves: a receipt, or a report."""
    if not game.endswith(".zip"):
        raise click.UsageError(f"{option} needs the FILE.zip of the game from its archive.")
    data = kept.read_bytes()
    is_receipt = option == "--receipt"
    proven = (
        explain_archived_receipt(Path(game), data.decode(errors="replace"))
        if is_receipt
        else report_in(Path(game), data)
    )
    found = file_findings(Path(game)) if proven else ()
    if as_json:
        print_json({"proves": "" if found else proven})
        return 0 if proven and not found else 1
    what = "the receipt" if is_receipt else "the report"
    for finding in found:
        print_text(f"{game}/{finding.place}: {finding.text}")
    if found:
        print_text(f"{game} is not as it was made, so it proves nothing of {what}. Get the file again.")
        return 1
    if proven:
        print_text(proven)
        print_hint(
            f"The hashes, roots and dice of the file agree. To play its turns again too: pbem verify {game}"
        )
        return 0
    quoted = any(line.startswith(b">") for line in data.splitlines())
    marks = " Its lines begin with `>`, as in an answer to a mail: take these marks away." if quoted else ""
    print_text(f"{kept}: nothing in this game proves it. It must hold {what} as it came.{marks}")
    return 1


_DAMAGED: Final = re.compile(r"(turns/(?:undone/)?[^/]+)/.")


def _print_verified(game: str, found: VerifyResult, home: Home | None) -> None:
    for finding in found.findings:
        print_text(f"{game}/{finding.place}: {finding.text}")
    if found.foot:
        print_unless_quiet(f"{game}: that root is the root of {found.foot}.")
    for told in (*(f"not recomputed: {why}" for why in found.skipped), *found.notes):
        print_unless_quiet(f"{game}: {told}")
    if not found.findings:
        kept = f" and {found.undone} taken back" if found.undone else ""
        lacking = f", {len(found.skipped)} not" if found.skipped else ""
        turns = "1 turn" if found.turns == 1 else f"{found.turns} turns"
        print_unless_quiet(f"{game}: {turns}{kept} intact, {found.recomputed} recomputed{lacking}.")
        return
    damaged = [_DAMAGED.match(one.place) for one in found.findings]
    folders = {one[1] for one in damaged if one}
    if all(damaged):  # else not all turns were looked at
        print_unless_quiet(f"{game}: {_intact_turns(found, folders)}")
    if folders and home is not None:
        _print_restoration_hint(home, game, found)


def _print_restoration_hint(home: Home, game: str, found: VerifyResult) -> None:
    """Say which damaged files are put back without a backup, and which are not."""
    mend = f"without a backup: pbem home mend {game}"
    made = plan_restoration(home, game)
    strays = [one for one in made.left if one.is_stray]
    left = [one for one in made.left if not one.is_stray]
    if strays:
        print_hint(f"Delete what does not belong there: {', '.join(f'{game}/{one.place}' for one in strays)}")
        if not left and not made.files:
            return
    if not left:
        print_hint(
            f"Put it back {mend}" if made.files else "No file of it is damaged: nothing puts that back."
        )
        return
    print_hint(f"This only a backup has: {', '.join(f'{game}/{one.place}' for one in left)}")
    if made.files:
        print_hint(f"Put the rest back {mend}")
    print_hint(f"Without a backup: {damage_advice(home, game, left)}")


def _intact_turns(found: VerifyResult, damaged: set[str]) -> str:
    """Say of which turns nothing is wrong, where something is in these folders of turns."""
    if all(one.startswith("turns/undone/") for one in damaged):
        counts = "1 turn that counts is" if found.turns == 1 else f"{found.turns} turns that count are"
        return f"the {counts} intact, {found.recomputed} recomputed; only what was taken back is damaged."
    others = found.turns + found.undone - len(damaged)
    return "the other turn is intact." if others == 1 else f"the other {others} turns are intact."


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@json_option
@home_option
def archive(out: Path, as_json: bool, home: str) -> int:
    """Write the home's games as a site of pages that open from disk.

    In the folder OUT only what changed is written. Running games show what everybody may know, finished ones
    all. Players are named if `archive` in `home.yaml` or `game.yaml` says `names: true`; a game with `show:
    false` is left out. Players who are named have pages with their games and results. With the extra
    `ratings` they have ratings too.
    """
    from pbem.archive.site import write_archive

    opened = open_home(home)
    with progress("Games", len(opened.games())) as step:
        found = write_archive(opened, out, step)
    for name, why in found.aside.items():
        print_to_stderr(f"{name}: set aside: {why}")
    for name in opened.games():
        if name not in found.aside:
            for lost in lost_turn_lines(opened, name):
                print_to_stderr(lost)
    for name, why in found.undrawn.items():
        print_to_stderr(f"{name}: some pages show the text alone: {why}")
    if found.nameless:
        print_hint(
            "Players are not named; `archive: {names: true}` in home.yaml or game.yaml names them. "
            "Without it downloads lack most reports."
        )
    for name in found.only_public:
        print_hint(
            f"{name}: its records name players who are not published, or tell who sent an anonymous message. "
            "Its download has only what was public."
        )
    if found.unrated:
        print_hint("Ratings need the extra ratings: pip install 'pbem[ratings]'.")
    if as_json:
        print_json(encode(found))
    else:
        print_unless_quiet(f"{out}: {found.line()}. Open {out / 'index.html'}.")
    return 4 if found.is_ours else 1 if found.aside or found.undrawn else 0
