"""A turn runs once or not at all: the power is cut at every step, and the disk forgets."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from pbem.store import disk
from pbem.store.disk import Disk
from tests.edge.disturbed import (
    COMMANDS,
    MAIN,
    NEW,
    NEW_OVER_TRACE,
    RUN,
    RUN_OVER_TRACE,
    SUBMIT,
    SUBMIT_OVER_TRACE,
    Case,
    Recorded,
    reading,
    record,
)
from tests.edge.faults import Image, PowerCut, Recorder, committed, differences, image_of, lay_out, on
from tests.edge.forgetful import KILLED, MODELS, Model, SimulatedDisk
from tests.homes import top

pytestmark = pytest.mark.kills

CASES = pytest.mark.parametrize("case", [*COMMANDS, NEW], ids=lambda case: case.name)


def finish(case: Case, recorded: Recorded, image: Image, folder: Path) -> None:
    """Read a home that was left by a fault, give the command again, and compare with an undisturbed one."""
    home, done = lay_out(image, folder), recorded.is_new(image)
    assert reading(home) == (recorded.new if done else recorded.old)
    if case.again or not done:
        case.act(on(Recorder(top(home)), home))
    assert differences(image_of(top(home)), recorded.after) == []


def images_after_a_power_cut(recorded: Recorded, model: Model) -> list[Image]:
    """Return what is found after a power cut before each step, and after the last."""
    disk = SimulatedDisk(recorded.before)
    images = [disk.image(model)]
    for step in recorded.journal:
        disk.do(step)
        images.append(disk.image(model))
    return images


def is_free(home: Home) -> bool:
    """Return whether no game of a home is locked."""
    for game in home.games():
        with home.held(game):
            pass
    return True


@CASES
def test_commands_have_enough_steps_for_these_tests_to_show_something(case: Case) -> None:
    recorded = record(case)

    assert len(recorded.journal) >= case.least
    assert committed(recorded.before) != committed(recorded.after)
    assert all(verified.recomputed == verified.turns for _, verified in recorded.new.values())
    assert not any(verified.findings for _, verified in (*recorded.old.values(), *recorded.new.values()))


@pytest.mark.parametrize(
    ("crashed", "clean"),
    [(RUN_OVER_TRACE, RUN), (SUBMIT_OVER_TRACE, SUBMIT), (NEW_OVER_TRACE, NEW)],
    ids=["run", "submit", "new"],
)
def test_the_trace_of_a_crash_is_gone_and_changes_nothing(crashed: Case, clean: Case) -> None:
    differ = differences(record(crashed).after, record(clean).after)

    # The keys are drawn anew, unless the game is a copy of the other one.
    assert set(differ) <= {"games/rose-1/secret.json"}


@CASES
def test_a_power_cut_leaves_the_old_turn_or_the_new_one_and_the_command_can_be_given_again(
    case: Case, tmp_path: Path
) -> None:
    recorded = record(case)
    images = {model.name: images_after_a_power_cut(recorded, model) for model in MODELS}

    for left in images.values():
        states = [recorded.is_new(image) for image in left]
        assert states == sorted(states)
        assert (states[0], states[-1]) == (False, True)
    for image in {frozenset(image.items()): image for left in images.values() for image in left}.values():
        finish(case, recorded, image, tmp_path / "home")


@pytest.mark.parametrize("model", MODELS[1:], ids=lambda model: model.name)
def test_models_of_a_power_cut_lose_something_of_every_kind_of_command(model: Model) -> None:
    for case in (RUN, SUBMIT, NEW):
        kept = images_after_a_power_cut(record(case), KILLED)

        left = images_after_a_power_cut(record(case), model)

        assert sum(image != whole for image, whole in zip(left, kept, strict=True)) >= 1


@pytest.mark.parametrize("case", [*MAIN, NEW], ids=lambda case: case.name)
@pytest.mark.parametrize(
    "fault",
    [PowerCut, lambda: OSError(errno.ENOSPC, "No space left on device")],
    ids=["the program ends", "the disk is full"],
)
def test_a_command_that_fails_at_any_step_leaves_the_disk_as_simulated_and_no_lock(
    case: Case, fault: Callable[[], BaseException], tmp_path: Path
) -> None:
    recorded = record(case)
    simulated = SimulatedDisk(recorded.before)

    for cut, step in enumerate(recorded.journal):
        home, wrong = lay_out(recorded.before, tmp_path / "home"), fault()
        with pytest.raises(type(wrong)) as raised:
            case.act(on(Recorder(top(home), cut, wrong), home))

        assert raised.value is wrong
        assert image_of(top(home)) == simulated.image(KILLED)
        assert is_free(home)
        simulated.do(step)

    assert recorded.after == simulated.image(KILLED)


@CASES
def test_after_a_kill_the_command_given_again_stands_a_power_cut_too(case: Case, tmp_path: Path) -> None:
    recorded = record(case)
    killed = images_after_a_power_cut(recorded, KILLED)
    old = [cut for cut, image in enumerate(killed) if not recorded.is_new(image)]

    for cut in old if len(old) < 10 else (*old[::9], old[-1]):
        home = lay_out(killed[cut], tmp_path / "home")
        second = Recorder(top(home))
        case.act(on(second, home))

        disk = SimulatedDisk(recorded.before)
        for step in recorded.journal[:cut]:
            disk.do(step)
        for step in second.journal:
            disk.do(step)
            if step.kind not in ("create", "fill", "remove"):
                assert {recorded.is_new(disk.image(model)) for model in MODELS} <= {True, False}
        assert all(disk.image(model) == recorded.files for model in MODELS)


def test_without_the_one_call_every_file_and_folder_of_a_tree_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_bytes(b"c")
    (tmp_path / "d").write_bytes(b"d")
    synced: set[int] = set()
    monkeypatch.setattr(disk, "_syncfs", lambda _folder: False)
    monkeypatch.setattr(os, "fsync", lambda handle: synced.add(os.fstat(handle).st_ino))

    Disk().sync_tree(tmp_path)

    assert synced == {path.stat().st_ino for path in (tmp_path, *tmp_path.rglob("*"))}
