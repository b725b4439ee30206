"""How the command line is read."""

from __future__ import annotations

import argparse
from typing import NoReturn

FAILED = 1


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong, without the list of everything that is right."""

    exit_code = FAILED

    def error(self, message: str) -> NoReturn:
        self.exit(self.exit_code, f"{self.prog}: {message} (see {self.prog} --help)\n")
