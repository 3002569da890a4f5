"""How far the integers of an environment are from float64: random steps beside Physics.reference."""

import numpy as np

from rlcores.cores.env.physics import ACTION_FRACTION, Physics


def live_states(physics: Physics, count: int, rng: np.random.Generator) -> np.ndarray:
    """Codes of random states, int64 (count, states)."""
    low, high = (physics.state_codes(limit) for limit in physics.live)
    return rng.integers(low, high, (count, len(low)), endpoint=True)


def random_actions(physics: Physics, count: int, rng: np.random.Generator) -> np.ndarray:
    """Codes of random actions, int64 (count,)."""
    if physics.actions:
        return rng.integers(0, physics.actions, count)
    return rng.integers(-(1 << 17), 1 << 17, count)


def action_numbers(physics: Physics, actions: np.ndarray) -> np.ndarray:
    """Codes of actions in the environment's units."""
    return actions if physics.actions else actions * 2.0**-ACTION_FRACTION


def largest_error(physics: Physics, count: int, seed: int) -> float:
    """How far a step of the integers is from float64, of each state's range, in `count` random live states.

    States are left out where a number is limited, and the few where a hair's breadth decides a jump (Physics.jumps).
    """
    rng = np.random.default_rng(seed)
    states, actions = live_states(physics, count, rng), random_actions(physics, count, rng)
    found = physics.step(states, actions)
    wanted, _, _ = physics.reference(physics.state_numbers(states), action_numbers(physics, actions))
    off = np.abs(physics.state_numbers(found.state) - wanted) / np.subtract(*reversed(physics.live))
    return float(off[~found.limited & ~physics.jumps(wanted)].max())
