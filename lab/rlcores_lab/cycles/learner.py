"""Learner core, how many clocks a gradient step takes: of every unit, and of all together.

Every unit is busy a fixed number of clocks with a vector, so a batch slice (DP records, one a column) leaves the
pipeline T_max clocks after the one before it, where T_max belongs to the slowest unit, and

    T_learner = (batch slices - 1) * T_max + fill,   fill: one batch slice through the pipeline, and the weight update
    behind it

as in Meng et al. (2022), section 3.2.3. Records come in beside that, batch slices * T_in clocks per step at least,
some of them during the update of the step before. The update of a layer begins with its own gradient and ends with its
own weights, so the fill is the longest way of any layer from its forward unit through loss, backward unit, gradient and
update back to itself. It follows from the clocks that each module's header promises: here every word of every vector
is followed through the units, batch slice after batch slice and batch after batch. Queues are taken to be long enough,
but for the input's and those between forward units.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rlcores.base.words import first
from rlcores.cores.learner.optimisers import ALL
from rlcores.cores.learner.shape import LearnerShape, NetworkShape, ceil_div
from rlcores.cores.learner.words import STAGES

# Clocks that do not depend on the shape, as the modules have them.
_INPUT = 3  # a beat to its word
_INPUT_PLACES = 64  # longer queues of words are block RAM
_QUEUE = 1  # through a queue of LUTs
_BLOCK = 2  # of block RAM
_JOIN = 1
_INFO = 7
_INFO_PLACES = 8
_TENSOR = 8  # the last word of a fold to its first result; one more a lane of the input, one more with several groups
_LOSS = 14
_SQUASH = 10
_TAIL = 7
_PLACE = 4  # from a result to a place in the queue behind that is free again
GRADIENT = 4  # clocks of a read of the scratchpad

# The stages of unit_busy by what a unit's name begins with. Those of layers are at these places plus the layer.
_NETWORKS = {"": "0", "a": "1"}
STAGE = {
    kind + suffix: first(STAGES, kind + number) - 1
    for kind in ("FW", "TFW", "BW", "WA", "WU")
    for suffix, number in _NETWORKS.items()
} | {kind + "q": first(STAGES, f"PASS_{kind}") - 1 for kind in ("FW", "BW")}


@dataclass(frozen=True)
class Unit:
    """One stage: what it is made of, and how long it works.

    A weight update works once a batch, with its pipeline's length; all others work for every batch slice.
    """

    name: str  # FW1, TFW1, BW2, WA1, WU1; with an `a` those of the actor, with a `q` of its way through the critic
    stage: int | None  # its bit in unit_busy
    macs: int
    steps: int  # clocks of a batch slice, or of a batch's update
    least: int  # clocks from the begin of a batch slice to that of the next one, >= steps


def lane_clocks(shape: LearnerShape) -> int:
    """Clocks from a sum of the scratchpad to the new weight and target weight."""
    return 4 + ALL[shape.optimiser].clocks() + 2 + 6 * shape.polyak


def update_clocks(shape: LearnerShape, network: NetworkShape, layer: int) -> int:
    """Clocks that the weight update of a layer is busy."""
    return network.weight_groups(layer) + network.bias_groups(layer) + GRADIENT + lane_clocks(shape) + 1


def units(parameters: Mapping[str, int | str], double: bool = False) -> list[Unit]:
    """Every unit that takes a batch slice's vectors, in the order of the pipeline, then the updates.

    parameters: Verilog parameters. double: the forward units also take the next states.
    """
    shape = LearnerShape.of(parameters)
    pipeline = []
    columns = shape.columns
    beats = columns * shape.record_beats
    pipeline.append(Unit("IN", None, 0, beats, beats))
    for suffix, net in (("", shape.value), ("a", shape.actor)):
        if net is None:
            continue
        layers = range(1, net.layers + 1)
        for kind, times in (("FW", 1 + (double and not suffix)), ("TFW", 1)):
            for n in layers:
                steps = net.forward_steps(n) * times
                pipeline.append(_unit(shape, kind + suffix, n, steps, steps))
        if not suffix:
            words = net.words[-1] * (1 + double)
            pipeline.append(Unit("LOSS", None, 0, words, max(words, columns, 2)))
        for n in reversed(layers[1:]):
            steps = net.backward_steps(n)
            pipeline.append(_unit(shape, f"BW{suffix}", n, steps, steps))
        for n in reversed(layers):
            steps = net.backward_steps(n)
            pipeline.append(_unit(shape, f"WA{suffix}", n, steps, max(steps, columns + 3)))
    if shape.actor is not None:
        net = shape.value
        for n in range(1, net.layers):
            steps = net.forward_steps(n)
            pipeline.append(_unit(shape, "FWq", n, steps, steps))
        for n in range(net.layers, 0, -1):
            steps = net.backward_steps(n) if n > 1 else net.words[1] * shape.action_words
            pipeline.append(_unit(shape, "BWq", n, steps, steps))
    for suffix, net in (("", shape.value), ("a", shape.actor)):
        if net is not None:
            for n in range(1, net.layers + 1):
                pipeline.append(Unit(f"WU{suffix}{n}", STAGE[f"WU{suffix}"] + n, 0, update_clocks(shape, net, n), 0))
    return pipeline


def _unit(shape: LearnerShape, kind: str, layer: int, steps: int, least: int) -> Unit:
    return Unit(f"{kind}{layer}", STAGE[kind] + layer, shape.macs[f"{kind}{layer}"], steps, least)


@dataclass(frozen=True)
class Cycles:
    """What the model says of batches of one length."""

    batch_slices: int
    period: int  # clocks per step, batches back to back: the third step's
    latency: int  # clocks from the first beat of a record to the new weights, nothing before
    fill: int  # the period of a batch of one batch slice
    t_max: int  # clocks a batch slice of the slowest unit behind the input
    t_in: int  # of the input
    units: tuple[Unit, ...]

    @property
    def formula(self) -> int:
        """(batch slices - 1) * T_max + fill, or the clocks of the records: the period, unless the input's queues are
        short."""
        return max((self.batch_slices - 1) * self.t_max + self.fill, self.batch_slices * self.t_in)

    @cached_property
    def busy(self) -> dict[str, int]:
        """Clocks of a step in which each unit works."""
        return {u.name: u.steps * (1 if u.name.startswith("WU") else self.batch_slices) for u in self.units}

    @property
    def slowest(self) -> str:
        """The unit that T_max belongs to."""
        return max(self.units[1:], key=lambda u: u.least).name

    def utilisation(self, name: str) -> float:
        """Share of the clocks of a step in which a unit works."""
        return self.busy[name] / self.period


def cycles(parameters: Mapping[str, int | str], batch: int, *, double: bool = False, lag: bool = True) -> Cycles:
    """Clocks of a gradient step on batches of this length. Raises ValueError for a shape that cannot be built."""
    shape = LearnerShape.of(parameters)
    every = tuple(units(parameters, double))
    begun, done = times(parameters, [batch] * 4, double=double, lag=lag)
    _, one = times(parameters, [1] * 4, double=double, lag=lag)
    return Cycles(
        batch_slices=shape.batch_slices(batch),
        period=done[3] - done[2],
        latency=done[0] - begun[0],
        fill=one[3] - one[2],
        t_max=max(u.least for u in every[1:]),
        t_in=every[0].least,
        units=every,
    )


# Where records come from: the clocks in which the beats of the next one are taken, and how many; none before `room`.
Records = Callable[[int, int], Sequence[int]]


def _waiting(room: int, beats: int) -> Sequence[int]:
    """Records that are always there."""
    return range(room, room + beats)


def times(
    parameters: Mapping[str, int | str],
    batches: Sequence[int],
    *,
    double: bool = False,
    lag: bool = True,
    records: Records = _waiting,
) -> tuple[list[int], list[int]]:
    """For batches of these lengths, one behind the other: the clock of each one's first beat, and of its end.

    The first beat of all is taken at clock 0.
    """
    return _Core(LearnerShape.of(parameters), double, lag, records).run(batches)


class _Tensor:
    """Clocks of a tensor unit (rlc_nn_matvec) with its replay: words enter, then the vector's results come out."""

    def __init__(self, lanes_in: int, words_in: int, words_out: int, groups: int) -> None:
        self._in, self._out, self._groups = words_in, words_out, groups
        self._after = _TENSOR + lanes_in + (groups > 1)
        self._folds = ceil_div(words_out, groups)
        # Results that may be in the queue behind it when a fold of a forward unit ends (PLACES - GROUPS).
        self._places = groups + (self._after + _PLACE) * groups // words_in + 2
        self._made, self._left = 0, []  # results, and the clocks in which they left that queue, where that is known
        self._free = self._room = 0  # clocks in which a word may be multiplied, may enter
        self._played = [0, 0]  # one clock behind the vectors that occupy the two halves of the replay
        self._words: list[int] = []

    def enter(self, clock: int) -> int:
        """A word is there; returns the clock in which it enters."""
        if self._folds > 1:
            clock = max(clock, self._room, self._played[0])
            self._room = clock + 1
        else:
            clock = max(clock, self._free, self._place() if len(self._words) == self._in - 1 else 0)
            self._free = clock + 1
        self._words.append(clock)
        return clock

    def _place(self) -> int:
        """The clock from which a fold may end: its results have places then."""
        last = self._made - self._places - 1
        return self._left[last] + 1 if 0 <= last < len(self._left) else 0

    def results(self, leave: Callable[[int], int] | None = None) -> list[int]:
        """After the last word of a vector: the clocks in which its result words are there.

        leave: the clock in which a result that is there leaves the queue behind, which may hold back later folds.
        """
        if self._folds > 1:
            for word in self._words:
                self._free = max(self._free, word + 1) + 1
        last = self._free - 1
        self._words = []
        clocks = []
        for fold in range(self._folds):
            # The other folds follow the first one without a gap, but for places.
            last = max(last + (self._in if fold else 0), self._place() if self._folds > 1 else 0)
            produced = min(self._groups, self._out - fold * self._groups)
            there = [last + self._after + g for g in range(produced)]
            clocks += there
            self._made += produced
            if leave is not None:
                self._left += map(leave, there)
        self._free = last + 1
        self._played = [self._played[1], self._free]
        return clocks

    def vector(self, clocks: Sequence[int]) -> tuple[list[int], list[int]]:
        """A whole vector: the clocks in which its words enter, and its results are there."""
        entered = [self.enter(c) for c in clocks]
        return entered, self.results()


