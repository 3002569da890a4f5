"""The stages of a step that are no network's, stages.py, in the native engine: the same names, the same bits."""

from collections.abc import Sequence

import numpy as np

from rlcores.base.arrays import compact
from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.learner.format import FACTOR_FRAC
from rlcores.cores.rl import batch as model
from rlcores.cores.rl.batch import Codes, TransitionBatch
from rlcores.cores.rl.squashed import Sample
from rlcores.cores.rl.stages import Limited
from rlcores.native import engine


def codes_of(batch: TransitionBatch, frac: int, counters: np.ndarray, reward_scale: float = 1.0) -> Codes:
    """batch.codes_of(), which says what is wrong with a number that does not fit."""
    rewards = batch.rewards if reward_scale == 1.0 else batch.rewards * reward_scale
    columns = (batch.states, batch.actions, rewards, batch.next_states, batch.discounts, batch.weights)
    reals = [compact(x, np.float64) for x in columns]
    codes = [np.empty(x.shape, np.int64) for x in reals]
    told = engine.transition_codes([x.ravel() for x in reals], frac, [x.ravel() for x in codes])
    if told is None:
        return model.codes_of(batch, frac, counters, reward_scale)
    counters[0] += told[0]
    return Codes(*codes, told[1])


def normals(generator: Xoshiro128pp, rows: int, actions: int) -> np.ndarray:
    state, numbers = np.array(generator.state, np.uint32), np.empty((rows, actions), np.int64)
    engine.normals(state, actions, numbers.ravel())
    generator.state = tuple(state.tolist())
    return numbers


def exponential(log: int) -> int:
    return engine.exponential(log)


def target_value(values: Sequence[np.ndarray], less: np.ndarray | None) -> Limited:
    target = np.empty(len(values[0]), np.int64)
    told = engine.target_value([x.ravel() for x in values], None if less is None else less.ravel(), target)
    return Limited(target, *told)


def critic_errors(
    value: np.ndarray, target: np.ndarray, codes: Codes, frac: int, delta_frac: int
) -> tuple[Limited, Limited, int]:
    if delta_frac > FACTOR_FRAC + frac:
        raise ValueError(f"deltas have {delta_frac} fraction bits; weighted errors have {FACTOR_FRAC + frac}")
    td, delta = np.empty(len(value), np.int64), np.empty((len(value), 1), np.int64)
    of_td, of_delta, reward = engine.critic_errors(
        value.ravel(), target, codes.rewards, codes.discounts, codes.weights, frac, delta_frac, td, delta.ravel()
    )
    return Limited(td, *of_td), Limited(delta, *of_delta), reward


def least_value(values: Sequence[np.ndarray], slope: int) -> list[np.ndarray]:
    deltas = np.empty((len(values), len(values[0]), 1), np.int64)
    engine.least_value([x.ravel() for x in values], slope, deltas.ravel())
    return list(deltas)


def limited_sum(parts: Sequence[np.ndarray]) -> Limited:
    total = np.empty(parts[0].shape, np.int64)
    told = engine.limited_sum([x.ravel() for x in parts], total.ravel())
    return Limited(total, *told)


def sample(outputs: np.ndarray, normals: np.ndarray) -> Sample:
    x = compact(normals, np.int64)
    u, action, noise = (np.empty_like(x) for _ in range(3))
    inside, log = np.empty(x.shape, bool), np.empty(len(x), np.int64)
    flat = (each.ravel() for each in (outputs, x, u, action, noise, inside))
    return Sample(u, action, noise, log, inside, engine.squashed_sample(*flat, log))


def output_delta(
    drawn: Sample, to_action: np.ndarray, frac: int, alpha: int, delta_frac: int
) -> tuple[np.ndarray, np.ndarray]:
    rows, actions = drawn.action.shape
    delta, saturated = np.empty((rows, 2 * actions), np.int64), np.empty((rows, 2 * actions), bool)
    flat = (each.ravel() for each in (drawn.action, drawn.noise, drawn.inside, to_action))
    engine.squashed_delta(*flat, rows, frac, alpha, delta_frac, delta.ravel(), saturated.ravel())
    return delta, saturated
