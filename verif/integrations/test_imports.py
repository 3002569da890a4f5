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
