"""Replay buffers of other libraries whose transitions are kept by a replay server."""

import multiprocessing
import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from rlcores.cores.replay_server.frames import ServerSettings  # noqa: E402
from rlcores.errors import UserError  # noqa: E402
from rlcores.net import ReplayServer  # noqa: E402


def test_sb3_draws_what_all_clients_put_and_sends_priorities_back(seed):
    pytest.importorskip("stable_baselines3")
    from gymnasium import spaces

    from rlcores.integrations.sb3 import ServerReplayBuffer

    rng = np.random.default_rng(seed)
    observation, action = spaces.Box(-np.inf, np.inf, (3,), np.float32), spaces.Discrete(5)
    with ReplayServer(ServerSettings(capacity=1000, record_bytes=48)) as server:
        pair = [
            ServerReplayBuffer(9, observation, action, "cpu", 2, address=server.address, client=n) for n in range(2)
        ]
        kept = {}
        for n, buffer in enumerate(pair):
            for _ in range(20):
                now = rng.normal(size=(2, 3)).astype(np.float32)
                actions, rewards = rng.integers(0, 5, (2, 1)), rng.normal(size=2).astype(np.float32)
                ends, cut = rng.random(2) < 0.3, bool(rng.random() < 0.5)
                infos = [{"TimeLimit.truncated": cut}] * 2
                buffer.add(now, now + 1, actions, rewards, ends, infos)
                for e in range(2):
                    kept[now[e].tobytes()] = actions[e, 0], rewards[e], float(ends[e] and not cut), n
            buffer.client.flush()
        assert pair[0].size() == len(kept) == 80
        pair[1].beta = 1.0
        samples = pair[1].sample(64)
        drawn = [kept[row.tobytes()] for row in samples.observations.numpy()]
        assert {n for *_, n in drawn} == {0, 1}
        for i, (chosen, reward, done, _) in enumerate(drawn):
            assert samples.actions[i] == chosen and samples.rewards[i] == reward and samples.dones[i] == done
        assert torch.equal(samples.next_observations, samples.observations + 1) and (samples.weights == 1).all()
        assert pair[1].update_priorities(samples, torch.full((64,), 7.0)) == 64
        again = pickle.loads(pickle.dumps(pair[1]))
        again.client.flush()
        assert again.client.stats()["updates"] == 64
        assert (again.sample(64).weights < 1).any()
        for buffer in (pair[0], again):
            buffer.client.close()
    said = pytest.raises(UserError, match="--record-bytes 40")
    with ReplayServer(ServerSettings(capacity=1000, record_bytes=16)) as server, said:
        ServerReplayBuffer(9, observation, action, address=server.address)


def test_sb3s_dqn_trains_from_a_server():
    pytest.importorskip("stable_baselines3")
    from rlcores.integrations.sb3 import PrioritizedDQN, ServerReplayBuffer

    with ReplayServer(ServerSettings(capacity=1000, record_bytes=64)) as server:
        model = PrioritizedDQN(
            "MlpPolicy", "CartPole-v1", learning_starts=50, train_freq=4, batch_size=16, seed=1, device="cpu",
            replay_buffer_class=ServerReplayBuffer, replay_buffer_kwargs={"address": server.address},
        )  # fmt: skip
        model.learn(200)
        model.replay_buffer.client.flush()
        counts = server.state.counts
        assert counts["records"] == 200 and counts["samples"] == counts["updates"] == 16 * model._n_updates > 0
        model.replay_buffer.client.close()


