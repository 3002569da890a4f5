"""PPO core, how many clocks an iteration takes: collecting a rollout, GAE, and K epochs of M minibatches.

    clocks / (N T),  clocks = collect + gae + first statistics + K M (batch slices - 1) T_max + K M (fill + norm +
    update)

The networks' clocks are those of the learner's units (`rlcores_lab.cycles.learner`), word for word; what is no
learner unit counts with the clocks that its module promises.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rlcores.cores.ppo.shape import PpoShape
from rlcores_lab.cycles import learner

INTAKE = 4  # an environment's answer to the observation that the networks take
GATHER = 2  # a batch slice's last sample, or its last deltas, to the first word: rlc_ppo_gather
SCATTER = 2  # a batch slice's last outputs to its first sample: rlc_ppo_scatter
_BATCH_SLICES = 2  # batch slices that the first of them holds
_CREDIT = 1  # a sample that leaves loss or acting to the one that takes its place
ACT = 25  # logits to an answer, and two clocks an action: rlc_ppo_act
ACT_GAUSSIAN = 38  # means to an answer, and a clock a dimension
LOSS = 46  # logits to deltas, and four clocks an action: rlc_rl_clip_categorical
LOSS_GAUSSIAN = 53  # means to deltas, and two clocks a dimension: rlc_rl_clip_gaussian
LOSS_VALUE = 12  # a value to its delta: rlc_rl_value_loss
ENVIRONMENT = 60  # an action to the next observation, where no environment is named; Acrobot alone takes longer
GAE = 9  # a record's way out of the memory, through a row (rlc_ppo_gae) and back
GAE_LOOP = 6  # between two records of one environment in a row, at least
PERMUTE = 33  # the begin of an epoch to its first record: rlc_ppo_index_cipher
STATISTICS = 83  # the last advantage of a minibatch to its scale: rlc_ppo_scale
FEED = 17  # out of the memory twice, and standardised: rlc_ppo_feed
SQUARE = 11  # a gradient sum to its square
PRODUCT = 3  # a gradient times its factor
NORM = 21  # sums of squares to permit, and two clocks a layer: rlc_ppo_grad_norm
HOLD = 2  # the sequencer between two phases


@dataclass(frozen=True)
class Cycles:
    """Clocks of an iteration by phase."""

    shape: PpoShape
    collect: int  # N T environment steps, and the values of the last observations
    gae: int
    statistics: int  # of the first minibatch; those of the others are found while the one before is trained
    batch_slices: int  # all batch slices but the first of each minibatch
    turn: int  # fill, norm and update of K M minibatches, one behind the other

    @property
    def total(self) -> int:
        """Clocks of an iteration."""
        return self.collect + self.gae + self.statistics + self.batch_slices + self.turn

    @property
    def per_step(self) -> float:
        """Clocks of an environment step, everything included."""
        return self.total / self.shape.records


def t_forward(shape: PpoShape) -> int:
    """Clocks of a batch slice of the slowest forward unit."""
    return max(net.forward_steps(n) for net in shape.networks.values() for n in range(1, net.layers + 1))


def t_max(shape: PpoShape) -> int:
    """Clocks of a batch slice of the slowest unit: of the networks, or of the head, which takes one sample after the
    other."""
    loss = shape.columns * (shape.actor.sizes[-1] + (not shape.gaussian))
    slowest = max(t_forward(shape), loss, shape.columns * net_words(shape), shape.columns + 3)
    for net in shape.networks.values():
        slowest = max(slowest, *(net.backward_steps(n) for n in range(1, net.layers + 1)))
    return slowest


def loop(shape: PpoShape, environment: int = ENVIRONMENT) -> int:
    """Clocks from an observation to the next one of the same environment, when nothing else is under way."""
    return INTAKE + answers(shape)[-1] + environment


def answers(shape: PpoShape) -> list[int]:
    """When the observations of a batch slice are answered, from the first one's clock on, when nothing else is under
    way."""
    batch_slices = _BatchSlices(shape)
    actions = shape.actor.sizes[-1]
    _, ready = batch_slices.enter(shape.columns, False)
    more = ACT_GAUSSIAN + actions if shape.gaussian else ACT + 2 * actions
    return batch_slices.samples["actor"].leave(max(ready.values()), shape.columns, actions, more)


def net_words(shape: PpoShape) -> int:
    """Words of an observation."""
    return shape.actor.words[0]


def collect(shape: PpoShape, truncated: float = 0.0, environment: int = ENVIRONMENT) -> int:
    """Clocks of a rollout. truncated: the share of steps that cut an episode off, whose value is one more vector."""
    vectors = shape.records * (1 + truncated) + shape.environments
    pace = max(t_forward(shape), shape.columns * (shape.actor.sizes[-1] + 1), shape.columns * net_words(shape))
    batch_slices = -(-vectors // shape.columns)
    alone = loop(shape, environment) * shape.steps  # if there are too few environments to fill the units
    return int(max(batch_slices * pace, alone)) + loop(shape, environment)


class _Samples:
    """Clocks of rlc_ppo_samples, and of the loss or of acting behind it: batch slices in, samples out one by one."""

    def __init__(self, shape: PpoShape) -> None:
        self.columns = shape.columns
        self.filled = 0  # the next word of outputs may be taken
        self.left = -1  # the last column of the batch slice before
        self.head = 0  # the next sample may enter loss or acting
        self.places = 32 if shape.columns > 8 else 16  # samples inside of it
        self.answered: list[int] = []  # when each sample left it

    def stand(self, out: Sequence[int]) -> int:
        """When outputs whose words come in these clocks stand one behind the other."""
        clock = self.filled - 1
        for at in out:
            clock = max(clock + 1, at)
        ready = max(clock + SCATTER, self.left + 1)
        self.filled = max(clock + 1, self.left)
        return ready

    def leave(self, ready: int, samples: int, pace: int, latency: int) -> list[int]:
        """Samples that go to the loss or to acting, `pace` clocks each; empty columns behind them go nowhere.

        Returns when each is answered.
        """
        clocks = []
        for _ in range(samples):
            clock = max(ready, self.head)
            if len(self.answered) >= self.places:
                clock = max(clock, self.answered[-self.places] + _CREDIT)
            self.answered.append(clock + latency)
            clocks.append(clock + latency)
            self.head, ready = clock + pace, clock + 1
        self.left = ready - 1 + self.columns - samples
        return clocks


class _BatchSlices:
    """Clocks of rlc_ppo_networks, batch slice by batch slice: samples in, through both networks, and out again one by
    one."""

    def __init__(self, shape: PpoShape) -> None:
        self.shape = shape
        self.nets = {name: learner.Net(shape.learner(net), net) for name, net in shape.networks.items()}
        self.samples = {name: _Samples(shape) for name in self.nets}
        self.sample = self.fork = 0  # the next sample may be taken, the next word may reach the networks
        self.popped: list[int] = []  # when the last word of each batch slice left the queue

    def enter(self, samples: int, first: bool) -> tuple[dict[str, list[list[int]]], dict[str, int]]:
        """For `samples` samples, of each network: when their words enter each layer, and when their outputs stand.

        first: of a minibatch.
        """
        words = net_words(self.shape)
        for number in range(samples):
            if number == 0 and len(self.popped) >= _BATCH_SLICES:
                self.sample = max(self.sample, self.popped[-_BATCH_SLICES] + 1)
            taken, self.sample = self.sample, self.sample + words
        entered: dict[str, list[int]] = {name: [] for name in self.nets}
        for word in range(words):
            clock = max(taken + GATHER + word, self.fork)
            for name, net in self.nets.items():
                entered[name].append(net.forward[1].enter(max(clock, net.opened[1] if first else 0)))
            self.fork = 1 + max(into[-1] for into in entered.values())
        self.popped.append(self.fork - 1)
        inputs, ready = {}, {}
        for name, net in self.nets.items():
            behind, out = net.rest(net.forward, first)
            inputs[name], ready[name] = [entered[name], *behind], self.samples[name].stand(out)
        return inputs, ready


def minibatches(shape: PpoShape, count: int, size: int) -> list[int]:
    """When each of `count` minibatches of `size` records is done, from the first sample's clock on."""
    batch_slices = _BatchSlices(shape)
    actions = shape.actor.sizes[-1]
    # Clocks a sample of each network's loss, and to the delta.
    losses = {"actor": (actions + 1, LOSS + 4 * actions), "critic": (1, LOSS_VALUE)}
    if shape.gaussian:
        losses["actor"] = actions, LOSS_GAUSSIAN + 2 * actions
    done = []
    for _ in range(count):
        last: dict[str, dict[int, int]] = {}
        for at in range(0, size, shape.columns):
            samples = min(shape.columns, size - at)
            inputs, ready = batch_slices.enter(samples, at == 0)
            for name, net in batch_slices.nets.items():
                delta = batch_slices.samples[name].leave(ready[name], samples, *losses[name])[-1]
                words = net.net.words[-1]
                _, last[name] = net.back([delta + GATHER + k for k in range(words)], True, inputs[name])
        summed = 0
        learnt = {}
        for name, net in batch_slices.nets.items():
            learnt[name] = net.learnt(last[name])
            for n, clock in learnt[name].items():
                groups = net.net.weight_groups(n) + net.net.bias_groups(n)
                levels = (net.net.update_lanes(n) - 1).bit_length()
                summed = max(summed, clock + groups + 1 + learner.GRADIENT + SQUARE + levels)
        layers = sum(net.net.layers for net in batch_slices.nets.values())
        if shape.gaussian:
            # Log-deviations are measured when the actor's gradients are complete, and are a layer more.
            summed = max(summed, max(learnt["actor"].values()) + 2 * actions + 1 + learner.GRADIENT + SQUARE)
            layers += 1
        permit = summed + NORM + 2 * layers + PRODUCT
        done.append(max(net.update(learnt[name], permit) for name, net in batch_slices.nets.items()))
    return done


