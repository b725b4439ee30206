"""Takes and sets the state of each library. What is as at the start is nothing to take."""

from __future__ import annotations
import __future__

import ast
import functools
import os
import random
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trailbook.kernels.child.libraries.importing import is_importing

OF_THE_RUN = frozenset({"TMPDIR", "SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "MPLBACKEND"})
"""Variables that each run sets for itself."""

_ERRORS = ("divide", "over", "under", "invalid")
"""What numpy can be told to do about errors in computations."""

_NEW_LOGGER: tuple[Any, ...] = (0, False, True, [])

_start: dict[str, Any] = {}
_own_filters: list[Any] = []
_set_by_imports: set[str] = set()
_features: set[str] = set()


def note_start() -> None:
    """What things are like before a cell, or a cell above, changed anything."""
    _start["environment"] = dict(os.environ)
    _start["path"] = list(sys.path)
    for name in ("filterwarnings", "simplefilter"):
        setattr(warnings, name, _noted(getattr(warnings, name)))
    _note_variables_of_imports()


def inherited_variables() -> Mapping[str, str]:
    """The environment as no cell has changed it."""
    variables: Mapping[str, str] = _start["environment"]
    return variables


def inherited_path() -> Sequence[str]:
    """Where Python looks for modules, if no cell has changed it."""
    path: Sequence[str] = _start["path"]
    return path


def note_features(tree: ast.Module) -> None:
    """What a cell imports from the future holds for the cells below, too."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            _features.update(alias.name for alias in node.names)


def compiler_flags() -> int:
    return sum(getattr(__future__, name).compiler_flag for name in _features)


def features() -> list[str]:
    return sorted(_features)


def set_features(names: list[str]) -> None:
    _features.update(names)


def random_state() -> Any:
    return random.getstate()


def set_random_state(state: Any) -> None:
    random.setstate(state)


def numpy_state() -> Any:
    name, words, *rest = sys.modules["numpy.random"].get_state()
    return name, words.tobytes(), *rest


def set_numpy_state(state: Any) -> None:
    import numpy as np

    name, words, *rest = state
    np.random.set_state((name, np.frombuffer(words, np.uint32), *rest))


def numpy_options() -> dict[str, Any]:
    """How arrays are printed and errors are handled, where it is not as at first."""
    now = _numpy_options()
    usual = _start.setdefault("numpy", now)
    return {key: value for key, value in now.items() if value != usual[key]}


def set_numpy_options(options: dict[str, Any]) -> None:
    numpy = sys.modules["numpy"]
    usual = _start.setdefault("numpy", _numpy_options())
    numpy.set_printoptions(**{key: value for key, value in options.items() if key not in _ERRORS})
    numpy.seterr(**{key: options.get(key, usual[key]) for key in _ERRORS})


def _numpy_options() -> dict[str, Any]:
    numpy = sys.modules["numpy"]
    return {**numpy.get_printoptions(), **numpy.geterr()}


def pandas_options() -> dict[str, Any]:
    """The options that are not at their default."""
    config: Any = sys.modules["pandas._config.config"]
    found = {}
    for key, option in config._registered_options.items():
        value: Any = config._global_config
        for part in key.split("."):
            value = value[part]
        if value is not option.defval and value != option.defval:
            found[key] = value
    return found


def set_pandas_options(options: dict[str, Any]) -> None:
    for key, value in options.items():
        sys.modules["pandas"].set_option(key, value)


def rc_params() -> dict[str, Any]:
    matplotlib = sys.modules["matplotlib"]
    before = dict(dict.items(matplotlib.rcParamsOrig))
    return {
        key: value
        for key, value in dict.items(matplotlib.rcParams)
        if not key.startswith("backend") and value != before.get(key)
    }


def set_rc_params(params: dict[str, Any]) -> None:
    sys.modules["matplotlib"].rcParams.update(params)


def environment() -> dict[str, str | None]:
    """The variables that were changed since the start; None for those that were removed."""
    before = _start["environment"]
    keys = sorted((before.keys() | os.environ.keys()) - OF_THE_RUN - _set_by_imports)
    return {key: os.environ.get(key) for key in keys if os.environ.get(key) != before.get(key)}


def _note_variables_of_imports() -> None:
    """They are set again when the library is imported again."""
    kind: Any = type(os.environ)
    plain = kind.__setitem__

    def set_variable(environ: Any, key: str, value: str) -> None:
        plain(environ, key, value)
        if is_importing(sys._getframe(1)):
            _set_by_imports.add(key)
        else:
            _set_by_imports.discard(key)

    kind.__setitem__ = set_variable


def set_environment(changed: dict[str, str | None]) -> None:
    for key, value in changed.items():
        if value is None:
            os.environ.pop(key, None)
        else:
            os.environ[key] = value


def module_path() -> list[str]:
    """The whole path, if it is not as at the start."""
    return [] if sys.path == _start["path"] else list(sys.path)


def set_module_path(path: list[str]) -> None:
    sys.path[:] = path or _start["path"]


def decimal_context() -> Any:
    """The digits and the way to round, if they are not the usual ones."""
    decimal = sys.modules["decimal"]
    context, usual = decimal.getcontext(), decimal.DefaultContext
    now = {"prec": context.prec, "rounding": context.rounding}
    return {} if now == {"prec": usual.prec, "rounding": usual.rounding} else now


def set_decimal_context(settings: dict[str, Any]) -> None:
    for key, value in settings.items():
        setattr(sys.modules["decimal"].getcontext(), key, value)


def locale_names() -> str:
    locale = sys.modules["locale"]
    name: str = locale.setlocale(locale.LC_ALL)
    return "" if name == _start.setdefault("locale", name) else name


def set_locale(name: str) -> None:
    locale = sys.modules["locale"]
    _start.setdefault("locale", locale.setlocale(locale.LC_ALL))
    locale.setlocale(locale.LC_ALL, name or _start["locale"])


def loggers() -> dict[str, Any]:
    """The loggers that are not as at the start: level, whether they are silent, pass on to others, and handlers."""
    now = {logger.name: _logger_settings(logger) for logger in _all_loggers()}
    usual = _start.setdefault("loggers", now)
    return {name: settings for name, settings in now.items() if settings != usual.get(name, _NEW_LOGGER)}


def set_loggers(settings: dict[str, Any]) -> None:
    logging = sys.modules["logging"]
    _start.setdefault("loggers", {logger.name: _logger_settings(logger) for logger in _all_loggers()})
    for name, (level, disabled, propagate, handlers) in settings.items():
        logger = logging.getLogger(None if name == "root" else name)
        logger.setLevel(level)
        logger.disabled, logger.propagate, logger.handlers = disabled, propagate, list(handlers)


def _all_loggers() -> list[Any]:
    logging = sys.modules["logging"]
    named = [one for one in logging.root.manager.loggerDict.values() if isinstance(one, logging.Logger)]
    return [logging.root, *named]


def _logger_settings(logger: Any) -> tuple[Any, ...]:
    silent = sys.modules["logging"].NullHandler
    handlers = [one for one in logger.handlers if not isinstance(one, silent)]
    return logger.level, logger.disabled, logger.propagate, handlers


def own_filters() -> list[Any]:
    """The filters that code of the notebook set. Libraries set some, too, when they are imported."""
    return [one for one in warnings.filters if one in _own_filters]


def _noted(plain: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(plain)
    def set_filter(*args: Any, **kwargs: Any) -> None:
        before = list(warnings.filters)
        plain(*args, **kwargs)
        if sys._getframe(1).f_globals.get("__name__") == "__main__":
            _own_filters.extend(one for one in warnings.filters if one not in before)

    return set_filter


def set_filters(filters: list[Any]) -> None:
    _own_filters.extend(filters)
    warnings.filters[:0] = filters  # type: ignore[index]
    warnings._filters_mutated()  # type: ignore[attr-defined]
