"""A simulated disk that forgets what was never synced, under several models of what a power cut leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from tests.edge.faults import Entry, Image, Step


@dataclass(eq=False, slots=True)
class File:
    """A file of the simulated disk: what programs read, and what was synced."""

    data: bytes
    synced: bytes
    private: bool


@dataclass(eq=False, slots=True)
class Folder:
    """A folder of the simulated disk: the names programs see, and those that were synced."""

    names: dict[str, Node] = field(default_factory=dict)
    synced: dict[str, Node] = field(default_factory=dict)


Node: TypeAlias = File | Folder


@dataclass(frozen=True, slots=True)
class Change:
    """Names that are kept or lost together: each a folder, a name, and what it stands for now."""

    links: tuple[tuple[Folder, str, Node | None], ...]

    @property
    def is_rename(self) -> bool:
        return len(self.links) == 2


@dataclass(frozen=True, slots=True)
class Model:
    """What a disk keeps of that which was never synced.

    Attributes:
        name: In words, for the test id.
        keeps: Whether the n-th unsynced change of names is kept.
        content: What a file holds.
    """

    name: str
    keeps: Callable[[int, Change], bool]
    content: Callable[[File], bytes]


def _half(file: File) -> bytes:
    return file.data if file.data == file.synced else file.data[: len(file.data) // 2]


KILLED = Model("a kill: everything is kept", lambda _n, _change: True, lambda file: file.data)
MODELS = (
    KILLED,
    Model("nothing unsynced is kept", lambda _n, _change: False, lambda file: file.synced),
    Model("names are kept, content is not", lambda _n, _change: True, lambda file: file.synced),
    Model("content is kept, names are not", lambda _n, _change: False, lambda file: file.data),
    Model("of names only renames are kept", lambda _n, change: change.is_rename, lambda file: file.data),
    Model("renames and no content", lambda _n, change: change.is_rename, lambda file: file.synced),
    Model("of names only renames are lost", lambda _n, change: not change.is_rename, lambda file: file.data),
    Model("even changes, half of the content", lambda n, _change: n % 2 == 0, _half),
    Model("odd changes, half of the content", lambda n, _change: n % 2 == 1, _half),
)


class SimulatedDisk:
    """A disk in memory that knows what was synced and what was not."""

    def __init__(self, image: Image) -> None:
        """Start with an image that is durable."""
        self.root = Folder()
        self.pending: list[Change] = []
        for name, (data, private) in sorted(image.items()):
            path = Path(name)
            node = Folder() if data is None else File(data, data, private)
            self._folder(path.parent).names[path.name] = node
            self._folder(path.parent).synced[path.name] = node

    def do(self, step: Step) -> None:
        """Do one step of a journal."""
        parent, name = self._folder(step.path.parent), step.path.name
        match step.kind:
            case "mkdir":
                self._change((parent, name, Folder()))
            case "create" if name not in parent.names:
                self._change((parent, name, File(b"", b"", step.private)))
            case "create" | "fill":
                self._file(step.path).data = step.data
            case "remove":
                self._change((parent, name, None))
            case "rename":
                self._change(
                    (parent, name, None), (self._folder(step.to.parent), step.to.name, parent.names[name])
                )
            case "sync_file":
                self._file(step.path).synced = self._file(step.path).data
            case "sync_names":
                self._sync_names(self._folder(step.path))
            case "sync_tree":
                self._sync_tree(self._folder(step.path))

    def image(self, model: Model) -> Image:
        """Return what is found after a power cut now."""
        kept: dict[Folder, dict[str, Node]] = {}
        for change in (change for n, change in enumerate(self.pending) if model.keeps(n, change)):
            for folder, name, node in change.links:
                _link(kept.setdefault(folder, dict(folder.synced)), name, node)

        def walk(folder: Folder, path: Path) -> Iterator[tuple[str, Entry]]:
            for name, node in kept.get(folder, folder.synced).items():
                if isinstance(node, File):
                    yield str(path / name), Entry(model.content(node), node.private)
                else:
                    yield str(path / name), Entry(None, private=False)
                    yield from walk(node, path / name)

        return dict(walk(self.root, Path()))

    def _change(self, *links: tuple[Folder, str, Node | None]) -> None:
        self.pending.append(Change(links))
        for folder, name, node in links:
            _link(folder.names, name, node)

    def _sync_names(self, folder: Folder) -> None:
        """Make names durable; a rename between two folders is whole as soon as one of them is synced."""
        for change in list(self.pending):
            if any(changed is folder for changed, _, _ in change.links):
                self.pending.remove(change)
                for changed, name, node in change.links:
                    _link(changed.synced, name, node)

    def _sync_tree(self, folder: Folder) -> None:
        self._sync_names(folder)
        for node in folder.names.values():
            if isinstance(node, File):
                node.synced = node.data
            else:
                self._sync_tree(node)

    def _folder(self, path: Path) -> Folder:
        here = self.root
        for name in path.parts:
            below = here.names[name]
            assert isinstance(below, Folder), path
            here = below
        return here

    def _file(self, path: Path) -> File:
        found = self._folder(path.parent).names[path.name]
        assert isinstance(found, File), path
        return found


def _link(names: dict[str, Node], name: str, node: Node | None) -> None:
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node
