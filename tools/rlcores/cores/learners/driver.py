"""Drivers of several learners behind one bus: of each, and of what they share (rlc_learners, rlc_learners_ppo)."""

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np

from rlcores.buses.bus import MemoriesBus, Memory, StreamsBus, Window
from rlcores.buses.described import describe
from rlcores.cores.common.driver import CoreDriver, register, simulated
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.ppo.driver import PpoDriver
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.errors import RunFailed, UserError

WINDOW = 0x10000  # bytes of each learner's registers; behind the last one's are those that they share
_FEWEST, _MOST = 2, 16  # learners


def _check_count(learners: int) -> None:
    if not _FEWEST <= learners <= _MOST:
        raise UserError(f"learners is {learners}; it is {_FEWEST} to {_MOST}")


class LearnersError(RunFailed):
    """The core is not what was expected, or refused a register's value."""


class LearnerWindow(Window):
    """The bus of one learner: its registers, and its memory where it has one.

    All share the line of the interrupt, so the learner's own register says whose it was.
    """

    def __init__(self, bus: StreamsBus, core: str, number: int, memory: Memory | None = None) -> None:
        """core: that of each learner, as describe() knows it. number: from 0 on."""
        super().__init__(bus, number * WINDOW)
        self.memory = memory
        self._interrupt = describe(core, "tiny").interrupt
        self.wait_irq = self._wait_irq

    def _wait_irq(self) -> None:
        while not self.read(self._interrupt.status) & self.read(self._interrupt.enable):
            self.bus.wait_irq()


class SharedDriver(CoreDriver):
    """What several learners share: H, the length of a round, and how many averages there were.

    learners: L. Raises LearnersError when another core answers, or it refuses.
    """

    CORE, WHAT, ERROR, REFUSALS = "learners", "registers of several learners", LearnersError, ("CONFIG",)

    def __init__(self, bus: StreamsBus, learners: int) -> None:
        """bus: of the whole core. learners: how many windows are in front of these registers."""
        super().__init__(Window(bus, learners * WINDOW))
        self.learners = self._field("PARAM0", "learners")
        self.clear_flags()

    rounds = register("ROUNDS", "Averages since reset or clear_counters(), modulo 2^32.")
    waited = register("WAITED", "Clocks in which a learner waited for others, modulo 2^32.")

    @property
    def average(self) -> int:
        """H, steps of a round; 0: weights are never averaged."""
        return self._field("AVERAGE", "steps")

    def begin_rounds(self, average: int, done: int = 0) -> None:
        """Every learner begins a round of this many steps; 0 lets those go that wait for one that has stopped.

        done: steps of the first round that count as done. Raises UserError for a number that is not 0 to 65535.
        """
        if not 0 <= average < 1 << 16:
            raise UserError(f"average is {average}; it is 0 to 65535 steps")
        if not 0 <= done < max(average, 1):
            raise UserError(f"done is {done}; it is 0 to {max(average, 1) - 1}, less than a round")
        self.write_register("AVERAGE", 0)
        self.write_register("AVERAGE", done << 16 | average)

    @property
    def exact(self) -> bool:
        """Whether importance weights are those of one batch over all banks; learners without banks have no such thing.

        Change it while no learner trains; False at any time, so that those go on that wait for one that has stopped.
        """
        return bool(self.read_register("WEIGHTS"))

    @exact.setter
    def exact(self, value: bool) -> None:
        self.write_register("WEIGHTS", 0)  # batches of others that were left by one that stopped are forgotten
        self.write_register("WEIGHTS", int(value))

    def waits(self) -> tuple[int, ...]:
        """Numbers of the learners that wait for others."""
        word = self.status("waits")
        return tuple(number for number in range(self.learners) if word >> number & 1)

    def clear_counters(self) -> None:
        """Set `rounds` and `waited` to 0."""
        self._command("clear_counters")


