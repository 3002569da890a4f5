"""The cores with AXI as modules of LiteX, https://github.com/enjoy-digital/litex.

    from rlcores.integrations.litex import Core

    self.gae = Core(platform, "gae", "ecp5_8")
    self.bus.add_slave("gae", self.gae.bus, SoCRegion(size=self.gae.size, cached=False))
    self.irq.add("gae")
    self.comb += dma_reader.source.connect(self.gae.s_axis, omit={"keep"})

`bus` is the core's AXI4-Lite slave, the streams have the names of its ports (`gae.s_axis`, `gae.m_axis`), and `ev` has
its interrupt. The core is reset with the system.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rlcores.base import paths
from rlcores.buses.described import describe
from rlcores.eda import configs, declared, slang, sources
from rlcores.errors import UserError
from rlcores.integrations import require_library

try:
    from litex.gen import LiteXModule
    from litex.soc.interconnect import axi
    from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
    from migen import ClockSignal, Instance, ResetSignal, Signal

    _missing = None
except ImportError as error:
    if TYPE_CHECKING:
        raise  # a type checker has tools/typings
    else:
        LiteXModule, _missing = object, error

_CHANNELS = ("aw", "w", "b", "ar", "r")


class Core(LiteXModule):
    """A core with AXI4-Lite registers and AXI4-Stream data.

    platform    LiteX's platform: the core's Verilog is added to it
    core        "gae", "sumtree", "learner", "env", "policy", "ppo", "ppo_env", "learners_ppo" or "tensor"
    parameters  a name in configs.yaml, or Verilog parameters

    bus         axi.AXILiteInterface, a slave of 32 bits; `size` bytes of registers (docs/*_registers.md)
    s_…, m_…    axi.AXIStreamInterface, one a stream: s_… to the core, m_… from it
    ev          EventManager with the level `core`, the interrupt

    Raises UserError for another core, and for parameters that configs.yaml does not know or the core may not have;
    RunFailed where LiteX is not installed.
    """

    def __init__(self, platform: Any, core: str, parameters: str | Mapping[str, int | str]) -> None:
        require_library("litex", _missing)
        described = describe(core, parameters)
        if described.memory:
            raise UserError(f"'{core}' has a memory port of its own, for which there is no wrapper for LiteX")
        values = configs.load(core, parameters) if isinstance(parameters, str) else dict(parameters)
        declared.completed(core, values)
        design = sources.of_core(configs.core(core).vlnv).design(described.top, values)
        slang.check(design)
        add_sources(platform, core)
        ports = {port.name: port for port in slang.ports(design)}
        bits = ports["s_axil_awaddr"].bits
        self.size = 1 << bits
        self.bus = axi.AXILiteInterface(data_width=32, address_width=32)
        self.ev = EventManager()
        self.ev.core = EventSourceLevel(description="The interrupt of the core is up.")
        self.ev.finalize()
        wires: dict[str, Any] = {"i_clk": ClockSignal("sys"), "i_rst": ResetSignal("sys")}
        wires["o_irq"] = self.ev.core.trigger
        for channel in _CHANNELS:
            endpoint = getattr(self.bus, channel)
            for name in ("valid", "ready", *(n for n, _ in endpoint.description.payload_layout)):
                signal = getattr(endpoint, name)
                _wire(wires, ports, f"s_axil_{channel}{name}", signal[:bits] if name == "addr" else signal)
        for stream, width in described.beat_bits.items():
            endpoint = axi.AXIStreamInterface(data_width=width, keep_width=0, name=stream)
            setattr(self, stream, endpoint)
            for name in ("valid", "ready", "last", "data"):
                _wire(wires, ports, f"{stream}_t{name}", getattr(endpoint, name))
        for name, port in ports.items():
            if not {f"i_{name}", f"o_{name}"} & set(wires):
                # What a system around the core may use: nobody does here.
                wires[f"{'o' if port.output else 'i'}_{name}"] = Signal(port.bits) if port.output else 0
        # As they stand: LiteX would give a number its least width, and Verilog's sums of it would keep that.
        exact = {f"p_{n}": Instance.PreformattedParam(v if isinstance(v, int) else f'"{v}"') for n, v in values.items()}
        self.specials += Instance(described.top, **exact, **wires)


def add_sources(platform: Any, core: str) -> None:
    """The core's Verilog and its folders of includes, from rtl/*/gen/CORE.f."""
    root = paths.root()
    for line in configs.core(core).written(".f").read_text().splitlines():
        if line.startswith("+incdir+"):
            platform.add_verilog_include_path(str(root / line.removeprefix("+incdir+")))
        elif not line.startswith("//"):
            platform.add_source(str(root / line))


def _wire(wires: dict[str, Any], ports: Mapping[str, slang.Port], name: str, signal: Any) -> None:
    port = ports[name]
    wires[f"{'o' if port.output else 'i'}_{name}"] = signal
