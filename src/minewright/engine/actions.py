"""What the engine can do: one function per action.

Each is a generator, and the engine lets it run from one `yield` to the next. In between, a more
urgent query may come first, and a query can be cancelled. It yields how much is done and returns
its answer as the JSON of an object.
"""

import json
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Final, Literal

from minewright.board import MAX_SEED
from minewright.engine.answers import (
    FIELDS,
    USUAL,
    answer_json,
    board_data,
    champion_data,
    guess_data,
    puzzle_data,
)
from minewright.engine.queries import MAX_POSITIONS, PROTOCOL, Query, QueryError
from minewright.errors import MinewrightError
from minewright.inference import Analysis, Budget, BudgetExceeded, analyze, analyze_many
from minewright.levels import LEVELS, usual_budget
from minewright.position import Position, PositionError

Work = Generator[tuple[int, int], None, str]
Answer = str | QueryError
CHUNK: Final = 32
"""Positions per call of the kernel: enough that a call costs nothing beside its work."""
MAX_CELLS: Final = 250_000
MAX_MADE: Final = 1_000
_POSITION: Final = ("position", "positions", "trust_marks", "budget", "progress")
_BOARD: Final = ("board", "first", "start", "clues", "total", "way", "topology", "proof")
_PUZZLE: Final = ("size", "bullets", "iterations", "samples", "symmetry", "difficulty")


def analyze_positions(query: Query) -> Work:
    """Return what is certain in each position, and the chance of a mine elsewhere."""
    query.allow(*_POSITION, "fields", "approximate", "seed")
    fields = _fields(query)
    trust, approximate = query.flag("trust_marks"), query.flag("approximate")
    seed, budget = query.number("seed", 0, MAX_SEED, 0), query.budget()

    def many(positions: list[Position]) -> Iterator[Analysis | QueryError]:
        if approximate:
            for position in positions:
                try:
                    yield analyze(
                        position, trust_marks=trust, approximate=True, seed=seed, budget=budget
                    )
                except BudgetExceeded as error:
                    yield QueryError("too-hard", str(error))
            return
        while positions:
            try:
                yield from analyze_many(positions, trust_marks=trust, budget=budget)
                return
            except BudgetExceeded as error:
                yield from error.done
                yield QueryError("too-hard", str(error))
                positions = positions[len(error.done) + 1 :]

    def found(result: Analysis | QueryError) -> Answer:
        if isinstance(result, QueryError):
            return result
        try:
            return answer_json(result, fields)
        except BudgetExceeded as error:
            return QueryError("too-hard", str(error))

    return _each(query, lambda positions: [found(result) for result in many(positions)])


def explain_positions(query: Query) -> Work:
    """Return the steps that follow in each position, then where to guess."""
    from minewright.deduction import explain, guess
    from minewright.deduction.data import as_data
    from minewright.position import SAFE

    query.allow(*_POSITION, "search", "steps")
    search = query.choice("search", _SEARCHES, "simplest")
    most = query.number("steps", 1, 100_000, 100_000)
    budget, trust = query.budget(), query.flag("trust_marks")

    def one(position: Position) -> dict[str, object]:
        last = position.with_marks_mined() if trust else position
        steps = []
        for step in explain(last, search, budget=budget):
            steps.append(as_data(step))
            last = step.after
            if len(steps) == most:
                break
        left = SAFE in last.cells or not last.covered or len(steps) == most
        guessed = None if left else guess(last, budget=budget)
        return {"steps": steps, "guess": guess_data(position.topology, guessed)}

    return _each(query, lambda positions: [_data(one, position) for position in positions], 1)


