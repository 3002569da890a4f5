"""What the tests of cpprb, tianshou, torchrl and Stable-Baselines3 ask of replay, asked of ours by our own tests.

Each test names the libraries whose tests have the case. Expected numbers are worked out by hand.
"""

import subprocess
import sys

import numpy as np
import pytest

from rlcores import (
    Hindsight,
    PrioritizedSampler,
    ReplayBuffer,
    SliceSampler,
    advantages,
    lambda_returns,
    n_step_returns,
    vtrace,
)
from rlcores.errors import UserError

BACKENDS = pytest.mark.parametrize("backend", ["native", "model"])


def counting(size: int, backend: str = "native", **options) -> ReplayBuffer:
    """A buffer whose observations are the numbers of the steps."""
    return ReplayBuffer(size, {"observation": ((), "float32")}, seed=1, backend=backend, **options)


def walk(buffer: ReplayBuffer, steps: range, ends=(), cuts=(), rewards=None) -> None:
    """Steps whose observation is their number; ends: terminated there; cuts: truncated."""
    time = np.array(steps)
    buffer.add(
        observation=time,
        next_observation=time + 1,
        reward=np.ones(len(time)) if rewards is None else rewards,
        terminated=np.isin(time, ends),
        truncated=np.isin(time, cuts),
    )


def of_step(batch, step: int) -> int:
    """Where a batch has the transition that begins at a step."""
    return int(np.flatnonzero(batch["observation"] == step)[0])


@BACKENDS
def test_cpprb_a_ring_keeps_the_newest_and_says_how_many_it_holds(backend: str) -> None:
    buffer = counting(8, backend, prioritized=False)
    for begin, held in ((0, 5), (5, 8), (10, 8)):
        walk(buffer, range(begin, begin + 5))
        assert len(buffer) == held
    assert set(buffer.sample(500)["observation"].astype(int)) == set(range(7, 15))


@BACKENDS
def test_cpprb_tianshou_n_step_rewards_are_discounted_and_end_with_the_episode(backend: str) -> None:
    buffer = counting(16, backend, n_steps=4, gamma=0.5, prioritized=False)
    walk(buffer, range(8), ends=[5], rewards=np.arange(8.0))
    batch = buffer.sample(400)
    for step, reward, discount, behind in (
        (0, 0 + 0.5 * 1 + 0.25 * 2 + 0.125 * 3, 0.5**4, 4),
        (3, 3 + 0.5 * 4 + 0.25 * 5, 0.0, 6),  # terminated at step 5: nothing behind it counts
        (5, 5.0, 0.0, 6),
        (6, 6 + 0.5 * 7, 0.5**2, 8),  # as far as there are steps
    ):
        n = of_step(batch, step)
        drawn = batch["reward"][n], batch["discount"][n], batch["next_observation"][n]
        assert drawn == pytest.approx((reward, discount, behind))


@BACKENDS
def test_sb3_tianshou_a_time_limit_keeps_the_value_behind_it(backend: str) -> None:
    buffer = counting(16, backend, n_steps=3, gamma=0.5, prioritized=False)
    walk(buffer, range(6), cuts=[3])
    batch = buffer.sample(300)
    n = of_step(batch, 2)
    assert (batch["reward"][n], batch["discount"][n], batch["next_observation"][n]) == (1.5, 0.25, 4.0)
    assert batch["truncated"][n] and not batch["terminated"][n]


@BACKENDS
def test_cpprb_tianshou_equal_priorities_have_weights_of_one(backend: str) -> None:
    sampler = PrioritizedSampler(32, backend=backend, alpha=0.6, beta=1.0, seed=1)
    sampler.add(32)
    assert (sampler.sample(16).weights == 1).all()


@BACKENDS
def test_cpprb_the_weight_is_the_ratio_of_probabilities_to_the_power_of_beta(backend: str) -> None:
    sampler = PrioritizedSampler(2, backend=backend, alpha=1.0, beta=0.5, priority_epsilon=0.0, seed=1)
    sampler.add(td_errors=[1.0, 4.0])
    batch = sampler.sample(64)
    assert batch.weights[batch.indices == 1] == pytest.approx(0.5, rel=1e-3)  # (4 / 1)**-0.5
    assert batch.weights[batch.indices == 0] == pytest.approx(1.0)
    assert (batch.indices == 1).mean() == pytest.approx(0.8, abs=1 / 64)  # stratified


