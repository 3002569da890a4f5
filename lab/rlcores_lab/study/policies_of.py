"""Makers of `policies`: CleanRL's scripts, RSL-RL's runner and exporter, PyTorch's exporters, `torch.save()`.

Each maker trains or loads with the library's own commands, and gives back the function from observations to actions
that the library itself computes.
"""

import os
import runpy
import sys
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from rlcores.errors import UserError

Act = Callable[[np.ndarray], np.ndarray]


def sb3(file: Path, algorithm: str) -> Any:
    """A model of Stable-Baselines3 or its contrib package, loaded by the library itself."""
    import sb3_contrib
    import stable_baselines3

    kind = getattr(stable_baselines3, algorithm, None) or getattr(sb3_contrib, algorithm)
    return kind.load(file, device="cpu")


def cleanrl(script: str, environment: str, steps: int, file: Path, checkout: str) -> Act:
    """One of CleanRL's scripts as it is, for `steps` steps; then what its --save-model saves, the state_dicts.

    The scripts are of Gymnasium 0.29. Gymnasium 1 wants the space of what a TransformObservation gives, and its vectors
    give an episode's last observation as the step's, where 0.29 had it in the information.
    """
    import gymnasium as gym
    import torch

    kind, vector = gym.wrappers.TransformObservation, gym.vector.SyncVectorEnv

    class Vector(vector):
        def step(self, actions: Any) -> tuple:
            obs, *rest, infos = super().step(actions)
            return (obs, *rest, infos | {"final_observation": obs})

    arguments = ["--env-id", environment, "--total-timesteps", str(steps), "--no-cuda", "--seed", "1"]
    if script.startswith(("td3", "ddpg", "sac", "dqn")):
        arguments += ["--learning-starts", "500"]
    before = list(sys.argv), list(sys.path)
    with TemporaryDirectory() as folder, chdir(folder):
        try:
            gym.wrappers.TransformObservation = lambda env, f: kind(env, f, env.observation_space)
            gym.vector.SyncVectorEnv = Vector
            sys.argv = [f"{script}.py", *arguments]
            sys.path.insert(0, checkout)
            left = runpy.run_path(os.path.join(checkout, "cleanrl", f"{script}.py"), run_name="__main__")
        finally:
            gym.wrappers.TransformObservation, gym.vector.SyncVectorEnv = kind, vector
            sys.argv, sys.path[:] = before
    if script.startswith(("td3", "ddpg")):
        net = left["actor"]
        torch.save((net.state_dict(), left["qf1"].state_dict()), file)
        return _act(net)
    if script == "dqn":
        net = left["q_network"]
        torch.save(net.state_dict(), file)
        return _act(lambda x: net(x).argmax(dim=-1))
    agent = left["agent"]
    torch.save(agent.state_dict(), file)
    return _act(agent.actor_mean if script == "ppo_continuous_action" else lambda x: agent.actor(x).argmax(dim=-1))


