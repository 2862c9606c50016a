"""The API's page for people says what its description for programs says."""

import re
from html import unescape
from pathlib import Path

from web_client import Web


def test_the_page_on_the_api_lists_every_operation_and_leads_nowhere_wrong(tmp_path: Path) -> None:
    with Web(tmp_path) as web:
        anna = web.browser()
        answer = anna.send("GET", "/api")
        assert answer.headers["Content-Type"].startswith("text/html")
        page = answer.text
        shown = re.findall(r'<span class="chip">(\w+)</span> <code>([^<]+)</code>', page)
        described = anna.ask("GET", "/openapi.json")["paths"]
        assert {(method.lower(), path) for method, path in shown} == {
            (method, path) for path, methods in described.items() for method in methods
        }
        names = set(re.findall(r' id="([^"]+)"', page))
        assert set(re.findall(r'href="#([^"]+)"', page)) <= names
        for methods in described.values():
            for operation in methods.values():
                assert operation["description"] in unescape(page)


def test_every_answer_says_where_the_api_is_described(tmp_path: Path) -> None:
    with Web(tmp_path) as web:
        anna = web.browser()
        links = anna.send("GET", "/").headers["Link"]
        for place, kind in re.findall(r'<([^>]+)>; rel="([^"]+)"', links):
            assert kind in ("service-desc", "service-doc")
            assert anna.send("GET", place).status_code == 200


def test_an_address_with_nothing_at_it_says_so(tmp_path: Path) -> None:
    with Web(tmp_path) as web:
        anna = web.browser()
        assert "nothing at this address" in anna.send("GET", "/nothing").json()["problem"]
        assert "requests of that kind" in anna.ask("DELETE", "/meta", expect=405)["problem"]
