"""Keeps a kernel of Jupyter: reads lists of cells, a line of JSON each, runs them, and says `done`.

Run by the Python of the environment that `_peers.py` makes.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from jupyter_client.manager import start_new_kernel


def main() -> None:
    manager, client = start_new_kernel(kernel_name="python3")
    try:
        for line in sys.stdin:
            asked = [client.execute(code) for code in json.loads(line)]
            _wait_for(client, asked[-1])
            print("done", flush=True)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _wait_for(client: Any, request: str) -> None:
    """Until the kernel is idle after this request."""
    while True:
        message = client.get_iopub_msg(timeout=60)
        is_idle = message["msg_type"] == "status" and message["content"]["execution_state"] == "idle"
        if is_idle and message["parent_header"].get("msg_id") == request:
            return


if __name__ == "__main__":
    main()
