"""The native learner's environment: agents on its ports, the integer model in the order of the pins, scoreboard."""

from collections import deque
from typing import ClassVar

from cocotb.triggers import RisingEdge
from cocotb_bus.monitors import BusMonitor
from learner_coverage import COVERAGE, PLANES, Sampler
from learner_reference import PORTS, Reference, records_of
from learner_structure import stages
from uvm_bench import clock_number, parameters
from uvm_core import Predictor as CorePredictor
from uvm_native import NativeEnv
from uvm_pins import PinsAgent, PinsItem
from uvm_stream import StreamItem

from rlcores.cores.learner.shape import LearnerShape

STREAMS = {"s_rec": ("data",), "m_prio": ("data", "last"), "s_load": ("data",), "m_read": ("data", "last")}
LEVELS = ("run", "hold", "host_read", "host_network", "host_param_bank", *(f"cfg_{name}" for name in PORTS))
PULSES = ("seed_load", "host_start", "sat_clear", "abort_in")


def shape_of(dut) -> LearnerShape:
    """The shape of the core that is simulated."""
    return LearnerShape.of(parameters(dut, "learner"))


class ControlWires(BusMonitor):
    """Sees what begins or ends in a clock: pulses, `run` rising, `step_done`; with the registers of that clock."""

    _signals: ClassVar = [*LEVELS, *PULSES, "step_done", "unit_wait"]

    def __init__(self, *args, **kwargs) -> None:
        self.waits = 0  # stages that ever waited, a bit each
        super().__init__(*args, **kwargs)

    async def _monitor_recv(self) -> None:
        bus, edge, ran = self.bus, RisingEdge(self.clock), 0
        events = [(name, getattr(bus, name)) for name in (*PULSES, "step_done")]
        while True:
            await edge
            if self.in_reset:
                ran = 0
                continue
            self.waits |= int(bus.unit_wait.value)
            names = [name for name, signal in events if int(signal.value)]
            runs = int(bus.run.value)
            if runs and not ran:
                names.append("run")
            ran = runs
            if names:
                self._recv(PinsItem(*names, **{name: int(getattr(bus, name).value) for name in LEVELS}))


