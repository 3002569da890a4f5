"""The HEPPO study: experiments do what Table III says, runs are kept, and its verdicts can go against the paper."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rlcores import cli
from rlcores.base import paths
from rlcores.cores.gae import float64 as gae_float
from rlcores.errors import UserError
from rlcores.train.algorithms.ppo import PpoRunSettings as Ppo
from rlcores_lab.study import heppo, heppo_table
from rlcores_lab.study.heppo import EXPERIMENTS, Run, Tabled

PPO = Ppo(rollout=40)


def rollout(seed, steps=40, count=6):
    rng = np.random.default_rng(seed)
    rewards, values = rng.normal(-3, 2, (steps, count)), rng.normal(10, 3, (steps, count))
    terminated = rng.random((steps, count)) < 0.05
    truncated = (rng.random((steps, count)) < 0.05) & ~terminated
    return rewards, values, terminated, truncated, rng.normal(10, 3, count), rng.normal(10, 3, (steps, count))


def exact(rewards, values, terminated, truncated, bootstrap, final):
    return gae_float.rollout(rewards, values, terminated, truncated, bootstrap, final, PPO.gamma, PPO.gae_lambda)


def test_plan_has_every_experiment_and_every_number_of_bits():
    jobs = heppo.plan()
    assert len(jobs) == len(set(jobs)) == 3 * 6 * 5 + 2 * 7 * 5
    for environment in heppo.SCENES:
        own = [(x, b) for e, x, b, _ in jobs if e == environment]
        assert {x for x, _ in own} == set(EXPERIMENTS)
        assert {b for x, b in own if x in ("1", "2", "2s")} == {None}
    assert {b for e, x, b, _ in jobs if (e, x) == ("Pendulum-v1", "5")} == set(range(3, 11))
    with pytest.raises(UserError, match="environments: CartPole-v1"):
        heppo.plan(environments=["Humanoid-v5"])


def test_dynamic_standardisation_goes_by_all_rewards_so_far(seed):
    tabled = Tabled(EXPERIMENTS["2"], None, PPO)
    first, second = rollout(seed), rollout(seed + 1)
    tabled(*first)
    rewards = np.concatenate([first[0], second[0]])
    wanted = exact((second[0] - rewards.mean()) / rewards.std(), *second[1:])
    np.testing.assert_allclose(tabled(*second), wanted, rtol=1e-9)
    scaled = Tabled(EXPERIMENTS["2s"], None, PPO)
    scaled(*first)
    np.testing.assert_allclose(scaled(*second), exact(second[0] / rewards.std(), *second[1:]), rtol=1e-9)


def test_block_quantisation_keeps_the_unit_only_where_the_experiment_says_so(seed):
    arrays = rollout(seed)
    rewards = arrays[0]
    three, four = (np.array(Tabled(EXPERIMENTS[x], 12, PPO)(*arrays)) for x in "34")
    near = np.array(exact(*arrays))
    assert 0 < np.abs(three - near).max() < 0.05 * np.abs(near).max()
    kept = np.array(exact((rewards - rewards.mean()) / rewards.std(), *arrays[1:]))
    assert 0 < np.abs(four - kept).max() < 0.05 * np.abs(kept).max()
    codes = Tabled(EXPERIMENTS["3"], 3, PPO)._quantised(np.linspace(-9, 9, 500))
    np.testing.assert_allclose(np.unique(codes), np.arange(-3, 4) * 4 / 3)


def test_experiment_5_is_the_cores_arithmetic(seed):
    """Its float form has the same statistics and the same quantiser: only the array's rounding is between them."""
    core = heppo.source(EXPERIMENTS["5"], 8, PPO, 6)
    tabled = Tabled(EXPERIMENTS["5"], 8, PPO)
    for k in range(3):
        arrays = rollout(seed + k)
        # Values in units of standardised reward, as a critic trained on the core's returns has them; none is clipped,
        # for a return is the advantage plus the value as it was given.
        arrays = arrays[0], arrays[1].clip(1, 19) / 3, *arrays[2:4], arrays[4] / 3, arrays[5] / 3
        mine, theirs = np.array(core(*arrays)), np.array(tabled(*arrays))
        assert np.abs(mine - theirs).max() < 0.01 * np.abs(theirs).max()
    assert np.abs(np.array(heppo.source(EXPERIMENTS["5"], 3, PPO, 6)(*arrays)) - theirs).max() > 0.1


