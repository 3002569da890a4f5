"""`rlcores bench learner`: clocks of the RTL itself, peers that learn the same, names that a script can rely on."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rlcores import cli
from rlcores.cores.learner import registers as learner_registers
from rlcores.cores.learner.network import NetworkModel
from rlcores.eda import configs
from rlcores.eda.boards import Clock
from rlcores.errors import RunFailed
from rlcores_lab.bench import learner, learner_peers, peer
from rlcores_lab.bench.learner_drive import LearnerDrive

NAMES = {
    "learner.batch",
    "learner.cycles_per_step",
    "learner.cycles_per_step_model",
    "learner.latency_cycles",
    "learner.model_error",
    "learner.t_max",
    "learner.fill_cycles",
    "learner.load_cycles",
    "learner.macs",
    "learner.dsp",
    "learner.mac_utilisation",
    "learner.batch16.cycles_per_step",
    "learner.double.cycles_per_step",
    "learner.utilisation.FW1",
    "learner.utilisation.TFW2",
    "learner.utilisation.BW2",
    "learner.utilisation.WA1",
    "learner.utilisation.WU2",
    "learner.checked",
    "learner.clock_mhz",
    "learner.step_us",
    "peer.cpp.sgd_step_ns",
    "peer.cpp.adam_step_ns",
    "peer.numpy.adam_step_ns",
}
PEERS = peer.installed(learner_peers.PEERS)


@pytest.mark.slow
def test_the_json_has_the_names_that_tables_are_made_of(capsys):
    assert cli.run(["bench", "learner", "--config", "tiny", "--json", "-", "--clock", "150"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["command"], document["core"], document["config"]) == ("bench", "learner", "tiny")
    figures = {f["name"]: f for f in document["figures"]}
    assert set(figures) >= NAMES
    steps = figures["learner.cycles_per_step"]
    assert (steps["value"], steps["how"]) == (141, "measured")
    assert figures["learner.cycles_per_step_model"]["how"] == "model"
    assert figures["learner.model_error"]["value"] <= 0.05
    assert (figures["learner.clock_mhz"]["value"], figures["learner.clock_mhz"]["how"]) == (150, "assumed")
    assert figures["learner.step_us"]["how"] == "model", "a time at an assumed clock is not measured"
    assert figures["learner.step_us"]["value"] == pytest.approx(141 / 150)
    # Two batch lengths (double DQN too), five steps each.
    assert figures["learner.checked"]["value"] == 2 * 5 * 16
    assert not any(name.startswith("learner.step_ratio") for name in figures), "peers had another batch"


def test_a_ratio_is_the_peers_time_over_the_cores_at_the_same_batch():
    measured = learner.measure(configs.load("learner", "tiny"), 1, (16,))
    same, other = (learner_peers.Timing("cpp", "C++", "adam", batch, 20.0) for batch in (16, 64))
    ratios = learner.ratios(measured, [same, other], Clock(300.0), "learner")
    assert [f.name for f in ratios] == ["learner.step_ratio_cpp_adam"]
    assert ratios[0].value == pytest.approx(20.0 / (measured.step.period / 300)) and ratios[0].how == "model"


@pytest.mark.parametrize("make", PEERS, ids=lambda make: make.name)
@pytest.mark.parametrize("optimiser", learner_peers.OPTIMISERS)
@pytest.mark.parametrize(
    ("sizes", "batch"), [((4, 64, 64, 2), 64), ((3, 5, 2), 7), ((4, 3), 5), ((17, 33, 20, 9, 4), 33)]
)
def test_a_peer_learns_what_the_float64_model_learns(make, optimiser, sizes, batch, seed):
    assert learner_peers.check(make, sizes, batch, optimiser, seed) < 5e-3


def test_a_peer_that_is_wrong_is_not_timed(monkeypatch, seed):
    right = learner_peers.Numpy.prepare

    def with_other_rewards(self, batches):
        return right(self, [replace(b, rewards=b.rewards * np.float32(1.01)) for b in batches])

    monkeypatch.setattr(learner_peers.Numpy, "prepare", with_other_rewards)
    with pytest.raises(RunFailed, match="the numpy peer's weights are wrong"):
        learner_peers.measure(learner_peers.Numpy, (4, 8, 2), "sgd", 16, seed, 0.01)


def test_one_weight_that_is_not_the_models_fails_the_benchmark(monkeypatch, seed):
    right = NetworkModel.update

    def wrong(self, *arguments, **named):
        right(self, *arguments, **named)
        self.planes[0][3] += 1

    monkeypatch.setattr(NetworkModel, "update", wrong)
    with pytest.raises(RunFailed, match=r"the RTL and the integer model differ|not the integer model"):
        learner.measure(configs.load("learner", "tiny"), seed, (4,))


@pytest.mark.parametrize("config", ["tiny", pytest.param("ddpg_tiny", marks=pytest.mark.slow)])
def test_gaps_and_waits_on_the_streams_change_no_result(config, seed):
    """A short soak; `make regress` has the long ones."""
    _soak(config, seed, steps=12)


@pytest.mark.slow
@pytest.mark.parametrize("config", [c.name for c in configs.simulated("learner")])
def test_a_hundred_steps_with_gaps_and_waits_are_the_models(config, seed):
    _soak(config, seed, steps=100)


def _soak(config, seed, steps):
    rng = np.random.default_rng(seed)
    with LearnerDrive(configs.load("learner", config)) as drive:
        shape, formats = drive.shape, learner.formats(drive.shape)
        size = min(shape.batch_max, 3 * shape.columns + 1)
        registers = learner_registers.settings(
            formats,
            batch=size,
            target_update_interval=3,
            tau=0.25 if shape.polyak else 0.0,
            learning_rate=1e-2,
            seed=seed & 0xFFFF,
        )
        model = drive.model(formats, registers)
        learner.initialise(model, shape, rng)
        drive.configure(formats, registers)
        drive.seed()
        model.seed(registers.seed)
        drive.load_model(model)
        batches = learner.random_records(model, shape, size, steps, rng)
        taken = drive.run(batches, rec_gap=int(rng.integers(0, 200)), prio_wait=int(rng.integers(0, 200)), seed=seed)
        assert len(taken.priorities) == steps
        for records, priorities in zip(batches, taken.priorities, strict=True):
            assert np.array_equal(model.step_records(records), priorities)
        assert drive.differences(model) == {}
        assert np.array_equal(taken.saturated, model.counters)


@pytest.mark.slow
@pytest.mark.parametrize(("config", "clocks"), [("u200", 800), ("zcu106", 1250)])
def test_a_dqn_step_of_64_takes_no_more_clocks_than_promised(config, clocks, seed):
    measured = learner.measure(configs.load("learner", config), seed)
    assert measured.steps[64].period <= clocks
    assert measured.error <= 0.05
    assert measured.step.mac_utilisation > 0.6


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["bench", "common"], "has no benchmark; benchmarks: agent, env, gae, learner, "),
        (["bench", "learner", "--config", "nonsense"], "configurations: tiny"),
    ],
)
def test_a_wrong_argument_of_bench_learner_says_what_is_allowed(arguments, expected, capsys):
    assert cli.run(arguments) == 2
    error = capsys.readouterr().err
    assert expected in error and len(error.splitlines()) == 1
