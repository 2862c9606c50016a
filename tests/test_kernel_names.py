"""Names in the kernel: one for one thing, as the linker takes them too."""

import re
from collections import Counter
from pathlib import Path

KERNEL = Path(__file__).parents[1] / "src" / "kernel"
# At the margin stand the types of the whole namespace. Those inside another type have its name too.
TYPE = re.compile(r"^(?:struct|class) (\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE)


def test_no_two_types_of_the_kernel_share_a_name() -> None:
    # The linker keeps one destructor, copy and so on of a name: the other type is then freed as if
    # it were the first. What is inlined hides that, until another compiler inlines less.
    names = Counter(
        name
        for path in sorted(KERNEL.glob("*.[ch]pp"))
        for name in TYPE.findall(path.read_text(encoding="utf-8"))
    )
    assert len(names) > 50
    assert [name for name, count in names.items() if count > 1] == []