def test_constant_rewards_leave_nothing_when_they_are_standardised():
    arrays = (np.ones((40, 6)), np.zeros((40, 6)), *rollout(1)[2:])
    for name in ("2", "4", "5", "2s"):
        source = heppo.source(EXPERIMENTS[name], 8 if EXPERIMENTS[name].quantised else None, PPO, 6)
        gains, _ = source(arrays[0], arrays[1], arrays[2] | True, arrays[3] & False, arrays[4] * 0, arrays[5] * 0)
        assert not gains.any(), name


def runs(environment, experiment, finals, bits=None, means=None):
    means = finals if means is None else means
    return [
        Run(environment, experiment, bits, seed, f, m, [[1.0, m], [2.0, f]])
        for seed, (f, m) in enumerate(zip(finals, means, strict=True))
    ]


def test_verdicts_go_for_and_against_the_paper():
    base = runs("Pendulum-v1", "1", [-300, -310, -305])
    claim = heppo_table.CLAIMS[0].text

    def said(other):
        verdict = next(v for v in heppo_table.verdicts(base + runs("Pendulum-v1", "2", other)) if v.claim == claim)
        return verdict.final

    assert said([-200, -210, -190]) == "holds"
    assert said([-500, -510, -490]) == "the opposite"
    assert said([-250, -400, -300]) == "not shown"
    swept = [r for b in heppo.BITS for r in runs("Pendulum-v1", "5", [-600 if b < 5 else -200] * 3, b)]
    few = [v for v in heppo_table.verdicts(base + swept) if v.claim.startswith("fewer")]
    assert [v.final for v in few] == ["for 3, 4 only"]
    text = heppo_table.markdown(base + swept)
    assert "| Pendulum-v1 | 1 | baseline | float | -305 ± 5 | -310 | -305 ± 5 |" in text
    assert "| last fifth | -600 ± 0 | -600 ± 0 | -200 ± 0 |" in text


def test_page_has_the_tables_of_its_runs():
    """docs/heppo_study.md: every line of what the command prints for the runs that are kept beside it."""
    docs = paths.root() / "docs"
    runs = [Run(**r) for r in json.loads((docs / "heppo_study.json").read_text())["runs"]]
    assert {(r.environment, r.experiment, r.bits, r.seed) for r in runs} == set(heppo.plan())
    page = (docs / "heppo_study.md").read_text().splitlines()
    lines = heppo_table.markdown(runs).splitlines()
    assert len(lines) > 35 and not set(lines) - set(page)


def test_runs_are_kept_and_made_anew_when_settings_change(tmp_path, monkeypatch):
    scene = replace(heppo.SCENES["CartPole-v1"], steps=512)
    monkeypatch.setitem(heppo.SCENES, "CartPole-v1", scene)
    job = ("CartPole-v1", "5", 8, 0)
    first = heppo.one(job, tmp_path)
    assert len(first.curve) >= 1 and first.final >= 8 and first.curve[-1][0] == 512
    made = []
    monkeypatch.setattr(heppo, "run", lambda *arguments: made.append(arguments) or first)
    assert heppo.one(job, tmp_path) == first and not made
    monkeypatch.setitem(heppo.SCENES, "CartPole-v1", replace(scene, ppo=replace(scene.ppo, learning_rate=2e-3)))
    heppo.one(job, tmp_path)
    assert made == [job]


def test_command_writes_table_json_and_picture(tmp_path, monkeypatch, capsys):
    scene = replace(heppo.SCENES["CartPole-v1"], steps=256)
    monkeypatch.setattr(heppo, "SCENES", {"CartPole-v1": scene})
    monkeypatch.setattr(heppo_table, "SCENES", heppo.SCENES)
    monkeypatch.setattr("rlcores.base.paths.build", lambda: tmp_path)
    assert cli.run(["study", "heppo", "--seeds", "1", "--no-bits", "--json", str(tmp_path / "f.json")]) == 0
    assert "| CartPole-v1 | 5 | dynamic rewards" in capsys.readouterr().out
    assert (tmp_path / "heppo" / "heppo_study.png").stat().st_size > 10_000
    assert (tmp_path / "heppo" / "heppo_study_table.md").exists()
    assert "heppo.CartPole-v1.5.8bits.final" in (tmp_path / "f.json").read_text()
    assert cli.run(["study", "heppo", "--env", "MountainCar-v0"]) == 2
    assert "environments: CartPole-v1" in capsys.readouterr().err
