"""Targets from rollouts beside advantages: n-step and lambda-returns, V-trace, Retrace, exact at both kinds of ends.

Rollouts are those of rlcores.advantages: (T, N), Gymnasium's terminated and truncated, bootstrap (N,) behind the last
step, final_values (T, N) where an episode was truncated. Nothing goes over an end: behind a terminated step the value
is 0, behind a truncated one that of its final observation, and no trace goes on. Results are float32 where rewards and
values are, as those of advantages.

backend "native", the default, runs the sums in float64 in the native engine. With "model" (NumPy), "rtl" (the Verilated
core) or any Bus they run in the integers of a GAE core built with TRACE; config is a name in configs.yaml or Verilog
parameters of it, None a small array of 16-bit records (docs/returns.md, "On the array").
"""

from collections.abc import Mapping
from typing import NamedTuple

import _rlcores_native as engine
import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_backend, check_float, check_int
from rlcores.buses.bus import Bus
from rlcores.cores.gae.api import narrowed
from rlcores.cores.gae.rollout import Rollout, check, numbers
from rlcores.cores.gae.traced import BACKENDS, TraceSums
from rlcores.errors import UserError

FinalValues = ArrayLike | Mapping[tuple[int, int], float] | None
Config = str | Mapping[str, int] | None


class VTrace(NamedTuple):
    """What vtrace() gives, (T, N) each."""

    targets: np.ndarray  # of the values
    advantages: np.ndarray  # of the policy's gradient


def lambda_returns(
    rewards: ArrayLike,
    values: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    bootstrap: ArrayLike,
    gamma: float = 0.99,
    gae_lambda: float = 0.95,
    *,
    final_values: FinalValues = None,
    config: Config = None,
    backend: str | Bus = "native",
) -> np.ndarray:
    """Lambda-returns (T, N): G_t = r_t + gamma * ((1 - lambda) * V_t+1 + lambda * G_t+1) (Sutton and Barto 2018, 12.1).

    Arguments as rlcores.advantages; it is what advantages() gives as returns, with accuracy "float64". Raises
    UserError as advantages() does.

    >>> ends = np.zeros((2, 1), bool)
    >>> lambda_returns([[1.0], [1.0]], [[0.5], [0.5]], ends, ends, [4.0], 1.0, 0.5).ravel().tolist()
    [3.75, 5.0]
    """
    of = check(rewards, values, terminated, truncated, bootstrap, final_values)
    gamma, trace = check_float("gamma", gamma, 0, 1), check_float("gae_lambda", gae_lambda, 0, 1)
    advantages = of.rewards + gamma * _following(of) - of.values
    advantages = _sums(advantages, np.where(_ends(of), 0.0, gamma * trace), config, backend)
    return _narrow(advantages + of.values, rewards, values)


def n_step_returns(
    rewards: ArrayLike,
    values: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    bootstrap: ArrayLike,
    n_steps: int,
    gamma: float = 0.99,
    *,
    final_values: FinalValues = None,
    config: Config = None,
    backend: str | Bus = "native",
) -> np.ndarray:
    """Returns of n steps (T, N): r_t + … + gamma**(n-1) * r_t+n-1 + gamma**n * V_t+n (Sutton and Barto 2018, 7.1).

    A return has fewer steps where its episode ends before, or the rollout does, and the value that stands there ends
    it. Arguments as rlcores.advantages; values of the first n - 1 steps are not used. Raises UserError likewise.

    >>> ends = np.zeros((3, 1), bool)
    >>> n_step_returns(np.ones((3, 1)), np.full((3, 1), 8.0), ends, ends, [4.0], 2, 0.5).ravel().tolist()
    [3.5, 2.5, 3.0]
    """
    of = check(rewards, values, terminated, truncated, bootstrap, final_values)
    gamma, steps = check_float("gamma", gamma, 0, 1), check_int("n_steps", n_steps, 1, 65536)
    following, ends = _following(of), _ends(of)
    if _on_core(config, backend):
        # The n TD errors from here: those from the next step, without the last, times gamma.
        errors, last = of.rewards + gamma * following - of.values, np.cumsum(ends, axis=0)
        corrections, n = errors.copy(), min(steps, len(errors))
        inside = last[n - 1 : -1] == np.concatenate([np.zeros((1, len(ends[0])), int), last])[: len(errors) - n]
        corrections[: len(errors) - n] -= np.where(inside, gamma**n * errors[n:], 0.0)
        corrections = _sums(corrections, np.where(ends, 0.0, gamma), config, backend)
        return _narrow(corrections + of.values, rewards, values)
    returns = of.rewards + gamma * following
    for _ in range(min(steps, len(returns)) - 1):
        returns[:-1] = of.rewards[:-1] + gamma * np.where(ends[:-1], following[:-1], returns[1:])
    return _narrow(returns, rewards, values)


