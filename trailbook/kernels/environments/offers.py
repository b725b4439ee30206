"""Which package to add for a module that is missing."""

from __future__ import annotations

import sys

from trailbook.model.runs import CellError

KNOWN = {
    "Crypto": "pycryptodome",
    "OpenSSL": "pyopenssl",
    "PIL": "pillow",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "faiss": "faiss-cpu",
    "fitz": "pymupdf",
    "git": "gitpython",
    "jwt": "pyjwt",
    "magic": "python-magic",
    "mysql": "mysql-connector-python",
    "pptx": "python-pptx",
    "psycopg2": "psycopg2-binary",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "skopt": "scikit-optimize",
    "snowflake": "snowflake-connector-python",
    "sksurv": "scikit-survival",
    "umap": "umap-learn",
    "usb": "pyusb",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}
"""The modules whose packages are called otherwise."""


def offer(module: str) -> str | None:
    """The package that most likely has the module; None if no package could.

    >>> offer("sklearn"), offer("polars"), offer("tkinter")
    ('scikit-learn', 'polars', None)
    """
    if module in sys.stdlib_module_names or module.startswith("_") or not (module.isascii() and module.isidentifier()):
        return None
    return KNOWN.get(module, module.replace("_", "-"))


def with_offer(error: CellError) -> CellError:
    """The error, with what can be done if a module is missing."""
    package = offer(error.missing_module) if error.missing_module else None
    if package is None:
        return error
    advice = f"If the package {package} has it, add that to the packages of this notebook."
    return error.model_copy(update={"message": f"{error.message.rstrip('.')}. {advice}", "offer": package})