@BACKENDS
def test_cpprb_torchrl_a_new_transition_gets_the_largest_priority_seen(backend: str) -> None:
    sampler = PrioritizedSampler(4, backend=backend, alpha=1.0, priority_epsilon=0.0, seed=1)
    sampler.add(td_errors=[1.0, 8.0])
    sampler.update([1], [2.0])
    sampler.add(1)
    assert (sampler.tree.read([0, 1, 2]) / sampler.unit).tolist() == [1, 2, 8]


@BACKENDS
def test_torchrl_tianshou_an_index_outside_is_refused_and_changes_nothing(backend: str) -> None:
    sampler = PrioritizedSampler(4, backend=backend, seed=1)
    sampler.add(4)
    before = sampler.tree.read([0, 1, 2, 3]).tolist()
    for wrong in ([4], [-1], [0, 7]):
        with pytest.raises(UserError, match="it must be 0 to 3"):
            sampler.update(wrong, np.full(len(wrong), 9.0))
    assert sampler.tree.read([0, 1, 2, 3]).tolist() == before


@BACKENDS
def test_tianshou_frames_are_stacked_within_an_episode_only(backend: str) -> None:
    buffer = counting(16, backend, frame_stack=3, prioritized=False)
    walk(buffer, range(6), ends=[3])
    batch = buffer.sample(300)
    stacks = {int(stack[-1]): stack.astype(int).tolist() for stack in batch["observation"]}
    assert stacks == {0: [0, 0, 0], 1: [0, 0, 1], 2: [0, 1, 2], 3: [1, 2, 3], 4: [4, 4, 4], 5: [4, 4, 5]}


def test_torchrl_without_replacement_a_batch_never_repeats_and_an_epoch_has_all() -> None:
    buffer = counting(16, prioritized=False, replacement=False)
    walk(buffer, range(12))
    drawn = np.concatenate([buffer.sample(4)["observation"] for _ in range(3)])
    assert sorted(drawn.astype(int)) == list(range(12))


@BACKENDS
def test_torchrl_slices_are_consecutive_and_of_one_episode(backend: str) -> None:
    buffer = counting(64, backend, prioritized=False)
    walk(buffer, range(50), ends=[9, 13, 29], cuts=[44])
    slices = SliceSampler(buffer, 5).sample(200)
    time = slices["observation"].astype(int)
    assert (np.diff(time, axis=1) == 1).all() and slices.mask.all()
    ends = np.array([9, 13, 29, 44])
    assert (np.searchsorted(ends, time[:, 0]) == np.searchsorted(ends, time[:, -1])).all()
    assert not ((time >= 10) & (time <= 13)).any()  # an episode of 4 steps has no slice of 5
    short = SliceSampler(buffer, 5, strict_length=False, draw="episode").sample(200)
    assert set(short.mask.sum(axis=1)) == {4, 5}


def test_torchrl_a_slice_longer_than_every_episode_is_refused() -> None:
    buffer = counting(16, prioritized=False)
    walk(buffer, range(8), ends=[3, 7])
    with pytest.raises(UserError):
        SliceSampler(buffer, 5).sample(2)


