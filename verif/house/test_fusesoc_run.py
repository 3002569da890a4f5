"""`fusesoc run`, as a user types it: the exit code tells the truth about the cocotb tests."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from as_user import fusesoc
from simulators import IN_ICARUS

from rlcores.eda import configs, sim, sources
from rlcores.errors import RunFailed, UserError


def run_in(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess:
    return fusesoc(folder, "--cores-root", str(folder), "run", *arguments, **env)


def run_adder(folder: Path, simulator: str, *options: str, **env: str) -> subprocess.CompletedProcess:
    return run_in(folder, "--target", sim.TARGETS[simulator], "user:lib:adder", *options, **env)


def test_passing_tests_exit_0(kept_adder: Path, simulator: str) -> None:
    done = run_adder(kept_adder, simulator)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS=1 FAIL=0" in done.stdout + done.stderr


@pytest.mark.slow
def test_passing_tests_exit_0_with_a_model_that_is_optimised_as_verilator_does(kept_adder: Path) -> None:
    done = run_adder(kept_adder, "verilator", RLCORES_OPTIMISE="")
    assert done.returncode == 0 and " -Os " in done.stdout and " -O0 " not in done.stdout, done.stdout + done.stderr


def test_a_failing_test_is_not_mistaken_for_success(kept_adder: Path, simulator: str) -> None:
    done = run_adder(kept_adder, simulator, "--cocotb_module", "cocotb_wrong")
    assert done.returncode != 0
    assert "1 of 1 tests failed: adds" in done.stdout + done.stderr


def test_a_run_without_any_test_is_not_mistaken_for_success(kept_adder: Path, simulator: str) -> None:
    done = run_adder(kept_adder, simulator, "--cocotb_module", "cocotb_none")
    assert done.returncode != 0
    assert "no test ended" in done.stderr


def test_a_filter_that_leaves_no_test_is_not_mistaken_for_success(kept_adder: Path) -> None:
    done = run_adder(kept_adder, "verilator", COCOTB_TEST_FILTER="nonsense")
    assert done.returncode != 0
    assert "no test ran" in done.stderr


def test_a_test_module_that_does_not_import_is_not_mistaken_for_success(kept_adder: Path, simulator: str) -> None:
    done = run_adder(kept_adder, simulator, "--cocotb_module", "cocotb_unimportable")
    assert done.returncode != 0
    assert "no_such_module_anywhere" in done.stdout + done.stderr


def test_results_of_an_earlier_run_do_not_speak_for_this_one(adder: Path) -> None:
    assert run_adder(adder, "verilator").returncode == 0
    assert run_adder(adder, "verilator", "--cocotb_module", "cocotb_unimportable").returncode != 0


@pytest.mark.parametrize("simulator", IN_ICARUS)
def test_a_parameter_on_the_command_line_reaches_the_design(adder: Path, simulator: str) -> None:
    folder = adder / "out"
    for width in (8, 5):
        done = run_adder(adder, simulator, f"--WIDTH={width}", RLCORES_RUN_DIR=str(folder))
        assert done.returncode == 0, done.stdout + done.stderr
        assert json.loads((folder / "coverage.json").read_text())["width"] == width


def test_the_beginning_of_a_parameters_name_is_no_parameter(kept_adder: Path) -> None:
    done = run_adder(kept_adder, "verilator", "--WID=8")
    assert done.returncode != 0
    assert "there is no parameter 'WID'; did you mean 'WIDTH'" in done.stdout + done.stderr


def test_a_failure_prints_the_command_that_repeats_it(kept_adder: Path) -> None:
    folder = kept_adder / "out"
    done = run_adder(kept_adder, "verilator", "--cocotb_module", "cocotb_wrong", RLCORES_RUN_DIR=str(folder))
    first = (folder / "coverage.json").read_text()
    repeat = re.search(r"To repeat: COCOTB_RANDOM_SEED=(\d+) fusesoc (.*)", done.stdout + done.stderr)
    assert repeat, done.stdout + done.stderr
    arguments = repeat[2].split()[3:]  # after: --cores-root FOLDER run
    run_in(kept_adder, *arguments, COCOTB_RANDOM_SEED=repeat[1], RLCORES_RUN_DIR=str(folder))
    assert (folder / "coverage.json").read_text() == first


def with_config(core: configs.Core, target: str, name: str, folder: Path, *more: str) -> dict[str, int | str]:
    """The parameters that `fusesoc run --target TARGET CORE --config NAME` builds a core with."""
    made = sources.database()
    made.config.args_work_root = str(folder)
    flags = {"target": target, "is_toplevel": True}
    backend = made.get_backend(made.get_core(core.vlnv), flags, [f"--config={name}", *more])[1]
    return configs.edam_parameters(backend.edam)


NAMED = [c for c in configs.cores().values() if configs.names(c.name)]


@pytest.mark.parametrize("core", NAMED, ids=lambda c: c.name)
def test_every_core_simulates_and_lints_each_configuration_by_its_name(core: configs.Core, tmp_path: Path) -> None:
    assert {"sim", "sim_icarus", "lint"} <= set(core.targets)
    for name in configs.names(core.name):
        assert with_config(core, "sim", name, tmp_path) == configs.load(core.name, name), name
    parameters = configs.load(core.name, name)
    assert with_config(core, "lint", name, tmp_path) == parameters
    assert with_config(core, "lint", f"{core.name}.{name}", tmp_path) == parameters
    key, value = next((k, v) for k, v in parameters.items() if isinstance(v, int))
    assert with_config(core, "sim", name, tmp_path, f"--{key}={value + 1}") == parameters | {key: value + 1}


def test_a_configuration_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="core 'gae' has no configuration 'huge'; configurations: tiny,"):
        with_config(configs.core("gae"), "sim", "huge", tmp_path)


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [pytest.param("adder.v", "+ {1'b0, b}", "", marks=pytest.mark.slow), ("wire_through.v", "& b", "")],
)
def test_lint_fails_on_a_warning_in_any_of_its_tops(adder: Path, file: str, before: str, after: str) -> None:
    assert run_in(adder, "--target", "lint", "user:lib:adder").returncode == 0
    rtl = adder / file
    rtl.write_text(rtl.read_text().replace(before, after))
    done = run_in(adder, "--target", "lint", "user:lib:adder")
    assert done.returncode != 0
    assert "UNUSEDSIGNAL" in done.stdout + done.stderr
    assert f"in {rtl.stem}\n" in done.stdout + done.stderr


def test_python_gets_the_same_verdict_seed_and_coverage(
    adder: Path, simulator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUSESOC_CORES", str(adder))
    monkeypatch.setenv("RLCORES_OPTIMISE", "-O0")
    arguments = {"target": sim.TARGETS[simulator], "build_root": tmp_path / "build"}
    result = sim.run("user:lib:adder", parameters={"WIDTH": 6}, seed=7, **arguments)
    assert simulator == "icarus" or " -O0 " in (result.folder / "log.txt").read_text()
    again = sim.run("user:lib:adder", parameters={"WIDTH": 6}, seed=7, **arguments)
    assert result.passed and [t.name for t in result.tests] == ["adds"]
    assert result.coverage["width"] == 6
    assert result.coverage == again.coverage
    with pytest.raises(RunFailed, match=r"1 of 1 tests failed(.|\n)*To repeat: COCOTB_RANDOM_SEED=7 "):
        sim.run("user:lib:adder", module="cocotb_wrong", seed=7, **arguments)
    assert not sim.run("user:lib:adder", module="cocotb_none", check=False, **arguments).passed
    with pytest.raises(UserError, match="no_such_parameter"):
        sim.run("user:lib:adder", parameters={"no_such_parameter": 1}, **arguments)
    with pytest.raises(UserError, match="user:lib:nothing"):
        sim.run("user:lib:nothing", **arguments)
