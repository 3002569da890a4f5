"""How far the integers of an environment are from float64: random steps beside Physics.reference."""

import numpy as np

from rlcores.cores.env.physics import Physics


def largest_error(physics: Physics, count: int, seed: int) -> float:
    """How far a step of the integers is from float64, of each state's range, in `count` random live states.

    States are left out where a number is clipped, and the few where a hair's breadth decides a jump (Physics.jumps).
    """
    rng = np.random.default_rng(seed)
    states, actions = physics.random_states(count, rng), physics.random_actions(count, rng)
    step = physics.step(states, actions)
    expected, _, _ = physics.reference(physics.state_numbers(states), physics.action_numbers(actions))
    off = np.abs(physics.state_numbers(step.state) - expected) / np.subtract(*reversed(physics.live))
    return float(off[~step.saturated & ~physics.jumps(expected)].max())
