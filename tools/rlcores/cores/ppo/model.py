"""PPO without its clock, bit for bit: rollouts, advantages, epochs of shuffled minibatches, in integers.

The order of events is that of CleanRL's ppo.py: a whole rollout with one set of weights, then its training. Networks
are the learner's (cores/learner/network.py), actions and log-probabilities the policy core's (cores/policy), the
environments stand behind the stream's contract (cores/env). Formulas and formats: docs/ppo.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rlcores.base.words import first
from rlcores.cores.common.draws import Xoshiro128pp, state_of, stream_state
from rlcores.cores.common.fixed import quantise_within
from rlcores.cores.learner import format as learner_format
from rlcores.cores.learner import update as learner_update
from rlcores.cores.learner.format import ACT_WIDTH, WEIGHT_FRAC
from rlcores.cores.learner.network import NetworkModel, clip_and_count
from rlcores.cores.learner.optimisers import adam
from rlcores.cores.policy import density
from rlcores.cores.policy import head as policy_head
from rlcores.cores.ppo import gae, head, norm, permute, standardise
from rlcores.cores.ppo.rates import Rates
from rlcores.cores.ppo.records import ADVANTAGE, Records
from rlcores.cores.ppo.settings import PpoFormats, PpoSettings
from rlcores.cores.ppo.words import STAGES

# Counters of saturations; those of layers are at these places plus the layer 1 … 4.
FW, CRITIC_FW, BW, CRITIC_BW, GRAD, CRITIC_GRAD, WEIGHT, CRITIC_WEIGHT = (
    first(STAGES, name) - 1 for name in ("FW1", "FW0", "BW1", "BW0", "GRAD1", "GRAD0", "WEIGHT1", "WEIGHT0")
)
ACC_OVERFLOW, ACT, RECORD, GAE, STANDARD, POLICY, VALUE, DEVIATION = (
    first(STAGES, name) for name in ("ACC_OVERFLOW", "ACT", "RECORD", "GAE", "STANDARD", "POLICY", "VALUE", "DEVIATION")
)
REWARD = RECORD
COUNTERS = sum(STAGES.values())
NAMES = {
    **{base + layer: f"{name} {layer}" for base, name in zip((
        FW, CRITIC_FW, BW, CRITIC_BW, GRAD, CRITIC_GRAD, WEIGHT, CRITIC_WEIGHT), (
        "actor forward", "critic forward", "actor backward", "critic backward", "actor gradient", "critic gradient",
        "actor weight", "critic weight"), strict=True) for layer in range(1, 5)},
    ACC_OVERFLOW: "sum", ACT: "acting", REWARD: "reward", GAE: "advantage", STANDARD: "standardised advantage",
    POLICY: "policy loss", VALUE: "value loss", DEVIATION: "log-deviation",
}  # fmt: skip
NOISE, SHUFFLE = 64, 65  # numbers of the generators of a seed; an environment takes those from 0 on


class Environments(Protocol):
    """N environments, as cores.env.model.EnvModel: records with obs, final, reward, terminated and truncated."""

    def start(self, seed: int) -> np.ndarray:
        """N first beats."""

    def step(self, actions: np.ndarray) -> np.ndarray:
        """N actions answered, N beats."""


@dataclass
class Rollout:
    """What the memory keeps of T steps of N environments, (T, N, …), and advantages, sfix(27,16).

    observations: codes of 18 bits. actions: indices (T, N), or samples (T, N, A), sfix(27,16). logs: log2 pi(a|s).
    raw_rewards: the environments', sfix(27,19); rewards: scaled, sfix(27,16). lasts: observations that the steps
    led to; finals: V of those where truncated and not terminated, else 0. bootstrap (N,): V after the last step.
    baselines: values as the memory gives them to GAE and training; None: as they are.
    """

    observations: np.ndarray
    actions: np.ndarray
    logs: np.ndarray
    values: np.ndarray
    raw_rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    lasts: np.ndarray
    rewards: np.ndarray
    finals: np.ndarray
    advantages: np.ndarray
    bootstrap: np.ndarray
    baselines: np.ndarray | None = None

    @classmethod
    def room(cls, steps: int, envs: int, inputs: int, dimensions: int = 0) -> "Rollout":
        """For T steps of N environments; dimensions: of a Gaussian policy's actions, else 0."""
        shape = steps, envs
        numbers = [np.zeros(shape, np.int64) for _ in range(6)]
        actions = np.zeros((*shape, dimensions) if dimensions else shape, np.int64)
        seen, lasts = (np.zeros((*shape, inputs), np.int64) for _ in range(2))
        ends = np.zeros(shape, bool), np.zeros(shape, bool)
        return cls(seen, actions, *numbers[:3], *ends, lasts, *numbers[3:], np.zeros(envs, np.int64))


