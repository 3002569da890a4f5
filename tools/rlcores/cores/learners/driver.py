"""Drivers of several learners behind one bus: of each, and of what they share (rlc_learners, rlc_learners_ppo)."""

from collections.abc import Mapping
from typing import Self

import numpy as np

from rlcores.buses.bus import Memory, StreamsBus, Window
from rlcores.buses.described import describe
from rlcores.cores.common.driver import CoreDriver, register, simulated
from rlcores.cores.ppo.driver import PpoDriver
from rlcores.errors import RunFailed, UserError

WINDOW = 0x10000  # bytes of each learner's registers; behind the last one's are those that they share
_FEWEST, _MOST = 2, 16  # learners


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
        return self.read_register("AVERAGE")

    def begin_rounds(self, average: int) -> None:
        """Every learner begins a round of so many steps; 0 lets those go that wait for one that has stopped.

        Raises UserError for a number that is not 0 to 65535.
        """
        if not 0 <= average < 1 << 16:
            raise UserError(f"average is {average}; it is 0 to 65535 steps")
        self.write_register("AVERAGE", 0)
        self.write_register("AVERAGE", average)

    def waits(self) -> tuple[int, ...]:
        """Numbers of the learners that wait for others."""
        word = self.status("waits")
        return tuple(number for number in range(self.learners) if word >> number & 1)

    def clear_counters(self) -> None:
        """Set `rounds` and `waited` to 0."""
        self._command("clear_counters")


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
        if not _FEWEST <= learners <= _MOST:
            raise UserError(f"learners is {learners}; it is {_FEWEST} to {_MOST}")
        self.shared = SharedDriver(bus, learners)
        self.shared.begin_rounds(0)  # nobody waits for one that is stopped
        self.learners = [PpoDriver(LearnerWindow(bus, "ppo_env", number)) for number in range(learners)]

    @classmethod
    def verilated(cls, parameters: Mapping[str, int | str], *, limit: int = 500_000_000) -> Self:
        """The RTL with these Verilog parameters, built by Verilator when needed. limit: see VerilatedBus."""
        return cls(simulated("learners_ppo", parameters, limit=limit), int(parameters["LEARNERS"]))

    def begin(self, seeds: list[int], average: int) -> None:
        """Let the next run() be a new one, in rounds of `average` minibatches. seeds: of each one's environments."""
        for one, seed in zip(self.learners, seeds, strict=True):
            one.begin(seed)
        self.shared.begin_rounds(average)

    def run(self, iterations: int = 1) -> list[np.ndarray]:
        """So many iterations of each; of each the episodes that ended in them, as PpoDriver.ended() has them."""
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
