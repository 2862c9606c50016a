"""Builds of the kernel beside the usual one: other flags, compilers, interpreters or sources.

Each variant has its own environment in build/variants, where `import minewright` finds the Python
sources of this tree and the kernel of the variant. Libraries and tools come from the usual .venv,
which stays as it is.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VARIANTS = ROOT / "build" / "variants"
LOCK = ROOT / "lock" / "play.txt"
"""Libraries for an interpreter that cannot use those of .venv."""


class BuildError(RuntimeError):
    """A variant cannot be built; the message holds the output of the tools."""


@dataclass(frozen=True)
class Variant:
    """A way to build the kernel. Its flags come after all others, so they take precedence."""

    name: str
    flags: tuple[str, ...] = ()
    compiler: str | None = None
    python: str = sys.executable
    kernel: Path = ROOT / "src" / "kernel"

    @property
    def folder(self) -> Path:
        """The folder that holds everything of this variant."""
        return VARIANTS / self.name

    @property
    def interpreter(self) -> Path:
        """The Python that imports this variant."""
        return self.folder / "env" / "bin" / "python"

    def build(self) -> Path:
        """Build what has changed since the last time; return the interpreter."""
        site = self._environment()
        self._link_package(site / "minewright")
        self._compile(site)
        return self.interpreter

    def _environment(self) -> Path:
        """Make the environment if there is none; return its folder of libraries."""
        lends = _version(self.python) == _version(sys.executable)
        done = self.folder / "env" / "done"
        if not done.exists():
            pip = ["--without-pip"] if lends else []
            run([self.python, "-m", "venv", "--clear", *pip, str(self.folder / "env")])
        site = Path(run([str(self.interpreter), "-c", _ASK_SITE]).strip())
        if not done.exists():
            if lends:
                # A plain path, so that the .pth files there, and the editable package, do not
                # count.
                own = run([sys.executable, "-c", _ASK_SITE])
                (site / "libraries.pth").write_text(own, encoding="utf-8")
            else:
                run([str(self.interpreter), "-m", "pip", "install", "--quiet", "-r", str(LOCK)])
            done.touch()
        return site

    def _link_package(self, package: Path) -> None:
        package.mkdir(exist_ok=True)
        wanted = {path.name: path for path in (ROOT / "src" / "minewright").iterdir()}
        for link in package.iterdir():
            if link.is_symlink() and link.name not in wanted:
                link.unlink()
        for name, path in wanted.items():
            if name != "__pycache__" and not (package / name).is_symlink():
                (package / name).symlink_to(path)

    def _compile(self, site: Path) -> None:
        source, build = self.folder / "source", self.folder / "cmake"
        source.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / "CMakeLists.txt", source)
        kernel = source / "src" / "kernel"
        if not kernel.is_symlink():
            kernel.parent.mkdir(exist_ok=True)
            kernel.symlink_to(self.kernel)
        tools = Path(sys.executable).parent
        configure = [
            str(tools / "cmake"),
            *("-S", str(source), "-B", str(build), "-G", "Ninja"),
            f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}",
            "-DCMAKE_BUILD_TYPE=Release",
            f"-DPython_EXECUTABLE={self.interpreter}",
            f"-Dnanobind_DIR={run([sys.executable, '-m', 'nanobind', '--cmake_dir']).strip()}",
            f"-DMINEWRIGHT_FLAGS={';'.join(self.flags)}",
            *([f"-DCMAKE_CXX_COMPILER={self.compiler}"] if self.compiler else []),
        ]
        # CMake forgets some settings when the compiler changes, so start from scratch.
        asked = self.folder / "asked"
        if not asked.exists() or asked.read_text("utf-8") != "\n".join(configure):
            shutil.rmtree(build, ignore_errors=True)
            run(configure)
            asked.write_text("\n".join(configure), "utf-8")
        run([str(tools / "cmake"), "--build", str(build)])
        run([str(tools / "cmake"), "--install", str(build), "--prefix", str(site)])


_ASK_SITE = "import sysconfig; print(sysconfig.get_path('platlib'))"


def _version(python: str) -> str:
    return run([python, "-c", "import sys; print(*sys.version_info[:2])"]).strip()


def run(command: Sequence[str]) -> str:
    """Run a tool and return its output. Raise BuildError with that output if it fails."""
    # The path of another package would hide the variant's own.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout
