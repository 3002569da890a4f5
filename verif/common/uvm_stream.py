"""Native valid/ready agents: a source and a sink whose pace a test can set, and a monitor of what the wires say.

A port is PREFIX_valid, PREFIX_ready and one signal for each name of FIELDS; an item is one transfer.
"""

from collections.abc import Iterable, Iterator
from itertools import repeat

from bench_handshake import Standing
from cocotb.triggers import RisingEdge
from cocotb_bus.drivers import BusDriver
from cocotb_bus.monitors import BusMonitor
from pyuvm import (
    uvm_agent,
    uvm_analysis_port,
    uvm_component,
    uvm_driver,
    uvm_sequence,
    uvm_sequence_item,
    uvm_sequencer,
)
from uvm_bench import clock_number, pauses, seeded


class StreamItem(uvm_sequence_item):
    """One transfer: the value of each field by name. A field that a source is not given keeps its last value."""

    def __init__(self, **fields: int) -> None:
        super().__init__("stream")
        self.fields = fields
        self.clock = 0  # of the transfer, set by the monitor

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.fields.items())


class Items(uvm_sequence):
    """Items on one port, each made when the one before it was taken."""

    def __init__(self, fields: Iterable[dict[str, int]]) -> None:
        super().__init__("items")
        self._fields = fields

    async def body(self) -> None:
        for fields in self._fields:
            item = StreamItem(**fields)
            await self.start_item(item)
            await self.finish_item(item)


class Pace:
    """When a port pauses, one bool a clock; random until somebody says otherwise."""

    def __init__(self, name: str) -> None:
        self._random = pauses(seeded(name))
        self.go()

    def __next__(self) -> bool:
        return next(self._now)

    def go(self) -> None:
        """Random pauses."""
        self._now: Iterator[bool] = self._random

    def full_speed(self) -> None:
        """No pauses."""
        self._now = repeat(False)

    def stop(self) -> None:
        """Nothing moves."""
        self._now = repeat(True)


class SourcePins(BusDriver):
    """Offers one transfer at a time, each after the pauses of its turn; valid waits for nobody."""

    def __init__(self, entity, name, clock, fields: tuple[str, ...], pace: Pace) -> None:
        self._signals = ["valid", "ready", *fields]
        self._pace = pace
        super().__init__(entity, name, clock)
        for signal in ("valid", *fields):
            getattr(self.bus, signal).value = 0

    async def _driver_send(self, transaction: dict[str, int], sync: bool = False) -> None:
        bus, edge = self.bus, RisingEdge(self.clock)
        while next(self._pace):
            await edge
        for name, value in transaction.items():
            getattr(bus, name).value = value
        bus.valid.value = 1
        await edge
        while not int(bus.ready.value):
            await edge
        # The next transfer may be offered in this very clock; then this is written over.
        bus.valid.value = 0


class SinkPins(BusDriver):
    """Ready as its pace says."""

    _signals = ("ready",)

    def __init__(self, entity, name, clock, pace: Pace) -> None:
        self._pace = pace
        super().__init__(entity, name, clock)

    async def run(self) -> None:
        edge, ready = RisingEdge(self.clock), None
        while True:
            if ready != (now := not next(self._pace)):
                ready = now
                self.bus.ready.value = ready
            await edge


class StreamWires(BusMonitor):
    """Publishes each transfer; checks that a stalled one stands still."""

    def __init__(self, *args, fields: tuple[str, ...], **kwargs) -> None:
        self._signals = ["valid", "ready", *fields]
        self._fields = fields
        super().__init__(*args, **kwargs)
        self.standing = Standing(self.name)

    async def _monitor_recv(self) -> None:
        bus, edge = self.bus, RisingEdge(self.clock)
        payload = [getattr(bus, name) for name in self._fields]
        while True:
            await edge
            if self.in_reset:
                self.standing.forget()
                continue
            valid = int(bus.valid.value)
            values = [int(signal.value) for signal in payload] if valid else None
            if self.standing.look(valid, bus.ready.value, values):
                self._recv(StreamItem(**dict(zip(self._fields, values, strict=True))))


class StreamMonitor(uvm_component):
    """Publishes every transfer on `ap`."""

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)
        self.wires: StreamWires | None = None

    async def run_phase(self) -> None:
        dut, fields = self.cdb_get("DUT"), self.cdb_get("FIELDS")
        self.wires = StreamWires(dut, self.cdb_get("PREFIX"), dut.clk, dut.rst, callback=self._publish, fields=fields)

    def _publish(self, item: StreamItem) -> None:
        item.clock = clock_number()
        self.ap.write(item)

    @property
    def stalls(self) -> int:
        """Clocks in which a transfer was offered and not taken."""
        return self.wires.standing.stalls if self.wires is not None else 0

    @property
    def transfers(self) -> int:
        """Transfers so far."""
        return self.wires.standing.transfers if self.wires is not None else 0


class StreamSourceDriver(uvm_driver):
    """Hands items to the port, back to back where its pace lets it; an item is done when it was taken."""

    def build_phase(self) -> None:
        self.pace = Pace(self.get_full_name())

    async def run_phase(self) -> None:
        dut = self.cdb_get("DUT")
        pins = SourcePins(dut, self.cdb_get("PREFIX"), dut.clk, self.cdb_get("FIELDS"), self.pace)
        while True:
            item = await self.seq_item_port.get_next_item()
            await pins.send(item.fields, sync=False)
            self.seq_item_port.item_done()


class StreamSinkDriver(uvm_component):
    """Takes whatever comes, at its own pace."""

    def build_phase(self) -> None:
        self.pace = Pace(self.get_full_name())

    async def run_phase(self) -> None:
        dut = self.cdb_get("DUT")
        await SinkPins(dut, self.cdb_get("PREFIX"), dut.clk, self.pace).run()


class StreamSourceAgent(uvm_agent):
    """Source of a valid/ready port. Needs DUT, PREFIX and FIELDS in the configuration database."""

    def build_phase(self) -> None:
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = StreamSourceDriver("driver", self)
        self.monitor = StreamMonitor("monitor", self)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)


class StreamSinkAgent(uvm_agent):
    """Sink of a valid/ready port. Needs DUT, PREFIX and FIELDS in the configuration database."""

    def build_phase(self) -> None:
        self.driver = StreamSinkDriver("driver", self)
        self.monitor = StreamMonitor("monitor", self)
