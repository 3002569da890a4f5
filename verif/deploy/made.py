"""Real policy files, made by the libraries' own training commands and exporters.

`python verif/deploy/made.py FOLDER` writes the small ones that stand in verif/deploy/files, each with what the library
itself answers: NAME.npz with `obs` and `act`. Needs the extras sb3 and deploy, and onnxscript for PyTorch's new
exporter.
"""

import sys
from pathlib import Path

import gymnasium as gym
import numpy as np
import onnx
import torch
from torch import nn

ALGORITHMS = {
    "ppo_pendulum": ("PPO", "Pendulum-v1", {"n_steps": 64}),
    "ppo_cartpole": ("PPO", "CartPole-v1", {"n_steps": 64}),
    "a2c_cartpole": ("A2C", "CartPole-v1", {}),
    "sac_pendulum": ("SAC", "Pendulum-v1", {}),
    "td3_pendulum": ("TD3", "Pendulum-v1", {}),
    "ddpg_pendulum": ("DDPG", "Pendulum-v1", {}),
    "dqn_cartpole": ("DQN", "CartPole-v1", {}),
    "qrdqn_cartpole": ("QRDQN", "CartPole-v1", {}),
}


def trained(name: str, folder: Path, **settings: object) -> Path:
    """An archive of a few training steps with the algorithm's default network, and its answers beside it."""
    import sb3_contrib
    import stable_baselines3

    algorithm, task, own = ALGORITHMS[name]
    kind = getattr(stable_baselines3, algorithm, None) or getattr(sb3_contrib, algorithm)
    model = kind("MlpPolicy", task, seed=1, device="cpu", **own, **settings)
    model.learn(200)
    model.save(folder / name)
    low = np.maximum(model.observation_space.low, -10)
    high = np.minimum(model.observation_space.high, 10)
    obs = np.random.default_rng(0).uniform(low, high, (100, low.size)).astype(np.float32)
    np.savez(folder / f"{name}.npz", obs=obs, act=model.predict(obs, deterministic=True)[0])
    return folder / f"{name}.zip"


def normalised(folder: Path) -> None:
    """PPO behind VecNormalize, with ELU and two layers of 16."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

    tasks = VecNormalize(DummyVecEnv([lambda: gym.make("Pendulum-v1")]))
    settings = {"activation_fn": nn.ELU, "net_arch": [16, 16]}
    model = PPO("MlpPolicy", tasks, n_steps=64, policy_kwargs=settings, device="cpu", seed=2)
    model.learn(256)
    model.save(folder / "ppo_normalised")
    tasks.save(folder / "ppo_normalised.pkl")
    obs = np.random.default_rng(0).normal(size=(100, 3)) * np.array([1, 1, 60.0])
    act = model.predict(tasks.normalize_obs(obs), deterministic=True)[0]
    np.savez(folder / "ppo_normalised.npz", obs=obs, act=act)


class RslRl(nn.Module):
    """The shape of RSL-RL's exporter: a normaliser, then the actor."""

    def __init__(self, sizes: tuple[int, ...], activation: type[nn.Module]) -> None:
        super().__init__()
        self.register_buffer("mean", torch.randn(1, sizes[0]))
        self.register_buffer("std", torch.rand(1, sizes[0]) + 0.5)
        parts: list[nn.Module] = []
        for above, below in zip(sizes[1:], sizes, strict=False):
            parts += [nn.Linear(below, above), activation()]
        self.actor = nn.Sequential(*parts[:-1])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.actor((x - self.mean) / (self.std + 1e-2))


class Gaussian(nn.Module):
    """Means and deviations from one layer, of which the means are taken, squashed, scaled and limited."""

    def __init__(self, activation: nn.Module, norm: bool = False) -> None:
        super().__init__()
        extra = [nn.LayerNorm(16)] if norm else []
        self.net = nn.Sequential(nn.Linear(5, 16), *extra, activation, nn.Linear(16, 12), activation, nn.Linear(12, 6))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mean, _ = torch.split(self.net(x), 3, dim=-1)
        return torch.clamp(torch.tanh(mean) * 2.0, -1.5, 1.5)


