"""The engine's published schema, as what queries and answers are held against."""

import json
from importlib.resources import files

import jsonschema_rs

SCHEMA = json.loads(files("minewright.engine").joinpath("schema.json").read_text("utf-8"))
ANSWER = jsonschema_rs.validator_for({**SCHEMA, "anyOf": [{"$ref": "#/$defs/answer"}]})
QUERY = jsonschema_rs.validator_for({**SCHEMA, "anyOf": [{"$ref": "#/$defs/query"}]})
