"""Agent for pins that are no stream: levels that stay, pulses of one clock, and a monitor of any wires."""

from cocotb.triggers import RisingEdge
from cocotb_bus.drivers import BusDriver
from cocotb_bus.monitors import BusMonitor
from pyuvm import uvm_agent, uvm_analysis_port, uvm_component, uvm_driver, uvm_sequence_item, uvm_sequencer
from uvm_bench import clock_number


class PinsItem(uvm_sequence_item):
    """New levels, by name, and what is pulsed with them."""

    def __init__(self, *pulses: str, **levels: int) -> None:
        super().__init__("pins")
        self.pulses = pulses
        self.levels = levels
        self.clock = 0  # set by the monitor

    def __str__(self) -> str:
        return f"{' '.join(self.pulses)} {self.levels}"


class Pins(BusDriver):
    """Sets inputs; a pulse lasts one clock."""

    def __init__(self, entity, prefix: str | None, clock, signals: tuple[str, ...]) -> None:
        self._signals = [*signals]
        super().__init__(entity, prefix, clock)
        for signal in signals:
            getattr(self.bus, signal).value = 0

    async def _driver_send(self, transaction: PinsItem, sync: bool = False) -> None:
        for name, value in transaction.levels.items():
            getattr(self.bus, name).value = value
        for name in transaction.pulses:
            getattr(self.bus, name).value = 1
        await RisingEdge(self.clock)
        for name in transaction.pulses:
            getattr(self.bus, name).value = 0


class PinsDriver(uvm_driver):
    """Does the sequencer's items one after the other."""

    def __init__(self, name: str, parent, prefix: str | None, signals: tuple[str, ...]) -> None:
        super().__init__(name, parent)
        self._prefix, self._signals = prefix, signals

    async def run_phase(self) -> None:
        dut = self.cdb_get("DUT")
        pins = Pins(dut, self._prefix, dut.clk, self._signals)
        while True:
            item = await self.seq_item_port.get_next_item()
            await pins.send(item, sync=False)
            self.seq_item_port.item_done()


class WiresMonitor(uvm_component):
    """Publishes what a BusMonitor class sees on a group of wires, on `ap`."""

    def __init__(self, name: str, parent, wires: type[BusMonitor], prefix: str | None) -> None:
        super().__init__(name, parent)
        self._made, self._prefix = wires, prefix
        self.wires: BusMonitor | None = None

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self) -> None:
        dut = self.cdb_get("DUT")
        self.wires = self._made(dut, self._prefix, dut.clk, dut.rst, callback=self._publish)

    def _publish(self, item) -> None:
        item.clock = clock_number()
        self.ap.write(item)


class PinsAgent(uvm_agent):
    """Inputs PREFIX_…, or without prefix, and a monitor of them. Needs DUT in the configuration database."""

    def __init__(
        self, name: str, parent, signals: tuple[str, ...], wires: type[BusMonitor], prefix: str | None = None
    ) -> None:
        super().__init__(name, parent)
        self._signals, self._wires, self._prefix = signals, wires, prefix

    def build_phase(self) -> None:
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = PinsDriver("driver", self, self._prefix, self._signals)
        self.monitor = WiresMonitor("monitor", self, self._wires, self._prefix)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