class Predictor(CorePredictor):
    """Follows the wires batch by batch.

    A batch is computed when its last word was taken; priorities of its first batch slices may have come before, so
    these wait. None may come before its own record was taken.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.ports: dict[str, int] = {}  # registers of the batches under way

    def begin(self) -> None:
        """The core is out of reset. Not sooner: at time 0, Icarus has no text in its parameters."""
        self.shape = shape_of(self.dut)
        self.stages = stages(self.shape)
        self.reference = Reference(self.shape)
        self.sampler = Sampler(self.shape)
        self.forget()

    def forget(self) -> None:
        """The core was reset: nothing is under way, weights are as they were or may be lost."""
        self._beats: list[int] = []
        self._first = 0  # clock of the first of them
        self._early: deque[StreamItem] = deque()
        self._loading: tuple[int, int, list[int]] | None = None
        self._seed: int | None = None
        self.steps_seen = 0
        self.batches = 0  # since the reset
        self.reference.reset()
        self.scoreboard.forget()

    @property
    def inside(self) -> int:
        """Words of a batch that is not complete."""
        return len(self._beats)

    def on_control(self, item: PinsItem) -> None:
        reference = self.reference
        if "sat_clear" in item.pulses:
            reference.learner.counters[:] = 0
            self.sampler.hit("clear.counters")
        if "seed_load" in item.pulses:
            self._seed = item.levels["cfg_seed"]
        if "step_done" in item.pulses:
            self.steps_seen += 1
            self.scoreboard.check("step", "step_done", self.steps_seen <= self.batches, True, item.clock)
        if "run" in item.pulses and (not self._beats or self._first == item.clock):
            self.ports = {name: item.levels[f"cfg_{name}"] for name in PORTS}
            if int(self.dut.cfg_ok.value):
                reference.configure(self.ports)
            if self._seed is not None:
                reference.seed(self._seed)
                self._seed = None
        if "host_start" in item.pulses:
            self._host(item.levels["host_network"], item.levels["host_param_bank"], item.levels["host_read"])

    def _host(self, network: int, plane: int, read: int) -> None:
        self.sampler.hit(f"{'read' if read else 'load'}.{PLANES[plane]}")
        self.sampler.hit("load.between_steps" if self.batches else "load.first", not read)
        if not read:
            self._loading = network, plane, []
            return
        words = self.reference.words(network, plane)
        for place, word in enumerate(words):
            self.scoreboard.expect("m_read", {"data": word & 2**64 - 1, "last": int(place == len(words) - 1)})

    def on_s_load(self, item: StreamItem) -> None:
        assert self._loading, "a word was taken that nobody asked to load"
        network, plane, words = self._loading
        word = item.fields["data"]
        words.append(word - (1 << 64) if word >> 63 else word)
        if len(words) == self.reference.layouts[network].beats:
            self.reference.load(network, plane, words)
            self._loading = None

    def aborted(self) -> None:
        """An abort is over, and what it left at the ports was taken: nothing is under way."""
        self._beats, self._loading = [], None
        self._early.clear()
        self.scoreboard.forget()

    def on_s_rec(self, item: StreamItem) -> None:
        if int(self.dut.aborting.value):
            return  # it is dropped
        if not self._beats:
            self._first = item.clock
        self._beats.append(item.fields["data"])
        if len(self._beats) < self.ports["batch"] * self.shape.record_beats:
            return
        records = records_of(self.shape, self._beats)
        self._beats = []
        learner = self.reference.learner
        before = learner.counters.copy()
        priorities = self.reference.step(records)
        self.batches += 1
        self.sampler.batch(self.ports, records, priorities, learner.counters - before)
        self.sampler.sync(self.ports, learner.steps)
        for place, priority in enumerate(priorities):
            self.scoreboard.expect("m_prio", {"data": priority, "last": int(place == len(priorities) - 1)})
        while self._early:
            self._observe("m_prio", self._early.popleft())

    def on_m_prio(self, item: StreamItem) -> None:
        if self.scoreboard.waiting_on("m_prio"):
            self._observe("m_prio", item)
            return
        self._early.append(item)
        records = len(self._beats) // self.shape.record_beats
        assert len(self._early) <= records, "a priority came before its record was taken"

    def on_m_read(self, item: StreamItem) -> None:
        self._observe("m_read", item)

    def _observe(self, channel: str, item: StreamItem) -> None:
        self.scoreboard.observe(channel, dict(item.fields), item.clock)

    def compare_state(self) -> None:
        """Counters and steps, when nothing is on its way."""
        dut, learner, clock = self.dut, self.reference.learner, clock_number()
        check = self.scoreboard.check
        check("state", "steps", int(dut.steps.value), learner.steps, clock)
        check("state", "step_done", self.steps_seen, self.batches, clock)
        counts = int(dut.sat_count.value)
        for name, number in self.stages.items():
            count = counts >> 32 * number & 0xFFFFFFFF
            check("state", f"sat_count of {name}", count, int(learner.counters[number]), clock)
            counts &= ~(0xFFFFFFFF << 32 * number)
        check("state", "sat_count of no stage", counts, 0, clock)


class LearnerEnv(NativeEnv):
    """The agents of the core's ports; `predictor.reference` is the model as it stands."""

    fields, coverage, predictor_type = STREAMS, COVERAGE, Predictor
    channels = ("m_prio", "m_read", "state", "step")

    def build_ports(self) -> None:
        super().build_ports()
        self.pins = self.others["control"] = PinsAgent("control", self, (*LEVELS, *PULSES), ControlWires)

    def check_phase(self) -> None:
        predictor, waits = self.predictor, self.pins.monitor.wires.waits
        for name, number in predictor.stages.items():
            self.coverage.hit(f"wait.{name}", waits >> number & 1)
        super().check_phase()
        assert not predictor.inside, f"{predictor.inside} words of a batch are left"
