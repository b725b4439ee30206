"""What people may name as packages, and what they may not."""

from __future__ import annotations

import pytest

from trailbook.errors import BadPackages
from trailbook.kernels.environments.requirements import checked, needs_of_cells

PLACE = "tiny @ https://example.com/tiny-1.0-py3-none-any.whl"


@pytest.mark.parametrize("text", ["scikit-learn", "polars>=2,<3", "httpx[http2]==0.28.1", 'x; python_version > "3"'])
def test_names_with_versions_extras_and_markers_are_packages(text: str) -> None:
    assert len(checked([text], allow_urls=False)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "--index-url=https://example.com",
        "-r other.txt",
        "-e .",
        "./folder",
        "/etc/passwd",
        "https://example.com/x.whl",
        "git+https://example.com/x",
        "a b",
        "tiny\n--index-url https://example.com",
        "tiny --hash=sha256:00",
        "",
        PLACE,
        "tiny @ file:///tmp/tiny.whl",
        "trailbook",
        "Trailbook==0.1",
    ],
)
def test_whatever_steers_the_installer_or_names_a_place_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadPackages) as refused:
        checked(["polars", text], allow_urls=False)
    assert refused.value.details["package"] == text


def test_places_are_packages_where_that_is_allowed() -> None:
    assert checked([PLACE], allow_urls=True) == [PLACE]


def test_a_place_can_not_ask_for_the_servers_variables() -> None:
    with pytest.raises(BadPackages, match="characters"):
        checked(["tiny @ https://example.com/${HOME}/tiny.whl"], allow_urls=True)


def test_cells_need_the_versions_that_trailbook_itself_asks_for() -> None:
    needs = needs_of_cells()
    assert any(need.startswith(("pandas<", "pandas>=")) for need in needs)
    assert any(need.startswith("grpcio>=") for need in needs)
    assert not any("[" in need or ";" in need for need in needs)
