"""A bare Debian root, and the steps of a Containerfile carried out in it: `python -m tests.edge.bare`."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MIRROR = "http://deb.debian.org/debian"
SUITE = "bookworm"
PASSED_ON = ("PIP_", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
"""What begins with these in the environment says how packages are fetched from here."""

OURS = {
    "/etc/resolv.conf": "/etc/resolv.conf",
    "/etc/pip.conf": "/etc/pip.conf",
    "/etc/ssl/certs/ca-certificates.crt": "/etc/ssl/from-outside.crt",
}
"""The same, as files, and where they lie inside."""


def missing() -> str:
    """Say what is needed and is not here; "" if nothing is."""
    if os.geteuid() != 0:
        return "only root can make another root: run this as root"
    return "" if shutil.which("debootstrap") else "no debootstrap here: apt install debootstrap"


def make_root(folder: Path) -> None:
    """Install the least of Debian into a folder."""
    folder.chmod(0o755)
    _run(["debootstrap", "--variant=minbase", SUITE, str(folder), MIRROR])
    (folder / "dev" / "shm").mkdir(exist_ok=True)
    (folder / "dev" / "shm").chmod(0o1777)  # as a container has it
    for name, inside in OURS.items():
        if Path(name).is_file():
            place = folder / inside.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(name, place)


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Yield the steps of a Containerfile: the word, and what stands behind it."""
    for line in text.replace("\\\n", " ").splitlines():
        word, _, rest = line.partition(" ")
        if word and not word.startswith("#"):
            yield word, rest.strip()


class Container:
    """A root in which the steps of a Containerfile are carried out.

    Attributes:
        root: Where it lies.
        printed: What each RUN has printed.
        entry: The words of its ENTRYPOINT.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.printed: list[str] = []
        self.entry: list[str] = []
        self._user = "root"
        self._folder = "/"
        self._settings = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}

    def build(self, project: Path) -> None:
        """Carry out the steps of the Containerfile of a project."""
        for word, rest in steps((project / "Containerfile").read_text(encoding="utf-8")):
            match word:
                case "RUN":
                    self.printed.append(self.run(["sh", "-c", rest]))
                case "COPY":
                    self._copy(project, rest.split())
                case "ENV":
                    named = (part.partition("=") for part in shlex.split(rest))
                    self._settings.update((name, value) for name, _, value in named)
                case "USER":
                    self._user = rest
                case "WORKDIR":
                    self._folder = rest
                case "ENTRYPOINT":
                    self.entry = [part.strip(' "') for part in rest.strip("[]").split(",")]
                case "FROM" | "VOLUME":
                    pass
                case _:
                    raise ValueError(f"a step that nobody carries out here: {word} {rest}")

    def run(self, words: list[str]) -> str:
        """Run a program in it, as its user and in its folder, and return what it prints."""
        passed = {key: value for key, value in os.environ.items() if key.startswith(PASSED_ON)}
        if "PIP_CERT" in passed:
            passed["PIP_CERT"] = "/etc/ssl/from-outside.crt"
        begin = [shutil.which("chroot") or "chroot", f"--userspec={self._user}", str(self.root)]
        there = ["env", f"--chdir={self._folder}", *words]
        return _run([*begin, *there], {**passed, **self._settings})

    def _copy(self, project: Path, words: list[str]) -> None:
        *sources, target = words
        place = self.root / target.lstrip("/")
        for name in sources:
            source = project / name
            if source.is_dir():
                shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, place)


def _run(words: list[str], settings: dict[str, str] | None = None) -> str:
    ran = subprocess.run(
        words, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if ran.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}\n{ran.stdout}")
    return ran.stdout


if __name__ == "__main__":
    sys.exit(missing() or None)