class ReplayLearnersDriver:
    """Several replay learners that train one network, behind a bus with a memory for each.

    learners: the driver of each. shared: the registers that they share. The calls are those of LearnersModel.

    >>> cores = ReplayLearnersDriver.verilated({"LEARNERS": 2})  # doctest: +SKIP
    >>> cores.begin_rounds(10)                                  # doctest: +SKIP
    >>> cores.train(100, 13107)                                 # doctest: +SKIP
    """

    def __init__(
        self,
        bus: MemoriesBus,
        learners: int,
        base: int = 0,
        *,
        apart: int = 0,
        memories: Sequence[Memory] | None = None,
    ) -> None:
        """Find the cores.

        base: where the first one's records begin in its memory. apart: how much later the next one's do, where they
        share a memory. memories: of each, by default those of the bus.

        Raises LearnersError or ReplayLearnerError when others answer, or what ReplayLearnerDriver raises.
        """
        _check_count(learners)
        self.shared = SharedDriver(bus, learners)
        self.shared.begin_rounds(0)  # nobody waits for one that is stopped
        self.shared.exact = False
        parts = bus.memories if memories is None else memories
        self.learners = [
            ReplayLearnerDriver(LearnerWindow(bus, "replay_learner", number, part), base + number * apart)
            for number, part in enumerate(parts)
        ]

    @classmethod
    def verilated(cls, parameters: Mapping[str, int | str], *, limit: int = 50_000_000) -> Self:
        """The RTL with these Verilog parameters, built by Verilator when needed. limit: see VerilatedBus."""
        return cls(simulated("learners", parameters, limit=limit), int(parameters["LEARNERS"]))

    def begin(self) -> None:
        """All learners take the first one's weights and targets, bit for bit."""
        first, *others = (one.learner for one in self.learners)
        for actor in (False, True)[: 1 + (first.shape.actor is not None)]:
            for plane in (WEIGHTS, TARGET):
                codes = first.read(plane, actor)
                for one in others:
                    one.load(codes, plane, actor)

    def begin_rounds(self, average: int, *, exact: bool = True, done: int = 0) -> None:
        """Rounds of `average` steps from now on, of which `done` of the first are done; exact: as of LearnersModel."""
        self.shared.begin_rounds(average, done)
        self.shared.exact = exact

    @property
    def rounds(self) -> int:
        """Averages since reset, modulo 2^32."""
        return self.shared.rounds

    def train(self, batches: int, beta: int) -> None:
        """Run gradient steps of every learner, and all their priority updates. beta: what all trees have already.

        Raises MemoryFault, of the first learner whose memory answered with an error.
        """
        for one in self.learners:
            one.start(batches)
        for one in self.learners:
            one.wait()
        if faults := [fault for fault in [one.fault() for one in self.learners] if fault]:
            faults[0].batches = batches
            raise faults[0]

    def abort(self) -> None:
        """All back to idle from wherever they are, in no round."""
        self.begin_rounds(0, exact=False)
        for one in self.learners:
            one.abort()

    def __repr__(self) -> str:
        return f"ReplayLearnersDriver(learners={len(self.learners)}, average={self.shared.average})"


class PpoLearnersDriver:
    """Several PPO cores that train one policy, behind a bus.

    learners: the driver of each. shared: the registers that they share.

    >>> cores = PpoLearnersDriver.verilated({"LEARNERS": 3})  # doctest: +SKIP
    >>> cores.begin([1, 2, 3], average=4)                      # doctest: +SKIP
    >>> [episodes[:, 0].mean() for episodes in cores.run(10)]  # doctest: +SKIP
    [21.4, 22.0, 20.9]
    """

    def __init__(self, bus: StreamsBus, learners: int) -> None:
        """Find the cores and end what they do. Raises LearnersError or PpoError when others answer."""
        _check_count(learners)
        self.shared = SharedDriver(bus, learners)
        self.shared.begin_rounds(0)  # nobody waits for one that is stopped
        self.learners = [PpoDriver(LearnerWindow(bus, "ppo_env", number)) for number in range(learners)]

    @classmethod
    def verilated(cls, parameters: Mapping[str, int | str], *, limit: int = 500_000_000, once: bool = False) -> Self:
        """The RTL with these Verilog parameters, built by Verilator when needed. limit: see VerilatedBus.

        once: all learners have the same code, which a compiler has done sooner, and which takes some times as long.
        """
        bus = simulated("learners_ppo", parameters, limit=limit, shared=("rlc_ppo_env",) if once else ())
        return cls(bus, int(parameters["LEARNERS"]))

    def begin(self, seeds: list[int], average: int) -> None:
        """Let the next run() be a new one, in rounds of `average` minibatches. seeds: of each one's environments."""
        for one, seed in zip(self.learners, seeds, strict=True):
            one.begin(seed)
        self.shared.begin_rounds(average)

    def run(self, iterations: int = 1) -> list[np.ndarray]:
        """Run the iterations; returns the episodes of each learner that ended, as PpoDriver.ended() has them."""
        for one in self.learners:
            one.start(iterations)
        for one in self.learners:
            one.wait()
        return [one.ended() for one in self.learners]

    def __repr__(self) -> str:
        return f"PpoLearnersDriver(learners={len(self.learners)}, average={self.shared.average})"

    def abort(self) -> None:
        """All back to idle from wherever they are; the next run must be a new one."""
        self.shared.begin_rounds(0)
        for one in self.learners:
            one.abort()
