"""`rlcores bench`: clocks that the RTL really takes, peers that compute the same, names that a script can rely on."""

import json

import numpy as np
import pytest

from rlcores import cli
from rlcores.cores.gae import float64 as gae_float
from rlcores.eda import configs
from rlcores.errors import RunFailed
from rlcores_lab.bench import gae, gae_peers
from rlcores_lab.cycles import gae as gae_cycles

NAMES = {
    "gae.cycles",
    "gae.elements",
    "gae.elements_per_cycle_per_row",
    "gae.elements_per_cycle_per_row_overall",
    "gae.stalls",
    "gae.occupancy",
    "gae.load_beats",
    "gae.load_cycles",
    "gae.read_beats",
    "gae.read_cycles",
    "gae.clock_mhz",
    "gae.ns_per_element",
    "gae.ratio_c",
    "gae.ratio_numpy",
    "peer.numpy.gae_ns",
    "peer.c.gae_ns",
}
SHAPES = [
    {},  # tiny as it is
    {"LOOKAHEAD": 1, "SPAN": 2},
    {"LOOKAHEAD": 4, "INTERLEAVE": 2, "ROWS": 2, "SPAN": 2, "OUT_BITS": 16},
]


def shape(changes: dict[str, int]) -> dict[str, int]:
    return {**configs.load("gae", "tiny"), **changes}


@pytest.mark.parametrize("make", [gae_peers.numpy_peer, gae_peers.c_peer])
@pytest.mark.parametrize(("steps", "count"), [(1, 1), (37, 5), (200, 64)])
def test_a_peer_does_the_same_work_as_the_core(make, steps, count, seed):
    problem = gae_peers.problem(steps, count, seed, ends=0.2)
    # An episode can also be cut in the last step, and in neighbouring ones.
    problem.truncated[-1, 0], problem.terminated[-1, 0] = True, False
    wide = (x if x.dtype == bool else x.astype(np.float64) for x in (problem.rewards, problem.values))
    exact = gae_float.rollout(
        *wide,
        problem.terminated,
        problem.truncated,
        problem.bootstrap,
        problem.final_values,
        problem.gamma,
        problem.gae_lambda,
    )
    compute = make(problem)
    for _ in range(2):  # a second run must not see what the first one left
        for computed, wanted in zip(compute(), exact, strict=True):
            assert np.abs(computed - wanted).max() < 1e-4


def test_the_json_has_the_names_that_tables_are_made_of(capsys):
    assert cli.run(["bench", "gae", "--config", "tiny", "--json", "-", "--clock", "150"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["command"], document["core"], document["config"]) == ("bench", "gae", "tiny")
    figures = {f["name"]: f for f in document["figures"]}
    assert set(figures) >= NAMES
    assert figures["gae.elements_per_cycle_per_row"]["value"] == 1.0
    assert figures["gae.cycles"]["how"] == "measured" and figures["gae.clock_mhz"]["how"] == "assumed"
    assert figures["gae.clock_mhz"]["value"] == 150
    assert figures["gae.ns_per_element"]["how"] == "model", "a time at an assumed clock is not measured"
    cycles, elements = figures["gae.cycles"]["value"], figures["gae.elements"]["value"]
    assert figures["gae.ns_per_element"]["value"] == pytest.approx(cycles / 150e6 * 1e9 / elements)


@pytest.mark.parametrize("changes", [*SHAPES[:2], pytest.param(SHAPES[2], marks=pytest.mark.slow)])
def test_the_array_takes_exactly_the_clocks_that_the_cycle_model_promises(changes, seed):
    measured = gae.measure(shape(changes), seed)
    for run in (measured.full, measured.half, *([measured.unequal] if measured.unequal else [])):
        assert run.cycles == run.model_cycles
    assert measured.sustained == 1.0
    parameters = measured.parameters
    lanes_a_row = parameters["LANES"] // parameters["ROWS"]
    assert measured.full.cycles > lanes_a_row * parameters["DEPTH"] and measured.full.elements == 8 * 16


def test_the_paper_s_array_ends_within_64_clocks_of_its_1024_steps():
    for name, steps in (("paper64", 1024), ("paper64_k3", 1024), ("zcu106_max", 1024)):
        parameters = configs.load("gae", name)
        records = np.full(parameters["LANES"], parameters["DEPTH"] + 1)
        assert gae_cycles.cycles(parameters, records) <= steps + 64


def test_a_wrong_result_of_the_rtl_fails_the_benchmark(monkeypatch, seed):
    right = gae.GaeDriver.read_results

    def wrong(self):
        results = right(self)
        if hasattr(self.bus, "cycles"):  # only the RTL has a clock
            results[0, 0] ^= np.uint64(1)
        return results

    monkeypatch.setattr(gae.GaeDriver, "read_results", wrong)
    with pytest.raises(RunFailed, match="differ: 1 of 136 elements"):
        gae.measure(shape({}), seed)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["bench", "nonsense"], "there is no core 'nonsense'; cores: "),
        (["bench", "common"], "core 'common' has no benchmark; benchmarks: agent, env, gae"),
        (["bench", "gae", "--config", "nonsense"], "configurations: tiny"),
        (["bench", "gae", "--clock", "0"], "--clock"),
        (["bench", "gae", "--board", "zcu999"], "no board 'zcu999'; boards: u200, zcu106, ulx3s"),
    ],
)
def test_a_wrong_argument_of_bench_says_what_is_allowed(arguments, expected, capsys):
    assert cli.run(arguments) == 2
    error = capsys.readouterr().err
    assert expected in error and len(error.splitlines()) == 1
