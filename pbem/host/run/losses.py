"""Turns that were mailed or made, and are gone; which reports readers have; what went wrong is set aside."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.notices import ModeratorActed
from pbem.host.notices.queue import make_act, tell_moderator
from pbem.play.homes.home import Home, read_secret
from pbem.play.homes.integrity import Finding, missing_findings, missing_turns, newest_findings
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import Turns, read_json
from pbem.store.errors import OUR_FAULT, GateClosedError, JournalRefused, WrongInput, error_in_words, trace_of
from pbem.store.interface import WAIT_SECONDS, Place
from pbem.store.records import HOST, facts_of
from pbem.text.codec import fields_of
from pbem.text.names import mask_tokens

if TYPE_CHECKING:
    from pbem.play.homes.verify import VerifyResult
    from pbem.store.journal import Journal


REPORTED: Final = "reported:"
"""The key of a game's note that says which revision of a turn was queued, before the turn."""


def earlier_report(saved: SavedGame, db: Journal, seat: Seat) -> Place | None:
    """Return where the newest turn lies whose report a seat's player was sent before it was taken back.

    Who has come to the seat since, or to another address, was sent none. Nor was anybody whose report was
    taken back before it went out.
    """
    back = {one.revision: one.place for one in saved.undone if one.turn == saved.turn}
    if not back:
        return None
    address = saved.players.address(seat)
    sent = db.sent_revision(saved.name, seat, saved.turn, rcpt=address, before=max(back))
    return None if sent is None else back.get(sent + 1)


def has_same_report(saved: SavedGame, db: Journal, seat: Seat) -> bool:
    """Tell whether a seat was sent this very report before the turn was taken back and run again."""
    before = earlier_report(saved, db, seat)
    return before is not None and is_same_report(before, saved.turns.at(saved.turn), seat)


def unqueued_report_turns(turns: Turns, notes: Mapping[str, str]) -> dict[int, int]:
    """Return the turns whose reports were not queued, each with its revision.

    Args:
        turns: The turns of a game.
        notes: What is noted of those that were queued.
    """
    numbers = turns.numbers()
    told = {int(key.removeprefix(REPORTED)): int(value) for key, value in notes.items()}
    first = min(told, default=numbers[-1] if numbers else 0)
    current = {turn: turns.revision(turn) for turn in numbers if turn >= first}
    return {turn: revision for turn, revision in current.items() if told.get(turn) != revision}


def seats_without_queued_report(saved: SavedGame, db: Journal) -> list[Seat]:
    """Return the seats whose mail of the newest turn was not queued yet, or could not be made."""
    turn, revision = saved.turn, saved.revision
    if db.note(saved.name, f"{REPORTED}{turn}") == str(revision):
        return []
    there = db.queued_reports(saved.name, turn, revision)
    addressed = (seat for seat in saved.start.seats if seat not in there and saved.players.address(seat))
    return [seat for seat in addressed if not has_same_report(saved, db, seat)]


_ACTED = ModeratorActed.__name__


def is_same_report(before: Place, after: Place, reader: str) -> bool:
    """Tell whether a reader's report says the same in two turns.

    Neither the foot counts nor that the moderator took a turn back, which all are told when it is done.

    Args:
        before: Where the turn lies that was taken back.
        after: The turn that was run in its stead.
        reader: A seat, or the spectator.

    Returns:
        That; False where a file of theirs is damaged, for better it is sent once more than never.
    """
    form = f"reports/{reader}/orders.yaml"
    try:
        old, new = (_hashes(read_json(folder / "turn.json"), reader) for folder in (before, after))
        return old == new or (
            old.get(form) == new.get(form) and compared_facts(before, reader) == compared_facts(after, reader)
        )
    except WrongInput:
        return False


def _hashes(record: Mapping[str, Json], reader: str) -> dict[str, Json]:
    """Return the hashes of a reader's pages, which were taken without the foot."""
    reports = fields_of(record.get("reports"))
    return {name: sha for name, sha in reports.items() if name.startswith(f"reports/{reader}/")}


