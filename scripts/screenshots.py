"""Take a picture of every page, in each of its looks, on a desktop and on a phone.

Usage: python scripts/screenshots.py [OUT [SCENE ...]]

All go to OUT (`screenshots`); the best of them, made small, go to docs/images. The server, its data
and a run for the lab are made for this and thrown away.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

import minewright as mw

ROOT = Path(__file__).parents[1]
DESKTOP: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more"},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}
PLAIN: dict[str, Any] = {
    "color_scheme": "light",
    "contrast": "no-preference",
    "forced_colors": "none",
}
PATIENCE = 60_000
LAB = """
name = "guessers"
strategies = ["single-point", "oz-set", "exact", {strategy = "single-point", guesser = "safest"}]
boards = ["9x9x10", "16x16x40"]
games = 300
seed = 1
"""
EXPERT = "/?board=30x16x99&topology=moore&start=open&seed={}"
HEXAGONS = "/?board=16x12x30&topology=hex&start=open&seed=5"


def cell(page: Page, at: int) -> Any:
    """Find a cell of the board."""
    return page.locator(f"[role=grid] [data-cell='{at}']")


def play(page: Page, address: str, turns: int, engine: str = "solvers") -> None:
    """Begin in the middle, let the autoplayer open what is safe, and guess `turns` times."""
    board, topology, start, seed = re.findall(r"=([^&]+)", address)
    settings = {"board": board, "topology": topology, "start": start, "seed": int(seed)}
    made = page.request.post("/api/games", data=settings).json()
    here = f"/api/games/{made['id']}"
    page.request.put(f"{here}/assistant", data={engine: True, "autoplay": True})
    width, height = made["shape"]
    chosen = height // 2 * width + width // 2
    for _ in range(turns):
        move = {"kind": "open", "cell": chosen}
        if page.request.post(f"{here}/moves", data=move).json()["end"]:
            break
        chosen = page.request.post(f"{here}/best", data={}).json()["cell"]
    page.request.put(f"{here}/assistant", data={})
    page.goto(address)
    expect(cell(page, 0)).to_be_visible()


def on(page: Page, level: str) -> None:
    """Choose a level of the assistant."""
    page.get_by_role("radio", name=level).check()
    page.wait_for_load_state("networkidle")


def expert(page: Page) -> None:
    """Show a game with what the assistant knows."""
    play(page, EXPERT.format(33), 1, "simple")
    on(page, "Chances")
    page.get_by_role("button", name="Close this tip").click()
    for step in ("where to look", "which numbers", "the answer"):
        page.get_by_role("button", name=f"Hint: {step}").click()
    expect(page.locator(".answer")).to_contain_text("row")


def best(page: Page) -> None:
    """Ask for the best move."""
    page.goto("/?board=16x16x40&topology=moore&start=open&seed=4")
    cell(page, 120).click()
    page.get_by_role("button", name="Best move, and why").click()
    expect(page.locator(".answer .chip")).to_be_visible()


def hexagons(page: Page) -> None:
    """Show a game on hexagons, with chances."""
    page.goto(HEXAGONS)
    cell(page, 104).click()
    on(page, "Chances")


def lost(page: Page) -> None:
    """Lose a game."""
    address = "/?board=9x9x10&topology=moore&start=safe&seed=12"
    page.goto(address)
    cell(page, 40).click()
    game = mw.Game(mw.BEGINNER, "safe", 12)
    game.open(40)
    game.give_up()
    cell(page, min(game.minefield)).click()
    expect(page.get_by_role("region", name="Result")).to_be_visible()


def review(page: Page) -> None:
    """Look at a finished game again."""
    play(page, EXPERT.format(2), 99)
    page.get_by_role("link", name="Review this game").click()
    expect(page.get_by_role("slider", name="Move")).to_be_visible()
    expect(page.locator(".summary [role=status]").first).to_be_hidden()


def dialog(page: Page) -> None:
    """Choose a game."""
    page.goto("/")
    expect(cell(page, 0)).to_be_visible()
    page.get_by_role("button", name="More…").click()


def analyse(page: Page) -> None:
    """Look at the page's own example."""
    page.goto("/analyse")
    expect(page.locator(".verdict")).to_contain_text("minefields fit")


def clash(page: Page) -> None:
    """Draw an impossible position."""
    page.goto("/analyse#p=6x4x8/HHHHHH/H1HH2H/HH31HH/HHHHHH")
    expect(page.locator(".verdict")).to_contain_text("No minefield fits")


def watch(page: Page) -> None:
    """Watch two players side by side."""
    page.goto("/watch?board=16x16x40&start=open&seed=3&one=exact&two=single-point&turn=3")
    expect(page.locator(".lane .chip").first).to_contain_text("turn")


