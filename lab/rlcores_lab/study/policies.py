"""Real policy files for `rlcores deploy`: made by the libraries' own training and exporters, none of them for a core.

Files stand in a folder (build/policies), each with NAME.npz beside it: `obs`, observations that the policy met in its
task, and `act`, what its library answers. Nothing is made twice. `python -m rlcores_lab.study.policies FOLDER [NAME…]`
makes them; it needs the extras sb3, deploy, mujoco and study, and for some of them what `Recipe.needs` says.
"""

import importlib.util
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.deploy import imported
from rlcores.errors import UserError
from rlcores_lab.study import policies_of
from rlcores_lab.study.policies_of import Act

MET = 4096  # observations that are kept beside a file
CLEANRL = "RLCORES_CLEANRL"  # environment variable: a checkout of CleanRL


@dataclass(frozen=True)
class Recipe:
    """How a file is made.

    maker: `sb3` (algorithm, environment, steps, settings), `cleanrl` (script, environment, steps), `rsl_rl`, `onnx`
    (another recipe's policy through an exporter) or `sequence`. normalised: behind VecNormalize.
    """

    name: str
    maker: str
    suffix: str = ".zip"
    algorithm: str = ""
    environment: str = ""
    steps: int = 0
    envs: int = 1
    normalised: bool = False
    settings: dict[str, Any] = field(default_factory=dict)
    of: str = ""
    exporter: str = ""
    needs: tuple[str, ...] = ()
    hints: dict[str, str] = field(default_factory=dict)  # what the file does not say: arguments of imported.load


_ROBOT = {"n_steps": 256, "batch_size": 128, "ent_coef": 0.0, "gae_lambda": 0.95, "learning_rate": 3e-4}
_QUICK_TD3 = {"learning_starts": 500, "buffer_size": 50_000}

RECIPES = (
    # Those whose returns are measured by bits: they learn.
    Recipe("sac_pendulum", "sb3", algorithm="SAC", environment="Pendulum-v1", steps=8000,
           settings={"learning_rate": 1e-3}),
    Recipe("ppo_lunarlander", "sb3", algorithm="PPO", environment="LunarLander-v3", steps=500_000, envs=16,
           settings={"n_steps": 512, "batch_size": 256, "gae_lambda": 0.98, "gamma": 0.999, "n_epochs": 4,
                     "ent_coef": 0.01}),
    Recipe("ppo_hopper", "sb3", algorithm="PPO", environment="Hopper-v5", steps=600_000, envs=8, normalised=True,
           settings=_ROBOT),
    Recipe("ppo_halfcheetah", "sb3", algorithm="PPO", environment="HalfCheetah-v5", steps=400_000, envs=8,
           normalised=True, settings=_ROBOT),
    Recipe("ppo_walker2d", "sb3", algorithm="PPO", environment="Walker2d-v5", steps=400_000, envs=8, normalised=True,
           settings=_ROBOT),
    # The other algorithms and forms, trained for a moment.
    Recipe("ppo_cartpole", "sb3", algorithm="PPO", environment="CartPole-v1", steps=5000, envs=4,
           settings={"n_steps": 256}),
    Recipe("a2c_cartpole", "sb3", algorithm="A2C", environment="CartPole-v1", steps=5000),
    Recipe("a2c_pendulum", "sb3", algorithm="A2C", environment="Pendulum-v1", steps=5000, normalised=True),
    Recipe("ppo_acrobot", "sb3", algorithm="PPO", environment="Acrobot-v1", steps=5000, envs=4, normalised=True),
    Recipe("td3_pendulum", "sb3", algorithm="TD3", environment="Pendulum-v1", steps=1200, settings=_QUICK_TD3),
    Recipe("ddpg_pendulum", "sb3", algorithm="DDPG", environment="Pendulum-v1", steps=1200, settings=_QUICK_TD3),
    Recipe("sac_hopper", "sb3", algorithm="SAC", environment="Hopper-v5", steps=1200, normalised=True,
           settings={"learning_starts": 500}),
    Recipe("td3_walker2d", "sb3", algorithm="TD3", environment="Walker2d-v5", steps=1200, settings=_QUICK_TD3),
    Recipe("dqn_cartpole", "sb3", algorithm="DQN", environment="CartPole-v1", steps=5000),
    Recipe("dqn_lunarlander", "sb3", algorithm="DQN", environment="LunarLander-v3", steps=5000,
           settings={"learning_starts": 1000}),
    Recipe("dqn_acrobot", "sb3", algorithm="DQN", environment="Acrobot-v1", steps=5000, normalised=True),
    Recipe("qrdqn_cartpole", "sb3", algorithm="QRDQN", environment="CartPole-v1", steps=5000),
    Recipe("qrdqn_mountaincar", "sb3", algorithm="QRDQN", environment="MountainCar-v0", steps=5000),
    Recipe("cleanrl_ppo_cartpole", "cleanrl", ".pth", "ppo", "CartPole-v1", 20_000, needs=("tyro", "tensorboard")),
    Recipe("cleanrl_dqn_cartpole", "cleanrl", ".pth", "dqn", "CartPole-v1", 20_000, needs=("tyro", "tensorboard")),
    Recipe("cleanrl_ppo_hopper", "cleanrl", ".pth", "ppo_continuous_action", "Hopper-v5", 8000,
           needs=("tyro", "tensorboard")),
    Recipe("cleanrl_td3_pendulum", "cleanrl", ".pth", "td3_continuous_action", "Pendulum-v1", 1200,
           needs=("tyro", "tensorboard")),
    Recipe("cleanrl_ddpg_walker2d", "cleanrl", ".pth", "ddpg_continuous_action", "Walker2d-v5", 1200,
           needs=("tyro", "tensorboard")),
    Recipe("onnx_ppo_hopper", "onnx", ".onnx", of="ppo_hopper", exporter="script"),
    Recipe("onnx_ppo_halfcheetah", "onnx", ".onnx", of="ppo_halfcheetah", exporter="dynamo", needs=("onnxscript",)),
    Recipe("onnx_ppo_lunarlander", "onnx", ".onnx", of="ppo_lunarlander", exporter="script"),
    Recipe("onnx_sac_pendulum", "onnx", ".onnx", of="sac_pendulum", exporter="dynamo", needs=("onnxscript",)),
    Recipe("onnx_dqn_cartpole", "onnx", ".onnx", of="dqn_cartpole", exporter="script"),
    Recipe("onnx_a2c_pendulum", "onnx", ".onnx", of="a2c_pendulum", exporter="script"),
    Recipe("onnx_ppo_cartpole", "onnx", ".onnx", of="ppo_cartpole", exporter="dynamo", needs=("onnxscript",),
           hints={"head": "argmax"}),
    Recipe("onnx_td3_pendulum", "onnx", ".onnx", of="td3_pendulum", exporter="script"),
    Recipe("onnx_dqn_cartpole_new", "onnx", ".onnx", of="dqn_cartpole", exporter="dynamo", needs=("onnxscript",),
           hints={"head": "argmax"}),
    Recipe("rsl_rl_locomotion", "rsl_rl", ".onnx", needs=("rsl_rl",)),
    Recipe("sequence_td3_pendulum", "sequence", ".pt", of="td3_pendulum", hints={"head": "continuous"}),
    Recipe("state_ppo_cartpole", "sequence", ".pth", of="ppo_cartpole", hints={"activation": "tanh", "head": "argmax"}),
    Recipe("state_ppo_hopper", "sequence", ".pth", of="ppo_hopper", hints={"activation": "tanh", "head": "continuous"}),
)  # fmt: skip
LEARNT = ("sac_pendulum", "ppo_lunarlander", "ppo_hopper", "ppo_halfcheetah", "ppo_walker2d")
BY_NAME = {recipe.name: recipe for recipe in RECIPES}


