"""Conditions of orders in a game: what they come to, whether they hold, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from pbem.core.conditions import JOINTS, OPERATORS, is_reserved, is_term_met, paths_of
from pbem.core.events import Seat
from pbem.core.foresight import Horizon, horizon_of, near, why_never_holds
from pbem.core.interface import Json
from pbem.core.predicates import (
    BOUNDS,
    ME,
    MOST_MEANT,
    Argument,
    Bound,
    Misstatement,
    Predicate,
    Predicates,
    Statement,
    parts_of,
    read_statement,
    restate_in_predicates,
    statement_sentence,
    term_of,
)
from pbem.core.remedies import Advice
from pbem.core.wording import Wording, did_you_mean, order_as_yaml, sentence_list, suggest_values, wording_of

_DEEPEST: Final = 4
_MOST_PARTS: Final = 20
_MOST_NEAR: Final = 3


def condition_term(rules: Any, condition: Mapping[str, Json], seat: Seat | None) -> Mapping[str, Json]:
    """Return the term that a condition comes to in a game, on the view of its owner."""
    return term_of(condition, wording_of(rules).predicates, seat) if condition else condition


def is_met(rules: Any, condition: Mapping[str, Json], view: object, seat: Seat | None) -> bool:
    """Tell whether a condition holds on its owner's view."""
    return is_term_met(condition_term(rules, condition, seat), view)


def state_condition(rules: Any, condition: Mapping[str, Json], seat: Seat | None) -> dict[str, Json]:
    """Return a condition that rules wrote in paths, in the game's own words as far as it has some."""
    return restate_in_predicates(condition, wording_of(rules).predicates, seat)


MOST_SHOWN: Final = 10
"""So many conditions a form shows."""

SHOWN_SHORT: Final = 5
"""So many the form of a short report shows."""


def shown(rules: Any, view: Any, seat: Seat | None) -> list[Json]:
    """Return conditions for the form of a seat, with names from its position, each with its sentence.

    What is true already is left out, and what no view of the game can show.

    Args:
        rules: The rules; those that have no `conditions` name none.
        view: What the seat knows.
        seat: The seat.
    """
    if not hasattr(rules, "conditions"):
        return []
    wording, horizon = wording_of(rules), horizon_of(rules, view)
    reader = Reader(wording, view, horizon, seat or Seat(""), {})
    found: list[Json] = []
    for one in rules.conditions(view):
        if len(found) < MOST_SHOWN and not is_met(rules, one, view, seat) and not any(reader.read(one)):
            found.append({"when": dict(one), "if": wording.condition(one)})
    return found


class Flaw(NamedTuple):
    """What is wrong with a condition.

    Attributes:
        place: Where it stands below `when` or `stop_if`.
        kind: The kind of fault, without "condition-": "unknown", "value", "empty", "twice", "never",
            "always".
        text: What was read, and what is wrong with it.
        advice: What would do.
        at_key: It stands in the name, not in what stands behind it.
    """

    place: tuple[str | int, ...]
    kind: str
    text: str
    advice: Advice = Advice()
    at_key: bool = False


class Entry(NamedTuple):
    """One entry of a condition that is no predicate: a path, as far as anybody can tell.

    Attributes:
        place: Where it stands below `when` or `stop_if`, its own name last.
        beside: The condition that it is an entry of.
        wanted: What stands behind it.
    """

    place: tuple[str | int, ...]
    beside: Mapping[str, Json]
    wanted: Json

    @property
    def path(self) -> str:
        """The path as it is written."""
        return str(self.place[-1])


