"""What an object is called says its size, how full it is, and where it runs."""

import importlib

import numpy as np
import pytest
from steps import SPACES, fill

import rlcores
from rlcores import (
    ActingPolicy,
    Gae,
    Learner,
    PrioritizedSampler,
    ReplayBuffer,
    ReplayLearner,
    ReplaySettings,
    SliceSampler,
    SumTree,
    VectorEnv,
    integrations,
    net,
)
from rlcores.base.attributes import Guarded
from rlcores.integrations import (  # noqa: F401  # PUBLIC looks at them
    cleanrl,
    rllib,
    sb3,
    tianshou,
    torchrl,
    torchrl_gae,
    torchrl_server,
    torchrl_service,
)
from rlcores.net import BankedClient, ReplayClient, ReplayServer, aio


def test_public_objects_say_size_fill_and_backend(seed, tmp_path):
    tree = SumTree(1000, backend="model")
    tree.insert(count=12)
    assert repr(tree) == "SumTree(12 of 1,000 slots, model)"
    assert repr(SumTree(8, banks=4)) == "SumTree(0 of 8 slots, native, 4 banks)"
    sampler = PrioritizedSampler(100, alpha=0.5, beta=1)
    assert repr(sampler) == "PrioritizedSampler(0 of 100 transitions, native, alpha 0.5, beta 1)"
    buffer = ReplayBuffer(60, SPACES, num_envs=3, prioritized=False, backend="model", folder=tmp_path)
    fill(buffer, np.random.default_rng(seed), 4)
    text = f"ReplayBuffer(12 of 60 transitions, 3 environments, model, uniform draws, in '{tmp_path}')"
    assert repr(buffer) == text
    assert repr(SliceSampler(buffer, 2, burn_in=1)) == f"SliceSampler(1 + 2 steps, of {text})"
    assert (
        repr(ReplayBuffer(9, SPACES, priorities="rank")) == "ReplayBuffer(0 of 9 transitions, native, rank priorities)"
    )
    batch = repr(buffer.sample(5))
    assert batch.startswith("ReplayBatch(5 transitions: ") and "action int64 (5, 2)" in batch and "\n" not in batch
    assert "reward float32 (4, 1)" in repr(SliceSampler(buffer, 1).sample(4))
    learner = ReplayLearner((4, 8, 2), buffer_size=64)
    assert repr(learner) == "ReplayLearner(4-8-2, 0 of 64 experiences, 0 steps, native)"
    assert repr(Gae(accuracy="8bit", gamma=0.9)) == "Gae(native, 8 bits, gamma 0.9, gae_lambda 0.95)"
    assert repr(ReplayLearner((4, 8, 2), backend="model", buffer_size=64)).endswith("0 steps, model)")
    assert repr(Learner((4, 8, 2), seed=1)) == "Learner(4-8-2, 0 steps, native)"
    assert repr(Learner((5, 9, 7, 1), actor=(3, 8, 2)).policy()) == "Policy(3-8-2, squashes, native)"
    policy = ActingPolicy([(np.eye(2), np.zeros(2))], kind="categorical", backend="model")
    assert repr(policy) == "ActingPolicy(2-2, categorical, model)"
    assert repr(VectorEnv("CartPole-v1", 3)) == "VectorEnv(CartPole-v1, 3 environments, native)"
    ends = np.zeros((5, 2), bool)
    assert (
        repr(Gae().compute(ends + 1.0, ends * 0.5, ends, ends, [0.0, 0.0]))
        == "GaeResult(5 steps of 2 environments, 1 runs)"
    )
    assert repr(Gae(accuracy="float32")) == "Gae(native, float32, gamma 0.99, gae_lambda 0.95)"


def test_a_server_and_its_clients_say_where_they_are():
    settings = ReplaySettings(buffer_size=1000)
    with ReplayServer(settings, record_bytes=8) as server, ReplayClient(server.address, 3) as client:
        said = f"ReplayServer({server.address}, room for 1,000 records of 8 bytes, native"
        assert repr(server) == f"{said})" and repr(client) == f"ReplayClient({server.address}, client 3)"
    assert repr(server) == f"{said}, closed)"
    assert repr(client) == f"ReplayClient({server.address}, client 3, not connected)"
    with ReplayServer(settings, record_bytes=8, banks=2) as server, BankedClient(server.address, 4) as client:
        assert "2,000 records of 8 bytes, 2 banks, native)" in repr(server)
        assert repr(client) == f"BankedClient({server.address}, clients 4 to 5, 2 banks)"
    assert repr(aio.BankedClient("127.0.0.1:1", 4)) == "BankedClient(client 4, not connected)"


PUBLIC = [
    (module.__name__, name)
    for module in (rlcores, net, integrations.cleanrl, integrations.rllib, integrations.sb3, integrations.tianshou,
                   integrations.torchrl, integrations.torchrl_gae, integrations.torchrl_server,
                   integrations.torchrl_service)
    for name in getattr(module, "__all__", dir(module))
    if name[0] != "_"
    and isinstance(kind := getattr(module, name), type) and issubclass(kind, Guarded) and kind is not Guarded
]  # fmt: skip


@pytest.mark.parametrize(("module", "name"), PUBLIC)
def test_every_public_class_has_a_repr_of_its_own(module, name):
    kind = getattr(importlib.import_module(module), name)
    if module.endswith("tianshou") and name.endswith("Buffer"):
        return  # tianshou's own, which shows all that is held
    assert next(each for each in kind.__mro__ if "__repr__" in vars(each)).__module__.startswith("rlcores.")
