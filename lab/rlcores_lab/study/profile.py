"""Where today's software spends its time, as Table I of Taha and Abdelhadi (2025) and Figure 3 of Meng et al. (2022).

Both loops are what people run: gymnasium's vector environments, NumPy or PyTorch on one thread, torchrl's sum tree
where it is installed. Each share stands beside the core that takes it over.
"""

import importlib.util
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from rlcores.base.report import Figure
from rlcores.cores.learner.float64 import FloatNetwork, FloatSettings, FloatValueLearner
from rlcores.cores.learner.format import LearnerBatch
from rlcores.errors import UserError
from rlcores.train.algorithms.ppo import PpoRunSettings as Ppo
from rlcores.train.ppo import NumpyPpo
from rlcores.train.spaces import Spaces, look
from rlcores_lab import shown
from rlcores_lab.bench import learner_peers, peer, sumtree_peers

LIBRARIES = ("numpy", "torch")
LOOPS = ("ppo", "dqn")
NONE = "the processor"
GAE, SUM_TREE, LEARNER, SYSTEM = (f"rlcores:{x}" for x in ("gae:gae", "sumtree:sumtree", "learner:learner", "system"))
SYSTEM += ":replay_learner"


@dataclass(frozen=True)
class Phase:
    """A part of a loop: its name, which core replaces it, and its share in the paper (of its CPU figure), if any."""

    name: str
    title: str
    core: str
    paper: float | None = None


# Table I of Taha and Abdelhadi (2025), column "CPU only", Humanoid on 32 cores.
PPO = (
    Phase("inference", "DNN inference", NONE, 10.46),
    Phase("environment", "environment run", NONE, 60.71),
    Phase("storing", "storing trajectories", NONE, 4.75),
    Phase("gae_fetch", "GAE: memory fetch", GAE, 3.49),
    Phase("gae", "GAE: computation", GAE, 11.23),
    Phase("gae_write", "GAE: memory write", GAE, 0.32),
    Phase("loss", "loss calculation", NONE, 6.10),
    Phase("backpropagation", "backpropagation", NONE, 2.95),
)
# Figure 3 of Meng et al. (2022) has bars without numbers.
DQN = (
    Phase("inference", "actor: inference", NONE),
    Phase("environment", "actor: environment", NONE),
    Phase("insertion", "insertion", SYSTEM),
    Phase("sampling", "sampling", SUM_TREE),
    Phase("transfer", "data transfer", SYSTEM),
    Phase("training", "training step", LEARNER),
    Phase("update", "priority update", SUM_TREE),
)


@dataclass
class Clock:
    """Seconds of each phase, less those of phases inside it. A phase is a context, or what a function is wrapped in."""

    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    _inside: float = 0.0

    @contextmanager
    def __call__(self, phase: str):
        outside, self._inside, begun = self._inside, 0.0, time.perf_counter()
        yield
        whole = time.perf_counter() - begun
        self.seconds[phase] += whole - self._inside
        self._inside = outside + whole


@dataclass(frozen=True)
class Profile:
    """One loop in one library: seconds of each of its phases."""

    loop: str
    library: str
    environment: str
    phases: tuple[Phase, ...]
    seconds: dict[str, float]
    steps: int  # environment steps
    updates: int  # gradient steps
    details: dict[str, Any]
    seconds_beside: dict[str, float] = field(default_factory=dict)  # what was measured beside the loop, not in it

    @property
    def total(self) -> float:
        """Seconds of all phases."""
        return sum(self.seconds.values())

    def share(self, phase: str) -> float:
        """Of the total, in percent."""
        return 100 * self.seconds[phase] / self.total

    @property
    def title(self) -> str:
        """What was run."""
        details = ", ".join(f"{name} {value}" for name, value in self.details.items())
        return f"{self.loop} in {self.library}, {self.environment} ({details})"

    def table(self) -> list[tuple[str, ...]]:
        """Header and rows: part, share, time a step of the environment (DQN: a gradient step), what replaces it."""
        cores = [p for p in self.phases if p.core != NONE]
        lines = [(p.title, self.seconds[p.name], f"{self.share(p.name):.1f} %", p.paper, p.core) for p in self.phases]
        if beside := self.seconds_beside.get("gae_scalar"):
            share = 100 * beside / (self.total - self.seconds["gae"] + beside)
            lines.append(("GAE, number by number", beside, f"({share:.1f} %)", None, GAE))
        seconds, theirs = sum(self.seconds[p.name] for p in cores), sum(p.paper or 0.0 for p in cores)
        lines.append(("all that cores replace", seconds, f"{100 * seconds / self.total:.1f} %", theirs, ""))
        table = [("part", "share", "µs per step", "Taha and Abdelhadi (2025)", "replaced by")]
        for title, seconds, share, theirs, core in lines:
            time = f"{1e6 * seconds / self.steps:.1f}"
            time = f"({time})" if share.startswith("(") else time
            table.append((title, share, time, "" if theirs is None else f"{theirs:.1f} %", core))
        paper = any(p.paper is not None for p in self.phases)
        return table if paper else [(*row[:3], row[4]) for row in table]

    def figures(self) -> list[Figure]:
        """In the house's form."""
        prefix = f"profile.{self.loop}.{self.library}"
        shares = [Figure(f"{prefix}.{p.name}", round(self.share(p.name), 2), "%", "measured") for p in self.phases]
        rate, unit = (self.updates, "gradient") if self.loop == "dqn" else (self.steps, "environment")
        if beside := self.seconds_beside.get("gae_scalar"):
            each = round(1e9 * beside / self.steps, 1)
            shares.append(Figure(f"{prefix}.gae_scalar_ns", each, "ns an element", "measured"))
        return [*shares, Figure(f"{prefix}.rate", round(rate / self.total, 1), f"{unit} steps/s", "measured")]


