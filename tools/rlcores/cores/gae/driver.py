"""Driver of the GAE core: registers and commands, over any bus. Numbers stay raw integers; api.py has units."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from rlcores.buses.bus import Bus
from rlcores.cores.common.driver import CoreDriver
from rlcores.cores.gae.scale import NONE
from rlcores.cores.gae.words import kinds_of, lanes_of
from rlcores.eda import registers
from rlcores.errors import RunFailed, UserError

_POLLS = 1000  # looks at STATUS for what takes a few clocks
ABORT_MINOR = 1  # from this minor version on, a core can abort

# Flags that report something about good results; all others mean that a command did not do what was asked.
NOTICES = frozenset(
    {
        "SIGMA_ZERO_R",
        "SIGMA_ZERO_V",
        "SCALE_SAT",
        "REWARD_CLIPPED",
        "VALUE_CLIPPED",
        "OUTPUT_SATURATED",
        "STATS_FULL",
    }
)
_SIGNED = ("VALUE_POINT", "REWARD_MEAN", "VALUE_MEAN", "REWARD_OFFSET")


class GaeError(RunFailed):
    """The core refused a command or a record; `flags` names the reasons as gae.rdl does."""

    def __init__(self, message: str, flags: frozenset[str] = frozenset()) -> None:
        super().__init__(message)
        self.flags = flags


@dataclass(frozen=True)
class GaeShape:
    """The Verilog parameters that the core was built with. Raises UserError where they do not go together."""

    rows: int
    lanes: int
    depth: int
    lookahead: int
    interleave: int
    span: int
    qbits: int
    out_bits: int
    beat: int
    stacks: int = 1
    trace: int = 0  # 1: a coefficient a step in the place of a value

    def __post_init__(self) -> None:
        if nothing := [name for name, number in vars(self).items() if number < 1 and name != "trace"]:
            raise UserError(f"there is no such GAE core: {nothing[0].upper()} must be at least 1")
        banks = self.lanes // self.interleave
        wrong = [
            said
            for said, right in (
                ("INTERLEAVE must divide LANES", self.lanes % self.interleave == 0),
                ("ROWS must divide LANES/INTERLEAVE", banks % self.rows == 0),
                ("SPAN must divide ROWS", self.rows % self.span == 0),
                ("BEAT must divide LANES/INTERLEAVE", banks % self.beat == 0),
                ("BEAT must be a power of two", self.beat & (self.beat - 1) == 0),
                ("OUT_BITS must be QBITS, 16 or 24", self.out_bits in (self.qbits, 16, 24)),
            )
            if not right
        ]
        if wrong:
            raise UserError(f"there is no such GAE core: {wrong[0]}")

    @classmethod
    def of(cls, parameters: Mapping[str, int]) -> "GaeShape":
        """From Verilog parameters by name.

        >>> GaeShape.of({"ROWS": 4, "LANES": 8, "DEPTH": 16, "LOOKAHEAD": 2, "INTERLEAVE": 1, "SPAN": 4, "QBITS": 8,
        ...           "OUT_BITS": 8, "BEAT": 2}).stacks
        1
        """
        return cls(**{name: parameters.get(name.upper(), name != "trace") for name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Counters:
    """The core's counters: of the last START or rollout sent, since CLEAR or READ, or since reset, as gae.rdl says."""

    cycles: int
    elements: int
    stalls: int
    loaded: int
    refused: int
    clipped_rewards: int
    clipped_values: int
    saturated: int


@dataclass(frozen=True)
class Passed:
    """A rollout that went through the core: its results, uint64 (beats, BEAT), and what the core says of it alone."""

    results: np.ndarray
    cycles: int
    elements: int
    stalls: int
    saturated: int
    flags: frozenset[str]  # notices of its LOAD and of its run, and of what was done since the LOAD before


@dataclass(frozen=True)
class Sums:
    """Exact statistics of raw numbers: count, sum, sum of squares."""

    count: int
    total: int
    squares: int


