"""The three sizes of Zhang (2022), the batches of its Table 4.3, and what it maps where: workloads.yaml."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from rlcores.base import files
from rlcores.errors import UserError
from rlcores.train.algorithms.algorithm import tuples

CPU, GPU, FPGA = "cpu", "gpu", "fpga"
DEVICES = (CPU, GPU, FPGA)


@dataclass(frozen=True)
class Conv:
    """A convolution with ReLU behind it, no padding."""

    channels: int
    kernel: int
    stride: int


@dataclass(frozen=True)
class Workload:
    """One environment with its networks.

    sizes: the value network's layers, behind the convolutions if there are any. actor_sizes: those of DDPG, () for DQN.
    image: (channels, height, width) of a state in front of the convolutions; else ().
    """

    name: str
    title: str
    environment: str  # gymnasium's name of it
    hint: str  # what makes the environment available
    sizes: tuple[int, ...]
    state_words: int  # of a state as it is stored
    action_words: int
    word_bytes: int
    paper: dict[int, tuple[str, ...]]  # batch -> devices of RMM, learner and storage
    module: str = ""  # what must be there to be imported, if anything
    actor_sizes: tuple[int, ...] = ()
    image: tuple[int, ...] = ()
    convs: tuple[Conv, ...] = ()

    @property
    def batches(self) -> tuple[int, ...]:
        """Those of Table 4.3."""
        return tuple(self.paper)

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


def _workload(name: str, entry: dict) -> Workload:
    devices = {device[0].upper(): device for device in DEVICES}
    paper = {batch: tuple(devices[letter] for letter in column) for batch, column in entry.pop("paper").items()}
    convs = tuple(Conv(*conv) for conv in entry.pop("convs", ()))
    return Workload(name, paper=paper, convs=convs, **tuples(entry))


WORKLOADS = {
    name: _workload(name, entry)
    for name, entry in files.read_yaml(Path(__file__).with_name("workloads.yaml"), "a list of workloads").items()
}


def workload(name: str) -> Workload:
    """The workload of that name, ours or gymnasium's. Raises UserError listing them when there is none."""
    for known in WORKLOADS.values():
        if name in (known.name, known.environment):
            return known
    raise UserError(f"there is no environment '{name}' to map; environments: {', '.join(WORKLOADS)}")
