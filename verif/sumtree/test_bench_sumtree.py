"""`rlcores bench sumtree`: rates of the RTL itself, peers that do the same work, names that a script can rely on."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rlcores import cli
from rlcores.eda import configs
from rlcores.errors import RunFailed
from rlcores_lab.bench import peer, sumtree, sumtree_banks, sumtree_peers

NAMES = {
    "sumtree.leaves",
    "sumtree.samples_per_cycle",
    "sumtree.updates_per_cycle",
    "sumtree.latency_cycles",
    "sumtree.operation_latency_cycles",
    "sumtree.uniform.samples_per_cycle",
    "sumtree.one_leaf.updates_per_cycle",
    "sumtree.one_word.updates_per_cycle",
    "sumtree.adjacent.updates_per_cycle",
    "sumtree.zipf.updates_per_cycle",
    "sumtree.clock_mhz",
    "sumtree.sample_ns",
    "sumtree.sample_ratio_cpp",
    "sumtree.update_ratio_numpy",
    "peer.cpp.sample_ns",
    "peer.cpp.update_ns",
    "peer.numpy.sample_ns",
    "peer.numpy.update_ns",
}


@pytest.mark.slow
def test_the_json_has_the_names_that_tables_are_made_of(capsys):
    assert cli.run(["bench", "sumtree", "--config", "tiny", "--json", "-", "--clock", "150"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["command"], document["core"], document["config"]) == ("bench", "sumtree", "tiny")
    figures = {f["name"]: f for f in document["figures"]}
    assert set(figures) >= NAMES
    for name in ("sumtree.samples_per_cycle", "sumtree.updates_per_cycle"):
        assert (figures[name]["value"], figures[name]["how"]) == (1.0, "measured")
    assert (figures["sumtree.clock_mhz"]["value"], figures["sumtree.clock_mhz"]["how"]) == (150, "assumed")
    assert figures["sumtree.sample_ns"]["how"] == "model", "a time at an assumed clock is not measured"
    assert figures["sumtree.sample_ns"]["value"] == pytest.approx(1e3 / 150)
    assert figures["sumtree.checked"]["value"] >= 10 * sumtree.CLOCKS
    ratio = figures["peer.cpp.sample_ns"]["value"] / figures["sumtree.sample_ns"]["value"]
    assert figures["sumtree.sample_ratio_cpp"]["value"] == pytest.approx(ratio)


@pytest.mark.parametrize("make", peer.installed(sumtree_peers.PEERS), ids=lambda make: make.name)
@pytest.mark.parametrize("leaves", [16, 17, 4096, 5000])
def test_a_peer_samples_and_updates_as_the_core_does(make, leaves, seed):
    sumtree_peers.check(make(leaves, 256), leaves, seed)


def test_a_peer_that_is_wrong_is_not_timed(monkeypatch, seed):
    right = sumtree_peers.NumpySums.sample
    monkeypatch.setattr(sumtree_peers.NumpySums, "sample", lambda self, u: right(self, u) ^ 1)
    with pytest.raises(RunFailed, match="the numpy_cumsum peer is wrong in"):
        sumtree_peers.measure(sumtree_peers.NumpySums, 4096, 256, seed, 0.01)


def test_a_total_that_is_not_the_sum_of_the_leaves_fails_the_benchmark(monkeypatch, seed):
    right = sumtree.SumTreeDrive.run
    monkeypatch.setattr(sumtree.SumTreeDrive, "run", lambda *a: replace(right(*a), leaves=1))
    with pytest.raises(RunFailed, match="but the leaves add up to 1"):
        sumtree.measure(configs.load("sumtree", "tiny"), seed, 1000)


def test_samples_that_do_not_follow_the_priorities_are_seen():
    even = np.full(100, 1000)
    value, limit = sumtree_banks.fit(even, even)
    assert value == 0 and 150 < limit < 170
    odd = even + np.where(np.arange(100) % 2, 100, -100)
    assert sumtree_banks.fit(odd, even)[0] > limit


@pytest.mark.slow
def test_a_million_leaves_take_an_update_and_a_sample_every_clock_within_64_clocks(seed):
    rates = sumtree.measure(configs.load("sumtree", "u200"), seed)
    assert rates.leaves == 1 << 20
    assert (rates.updates_per_clock, rates.samples_per_clock) == (1.0, 1.0)
    assert rates.latency <= 64


@pytest.mark.slow
def test_eight_banks_take_six_and_a_half_updates_and_samples_a_clock(seed):
    parameters = configs.load("sumtree_banks", "banks8")
    assert parameters["QUEUE"] <= 16
    rates = sumtree_banks.measure(parameters, seed)
    assert rates.updates_per_clock >= 6.5 and rates.samples_per_clock >= 6.5


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["bench", "common"], "has no benchmark; benchmarks: agent, env, gae, learner, "),
        (["bench", "sumtree", "--config", "nonsense"], "configurations: tiny"),
    ],
)
def test_a_wrong_argument_of_bench_sumtree_says_what_is_allowed(arguments, expected, capsys):
    assert cli.run(arguments) == 2
    error = capsys.readouterr().err
    assert expected in error and len(error.splitlines()) == 1
