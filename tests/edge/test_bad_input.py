"""What is found in an orders file, as data; and a file as long as it may be."""

from __future__ import annotations

from pathlib import Path

from pbem.cli import run_command
from pbem.play.homes.home import Home
from tests.homes import top


def test_a_file_as_long_as_it_may_be_is_still_read_after_its_stamp(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "red.yaml"
    text = "game: rose-1\nseat: red\norders:\n- do: {play: N2}\n#"
    path.write_text(text + "x" * (64 * 1024 - len(text)), encoding="utf-8")

    codes = [run_command([*verb, "--home", str(top(home))]) for verb in (["submit", str(path)], ["run"])]

    assert codes == [0, 0]
    assert (top(home) / "games/rose-1/turns/0002").is_dir()
