"""Where a core is: simulated here, on a Zynq board, a PCIe card or behind a serial line. One bus for every driver.

`sim` is rlcores.buses.verilated.VerilatedBus. Those for boards need the board's own software, which is imported when a
bus is opened and not before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rlcores.buses.board import Interrupt
from rlcores.buses.bus import StreamsBus
from rlcores.engine import boards, configs, registers
from rlcores.errors import UserError


@dataclass(frozen=True)
class Core:
    """What a back end must know of a core with given Verilog parameters."""

    name: str  # as configs.yaml and the register map call it
    vlnv: str
    top: str
    sources: tuple[str, ...]
    sinks: tuple[str, ...]
    beat_bits: Mapping[str, int]  # bits of a beat, by stream
    interrupt: Interrupt
    framed: tuple[str, ...] = ()  # sources whose TLAST it heeds
    memory: str | None = None  # its AXI4 master, if it has one


CORES = ("gae", "sumtree", "learner", "replay_learner")


def describe(core: str, parameters: str | Mapping[str, int | str]) -> Core:
    """The streams, memory and interrupt registers of a core of CORES.

    parameters: the name of a configuration, or Verilog parameters. Raises UserError for another core.
    """
    from rlcores.cores.learner import driver as learner
    from rlcores.cores.replay_learner import driver as replay_learner
    from rlcores.cores.sumtree import driver as sumtree

    if core not in CORES:
        raise UserError(f"there is no back end for core '{core}'; cores: {', '.join(CORES)}")
    if isinstance(parameters, str):
        parameters = configs.load(core, parameters)
    framed: tuple[str, ...] = ()
    memory = None
    if core == "gae":
        bits = 64 * int(parameters["BEAT"])
        vlnv, top, beat_bits = "rlcores:gae:gae", "rlc_gae_axi", {"s_axis": bits, "m_axis": bits}
        framed = ("s_axis",)
    elif core == "sumtree":
        vlnv, top, beat_bits = sumtree.VLNV, sumtree.TOP, sumtree.BEAT_BITS
    elif core == "learner":
        vlnv, top, beat_bits = learner.VLNV, learner.TOP, learner.beat_bits(parameters)
    else:
        module = replay_learner
        vlnv, top, beat_bits, memory = module.VLNV, module.TOP, module.beat_bits(parameters), "m_axi"
    sources, sinks = (tuple(name for name in beat_bits if name.startswith(side)) for side in "sm")
    found = registers.load(core)
    interrupt = Interrupt(found["IRQ_STATUS"].address, found["IRQ_ENABLE"].address)
    return Core(core, vlnv, top, sources, sinks, dict(beat_bits), interrupt, framed, memory)


def open(board: str, core: str, parameters: str | Mapping[str, int | str], **options: Any) -> StreamsBus:
    """The bus to a core: what GaeDriver, SumTreeDriver, LearnerDriver and ReplayLearnerDriver take.

    board       "sim" (built by Verilator when needed), or a board that is declared: its bus is PynqBus ("zcu106"),
                XdmaBus ("u200") or SerialCore ("ulx3s")
    core        "gae", "sumtree", "learner" or "replay_learner"; "gae" for rlc_heppo too, on a board
    parameters  a name in configs.yaml, or the Verilog parameters that the core was built with
    options     further arguments of the bus. pynq: overlay, ip, and sources and sinks from ports to AXI DMAs. xdma:
                device, base, event; the ports' channels are numbered in the order of describe(), unless given. Both:
                memory, for the replay learner. sim: limit, dram. serial: port, the name of the serial port, with baud
                and timeout; or link, a SerialLink, to reach both its cores over one line
    Raises UserError for another board or core, RunFailed where the board or its software is missing.
    """
    found = describe(core, parameters)
    if board == "sim":
        from rlcores.buses.verilated import VerilatedBus

        given = configs.load(core, parameters) if isinstance(parameters, str) else parameters
        streams = {"sources": found.sources, "sinks": found.sinks, "beat_bits": found.beat_bits}
        return VerilatedBus(found.vlnv, found.top, given, **streams, memory=found.memory, **options)
    if board not in boards.names():
        raise UserError(f"there is no board '{board}'; boards: sim, {', '.join(boards.names())}")
    bus = boards.of(board).bus
    if bus == "pynq":
        from rlcores.buses.pynq import PynqBus

        return PynqBus(beat_bits=found.beat_bits, interrupt=found.interrupt, **options)
    if bus == "xdma":
        from rlcores.buses.xdma import XdmaBus

        channels = {
            "sources": {name: i for i, name in enumerate(found.sources)},
            "sinks": {name: i for i, name in enumerate(found.sinks)},
        }
        fixed = {"beat_bits": found.beat_bits, "framed": found.framed, "interrupt": found.interrupt}
        return XdmaBus(**fixed, **(channels | options))
    from rlcores.buses.serial import open_core

    return open_core(core, found.beat_bits, **options)