def vtrace(
    log_rhos: ArrayLike,
    rewards: ArrayLike,
    values: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    bootstrap: ArrayLike,
    gamma: float = 0.99,
    gae_lambda: float = 1.0,
    *,
    clip_rho_threshold: float = 1.0,
    clip_c_threshold: float = 1.0,
    clip_pg_rho_threshold: float = 1.0,
    final_values: FinalValues = None,
    config: Config = None,
    backend: str | Bus = "native",
) -> VTrace:
    """V-trace targets and policy-gradient advantages (T, N) (Espeholt et al. 2018, equation 1 and section 4.2).

    log_rhos (T, N): log pi(a|x) - log mu(a|x), of the policy that learns and the one that acted. With
    rho_t = min(clip_rho_threshold, pi/mu) and c_t = gae_lambda * min(clip_c_threshold, pi/mu) the targets are
    v_t = V_t + rho_t * (r_t + gamma * V_t+1 - V_t) + gamma * c_t * (v_t+1 - V_t+1), and the advantages are
    min(clip_pg_rho_threshold, pi/mu) * (r_t + gamma * v_t+1 - V_t). The others as rlcores.advantages. Raises
    UserError likewise, and for a threshold below 0.

    >>> ends = np.zeros((2, 1), bool)
    >>> result = vtrace(np.log([[2.0], [0.5]]), [[1.0], [1.0]], [[0.5], [0.5]], ends, ends, [0.0], 1.0)
    >>> result.targets.ravel().tolist(), result.advantages.ravel().tolist()
    ([1.75, 0.75], [1.25, 0.25])
    """
    of = check(rewards, values, terminated, truncated, bootstrap, final_values)
    gamma, trace = check_float("gamma", gamma, 0, 1), check_float("gae_lambda", gae_lambda, 0, 1)
    ratio = _ratios(log_rhos, of)
    most = {"rho": clip_rho_threshold, "c": clip_c_threshold, "pg_rho": clip_pg_rho_threshold}
    most = {name: check_float(f"clip_{name}_threshold", threshold, 0, np.inf) for name, threshold in most.items()}
    following, ends = _following(of), _ends(of)
    corrections = np.minimum(ratio, most["rho"]) * (of.rewards + gamma * following - of.values)
    decay = np.where(ends, 0.0, gamma * trace * np.minimum(ratio, most["c"]))
    corrections = _sums(corrections, decay, config, backend)
    targets = corrections + of.values
    behind = following.copy()
    behind[:-1] = np.where(ends[:-1], following[:-1], targets[1:])
    advantages = np.minimum(ratio, most["pg_rho"]) * (of.rewards + gamma * behind - of.values)
    return VTrace(_narrow(targets, rewards, values), _narrow(advantages, rewards, values))


def retrace(
    log_rhos: ArrayLike,
    rewards: ArrayLike,
    q_values: ArrayLike,
    values: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    bootstrap: ArrayLike,
    gamma: float = 0.99,
    gae_lambda: float = 1.0,
    *,
    final_values: FinalValues = None,
    config: Config = None,
    backend: str | Bus = "native",
) -> np.ndarray:
    """Retrace targets of Q(x_t, a_t), (T, N) (Munos et al. 2016, equation 4).

    log_rhos as of vtrace(); q_values (T, N): Q(x_t, a_t). values (T, N), bootstrap (N,) and final_values are the
    expected values of the policy that learns, the sum of pi(a|x) * Q(x, a) over the actions. With
    c_t = gae_lambda * min(1, pi/mu) the targets are
    q_t = r_t + gamma * (V_t+1 + c_t+1 * (q_t+1 - Q_t+1)). Raises UserError as rlcores.advantages does.

    >>> ends = np.zeros((2, 1), bool)
    >>> retrace(np.log([[1.0], [0.5]]), [[1.0], [1.0]], [[0.0], [2.0]], [[0.0], [1.0]], ends, ends, [4.0], 1.0).tolist()
    [[3.5], [5.0]]
    """
    of = check(rewards, values, terminated, truncated, bootstrap, final_values)
    gamma, trace = check_float("gamma", gamma, 0, 1), check_float("gae_lambda", gae_lambda, 0, 1)
    ratio, q = _ratios(log_rhos, of), numbers("q_values", q_values, of.rewards.shape)
    corrections = of.rewards + gamma * _following(of) - q
    decay = np.zeros_like(corrections)
    decay[:-1] = np.where(_ends(of)[:-1], 0.0, gamma * trace * np.minimum(ratio[1:], 1.0))
    return _narrow(_sums(corrections, decay, config, backend) + q, rewards, values)


def _on_core(config: Config, backend: str | Bus) -> bool:
    """Whether a core computes the sums. Raises UserError for an unknown backend, and a config without a core."""
    check_backend(backend, ("native", *BACKENDS), "read", "a bus")
    if backend == "native" and config is not None:
        raise UserError("config is a core's: give backend 'model' or 'rtl' with it")
    return backend != "native"


def _sums(corrections: np.ndarray, decay: np.ndarray, config: Config, backend: str | Bus) -> np.ndarray:
    """x_t = d_t + c_t * x_t+1 of d and c (T, N), where x behind the last row is 0."""
    if not _on_core(config, backend):
        engine.backward_sums(corrections, decay)
        return corrections
    core = TraceSums(config, backend)
    try:
        return core.sums(corrections, decay)
    finally:
        core.close()


def _ends(of: Rollout) -> np.ndarray:
    """Where nothing goes on to the next row, bool (T, N)."""
    return np.asarray(of.terminated | of.truncated)


def _following(of: Rollout) -> np.ndarray:
    """The value behind each step, (T, N)."""
    following = np.concatenate([of.values[1:], of.bootstrap[None]])
    following = np.where(of.truncated, of.final_values, following)
    return np.where(of.terminated, 0.0, following)


def _ratios(log_rhos: ArrayLike, of: Rollout) -> np.ndarray:
    """pi/mu, (T, N), clipped to e**700."""
    return np.asarray(np.exp(np.minimum(numbers("log_rhos", log_rhos, of.rewards.shape), 700)))


def _narrow(results: np.ndarray, rewards: ArrayLike, values: ArrayLike) -> np.ndarray:
    if not np.isfinite(results).all():
        raise UserError("a result is beyond float64: scale rewards and values down, or clip ratios")
    single = all(str(getattr(x, "dtype", "")).endswith("float32") for x in (rewards, values))
    return narrowed(results, np.float32 if single else np.float64)
