"""RLlib's prioritised buffer of episodes on the core, beside RLlib's own."""

import collections

import numpy as np
import pytest

from rlcores.errors import RunFailed, UserError
from rlcores.integrations import rllib

pytest.importorskip("ray.rllib.utils.replay_buffers.prioritized_episode_buffer", reason="needs ray[rllib]")
import gymnasium
from ray.rllib.env.single_agent_episode import SingleAgentEpisode

SPACES = gymnasium.spaces.Box(-np.inf, np.inf, (1,)), gymnasium.spaces.Discrete(1000)


def episode(
    first: int, steps: int, *, end: str = "terminated", identity: str | None = None, begins: int = 0
) -> SingleAgentEpisode:
    """Observations first … first + steps, actions as the observation, rewards as that and a half. begins: a piece."""
    numbers = np.arange(first, first + steps + 1, dtype=np.float64)
    return SingleAgentEpisode(
        id_=identity,
        observations=[np.array([x]) for x in numbers],
        actions=numbers[:-1].astype(int).tolist(),
        rewards=(numbers[:-1] + 0.5).tolist(),
        infos=[{"at": x} for x in numbers],
        observation_space=SPACES[0],
        action_space=SPACES[1],
        terminated=end == "terminated",
        truncated=end == "truncated",
        extra_model_outputs={"logp": (-numbers[:-1]).tolist()},
        len_lookback_buffer=0,
        t_started=begins,
    )


def buffer(capacity: int = 100, **options) -> rllib.PrioritizedEpisodeReplayBuffer:
    return rllib.PrioritizedEpisodeReplayBuffer(capacity, **{"seed": 3, "alpha": 0.6, **options})


def row(one) -> tuple:
    before, after = (float(x[0]) for x in one.get_observations())
    flags = one.is_terminated, one.is_truncated
    return before, int(one.get_actions(0)), float(one.get_rewards(0)), after, *flags


@pytest.mark.parametrize("kind", [tuple, collections.deque, iter])
def test_several_episodes_come_in_whatever_holds_them(kind):
    made = buffer()
    made.add(kind([episode(0, 5), episode(10, 4)]))
    made.add(None)
    assert (len(made), made.get_num_episodes()) == (9, 2)