class Whole(nn.Module):
    """The guide of Stable-Baselines3: the whole policy, which gives action, value and log-probability."""

    def __init__(self, policy: nn.Module) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.policy(x, deterministic=True)


def exported(module: nn.Module, inputs: int, file: Path, new: bool = False) -> None:
    """An ONNX file by one of PyTorch's two exporters, and the module's answers beside it."""
    module.eval()
    torch.onnx.export(module, (torch.randn(1, inputs),), str(file), dynamo=new, input_names=["obs"])
    if new:  # it writes where each operator's source stands on this machine
        model = onnx.load(file, load_external_data=False)
        for node in model.graph.node:
            del node.metadata_props[:]
        file.write_bytes(model.SerializeToString())
    obs = torch.randn(100, inputs, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        answers = [module(row[None]) for row in obs]
    act = np.concatenate([(a[0] if isinstance(a, tuple) else a).numpy() for a in answers])
    np.savez(file.with_suffix(".npz"), obs=obs.numpy(), act=act)


class CleanRlActor(nn.Module):
    """Names and shape of the actor in CleanRL's script of TD3 and DDPG for continuous actions."""

    def __init__(self) -> None:
        super().__init__()
        self.fc1, self.fc2, self.fc_mu = nn.Linear(3, 24), nn.Linear(24, 24), nn.Linear(24, 1)
        self.register_buffer("action_scale", torch.tensor([2.0]))
        self.register_buffer("action_bias", torch.tensor([0.5]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.fc2(torch.relu(self.fc1(x))))
        return torch.tanh(self.fc_mu(x)) * self.action_scale + self.action_bias


class CleanRlPpo(nn.Module):
    """Names and shape of the agent in CleanRL's script of PPO."""

    def __init__(self) -> None:
        super().__init__()
        parts = [nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 12), nn.Tanh(), nn.Linear(12, 1)]
        self.critic = nn.Sequential(*parts)
        self.actor = nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 12), nn.Tanh(), nn.Linear(12, 2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.actor(x).argmax(dim=-1)


def answered(module: nn.Module, inputs: int, file: Path) -> None:
    """The module's answers beside a file."""
    obs = torch.randn(100, inputs, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        np.savez(file, obs=obs.numpy(), act=module(obs).numpy())


def main(folder: Path) -> None:
    torch.manual_seed(0)
    normalised(folder)
    exported(RslRl((9, 16, 12, 4), nn.ELU), 9, folder / "rsl_rl.onnx")
    exported(Gaussian(nn.SiLU()), 5, folder / "silu.onnx")
    exported(Gaussian(nn.SiLU(), norm=True), 5, folder / "layer_norm.onnx")
    exported(Gaussian(nn.LeakyReLU(0.05)), 5, folder / "leaky.onnx", new=True)
    exported(Gaussian(nn.Sigmoid()), 5, folder / "sigmoid.onnx")
    actor = CleanRlActor()
    torch.save((actor.state_dict(), nn.Linear(2, 2).state_dict()), folder / "cleanrl_td3.pth")
    answered(actor, 3, folder / "cleanrl_td3.npz")
    agent = CleanRlPpo()
    torch.save(agent.state_dict(), folder / "cleanrl_ppo.pth")
    answered(agent, 4, folder / "cleanrl_ppo.npz")
    sequence = nn.Sequential(
        nn.Linear(3, 8), nn.Sequential(nn.ELU(0.5), nn.Linear(8, 8)), nn.LeakyReLU(), nn.Linear(8, 2)
    )
    torch.save(sequence, folder / "sequence.pt")
    answered(sequence, 3, folder / "sequence.npz")
    plain = nn.Sequential(nn.Linear(3, 8), nn.SiLU(), nn.Linear(8, 2), nn.Tanh())
    torch.save({"step": 3, "model_state_dict": plain.state_dict()}, folder / "state.pth")
    answered(plain, 3, folder / "state.npz")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
