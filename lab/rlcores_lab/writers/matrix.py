"""The table of docs/index.md: which cores run on which backend, and on which board."""

from rlcores.base import paths
from rlcores.eda import boards, declared
from rlcores_lab import shown


def table() -> str:
    """A row per core with a driver. A board has a core by a block design of it, or over its serial line."""
    known = [boards.of(name) for name in boards.names()]
    rows = [("core", '`"native"`', '`"model"`', '`"rtl"`', *(board.title for board in known))]
    for core in declared.having("instance"):
        folder = paths.root() / "tools" / "rlcores" / "cores" / core
        if not (folder / "driver.py").exists():
            continue
        backends = (any(folder.glob("native*.py")), any(folder.glob("model*.py")), True)
        rows.append((f"`{core}`", *map(_mark, (*backends, *(_has(board, core) for board in known)))))
    return shown.markdown(rows, left=None)


def _has(board: boards.Board, core: str) -> bool:
    if board.bus == "serial":
        return core in declared.fact("serial", "behind")
    return any(core in (design.core, design.core.partition("_")[0]) for design in board.designs.values())


def _mark(there: bool) -> str:
    return "yes" if there else "–"
