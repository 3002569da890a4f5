"""best.npz: the policy that a run reports is the one that is read, deployed and acted with elsewhere."""

import json
from collections.abc import Callable
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from train_runs import short

from rlcores import cli
from rlcores.deploy import imported
from rlcores.errors import UserError
from rlcores.train.evaluation import REPORT_SEED, Evaluation
from rlcores.train.policies import greedy

RUNS = {
    "dqn": {"algo": "dqn"},
    "dueling": {"algo": "dueling"},
    "ddpg": {"algo": "ddpg"},
    "td3": {"algo": "td3"},
    "sac": {"algo": "sac"},
    "sac elu": {"algo": "sac", "tuning": {"activation": "elu", "normalisation": "layer"}},
    "td3 leaky": {"algo": "td3", "tuning": {"activation": "leaky_relu"}},
    "ppo": {"algo": "ppo"},
    "ppo vectors": {"algo": "ppo", "environment": "Pendulum-v1"},
}


def _observations(environment: str, seed: int) -> np.ndarray:
    """100 observations of random actions."""
    task = gymnasium.make(environment)
    task.action_space.seed(seed)
    task.reset(seed=seed)
    observations = []
    for _ in range(100):
        observation, _, terminated, truncated, _ = task.step(task.action_space.sample())
        observations.append(observation)
        if terminated or truncated:
            task.reset()
    return np.array(observations, np.float32)


@pytest.mark.parametrize("name", RUNS)
def test_the_best_policy_acts_elsewhere_as_in_its_run(name: str, seed: int, ran) -> None:
    plan = short(backend="native", seed=seed, steps=128, **RUNS[name])
    if RUNS[name].get("tuning"):
        plan = replace(plan, settings=replace(plan.settings, **RUNS[name]["tuning"]))
    run = ran(plan)
    policy = imported.load(run.folder.path / "best.npz")
    observations = _observations(plan.environment, seed)
    theirs = greedy(run.trainer.kind, run.best, (observations * run._scale).astype(np.float32))
    theirs = run.spaces.to_environment(theirs)
    ours = policy.act(observations)
    assert len(ours) == 100 and policy.source == f"rlcores train, {plan.algo}"
    if policy.head.kind == "argmax":
        outputs = np.sort(policy.outputs(observations), axis=1)
        # Rounding may decide a tie otherwise: PPO's in float32, the others in integers.
        sure = outputs[:, -1] - outputs[:, -2] > (1e-6 if plan.algo == "ppo" else 2e-3)
        assert sure.sum() > 20 and (ours == theirs)[sure].all()
    else:
        assert np.ptp(theirs) > 1e-3
        np.testing.assert_allclose(ours, theirs, atol=5e-3 * float(np.ptp(policy.head.high - policy.head.low) or 4))


@pytest.mark.parametrize(
    ("algo", "environment"), [("dqn", "CartPole-v1"), ("ddpg", "Pendulum-v1"), ("ppo", "Pendulum-v1")]
)
def test_the_best_policy_of_a_run_on_the_chip_takes_gymnasiums_observations(algo, environment, seed, tmp_path) -> None:
    folder = tmp_path / "run"
    words = ["train", "--algo", algo, "--env", environment, "--on", "chip", "--steps", "500", "--seed", str(seed)]
    assert cli.run([*words, "--checkpoint", str(folder)]) == 0
    policy = imported.load(folder / "best.npz")
    said = json.loads((folder / "run.json").read_text())["best"]
    played = Evaluation(environment, np.ones(policy.sizes[0]))(_single(policy.act), 100, REPORT_SEED).mean()
    assert played == pytest.approx(said, rel=0.02)


def _single(act: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    """Actions of the kind that Gymnasium takes."""
    return lambda states: act(states).astype(np.int64 if act(states).ndim == 1 else np.float32)


def test_a_trained_run_is_deployed_by_its_best_file(ran, seed, tmp_path, capsys) -> None:
    run = ran(short("sac", "native", seed, steps=128))
    to = tmp_path / "core"
    best = str(run.folder.path / "best.npz")
    words = [
        "deploy",
        best,
        "--env",
        "Pendulum-v1",
        "--bits",
        "12",
        "--count",
        "200",
        "--episodes",
        "1",
        "--to",
        str(to),
    ]
    assert cli.run(words) == 0 and "before" in capsys.readouterr().out
    assert json.loads((to / "policy.json").read_text())


def test_a_file_that_is_no_best_policy_is_refused_in_one_sentence(ran, tmp_path) -> None:
    run = ran(short("dqn", "native", steps=64))
    with pytest.raises(UserError, match=r"'checkpoint.npz' is a checkpoint; the policy of a run is in best.npz"):
        imported.load(run.folder.path / "checkpoint.npz")
    with pytest.raises(UserError, match=r"is a folder; give a file, such as best.npz of a run"):
        imported.load(run.folder.path)
    with np.load(run.folder.path / "best.npz") as file:
        good = dict(file)
    about = json.loads(str(good["about"]))
    wrongs = {
        "train it again": {"action": None},
        "unknown name": {"activation": "gelu"},
        "state_scale": {"state_scale": "1"},
        "finite numbers": {"state_scale": [10**400] * 4},
        "begin at 3": {"first_action": 3},
    }
    for said, change in wrongs.items():
        text = {key: value for key, value in (about | change).items() if value is not None}
        np.savez(tmp_path / "wrong.npz", **{**good, "about": np.array(json.dumps(text))})
        with pytest.raises(UserError, match=said):
            imported.load(tmp_path / "wrong.npz")
    np.savez(tmp_path / "wrong.npz", **{name: x for name, x in good.items() if name != "2.bias"})
    with pytest.raises(UserError, match="weights and biases"):
        imported.load(tmp_path / "wrong.npz")
    with pytest.raises(UserError, match="no text 'about'"):
        np.savez(tmp_path / "wrong.npz", obs=np.zeros(3))
        imported.load(tmp_path / "wrong.npz")
