"""The web app's unit tests, so that they count in the one summary."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parent.parent.parent / "web"
NPM = Path(sys.executable).parent / "npm"


def test_the_web_apps_unit_tests_pass() -> None:
    done = subprocess.run([NPM, "run", "--silent", "test"], cwd=WEB, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
