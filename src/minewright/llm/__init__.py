"""A benchmark for language models: hidden boards, two encodings, and a judge that is a program."""

from minewright.llm.errors import ModelError, ModelLogError

__all__ = ["ModelError", "ModelLogError"]
