"""Folders that a home makes for secrets are closed to others, with those above them."""

from __future__ import annotations

import stat
from pathlib import Path

from pbem.play.homes.home import exposed_secrets
from pbem.play.homes.upkeep import copy_home
from tests.homes import make_home
from tests.mail.homes import a_mail_home


def test_the_copy_of_a_home_with_mails_is_as_closed_as_the_home(tmp_path: Path) -> None:
    home, copy = a_mail_home(tmp_path), make_home(tmp_path / "copy")
    home.store.lodge("mail/raw/one.eml", b"Subject: hello\r\n\r\nHello.\r\n")

    copy_home(home, copy)

    modes = [stat.S_IMODE((tmp_path / "copy" / name).stat().st_mode) for name in ("mail", "mail/raw")]
    assert modes == [0o700, 0o700]
    assert list(exposed_secrets(copy, None)) == []