def best_moves(query: Query) -> Work:
    """Return the cells that are certainly safe in each position, or else where to guess.

    The guess is the safest cell; beside it stands the champion's choice, which wins most often.
    """
    from minewright.champion import ChampionError, best_move
    from minewright.deduction import guess

    query.allow(*_POSITION, "level")
    level = query.choice("level", LEVELS, "usual")
    budget, trust = query.budget(usual_budget(level)), query.flag("trust_marks")

    def one(position: Position) -> dict[str, object]:
        place = position.topology.coordinates
        analysis = analyze(position, trust_marks=trust, budget=budget)
        if not analysis.consistent:
            return {"consistent": False, "cell": None, "risk": None, "safe": [], "sentence": None}
        found: dict[str, object] = {
            "consistent": True,
            "cell": None if analysis.best is None else place(analysis.best),
            "risk": None if analysis.best is None else analysis.chances[analysis.best],
            "safe": [place(cell) for cell in analysis.safe],
            "sentence": None,
        }
        if not analysis.safe:
            known = position.with_marks_mined() if trust else position
            guessed = guess_data(position.topology, guess(known, budget=budget))
            found |= guessed or {"cell": None, "risk": None}
            # If the champion cannot choose, the exact answer stands without its advice.
            with suppress(ChampionError, BudgetExceeded):
                found["champion"] = champion_data(
                    best_move(known, level=level, budget=budget), budget
                )
        return found

    return _each(query, lambda positions: [_data(one, position) for position in positions], 1)


def make(query: Query) -> Work:
    """Return boards without guesses, or Bullets puzzles."""
    kind = query.choice("kind", _KINDS, "noguess")
    extra = _BOARD if kind == "noguess" else _PUZZLE
    query.allow("kind", "seed", "count", "budget", "progress", *extra)
    seed, count = query.number("seed", 0, MAX_SEED, 0), query.number("count", 1, MAX_MADE, 1)
    one = _board_maker(query, seed) if kind == "noguess" else _puzzle_maker(query, seed)

    def work() -> Work:
        made = []
        for index in range(count):
            try:
                made.append(json.dumps(one(index)))
            except (BudgetExceeded, MinewrightError, ValueError) as error:
                raise QueryError("not-found", str(error)) from None
            yield index + 1, count
        name = "boards" if kind == "noguess" else "puzzles"
        return f'{{"{name}": [{", ".join(made)}]}}'

    return work()


def _board_maker(query: Query, seed: int) -> Callable[[int], dict[str, object]]:
    from minewright import noguess
    from minewright.board import Board, BoardError
    from minewright.topology import TopologyError, get

    field = "board"
    try:
        board = Board.parse(query.text("board", "expert"))
        field = "topology"
        topology = get(query.text("topology", "moore"), board.shape)
        field = "first"
        first = topology.cell(*_coordinates(query)) if "first" in query else None
    except (BoardError, TopologyError) as error:
        raise QueryError("bad-query", str(error), field) from None
    _small(topology.size, "board")
    clues = query.number("clues", 1, 100, 100) if "clues" in query else None
    start = query.choice("start", _STARTS, "open")
    total = query.flag("total") if "total" in query else True
    way = query.choice("way", _WAYS, "repaired")
    budget, proof = query.budget(noguess.BUDGET), query.flag("proof")

    def one(stream: int) -> dict[str, object]:
        made = noguess.make(
            board,
            first=first,
            seed=seed,
            stream=stream,
            topology=topology,
            start=start,
            clues=clues,
            total=total,
            way=way,
            budget=budget,
        )
        return board_data(made) | ({"proof": json.loads(made.proof.json())} if proof else {})

    return one


def _puzzle_maker(query: Query, seed: int) -> Callable[[int], dict[str, object]]:
    from minewright import bullets
    from minewright.bullets.grade import DIFFICULTIES
    from minewright.bullets.symmetry import SYMMETRIES

    size = query.number("size", 2, 32, 7)
    count = query.number("bullets", 0, 1024, 0) if "bullets" in query else None
    iterations = query.number("iterations", 0, 100_000, 500)
    samples = query.number("samples", 1, 1_000, 3)
    symmetry = query.choice("symmetry", SYMMETRIES, "none")
    difficulty = query.choice("difficulty", DIFFICULTIES, "easy") if "difficulty" in query else None
    budget = query.budget(Budget(100_000_000_000, 60.0))

    def one(index: int) -> dict[str, object]:
        return puzzle_data(
            bullets.make(
                size,
                count,
                index=index,
                seed=seed,
                iterations=iterations,
                samples=samples,
                symmetry=symmetry,
                difficulty=difficulty,
                budget=budget,
            )
        )

    return one


