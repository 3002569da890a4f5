"""The native sum tree's environment: agents on its ports, the integer model in the order of acceptance, scoreboard."""

from collections import Counter, deque
from collections.abc import Callable
from typing import ClassVar

from cocotb.triggers import RisingEdge
from cocotb_bus.monitors import BusMonitor
from pyuvm import uvm_sequence_item
from sumtree_coverage import COVERAGE, Layout, Sampler
from uvm_bench import clock_number
from uvm_core import Predictor as CorePredictor
from uvm_native import NativeEnv
from uvm_pins import PinsAgent, PinsItem, WiresMonitor
from uvm_stream import StreamItem

from rlcores.cores.sumtree.model import CLEAR, OK, OperationAnswer, SampleAnswer, SumTreeModel

PORTS = {
    "s_op": ("kind", "check", "max", "beyond", "index", "generation", "priority"),
    "m_op": OperationAnswer._fields,
    "s_sample": ("kind", "value"),
    "m_sample": SampleAnswer._fields,
}
LIMITS = ("capacity", "initial", "strata")
CONFIG = (*LIMITS, "restart", "seed_valid", "seed")
EVENTS = ("stale", "range", "kind", "empty", "miss")
STATE = ("total", "size", "next", "full", "largest", "capacity", "busy")


class ConfigWires(BusMonitor):
    """Sees the pulses, with the values that the core takes in that clock."""

    _signals: ClassVar = [*CONFIG]

    async def _monitor_recv(self) -> None:
        bus, edge = self.bus, RisingEdge(self.clock)
        while True:
            await edge
            if self.in_reset:
                continue
            pulses = [name for name in ("restart", "seed_valid") if int(getattr(bus, name).value)]
            if pulses:
                self._recv(PinsItem(*pulses, strata=int(bus.strata.value), seed=int(bus.seed.value)))


class EventItem(uvm_sequence_item):
    """The event outputs that were high in a clock."""

    def __init__(self, names: list[str]) -> None:
        super().__init__("event")
        self.names = names
        self.clock = 0


class EventWires(BusMonitor):
    """Sees the ev_* pulses."""

    _signals: ClassVar = list(EVENTS)

    async def _monitor_recv(self) -> None:
        signals = [(name, getattr(self.bus, name)) for name in EVENTS]
        edge = RisingEdge(self.clock)
        while True:
            await edge
            if not self.in_reset:
                names = [name for name, signal in signals if int(signal.value)]
                if names:
                    self._recv(EventItem(names))