class _Gradient:
    """Clocks of rlc_nn_weight_grad: deltas times inputs, a set of input words after the other."""

    def __init__(self, words_j: int, words_i: int, groups: int, columns: int) -> None:
        self._words, self._groups, self._columns = words_j, groups, columns
        self._sets = [min(groups, words_i - at) for at in range(0, words_i, groups)]
        self._wait = max(0, columns + 3 - words_j * len(self._sets))
        self._free = self._next = self._gather = 0
        self._played = [0, 0]
        self._banks = [0, 0]  # clock from which each bank may be filled

    def vector(self, deltas: Sequence[int], inputs: Sequence[int]) -> int:
        """Clock of the last step of a batch slice whose deltas and inputs are there at these clocks."""
        replay = len(self._sets) > 1
        entered = []
        room = self._played[0] if replay else 0
        for clock in deltas:
            room = max(room, clock) + 1
            entered.append(room if replay else clock)
        at = 0
        last = 0
        for number, size in enumerate(self._sets):
            self._gather = max(self._gather, self._banks[0])
            for clock in inputs[at : at + size]:
                self._gather = max(self._gather, clock) + 1
            at += size
            ready = max(self._gather, self._next if number == 0 else 0)
            for j in range(self._words):
                last = max(self._free, ready, entered[j] if number == 0 else 0)
                self._free = last + 1
            self._banks = [self._banks[1], last + 1]
        self._played = [self._played[1], last + 1]
        self._next = last + 1 + self._wait
        return last

    def done(self, last: int) -> int:
        """Clock in which the sums can be read, after the last step of a batch."""
        return last + self._columns + 5


