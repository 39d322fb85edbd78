"""Orders read as they are meant: slips mended by what their own seat knows, and what would do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from pbem.core.book import OPEN, START
from pbem.core.bots import any_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Problem
from pbem.core.opening import StartView
from pbem.core.wording import wording_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import read_json
from pbem.play.submissions.receipts import JudgedOrders
from pbem.text.codec import fields_of
from pbem.text.envelope import TOP
from pbem.text.faults import Fault, Faults
from pbem.text.lookahead import find_half_choices
from pbem.text.mending.broken import has_cut_words
from pbem.text.mending.conditions import conditions_in, replace_whole_names, unclear_names
from pbem.text.mending.drafts import Draft, DraftNote, Sheet, parse_sheet
from pbem.text.mending.mending import find_names, mend_orders, older_form_faults
from pbem.text.mending.names import KnownGame, ThingNames, names_in, normalize_name, seat_names
from pbem.text.mending.suggestions import Attempt, offer_corrections, place_faults
from pbem.text.orders import is_key
from pbem.text.plaintext import TextProblem, clean_text
from pbem.text.reports.layout import named
from pbem.text.strictyaml import YamlProblem, dump_flow, parse

Judge = Callable[[bytes], "JudgedOrders | list[Fault]"]


@dataclass
class Learner:
    """Learns what may be known of a game from the fields of an orders file, as they come to be mended.

    Attributes:
        home: The home.
        opened: Games that are open already, by id.
        only: The game and the seat whose orders these must be, where that is known from elsewhere.
    """

    home: Home
    opened: dict[str, SavedGame]
    only: tuple[str, Seat] | None = None
    _known: dict[tuple[str, str, str], KnownGame] = field(default_factory=dict)
    _examples: dict[tuple[str, str, str], tuple[str, Json] | None] = field(default_factory=dict)

    def __call__(self, value: Mapping[str, Json]) -> KnownGame:
        """Return what is known, given the game, the seat and the key that a file names."""
        name, seat, key = (str(value.get(one, "")) for one in ("game", "seat", "key"))
        if (name, seat, key) not in self._known:
            self._known[name, seat, key] = self._find_knowledge(name, seat, key)
        return self._known[name, seat, key]

    def _find_knowledge(self, name: str, seat: str, key: str) -> KnownGame:
        games = (self.only[0],) if self.only else tuple(self.home.games())
        saved = self.game(name)
        if saved is None:
            return KnownGame(games)
        whose = Seat(seat)
        if whose not in saved.start.seats or (self.only and (name, seat) != self.only):
            return _public_knowledge(saved, games)
        if saved.table.key and not is_key(key, saved.players.key(whose)):
            return replace(
                _public_knowledge(saved, games), seat=whose
            )  # without the key: nothing that the seat sees
        if whose not in saved.known or saved.known[whose].games != games:
            saved.known[whose] = _inner_knowledge(saved, replace(_public_knowledge(saved, games), seat=whose))
        return saved.known[whose]

    def example(self, value: Mapping[str, Json]) -> tuple[str, Json] | None:
        """Return the label and an order that the owner of a seat could give now, looked for once."""
        name, seat, key = (str(value.get(one, "")) for one in ("game", "seat", "key"))
        if (name, seat, key) not in self._examples:
            self._examples[name, seat, key] = example(self, value)
        return self._examples[name, seat, key]

    def game(self, name: str) -> SavedGame | None:
        """Return the game that a file means by a name, or None."""
        if self.only and name != self.only[0]:
            return None
        if name not in self.opened and self.home.has(name):
            self.opened[name] = SavedGame(self.home, name)
        return self.opened.get(name)

    def named(self, written: str) -> str:
        """Return the id of the game that is written so; "" if it is not one."""
        games = (self.only[0],) if self.only else self.home.games()
        same = [one for one in games if normalize_name(one) == normalize_name(written)]
        return same[0] if len(same) == 1 else ""


def _public_knowledge(saved: SavedGame, games: tuple[str, ...]) -> KnownGame:
    """Return what all may know of a game."""
    players = {str(one): saved.players.holder(one) for one in saved.start.seats}
    seats = seat_names(map(str, saved.start.seats), players)
    return KnownGame(games, saved.grammar, seats, ask=saved.ask, asked=saved.position.asked)


def _inner_knowledge(saved: SavedGame, outer: KnownGame) -> KnownGame:
    """Return what is known of a game with what the owner of the seat sees besides."""
    seat = outer.seat
    view = saved.view(saved.position.game, seat)
    if isinstance(view, StartView):
        return outer
    data = saved.turns.at(0) / "data.json"
    things = names_in(read_json(data)) if data.exists() else ThingNames()
    opening, ask = saved.opening, saved.ask

    def problems(line: Mapping[str, Json]) -> tuple[Problem, ...]:
        if saved.grammar.move.problems(line["do"]):
            return ()
        found = opening.check(view, opening.read(line["do"]))
        is_now = isinstance(ask, Ask) and seat in ask.seats | ask.optional
        at = line.get("at")
        if is_now and isinstance(ask, Ask) and at in (None, ask.label):
            return found
        return tuple(one for one in found if one.lasting)

    def same(one: Json, other: Json) -> bool:
        if saved.grammar.move.problems(one) or saved.grammar.move.problems(other):
            return False
        return bool(opening.read(one) == opening.read(other))

    wording = wording_of(opening)
    return replace(
        outer,
        view=view,
        things=things,
        problems=problems,
        same=same,
        said=wording.name,
        predicates=wording.predicates,
    )


def judge_as_meant(data: bytes, judge: Judge, learn: Learner) -> JudgedOrders | Faults:
    """Return judged orders, read strictly or, if that fails, as they can only be meant.

    Args:
        data: The orders file.
        judge: Reads and judges an orders file strictly.
        learn: What may be known of the games.

    Returns:
        The judged orders with what was taken for what, or all their mistakes with what would do.
    """
    if half := _half_choice_faults(data):
        return half
    plain, judge = judge, partial(_judge_known_names, judge, learn)
    first = judge(data)
    is_cut = not isinstance(first, list) and has_cut_words(data)
    if not isinstance(first, list) and not _dropped_count(first) and not is_cut:
        return first
    draft = mend_orders(data, learn)
    second = judge(draft.text.encode()) if draft is not None else first
    if draft is not None and not isinstance(second, list):
        is_better = is_cut or isinstance(first, list) or _dropped_count(second) < _dropped_count(first)
        second = replace(second, notes=draft.notes)
        return second if is_better or isinstance(first, list) else first
    if not isinstance(first, list):
        return first
    as_it_is = plain(data)
    if not isinstance(as_it_is, list) and _fields(as_it_is).get("partial"):
        return as_it_is  # a name that is not clear takes nothing from the other lines
    first = second if isinstance(second, list) else first
    told = offer_corrections(data, draft, Attempt(first, judge, learn, learn.example))
    return older_form_faults(told, first, draft.text.encode() if draft is not None else data)


def _half_choice_faults(data: bytes) -> Faults:
    if b"\n#  " not in data and b"\n#- {" not in data and b"\n#stop_if" not in data:
        return Faults()

    try:
        return Faults(find_half_choices(clean_text(data)))
    except TextProblem:
        return Faults()


def _judge_known_names(judge: Judge, learn: Learner, data: bytes) -> JudgedOrders | list[Fault]:
    """Judge an orders file, and take names in conditions that the view has otherwise for mistakes.

    Without that a condition would be accepted and never hold, for what is not in a view now may come.
    """
    found = judge(data)
    faults = _unclear_name_faults(found, data, learn)
    if faults and (draft := _replace_names_by_ids(data, learn)):
        meant = draft.text.encode()
        found = judge(meant)
        faults = place_faults(_unclear_name_faults(found, meant, learn), draft, data)
    return faults or found


def _unclear_name_faults(found: JudgedOrders | list[Fault], data: bytes, learn: Learner) -> list[Fault]:
    """Return the mistakes of judged orders, or the names in their conditions that the view has otherwise."""
    if isinstance(found, list):
        return _put_name_faults_first(found, data, learn)
    value = _fields(found)
    if not any(conditions_in(value)):
        return []
    return [
        found.submission.fault(name.place, text, *advice, kind="condition-unclear", at_key=name.at_key)
        for name in unclear_names(value, learn(value))
        for text, advice in [name.told()]
    ]


def _put_name_faults_first(faults: list[Fault], data: bytes, learn: Learner) -> list[Fault]:
    """Return mistakes, with names in conditions that are not clear in place of what follows from them."""
    page = _parse_conditional_orders(data)
    if page is None:
        return faults
    unclear = [one for one in unclear_names(page.value, learn(page.value)) if not one.is_whole]
    found, follows = list[Fault](), set[tuple[int, int]]()
    for name in unclear:
        entry = 4 if name.place[0] == "orders" else 2
        around = [name.place[:end] for end in range(entry, len(name.place) + 1)]
        starts = [nodes[one].start for nodes in (page.keys, page.values) for one in around if one in nodes]
        follows |= {_line_column(page.text, start) for start in starts}
        place = (page.keys if name.at_key else page.values)[name.place]
        part = str(int(name.place[1]) + 1) if entry == 4 else ""
        line, column = _line_column(page.text, place.start)
        text, (hint, remedies) = name.told()
        found.append(Fault(line, column, text, hint, part, "condition-unclear", remedies))
    return sorted([*found, *(fault for fault in faults if (fault.line, fault.column) not in follows)])


def _line_column(text: str, start: int) -> tuple[int, int]:
    """Return the line and the column of a place in a text, each from 1."""
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)


def _replace_names_by_ids(data: bytes, learn: Learner) -> Draft | None:
    """Return an orders file with ids for whole names of things in its conditions; None if it has none."""
    page = _parse_conditional_orders(data)
    if page is None:
        return None
    edits = replace_whole_names(page, learn(page.value))
    return Draft.of(page.text).edited(edits) if edits else None


def _parse_conditional_orders(data: bytes) -> Sheet | None:
    """Return an orders file that holds conditions; None if it holds none, or cannot be read."""
    if b"when" not in data and b"stop_if" not in data:
        return None
    try:
        page = parse_sheet(clean_text(data))
    except (TextProblem, YamlProblem):
        return None
    return page if any(conditions_in(page.value)) else None


def _fields(judged: JudgedOrders) -> dict[str, Json]:
    return fields_of(judged.submission.envelope.document.value)


def _dropped_count(judged: JudgedOrders) -> int:
    """Return how many mistakes `partial: true` has left out of orders."""
    return len(judged.submission.envelope.dropped)


def example(learn: Learner, value: Mapping[str, Json]) -> tuple[str, Json] | None:
    """Return the label and an order that the owner of a seat could give now; None if there is none.

    It is that of the form if this is legal, or a short one of many, found without the secrets of the game,
    and no advice. Things stand in it by their names, as in reports and forms.
    """
    known, saved = learn(value), learn.game(str(value.get("game", "")))
    if saved is None or known.here is None:
        return None
    if known.here == START:
        questions = {one.name: one.example for one in saved.system.questions}
        return START, {"luck": "some words of yours", **questions}
    if known.here == OPEN:
        return OPEN, {"luck": "the words of your seal"}
    if known.view is None or not isinstance(saved.ask, Ask) or known.seat not in saved.ask.seats:
        return None
    here, choices = known.here, saved.opening.choices(known.view)

    def legal(orders: Iterable[Json]) -> list[Json]:
        return [one for one in orders if one is not None and not known.problems({"at": here, "do": one})]

    best = legal([saved.opening.draft(known.view, choices).now])
    if not best:
        orders = [menu.items[0].order for menu in choices.menus if "" in menu.paths and menu.items]
        dice = (_NO_SECRET.apart("example", known.seat, str(number)) for number in range(_MOST_DRAWN))
        orders += [any_order(saved.rules, known.view, one, saved.system.takes) for one in dice]
        best = sorted(legal(orders), key=lambda order: len(dump_flow(order)))
    return (str(here), named(best[0], saved.opening.wording.names)) if best else None


_MOST_DRAWN: Final = 3
_NO_SECRET: Final = Dice(bytes(32), 0)


_ODD: Final = re.compile(rf"^ ?(?![\s#-]|(?:{'|'.join(TOP)})\b).*", re.MULTILINE)
"""A line at the margin that begins with no field of orders."""


def judge_without_help(
    found: JudgedOrders | Faults, data: bytes, judge: Judge, learn: Learner
) -> JudgedOrders | Faults:
    """Return what orders come to once lines of their form's help are passed over, if there are any.

    Args:
        found: What `meaning.judge_as_meant` found: help would be a mistake there, or taken for something.
        data: The orders file.
        judge: Reads and judges an orders file strictly.
        learn: What may be known of the games.
    """
    if isinstance(found, JudgedOrders) and not found.notes:
        return found
    try:
        text = clean_text(data)
    except TextProblem:
        return found
    lines = _lines_of_help(text, learn)
    if not lines:
        return found
    found = judge_as_meant(_comment_lines(text, lines), judge, learn)
    one = "A line of the form's help without its ## was passed over"
    many = f"{len(lines)} lines of the form's help without their ## were passed over, the first"
    note = DraftNote(one if len(lines) == 1 else many, lines[0])
    if isinstance(found, JudgedOrders):
        return replace(found, notes=(note, *found.notes))
    found.notes = ((note.text, note.line), *found.notes)
    return found


def _lines_of_help(text: str, learn: Learner) -> list[int]:
    """Return which lines of orders, from 1, are help of the form of their seat, and no words in quotes."""
    odd = {text.count("\n", 0, one.start()) + 1: one[0].strip() for one in _ODD.finditer(text)}
    helped = _form_help_lines(text, learn) if odd else ()
    found = [number for number, line in odd.items() if line in helped]
    if not found:
        return []
    gone = frozenset(found)
    rows = [row for number, row in enumerate(text.split("\n"), 1) if number not in gone]
    without = _parse_or_none("\n".join(rows).encode())
    return [] if without != _parse_or_none(_comment_lines(text, found)) else found


def _form_help_lines(text: str, learn: Learner) -> frozenset[str]:
    """Return the lines of help in the newest form of the seat whose orders a text holds."""
    named = {name: str(one) for name, one in find_names(text).items()}
    game, seat = learn.only or (named.get("game", ""), Seat(named.get("seat", "")))
    saved = learn.game(game)
    if saved is None or seat not in saved.start.seats:
        return frozenset()
    if saved.table.key and not is_key(named.get("key", ""), saved.players.key(seat)):
        return frozenset()
    form = saved.turns.at(saved.turn) / "reports" / seat / "orders.yaml"
    lines = form.read_text().split("\n") if form.exists() else []
    return frozenset(line.removeprefix("##").strip() for line in lines if line.startswith("##"))


def _comment_lines(text: str, lines: list[int]) -> bytes:
    rows, helped = text.split("\n"), frozenset(lines)
    return "\n".join(f"## {row}" if n in helped else row for n, row in enumerate(rows, 1)).encode()


def _parse_or_none(data: bytes) -> Json:
    """Return what a text says as YAML; None if it is none."""
    try:
        return parse(data).value
    except YamlProblem:
        return None
