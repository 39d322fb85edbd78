"""A change of several things is written down before it begins, and finished by whoever comes next.

The intent is a file of the game, `intent.json`: the new content of each file, the turn that is taken back,
and the rows of the journal. All of it can be done again: files have the content they get, a turn that was
moved stays moved, and with the rows stands the number of the change that they belong to.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.store.errors import Unfinished, WrongInput
from pbem.store.interface import Change
from pbem.store.journals.records import Act, Note, Readdressed, Row, Telling

if TYPE_CHECKING:
    from pbem.store.folder import FolderStore

FILE: Final = "intent.json"
LAST: Final = "last change"
"""The key of the note that says which change a game's rows were written for last."""

_KINDS: Final[dict[str, type[Act] | type[Note] | type[Telling] | type[Readdressed]]] = {
    kind.__name__: kind for kind in (Act, Note, Telling, Readdressed)
}


class Intent(NamedTuple):
    """A change that is about to be made.

    Attributes:
        change: The change.
        revision: How often its turn will have been taken back with it; 0 if it takes none back.
    """

    change: Change
    revision: int


def begin(store: FolderStore, game: str, intent: Intent) -> None:
    """Begin a change, and finish it.

    Raises:
        WrongInput: It was not begun; nothing was changed.
        Unfinished: It was begun, and is not finished.
    """
    change, written = intent.change, _written(intent)
    if not change.rows and len(change.files) + (change.taken_back is not None) < 2:
        _change_files(store, game, intent)  # which is one step, all of it or nothing
        return
    if not change.files and change.taken_back is None:
        store.note(change.rows)
        return
    store.lodge(f"games/{game}/{FILE}", written)
    try:
        _carry_out(store, game, intent, written)
    except (WrongInput, OSError) as wrong:
        what = str(intent.change.what.get("words", "a change"))
        hint = f"The next command for {game} finishes it; given again, this one does nothing twice."
        raise Unfinished(f"{game}: {what} was begun, but not finished: {wrong}", hint) from None


def finish(store: FolderStore, game: str) -> Change | None:
    """Finish what was begun and cut off in a game, which the caller holds; return it, or None.

    Raises:
        WrongInput: It cannot be finished now, or its file is damaged.
    """
    name = f"games/{game}/{FILE}"
    try:
        written = store.read(name)
    except FileNotFoundError:
        return None
    try:
        intent = _read(json.loads(written))
    except (ValueError, KeyError, TypeError, AttributeError):
        hint = "It says which change of the game was cut off; restore it from your backup, or remove it."
        raise WrongInput(f"{store.spelled(name)} is damaged.", hint) from None
    _carry_out(store, game, intent, written)
    return intent.change


def _carry_out(store: FolderStore, game: str, intent: Intent, written: bytes) -> None:
    change, number = intent.change, hashlib.sha256(written).hexdigest()[:16]
    _change_files(store, game, intent)
    if change.rows:
        with store.journal() as db, db.writing():
            if db.note(game, LAST) != number:
                db.write((*change.rows, Note(game, LAST, number)))
    store.forget(f"games/{game}/{FILE}")


def _change_files(store: FolderStore, game: str, intent: Intent) -> None:
    change = intent.change
    for name, data in change.files.items():
        if data is None:
            store.put_aside(name)
        else:
            store.lodge(name, data)
    if change.taken_back is not None:
        store.take_back(game, change.taken_back, intent.revision)


def _written(intent: Intent) -> bytes:
    change = intent.change
    value: dict[str, Any] = {
        "what": dict(change.what),
        "files": {
            name: None if data is None else base64.b64encode(data).decode()
            for name, data in change.files.items()
        },
        "taken_back": change.taken_back,
        "revision": intent.revision,
        "rows": [[type(row).__name__, row._asdict()] for row in change.rows],
    }
    return json.dumps(value, sort_keys=True).encode()


def _read(value: dict[str, Any]) -> Intent:
    rows: list[Row] = [_KINDS[kind](**fields) for kind, fields in value["rows"]]
    files = {name: None if text is None else base64.b64decode(text) for name, text in value["files"].items()}
    return Intent(Change(value["what"], files, value["taken_back"], tuple(rows)), int(value["revision"]))
