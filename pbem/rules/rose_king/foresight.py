"""What a seat can know of its later asks: where the crown can be, what the hand holds, what stays taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.events import Seat
from pbem.core.foresight import CONDITION, Domain, Horizon, Later, Outlook
from pbem.core.interface import Json, Problem
from pbem.core.wording import sentence_list
from pbem.rules.kit.tables import as_list
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.moves import target
from pbem.rules.rose_king.state import EMPTY, Card, Draw, Move, Play, Square, opponent
from pbem.rules.rose_king.view import View, moves_seen

_FEW = 2
"""So many squares are named on which a card cannot be played."""


def horizon(facts: Facts, seats: tuple[Seat, ...]) -> Horizon:
    """Return what is always the same: the squares, the cards, and what can stand on a square."""
    squares = len(facts.squares)
    numbers = {"heroes": facts.heroes, "roses": squares, "largest": squares, "tokens_left": facts.tokens}
    return Horizon(
        follow_ups={},
        domains={
            "crown": Domain(tuple(facts.squares)),
            "board.*": Domain((EMPTY, *seats)),
            "to_move": Domain(seats),
            "discards": Domain(tuple(facts.deck)),
            "*.hand": Domain(tuple(facts.deck)),
            "pile": Domain(least=0, most=len(facts.deck)),
            "supply": Domain(least=0, most=facts.tokens),
            "*.points": Domain(least=0),
            **{f"*.{name}": Domain(least=0, most=most) for name, most in numbers.items()},
        },
        tables=("board",),
    )


def foresee(facts: Facts, view: View, later: Later[Move]) -> Outlook:
    """Return what the owner of a view can know of an order for a later ask.

    Source: rulebook, "A Turn": tokens stay on the board, only heroes turn them; cards come from the pile.
    """
    if view.me is None or view.to_move is None:
        return Outlook(unknown="there is nothing to be ordered")
    return _Foresight(facts, view, view.me, later).outlook()


class _Foresight:
    """One order for a later ask, looked at from its owner's view."""

    def __init__(self, facts: Facts, view: View, me: Seat, later: Later[Move]) -> None:
        self.facts = facts
        self.view = view
        self.me = me
        self.foe = opponent(me)
        self.later = later
        self.before = later.before
        self.texts = {path: _texts(wanted) for path, wanted in later.when.items()}
        self.scenes = self._scenes()

    def outlook(self) -> Outlook:
        """Return what can be known."""
        if self.scenes is not None and not self.scenes:
            wanted = " or ".join(self._squares_wanted() or ("a square that fits the condition",))
            text = f"the crown cannot be on {wanted} then"
            can = dict.fromkeys(scene.crown for scene in self._all_scenes() or ())
            return Outlook(
                (Problem((*CONDITION, "crown"), text, f"It can be on {sentence_list(can, 'or')}."),)
            )
        if (never := self._never_holds()) is not None:
            return Outlook((never,))
        match self.later.move:
            case Draw():
                return self._draw()
            case Play() as move:
                return self._play(move)

    def _play(self, move: Play) -> Outlook:
        never, provided, unknown = self._card(move)
        if never is None and move.hero and self._heroes() < 1:
            never = Problem(("hero",), "you have no hero left then")
        if never is None:
            never, more = self._square(move)
            provided += more
        if never is not None:
            return Outlook((never,))
        if self.before is None:
            return Outlook(unknown="nobody can say when it comes up")
        if move.hero and self._heroes() <= self._open():
            provided += ("you still have a hero",)
        return Outlook(provided=provided, unknown=unknown)

    def _card(self, move: Play) -> tuple[Problem | None, tuple[str, ...], str]:
        """Say why a card cannot be in the hand then; else what must be so, or why that is not known."""
        card, hand, before = move.card, self.view.side(self.me).hand, self.before
        if before is None:
            return None, (), ""
        played = [number for number, one in enumerate(before) if isinstance(one, Play) and one.card == card]
        last = played[-1] if played else -1
        draws = sum(not isinstance(one, Play) for one in before[last + 1 :])
        if card in hand and not played:
            return None, (f"you still hold {card}",) * (None in before), ""
        gone = f"{card} is played before then" if played else f"{card} is not in your hand"
        if not draws:
            return Problem(("play",), f"{gone}, and you draw no card until then"), (), ""
        is_seen = card in (*self.view.red.hand, *self.view.white.hand, *self.view.discards)
        if is_seen and self.view.pile >= self._most_draws():
            return Problem(("play",), f"{gone}, and it cannot come back into the pile by then"), (), ""
        return None, (), f"whether you draw {card} is not known yet"

    def _square(self, move: Play) -> tuple[Problem | None, tuple[str, ...]]:
        """Say why a card cannot lead the crown anywhere then; else what must be so of the square."""
        if self.scenes is not None:
            wrong = [self._why_not(move, scene) for scene in self.scenes]
            if all(wrong):
                return Problem(("hero" if wrong[0].startswith("a hero") else "play",), wrong[0]), ()
            bad = {scene.crown: why for scene, why in zip(self.scenes, wrong, strict=True) if why}
            return None, self._but_for(move, bad)
        wanted = self._squares_wanted()
        squares = wanted if wanted is not None else tuple(self.facts.squares)
        wrong = [self._why_never(move, square) for square in squares]
        if all(wrong):
            return Problem(("play",), wrong[0]), ()
        if wanted is None or len(wanted) > 1:
            return None, (f"the crown is where {move.card} can be played from",)
        square = target(self.facts, wanted[0], move.card)
        wants = f"holds a {self.foe} token" if move.hero else "is still empty"
        return None, (f"{square} {wants}",)

    def _but_for(self, move: Play, bad: Mapping[Square, str]) -> tuple[str, ...]:
        """Say where the crown must not be for a card, with the reason where there are few such squares."""
        if len(bad) > _FEW:
            return (f"the crown is where {move.card} can be played from",)
        return tuple(f"the crown is not on {crown} ({why})" for crown, why in bad.items())

    def _why_not(self, move: Play, scene: View) -> str:
        """Say why a card cannot be played on a board; or ""."""
        square = target(self.facts, scene.crown, move.card)
        if square is None:
            return f"{move.card} leads from {scene.crown} off the board"
        holder = scene.board[square]
        if holder == self.me:
            return f"{square} holds your own token then"
        if holder == self.foe:
            return "" if move.hero else f"{square} holds a {self.foe} token then"
        return f"a hero only turns over a token, and {square} is empty then" if move.hero else ""

    def _why_never(self, move: Play, crown: Square) -> str:
        """Say why a card can never be played from a square, however long the game goes on; or ""."""
        square = target(self.facts, crown, move.card)
        if square is None:
            return f"{move.card} leads from {crown} off the board"
        holder = self.view.board[square]
        if not move.hero:
            return "" if holder == EMPTY else f"{square} is taken and never becomes empty again"
        heroes = self.view.side(self.foe).heroes
        if holder == self.me and not heroes:
            return f"{square} holds your own token, and {self.foe} has no hero to turn it over"
        return ""

    def _draw(self) -> Outlook:
        """Judge a draw: it needs a place in the hand."""
        room = (f"you hold fewer than {self.facts.hand_limit} cards",)
        if self.before is None:
            return Outlook(provided=room)
        held = len(self.view.side(self.me).hand)
        for one in self.before:
            held += 1 if isinstance(one, Draw) else -1 if isinstance(one, Play) else 0
        if held - self._open() >= self.facts.hand_limit:
            return Outlook((Problem(("draw",), f"you hold {held} cards then, the most there is"),))
        is_sure = held + self._open() < self.facts.hand_limit
        return Outlook(provided=() if is_sure else room)

    def _scenes(self) -> tuple[View, ...] | None:
        """Return every board on which the ask may come and its condition may hold; None if they are too many.

        Hands lie open, so all that the opponent can do in one turn is known: where it takes the crown, or
        that it draws a card and leaves the board as it is.
        """
        found = self._all_scenes()
        return None if found is None else tuple(filter(self._may_hold, found))

    def _all_scenes(self) -> tuple[View, ...] | None:
        here = self.view
        match self.before:
            case () if here.to_move == self.foe:
                return tuple(self._replies(here))
            case (Draw(),) if here.to_move == self.me:
                return tuple(self._replies(here))
            case (Play(card),) if here.to_move == self.me and (
                square := target(self.facts, here.crown, card)
            ):
                return tuple(self._replies(here.with_token(square, self.me)))
        return None

    def _replies(self, scene: View) -> Iterator[View]:
        moves = moves_seen(self.facts, scene, self.foe)
        if not moves or Draw() in moves:
            yield scene
        for move in moves:
            if isinstance(move, Play):
                yield scene.with_token(self.facts.leaps[scene.crown][move.card], self.foe)

    def _may_hold(self, scene: View) -> bool:
        """Tell whether a condition may hold on a board: what it says of crown and squares, and no more."""
        for path, texts in self.texts.items():
            if texts is None:
                continue
            if path == "crown" and scene.crown.casefold() not in texts:
                return False
            name = Square(path.removeprefix("board.").upper())
            if path.startswith("board.") and name in scene.board and scene.board[name] not in texts:
                return False
        return True

    def _never_holds(self) -> Problem | None:
        """Say what the condition wants in vain: a taken square empty, a card that is not in the hand."""
        for path, wanted in self.later.when.items():
            square = Square(path.removeprefix("board.").upper())
            is_taken = self.view.board.get(square, EMPTY) != EMPTY
            if path.startswith("board.") and is_taken and self.texts[path] == frozenset({EMPTY}):
                return Problem((*CONDITION, path), f"{square} is taken and never becomes empty again")
            if path == f"{self.me}.hand" and isinstance(wanted, dict):
                for card in [one for one in as_list(wanted.get("has")) if isinstance(one, str)]:
                    if never := self._card(Play(Card(card.upper()), hero=False))[0]:
                        return Problem((*CONDITION, path), never.text)
        return None

    def _squares_wanted(self) -> tuple[Square, ...] | None:
        """Return the squares of which the condition wants the crown on one; None if it says nothing of it."""
        texts = self.texts.get("crown")
        if texts is None:
            return None
        return tuple(square for square in self.facts.squares if square.casefold() in texts) or None

    def _heroes(self) -> int:
        """Return how many heroes are left at most."""
        used = sum(isinstance(one, Play) and one.hero for one in self.before or ())
        return self.view.side(self.me).heroes - used

    def _open(self) -> int:
        """Return at how many asks before it is open what the owner does."""
        return sum(one is None for one in self.before or ())

    def _most_draws(self) -> int:
        """Return how many cards both can draw at most until the ask."""
        before = self.before or ()
        return sum(not isinstance(one, Play) for one in before) + len(before) + 1


def _texts(wanted: Json) -> frozenset[str] | None:
    """Return the texts of which a condition wants one, for comparison; None if it wants something else."""
    several = as_list(wanted)
    texts = [one.casefold() for one in several if isinstance(one, str)]
    return frozenset(texts) if texts and len(texts) == len(several) else None
