"""The physics that LEAF names against its model, a step and a reset a clock: random states, and those near an edge.

LEAF_COMPARISONS has, as JSON, what the leaf compares with a constant (comparisons.py).
"""

import json
import os

import cocotb
import numpy as np
from bench_pins import pack, start
from bench_pipeline import pipeline

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.common.sincos import FRACTION as COS_FRACTION
from rlcores.cores.common.sincos import sincos_fixed
from rlcores.cores.env import mountaincar
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.physics import Physics

COUNT = 500 if os.environ["LEAF"] in ("acrobot", "quadrotor") else 4000  # their pipelines are long, and slow in Icarus
# What a leaf takes, where it is more than an episode that runs has: the right end of the track is beyond the goal.
ENDS = dict.fromkeys(("mountaincar", "mountaincar_continuous"), ([-1.2, -0.07], [0.6, 0.07]))
TRIES = 256  # random states from which an edge is looked for
# Of these, for the end of an episode and for each number and constant, which Acrobot's speeds pass in steps of several.
KEPT = (24, 96 if os.environ["LEAF"] == "acrobot" else 12)


def packed(numbers: np.ndarray, width: int) -> list[int]:
    """Each row as one word."""
    return [pack(row, width) for row in numbers]


def states(physics: Physics, rng: np.random.Generator) -> np.ndarray:
    """Half of their numbers are within a thousandth of an end of their range."""
    anywhere = physics.random_states(COUNT, rng)
    low, high = (physics.state_codes(end) for end in physics.live)
    near = rng.integers(0, (high - low) // 1000, anywhere.shape)
    near = np.where(rng.random(anywhere.shape) < 0.5, low + near, high - near)
    return np.where(rng.random(anywhere.shape) < 0.5, near, anywhere)


def edges(physics: Physics, constants: list[int], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """States and actions on both sides of where a number of the new state passes a constant, or an episode ends.

    Found in the model: of a random state one number goes from end to end of its range, and the interval in which the
    step's answer turns is halved until its ends are neighbours. Their neighbours come along.
    """
    low, high = (physics.state_codes(end) for end in ENDS.get(physics.name, physics.live))
    # A number that is held at a constant never falls below it, or never rises above it.
    tried = rng.integers(low, high, (20000, len(low)), endpoint=True)
    ends = physics.random_states(20000, rng)
    which, every = rng.integers(0, len(low), len(ends)), np.arange(len(ends))
    ends[every, which] = np.where(rng.random(len(ends)) < 0.5, low[which], high[which])
    tried = np.concatenate([tried, ends])
    reached = physics.step(tried, physics.random_actions(len(tried), rng)).state
    least, most = reached.min(axis=0), reached.max(axis=0)
    limits = [(i, c) for i in range(len(low)) for c in constants if c in (least[i], most[i])]

    def answers(states, actions):
        """Every yes or no of a step: a column each."""
        step = physics.step(states, actions)
        sides = [step.state[:, i] >= c + above for i, c in limits for above in (0, 1)]
        return np.stack([step.terminated, *sides], axis=1)

    edge_states, edge_actions = [], []
    for number in range(len(low)):
        states, actions = physics.random_states(TRIES, rng), physics.random_actions(TRIES, rng)
        below, above = states.copy(), states.copy()
        below[:, number], above[:, number] = low[number], high[number]
        turns = answers(below, actions) != answers(above, actions)
        rows = [
            (row, what) for what in range(turns.shape[1]) for row in np.flatnonzero(turns[:, what])[: KEPT[what > 0]]
        ]
        if not rows:
            continue
        row, what = np.array(rows).T
        states, actions, every = states[row], actions[row], np.arange(len(row))
        first, last = np.full(len(row), low[number]), np.full(len(row), high[number])
        states[:, number] = first
        side = answers(states, actions)[every, what]
        while (last - first > 1).any():
            states[:, number] = (first + last) // 2
            same = answers(states, actions)[every, what] == side
            first, last = np.where(same, states[:, number], first), np.where(same, last, states[:, number])
        for offset in range(-1, 3):
            states[:, number] = np.clip(first + offset, low[number], high[number])
            edge_states.append(states.copy())
            edge_actions.append(actions)
    if not physics.actions:
        near = [c + d for c in (0, *constants) for d in (-1, 0, 1) if abs(c) < (1 << 17) - 1]
        for component in range(physics.components):
            edge_states.append(physics.random_states(len(near), rng))
            each = physics.random_actions(len(near), rng).reshape(len(near), -1)
            each[:, component] = near
            edge_actions.append(each if physics.components > 1 else each[:, 0])
    return np.concatenate(edge_states), np.concatenate(edge_actions)


def ties(physics: Physics, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """States of MountainCar whose new speed is rounded from the very middle of two, where any unit less changes it.

    Gravity's part has the other half of the half that rounds, so that no bit is left: the cosine is an odd multiple of
    a 64th of 1.
    """
    goals = np.arange(1, 64, 2) << COS_FRACTION - 6
    goals = np.concatenate([goals, -goals])
    near = np.arccos(goals / 2**COS_FRACTION) / 3
    positions = (
        (np.concatenate([near, -near])[:, None] * 2**mountaincar.FRACTION).astype(np.int64) + 16 * np.arange(-40, 41)
    ).ravel()
    low, high = physics.state_codes(ENDS[physics.name][0]), physics.state_codes(ENDS[physics.name][1])
    positions = positions[(positions > low[0]) & (positions < high[0])]
    states = np.stack([positions, rng.integers(low[1] // 2, high[1] // 2, len(positions))], axis=1)
    actions = np.full(len(states), int(physics.actions > 0))  # no force
    _, cosine = sincos_fixed(
        round_shift((states[:, 0] >> mountaincar.ANGLE_DROP) * mountaincar.TURNS, mountaincar.TURN_DROP)
    )
    tied = np.isin(cosine, goals)
    assert tied.sum() >= 8, f"{tied.sum()} sums at a tie"
    return states[tied], actions[tied]


def limits(physics: Physics, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """States of Acrobot, faster than those of an episode, at which a step just begins to limit a number: one alone."""
    low, high = physics.state_codes(physics.live[0]), physics.state_codes(physics.live[1])
    count, whole = 4000, 1 << 20
    angles = rng.integers(low[:2], high[:2], (count, 2), endpoint=True)
    speeds = (np.exp2(rng.uniform(25.7, 26, (count, 2))) * rng.choice([-1, 1], (count, 2))).astype(np.int64)
    actions = physics.random_actions(count, rng)

    def slower(part):
        return np.concatenate([angles, speeds * part[:, None] // whole], axis=1)

    kept = np.flatnonzero(physics.step(slower(np.full(count, whole)), actions).saturated)[:48]
    angles, speeds, actions = angles[kept], speeds[kept], actions[kept]
    first, last = np.zeros(len(kept), np.int64), np.full(len(kept), whole)
    while (last - first > 1).any():
        middle = (first + last) // 2
        saturated = physics.step(slower(middle), actions).saturated
        first, last = np.where(saturated, first, middle), np.where(saturated, middle, last)
    assert len(kept) == 48
    return np.concatenate([slower(first), slower(last)]), np.concatenate([actions, actions])


async def drive(dut, physics: Physics, states: np.ndarray, actions: np.ndarray, draws: np.ndarray, watch=lambda: None):
    """A step and a reset a clock, each compared with the model's; `watch` is called in every clock."""
    step, first = physics.step(states, actions), physics.reset(draws)
    count = len(states)
    wanted = {
        "m_state": packed(step.state, 32),
        "m_obs": packed(step.obs, 18),
        "m_reward": packed(step.reward[:, None], 27),
        "m_terminated": step.terminated.tolist(),
        "m_saturated": step.saturated.tolist(),
        "m_reset_state": packed(first[0], 32),
        "m_reset_obs": packed(first[1], 18),
    }
    assert physics.name == "pendulum" or 0 < step.terminated.sum() < count
    columns = {"s_state": (states, 32), "s_action": (actions.reshape(count, -1), 18), "s_draw": (draws, 32)}
    inputs = {name: packed(*column) for name, column in columns.items()}
    latency = {n: physics.reset_latency if "reset" in n else physics.latency for n in wanted}
    await start(dut)
    await pipeline(dut, inputs, wanted, latency, watch)


def random_draws(physics: Physics, count: int, rng: np.random.Generator) -> np.ndarray:
    """Random words, and those at the ends and in the middle."""
    draws = rng.integers(0, 1 << 32, (count, physics.draws))
    draws[:4] = [[0], [(1 << 32) - 1], [1 << 31], [(1 << 31) - 1]]
    return draws


@cocotb.test()
async def every_step_and_reset_is_the_models(dut):
    physics = ENVIRONMENTS[os.environ["LEAF"]]
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    begun, actions = states(physics, rng), physics.random_actions(COUNT, rng)
    for more, those in (ties, ENDS), (limits, ("acrobot",)):
        if physics.name in those:
            begun, actions = (np.concatenate(both) for both in zip((begun, actions), more(physics, rng), strict=True))
    await drive(dut, physics, begun, actions, random_draws(physics, len(begun), rng))


@cocotb.test()
async def every_comparison_is_the_models_on_its_edge(dut):
    physics = ENVIRONMENTS[os.environ["LEAF"]]
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    comparisons = json.loads(os.environ["LEAF_COMPARISONS"])
    begun, actions = edges(physics, [c["constant"] for c in comparisons], rng)
    wanted = {(c["signal"], c["constant"] + d): c["bits"] for c in comparisons for d in (-1, 0, 1)}
    assert wanted, "the leaf compares nothing"
    handles = {name: handle for name, _ in wanted if (handle := inside(dut, name)) is not None}
    seen = set()

    def watch():
        for name, handle in handles.items():
            value = handle.value
            if value.is_resolvable:
                seen.add((name, value.to_signed()))

    await drive(dut, physics, begun, actions, random_draws(physics, len(begun), rng), watch)
    # Verilator shows the ports alone: there the steps are the same, and Icarus has said where they stand.
    assert handles or os.environ["LEAF_SIMULATOR"] == "verilator"
    missed = sorted(key for key in wanted if key[0] in handles and key not in seen)
    assert not missed, f"never on this edge: {missed}"


def inside(dut, name: str):
    """A signal below the top, or None where the simulator does not show it."""
    handle = dut
    for part in name.replace("[", ".[").split("."):
        try:
            handle = handle[int(part[1:-1])] if part.startswith("[") else getattr(handle, part)
        except (AttributeError, IndexError):
            return None
    return handle
