"""What the drop-ins are called inside their libraries: how full they are, and where they run."""

import gymnasium
import numpy as np
import pytest

from rlcores import ReplaySettings
from rlcores.net import ReplayServer

BOX, DISCRETE = gymnasium.spaces.Box(-1, 1, (3,), np.float32), gymnasium.spaces.Discrete(2)
HEAD = "native, alpha 0.6, beta 0.4)"


def test_cleanrls():
    from rlcores.integrations.cleanrl import Advantages

    assert repr(Advantages(0.9)) == "Advantages(Gae(native, 16 bits, gamma 0.9, gae_lambda 0.95))"


def test_those_of_stable_baselines3():
    pytest.importorskip("stable_baselines3")
    from rlcores.integrations import sb3

    buffer = sb3.PrioritizedReplayBuffer(100, BOX, DISCRETE, "cpu", 2, seed=1)
    assert repr(buffer) == f"PrioritizedReplayBuffer(0 of 100 transitions, 2 environments, {HEAD}"
    state = np.zeros((2, 3), np.float32)
    buffer.add(state, state, np.zeros(2, int), np.zeros(2), np.zeros(2), [{}, {}])
    assert repr(buffer).startswith("PrioritizedReplayBuffer(2 of 100 transitions, ")
    stored = sb3.PrioritizedDictReplayBuffer(100, gymnasium.spaces.Dict(seen=BOX), DISCRETE, "cpu", seed=1)
    assert repr(stored).startswith("PrioritizedDictReplayBuffer(ReplayBuffer(0 of 100 transitions, native")
    rollout = sb3.GaeRolloutBuffer(16, BOX, DISCRETE, "cpu", n_envs=2)
    assert repr(rollout).startswith("GaeRolloutBuffer(0 of 32 steps, 2 environments, Gae(native")
    model = sb3.PrioritizedDQN("MlpPolicy", "CartPole-v1", buffer_size=100)
    assert repr(model) == f"PrioritizedDQN(0 steps, PrioritizedReplayBuffer(0 of 100 transitions, {HEAD})"
    with ReplayServer(ReplaySettings(buffer_size=64), record_bytes=64) as server:
        held = sb3.ServerReplayBuffer(64, BOX, DISCRETE, "cpu", address=server.address, client=2)
        client = f"ReplayClient({server.address}, client 2)"
        assert repr(held) == f"ServerReplayBuffer(room for 64 transitions, {client}, beta 0.4)"


def test_those_of_torchrl():
    pytest.importorskip("torchrl")
    import torch
    from tensordict import TensorDict

    from rlcores.integrations import torchrl_gae, torchrl_server, torchrl_service

    example = TensorDict({"x": torch.zeros(4)})
    assert repr(torchrl_gae.AdvantageEstimate(0.9, 0.95)).startswith("AdvantageEstimate(Gae(native")
    assert repr(torchrl_server.ServerSampler()) == "ServerSampler(beta=0.4, reduction=max)"
    with ReplayServer(ReplaySettings(buffer_size=64), record_bytes=16) as server:
        storage = torchrl_server.ServerStorage(server.address, example)
        client = f"ReplayClient({server.address}, client 0)"
        assert repr(storage) == f"ServerStorage(room for 64 transitions of 16 bytes, {client})"
        assert "ServerSampler(beta=0.4" in repr(torchrl_server.server_buffer(server.address, example, client=1))
    service = torchrl_service.ReplayService(example, buffer_size=64)
    assert repr(service) == "ReplayService(room for 64 transitions, not running)"
    service.start()
    try:
        assert repr(service).startswith("ReplayService(room for 64 transitions, ReplayServer(127.0.0.1:")
        client = service.client()
        assert repr(client) == f"ReplayServiceClient({service.address}, batches of 256, not connected)"
    finally:
        service.shutdown()


def test_those_of_tianshou():
    pytest.importorskip("tianshou")
    from rlcores.integrations.tianshou import PrioritizedReplayBuffer

    buffer = PrioritizedReplayBuffer(100, 0.6, 0.4)
    assert repr(buffer.weight) == f"Shares(PrioritizedSampler(0 of 100 transitions, {HEAD})"


def test_that_of_rllib():
    pytest.importorskip("ray.rllib.utils.replay_buffers.prioritized_episode_buffer", reason="needs ray[rllib]")
    from rlcores.integrations.rllib import PrioritizedEpisodeReplayBuffer

    buffer = PrioritizedEpisodeReplayBuffer(100, alpha=0.6)
    assert repr(buffer) == "PrioritizedEpisodeReplayBuffer(0 of 100 steps, native, alpha 0.6)"
