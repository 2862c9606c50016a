"""Names in the kernel: one name for one thing, as the linker sees them too."""

import re
from collections import Counter
from pathlib import Path

KERNEL = Path(__file__).parents[1] / "src" / "kernel"
# Types of the whole namespace begin at the margin. Types inside another type carry its name too.
TYPE = re.compile(r"^(?:struct|class) (\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE)


def test_no_two_types_of_the_kernel_share_a_name() -> None:
    # The linker keeps only one destructor, copy and so on per name, so objects of the other type
    # would be freed as if they were of the first. Inlining hides this until another compiler
    # inlines less.
    names = Counter(
        name
        for path in sorted(KERNEL.glob("*.[ch]pp"))
        for name in TYPE.findall(path.read_text(encoding="utf-8"))
    )
    assert len(names) > 50
    assert [name for name, count in names.items() if count > 1] == []
