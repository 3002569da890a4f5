"""Every file that rlcores reads: damaged, it is one sentence; so is a disk that is full or may not be written."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from vivado import catalogue

from rlcores import cli
from rlcores.base import files, paths, tools
from rlcores.cores.learner import calibrate as learner_calibrate
from rlcores.eda import configs
from rlcores.eda.synth import tables
from rlcores.errors import RunFailed, UserError
from rlcores_lab.area.estimate import measure
from rlcores_lab.dse import clocks
from rlcores_lab.mapping import profiles
from rlcores_lab.qor import baseline
from rlcores_lab.study import learning, runs
from rlcores_lab.study.tasks import TASKS

WRONG = [None, True, -1, 10**30, 1e308, float("nan"), "", "x", [], [1], [[]], {}, {"a": 1}]
TASK = next(iter(TASKS.values()))


def transitions(path: Path) -> None:
    rng = np.random.default_rng(1)
    states = rng.normal(size=(2, 20, 3))
    np.savez(path, states=states[0], next_states=states[1], actions=np.arange(20) % 2, rewards=np.ones(20),
             terminated=np.zeros(20, bool))  # fmt: skip


def result(path: Path) -> None:
    run = learning.Run(TASK.name, "float", 1, curve=[[1.0, 2.0]], settings=runs.fingerprint(TASK))
    path.write_text(json.dumps(asdict(run)))


def profile(path: Path) -> None:
    workload = next(iter(profiles.WORKLOADS))
    made = profiles.Profile("cpu", "x", "measured", 1.0, {workload: {1: 1.0}}, {1: 1.0})
    path.write_text(json.dumps({"profiles": [asdict(made)]}))


def copy(of: Path) -> Callable[[Path], object]:
    return lambda path: shutil.copy(of, path)


def at(module, name: str, function: Callable[[], object]) -> Callable[[Path], object]:
    """function() where module.name is the path."""

    def read(path: Path) -> object:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, name, path)
            return getattr(function, "__wrapped__", function)()

    return read


def from_root(function: Callable) -> Callable[[Path], object]:
    def read(path: Path) -> object:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(paths, "root", lambda: path.parent)
            return getattr(function, "__wrapped__", function)()

    return read


# How each file is made, and who reads it.
READERS: dict[str, tuple[str, Callable[[Path], object], Callable[[Path], object]]] = {
    "configurations": ("configs.yaml", copy(paths.root() / "configs.yaml"), from_root(configs._entries)),
    "core": ("gae.core", copy(paths.root() / "rtl/gae/gae.core"), lambda p: configs._core("gae", p)),
    "baseline": ("baseline.json", copy(baseline.FILE), baseline.Baseline),
    "measurements": ("measurements.json", copy(measure.TABLE), at(measure, "TABLE", measure._measured)),
    "clocks": ("clocks.json", copy(clocks.TABLE), at(clocks, "TABLE", clocks.read)),
    "catalogue": ("catalogue.yaml", copy(catalogue._FILE), at(catalogue, "_FILE", catalogue.load)),
    "devices": ("tables.yaml", copy(tables.HERE / "tables.yaml"),
                lambda p: at(tables, "HERE", tables._tables)(p.parent)),
    "gpus": ("gpus.yaml", copy(profiles._HERE / "gpus.yaml"),
             lambda p: at(profiles, "_HERE", profiles.assumed_gpus)(p.parent)),
    "profiles": ("profiles.json", profile, lambda p: profiles.load(p, "cpu")),
    "study": (f"{TASK.name}_float_1.json", result, lambda p: learning.kept(p.parent, TASK, "float", 1)),
    "transitions": ("transitions.npz", transitions, learner_calibrate.load),
}  # fmt: skip


def damage(path: Path, rng: np.random.Generator) -> str:
    """Spoil a file; what was done."""
    how = str(rng.choice(["cut", "flip", "noise", "empty", "folder", "pipe", "gone", "value", "value", "value"]))
    data = bytearray(path.read_bytes())
    place = int(rng.integers(len(data)))
    if how == "value" and path.suffix == ".json":
        root = {"": json.loads(data)}
        step, key = root, ""
        for _ in range(int(rng.integers(0, 5))):
            if not isinstance(step[key], dict | list) or not len(step[key]):
                break
            step = step[key]
            key = list(step)[rng.integers(len(step))] if isinstance(step, dict) else int(rng.integers(len(step)))
        if isinstance(step, dict) and key and rng.random() < 0.3:
            del step[key]
        else:
            step[key] = WRONG[rng.integers(len(WRONG))]
        path.write_text(json.dumps(root[""]))
        return f"value at {key}"
    if how == "value" and path.suffix == ".npz":
        with np.load(path) as archive:
            arrays = {n: archive[n] for n in archive.files}
        name = str(rng.choice(sorted(arrays)))
        kinds = [np.zeros(3), np.zeros((0, 3)), np.array("x"), np.array([{}], object), np.zeros((2, 2), "c16"), None]
        value = kinds[rng.integers(len(kinds))]
        arrays.pop(name) if value is None else arrays.update({name: value})
        np.savez(path, **arrays)
        return f"array {name}"
    if how == "value":  # of YAML: a line is another one
        lines = data.decode().splitlines()
        lines[int(rng.integers(len(lines)))] = str(
            rng.choice(["- x", "\tx: 1", "x: [", "a: b: c", "x", "&a *a", ": 1", "\0"])
        )
        path.write_text("\n".join(lines))
        return "a line"
    if how == "cut":
        path.write_bytes(data[:place])
    elif how == "flip":
        data[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(data)
    elif how == "noise":
        data[place : place + 20] = rng.bytes(20)
        path.write_bytes(data)
    elif how == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
        {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path), "gone": lambda: None}[how]()
    return how


def fuzz(name: str, folder: Path, seed: int, count: int) -> None:
    file, make, read = READERS[name]
    refused = 0
    for case in range(count):
        rng = np.random.default_rng([seed, case])
        path = folder / str(case) / file
        path.parent.mkdir()
        make(path)
        how = damage(path, rng)
        try:
            read(path)
        except (UserError, RunFailed) as error:
            refused += 1
            assert "\n" not in str(error) and len(str(error)) < 700, f"{name}, seed {seed}, case {case}, {how}: {error}"
        except BaseException as error:
            raise AssertionError(f"{name}, seed {seed}, case {case}, {how}: {error!r}") from error
        shutil.rmtree(path.parent)
    assert refused > count // 8


@pytest.mark.parametrize("name", list(READERS))
def test_a_damaged_file_is_one_sentence(name, tmp_path):
    file, make, read = READERS[name]
    make(tmp_path / file)
    read(tmp_path / file)
    fuzz(name, tmp_path, 1, 12)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(READERS))
def test_hundreds_of_damaged_files_are_a_sentence_each(name, tmp_path, seed):
    fuzz(name, tmp_path, seed, 500)


# --- a disk that takes nothing ---

COMMANDS = {
    "train": ["train", "--algo", "ppo", "--env", "CartPole-v1", "--steps", "1024"],
    "sim": ["sim", "gae", "--config", "tiny"],
    "demo": ["demo"],
    "bench": ["bench", "gae"],
    "synth": ["synth", "gae", "--device", "ecp5", "--config", "tiny"],
    "lint": ["lint", "gae"],
    "regress": ["regress", "--config", "tiny"],
    "formal": ["formal", "common", "rlc_skid"],
}


@pytest.mark.parametrize("name", list(COMMANDS))
def test_a_build_folder_that_cannot_be_written_is_one_sentence(name, monkeypatch, capfd):
    monkeypatch.setenv("RLCORES_BUILD", "/proc/rlcores/build")
    assert cli.run(COMMANDS[name]) == 2
    said = capfd.readouterr().err.splitlines()
    assert said[-1].startswith("rlcores: the folder '/proc/rlcores/build' cannot be written: ")
    assert "RLCORES_BUILD" in said[-1] and not any("Traceback" in line for line in said)


@pytest.mark.parametrize("name", ["train", pytest.param("sim", marks=pytest.mark.slow),
                                  pytest.param("bench", marks=pytest.mark.slow),
                                  pytest.param("synth", marks=pytest.mark.slow),
                                  pytest.param("lint", marks=pytest.mark.slow),
                                  pytest.param("demo", marks=pytest.mark.slow)])  # fmt: skip
def test_a_full_disk_is_one_sentence(name, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mount = f"mount -t tmpfs -o size=64k none {small}"
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "sh", "-c", mount]).returncode:
        pytest.skip("no small file system can be mounted here")
    command = " ".join([str(tools.scripts() / "rlcores"), *COMMANDS[name]])
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", f"{mount} && exec {command}"],
        env=os.environ | {"RLCORES_BUILD": str(small / "build")}, capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    said = done.stderr.splitlines()
    if name == "lint" and done.returncode == 0:
        return  # it may need no room
    assert done.returncode == 2, done.stderr[-2000:]
    assert said[-1].startswith("rlcores: ") and ("No space left" in said[-1] or "is full" in said[-1])
    assert "Traceback" not in done.stderr + done.stdout


def test_output_that_nobody_takes_is_no_traceback():
    for target, code in (("/dev/full", 2), (None, 1)):
        command = [
            sys.executable,
            "-c",
            "from rlcores.start import main; import sys; sys.argv = ['rlcores', 'list']; main()",
        ]
        if target:
            with open(target, "w") as full:
                done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
        else:
            end, start = os.pipe()
            os.close(end)
            done = subprocess.run(command, stdout=start, stderr=subprocess.PIPE, text=True)
            os.close(start)
        assert done.returncode == code and "Traceback" not in done.stderr and len(done.stderr.splitlines()) <= 1, (
            done.stderr
        )


def test_any_error_of_the_system_is_one_sentence(monkeypatch, capsys):
    from rlcores.commands import list as listing

    def fails():
        raise PermissionError(13, os.strerror(13), "/some/file")

    monkeypatch.setattr(listing.configs, "cores", fails)
    assert cli.run(["list"]) == 2
    assert capsys.readouterr().err == "rlcores: '/some/file': Permission denied\n"


def test_a_library_that_was_damaged_says_what_to_remove(tmp_path):
    from rlcores.buses import verilated

    (tmp_path / "libtop.so").write_bytes(b"\x7fELF")
    with pytest.raises(RunFailed, match=f"remove '{tmp_path}', and it is built again"):
        verilated._load(tmp_path / "libtop.so")


def test_an_archive_of_nothing_is_not_unpacked(tmp_path):
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, states=np.zeros(1 << 26, np.uint8))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(UserError, match="larger than the file"):
        files.read_arrays(_shrunk(path), "small")


def _shrunk(path: Path) -> Path:
    """The same, with an entry that says that it is four terabytes."""
    import zipfile

    made = path.with_name("shrunk.npz")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        new.writestr("states.npy", old.read("states.npy"))
    data = bytearray(made.read_bytes())
    where = data.rindex(b"PK\x01\x02")
    data[where + 24 : where + 28] = (0xFFFFFFF0).to_bytes(4, "little")
    made.write_bytes(data)
    return made


def test_no_two_test_files_have_one_name() -> None:
    """pytest refuses the second of two modules of one name, in a whole run only."""
    names = [file.name for file in (paths.root() / "verif").rglob("test_*.py")]
    assert len(names) > 100 and not {name for name in names if names.count(name) > 1}
