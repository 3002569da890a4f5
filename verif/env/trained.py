"""Small policies that PPO's integer model has trained, in trained.json; `python verif/env/trained.py` makes them again.

They are good and not perfect, so that lengths and returns of their episodes differ.
"""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.learner.float64 import FloatNetwork

FILE = Path(__file__).with_name("trained.json")
# Iterations of 64 x 128 steps.
ITERATIONS = {"cartpole": 5, "pendulum": 12, "acrobot": 16}
HIDDEN = 16, 16


def policy(name: str) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    """Observations (n, k) and a generator, which it does not need -> actions (n,): an index, or a number."""
    entry = json.loads(FILE.read_text())[name]
    network = FloatNetwork(tuple(entry["sizes"]), np.float64)
    network.theta[:] = entry["weights"]
    if ENVIRONMENTS[name].actions:
        return lambda obs, _: network.output(obs.astype(np.float64)).argmax(axis=1)
    return lambda obs, _: network.output(obs.astype(np.float64))[:, 0]


def main() -> None:
    from rlcores.cores.env.model import EnvModel
    from rlcores_lab.study import ppo

    made = {}
    for name, iterations in ITERATIONS.items():
        task, physics = dataclasses.replace(ppo.tasks()[name], network=HIDDEN), ENVIRONMENTS[name]
        learner = ppo.learner(task, seed=1)
        envs = EnvModel(physics, learner.settings.envs)
        observations = envs.start(1)["obs"]
        for _ in range(iterations):
            rollout, observations = learner.collect(envs, observations)
            learner.train(rollout)
        network = ppo.exported(learner, physics, task.input)
        made[name] = {"sizes": list(network.sizes), "weights": network.theta.round(4).tolist()}
    lines = (f'"{name}": {json.dumps(policy)}' for name, policy in made.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
