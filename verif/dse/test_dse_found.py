"""What `rlcores dse` found, put into configs.yaml as it was written, goes through lint, simulation and synthesis."""

import json
import re
from pathlib import Path

import pytest

from rlcores import cli
from rlcores.base import paths
from rlcores.eda import configs, lint
from rlcores_lab.bench import learner as bench
from rlcores_lab.dse import explore, results

BATCH = 16


@pytest.fixture(scope="module")
def exploration() -> explore.Learning:
    """A small request: CartPole, two hidden layers of 8, 60 DSP slices of a ZCU106."""
    return explore.explore(
        explore.Request("CartPole-v1", "dqn", BATCH, "zcu106", (8, 8), dsp=60, capacity=4096, jobs=1)
    )


@pytest.fixture
def own(exploration, tmp_path, monkeypatch) -> str:
    """The name of the found configuration, in a library whose configs.yaml holds it."""
    home = paths.root()
    for item in home.iterdir():
        if item.name in ("rtl", "cores", "fusesoc.conf", "constraints"):
            (tmp_path / item.name).symlink_to(item)
    results.write(exploration, tmp_path / "dse", 3)
    text = (home / "configs.yaml").read_text()
    entries = (tmp_path / "dse" / "configs.yaml").read_text()
    for core, body in re.findall(r"^(\w+):\n((?:  .*\n)+)", entries, re.MULTILINE):
        assert text.count(f"\n{core}:\n") == 1
        text = text.replace(f"\n{core}:\n", f"\n{core}:\n{body}")
    (tmp_path / "configs.yaml").write_text(text)
    monkeypatch.setattr(paths, "root", lambda: tmp_path)
    monkeypatch.setattr(paths, "build", lambda: home / "build")
    for read in (configs.cores, configs._entries):
        read.cache_clear()
    yield results.name(exploration)
    monkeypatch.undo()
    for read in (configs.cores, configs._entries):
        read.cache_clear()


def test_the_entries_are_configurations_like_others(exploration, own) -> None:
    assert own == "cartpole_dqn_16_zcu106"
    for core in ("learner", "sumtree", "replay_learner"):
        assert own in configs.names(core) and "tiny" in configs.names(core)
        assert set(configs.load(core, own)) == set(configs.load(core, "zcu106"))
    assert configs.load("learner", own) == exploration.best.parameters
    assert exploration.best.counts["dsp"] <= 60 and "found by rlcores dse" in configs.get("learner", own).doc


@pytest.mark.slow
@pytest.mark.parametrize("core", ["learner", "sumtree", "replay_learner"])
def test_they_lint_without_a_warning(core, own) -> None:
    clean, text = lint.run(configs.core(core).vlnv, configs.load(core, own))
    assert clean, text


@pytest.mark.slow
def test_the_rtl_computes_what_the_integer_model_does_in_the_clocks_that_were_promised(exploration, own, seed) -> None:
    measured = bench.measure(configs.load("learner", own), seed, (1, BATCH))
    assert measured.checked >= 2 * BATCH
    assert abs(exploration.best.period / measured.steps[BATCH].period - 1) <= 0.05


@pytest.mark.slow
def test_yosys_counts_what_was_promised(exploration, own, tmp_path: Path) -> None:
    assert cli.run(["synth", "learner", "--config", own, "--device", "zcu106", "--json", str(tmp_path / "x.json")]) == 0
    figures = {f["name"]: f["value"] for f in json.loads((tmp_path / "x.json").read_text())["figures"]}
    for resource in ("lut", "ff", "dsp", "bram36"):
        counted = figures[f"learner.{resource}"]
        assert abs(exploration.best.counts[resource] - counted) <= 0.10 * counted, resource