@pytest.mark.parametrize(("strategy", "reached"), [("final", {10}), ("future", set(range(1, 11)))])
def test_sb3_a_new_goal_was_reached_later_in_the_same_episode(strategy: str, reached: set[int]) -> None:
    goal = ((1,), "float32")
    spaces = {"observation": {"observation": goal, "achieved_goal": goal, "desired_goal": goal}}
    buffer = ReplayBuffer(
        64,
        spaces,
        hindsight=Hindsight(
            lambda achieved, desired, info: -(achieved != desired).any(axis=-1).astype(float),
            n_sampled_goal=4,
            goal_selection_strategy=strategy,
        ),
        prioritized=False,
        seed=1,
    )
    for begin in (0, 100):  # two episodes, whose goals nobody reached
        place = np.arange(begin, begin + 11.0)[:, None]
        seen = {"observation": place, "achieved_goal": place, "desired_goal": np.full((11, 1), -1.0)}
        buffer.add(
            observation={name: array[:-1] for name, array in seen.items()},
            next_observation={name: array[1:] for name, array in seen.items()},
            reward=-np.ones(10),
            terminated=np.zeros(10, bool),
            truncated=np.arange(10) == 9,
        )
    batch = buffer.sample(600)
    wanted, here = batch["observation.desired_goal"][:, 0], batch["observation.observation"][:, 0]
    behind = batch["next_observation.achieved_goal"][:, 0]
    new = wanted >= 0
    assert 0.7 < new.mean() < 0.9  # four of five
    assert set((wanted[new] % 100).astype(int)) <= reached
    assert (wanted[new] // 100 == here[new] // 100).all() and (wanted[new] >= behind[new]).all()
    assert (batch["reward"][new] == -(wanted[new] != behind[new]).astype(float)).all()
    assert (batch["reward"][~new] == -1).all()


@BACKENDS
def test_sb3_tianshou_dictionaries_come_back_as_dictionaries_of_the_same_step(backend: str) -> None:
    spaces = {"observation": {"image": ((2, 2), "uint8"), "speed": ((), "float32")}, "action": ((2,), "float32")}
    buffer = ReplayBuffer(8, spaces, seed=1, backend=backend, num_envs=2)
    for step in range(6):
        one = {"image": np.full((2, 2, 2), step), "speed": np.array([step, step + 0.5])}
        two = {"image": np.full((2, 2, 2), step + 1), "speed": np.array([step + 1, step + 1.5])}
        buffer.add(
            observation=one,
            next_observation=two,
            action=np.full((2, 2), step),
            reward=np.zeros(2),
            terminated=np.zeros(2, bool),
            truncated=np.zeros(2, bool),
        )
    batch = buffer.sample(64)
    step = batch["action"][:, 0]
    assert (batch["observation"]["image"] == step[:, None, None]).all()
    assert (np.floor(batch["observation"]["speed"]) == step).all()
    assert (batch["next_observation"]["image"] == step[:, None, None] + 1).all()
    assert set(step) == {2, 3, 4, 5}  # 8 transitions are four steps of two environments


@BACKENDS
def test_sb3_actions_of_several_numbers_come_back_whole(backend: str) -> None:
    """MultiDiscrete of two: the action of a step is both of its numbers."""
    spaces = pytest.importorskip("gymnasium").spaces
    arrays = {"observation": ((), "float32"), "action": spaces.MultiDiscrete([3, 5])}
    buffer = ReplayBuffer(15, arrays, prioritized=False, seed=1, backend=backend)
    for step in range(15):
        ends = {"reward": 0.0, "terminated": False, "truncated": False}
        buffer.add(observation=step, next_observation=step + 1, action=[step % 3, step % 5], **ends)
    batch = buffer.sample(200)
    step = batch["observation"].astype(int)
    assert batch["action"].shape == (200, 2) and (batch["action"] == np.stack([step % 3, step % 5], axis=1)).all()


@BACKENDS
def test_tianshou_some_environments_step_and_the_others_keep_their_place(backend: str) -> None:
    buffer = ReplayBuffer(
        30, {"observation": ((), "float32")}, num_envs=3, n_steps=2, gamma=0.5, seed=1, backend=backend
    )

    def step(ids: list[int], time: int) -> None:
        place = 100.0 * np.array(ids) + time
        ends = {"terminated": np.zeros(len(ids), bool), "truncated": np.zeros(len(ids), bool)}
        buffer.add_some(ids, observation=place, next_observation=place + 1, reward=place, **ends)

    step([2, 0], 0), step([1], 0), step([1], 1), step([0], 1)
    assert len(buffer) == 3 and buffer.waiting == 2  # environment 2 has no second step
    step([2], 1)
    assert len(buffer) == 6 and buffer.waiting == 0
    batch = buffer.sample(100)
    first = batch["observation"] % 100 == 0
    assert set(batch["observation"][first]) == {0, 100, 200}
    here = batch["observation"][first]
    assert (batch["reward"][first] == here + 0.5 * (here + 1)).all()  # the two steps of one environment


def test_cpprb_mapped_files_hold_what_memory_holds(tmp_path) -> None:
    mapped, plain = (counting(8, prioritized=False, **options) for options in ({"folder": tmp_path, "keep": True}, {}))
    for buffer in (mapped, plain):
        walk(buffer, range(8), ends=[4])
        walk(buffer, range(8, 13), ends=[9])
    one, other = mapped.sample(100), plain.sample(100)
    assert all((one[name] == other[name]).all() for name in ("observation", "next_observation", "reward", "terminated"))
    assert sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()) >= 8 * 4


