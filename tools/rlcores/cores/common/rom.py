"""The words in the Verilog file of a table follow from a model; all else in the file is written by hand."""

import re
import sys
from collections.abc import Callable

import numpy as np

WORDS = 512
WIDTH = 36


def text(file: str, words: np.ndarray) -> str:
    """A file below rtl/ with these words in `rom`. Raises ValueError when it has another number of them."""
    from rlcores.base import paths

    now = (paths.root() / "rtl" / file).read_text()
    first, *old = re.split(r"(?<= = \d\d'[hd])(\w+)(?=;)", now)
    if len(old) != 2 * len(words):
        raise ValueError(f"{file} has {len(old) // 2} words; its table has {len(words)}")
    radix = "x" if "'h" in first else "d"
    new = (f"{int(word):0{len(was)}{radix}}" for word, was in zip(words, old[::2], strict=True))
    return first + "".join(word + rest for word, rest in zip(new, old[1::2], strict=True))


def command(render: Callable[..., str], *names: str) -> None:
    """Print the file that render() gives of the table that the command line names; without names there is only one."""
    arguments = sys.argv[1:]
    if arguments not in ([[name] for name in names] or [[]]):
        print(f"give the name of one table: {', '.join(names)}" if names else "give no argument", file=sys.stderr)
        sys.exit(2)
    print(render(*arguments), end="")
