"""HEPPO's experiments on robots: runs that are kept are not made twice, intervals are Student's, claims may fail."""

import json
import subprocess
from dataclasses import replace

import gymnasium
import numpy as np
import pytest

from rlcores import cli
from rlcores.base import report
from rlcores.errors import UserError
from rlcores_lab.study import games, robots, robots_page, robots_table, runs, statistics
from rlcores_lab.study.robots import Run, Standardised


def made(environment, experiment, bits, finals, steps=None):
    steps = steps or robots.ENVIRONMENTS[environment]
    runs = [
        Run(environment, experiment, bits, seed, steps, final=f, mean=f / 2, curve=[[steps / 2, f / 3], [steps, f]])
        for seed, f in enumerate(finals)
    ]
    return [replace(one, settings=robots.fingerprint(robots.job_of(one))) for one in runs]


def test_plan_has_all_experiments_of_a_seed_before_the_next_seed():
    jobs = robots.plan(5, ["Hopper-v5", "Humanoid-v5"])
    assert len(jobs) == len(set(jobs)) == 5 * (5 + 5 + 8)
    assert [job[3] for job in jobs] == sorted(job[3] for job in jobs)
    assert {job[4] for job in jobs if job[0] == "Humanoid-v5"} == {300_000}
    assert {job[2] for job in jobs if job[4] == 300_000 and job[0] == "Hopper-v5"} == set(range(3, 11))


def test_observations_are_standardised_by_all_that_were_seen(seed):
    rng, own = np.random.default_rng(seed), Standardised(4)
    seen = [rng.normal(3, 5, (n, 4)) for n in (8, 1, 30)]
    for part in seen:
        own.see(part)
    whole = np.concatenate(seen)
    wanted = (whole - whole.mean(0)) / whole.std(0)
    np.testing.assert_allclose(own(whole), wanted, rtol=1e-5, atol=1e-6)
    assert own(whole * 1e6).max() == 10


