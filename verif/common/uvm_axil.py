"""AXI4-Lite agent: a master with random pauses on all five channels, and a monitor of what the wires say."""

from collections import deque
from typing import ClassVar

import cocotb
from bench_handshake import Standing
from cocotb.task import Task
from cocotb.triggers import RisingEdge
from cocotb_bus.monitors import BusMonitor
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from pyuvm import uvm_agent, uvm_analysis_port, uvm_component, uvm_driver, uvm_sequence_item, uvm_sequencer
from uvm_bench import clock_number, pauses, seeded

OKAY, SLVERR = 0, 2
PENDING = -1  # response of a write that was taken and not answered yet


class AxilItem(uvm_sequence_item):
    """One 32-bit access. The driver fills in response, and data of a read; of a posted one, some time later."""

    def __init__(
        self, write: bool, address: int, data: int = 0, response: int = OKAY, posted: bool = False, skip: int = 0
    ) -> None:
        super().__init__("axil")
        self.write = write
        self.address = address
        self.data = data
        self.response = response
        self.posted = posted  # the next access in the same direction need not wait for the answer
        self.skip = skip  # this many of the lowest bytes of a write have no strobe
        self.clock = 0  # of the response, set by the monitor

    def __str__(self) -> str:
        arrow = "<=" if self.write else "=>"
        return f"0x{self.address:02X} {arrow} 0x{self.data:08X} ({self.response})"


class ChannelWires(BusMonitor):
    """The channels of a bus of AXI: `take` is told what each hands over in a clock. A stalled channel stands still."""

    _payload: ClassVar[dict[str, tuple[str, ...]]]  # of each channel, the signals that go with its valid
    read = staticmethod(lambda signal: int(signal.value))

    def __init__(self, *args, **kwargs) -> None:
        self.forget()
        super().__init__(*args, **kwargs)
        self.standing = {channel: Standing(f"{self.name} {channel}") for channel in self._payload}

    @property
    def stalls(self) -> dict[str, int]:
        """Clocks in which each channel offered something that was not taken."""
        return {channel: standing.stalls for channel, standing in self.standing.items()}

    def forget(self) -> None:
        """A reset: what was under way is not."""
        raise NotImplementedError

    def take(self, handed: dict[str, tuple]) -> None:
        """What was handed over in this clock, by channel."""
        raise NotImplementedError

    async def _monitor_recv(self) -> None:
        bus = self.bus
        channels = [
            (name, getattr(bus, f"{name}valid"), getattr(bus, f"{name}ready"), [getattr(bus, p) for p in payload])
            for name, payload in self._payload.items()
        ]
        edge = RisingEdge(self.clock)
        while True:
            await edge
            if self.in_reset:
                for standing in self.standing.values():
                    standing.forget()
                self.forget()
                continue
            handed = {}
            for name, valid, ready, payload in channels:
                offered = int(valid.value)
                word = tuple(self.read(signal) for signal in payload) if offered else None
                if self.standing[name].look(offered, ready.value, word):
                    handed[name] = word
            if handed:
                self.take(handed)


class AxilWires(ChannelWires):
    """Joins address, data and response of each access."""

    _signals: ClassVar = [
        *("awaddr", "awvalid", "awready", "wdata", "wvalid", "wready", "bresp", "bvalid", "bready"),
        *("araddr", "arvalid", "arready", "rdata", "rresp", "rvalid", "rready"),
    ]
    _payload: ClassVar = {
        **{"aw": ("awaddr",), "w": ("wdata",), "b": ("bresp",)},
        **{"ar": ("araddr",), "r": ("rresp", "rdata")},
    }

    def forget(self) -> None:
        """As ChannelWires.forget."""
        self._waiting: dict[str, deque] = {name: deque() for name in self._payload}
        self._unanswered: deque[AxilItem] = deque()

    def take(self, handed: dict[str, tuple]) -> None:
        """As ChannelWires.take."""
        waiting, unanswered = self._waiting, self._unanswered
        for name, word in handed.items():
            waiting[name].append(word)
        if waiting["aw"] and waiting["w"]:
            unanswered.append(AxilItem(True, *waiting["aw"].popleft(), *waiting["w"].popleft(), PENDING))
            self._recv(unanswered[-1])
        if waiting["b"]:
            assert unanswered, f"{self.name}: a write was answered that nobody asked for"
            (response,) = waiting["b"].popleft()
            item = unanswered.popleft()
            self._recv(AxilItem(True, item.address, item.data, response))
        if waiting["r"]:
            assert waiting["ar"], f"{self.name}: a read was answered that nobody asked for"
            (address,), (response, data) = waiting["ar"].popleft(), waiting["r"].popleft()
            self._recv(AxilItem(False, address, data, response))


class AxilDriver(uvm_driver):
    """Does the sequencer's accesses one after the other."""

    async def run_phase(self) -> None:
        dut, prefix = self.cdb_get("DUT"), self.cdb_get("PREFIX")
        master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, prefix), dut.clk, dut.rst)
        for side in (master.write_if, master.read_if):
            side.log.setLevel("WARNING")
        channels = (
            *(master.write_if.aw_channel, master.write_if.w_channel, master.write_if.b_channel),
            *(master.read_if.ar_channel, master.read_if.r_channel),
        )
        for number, channel in enumerate(channels):
            channel.set_pause_generator(pauses(seeded(f"{self.get_full_name()} {number}")))
        outstanding: list[tuple[bool, Task]] = []
        while True:
            item = await self.seq_item_port.get_next_item()
            # A read does not overtake a write, nor a write a read.
            if any(write != item.write for write, _ in outstanding):
                for _, task in outstanding:
                    await task
            outstanding = [(write, task) for write, task in outstanding if not task.done()]
            task = cocotb.start_soon(self._access(master, item))
            if item.posted:
                outstanding.append((item.write, task))
            else:
                await task
            self.seq_item_port.item_done()

    async def _access(self, master: AxiLiteMaster, item: AxilItem) -> None:
        if item.write:
            answer = await master.write(item.address + item.skip, item.data.to_bytes(4, "little")[item.skip :])
        else:
            answer = await master.read(item.address, 4)
            item.data = int.from_bytes(answer.data, "little")
        item.response = int(answer.resp)


class AxilMonitor(uvm_component):
    """Publishes on `ap`: a read when it is answered; a write when it is taken (PENDING), and again when answered."""

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)
        self.wires: AxilWires | None = None

    async def run_phase(self) -> None:
        dut = self.cdb_get("DUT")
        self.wires = AxilWires(dut, self.cdb_get("PREFIX"), dut.clk, dut.rst, callback=self._publish)

    def _publish(self, item: AxilItem) -> None:
        item.clock = clock_number()
        self.ap.write(item)


class AxilAgent(uvm_agent):
    """AXI4-Lite master. Needs DUT and PREFIX in the configuration database."""

    def build_phase(self) -> None:
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = AxilDriver("driver", self)
        self.monitor = AxilMonitor("monitor", self)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)

    def stalls(self) -> dict[str, int]:
        """Clocks in which a channel was valid and not ready, by channel."""
        return self.monitor.wires.stalls if self.monitor.wires is not None else {}
