"""What a board is: its declaration constraints/BOARD/board.yaml, the one place that says its part, clock and memories.

title         what people call it
part, family  of its device; family is 'xcup' or 'ecp5': which cells yosys maps to
resources     of the device by name: lut, ff, dsp, and bram36 and uram, or bram18
dies          SLRs of the device, each with an equal share of its resources (default: 1)
clock_mhz     of our cores on it, in its block designs: every time of ours is at this clock
bus           by which Python reaches it: pynq, xdma or serial
nextpnr       arguments of nextpnr that choose the part (ecp5)
board_part    AMD's board files (xcup)
stream_bits   of a beat between host and a core's streams (xcup)
learner_dsp   DSP slices that `rlcores map` gives a learner (xcup)
memory_gib    DRAM that it puts experiences into (xcup)
designs       by core: its block design and where the host finds the core, as Design has it (xcup)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rlcores.base import files, paths
from rlcores.errors import UserError

BUSES = ("pynq", "xdma", "serial")


@dataclass(frozen=True)
class Design:
    """A project: a block design around a core's cell, and where the host finds it."""

    core: str  # of the register map and the driver: "gae" for rlc_heppo
    config: str  # in configs.yaml, under the name of the project's core
    top: str  # Verilog module with the pins
    cell: str
    base: int  # byte address of its registers
    window: int  # bytes of them
    sources: dict[str, str | int] = field(default_factory=dict)  # stream to DMA (pynq) or channel (xdma)
    sinks: dict[str, str | int] = field(default_factory=dict)
    event: int | None = None  # user interrupt of XDMA; with pynq the cell's own pin is named
    memory: tuple[int, int] | None = None  # addresses that its AXI4 master reaches: first, bytes
    bypass: int | None = None  # bytes of memory that the host sees from its first on, through XDMA's bypass BAR
    irq_clock: bool = False  # the cell's interrupt goes to a clock of its own


@dataclass(frozen=True)
class Board:
    """A declaration; the fields are those of the YAML."""

    name: str  # of its folder
    title: str
    part: str
    family: str
    resources: dict[str, int]
    clock_mhz: float
    bus: str
    dies: int = 1
    nextpnr: tuple[str, ...] = ()
    board_part: str = ""
    stream_bits: int = 0
    learner_dsp: int = 0
    memory_gib: float = 0.0
    designs: dict[str, Design] = field(default_factory=dict)

    @property
    def clock(self) -> "Clock":
        """The clock of our cores on it."""
        return Clock(self.clock_mhz, self.title)


@dataclass(frozen=True)
class Clock:
    """A clock that times are counted at."""

    mhz: float
    whose: str = "assumed"  # or the board that has it

    def __str__(self) -> str:
        return f"{self.mhz:g} MHz ({self.whose})"


def names() -> list[str]:
    """The boards that are declared, UltraScale+ first."""
    return sorted(_files(), key=lambda name: (of(name).family != "xcup", name))


def of(name: str) -> Board:
    """The board of that name. Raises UserError listing the boards when there is none, or when its file is not right."""
    if name not in _files():
        raise UserError(f"there is no board '{name}'; boards: {', '.join(names())}")
    return _read(_files()[name])


def with_designs() -> list[str]:
    """Boards that have a Vivado project."""
    return [name for name in names() if of(name).designs]


def _files() -> dict[str, Path]:
    return {path.parent.name: path for path in (paths.root() / "constraints").glob("*/board.yaml")}


@cache
def _read(path: Path) -> Board:
    what = "the declaration of a board"
    content = files.read_yaml(path, what)
    name = path.parent.name
    try:
        designs = content.get("designs", {})
        made = {
            core: files.entry(Design, {"config": name} | _tupled(entry, "memory")) for core, entry in designs.items()
        }
        board = files.entry(Board, {"name": name} | _tupled(content, "nextpnr") | {"designs": made})
    except (TypeError, AttributeError, ValueError) as error:
        raise UserError(f"'{path}' is not {what}: {files.reason(error)}") from error
    if board.bus not in BUSES:
        raise UserError(f"'{path}' is not {what}: its bus is '{board.bus}'; it must be {', '.join(BUSES)}")
    if board.clock_mhz <= 0 or board.dies < 1:
        raise UserError(f"'{path}' is not {what}: clock_mhz and dies must be above 0")
    return board


def _tupled(entry: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {k: tuple(v) if k == key and isinstance(v, list) else v for k, v in entry.items()}
