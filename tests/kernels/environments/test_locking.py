"""What requirements mean is found out once, and stays so."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.support.wheels import write_wheel
from trailbook.errors import BadPackages
from trailbook.kernels.environments.installed import canonical, installed
from trailbook.kernels.environments.locking import lock
from trailbook.model.packages import NO_PACKAGES


def test_a_package_is_locked_with_what_it_needs(tmp_path: Path) -> None:
    tiny = write_wheel(tmp_path, "tiny", "1.0", "x = 1")
    outer = write_wheel(tmp_path, "outer", "2.0", "import tiny", [tiny])
    packages = lock(tmp_path, [outer], NO_PACKAGES, allow_urls=True)
    assert packages.wanted == (outer,)
    assert [line.partition("#")[0] for line in packages.locked] == [outer, tiny]
    assert all("#sha256=" in line for line in packages.locked)


def test_a_release_changes_nothing_until_somebody_asks_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    for name in ("tiny", "small"):
        write_wheel(tmp_path, name, "1.0", "")
    before = lock(tmp_path, ["tiny"], NO_PACKAGES)
    assert before.locked == ("tiny==1.0",)
    write_wheel(tmp_path, "tiny", "2.0", "")
    assert lock(tmp_path, ["tiny", "small"], before).locked == ("small==1.0", "tiny==1.0")
    assert lock(tmp_path, ["tiny>=2"], before).locked == ("tiny==2.0",)
    assert lock(tmp_path, ["tiny"], NO_PACKAGES).locked == ("tiny==2.0",)


def test_packages_that_exclude_each_other_are_refused_in_the_words_of_uv(tmp_path: Path) -> None:
    first = write_wheel(tmp_path, "tiny", "1.0", "")
    other = write_wheel(tmp_path, "outer", "2.0", "", ["tiny>=2"])
    with pytest.raises(BadPackages) as refused:
        lock(tmp_path, [first, other], NO_PACKAGES, allow_urls=True)
    assert "tiny" in refused.value.details["output"]
    assert "tiny" in refused.value.message


def test_a_package_that_would_break_the_cells_themselves_is_refused(tmp_path: Path) -> None:
    harmful = write_wheel(tmp_path, "pandas", "99.0", "")
    with pytest.raises(BadPackages, match="Trailbook itself needs pandas"):
        lock(tmp_path, [harmful], NO_PACKAGES, allow_urls=True)


def test_the_packages_that_are_installed_are_known_with_their_versions() -> None:
    known = installed()
    for name in ("pandas", "pyarrow", "SQLAlchemy", "markdown-it-py"):
        assert known[canonical(name)] == version(name)
