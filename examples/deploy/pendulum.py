"""Pendulum: a policy of Stable-Baselines3's SAC becomes a core for the ULX3S, with a guard before the motor.

`python examples/deploy/pendulum.py FOLDER [STEPS]` trains (some minutes), saves as the library does, deploys, runs the
folder's bench and compares the returns. It needs the extras sb3 and train, a C compiler and Icarus Verilog.
"""

import subprocess
import sys
from functools import partial
from pathlib import Path

import gymnasium as gym
import numpy as np
from stable_baselines3 import SAC

from rlcores.deploy import folder, guard, imported, observations


def returns(act, episodes: int = 20) -> float:
    """Mean return of a policy's actions."""
    task, total = gym.make("Pendulum-v1"), 0.0
    for episode in range(episodes):
        obs, _ = task.reset(seed=episode)
        ended = False
        while not ended:
            obs, reward, terminated, truncated, _ = task.step(act(obs[None])[0].astype(np.float32))
            total, ended = total + float(reward), terminated or truncated
    return total / episodes


def main(there: Path, steps: int) -> None:
    """Train, save, deploy, check."""
    there.mkdir(parents=True, exist_ok=True)
    file = there / "sac_pendulum.zip"
    if not file.is_file():
        model = SAC("MlpPolicy", "Pendulum-v1", learning_rate=1e-3, seed=1, device="cpu")
        model.learn(steps)
        model.save(file)

    policy = imported.load(file)
    seen = observations.played(policy, "Pendulum-v1", 2000, seed=0)
    # The board's clock and multipliers count. The torque moves by 0.5 Nm per control period at most, and falls back to
    # none when no good action came for three of them.
    done = folder.deploy(
        policy, seen, there / "core", device="ulx3s", rate=20_000,
        guard=partial(guard.settings, observations=seen, step=(0.5,), safe=(0.0,), wait=3),
    )  # fmt: skip
    print(f"{done.sized.clocks} clocks, {done.sized.nanoseconds / 1000:.1f} us at {done.sized.clock}")
    subprocess.run(["make", "-C", there / "core" / "bench"], check=True)
    print(
        f"return: {returns(policy.act):.1f} in floating point, {returns(done.quantised.act):.1f} in the core's integers"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8000)
