"""The steps of the Containerfile work in a bare Debian root, which holds nothing that they do not bring."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.edge.bare import Container, make_root, missing, steps

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built() -> Iterator[Container]:
    """Return what the Containerfile builds; the test fails where it cannot, for it is asked for by name."""
    if lacking := missing():
        pytest.fail(lacking)
    with TemporaryDirectory(prefix="pbem-bare-", dir="/var/tmp") as root:
        make_root(Path(root))
        made = Container(Path(root))
        made.build(PROJECT)
        yield made


@pytest.mark.bare
def test_the_steps_run_the_demo_and_the_image_works_as_its_first_lines_say(built: Container) -> None:
    demo = built.printed[-1]
    assert "rose-1: turn " in demo
    assert "turns intact" in demo

    for words in (["init", "home"], ["status", "--home", "home"], ["run", "--due", "--home", "home"]):
        built.run([*built.entry, *words])
    assert (built.root / "srv" / "pbem" / "home" / "games").is_dir()


_GREETED = """
import pathlib, socket, subprocess, sys
pathlib.Path("mailed/home.yaml").write_text("mail: {address: host@pbem.example}\\n")
taking = subprocess.Popen(["pbem", "lmtp", "--home", "mailed", "--port", "2499"], stderr=subprocess.PIPE)
taking.stderr.readline()
with socket.create_connection(("127.0.0.1", 2499), timeout=20) as line:
    sys.stdout.write(line.recv(100).decode())
taking.terminate()
"""


@pytest.mark.bare
def test_mail_is_taken_in_by_the_python_of_debian(built: Container) -> None:
    built.run([*built.entry, "init", "mailed"])

    assert built.run(["/opt/pbem/bin/python", "-c", _GREETED]).startswith("220 pbem ")


def test_a_step_is_read_with_the_lines_that_belong_to_it() -> None:
    text = "# no step\nFROM debian\n\nRUN a && \\\n    b\nUSER pbem\n"

    assert list(steps(text)) == [("FROM", "debian"), ("RUN", "a &&      b"), ("USER", "pbem")]
