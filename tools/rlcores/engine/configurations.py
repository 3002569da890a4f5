"""The page docs/configurations.md: the parameters of every core, in configs.yaml and in Verilog, and its named sets."""

from collections.abc import Iterable
from pathlib import Path

from rlcores.engine import configs, declared

PAGE = Path("docs") / "configurations.md"

_HEAD = """# Parameters and configurations

Written by `rlcores docs` from the cores' declarations (`rtl/*/*.yaml`) and from `configs.yaml`; do not edit.

A configuration is a named set of parameters. Every command takes its name as `--config`, and so do the classes in
Python. The first table of a core has its parameters: what `configs.yaml` calls them, what the Verilog calls them, and
what you may write in `configs.yaml`. The contract pages say more, also how parameters hang together.
"""


def markdown() -> str:
    """The page."""
    parts = [_HEAD]
    first: dict[declared.Parameter, str] = {}  # where a parameter is listed
    for core in sorted(declared.cores(), key=_made_of):
        parameters = declared.of(core).values()
        own = [p for p in parameters if p not in first]
        others = dict.fromkeys(first[p] for p in parameters if p in first)
        first |= dict.fromkeys(own, core)
        parts.append(f"## {core}\n")
        if others:
            parts.append(f"All parameters of {' and of '.join(f'`{other}`' for other in others)}, and:\n")
        rows = ((f"`{p.key}`", f"`{p.name}`", p.wanted, p.doc) for p in own)
        parts.append(_table(("in configs.yaml", "in Verilog", "what you may write", "meaning"), rows))
        if configs.names(core):
            sets = (configs.get(core, name) for name in configs.names(core))
            rows = ((f"`{s.name}`", s.doc, "yes" if s.sim else "") for s in sets)
            parts.append(_table(("configuration", "what it is", "in `rlcores regress`"), rows))
    return "\n".join(parts)


def _made_of(core: str) -> tuple[int, str]:
    """Cores before those that have their parameters, too."""
    own = set(declared.of(core))
    return sum(set(declared.of(other)) < own for other in declared.cores()), core


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"
