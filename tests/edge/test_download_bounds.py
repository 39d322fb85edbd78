"""Downloads that somebody made to do harm: what is read of them has bounds, and nothing of them is obeyed."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from pbem.archive import verifier
from pbem.archive.verification import verify_file
from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.play.config import registry
from pbem.store.errors import WrongInput
from pbem.text.plaintext import printable

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


def of_contents(path: Path, value: Json) -> Path:
    return packed(path, {CONTENTS: json.dumps(value).encode()})


def alone(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, verifier.__file__, str(path), *words], capture_output=True, text=True, check=False
    )


def test_a_json_file_is_read_no_further_than_games_have_them(tmp_path: Path, pieces: list[int]) -> None:
    bomb = packed(tmp_path / "bomb.zip", {CONTENTS: b"[" + b"0," * (verifier.MOST_JSON // 2) + b"0]"})

    with pytest.raises(WrongInput):
        verify_file(bomb)

    assert sum(pieces) <= verifier.MOST_JSON + PIECE


@pytest.mark.parametrize("name", ["events.jsonl", "names.json"])
def test_lines_of_json_have_the_same_bound(tmp_path: Path, name: str) -> None:
    bomb = packed(tmp_path / "bomb.zip", {CONTENTS: b"{}", f"game/{name}": bytes(verifier.MOST_JSON + 1)})

    with pytest.raises(zipfile.BadZipFile):
        verifier.files_of(bomb)


def test_all_files_together_have_one_bound(
    tmp_path: Path, pieces: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifier, "LEAST_BYTES", 10 * PIECE)
    many = {f"game/turns/0000/{number}.txt": bytes(2 * PIECE) for number in range(50)}
    bomb = packed(tmp_path / "bomb.zip", many)
    monkeypatch.setattr(verifier, "MOST_TIMES", 1)

    with pytest.raises(WrongInput):
        verify_file(bomb)

    assert sum(pieces) <= 11 * PIECE


def test_a_directory_that_understates_sizes_is_not_believed(tmp_path: Path, pieces: list[int]) -> None:
    size, told = 16 * PIECE + 0x3579, 5
    path = packed(tmp_path / "bomb.zip", {"game/report.txt": bytes(size)})
    path.write_bytes(path.read_bytes().replace(size.to_bytes(4, "little"), told.to_bytes(4, "little")))

    with pytest.raises(WrongInput):
        verify_file(path)

    assert max(pieces) <= PIECE


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_cannot_be_unpacked_in_pieces_is_refused(tmp_path: Path, how: int, pieces: list[int]) -> None:
    path = packed(tmp_path / "bomb.zip", {CONTENTS: bytes(PIECE)}, how)

    with pytest.raises(WrongInput):
        verify_file(path)

    assert pieces == []


def test_more_files_than_games_have_are_not_read(
    tmp_path: Path, pieces: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifier, "MOST_FILES", 3)
    path = packed(tmp_path / "bomb.zip", {f"game/{number}.txt": b"x" for number in range(4)})

    with pytest.raises(WrongInput):
        verify_file(path)

    assert pieces == []


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


@pytest.mark.parametrize("name", [one.name for one in registry.installed()])
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
    path = of_contents(tmp_path / "esc.zip", {**PUBLIC, "format": 1, "roots": ["x"], "feet": ["x"]})

    code, by_itself = run_command(["verify", str(path)]), alone(path)

    told = capsys.readouterr()
    for text in (told.out, told.err, by_itself.stdout, by_itself.stderr):
        assert all(one.isprintable() for one in text.replace("\n", "")), text
    assert (code, by_itself.returncode) == (1, 1)
    assert r"\x1b[31mred" in told.out
    assert r"\x1b[31mred" in by_itself.stdout


def test_printable_text_stays_as_it_is() -> None:
    text = "Ann's game: Größe 3 €, 日本, two lines\n\tand a tab"

    assert printable(text) == text
    assert printable("a\x1b[2Jb\x9bc\u202ed\x00") == r"a\x1b[2Jb\x9bc\u202ed\x00"


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