@pytest.mark.parametrize("n_step", [1, 3])
def test_steps_are_those_that_went_in(n_step):
    made = buffer()
    made.add([episode(0, 5), episode(10, 4, end="truncated")])
    made.add(episode(20, 3, end="", identity="open"))
    reached = {}
    for one in made.sample(300, n_step=n_step, gamma=0.5):
        before, *others = row(one)
        reached[before] = others
        assert one.get_extra_model_outputs("n_step", 0) == min(n_step, {0: 5, 1: 14, 2: 23}[before // 10] - before)
    assert sorted(reached) == [0, 1, 2, 3, 4, 10, 11, 12, 13, 20, 21, 22]
    for before, (action, reward, after, terminated, truncated) in reached.items():
        last = {0: 5, 1: 14, 2: 23}[before // 10]
        n = min(n_step, last - before)
        assert (action, after) == (before, before + n)
        assert reward == pytest.approx(sum(0.5**k * (before + k + 0.5) for k in range(int(n))))
        assert (terminated, truncated) == (after == 5, after == 14)


def test_what_rllibs_own_returns_is_returned_too():
    from ray.rllib.utils.replay_buffers.prioritized_episode_buffer import PrioritizedEpisodeReplayBuffer as Original

    drawn = []
    for kind in (Original, rllib.PrioritizedEpisodeReplayBuffer):
        made = kind(capacity=100, alpha=0.6)
        made.add([episode(0, 5), episode(10, 4, end="truncated")])
        more = {"include_infos": True, "include_extra_model_outputs": True, "to_numpy": True}
        rows = made.sample(400, n_step=2, gamma=0.9, **more)
        drawn.append({(*row(x), x.get_infos(0)["at"], float(x.get_extra_model_outputs("logp", 0))) for x in rows})
        assert all(x.is_numpy for x in rows)
        assert (len(made), made.get_num_episodes()) == (9, 2)
        assert (made.get_added_timesteps(), made.get_sampled_timesteps()) == (9, 400)
    original, ours = drawn
    assert original < ours and len(ours) == 9 and len(original) == 7  # the last steps are ours alone


def test_an_episode_goes_on_in_a_later_piece():
    made = buffer()
    for first in range(0, 9, 3):
        made.add(episode(first, 3, end="terminated" if first == 6 else "", identity="one", begins=first))
    assert (len(made), made.get_num_episodes()) == (9, 1)
    after = {row(one)[0]: row(one)[3] for one in made.sample(200, n_step=4)}
    assert after == {x: min(x + 4.0, 9.0) for x in range(9)}


def test_the_oldest_steps_go_and_with_the_last_one_their_episode():
    made = buffer(10)
    for first in range(0, 60, 6):
        made.add(episode(first, 6))
    assert (len(made), made.get_num_episodes(), made.get_num_episodes_evicted()) == (10, 2, 8)
    assert sorted({row(one)[0] for one in made.sample(300)}) == list(range(50, 60))
    made.add(episode(100, 25))  # longer than the buffer
    assert (len(made), made.get_num_episodes()) == (10, 1)
    assert sorted({row(one)[0] for one in made.sample(300)}) == list(range(115, 125))


def test_priorities_decide_and_weights_undo_it(seed):
    made = buffer(64, alpha=1.0, seed=seed)
    made.add(episode(0, 64))
    for _ in range(20):
        rows = made.sample(64)
        made.update_priorities(np.array([-(1.0 + row(one)[0]) for one in rows]))
    drawn = [one for _ in range(60) for one in made.sample(64, beta=1.0)]
    counts = np.bincount([int(row(one)[0]) for one in drawn], minlength=64)
    share = (1.0 + np.arange(64)) / sum(range(1, 65))
    assert np.abs(counts / counts.sum() - share).max() < 0.012
    rows = made.sample(64, beta=1.0)
    weights = np.array([one.get_extra_model_outputs("weights", 0) for one in rows])
    least = min(row(one)[0] for one in rows)
    assert weights == pytest.approx([(1 + least) / (1 + row(one)[0]) for one in rows], rel=1e-4)


def test_a_priority_of_an_overwritten_step_is_dropped():
    made = buffer(8, alpha=1.0)
    made.add(episode(0, 8))
    made.sample(8)
    made.add(episode(10, 8))
    before = made.sampler.tree.total
    made.update_priorities(np.full(8, 1e-3))
    assert (made.sampler.tree.total, made.sampler.stale) == (before, 8)


def test_a_restored_buffer_goes_on_identically():
    one, other = buffer(20), buffer(20, seed=8)
    other.add(episode(500, 7))
    for first in range(0, 50, 10):
        one.add(episode(first, 10))
    one.update_priorities(np.arange(1.0, 17.0)[: len(one.sample(16))])
    one.add(episode(60, 3, end="", identity="open"))
    other.set_state(one.get_state())
    for made in (one, other):
        made.add(episode(63, 3, identity="open", begins=3))
        made.update_priorities(np.arange(1.0, 13.0)[: len(made.sample(12, n_step=(1, 4)))])
    drawn = [[row(x) for x in made.sample(40, n_step=(1, 4), beta=0.5)] for made in (one, other)]
    assert drawn[0] == drawn[1] and len(one) == len(other) == 20
    assert one.get_num_episodes() == other.get_num_episodes()
    with pytest.raises(UserError, match="is that of a buffer of 20 steps; this one has 10"):
        buffer(10).set_state(one.get_state())


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda made: buffer().sample(4), "nothing to sample|is empty|holds nothing"),
        (lambda made: made.sample(4, batch_length_T=8), "batch_length_T is 8; this buffer samples single steps"),
        (lambda made: made.sample(4, batch_size_B=4), "two names of one number"),
        (lambda made: made.update_priorities(np.ones(3)), "there are 3 priorities for a last sample of 0 steps"),
        (lambda made: buffer(batch_length_T=4), "batch_length_T is 4"),
        (lambda made: buffer(0), "capacity is 0"),
    ],
)
def test_a_mistake_is_one_sentence(call, sentence):
    made = buffer()
    made.add(episode(0, 5))
    with pytest.raises(UserError, match=sentence):
        call(made)


def test_numbers_that_are_not_finite_change_nothing():
    made = buffer()
    made.add(episode(0, 5))
    made.sample(4)
    before = made.sampler.tree.total
    with pytest.raises(UserError, match="nan"):
        made.update_priorities(np.array([1.0, np.nan, 1.0, 1.0]))
    assert made.sampler.tree.total == before


def test_without_rllib_it_is_one_sentence(monkeypatch):
    monkeypatch.setattr(rllib, "_MISSING", ImportError("No module named 'ray'"))
    with pytest.raises(RunFailed, match=r"this needs the package 'ray\[rllib\]', which cannot be imported: No module"):
        buffer()


@pytest.mark.slow
def test_dqn_of_rllib_learns_with_it():
    from ray.rllib.algorithms.dqn import DQNConfig

    kind = rllib.PrioritizedEpisodeReplayBuffer.__name__
    config = (
        DQNConfig()
        .environment("CartPole-v1")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=4)
        .learners(num_learners=0)
        .training(
            lr=5e-4,
            train_batch_size=32,
            num_steps_sampled_before_learning_starts=500,
            target_network_update_freq=200,
            replay_buffer_config={"type": f"{rllib.__name__}.{kind}", "capacity": 20_000, "alpha": 0.6, "beta": 0.4},
        )
    )
    made = config.build_algo()
    for _ in range(8):
        result = made.train()
    held = made.local_replay_buffer
    assert isinstance(held, rllib.PrioritizedEpisodeReplayBuffer) and len(held) > 1000
    assert held.sampler.tree.largest != 0 and len(np.unique(held.sampler.tree.read(np.arange(1000)))) > 100
    assert np.isfinite(result["env_runners"]["episode_return_mean"])
    made.stop()
