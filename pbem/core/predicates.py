"""Conditions in a game's own words: predicates that rules declare, and the terms that they come to.

A player writes `{token: {square: E5, player: White}}`. The rules declare what `token` is: its arguments, its
sentence, and the term that is tested on the owner's view, with the arguments in it. Everything that reads
conditions (the evaluation, looking ahead, the page) reads the term.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pbem.core.conditions import JOINTS, as_list, is_reserved
from pbem.core.events import Seat
from pbem.core.interface import Json

ME: Final = "me"
"""How a player names itself in a condition."""

MOST_MEANT: Final = 12
"""So many values can stand in the list of one argument."""

BOUNDS: Final = ("at_least", "at_most", "exactly")
NEVER: Final[Mapping[str, Json]] = {"any": []}
"""The term that holds on no view."""


class Argument(NamedTuple):
    """What a predicate is told.

    Attributes:
        name: Its name.
        values: What it can be: how it is called, by id.
        default: The id that it is where nothing is said; "" where something must be said.
        also: Other words that people have for it, in small letters, with the id that each stands for.
    """

    name: str
    values: Mapping[str, str]
    default: str = ""
    also: Mapping[str, str] = {}

    def resolve_id(self, written: Json) -> str | None:
        """Return the id of a value as somebody writes it, by id or by name; None if there is none such.

        Names as they stand come first. Of others only the words count, without "the" before them and what
        stands in brackets behind them, if they name one alone.
        """
        if isinstance(written, bool) or not isinstance(written, str | int):
            return None
        if written in self.values:
            return str(written)
        for spell in (str.casefold, _normalize_name):
            word = spell(str(written))
            found = [one for one, name in self.values.items() if word in (spell(one), spell(name))]
            if len(found) == 1:
                return found[0]
        return self.also.get(str(written).casefold())

    def can_be(self, written: Json) -> bool:
        """Tell whether it can be what somebody writes: a value, or a list of them."""
        return written is not None and all(self.resolve_id(one) is not None for one in as_list(written))


def _normalize_name(name: str) -> str:
    """Return the words of a name in small letters: "roman denarius" for "The Roman denarius (1)"."""
    words = re.findall(r"[^\W_]+", name.casefold().partition(" (")[0])
    return " ".join(words[1:] if words[:1] == ["the"] and words[1:] else words)


class Bound(NamedTuple):
    """The number that a predicate is told: `at_least`, `at_most` or both, or `exactly`.

    Attributes:
        least: The least that it can be.
        most: The greatest; None for any.
        default: What is meant where nothing is said; empty where something must be said.
    """

    least: int | None = 0
    most: int | None = None
    default: Mapping[str, int] = {}


class Predicate(NamedTuple):
    """A condition that the rules of a game declare.

    Attributes:
        name: Its name.
        sentence: What it says: "{player} [hold/holds] {square}". An argument stands in braces, what it counts
            as `{number}`. Of two words in brackets the first follows "you" (`[hold/holds]`), or the number 1
            (`[card|cards]`).
        term: What is tested: `{"board.{square}": "{player}"}`. `{number}` is the test of the number,
            `{me}` the owner.
        arguments: What it is told, in the order in which people say it.
        number: The number that it is told; None if there is none.
    """

    name: str
    sentence: str
    term: Mapping[str, Json]
    arguments: tuple[Argument, ...] = ()
    number: Bound | None = None

    @property
    def is_field(self) -> bool:
        """Whether it has the name of the field that it tests; tests of paths can stand behind it."""
        return set(self.term) == {self.name}

    @property
    def fields(self) -> frozenset[str]:
        """Return the fixed names in the paths that it tests."""
        return frozenset(name for path in self.term for name in path.split(".") if "{" not in name)

    @property
    def words(self) -> tuple[str, ...]:
        """The names of what it can be told."""
        bounds = () if self.number is None else BOUNDS
        return (*(one.name for one in self.arguments), *bounds)

    @property
    def asked(self) -> tuple[Argument, ...]:
        """Return the arguments that must be said."""
        return tuple(one for one in self.arguments if not one.default)


class Misstatement(NamedTuple):
    """What is wrong with a predicate as it is written.

    Attributes:
        path: Where it stands below the predicate's name; () is all of it.
        kind: "argument" (there is no argument of that name), "value" (an argument cannot be that), "missing"
            (an argument or a number is not said), "number" (it is never that), "always" (it is always that),
            "many" (a list is too long, or there are two) or "shape".
        word: The word that is wrong, or the name of what is missing.
    """

    path: tuple[str | int, ...]
    kind: str
    word: str


class Statement(NamedTuple):
    """A predicate with what it is told.

    Attributes:
        predicate: The predicate.
        told: Each argument: the ids of which one is meant.
        number: The test of the number; empty if there is none.
        holds: False where it is said that it is not so.
    """

    predicate: Predicate
    told: Mapping[str, tuple[str, ...]]
    number: Mapping[str, int]
    holds: bool = True

    def term(self, seat: Seat | None) -> Mapping[str, Json]:
        """Return what it comes to on the view of a seat."""
        terms = [self._filled_term(one, seat) for one in _id_choices(self.told)]
        term = terms[0] if len(terms) == 1 else _any_of(terms)
        if self.holds:
            return term
        ((path, wanted), *more) = term.items()
        return {path: False} if wanted is True and not more else {"not": dict(term)}

    def _filled_term(self, told: Mapping[str, str], seat: Seat | None) -> dict[str, Json]:
        ids = {ME: str(seat), **{name: str(seat) if one == ME else one for name, one in told.items()}}
        filled = _fill_term(dict(self.predicate.term), ids, test_of(self.number))
        assert isinstance(filled, dict), "a term"
        return filled


Predicates = Mapping[str, Predicate]
"""The predicates of rules, by name."""


def by_name(predicates: Sequence[Predicate]) -> Predicates:
    """Return predicates by their names."""
    return {one.name: one for one in predicates}


def test_of(number: Mapping[str, int]) -> Json:
    """Return the test of a number: the number itself where it is exact."""
    return number["exactly"] if "exactly" in number else dict(number)


def read_statement(predicate: Predicate, written: Json) -> Statement | Misstatement:
    """Return what a predicate is told, or what is wrong with it.

    Args:
        predicate: The predicate.
        written: What stands behind its name: arguments by name, or the one that must be said alone; true or
            false where none must.
    """
    if isinstance(written, dict):
        return _read_fields(predicate, written)
    if isinstance(written, bool):
        found = (
            _read_fields(predicate, {})
            if _has_no_required_arguments(predicate)
            else _shape_misstatement(predicate)
        )
        return found._replace(holds=written) if isinstance(found, Statement) else found
    name = _sole_value_text(predicate, written)
    if not name:
        return _shape_misstatement(predicate)
    found = _read_fields(predicate, {name: written})
    if isinstance(found, Misstatement) and found.path[:1] == (name,):
        return found._replace(path=found.path[1:])
    return found


def _sole_value_text(predicate: Predicate, written: Json) -> str:
    """Return what a value says that stands alone behind the name of a predicate; "" if it can be several."""
    if isinstance(written, int) and predicate.number is not None and not predicate.asked:
        return "exactly"
    one = predicate.asked or predicate.arguments
    return one[0].name if len(one) == 1 else ""


def _has_no_required_arguments(predicate: Predicate) -> bool:
    """Tell whether nothing must be said of a predicate but whether it holds."""
    return not predicate.asked and (predicate.number is None or bool(predicate.number.default))


def _shape_misstatement(predicate: Predicate) -> Misstatement:
    missing = [one.name for one in predicate.asked] + ["at_least"] * (predicate.number is not None)
    return Misstatement((), "shape", ", ".join(missing))


def _read_fields(predicate: Predicate, fields: Mapping[str, Json]) -> Statement | Misstatement:
    """Return what a predicate is told by the names of its arguments, or what is wrong with it."""
    words = predicate.words
    for name in fields:
        if name not in words:
            return Misstatement((name,), "argument", name)
    told: dict[str, tuple[str, ...]] = {}
    for argument in predicate.arguments:
        written = fields.get(argument.name, argument.default)
        if written == "":
            return Misstatement((argument.name,) if argument.name in fields else (), "missing", argument.name)
        several = as_list(written)
        if len(several) > 1 and (len(several) > MOST_MEANT or any(len(one) > 1 for one in told.values())):
            return Misstatement((argument.name,), "many", argument.name)
        ids = [argument.resolve_id(one) for one in several]
        if None in ids or not ids:
            word = next((str(one) for one, found in zip(several, ids, strict=True) if found is None), "")
            return Misstatement((argument.name,), "value", word)
        told[argument.name] = tuple(one for one in ids if one is not None)
    number = {name: fields[name] for name in BOUNDS if name in fields}
    if predicate.number is None:
        return Statement(predicate, told, {})
    wrong = _wrong_number(predicate.number, number)
    return wrong or Statement(predicate, told, {**(number or predicate.number.default)})  # type: ignore[dict-item]


def _wrong_number(bound: Bound, number: Mapping[str, Json]) -> Misstatement | None:
    """Return what is wrong with the test of a number: none, no number, one that never is, or always."""
    if not number and not bound.default:
        return Misstatement((), "missing", "at_least")
    for name, one in number.items():
        if isinstance(one, bool) or not isinstance(one, int):
            return Misstatement((name,), "number", str(one))
        least, most = bound.least, bound.most
        is_never = (name != "at_most" and most is not None and one > most) or (
            name != "at_least" and least is not None and one < least
        )
        is_always = (name == "at_least" and least is not None and one <= least) or (
            name == "at_most" and most is not None and one >= most
        )
        if is_never or is_always:
            return Misstatement((name,), "always" if is_always else "number", str(one))
    if "exactly" in number and len(number) > 1:
        return Misstatement(("exactly",), "shape", "exactly")
    least_said, most_said = number.get("at_least"), number.get("at_most")
    if isinstance(least_said, int) and isinstance(most_said, int) and least_said > most_said:
        return Misstatement(("at_most",), "number", str(most_said))
    return None


def _id_choices(told: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    """Yield every choice of one id for each argument."""
    chosen: list[dict[str, str]] = [{}]
    for name, ids in told.items():
        chosen = [{**one, name: each} for one in chosen for each in ids]
    yield from chosen


_PLACE: Final = re.compile(r"\{(\w+)\}")


def _fill_term(part: Json, ids: Mapping[str, str], test: Json) -> Json:
    """Return a part of a term with the arguments in it."""
    if isinstance(part, str):
        return test if part == "{number}" else _PLACE.sub(lambda found: ids[found[1]], part)
    if isinstance(part, dict):
        return {_PLACE.sub(lambda m: ids[m[1]], key): _fill_term(one, ids, test) for key, one in part.items()}
    return [_fill_term(one, ids, test) for one in part] if isinstance(part, list) else part


def _any_of(terms: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """Return a term that holds where one of some does: of one path the values, as they are read best."""
    paths = {path for term in terms for path in term}
    values = [one for term in terms for one in term.values()]
    if len(paths) == 1 and all(isinstance(one, str) for one in values) and not paths & {*JOINTS}:
        return {paths.pop(): values}
    return {"any": [dict(one) for one in terms]}


def _all_of(terms: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """Return a term that holds where all of some do, each path once where that can be said."""
    out: dict[str, Json] = {}
    more: list[Json] = []
    for term in terms:
        for path, wanted in term.items():
            if path not in out:
                out[path] = wanted
            elif (joined := _join_tests(out[path], wanted)) is not None:
                out[path] = joined
            else:
                more.append({path: wanted})
    if not more:
        return out
    return {**out, "all": [*as_list(out.get("all", [])), *more]}


def _join_tests(one: Json, other: Json) -> Json:
    """Return what is wanted of a path that two tests want something of; None where one test cannot say it."""
    if one == other:
        return one
    if not isinstance(one, dict) or not isinstance(other, dict):
        return None
    if one.keys() == other.keys() == {"has"}:
        return {"has": [*as_list(one["has"]), *as_list(other["has"])]}
    return None if one.keys() & other.keys() else {**one, **other}


def term_of(condition: Mapping[str, Json], predicates: Predicates, seat: Seat | None) -> Mapping[str, Json]:
    """Return the term that a condition comes to on the view of its owner.

    Names count before paths; what is no predicate is a path. A predicate that is told what cannot be never
    holds: orders with one are refused, and it stands only in those that were taken before.

    Args:
        condition: The condition as it is written.
        predicates: Those of the game.
        seat: The owner.
    """
    if not any(name in predicates or is_reserved(name) for name in condition):
        return condition
    terms = [_term_of(name, written, predicates, seat) for name, written in condition.items()]
    return _all_of(terms)


def _term_of(name: str, written: Json, predicates: Predicates, seat: Seat | None) -> Mapping[str, Json]:
    if name in JOINTS and (parts := parts_of(written)) is not None:
        terms = [term_of(one, predicates, seat) for one in parts]
        if name == "any":
            return _any_of(terms)
        joined = _all_of(terms)
        return joined if name == "all" else {"not": joined}
    predicate = predicates.get(name)
    if predicate is None:
        return NEVER if is_reserved(name) else {name: written}
    found = read_statement(predicate, written)
    if isinstance(found, Statement):
        return found.term(seat)
    return {name: written} if predicate.is_field else NEVER


def parts_of(written: Json) -> list[dict[str, Json]] | None:
    """Return the conditions that `all`, `any` or `not` joins: a list of them, or the entries of one."""
    if isinstance(written, dict):
        return [{name: one} for name, one in written.items()]
    if isinstance(written, list) and all(isinstance(one, dict) for one in written):
        return [one for one in written if isinstance(one, dict)]
    return None


def statement_sentence(statement: Statement) -> str:
    """Return what a predicate says: "White has at least 2 heroes"."""
    predicate, words = statement.predicate, {}
    for argument in predicate.arguments:
        ids = statement.told[argument.name]
        words[argument.name] = " or ".join("you" if one == ME else argument.values[one] for one in ids)
    is_you = any(one == (ME,) for one in statement.told.values())
    is_one = 1 in statement.number.values()
    sentence = _EITHER.sub(
        lambda found: found[1] if (is_you if found[2] == "/" else is_one) else found[3], predicate.sentence
    )
    told = sentence.format(**words, number=number_in_words(statement.number))
    return told if statement.holds else f"it is not so that {told}"


_EITHER: Final = re.compile(r"\[([^/|\]]*)([/|])([^\]]*)\]")


def number_in_words(number: Mapping[str, int]) -> str:
    """Return the test of a number in words: "at least 2"."""
    words = {"at_least": "at least {}", "at_most": "at most {}", "exactly": "{}"}
    return " and ".join(words[name].format(one) for name, one in number.items())


def restate_in_predicates(
    condition: Mapping[str, Json], predicates: Predicates, seat: Seat | None
) -> dict[str, Json]:
    """Return a condition with each path in the words of the predicate that comes to it, if there is one.

    Args:
        condition: The condition, as rules write it.
        predicates: Those of the game.
        seat: The owner, which is named `me`.
    """
    said = [
        one for path, wanted in condition.items() for one in _predicates_for(path, wanted, predicates, seat)
    ]
    names = Counter(name for name, _ in said)
    out = {name: written for name, written in said if names[name] == 1}
    more: list[Json] = [{name: written} for name, written in said if names[name] > 1]
    return {**out, "all": [*as_list(out.get("all", [])), *more]} if more else out


def _predicates_for(
    path: str, wanted: Json, predicates: Predicates, seat: Seat | None
) -> list[tuple[str, Json]]:
    """Return what predicates say of a path, each with its name; what stands there, if they do not say it.

    Where several things must be in a list, each of them is said for itself.
    """
    if path in JOINTS and (joined := parts_of(wanted)) is not None:
        return [(path, [restate_in_predicates(one, predicates, seat) for one in joined])]
    parts = [wanted]
    if isinstance(wanted, dict) and wanted.keys() == {"has"}:
        parts = [{"has": one} for one in as_list(wanted["has"])]
    found = [
        next((told for one in predicates.values() if (told := _as_entry(one, path, part, seat))), None)
        for part in parts
    ]
    known = [one for one in found if one is not None]
    return known if len(known) == len(parts) > 0 else [(path, wanted)]


def _as_entry(predicate: Predicate, path: str, wanted: Json, seat: Seat | None) -> tuple[str, Json] | None:
    """Return how a predicate says what is wanted at a path; None if it does not."""
    if len(predicate.term) != 1:
        return None
    ((pattern, form),) = predicate.term.items()
    found: dict[str, Json] = {}
    parts, names = pattern.split("."), path.split(".")
    if len(parts) != len(names) or not all(map(_matches, parts, names, [found] * len(names))):
        return None
    if not _matches(form, wanted, found):
        return None
    number = found.pop("number", None)
    arguments = {one.name: one for one in predicate.arguments}
    said: dict[str, Json] = {}
    if found.pop(ME, seat) != seat:
        return None
    for name, value in found.items():
        argument = arguments[name]
        several = [ME if one == seat and ME in argument.values else str(one) for one in as_list(value)]
        if any(one not in argument.values for one in several):
            return None
        if several != [argument.default]:
            as_people_say = [int(one) if one.isdecimal() else one for one in several]
            said[name] = as_people_say[0] if len(several) == 1 else [*as_people_say]
    if number is not None and not said and not predicate.asked and not isinstance(number, dict):
        return _confirm_statement(predicate, number, path, wanted, seat)
    if number is not None and not (said and predicate.number and number == predicate.number.default):
        said |= number if isinstance(number, dict) else {"exactly": number}
    if not said:
        written: Json = True
    elif len(said) == 1 and next(iter(said)) not in BOUNDS and len(predicate.asked) <= 1:
        written = next(iter(said.values()))
    else:
        written = said
    return _confirm_statement(predicate, written, path, wanted, seat)


def _confirm_statement(
    predicate: Predicate, written: Json, path: str, wanted: Json, seat: Seat | None
) -> tuple[str, Json] | None:
    """Return how a predicate is written, if it then comes to what is wanted at a path."""
    found = read_statement(predicate, written)
    is_same = isinstance(found, Statement) and found.term(seat) == {path: wanted}
    return (predicate.name, written) if is_same else None


def _matches(form: Json, value: Json, found: dict[str, Json]) -> bool:
    """Tell whether a value is what a form says, and take note of what stands for its arguments."""
    if isinstance(form, str) and (place := _PLACE.fullmatch(form)):
        return found.setdefault(place[1], value) == value
    if isinstance(form, dict) and isinstance(value, dict):
        return form.keys() == value.keys() and all(_matches(form[name], value[name], found) for name in form)
    if isinstance(form, list) and isinstance(value, list):
        return len(form) == len(value) and all(map(_matches, form, value, [found] * len(form)))
    return form == value and type(form) is type(value)