@dataclass(frozen=True)
class Made:
    """A policy file, its normaliser's file if it has one, and what its library answers."""

    recipe: Recipe
    file: Path
    normaliser: Path | None
    observations: np.ndarray
    actions: np.ndarray


def made(name: str, folder: Path) -> Made | None:
    """A file that is there; None if it is not."""
    recipe, file = BY_NAME[name], folder / f"{name}{BY_NAME[name].suffix}"
    if not (file.is_file() and (folder / f"{name}.npz").is_file()):
        return None
    with np.load(folder / f"{name}.npz") as known:
        obs, act = known["obs"], known["act"]
    return Made(recipe, file, folder / f"{name}.pkl" if recipe.normalised else None, obs, act)


def make(name: str, folder: Path) -> Made:
    """The file of a recipe: the one that is there, else a new one. Raises UserError if something is missing for it."""
    if (there := made(name, folder)) is not None:
        return there
    recipe = BY_NAME[name]
    for need in recipe.needs:
        if importlib.util.find_spec(need) is None:
            raise UserError(f"'{name}' needs the package '{need}', which is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    _MAKERS[recipe.maker](recipe, folder)
    policy_file = made(name, folder)
    if policy_file is None:
        raise UserError(f"'{name}' was not made")
    return policy_file


def _tasks(recipe: Recipe, count: int, seed: int) -> Any:
    import gymnasium as gym
    from stable_baselines3.common.vec_env import DummyVecEnv

    tasks = DummyVecEnv([lambda: gym.make(recipe.environment)] * count)
    tasks.seed(seed)
    return tasks


def _sb3(recipe: Recipe, folder: Path) -> None:
    """`learn()` and `save()`, with the algorithm's default network."""
    import sb3_contrib
    import stable_baselines3
    import torch
    from stable_baselines3.common.vec_env import VecNormalize

    torch.set_num_threads(1)
    tasks = _tasks(recipe, recipe.envs, 1)
    if recipe.normalised:
        tasks = VecNormalize(tasks, gamma=recipe.settings.get("gamma", 0.99))
    kind = getattr(stable_baselines3, recipe.algorithm, None) or getattr(sb3_contrib, recipe.algorithm)
    model = kind("MlpPolicy", tasks, seed=1, device="cpu", **recipe.settings)
    model.learn(recipe.steps)
    if recipe.normalised:
        tasks.save(str(folder / f"{recipe.name}.pkl"))
    model.save(folder / recipe.name)
    normalise = tasks.normalize_obs if recipe.normalised else lambda x: x
    _met(recipe, folder, lambda obs: model.predict(normalise(obs), deterministic=True)[0])


def _met(recipe: Recipe, folder: Path, act: Act) -> None:
    """Observations that a policy meets, a fifth of its actions random, and its answers, beside its file."""
    import gymnasium as gym

    task = gym.make(recipe.environment)
    task.action_space.seed(7)
    rng, met = np.random.default_rng(7), []
    obs, _ = task.reset(seed=7)
    while len(met) < MET:
        met.append(np.asarray(obs, dtype=np.float64).ravel())
        action = np.asarray(act(met[-1].astype(np.float32)[None])[0])
        if rng.random() < 0.2:
            action = task.action_space.sample()
        elif action.ndim:
            action = np.clip(action, task.action_space.low, task.action_space.high)
        obs, _, terminated, truncated, _ = task.step(action)
        if terminated or truncated:
            obs, _ = task.reset()
    task.close()
    _answered(recipe, folder, act, np.array(met, dtype=np.float32))


def _answered(recipe: Recipe, folder: Path, act: Act, seen: np.ndarray) -> None:
    answers = np.concatenate([np.atleast_1d(act(row[None])) for row in seen])
    np.savez_compressed(folder / f"{recipe.name}.npz", obs=seen, act=answers)


def _cleanrl(recipe: Recipe, folder: Path) -> None:
    checkout = os.environ.get(CLEANRL)
    if not checkout or not (Path(checkout) / "cleanrl").is_dir():
        raise UserError(f"'{recipe.name}' needs a checkout of CleanRL, named by the environment variable {CLEANRL}")
    file = folder.resolve() / f"{recipe.name}{recipe.suffix}"
    act = policies_of.cleanrl(recipe.algorithm, recipe.environment, recipe.steps, file, str(Path(checkout).resolve()))
    if recipe.algorithm == "ppo_continuous_action":  # its script normalises before the agent, and saves no statistics
        inputs = imported.load(file).sizes[0]
        drawn = np.random.default_rng(7).normal(size=(MET, inputs)) * 2
        _answered(recipe, folder, act, np.clip(drawn, -10, 10).astype(np.float32))
    else:
        _met(recipe, folder, act)


def _rsl_rl(recipe: Recipe, folder: Path) -> None:
    act = policies_of.rsl_rl(folder.resolve() / f"{recipe.name}{recipe.suffix}", 5)
    drawn = np.random.default_rng(7).normal(size=(MET, 48)) * np.logspace(-1, 1, 48) * 4 + 1
    _answered(recipe, folder, act, drawn.astype(np.float32))


def _of(recipe: Recipe, folder: Path) -> tuple[Made, Any, Any]:
    """The recipe that a file is of, its model, its normaliser or None."""
    from stable_baselines3.common.vec_env import VecNormalize

    first = make(recipe.of, folder)
    model = policies_of.sb3(first.file, first.recipe.algorithm)
    normaliser = None
    if first.normaliser is not None:
        normaliser = VecNormalize.load(str(first.normaliser), _tasks(first.recipe, 1, 1))
    return first, model, normaliser


def _onnx(recipe: Recipe, folder: Path) -> None:
    first, model, normaliser = _of(recipe, folder)
    act = policies_of.exported(model, normaliser, recipe.exporter, folder / f"{recipe.name}{recipe.suffix}")
    _answered(recipe, folder, act, first.observations)


def _sequence(recipe: Recipe, folder: Path) -> None:
    first, model, normaliser = _of(recipe, folder)
    act = policies_of.saved(model, folder / f"{recipe.name}{recipe.suffix}")
    seen = first.observations if normaliser is None else normaliser.normalize_obs(first.observations)
    _answered(recipe, folder, act, seen.astype(np.float32))


_MAKERS: dict[str, Callable[[Recipe, Path], None]] = {
    "sb3": _sb3, "cleanrl": _cleanrl, "rsl_rl": _rsl_rl, "onnx": _onnx, "sequence": _sequence
}  # fmt: skip


def main(folder: Path, names: list[str]) -> None:
    """Make files one after the other; what cannot be made is said."""
    for name in names or [recipe.name for recipe in RECIPES]:
        began = time.time()
        try:
            make(name, folder)
            print(f"{name}: {time.time() - began:.0f} s", flush=True)
        except (UserError, RuntimeError) as error:
            print(f"{name}: {error}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
