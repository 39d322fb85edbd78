"""Whether every fact of a report is said in its text at full length: change each, and see the text change."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, cast

from jinja2 import Environment, Template, UndefinedError
from jinja2.exceptions import TemplateError

from pbem.core.interface import Json

Path = tuple[str | int, ...]
Facts = dict[str, Json]

# What stands in report.json and is said in no other words in the text, with the reason. A name is a path;
# an event is named by its kind, and * is any key, position or part of a word.
MACHINE_ONLY: Mapping[str, str] = {
    "detail": "it chooses how long the text is",
    "rules": "it chooses the templates, and the title says which game it is",
    "history*": "plots draw it, and the newest numbers are said with the position",
    "events.Order*.at": "the sentence names the label where it matters",
    "events.Order*.seat": "what becomes of orders is told to their owner only",
    "events.Order*.public": "it is told to the owner only",
    "events.PlayingStopped.at": "the sentence names the label",
    "events.PlayingStopped.seat": "it is told to the owner of the orders only",
    "events.PlayingStopped.public": "it is told to the owner only",
    "events.MoveForced.at": "the sentence names the label",
    "events.MoveForced.seat": "it is told to the owner of the move only",
    "events.MoveForced.public": "it is told to the owner only",
    "events.SeatSilent.at": "the sentence names the label",
    "events.SeatSilent.seat": "it is told to the silent seat only",
    "events.SeatSilent.public": "it is told to the silent seat only",
    "events.PlayingStopped.condition.*": "the condition is said in words",
    "view.me": "`seat` is said instead",
    "view.seats.*": "before the deal; `players` are said instead",
}


Excuse = tuple[str, Callable[[Any, Path], bool], str]
"""A pattern of names, in which reports a fact of such a name is not said, and why."""


def is_over(told: Any, path: Path = ()) -> bool:
    """Tell whether a report is of a game that is over."""
    return told["ask"]["kind"] == "over"  # type: ignore[no-any-return]


def has_no_form(told: Any, path: Path = ()) -> bool:
    """Tell whether a report comes without a form."""
    return told["seat"] is None or is_over(told)


def has_no_plan_after(told: Any, path: Path = ()) -> bool:
    """Tell whether a report's form has no line for the ask after the one that it answers."""
    return has_no_form(told) or not told["ask"]["mine"] or "plan" not in told["draft"] or has_plan(told)


def has_plan(told: Any, path: Path = ()) -> bool:
    """Tell whether a form has lines that are ready for what may happen."""
    return bool(told.get("plan"))


def has_standing_order(told: Any, path: Path = ()) -> bool:
    """Tell whether a standing order of the reader stands."""
    return any(one["keep"] for one in told["orders"])


def can_never_be_played(told: Any, path: Path = ()) -> bool:
    """Tell whether a pending line can never be played."""
    return len(path) > 1 and "never" in told["orders"][path[1]]


def has_no_deadline(told: Any, path: Path = ()) -> bool:
    """Tell whether a report says no deadline in a form."""
    return has_no_form(told) or not told["deadline"]


# Said in some reports and, for the reason given, not in others.
NOT_ALWAYS: list[Excuse] = [
    ("menus.*.paths*", lambda told, path: True, "a choice stands in its place in the form"),
    ("orders.*.now", can_never_be_played, "why it never can be is said in its place"),
    ("deadline", is_over, "nothing more can be ordered"),
    ("commitment", lambda told, path: told["turn"] > 0, "the invitation has said it"),
    ("key_asked", has_no_form, "the form asks for the key, and there is none"),
    ("marker", has_no_form, "the form opens with it, and there is none"),
    ("ask.*", is_over, "nobody is asked any more"),
    (
        "ask.after",
        has_no_plan_after,
        "the form shows a plan for the ask after the present one only if there is one",
    ),
    ("orders.*.do*", lambda told, path: True, "it is said in words; the form has it if it can be kept"),
    ("orders.*.when.*", lambda told, path: True, "it is said in words; the form has it if it can be kept"),
    ("stop_if*", lambda told, path: True, "it is said in words, and stands in the form"),
    ("draft.keep*", has_standing_order, "a standing order of the reader is in the form in its place"),
    ("draft.until", has_standing_order, "a standing order of the reader is in the form in its place"),
    ("draft.stop*", lambda told, path: bool(told["stop_if"]), "the reader's own stop is in the form"),
    ("draft.plan*", has_plan, "in full the form has the ready lines in its place"),
    ("stops", lambda told, path: not told["stop_if"], "nothing stops the lines"),
    ("orders.*.if", lambda told, path: not told["orders"][path[1]]["when"], "the line has no condition"),
    ("press", has_no_form, "the form shows how to write messages, and there is none"),
    ("silence", has_no_deadline, "it is said with the deadline in the form"),
    ("ask.seats.*", lambda told, path: told["ask"]["mine"], "the reader is asked, and is told so"),
]