class Reader(NamedTuple):
    """Reads the conditions of one seat.

    Attributes:
        wording: How the rules say things, and the conditions that they declare.
        view: What the seat knows.
        horizon: What is always the same in the game.
        seat: The seat.
        people: The name of each seat's player, where it may be told.
    """

    wording: Wording
    view: object
    horizon: Horizon
    seat: Seat
    people: Mapping[Seat, str]

    def read(
        self, condition: Mapping[str, Json], place: tuple[str | int, ...] = ()
    ) -> Iterator[Flaw | Entry]:
        """Yield what is wrong with the predicates of a condition, and its paths, in the order written."""
        depth = sum(one in JOINTS for one in place)
        for name, written in condition.items():
            here = (*place, name)
            if name in JOINTS:
                parts = parts_of(written)
                if not parts or len(parts) > _MOST_PARTS or depth >= _DEEPEST:
                    text = f"{name} joins conditions: a list of them, at most {_MOST_PARTS}, and not too deep"
                    yield Flaw(here, "value", text, Advice(f"Write {name}: [{{...}}, {{...}}]."))
                    continue
                for number, part in enumerate(parts):
                    yield from self.read(part, (*here, number) if isinstance(written, list) else here)
            elif predicate := self.wording.predicates.get(name):
                yield from self._predicate(predicate, written, here, condition)
            elif is_reserved(name):
                yield Flaw(here, "unknown", f"there is no condition {name!r}", at_key=True)
            elif self._is_no_path(name):
                yield self._unknown_name_flaw(here, name)
            else:
                yield Entry(here, condition, written)

    def _is_no_path(self, name: str) -> bool:
        """Tell whether a name is no field of the view, in a game whose conditions have names."""
        return bool(self.wording.predicates) and "." not in name and not hasattr(self.view, name)

    def _unknown_name_flaw(self, place: tuple[str | int, ...], name: str) -> Flaw:
        return Flaw(
            place, "unknown", f"there is no condition {name!r}", self.suggest_conditions(name), at_key=True
        )

    def suggest_conditions(self, name: str) -> Advice:
        """Return which conditions may be meant by a name or a path that there is not."""
        known = self.wording.predicates
        if "." not in name and (advice := did_you_mean(name, [*known])):
            return advice
        parts = {*name.casefold().split(".")}
        near = [one for one in known.values() if parts & {one.name, *one.fields}][:_MOST_NEAR]
        if near:
            return Advice(f"Write {' or '.join(map(spell_example, near))}.")
        first = next(iter(known.values()))
        return Advice(
            f"This game has the conditions {sentence_list([*known])}: write {spell_example(first)}."
        )

    def _predicate(
        self,
        predicate: Predicate,
        written: Json,
        place: tuple[str | int, ...],
        beside: Mapping[str, Json],
    ) -> Iterator[Flaw | Entry]:
        found = read_statement(predicate, written)
        if isinstance(found, Misstatement):
            is_test = isinstance(written, dict) and {*OPERATORS} >= {*written}
            if predicate.is_field and is_test and found.kind == "argument":
                yield Entry(place, beside, written)
            else:
                yield self._flaw(predicate, written, found, place)
            return
        term = found.term(self.seat)
        compared = term.get("difference")
        tested = [*paths_of(term), *(compared[:2] if isinstance(compared, list) else ())]
        if absent := self._absent_name(found, [str(one) for one in tested]):
            yield Flaw(place, "never", f"{absent} is not in this game")
            return
        for path, wanted in paths_of(term).items():
            if told := why_never_holds(self.view, path, wanted, self.horizon, self.wording):
                yield Flaw(place, "never", *told)
                return

    def _absent_name(self, found: Statement, paths: list[str]) -> str:
        """Return what a predicate names that no table of this game has: a player that nobody plays; or ""."""
        for argument in found.predicate.arguments:
            for one in found.told[argument.name]:
                steps = [path.split(".") for path in paths]
                fixed = [".".join(path[: path.index(one) + 1]) for path in steps if one in path]
                if any(why_never_holds(self.view, path, [], self.horizon) for path in fixed):
                    return argument.values[one]
        return ""

    def _flaw(
        self, predicate: Predicate, written: Json, found: Misstatement, place: tuple[str | int, ...]
    ) -> Flaw:
        """Return what is wrong with a predicate in words, with what would do."""
        here, name, word = (*place, *found.path), predicate.name, found.word
        arguments = {one.name: one for one in predicate.arguments}
        if found.kind == "argument":
            advice = did_you_mean(word, predicate.words)
            more = advice or Advice(f"Write {spell_example(predicate, written)}.")
            return Flaw(here, "value", f"{name} has no {word!r}", more, at_key=True)
        if found.kind == "value":
            argument = next((one for one in predicate.asked if not found.path), None)
            argument = (
                argument or arguments[str(found.path[0] if found.path else predicate.arguments[0].name)]
            )
            kind = "value" if word else "empty"
            text = f"{word!r} is no {argument.name}" if word else f"{name}: which {argument.name} is not said"
            return Flaw(here, kind, text, self._nearest_advice(word, argument))
        if found.kind in ("number", "always"):
            assert predicate.number is not None, "a number was wrong"
            is_always = found.kind == "always"
            text = f"{name}: it is {'always' if is_always else 'never'} so with {word}"
            return Flaw(here, found.kind if is_always else "never", text, _bounds(predicate.number))
        if found.kind == "many":
            return Flaw(here, "value", f"{name}: only one list of at most {MOST_MEANT} can stand here")
        missing = {"at_least": "how many is meant"}.get(
            word, f"which {sentence_list(word.split(', '))} is meant" if word else "what is meant"
        )
        kind = "empty" if found.kind == "missing" and found.path else "value"
        advice = Advice(f"Write {spell_example(predicate, written)}.")
        return Flaw(here, kind, f"{name} does not say {missing}", advice)

    def _nearest_advice(self, word: str, argument: Argument) -> Advice:
        """Return what may be meant by the value of an argument, or what it can be."""
        if seat := next(
            (one for one, name in self.people.items() if name.casefold() == word.casefold()), None
        ):
            return suggest_values(argument.values.get(seat, seat))
        if meant := _part(word, [*argument.values.values()]):
            return suggest_values(meant)
        return near(word, [*argument.values], self.wording._replace(name=lambda one: argument.values[one]))


