"""AXI4-Stream agents: a source and a sink, both with random pauses, and a monitor of what the wires say.

A stream here is tdata, tvalid, tready and tlast; an item is one packet, a list of words of `word_bits`.
"""

from typing import ClassVar

from bench_handshake import Standing
from cocotb.triggers import RisingEdge
from cocotb_bus.monitors import BusMonitor
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from pyuvm import uvm_agent, uvm_analysis_port, uvm_component, uvm_driver, uvm_sequence_item, uvm_sequencer
from uvm_bench import clock_number, pauses, seeded


class AxisItem(uvm_sequence_item):
    """One packet: words in the order of the stream, the beat's lowest bits first."""

    def __init__(self, words: list[int]) -> None:
        super().__init__("axis")
        self.words = words
        self.clock = 0  # of the last beat, set by the monitor

    def __str__(self) -> str:
        return f"packet of {len(self.words)} words"


class AxisWires(BusMonitor):
    """Collects packets; checks that a stalled beat stands still."""

    _signals: ClassVar = ["tdata", "tvalid", "tready", "tlast"]

    def __init__(self, *args, word_bits: int, **kwargs) -> None:
        self.word_bits = word_bits
        self.words: list[int] = []  # of the packet that is not finished
        super().__init__(*args, **kwargs)
        self.standing = Standing(self.name)

    async def _monitor_recv(self) -> None:
        bus, mask = self.bus, (1 << self.word_bits) - 1
        offsets = range(0, len(bus.tdata), self.word_bits)
        edge = RisingEdge(self.clock)
        while True:
            await edge
            if self.in_reset:
                self.words = []
                self.standing.forget()
                continue
            valid = int(bus.tvalid.value)
            beat = (int(bus.tdata.value), int(bus.tlast.value)) if valid else None
            if not self.standing.look(valid, bus.tready.value, beat):
                continue
            self.words += [beat[0] >> offset & mask for offset in offsets]
            if beat[1]:
                self._recv(AxisItem(self.take()))

    @property
    def ending(self) -> bool:
        """The beat that is offered is the last of its packet."""
        return bool(int(self.bus.tvalid.value)) and bool(int(self.bus.tlast.value))

    def take(self) -> list[int]:
        """The words of the unfinished packet; the next beat begins another one."""
        words, self.words = self.words, []
        return words


class AxisMonitor(uvm_component):
    """Publishes every finished packet on `ap`."""

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)
        self.wires: AxisWires | None = None

    async def run_phase(self) -> None:
        dut, bits = self.cdb_get("DUT"), self.cdb_get("WORD_BITS")
        self.wires = AxisWires(dut, self.cdb_get("PREFIX"), dut.clk, dut.rst, callback=self._publish, word_bits=bits)

    def _publish(self, item: AxisItem) -> None:
        item.clock = clock_number()
        self.ap.write(item)

    @property
    def stalls(self) -> int:
        """Clocks in which a beat was offered and not taken."""
        return self.wires.standing.stalls if self.wires is not None else 0


class AxisSourceDriver(uvm_driver):
    """Hands packets to the stream; an item is done when its last beat was taken or a reset dropped it."""

    async def run_phase(self) -> None:
        dut = self.cdb_get("DUT")
        bus = AxiStreamBus.from_prefix(dut, self.cdb_get("PREFIX"))
        source = AxiStreamSource(bus, dut.clk, dut.rst, byte_size=self.cdb_get("WORD_BITS"))
        source.log.setLevel("ERROR")
        source.set_pause_generator(pauses(seeded(self.get_full_name())))
        while True:
            item = await self.seq_item_port.get_next_item()
            await source.send(AxiStreamFrame(item.words))
            await source.wait()
            self.seq_item_port.item_done()


class AxisSinkDriver(uvm_component):
    """Takes whatever comes, at its own pace; `stop` holds the stream for as long as a test wants."""

    async def run_phase(self) -> None:
        dut = self.cdb_get("DUT")
        bus = AxiStreamBus.from_prefix(dut, self.cdb_get("PREFIX"))
        self._sink = AxiStreamSink(bus, dut.clk, dut.rst, byte_size=self.cdb_get("WORD_BITS"))
        self._sink.log.setLevel("ERROR")
        self.go()

    def stop(self) -> None:
        """Take nothing from now on."""
        self._sink.clear_pause_generator()
        self._sink.pause = True

    def go(self) -> None:
        """Take beats again, with random pauses."""
        self._sink.set_pause_generator(pauses(seeded(self.get_full_name())))


class AxisSourceAgent(uvm_agent):
    """AXI4-Stream source. Needs DUT, PREFIX and WORD_BITS in the configuration database."""

    def build_phase(self) -> None:
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = AxisSourceDriver("driver", self)
        self.monitor = AxisMonitor("monitor", self)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)


class AxisSinkAgent(uvm_agent):
    """AXI4-Stream sink. Needs DUT, PREFIX and WORD_BITS in the configuration database."""

    def build_phase(self) -> None:
        self.driver = AxisSinkDriver("driver", self)
        self.monitor = AxisMonitor("monitor", self)
