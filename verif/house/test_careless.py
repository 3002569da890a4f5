"""What a careless user gives by mistake is refused in one sentence; it used to be taken, or to end in a traceback."""

import numpy as np
import pytest

from rlcores import (
    ActingPolicy,
    Gae,
    Hindsight,
    Learner,
    PrioritizedSampler,
    ReplayBuffer,
    ReplayLearner,
    ReplaySettings,
    SliceSampler,
    SumTree,
    UserError,
    VectorEnv,
    advantages,
    cli,
    vtrace,
)
from rlcores.base.arrays import flags
from rlcores.integrations import cleanrl
from rlcores.integrations.torchrl_gae import generalized_advantage_estimate

SPACES = {"observation": ((2,), "float32"), "action": ((), "int64")}
ENDS = np.zeros((3, 1), bool)
ROLLOUT = ENDS + 1.0, ENDS + 0.5, ENDS, ENDS, [0.0]


def buffer(**options):
    return ReplayBuffer(**({"buffer_size": 8, "arrays": SPACES, "seed": 0} | options))


def policy(**options):
    return ActingPolicy([(np.eye(2), np.zeros(2))], **options)


def learner(**options):
    return Learner((4, 8, 2), **options)


NUMBERS = [
    (lambda x: advantages(*ROLLOUT, gamma=x), "gamma"),
    (lambda x: Gae(clip=x), "clip"),
    (lambda x: vtrace(ROLLOUT[0], *ROLLOUT, clip_c_threshold=x), "clip_c_threshold"),
    (lambda x: ReplaySettings(alpha=x), "alpha"),
    (lambda x: PrioritizedSampler(8, alpha=x), "alpha"),
    (lambda x: setattr(PrioritizedSampler(8), "beta", x), "beta"),
    (lambda x: PrioritizedSampler(8, priority_epsilon=x), "priority_epsilon"),
    (lambda x: buffer(gamma=x), "gamma"),
    (lambda x: ReplayLearner((4, 8, 2), beta=x), "beta"),
    (lambda x: policy(epsilon=x), "epsilon"),
]


@pytest.mark.parametrize("value", [".5", b".5", True, np.True_])
@pytest.mark.parametrize("call, name", NUMBERS)
def test_a_text_or_a_truth_is_no_number(call, name, value):
    with pytest.raises(UserError, match=f"^{name} is .*; it must be a number$"):
        call(value)


BACKENDS = [
    lambda backend: PrioritizedSampler(8, backend=backend),
    lambda backend: SumTree(8, backend=backend),
    lambda backend: buffer(backend=backend),
    lambda backend: Gae(backend=backend),
    lambda backend: learner(backend=backend),
    lambda backend: ReplayLearner((4, 8, 2), backend=backend),
    lambda backend: policy(backend=backend),
    lambda backend: VectorEnv("CartPole-v1", 2, backend=backend),
]


@pytest.mark.parametrize("backend", [3, None, "cuda"])
@pytest.mark.parametrize("make", BACKENDS)
def test_what_is_no_backend_is_called_so(make, backend):
    with pytest.raises(UserError, match=r"^backend is .*; it must be 'native' or 'model' or 'rtl'"):
        make(backend)


# A setting that has nothing to set: of priorities where draws are uniform, of another optimiser, of an actor.
UNUSED = [
    (lambda: buffer(prioritized=False, alpha=0.9), "alpha is 0.9, but prioritized=False has no alpha"),
    (lambda: buffer(prioritized=False, beta=0.9), "beta is 0.9, but prioritized=False has no beta"),
    (lambda: buffer(prioritized=False, stratified=False), "stratified is False, but prioritized=False has no str"),
    (lambda: buffer(prioritized=False, priorities="rank"), "priorities is 'rank', but prioritized=False has no prior"),
    (lambda: buffer(prioritized=False, sampler_options={"banks": 2}), "sampler_options is {'banks': 2}, but prior"),
    (lambda: buffer(alpha=0.3, sampler_options={"alpha": 0.9}), "sampler_options has 'alpha', which is an argument of"),
    (lambda: buffer(sampler_options={"seed": 3}), "sampler_options has 'seed', which is an argument of the buffer's"),
    (lambda: buffer(sampler_options={"bta": 1}), "sampler_options has 'bta'; a PrioritizedSampler takes banks, batch"),
    (lambda: buffer(priorities="rank", sampler_options={"bta": 1}), "sampler_options has 'bta'; a RankSampler takes"),
    (lambda: learner(momentum=0.5), "momentum is 0.5, but Adam has none; SGD with momentum has it"),
    (lambda: learner(optimiser="sgd", adam_epsilon=0.1), "adam_epsilon is 0.1, but SGD has none; Adam has it"),
    (lambda: learner(weight_decay=0.1), "weight_decay is 0.1, but Adam has none; AdamW has it"),
    (lambda: learner(actor_learning_rate=0.1), "actor_learning_rate is 0.1, but there is no actor"),
    (lambda: learner(lag=False), "lag is 0, but there is no actor"),
    (lambda: Learner((6, 8, 1), actor=(4, 8, 2), double=True), "double is 1, but it is of DQN, and there is an actor"),
    (lambda: learner().set(momentum=0.5), "momentum is 0.5, but Adam has none"),
]


@pytest.mark.parametrize("call, message", UNUSED)
def test_a_setting_that_nothing_reads_is_refused(call, message):
    with pytest.raises(UserError) as raised:
        call()
    assert str(raised.value).startswith(message)


