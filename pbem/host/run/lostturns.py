"""Turns that were mailed or made, and are gone: which they are, and what is told of them everywhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.host.run.reported import REPORTED
from pbem.play.homes.home import Home, read_secret
from pbem.play.homes.integrity import Finding, missing_findings, newest_findings
from pbem.play.homes.made import gone_turns
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.turns import Turns
from pbem.store.errors import JournalRefused, WrongInput
from pbem.store.journals.journal import Journal

if TYPE_CHECKING:
    from pbem.play.homes.verify import Verified

PUT_BACK: Final = "put it back from a copy"


def on_without(game: str, home_words: str = "") -> str:
    """Return both ways on without a turn before the newest, in a clause; arguments as of `ways_out`."""
    return f"{PUT_BACK}; without one, play on: {f'pbem run {game} --override damaged {home_words}'.strip()}"


def ways_out(game: str, home_words: str = "") -> str:
    """Return both ways out of a lost turn, in a clause.

    Args:
        game: The id of the game.
        home_words: What names the home in a command; "" if nothing need.
    """
    return f"{PUT_BACK}, or make it again: {f'pbem run {game} --override lost {home_words}'.strip()}"


def without_backup(home: Home, game: str, damaged: Collection[Finding]) -> str:
    """Say what can be done about damage in a game's turns that nothing puts back and no backup has.

    Args:
        home: The home.
        game: The id of the game.
        damaged: What is damaged.
    """
    turns = home.turns(game)
    folders = {one.place.split("/")[1] for one in damaged if one.place.startswith("turns/")}
    if folders == {"undone"}:
        return "only what was taken back is damaged: the game goes on, and `pbem verify` will always name it"
    newest = turns.newest()
    if newest and f"{newest:04d}" in folders and f"{newest - 1:04d}" not in folders:
        return f"take the damaged turn back, and run it again: pbem undo {game} --turn {newest}"
    try:
        is_read = SavedGame(home, game).ask is not None
    except WrongInput:
        is_read = False
    if is_read and not any(newest_findings(turns, read_secret(home.game(game)).seed)):
        return "only an old turn is damaged: the game goes on, and `pbem verify` will always name it"
    if is_read:
        return f"play on: pbem run {game} --override damaged; or {end_it(game)}"
    aside = home.store.spelled(f"games/{game}")
    return f"nothing brings the game back: write to its players, and move {aside} out of the home"


def end_it(game: str) -> str:
    """Return what ends a game that cannot be mended, in a clause."""
    return f"end the game: pbem cancel {game} --why WORDS"


def damage_in_words(saved: SavedGame) -> Iterator[str]:
    """Yield what is damaged of what a run builds on, with the ways out, a line each."""
    missing = [*missing_findings(saved.turns)]
    without = f"{on_without(saved.name)}, or {end_it(saved.name)}"
    for one in newest_findings(saved.turns, saved.secret.seed):
        way = without if one in missing else f"put it back: pbem home mend {saved.name}"
        yield f"{saved.name}/{one.place}: {one.text}; {way}"


def lost_turns(turns: Turns, db: Journal) -> tuple[int, ...]:
    """Return the turns that were mailed and are not here, nor were they taken back: somebody removed them."""
    notes = db.notes(turns.game, REPORTED)
    mailed = {int(key.removeprefix(REPORTED)): int(revision) for key, revision in notes.items()}
    newest = turns.newest() if mailed else 0
    later = (turn for turn in mailed if turn > newest)
    return tuple(sorted(turn for turn in later if turns.revision(turn) <= mailed[turn]))


def lost_findings(home: Home, game: str) -> Iterator[Finding]:
    """Name the turns that were mailed, or made in a home without mail, and whose folders are gone.

    Raises:
        JournalRefused: The journal is damaged.
    """
    for turn, how in _lost(home, game):
        yield Finding(f"turns/{turn:04d}", f"it was {how}, and is not here")


def _lost(home: Home, game: str) -> Iterator[tuple[int, str]]:
    """Yield the turns of a game that are gone, and what was done with each."""
    turns = home.turns(game)
    if home.has_journal:
        with home.journal() as db:
            mailed = lost_turns(turns, db)
        yield from ((turn, "mailed") for turn in mailed)
    yield from ((turn, "made") for turn in gone_turns(turns))


def lost_in_words(home: Home, game: str) -> list[str]:
    """Return which turns of a game are lost, with the ways out, a line each; of a damaged journal no mails.

    Raises:
        WrongInput: The game is damaged.
    """
    return [f"{game}/{one.place}: {one.text}" for one in _known_lost(home, game)[0]]


def with_lost(home: Home, game: str, found: Verified) -> Verified:
    """Return what verification found, and the turns that were mailed or made and are gone besides."""
    lost, notes = _known_lost(home, game)
    return replace(found, findings=(*found.findings, *lost), notes=(*found.notes, *notes))


def _known_lost(home: Home, game: str) -> tuple[list[Finding], list[str]]:
    """Return which turns of a game are lost, with the ways out; and what a damaged journal leaves unknown."""
    try:
        lost, unknown = [*lost_findings(home, game)], []
    except JournalRefused:
        lost = [*lost_findings(home.without_journal(), game)]
        unknown = ["whether a turn that was mailed is gone is not known: the journal cannot be read"]
    return [one._replace(text=f"{one.text}; {ways_out(game)}") for one in lost], unknown


def is_next_lost(saved: SavedGame) -> bool:
    """Tell whether the next turn of a game is one that is lost."""
    return any(turn == saved.turn + 1 for turn, _ in _lost(saved.home, saved.name))


def is_to_run_again(saved: SavedGame) -> bool:
    """Tell whether the next turn was taken back, and was not made since; one that was and is gone is lost."""
    return saved.turn + 1 in saved.again and not is_next_lost(saved)
