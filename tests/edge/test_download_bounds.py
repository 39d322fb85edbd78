"""Downloads that somebody made to do harm: what is read of them has bounds, and nothing of them is obeyed."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from pbem.archive import verifier
from pbem.archive.verification import verify_file
from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.play.config import registry
from pbem.store.errors import WrongInput
from pbem.text.plaintext import make_printable

PIECE = 1 << 16
CONTENTS = "game/archive.json"


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note how many bytes come at each reading; without an end for one that asked for all at once."""
    noted: list[int] = []
    read = zipfile.ZipExtFile.read

    def noting(file: zipfile.ZipExtFile, n: int | None = -1) -> bytes:
        noted.append(0 if n is not None and 0 < n <= PIECE else sys.maxsize)
        data = read(file, n)
        noted.append(len(data))
        return data

    monkeypatch.setattr(zipfile.ZipExtFile, "read", noting)
    return noted


def packed(path: Path, files: Mapping[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", how) as out:
        for name, data in files.items():
            out.writestr(name, data)
    return path


def alone(path: Path) -> subprocess.CompletedProcess[str]:
    """Give a download to the verifier that needs Python alone."""
    words = [sys.executable, verifier.__file__, str(path)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def packed_as(how: int, data: bytes) -> Callable[[Path], Path]:
    """Return what packs the list of contents in some way."""
    return lambda path: packed(path, {CONTENTS: data}, how)


def many_files(path: Path) -> Path:
    """Pack more files, and more in all, than the bounds of the tests allow."""
    return packed(path, {f"game/turns/0000/{number}.txt": bytes(2 * PIECE) for number in range(50)})


def understated(path: Path) -> Path:
    """Pack a file of which the directory says that it is short."""
    size, told = 16 * PIECE + 0x3579, 5
    packed(path, {"game/report.txt": bytes(size)})
    path.write_bytes(path.read_bytes().replace(size.to_bytes(4, "little"), told.to_bytes(4, "little")))
    return path


BOMBS: dict[str, tuple[Callable[[Path], Path], dict[str, int], int]] = {
    "a JSON file without end": (
        packed_as(zipfile.ZIP_DEFLATED, b"[" + b"0," * (verifier.MOST_JSON // 2) + b"0]"),
        {},
        verifier.MOST_JSON + PIECE,
    ),
    "too much in all": (many_files, {"LEAST_BYTES": 10 * PIECE, "MOST_TIMES": 1}, 11 * PIECE),
    "sizes that are understated": (understated, {}, PIECE),
    "what cannot be unpacked in pieces": (packed_as(zipfile.ZIP_BZIP2, bytes(PIECE)), {}, 0),
    "what cannot be either": (packed_as(zipfile.ZIP_LZMA, bytes(PIECE)), {}, 0),
    "too many files": (many_files, {"MOST_FILES": 3}, 0),
}
"""By what is wrong: what makes the file, which bounds are lower for it, and how much of it may be read."""


@pytest.mark.parametrize(("make", "bounds", "most"), BOMBS.values(), ids=BOMBS)
def test_what_is_read_of_a_download_has_bounds(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pieces: list[int],
    make: Callable[[Path], Path],
    bounds: dict[str, int],
    most: int,
) -> None:
    for name, bound in bounds.items():
        monkeypatch.setattr(verifier, name, bound)

    with pytest.raises(WrongInput):
        verify_file(make(tmp_path / "bomb.zip"))

    assert sum(pieces) <= most


@pytest.mark.parametrize("name", ["events.jsonl", "names.json"])
def test_lines_of_json_have_the_bound_of_json(tmp_path: Path, name: str) -> None:
    bomb = packed(tmp_path / "bomb.zip", {CONTENTS: b"{}", f"game/{name}": bytes(verifier.MOST_JSON + 1)})

    with pytest.raises(zipfile.BadZipFile):
        verifier.files_of(bomb)


def numbers(schema: Json, place: str = "") -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield each schema of a whole number below one, with its place."""
    if isinstance(schema, dict):
        if schema.get("type") == "integer" and not {"const", "enum"} & schema.keys():
            yield place, schema
        for name, inner in schema.items():
            yield from numbers(inner, f"{place}/{name}")
    elif isinstance(schema, list):
        for number, inner in enumerate(schema):
            yield from numbers(inner, f"{place}/{number}")


@pytest.mark.parametrize("name", [one.name for one in registry.installed_rules()])
def test_every_number_of_a_table_has_a_least_and_a_most(name: str) -> None:
    """Or a table asks for a billion cards, and whoever plays a download again makes them."""
    found = registry.find_rules(name)

    for schema in (found.data_schema, found.options_schema):
        endless = [at for at, one in numbers(dict(schema.schema)) if not {"minimum", "maximum"} <= one.keys()]
        assert endless == []


CLEARS = "\x1b]0;owned\x07\x1b[31mred\x1b[2J\x9b2J\u202e\n"
PUBLIC: dict[str, Json] = {
    "format": 3, "kind": "public", "game": "game", "rules": "rose-king", "seats": ["red"], "seed": "",
    "commitment": "", "roots": [], "feet": [], "changed": {},
    "files": {CLEARS: "x"}, "left_out": {CLEARS: "x"},
}  # fmt: skip


def test_names_in_a_download_are_shown_and_not_obeyed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contents = {**PUBLIC, "format": 1, "roots": ["x"], "feet": ["x"]}
    path = packed(tmp_path / "esc.zip", {CONTENTS: json.dumps(contents).encode()})

    code, by_itself = run_command(["verify", str(path)]), alone(path)

    told = capsys.readouterr()
    for text in (told.out, told.err, by_itself.stdout, by_itself.stderr):
        assert all(one.isprintable() for one in text.replace("\n", "")), text
    assert (code, by_itself.returncode) == (1, 1)
    assert r"\x1b[31mred" in told.out
    assert r"\x1b[31mred" in by_itself.stdout


def test_printable_text_stays_as_it_is() -> None:
    text = "Ann's game: Größe 3 €, 日本, two lines\n\tand a tab"

    assert make_printable(text) == text
    assert make_printable("a\x1b[2Jb\x9bc\u202ed\x00") == r"a\x1b[2Jb\x9bc\u202ed\x00"


def test_a_zip_that_is_damaged_is_told_in_words(tmp_path: Path) -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(CONTENTS, bytes(range(256)) * 20)
    data = bytearray(whole.getvalue())
    path = tmp_path / "game.zip"
    for place in range(0, len(data), 7):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        with pytest.raises(WrongInput):
            verify_file(path)
    found = alone(path)
    assert (found.returncode, "Traceback" in found.stderr) == (1, False)
