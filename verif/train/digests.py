"""Prints the digests of short runs, by name, as JSON: `python digests.py FOLDER`, in the environment of the caller."""

import json
import sys
from pathlib import Path

from train_runs import make, short

from rlcores.train import loop

# "bare": environments that use no sine or cosine, which are the C library's.
RUNS = {
    "dqn": ("dqn", None),
    "ddpg": ("ddpg", None),
    "dueling": ("dueling", None),
    "td3": ("td3", None),
    "sac": ("sac", None),
    "ppo": ("ppo", None),
    "ppo of vectors": ("ppo", "Pendulum-v1"),
    "bare dqn": ("dqn", "train_envs:Line-v0"),
    "bare ddpg": ("ddpg", "train_envs:Vectors-v0"),
    "bare dueling": ("dueling", "train_envs:Line-v0"),
    "bare td3": ("td3", "train_envs:Vectors-v0"),
    "bare sac": ("sac", "train_envs:Vectors-v0"),
    "bare ppo": ("ppo", "train_envs:Line-v0"),
    "bare ppo of vectors": ("ppo", "train_envs:Vectors-v0"),
}


def digest(algo: str, environment: str | None, folder: Path) -> str:
    """That of a run's end."""
    run = make(short(algo, "native", 3, environment, evaluate_every=256), folder)
    run.run()
    assert run.trainer.updates >= 8
    return run.state.digest[:16]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    loop.LOOK = loop.CHOICE = 1  # a digest is of what is trained, and evaluations would take most of the time
    print(json.dumps({name: digest(*arguments, folder / name) for name, arguments in RUNS.items()}))
