"""The UVM environment of the agent behind AXI: agents on registers and streams, a memory with a monitor, scoreboard.

Drivers of rlcores run in a thread and reach the core through the agents' sequencers. What the core writes to its
memory, and which records it reads there, is compared with the model one by one, in the model's order.
"""

from collections import deque
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
from uvm_core import AxiEnv
from uvm_core import Predictor as CorePredictor
from uvm_coverage import Coverage

from rlcores.buses.bus import BusError
from rlcores.cores.replay_learner.model import Drawn, ReplayLearnerModelDriver

COVERAGE = Coverage()
COVERAGE.want(f"stall.s_axil.{channel}" for channel in ("aw", "w", "b", "ar", "r"))
COVERAGE.want(f"stall.m_axi.{channel}" for channel in ("aw", "w", "ar"))  # answers have places, and never wait
COVERAGE.want(("stall.s_axis_load", "stall.m_axis_read"))
COVERAGE.want(f"lag.{lag}" for lag in range(3))
COVERAGE.want(f"rounds.{rounds}" for rounds in ("one", "more"))
COVERAGE.want(f"ahead.{ahead}" for ahead in ("none", "some"))
COVERAGE.want(f"flag.{name}" for name in ("BUSY", "CONFIG"))
COVERAGE.want(f"interrupt.{name}" for name in ("done", "flag"))
COVERAGE.want(("run", "gradient step", "experience", "sample", "episode", "return"))
COVERAGE.want(("stopped", "free", "halt", "short halt", "saturated", "axil.slverr", "registers"))
PATIENCE = 100_000  # clocks
SHARE = (0.1, 0.3)  # of the clocks in which the memory pauses: every channel is to stall in every run


class MemoryWires(ChannelWires):
    """Bursts at an AXI4 master, ("write", address, bytes) and ("read", address)."""

    _signals: ClassVar = [
        *("awaddr", "awvalid", "awready", "wdata", "wlast", "wvalid", "wready", "bvalid", "bready"),
        *("araddr", "arid", "arvalid", "arready", "rdata", "rid", "rlast", "rvalid", "rready"),
    ]
    _payload: ClassVar = {
        **{"aw": ("awaddr",), "w": ("wdata", "wlast"), "b": ()},
        **{"ar": ("araddr", "arid"), "r": ("rdata", "rid", "rlast")},
    }

    read = staticmethod(lambda signal: str(signal.value))  # a word that was never written has no value in Icarus

    def forget(self) -> None:
        """As ChannelWires.forget."""
        self._addresses: deque[int] = deque()
        self._bodies: deque[bytes] = deque()
        self._body = b""

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
            self._recv(("read", int(handed["ar"][0], 2)))
        if self._addresses and self._bodies:
            self._recv(("write", self._addresses.popleft(), self._bodies.popleft().hex()))


class Memory(uvm_component):
    """The memory behind the core, that reorders and waits, and the bursts at it. `bus` is what drivers call it."""

    def build_phase(self) -> None:
        self.dut = self.cdb_get("DUT")
        self.wires: MemoryWires | None = None
        self.predictor: Predictor | None = None  # told by the environment
        self.ram = Ram(self.dut, "m_axi", seeded("memory").choice(SHARE), readers=4)

    async def run_phase(self) -> None:
        self.wires = MemoryWires(self.dut, "m_axi", self.dut.clk, self.dut.rst, callback=self.predictor.burst)


class Recorded(ReplayLearnerModelDriver):
    """The model, which tells what it does to the memory."""

    tell = staticmethod(lambda *what: None)

    def insert(self, rows: np.ndarray, failed: np.ndarray | None = None) -> None:
        """As ReplayLearnerModelDriver.insert."""
        layout, capacity = self.layout, self.tree.capacity
        for k, data in enumerate(layout.to_memory(rows)):
            slot = (self._next + k) % capacity
            self.tell("write", self.base + slot * layout.stride, data.tobytes().hex())
        self._next += len(rows)
        super().insert(rows, failed)

    def clear(self) -> None:
        """As ReplayLearnerModelDriver.clear."""
        self._next = 0
        super().clear()

    def drawn(self, unreadable=()) -> Drawn:
        draw = super().drawn(unreadable)
        for slot in draw.answers["index"][~draw.void]:
            self.tell("read", self.base + int(slot) * self.layout.stride)
        return draw


class Predictor(CorePredictor):
    """What the model does to the memory, in order; `free` while nobody has told what to expect."""

    def build_phase(self) -> None:
        super().build_phase()
        self.free = True
        self.counts = {"write": 0, "read": 0}

    def expect(self, kind: str, *what: object) -> None:
        """A burst of the model."""
        self.scoreboard.expect(f"m_axi.{kind}", what)

    def burst(self, event: tuple) -> None:
        """A burst of the core."""
        kind, *what = event
        self.counts[kind] += 1
        COVERAGE.hit("experience" if kind == "write" else "sample")
        if not self.free:
            self.scoreboard.observe(f"m_axi.{kind}", tuple(what), clock_number())


class AgentEnv(AxiEnv):
    """The core's agents, its memory, scoreboard and predictor."""

    core, coverage, predictor_type = "agent", COVERAGE, Predictor

    def build_phase(self) -> None:
        super().build_phase()
        self.memory = Memory("memory", self)

    def connect_phase(self) -> None:
        super().connect_phase()
        self.memory.predictor = self.predictor
        self.words: deque[int] = deque()  # taken from m_axis_read
        self.sinks["m_axis_read"].monitor.ap.connect(
            Listener("words", self, lambda item: self.words.extend(item.words))
        )

    def check_phase(self) -> None:
        for channel, clocks in self.memory.wires.stalls.items():
            self.coverage.hit(f"stall.m_axi.{channel}", clocks)
        super().check_phase()


class SequencedBus:
    """The environment's agents as a bus that drivers in a thread take; implements MemoryBus."""

    def __init__(self, env: AgentEnv) -> None:
        self.env, self.memory = env, env.memory.ram
        self.read, self.write = resume(self._read), resume(self._write)
        self.transfer, self.wait_irq = resume(self._transfer), resume(self._wait_irq)

    def send(self, beats: np.ndarray) -> None:
        """One packet to the first source."""
        self.transfer({next(iter(self.env.sources)): beats}, {})

    def receive(self, capacity: int) -> np.ndarray:
        """Beats from the first sink."""
        name = next(iter(self.env.sinks))
        return self.transfer({}, {name: capacity})[name]

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
            words = [int(word) for word in np.asarray(beats, np.uint64).reshape(-1)]
            await One(AxisItem(words)).start(self.env.sources[name].sequencer)
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