def test_torchrl_extends_and_draws_at_a_server(seed):
    pytest.importorskip("torchrl")
    from tensordict import TensorDict

    from rlcores.integrations.torchrl_server import server_buffer

    def data(first, count):
        value = torch.arange(first, first + count)
        inner = TensorDict({"reward": value.float() * 2, "done": value % 3 == 0}, [count])
        return TensorDict({"observation": value.float()[:, None] + torch.arange(3), "next": inner}, [count])

    with ReplayServer(ServerSettings(capacity=1000, record_bytes=24)) as server:
        pair = [server_buffer(server.address, data(0, 1)[0], client=n, batch_size=32) for n in range(2)]
        pair[0].extend(data(0, 100))
        pair[0].add(data(100, 1)[0])
        pair[1].extend(data(101, 99))
        for buffer in pair:
            buffer.storage.client.flush()
        assert len(pair[0]) == len(pair[1]) == 200
        seen = set()
        for _ in range(10):
            batch = pair[1].sample()
            first = batch["observation"][:, 0]
            assert torch.equal(batch["observation"], first[:, None] + torch.arange(3))
            assert torch.equal(batch["next", "reward"], first * 2)
            assert torch.equal(batch["next", "done"].bool(), first.long() % 3 == 0)
            assert (batch["priority_weight"] > 0).all() and (batch["priority_weight"] <= 1).all()
            seen |= set(first.long().tolist())
            batch["td_error"] = first / 10
            pair[1].update_tensordict_priority(batch)
        assert len(seen) > 100 and min(seen) < 100 < max(seen)
        pair[1].storage.client.flush()
        assert server.state.counts["updates"] == 320
        with pytest.raises(UserError, match="not drawn"):
            pair[0].storage.get(np.array([999]))
        with pytest.raises(UserError, match=r"next.reward has the value nan"):
            pair[0].extend(data(0, 3).set(("next", "reward"), torch.full((3,), torch.nan)))
        assert len(pair[0]) == 200
        for buffer in pair:
            buffer.storage.client.close()


def transitions(first: int, count: int):
    """`count` transitions as a TensorDict; what they say follows from their numbers."""
    from tensordict import TensorDict

    value = torch.arange(first, first + count)
    return TensorDict({"observation": value.float()[:, None] + torch.arange(3), "reward": value.float() * 2}, [count])


def _actor(client, first: int, count: int) -> None:
    client.extend(transitions(first, count - 1))
    client.add(transitions(first + count - 1, 1)[0])
    client.close()


def test_torchrls_service_has_an_owner_and_clients_in_other_processes(tmp_path):
    pytest.importorskip("torchrl")
    from torchrl.services import Service

    from rlcores.integrations.torchrl_service import ReplayService

    service = ReplayService(
        transitions(0, 1)[0], buffer_size=1000, num_clients=3, batch_size=32, folder=tmp_path / "kept"
    )
    assert isinstance(service, Service) and not service.is_alive
    with pytest.raises(UserError, match="start"):
        service.client()
    with service:
        assert service.start() is service and service.is_alive
        mine, *handed = service.clients(3)
        assert not hasattr(mine, "start") and not hasattr(mine, "shutdown")
        with pytest.raises(UserError, match="all 3 clients"):
            service.client()
        actors = [
            multiprocessing.get_context("spawn").Process(target=_actor, args=(client, 100 * n, 100))
            for n, client in enumerate(handed)
        ]
        for actor in actors:
            actor.start()
        for actor in actors:
            actor.join()
        assert [actor.exitcode for actor in actors] == [0, 0] and len(mine) == 200
        seen = set()
        for _ in range(10):
            batch = mine.sample()
            first = batch["observation"][:, 0]
            assert torch.equal(batch["observation"], first[:, None] + torch.arange(3))
            assert torch.equal(batch["reward"], first * 2) and len(first) == mine.batch_size == 32
            seen |= set(first.long().tolist())
            batch["td_error"] = first / 10
            mine.update_tensordict_priority(batch)
        mine.update_priority(batch["index"], batch["td_error"])
        assert len(seen) > 100 and min(seen) < 100 <= max(seen)
        again = pickle.loads(pickle.dumps(mine))
        mine.close()
        assert len(again) == 200
        assert again.buffer._storage.client.stats()["updates"] == 352
        again.close()
    assert not service.is_alive
    service.shutdown()
    # In its folder it goes on.
    with service:
        client = service.client()
        assert len(client) == 200
        client.close()


def test_torchrls_buffers_of_other_transitions_are_refused():
    pytest.importorskip("torchrl")
    from tensordict import TensorDict

    from rlcores.integrations.torchrl_server import server_buffer

    one, other = (TensorDict({name: torch.zeros(3)}, []) for name in ("observation", "state"))
    with ReplayServer(ServerSettings(capacity=100, record_bytes=16)) as server:
        first = server_buffer(server.address, one)
        with pytest.raises(UserError, match="schema"):
            server_buffer(server.address, other, client=1)
        first.storage.client.close()