class GaeDriver(CoreDriver):
    """One GAE core behind a bus. Commands raise GaeError when the core refuses."""

    CORE, WHAT, ERROR = "gae", "GAE core", GaeError

    def __init__(self, bus: Bus) -> None:
        """Find the core, abort what it does, empty it, and forget its statistics.

        Raises GaeError when another core answers.
        """
        super().__init__(bus)
        words = {f"PARAM{i}": self.read(f"PARAM{i}") for i in range(3)}
        sizes = {
            field.name: (words[name] & field.mask) >> field.low for name in words for field in self._map[name].fields
        }
        sizes["stacks"] = max(1, sizes["stacks"])  # 0: a core from before there were two
        with self._shape_of_core():
            self.shape = GaeShape(**sizes)
        # Some registers of a core with long records have more bits.
        self._map = registers.load("gae", {name.upper(): size for name, size in sizes.items()})
        self._noticed: frozenset[str] = frozenset()  # since take_flags()
        self._commands = self._map["COMMAND"].by_name["code"].values
        self.clear_flags()
        self.write("IRQ_ENABLE", self._map["IRQ_ENABLE"].mask("rw"))
        if self.minor >= ABORT_MINOR:
            self.abort()
        self.clear()
        self.reset_statistics()

    # --- registers ---

    def read(self, name: str) -> int:
        """A register by its name in gae.rdl; signed registers as signed numbers."""
        register = self._map[name]
        value = self.read_register(name)
        width = register.mask("rw").bit_length()
        return value - ((value >> (width - 1)) << width) if name in _SIGNED else value

    def write(self, name: str, value: int) -> None:
        """Write a register. Raises UserError when the value does not fit it."""
        register = self._map[name]
        width = register.mask("rw", "wo", "w1c").bit_length()
        low, high = (-(1 << (width - 1)), 1 << (width - 1)) if name in _SIGNED else (0, 1 << width)
        if not low <= value < high:
            raise UserError(f"register {name} takes {low} to {high - 1}, not {value}")
        self.bus.write(register.address, value & ((1 << width) - 1))

    def control(self, *, reward_auto: bool, value_auto: bool, order_previous: bool) -> None:
        """Who computes the scales (True: SCALE does), and whether LOAD measures as it loads."""
        self.write("CONTROL", reward_auto | value_auto << 1 | order_previous << 2)

    def counters(self) -> Counters:
        """All counters."""
        return Counters(**{name: self.read(name.upper()) for name in Counters.__dataclass_fields__})

    def statistics(self, of: str) -> Sums:
        """The statistics of "REWARD" or "VALUE"."""
        count = self._joined(f"{of}_COUNT_LO", f"{of}_COUNT_HI")
        total = self._joined(f"{of}_SUM_LO", f"{of}_SUM_HI", 64)
        return Sums(count, total, sum(self.read(f"{of}_SQR_{i}") << (32 * i) for i in range(3)))

    def take_flags(self) -> frozenset[str]:
        """The notices since the last call."""
        taken, self._noticed = self._noticed, frozenset()
        return taken

    def meaning(self, flag: str) -> str:
        """What a flag says, as gae.rdl has it."""
        return self._map["FLAGS"].by_name[flag].doc

    # --- commands ---

    def clear(self) -> None:
        """Empty all lanes."""
        self._command("CLEAR")

    def reset_statistics(self) -> None:
        """Forget the running reward statistics."""
        self._command("RESET_STATS")

    def abort(self) -> None:
        """End what runs. A pass that MEASURE or LOAD has begun is undone; results that READ has begun to send stay.

        A beat that stands at the core's output stays there until it is taken. The producer must be at the start of a
        pass before the next MEASURE or LOAD.
        """
        self._forget_irq()
        self.write("COMMAND", self._mask("COMMAND", "abort"))
        self._wait_idle()
        self._take_hardware_flags()

    def measure(self, beats: np.ndarray) -> None:
        """Take elements, uint64 (beats, BEAT), into the statistics only."""
        self._command("MEASURE", send=beats)
        if "STATS_FULL" not in self._noticed:
            self._compare("MEASURE", beats, self.statistics("VALUE").count)

    def scale(self) -> None:
        """Compute the scales."""
        self._command("SCALE")

    def load(self, beats: np.ndarray) -> None:
        """Quantise elements, uint64 (beats, BEAT), and push them on their lanes."""
        # Behind an automatic rollout LOADED still counts it, but its stack is another.
        fresh = self.shape.stacks > 1 and not self.status("loaded")
        before = 0 if fresh else self.read("LOADED")
        self._command("LOAD", send=beats)
        self._compare("LOAD", beats, (self.read("LOADED") - before) & 0xFFFFFFFF)

    def start(self) -> None:
        """Run the array over everything loaded."""
        self._command("START")

    def read_results(self) -> np.ndarray:
        """The results, uint64 (beats, BEAT); the lanes are empty afterwards."""
        shape = self.shape
        # A lane holds DEPTH records and a BOOT; no beat may be empty.
        return self._command("READ", receive=shape.lanes // shape.beat * (shape.depth + 1) + 1)

    def stream(self, rollouts: Iterable[np.ndarray]) -> Iterator[Passed]:
        """Rollouts through the core one behind the other: elements, uint64 (beats, BEAT), of whole rollouts.

        A core with two stacks loads each while the one before runs and is read; one with one stack does them in turn.
        rollouts may write registers and call scale() before it gives each. Raises GaeError as load() and start() do,
        behind the results of the rollouts before.
        """
        waiting: tuple[int, frozenset[str]] | None = None  # of the rollout on its way: its beats, its flags so far
        earlier, self._noticed = self._noticed, frozenset()
        try:
            for beats in rollouts:
                if self.shape.stacks == 1:
                    self.load(beats)
                    self.start()
                    results, before, error = self.read_results(), (0, self._noticed), None
                else:
                    before, waiting = waiting, None
                    results, error = self._send_auto_run(beats, before[0] if before else 0)
                    if not error:
                        waiting = self._beats_of(beats), self._noticed - {"OUTPUT_SATURATED"}
                earlier |= self._noticed
                self._noticed = frozenset()
                if before:
                    yield self._passed(results, before[1])
                if error:
                    raise error
            if waiting:
                yield self._passed(self._last(waiting[0]), waiting[1])
                waiting = None
        finally:
            if waiting and self.status("in_flight"):
                self._last(waiting[0])
            self._noticed |= earlier

    def _last(self, count: int) -> np.ndarray:
        results = self.bus.receive(count)
        self._until_sent(0)
        self._refuse("READ")
        return results

    def _passed(self, results: np.ndarray, flags: frozenset[str]) -> Passed:
        names = ("cycles", "elements", "stalls", "saturated")
        said = {name: self.read(name.upper()) for name in names}
        return Passed(results, **said, flags=flags | ({"OUTPUT_SATURATED"} if said["saturated"] else frozenset()))

    def _send_auto_run(self, beats: np.ndarray, take: int) -> tuple[np.ndarray | None, GaeError | None]:
        """LOAD, behind which START and READ follow; `take` beats of the rollout before are taken meanwhile.

        These, and why the core refused the rollout, which is gone then.
        """
        if not len(beats):
            raise UserError("LOAD needs at least one beat")
        self._forget_irq()
        self.write("COMMAND", self._commands["LOAD"] | self._mask("COMMAND", "auto_run"))
        if not self.status("busy"):
            self._refuse("LOAD")
        results = None
        if take:
            results = self.bus.exchange(beats, take)
        else:
            self.bus.send(beats)
        self._wait_idle()
        try:
            self._refuse("LOAD")
            self._compare("LOAD", beats, self.read("LOADED"))
        except GaeError as error:
            # What was refused only in part has gone on.
            self.abort()
            self.clear()
            return results, error
        self._until_sent(1)
        return results, None

    def _until_sent(self, in_flight: int) -> None:
        """Wait until `in_flight` rollouts are on their way; only where the beats of all others have been taken."""
        for _ in range(_POLLS):
            if self.status("in_flight") <= in_flight:
                return
        raise GaeError(f"the GAE core does not end a READ whose results have come, after {_POLLS:,} looks at STATUS")

    def _beats_of(self, beats: np.ndarray) -> int:
        """Beats in which the results of a rollout come."""
        words = np.asarray(beats, np.uint64).ravel()
        lanes = lanes_of(words[kinds_of(words) != NONE])
        records = np.bincount(lanes, minlength=self.shape.lanes)
        return int(records.reshape(-1, self.shape.beat).max(axis=1).sum())

    def _command(self, name: str, *, send: np.ndarray | None = None, receive: int = 0) -> np.ndarray | None:
        if send is not None and not len(send):
            raise UserError(f"{name} needs at least one beat")
        taken = None
        self._forget_irq()
        self.write("COMMAND", self._commands[name])
        # A refused command never waits for its stream.
        if send is not None or receive:
            busy = self.status("busy")
            if not busy:
                self._refuse(name)
            if receive:
                # It may be over already, when all its beats found room in FIFOs on their way here.
                taken = self.bus.receive(receive)
            elif busy:
                self.bus.send(send)
        self._wait_idle()
        self._refuse(name)
        return taken

    def _wait_idle(self) -> None:
        while True:
            self.bus.wait_irq()
            # Cleared before STATUS is read: an end that comes in between is seen there, a later one interrupts.
            self._forget_irq()
            if not self.status("busy"):
                break

    def _compare(self, command: str, beats: np.ndarray, taken: int) -> None:
        sent = int((kinds_of(beats) != NONE).sum())
        if taken != sent:
            raise GaeError(f"{command} took {taken} records of a pass of {sent}: the stream lost or added some")

    def _take_hardware_flags(self) -> frozenset[str]:
        """Those that are raised, and forget them; notices are kept."""
        raised = self.flags()
        self.write("FLAGS", self._mask("FLAGS", *raised))
        self._noticed |= raised & NOTICES
        return raised

    def _refuse(self, command: str) -> None:
        """Raises GaeError when flags say that the core did not do it."""
        raised = self._take_hardware_flags()
        if raised - NOTICES:
            fields = self._map["FLAGS"].by_name
            reasons = "; ".join(f"{fields[name].doc} ({name})" for name in sorted(raised - NOTICES))
            raise GaeError(f"the GAE core answers to {command}: {reasons}", raised)
