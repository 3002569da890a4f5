"""The learner in the native engine: the model's integers, in C++.

The planes of weights and moments are those of network.NetworkModel, so the model loads, reads and saves them. Where a
sum would leave the core's accumulators, the model takes the stage over.
"""

import numpy as np

from rlcores.base.arrays import compact
from rlcores.cores.learner.activations import RELU, Deltas, Vectors
from rlcores.cores.learner.format import ACC_WIDTH, WEIGHT_FRAC, WEIGHT_WIDTH, LearnerFormats
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learner.loss import priority
from rlcores.cores.learner.loss_settings import critic_loss, dqn_loss
from rlcores.cores.learner.model import WEIGHT, DdpgLearner, ValueLearner
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.learner.optimisers import ALL
from rlcores.cores.learner.optimisers.adam import EPS_MAX, eps_of
from rlcores.cores.learner.optimisers.adamw import DECAY_SHIFT, decay_parts
from rlcores.cores.learner.optimisers.slot import STOCHASTIC, Betas
from rlcores.cores.learner.records import Records
from rlcores.native import engine


class NativeNetwork(NetworkModel):
    """A network whose planes the engine works on too."""

    def __init__(self, sizes, formats, **options) -> None:
        """As NetworkModel. Raises ValueError."""
        super().__init__(sizes, formats, **options)
        # Else a bias alone may leave an accumulator.
        self._make()

    def _make(self) -> None:
        self.fits = max(self.formats.act_frac[:-1]) <= ACC_WIDTH - WEIGHT_WIDTH
        self._known: tuple[int, ...] = ()  # registers that the engine has
        self._engine = self._made()

    def _made(self) -> "engine.LearnerNetwork":
        b, f = Betas(), self.formats
        made = engine.LearnerNetwork(
            self.planes,
            list(self.sizes),
            list(f.act_frac),
            list(f.delta_frac),
            list(f.grad_frac),
            self.output_width,
            ALL[self.optimiser].name,
            ALL[self.optimiser].squares,
            self.rounding,
            self.polyak,
            (b.num1, b.shift1, b.num2, b.shift2),
        )
        if self.activation is not RELU:
            made.activate(self.activation.name)
        return made

    @property
    def _moves(self) -> "engine.LearnerNetwork | engine.TrainedNetwork":
        """What has the optimiser."""
        return self._engine

    def __getstate__(self) -> dict:
        """Without the engine's side, which is made anew."""
        return {name: value for name, value in self.__dict__.items() if name != "_engine"}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._make()

    def reformat(self, formats: LearnerFormats) -> int:
        saturated = super().reformat(formats)
        self._make()
        return saturated

    @property
    def engine(self) -> "engine.LearnerNetwork":
        """The engine's side of it."""
        return self._engine

    def set_flat(self, flat: np.ndarray, plane: int = WEIGHTS) -> None:
        super().set_flat(flat, plane)
        if plane <= TARGET:
            self._engine.refresh(plane == TARGET)

    def forward(self, x, *, target=False, layers=None, counters=None, base=0, overflow_at=0) -> Vectors:
        inputs, counts = compact(x, np.int64), _counts()
        vectors = [np.empty((len(inputs), n), np.int64) for n in self.sizes[1 : (layers or self.layers) + 1]]
        before = [] if self.activation is RELU else [np.empty_like(x) for x in vectors[: self.layers - 1]]
        more = (before,) if before else ()
        quick = len(inputs) and self.fits and not self.normalised
        if quick and self._engine.forward(inputs, target, vectors, counts, 0, *more):
            self._add(counts, counters, base)
            return Vectors([inputs, *vectors], before)
        return super().forward(x, target=target, layers=layers, counters=counters, base=base, overflow_at=overflow_at)

    def backward(self, vectors, delta, fractions, *, first=1, counters=None, base=0, overflow_at=0) -> Deltas:
        last, counts = compact(delta, np.int64), _counts()
        deltas = [np.empty((len(last), n), np.int64) for n in self.sizes[-2:0:-1]]
        kept = vectors[1 : self.layers] if self.activation is RELU else vectors.before
        hidden = [compact(x, np.int64) for x in kept[: self.layers - 1]]
        quick = first == 1 and len(last) and not self.normalised
        if quick and self._engine.backward(hidden, last, list(fractions), deltas, counts, 0):
            self._add(counts, counters, base)
            return Deltas([last, *deltas])
        return super().backward(
            vectors, delta, fractions, first=first, counters=counters, base=base, overflow_at=overflow_at
        )

    def gradient(self, vectors, deltas, counters=None, base=0) -> np.ndarray:
        gradient, counts = np.empty(self.size, np.int64), _counts()
        tensors = [[compact(x, np.int64) for x in each] for each in (vectors[: self.layers], deltas[::-1])]
        if len(tensors[0][0]) and self._engine.gradient(*tensors, gradient, counts, 0):
            self._add(counts, counters, base)
            return gradient
        return super().gradient(vectors, deltas, counters, base)

    def _add(self, counts: np.ndarray, counters: np.ndarray | None, base: int) -> None:
        if counters is not None:
            counters[base + 1 : base + 1 + self.layers] += counts[1 : 1 + self.layers]

    def outputs(self, x: np.ndarray) -> np.ndarray:
        outputs = np.empty((len(x), self.sizes[-1]))
        if self.fits and not self.normalised and self._engine.outputs(compact(x, np.float64), outputs):
            return outputs.astype(np.int64)
        return super().outputs(x)

    def set_optimiser(
        self,
        *,
        tau: int = 0,
        log_eps: int = 0,
        log_clip: int = 0,
        momentum: int = 0,
        rate: int = 0,
        rate_exp: int = 0,
        log_rate: int = 0,
        decay: int = 0,
    ) -> None:
        known = tau, log_eps, log_clip, momentum, rate, rate_exp, decay
        if known != self._known:
            fractions = self.formats.grad_frac[1:]
            shifts = [frac + rate_exp - WEIGHT_FRAC for frac in fractions]
            least = [max(0, min(eps_of(log_eps, f), EPS_MAX)) for f in fractions]
            mantissa, exponent = decay_parts(decay)
            left = DECAY_SHIFT + exponent
            self._moves.rates(rate, log_rate, momentum, log_clip, tau, shifts, least, mantissa, left)
            self._known = known
        self._moves.log_rate(log_rate)  # of Adam's first steps each has another one

    def update(self, g: np.ndarray, sync: bool, counters: np.ndarray | None = None, weight_base: int = 0) -> None:
        counts = np.zeros(64, np.int64) if counters is None else counters
        dither = self._dither() if self.rounding == STOCHASTIC else None
        self._engine.update(g, sync, dither, counts, weight_base)


