"""A missing module comes with the package that would bring it."""

from __future__ import annotations

import pytest

from tests.kernels.conftest import Bench
from trailbook.kernels.environments.offers import KNOWN, offer


@pytest.mark.parametrize(
    ("module", "package"),
    [("cv2", "opencv-python-headless"), ("nosuch_module", "nosuch-module"), ("tkinter", None), ("_private", None)],
)
def test_packages_are_offered_by_their_own_names(module: str, package: str | None) -> None:
    assert offer(module) == package


def test_no_entry_of_the_table_says_what_is_so_anyway() -> None:
    assert [module for module, package in KNOWN.items() if module.replace("_", "-") == package] == []


@pytest.mark.parametrize(
    "code",
    [
        "import nosuch_module",
        "import nosuch_module.part",
        "from nosuch_module import x",
        "def f():\n    import nosuch_module\nf()",
        "try:\n    import nosuch_module\nexcept ImportError as e:\n    raise ImportError('Missing dependency') from e",
    ],
)
def test_an_error_names_the_missing_module_and_offers_a_package(bench: Bench, code: str) -> None:
    error = bench.run(code).error
    assert (error.missing_module, error.offer) == ("nosuch_module", "nosuch-module")
    assert "nosuch-module" in error.message


@pytest.mark.parametrize(
    "code",
    [
        "import json.nosuch",
        "import helper",
        "1 / 0",
        "from json import nosuch",
        "try:\n    import nosuch_module\nexcept ImportError:\n    1 / 0",
    ],
)
def test_other_errors_offer_nothing(bench: Bench, code: str) -> None:
    error = bench.run(f"open('helper.py', 'w').write('import json.nosuch')\n{code}").error
    assert (error.missing_module, error.offer) == (None, None)
