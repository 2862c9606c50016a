"""Models to ask: a command, or an address that speaks as OpenAI's does."""

import json
import os
import shlex
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from subprocess import PIPE, Popen, TimeoutExpired
from tempfile import TemporaryFile
from time import monotonic, sleep
from typing import IO, Final, Protocol
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from minewright.llm.errors import ModelError
from minewright.messages import quote

KEY: Final = "MINEWRIGHT_LLM_KEY"
"""The environment variable with the key that an address may ask for."""
WAITS: Final = (1.0, 5.0, 25.0)
"""Seconds to wait before asking a busy address again."""
BUSY: Final = frozenset({408, 429, 500, 502, 503, 504})
MOST_BYTES: Final = 4_000_000
"""The longest reply that is read."""
COMPLAINT_BYTES: Final = 4_096


class Model(Protocol):
    """Whatever answers a prompt."""

    @property
    def name(self) -> str:
        """How the log calls it."""

    def ask(self, prompt: str) -> str:
        """Return the reply. Raise ModelError if there is none."""


class Command:
    """A program that reads a prompt from standard input and writes its reply."""

    def __init__(self, command: str, seconds: float) -> None:
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise ModelError(f"the command {quote(command)} cannot be read: {error}") from None
        if not self.words:
            raise ModelError("the command is empty")
        self.name, self.seconds = command, seconds

    def ask(self, prompt: str) -> str:
        """Run the program once."""
        with TemporaryFile() as given:
            given.write(prompt.encode())
            given.seek(0)
            try:
                # A group of its own, so that whatever it starts can be ended with it.
                process = Popen(
                    self.words, stdin=given, stdout=PIPE, stderr=PIPE, start_new_session=True
                )
            except OSError as error:
                raise ModelError(f"{self.words[0]} cannot be run: {error.strerror}") from None
        with process:
            reply, complaint = self._hear(process)
        if process.returncode:
            last = complaint.decode(errors="replace").strip().splitlines()[-1:] or ["no message"]
            code = process.returncode
            raise ModelError(f"{self.words[0]} ended with exit code {code}: {last[0]}")
        return reply.decode(errors="replace")

    def _hear(self, process: "Popen[bytes]") -> tuple[bytes, bytes]:
        """Return what a program writes until it ends, and the last of its complaints."""
        assert process.stdout is not None, "it was asked for"
        assert process.stderr is not None, "it was asked for"
        with ThreadPoolExecutor(2) as readers:
            reply = readers.submit(process.stdout.read, MOST_BYTES + 1)
            complaint = readers.submit(_last_bytes, process.stderr)
            try:
                end = monotonic() + self.seconds
                said = reply.result(self.seconds)
                if len(said) > MOST_BYTES:
                    raise ModelError(f"{self.words[0]} wrote more than {MOST_BYTES:,} bytes")
                process.wait(end - monotonic())
                return said, complaint.result(max(0.0, end - monotonic()))
            except (TimeoutError, TimeoutExpired):
                raise ModelError(
                    f"{self.words[0]} took more than {self.seconds:g} seconds"
                ) from None
            finally:
                _kill(process)  # or the readers would wait for it


def _kill(process: "Popen[bytes]") -> None:
    """End a program and all that it started, which may hold its streams open."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _last_bytes(stream: IO[bytes]) -> bytes:
    """Read a stream to its end and return the last of it."""
    last = b""
    while chunk := stream.read(COMPLAINT_BYTES):
        last = (last + chunk)[-COMPLAINT_BYTES:]
    return last


class Address:
    """A server with OpenAI's chat completions; each question is a conversation of its own."""

    def __init__(
        self, url: str, model: str, seconds: float, *, wait: Callable[[float], None] = sleep
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise ModelError(f"an address begins with http:// or https://, not {quote(url)}")
        end = "/chat/completions"
        self.url = url if url.endswith(end) else url.rstrip("/") + end
        self.model, self.seconds, self._wait = model, seconds, wait
        self.name = f"{model} at {url}"

    def ask(self, prompt: str) -> str:
        """Ask once, and again if the server is busy."""
        body = json.dumps(
            {
                "model": self.model,
                "messages": [{"role": "user", "content": prompt}],
                "temperature": 0,
            }
        ).encode()
        headers = {"Content-Type": "application/json"}
        if os.environ.get(KEY):
            headers["Authorization"] = f"Bearer {os.environ[KEY]}"
        for seconds in (*WAITS, None):
            try:
                with urlopen(Request(self.url, body, headers), timeout=self.seconds) as response:
                    return _content(response.read(MOST_BYTES))
            except HTTPError as error:
                with error:
                    if error.code not in BUSY or seconds is None:
                        raise ModelError(
                            f"{self.url} answers {error.code} {error.reason}"
                        ) from None
            except (HTTPException, ValueError) as error:
                raise ModelError(f"{self.url} cannot be asked: {error}") from None
            except (URLError, OSError) as error:
                if seconds is None:
                    why = getattr(error, "reason", error)
                    raise ModelError(f"{self.url} cannot be reached: {why}") from None
            self._wait(seconds)
        raise AssertionError("the last try returns or raises")


def _content(data: bytes) -> str:
    """Return the text of a reply."""
    try:
        content = json.loads(data)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError):
        raise ModelError("the server's answer is not a chat completion") from None
    return content if isinstance(content, str) else ""
