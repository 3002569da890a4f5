"""How far advantages are from float64's: rewards of environments and of every awkward kind, at each accuracy."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rlcores import gae, report
from rlcores.errors import UserError
from rlcores.model import gae_float

STEPS, ENVS = 512, 8
GAMMA, LAMBDA = 0.99, 0.95
CRITICS = ("random", "good")
ENVIRONMENTS = {
    "CartPole-v1": "classic control",
    "MountainCar-v0": "classic control",
    "Acrobot-v1": "classic control",
    "Pendulum-v1": "classic control",
    "FrozenLake-v1": "toy text",
    "HalfCheetah-v5": "mujoco",
    "Hopper-v5": "mujoco",
    "LunarLander-v3": "box2d",
}
_RIDGE = 1e-3
_FEATURES = 64


@dataclass(frozen=True)
class Seen:
    """A rollout of a random policy: (T, N) arrays; observations and those that follow are (T, N, size)."""

    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    observations: np.ndarray
    following: np.ndarray


@dataclass(frozen=True)
class Error:
    """Errors of one rollout at one accuracy."""

    rewards: str
    critic: str
    accuracy: str
    rms: float  # root mean square error
    spread: float  # root mean square advantage
    share: float  # largest error, of the largest advantage

    @property
    def relative(self) -> float:
        """The root mean square error as a share of the root mean square advantage."""
        return self.rms / self.spread if self.spread else self.rms


def play(environment: str, seed: int) -> Seen:
    """A random policy's rollout. Raises UserError when the environment or its package is missing."""
    import gymnasium

    try:
        copies = [gymnasium.make(environment, disable_env_checker=True) for _ in range(ENVS)]
    except (gymnasium.error.Error, ImportError) as error:
        raise UserError(f"{environment} cannot be made: {str(error).splitlines()[0]}") from error
    space = copies[0].observation_space
    whole = getattr(space, "n", None)

    def features(observation) -> np.ndarray:
        return np.eye(whole)[int(observation)] if whole else np.ravel(observation).astype(np.float64)

    size = whole or int(np.prod(space.shape))
    rewards, (terminated, truncated) = np.zeros((STEPS, ENVS)), np.zeros((2, STEPS, ENVS), bool)
    observations, following = np.zeros((2, STEPS, ENVS, size))
    for n, copy in enumerate(copies):
        copy.action_space.seed(seed + n)
        now = features(copy.reset(seed=seed + n)[0])
        for t in range(STEPS):
            seen, rewards[t, n], terminated[t, n], truncated[t, n], _ = copy.step(copy.action_space.sample())
            observations[t, n], following[t, n] = now, features(seen)
            now = following[t, n]
            if terminated[t, n] or truncated[t, n]:
                now = features(copy.reset()[0])
        copy.close()
    return Seen(rewards, terminated, truncated & ~terminated, observations, following)


def synthetic(seed: int) -> Iterator[tuple[str, np.ndarray]]:
    """Rewards (T, N) that no environment of the list has."""
    rng = np.random.default_rng(seed)
    sparse = np.zeros((STEPS, ENVS))
    sparse[rng.integers(STEPS, size=3), rng.integers(ENVS, size=3)] = 100.0
    yield "sparse", sparse
    yield "constant", np.ones((STEPS, ENVS))
    yield "zero", np.zeros((STEPS, ENVS))
    yield "1e6 + noise", 1e6 + rng.normal(size=(STEPS, ENVS))


def _made_up(rewards: np.ndarray, seed: int) -> Seen:
    """An environment that pays these rewards and shows nothing of use."""
    rng = np.random.default_rng([seed, 1])
    terminated = rng.random(rewards.shape) < 0.01
    observations = rng.normal(size=(STEPS + 1, ENVS, 4))
    return Seen(rewards, terminated, terminated & False, observations[:-1], observations[1:])


