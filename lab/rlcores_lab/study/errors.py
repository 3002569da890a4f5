"""How far advantages are from float64's: rewards of environments and of every awkward kind, at each accuracy."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from rlcores.base import report
from rlcores.cores.gae import api as gae
from rlcores.cores.gae import float64 as gae_float
from rlcores.errors import UserError
from rlcores.train import spaces
from rlcores_lab import shown

STEPS, ENVS = 512, 8
GAMMA = 0.99
LAMBDAS = (0.95, 1.0)
CRITICS = ("random", "good", "near")
NEAR = 0.02  # how far a value of the critic "near" is from the return
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
_ACCURACIES = ("8bit", "exact16")


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
    gae_lambda: float
    accuracy: str
    rms: float  # root mean square error
    spread: float  # root mean square advantage
    share: float  # largest error / largest advantage
    limit: float  # the bound of an error / largest advantage

    @property
    def relative(self) -> float:
        """The root mean square error as a share of the root mean square advantage."""
        return self.rms / self.spread if self.spread else self.rms


def play(environment: str, seed: int) -> Seen:
    """A random policy's rollout. Raises UserError when the environment or its package is missing."""
    copies = [spaces.make(environment) for _ in range(ENVS)]
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

    "random": its weights are drawn. "good": they are fitted to the discounted returns of this very rollout. "near": no
    features; these returns, each off by up to NEAR of itself.
    """
    rng = np.random.default_rng([seed, 2])
    zero = np.zeros(seen.rewards.shape)
    arrays = seen.rewards, zero, seen.terminated, seen.truncated, zero[0], zero
    returns = gae_float.rollout(*arrays, GAMMA, 1.0)[1]
    if critic == "near":
        # Nothing follows the last step and a truncated one, as in the returns.
        return returns * (1 + NEAR * rng.uniform(-1, 1, returns.shape)), zero
    size = seen.observations.shape[-1]
    scale = np.abs(seen.observations).max(axis=(0, 1)) + 1e-9
    hidden, bias = rng.normal(size=(size, _FEATURES)), rng.normal(size=_FEATURES)
    both = [np.tanh(x / scale @ hidden + bias) for x in (seen.observations, seen.following)]
    both = [np.concatenate([x, np.ones((*x.shape[:-1], 1))], axis=-1) for x in both]
    if critic == "random":
        weights = rng.normal(size=_FEATURES + 1) / np.sqrt(_FEATURES)
    else:
        rows = both[0].reshape(-1, _FEATURES + 1)
        gram = rows.T @ rows + _RIDGE * len(rows) * np.diag([1.0] * _FEATURES + [0.0])
        weights = np.linalg.solve(gram, rows.T @ returns.ravel())
    return both[0] @ weights, both[1] @ weights


def bound(rewards, values, terminated, truncated, bootstrap, final, gae_lambda: float, accuracy: str) -> float:
    """What no error of an advantage was seen to exceed: 5/4 * (H*R + V) / L.

    R: the largest deviation of a reward from the mean. V: half the range of the values. H: the sum of (gamma*lambda)**t
    over the steps. L: the greatest code. The codes cost at most (H*R/2 + V) / L (docs/gae.md, "Error"); that the rest
    is enough for what the array rounds is measured, not proved.
    """
    seen = np.concatenate([values.ravel(), bootstrap, final[truncated & ~terminated]])
    discounts = (GAMMA * gae_lambda) ** np.arange(len(rewards))
    deviation = np.abs(rewards - rewards.mean()).max()
    limit = (1 << (gae.ACCURACIES[accuracy] - 1)) - 1
    # What float64 itself rounds.
    rounding = 2.0**-44 * max(np.abs(rewards).max() * discounts.sum(), np.abs(seen).max())
    return float(1.25 * (discounts.sum() * deviation + np.ptp(seen) / 2) / limit + rounding)


def of(name: str, seen: Seen, seed: int) -> list[Error]:
    """Errors of the advantages of a rollout, each critic, lambda and accuracy."""
    errors = []
    for critic in CRITICS:
        values, following = values_of(seen, critic, seed)
        final = np.where(seen.truncated, following, np.nan)
        arrays = seen.rewards, values, seen.terminated, seen.truncated, following[-1], final
        for gae_lambda in LAMBDAS:
            exact = gae_float.rollout(*arrays, GAMMA, gae_lambda)[0]
            for accuracy in gae.ACCURACIES:
                # The codes of one range for all, which is what the bound is of.
                options = {"final_values": final, "accuracy": accuracy, "max_error": sys.float_info.max}
                wrong = gae.advantages(*arrays[:5], GAMMA, gae_lambda, **options)[0] - exact
                largest = float(np.abs(exact).max())
                rms, spread = (float(np.sqrt(np.mean(x**2))) for x in (wrong, exact))
                share = float(np.abs(wrong).max()) / (largest or 1.0)
                limit = bound(*arrays, gae_lambda, accuracy) / (largest or 1.0)
                errors.append(Error(name, critic, gae_lambda, accuracy, rms, spread, share, limit))
    return errors


def run(seed: int = 0, stepped: Callable[[str], object] = lambda name: None) -> tuple[list[Error], dict[str, str]]:
    """All rollouts; and the environments that are not installed, with the reason."""
    errors, missing = [], {}
    for name in ENVIRONMENTS:
        stepped(name)
        try:
            errors += of(name, play(name, seed), seed)
        except UserError as error:
            missing[name] = str(error)
    for name, rewards in synthetic(seed):
        stepped(name)
        errors += of(name, _made_up(rewards, seed), seed)
    return errors, missing


def figures(errors: Sequence[Error]) -> list[report.Figure]:
    """For the JSON form."""
    listed = []
    for e in errors:
        kind = e.critic if e.gae_lambda == LAMBDAS[0] else f"{e.critic}.lambda{e.gae_lambda:g}"
        name = f"gae.error.{e.rewards.replace(' ', '')}.{kind}.{e.accuracy}"
        listed.append(report.Figure(f"{name}.rms", e.rms, "reward", "measured"))
        listed.append(report.Figure(f"{name}.relative", e.relative, "of the rms advantage", "measured"))
        listed.append(report.Figure(f"{name}.largest", e.share, "of the largest advantage", "measured"))
    return listed


def markdown(measured: Sequence[Error]) -> str:
    """The page docs/gae_errors.md."""
    errors = ("rms error / rms advantage", "largest error / largest advantage")
    heads = [text for a in _ACCURACIES for text in (f"{a}: {errors[0]}", errors[1])]
    rows = [("rewards", "critic", "λ", "rms advantage", *heads)]
    for key in dict.fromkeys((e.rewards, e.critic, e.gae_lambda) for e in measured):
        group = {e.accuracy: e for e in measured if (e.rewards, e.critic, e.gae_lambda) == key}
        cells = [f"{x:.1e}" for a in _ACCURACIES for x in (group[a].relative, group[a].share)]
        rows.append((*key[:2], f"{key[2]:g}", f"{group['8bit'].spread:.3g}", *cells))
    worst = [("critic", "λ", *_ACCURACIES)]
    for critic, gae_lambda in product(CRITICS, LAMBDAS):
        group = [e for e in measured if (e.critic, e.gae_lambda) == (critic, gae_lambda)]
        most = (max(e.share for e in group if e.accuracy == accuracy) for accuracy in _ACCURACIES)
        worst.append((critic, f"{gae_lambda:g}", *(f"{x:.1e}" for x in most)))
    tables = {"rows": shown.markdown(rows), "worst": shown.markdown(worst)}
    return shown.rendered("study/errors.md.j2", of=sys.modules[__name__], **tables)


def write(errors: Sequence[Error], missing: dict[str, str], file: Path) -> Path:
    """The page. Raises UserError when an environment is missing, because the page has all of them."""
    if missing:
        raise UserError("the page needs all environments: " + "; ".join(missing.values()))
    report.put(file, markdown(errors))
    return file
