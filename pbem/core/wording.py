"""Orders and conditions in words, so that whoever wrote them can see what was understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from pbem.core.conditions import JOINTS, as_list, close_matches, is_pattern_match
from pbem.core.interface import Json
from pbem.core.predicates import Predicates, Statement, parts_of, read_statement, statement_sentence
from pbem.core.remedies import Advice, Meant

NO_TITLES: Final[Mapping[str, str]] = MappingProxyType({})
NO_PREDICATES: Final[Predicates] = MappingProxyType({})
_COMPARED: Final = {"at_least": "at least", "at_most": "at most"}
LONGEST_NAME: Final = 100
"""Letters of a word that may be meant as a name: what is longer is like none."""
_PLURAL: Final = re.compile(r"the (points|ships)\b")
"""How things begin that a single word does not name: "the points of Red are at most 6"."""


def plain_value_text(value: Json) -> str:
    """Return a value without the marks of YAML: `{play: N2, hero: true}` is "play N2, hero"."""
    if isinstance(value, dict):
        return ", ".join(
            name if part is True else f"{name} {plain_value_text(part)}" for name, part in value.items()
        )
    if isinstance(value, list):
        return " and ".join(
            f"({plain_value_text(part)})" if isinstance(part, dict) else plain_value_text(part)
            for part in value
        )
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value in (None, "") else str(value)


def order_as_yaml(order: Json, titles: Mapping[str, str] = NO_TITLES) -> str:
    """Return an order, or a part of it, as a player would write it: "{take: [Fr3, Fr5], hero: true}".

    Args:
        order: The order.
        titles: How names are shown where that is otherwise.
    """
    if isinstance(order, dict):
        return f"{{{', '.join(f'{name}: {order_as_yaml(value, titles)}' for name, value in order.items())}}}"
    if isinstance(order, list):
        return f"[{', '.join(order_as_yaml(one, titles) for one in order)}]"
    return str(order).lower() if isinstance(order, bool) else titles.get(str(order), str(order))


def sentence_list(items: Iterable[str], last: str = "and") -> str:
    """Return items as a sentence lists them: "a, b and c"."""
    *head, tail = list(items) or ["nothing"]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def did_you_mean(
    word: str, names: Iterable[str], titles: Mapping[str, str] = NO_TITLES, cutoff: float = 0.6
) -> Advice:
    """Ask "Did you mean X?", or say nothing if no name is like the word; case does not count.

    Args:
        word: What was written.
        names: What could be written.
        titles: How names are shown where that is otherwise.
        cutoff: How like a name must be, from 0 to 1; names of two letters need 0.5.
    """
    name = most_similar_name(word, names, cutoff)
    return suggest_values(titles.get(name, name)) if name else Advice()


def suggest_values(*values: str, more: str = "") -> Advice:
    """Ask whether one of some values was meant: "Did you mean X or Y?".

    Args:
        values: What may be meant, the likeliest first; as it is shown, and as it could be written.
        more: What is said behind them.
    """
    return Advice(f"Did you mean {' or '.join(values)}{more}?", tuple(map(Meant, values)))


def most_similar_name(word: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the name that is most like a word; "" if none is. Case does not count.

    A name with the same letters in another order comes first, if there is only one: SE2 for ES2.
    """
    if len(word) > LONGEST_NAME:
        return ""
    folded = {name.casefold(): name for name in names}
    letters = sorted(word.casefold())
    swapped = [name for name in folded if sorted(name) == letters]
    if len(swapped) == 1:
        return folded[swapped[0]]
    close = close_matches(word.casefold(), folded, cutoff=cutoff)
    return folded[close[0]] if close else ""


