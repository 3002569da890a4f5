"""The learner in the native engine: the model's integers, in C++.

The planes of weights and moments are those of model.Network, so that loading, reading and saving them are the model's,
and where a sum would leave the core's accumulators, the model takes the stage over.
"""

import numpy as np

from rlcores.cores.learner import update as learner_update
from rlcores.cores.learner.format import ACC_WIDTH, WEIGHT_FRAC, WEIGHT_WIDTH, Settings, quantise
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learner.loss import priority
from rlcores.cores.learner.model import WEIGHT, DdpgLearner, ValueLearner
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.learner.network import Network
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import ADAM, STOCHASTIC
from rlcores.native import engine


class NativeNetwork(Network):
    """A network whose planes the engine works on too."""

    _engine = None

    def __init__(self, sizes, formats, **options) -> None:
        """As Network. Raises ValueError."""
        super().__init__(sizes, formats, **options)
        # Else a bias alone may leave an accumulator.
        self.fits = max(formats.act_frac[:-1]) <= ACC_WIDTH - WEIGHT_WIDTH
        self._stale: set[int] = set()  # planes of which NumPy's products have an old copy
        b, f = self.betas, formats
        self._engine = engine.LearnerNetwork(
            self.planes,
            list(self.sizes),
            list(f.act_frac),
            list(f.delta_frac),
            list(f.grad_frac),
            self.output_width,
            self.optimiser,
            self.rounding,
            self.polyak,
            (b.num1, b.shift1, b.num2, b.shift2),
        )

    def __getstate__(self) -> dict:
        """Without the engine's side, which is made anew."""
        return {name: value for name, value in self.__dict__.items() if name != "_engine"}

    @property
    def engine(self) -> "engine.LearnerNetwork":
        """The engine's side of it."""
        return self._engine

    def _refresh(self, plane: int) -> None:
        super()._refresh(plane)
        if plane <= TARGET and self._engine is not None:
            self._engine.refresh(plane == TARGET)

    def _catch_up(self) -> None:
        while self._stale:
            super()._refresh(self._stale.pop())

    def forward(self, x: np.ndarray, **options) -> list[np.ndarray]:
        self._catch_up()
        return super().forward(x, **options)

    def through(self, *given) -> np.ndarray:
        self._catch_up()
        return super().through(*given)

    def set_rates(self, settings: Settings, rate: int, rate_exp: int, log_rate: int) -> None:
        fractions = self.formats.grad_frac[1:]
        shifts = [frac + rate_exp - WEIGHT_FRAC for frac in fractions]
        if self.optimiser != ADAM and not 0 <= min(shifts) <= max(shifts) <= 63:
            super().set_rates(settings, rate, rate_exp, log_rate)  # which says why not
        least = [max(0, min(learner_update.eps_of(settings.log_eps, f), learner_update.EPS_MAX)) for f in fractions]
        self._engine.rates(rate, log_rate, settings.momentum, settings.log_clip, settings.tau, shifts, least)

    def update(self, g: np.ndarray, sync: bool, counters: np.ndarray | None = None, weight_base: int = 0) -> None:
        counts = np.zeros(64, np.int64) if counters is None else counters
        dither = self._dither() if self.rounding == STOCHASTIC else None
        self._engine.update(g, sync, dither, counts, weight_base)
        self._stale |= {WEIGHTS, TARGET} if sync else {WEIGHTS}


class NativeValueLearner(ValueLearner):
    """DQN and double DQN: a gradient is one call of the engine, and so is an update."""

    NETWORK = NativeNetwork

    def q(self, states: np.ndarray) -> np.ndarray:
        codes = quantise(states, self.formats.act_frac[0], "state")
        found = np.empty((len(codes), self.network.sizes[-1]))
        if not (self.network.fits and self.network.engine.values(np.ascontiguousarray(codes), found)):
            return super().q(states)
        return found * 2.0 ** -self.formats.act_frac[-1]

    def gradients(self, records: Records) -> np.ndarray:
        self._check_length(records)
        count = len(records)
        td = np.empty(count, np.int64)
        found = -1
        if self.network.fits:
            r = records
            found = self.network.engine.gradients(
                *(np.ascontiguousarray(x, np.int64) for x in (r.states, r.actions, r.rewards, r.next_states)),
                np.ascontiguousarray(r.terminated, bool),
                np.ascontiguousarray(r.weights, np.int64),
                *self._rest(count, td),
            )
        if found < 0:
            return super().gradients(records)
        self.td = td[:found]
        priorities = priority(self.td)
        last = records.actions[count - 1]
        return priorities if 0 <= last < self.network.sizes[-1] else np.append(priorities, 0)

    def _rest(self, count: int, td: np.ndarray) -> tuple:
        """What both ways to a gradient hand on: rows of whole columns, registers, and where the numbers go."""
        s = self._settings
        rows = -(-count // self.columns) * self.columns
        return rows, s.gamma, s.reward_scale, s.huber, s.double, self.gradient, td, self.counters

    def step_arrays(self, *batch: np.ndarray | None) -> np.ndarray | None:
        """step() of states, actions, rewards, next_states, terminated and weights as a user has them.

        None, nothing done: they are not plain arrays of numbers that fit, or the step is the model's.
        """
        count = self._settings.batch
        arrays = batch if batch[-1] is not None else batch[:-1]
        if not (self.network.fits and all(type(x) is np.ndarray and x.flags.c_contiguous for x in arrays)):
            return None
        if not all(x.dtype.char in "?fdl" and x.dtype.isnative for x in arrays):
            return None
        td = np.empty(count, np.int64)
        found = self.network.engine.gradients_of(
            *batch,
            *self._rest(count, td),
        )
        if found < 0:
            return None
        self.td = td
        self.network.update(self.gradient, self._sync(), self.counters, WEIGHT)
        self.steps += 1
        return priority(td)


class NativeDdpgLearner(DdpgLearner):
    """DDPG: updates in the engine."""

    NETWORK = NativeNetwork


class LearnerNativeDriver(LearnerModelDriver):
    """Driver over the native engine."""

    MODELS = NativeValueLearner, NativeDdpgLearner

    def step_arrays(self, *batch: np.ndarray | None) -> np.ndarray | None:
        """NativeValueLearner.step_arrays(); of DDPG None."""
        return None if self.shape.actor else self.model.step_arrays(*batch)