def advantages(shape: PpoShape) -> int:
    """Clocks of the advantages of a rollout: its environments in turn, as many of them a clock as there are rows."""
    envs = shape.environments // shape.gae_rows
    return (shape.steps - 1) * max(envs, GAE_LOOP) + envs + GAE


def statistics(size: int) -> int:
    """Clocks from the last advantage to the first sample of the first minibatch of `size` records.

    At least: of a rollout whose records are not a power of two the permutation leaves numbers out.
    """
    return PERMUTE + size + STATISTICS + FEED


def cycles(shape: PpoShape, truncated: float = 0.0, environment: int = ENVIRONMENT) -> Cycles:
    """Clocks of an iteration, minibatches back to back. Raises ValueError for a shape that cannot be built.

    environment: clocks from an action to the next observation, as rlcores_lab.cycles.env.pipeline says of ours.
    """
    shape.check()
    count = shape.epochs * shape.minibatches
    size = shape.minibatch
    batch_slices = -(-size // shape.columns)
    pace = t_max(shape)
    # Every minibatch after the first begins while layers further back still take their weights. Its first batch slice
    # waits in the first layer, whose queue behind holds a part of it.
    done = minibatches(shape, 3, size)
    turns = done[0] + (count - 1) * (done[2] - done[1]) - count * (batch_slices - 1) * pace
    return Cycles(
        shape,
        collect(shape, truncated, environment),
        advantages(shape) + HOLD,
        statistics(size) + HOLD,
        count * (batch_slices - 1) * pace,
        turns,
    )