class Wording(NamedTuple):
    """How rules say orders and facts; what is left out is said as it is written.

    Attributes:
        facts: What paths of conditions mean, by path; `*` stands for any one name, and {0}, {1} are the names
            that it stood for. A fact that is true or false is a sentence ("you lost a rose"), any other a
            thing ("the square of the crown").
        names: What orders name by an id that reports call otherwise, by id: "Cîteaux" for citeaux.
        order: Says an order that fits the schema, as "play N2 with a hero"; total.
        name: Says a name as reports write it, as "Red" for red; others as they are.
        predicates: The conditions that the rules declare, by name.
    """

    facts: Mapping[str, str] = {}
    names: Mapping[str, str] = {}
    order: Callable[[Json], str] = plain_value_text
    name: Callable[[str], str] = str
    predicates: Predicates = NO_PREDICATES

    def condition(self, condition: Mapping[str, Json]) -> str:
        """Return a condition without the "if": "the crown is on E5, and Red has at most 1 hero"."""
        return ", and ".join(_entry_in_words(self, name, wanted) for name, wanted in condition.items())

    def thing(self, path: str) -> str:
        """Return what a path means: the words of the pattern that it fits, or the path itself."""
        names = path.split(".")
        for pattern, words in self.facts.items():
            if is_pattern_match(names, pattern):
                parts = zip(pattern.split("."), names, strict=True)
                return words.format(*(self.name(name) for part, name in parts if part == "*"))
        return path


PLAIN: Final = Wording()


def wording_of(rules: object) -> Wording:
    """Return how rules say things; those that have no `wording` say them as they are written."""
    found = getattr(rules, "wording", PLAIN)
    assert isinstance(found, Wording), "the wording of rules is a Wording"
    return found


def _entry_in_words(wording: Wording, name: str, written: Json) -> str:
    """Return one entry of a condition in words: a predicate, what joins conditions, or a path."""
    if name in JOINTS and (parts := parts_of(written)) is not None:
        told = [wording.condition(one) for one in parts]
        if name == "not":
            return f"it is not so that {sentence_list(told)}"
        return sentence_list(told, "or") if name == "any" else ", and ".join(told)
    predicate = wording.predicates.get(name)
    found = read_statement(predicate, written) if predicate is not None else None
    return (
        statement_sentence(found) if isinstance(found, Statement) else _fact_in_words(wording, name, written)
    )


def _fact_in_words(wording: Wording, path: str, wanted: Json) -> str:
    thing = wording.thing(path)
    if isinstance(wanted, bool):
        return thing if wanted else f"it is not so that {thing}"
    if isinstance(wanted, dict):
        return " and ".join(
            _comparison_text(wording, thing, operator, value) for operator, value in wanted.items()
        )
    return f"{thing} {_verb_for_thing(thing)} {_alternatives_text(wording, wanted)}"


def _verb_for_thing(thing: str) -> str:
    return "are" if _PLURAL.match(thing) else "is"


def _comparison_text(wording: Wording, thing: str, operator: str, value: Json) -> str:
    if operator == "not":
        if isinstance(value, dict) and list(value) == ["has"]:
            return f"{_list_text(wording, value['has'])} {_be_verb(value['has'])} not among {thing}"
        if isinstance(value, dict):
            parts = (_comparison_text(wording, thing, inner, one) for inner, one in value.items())
            return f"it is not so that {' and '.join(parts)}"
        if value is True:
            return f"it is not so that {thing}"
        return f"{thing} {_verb_for_thing(thing)} not {_alternatives_text(wording, value)}"
    if operator == "has":
        return f"{_list_text(wording, value)} {_be_verb(value)} among {thing}"
    return f"{thing} {_verb_for_thing(thing)} {_COMPARED.get(operator, operator)} {_value(wording, value)}"


def _be_verb(value: Json) -> str:
    return "are" if isinstance(value, list) and len(value) > 1 else "is"


def _list_text(wording: Wording, value: Json) -> str:
    """Return what is looked for in a list: things, also where their names are numbers."""
    things = as_list(value)
    return sentence_list(_value(wording, str(one) if type(one) is int else one) for one in things)


def _alternatives_text(wording: Wording, wanted: Json) -> str:
    return (
        sentence_list((_value(wording, one) for one in wanted), "or")
        if isinstance(wanted, list)
        else _value(wording, wanted)
    )


def _value(wording: Wording, value: Json) -> str:
    return wording.name(value) if isinstance(value, str) else plain_value_text(value)