def markdown(profiles: Sequence[Profile]) -> str:
    """A table for each profile, its title above."""
    return "".join(f"{one.title}:\n\n{shown.markdown(one.table())}\n" for one in profiles)


def libraries() -> list[str]:
    """Those that are installed."""
    return [name for name in LIBRARIES if importlib.util.find_spec(name)]


def run(loop: str, library: str, environment: str, *, batch: int = 64, seconds: float = 10.0, seed: int = 0) -> Profile:
    """Profile a loop for about `seconds` seconds. Raises UserError for what does not exist or is not installed.

    batch: of DQN's gradient step.
    """
    if loop not in LOOPS:
        raise UserError(f"there is no loop '{loop}'; loops: {', '.join(LOOPS)}")
    if library not in LIBRARIES:
        raise UserError(f"there is no library '{library}'; libraries: {', '.join(LIBRARIES)}")
    if not importlib.util.find_spec(library):
        raise UserError(f"{library} is not installed: `uv sync --extra torch`")
    spaces = look(environment)
    if loop == "dqn" and spaces.actions is None:
        raise UserError(f"dqn takes numbered actions, but those of {environment} are vectors")
    if library == "torch":
        import torch

        torch.set_num_threads(1)
    if loop == "ppo":
        return _ppo(library, environment, spaces, seconds, seed)
    return _dqn(library, environment, spaces, batch, seconds, seed)


# --- PPO ---

_ENVS, _ROLLOUT, _GAMMA, _LAM = 16, 128, 0.99, 0.95


def _ppo(library: str, environment: str, spaces: Spaces, limit: float, seed: int) -> Profile:
    import gymnasium

    settings = Ppo(rollout=_ROLLOUT)
    rng = np.random.default_rng(seed)
    clock = Clock()
    step, values_of, act = (_numpy_ppo if library == "numpy" else _torch_ppo)(spaces, settings, clock, rng)
    environments = gymnasium.make_vec(environment, num_envs=_ENVS, vectorization_mode="sync")
    seen, _ = environments.reset(seed=seed)
    size = (_ROLLOUT, _ENVS)
    states = np.zeros((*size, spaces.state_size), np.float32)
    actions = np.zeros(size, np.int64) if spaces.actions else np.zeros((*size, spaces.action_size), np.float32)
    chances, values, rewards, ends = np.zeros((4, *size), np.float32)
    ended = np.zeros(_ENVS, np.float32)
    steps = updates = 0
    warm = True
    while warm or sum(clock.seconds.values()) < limit:
        for t in range(_ROLLOUT):
            with clock("storing"):
                states[t], ends[t] = seen, ended
            with clock("inference"):
                action, chance, v = act(states[t])
            with clock("storing"):
                actions[t], chances[t], values[t] = action, chance, v
            with clock("environment"):
                env_actions = spaces.to_environment(action)
                seen, reward, terminated, truncated, _ = environments.step(env_actions)
            with clock("storing"):
                rewards[t], ended = reward, (terminated | truncated).astype(np.float32)
        last = values_of(np.asarray(seen, np.float32))
        with clock("gae_fetch"):
            arrays = _arrays(library, rewards, *_whole(values, last, ends, ended))
        with clock("gae"):
            gains = _gae(*arrays)
        with clock("gae_write"):
            returns = np.asarray(gains) + values
            gains = np.asarray(gains).reshape(-1)
        flat = [x.reshape(-1, *x.shape[2:]) for x in (states, actions, chances)]
        for _ in range(settings.epochs):
            order = rng.permutation(steps_of := _ROLLOUT * _ENVS)
            for first in range(0, steps_of, settings.batch_size):
                rows = order[first : first + settings.batch_size]
                with clock("loss"):
                    part = gains[rows]
                    part = (part - part.mean()) / (part.std() + np.float32(1e-8))
                    batch = [x[rows] for x in flat]
                    batch += [part, returns.reshape(-1)[rows]]
                    step(*batch)
                updates += 1
        steps += _ROLLOUT * _ENVS
        if warm:  # the first rollout pays for what is made once
            warm, steps, updates = False, 0, 0
            clock.seconds.clear()
    environments.close()
    seconds = {p.name: clock.seconds[p.name] for p in PPO}
    arrays = _arrays(library, rewards, *_whole(values, last, ends, ended))
    scalar = peer.least(lambda n: _scalar_gae(*(x[:, n % _ENVS][:, None] for x in arrays)), 0.1) / _ROLLOUT
    details = {"environments": _ENVS, "rollout": _ROLLOUT, "epochs": settings.epochs, "minibatch": settings.batch_size}
    return Profile("ppo", library, environment, PPO, seconds, steps, updates, details, {"gae_scalar": scalar * steps})


