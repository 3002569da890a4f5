"""Seeds as NumPy's generators have them: drawn when none is given, readable, and enough to repeat a run."""

import copy
import pickle

import numpy as np
import pytest

from rlcores import PrioritizedSampler, ReplayBuffer, SumTree
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import UserError
from rlcores.net import BankedClient, ReplayServer


def tree(**seed):
    made = SumTree(200, backend=tree.backend, **seed)
    made.insert(np.arange(1, 201))
    return made, lambda: made.sample(64).indices, lambda: made.initial_seed


def sampler(**seed):
    made = PrioritizedSampler(200, backend=tree.backend, **seed)
    made.add(200)
    return made, lambda: made.sample(64).indices, lambda: made.seed


def buffer(prioritized):
    def make(**seed):
        seen = {"observation": ((), "int64")}
        made = ReplayBuffer(200, seen, backend=tree.backend, prioritized=prioritized, **seed)
        k, no = np.arange(200), np.zeros(200, bool)
        made.add(observation=k, next_observation=k + 1, reward=k, terminated=no, truncated=no)
        return made, lambda: made.sample(64).indices, lambda: made.seed

    return make


@pytest.fixture(params=["native", "model"], autouse=True)
def backend(request):
    tree.backend = request.param


@pytest.mark.parametrize("make", [tree, sampler, buffer(True), buffer(False)])
def test_two_of_a_kind_draw_alike_only_with_the_same_seed(make):
    runs = [make() for _ in range(3)]
    seeds = [seed() for *_, seed in runs]
    assert len(set(seeds)) == 3 and all(type(seed) is int and 0 <= seed < 2**64 for seed in seeds)
    drawn = [np.concatenate([draw() for _ in range(3)]).tolist() for _, draw, _ in runs]
    assert drawn[0] != drawn[1] != drawn[2]
    for seed, wanted in zip(seeds, drawn, strict=True):
        _, draw, read = make(seed=seed)
        assert np.concatenate([draw() for _ in range(3)]).tolist() == wanted and read() == seed


@pytest.mark.parametrize("make", [tree, sampler, buffer(True), buffer(False)])
def test_a_state_and_a_copy_have_the_seed(make, tmp_path):
    first, draw, read = make()
    draw()
    second, again, reads = make()
    second.load_state_dict(first.state_dict())
    assert reads() == read() and again().tolist() == draw().tolist()
    for twin in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert getattr(twin, "initial_seed", None) == read() or twin.seed == read()
    if isinstance(first, ReplayBuffer):
        first.save(tmp_path / "buffer.npz")
        assert ReplayBuffer.load(tmp_path / "buffer.npz").seed == read()
    state = first.state_dict()
    del state.get("tree", state)["seed"]  # as older versions wrote them
    second.load_state_dict(state)


@pytest.mark.parametrize("wrong", [-1, 2**64, 0.5, "1", True])
def test_a_seed_that_is_none_is_one_sentence(wrong):
    for make in (tree, sampler, buffer(False)):
        with pytest.raises(UserError, match=r"^seed is"):
            make(seed=wrong)


def test_clients_of_banks_draw_alike_only_with_the_same_seed():
    with ReplayServer(ServerSettings(capacity=100, record_bytes=8, banks=2)) as server:
        seeds = []
        for client_seed in (None, None, 7):
            with BankedClient(server.address, seed=client_seed) as client:
                seeds.append(client.seed)
        assert len(set(seeds)) == 3 and seeds[2] == 7