class NativeValueLearner(ValueLearner):
    """DQN and double DQN: a gradient is one call of the engine, and so is an update."""

    NETWORK = NativeNetwork
    lost = 0  # rewards of the last step_arrays() that are not 0 but became 0

    def gradients(self, records: Records) -> np.ndarray:
        self._check_length(records)
        count = len(records)
        td = np.empty(count, np.int64)
        used = -1
        if self.network.fits:
            used = self.network.engine.gradients(*_arrays(records), *self._rest(count, td))
        if used < 0:
            return super().gradients(records)
        self.td = td[:used]
        priorities = priority(self.td)
        last = records.actions[count - 1]
        return priorities if 0 <= last < self.network.sizes[-1] else np.append(priorities, 0)

    def _rest(self, count: int, td: np.ndarray) -> tuple:
        """What both ways to a gradient hand on: rows of whole columns, registers, and where the numbers go."""
        s = self._settings
        return _rows(self, count), *dqn_loss(s), self.gradient, td, self.counters

    def step_arrays(self, batch: tuple[np.ndarray | None, ...]) -> np.ndarray | None:
        """step() of arrays as a user has them: states, actions, rewards, next states, terminated, weights.

        Returns |TD error| in real numbers, float64 (B,). None, nothing done: they are not plain arrays of numbers that
        fit, or the step is the model's.
        """
        network = self.network
        states, actions, rewards, next_states, terminated, weights = batch
        plain = type(states) is type(actions) is type(rewards) is type(next_states) is type(terminated) is np.ndarray
        if not (plain and network.fits and (weights is None or type(weights) is np.ndarray)):
            return None
        since = self.since_sync + 1
        sync = 0 < self._settings.sync_interval <= since
        count = len(rewards)
        td, errors = np.empty(count, np.int64), np.empty(count)
        stochastic = network.rounding == STOCHASTIC  # what it adds is drawn when the gradient is there
        lost = network.engine.stepped(*batch, errors, *self._rest(count, td), sync, -1 if stochastic else WEIGHT)
        if lost < 0:
            return None
        self.lost = lost
        if stochastic:
            network.update(self.gradient, sync, self.counters, WEIGHT)
        self.td = td
        self.since_sync = 0 if sync else since
        self.steps += 1
        return errors

    def replayed(
        self, tree: "engine.SumTree", memory: np.ndarray, at: tuple[int, int], drawn: np.ndarray, td_shift: int
    ) -> int | None:
        """step_records() of experiences that a tree drew, and their priorities back into it; how many were stale.

        memory (slots, elements): where states and next states begin in a row says `at`; drawn: answers of the tree;
        td_shift: from fractions of Q to those of the tree. None, nothing done: the step is the model's.
        """
        s, count = self._settings, len(drawn)
        if not self.network.fits or self.network.rounding == STOCHASTIC or count != s.batch:
            return None
        since = self.since_sync + 1
        sync = 0 < s.sync_interval <= since
        registers = *dqn_loss(s), self.gradient, self.counters, WEIGHT
        stale = self.network.engine.replayed(tree, memory, *at, drawn, _rows(self, count), td_shift, sync, *registers)
        if stale < 0:
            return None
        self.since_sync = 0 if sync else since
        self.steps += 1
        return stale