class Ppo:
    """Actor, critic, log-deviations, and what trains them.

    actor, critic: networks, the same one where the trunk is shared. logs: int64 (3, A), log-deviations and Adam's
    moments, none for a discrete policy. counters: saturations, by NAMES. iterations, updates: so far.
    gradients: the last minibatch's, before the norm's limit: of the actor, the critic and the log-deviations.
    records: the codes of the rollout's memory, None where it keeps whole numbers.
    """

    NETWORK = NetworkModel

    def __init__(
        self,
        sizes: Sequence[int],
        critic_sizes: Sequence[int] | None,
        formats: PpoFormats,
        settings: PpoSettings,
        gaussian: bool = False,
        columns: int = 1,
    ) -> None:
        """sizes: N_0 … N_M, the actor's; critic_sizes None: its last output is the value. Raises ValueError.

        columns: DP of the core, samples side by side. Where it has none, networks see zeros, which only counters tell.
        """
        if (critic_sizes is None) != (formats.critic is None):
            raise ValueError("a critic has sizes and formats, a shared trunk neither")
        if critic_sizes is not None and (critic_sizes[0] != sizes[0] or critic_sizes[-1] != 1):
            raise ValueError(f"the critic is {tuple(critic_sizes)}; it has {sizes[0]} inputs and 1 output")
        self.formats, self.settings, self.gaussian, self.columns = formats, settings, gaussian, columns
        self.shared = critic_sizes is None
        self.outputs = sizes[-1] - self.shared
        if self.outputs < 1:
            raise ValueError("a shared trunk has an output more than there are actions")
        self.actor = self.NETWORK(sizes, formats.actor)
        self.critic = self.actor if self.shared else self.NETWORK(critic_sizes, formats.critic)
        self.logs = np.zeros((3, self.outputs if gaussian else 0), np.int64)
        self.counters = np.zeros(COUNTERS, np.int64)
        self.iterations = self.updates = 0
        self.gradients: list[np.ndarray] = []
        self.records = Records(settings.record_bits) if settings.record_bits else None
        self._rates = Rates(settings.rate, settings.falls)
        self._learner = learner_format.LearnerSettings(log_eps=settings.log_eps, log_clip=settings.log_clip)
        seeds = state_of(settings.seed)
        self._noise, self._shuffle = (Xoshiro128pp(stream_state(seeds, n)) for n in (NOISE, SHUFFLE))

    # --- networks ---

    @property
    def own_networks(self) -> list[NetworkModel]:
        """The actor, and the critic where it has a trunk of its own."""
        return [self.actor] if self.shared else [self.actor, self.critic]

    def _forward(self, network: NetworkModel, x: np.ndarray, base: int) -> list[np.ndarray]:
        return network.forward(x, counters=self.counters, base=base, overflow_at=ACC_OVERFLOW)

    def look(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logits or means (R, K) and values (R,) of codes (R, N_0); counts."""
        x = clip_and_count(observations, ACT_WIDTH, self.counters, ACT)
        out = self._forward(self.actor, x, FW)[-1]
        if self.shared:
            return out[:, :-1], out[:, -1]
        return out, self._forward(self.critic, x, CRITIC_FW)[-1][:, 0]

    def value(self, observations: np.ndarray) -> np.ndarray:
        """V (R,) of codes (R, N_0); both networks see them, and count."""
        return self.look(observations)[1]

    def fill(self, vectors: int) -> None:
        """Counts what zeros do in the columns that `vectors` vectors leave empty in their last batch slice."""
        if empty := -vectors % self.columns:
            self.look(np.zeros((empty, self.actor.sizes[0]), np.int64))

    # --- a rollout ---

    def act(self, out: np.ndarray) -> policy_head.Answers:
        """Actions by logits or means (R, K): 1 + K words of the generator a row."""
        words = self._noise.take(out.shape[0] * (1 + out.shape[1])).reshape(out.shape[0], -1)
        settings = policy_head.HeadSettings(noise=True, scale=policy_head.SCALE_ONE, log_deviations=self.logs[0])
        answers = (policy_head.continuous if self.gaussian else policy_head.discrete)(out, words, settings)
        self.counters[ACT] += answers.saturated
        return answers

    def decide(self, observations: np.ndarray) -> tuple[policy_head.Answers, np.ndarray]:
        """What look() and act() say to codes (N, N_0): answers, and values (N,)."""
        out, values = self.look(observations)
        return self.act(out), values

    def collect(self, environments: Environments, observations: np.ndarray) -> tuple[Rollout, np.ndarray]:
        """T steps from observations (N, N_0) on, with advantages; and the observations after them.

        Raises ValueError: observations of another shape.
        """
        s, inputs = self.settings, self.actor.sizes[0]
        if np.shape(observations) != (s.envs, inputs):
            raise ValueError(f"the observations have the shape {np.shape(observations)}; it must be {(s.envs, inputs)}")
        kept = Rollout.room(s.steps, s.envs, inputs, self.outputs if self.gaussian else 0)
        observations = self.play(environments, observations, kept)
        return self.complete(kept, observations), observations

    def play(self, environments: Environments, observations: np.ndarray, kept: Rollout) -> np.ndarray:
        """All steps into `kept`, but for rewards, finals and advantages; the observations after them."""
        for t in range(self.settings.steps):
            observations = self.play_step(environments, observations, kept, t)
        return observations

    def play_step(self, environments: Environments, observations: np.ndarray, kept: Rollout, t: int) -> np.ndarray:
        """Step t; the observations after it."""
        answers, values = self.decide(observations)
        # A vector of one number is that number.
        alone = self.gaussian and answers.actions.shape[1] == 1
        beats = environments.step(answers.actions[:, 0] if alone else answers.actions)
        kept.observations[t], kept.actions[t], kept.logs[t] = observations, answers.samples, answers.logs
        kept.values[t], kept.raw_rewards[t], kept.lasts[t] = values, beats["reward"], beats["final"]
        kept.terminated[t], kept.truncated[t] = beats["terminated"], beats["truncated"]
        return beats["obs"].astype(np.int64)

    def complete(self, kept: Rollout, observations: np.ndarray) -> Rollout:
        """A rollout of given steps with rewards, finals and advantages.

        observations (N, N_0): what is seen after the last step.
        """
        lost = kept.truncated & ~kept.terminated
        self._fill_rollout(lost.sum(axis=1).tolist())
        if lost.any():
            kept.finals[lost] = self.value(clip_and_count(kept.lasts[lost], ACT_WIDTH))
        kept.bootstrap = self.value(clip_and_count(observations, ACT_WIDTH))
        self.find_advantages(kept)
        return kept

    def _fill_rollout(self, lost: list[int]) -> None:
        """fill() of a rollout's batch slices. lost: truncated episodes of each step, whose ends are looked at too."""
        envs, waiting = self.settings.envs, 0  # vectors since a batch slice had to go on as it was
        for count in lost if self.columns > 1 else []:
            waiting += envs
            if envs < self.columns or self.settings.lockstep:
                self.fill(waiting)
                waiting = 0
            waiting += count
        self.fill(waiting + envs)

    def find_advantages(self, kept: Rollout) -> None:
        """Rewards and advantages of a rollout that has its values."""
        s, ends = self.settings, (kept.terminated, kept.truncated)
        kept.rewards, beyond = gae.scaled(kept.raw_rewards, s.reward_scale)
        self.counters[REWARD] += beyond
        rewards, values, finals = kept.rewards, kept.values, kept.finals
        if self.records:
            lost = kept.truncated & ~kept.terminated
            rewards, beyond = gae.ended(rewards, lost, finals, s.gamma)
            rewards, kept.baselines, saturated = self.records.rollout(rewards, values, lost)
            values, finals = kept.baselines, np.zeros_like(finals)  # theirs are on the rewards
            self.counters[GAE] += beyond
            self.counters[RECORD] += saturated
        advantages = gae.advantages(rewards, values, *ends, finals, kept.bootstrap, s.gamma, s.gamma_lambda)
        self.counters[GAE] += advantages.saturated
        kept.advantages = advantages.advantages
        if self.records:
            kept.advantages, saturated = self.records.kept(advantages.advantages, ADVANTAGE)
            self.counters[RECORD] += saturated

    # --- training ---

    def train(self, rollout: Rollout) -> None:
        """All epochs over a rollout."""
        for minibatch in self.minibatches(rollout):
            self.step(*minibatch)
        self.finish()

    def minibatches(self, rollout: Rollout) -> Iterator[tuple[np.ndarray, ...]]:
        """What step() takes, of all epochs over a rollout, in order."""
        s = self.settings
        values = rollout.values if rollout.baselines is None else rollout.baselines
        flat = [x.reshape(s.envs * s.steps, *x.shape[2:]) for x in (
            rollout.observations, rollout.actions, rollout.logs, values, rollout.advantages)]  # fmt: skip
        for _ in range(s.epochs):
            shuffled = self.shuffled(flat, self._shuffle.take(permute.KEYS).tolist())
            for begin in range(0, s.envs * s.steps, s.batch):
                yield tuple(x[begin : begin + s.batch] for x in shuffled)

    def shuffled(self, samples: list[np.ndarray], keys: list[int]) -> list[np.ndarray]:
        """Arrays of a rollout's samples in the order of an epoch, by permute.KEYS words of the generator."""
        order = permute.permutation(len(samples[0]), keys)
        return [x[order] for x in samples]

    def finish(self) -> None:
        """An iteration is over: its last minibatch was stepped on."""
        self.iterations += 1
        if self.records:
            self.records.follow()

    def step(
        self,
        observations: np.ndarray,
        actions: np.ndarray,
        before: np.ndarray,
        values: np.ndarray,
        advantages: np.ndarray,
    ) -> None:
        """One gradient step on a minibatch of B samples; before: log2 pi(a|s) and values when it acted."""
        self.find_gradients(observations, actions, before, values, advantages)
        self.apply(self._rates.next(self.iterations))
        self.updates += 1

    def apply(self, log_rate: int) -> None:
        """Limits the norm of .gradients and moves the weights."""
        f, s, counters = self.formats, self.settings, self.counters
        networks = self.networks(log_rate)
        layers = [
            (norm.squares(part), frac)
            for (network, _), g in zip(networks, self.gradients, strict=False)
            for part, frac in zip(np.split(g, network.starts[1:-1]), network.formats.grad_frac[1:], strict=True)
        ]
        if self.gaussian:
            layers.append((norm.squares(self.gradients[-1]), f.logs))
        factor = norm.factor(layers, s.norm)
        for (network, base), g in zip(networks, self.gradients, strict=False):
            network.update(norm.clipped(g, factor), False, counters, base)
        if self.gaussian:
            w, m, v = self.logs
            eps = adam.eps_of(s.log_eps, f.logs)
            g = norm.clipped(self.gradients[-1], factor)
            w[:], m[:], v[:], saturated = adam.adam(w, m, v, g, log_rate, eps, s.log_clip)
            counters[DEVIATION] += int(saturated.sum())

    def networks(self, log_rate: int) -> list[tuple[NetworkModel, int]]:
        """The networks with that rate, and where their weights' saturations are counted."""
        networks = [(self.actor, WEIGHT)] if self.shared else [(self.actor, WEIGHT), (self.critic, CRITIC_WEIGHT)]
        for network, _ in networks:
            network.set_rates(self._learner, self._learner.networks[0].at_rate(log_rate))
        return networks

    def find_gradients(
        self,
        observations: np.ndarray,
        actions: np.ndarray,
        before: np.ndarray,
        values: np.ndarray,
        advantages: np.ndarray,
    ) -> None:
        """Those of a minibatch into .gradients; weights stay."""
        f, s, counters = self.formats, self.settings, self.counters
        z, beyond = standardise.standardised(advantages, standardise.scale_of(advantages))
        counters[STANDARD] += beyond
        x = clip_and_count(observations, ACT_WIDTH)
        self.fill(len(x))
        vectors = self._forward(self.actor, x, FW)
        through = vectors if self.shared else self._forward(self.critic, x, CRITIC_FW)
        delta, of_logs = self._policy_delta(vectors[-1][:, : self.outputs], actions, before, z)
        frac = (f.actor if self.shared else f.critic).delta_frac[-1]
        of_value, beyond = head.value_delta(through[-1][:, -1], values, advantages, s.value, frac, s.value_clip)
        counters[VALUE] += beyond
        of_value = of_value[:, None]
        if self.shared:
            self.gradients = [self._back(self.actor, vectors, np.concatenate([delta, of_value], axis=1), BW, GRAD)]
        else:
            self.gradients = [
                self._back(self.actor, vectors, delta, BW, GRAD),
                self._back(self.critic, through, of_value, CRITIC_BW, CRITIC_GRAD),
            ]
        if self.gaussian:
            g, saturated = learner_update.gradient(of_logs.sum(axis=0), head.LOGS_FRAC - f.logs, squares=True)
            counters[DEVIATION] += int(saturated.sum())
            self.gradients.append(g)

    def _policy_delta(
        self, out: np.ndarray, actions: np.ndarray, before: np.ndarray, z: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray | None]:
        s, frac = self.settings, self.formats.actor.delta_frac[-1]
        if self.gaussian:
            wide = density.deviation(self.logs[0])
            seen = density.gaussian(actions, out, wide)
            now = head.ratio(seen.log, before, z, s.clip)
            delta, of_logs, beyond = head.gaussian_delta(seen, wide, now.slope, s.entropy, frac)
            beyond += seen.saturated
        else:
            seen = density.categorical(out)
            now = head.ratio(seen.log_probability(actions), before, z, s.clip)
            delta, beyond = head.categorical_delta(seen, actions, now.slope, s.entropy, frac)
            of_logs = None
        self.counters[POLICY] += beyond + now.saturated
        return delta, of_logs

    def _back(
        self, network: NetworkModel, vectors: list[np.ndarray], delta: np.ndarray, base: int, grad_base: int
    ) -> np.ndarray:
        deltas = network.backward(vectors, delta, network.formats.delta_frac, counters=self.counters, base=base)
        return network.gradient(vectors, deltas, self.counters, grad_base)

    # --- state ---

    def load(self, actor: np.ndarray, critic: np.ndarray | None = None, logs: np.ndarray | None = None) -> None:
        """A fresh start from real weights, as a network's flat planes: W row by row and b, layer by layer.

        logs: log-deviations (A,). Raises ValueError.
        """
        self.actor.start(quantise_within(actor, 27, WEIGHT_FRAC, "weight"))
        if critic is not None:
            self.critic.start(quantise_within(critic, 27, WEIGHT_FRAC, "weight"))
        self.logs[:] = 0
        if logs is not None:
            self.logs[0] = quantise_within(logs, 27, WEIGHT_FRAC, "log-deviation")

    def save(self) -> dict[str, np.ndarray]:
        """All that a learner goes on with, by name."""
        state = {"actor": self.actor.planes.copy(), "logs": self.logs.copy(), "counters": self.counters.copy()}
        if not self.shared:
            state["critic"] = self.critic.planes.copy()
        generators = [self._noise.state, self._shuffle.state]
        powers = [self._rates.power1, self._rates.power2]
        done = [self.iterations, self.updates]
        numbers = {"generators": generators, "powers": powers, "done": done}
        if self.records:
            numbers["records"] = [self.records.steps, self.records.seen]
        return state | {name: np.array(x, np.int64) for name, x in numbers.items()}

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on as the learner whose save() this is. Raises ValueError: it is of another network."""
        for network, name in ((self.actor, "actor"), *(() if self.shared else ((self.critic, "critic"),))):
            if kept[name].shape != network.planes.shape:
                raise ValueError(f"the {name} is of another network")
            for plane, numbers in enumerate(kept[name]):
                network.set_flat(numbers, plane)
        self.logs[:], self.counters[:] = kept["logs"], kept["counters"]
        self._noise.state, self._shuffle.state = (tuple(words) for words in kept["generators"].tolist())
        self._rates.power1, self._rates.power2 = kept["powers"].tolist()
        self.iterations, self.updates = kept["done"].tolist()
        if self.records:
            self.records.steps[:], self.records.seen[:] = kept["records"]

    def saturations(self) -> dict[str, int]:
        """Counts that are not 0, by stage."""
        return {NAMES[i]: int(n) for i, n in enumerate(self.counters) if n}