def _whole(values, last, ends, ended) -> tuple[np.ndarray, np.ndarray]:
    """What the recurrence reads beside rewards: values (T + 1, N), and 1 where an episode goes on."""
    return np.concatenate([values, last[None]]), 1 - np.concatenate([ends[1:], ended[None]])


def _numpy_ppo(spaces: Spaces, settings: Ppo, clock: Clock, rng):
    """A gradient step on a minibatch, the values of states, and (actions, their log chances, values) of states."""
    policy = FloatNetwork((spaces.state_size, *settings.network, spaces.action_size))
    value = FloatNetwork((spaces.state_size, *settings.network, 1))
    for network in (policy, value):
        network.initialise(rng)
        network.backward = clock("backpropagation")(network.backward)
    networks = NumpyPpo(policy, value, None if spaces.actions else np.full(spaces.action_size, 0.6), settings)
    networks._update = clock("backpropagation")(networks._update)

    def act(states):
        out = policy.output(states)
        if spaces.actions:
            actions = (out + rng.gumbel(size=out.shape)).argmax(1)
        else:
            actions = (out + rng.normal(size=out.shape) * networks.deviation).astype(np.float32)
        return actions, networks.log_chances(states, actions), networks.values(states)

    return partial(networks.step, share=1.0), networks.values, act


def _torch_ppo(spaces: Spaces, settings: Ppo, clock: Clock, rng):
    """The same in PyTorch, as CleanRL writes it."""
    import torch
    from torch import distributions, nn

    sizes = ((spaces.state_size, *settings.network, outputs) for outputs in (spaces.action_size, 1))
    policy, value = (nn.Sequential(*learner_peers.torch_layers(each)) for each in sizes)
    log = nn.Parameter(torch.full((spaces.action_size,), np.log(0.6)))  # of the deviations, where actions are vectors
    trained = [*policy.parameters(), *([] if spaces.actions else [log])], list(value.parameters())
    optimisers = [torch.optim.Adam(parameters, settings.learning_rate, eps=1e-5) for parameters in trained]

    def distribution(states):
        if spaces.actions:
            return distributions.Categorical(logits=policy(states), validate_args=False)
        return distributions.Independent(distributions.Normal(policy(states), log.exp(), validate_args=False), 1)

    def step(*minibatch):
        states, actions, before, advantages, returns = map(torch.as_tensor, minibatch)
        chosen = distribution(states)
        ratio = (chosen.log_prob(actions) - before).exp()
        clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
        gain = torch.minimum(ratio * advantages, clipped * advantages).mean()
        with_entropy = -gain - settings.entropy * chosen.entropy().mean()
        error = ((value(states)[:, 0] - returns) ** 2).mean() / 2
        with clock("backpropagation"):
            for loss, own, optimiser in zip((with_entropy, error), trained, optimisers, strict=True):
                optimiser.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(own, settings.largest_gradient)
                optimiser.step()

    @torch.no_grad()
    def values(states):
        return value(torch.as_tensor(states))[:, 0].numpy()

    @torch.no_grad()
    def act(states):
        chosen = distribution(torch.as_tensor(states))
        actions = chosen.sample()
        return actions.numpy(), chosen.log_prob(actions).numpy(), values(states)

    return step, values, act


def _arrays(library: str, *arrays: np.ndarray) -> tuple:
    """Arrays of the library with these numbers."""
    if library == "numpy":
        return arrays
    import torch

    return tuple(torch.tensor(x) for x in arrays)


