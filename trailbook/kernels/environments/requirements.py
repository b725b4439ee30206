"""What people may write for a package: a name with versions, extras and markers; nothing that steers the installer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trailbook.errors import BadPackages
from trailbook.kernels.environments.installed import canonical, installed

if TYPE_CHECKING:
    from packaging.requirements import Requirement

OWN = "trailbook"
CELLS_NEED = ("cloudpickle", "matplotlib", "pandas", "polars", "pyarrow", "pyspark")
"""What runs in a cell's process uses these of Trailbook's requirements."""


def checked(wanted: Sequence[str], *, allow_urls: bool) -> list[str]:
    """The requirements in the form in which they are handed on."""
    return [_checked(text, allow_urls) for text in wanted]


def _checked(text: str, allow_urls: bool) -> str:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        requirement = Requirement(text)
    except InvalidRequirement as error:
        raise _refused(
            text, "is no package: write a name such as scikit-learn, or one with versions, polars>=2"
        ) from error
    if requirement.url and not allow_urls:
        raise _refused(text, "names a place to get it from, which is allowed by the setting package_urls only")
    # The installer would put variables of the server in their place.
    if "$" in str(requirement) or not text.isprintable():
        raise _refused(text, "has characters that can't be part of a package's name or place")
    if canonical(requirement.name) == OWN:
        raise _refused(text, "is what runs this notebook; its version can't be chosen")
    return str(requirement)


def needs_of_cells() -> list[str]:
    """Which versions of packages the code that runs in a cell's process can work with, and what that rests on."""
    from importlib.metadata import version

    left = [one for one in _requirements(OWN, "") if one.name in CELLS_NEED]
    found = {f"{OWN}=={version(OWN)}": None, **{f"{one.name}{one.specifier}": None for one in left}}
    seen: set[str] = set()
    while left:
        package = left.pop()
        if canonical(package.name) not in seen:
            seen.add(canonical(package.name))
            below = [one for extra in ("", *package.extras) for one in _requirements(package.name, extra)]
            # A part that belongs to one version of its package, which may be replaced together with it.
            found |= {f"{one.name}{one.specifier}": None for one in below if "==" not in str(one.specifier)}
            left += below
    return list(found)


def _requirements(package: str, extra: str) -> list[Requirement]:
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    if canonical(package) not in installed():
        return []
    known = map(Requirement, requires(package) or ())
    return [one for one in known if not one.marker or one.marker.evaluate({"extra": extra})]


def _refused(text: str, why: str) -> BadPackages:
    return BadPackages(f"{text!r} {why}.", package=text, output=None)
