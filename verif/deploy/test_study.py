"""The studies of deployed policies: they compare what they say, and see what differs."""

from pathlib import Path

import numpy as np
import pytest

from rlcores.base import paths
from rlcores.cores.mlp.model import MlpModel
from rlcores.deploy import folder, formats, sizing
from rlcores.deploy.network import Layer, Policy, straight
from rlcores.eda import boards
from rlcores.errors import UserError
from rlcores_lab.study import deploy_bits, deploy_latency, deploy_peers, deploy_placed, deployed, policies

FILES = paths.root() / "verif" / "deploy" / "files"


def made(name: str, suffix: str, normalised: bool = False) -> policies.Made:
    with np.load(FILES / f"{name}.npz") as known:
        obs, act = known["obs"], known["act"]
    recipe = policies.Recipe(name, "sb3" if suffix == ".zip" else "onnx", suffix, normalised=normalised)
    return policies.Made(recipe, FILES / f"{name}{suffix}", FILES / f"{name}.pkl" if normalised else None, obs, act)


def compared(of: policies.Made) -> deployed.Equal:
    pytest.importorskip("onnx")
    return deployed.compared(of, "", 5000, 0)


@pytest.mark.parametrize(
    "of",
    [
        ("ppo_normalised", ".zip", True), ("rsl_rl", ".onnx"), ("silu", ".onnx"), ("sigmoid", ".onnx"),
        ("layer_norm", ".onnx"),
    ],
    ids=lambda of: of[0],
)  # fmt: skip
def test_real_files_give_the_same_bits_on_model_engine_and_c99(of: tuple, monkeypatch) -> None:
    monkeypatch.setattr(deployed, "library", lambda recipe: "")  # what made the files need not be installed
    comparison = compared(made(*of))
    assert (comparison.native, comparison.c99, comparison.wrong) == (5000, 5000, 0)
    assert comparison.imported_error < 1e-5 and comparison.quantised_error < 0.3


def test_an_engine_that_is_off_by_one_is_seen(monkeypatch) -> None:
    class Off(MlpModel):
        def act(self, observations: np.ndarray) -> np.ndarray:
            outputs = super().act(observations)
            outputs[7] += 1
            return outputs

    monkeypatch.setattr(deployed, "library", lambda recipe: "")
    monkeypatch.setattr(deployed, "NativeMlp", Off)
    assert compared(made("rsl_rl", ".onnx")).wrong == 1


def test_bits_hold_where_every_wider_width_holds() -> None:
    rng = np.random.default_rng(1)
    whole = rng.normal(100.0, 0.5, 50)
    lost = {3: 20.0, 4: 5.0, 5: 0.1, 6: 3.0}
    runs = [deploy_bits.Run("p", bits, 0, (whole - lost.get(bits, 0.0)).tolist()) for bits in deploy_bits.ALL_BITS]
    of = deploy_bits.lines(runs)
    assert [x.verdict for x in of if x.bits in (3, 5, 6, 7)] == [
        "worse by more than 1 %", "within 1 %", "worse by more than 1 %", "within 1 %"
    ]  # fmt: skip
    assert deploy_bits.least(of, "p", ("within 1 %",)) == 7


def test_every_recipe_has_a_name_of_its_own_and_a_maker() -> None:
    assert len(policies.BY_NAME) == len(policies.RECIPES) >= 20
    for recipe in policies.RECIPES:
        assert recipe.maker in policies._MAKERS and (not recipe.of or recipe.of in policies.BY_NAME)


def test_results_that_are_kept_have_no_difference() -> None:
    kept = deployed.kept()
    assert kept and all(run.wrong == 0 and run.file for run in kept)
    assert Path(deployed.KEPT).is_file()


def test_latencies_that_are_kept_are_within_what_was_asked_for() -> None:
    kept = deploy_latency.kept()
    assert {run.name for run in kept} == set(deploy_latency.BY_NAME)
    for run in kept:
        assert run.clocks / 200 == run.latency_us <= run.limit_us and run.observations >= 48
        pair = next((other for other in kept if (other.name, other.multiplier) == (run.name, "pair")), run)
        assert pair.clocks == run.clocks and (pair is run or pair.multipliers < run.multipliers)


@pytest.mark.slow
@pytest.mark.parametrize("multiplier", ["one", "pair"])
def test_a_latency_that_is_kept_is_counted_again(multiplier: str) -> None:
    counted = deploy_latency.count(deploy_latency.BY_NAME["cartpole"], multiplier)
    known = next(r for r in deploy_latency.kept() if (r.name, r.multiplier) == ("cartpole", multiplier))
    assert (counted.clocks, counted.multipliers, counted.array) == (known.clocks, known.multipliers, known.array)


def test_cores_that_are_placed_reach_the_clock_that_they_are_sized_with() -> None:
    for one in deploy_placed.kept():
        assert min(one.seeds) >= one.clock_mhz and one.used["dsp"] <= 28 * (1 if "25F" in one.chip else 6)


def test_a_comparison_without_the_other_libraries_is_refused_in_a_sentence(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho '{}'\n")
    python.chmod(0o755)
    with pytest.raises(UserError, match="none of hls4ml, da4ml, finn"):
        deploy_peers.compare(python, tmp_path, [], print)


def test_a_comparison_counts_what_each_library_reads() -> None:
    reads = [
        {"library": "hls4ml", "name": "a", "imported": True, "said": "emulated", "error": 0.25},
        {"library": "da4ml", "name": "a", "imported": False, "said": "no reader"},
    ]
    area = {
        "network": "4-16-16-2",
        "who": "da4ml",
        "family": "ecp5",
        "cells": {"lut": 1000, "ff": 2, "dsp": 0, "ram": 0},
        "clocks": 6,
        "each": 1,
    }
    peers = deploy_peers.Peers({"hls4ml": "1", "da4ml": "2"}, reads, {}, [area])
    assert deploy_peers.reads_table(peers)[1] == ("a", "yes", "emulated: error 2.5e-01", "no: no reader")
    assert deploy_peers.areas_table(peers)[1][3:5] == ("1,000", "2")
    other = deploy_peers.Peers({"finn": "3"}, [{"library": "finn", "name": "b", "imported": True, "said": ""}])
    both = deploy_peers.merged(peers, other)
    assert both.areas == [area] and set(both.versions) == {"hls4ml", "da4ml", "finn"}
    assert deploy_peers.reads_table(both)[1][2:] == ("emulated: error 2.5e-01", "no: no reader", "not asked")
    peers.jets = [area | {"bits": 8}]
    assert [row[4] for row in deploy_peers.jets_table(peers)[1:]] == ["1,852", "1,132", "38", "0"]
    assert deploy_peers.jets_table(peers)[-1][6:] == ("30", "by Yosys")


@pytest.mark.slow
@pytest.mark.parametrize(("family", "dsp"), [("ecp5", 2), ("xcup", 1)])
def test_cells_of_a_core_are_counted(family: str, dsp: int, tmp_path: Path) -> None:
    layer = Layer(np.ones((2, 2)), np.zeros(2), "relu")
    policy, x = Policy((layer,), straight(2)), np.random.default_rng(1).normal(size=(20, 2))
    quantised = formats.quantise(policy, x, rows=2, multiplier="one" if family == "ecp5" else "pair")
    folder.write(quantised, sizing.Sized(quantised.shape, boards.Clock(200.0)), x, tmp_path / "p")
    files = sorted((tmp_path / "p" / "rtl").glob("*.v"))
    cells = deploy_peers.counted(files, "policy_core", family, tmp_path / "y")
    assert cells["dsp"] == dsp and cells["lut"] > 50 and cells["ff"] > 50