def _part(word: str, titles: list[str]) -> str:
    """Return the only name that a word is a part of, or that is a part of it; "" if none is, or several."""
    said = {*re.findall(r"\w+", word.casefold())}
    found = [
        one
        for one in titles
        if (words := {*re.findall(r"\w+", one.casefold())})
        and (word.casefold() in one.casefold() or words <= said)
    ]
    return found[0] if word and len(found) == 1 else ""


def _bounds(bound: Bound) -> Advice:
    if bound.least is None:
        return Advice("It is a whole number.")
    return Advice(
        f"It is at least {bound.least}."
        if bound.most is None
        else f"It is from {bound.least} to {bound.most}."
    )


def _example(predicate: Predicate, written: Json = None) -> dict[str, Json]:
    """Return what a predicate can be told, as an example: `{square: A1, player: Red}`.

    Args:
        predicate: The predicate.
        written: What somebody wrote behind its name: what is right of it stays.
    """
    own = written if isinstance(written, dict) else {}
    numbers = {name: one for name, one in own.items() if name in BOUNDS and predicate.number}
    if predicate.number is not None and not numbers:
        numbers = {"at_least": (predicate.number.least or 0) + 1}
    if own is not written:  # one value alone is of the first argument that can be it
        own = next(
            ({one.name: written} for one in predicate.arguments if _written_as_meant(one, written)), {}
        )
    told = {
        one.name: _written_as_meant(one, own.get(one.name)) or _first_value_name(one)
        for one in predicate.arguments
    }
    return {**told, **numbers}


def _written_as_meant(argument: Argument, written: Json) -> Json:
    """Return what somebody wrote for an argument as it can be written; None if it is nothing like that."""
    if written is None or argument.can_be(written):
        return written
    return _part(str(written), [*argument.values.values()]) or None


def _first_value_name(argument: Argument) -> str:
    return next((name for one, name in argument.values.items() if one != ME), ME)


def other_condition_examples(rules: Any, examples: list[Json]) -> list[Json]:
    """Return an example of each other condition of rules: `{token: {square: A1, player: Red}}`.

    Args:
        rules: The rules.
        examples: What `shown` returned; what the first of them say whole is left out.
    """
    known, first = wording_of(rules).predicates.values(), examples[:SHOWN_SHORT]
    return [spell_example(one) for one in known if not any(_is_whole(one, example) for example in first)]


def _is_whole(predicate: Predicate, example: Json) -> bool:
    """Tell whether a predicate stands somewhere in an example with all that it can be told."""
    if isinstance(example, list):
        return any(_is_whole(predicate, one) for one in example)
    if not isinstance(example, dict):
        return False
    told = example.get(predicate.name)
    names = {one.name for one in predicate.arguments}
    if isinstance(told, dict) and told.keys() >= names:
        return True
    is_alone = told is not None and not isinstance(told, dict) and len(names) <= 1
    return is_alone or any(_is_whole(predicate, one) for one in example.values())


def spell_example(predicate: Predicate, written: Json = None) -> str:
    """Return a predicate as it can be written, in YAML: `{token: {square: A1, player: Red}}`.

    Args:
        predicate: The predicate.
        written: What somebody wrote behind its name: what is right of it stays.
    """
    told = _example(predicate, written)
    if len(told) == 1 and predicate.number is None:
        return order_as_yaml({predicate.name: next(iter(told.values()))})
    return order_as_yaml({predicate.name: told or True})


def example_sentence(predicate: Predicate) -> str:
    """Return what the example of a predicate says."""
    found = read_statement(predicate, _example(predicate))
    return statement_sentence(found) if isinstance(found, Statement) else ""


def term_origins(condition: Mapping[str, Json], predicates: Predicates, seat: Seat | None) -> dict[str, str]:
    """Return under which name of a condition each entry of its term stands, paths in small letters."""
    found: dict[str, str] = {}
    for name, written in condition.items():
        for path in term_of({name: written}, predicates, seat):
            found.setdefault(path.casefold(), name)
    return found
