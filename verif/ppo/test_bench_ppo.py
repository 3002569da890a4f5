"""`rlcores bench ppo`: the figures that scripts rely on, and that the peers which are installed learn."""

import json
from dataclasses import replace
from functools import partial

import pytest

from rlcores import cli
from rlcores.base.report import Figure
from rlcores.cores.env import environments
from rlcores.cores.learner.shape import NetworkShape
from rlcores.cores.ppo.native import NativePpo
from rlcores.cores.ppo.shape import PpoShape, balanced
from rlcores.train import chip
from rlcores_lab.bench import peer, ppo, ppo_peers
from rlcores_lab.bench.ppo_drive import PpoDrive
from rlcores_lab.bench.tables import Outcome


def figures(capsys) -> dict[str, dict]:
    """Those of `rlcores bench ppo`, by name."""
    assert cli.run(["bench", "ppo", "--json", "-"]) == 0
    return {f["name"]: f for f in json.loads(capsys.readouterr().out)["figures"]}


def tiny() -> tuple[PpoShape, chip.ChipSettings]:
    """A core of 8 neurons a layer, and CartPole for it."""
    groups = {"forward": (1, 2, 1), "backward": (1, 2, 1), "update_rows": (4, 2, 1), "update_cols": (1, 2, 2)}
    nets = [NetworkShape((4, 8, 8, outputs), (1, 4, 2, 1), **groups) for outputs in (2, 1)]
    shape = PpoShape(*nets, columns=2, environments=6, steps=8)
    task = chip.task_of("cartpole")
    settings = task.settings | {"minibatches": 4}
    return shape, replace(task, network=(8, 8), iterations=3, settings=settings)


def test_software_is_timed_beside_the_core(capsys, monkeypatch):
    core = Outcome([Figure("ppo.cycles_per_env_step", 68.0, "clocks", "measured")], [])
    monkeypatch.setattr(ppo, "core", lambda *_: core)
    monkeypatch.setattr(ppo, "run", partial(ppo.run, seconds=0.01, sizes=(4, 8)))
    measured = figures(capsys)
    assert measured["ppo.cycles_per_env_step"]["value"] == 68
    for who in ("native", "native.model", *(f"peer.{one.name}" for one in peer.installed(ppo_peers.PEERS))):
        figure = measured[f"{who}.ppo_step_ns"]
        assert figure["value"] > 0 and figure["how"] == "measured"


@pytest.mark.slow
def test_the_json_has_the_core_whose_every_iteration_is_the_models(capsys, monkeypatch):
    shape, task = tiny()
    monkeypatch.setattr(ppo, "core", partial(ppo.core, shape=shape, task=task))
    monkeypatch.setattr(ppo, "run", partial(ppo.run, seconds=0.01, sizes=(4, 8)))
    measured = figures(capsys)
    assert measured["ppo.cycles_per_env_step"]["how"] == "measured"
    # Six environments wait for their own answers, and the model's environment is a slower one.
    assert 0 <= measured["ppo.model_error"]["value"] < 0.1
    assert measured["ppo.cartpole.solved"]["value"] == 0 and measured["ppo.cartpole.learn_steps"]["value"] == 3 * 48


@pytest.mark.slow
def test_a_learner_with_other_weights_is_noticed():
    shape, task = tiny()
    with PpoDrive(shape, environments.named("cartpole")) as drive:
        own = chip.learner(task, 1, NativePpo, envs=6, steps=8)
        drive.begin(own, 1)
        assert drive.differences(own) == {}
        own.critic.planes[2, 5] += 1
        assert drive.differences(own) == {"critic plane 2": 1}


@pytest.mark.slow
def test_the_core_of_the_page_keeps_its_clocks_and_learns_cartpole_until_it_is_solved():
    shape, task = balanced(), chip.task_of("cartpole")
    with PpoDrive(shape, environments.named("cartpole")) as drive:
        bench = ppo.measure(drive, task, 1)
        assert bench.per_step <= 72 and abs(bench.predicted.per_step / bench.per_step - 1) < 0.002
        for name, clocks, model in bench.phases():
            assert abs(model / clocks - 1) < 0.02, f"{name}: {clocks} clocks, {model} by the model"
        learned = ppo.learn(drive, task, 1, print)
    assert learned.solved and learned.clocks < 16 * shape.records * 80
    means = [mean for _, _, mean in learned.curve]
    assert means[0] < 50 and means[-1] >= 475


def test_it_has_no_configurations(capsys):
    assert cli.run(["bench", "ppo", "--config", "tiny"]) == 2
    assert capsys.readouterr().err == "rlcores: bench ppo has no configurations\n"


@pytest.mark.slow
@pytest.mark.parametrize("one", ppo_peers.PEERS, ids=lambda one: one.name)
def test_a_peer_makes_iterations(one):
    pytest.importorskip(one.module)
    iterate = one.iteration(1, (8, 16))
    for _ in range(2):
        iterate()
