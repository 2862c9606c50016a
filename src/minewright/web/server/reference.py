"""The API reference for people, made from its OpenAPI description."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from pydantic import BaseModel, Field

from minewright.web.server.refusals import PROBLEMS

TEMPLATE: Final = Path(__file__).parents[1] / "static" / "reference.html"
TITLES: Final = {"me": "My data", "meta": "Boards and choices"}


class Schema(BaseModel):
    """The schema of a value."""

    ref: str = Field(default="", alias="$ref")
    type: str = ""
    description: str = ""
    const: object = None
    enum: list[object] = []
    items: "Schema | None" = None
    prefix: list["Schema"] = Field(default=[], alias="prefixItems")
    any_of: list["Schema"] = Field(default=[], alias="anyOf")
    properties: dict[str, "Schema"] = {}
    values: "Schema | bool | None" = Field(default=None, alias="additionalProperties")
    required: list[str] = []

    @property
    def words(self) -> str:
        """Describe a value, as HTML."""
        if self.ref:
            name = escape(self.ref.rpartition("/")[2])
            return f'<a href="#{name}">{name}</a>'
        if self.any_of:
            return " or ".join(each.words for each in self.any_of)
        if self.enum or self.const is not None:
            return " or ".join(f"<code>{escape(str(each))}</code>" for each in self._choices)
        if self.prefix:
            return f"[{', '.join(each.words for each in self.prefix)}]"
        if self.items:
            return f"list of {self.items.words}"
        if isinstance(self.values, Schema):
            return f"{self.values.words} by name"
        return self.type or "anything"

    @property
    def _choices(self) -> list[object]:
        return self.enum or [self.const]


class Media(BaseModel):
    """One media type of a body."""

    form: Schema = Field(default=Schema(), alias="schema")


class Body(BaseModel):
    """The body of a request or an answer."""

    description: str = ""
    content: dict[str, Media] = {}

    @property
    def words(self) -> str:
        """Describe the body, as HTML; that it is JSON goes without saying."""
        return "; ".join(
            media.form.words
            if kind == "application/json"
            else f"<code>{escape(kind)}</code>. {escape(self.description)}"
            for kind, media in self.content.items()
        )


class Parameter(BaseModel):
    """A parameter in the path or the query."""

    name: str
    place: str = Field(alias="in")
    required: bool = False
    description: str = ""
    form: Schema = Field(default=Schema(), alias="schema")


class Operation(BaseModel):
    """One operation of the API."""

    tags: list[str]
    description: str = ""
    parameters: list[Parameter] = []
    body: Body | None = Field(default=None, alias="requestBody")
    responses: dict[str, Body]

    def show(self, method: str, path: str) -> str:
        """Return the operation as HTML."""
        answers = [body for status, body in self.responses.items() if status.startswith("2")]
        facts = [("Request", self.body.words)] if self.body else []
        facts += [("Answer", body.words or "nothing") for body in answers]
        listed = "".join(f"<div><dt>{name}</dt><dd>{words}</dd></div>" for name, words in facts)
        fields = _fields(
            (one.name, one.form.words, one.description or f"in the {one.place}", one.required)
            for one in self.parameters
        )
        return (
            f'<article class="panel"><h3><span class="chip">{method.upper()}</span> '
            f"<code>{escape(path)}</code></h3><p>{escape(self.description)}</p>"
            f"{fields}<dl>{listed}</dl></article>"
        )


class Components(BaseModel):
    """The schemas of all models."""

    schemas: dict[str, Schema]


class Description(BaseModel):
    """The whole OpenAPI description."""

    paths: dict[str, dict[str, Operation]]
    components: Components


@lru_cache(maxsize=1)
def page(app: FastAPI) -> str:
    """Return the page as HTML."""
    described = Description.model_validate(app.openapi())
    parts: dict[str, list[str]] = {}
    for path, methods in described.paths.items():
        for method, operation in methods.items():
            parts.setdefault(operation.tags[0], []).append(operation.show(method, path))
    titles = {tag: TITLES.get(tag, tag.capitalize()) for tag in parts} | {"things": "Models"}
    parts["things"] = [
        _thing(name, schema)
        for name, schema in sorted(described.components.schemas.items())
        if schema.properties or schema.enum
    ]
    filled = {
        "contents": "".join(f'<a href="#{tag}">{title}</a>' for tag, title in titles.items()),
        "refusals": _refusals(),
        "parts": "".join(
            f'<section class="stack" id="{tag}"><h2>{titles[tag]}</h2>{"".join(shown)}</section>'
            for tag, shown in parts.items()
        ),
    }
    return _fill(TEMPLATE.read_text(encoding="utf-8"), filled)


def _fill(template: str, parts: Mapping[str, str]) -> str:
    for name, html in parts.items():
        template = template.replace(f"<!-- {name} -->", html)
    return template


def _refusals() -> str:
    return "".join(
        f"<div><dt>{status}</dt><dd>{escape(str(what['description']))}</dd></div>"
        for status, what in PROBLEMS.items()
    )


def _thing(name: str, schema: Schema) -> str:
    fields = _fields(
        (field, form.words, form.description, field in schema.required)
        for field, form in schema.properties.items()
    )
    return (
        f'<article class="panel" id="{escape(name)}"><h3>{escape(name)}</h3>'
        f"<p>{escape(schema.description)}</p>{fields or schema.words}</article>"
    )


def _fields(fields: Iterable[tuple[str, str, str, bool]]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{words}</td>"
        f"<td>{escape(description)}{'' if required else ' <i>Optional.</i>'}</td></tr>"
        for name, words, description, required in fields
    )
    return rows and f'<table class="table"><tbody>{rows}</tbody></table>'