def verify(query: Query) -> Work:
    """Return whether a proof shows that a board needs no guess."""
    from minewright.noguess import ProofError, UnreadableProofError
    from minewright.noguess import verify as check

    query.allow("proof", "progress")
    proof = query.fields.get("proof")
    if not isinstance(proof, dict | str):
        raise QueryError("bad-query", "expected a proof, as an object or as its text", "proof")
    text = proof if isinstance(proof, str) else json.dumps(proof)

    def work() -> Work:
        yield 0, 1
        try:
            return json.dumps({"proved": True, "steps": check(text)})
        except UnreadableProofError as error:
            raise QueryError("bad-query", str(error), "proof") from None
        except ProofError as error:
            return json.dumps({"proved": False, "problem": str(error)})

    return work()


def version(query: Query) -> Work:
    """Return the version of the protocol and of the program, and the actions."""
    from minewright import __version__

    query.allow()

    def work() -> Work:
        yield 0, 1
        known = [*ACTIONS, "cancel"]
        return json.dumps({"protocol": PROTOCOL, "minewright": __version__, "actions": known})

    return work()


ACTIONS: Final[dict[str, Callable[[Query], Work]]] = {
    "analyze": analyze_positions,
    "explain": explain_positions,
    "best": best_moves,
    "make": make,
    "verify": verify,
    "version": version,
}
_SEARCHES: Final[tuple[Literal["simplest", "paper"], ...]] = ("simplest", "paper")
_KINDS: Final[tuple[Literal["noguess", "bullets"], ...]] = ("noguess", "bullets")
_STARTS: Final[tuple[Literal["open", "safe"], ...]] = ("open", "safe")
_WAYS: Final[tuple[Literal["repaired", "uniform"], ...]] = ("repaired", "uniform")


def _fields(query: Query) -> tuple[str, ...]:
    if "fields" not in query:
        return USUAL
    found = query.items("fields", len(FIELDS))
    for name in found:
        if name not in FIELDS:
            raise QueryError("bad-query", f"choose from {', '.join(FIELDS)}", "fields")
    return tuple(name for name in FIELDS if name in found)


def _coordinates(query: Query) -> list[int]:
    found = query.items("first", 4)
    places = [at for at in found if isinstance(at, int) and not isinstance(at, bool)]
    if len(places) != len(found):
        raise QueryError("bad-query", "expected [row, column], two numbers from 0", "first")
    return places


def _small(cells: int, field: str) -> None:
    if cells > MAX_CELLS:
        raise QueryError("bad-query", f"at most {MAX_CELLS:,} cells are allowed", field)


def _each(query: Query, ask: Callable[[list[Position]], list[Answer]], chunk: int = CHUNK) -> Work:
    """Answer the position of a query, or each of its positions, some at a time."""
    if ("position" in query) == ("positions" in query):
        raise QueryError("bad-query", "give either position or positions")
    single = "position" in query
    texts = [query.text("position")] if single else query.items("positions", MAX_POSITIONS)

    def work() -> Work:
        answers: list[Answer] = []
        for start in range(0, len(texts), chunk):
            read = [_position(text) for text in texts[start : start + chunk]]
            found = iter(ask([each for each in read if isinstance(each, Position)]))
            answers += [next(found) if isinstance(e, Position) else e for e in read]
            # After the last of them there is nothing left that could wait.
            if len(answers) < len(texts):
                yield len(answers), len(texts)
        if not single:
            return f'{{"answers": [{", ".join(map(_in_json, answers))}]}}'
        if isinstance(answers[0], QueryError):
            raise answers[0]
        return answers[0]

    return work()


def _position(text: object) -> Position | QueryError:
    if not isinstance(text, str):
        return QueryError("bad-position", "expected the text of a position")
    try:
        position = Position.parse(text)
        _small(position.topology.size, "position")
    except PositionError as error:
        return QueryError("bad-position", str(error))
    except QueryError as error:
        return error
    return position


def _data(one: Callable[[Position], dict[str, object]], position: Position) -> Answer:
    try:
        return json.dumps(one(position))
    except BudgetExceeded as error:
        return QueryError("too-hard", str(error))
    except PositionError as error:
        return QueryError("bad-position", str(error))


def _in_json(answer: Answer) -> str:
    return answer if isinstance(answer, str) else json.dumps({"error": answer.as_data()})
