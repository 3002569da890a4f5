"""PPO core, its shape: two networks on the learner's tensor units, a rollout, and how it is trained.

Actor and critic see the same observation. Both have the learner's units but for the target network's: FW serves acting
and training in turn. Networks are described as the learner's are (`rlcores.cores.learner.shape.NetworkShape`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rlcores.cores.learner.optimisers import ADAM
from rlcores.cores.learner.optimisers.slot import NEAREST
from rlcores.cores.learner.shape import LearnerShape as Learner
from rlcores.cores.learner.shape import NetworkShape, ceil_div, network_parameters, networks
from rlcores.cores.ppo.words import NETWORKS


@dataclass(frozen=True)
class PpoShape:
    """What a core is built for. Raises ValueError from check() when it cannot be."""

    actor: NetworkShape
    critic: NetworkShape
    columns: int = 5  # DP: samples that travel side by side through both networks
    environments: int = 64  # N, which take turns
    steps: int = 128  # T of a rollout and environment
    epochs: int = 4
    minibatches: int = 4
    gae_rows: int = 1  # records that GAE takes per clock
    gaussian: bool = False  # a Gaussian policy, else a categorical one
    record_bits: int = 0  # of a reward or a value in the rollout's memory; 0: 27, as they are

    @property
    def records(self) -> int:
        """Records of a rollout."""
        return self.environments * self.steps

    @property
    def minibatch(self) -> int:
        """Records of a minibatch; the last one of an epoch may have fewer."""
        return ceil_div(self.records, self.minibatches)

    @property
    def networks(self) -> dict[str, NetworkShape]:
        """Both networks by name."""
        return {"actor": self.actor, "critic": self.critic}

    def learner(self, net: NetworkShape) -> Learner:
        """The learner's shape that has the units of one of the networks."""
        return Learner(net, None, self.columns, self.minibatch, ADAM, NEAREST, False, 1)

    def check(self) -> None:
        """Raises ValueError when the core cannot be built so."""
        for name, net in self.networks.items():
            net.check(f"the {name}'s ")
        if (self.actor.sizes[0], self.actor.lanes[0]) != (self.critic.sizes[0], self.critic.lanes[0]):
            raise ValueError("actor and critic see the same observation: their first sizes and lanes are equal")
        if self.environments % self.gae_rows:
            raise ValueError(f"{self.gae_rows} rows of GAE do not divide {self.environments} environments")

    def parameters(self) -> dict[str, int | str]:
        """The Verilog parameters of rlc_ppo."""
        sizes = {"DP": self.columns, "BATCH_MAX": self.minibatch, "N_ENVS": self.environments, "STEPS": self.steps}
        ways = {"GAUSSIAN": int(self.gaussian)} | ({"RECORD_BITS": self.record_bits} if self.record_bits else {})
        return network_parameters([self.critic, self.actor]) | sizes | ways

    def macs(self) -> dict[str, int]:
        """Multipliers of each tensor unit, by network and unit: "actor FW1"."""
        macs = {}
        for name, net in self.networks.items():
            for n in range(1, net.layers + 1):
                macs[f"{name} FW{n}"] = self.columns * net.forward_macs(n)
                macs[f"{name} WA{n}"] = self.columns * net.backward_macs(n)
                if n > 1:
                    macs[f"{name} BW{n}"] = self.columns * net.backward_macs(n)
        return macs

    @classmethod
    def of(cls, parameters: Mapping[str, int | str]) -> "PpoShape":
        """Of Verilog parameters of rlc_ppo; minibatches are as long as they may be. Raises ValueError."""
        nets = networks(parameters)
        if len(nets) != len(NETWORKS):
            raise ValueError(f"SIZES has {len(nets)} network{'s' * (len(nets) > 1)}; PPO has {' and '.join(NETWORKS)}")
        critic, actor = nets
        envs, steps = int(parameters["N_ENVS"]), int(parameters["STEPS"])
        minibatches = ceil_div(envs * steps, int(parameters["BATCH_MAX"]))
        ways = {"gaussian": bool(parameters.get("GAUSSIAN")), "record_bits": int(parameters.get("RECORD_BITS", 0))}
        return cls(actor, critic, int(parameters["DP"]), envs, steps, minibatches=minibatches, **ways)

    def with_sizes(self, observation: int, actions: int) -> "PpoShape":
        """The same core for another environment."""
        ends = [(self.actor, actions), (self.critic, 1)]
        nets = [replace(net, sizes=(observation, *net.sizes[1:-1], last)) for net, last in ends]
        return replace(self, actor=nets[0], critic=nets[1])


def balanced(observation: int = 4, actions: int = 2, hidden: int = 64, columns: int = 5, lanes: int = 2) -> PpoShape:
    """Two hidden layers whose big units take `hidden` clocks a batch slice, with `lanes` behind the second one."""
    groups = hidden // (4 * lanes)
    units = {"forward": (1, groups, 1), "backward": (1, groups, 1)}
    update = {"update_rows": (4, lanes, 1), "update_cols": (1, 4, lanes)}
    nets = [
        NetworkShape((observation, hidden, hidden, last), (1, 4, lanes, 1), **units, **update) for last in (actions, 1)
    ]
    return PpoShape(*nets, columns=columns)


def small(sizes: Sequence[int], columns: int = 2) -> tuple[NetworkShape, NetworkShape]:
    """Actor and critic for an actor of these sizes, with few multipliers: quick to build and to simulate."""
    hidden = len(sizes) - 2
    lanes = (1, *(min(4 if n % 2 == 0 else 2, size) for n, size in enumerate(sizes[1:-1])), 1)
    words = [ceil_div(size, lane) for size, lane in zip(sizes, lanes, strict=True)]
    groups = (1, *(min(2, words[n], words[n + 1]) for n in range(1, hidden)), 1)[: hidden + 1]
    networks = []
    for last in (sizes[-1], 1):
        net = NetworkShape((*sizes[:-1], last), lanes, groups, groups, lanes[1:], lanes[:-1])
        networks.append(net)
    return networks[0], networks[1]
