"""Lines as people and mail programs leave them: joined, with a menu's words, or other words for fields."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from pbem.core.conditions import close_matches
from pbem.core.events import ALL, MODERATOR
from pbem.text import names as of_people
from pbem.text.codec import fields_of
from pbem.text.envelope import BULLETS, OF_ORDERS, OF_PRESS, TOP
from pbem.text.mending.drafts import Draft, Edit, Sheet, shorten_text
from pbem.text.mending.names import KnownGame, ThingNames, normalize_name
from pbem.text.mending.values import interpret_value, pieces
from pbem.text.names import TO_ALL, TO_MODERATOR
from pbem.text.orders import Subschema
from pbem.text.strictyaml import Path, YamlProblem, dump_flow, parse
from pbem.text.yamlwrite import plain_value

_OTHER_TOP: Final = {
    "press": "messages message mail msg mails letter letters note chat talk say nachricht nachrichten",
    "orders": "order moves move turns commands lines befehle zuege",
    "seat": "player side colour color me sitz spieler",
    "game": "spiel partie gamename gameid",
    "stop_if": "stop stopwhen stopon halt pauseif",
    "wait": "warten hold",
    "detail": "details length",
}
_OTHER_LINE: Final = {
    "when": "if condition conditions onlyif only whenever wenn falls",
    "at": "label ask turn on for round",
    "do": "order action move moves act tun",
    "keep": "standing always repeat forever stay permanent",
    "until": "upto uptoand through till bis",
    "if_silent": "silent default otherwise",
}
_OTHER_PRESS: Final = {
    "say": "text message body words msg says content write tell sagen nachricht",
    "to": "for recipient recipients player players seat seats an readers",
    "anonymous": "anon anonym secret",
}
_TEST_WORDS: Final = {
    "at_least": "min minimum least atleast from ge gte",
    "at_most": "max maximum most atmost upto le lte",
    "has": "contains includes include in holds",
    "not": "isnot except no",
}


def _invert(words: Mapping[str, str]) -> dict[str, str]:
    return {other: name for name, others in words.items() for other in others.split()}


_TOP_WORDS, _LINE_WORDS, _PRESS_WORDS, _TESTS = map(
    _invert, (_OTHER_TOP, _OTHER_LINE, _OTHER_PRESS, _TEST_WORDS)
)


def correct_field_names(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Put right the names of fields that have one meaning only: `messages`, `text`, `if`."""
    yield from _add_colon_edits(page, (), ("stop_if",))
    rules = known.grammar.move if known.grammar else None
    own = set(Subschema(rules.schema, rules.schema).fields()) if rules else set()
    above = {
        word: name
        for word, name in _TOP_WORDS.items()
        if name != "orders" or word not in own or isinstance(page.value.get(word), list)
    }
    yield from _rename_field_edits(page, (), TOP, above)
    for place in entry_paths(page, "orders"):
        words = {word: name for word, name in _LINE_WORDS.items() if word not in own}
        line = page.at(place)
        yield from _add_colon_edits(page, place, ("do", "when"))
        if isinstance(line, dict) and "do" not in line:
            words = {
                **words,
                **{w: n for w, n in _LINE_WORDS.items() if n == "do" and isinstance(line.get(w), dict)},
            }
        yield from _rename_field_edits(page, place, OF_ORDERS, words)
    for place in entry_paths(page, "press"):
        yield from _rename_field_edits(page, place, OF_PRESS, _PRESS_WORDS)
    for place in _conditions(page):
        condition = page.at(place)
        for name in condition if isinstance(condition, dict) else ():
            yield from _rename_field_edits(
                page, (*place, name), ("has", "at_least", "at_most", "not"), _TESTS
            )


def _add_colon_edits(page: Sheet, place: Path, known: tuple[str, ...]) -> Iterator[Edit]:
    """Write the colon between a field and its braces: `do {draw: true}`."""
    fields = fields_of(page.at(place))
    for key in fields:
        word, _, rest = key.partition(" ")
        if word in known and word not in fields and rest.lstrip().startswith("{"):
            end = page.keys[(*place, key)].start + len(word)
            yield Edit(end, end, ":", f"The colon after `{word}` was added")


def _rename_field_edits(
    page: Sheet, place: Path, known: tuple[str, ...], words: Mapping[str, str]
) -> Iterator[Edit]:
    fields = page.at(place)
    if not isinstance(fields, dict):
        return
    names = {normalize_name(name): name for name in known}
    taken = set(fields)
    for key in fields:
        if key in known:
            continue
        name = names.get(normalize_name(key)) or words.get(normalize_name(key))
        if name and name not in taken:
            taken.add(name)
            yield page.rename((*place, key), name)


