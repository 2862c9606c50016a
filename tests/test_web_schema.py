"""Whatever fits the app's own description, or barely fails to, is answered as it says."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from patient import EASY
from processes import HANG
from web_client import serving

from minewright.web.app import ROUTERS, create_app

# Taken from the routes: the description takes long to make, and every process needs the names.
NAMES = [
    f"{method} {route.path}"
    for router in ROUTERS
    for route in router.routes
    if isinstance(route, APIRoute) and route.include_in_schema
    for method in sorted(route.methods or ())
]
# Words that a generator hardly ever finds by itself.
WORDS: dict[str, list[object]] = {
    "board": ["5x4x3", "beginner", "9x9x0", "1x1x1", "3x3x9", "2x2x2x2x3", "20x20x80", "0x9x1"],
    "shape": ["5x4", "2x2x2", "1x400", "0x3", "5x"],
    "topology": ["moore", "moore", "hex", "torus", "box", "flat"],
    "text": ["3x3x2\n1##\n12#\n01#", "8#", "1#\n11", "3x2x9\n###\n###", "5x5x3 hex\n#"],
    "mines": [None, None, 2],
    "drawn": [None],
    "strategy": ["single-point", "oz-set", "pseq", "exact", "nobody"],
    "guesser": ["", "safest"],
    "first": ["", "corner"],
    "cell": [0, 1, 8, 40, 80, 81, 10**9],
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Start the app with small bounds, on a real port."""
    bounds = replace(EASY, seconds=0.2, help_seconds=0.1, max_cells=400, stream_seconds=0.05)
    chosen = replace(bounds, data=tmp_path_factory.mktemp("data"))
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=HANG) as client:
        yield client


def untupled(schema: dict[str, Any]) -> dict[str, Any]:
    """Simplify tuples: schemathesis writes `prefixItems` as its own validator refuses it."""
    schema.pop("prefixItems", None)
    return schema


@pytest.fixture(scope="module")
def operations() -> dict[str, Any]:
    """Return everything that the app describes, by its name."""
    import schemathesis

    with TemporaryDirectory() as data:
        app = create_app(replace(EASY, data=Path(data)))
        described = json.loads(json.dumps(app.openapi()), object_hook=untupled)
        app.state.store.close()
    schema: Any = schemathesis.openapi.from_dict(described)
    found = [result.ok() for result in schema.get_all_operations()]
    return {f"{one.method.upper()} {one.path}": one for one in found}


def test_every_operation_described_is_tried(operations: dict[str, Any]) -> None:
    assert sorted(NAMES) == sorted(operations)


@pytest.mark.parametrize("name", NAMES)
def test_no_request_is_answered_otherwise_than_described(
    client: httpx.Client, operations: dict[str, Any], name: str
) -> None:
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    checks = [
        not_a_server_error,
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    ]
    operation = operations[name]

    def game() -> str:
        made = client.post("/api/games", json={"board": "9x9x10", "undo": True, "seed": 1}).json()
        client.post(f"/api/games/{made['id']}/moves", json={"kind": "open", "cell": 40})
        name: str = made["id"]
        return name

    played = game() if "{game}" in operation.path else ""
    good, bad = (
        operation.as_strategy(generation_mode=mode)
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    )
    cases = good | bad if operation.path_parameters or operation.query or operation.body else good

    @settings(
        max_examples=8,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(case=cases, data=st.data())
    def holds(case: Any, data: st.DataObject) -> None:
        if played:
            case.path_parameters["game"] = played
        for part in (case.body, case.query):
            for word in WORDS.keys() & part.keys() if isinstance(part, dict) else ():
                if data.draw(st.integers(0, 7)):
                    part[word] = data.draw(st.sampled_from(WORDS[word]))
        response = case.call(base_url=str(client.base_url), cookies=dict(client.cookies))
        case.validate_response(response, checks=checks)

    holds()
