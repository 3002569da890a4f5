"""What TD3 and SAC share: two critics with the smaller target, an actor through them, and a list of networks.

networks[0] is the actor, the others are critics; each is a rlcores.cores.rl.networks.Trained. All of them see the same
input codes, so they share the input's exponent; critics share those of their value and of its slope.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import limits
from rlcores.cores.common.draws import Xoshiro128pp, state_of
from rlcores.cores.common.vanished import Vanished
from rlcores.cores.learner.activations import RELU
from rlcores.cores.learner.format import FACTOR_FRAC, REWARD_FRAC, VALUE_WIDTH
from rlcores.cores.learner.policy import Policy
from rlcores.cores.rl import stages
from rlcores.cores.rl.batch import INPUT_MOST, Codes, TransitionBatch, as_input, batch_of
from rlcores.cores.rl.exponents import DELTA_SPARE, Exponent
from rlcores.cores.rl.networks import (
    COUNTERS,
    PASS_FRAC,
    PASS_FW,
    WEIGHT,
    RlNetwork,
    Trained,
    check_settings,
    described,
    hidden_of,
    integers_of,
)
from rlcores.cores.rl.squashed import SLOPE_FRAC
from rlcores.errors import UserError, WarningCounter

# Places of an algorithm's own counters of saturations.
INPUT, TARGET_VALUE, TD, DELTA, TAIL, SAMPLE, LOG, SLOPE, TEMPERATURE = range(9)
COUNTED = ("input", "target_value", "td", "delta", "tail", "sample", "log_probability", "slope", "temperature")


@dataclass(frozen=True)
class ActorCriticSettings:
    """What both algorithms have. Rates are Adam's, of the batch's mean."""

    network: tuple[int, ...] = (256, 256)  # hidden layers of actor and critics
    activation: str = RELU.name  # of those, one of limits.ACTIVATIONS
    normalisation: str = limits.NORMALISATIONS[0]  # in front of it, one of limits.NORMALISATIONS
    learning_rate: float = 1e-3
    tau: float = 0.005
    adam_epsilon: float = 1e-8
    reward_scale: float = 1.0


class ActorCritic(ABC):
    """An off-policy actor-critic in integers. states, actions: how many numbers each has."""

    settings: Any

    def __init__(
        self,
        states: int,
        actions: int,
        settings: ActorCriticSettings,
        *,
        seed: int = 0,
        backend: str = "native",
        networks: Sequence[RlNetwork] | None = None,
    ) -> None:
        """networks: other descriptors than the algorithm's, with fractions that are held. Raises UserError."""
        self.kind = integers_of(backend, type(self).__name__)
        check_settings(settings, seed, states=(states, 1), actions=(actions, 1))
        self.states, self.actions, self.settings, self.seed, self.backend = states, actions, settings, seed, backend
        self.input, self.value = Exponent(12, most=INPUT_MOST), Exponent(14, VALUE_WIDTH, most=30)
        self.slope = Exponent(12, spare=DELTA_SPARE)
        self.steps, self.holds = 0, False  # holds: targets stand still until follow()
        self.counters = np.zeros(COUNTERS, np.int64)
        self._tally, self._saturated = WarningCounter(), 0
        self._rewards = Vanished("rewards", REWARD_FRAC)
        self._moving = networks is None
        rates = {"adam_epsilon": settings.adam_epsilon, "tau": settings.tau}
        self.networks = [
            Trained(
                about,
                self.kind,
                self.input,
                self.value if n else None,
                self.slope if n else None,
                learning_rate=rate,
                target=target,
                **rates,
            )
            for n, (about, rate, target) in enumerate(self._descriptors(networks))
        ]
        rng = np.random.default_rng(seed)
        for network in self.networks:
            network.start(rng)
        self.generator = self._generator(state_of(seed))

    def __repr__(self) -> str:
        return described(self)

    def _generator(self, state: Sequence[int]) -> Xoshiro128pp:
        if self.backend == "model":
            return Xoshiro128pp(state)
        from rlcores.cores.common.native_draws import NativeXoshiro128pp

        return NativeXoshiro128pp(state)

    @property
    def _stages(self) -> Any:
        """What is computed of a step besides networks: by the model or by the engine."""
        return _stages_of(self.backend)

    @abstractmethod
    def _descriptors(self, descriptors: Sequence[RlNetwork] | None) -> list[tuple[RlNetwork, float, bool]]:
        """Of each network its descriptor, its learning rate, and whether it has a target network; the actor first."""

    @property
    def actor(self) -> Trained:
        """The network that acts."""
        return self.networks[0]

    @property
    def critics(self) -> list[Trained]:
        """The values."""
        return self.networks[1:]

    @property
    def judges(self) -> list[Trained]:
        """The critics through which the actor learns."""
        return self.critics

    # --- a step ---

    def step(
        self,
        states: ArrayLike | TransitionBatch,
        actions: ArrayLike | None = None,
        rewards: ArrayLike | None = None,
        next_states: ArrayLike | None = None,
        discounts: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> np.ndarray:
        """One gradient step on B transitions, arrays or a TransitionBatch: |TD error| of the first critic, (B,).

        states, next_states (B, N_s); actions (B, N_a) in -1 … 1; rewards, discounts, weights (B,): see TransitionBatch.
        Raises UserError, nothing changed.
        """
        arrays = (states, actions, rewards, next_states, discounts, weights)
        if isinstance(states, TransitionBatch):
            arrays = tuple(vars(states).values())
        batch = batch_of(self.states, self.actions, arrays)
        errors, words, codes = self._critics_step(batch)
        if self.actor_due(self.steps):
            self._actor(codes, words)
        self.move()
        return errors

    def critics_step(self, batch: TransitionBatch) -> tuple[np.ndarray, np.ndarray]:
        """The critics' part of a step: |TD error| (B,), and the words (B, N_a) that the actor's part takes.

        batch: one that is known to be right. Fractions stay: move() ends a step.
        """
        return self._critics_step(batch)[:2]

    def _critics_step(self, batch: TransitionBatch) -> tuple[np.ndarray, np.ndarray, Codes]:
        before, frac = int(self.counters[INPUT]), self.value.frac
        codes = self._stages.codes_of(batch, self.input.frac, self.counters[INPUT:], self.settings.reward_scale)
        self._rewards.see(batch.rewards, codes.rewards)
        self.input.see(codes.most, int(self.counters[INPUT]) - before)
        self.steps += 1
        words = self._critics(codes)
        return np.abs(self.td) * 2.0**-frac, words, codes

    def actor_step(self, batch: TransitionBatch, words: np.ndarray) -> None:
        """The actor's part of a step, through the critics' present weights."""
        seen = np.zeros(1, np.int64)  # what was clipped, the critics' part has counted
        self._actor(self._stages.codes_of(batch, self.input.frac, seen, self.settings.reward_scale), words)

    @abstractmethod
    def _critics(self, codes: Codes) -> np.ndarray:
        """The critics learn; td becomes the first one's TD errors. Gives the words of the actor's part."""

    @abstractmethod
    def _actor(self, codes: Codes, words: np.ndarray) -> None:
        """The actor learns."""

    def actor_due(self, step: int) -> bool:
        """Whether the actor learns, and targets follow, in gradient step 1, 2, …"""
        return True

    def follow(self, steps: int) -> None:
        """The targets follow the present weights by as much as in `steps` steps in which they are due."""
        for network in self.networks:
            if network.has_target:
                network.follow_target(1 - (1 - self.settings.tau) ** steps)

    def move(self) -> None:
        """The end of a step: fractions follow the numbers that were seen."""
        if self._moving:
            self._move()
        self._say()

    def _move(self) -> None:
        if not any([exponent.move() for exponent in self.moving()]):
            return
        # The delta of the actor's output is a product with the slope of tanh, of which bits are dropped.
        tail = self.actor.delta[-1]
        tail.frac = min(tail.frac, SLOPE_FRAC + self.slope.frac)
        for network in self.networks:
            network.follow()

    def moving(self) -> list[Exponent]:
        """All fractions that follow their numbers."""
        return [self.input, self.value, self.slope, *(e for network in self.networks for e in network.own())]

    # --- parts of a step ---

    def words(self, rows: int) -> np.ndarray:
        """Standard normal numbers, sfix(18,14), (rows, N_a), of the generator: a dimension after the other."""
        return self._stages.normals(self.generator, rows, self.actions)

    def join(self, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """A critic's input from states and actions with 16 fraction bits."""
        return np.concatenate([states, as_input(actions, self.input.frac)], axis=1)

    def critic_gradients(self, codes: Codes, x_next: np.ndarray, less: np.ndarray | None = None) -> list[np.ndarray]:
        """The critics' gradients; td becomes the first one's TD errors.

        x_next: input at the next state; less: what is taken off the smaller target value, with the value's fraction.
        """
        counters, frac, by = self.counters, self.value.frac, self._stages
        target = by.target_value([c.forward(x_next, target=True)[-1] for c in self.critics], less)
        counters[TARGET_VALUE] += target.saturated
        self.value.see(target.most, target.saturated)
        x = np.concatenate([codes.states, codes.actions], axis=1)
        gradients, self.td = [], None
        for critic in self.critics:
            vectors = critic.forward(x)
            td, delta, reward = by.critic_errors(
                vectors[-1], target.numbers, codes, frac, critic.integers.formats.delta_frac[-1]
            )
            counters[TD] += td.saturated
            self.value.see(max(td.most, reward), td.saturated)
            counters[DELTA] += delta.saturated
            gradients.append(critic.gradient(vectors, delta.numbers, delta.saturated))
            self.td = td.numbers if self.td is None else self.td
        return gradients

    def through(self, states: np.ndarray, action: np.ndarray) -> np.ndarray:
        """-dQ/da of an action, 16 fraction bits, (R, N_a), with the fraction `slope`: of the judges' smallest Q.

        Of equals the first one counts.
        """
        x, critics = self.join(states, action), self.judges
        last = critics[0].layers
        passes = [c.forward(x, to=last if len(critics) > 1 else last - 1, base=PASS_FW) for c in critics]
        down = -(1 << PASS_FRAC)
        if len(critics) > 1:
            deltas = self._stages.least_value([vectors[-1] for vectors in passes], down)
        else:
            deltas = [np.full((len(x), 1), down)]
        columns = slice(self.states, None)
        parts = [c.to_input(*each, columns) for c, *each in zip(critics, passes, deltas, strict=True)]
        slopes = self._stages.limited_sum(parts)
        self.counters[SLOPE] += slopes.saturated
        self.slope.see(slopes.most, slopes.saturated)
        return slopes.numbers

    def update_critics(self, gradients: Sequence[np.ndarray], batch: int, sync: bool) -> None:
        """One step of Adam each; their targets follow if `sync`, and are not held."""
        for critic, gradient in zip(self.critics, gradients, strict=True):
            critic.update(gradient, batch, sync and not self.holds)

    # --- outside ---

    @abstractmethod
    def policy(self) -> Policy:
        """The present actor, to act with elsewhere in the same integers."""

    def _policy(self, squashes: bool) -> Policy:
        net = self.actor.integers
        return Policy(net.sizes, net.formats, net.planes[0].copy(), squashes, self.backend, *hidden_of(net))

    def weights(self) -> list[np.ndarray]:
        """All that is trained by gradients, int64 with 22 fraction bits, a vector a network."""
        return [network.integers.planes[0] for network in self.networks]

    def saturations(self) -> dict[str, int]:
        """How often a number did not fit, by network, stage and layer, if ever."""
        counts = {name: int(self.counters[n]) for n, name in enumerate(COUNTED)}
        for name, network in zip(self.names, self.networks, strict=True):
            counts |= {f"{name}.{stage}": n for stage, n in network.saturations().items()}
        return {name: n for name, n in counts.items() if n}

    @property
    def names(self) -> tuple[str, ...]:
        """Of the networks."""
        return ("actor", *(f"critic{n}" for n in range(1, len(self.networks))))

    def fractions(self) -> dict[str, list[int]]:
        """Where the exponents are now, by network and tensor."""
        fractions: dict[str, list[int]] = {
            "input": [self.input.frac],
            "value": [self.value.frac],
            "slope": [self.slope.frac],
        }
        for name, network in zip(self.names, self.networks, strict=True):
            for kind in ("act", "delta", "grad", "passed"):
                fractions[f"{name}.{kind}"] = [e.frac for e in getattr(network, kind)]
        return fractions

    def _say(self) -> None:
        # Where an exponent moves, a few numbers are clipped on its way; this is what no exponent helps.
        now = self._unhelped()
        if now > self._saturated:
            where = ", ".join(f"{n} {name}" for name, n in self.saturations().items() if _unhelped(name))
            self._tally.add("saturated", now - self._saturated, f"numbers of the learner did not fit: {where}")
        self._saturated = now

    def _unhelped(self) -> int:
        weights = sum(int(network.counters[WEIGHT + 1 : WEIGHT + 5].sum()) for network in self.networks)
        return weights + int(self.counters[[SAMPLE, LOG, TEMPERATURE]].sum())

    # --- state ---

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that load_state_dict() needs to go on identically."""
        state = {
            "counts": np.array([self.steps, *(network.updates for network in self.networks)], np.int64),
            "generator": np.array(self.generator.state, np.int64),
            "counters": np.array([self.counters, *(network.counters for network in self.networks)]),
            "shared": np.array([self.input.state(), self.value.state(), self.slope.state()], np.int64),
        }
        for name, network in zip(self.names, self.networks, strict=True):
            state[f"{name}.planes"] = network.integers.planes.copy()
            state[f"{name}.exponents"] = np.array([e.state() for e in network.own()], np.int64)
        return state

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Go on as the learner that gave the state would. Raises UserError: it is that of another one."""
        mine = self.state_dict()
        if {n: np.shape(x) for n, x in state.items()} != {n: x.shape for n, x in mine.items()}:
            raise UserError("the state is that of another learner, or is damaged")
        self.steps, *updates = (int(x) for x in state["counts"])
        self.generator = self._generator(state["generator"].tolist())
        self.counters[:] = state["counters"][0]
        for exponent, kept in zip((self.input, self.value, self.slope), state["shared"], strict=True):
            exponent.load(kept)
        for n, (name, network) in enumerate(zip(self.names, self.networks, strict=True)):
            for exponent, kept in zip(network.own(), state[f"{name}.exponents"], strict=True):
                exponent.load(kept)
            network.updates = updates[n]
            network.counters[:] = state["counters"][n + 1]
            network.restore(state[f"{name}.planes"])
        self._saturated = self._unhelped()


@cache
def _stages_of(backend: str) -> Any:
    if backend == "model":
        return stages
    from rlcores.cores.rl import native_stages

    return native_stages


def _unhelped(name: str) -> bool:
    return name in (COUNTED[SAMPLE], COUNTED[LOG], COUNTED[TEMPERATURE]) or ".weight" in name


def noise_of(normals: np.ndarray, deviation: float, most: float, frac: int) -> np.ndarray:
    """Normal numbers sfix(18,14) times a deviation, clipped to +-most, with `frac` fraction bits."""
    size = int(np.floor(deviation * 2**FACTOR_FRAC + 0.5))
    exact = normals * size
    drop = 14 + FACTOR_FRAC - frac
    limit = int(np.floor(most * 2**frac + 0.5))
    return np.clip((exact + ((1 << drop) >> 1)) >> drop, -limit, limit)
