"""One game as it is saved in a home: everything a command needs of it, loaded when it is asked for."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from pbem.core.book import Orders
from pbem.core.dice import commitment
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Ask, Json, Outcome
from pbem.core.opening import Begun, DealtGame, Opening
from pbem.core.turn import Position
from pbem.play.config import registry
from pbem.play.config.gamefile import GameTable
from pbem.play.config.templates import templates_of
from pbem.play.homes import saves
from pbem.play.homes.home import Home, Secret, read_secret
from pbem.play.homes.players import NumberedPlayers, Players, newcomer_seats, player_names_in
from pbem.play.homes.saves import Turns, WithdrawnTurn
from pbem.play.homes.tenures import Tenures
from pbem.store.errors import WrongInput
from pbem.store.memory import MemoryStore
from pbem.store.records import Note, iso
from pbem.text.orders import Grammar

if TYPE_CHECKING:
    from jinja2 import Environment

    from pbem.text.judging import Judge
    from pbem.text.mending.names import KnownGame


CANCELLED: Final = "cancelled"
"""The key of the note that says so."""

_FILE: Final = "cancelled.json"
"""The file of a game that says so too: the end of a game outlives a journal that is lost."""


class Cancellation(NamedTuple):
    """How a game was ended by its moderator.

    Attributes:
        at: When.
        why: Why, in words for all; no full stop ends them.
    """

    at: datetime.datetime
    why: str

    def told(self) -> str:
        """Return it as a clause, for players and the public."""
        return f"the moderator ended the game ({self.why})"

    def sentence(self) -> str:
        """Return it as a sentence."""
        told = self.told()
        return f"{told[0].upper()}{told[1:]}."

    def noted(self) -> list[Json]:
        """Return the value of the note."""
        return [iso(self.at), self.why]


def read_cancelled(text: str | None) -> Cancellation | None:
    """Return what a note says; None if there is none."""
    if text is None:
        return None
    at, why = json.loads(text)
    return Cancellation(datetime.datetime.fromisoformat(at), str(why))


def name_of_end(game: str) -> str:
    """Return the name of the file that says it of a game."""
    return f"games/{game}/{_FILE}"


def read_end_file(home: Home, game: str) -> Cancellation | None:
    """Return what the file of a game says; None if there is none, as of earlier versions.

    In a database nothing of it can be lost alone.
    """
    if not home.store.is_folder:
        return None
    try:
        return read_cancelled(home.store.read(name_of_end(game)).decode())
    except FileNotFoundError:
        return None


def cancelled(home: Home, game: str) -> Cancellation | None:
    """Return how a game was ended by its moderator, if it was; a home without notes stays without."""
    kept = read_end_file(home, game)
    if kept is not None or not home.has_journal:
        return kept
    with home.journal() as db:
        return read_cancelled(db.note(game, CANCELLED))


GamePosition = Position[Begun[Any]]

_Opening = TypeVar("_Opening", bound=Opening[Any, Any, Any])


class SavedGame:
    """A game of a home, with its rules, at its newest turn."""

    def __init__(self, home: Home, name: str, *, at_turn: int | None = None) -> None:
        """Open a game.

        Args:
            home: The home.
            name: The id of the game.
            at_turn: Look at it after this turn instead of the newest.

        Raises:
            WrongInput: There is no such game, or it is damaged.
        """
        self.home = home
        self.name = name
        self.folder = home.game(name)
        self.turns = Turns(home.store, name)
        self.turn = self.turns.newest() if at_turn is None else at_turn
        self.judges: dict[Seat, Judge[Any, Any, Any]] = {}  # each looks at the game once for all orders
        self.known: dict[Seat, KnownGame] = {}  # what the owner of each seat may know, for the same

    def before(self) -> SavedGame:
        """Return the game as it stands when this turn, its newest, is taken back; changes nothing."""
        found = SavedGame(self.home, self.name, at_turn=self.turn - 1)
        this = WithdrawnTurn(self.turn, self.revision + 1, self.turns.at(self.turn))
        found.again = {**self.again, self.turn: this}
        return found

    def after(self, files: Mapping[str, bytes], tenures: Note) -> SavedGame:
        """Return the game as a change of its files and its tenures leaves it; nothing is changed by that."""
        found = SavedGame(Home(MemoryStore(files, behind=self.home.store), self.home.unmailed), self.name)
        found.tenures = Tenures(found, tenures)
        return found

    def with_rules_version(self, version: Json) -> SavedGame | None:
        """Return the game with the rules as a version of them had them; None if they are not installed."""
        if type(version) is not int:
            return None
        if version == self.rules.version:
            return self
        if self.system.system is None or version not in self.system.system.older:
            return None
        found = SavedGame(self.home, self.name, at_turn=self.turn)
        found.rules = _rules_of(self.start.rules, (self.turns.at(0) / "data.json").read_bytes(), version)
        return found

    # --- what was frozen when it was made

    @cached_property
    def start(self) -> saves.GameStart:
        """What was frozen when the game was made."""
        return saves.load_start(self.turns.at(0))

    @cached_property
    def system(self) -> registry.InstalledRules:
        """The installed rule system."""
        return registry.find_rules(self.start.rules)

    @cached_property
    def grammar(self) -> Grammar:
        """What orders of this game may look like."""
        system = self.system
        assert system.system is not None, "find returns no broken rules"
        return Grammar(
            self.start.seats,
            system.move_schema,
            system.sealed_schema if self.start.sealed else system.start_schema,
            frozenset(system.system.actions),
            self._order_renewal,
            is_dealt=self.is_dealt,
            holders=self._holders,
        )

    def _holders(self) -> dict[Seat, str]:
        """Return the name of the player who has each seat; a game that was downloaded has no file of them."""
        return self.players.holders()

    @cached_property
    def _order_renewal(self) -> Callable[[Json], Json] | None:
        """What makes present orders of those that answer an older version of the rules; None if none does.

        The turn says which version its reports were made by, and so what the orders answer.
        """
        version, system = self.record["rules_version"], self.system.system
        assert system is not None, "find returns no broken rules"
        if not isinstance(version, int) or version >= self.rules.version:
            return None
        return lambda order: system.renew(order, version)

    @cached_property
    def rules(self) -> AnyRules:
        """The rules, built from the frozen data; games with the same data share them."""
        data = self.turns.at(0) / "data.json"
        try:
            return _rules_of(self.start.rules, data.read_bytes())
        except (OSError, ValueError, RecursionError):
            return self.system.load(saves.read_json(data))  # which says what is wrong with the file

    @cached_property
    def opening(self) -> Opening[Any, Any, Any]:
        """The rules with their opening, as the loop plays them."""
        return self.make_opening(Opening)

    @cached_property
    def watched(self) -> Opening[Any, Any, Any]:
        """The same, for what looks at one position after the other: a run, its gate and its reports."""
        return self.make_opening(_CachedOpening)

    def make_opening(self, kind: type[_Opening]) -> _Opening:
        """Return the rules with an opening of a kind of its own."""
        system = self.system
        sealed_for = self.name if self.start.sealed else ""
        start = self.start
        return kind(self.rules, start.seats, start.options, system.questions, system.takes, sealed_for)

    @property
    def environment(self) -> Environment:
        """The report templates of this game."""
        return templates_of(self.system, self.home.templates)

    # --- what its host keeps of it

    @cached_property
    def secret(self) -> Secret:
        """The seed and the keys."""
        secret = read_secret(self.folder)
        if commitment(secret.seed) != self.start.commitment:
            text = f"{self.folder / 'secret.json'} holds another seed than the one the game was made with."
            raise WrongInput(text, "Restore it from your backup.")
        return secret

    @cached_property
    def table(self) -> GameTable:
        """The moderator's file of the game."""
        return self.home.table(self.folder, self.start.seats)

    @cached_property
    def players(self) -> Players:
        """Who sits where after the turn."""
        return Players(self, self.position, self.called, self.secret)

    @cached_property
    def arrived(self) -> frozenset[Seat]:
        """The seats that missed turns under another player than the one who has them now."""
        return newcomer_seats(self)

    @cached_property
    def tenures(self) -> Tenures:
        """Who has had the seats."""
        return Tenures(self)

    @cached_property
    def cancelled(self) -> Cancellation | None:
        """How its moderator ended it, if so; it is none of its turns, and can be taken back."""
        return cancelled(self.home, self.name)

    # --- how it stands after the turn

    @cached_property
    def record(self) -> dict[str, Json]:
        """The `turn.json` of the turn."""
        return saves.load_record(self.turns.at(self.turn))

    @cached_property
    def position(self) -> GamePosition:
        """The game after the turn."""
        return saves.load_position(self.turns.at(self.turn), self.rules)

    @cached_property
    def called(self) -> NumberedPlayers:
        """What players are called whom the files of the turn name by numbers."""
        return player_names_in(self.turns.at(self.turn), self.record)

    @cached_property
    def pending(self) -> dict[Seat, Orders]:
        """What the turn left over of each seat's orders."""
        found = saves.load_pending(self.turns.at(self.turn), self.start.seats)
        if self._order_renewal is None:
            return found
        return {seat: orders.renewed(self._order_renewal) for seat, orders in found.items()}

    @cached_property
    def undone(self) -> tuple[WithdrawnTurn, ...]:
        """The turns that were taken back, the oldest first."""
        return tuple(self.turns.taken_back())

    @property
    def revision(self) -> int:
        """How often this turn was taken back before it was run as it stands."""
        return max((one.revision for one in self.undone if one.turn == self.turn), default=0)

    @cached_property
    def again(self) -> Mapping[int, WithdrawnTurn]:
        """The turns after this one that were taken back and not run again, the newest of each."""
        return {one.turn: one for one in self.undone if one.turn > self.turn}

    @property
    def taken_hashes(self) -> Mapping[str, Json]:
        """SHA-256 of each seat's submission that was taken last."""
        taken = self.record.get("taken")
        return taken if isinstance(taken, dict) else {}

    @property
    def is_dealt(self) -> bool:
        """Whether the game was dealt: its start forms are in, and its seals were opened."""
        return isinstance(self.position.game, DealtGame)

    @property
    def ask(self) -> Ask | Outcome:
        """Whom the game waits for, or how it ended."""
        return self.ask_at(self.position)

    def ask_at(self, position: GamePosition) -> Ask | Outcome:
        """Return whom a position waits for, or how the game ended, by its rules or by a vote."""
        return position.outcome or self.opening.ask(position.game)

    def view(self, game: Begun[Any], seat: Seat | None) -> Any:
        """Return what a seat may know of a game; the loop, the gate and the report look at it once."""
        return self.watched.view(game, seat)


MOST_LOOKED_AT: Final = 12
"""Of so many positions views are remembered: the gate, the steps and the reports of a turn look at them."""


class _CachedOpening(Opening[Any, Any, Any]):
    """Rules with their opening that remember their views of the positions that were looked at last."""

    _looked: tuple[tuple[Any, dict[Seat | None, Any]], ...] = ()

    def view(self, game: Begun[Any], seat: Seat | None) -> Any:
        """Return what a seat may know."""
        views = next((views for known, views in self._looked if known is game and game is not None), None)
        if views is None:
            views = {}
            self._looked = ((game, views), *self._looked[: MOST_LOOKED_AT - 1])
        if seat not in views:
            views[seat] = super().view(game, seat)
        return views[seat]


@lru_cache(maxsize=32)
def _rules_of(name: str, data: bytes, older: int | None = None) -> AnyRules:
    """Return rules built from frozen data, as they are now or as an older version had them."""
    found = registry.find_rules(name)
    load = found.load if older is None or found.system is None else found.system.older[older]
    return load(json.loads(data))
