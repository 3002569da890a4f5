"""A mapped buffer that its disk cannot hold: one sentence at the start, and no signal later."""

from pathlib import Path

import numpy as np
import pytest

from rlcores import ReplayBuffer, UserError


def test_a_buffer_that_does_not_fit_on_its_disk_is_one_sentence_at_the_start(small_disk: Path) -> None:
    arrays = {"observation": ((64,), "float32")}
    with pytest.raises(UserError, match=r"^no room for 200000 transitions in .* bytes are needed, and the disk has "):
        ReplayBuffer(200_000, arrays, folder=small_disk)
    buffer = ReplayBuffer(10_000, arrays, folder=small_disk)
    with pytest.raises(UserError, match=r"^no room for 10000 transitions in "):
        ReplayBuffer(10_000, arrays, folder=small_disk)
    for n in range(10_000):  # each next observation is another one, and is kept
        buffer.add(
            observation=np.full(64, n, "f4"), next_observation=np.full(64, -n, "f4"), reward=1.0, terminated=False,
            truncated=True,
        )  # fmt: skip
    assert len(buffer) == 10_000
    assert (buffer.sample(32)["next_observation"] <= 0).all()
