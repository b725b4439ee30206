"""The server keeps what its OpenAPI schema promises, whatever it is sent."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Err, Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.real_world import RealWorld
from tests.support.server import TOKEN, Api, Server

Operation = APIOperation[Any, Any, Any, Any]

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    allow_header_conformance,
]
FIXED_SEED = 1
EXAMPLES = {GenerationMode.POSITIVE: 7, GenerationMode.NEGATIVE: 2}
"""For each operation and seed, requests that fit the schema and requests that don't."""


@dataclass
class Findings:
    """The statuses that each operation answered with, and what was wrong with its answers."""

    statuses: dict[str, Counter[int]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


class Prober:
    """Sends generated requests to the operations of a server."""

    def __init__(self, server: Server, api: Api, wheels: Path) -> None:
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers["Authorization"] = f"Bearer {TOKEN}"
        self.schema = schemathesis.openapi.from_url(f"{server.url}/api/v1/openapi.json")
        self.world = RealWorld(api, wheels)
        self.findings = Findings()

    def operations(self) -> list[Operation]:
        results = list(self.schema.get_all_operations())
        assert not [result for result in results if isinstance(result, Err)]
        return [result.ok() for result in results if isinstance(result, Ok)]

    def probe(self, operation: Operation, mode: GenerationMode, number: int) -> None:
        cases = operation.as_strategy(generation_mode=mode)
        likely = st.sampled_from([True, True, True, False])

        @seed(number)
        @settings(
            max_examples=EXAMPLES[mode],
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=cases, real=likely)
        def send(case: Case[Any], real: bool) -> None:
            if real and mode is GenerationMode.POSITIVE:
                self.world.put_into(case)
            self._send(case)

        # An operation without parameters can't be asked wrongly.
        with suppress(Unsatisfiable):
            send()

    def _send(self, case: Case[Any]) -> None:
        answer = case.call(session=self.session, timeout=60)
        self.findings.statuses.setdefault(case.operation.label, Counter())[answer.status_code] += 1
        try:
            case.validate_response(answer, checks=CHECKS)
        except FailureGroup as group:
            self.findings.failures += [
                f"{case.operation.label}: {error}\n{error.message}" for error in group.exceptions
            ]


@pytest.fixture(scope="module")
def findings(server: Server, api: Api, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Findings]:
    fresh = random.randrange(2**32)
    print(f"fresh seed: {fresh}")
    prober = Prober(server, api, tmp_path_factory.mktemp("wheels"))
    for operation in prober.operations():
        for mode in EXAMPLES:
            for number in (FIXED_SEED, fresh):
                prober.probe(operation, mode, number)
    yield prober.findings
    prober.session.close()


def test_no_answer_is_a_server_error_or_undocumented_or_of_another_form(findings: Findings) -> None:
    assert findings.failures == []


def test_nine_of_ten_operations_succeed(findings: Findings) -> None:
    failing = [label for label, seen in findings.statuses.items() if not any(200 <= s < 300 for s in seen)]
    assert len(failing) <= 0.1 * len(findings.statuses), failing


def test_every_operation_also_refuses(findings: Findings) -> None:
    lenient = {label for label, seen in findings.statuses.items() if not any(400 <= s < 500 for s in seen)}
    lists = {f"GET /api/v1/{name}" for name in ("projects", "environments", "publications", "sinks", "sources")}
    assert lenient <= {"GET /api/v1/status", *lists}
