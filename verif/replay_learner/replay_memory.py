"""A memory behind a core's AXI4 master in UVM: who answers, what its wires say, what the model does to it, in order.

SequencedBus is an environment's agents as the bus of the drivers of rlcores, which run in a thread.
"""

from collections import Counter, deque
from collections.abc import Mapping
from typing import ClassVar

import cocotb
import numpy as np
from cocotb.task import resume
from cocotb.triggers import ClockCycles, RisingEdge
from foreign_bus import Ram
from pyuvm import uvm_component
from uvm_axil import AxilItem, ChannelWires
from uvm_axis import AxisItem
from uvm_bench import Listener, One, clock_number, seeded
from uvm_core import AxiEnv, Predictor

from rlcores.buses.bus import BusError
from rlcores.cores.replay_learner.model import Drawn, Errors, ReplayLearnerModelDriver

PATIENCE = 100_000  # clocks
SHARE = (0.1, 0.3)  # of the clocks in which the memory pauses: every channel is to stall in every run


class MemoryWires(ChannelWires):
    """Bursts at an AXI4 master, ("write", address, bytes) and ("read", address); `orders` counts how.

    overtaken: a beat came before one of an older read. mixed: beats of two reads by turns. late: of a read from before
    a reset. id ID: beats with it, in bits, of which the first two change with every reset.
    """

    _signals: ClassVar = [
        *("awaddr", "awvalid", "awready", "wdata", "wlast", "wvalid", "wready", "bvalid", "bready"),
        *("araddr", "arid", "arvalid", "arready", "rdata", "rid", "rlast", "rvalid", "rready"),
    ]
    _payload: ClassVar = {
        **{"aw": ("awaddr",), "w": ("wdata", "wlast"), "b": ()},
        **{"ar": ("araddr", "arid"), "r": ("rdata", "rid", "rlast")},
    }

    read = staticmethod(lambda signal: str(signal.value))  # a word that was never written has no value in Icarus

    def __init__(self, *args, **kwargs) -> None:
        self.orders: Counter[str] = Counter()
        super().__init__(*args, **kwargs)

    def forget(self) -> None:
        """As ChannelWires.forget."""
        self._addresses: deque[int] = deque()
        self._bodies: deque[bytes] = deque()
        self._body = b""
        self._asked: list[str] = []  # the IDs of reads, oldest first
        self._beside: str | None = None  # of a read that has more beats to come

    def take(self, handed: dict[str, tuple]) -> None:
        """As ChannelWires.take."""
        if "aw" in handed:
            self._addresses.append(int(handed["aw"][0], 2))
        if "w" in handed:
            data, last = handed["w"]
            self._body += int(data, 2).to_bytes(len(data) // 8, "little")
            if last == "1":
                self._bodies.append(self._body)
                self._body = b""
        if "ar" in handed:
            self._asked.append(handed["ar"][1])
            self._recv(("read", int(handed["ar"][0], 2)))
        if "r" in handed:
            self._answered(*handed["r"][1:])
        if self._addresses and self._bodies:
            self._recv(("write", self._addresses.popleft(), self._bodies.popleft().hex()))

    def _answered(self, number: str, last: str) -> None:
        orders, asked = self.orders, self._asked
        orders[f"id {number}"] += 1
        if number not in asked:
            orders["late"] += 1
            return
        orders["overtaken"] += asked[0] != number
        orders["mixed"] += self._beside not in (None, number)
        self._beside = number if last == "0" else None
        if last == "1":
            asked.remove(number)


class Memory(uvm_component):
    """The memory behind the core, that reorders and waits, and the bursts at it. `ram` is what drivers call it."""

    def build_phase(self) -> None:
        self.dut = self.cdb_get("DUT")
        self.wires: MemoryWires | None = None
        self.predictor: MemoryPredictor | None = None  # told by the environment
        self.ram = Ram(self.dut, "m_axi", seeded("memory").choice(SHARE), readers=4)

    async def run_phase(self) -> None:
        self.wires = MemoryWires(self.dut, "m_axi", self.dut.clk, self.dut.rst, callback=self.predictor.burst)


class Recorded(ReplayLearnerModelDriver):
    """The model, which tells what it does to the memory. A batch trains on the records that it was drawn with."""

    tell = staticmethod(lambda *what: None)

    def insert(self, rows: np.ndarray, failed: np.ndarray | None = None) -> None:
        """As ReplayLearnerModelDriver.insert."""
        layout, tree = self.layout, self.tree
        for k, data in enumerate(layout.to_memory(rows)):
            slot = (tree.next + k) % tree.capacity
            self.tell("write", self.base + slot * layout.stride, data.tobytes().hex())
        super().insert(rows, failed)

    def drawn(self, unreadable=()) -> Drawn:
        draw = super().drawn(unreadable)
        for slot, status in zip(draw.answers["index"], draw.answers["status"], strict=True):
            if not status:
                self.tell("read", self.base + int(slot) * self.layout.stride)
        draw.rows = self.memory[draw.answers["index"]]
        return draw

    def _learn(self, batch: Drawn) -> Errors:
        return self._learned(batch, batch.rows)


class MemoryPredictor(Predictor):
    """What the model does to the memory, in order, before or after the core; `free` while nobody expects anything.

    Its environment has a Memory; `counts` are the core's bursts, `port` names them on the scoreboard.
    """

    port = "m_axi"

    def build_phase(self) -> None:
        super().build_phase()
        self.free = True
        self.counts = {"write": 0, "read": 0}
        self.forget()

    def forget(self) -> None:
        """Whatever was expected will not come, and what came need not be expected."""
        self.early: dict[str, deque[tuple]] = {kind: deque() for kind in self.counts}
        for kind in self.counts:
            self.scoreboard.forget(f"{self.port}.{kind}")

    def expect(self, kind: str, *what: object) -> None:
        """A burst of the model."""
        self.scoreboard.expect(f"{self.port}.{kind}", what)
        if self.early[kind]:
            self.scoreboard.observe(f"{self.port}.{kind}", self.early[kind].popleft(), clock_number())

    def burst(self, event: tuple) -> None:
        """A burst of the core."""
        kind, *what = event
        self.counts[kind] += 1
        if self.free:
            return
        if self.scoreboard.waiting_on(f"{self.port}.{kind}"):
            self.scoreboard.observe(f"{self.port}.{kind}", tuple(what), clock_number())
        else:
            self.early[kind].append(tuple(what))

    @property
    def waiting(self) -> int:
        """Bursts of the model that the core has not done, and of the core that the model has not."""
        return super().waiting + sum(map(len, self.early.values()))


class ReadEnv(AxiEnv):
    """Agents on the core's AXI ports, whose m_axis_read is kept until a driver asks for it."""

    def connect_phase(self) -> None:
        super().connect_phase()
        self.words: deque[int] = deque()  # taken from m_axis_read
        self.sinks["m_axis_read"].monitor.ap.connect(
            Listener("words", self, lambda item: self.words.extend(item.words))
        )


class MemoryEnv(ReadEnv):
    """Agents on the core's AXI ports, a memory, scoreboard and predictor."""

    def build_phase(self) -> None:
        super().build_phase()
        self.memory = Memory("memory", self)

    def connect_phase(self) -> None:
        super().connect_phase()
        self.memory.predictor = self.predictor

    def check_phase(self) -> None:
        for channel, clocks in self.memory.wires.stalls.items():
            self.coverage.hit(f"stall.m_axi.{channel}", clocks)
        super().check_phase()


class SequencedBus:
    """The environment's agents as a bus that drivers in a thread take; implements MemoryBus."""

    def __init__(self, env: ReadEnv, memory: Ram | None = None) -> None:
        """memory: of a core that has one."""
        self.env, self.memory = env, memory
        self.read, self.write = resume(self._read), resume(self._write)
        self.transfer, self.wait_irq = resume(self._transfer), resume(self._wait_irq)

    def send(self, beats: np.ndarray) -> None:
        """One packet to the load stream."""
        self.transfer({"s_axis_load": beats}, {})

    def receive(self, capacity: int) -> np.ndarray:
        """Beats from the read stream."""
        return self.transfer({}, {"m_axis_read": capacity})["m_axis_read"]

    async def _access(self, item: AxilItem) -> int:
        await One(item).start(self.env.axil.sequencer)
        if item.response:
            raise BusError(f"0x{item.address:X} was answered with response {item.response}")
        return item.data

    async def _read(self, address: int) -> int:
        return await self._access(AxilItem(False, address))

    async def _write(self, address: int, value: int) -> None:
        await self._access(AxilItem(True, address, value & 0xFFFFFFFF))

    async def _transfer(self, give: Mapping[str, np.ndarray], take: Mapping[str, int]) -> dict[str, np.ndarray]:
        for name, beats in give.items():
            source = self.env.sources[name]
            words = np.ascontiguousarray(beats).view(f"u{source.monitor.wires.word_bits // 8}")
            await One(AxisItem(words.reshape(-1).tolist())).start(source.sequencer)
        received = {}
        for name, count in take.items():
            for _ in range(PATIENCE):
                # A packet that an abort cut short is never whole.
                self.env.words.extend(self.env.sinks[name].monitor.wires.take())
                if len(self.env.words) >= count:
                    break
                await RisingEdge(cocotb.top.clk)
            else:
                raise BusError(f"{name} gave {len(self.env.words)} words of {count}")
            words = [self.env.words.popleft() for _ in range(count)]
            received[name] = np.array(words, np.uint64).reshape(count, 1)
        return received

    async def _wait_irq(self) -> None:
        for _ in range(PATIENCE // 10):
            if int(cocotb.top.irq.value):
                return
            await ClockCycles(cocotb.top.clk, 10)
        raise BusError("no interrupt came")