def entry_paths(page: Sheet, name: str) -> Iterator[Path]:
    """Yield the places of the lines, or of the messages: also of a single one without its dash."""
    value = page.value.get(name)
    if isinstance(value, list):
        for number in range(len(value)):
            yield (name, number)
    elif isinstance(value, dict):
        yield (name,)


def _conditions(page: Sheet) -> Iterator[Path]:
    yield from ((*place, "when") for place in entry_paths(page, "orders"))
    yield ("stop_if",)


_WORDS: Final = {
    **dict.fromkeys(map(normalize_name, TO_ALL), ALL),
    **dict.fromkeys(map(normalize_name, TO_MODERATOR), MODERATOR),
}
_LIKE: Final = 0.75
"""So much like a name a misspelt one is at least, from 0 to 1."""


def correct_readers(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write the readers of messages as seats: a player's name, "Player 3", a colour in capitals."""
    if known.grammar is None:
        return
    for place in entry_paths(page, "press"):
        path = (*place, "to")
        to = page.at(path)
        named = (*known.seats.ids, ALL, MODERATOR)
        if isinstance(to, str) and to not in named and not _is_unclear(to, known):
            if one := find_reader(to, known):
                yield page.put(path, seat_yaml(one))
            elif (
                len(several := [find_reader(part, known) for part in pieces(to)]) > 1
                and all(several)
                and ALL not in several
            ):
                yield page.put(path, f"[{', '.join(map(seat_yaml, several))}]")
        for number, word in enumerate(to if isinstance(to, list) else ()):
            if isinstance(word, str) and word not in named and (found := find_reader(word, known)):
                yield page.put((*path, number), seat_yaml(found))


def find_reader(text: str, known: KnownGame) -> str:
    """Return the seat, `all` or `moderator` that a word in `to` can only mean, or ""."""
    word, called = normalize_name(text), known.seats.called(text)
    if _is_unclear(text, known):
        return ""
    if word in _WORDS:
        return "" if called else _WORDS[word]  # a player may be called so
    called = called or known.seats.ids_by_part(text)
    return called[0] if len(called) == 1 else ""


def _is_unclear(text: str, known: KnownGame) -> bool:
    """Tell whether a text in `to` can mean several: what a seat is called is another player's name."""
    return known.grammar is not None and bool(
        of_people.seats_named(text, known.grammar.seats, known.grammar.holders()).unclear
    )


def seat_yaml(seat: str) -> str:
    """Return a seat as it is written in orders: a number without quotes."""
    return seat if seat.isdigit() else dump_flow(seat)


def guess_readers(page: Sheet, path: Path, known: KnownGame) -> str:
    """Return the readers of a message with the seats that misspelt ones are like; "" if one is like none.

    Args:
        page: The orders.
        path: The place of the readers: a word, or a list of words.
        known: What is known of the game.
    """
    to = page.at(path)
    words = [str(one) for one in (to if isinstance(to, list) else [to])]
    found = [one if one in (*known.seats.ids, ALL, MODERATOR) else similar_seat(one, known) for one in words]
    if not all(found):
        return ""
    return f"[{', '.join(map(seat_yaml, found))}]" if isinstance(to, list) else seat_yaml(found[0])


def similar_seat(word: str, known: KnownGame) -> str:
    """Return the one other seat whose name, or whose player's, a word is like; numbers are like none."""
    if any(sign.isdigit() for sign in word):
        return ""
    named = {seat: {normalize_name(one) for one in (seat, *names)} for seat, names in known.seats.ids.items()}
    others = {name for seat, names in named.items() if seat != known.seat for name in names}
    close = set(close_matches(normalize_name(word), others, n=3, cutoff=_LIKE))
    seats = [seat for seat, names in named.items() if names & close]
    return seats[0] if len(seats) == 1 else ""


_ABOVE: Final = ("game", "seat", "key", "orders")
_KEY: Final = re.compile(
    rf"(?:^|(?<=[\s,;]))(-[ \t]+)?({'|'.join((*_ABOVE, *OF_ORDERS))})[ \t]*:(?=[ \t{{]|$)"
)
_QUOTED: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")
_LUCK: Final = re.compile(r"(?:^|[\s{,])luck[ \t]*:[ \t]+(?![\"'\[{|>])", re.IGNORECASE)
_EMPTY: Final = re.compile(r"^([ \t]*(?:- +)*do[ \t]*:[ \t]*)\{[ \t]*\}[ \t]*([^\s#].*)$", re.IGNORECASE)


def split_line_fields(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Fields of a line of orders that stand in one line: `- at: red-1, do: {play: N2}`, a line each."""
    found = list(_fields(line))
    if len(found) < 2:
        return None
    base = line[: len(line) - len(line.lstrip())]
    out, item, has = list[str](), "", set[str]()
    ends = [one.start() for one in found[1:]] + [len(line)]
    for one, end in zip(found, ends, strict=True):
        dash, key, value = one[1], one[2], line[one.end() : end].strip(" \t,;")
        if dash or key in _ABOVE:
            has = set()
            item = "  " if dash else ""
        if key in has:
            return None
        has.add(key)
        start = "- " if dash else item
        out.append(f"{base}{start}{key}:{' ' if value else ''}{value}")
    return "\n".join(out), "Fields that stood in one line were put into lines of their own"


def _fields(line: str) -> Iterator[re.Match[str]]:
    """Yield where the fields of a line begin that stand in no braces, and in no words of a player."""
    if not _KEY.match(line.lstrip()):
        return
    covered = _QUOTED.sub(lambda found: "x" * len(found.group()), line)
    last = ""
    for found in _KEY.finditer(covered):
        before = covered[: found.start()]
        is_inside = any(before.count(one) > before.count(other) for one, other in ("{}", "[]"))
        is_in_do = last == "do" and not found[1] and "}" not in before[before.rfind("do") :]
        if not (is_inside or is_in_do):
            last = found[2]
            yield found


def add_luck_comma(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Fields behind luck words that nothing parts from them: `{luck: red shoes target: 280}`."""
    found = _LUCK.search(line)
    others = "|".join(sorted((re.escape(word) for word in words if word != "luck"), key=len, reverse=True))
    if found is None or not others:
        return None
    behind = line[found.end() :]
    parted = re.sub(rf"(?<=\S)(?:\s*[;{BULLETS}])?\s+(?=(?:{others})\s*:(?:\s|$))", ", ", behind)
    parted = parted.replace(",, ", ", ")
    return f"{line[: found.end()]}{parted}", "A comma was put before each field that stood behind luck words"


def move_into_braces(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """What stands behind the empty braces of a form belongs between them: `do: {} play: N2`."""
    found = _EMPTY.match(line)
    if found is None:
        return None
    inner = found[2].strip()
    braced = inner if inner.startswith("{") else f"{{{inner}}}"
    return f"{found[1]}{braced}", f"`{shorten_text(inner)}` was put between the braces"


_GAP: Final = re.compile(r"(?<=\S) {2,}(?=\S)")
_WORD: Final = re.compile(r"[^\s,;()]+")
_FIELDS: Final = re.compile(
    r"(?P<fields>[a-z_]\w*: [^\s:,]+(?:, [a-z_]\w*: [^\s:,]+)+)(?P<told> {2,}\S.*)?\s*"
)
_BEYOND: Final = re.compile(r"(?:,[^:,{}\[\]\"'#\n]*)+(?=\})")
_ONLY_TOLD: Final = ", which only describes the move, was left out"


def remove_description(page: Sheet, path: Path, shape: Subschema) -> Edit | None:
    """Return the change that leaves out what stands behind a value and two blanks or more.

    None if the value would not do without it, or if a word behind it would do as well.
    """
    node = page.values[path]
    written = page.text[node.start : node.end]
    gap = _GAP.search(written)
    if node.style or gap is None or "\n" in written:
        return None
    beyond = _BEYOND.match(page.text, node.end)  # a comma within it ends the value, not the description
    end = beyond.end() if beyond else node.end
    told = page.text[node.start + gap.end() : end].rstrip()
    value = plain_value(written[: gap.start()])
    if not (shape.takes(value) or shape.takes(interpret_value(value, shape))):
        return None
    if any(shape.takes(one) for word in _WORD.findall(told) for one in (word, plain_value(word))):
        return None
    return Edit(node.start + gap.start(), end, "", f"`{shorten_text(told)}`{_ONLY_TOLD}")


def split_menu_fields(line: str) -> tuple[str, str] | None:
    """Return the fields of a line of a menu that has several, and what is said of reading it.

    None if it is no such line.
    """
    found = _FIELDS.fullmatch(line.strip())
    if found is None:
        return None
    note = f"`{found['fields']}` was put between the braces"
    return found["fields"], f"{note}, and its description left out" if found["told"] else note


_EMPTY_DO: Final = re.compile(r"^( +do:)[ \t]*\{[ \t]*\}[ \t]*(?:#.*)?$")
_DO: Final = re.compile(r"^ +do:(?: |$)")
_FIELD: Final = re.compile(r"^ +[A-Za-z_]\w*:(?: |$)")
_LEFT_OUT: Final = "The empty `do` of the form was left out"
_FILLED: Final = "The empty braces of the form were left out"


def remove_empty_do(draft: Draft, problem: YamlProblem) -> Draft | None:
    """Return the text without the empty `do` that stands above another, or above fields; None if none does.

    Args:
        draft: The text.
        problem: What reading it stumbled over: the second `do`, or a line that is deeper than the first.
    """
    lines = draft.text.split("\n")
    at = problem.mark.line - 1
    if problem.again is not None and problem.again[0] == "do":
        empty = [n for n in (problem.again[1] - 1, at) if n < len(lines) and _EMPTY_DO.match(lines[n])]
        return draft.replace_lines({empty[0]: ""}, _LEFT_OUT) if empty else None
    above = next((n for n in range(min(at, len(lines)) - 1, -1, -1) if _is_content(lines[n])), None)
    if above is None or at >= len(lines) or not (empty_do := _EMPTY_DO.match(lines[above])):
        return None
    deeper = _indent(lines[at]) - _indent(lines[above])
    if deeper <= 0 or not _FIELD.match(lines[at]):
        return None

    if _DO.match(lines[at]):
        end = next((n for n in range(at + 1, len(lines)) if _is_outside(lines[n], lines[at])), len(lines))
        moved = {n: lines[n][deeper:] for n in range(at, end) if _is_content(lines[n])}
        tried = draft.replace_lines({above: "", **moved}, _LEFT_OUT)
    elif (menu := split_menu_fields(lines[at])) is not None:
        fields, note = menu
        tried = draft.replace_lines({above: f"{empty_do[1]} {{{fields}}}", at: ""}, note)
    else:
        tried = draft.replace_lines({above: empty_do[1]}, _FILLED)
    return tried if tried.is_read_further(problem) else None


def _is_content(line: str) -> bool:
    """Tell whether a line is neither empty nor help of the form."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _is_outside(line: str, first: str) -> bool:
    """Tell whether a line belongs no more to the block that another line begins."""
    return _is_content(line) and _indent(line) <= _indent(first)


_SIGNS: Final = re.compile(r"[:#,'\"\[\]{}&*!|>%@`]")
_QUOTE: Final = "['\"‘’“”]?"
"""Quotation marks within a name may be left out, or curly."""
_BEFORE: Final = r"(?P<before>(?:[\[{,]|:[ \t]|-[ \t])[ \t]*)"
_BEHIND: Final = r"(?=[ \t]*(?:[,}\]]|$)|[ \t]+#)"


def quote_names(draft: Draft, things: ThingNames) -> Draft:
    """Return a text that is no YAML with quotes around names that need them, if it has any.

    Args:
        draft: The text.
        things: What things are called.
    """
    edits = [edit for name in _unsafe_names(things) for edit in _quote_edits(draft.text, name)]
    return draft.edited(edits) if edits else draft


def _unsafe_names(things: ThingNames) -> list[str]:
    """Return the names that are no text in YAML as they stand, longest first."""
    every = {name for names in things.ids.values() for name in names if _SIGNS.search(name)}
    return sorted((name for name in every if not _is_text(name)), key=len, reverse=True)


def _is_text(name: str) -> bool:
    try:
        value = parse(f"of: [{name}]").value
    except YamlProblem:
        return False
    found = value.get("of") if isinstance(value, dict) else None
    return isinstance(found, list) and len(found) == 1 and isinstance(found[0], str)


def _quote_edits(text: str, name: str) -> Iterator[Edit]:
    """Yield the change for each place where a name stands bare as a value, outside comments."""
    parts = (_QUOTE if sign in "'\"" else r"\s+" if sign == " " else re.escape(sign) for sign in name)
    pattern = re.compile(f"{_BEFORE}(?P<name>{''.join(parts)}){_BEHIND}", re.IGNORECASE | re.MULTILINE)
    for found in pattern.finditer(text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if not line.lstrip().startswith("#"):
            note = f"`{shorten_text(found['name'])}` was put in quotes"
            yield Edit(found.start("name"), found.end("name"), dump_flow(name), note)
