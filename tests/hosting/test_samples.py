"""The samples hold what is saved and nothing else; their reports come out again as they were."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pbem.host.office import samples
from pbem.host.office.samples import BEGUN, make_demo, whole_samples
from pbem.play.homes.home import Home
from pbem.play.homes.saves import sha256, without_foot
from pbem.play.homes.verify import verify
from pbem.store.errors import WrongInput
from pbem.store.folder import FolderStore
from pbem.store.opening import shipped_folder
from tests.homes import NOW, a_demo, game_folder, home_at, sample_games, tree

GAMES = sorted(path.name for path in shipped_folder("games").iterdir())


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return the home of the demo."""
    return a_demo(tmp_path_factory.mktemp("demo") / "home")


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a sample that says of one report that it was another."""
    folder = tmp_path / "shipped"
    for name in ("games", "orders"):
        shutil.copytree(shipped_folder(name) / "rose-1", folder / name / "rose-1")
    path = folder / "games/rose-1/turns/0002/turn.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["reports"]["reports/red/report.txt"] = "0" * 64
    path.write_text(json.dumps(record), encoding="utf-8")
    monkeypatch.setattr(samples, "shipped_folder", folder.__truediv__)
    return folder


def test_the_samples_hold_no_reports_and_weigh_little() -> None:
    files = [path for path in shipped_folder("games").rglob("*") if path.is_file()]

    assert list(shipped_folder("games").rglob("reports")) == []
    assert {path.suffix for path in files} == {".json", ".jsonl", ".yaml"}
    assert len(files) < 300
    assert sum(path.stat().st_size for path in files) < 2_000_000


@pytest.mark.parametrize("game", GAMES)
def test_every_game_of_the_demo_verifies(game: str, demo: Home) -> None:
    found = verify(demo, game)

    assert (found.findings, found.skipped, found.notes) == ((), (), ())
    assert found.recomputed == found.turns > 1


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
@pytest.mark.parametrize("game", GAMES)
def test_the_reports_of_the_demo_are_those_that_the_samples_record(game: str, demo: Home) -> None:
    for turn in sorted((shipped_folder("games") / game / "turns").iterdir()):
        record = json.loads((turn / "turn.json").read_text(encoding="utf-8"))
        folder = game_folder(demo, game) / "turns" / turn.name
        names = [str(path.relative_to(folder)) for path in folder.glob("reports/*/*")]
        pages = {name: (folder / name).read_bytes() for name in names}
        hashes = {
            name: sha256(without_foot(page, record["root"], record["revision"]))
            for name, page in pages.items()
        }

        assert hashes == record["reports"] != {}


def test_one_process_makes_the_same_of_samples_as_two() -> None:
    games = ["cards-1", "rose-1"]

    for game, files in zip(games, whole_samples(games, 2), strict=True):
        assert files == {name: (sample_games() / game / name).read_bytes() for name in files}


@pytest.mark.usefixtures("wrong")
def test_where_a_report_comes_out_otherwise_the_game_is_sealed_anew(tmp_path: Path) -> None:
    """So the demo works with any version of the packages that reports are made with."""
    assert [shown.game for shown in make_demo(tmp_path / "home", NOW)] == ["rose-1"]

    assert verify(home_at(tmp_path / "home"), "rose-1").findings == ()


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("given", [0, 1], ids=["before the first game", "after it"])
def test_a_demo_that_was_cut_off_is_finished_when_it_is_given_again(tmp_path: Path, given: int) -> None:
    for _ in zip(range(given), make_demo(tmp_path / "home", NOW), strict=False):
        pass
    if not given:
        FolderStore.make(tmp_path / "home").lodge(BEGUN, b"")

    shown = list(make_demo(tmp_path / "home", NOW))

    whole = list(make_demo(tmp_path / "another", NOW))
    assert [(one.game, one.summary, one.text) for one in shown] == [
        (one.game, one.summary, one.text) for one in whole
    ]
    assert tree(tmp_path / "home").keys() == tree(tmp_path / "another").keys()
    with pytest.raises(WrongInput, match="is not empty"):
        next(make_demo(tmp_path / "home", NOW))
