"""A stand-in for a language model: reads a prompt in the encoding `list` and knows one rule.

If all mines of a number are found, its other cells are safe. Otherwise it guesses.
"""

import json
import sys

clues = []
for line in sys.stdin:
    number, _, rest = line.partition(" at ")
    place, _, cells = rest.partition(": ")
    if number.isdigit() and cells:
        clues.append((int(number), place, set(cells.split())))

mines = {cell: place for number, place, cells in clues if number == len(cells) for cell in cells}
for number, place, cells in clues:
    free = sorted(cells - mines.keys())
    if free and len(cells & mines.keys()) == number:
        because = {place, *(mines[cell] for cell in cells & mines.keys())}
        answer = {"open": free[0], "mine_chance": 0, "because": sorted(because)}
        break
else:
    free = sorted(set().union(*(cells for *_, cells in clues)) - mines.keys())
    answer = {"open": free[0] if free else "1,1", "mine_chance": 0.3, "because": []}

answer["open"] = json.loads(f"[{answer['open']}]")
answer["because"] = [json.loads(f"[{place}]") for place in answer["because"]]
print("I looked at each number alone.", json.dumps(answer))