class Predictor(CorePredictor):
    """Follows the wires in the order of acceptance.

    What is taken in one clock is put in order when that clock is over: the operation, then the sample, then a restart
    or a seed, which the sample of its clock does not see yet.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.layout = Layout.of(self.dut)
        self.sampler = Sampler(self.layout)
        self.reset()

    def begin(self) -> None:
        self.reset()

    def reset(self) -> None:
        """The core was reset, with the cfg_* inputs as they are."""
        limits = {name: _value(getattr(self.dut, f"cfg_{name}")) for name in LIMITS}
        self.model = SumTreeModel(self.layout.shape, **limits)
        self.events: Counter[str] = Counter()  # seen on the wires
        self.expected: Counter[str] = Counter()
        self.accepted = 0  # operations and samples
        self.answered = 0
        self.recent: deque[int] = deque([0], maxlen=12)  # slots of the last operations
        self._clock = 0
        self._taken: list[tuple[int, Callable, StreamItem | PinsItem]] = []
        self.sampler.reset()
        self.scoreboard.forget()

    def on_s_sample(self, item: StreamItem) -> None:
        self._take(item, 1, self._sample)

    def on_cfg(self, item: PinsItem) -> None:
        self._take(item, 2, self._config)

    def on_m_op(self, item: StreamItem) -> None:
        self._answer("m_op", item, OperationAnswer)

    def on_m_sample(self, item: StreamItem) -> None:
        self._answer("m_sample", item, SampleAnswer)

    def on_ev(self, item: EventItem) -> None:
        self.events.update(item.names)

    def on_s_op(self, item: StreamItem) -> None:
        if item.fields["kind"] == CLEAR:
            item.limits = {f"cfg_{name}": _value(getattr(self.dut, f"cfg_{name}")) for name in ("capacity", "initial")}
        self._take(item, 0, self._operation)

    def _take(self, item: StreamItem | PinsItem, turn: int, do: Callable) -> None:
        self.settle_before(item.clock)
        self._clock = item.clock
        self._taken.append((turn, do, item))
        self.accepted += turn < 2

    def settle_before(self, clock: int) -> None:
        """Do what was taken before a clock. What a task finds then does not hang on the order of tasks in a clock."""
        if self._clock < clock:
            self.settle()

    def settle(self) -> None:
        """Put what was taken in one clock in order, and do it. Nothing of that clock may come afterwards."""
        taken, self._taken = self._taken, []
        for _, do, item in sorted(taken, key=lambda t: t[0]):
            do(item)

    def _operation(self, item: StreamItem) -> None:
        f, model = item.fields, self.model
        if f["kind"] == CLEAR:
            vars(model).update(item.limits)
        # An index beyond the tree is one that no tree has.
        index = f["index"] + (f["beyond"] << self.layout.shape.leaves_log2)
        self.sampler.operation(item.clock, f, model)
        answer = model.operation(f["kind"], index, f["priority"], f["generation"], bool(f["check"]), bool(f["max"]))
        answer = answer._replace(index=answer.index & (model.leaves - 1))
        if answer.status != OK:
            self.expected[EVENTS[answer.status - 1]] += 1
        self.sampler.operation_done(item.clock, f, answer, model)
        self.recent.append(answer.index)
        self.scoreboard.expect("m_op", answer)

    def _sample(self, item: StreamItem) -> None:
        kind, value = item.fields["kind"], item.fields["value"]
        answer = self.model.sample(kind, value)
        if answer.status != OK:
            self.expected["empty" if answer.status == 1 else "miss"] += 1
        self.sampler.sample(item.clock, kind, value, answer, self.model)
        self.scoreboard.expect("m_sample", answer)

    def _config(self, item: PinsItem) -> None:
        draws, strata = self.model.draws, item.levels["strata"]
        self.sampler.config(item, draws)
        self.model.cfg_strata = strata
        if "seed_valid" in item.pulses:
            seed = item.levels["seed"]
            draws.load([seed >> shift & 0xFFFFFFFF for shift in (0, 32, 64, 96)], strata)
        else:
            draws.restart(strata)

    def _answer(self, channel: str, item: StreamItem, kind: type) -> None:
        self.answered += 1
        self.settle_before(item.clock)
        self.scoreboard.observe(channel, kind(**item.fields), item.clock)

    def compare_state(self) -> None:
        """The state outputs and the event pulses, when nothing is on its way."""
        model = self.model
        state = {name: int(getattr(model, name)) for name in STATE if name != "busy"}
        for name in STATE:
            self.scoreboard.check("state", name, int(getattr(self.dut, name).value), state.get(name, 0), clock_number())
        for name in EVENTS:
            self.scoreboard.check("state", f"ev_{name}", self.events[name], self.expected[name], clock_number())


def _value(signal) -> int:
    """Of an input that may not have been driven yet."""
    return int(signal.value) if signal.value.is_resolvable else 0


class SumTreeEnv(NativeEnv):
    """The agents of the core's ports; `predictor.model` is the model as it stands."""

    fields, coverage, predictor_type = PORTS, COVERAGE, Predictor
    channels = ("m_op", "m_sample", "state")

    def build_ports(self) -> None:
        super().build_ports()
        self.pins = PinsAgent("cfg", self, CONFIG, ConfigWires, "cfg")
        self.others = {"cfg": self.pins, "ev": WiresMonitor("ev", self, EventWires, "ev")}

    def check_phase(self) -> None:
        super().check_phase()
        accepted, answered = self.predictor.accepted, self.predictor.answered
        assert accepted == answered > 0, f"{accepted} requests since the last reset and {answered} answers"
