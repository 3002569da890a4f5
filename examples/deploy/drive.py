"""A motor drive: PPO of Stable-Baselines3 learns the current control of a PMSM, and becomes a core for its loop.

`python examples/deploy/drive.py FOLDER [STEPS]`: the plant is rlcores' `rlcores/PmsmCurrent-v0`, the network has two
layers of 64, and the core must answer within a microsecond at 200 MHz. It needs the extras sb3 and train.
"""

import subprocess
import sys
from pathlib import Path

from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecNormalize

from rlcores.cores.env import plants  # noqa: F401  registers the plant
from rlcores.deploy import folder, imported, observations


def main(there: Path, steps: int) -> None:
    """Train behind VecNormalize, save both files, deploy, check."""
    there.mkdir(parents=True, exist_ok=True)
    file, statistics = there / "ppo_drive.zip", there / "vec_normalize.pkl"
    if not file.is_file():
        tasks = VecNormalize(make_vec_env("rlcores/PmsmCurrent-v0", 8, seed=1))
        model = PPO("MlpPolicy", tasks, n_steps=256, batch_size=256, seed=1, device="cpu")
        model.learn(steps)
        model.save(file)
        tasks.save(str(statistics))

    policy = imported.load(file, normaliser=statistics)
    seen = observations.played(policy, "rlcores/PmsmCurrent-v0", 2000, seed=0)
    done = folder.deploy(policy, seen, there / "core", weight_width=12, act_width=12, latency=1e-6)
    shape = done.quantised.shape
    print(f"{done.sized.clocks} clocks, {done.sized.nanoseconds:.0f} ns, an array of {shape.rows} x {shape.cols}")
    for error in done.errors:
        print(f"layer {error.layer}: off by {error.largest:.3g} of {error.span:.3g} at most")
    subprocess.run(["make", "-C", there / "core" / "bench", "c"], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200_000)
