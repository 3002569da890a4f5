"""What the boards' projects (constraints/) promise to the drivers: names, channels, addresses.

open(board, core, parameters, **options(core, board)) reaches the core of such a project. The figures stand in the
boards' declarations; the tests of the projects compare them with what their Tcl says.
"""

from typing import Any

from rlcores.eda import boards
from rlcores.eda.boards import Design
from rlcores.errors import UserError


def projects() -> list[tuple[str, str]]:
    """Every project: its core and its board."""
    return [(core, board) for board in boards.names() for core in boards.of(board).designs]


def design(core: str, board: str) -> Design:
    """The project of a core for a board. Raises UserError when there is none."""
    if (core, board) not in projects():
        known = ", ".join(f"{c} on {b}" for c, b in projects())
        raise UserError(f"there is no project of '{core}' for '{board}'; projects: {known}")
    return boards.of(board).designs[core]


def options(core: str, board: str) -> dict[str, Any]:
    """What backends.open wants to know of the project of a core ("heppo" or "replay_learner") for a board.

    The overlay (PYNQ) and the memory of the replay learner are still to be given. Raises UserError when there is no
    such project.
    """
    project = design(core, board)
    streams = {"sources": dict(project.sources), "sinks": dict(project.sinks)}
    if boards.of(board).bus == "pynq":
        return {"ip": project.cell, "irq_pin": f"{project.cell}/irq", **streams}
    return {"base": project.base, "event": project.event, **streams}