def compared_facts(turn: Place, reader: str) -> dict[str, Json]:
    """Return what a reader's report of a turn says, without its foot and the moderator's acts.

    Raises:
        WrongInput: A file is missing or damaged.
    """
    path = turn / "reports" / reader / "report.json"
    facts = read_json(path)
    events = facts.get("events")
    if not isinstance(events, list):
        raise WrongInput(f"{path} is damaged: expected a list of events.")
    told: list[Json] = [one for one in events if not isinstance(one, dict) or one.get("event") != _ACTED]
    return {**facts, "events": told, "foot": ""}


PUT_BACK: Final = "put it back from a copy"


def skip_turn_advice(game: str, home_words: str = "") -> str:
    """Return both ways on without a turn before the newest, in a clause; see `lost_turn_advice`."""
    return f"{PUT_BACK}; without one, play on: {f'pbem run {game} --override damaged {home_words}'.strip()}"


def lost_turn_advice(game: str, home_words: str = "") -> str:
    """Return both ways out of a lost turn, in a clause.

    Args:
        game: The id of the game.
        home_words: What names the home in a command; "" if nothing need.
    """
    return f"{PUT_BACK}, or make it again: {f'pbem run {game} --override lost {home_words}'.strip()}"


def damage_advice(home: Home, game: str, damaged: Collection[Finding]) -> str:
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
        return f"play on: pbem run {game} --override damaged; or {end_game_advice(game)}"
    aside = home.store.spelled(f"games/{game}")
    return f"nothing brings the game back: write to its players, and move {aside} out of the home"


def end_game_advice(game: str) -> str:
    """Return what ends a game that cannot be mended, in a clause."""
    return f"end the game: pbem cancel {game} --why WORDS"


def damage_lines(saved: SavedGame) -> Iterator[str]:
    """Yield what is damaged of what a run builds on, with the ways out, a line each."""
    missing = [*missing_findings(saved.turns)]
    without = f"{skip_turn_advice(saved.name)}, or {end_game_advice(saved.name)}"
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
    for turn, how in _lost_turns(home, game):
        yield Finding(f"turns/{turn:04d}", f"it was {how}, and is not here")


def _lost_turns(home: Home, game: str) -> Iterator[tuple[int, str]]:
    """Yield the turns of a game that are gone, and what was done with each."""
    turns = home.turns(game)
    if home.has_journal:
        with home.journal() as db:
            mailed = lost_turns(turns, db)
        yield from ((turn, "mailed") for turn in mailed)
    yield from ((turn, "made") for turn in missing_turns(turns))


def lost_turn_lines(home: Home, game: str) -> list[str]:
    """Return which turns of a game are lost, with the ways out, a line each; of a damaged journal no mails.

    Raises:
        WrongInput: The game is damaged.
    """
    return [f"{game}/{one.place}: {one.text}" for one in _lost_turn_findings(home, game)[0]]


def add_lost_turns(home: Home, game: str, found: VerifyResult) -> VerifyResult:
    """Return what verification found, and the turns that were mailed or made and are gone besides."""
    lost, notes = _lost_turn_findings(home, game)
    return replace(found, findings=(*found.findings, *lost), notes=(*found.notes, *notes))


def _lost_turn_findings(home: Home, game: str) -> tuple[list[Finding], list[str]]:
    """Return which turns of a game are lost, with the ways out; and what a damaged journal leaves unknown."""
    try:
        lost, unknown = [*lost_findings(home, game)], []
    except JournalRefused:
        lost = [*lost_findings(home.without_journal(), game)]
        unknown = ["whether a turn that was mailed is gone is not known: the journal cannot be read"]
    return [one._replace(text=f"{one.text}; {lost_turn_advice(game)}") for one in lost], unknown


def is_next_lost(saved: SavedGame) -> bool:
    """Tell whether the next turn of a game is one that is lost."""
    return any(turn == saved.turn + 1 for turn, _ in _lost_turns(saved.home, saved.name))


