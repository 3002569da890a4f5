"""Driver of the environment core behind its AXI wrapper. Numbers stay raw; rlcores.integrations.gymnasium has units."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from rlcores.buses.bus import StreamsBus
from rlcores.cores.common.draws import state_of
from rlcores.cores.common.driver import CoreDriver, register
from rlcores.cores.env import beats, environments
from rlcores.cores.env.model import COUNTERS
from rlcores.cores.env.physics import Physics
from rlcores.errors import RunFailed, UserError


class EnvError(RunFailed):
    """The core is not what was expected, or refused a register's value."""


class Environments(Protocol):
    """What EnvModel and EnvDriver have in common: everything that the layers above call."""

    physics: Physics
    n_envs: int

    @property
    def time_limit(self) -> int: ...
    @property
    def counters(self) -> Mapping[str, int]: ...
    @property
    def saturated(self) -> int: ...

    def start(self, seed: int = 0) -> np.ndarray: ...
    def step(self, actions: np.ndarray) -> np.ndarray: ...


class EnvDriver(CoreDriver):
    """One environment core behind a bus, with what EnvModel has. Raises EnvError when the core refuses."""

    CORE, WHAT, ERROR, REFUSALS = "env", "environment core", EnvError, ("CONFIG", "BUSY")

    def __init__(self, bus: StreamsBus, time_limit: int | None = None) -> None:
        """Find the core and stop it. time_limit: as EnvModel's; default: what the core was built with.

        Raises EnvError when another core answers, and UserError for a time limit of more than 16 bits.
        """
        super().__init__(bus)
        self.n_envs = self._field("PARAM0", "n_envs")
        with self._shape_of_core():
            self.physics = environments.of_core(self._field("PARAM0", "env"), self.n_envs)
        self.abort()
        if time_limit is not None:
            if not 0 <= time_limit < 1 << 16:
                raise UserError(f"time_limit is {time_limit}; it is 0 to 65535 steps")
            self.write_register("TIME_LIMIT", time_limit)
        self.clear_flags()
        self._command("clear_counters")

    time_limit = register("TIME_LIMIT", "Steps after which an episode is truncated; 0: never.")
    saturated = register("SATURATED", "Steps in which a number was clipped.")

    @property
    def counters(self) -> dict[str, int]:
        """As EnvModel.counters."""
        return {name: self.read_register(name.upper()) for name in COUNTERS}

    @property
    def running(self) -> bool:
        """Whether episodes run: between start() and abort()."""
        return bool(self.status("running"))

    def abort(self) -> None:
        """Back to idle; what is on its way is dropped, also an answer that still stands at the port."""
        self._command("abort")
        while self.status("stale"):
            self.bus.transfer({}, {"m_axis": 1})

    def start(self, seed: int = 0) -> np.ndarray:
        """As EnvModel.start. Raises UserError for a seed that does not fit."""
        self.begin(seed)
        return self._records(self.bus.transfer({}, {"m_axis": self.n_envs}))

    def begin(self, seed: int = 0) -> None:
        """start(), without taking the first answers. Raises UserError for a seed that does not fit."""
        try:
            state = state_of(seed)
        except ValueError as error:
            raise UserError(str(error)) from None
        self.abort()
        for place, word in enumerate(state):
            self.write_register(f"SEED{place}", word)
        self._command("start")

    def step(self, actions: np.ndarray) -> np.ndarray:
        """As EnvModel.step. Raises EnvError before start()."""
        if not self.running:
            raise EnvError("there is no episode before start()")
        words = beats.pack_actions(actions)
        return self._records(self.bus.transfer({"s_axis": words}, {"m_axis": len(words)}))

    def _records(self, taken: Mapping[str, np.ndarray]) -> np.ndarray:
        return beats.unpack(taken["m_axis"], len(self.physics.observations))