class Net:
    """Clocks of rlc_learner_net, batch slice by batch slice."""

    def __init__(self, shape: LearnerShape, net: NetworkShape) -> None:
        self.shape, self.net = shape, net
        self.layers = range(1, net.layers + 1)
        self.forward = {n: self._forward(n) for n in self.layers}
        self.target = {n: self._forward(n) for n in self.layers}
        self.backward = {
            n: _Tensor(net.lanes[n], net.words[n], net.words[n - 1], net.backward[n - 1]) for n in self.layers[1:]
        }
        self.gradient = {
            n: _Gradient(net.words[n], net.words[n - 1], net.backward[n - 1], shape.columns) for n in self.layers
        }
        self.opened = dict.fromkeys(self.layers, 0)  # clock from which a layer takes the next batch

    def _forward(self, n: int) -> _Tensor:
        net = self.net
        return _Tensor(net.lanes[n - 1], net.words[n - 1], net.words[n], net.forward[n - 1])

    def through(
        self, units: Mapping[int, _Tensor], clocks: Sequence[int], first: bool
    ) -> tuple[list[list[int]], list[int]]:
        """A vector through a chain: when it enters each layer, and when the output is there. first: of a batch."""
        n = next(iter(units))
        into = [units[n].enter(max(c, self.opened[n] if first else 0)) for c in clocks]
        behind, out = self._onward(units, n, first)
        return [into, *behind], out

    def rest(self, units: Mapping[int, _Tensor], first: bool) -> tuple[list[list[int]], list[int]]:
        """As through(), behind the first layer, which the vector has entered."""
        return self._onward(units, 1, first)

    def _onward(self, units: Mapping[int, _Tensor], n: int, first: bool) -> tuple[list[list[int]], list[int]]:
        """The same behind layer n. A result leaves when the next layer takes it, which may still be shut."""
        if n + 1 not in units:
            return [], units[n].results()
        gate = self.opened[n + 1] if first else 0
        into: list[int] = []

        def leave(clock: int) -> int:
            into.append(units[n + 1].enter(max(clock, gate)))
            return into[-1]

        units[n].results(leave)
        behind, out = self._onward(units, n + 1, first)
        return [into, *behind], out

    def back(
        self, deltas: Sequence[int], paced: bool, inputs: Sequence[Sequence[int]]
    ) -> tuple[list[int], dict[int, int]]:
        """Deltas of the output back: when each was taken, and the clock of each layer's last gradient step.

        paced: a delta comes the clock after the one before it was taken, at the earliest. inputs: see through().
        """
        taken: list[int] = []
        last = {}
        for n in reversed(self.layers):
            into, out = [], []
            if n > 1:
                for clock in deltas:
                    after = into[-1] + 1 if paced and n == self.layers[-1] and into else 0
                    into.append(self.backward[n].enter(max(clock, after)))
                out = self.backward[n].results()
            else:
                into = list(deltas)
            taken = taken or into
            last[n] = self.gradient[n].vector([c + _QUEUE for c in into], [c + _QUEUE for c in inputs[n - 1]])
            deltas = out
        return taken, last

    def learnt(self, last: Mapping[int, int]) -> dict[int, int]:
        """When each layer's gradient is complete, from its last step."""
        return {n: self.gradient[n].done(clock) for n, clock in last.items()}

    def update(self, learnt: Mapping[int, int], permit: int) -> int:
        """The weight update behind it, not before `permit`; returns the clock in which the last weights are there."""
        for n, clock in learnt.items():
            self.opened[n] = max(clock + 1, permit) + update_clocks(self.shape, self.net, n) + 2
        return max(self.opened.values()) - 1