def values_of(seen: Seen, critic: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """V of the observations and of those that follow, (T, N) each, of a linear critic on random tanh features.

    "random": its weights are drawn. "good": they are fitted to the discounted returns of this very rollout.
    """
    rng = np.random.default_rng([seed, 2])
    size = seen.observations.shape[-1]
    scale = np.abs(seen.observations).max(axis=(0, 1)) + 1e-9
    hidden, bias = rng.normal(size=(size, _FEATURES)), rng.normal(size=_FEATURES)
    both = [np.tanh(x / scale @ hidden + bias) for x in (seen.observations, seen.following)]
    both = [np.concatenate([x, np.ones((*x.shape[:-1], 1))], axis=-1) for x in both]
    if critic == "random":
        weights = rng.normal(size=_FEATURES + 1) / np.sqrt(_FEATURES)
    else:
        zero = np.zeros(seen.rewards.shape)
        given = seen.rewards, zero, seen.terminated, seen.truncated, zero[0], zero
        returns = gae_float.rollout(*given, GAMMA, 1.0)[1]
        rows = both[0].reshape(-1, _FEATURES + 1)
        gram = rows.T @ rows + _RIDGE * len(rows) * np.diag([1.0] * _FEATURES + [0.0])
        weights = np.linalg.solve(gram, rows.T @ returns.ravel())
    return both[0] @ weights, both[1] @ weights


def of(name: str, seen: Seen, seed: int) -> list[Error]:
    """Errors of the advantages of a rollout, each critic and accuracy."""
    found = []
    for critic in CRITICS:
        values, following = values_of(seen, critic, seed)
        final = np.where(seen.truncated, following, np.nan)
        given = seen.rewards, values, seen.terminated, seen.truncated, following[-1], final
        exact = gae_float.rollout(*given, GAMMA, LAMBDA)[0]
        for accuracy in gae.ACCURACIES:
            options = {"final_values": final, "accuracy": accuracy}
            wrong = gae.advantages(*given[:5], GAMMA, LAMBDA, **options)[0] - exact
            largest = float(np.abs(exact).max())
            rms, spread = (float(np.sqrt(np.mean(x**2))) for x in (wrong, exact))
            found.append(Error(name, critic, accuracy, rms, spread, float(np.abs(wrong).max()) / (largest or 1.0)))
    return found


def run(seed: int = 0, stepped: Callable[[str], object] = lambda name: None) -> tuple[list[Error], dict[str, str]]:
    """All rollouts; and the environments that are not installed, with the reason."""
    found, missing = [], {}
    for name in ENVIRONMENTS:
        stepped(name)
        try:
            found += of(name, play(name, seed), seed)
        except UserError as error:
            missing[name] = str(error)
    for name, rewards in synthetic(seed):
        stepped(name)
        found += of(name, _made_up(rewards, seed), seed)
    return found, missing


def figures(found: Sequence[Error]) -> list[report.Figure]:
    """For the JSON form."""
    made = []
    for e in found:
        name = f"gae.error.{e.rewards.replace(' ', '')}.{e.critic}.{e.accuracy}"
        made.append(report.Figure(f"{name}.rms", e.rms, "reward", "measured"))
        made.append(report.Figure(f"{name}.relative", e.relative, "of the rms advantage", "measured"))
        made.append(report.Figure(f"{name}.largest", e.share, "of the largest advantage", "measured"))
    return made


def markdown(found: Sequence[Error]) -> str:
    """The page docs/gae_errors.md."""
    error = "rms error | of it | largest error of the largest advantage"
    text = f"""Each line is a rollout of {STEPS} steps of {ENVS} environments under a random policy, γ = {GAMMA} and
λ = {LAMBDA}, and `rlcores.gae.advantages()` with its defaults but for `accuracy`, against float64 of the same rewards
and values. A random critic has drawn weights; a good one is fitted to the rollout's own returns. Written by
`rlcores study errors --output docs/gae_errors.md`; `--json FILE` has the figures."""
    head = f"# How exact the advantages are\n\n{text}\n\n"
    head += f"| rewards | critic | advantages, rms | 8bit: {error} | exact16: {error} |\n{'|---' * 9}|\n"
    lines = []
    for name in dict.fromkeys(e.rewards for e in found):
        for critic in CRITICS:
            own = {e.accuracy: e for e in found if (e.rewards, e.critic) == (name, critic)}
            cells = [name, critic, f"{own['8bit'].spread:.3g}"]
            for accuracy in ("8bit", "exact16"):
                e = own[accuracy]
                cells += [f"{e.rms:.1e}", f"{e.relative:.1e}", f"{e.share:.1e}"]
            lines.append("| " + " | ".join(cells) + " |\n")
    return head + "".join(lines)


def write(found: Sequence[Error], missing: dict[str, str], file: Path) -> Path:
    """The page. Raises UserError when an environment is missing, because the page has all of them."""
    if missing:
        raise UserError("the page needs all environments: " + "; ".join(missing.values()))
    report.put(file, markdown(found))
    return file