@dataclass(frozen=True)
class Said:
    """What the text of one game's reports says.

    Attributes:
        templates: The report templates.
        rules: The name of the rules.
        machine_only: The game's own facts that are said in no other words, with the reason.
        not_always: The game's own facts that are said in some reports only.
        words: Texts to put in place of others, which mean something to the game.
        alike: Pattern of the names that differ from fact to fact: numbers, squares.
    """

    templates: Environment
    rules: str
    machine_only: Mapping[str, str]
    not_always: list[Excuse]
    words: tuple[str, ...]
    alike: str

    def text(self, told: Facts) -> str:
        """Return the text report of facts, at full length."""
        return self._template().render({**told, "detail": "full"})

    def _template(self) -> Template:
        return self.templates.get_template(f"{self.rules}/report.txt.j2")

    def unsaid(self, told: Facts) -> list[str]:
        """Return the names of all facts that the text does not say and should."""
        told = few_events(told)
        text = self.text(told)
        return [
            name
            for path, value, name in self._sampled(told)
            if not self._is_machine_only(name)
            and not self._is_excused(told, name, path)
            and not self._is_said(told, text, path, value)
        ]

    def needless(self, reports: list[Facts]) -> tuple[set[str], set[str]]:
        """Return exceptions of the game that no fact needs, and facts that are said in spite of one."""
        unused, said = set(self.machine_only), set[str]()
        for told in map(few_events, reports):
            text = self.text(told)
            for path, value, name in self._sampled(told):
                if any(fnmatchcase(name, pattern) for pattern in self.machine_only):
                    unused -= {pattern for pattern in unused if fnmatchcase(name, pattern)}
                    said |= {name} if self._is_said(told, text, path, value) else set()
        return unused, said

    def _is_machine_only(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in {**MACHINE_ONLY, **self.machine_only})

    def _is_excused(self, told: Facts, name: str, path: Path) -> bool:
        return any(
            fnmatchcase(name, pattern) and holds(told, path)
            for pattern, holds, _ in NOT_ALWAYS + self.not_always
        )

    def _is_said(self, told: Facts, text: str, path: Path, value: Json) -> bool:
        for other in self._others(value):
            try:
                if self._differs(with_leaf(told, path, other), text):
                    return True
            except (UndefinedError, TypeError, TemplateError, KeyError):  # it does not fit; another may
                continue
        return False

    def _differs(self, told: Facts, text: str) -> bool:
        """Tell whether facts make another text; it is written no further than to the first difference."""
        at = 0
        for piece in self._template().generate({**told, "detail": "full"}):
            if not text.startswith(piece, at):
                return True
            at += len(piece)
        return at != len(text)

    def _others(self, value: Json) -> list[Json]:
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, int):
            return [value + 1]
        if isinstance(value, str):
            return [word for word in (f"{value}x", *self.words) if word != value]
        return [7, "x", True] if value is None else [[self.words[0]], {"x": 1}]

    def _sampled(self, told: Facts) -> Iterator[tuple[Path, Json, str]]:
        """Return leaves with their names: of those with one name but for what is alike the first two."""
        seen = Counter[str]()
        for path, value in leaves(told):
            name = named(told, path)
            alike = re.sub(self.alike, "*", name)
            seen[alike] += 1
            if seen[alike] <= 2:
                yield path, value, name


def leaves(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Return every single value below a value with its path, an empty list or mapping below the top too."""
    entries: list[tuple[str | int, Json]] = []
    if isinstance(value, dict | list):
        entries.extend(value.items() if isinstance(value, dict) else enumerate(value))
    if (not entries and len(path) > 1) or not isinstance(value, dict | list):
        yield path, value
    for key, entry in entries:
        yield from leaves(entry, (*path, key))


def with_leaf(told: Facts, path: Path, value: Json) -> Facts:
    """Return facts with one value changed; all beside its path is the same as before, and no copy."""
    changed: Any = copy.copy(told)
    inside = changed
    for key in path[:-1]:
        inside[key] = copy.copy(inside[key])
        inside = inside[key]
    inside[path[-1]] = value
    return changed  # type: ignore[no-any-return]


def named(told: Any, path: Path) -> str:
    """Return a path as MACHINE_ONLY names it: dotted, events by their kind."""
    if path[0] == "events":
        path = ("events", told["events"][path[1]]["event"], *path[2:])
    return ".".join(map(str, path))


def few_events(told: Facts) -> Facts:
    """Return facts with two events of each kind, so that the text is short."""
    seen = Counter[str]()
    kept: list[Json] = []
    for entry in cast(list[dict[str, Json]], told["events"]):
        kind = str(entry["event"])
        seen[kind] += 1
        kept.extend([entry] if seen[kind] <= 2 else [])
    return {**told, "events": kept}
