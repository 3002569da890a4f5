"""ReplayBuffer and the order of steps: only ends are ends, and what breaks the order is said or refused."""

import copy
import functools
import warnings

import numpy as np
import pytest
from test_replay_buffer import ARRAYS, Oracle, World, held, same

from rlcores import ReplayBuffer
from rlcores.errors import CoreWarning, UserError

SEEN = {"observation": ((2,), "float32")}
BACKENDS = pytest.mark.parametrize("backend", ["model", "native"])


def steps(buffer, here, there, reward=1.0, terminated=False, truncated=False, **more):
    buffer.add(
        observation=here, next_observation=there, reward=reward, terminated=terminated, truncated=truncated, **more
    )


@BACKENDS
def test_observations_that_change_as_they_are_added_cut_no_return_and_no_stack(backend):
    """As with a running normaliser: every next observation differs from the observation that follows."""
    buffer = ReplayBuffer(60, SEEN, n_steps=3, gamma=0.5, frame_stack=3, backend=backend, prioritized=False)
    with pytest.warns(CoreWarning, match=r"of \d+ steps \(1 of them\) .* running normaliser") as said:
        for k in range(100):
            steps(buffer, [k, 0.1], [k + 1, 0.2], truncated=k == 70)
        stored = buffer.read(np.arange(60))
    assert sum(one.category is CoreWarning for one in said) == 1 and buffer.discontinuities == 98
    first = stored["observation"][:, -1, 0].astype(int)
    assert set(first) == set(range(40, 100))
    for k, reward, stack, next_stack, cut, discount in zip(
        first, *(stored[n] for n in ("reward", "observation", "next_observation", "truncated", "discount")), strict=True
    ):
        last = min(k + 2, 99) if k > 70 else min(k + 2, 70)
        count = last - k + 1
        assert reward == sum(0.5**i for i in range(count)) and discount == 0.5**count and cut == (last == 70)
        begins = 71 if k > 70 else 0
        assert stack.tolist() == [pytest.approx([max(k - i, begins), 0.1]) for i in (2, 1, 0)]
        older = [pytest.approx([max(last - i, begins), 0.1]) for i in (1, 0)]
        assert next_stack.tolist() == [*older, pytest.approx([last + 1, 0.2])]


@pytest.mark.parametrize("envs", [2, 4, 7, 64])
@pytest.mark.parametrize("one_by_one", [True, False])
def test_environments_added_in_turn_to_a_buffer_of_one_are_refused(envs, one_by_one):
    buffer = ReplayBuffer(4096, SEEN, n_steps=3, seed=0)
    with pytest.raises(UserError, match=f"num_envs={envs}, and add a step of all"):
        for k in range(60):
            for each in np.arange(envs) if one_by_one else [np.arange(envs)]:
                here = np.stack(np.broadcast_arrays(each, k), -1)
                reward = np.ones(np.shape(each))
                over = np.full(np.shape(each), k % 20 == 19)
                steps(buffer, here, here + np.array([0, 1]), reward, over, np.zeros_like(over))
    kept = len(buffer)
    assert kept >= 12
    with pytest.raises(UserError, match="are mixed"):
        buffer.sample(4)
    assert len(buffer.state_dict()["data.reward"]) == kept


def test_environments_that_come_in_any_order_are_refused_too(seed):
    rng = np.random.default_rng(seed)
    buffer, at = ReplayBuffer(4096, SEEN, frame_stack=2), np.zeros(5)
    with pytest.raises(UserError, match="a step several adds before"):
        for _ in range(500):
            env = rng.integers(5)
            steps(buffer, [env, at[env]], [env, at[env] + 1])
            at[env] += 1


