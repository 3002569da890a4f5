"""Opens the bus to a core: in simulation, on a Zynq board, on a PCIe card, or over a serial line.

`sim` is rlcores.buses.verilated.VerilatedBus. Those for boards need the board's own software, which is imported when a
bus is opened and not before.
"""

from collections.abc import Mapping
from typing import Any

from rlcores.buses.bus import StreamsBus
from rlcores.buses.described import describe
from rlcores.buses.verilated import Masters, VerilatedBus
from rlcores.eda import boards
from rlcores.errors import UserError


def open(board: str, core: str, parameters: str | Mapping[str, int | str], **options: Any) -> StreamsBus:
    """The bus to a core, which the core's driver takes.

    board       "sim" (built by Verilator when needed), or a board that is declared: its bus is PynqBus ("zcu106"),
                XdmaBus ("u200") or SerialCore ("ulx3s")
    core        "gae" (also rlc_heppo on a board), "sumtree", "learner", "replay_learner", "env", "policy", "ppo",
                "ppo_env", "agent" or "tensor"
    parameters  a name in configs.yaml, or the Verilog parameters that the core was built with
    options     further arguments of the bus. pynq: overlay, ip, and sources and sinks from ports to AXI DMAs. xdma:
                device, base, event; the ports' channels are numbered in the order of describe(), unless given. Both:
                memory, for the replay learner. sim: limit, dram. serial: port, the name of the serial port, with baud
                and timeout; or link, a SerialLink, to reach both its cores over one line
    Raises UserError for another board or core, RunFailed where the board or its software is missing.
    """
    described = describe(core, parameters)
    if board == "sim":
        return simulated(core, parameters, **options)
    if board not in boards.names():
        raise UserError(f"there is no board '{board}'; boards: sim, {', '.join(boards.names())}")
    bus = boards.of(board).bus
    if bus == "pynq":
        from rlcores.buses.pynq import PynqBus

        return PynqBus(beat_bits=described.beat_bits, interrupt=described.interrupt, **options)
    if bus == "xdma":
        from rlcores.buses.xdma import XdmaBus

        channels = {
            "sources": {name: i for i, name in enumerate(described.sources)},
            "sinks": {name: i for i, name in enumerate(described.sinks)},
        }
        fixed = {"beat_bits": described.beat_bits, "framed": described.framed, "interrupt": described.interrupt}
        return XdmaBus(**fixed, **(channels | options))
    from rlcores.buses.serial import open_core

    return open_core(core, described.beat_bits, **options)


def simulated(core: str, parameters: str | Mapping[str, int | str], **options: Any) -> VerilatedBus:
    """The RTL of a core, built by Verilator when needed. options: of VerilatedBus."""
    c = describe(core, parameters)
    streams = {"sources": c.sources, "sinks": c.sinks, "beat_bits": c.beat_bits}
    masters = Masters(**c.masters) if c.masters else None
    return VerilatedBus(c.vlnv, c.top, c.parameters, **streams, memory=c.memory, masters=masters, **options)
