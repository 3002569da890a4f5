"""`rlcores bench system`: clocks of the whole loop with its DRAM, and a benchmark that fails when anything is wrong."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rlcores import cli
from rlcores.buses.dram import Dram
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.replay_learner.model import ReplayLearnerModelDriver
from rlcores.eda import configs
from rlcores.eda.boards import Clock
from rlcores.errors import RunFailed
from rlcores_lab.bench import system, tables

TINY = configs.load("replay_learner", "tiny")
SHORT = {"batches": (16,), "steps": 12}
QUICK = Dram(latency=1, cas=0, rcd=0, precharge=0, row_cycle=0, refresh_every=0, turnaround=0)
NAMES = {
    "system.batch",
    "system.ahead",
    "system.cycles_per_step",
    "system.learner_cycles_per_step",
    "system.learner_cycles_per_step_model",
    "system.share_of_learner",
    "system.least_share_of_learner",
    "system.row_hits",
    "system.memory_busy",
    "system.capacity",
    "system.insert_cycles",
    "system.batch16.ahead0.cycles_per_step",
    "system.batch16.ahead1.share_of_learner",
    "system.batch16.ahead2.stall_memory",
    "system.batch16.ahead1.writes.experiences_per_step",
    "system.batch16.ahead1.writes.share_of_learner",
    "system.checked",
    "system.dram.latency",
    "system.dram.refresh",
    "system.clock_mhz",
    "system.step_us",
}


@pytest.fixture(scope="module")
def bench() -> system.Bench:
    return system.measure(TINY, **SHORT)


def test_the_json_has_the_names_that_tables_are_made_of(capsys):
    assert cli.run(["bench", "system", "--config", "tiny", "--json", "-", "--clock", "150"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["command"], document["core"], document["config"]) == ("bench", "replay_learner", "tiny")
    figures = {f["name"]: f for f in document["figures"]}
    assert set(figures) >= NAMES
    alone, together, share = (
        figures[f"system.{n}"]["value"] for n in ("learner_cycles_per_step", "cycles_per_step", "share_of_learner")
    )
    assert alone == 140 == figures["system.learner_cycles_per_step_model"]["value"]
    assert share == pytest.approx(alone / together) and 0 < share < 1
    assert figures["system.dram.latency"]["how"] == "assumed" and figures["system.clock_mhz"]["how"] == "assumed"
    assert figures["system.step_us"]["how"] == "model", "a time at an assumed clock is not measured"
    assert figures["system.step_us"]["value"] == pytest.approx(together / 150)
    assert figures["system.capacity"]["value"] == figures["system.filled"]["value"] == 32
    assert figures["system.checked"]["value"] >= 3 * (system.STEPS + system.WARM)


def test_each_window_counts_the_work_of_its_steps(bench):
    assert [(w.ahead, w.every) for w in bench.windows] == [(0, 0), (1, 0), (2, 0), (1, system.EVERY)]
    for one in bench.windows:
        assert one.steps == 12 and one.batch == 16
        assert sum(one.stalls.values()) < one.clocks
        # At its two ends a window may cut a batch that is being read.
        assert abs(one.memory["reads"] - 12 * 16) <= 16
        assert one.memory["read_errors"] == one.memory["write_errors"] == 0
        assert one.stalls["empty"] == 0
        assert (one.committed > 0) == (one.every > 0) and abs(one.memory["writes"] - one.committed) <= TINY["WRITES"]
    assert bench.of(16, 0).stalls["order"] > 0 == bench.of(16, 1).stalls["order"]
    assert bench.of(16, 1).period < bench.of(16, 0).period, "sampling ahead hides nothing"


def test_the_memory_is_what_a_core_waits_for_that_has_few_reads_in_flight(bench):
    quick, slow = (system.measure(TINY, ahead=(1,), dram=dram, **SHORT) for dram in (QUICK, Dram(latency=100)))
    assert quick.main.share >= system.WANTED
    periods = [one.of(16, 1).period for one in (quick, bench, slow)]
    waits = [one.of(16, 1).stall("memory") for one in (quick, bench, slow)]
    assert periods == sorted(set(periods)) and waits == sorted(set(waits))
    # Four reads in flight: the records of a batch come in four and four, each with the memory's whole latency.
    assert periods[2] >= 16 / TINY["READS"] * 100


def test_the_table_says_which_configuration_keeps_the_promise(bench):
    def notes(one):
        inputs = {"system": system, "results": {"tiny": one}, "clock": Clock(300.0), "dram": one.dram}
        return " ".join(tables.notes("system", **inputs))

    below = notes(bench)
    assert "NOT 98%" in below and f"{bench.least.share:.1%}" in below and "CL 5" in below
    kept = replace(bench, windows=[replace(w, clocks=round(w.alone.period * w.steps)) for w in bench.windows])
    assert "at least 98%" in notes(kept)
    assert system._steps("tiny", bench).row_count == len(bench.windows)


def test_one_weight_that_is_not_the_models_fails_the_benchmark(monkeypatch):
    right = NetworkModel.update
    updates = 0

    def wrong(self, *arguments, **named):
        nonlocal updates
        right(self, *arguments, **named)
        updates += 1
        if updates > 30:  # behind the learner's own measurement, which compares weights too
            self.planes[0][3] += 1

    monkeypatch.setattr(NetworkModel, "update", wrong)
    with pytest.raises(RunFailed, match=r"the RTL and the integer model differ in .*plane 0.*batch 16, 0 ahead"):
        system.measure(TINY, **SHORT)


def test_one_priority_update_that_is_lost_fails_the_benchmark(monkeypatch):
    right = ReplayLearnerModelDriver.train_on

    def wrong(self, batch):
        right(self, replace(batch, void=batch.void | (np.arange(len(batch.void)) == 3)))

    monkeypatch.setattr(ReplayLearnerModelDriver, "train_on", wrong)
    with pytest.raises(RunFailed, match="the RTL and the integer model differ"):
        system.measure(TINY, **SHORT)


def test_a_memory_that_answers_with_an_error_fails_the_benchmark(monkeypatch):
    right = system._Run.fill

    def wrong(self):
        answer = right(self)
        self.driver.bus.memory.fail("read", 0, 32 * self.driver.stride, times=1)
        return answer

    monkeypatch.setattr(system._Run, "fill", wrong)
    with pytest.raises(RunFailed, match="READ_ERROR"):
        system.measure(TINY, **SHORT)


@pytest.mark.slow
@pytest.mark.parametrize("config", ["u200", "zcu106"])
def test_replay_costs_the_learner_no_more_than_two_steps_in_a_hundred(config, seed):
    measured = system.measure(configs.load("replay_learner", config), seed, (32, 256), ahead=(1,), filled=1 << 16)
    assert measured.capacity == 1 << 20
    assert {w.batch for w in measured.windows} == {32, 256}
    assert measured.least.share >= system.WANTED


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["bench", "heppo"], "has no benchmark; benchmarks: agent, env, gae, learner, "),
        (["bench", "system", "--config", "nonsense"], "configurations: tiny"),
    ],
)
def test_a_wrong_argument_of_bench_system_says_what_is_allowed(arguments, expected, capsys):
    assert cli.run(arguments) == 2
    error = capsys.readouterr().err
    assert expected in error and len(error.splitlines()) == 1
