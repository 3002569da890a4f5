"""Whether a project's block design is what the drivers believe: rlcores.buses.designs against the Tcl."""

import re

from rlcores.buses.designs import Design, design
from rlcores.cores.ppo import driver as ppo
from rlcores.cores.replay_learner import driver as replay_learner
from rlcores.eda import boards, declared, registers
from rlcores.errors import RunFailed
from vivado import catalogue
from vivado import design as blocks
from vivado.recorder import Project


def check(project: Project, core: str, board: str) -> int:
    """RunFailed at the first address, channel, DMA or interrupt that differs; how many were compared."""
    expected = design(core, board)
    (block_design,) = project.designs.values()
    bus = boards.of(board).bus
    done = (
        _registers(block_design, expected, bus)
        + _streams(block_design, expected, bus)
        + _interrupt(block_design, expected, bus)
    )
    return done + _memory(block_design, expected, bus) + _clock(block_design, expected, boards.of(board).clock_mhz)


def _same(what: str, theirs: object, ours: object) -> int:
    if theirs != ours:
        raise RunFailed(f"{what} is {theirs} in the block design, and {ours} for the drivers")
    return 1


def _registers(block_design: blocks.Design, expected: Design, bus: str) -> int:
    space = {"pynq": "ps/Data", "xdma": "xdma/M_AXI_LITE"}[bus]
    place = [m for m in block_design.mapped if (m.space, m.segment) == (space, f"{expected.cell}/s_axil/reg0")]
    _same("the number of places of the registers", len(place), 1)
    _same("the address of the registers", hex(place[0].offset), hex(expected.base))
    _same("the size of the registers", hex(place[0].range), hex(expected.window))
    map_of = declared.fact(expected.core, "instance").get("interrupt", expected.core)
    last = max(register.address for register in registers.load(map_of).values())
    if expected.core == "replay_learner":
        last = max(
            last,
            replay_learner.TREE + max(r.address for r in registers.load("sumtree").values()),
            replay_learner.LEARNER + max(r.address for r in registers.load("learner").values()),
        )
    if expected.core == "ppo_env":
        last = max(last, ppo.ENV + max(register.address for register in registers.load("env").values()))
    if last + 4 > expected.window:
        raise RunFailed(f"a register lies at 0x{last:X}, beyond the {expected.window} bytes that the host sees")
    return 3


def _ends(block_design: blocks.Design, end: str) -> str:
    """The other end of a stream, behind converters and FIFOs."""
    while True:
        other = next(b if a == end else a for a, b in block_design.links if end in (a, b))
        cell, _, _ = other.partition("/")
        entry = block_design.cell(cell)
        if entry.module is not None or not catalogue.ip(entry.block).get("stream"):
            return other
        end = f"{cell}/M_AXIS" if other.endswith("/S_AXIS") else f"{cell}/S_AXIS"


def _streams(block_design: blocks.Design, expected: Design, bus: str) -> int:
    cell = block_design.cell(expected.cell)
    streams = {n for n, i in cell.shape().interfaces.items() if i.type == "axis"}
    done = _same("the streams of the core", sorted(streams), sorted({**expected.sources, **expected.sinks}))
    for names, engine in (
        (expected.sources, ("M_AXIS_MM2S", "M_AXIS_H2C_")),
        (expected.sinks, ("S_AXIS_S2MM", "S_AXIS_C2H_")),
    ):
        for name, where in names.items():
            ours = f"{where}/{engine[0]}" if bus == "pynq" else f"xdma/{engine[1]}{where}"
            done += _same(f"the other end of {name}", _ends(block_design, f"{expected.cell}/{name}"), ours)
    return done


def _interrupt(block_design: blocks.Design, expected: Design, bus: str) -> int:
    net = block_design.nets[block_design.net_of(f"{expected.cell}/irq")]
    ends = {end for end in net if "/" in end} - {f"{expected.cell}/irq"}
    # One user interrupt only, so the pin has one bit.
    return _same("what hears the interrupt", ends, {"intc/intr"} if bus == "pynq" else {"xdma/usr_irq_req"}) + (
        _same("the user interrupt", 0, expected.event) if bus == "xdma" else 0
    )


def _memory(block_design: blocks.Design, expected: Design, bus: str) -> int:
    # Of several masters each sees the same.
    own = re.compile(rf"{expected.cell}/m_axi(_\d+)?")
    spaces = sorted({(m.offset, m.range) for m in block_design.mapped if own.fullmatch(m.space)})
    done = _same("the memory behind the core", spaces, [expected.memory] if expected.memory else [])
    if bus == "xdma":
        seen = [(m.offset, m.range) for m in block_design.mapped if m.space == "xdma/M_AXI_BYPASS"]
        done += _same("the memory in the bypass BAR", seen, [(0, expected.bypass)] if expected.bypass else [])
    return done


def _clock(block_design: blocks.Design, expected: Design, mhz: float) -> int:
    """The core's clock is the board's: its own where it has one beside the bus's."""
    pins = block_design.cell(expected.cell).shape().pins
    net = block_design.net_of(f"{expected.cell}/{'core_clk' if 'core_clk' in pins else 'aclk'}")
    (driver,) = (block_design.pin(end) for end in block_design.nets[net] if block_design.drives(end))
    return _same("the clock of the core, in MHz,", float(driver.mhz or 0), float(mhz))