def test_where_the_order_means_nothing_any_order_is_taken(seed):
    """One-step returns and no stacks: transitions of a data set, shuffled."""
    buffer = ReplayBuffer(1000, SEEN, seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for k in np.random.default_rng(seed).permutation(1000):
            steps(buffer, [k, 0], [k + 1, 0])
        batch = buffer.sample()
    np.testing.assert_array_equal(batch["next_observation"], batch["observation"] + [1, 0])
    assert not batch["truncated"].any() and buffer.discontinuities > 900


def test_few_observations_that_come_again_are_no_mixture(seed):
    rng = np.random.default_rng(seed)
    buffer = ReplayBuffer(4096, SEEN, n_steps=2, seed=seed)
    with pytest.warns(CoreWarning, match="not the next ones"):
        for _ in range(3000):
            steps(buffer, [rng.integers(5), 0], [rng.integers(5), 0])
    buffer.sample()


@BACKENDS
def test_a_reset_without_an_end_is_said_and_can_be_declared(backend):
    def play(declared):
        buffer = ReplayBuffer(400, SEEN, n_steps=2, gamma=1.0, backend=backend, prioritized=False)
        for k in range(300):
            steps(buffer, [k % 30, 0], [k % 30 + 1, 0])
            if declared and k % 30 == 29:
                buffer.end_episode()
        return buffer, buffer.read(np.arange(300))

    with pytest.warns(CoreWarning, match=r"of \d+ steps \(0\.0\d+ of them\).*reset without an end.*end_episode"):
        buffer, crossed = play(False)
        buffer.sample()
    assert (crossed["reward"][:299] == 2).all() and not crossed["truncated"].any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        buffer, stored = play(True)
        buffer.sample()
    lasts = np.arange(300) % 30 == 29
    assert ((stored["reward"] == 1) == lasts).all() and buffer.discontinuities == 0
    assert (stored["truncated"] == (np.arange(300) % 30 >= 28)).all()


def test_a_program_that_goes_on_from_a_saved_buffer_has_reset_its_environments(tmp_path):
    buffer = ReplayBuffer(40, SEEN, n_steps=4, gamma=1.0, prioritized=False)
    for k in range(6):
        steps(buffer, [k, 0], [k + 1, 0])
    buffer.save(tmp_path / "buffer.npz")
    for here, reward in ((0, 2), (6, 4)):
        again = ReplayBuffer.load(tmp_path / "buffer.npz")
        for k in range(here, here + 6):
            steps(again, [k, 0], [k + 1, 0])
        assert again.read([4])["reward"] == reward and again.discontinuities == 0


class NextStep:
    """Environments as Gymnasium's vector has them by default: the step behind an end only resets."""

    def __init__(self, rng, count):
        self.rng, self.at, self.over = rng, np.zeros(count), np.zeros(count, bool)

    def step(self):
        here, resets = self.at.copy(), self.over
        self.at = np.where(resets, 0, self.at + 1)
        ends = ~resets & (self.rng.random(len(here)) < 0.1)
        kind = self.rng.random(len(here)) < 0.5
        self.over = ends
        seen = [np.stack([np.arange(len(here)), at], -1) for at in (here, self.at)]
        return resets, [*seen, np.where(resets, 0.0, 1.0), ends & kind, ends & ~kind]


@BACKENDS
@pytest.mark.parametrize("count", [1, 4])
def test_steps_that_only_reset_are_said_and_left_out(backend, count, seed):
    for autoreset in (None, "next_step"):
        options = {"num_envs": count, "n_steps": 3, "gamma": 1.0, "backend": backend, "autoreset": autoreset}
        buffer, world = ReplayBuffer(400 * count, SEEN, **options), NextStep(np.random.default_rng(seed), count)
        resets = 0
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", CoreWarning)
            for k in range(300):
                played = [world.step() for _ in range(k % 2 + 1)]
                resets += sum(reset.sum() for reset, _ in played)
                arrays = [np.stack(x) for x in zip(*(step for _, step in played), strict=True)]
                steps(buffer, *(arrays if len(played) > 1 else [x[0] for x in arrays]))
                if len(buffer) == buffer.buffer_size:
                    break
        assert resets > 10
        if autoreset is None:
            assert ["autoreset='next_step'" in str(each.message) for each in said] == [True]
            continue
        assert not said
        batch = buffer.sample(1000)
        here, there, reward = (batch[name] for name in ("observation", "next_observation", "reward"))
        assert (there[:, 1] - here[:, 1] == reward).all() and (reward > 0).all()
        assert (batch["truncated"] & (reward < 3)).any() and batch["terminated"].any()
        with pytest.raises(UserError, match=r"ended environment \d again"):
            for _ in range(2):
                ends = np.ones(count, bool)
                steps(buffer, np.zeros((count, 2)), np.ones((count, 2)), np.ones(count), ends, ~ends)


def test_a_reset_by_the_program_itself_loses_no_step_with_next_step():
    buffer = ReplayBuffer(40, SEEN, autoreset="next_step", prioritized=False)
    steps(buffer, [0, 0], [1, 0], terminated=True)
    buffer.end_episode()
    steps(buffer, [0, 0], [1, 0])
    steps(buffer, [1, 0], [2, 0], terminated=True)
    steps(buffer, [2, 0], [0, 0], reward=0)
    assert np.flatnonzero(~buffer._store.void(np.arange(4))).tolist() == [0, 1, 2]
    assert buffer.read([0])["terminated"] and not buffer.read([0])["truncated"]


def test_what_is_declared_is_not_said():
    for autoreset, said in (("disabled", False), ("same_step", True), (None, True)):
        buffer = ReplayBuffer(200, SEEN, autoreset=autoreset)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", CoreWarning)
            for k in range(60):
                last = k % 10 == 8
                steps(buffer, [k % 10, 0], [(k + 1) % 10, 0], reward=float(k % 10 < 9), terminated=last)
        assert len(warned) == said, autoreset
        assert not said or ("final_obs" if autoreset else "NEXT_STEP") in str(warned[0].message)
    with pytest.raises(UserError, match="autoreset is 'later'"):
        ReplayBuffer(8, SEEN, autoreset="later")


@BACKENDS
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "longdouble"])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_not_finite_is_refused_wherever_it_stands(backend, dtype, wrong):
    arrays = {"observation": ((3,), dtype), "action": ((2,), dtype)}
    buffer = ReplayBuffer(8, arrays, num_envs=2, backend=backend)
    good = {name: np.ones((2, 3), dtype) for name in ("observation", "next_observation")}
    good |= {"action": np.ones((2, 2), dtype), "reward": np.ones(2)}
    add = functools.partial(buffer.add, terminated=[False] * 2, truncated=[False] * 2)
    add(**good)
    before = buffer.state_dict()
    for name, array in good.items():
        bad = array.copy()
        bad.reshape(-1)[-1] = wrong
        with pytest.raises(UserError, match=f"^{name} has the value {wrong}"):
            add(**good | {name: bad})
    after = buffer.state_dict()
    assert all(np.array_equal(after[name], before[name]) for name in before if name != "sampler")
    assert add(**good).indices.tolist() == [2, 3]


