"""What the boards' projects (constraints/) promise to the drivers: names, channels, addresses.

open(board, core, parameters, **options(core, board)) reaches the core of such a project. The tests of the projects
compare these figures with what their Tcl says.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rlcores.errors import UserError


@dataclass(frozen=True)
class Design:
    """A project: the core's cell and where the host finds it."""

    core: str  # of the register map and the driver: "gae" for rlc_heppo
    config: str  # in configs.yaml, under the name of the project's core
    cell: str
    base: int  # byte address of its registers
    window: int  # bytes of them
    sources: Mapping[str, Any] = field(default_factory=dict)  # stream to DMA (ZCU106) or channel (U200)
    sinks: Mapping[str, Any] = field(default_factory=dict)
    event: int | None = None  # user interrupt of XDMA; on the ZCU106 the cell's own pin is named
    memory: tuple[int, int] | None = None  # addresses that its AXI4 master reaches: first, bytes
    bypass: int | None = None  # bytes of memory that the host sees from its first on, through XDMA's bypass BAR


DESIGNS = {
    ("heppo", "zcu106"): Design(
        "gae", "zcu106", "rlc_heppo", 0xA0000000, 1 << 12, {"s_axis": "dma"}, {"m_axis": "dma"}
    ),
    ("replay_learner", "zcu106"): Design(
        "replay_learner",
        "zcu106",
        "rlc_replay_learner",
        0xA0000000,
        1 << 16,
        {"s_axis_exp": "dma_exp", "s_axis_load": "dma_weights"},
        {"m_axis_read": "dma_weights"},
        memory=(0, 1 << 31),
    ),
    ("heppo", "u200"): Design("gae", "u200", "rlc_heppo", 0, 1 << 12, {"s_axis": 0}, {"m_axis": 0}, event=0),
    ("replay_learner", "u200"): Design(
        "replay_learner",
        "u200",
        "rlc_replay_learner",
        0,
        1 << 16,
        {"s_axis_exp": 0, "s_axis_load": 1},
        {"m_axis_read": 0},
        event=0,
        memory=(0, 1 << 34),
        bypass=1 << 27,
    ),
}


def design(core: str, board: str) -> Design:
    """The project of a core for a board. Raises UserError when there is none."""
    if (core, board) not in DESIGNS:
        known = ", ".join(f"{c} on {b}" for c, b in DESIGNS)
        raise UserError(f"there is no project of '{core}' for '{board}'; projects: {known}")
    return DESIGNS[core, board]


def options(core: str, board: str) -> dict[str, Any]:
    """What backends.open wants to know of the project of a core ("heppo" or "replay_learner") for a board.

    The overlay (ZCU106) and the memory of the replay learner are still to be given. Raises UserError when there is no
    such project.
    """
    found = design(core, board)
    streams = {"sources": dict(found.sources), "sinks": dict(found.sinks)}
    if board == "zcu106":
        return {"ip": found.cell, "irq_pin": f"{found.cell}/irq", **streams}
    return {"base": found.base, "event": found.event, **streams}
