"""Has libraries do here what they do under Jupyter, which each of them looks for in its own way."""

from __future__ import annotations

import builtins
import json
import sys
from importlib import import_module
from typing import Any

from trailbook.kernels.child.libraries.importing import when_imported

PLOTLY = "application/vnd.plotly.v1+json"
WIDEST = 20
"""Columns of a frame that pandas shows, other than in a terminal."""


def install() -> None:
    """From now on, frames are as wide as in a notebook, and charts are shown under the cell."""
    when_imported("pandas.core.config_init", _set_up_pandas)
    when_imported("altair", _set_up_altair)
    when_imported("bokeh.io", _set_up_bokeh)
    when_imported("plotly.io._renderers", _set_up_plotly)


class Page:
    """A page with all its scripts in it: it is shown apart from the app, and without a network."""

    def __init__(self, html: str, text: str) -> None:
        self._html = html
        self._text = text

    def _repr_html_(self) -> str:
        return self._html

    def __repr__(self) -> str:
        return self._text


def _show(html: str, text: str) -> None:
    builtins.display(Page(html, text))  # type: ignore[attr-defined]


def _set_up_pandas() -> None:
    config, key = sys.modules["pandas._config.config"], "display.max_columns"
    options = config._registered_options
    # As the default, so that it is no option that was set.
    options[key] = options[key]._replace(defval=WIDEST)
    config.set_option(key, WIDEST)


def _set_up_altair() -> None:
    renderers = sys.modules["altair"].renderers
    # The default, a page, would fetch scripts from the network.
    renderers.enable("mimetype")


def _set_up_bokeh() -> None:
    notebook = sys.modules["bokeh.io.notebook"]

    def load(*_: Any, **__: Any) -> None:
        """Nothing is left to load: each chart brings its scripts along."""

    def show_chart(chart: Any, *_: Any, **__: Any) -> None:
        file_html, inline = import_module("bokeh.embed").file_html, import_module("bokeh.resources").INLINE

        _show(file_html(chart, inline), repr(chart))

    def show_app(*_: Any, **__: Any) -> None:
        raise NotImplementedError("A Bokeh application needs a server of its own. Show a chart instead.")

    notebook.install_notebook_hook("jupyter", load, show_chart, show_app, overwrite=True)
    # Without output_notebook(), show() would open a browser.
    notebook.curstate().output_notebook()


def _set_up_plotly() -> None:
    external: type = import_module("plotly.io._base_renderers").ExternalRenderer

    class Renderer(external):  # type: ignore[misc]
        def render(self, figure: dict[str, Any]) -> None:
            # Arrays in it have a form of their own in JSON.
            told = json.loads(import_module("plotly.io").to_json(figure, validate=False))
            data = {PLOTLY: told, "text/plain": f"<Figure of {len(told['data'])} traces>"}
            builtins.display(data, raw=True)  # type: ignore[attr-defined]

    renderers = sys.modules["plotly.io._renderers"].renderers
    renderers["trailbook"] = Renderer()
    renderers.default = "trailbook"
