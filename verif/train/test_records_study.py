"""The study of records: runs are kept and made once, lines compare seed by seed, and the page shows what is kept."""

from dataclasses import replace

import pytest

from rlcores_lab.study import records, records_page

RUN = records.Run("cartpole", 0, 0, 8192, 100.0, 50.0, 0.0, 0.0)


def runs(bits: int, *means: float) -> list[records.Run]:
    return [replace(RUN, bits=bits, seed=seed, mean=mean) for seed, mean in enumerate(means)]


def test_lines_compare_only_seeds_that_have_a_run_of_whole_records():
    whole, few = records.lines([*runs(0, 50.0, 60.0), *runs(8, 45.0, 56.0, 1.0)])
    assert (whole.bits, whole.seeds, whole.change[0]) == (0, 2, 0.0)
    assert (few.bits, few.seeds, few.mean[0], few.change[0]) == (8, 2, 50.5, -4.5)
    assert few.change[1] == pytest.approx(6.35, abs=0.01)  # 12.706 * 0.707 / sqrt(2)


def test_a_run_that_is_kept_is_not_made_again(tmp_path, monkeypatch):
    made = []
    settings = records.runs.fingerprint(records._task("cartpole", 8))
    monkeypatch.setattr(records, "train", lambda *job: made.append(job) or replace(RUN, bits=8, settings=settings))
    file = tmp_path / "kept.jsonl"
    first, second = (records.one(("cartpole", 8, 0), file) for _ in range(2))
    assert first == second and made == [("cartpole", 8, 0)]
    file.write_text(file.read_text().replace(settings, "of_others"))
    assert records.kept(file) == []


def test_a_run_of_few_bits_learns_with_them_and_says_its_error(monkeypatch):
    short = {"cartpole": replace(records.tasks()["cartpole"], iterations=1)}
    monkeypatch.setattr(records, "tasks", lambda: short)
    monkeypatch.setattr(records.ppo, "EPISODES", 2)
    pytest.importorskip("gymnasium")
    whole, few = (records.train("cartpole", bits, 1) for bits in (0, 6))
    assert whole.error == 0 and whole.saturated == 0 and 0.001 < few.error < 0.9
    assert whole.curve == few.curve and whole.settings != few.settings  # the first rollout is the same


def test_every_planned_run_is_kept_and_on_the_page():
    kept = records.kept()
    assert {(run.task, run.bits, run.seed) for run in kept} == set(records.plan())
    text = records_page.outputs()[records_page.PAGE]
    assert text.count("| cartpole |") == text.count("| pendulum |") == len(records.ALL_BITS)


def test_codes_save_the_bits_that_the_page_says():
    assert [records_page.bits_of(bits) for bits in (0, 10, 8, 3)] == [162, 129, 125, 115]
    rows = {row[0]: float(row[2]) for row in records_page.memory()[1:]}
    assert rows["27"] == 39 and rows["8"] == 30.5