def test_intervals_are_students_and_a_difference_must_be_sure():
    # scipy.stats.t.interval(0.95, 4, 3, sem): 1.9634 on either side
    assert statistics.half([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx(1.963, abs=1e-3)
    one, other, near = (
        robots_table.line(made("Hopper-v5", "1", None, x), "Hopper-v5", "1", None, 1_000_000)
        for x in ([2000, 2100, 1900, 2050, 1950], [1000, 1100, 900, 1050, 950], [1500, 2600, 900, 2500, 1950])
    )
    assert (robots_table.apart(one, other), robots_table.apart(other, one), robots_table.apart(one, near)) == (1, -1, 0)


def test_kept_runs_are_not_made_again_and_a_broken_line_is_named(tmp_path, monkeypatch):
    file = tmp_path / "runs.jsonl"
    have = made("Hopper-v5", "1", None, [900.0, 1200.0])
    for one in have:
        runs.add(file, one)
    again = []
    new = made("Hopper-v5", "2", None, [30.0])[0]
    monkeypatch.setattr(robots, "run", lambda job, said: again.append(job) or new)
    jobs = [robots.job_of(one) for one in have] + [("Hopper-v5", "2", None, 0, 1_000_000)]
    results = robots.all_of(jobs, lambda run: None, lambda job, share: None, file)
    assert again == jobs[2:] and [x.final for x in results] == [900.0, 1200.0, 30.0]
    assert robots.all_of(jobs, lambda run: None, lambda job, share: None, file) == results and len(again) == 1
    changed = replace(have[0], settings="another")
    runs.add(file, changed)
    assert len(robots.kept(file)) == 3
    file.write_text(file.read_text() + '{"environment": "Hop')
    with pytest.raises(UserError, match="line 5 is no run"):
        robots.kept(file)


def test_a_commit_is_clean_though_the_runs_themselves_have_grown(tmp_path, monkeypatch):
    def git(*words):
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True)

    git("init", "-q")
    runs, code = tmp_path / "lab" / "runs.jsonl", tmp_path / "code.py"
    runs.parent.mkdir()
    for file in (runs, code):
        file.write_text("1\n")
    git("add", ".")
    git("commit", "-qm", "first")
    monkeypatch.setattr(report.paths, "root", lambda: tmp_path)
    clean = report.commit()
    runs.write_text("2\n")
    assert report.commit() == clean + "+" and report.commit("lab/runs.jsonl") == clean
    code.write_text("2\n")
    assert report.commit("lab/runs.jsonl") == clean + "+"


def test_the_page_says_what_the_runs_show_and_claims_can_fail():
    base, worse = (made("Hopper-v5", x, None, y) for x, y in (("1", [900, 1000, 1100]), ("2", [400, 500, 600])))
    rows = robots_page.claims(base + worse)
    assert [row[-1] for row in rows[1:]] == ["**the opposite**"]
    better = made("Hopper-v5", "2", None, [1900, 2000, 2100])
    assert robots_page.claims(base + better)[1][-1] == "**holds**"
    assert robots_page.claims(base[:1] + better)[1][-1] == "one seed: nothing yet"
    assert robots_table.sentence(base, "Hopper-v5") == "Hopper-v5, 1,000,000 steps, 1: 1,000 ± 248 (3 seeds)"
    assert robots_table.sentence(base, "Humanoid-v5") == ""
    swept = made("Hopper-v5", "5", 3, [70.0], 300_000)
    assert robots_table.bits_sentence(swept, [3, 4]) == "Hopper-v5, 300,000 steps, 3 bits: 70 (1 seed)"
    swept = [x for bits, y in ((3, 70), (8, 100), (9, 99)) for x in made("Hopper-v5", "5", bits, [y, y + 4], 300_000)]
    assert "| against 8 | worse |  | no difference |" in robots_table.markdown(swept)
    assert (
        robots_table.line(made("Hopper-v5", "1", None, [4.0, 5.0]), "Hopper-v5", "1", None, 1_000_000).text()
        == "4.5 ± 6.4"
    )


def test_values_over_trajectories_are_those_of_the_baseline():
    one = replace(made("Hopper-v5", "1", None, [9.0])[0], values=[[0, [[1, 2, 3, 4, 5], [3, 4, 5, 8, 9]]]])
    (line,) = robots_table.trajectories([one])[1:]
    assert line == ("Hopper-v5", "0", "3.00", "5.00", "3.00", "1.00")


def test_kept_runs_of_the_repository_are_whole():
    """Each line has the present settings, a commit, a curve of the length that it says."""
    lines = robots.KEPT.read_text().splitlines() if robots.KEPT.exists() else []
    runs = robots.kept()
    assert len(runs) == len(lines) == len({robots.job_of(one) for one in runs})
    for one in runs:
        assert one.commit not in ("", "unknown") and len(one.curve) > 40
        assert one.curve[-1][0] >= one.steps and np.isfinite([one.final, one.mean]).all()


def test_a_run_is_the_same_twice_and_an_experiment_changes_it(monkeypatch):
    pytest.importorskip("mujoco")
    job = ("Hopper-v5", "1", None, 0, 4096)
    first, again = robots.run(job), robots.run(job)
    other = robots.run(("Hopper-v5", "5", 8, 0, 4096))
    assert first.curve == again.curve and first.curve[-1][1] > 5
    # Until the first update both act alike.
    assert first.curve != other.curve and first.curve[:20] == other.curve[:20]
    assert len(first.values) == 2 and np.array(first.values[0][1]).shape == (robots.ENVS, len(robots.QUANTILES))


def test_command_shows_what_is_kept(tmp_path, monkeypatch, capsys):
    file = tmp_path / "runs.jsonl"
    for one in [*made("Hopper-v5", "1", None, [1000, 1200]), *made("Hopper-v5", "2", None, [500, 600])]:
        runs.add(file, one)
    for bits in robots_table.BITS:
        runs.add(file, made("Hopper-v5", "5", bits, [100.0 * bits], 300_000)[0])
    monkeypatch.setattr(robots, "KEPT", file)
    monkeypatch.setattr(robots, "plan", lambda *arguments: [robots.job_of(one) for one in robots.kept(file)])
    monkeypatch.setattr(robots.all_of, "__defaults__", (file,))
    args = ["study", "heppo", "--env", "Hopper-v5", "--output", str(tmp_path), "--json", str(tmp_path / "f.json")]
    assert cli.run(args) == 0
    assert "| Hopper-v5 | 1 | baseline | float | 1,000,000 | 2 | 1,100 ± 1,271 |" in capsys.readouterr().out
    names = {f["name"]: f["value"] for f in json.loads((tmp_path / "f.json").read_text())["figures"]}
    assert names["heppo.hopper.2.final"] == 550 and names["heppo.hopper.bits10.final"] == 1000
    assert (tmp_path / "heppo_robots.png").stat().st_size > 10_000
    assert cli.run(["study", "heppo", "--env", "CartPole-v1", "--steps", "9"]) == 2
    assert "--steps is of a run on a robot or a game" in capsys.readouterr().err


def filled(experiment, bits, seed, steps=64, envs=4):
    """A rollout buffer of an experiment, full, with what its advantages are made of."""
    torch, buffers = pytest.importorskip("torch"), pytest.importorskip("stable_baselines3.common.buffers")
    box, choice = gymnasium.spaces.Box(0, 1, (2,)), gymnasium.spaces.Discrete(3)
    options = {"gae_lambda": 0.95, "gamma": 0.99, "n_envs": envs}
    if experiment is None:
        made = buffers.RolloutBuffer(steps, box, choice, **options)
    else:
        made = games.buffer()(steps, box, choice, experiment=experiment, bits=bits, **options)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        first, reward, value = rng.random(envs) < 0.1, rng.normal(3, 2, envs), rng.normal(0, 2, envs).clip(-6, 6)
        made.add(np.zeros((envs, 2)), np.zeros((envs, 1)), reward, first, torch.tensor(value), torch.zeros(envs))
    dones = rng.random(envs) < 0.5
    made.compute_returns_and_advantage(torch.tensor(rng.normal(0, 2, envs)), dones)
    return made


def test_a_games_buffer_has_the_advantages_of_its_experiment(seed):
    theirs, one = filled(None, None, seed), filled("1", None, seed)
    np.testing.assert_allclose(one.advantages, theirs.advantages, atol=0.01)
    two, five = filled("2", None, seed), filled("5", 8, seed)
    # Standardised rewards: those of 5 are the same in 8-bit codes.
    assert np.abs(two.advantages - theirs.advantages).max() > 1
    assert 0 < np.abs(five.advantages - two.advantages).max() < 0.5
    three = filled("3", 8, seed)
    assert 0 < np.abs(three.advantages - theirs.advantages).max() < 1.5


@pytest.mark.slow
def test_a_game_is_learned_through_the_drop_in():
    pytest.importorskip("ale_py")
    pytest.importorskip("stable_baselines3")
    one = robots.run(("ALE/Breakout-v5", "5", 8, 0, 2048))
    assert one.final >= 0 and one.curve[-1][0] >= 2048 and "ale-py" in one.versions and one.seconds["learning"] > 0


def test_what_is_not_installed_is_named(monkeypatch, capsys):
    def none(name):
        raise robots.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(robots.metadata, "version", none)
    for name, extra in (("Hopper-v5", "mujoco"), ("ALE/Breakout-v5", "atari")):
        with pytest.raises(UserError, match=f"`uv sync --extra {extra}`"):
            robots.run((name, "1", None, 7, 10))