def test_cpprb_torchrl_a_buffer_is_shared_by_processes(tmp_path) -> None:
    buffer = counting(8, folder=tmp_path, keep=True, prioritized=False)
    walk(buffer, range(3))
    reader = "import sys, rlcores; b = rlcores.ReplayBuffer.open(sys.argv[1], readonly=True)\n"
    reader += "print(len(b)); input(); print(len(b), b.read([4])['observation'][0])"
    command = [sys.executable, "-c", reader, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline().split() == ["3"]
        walk(buffer, range(3, 5))
        assert other.communicate("\n")[0].split() == ["5", "4.0"]


def test_sb3_torchrl_batches_are_tensors_of_the_device_that_was_asked_for() -> None:
    torch = pytest.importorskip("torch")
    buffer = counting(8, prioritized=False, device="cpu")
    walk(buffer, range(8))
    batch = buffer.sample(16)
    assert batch["observation"].device == torch.device("cpu") and batch["observation"].dtype == torch.float32
    assert (batch["next_observation"] == batch["observation"] + 1).all()


@BACKENDS
def test_torchrl_the_steps_of_a_burn_in_are_there_but_nothing_is_learned_of_them(backend: str) -> None:
    buffer = counting(32, backend, prioritized=False)
    walk(buffer, range(32))
    slices = SliceSampler(buffer, 3, burn_in=2).sample(50)
    time = slices["observation"].astype(int)
    assert time.shape == (50, 5) and (np.diff(time, axis=1) == 1).all()
    assert slices.mask.all() and (slices.learn == [False, False, True, True, True]).all()


def test_torchrl_tianshou_returns_meet_at_the_ends_of_lambda() -> None:
    """lambda 0 is one step, lambda 1 is Monte Carlo; V-trace of the policy that acted is lambda 1."""
    rewards, values = np.array([[1.0], [2.0], [4.0]]), np.array([[10.0], [20.0], [30.0]])
    ends = np.array([[False], [False], [True]])
    never, behind = np.zeros((3, 1), bool), np.zeros(1)
    rollout = rewards, values, ends, never, behind
    one_step = [1 + 0.5 * 20, 2 + 0.5 * 30, 4]
    all_steps = [1 + 0.5 * 2 + 0.25 * 4, 2 + 0.5 * 4, 4]
    assert lambda_returns(*rollout, gamma=0.5, gae_lambda=0.0)[:, 0] == pytest.approx(one_step)
    assert lambda_returns(*rollout, gamma=0.5, gae_lambda=1.0)[:, 0] == pytest.approx(all_steps)
    assert n_step_returns(*rollout, n_steps=1, gamma=0.5)[:, 0] == pytest.approx(one_step)
    assert n_step_returns(*rollout, n_steps=3, gamma=0.5)[:, 0] == pytest.approx(all_steps)
    on_policy = vtrace(np.zeros((3, 1)), *rollout, gamma=0.5)
    assert on_policy.targets[:, 0] == pytest.approx(all_steps)
    gained, returns = advantages(*rollout, gamma=0.5, gae_lambda=1.0, accuracy="float64")
    assert returns[:, 0] == pytest.approx(all_steps) and gained[:, 0] == pytest.approx(
        np.array(all_steps) - values[:, 0]
    )
