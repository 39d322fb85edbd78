"""The recording of a first session, as a picture that moves: `python -m tests.docs.make_recording`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from tests.warm import warm_program

RECORDING = Path(__file__).parents[2] / "docs" / "recording.svg"
COLUMNS, ROWS = 76, 20
LONGEST, LARGEST = 60, 150_000
"""Seconds that the recording may take, and bytes that it may have."""

WIDE, HIGH, EDGE = 8.4, 18, 16
FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
KEY = 0.04
"""Seconds for each letter that is typed."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A screen that begins empty: what it is about, its commands, and seconds to read what each prints."""

    about: str
    commands: tuple[tuple[str, float], ...]


SCENES = (
    Scene(
        "The demo: a folder with five games, one turn played in each",
        (("pbem demo demo | grep resolved | cut -d, -f 1", 3.5), ("export PBEM_HOME=demo", 1.0)),
    ),
    Scene("The report that White gets by mail", (("pbem report rose-1 white | head -19", 7.0),)),
    Scene(
        "The same report: what White can do, and the board",
        (("pbem report rose-1 white | sed -n '/^WHAT YOU/,/^Discards/p'", 6.0),),
    ),
    Scene(
        "White writes orders; a check before they are sent finds a slip",
        (("cat white.yaml", 2.5), ("pbem check white.yaml", 6.0)),
    ),
    Scene(
        "Mended: now the check says what will happen",
        (("sed -i s/SE2/SE1/ white.yaml", 0.8), ("pbem check white.yaml", 6.5)),
    ),
    Scene(
        "White sends the orders, the moderator runs the turn: the next board",
        (
            ("pbem submit white.yaml | head -1", 1.5),
            ("pbem run rose-1 | cut -d';' -f 1-2", 2.0),
            ("pbem show rose-1 white | sed 1,2d", 8.0),
        ),
    ),
)
STILL = 3
"""The scene that is shown where nothing may move."""

ORDERS = "game: rose-1\nseat: white\norders:\n- at: white-35\n  do: {play: SE2, hero: true}\n"