@pytest.mark.filterwarnings("ignore:the observations of")
@pytest.mark.parametrize("turn", range(6))
def test_with_resets_states_files_and_copies_in_any_order_a_batch_is_what_was_put_in(turn, seed, tmp_path):
    """Against plain loops over every step that ever came; with autoreset="next_step" those behind an end are none."""
    rng = np.random.default_rng([seed, turn])
    rows, columns, n_steps, stack = map(int, rng.integers([1, 1, 1, 1], [20, 4, 6, 5]))
    backends, resets = ["native", "model"], turn % 2 == 0
    options = {"num_envs": columns, "n_steps": n_steps, "gamma": 0.9, "frame_stack": stack}
    options |= {"prioritized": turn % 3 > 0, "autoreset": "next_step" if resets else "disabled"}
    buffer = ReplayBuffer(rows * columns, ARRAYS, folder=tmp_path if turn == 5 else None, **options)
    oracle, world, ended = Oracle(rows, columns, n_steps, 0.9, stack), World(rng, columns), np.zeros(columns, bool)
    loaded, read = False, 0
    for _ in range(60):
        step, mask = world.step()
        if resets:
            step |= {name: step[name] & ~ended for name in ("terminated", "truncated")}
        for column, steps_before in enumerate(oracle.steps):
            last = steps_before[-1] if loaded and steps_before else None
            if last and last["mask"] and (last["next_observation"] != step["observation"][column]).any():
                last["broken"] |= not (last["terminated"] or last["truncated"])
                ended[column] = False
        real = mask & ~ended if resets else mask
        oracle.put(step | {name: step[name] & real for name in ("terminated", "truncated")}, real)
        buffer.add(mask=mask, **step)
        ended, loaded = real & (step["terminated"] | step["truncated"]), False
        match rng.integers(12):
            case 0:
                ends = rng.random(columns) < 0.5
                buffer.end_episode(ends)
                oracle.end(ends)
                ended &= ~ends
            case 1:
                buffer = copy.deepcopy(buffer)
            case 2:
                state, loaded = buffer.state_dict(), True
                buffer = ReplayBuffer(rows * columns, ARRAYS, backend=backends[rng.integers(2)], **options)
                buffer.load_state_dict(state)
            case 3:
                buffer.save(tmp_path / "buffer.npz")
                buffer, loaded = ReplayBuffer.load(tmp_path / "buffer.npz", backend=backends[rng.integers(2)]), True
        same(buffer.read(held(buffer)), oracle, held(buffer))
        read += len(held(buffer))
        if len(held(buffer)):
            batch = buffer.sample(4)
            same(batch, oracle, batch.indices)
    assert read > 0
