"""One seat's entry of a `game.yaml` is written anew; comments and everything else stay as they are."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping

import yaml

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.gamefile import table_of
from pbem.play.config.registry import FieldsFile
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.interface import Place, Readable
from pbem.text.codec import fields_of, items_of
from pbem.text.strictyaml import YamlProblem, dump_flow, parse


def replace_seat_entry(path: Place, text: str, seat: Seat, row: Mapping[str, Json]) -> str:
    """Return a `game.yaml` with another entry for one seat.

    Args:
        path: The name of the file in errors.
        text: The file; it fits the schema.
        seat: The seat.
        row: The new entry; it is written in one line.

    Raises:
        WrongInput: The file is written in a way that this cannot change safely.
    """
    found = _entry(yaml.compose(text, Loader=yaml.SafeLoader), "seats")
    entry = _entry(found, seat) if found is not None else None
    changed = _splice(text, entry, dump_flow(dict(row))) if entry is not None else ""
    if not _is_only_change(text, changed, "seats", lambda seats: {**fields_of(seats), seat: dict(row)}):
        raise WrongInput(f"{path}: the entry of seat {seat} cannot be changed by itself.", "Edit it by hand.")
    return changed


def write_deadline(path: Readable, text: str, due: datetime.datetime) -> str:
    """Return a file of players with a deadline that is written out.

    Raises:
        WrongInput: The file is written in a way that this cannot change safely.
    """
    entry, written = _entry(yaml.compose(text, Loader=yaml.SafeLoader), "deadline"), due.isoformat()
    changed = _splice(text, entry, written) if entry is not None else ""
    if not _is_only_change(text, changed, "deadline", lambda _: written):
        raise WrongInput(f"{path}: its deadline cannot be written out.", f"Write deadline: {written}")
    return changed


def seat_row(text: str, seat: Seat) -> dict[str, Json]:
    """Return what a `game.yaml` that fits the schema says of a seat."""
    value = parse(text).value
    seats = value.get("seats") if isinstance(value, dict) else None
    row = seats.get(seat) if isinstance(seats, dict) else None
    return dict(row) if isinstance(row, dict) else {}


def _entry(node: yaml.Node | None, name: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for key, value in node.value if key.value == name), None)


def _splice(text: str, entry: yaml.Node, written: str) -> str:
    start, end = entry.start_mark.index, _end(entry)
    gap = " " if text[start - 1 : start] == ":" else ""
    return text[:start] + gap + written + text[max(start, end) :]


def _end(node: yaml.Node) -> int:
    """Return where an entry ends; the end that YAML knows of a block lies behind the comments after it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _is_only_change(before: str, after: str, name: str, anew: Callable[[Json], Json]) -> bool:
    """Tell whether a changed file says one of its entries anew, and of all else the same as before."""
    try:
        old, new = parse(before).value, parse(after).value
    except YamlProblem:
        return False
    return isinstance(old, dict) and name in old and new == {**old, name: anew(old[name])}


def rename_standby(text: str, name: str, new: str) -> str:
    """Return a `game.yaml` in which a standby has another name; as it is if nobody of this name is listed."""
    listed = _entry(yaml.compose(text, Loader=yaml.SafeLoader), "standby")
    rows = listed.value if isinstance(listed, yaml.SequenceNode) else []
    found = [node for row in rows if (node := _entry(row, "player")) is not None and node.value == name]
    return _splice(text, found[0], dump_flow(new)) if found else text


def without_standby(text: str, name: str) -> str:
    """Return a `game.yaml` in which a standby waits no more; as it is if that cannot be done safely."""
    listed = _entry(yaml.compose(text, Loader=yaml.SafeLoader), "standby")
    rows = listed.value if isinstance(listed, yaml.SequenceNode) else []
    names = [player.value for row in rows if (player := _entry(row, "player")) is not None]
    if not isinstance(listed, yaml.SequenceNode) or name not in names or len(names) != len(rows):
        return text
    gone = names.index(name)
    start, end = rows[gone].start_mark.index, _end(rows[gone])
    if not listed.flow_style:
        start, end = text.rfind("\n", 0, start) + 1, text.find("\n", end) + 1 or len(text)
    elif gone + 1 < len(rows):
        end = rows[gone + 1].start_mark.index
    elif gone:
        start = _end(rows[gone - 1])
    left = text[:start] + text[end:]
    if len(rows) == 1 and not listed.flow_style:
        left = re.sub(r"^([\"']?standby[\"']? *:)", r"\1 []", left, count=1, flags=re.MULTILINE)

    def others(waiting: Json) -> Json:
        return [row for row in items_of(waiting) if fields_of(row).get("player") != name]

    return left if _is_only_change(text, left, "standby", others) else text


def seat_own_fields(saved: SavedGame, seat: Seat) -> dict[str, Json]:
    """Return what belongs to the seat and not to its player."""
    row = seat_row(_text(saved), seat)
    return {"silent": row["silent"]} if "silent" in row else {}


def row_of(saved: SavedGame, seat: Seat) -> dict[str, Json]:
    """Return what the `game.yaml` of a game says of a seat."""
    return seat_row(_text(saved), seat)


def _text(saved: SavedGame) -> str:
    return (saved.folder / "game.yaml").read_text()


def changed(saved: SavedGame, seat: Seat, row: Mapping[str, Json]) -> str:
    """Return the `game.yaml` of a game with another entry for a seat.

    Raises:
        WrongInput: It would not fit what such a file must be.
    """
    path = saved.folder / "game.yaml"
    text = replace_seat_entry(path, _text(saved), seat, row)
    table_of(FieldsFile(path, parse(text)), saved.start.seats, None, "")
    return text