class _Core:
    """Clocks of rlc_learner."""

    def __init__(self, shape: LearnerShape, double: bool, lag: bool, records: Records) -> None:
        self.shape, self.double, self.lag = shape, double and shape.actor is None, lag
        self.records = records
        self.value = Net(shape, shape.value)
        self.places = max(1, shape.value.lanes[-1] - 1).bit_length()  # stages of the choice among the lanes
        # Input: the next clock for a beat, and when each batch slice's parts left their queues.
        self.beat = 0
        self.popped: list[int] = []
        self.info: list[int] = []
        self.info_left: list[int] = []
        self.loss_free = 0
        self.delta_left: list[int] = []
        self.value_updated = self.actor_updated = self.actor_learnt = 0
        # Forks and joins: the clocks from which the next word may pass.
        self.fork_s = self.fork_s2 = 0
        self.join = {"x": [0, 0], "t": [0, 0], "p": [0, 0]}
        if shape.actor is not None:
            self._actor()

    def _actor(self) -> None:
        shape, net = self.shape, self.shape.value
        self.actor = Net(shape, shape.actor)
        self.pass_forward = {n: self.value._forward(n) for n in range(1, net.layers)}
        self.pass_backward = {
            n: _Tensor(net.lanes[n], net.words[n], net.words[n - 1], net.backward[n - 1])
            for n in range(2, net.layers + 1)
        }
        self.pass_backward[1] = _Tensor(net.lanes[1], net.words[1], shape.action_words, 1)

    def run(self, batches: Sequence[int]) -> tuple[list[int], list[int]]:
        begun, done = [], []
        for size in batches:
            first, end = self._batch(size)
            begun.append(first)
            done.append(end)
        return [b - begun[0] for b in begun], [d - begun[0] for d in done]

    def _batch(self, size: int) -> tuple[int, int]:
        shape = self.shape
        batch_slices = shape.batch_slices(size)
        begun = None
        last: dict[int, int] = {}
        states, lives = [], []
        for batch_slice in range(batch_slices):
            records = min(shape.columns, size - batch_slice * shape.columns)
            first, s, a, s2, info = self._load(records)
            begun = first if begun is None else begun
            if shape.actor is None:
                x, out, target = self._dqn(s, s2, batch_slice == 0)
            else:
                x, out, target, kept = self._critic(s, a, s2, batch_slice == 0)
                states.append(kept)
            taken = self._information(info)
            lives.append(taken + _QUEUE)
            last = self._loss(out, target, taken + _INFO, x)
        learnt = self.value.learnt(last)
        if shape.actor is None:
            self.value_updated = self.value.update(learnt, 0)
            return begun, self.value_updated
        return begun, self._policy(learnt, states, lives)

    def _load(self, records: int) -> tuple[int, list[int], list[int], list[int], int]:
        """A batch slice's beats: the first one's clock, and when its words are there."""
        shape = self.shape
        room = self.beat
        if len(self.popped) >= shape.records:
            room = max(room, self.popped[-shape.records] + 1)
        begun = None
        for _ in range(records):
            beats = self.records(room, shape.record_beats)
            begun = beats[0] if begun is None else begun
            room = beats[-1] + 1
        self.beat = room
        # The last column's beats complete the words.
        sections = []
        for words in (ceil_div(3, shape.value.lanes[0]), shape.state_words, shape.action_words, shape.state_words):
            clocks = _INPUT + (words * shape.records > _INPUT_PLACES)
            sections.append([at + clocks for at in beats[:words]])
            beats = beats[words:]
        info, s, a, s2 = sections
        # What is known of a batch slice is one word.
        return begun, s, a, s2, info[-1] - (len(info) * shape.records > _INPUT_PLACES >= shape.records)

    def _information(self, clock: int) -> int:
        """When what is known of a batch slice besides its vectors is taken."""
        before = self.info[-1] + 1 if self.info else 0
        if len(self.info_left) >= _INFO_PLACES:
            before = max(before, self.info_left[-_INFO_PLACES] + 1)
        self.info.append(max(clock, before))
        # The input's queues are free when the last of them is.
        self.popped[-1] = max(self.popped[-1], self.info[-1])
        return self.info[-1]

    def _dqn(self, s: list[int], s2: list[int], first: bool) -> tuple[list[list[int]], list[int], list[int]]:
        value = self.value
        target_in, target = value.through(value.target, s2, first)
        if self.double:
            # Next states first, each word when the target network has taken the one before it.
            offered = []
            for clock, taken in zip(s2, target_in[0], strict=True):
                offered.append(max(clock, self.fork_s2) + _JOIN)
                self.fork_s2 = taken + 1
            ahead, _ = value.through(value.forward, offered, first)
            behind = ahead[0][-1]
            x, out = value.through(value.forward, [max(c, behind) + _JOIN for c in s], False)
        else:
            x, out = value.through(value.forward, s, first)
        self.popped.append(max(x[0][-1], target_in[0][-1]))
        return x, out, target

    def _loss(self, out: list[int], target: list[int], info: int, x: list[list[int]]) -> dict[int, int]:
        last = 0
        for q, t in zip(out, target, strict=True):
            last = max(q, t, info, self.loss_free)
            self.loss_free = last + 1
        self.info_left.append(last)
        first = last + self.places + _LOSS
        taken, steps = self.value.back([first + k for k in range(len(out))], True, x)
        self.delta_left.append(taken[-1])
        return steps

    # --- with an actor ---

    def _joined(self, name: str, unit: _Tensor, gate: int, parts: Sequence[Sequence[int]]) -> list[list[int]]:
        """Two vectors joined to one that enters a unit: when the words of either leave the join's input, and enter."""
        passed: list[list[int]] = []
        entered = []
        state = self.join[name]
        for part in parts:
            passed.append([])
            for clock in part:
                # A register and one place more stand between.
                clock = max(clock, state[0])
                passed[-1].append(clock)
                into = unit.enter(max(clock + _JOIN, gate))
                entered.append(into)
                state[0], state[1] = max(clock + 1, state[1]), into + 1
        return [*passed, entered]

    def _critic(
        self, s: list[int], a: list[int], s2: list[int], first: bool
    ) -> tuple[list[list[int]], list[int], list[int], list[int]]:
        value, actor = self.value, self.actor
        # States go to the critic and, word for word, to the actor's queue.
        state, _, entered = self._joined("x", value.forward[1], value.opened[1] if first else 0, (s, a))
        kept = []
        for clock, taken in zip(s, state, strict=True):
            kept.append(max(clock, self.fork_s) + _BLOCK)
            self.fork_s = taken + 1
        x = [entered]
        rest, out = value.rest(value.forward, first)
        x += rest

        # Next states to the target actor, and to a queue until its actions are there.
        into, actions = actor.through(actor.target, s2, first)
        waits = []
        for clock, taken in zip(s2, into[0], strict=True):
            waits.append(max(clock, self.fork_s2) + _QUEUE)
            self.fork_s2 = taken + 1
        actions = [c + _SQUASH for c in actions]
        _, _, entered = self._joined("t", value.target[1], value.opened[1] if first else 0, (waits, actions))
        _, target = value.rest(value.target, first)
        self.popped.append(max(state[-1], into[0][-1], a[-1]))
        return x, out, target, kept

    def _policy(self, learnt: dict[int, int], states: list[list[int]], lives: list[int]) -> int:
        """The actor's part of a batch, and both updates; returns the clock in which the step is done."""
        value, actor = self.value, self.actor
        if not self.lag:
            # The pass through the critic waits for its new weights.
            before = self.actor_learnt
            critic = value.update(learnt, before + 1 if before else 0)
            opened = critic + 1
        else:
            opened = self.value_updated + 1 if self.value_updated else 0
        last: dict[int, int] = {}
        for batch_slice, (clocks, live) in enumerate(zip(states, lives, strict=True)):
            x, u = actor.through(actor.forward, clocks, batch_slice == 0)
            waits = [c + _QUEUE for c in clocks]
            mu = [c + _SQUASH for c in u]
            gate = opened if batch_slice == 0 else 0
            self._joined("p", self.pass_forward[1], gate, (waits, mu))
            hidden = self.pass_forward[1].results()
            for n in list(self.pass_forward)[1:]:
                hidden = self.pass_forward[n].vector([max(c, gate) for c in hidden])[1]
            delta = [max(hidden[-1] + 1, live)]
            for n in range(self.shape.value.layers, 0, -1):
                delta = self.pass_backward[n].vector(delta)[1]
            slopes = [max(da, slope) + _TAIL for da, slope in zip(delta, mu, strict=True)]
            _, last = actor.back(slopes, False, x)
        actor_learnt = actor.learnt(last)
        self.actor_learnt = max(actor_learnt.values())
        if self.lag:
            critic = value.update(learnt, self.actor_learnt + 1)
        self.value_updated = critic
        self.actor_updated = actor.update(actor_learnt, max(learnt.values()) + 1)
        return max(self.value_updated, self.actor_updated) + 1