class NativeDdpgLearner(DdpgLearner):
    """DDPG: each gradient is one call of the engine, and so is each update."""

    NETWORK = NativeNetwork
    _engine = None

    def __init__(self, *arguments, **options) -> None:
        """As DdpgLearner. Raises ValueError."""
        super().__init__(*arguments, **options)
        f = self.formats
        self._fits = self.network.fits and self.actor.fits
        self._engine = engine.LearnerDdpg(
            self.network.engine, self.actor.engine, self._action_at, f.action_shift, f.tail_shift, list(f.pass_frac)
        )

    def __getstate__(self) -> dict:
        """Without the engine's side, as NativeNetwork."""
        return {name: value for name, value in self.__dict__.items() if name != "_engine"}

    def critic_gradients(self, records: Records) -> np.ndarray:
        self._check_length(records)
        s, count = self._settings, len(records)
        td = np.empty(count, np.int64)
        chosen = _chosen(records)
        inputs = (*_arrays(records), chosen, _rows(self, count), *critic_loss(s))
        used = self._engine.critic(*inputs, self.gradient, td, self.counters) if self._fits else -1
        if used < 0:
            return super().critic_gradients(records)
        self.td = td[:used]
        priorities = priority(self.td)
        return np.append(priorities, 0) if chosen[-1] else priorities

    def actor_gradients(self, records: Records) -> None:
        inputs = (compact(records.states, np.int64), _chosen(records), _rows(self, len(records)))
        rest = self._settings.pass_delta, self.actor_gradient, self.counters
        if not (self._fits and self._engine.actor(*inputs, *rest)):
            super().actor_gradients(records)


def _counts() -> np.ndarray:
    """Counters of one stage of a network, as the engine takes them."""
    return np.zeros(64, np.int64)


def _arrays(records: Records) -> tuple[np.ndarray, ...]:
    """The numbers of records as the engine takes them."""
    r = records
    numbers = (compact(x, np.int64) for x in (r.states, r.actions, r.rewards, r.next_states))
    return *numbers, compact(r.terminated, bool), compact(r.weights, np.int64)


def _chosen(records: Records) -> np.ndarray:
    """Of DDPG's records, int64 (B,): 0 of a valid one, -1 of one that trains nothing."""
    return np.zeros(len(records), np.int64) if records.valid is None else np.asarray(records.valid) - np.int64(1)


def _rows(learner: ValueLearner | DdpgLearner, count: int) -> int:
    """Rows of whole columns that hold `count` records."""
    return -(-count // learner.columns) * learner.columns


class LearnerNativeDriver(LearnerModelDriver):
    """Driver over the native engine."""

    MODELS = NativeValueLearner, NativeDdpgLearner

    _counted = b""

    def step_arrays(self, batch: tuple[np.ndarray | None, ...]) -> np.ndarray | None:
        """NativeValueLearner.step_arrays(); of DDPG None."""
        return None if self.shape.actor else self.model.step_arrays(batch)

    def saturated(self) -> bool:
        """Whether counters have changed since this was asked before."""
        before, self._counted = self._counted, self.model.counters.tobytes()
        return before != self._counted
