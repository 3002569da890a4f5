"""Observations that formats are chosen by: recorded ones, those that the policy meets, or drawn ones."""

from collections.abc import Callable, Mapping

import numpy as np

from rlcores.deploy.network import Policy
from rlcores.errors import UserError


def recorded(arrays: Mapping[str, np.ndarray], policy: Policy) -> np.ndarray:
    """The array `obs` or `observations` of a file, float64 [batch, inputs]. Raises UserError if there is none."""
    observations = next((arrays[name] for name in ("obs", "observations", "states") if name in arrays), None)
    if observations is None:
        raise UserError(f"the file has no array 'obs'; it has: {', '.join(arrays) or 'none'}")
    if observations.dtype.kind not in "fiu" or observations.ndim < 2 or not observations.size:
        raise UserError("'obs' must be numbers of shape [batch, inputs]")
    flat = observations.reshape(len(observations), -1).astype(np.float64)
    if flat.shape[1] != policy.sizes[0] or not np.isfinite(flat).all():
        raise UserError(f"'obs' must be finite numbers of shape [batch, {policy.sizes[0]}]")
    return flat


def played(
    policy: Policy,
    environment: str,
    count: int,
    seed: int,
    act: Callable[[np.ndarray], np.ndarray] | None = None,
    drawn: float = 0.2,
) -> np.ndarray:
    """Observations of `count` steps, float64 [count, inputs]: the policy acts, and a fifth of the actions are random.

    act: acts instead of the policy, with the same meaning. drawn: the share of random actions. Raises UserError if the
    environment does not exist or does not fit.
    """
    import gymnasium as gym

    try:
        task = gym.make(environment)
    except (gym.error.Error, ImportError) as error:
        raise UserError(f"the environment '{environment}' cannot be made: {str(error).splitlines()[0]}") from error
    rng, act = np.random.default_rng(seed), act or policy.act
    task.action_space.seed(seed)
    observations = []
    obs, _ = task.reset(seed=seed)
    for _ in range(count):
        flat = np.asarray(obs, dtype=np.float64).ravel()
        if flat.size != policy.sizes[0]:
            raise UserError(
                f"'{environment}' has observations of {flat.size} numbers, the policy takes {policy.sizes[0]}"
            )
        observations.append(flat)
        if rng.random() < drawn:
            action = task.action_space.sample()
        elif policy.head.kind == "argmax":
            action = int(act(flat[None])[0])
        else:
            action = act(flat[None])[0].astype(np.float32).reshape(task.action_space.shape)
        obs, _, terminated, truncated, _ = task.step(action)
        if terminated or truncated:
            obs, _ = task.reset()
    task.close()
    return np.array(observations)


def drawn(policy: Policy, ranges: str, count: int, seed: int) -> np.ndarray:
    """Uniform observations within ±R per input, float64 [count, inputs]; the first two are the ends.

    ranges: "R" or "R,R,…" with a number per input. Raises UserError for anything else.
    """
    try:
        numbers = np.array([float(word) for word in ranges.split(",")])
    except ValueError as error:
        raise UserError(f"--range is '{ranges}'; give numbers joined by commas") from error
    if numbers.size == 1:
        numbers = np.full(policy.sizes[0], numbers[0])
    if numbers.size != policy.sizes[0] or not (np.isfinite(numbers).all() and (numbers > 0).all()):
        raise UserError(f"--range must be 1 or {policy.sizes[0]} numbers greater than 0")
    observations = np.random.default_rng(seed).uniform(-1, 1, (max(count, 2), numbers.size)) * numbers
    observations[0], observations[1] = numbers, -numbers
    return observations
