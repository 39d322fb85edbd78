"""The bot that orders anything."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.dice import Dice
from pbem.rules.kit.tables import in_order_of
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.moves import BIDS, PLACES, SPECIALS, Bid, Enact, HouseGuess, Move
from pbem.rules.web_of_intrigue.state import UNSEEN, TileId
from pbem.rules.web_of_intrigue.view import View


def anything(facts: Facts, view: View, dice: Dice) -> Move:
    """Return any legal orders: some specials, some bids, a guess and a move."""
    assert view.own is not None, "only seats are asked"
    specials = dice.shuffled(tuple(view.specials), "specials")[: dice.below(4, "enacted")]
    number = min(dice.below(4, "bids"), len(view.objects))
    targets = [dice.pick(tuple(view.objects), "target", n) for n in range(number)]
    left = iter(split_points(view.own.action_points, len(specials) + len(targets), dice))
    actions: dict[str, Enact | Bid] = {}
    for place, name, share in zip(SPECIALS, specials, left, strict=False):
        actions[place] = _with_subject(facts, view, Enact(name, share), view.specials[name].subject, dice)
    for place, target, share in zip(BIDS, targets, left, strict=False):
        actions[place] = Bid(target, share)
    guess = HouseGuess(dice.pick(view.others, "whom"), dice.pick(tuple(facts.houses), "house"))
    return Move(
        actions=in_order_of(PLACES, actions),
        guess=guess if dice.below(3, "guesses") else None,
        goal=dice.pick(tuple(view.web), "goal") if dice.below(4, "moves") else None,
    )


def split_points(points: int, parts: int, dice: Dice) -> tuple[int, ...]:
    """Return a random share of action points for each part, at least 1; fewer parts if there are too few."""
    parts = min(points, parts)
    if parts == 0:
        return ()
    cuts = sorted(dice.shuffled(range(1, points), "cuts")[: parts - 1])
    return tuple(end - start for start, end in zip([0, *cuts], [*cuts, points], strict=True))


def _with_subject(facts: Facts, view: View, enact: Enact, subject: str, dice: Dice) -> Enact:
    """Return a special's order with something to work on, out of all that is legal."""
    clear = [square for square, tile in view.web.items() if tile != UNSEEN]
    label = f"subject/{enact.tile}"
    match subject:
        case "square":
            anywhere = facts.specials[TileId(enact.tile)].effect.kind == "reveal_tile"
            is_far = anywhere and view.options.reveal_reach == "anywhere"
            return replace(enact, square=dice.pick(facts.grid.squares if is_far else clear, label))
        case "squares":
            return replace(enact, squares=dice.shuffled(clear, label)[:2])
        case "row":
            return replace(enact, row=int(dice.pick(clear, label)[1:]))
        case "column":
            return replace(enact, column=dice.pick(clear, label)[0])
        case "player":
            return replace(enact, player=dice.pick(view.others, label))
        case _:
            return enact
