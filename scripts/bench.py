"""Runs every benchmark by itself, one after the other, and repeats the last line (JSON) of each at the end."""

from __future__ import annotations

import subprocess
import sys

from steps import ROOT


def main() -> None:
    results = []
    for script in sorted((ROOT / "benchmarks").glob("[!_]*.py")):
        print(f"== {script.relative_to(ROOT)}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{script.stem}"], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        print(done.stdout, end="", flush=True)
        if done.returncode != 0:
            sys.exit(f"{script.relative_to(ROOT)} ended with {done.returncode}")
        results.append((script.stem, done.stdout.strip().splitlines()[-1]))
    print("== results")
    for name, line in results:
        print(f"{name} {line}")


if __name__ == "__main__":
    main()
