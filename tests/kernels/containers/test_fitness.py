"""An image in which cells can't run is refused, with all that it lacks."""

from __future__ import annotations

import re
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from trailbook.errors import BadSetting
from trailbook.kernels.containers.fitness import Equipment, asked_for, require_fit


def own() -> dict[str, str | None]:
    """What is installed here."""
    return {name: version(name) for name in asked_for()}


def test_what_trailbook_runs_with_fits() -> None:
    assert set(own()) == {"cloudpickle", "matplotlib", "pandas", "polars", "pyarrow"}
    require_fit(Equipment((3, 11), own()))
    require_fit(Equipment((3, 14), {**own(), "matplotlib": None, "polars": None}))


def test_the_image_in_the_docs_is_given_what_trailbook_runs_with() -> None:
    text = (Path(__file__).parents[3] / "docs" / "operations.md").read_text("utf-8")
    (line,) = re.findall("RUN pip install (.+)", text)
    own = {one.name: one.specifier for one in map(Requirement, requires("trailbook") or ())}
    given = {one.name: one.specifier for one in map(Requirement, re.findall("'(.+?)'", line))}
    assert given == {name: own[name] for name in given}
    assert given.keys() >= {"cloudpickle", "pandas", "pyarrow"}


@pytest.mark.parametrize(
    ("python", "packages", "said"),
    [
        ((3, 9), {}, "Python is 3.9, and must be 3.11 or newer"),
        ((3, 12), {"pandas": None}, "pandas is missing, and must be <3,>="),
        ((3, 12), {"pyarrow": "1.0"}, "pyarrow is 1.0, and must be"),
        ((3, 12), {"polars": "0.1"}, "polars is 0.1, and must be"),
        ((3, 9), {"pandas": None, "cloudpickle": None}, "Python is 3.9.*; cloudpickle is missing.*; pandas is missing"),
    ],
)
def test_what_is_too_old_or_missing_is_named(
    python: tuple[int, int], packages: dict[str, str | None], said: str
) -> None:
    with pytest.raises(BadSetting, match=said):
        require_fit(Equipment(python, {**own(), **packages}))
