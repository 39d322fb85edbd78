"""What a player is told about an order before it is played: what is wrong with it, or what may be ordered."""

from __future__ import annotations

from pbem.core.events import Seat
from pbem.core.interface import Choice, Choices, Problem
from pbem.core.remedies import Advice, Meant
from pbem.core.wording import did_you_mean
from pbem.rules.kit.ruled import one_menu, out_of_play
from pbem.rules.kit.words import can_order
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.moves import spell, target, write_move
from pbem.rules.rose_king.scoring import Lands, change, find_lands
from pbem.rules.rose_king.state import EMPTY, Draw, Move, Play, Square, opponent
from pbem.rules.rose_king.view import View, legal_orders


def check_move(facts: Facts, view: View, move: Move) -> tuple[Problem, ...]:
    """Return the first thing that is wrong with a move if its owner were asked now, or nothing."""
    if view.me is None or view.to_move is None:
        return out_of_play(is_over=view.to_move is None)
    match move:
        case Draw():
            return _check_draw(facts, view, view.me)
        case Play():
            return _check_play(facts, view, view.me, move)


def _check_draw(facts: Facts, view: View, me: Seat) -> tuple[Problem, ...]:
    held = len(view.side(me).hand)
    if held < facts.hand_limit:
        return ()
    return (Problem(("draw",), f"you hold {held} cards already, the most there is", *_legal(facts, view)),)


def _check_play(facts: Facts, view: View, me: Seat, move: Play) -> tuple[Problem, ...]:
    hand = view.side(me).hand
    if move.card not in hand:
        held = ", ".join(hand) or "it is empty"
        return (Problem(("play",), f"{move.card} is not in your hand ({held})", *_near(facts, view, move)),)
    square = target(facts, view.crown, move.card)
    if square is None:
        text = f"{move.card} leads from {view.crown} off the board"
        return (Problem(("play",), text, *_legal(facts, view)),)
    return _check_square(facts, view, me, move, square)


def _check_square(facts: Facts, view: View, me: Seat, move: Play, square: Square) -> tuple[Problem, ...]:
    """Check the square that a card of the hand leads to."""
    holder, foe, heroes = view.board[square], opponent(me), view.side(me).heroes
    if holder == me:
        return (Problem(("play",), f"{square} holds your own token", *_legal(facts, view)),)
    if holder == EMPTY:
        if not move.hero:
            return ()
        text = f"{square} is empty, and a hero only turns over a token of {foe}"
        return (Problem(("hero",), text, *_rather("Leave the hero out", Play(move.card, hero=False))),)
    if heroes == 0:
        place = "hero" if move.hero else "play"
        text = f"{square} holds a {foe} token, and you have no hero left"
        return (Problem((place,), text, *_legal(facts, view)),)
    if not move.hero:
        advice = _rather("A hero can turn it over", Play(move.card, hero=True))
        return (Problem(("play",), f"{square} holds a {foe} token", *advice),)
    return ()


def _rather(why: str, move: Play) -> Advice:
    """Say which move was meant rather, and why."""
    return Advice(f"{why}: {spell(move)}.", (Meant(write_move(move), is_order=True),))


def _near(facts: Facts, view: View, move: Play) -> Advice:
    """Return the legal card that leads to a square of that name, or looks most like what is not held."""
    legal = [one.card for one in legal_orders(facts, view) if isinstance(one, Play)]
    leads = [one for one in legal if str(target(facts, view.crown, one)) == str(move.card)]
    if leads:
        return Advice(f"{leads[0]} leads to the square {move.card}.").then(_legal(facts, view))
    return did_you_mean(move.card, legal, cutoff=0.5) or _legal(facts, view)


def _legal(facts: Facts, view: View) -> Advice:
    return can_order(map(write_move, legal_orders(facts, view)))


def list_choices(facts: Facts, view: View) -> Choices:
    """Return every legal order of the owner of a view, with what it does in a few words."""
    lands = find_lands(facts, view.board)
    moves = legal_orders(facts, view)
    return one_menu("Your move", (Choice(write_move(one), _note(facts, view, lands, one)) for one in moves))


def _note(facts: Facts, view: View, lands: Lands, move: Move) -> str:
    if view.me is None or isinstance(move, Draw):
        return f"one of {view.pile} in the pile" if view.pile else f"reshuffles {len(view.discards)} discards"
    square = facts.leaps[view.crown][move.card]
    changed = change(facts, view.board, lands, view.me, square)
    points = view.side(view.me).points
    note = f"{square}; points {points} to {points + changed.gain}"
    return f"turns {note}, {opponent(view.me)} -{changed.loss}" if move.hero else f"to {note}"
