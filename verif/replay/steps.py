"""Random steps of several environments, and what every one of them was."""

from typing import NamedTuple

import numpy as np

from rlcores import ReplayBuffer


class Step(NamedTuple):
    """A transition as it was added."""

    observation: dict
    following: dict
    reward: float
    terminated: bool
    truncated: bool
    episode: int
    place: int  # in its episode


def goals(rng, envs: int) -> dict[str, np.ndarray]:
    """Observations of a goal environment, all different."""
    return {
        "observation": rng.normal(size=(envs, 3)).astype(np.float32),
        "achieved_goal": rng.normal(size=(envs, 2)),
        "desired_goal": rng.normal(size=(envs, 2)),
    }


SPACES = {
    "observation": {"observation": ((3,), "f4"), "achieved_goal": ((2,), "f8"), "desired_goal": ((2,), "f8")},
    "action": ((2,), "i8"),
}


def fill(buffer: ReplayBuffer, rng, count: int, *, ends: float = 0.15, breaks: float = 0.0) -> dict[int, Step]:
    """Add `count` steps of every environment; what each slot holds now."""
    envs = buffer.num_envs
    held: dict[int, Step] = {}
    episode, place = np.arange(envs), np.zeros(envs, int)
    here = goals(rng, envs)
    for step in range(count):
        there = goals(rng, envs)
        terminated, truncated = rng.random((2, envs)) < ends / 2
        reward = rng.normal(size=envs)
        slots = buffer.add(
            observation=here if envs > 1 else {k: v[0] for k, v in here.items()},
            action=np.zeros((envs, 2) if envs > 1 else 2, int),
            next_observation=there if envs > 1 else {k: v[0] for k, v in there.items()},
            reward=reward if envs > 1 else reward[0],
            terminated=terminated if envs > 1 else terminated[0],
            truncated=truncated if envs > 1 else truncated[0],
        ).indices
        for env, slot in enumerate(slots.tolist()):
            one = [{name: array[env] for name, array in seen.items()} for seen in (here, there)]
            ended = bool(terminated[env]), bool(truncated[env])
            held[slot] = Step(*one, float(reward[env]), *ended, int(episode[env]), int(place[env]))
        over = terminated | truncated
        if breaks and rng.random() < breaks:
            mask = rng.random(envs) < 0.5
            buffer.end_episode(mask)
            over |= mask
        fresh = goals(rng, envs)
        here = {name: np.where(over[:, None], fresh[name], there[name]) for name in there}
        place = np.where(over, 0, place + 1)
        episode = np.where(over, (step + 1) * envs + np.arange(envs), episode)
    return held
