"""Settings with which cells could not run on other machines are refused, in words that help."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trailbook.errors import BadSetting
from trailbook.settings import Settings
from trailbook.workflow.workbench import Workbench


def test_workers_need_a_database_that_all_can_reach(settings: Settings) -> None:
    with pytest.raises(BadSetting, match="postgresql://"):
        Workbench(replace(settings, broker="redis://localhost"))


def test_what_is_no_redis_is_refused_without_telling_its_password(settings: Settings) -> None:
    with pytest.raises(BadSetting, match="redis://") as refusal:
        Workbench(replace(settings, broker="amqp://user:geheim@host", database="postgresql://host/name"))
    assert "geheim" not in refusal.value.message
