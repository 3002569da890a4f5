"""The three sizes of Zhang (2022) (Table 4.2), the batches of its Table 4.3, and what it maps where."""

from dataclasses import dataclass
from itertools import pairwise

from rlcores.errors import UserError

CPU, GPU, FPGA = "cpu", "gpu", "fpga"
DEVICES = (CPU, GPU, FPGA)


@dataclass(frozen=True)
class Conv:
    """A convolution with ReLU behind it, no padding."""

    channels: int
    kernel: int
    stride: int


@dataclass(frozen=True)
class Paper:
    """A column of Table 4.3."""

    rmm: str
    learner: str
    storage: str


@dataclass(frozen=True)
class Workload:
    """One environment with its networks.

    sizes: the value network's layers, behind the convolutions if there are any. actor_sizes: those of DDPG, () for DQN.
    image: (channels, height, width) of a state in front of the convolutions; else ().
    """

    name: str
    title: str
    environment: str  # gymnasium's name of it
    module: str  # what must be there to be imported; '' for nothing
    sizes: tuple[int, ...]
    actor_sizes: tuple[int, ...]
    image: tuple[int, ...]
    convs: tuple[Conv, ...]
    state_words: int  # of a state as it is stored
    action_words: int
    word_bytes: int
    batches: tuple[int, ...]
    paper: dict[int, Paper]
    hint: str  # what makes the environment available

    @property
    def experience_words(self) -> int:
        """E of the paper: words of state, action, reward, next state and end."""
        return 2 * self.state_words + self.action_words + 2

    @property
    def experience_bytes(self) -> int:
        """Bytes of them."""
        return self.experience_words * self.word_bytes

    @property
    def stored_bytes(self) -> int:
        """Bytes that one takes in the storage: a frame is there once, though two experiences have it."""
        words = self.state_words + self.action_words + 2 if self.image else self.experience_words
        return words * self.word_bytes

    def conv_shapes(self) -> list[tuple[int, int, int]]:
        """(channels, height, width) of the state and behind each convolution."""
        shapes = [tuple(self.image)] if self.image else []
        for conv in self.convs:
            _, height, width = shapes[-1]
            shapes.append((conv.channels, *((n - conv.kernel) // conv.stride + 1 for n in (height, width))))
        return shapes

    def macs(self) -> dict[str, int]:
        """Multiplications of one forward pass: of the convolutions, the value network's layers, and the actor's."""
        shapes = self.conv_shapes()
        conv = sum(
            after[0] * after[1] * after[2] * before[0] * c.kernel**2
            for (before, after), c in zip(pairwise(shapes), self.convs, strict=True)
        )
        dense = [sum(i * j for i, j in pairwise(sizes)) for sizes in (self.sizes, self.actor_sizes)]
        return {"conv": conv, "value": dense[0], "actor": dense[1]}

    def step_macs(self) -> int:
        """Multiplications of a training step for one record: forward, target, backward and gradient of all networks."""
        macs = self.macs()
        value = 4 * macs["conv"] + 4 * macs["value"]
        # DDPG's actor learns through the critic, forward and back to the action.
        return value + (2 * macs["value"] + 4 * macs["actor"] if self.actor_sizes else 0)


def _paper(batches: tuple[int, ...], *columns: str) -> dict[int, Paper]:
    names = {"C": CPU, "G": GPU, "F": FPGA}
    return {b: Paper(*(names[x] for x in column)) for b, column in zip(batches, columns, strict=True)}


_MLP = (32, 256, 2048, 16384)
_PIXELS = (32, 64, 256)
# The paper's MACs are those of the critic's weights and biases with one input more than state and action have. Its
# 18.8 M of Pong are twice the multiplications of the network of Mnih et al. (2015), 9.3 M.
WORKLOADS = {
    w.name: w
    for w in (
        Workload(
            "cartpole", "CartPole", "CartPole-v1", "", (5, 8, 8, 1), (4, 8, 8, 1), (), (),
            4, 1, 4, _MLP, _paper(_MLP, "FFF", "FFF", "FFF", "FFF"), "gymnasium has it",
        ),
        Workload(
            "hopper", "Hopper", "Hopper-v5", "gymnasium.envs.mujoco", (14, 256, 256, 1), (11, 256, 256, 3), (), (),
            11, 3, 4, _MLP, _paper(_MLP, "FFF", "CGG", "CGG", "FGG"), "it needs MuJoCo: gymnasium[mujoco]",
        ),
        Workload(
            "pong", "Pong", "ALE/Pong-v5", "ale_py", (3136, 512, 6), (), (4, 84, 84),
            (Conv(32, 8, 4), Conv(64, 4, 2), Conv(64, 3, 1)),
            # A state is the newest frame; the three before it are found in the records before.
            84 * 84, 1, 1, _PIXELS, _paper(_PIXELS, "CGG", "CGG", "CGC"), "it needs ale-py",
        ),
    )
}  # fmt: skip


def workload(name: str) -> Workload:
    """The workload of that name, ours or gymnasium's. Raises UserError listing them when there is none."""
    for found in WORKLOADS.values():
        if name in (found.name, found.environment):
            return found
    raise UserError(f"there is no environment '{name}' to map; environments: {', '.join(WORKLOADS)}")
