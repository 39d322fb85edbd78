"""Verbs that change something, killed or failed before their steps and given again, come to the same."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.edge.faults import image_of, lay_out
from tests.homes import top
from tests.hosting.verbs import BY_MAIL, CASES, state_of, words
from tests.mail.disturbed import Shell

pytestmark = pytest.mark.kills

KILLED = -signal.SIGKILL
KILLED_ELSEWHERE = ("send", "receive orders", "receive press", "receive a wish to join")
"""In tests/mail/test_kills.py, with a look at each mail."""
STOPPED = {name: case for name, case in {**CASES, **BY_MAIL}.items() if name not in KILLED_ELSEWHERE}


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    found = Shell(tmp_path_factory.getbasetemp())
    yield found
    found.close()


@pytest.mark.parametrize("mode", ["kill", "fail"])
@pytest.mark.parametrize("name", STOPPED)
def test_a_verb_that_was_stopped_and_is_given_again_comes_to_the_same(
    name: str, mode: str, tmp_path: Path, shell: Shell
) -> None:
    case = STOPPED[name]
    home = lay_out(case.before(), tmp_path / "home")
    case.prepare(home)
    ready = image_of(top(home))
    code, steps = shell.give(words(case, home))
    assert code == 0
    assert steps >= case.least
    whole = state_of(home)

    for at in (*range(0, steps, case.every), steps):
        lay_out(ready, top(home))

        code, _ = shell.give(words(case, home), at, "kill" if mode == "kill" else "fail")
        assert code == KILLED if mode == "kill" and at < steps else code in (0, 1), f"step {at}"
        again, _ = shell.give(words(case, home))

        assert again in (0, case.done), f"step {at}"
        assert state_of(home) == whole, f"step {at}"