def bullets(page: Page) -> None:
    """Ask for hints, and draw what they say."""
    page.goto("/bullets?day=2026-01-08")
    expect(cell(page, 0)).to_be_visible()
    for _ in range(2):
        for _ in range(3):
            page.get_by_role("button", name="Hint").click()
            page.wait_for_load_state("networkidle")
        page.get_by_role("button", name="Draw").click()
    page.get_by_role("button", name="Hint").click()
    page.wait_for_load_state("networkidle")


def worked(page: Page) -> None:
    """Unfold the worked solution."""
    page.goto("/bullets?day=2026-01-08")
    expect(cell(page, 0)).to_be_visible()
    page.get_by_text("Worked solution").click()
    page.locator(".worked svg").first.scroll_into_view_if_needed()


def lab(page: Page) -> None:
    """Look at a run."""
    page.goto("/lab")
    page.locator("[data-run]").first.click()
    expect(page.get_by_role("region", name="Figures")).to_contain_text("Single point")


SCENES = [
    expert,
    best,
    hexagons,
    lost,
    dialog,
    analyse,
    clash,
    watch,
    bullets,
    worked,
    lab,
    review,
]

# Pictures for the documents: which one each is, and how much of its height is worth showing.
DOCUMENTS = {
    "web-play.png": ("expert-desktop-light.png", 790),
    "web-analyse.png": ("analyse-desktop-light.png", 900),
    "web-watch.png": ("watch-desktop-light.png", 860),
    "web-bullets.png": ("bullets-desktop-light.png", 850),
    "web-review.png": ("review-desktop-dark.png", 900),
    "web-lab.png": ("lab-desktop-light.png", 900),
    "web-phone.png": ("hexagons-phone-dark.png", 1480),
}


@contextmanager
def serving(place: Path) -> Iterator[str]:
    """Start a server of its own with a finished run; yield its address."""
    minewright = [sys.executable, "-m", "minewright"]
    runs = place / "experiments"
    runs.mkdir()
    (runs / "guessers.toml").write_text(LAB, encoding="utf-8")
    subprocess.run(
        [*minewright, "lab", "run", "guessers.toml"], cwd=runs, check=True, capture_output=True
    )
    command = [*minewright, "serve", "--port", "0", "--data", str(place), "--lab", str(runs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[3].rstrip("/")
        finally:
            server.terminate()


def take(browser: Browser, address: str, out: Path, names: set[str]) -> None:
    """Take all the pictures."""
    for scene in SCENES:
        if names and scene.__name__ not in names:
            continue
        for device, wishes in (("desktop", DESKTOP), ("phone", PHONE)):
            context = browser.new_context(
                base_url=address, reduced_motion="reduce", **PLAIN, **wishes
            )
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            scene(page)
            if scene is not worked:
                page.evaluate("scrollTo(0, 0)")
            for name, look in LOOKS.items():
                page.emulate_media(**(PLAIN | look))
                page.screenshot(path=out / f"{scene.__name__}-{device}-{name}.png")
            context.close()
        print(scene.__name__, flush=True)


def publish(out: Path) -> None:
    """Copy the best to where the documents show them, with fewer colours to make them small."""
    for name, (taken, height) in DOCUMENTS.items():
        if (out / taken).exists():
            picture = Image.open(out / taken).convert("RGB")
            shown = picture.crop((0, 0, picture.width, height))
            few = shown.quantize(palette=palette(shown), dither=Image.Dither.NONE)
            few.save(ROOT / "docs" / "images" / name, optimize=True)


def palette(picture: Image.Image) -> Image.Image:
    """Choose 256 colours: the most common as they are, and others that cover the rare ones."""
    colours, counts = np.unique(np.asarray(picture).reshape(-1, 3), axis=0, return_counts=True)
    common = colours[np.argsort(counts)[::-1][:192]]
    # A rare colour may matter: there may be only one 6 on a board.
    rare = picture.quantize(64, Image.Quantize.MAXCOVERAGE).getpalette() or []
    chosen = Image.new("P", (1, 1))
    chosen.putpalette([*map(int, common.flat), *rare])
    return chosen


def main(out: str = "screenshots", *names: str) -> None:
    """Take the pictures, all or those of the scenes named."""
    expect.set_options(timeout=PATIENCE)
    found = subprocess.run(
        ["sh", ROOT / "scripts" / "chromium", "install"], stdout=subprocess.PIPE, text=True
    )
    if found.returncode:
        raise SystemExit(found.returncode)
    Path(out).mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as place,
        serving(Path(place)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=found.stdout.strip(), args=["--no-sandbox", "--disable-gpu"]
        )
        take(browser, address, Path(out), set(names))
        browser.close()
    publish(Path(out))


if __name__ == "__main__":
    main(*sys.argv[1:])