def is_to_run_again(saved: SavedGame) -> bool:
    """Tell whether the next turn was taken back, and was not made since; one that was and is gone is lost."""
    return saved.turn + 1 in saved.again and not is_next_lost(saved)


Aside: TypeAlias = Callable[[str, Exception], None]
"""Is told what was set aside, after `GAME: ` if it is of one game, and what was wrong; the others go on."""

FOLDER: Final = "shunted"
"""The folder in `mail` where it stands what tripped the program up."""

_DAILY: Final = "trouble:"


def exit_code_for(wrong: Exception) -> int:
    """Return what a program ends with for this: 1 the moderator can mend it, 3 the gate, 4 our fault."""
    if isinstance(wrong, WrongInput | GateClosedError):
        return wrong.exit_code
    return WrongInput.exit_code if isinstance(wrong, OSError) else OUR_FAULT


@dataclass(frozen=True, slots=True)
class FaultGuard:
    """Keeps what goes wrong from stopping anything else.

    Attributes:
        home: The home.
        now: The moment.
        talk: Gets a line for each.
        codes: What the program should end with, for each.
        of: The games that something went wrong with, among other words.
    """

    home: Home
    now: datetime.datetime
    talk: Callable[[str], None]
    codes: list[int] = field(default_factory=list)
    of: set[str] = field(default_factory=set)

    @property
    def exit_code(self) -> int:
        """What the program should end with for the worst of all; 0 if nothing went wrong."""
        return max(self.codes, default=0)

    def set_aside(self, what: str, wrong: Exception) -> None:
        """Say what was set aside and why, in a line; a fault of ours is told to the moderator, once a day."""
        told = f"{what}: {error_in_words(wrong)}"
        self.codes.append(exit_code_for(wrong))
        self.of.add(what.partition(": ")[0])
        self.talk(mask_tokens(told))
        if self.codes[-1] == OUR_FAULT:
            try:
                self._keep(what, told, wrong)
            except Exception as worse:  # nothing can be written down; the line that was said has to do
                self.talk(f"pbem: nor can that be written down: {error_in_words(worse)}")

    @contextlib.contextmanager
    def around(self, what: str) -> Iterator[None]:
        """Set aside what fails inside."""
        try:
            yield
        except Exception as wrong:
            self.set_aside(what, wrong)

    def _keep(self, what: str, told: str, fault: Exception) -> None:
        """Write the traceback into a file for the moderator alone, and tell the moderator where it is."""
        name = f"fault-{hashlib.sha256(mask_tokens(told).encode()).hexdigest()[:12]}"
        text = f"{told}\n\nPlease report this fault with what follows.\n\n{trace_of(fault, limit=30)}"
        folder, store = f"mail/{FOLDER}", self.home.store
        with store.held(folder, wait_seconds=WAIT_SECONDS):  # nobody clears leftovers there meanwhile
            store.lodge(f"{folder}/{name}.txt", mask_tokens(text).encode("utf-8", "replace"))
        game = what.partition(": ")[0] if self.home.has(what.partition(": ")[0]) else ""
        day = f"{self.now.astimezone(datetime.UTC):%Y-%m-%d}"
        with self.home.journal() as db, db.writing():
            if db.note("", f"{_DAILY}{name}") == day:
                return
            db.set_note("", f"{_DAILY}{name}", day)
            facts = facts_of("fault", file=f"{name}.txt")
            db.act(
                make_act(
                    self.now, game, "fault", public=False, who=HOST, facts=facts, detail=mask_tokens(told)
                )
            )
            file = f"mail/{FOLDER}/{name}.txt"
            words = f"{mask_tokens(told)}.\n\nEverything else went on. Please report it, with {file}."
            about, title = f"{day} {name}", "something was set aside"
            tell_moderator(self.home, db, self.now, "notice", about, title, words, game, facts=facts)


def make_aside(talk: Callable[[str], None]) -> Aside:
    """Return what says what was set aside, and does no more."""
    return lambda what, wrong: talk(mask_tokens(f"{what}: {error_in_words(wrong)}"))
