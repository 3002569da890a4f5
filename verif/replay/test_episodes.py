"""The index of episodes says of every slot where its episode begins and ends, in the engine and in NumPy."""

import numpy as np
import pytest
from steps import SPACES, fill

from rlcores import ReplayBuffer


def expected(held, buffer):
    """Length of the held part of each slot's episode before and behind it."""
    by = {}
    for slot, step in held.items():
        by.setdefault((step.episode, slot % buffer.num_envs), []).append(step.place)
    return {
        slot: (step.place - min(places), max(places) - step.place)
        for slot, step in held.items()
        for places in [by[step.episode, slot % buffer.num_envs]]
    }


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize(("size", "envs"), [(60, 1), (60, 3), (4, 4), (2, 1)])
def test_bounds_are_those_of_the_steps_that_were_added(backend, size, envs, seed):
    rng = np.random.default_rng(seed)
    buffer = ReplayBuffer(size, SPACES, num_envs=envs, prioritized=False, backend=backend, seed=0)
    held = {}
    for count in (1, 3, 7, size // envs, 3 * size // envs):
        held |= fill(buffer, rng, count, breaks=0.2)
        buffer.end_episode()  # fill() begins anew
        held = {slot: step for slot, step in held.items() if slot < len(buffer)}
        slots = np.array(sorted(held))
        bounds = buffer.episodes.bounds(slots)
        if count != 3 * size // envs:  # episodes of different fills have equal names
            continue
        wanted = np.array([expected(held, buffer)[slot] for slot in slots.tolist()])
        assert (bounds.step - bounds.begin == wanted[:, 0]).all() and (bounds.last - bounds.step == wanted[:, 1]).all()
        assert bounds.closed.all()


def test_an_episode_that_goes_on_is_open_and_a_void_row_is_none(seed):
    for backend in ("native", "model"):
        buffer = ReplayBuffer(10, SPACES, prioritized=False, backend=backend, seed=0)
        fill(buffer, np.random.default_rng(seed), 4, ends=0)
        assert not buffer.episodes.closed(np.arange(4)).any()
        buffer.end_episode()
        assert buffer.episodes.closed(np.arange(4)).all()
        zero = {"observation": np.zeros(3), "achieved_goal": np.zeros(2), "desired_goal": np.zeros(2)}
        step = {"observation": zero, "next_observation": zero, "action": [0, 0], "reward": 0.0}
        buffer.add(**step, terminated=False, truncated=False, mask=False)
        assert buffer.episodes.closed(np.arange(5)).tolist() == [True] * 4 + [False]


@pytest.mark.parametrize("envs", [1, 3])
def test_the_engine_and_the_model_hold_one_table_however_often_they_are_asked(envs, seed):
    rngs = [np.random.default_rng(seed) for _ in range(2)]
    pair = [
        ReplayBuffer(12 * envs, SPACES, num_envs=envs, prioritized=False, backend=b, seed=0)
        for b in ("native", "model")
    ]
    ask = np.random.default_rng(seed + 1)
    for _ in range(40):
        count = int(ask.integers(1, 30))
        for buffer, rng in zip(pair, rngs, strict=True):
            fill(buffer, rng, count)
        if ask.random() < 0.1:
            state = pair[0].state_dict()
            for buffer in pair:
                buffer.load_state_dict(state)
        tables = [sorted(zip(*(x.tolist() for x in buffer.episodes.table()), strict=True)) for buffer in pair]
        assert tables[0] == tables[1]
        steps = sum(last - begin + 1 for begin, last, *_ in tables[0])
        assert steps == len(pair[0])  # every step is of one episode
