"""What a client of a server in RTL asks, and is given: the same from any backend with the same settings."""

import numpy as np
import pytest

from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import UserError
from rlcores.net import ReplayClient
from rlcores.net.rtl import fitting

S = fitting(
    ServerSettings(
        capacity=50, record_bytes=24, part_bytes=256, clients=4, sample_max=20, credit=8, generation_width=4,
        instance=77, seed=5, weights_max=2000, assemblies=0,
    )
)  # fmt: skip
STATE = ("size", "next", "total", "largest", "records", "samples", "updates", "stale", "range", "saturated")


def rows(first: int, count: int, words: int = 3) -> np.ndarray:
    """Records that say which they are, in each of their words."""
    return np.repeat(np.arange(first, first + count, dtype=np.uint64)[:, None], words, 1)


def work(
    address: str, seed: int, turns: int = 12, words: int = 3, key: bytes | None = None
) -> tuple[list, dict[str, int], list]:
    """What one client, of which each request waits for those before it, is given; STAT; the weights."""
    rng = np.random.default_rng(seed)
    seen, weights = [], []
    with ReplayClient(address, 1, ordered=True, timeout=60, key=key) as client:
        with pytest.raises(UserError, match="nothing to sample"):
            client.sample(3)
        for turn in range(turns):
            count = int(rng.integers(1, 25))
            client.put(rows(100 * turn, count, words), td_errors=rng.normal(size=count) if turn % 3 else None)
            batch = client.sample(int(rng.integers(1, 21)), beta=float(rng.random()), stratified=bool(turn % 2))
            client.update(batch.slots, batch.generations, td_errors=rng.normal(size=len(batch.slots)) * 100)
            some = slice(0, 9)
            others = batch.generations[some] + rng.integers(0, 2, 9)[: len(batch.slots)]
            seen += [batch, client.read(batch.slots[some], others)]
            client.update([3, 49], [0, 1], priorities=[70000, 400000])
            client.put_weights(rng.bytes(int(rng.integers(1, 2001))), version=turn + 1)
            weights.append(client.get_weights(max(turn - int(rng.integers(0, 3)), 0)))
        client.flush()
        stats = client.stats()
    return seen, {name: stats[name] for name in STATE}, weights


def compare(actual: tuple[list, dict[str, int], list], wanted: tuple[list, dict[str, int], list]) -> None:
    """Raises AssertionError at the first difference."""
    for number, (mine, theirs) in enumerate(zip(actual[0], wanted[0], strict=True)):
        for name, a, b in zip(mine._fields, mine, theirs, strict=True):
            assert np.array_equal(a, b), f"{name} of answer {number}"
    assert actual[2] == wanted[2] and any(actual[2])
    assert actual[1] == wanted[1] and actual[1]["saturated"] > 0 and actual[1]["stale"] > 0