def recorded() -> list[list[str]]:
    """Return what the commands print now, those of each scene in turn."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "white.yaml").write_text(ORDERS, encoding="utf-8")
        path = os.pathsep.join([str(warm_program()), str(Path(sys.executable).parent), os.environ["PATH"]])
        own = {"PATH": path, "HOME": folder, "PBEM_HOME": "demo", "COLUMNS": str(COLUMNS), "NO_COLOR": "1"}
        return [[_typed(words, folder, own) for words, _ in scene.commands] for scene in SCENES]


def _typed(words: str, folder: str, own: dict[str, str]) -> str:
    ran = subprocess.run(
        ["sh", "-c", words],
        cwd=folder,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout + ran.stderr


def recording(prints: list[list[str]]) -> str:
    """Return the picture: each line of text is text, and style sheets alone move it.

    Args:
        prints: What each command of each scene printed.

    Raises:
        ValueError: A scene has more lines than the screen.
    """
    parts: list[str] = []
    moves: list[str] = []
    shown: list[tuple[int, float, float, str, int]] = []  # scene, from, to, drawn, letters typed
    now = 0.0
    for number, (scene, printed) in enumerate(zip(SCENES, prints, strict=True)):
        row, begin = 0, now
        pieces: list[tuple[float, str, int]] = [(begin, _line(ROWS + 1, scene.about, "about"), 0)]
        for (words, seconds), text in zip(scene.commands, printed, strict=True):
            pieces.append((now, _line(row, f"$ {words}", "typed"), 0))
            typing = 0.0 if not number and not row else len(words) * KEY
            if typing:
                pieces.append((now, _cover(row, len(words)), len(words)))
            now += typing + 0.2 * bool(typing)
            lines = [line[at : at + COLUMNS] for line in text.splitlines() for at in _wraps(line)]
            drawn = "".join(_line(row + 1 + at, line) for at, line in enumerate(lines))
            pieces.append((now, drawn, 0))
            row += 1 + len(lines)
            now += seconds
        if row > ROWS:
            raise ValueError(f"scene {number + 1} has {row} lines, and the screen {ROWS}")
        shown += [(number, start, now, drawn, letters) for start, drawn, letters in pieces if drawn]
    for at, (number, start, end, drawn, letters) in enumerate(shown):
        still = " still" if number == STILL and not letters else ""
        parts.append(f'<g class="part{still}" id="p{at}">{drawn}</g>')
        moves.append(_seen(at, start, end, now))
        if letters:
            moves.append(_moved(at, start, letters, now))
    return _picture(parts, moves)


def _wraps(line: str) -> range:
    """Return where the rows of a line begin; a terminal breaks those that are too long."""
    return range(0, max(1, len(line)), COLUMNS)


def _line(row: int, text: str, kind: str = "") -> str:
    if not text.strip():
        return ""
    inner, lead = escape(text.rstrip()), len(text) - len(text.lstrip())
    width = round((len(text.rstrip()) - lead) * WIDE, 1)
    return (
        f'<text x="{EDGE + lead * WIDE:.1f}" y="{EDGE + (row + 0.8) * HIGH:.1f}" textLength="{width}"'
        f"{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{inner.strip()}</text>"
    )


def _cover(row: int, letters: int) -> str:
    x, y = EDGE + 2 * WIDE, EDGE + row * HIGH
    return (
        f'<g class="cover"><rect class="screen" x="{x:.1f}" y="{y}" width="{(letters + 1) * WIDE:.1f}"'
        f' height="{HIGH}"/><rect class="cursor" x="{x:.1f}" y="{y + 2}" width="{WIDE}" height="{HIGH - 3}"/>'
        "</g>"
    )


def _share(moment: float, whole: float) -> str:
    return f"{100 * moment / whole:.2f}%"


def _seen(at: int, start: float, end: float, whole: float) -> str:
    """Return the style of a part that is seen from one moment to another."""
    hidden = "{visibility:hidden}"
    before = f"0%{hidden}" if start else ""
    after = f"{_share(end, whole)}{hidden}" if end < whole else ""
    return (
        f"@keyframes k{at}{{{before}{_share(start, whole)}{{visibility:visible}}{after}}}"
        f"#p{at}{{animation:k{at} {whole:.2f}s step-end infinite}}"
    )


def _moved(at: int, start: float, letters: int, whole: float) -> str:
    """Return the style of a cover that moves on by a letter at a time, and is then out of the way."""
    far = f"transform:translateX({letters * WIDE:.1f}px)"
    first, last = _share(start, whole), _share(start + letters * KEY, whole)
    gone = _share(start + letters * KEY + 0.2, whole)
    return (
        f"@keyframes c{at}{{0%,{first}{{transform:none;animation-timing-function:steps({letters})}}"
        f"{last}{{{far};visibility:inherit;animation-timing-function:step-end}}"
        f"{gone},100%{{{far};visibility:hidden}}}}"
        f"#p{at} .cover{{animation:c{at} {whole:.2f}s linear infinite}}"
    )


def _picture(parts: list[str], moves: list[str]) -> str:
    width, height = round(2 * EDGE + COLUMNS * WIDE), 2 * EDGE + (ROWS + 2) * HIGH
    told = "; ".join(scene.about for scene in SCENES)
    style = f"""
:root{{--screen:#fbfbf8;--text:#1f2328;--typed:#0b57a4;--about:#5a4300;--edge:#c9c9c0}}
@media (prefers-color-scheme:dark){{
:root{{--screen:#15181c;--text:#e4e4df;--typed:#8cc2ff;--about:#f0cf7a;--edge:#454b52}}
}}
text{{font:14px {FONT};fill:var(--text);white-space:pre}}
.typed{{fill:var(--typed);font-weight:bold}}.about{{fill:var(--about);font-weight:bold}}
.screen{{fill:var(--screen)}}.cursor{{fill:var(--typed)}}.frame{{fill:var(--screen);stroke:var(--edge)}}
.part{{visibility:hidden}}.still{{visibility:visible}}
@media (prefers-reduced-motion:no-preference){{
{chr(10).join(moves)}
svg:hover *{{animation-play-state:paused!important}}
}}"""
    drawn = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img"><title>A first session: {escape(told)}</title>\n'
        f"<style>{style}\n</style>\n"
        f'<rect class="frame" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>\n'
        f"{drawn}\n</svg>\n"
    )


def seconds_of(svg: str) -> float:
    """Return how long a recording takes until it begins again."""
    return float(re.findall(r"animation:k0 ([\d.]+)s", svg)[0])


def main() -> None:
    """Record the session anew."""
    RECORDING.write_text(recording(recorded()), encoding="utf-8")


if __name__ == "__main__":
    main()
