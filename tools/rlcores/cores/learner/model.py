"""The learner core without its clock, bit for bit: DQN, double DQN and DDPG steps in the core's integers.

Meng et al. (2022, 3.2) and Zhang (2022, 4.2.2): forward, loss, backward, weight gradient, update, target network. The
float reference is learner_float; formats and registers are in learner_format and learner_registers.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from rlcores.base.words import first
from rlcores.cores.common.fixed import quantise, saturate
from rlcores.cores.common.tanh import tanh_fixed
from rlcores.cores.learner import loss as learner_loss
from rlcores.cores.learner import tail as learner_tail
from rlcores.cores.learner.format import (
    ACT_WIDTH,
    FACTOR_ONE,
    REWARD_WIDTH,
    TANH_FRAC,
    DdpgFormats,
    LearnerBatch,
    LearnerFormats,
    LearnerSettings,
)
from rlcores.cores.learner.layout import Matrices
from rlcores.cores.learner.network import NetworkModel, clip_and_count
from rlcores.cores.learner.records import NO_ACTION, Records, to_records
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.learner.shape import NetworkShape as Groups
from rlcores.cores.learner.words import STAGES

# Counters of saturations. Those of layers are at these places plus the layer 1..M.
COUNTERS = sum(STAGES.values())
IN, TD, DELTA, ACC_OVERFLOW, TAIL, ACTOR_ACC_OVERFLOW = (
    first(STAGES, name) for name in ("IN", "TD", "DELTA", "ACC_OVERFLOW0", "TAIL", "ACC_OVERFLOW1")
)
FW, TFW, BW, GRAD, WEIGHT = (first(STAGES, f"{name}0") - 1 for name in ("FW", "TFW", "BW", "WA", "WU"))
ACTOR_FW, ACTOR_TFW, ACTOR_BW, ACTOR_GRAD, ACTOR_WEIGHT = (
    first(STAGES, f"{name}1") - 1 for name in ("FW", "TFW", "BW", "WA", "WU")
)
PASS_FW, PASS_BW = (first(STAGES, name) - 1 for name in ("PASS_FW", "PASS_BW"))


class _Learner:
    """What DQN and DDPG share: the value network, its loss, its gradient and its update; registers and counters.

    network: the value network. gradient: the last step's, summed over the batch, int64 as network's flat planes.
    td: the last step's TD errors. steps: steps so far. since_sync: steps since the target networks last followed,
    which they do when these are sync_interval or more. counters: saturations, int64 (64,), as the core's registers.
    """

    NETWORK = NetworkModel

    def __init__(self, shape: LearnerShape, formats: LearnerFormats | DdpgFormats, settings: LearnerSettings) -> None:
        """A core of this shape with these registers, its weights all 0. Raises ValueError."""
        self.shape, self.columns, self.formats = shape, shape.columns, formats
        self.value_formats = formats.value if isinstance(formats, DdpgFormats) else formats
        self.network = self._made(shape.value, self.value_formats)
        self.networks = [self.network]
        if shape.actor:
            self.actor = self._made(shape.actor, formats.actor, output_width=ACT_WIDTH, actor=True)
            self.networks.append(self.actor)
        self.gradient = np.zeros(self.network.size, np.int64)
        self.td = np.zeros(0, np.int64)
        self.steps = self.since_sync = 0
        self.counters = np.zeros(COUNTERS, np.int64)
        self.settings = settings
        self.seed(settings.seed)

    def _made(self, groups: Groups, formats: LearnerFormats, **options) -> NetworkModel:
        of_core = {
            name: getattr(self.shape, name) for name in ("optimiser", "rounding", "polyak", "columns", "sum_width")
        }
        return self.NETWORK(groups.sizes, formats, groups=groups, **of_core, **options)

    # --- registers ---

    @property
    def settings(self) -> LearnerSettings:
        """The registers. Assigning others is writing them; ValueError, and the old ones stay, where they do not fit."""
        return self._settings

    @settings.setter
    def settings(self, settings: LearnerSettings) -> None:
        for network, own in zip(self.networks, settings.networks, strict=False):
            network.check_rate(own.rate_exp)
        for network, own in zip(self.networks, settings.networks, strict=False):
            network.set_rates(settings, own)
        self._settings = settings

    def set(self, **registers: Any) -> None:
        """Write some of the registers, by name. Raises ValueError, nothing changed."""
        self.settings = replace(self._settings, **registers)

    def seed(self, seed: int) -> None:
        """Write the seed of stochastic rounding, 32 bits: the generators restart."""
        self.set(seed=seed)
        for network in self.networks:
            network.seed(seed)

    def load(self, *matrices: Matrices) -> None:
        """A fresh start of the network, with DDPG of critic and actor: their targets the same, moments 0.

        matrices: (W, b) layer by layer, integers with 22 fraction bits or, if any of them is a float, real numbers.
        Raises ValueError, nothing changed: wrong shape, NaN, out of sfix(27,22).
        """
        codes = [network.codes(layers) for network, layers in zip(self.networks, matrices, strict=True)]
        for network, flat in zip(self.networks, codes, strict=True):
            network.start(flat)

    def records(self, batch: LearnerBatch) -> Records:
        """A batch in integers. Raises ValueError; see to_records()."""
        return to_records(batch, self.value_formats.act_frac[0], self.shape)

    def step(self, batch: LearnerBatch) -> np.ndarray:
        """One gradient step; returns |td| of the transitions, int64 with the output's fraction. Raises ValueError."""
        return self.step_records(self.records(batch))

    def weights(self) -> Matrices:
        """Copies of the value network's weights, int64 with 22 fraction bits: (W, b) layer by layer."""
        return self.network.matrices()

    def _sync(self) -> bool:
        # Whether the target networks follow the update of this step.
        self.since_sync += 1
        due = 0 < self._settings.sync_interval <= self.since_sync
        if due:
            self.since_sync = 0
        return due

    # --- parts of a step ---

    def _input(self, codes: np.ndarray, counters: np.ndarray | None = None) -> np.ndarray:
        # Rows of zeros fill the last batch slice; codes beyond 18 bits saturate in the loader.
        x = np.pad(codes, ((0, -len(codes) % self.columns), (0, 0)))
        return clip_and_count(x, ACT_WIDTH, counters, IN)

    def _check_length(self, records: Records) -> None:
        if len(records) != self._settings.batch:
            raise ValueError(f"the batch has {len(records)} transitions; the register says {self._settings.batch}")

    def _value_gradient(
        self, records: Records, actions: np.ndarray, x: np.ndarray, x_next: np.ndarray, double: bool
    ) -> np.ndarray:
        """The value network's gradient into .gradient, from its inputs at s and s'; returns the priorities."""
        net, counters = self.network, self.counters
        rows = len(x)
        if double:
            both = net.forward(np.concatenate([x, x_next]), counters=counters, base=FW, overflow_at=ACC_OVERFLOW)
            vectors, q_next = [v[:rows] for v in both], both[-1][rows:]
        else:
            vectors, q_next = net.forward(x, counters=counters, base=FW, overflow_at=ACC_OVERFLOW), None
        q_target = net.forward(x_next, target=True, counters=counters, base=TFW, overflow_at=ACC_OVERFLOW)[-1]
        delta, priorities = self._loss(records, actions, vectors[-1], q_target, q_next)
        deltas = net.backward(vectors, delta, self.value_formats.delta_frac, counters=counters, base=BW)
        self.gradient = net.gradient(vectors, deltas, counters, GRAD)
        return priorities

    def _loss(
        self, records: Records, actions: np.ndarray, q: np.ndarray, q_target: np.ndarray, q_next: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Delta of the output (rows, N_M), and the priorities."""
        s = self._settings
        act_frac, delta_frac = self.value_formats.act_frac[-1], self.value_formats.delta_frac[-1]
        count, rows = len(records), len(q)
        valid, terminated = np.zeros((2, rows), bool)
        action, reward, weight = np.zeros((3, rows), np.int64)
        # What the loader does: it limits rewards and importance weights, and a record with an unknown action is none.
        valid[:count] = (actions >= 0) & (actions < q.shape[1])
        action[:count] = actions * valid[:count]
        terminated[:count] = records.terminated
        reward[:count] = saturate(records.rewards, REWARD_WIDTH)
        weight[:count] = np.minimum(records.weights & 0xFFFFFFFF, FACTOR_ONE)
        self.counters[IN] += (
            count
            - int(valid.sum())
            + int((reward[:count] != records.rewards).sum())
            + int((weight[:count] != records.weights).sum())
        )
        td, saturated = learner_loss.td_error(
            q,
            action,
            q_target,
            reward,
            terminated,
            act_frac=act_frac,
            gamma=s.gamma,
            reward_scale=s.reward_scale,
            q_online_next=q_next,
        )
        self.counters[TD] += int(saturated.sum())
        self.td = td[valid]
        taken, clipped = learner_loss.output_delta(s.clipped(td), weight, act_frac=act_frac, delta_frac=delta_frac)
        self.counters[DELTA] += int((clipped & valid).sum())
        delta = np.zeros(q.shape, np.int64)
        delta[np.arange(rows), action] = taken * valid
        priorities = learner_loss.priority(self.td)
        # The stream of priorities ends with the batch's last record, whether that one is valid or not.
        return delta, priorities if valid[count - 1] else np.append(priorities, 0)


class ValueLearner(_Learner):
    """DQN and double DQN."""

    def q(self, states: np.ndarray) -> np.ndarray:
        """Values (B, actions) of real states (B, N_0), as the core's forward pass has them; counts nothing."""
        codes = quantise(states, self.formats.act_frac[0], "state")
        return self.network.outputs(clip_and_count(codes, ACT_WIDTH)) * 2.0 ** -self.formats.act_frac[-1]

    def step_records(self, records: Records) -> np.ndarray:
        """step() of integers. A record whose action does not exist has no priority, or 0 if last, and no effect."""
        priorities = self.gradients(records)
        self.network.update(self.gradient, self._sync(), self.counters, WEIGHT)
        self.steps += 1
        return priorities

    def gradients(self, records: Records) -> np.ndarray:
        """The gradient into .gradient, weights unchanged; returns the priorities. Raises ValueError."""
        self._check_length(records)
        x, x_next = (self._input(s, self.counters) for s in (records.states, records.next_states))
        return self._value_gradient(records, records.actions, x, x_next, self._settings.double)


class DdpgLearner(_Learner):
    """DDPG, its actor's step one update behind (the paper's lagged critic) or not.

    The critic's input is the state, padding, the action, and the padding's weights are 0. actor, actor_gradient: as
    network and gradient.
    """

    def __init__(self, shape: LearnerShape, formats: DdpgFormats, settings: LearnerSettings) -> None:
        super().__init__(shape, formats, settings)
        self._action_at = shape.value.sizes[0] - shape.action_size
        self.actor_gradient = np.zeros(self.actor.size, np.int64)

    def act(self, states: np.ndarray) -> np.ndarray:
        """mu(s) in -1..1, (B, N_a), of real states (B, N_s), as the core computes it; counts nothing."""
        codes = quantise(states, self.value_formats.act_frac[0], "state")
        return tanh_fixed(self.actor.outputs(clip_and_count(codes, ACT_WIDTH))) * 2.0**-TANH_FRAC

    def q(self, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Q(s, a), (B, 1), of real states and actions, as the core computes it; counts nothing."""
        frac = self.value_formats.act_frac[0]
        s, a = (clip_and_count(quantise(x, frac, "input"), ACT_WIDTH) for x in (states, actions))
        return self.network.outputs(self._join(s, a)) * 2.0 ** -self.value_formats.act_frac[-1]

    def _join(self, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
        x = np.zeros((len(states), self.network.sizes[0]), np.int64)
        x[:, : self.shape.state_size] = states
        x[:, self._action_at :] = actions
        return x

    def _with_mu(self, states: np.ndarray, u: np.ndarray) -> np.ndarray:
        # The critic's input from the actor's output before tanh.
        return self._join(states, learner_tail.action(u, self.formats.action_shift))

    def step_records(self, records: Records) -> np.ndarray:
        """step() of integers."""
        priorities = self.critic_gradients(records)
        if self._settings.lag:
            self.actor_gradients(records)
        sync = self._sync()
        self.network.update(self.gradient, sync, self.counters, WEIGHT)
        if not self._settings.lag:
            self.actor_gradients(records)
        self.actor.update(self.actor_gradient, sync, self.counters, ACTOR_WEIGHT)
        self.steps += 1
        return priorities

    def critic_gradients(self, records: Records) -> np.ndarray:
        """The critic's gradient into .gradient, weights unchanged; returns the priorities. Raises ValueError."""
        self._check_length(records)
        states, next_states = (self._input(s, self.counters) for s in (records.states, records.next_states))
        vectors = self.actor.forward(
            next_states, target=True, counters=self.counters, base=ACTOR_TFW, overflow_at=ACTOR_ACC_OVERFLOW
        )
        x = self._join(states, self._input(records.actions, self.counters))
        x_next = self._with_mu(next_states, vectors[-1])
        return self._value_gradient(records, np.where(_valid(records), 0, NO_ACTION), x, x_next, double=False)

    def actor_gradients(self, records: Records) -> None:
        """The actor's gradient into .actor_gradient, through the critic's present weights."""
        f, counters, count = self.formats, self.counters, len(records)
        states = self._input(records.states)
        vectors = self.actor.forward(states, counters=counters, base=ACTOR_FW, overflow_at=ACTOR_ACC_OVERFLOW)
        # Through the critic's hidden layers and back. Of the first layer only what leads to the action.
        through = self.network.forward(
            self._with_mu(states, vectors[-1]),
            layers=self.network.layers - 1,
            counters=counters,
            base=PASS_FW,
            overflow_at=ACTOR_ACC_OVERFLOW,
        )
        delta = np.zeros((len(states), 1), np.int64)
        delta[:count, 0] = np.where(_valid(records), self._settings.pass_delta, 0)
        deltas = self.network.backward(through, delta, f.pass_frac, counters=counters, base=PASS_BW)
        to_action = self.network.through(deltas[-1], 1, f.pass_frac, slice(self._action_at, None))
        to_action = clip_and_count(to_action, ACT_WIDTH, counters, PASS_BW + 1)
        delta, saturated = learner_tail.tail_delta(to_action, learner_tail.slope(vectors[-1]), f.tail_shift)
        counters[TAIL] += int(saturated.sum())
        deltas = self.actor.backward(vectors, delta, f.actor.delta_frac, counters=counters, base=ACTOR_BW)
        self.actor_gradient = self.actor.gradient(vectors, deltas, counters, ACTOR_GRAD)


def _valid(records: Records) -> np.ndarray:
    return np.ones(len(records), bool) if records.valid is None else records.valid
