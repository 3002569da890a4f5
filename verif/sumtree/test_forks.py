"""What a forked process writes into its copy of a sampler or buffer is refused, or said once, in that process."""

import os
import warnings

import numpy as np
import pytest

from rlcores import PrioritizedSampler, ReplayBuffer, SumTree
from rlcores.errors import CoreWarning, UserError

SEEN = {"observation": ((), "int64")}


def in_child(call):
    """What the calls of a forked process said: how many warnings of a copy, or -1 where one was refused as such."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        said = 99
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always", CoreWarning)
                try:
                    call()
                    said = sum("was forked" in str(each.message) for each in warned)
                except UserError as error:
                    said = -1 if "forked" in str(error) else 98
        finally:
            os.write(write, bytes([said % 256]))
            os._exit(0)
    os.waitpid(child, 0)
    status = os.read(read, 1)[0]
    os.close(read)
    os.close(write)
    return status - 256 if status > 127 else status


def step(buffer):
    value = buffer._store.time
    buffer.add(observation=value, next_observation=value + 1, reward=1, terminated=False, truncated=False)


def tree(backend):
    made = SumTree(8, backend=backend)
    return made, lambda: made.insert([1, 2]), lambda: made.sample(4)


def sampler(backend):
    made = PrioritizedSampler(8, backend=backend)
    return made, lambda: made.add(2), lambda: made.sample(4)


def update(backend):
    made = PrioritizedSampler(8, backend=backend)
    made.add(8)
    return made, lambda: made.update(np.array([1, 2]), np.ones(2)), lambda: made.sample(4)


def prioritized(backend):
    made = ReplayBuffer(8, SEEN, backend=backend)
    return made, lambda: step(made), lambda: made.sample(4)


def uniform(backend):
    made = ReplayBuffer(8, SEEN, backend=backend, prioritized=False)
    return made, lambda: step(made), lambda: made.sample(4)


def stacked(backend):
    made = ReplayBuffer(8, SEEN, backend=backend, n_steps=2, prioritized=False)
    return made, lambda: step(made), lambda: made.sample(4)


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize("make", [tree, sampler, update, prioritized, uniform, stacked])
def test_a_child_that_writes_a_copy_is_told_once(backend, make):
    _, write, draw = make(backend)
    write()

    def child():
        draw()
        for _ in range(3):
            write()
            draw()

    assert in_child(child) == 1
    assert in_child(draw) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write()
        draw()