WRONG = [
    (lambda: buffer(observations="observation"), "'observation' stands where names are listed; give ('observation',)"),
    (
        lambda: SliceSampler(buffer(prioritized=False), 2, states="action"),
        "'action' stands where names are listed; give ('action',)",
    ),
    (lambda: buffer(arrays={"observation": ((2.5,), "f4")}), "the array 'observation' is ((2.5,), 'f4'); it must be"),
    (
        lambda: buffer(prioritized=False).load_state_dict(buffer().state_dict()),
        "the state is that of a buffer with priorities; this one has prioritized=False",
    ),
    (lambda: learner(reward_scale=0), "reward_scale is 0, which would make every reward 0; it must be above 0"),
    (lambda: learner(target_update_interval=2.5), "target_update_interval is 2.5; it must be a whole number"),
    (lambda: learner(formats=3), "formats is of type int; these networks need LearnerFormats"),
]


@pytest.mark.parametrize("call, message", WRONG)
def test_what_would_give_another_answer_than_it_says_is_refused(call, message):
    with pytest.raises(UserError) as raised:
        call()
    assert str(raised.value).startswith(message)


def test_settings_of_a_learner_are_changed_by_set_alone():
    one = learner()
    with pytest.raises(TypeError):
        one.hyper["learning_rate"] = 5.0
    one.set(learning_rate=5.0)
    assert one.hyper["learning_rate"] == 5.0


@pytest.mark.parametrize("wrong", [2, np.nan, 0.5, "False", None])
def test_what_is_neither_true_nor_false_ends_no_episode(wrong):
    dones = np.full((3, 1), wrong)
    rewards, values = ENDS + 1.0, ENDS + 0.5
    with pytest.raises(UserError, match=r"^dones .*must be true or false$"):
        cleanrl.advantages(rewards, values, dones, [0.0], [0])
    with pytest.raises(UserError, match=r"^next_done .*must be true or false$"):
        cleanrl.advantages(rewards, values, ENDS, [0.0], dones[0])
    with pytest.raises(UserError, match=r"^done .*must be true or false$"):
        generalized_advantage_estimate(0.9, 0.9, values, values, rewards, dones)
    how = Hindsight(lambda achieved, desired, info: np.zeros(len(achieved)), compute_terminated=lambda a, d, i: a[:, 0])
    goal = {"achieved_goal": ((1,), "f4"), "desired_goal": ((1,), "f4")}
    stored = buffer(arrays={"observation": goal}, prioritized=False, hindsight=how)
    seen = {"achieved_goal": np.full((4, 1), 7.0), "desired_goal": np.zeros((4, 1))}
    ends = np.array([False, False, False, True])
    stored.add(observation=seen, next_observation=seen, reward=np.zeros(4), terminated=ends, truncated=ends & False)
    with pytest.raises(UserError, match=r"^compute_terminated holds 7\.0; every entry must be true or false$"):
        stored.sample(8)
    for right in ([0, 1], [0.0, 1.0], [False, True]):
        assert flags("dones", right).tolist() == [False, True] and flags("dones", right).dtype == bool


@pytest.mark.parametrize(
    "line, name",
    [
        ("list --json a --json b", "--json"),
        ("list --config tiny --config=wide", "--config"),
        ("train --algo dqn --seed 1 --algo ppo", "--algo"),
        ("bench gae --json=a --json -", "--json"),
    ],
)
def test_an_option_given_twice_is_refused_before_anything_is_written(line, name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.run(line.split()) == 2
    assert capsys.readouterr().err == f"rlcores: {name} is given twice\n" and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Gae("tinny"), "core 'gae' has no configuration 'tinny'; did you mean 'tiny'; configurations: tiny,"),
        (lambda: advantages(*ROLLOUT, gea_lambda=0.9), "no option 'gea_lambda'; did you mean 'gae_lambda'; options"),
        (lambda: learner(lr=1e-3), "there is no setting 'lr'; did you mean 'learning_rate'; settings: gamma"),
        (lambda: learner(learnin_rate=1), "no setting 'learnin_rate'; did you mean 'learning_rate'; settings"),
    ],
)
def test_a_misspelt_option_is_answered_with_the_one_that_was_meant(call, said):
    with pytest.raises(UserError, match=said):
        call()


def test_a_misspelt_array_of_a_batch_is_answered_with_the_ones_that_it_has():
    made = buffer()
    zeros = np.zeros(2)
    made.add(observation=zeros, next_observation=zeros, action=0, reward=0.0, terminated=False, truncated=False)
    with pytest.raises(KeyError, match="a batch has no 'rewards'; did you mean 'reward'; it has action, reward"):
        made.sample(4)["rewards"]


def test_a_folder_that_is_none_is_not_called_full(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "none"):
        with pytest.raises(UserError, match=r"^cannot keep 8 transitions in '.*': "):
            buffer(folder=folder)


def test_what_a_sampler_gives_is_shown_in_a_few_lines():
    sampler = PrioritizedSampler(1000, batch_size=512, seed=1)
    slots = sampler.add(1000)
    assert repr(slots).startswith("Slots(1000: indices=[  0,   1,   2, ..., 997, 998, 999], generations=[")
    for shown in (repr(sampler.sample()), repr(sampler.tree.sample(512))):
        assert len(shown) < 500 and "(512: indices=[" in shown
