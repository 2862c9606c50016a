"""Models to ask: a command, or an address that speaks as OpenAI's does."""

import json
import os
import shlex
import signal
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from subprocess import PIPE, Popen, TimeoutExpired
from tempfile import TemporaryFile
from threading import Thread
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
CHUNK_BYTES: Final = 65_536
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
                return _content(self._fetch(Request(self.url, body, headers)))
            except HTTPError as error:
                with error:
                    if error.code not in BUSY or seconds is None:
                        raise ModelError(
                            f"{self.url} answers {error.code} {error.reason}"
                        ) from None
            except (OSError, HTTPException, ValueError) as error:
                why = error.reason if isinstance(error, URLError) else error
                if isinstance(why, TimeoutError):
                    raise ModelError(
                        f"{self.url} took more than {self.seconds:g} seconds"
                    ) from None
                # A busy server may drop a connection; nothing else gets better by waiting.
                if seconds is None or not isinstance(why, ConnectionResetError):
                    verb = "reached" if isinstance(error, OSError) else "asked"
                    words = getattr(why, "strerror", None) or why
                    raise ModelError(f"{self.url} cannot be {verb}: {words}") from None
            self._wait(seconds)
        raise AssertionError("the last try returns or raises")

    def _fetch(self, request: Request) -> bytes:
        """Return the body of a reply. Raise TimeoutError if it is not complete in time."""
        answer: Future[bytes] = Future()

        def fetch() -> None:
            try:
                answer.set_result(self._body(request))
            except Exception as error:
                answer.set_exception(error)

        # A thread of its own, since looking up a name and reading the headers know no deadline.
        Thread(target=fetch, daemon=True).start()
        return answer.result(self.seconds)

    def _body(self, request: Request) -> bytes:
        end = monotonic() + self.seconds
        body = b""
        # The timeout is that of each receive, so a server that sends slowly needs the deadline.
        with urlopen(request, timeout=self.seconds) as response:
            while chunk := response.read1(CHUNK_BYTES):
                body += chunk
                if len(body) > MOST_BYTES:
                    raise ModelError(f"{self.url} wrote more than {MOST_BYTES:,} bytes")
                if monotonic() > end:
                    raise TimeoutError
        return body


def _content(data: bytes) -> str:
    """Return the text of a reply."""
    try:
        content = json.loads(data)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise ModelError("the server's answer is not a chat completion") from None
    return content if isinstance(content, str) else ""
