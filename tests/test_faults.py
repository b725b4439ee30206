"""Fault points."""

from __future__ import annotations

import pytest

from trailbook.faults import reach


def test_a_point_is_passed_unless_it_is_the_one_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRAILBOOK_FAULT", raising=False)
    reach("artifact.renamed")
    monkeypatch.setenv("TRAILBOOK_FAULT", "version.before_commit")
    reach("artifact.renamed")


def test_a_fault_that_can_never_happen_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAILBOOK_FAULT", "artifact.rename")
    with pytest.raises(ValueError, match=r"artifact\.renamed"):
        reach("artifact.renamed")
