"""`python -m trailbook.server.openapi` prints the API's schema, from which the web app's types are generated."""

from __future__ import annotations

import json

from trailbook.server.app import build_app

if __name__ == "__main__":
    print(json.dumps(build_app().openapi(), indent=2, sort_keys=True))
