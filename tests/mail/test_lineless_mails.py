"""Mails with orders without a line: what their receipts say, what goes out, and a second try after a kill."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.host.run.batch import run
from pbem.play.submissions import lodging
from tests.homes import NOW, orders_text
from tests.mail.host import E1, N2, Host, a_host, read, text_of

PRESS = "press:\n- {to: all, say: Peace in the north}\n"
HEAD = "game: rose-1\nseat: red\n"


class Killed(BaseException):
    """Stands for a kill."""


@pytest.mark.parametrize(
    ("text", "with_run"),
    [
        (HEAD + PRESS, False),
        (HEAD + PRESS, True),
        (f"{HEAD}orders: none\n", False),
        (orders_text("rose-1", "red", E1), True),
    ],
)
def test_killed_after_lodging_the_second_try_answers_in_the_words_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, with_run: bool
) -> None:
    def answers_of(host: Host, *, is_killed: bool) -> list[str]:
        host.orders(N2)
        host.put(host.a_mail(text), host.address())
        if is_killed:
            with monkeypatch.context() as patched:
                patched.setattr("pbem.mail.conversation.handlers.lodge", lodge_and_die)
                with pytest.raises(Killed):
                    host.process()
            if with_run:
                run(host.home, "rose-1", now=NOW, overrides=("unread",))
        host.process()
        with host.home.journal() as db:
            assert db.notes("rose-1", "plan:") == {}
        return [text_of(read(row.raw)) for row in host.outbox("receipt")]

    def lodge_and_die(*words: object) -> None:
        lodging.lodge(*words)  # type: ignore[arg-type]
        raise Killed

    told = answers_of(a_host(tmp_path / "undisturbed"), is_killed=False)
    again = answers_of(a_host(tmp_path / "killed"), is_killed=True)

    assert len(again) == len(told) == 2
    assert "play: N2" in told[1]
    ours, theirs = (one[1].partition("\nOrders are due")[0].splitlines() for one in (told, again))
    left_out = ("A turn has taken", "Until they are played", "You are asked", "The game is", "of them.")
    assert [one for one in ours if one and not one.startswith(left_out)] == [
        one for one in theirs if one and not one.startswith(left_out) and not one.startswith("came of them")
    ]