def _gae(rewards, values, going):
    """The loop over time that CleanRL and Stable-Baselines3 have, all environments at once.

    rewards (T, N), values (T + 1, N), and 1 where an episode goes on.
    """
    gains, following = rewards * 0, rewards[0] * 0
    for t in range(len(rewards) - 1, -1, -1):
        delta = rewards[t] + _GAMMA * values[t + 1] * going[t] - values[t]
        gains[t] = following = delta + _GAMMA * _LAM * going[t] * following
    return gains


def _scalar_gae(rewards, values, going) -> list[list[float]]:
    """The same recurrence number by number, an environment after the other, as simple PPO codes have it."""
    advantages = []
    for n in range(rewards.shape[1]):
        following, gains = 0.0, []
        for t in range(len(rewards) - 1, -1, -1):
            delta = rewards[t, n] + _GAMMA * values[t + 1, n] * going[t, n] - values[t, n]
            following = delta + _GAMMA * _LAM * going[t, n] * following
            gains.append(following)
        advantages.append(gains[::-1])
    return advantages


# --- DQN ---

_SLOTS, _HIDDEN, _ALPHA, _BETA = 1 << 20, (256, 256), 0.6, 0.4
_STORED, _WARM = 1 << 15, 200  # transitions and gradient steps before the clock counts


def _dqn(library: str, environment: str, spaces: Spaces, batch: int, limit: float, seed: int) -> Profile:
    import gymnasium

    rng = np.random.default_rng(seed)
    sizes = (spaces.state_size, *_HIDDEN, spaces.actions)
    learner: Any = FloatValueLearner(sizes, FloatSettings(target_update_interval=500), seed)
    step = learner.step
    if library == "torch":
        learner = learner_peers.Torch(sizes, batch, "adam", learner.network.theta)

        def step(batch: LearnerBatch) -> np.ndarray:
            return learner.one(*learner.prepare([batch])[0]).numpy()

    peers = {t.name: t for t in peer.installed(sumtree_peers.PEERS)}
    tree = peers["torchrl" if "torchrl" in peers and library == "torch" else "numpy"](_SLOTS, batch)
    states, following = np.zeros((2, _SLOTS, spaces.state_size), np.float32)
    actions, rewards, ended = np.zeros(_SLOTS, np.int64), np.zeros(_SLOTS, np.float32), np.zeros(_SLOTS, bool)
    env = gymnasium.make(environment)
    seen = np.asarray(env.reset(seed=seed)[0], np.float32)
    priorities = np.zeros(_SLOTS, np.float32)
    clock = Clock()
    count = updates = 0
    while updates <= _WARM or sum(clock.seconds.values()) < limit:
        warm = count < _STORED
        if warm or updates == _WARM:
            clock.seconds.clear()
        with clock("inference"):
            action = int(learner.values(seen[None]).argmax(1)[0])
        if warm or rng.random() < 0.1:
            action = int(rng.integers(spaces.actions))
        with clock("environment"):
            led, reward, terminated, truncated, _ = env.step(action + spaces.first_action)
            led = np.asarray(led, np.float32)
        with clock("insertion"):
            at = count % _SLOTS
            states[at], following[at], actions[at], rewards[at], ended[at] = seen, led, action, reward, terminated
            tree.update(np.array([at], np.uint32), np.ones(1, np.float32))
            priorities[at] = 1.0
        count += 1
        with clock("environment"):
            seen = np.asarray(env.reset()[0], np.float32) if terminated or truncated else led
        if warm:
            continue
        with clock("sampling"):
            u = ((np.arange(batch) + rng.random(batch)) / batch).astype(np.float32)
            rows = np.minimum(np.asarray(tree.sample(u)).astype(np.int64), min(count, _SLOTS) - 1)
            weights = np.maximum(priorities[rows], 1e-6) ** np.float32(-_BETA)
            weights /= weights.max()
        with clock("transfer"):
            transitions = LearnerBatch(
                states[rows], actions[rows], rewards[rows], following[rows], ended[rows], weights
            )
        with clock("training"):
            td = step(transitions)
        with clock("update"):
            new = ((td + 1e-3) ** _ALPHA).astype(np.float32)
            tree.update(rows.astype(np.uint32), new)
            priorities[rows] = new
        updates += 1
    env.close()
    seconds = {p.name: clock.seconds[p.name] for p in DQN}
    details = {"tree": tree.name, "slots": _SLOTS, "batch": batch, "hidden": list(_HIDDEN)}
    return Profile("dqn", library, environment, DQN, seconds, updates - _WARM, updates - _WARM, details)
