"""What is offered in place of a message that is wrong is never read by more than its writer named."""

from __future__ import annotations

import shutil

import pytest

from pbem.play.homes.home import Home
from pbem.play.submissions.lodging import checked
from pbem.text.mending.fields import reader
from pbem.text.mending.names import Known, seat_names
from pbem.text.orders import Faults
from tests.homes import a_home, sample_games, top

HEAD = "game: web-1\nseat: '1'\n"
PLAYERS = {"2": "Bob", "3": "Cleo", "4": "Everyone", "5": "Host"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The sample games as they are saved."""
    home = a_home(tmp_path_factory.mktemp("readers"))
    shutil.copytree(sample_games(), top(home) / "games", dirs_exist_ok=True)
    return home


def offered(home: Home, text: str) -> str:
    """Return the lines that are offered in place of those of a file that is not accepted."""
    found = checked(home, text.encode())
    assert isinstance(found, Faults), text
    return "\n".join(line for one in found.offer for line in one.lines)


@pytest.mark.parametrize(
    "message",
    [
        "{to: [2, 44], say: Let us crush Cleo}",
        "{to: '44', say: Let us crush Cleo}",
        "{to: [2, al], say: Let us crush Cleo}",
        "{to: [alll], say: Let us crush Cleo}",
        "{say: Let us crush Cleo}",
        "{too: [2], say: Let us crush Cleo}",
        "{whom: [2], say: Let us crush Cleo}",
        "{to: all, say: Let us crush Cleo, unsigned: true}",
        "{to: all, say: 'Let us crush Cleo', just: 2}",
        "{to: [], say: Let us crush Cleo}",
        "{to: [[2, 44]], say: Let us crush Cleo}",
    ],
)
def test_no_message_is_offered_to_all_or_signed_that_was_not(home: Home, message: str) -> None:
    for orders in ("", "orders:\n- do: {bad: 1}\n"):
        lines = offered(home, f"{HEAD}{orders}press:\n- {message}\n")
        assert "crush" not in lines or ("too" in message and "to: [2]" in lines)


@pytest.mark.parametrize("block", ["- say: Let us crush Cleo\n", "- to: [2, 44]\n  say: Let us crush Cleo\n"])
def test_no_message_in_lines_of_its_own_is_offered_to_all(home: Home, block: str) -> None:
    assert "all" not in offered(home, f"{HEAD}press:\n{block}")


def test_a_misspelt_seat_is_offered_as_the_one_it_is_like(home: Home) -> None:
    text = "game: rose-1\nseat: red\npress:\n- {to: [wihte, moderator], say: Peace?}\n"

    assert offered(home, text) == "- {to: [white, moderator], say: Peace?}"


@pytest.mark.parametrize("word", ["all", "Everybody", "alle", "everyone", "host"])
def test_a_word_for_all_is_not_taken_for_them_where_a_player_is_called_so(word: str) -> None:
    known = Known(seats=seat_names(map(str, range(1, 6)), PLAYERS))

    expected = {"all": "all", "Everybody": "all", "alle": "all", "everyone": "", "host": ""}
    assert reader(word, known) == expected[word]
