"""Synthesis of the learner: one DSP slice a multiplier, every unit reported by name, and 120 MHz on an ECP5."""

import json
from collections import Counter
from pathlib import Path

import pytest

from rlcores import cli
from rlcores.base import paths
from rlcores.cores.learner.shape import LearnerShape
from rlcores.eda import configs, slang, sources
from rlcores.eda.synth import area, flow, netlist, pins, tables


def figures(core: str, config: str, device: str, capsys: pytest.CaptureFixture) -> dict[str, float]:
    """The figures that `rlcores synth` writes, by name."""
    assert cli.run(["synth", core, "--config", config, "--device", device, "--json", "-"]) == 0
    return {f["name"]: f["value"] for f in json.loads(capsys.readouterr().out)["figures"]}


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for what synthesis keeps, so that nothing comes from an earlier run."""
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    return tmp_path


def test_a_string_reaches_yosys_and_verilog_whole() -> None:
    assert flow.literal(7) == "7"
    assert flow.literal("4-2") == "24'h342d32"
    ports = [slang.Port("clk", False, 1), slang.Port("a", False, 1), slang.Port("q", True, 1)]
    assert '.SIZES("4-2"), .DP(1)' in pins.wrapper("top", "m", {"SIZES": "4-2", "DP": 1}, ports)


def test_units_are_found_by_their_place(tmp_path: Path) -> None:
    def module(**cells: str) -> dict:
        return {"attributes": {}, "ports": {}, "cells": {n: {"type": t, "connections": {}} for n, t in cells.items()}}

    layer = {"g_layer[1].u_forward": "unit", "g_layer[2].u_forward": "unit", "g_layer[1].u_target": "unit", "f": "FDRE"}
    modules = {
        "top": module(u_value="net", u_actor="net", f="FDRE"),
        "net": module(**layer),
        "unit": module(d="DSP48E2"),
    }
    modules["top"]["attributes"]["top"] = "1"
    (tmp_path / "netlist.json").write_text(json.dumps({"modules": modules}))
    top = netlist.read(tmp_path / "netlist.json", "top", tables.cells("xcup"))
    units = top.units({"TFW": r"u_value\.g_layer\[(\d)\]\.u_target", "FW": r"u_value\.g_layer\[(\d)\]\.u_forward"})
    assert list(units) == ["TFW1", "FW1", "FW2"]
    assert all(+counts == Counter(dsp=1) for counts in units.values())


@pytest.mark.slow
@pytest.mark.parametrize("columns", [2, 1])
def test_a_tensor_unit_takes_one_dsp_a_multiplier(columns: int, results: Path) -> None:
    parameters = {"DP": columns, "LANES_IN": 3, "LANES_OUT": 2, "GROUPS": 2, "WORDS_IN": 2, "WORDS_OUT": 3}
    read = sources.of_core(configs.core("learner").vlnv)
    module = "rlc_nn_matvec"
    folder = area.netlist_folder("unit", read, "xcup", module, parameters)
    total = netlist.read(folder / "netlist.json", module, tables.cells("xcup")).total()
    assert total["dsp"] == columns * 3 * 2 * 2
    # The weights stay beside their multipliers, in LUTs; a column more needs no second copy.
    assert total["bram36"] == total["uram"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("config", ["tiny", "ddpg_tiny"])
def test_the_report_names_every_unit_with_one_dsp_a_multiplier(config: str, capsys: pytest.CaptureFixture) -> None:
    counts = figures("learner", config, "u200", capsys)
    shape = LearnerShape.of(configs.load("learner", config))
    units = {name: counts[f"learner.{name.lower()}.dsp"] for name in shape.macs}
    assert units == shape.macs
    assert counts["learner.rest.dsp"] == 0
    assert counts["learner.dsp"] <= shape.dsp_count
    for resource in ("lut", "ff", "dsp"):
        parts = [value for name, value in counts.items() if name.count(".") == 2 and name.endswith(f".{resource}")]
        assert sum(parts) == counts[f"learner.{resource}"]


@pytest.mark.slow
def test_the_small_learner_reaches_120_mhz_on_an_ecp5(capsys: pytest.CaptureFixture) -> None:
    assert figures("learner", "ecp5", "ecp5", capsys)["learner.fmax_mhz"] >= 120