def _act(module: Callable[[Any], Any]) -> Act:
    import torch

    def act(obs: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            outputs = module(torch.as_tensor(np.asarray(obs, dtype=np.float32)))
        return (outputs[0] if isinstance(outputs, tuple) else outputs).numpy()

    return act


def rsl_rl(file: Path, iterations: int) -> Act:
    """RSL-RL's runner on a task of 48 observations and 12 actions, and its own exporter: 48-512-256-128-12, ELU.

    The task is made up: 64 copies of a linear plant that is to be held at 0, with sensors of unlike ranges.
    """
    import torch
    from rsl_rl.env import VecEnv
    from rsl_rl.runners import OnPolicyRunner
    from tensordict import TensorDict

    torch.set_num_threads(1)
    torch.manual_seed(1)

    class Plant(VecEnv):
        num_envs, num_actions, max_episode_length, device = 64, 12, 200, "cpu"
        cfg: dict = {}  # noqa: RUF012

        def __init__(self) -> None:
            self.state = torch.randn(64, 24)
            self.sensors = torch.randn(24, 48) * torch.logspace(-1, 1, 48)
            self.inputs = torch.randn(12, 24) * 0.2
            self.episode_length_buf = torch.zeros(64, dtype=torch.long)

        def get_observations(self) -> TensorDict:
            return TensorDict({"policy": self.state @ self.sensors + 1.0}, batch_size=[64])

        def step(self, actions: torch.Tensor) -> tuple:
            moved = self.state * 0.95 + actions.clamp(-1, 1) @ self.inputs
            self.state = moved + 0.05 * torch.randn_like(moved)
            self.episode_length_buf += 1
            ended = self.episode_length_buf >= self.max_episode_length
            self.state[ended] = torch.randn(int(ended.sum()), 24)
            self.episode_length_buf[ended] = 0
            rewards = -(self.state**2).mean(dim=1)
            return self.get_observations(), rewards, ended, {"time_outs": ended}

    network = {"class_name": "MLPModel", "hidden_dims": [512, 256, 128], "activation": "elu", "obs_normalization": True}
    gaussian = {"distribution_cfg": {"class_name": "GaussianDistribution", "init_std": 1.0, "std_type": "scalar"}}
    settings = {
        "num_steps_per_env": 24, "save_interval": 1000, "obs_groups": {"actor": ["policy"], "critic": ["policy"]},
        "algorithm": {"class_name": "PPO"}, "actor": network | gaussian, "critic": dict(network),
    }  # fmt: skip
    runner = OnPolicyRunner(Plant(), settings, log_dir=None, device="cpu")
    runner.learn(iterations)
    runner.export_policy_to_onnx(str(file.parent), file.name)
    policy = runner.alg.get_policy().as_onnx(verbose=False)
    policy.eval()
    return _act(policy)


def exported(model: Any, normaliser: Any, exporter: str, file: Path) -> Act:
    """A model's policy in ONNX as Stable-Baselines3's guide does it, a VecNormalize before it as plain operators.

    exporter: `script` or `dynamo`, PyTorch's two. The second one does not take the library's distributions, so it gets
    the network alone; of values or logits the file does not say then that their greatest is the action.
    """
    import torch
    from torch import nn

    class Exported(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            gaussian = hasattr(getattr(model.policy, "actor", None), "latent_pi")  # SAC, whose actor the guide exports
            self.policy = model.policy.actor if gaussian else model.policy
            self.normalises = normaliser is not None
            if normaliser is not None:
                rms = normaliser.obs_rms
                self.register_buffer("mean", torch.as_tensor(rms.mean, dtype=torch.float32))
                deviation = np.sqrt(rms.var + normaliser.epsilon)
                self.register_buffer("deviation", torch.as_tensor(deviation, dtype=torch.float32))

        def forward(self, obs: Any) -> Any:
            if self.normalises:
                limit = float(normaliser.clip_obs)
                obs = torch.clamp((obs - self.mean) / self.deviation, -limit, limit)
            return network(obs) if exporter == "dynamo" else self.policy(obs, deterministic=True)

    network = _network(model) if exporter == "dynamo" else None
    module = Exported().eval()
    sample = torch.zeros(1, *model.observation_space.shape)
    torch.onnx.export(
        module, (sample,), str(file), opset_version=18, input_names=["input"], dynamo=exporter == "dynamo"
    )
    greatest = exporter == "dynamo" and not model.action_space.shape
    return _act(lambda x: module(x).argmax(dim=-1) if greatest else module(x))


def _network(model: Any) -> Callable[[Any], Any]:
    """The actor's network, or that of the values, without the library's distributions."""
    policy = model.policy
    if hasattr(policy, "mlp_extractor"):
        return lambda x: policy.action_net(policy.mlp_extractor.forward_actor(x))
    if hasattr(policy, "actor"):
        actor = policy.actor
        return lambda x: actor.mu(actor.latent_pi(x)).tanh() if hasattr(actor, "latent_pi") else actor.mu(x)
    return policy.q_net.q_net


def saved(model: Any, file: Path) -> Act:
    """The actor as an `nn.Sequential`: the module itself in a `.pt`, its state_dict in a `.pth`."""
    import torch
    from torch import nn

    if hasattr(model.policy, "mlp_extractor"):
        net = nn.Sequential(*model.policy.mlp_extractor.policy_net, model.policy.action_net)
    elif hasattr(model.policy, "actor"):
        net = nn.Sequential(*model.policy.actor.mu)
    else:
        raise UserError("this algorithm's network is no sequence")
    torch.save(net if file.suffix == ".pt" else net.state_dict(), file)
    return _act(net if model.action_space.shape else lambda x: net(x).argmax(dim=-1))
