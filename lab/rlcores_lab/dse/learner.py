"""The learner's design space: units balanced inside a pipeline, then DP x PI and the multipliers of a unit searched.

Meng et al. (2022), section 3.2.3. Step a) there gives every stage multipliers in proportion to its operations; what it
wants is that all stages take the same time. Here the time a batch slice may take, T, is given and every unit gets the
fewest multipliers that keep within it. Step b) tries every DP (PI = batch / DP) and lets f grow, here: T fall, until
the resources end. What the paper does not have: the words in which a layer's vectors travel, on which the multipliers
of both neighbours, the length of a batch slice's way and the width of everything depend, are chosen together by a
shortest path through the layers.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from rlcores.cores.learner.optimisers import ADAM
from rlcores.cores.learner.shape import LearnerShape, NetworkShape, ceil_div, network_parameters
from rlcores_lab.area import learner as learner_area
from rlcores_lab.cycles import learner as learner_cycles
from rlcores_lab.dse.board import Board, packed, short

_COLUMN_LANES = 255  # DP times the lanes of a layer
_WIDEST = 32  # lanes of a layer
_LAMBDA = (0.0, 0.1, 0.4)  # what a clock of a batch slice's way is worth, in thousandths of the resources
_UPDATES = (24, 40, 72, 136, 264, 520, 1040, 4160)  # groups a weight update may take, at most


@dataclass(frozen=True)
class LearnerTask:
    """What the learner has to do."""

    algo: str  # dqn, ddpg
    states: int
    actions: int  # how many actions (dqn), or numbers of an action (ddpg)
    hidden: tuple[int, ...]
    batch: int
    double: bool = False
    lag: bool = True
    optimiser: int = ADAM
    batch_max: int = 1024
    records: int = 16

    @property
    def sizes(self) -> tuple[int, ...]:
        """Layers of the value network (dqn) or the actor (ddpg)."""
        return (self.states, *self.hidden, self.actions)


@dataclass(frozen=True)
class Design:
    """A learner and what the models say of it."""

    shape: LearnerShape
    turn: int  # T: the clocks that a batch slice may take, asked for
    period: int  # clocks of a gradient step, back to back
    counts: dict[str, float]
    dies: tuple[int, ...] = ()  # die of every unit, when there are several
    fits: bool = True

    @property
    def macs(self) -> int:
        """Multipliers of the largest tensor unit, in one column: the paper's r x f."""
        return max(self.shape.macs.values()) // self.shape.columns

    @property
    def parameters(self) -> dict[str, int | str]:
        """Verilog parameters."""
        return parameters(self.shape)


def parameters(shape: LearnerShape) -> dict[str, int | str]:
    """The Verilog parameters of a shape, as configs.yaml has them."""
    return network_parameters(shape.networks) | {
        "DP": shape.columns, "BATCH_MAX": shape.batch_max, "OPTIMISER": shape.optimiser, "ROUND": shape.rounding,
        "POLYAK": int(shape.polyak), "RECORDS": shape.records,
    }  # fmt: skip


def clocks(task: LearnerTask, shape: LearnerShape) -> int:
    """Clocks of a gradient step, counted by the model of the whole core."""
    return learner_cycles.cycles(parameters(shape), task.batch, double=task.double, lag=task.lag).period


def estimate(task: LearnerTask, shape: LearnerShape) -> int:
    """(batch slices - 1) T_max + fill, or the clocks of the records: the period but for rare waits at the input's
    queues."""
    values = parameters(shape)
    units = learner_cycles.units(values, task.double)
    _, one = learner_cycles.times(values, [1] * 4, double=task.double, lag=task.lag)
    batch_slices = shape.batch_slices(task.batch)
    return max((batch_slices - 1) * max(u.least for u in units[1:]) + one[3] - one[2], batch_slices * units[0].least)


# --- step a: balanced units ---


@cache
def _lanes(size: int, columns: int) -> tuple[int, ...]:
    """Lanes that make a difference: the fewest for every number of words."""
    lanes = {ceil_div(size, words) for words in range(1, size + 1)}
    return tuple(sorted(n for n in lanes if n <= _WIDEST and n * columns <= _COLUMN_LANES))


def _groups(words_in: int, words_out: int, turn: int) -> int | None:
    """Fewest row groups with which a unit takes at most `turn` clocks; None when none do."""
    if words_in > turn:
        return None
    groups = ceil_div(words_out, turn // words_in)
    return groups if groups <= min(words_in, words_out) else None


@dataclass(frozen=True)
class _Layer:
    """One weight layer between lanes a and b: its groups and its cost."""

    forward: int
    backward: int
    dsp: int
    lut: float
    way: int  # clocks of a batch slice's way through it, forward and backward, and of its shortest update, about


@cache
def _layer(
    n: int,
    last: int,
    size: tuple[int, int],
    lanes: tuple[int, int],
    turn: int,
    task: LearnerTask,
    columns: int,
    actor: bool,
):
    """A layer that keeps within the turn, or None."""
    words = (ceil_div(size[0], lanes[0]), ceil_div(size[1], lanes[1]))
    ahead = turn // (2 if task.double and not actor else 1)
    forward = _groups(words[0], words[1], ahead)
    backward = _groups(words[1], words[0], turn)
    if forward is None or backward is None:
        return None
    passes = task.algo == "ddpg" and not actor  # the critic is gone through once more
    forwards = 2 + (passes and n < last)
    backwards = (n > 1) * (1 + passes)
    macs = lanes[0] * lanes[1]
    dsp = columns * macs * (forward * forwards + backward * (backwards + 1))
    first = passes and n == 1
    if first and words[1] * ceil_div(task.actions, lanes[0]) > turn:
        return None
    dsp += columns * macs * first
    shared = {"DP": columns, "JB": 1, "IB": 1}
    fw = {
        **shared, "LANES_IN": lanes[0], "LANES_OUT": lanes[1], "WORDS_IN": words[0], "WORDS_OUT": words[1],
        "GROUPS": forward, "OUT_WIDTH": 18,
    }  # fmt: skip
    bw = {
        **shared, "LANES_IN": lanes[1], "LANES_OUT": lanes[0], "WORDS_IN": words[1], "WORDS_OUT": words[0],
        "GROUPS": backward,
    }  # fmt: skip
    wa = {
        **shared, "LANES_J": lanes[1], "WORDS_J": words[1], "LANES_I": lanes[0], "WORDS_I": words[0],
        "GROUPS": backward, "SUM_BIAS": 32,
    }  # fmt: skip
    lut = forwards * learner_area.module("rlc_nn_forward", fw)["lut"]
    lut += backwards * learner_area.module("rlc_nn_backward", bw)["lut"]
    lut += learner_area.module("rlc_nn_weight_grad", wa)["lut"]
    folds = (ceil_div(words[1], forward) - 1) * words[0]
    # An update takes at least a clock a word of inputs and outputs: one with as many lanes as the layer has.
    way = words[0] + lanes[0] + 12 + folds // 2 + (n > 1) * (words[1] + lanes[1] + 10) + words[0] * words[1]
    return _Layer(forward, backward, dsp, lut, way)


def _balanced(
    sizes: Sequence[int], ends: tuple[int, int | None], turn: int, task: LearnerTask, columns: int, actor: bool,
    weigh: Callable[[_Layer], float],
) -> NetworkShape | None:  # fmt: skip
    """The cheapest network all of whose units keep within the turn. ends: lanes of the input, and of the output."""
    last = len(sizes) - 1
    best: dict[int, tuple[float, tuple[int, ...], tuple[_Layer, ...]]] = {ends[0]: (0.0, (ends[0],), ())}
    for n in range(1, last + 1):
        after: dict[int, tuple] = {}
        options = (ends[1],) if n == last and ends[1] is not None else _lanes(sizes[n], columns)
        for b in options:
            for a, (cost, lanes, layers) in best.items():
                layer = _layer(n, last, (sizes[n - 1], sizes[n]), (a, b), turn, task, columns, actor)
                if layer is None:
                    continue
                whole = cost + weigh(layer)
                if b not in after or whole < after[b][0]:
                    after[b] = (whole, (*lanes, b), (*layers, layer))
        best = after
    if not best:
        return None
    _, lanes, layers = min(best.values(), key=lambda entry: entry[0])
    ones = (1,) * last
    return NetworkShape(
        tuple(sizes), lanes, tuple(x.forward for x in layers), tuple(x.backward for x in layers), ones, ones
    )


def _updating(net: NetworkShape, groups: int) -> NetworkShape:
    """The same network with the fewest lanes of the weight update that need at most `groups` groups a layer."""
    chosen = []
    for n in range(1, net.layers + 1):
        choices = []
        for jb, ib in product(_divisors(net.lanes[n]), _divisors(net.lanes[n - 1])):
            steps = net.words[n] * (net.lanes[n] // jb)
            needed = steps * (net.words[n - 1] * (net.lanes[n - 1] // ib) + 1)
            choices.append((needed > groups, jb * ib if needed <= groups else needed, needed, -jb, jb, ib))
        chosen.append(min(choices)[-2:])
    rows, cols = zip(*chosen, strict=True)
    return replace(net, update_rows=rows, update_cols=cols)


@cache
def _divisors(number: int) -> tuple[int, ...]:
    return tuple(d for d in range(1, number + 1) if number % d == 0)


def shapes(task: LearnerTask, columns: int, turn: int, have: dict[str, float]) -> Iterator[LearnerShape]:
    """Balanced shapes of `columns` columns whose units keep within the turn, with different widths of the update."""
    worths = _LAMBDA if turn <= 64 else _LAMBDA[1:2]
    yield from dict.fromkeys(shape for worth in worths for shape in _shapes(task, columns, turn, have, worth))


def _shapes(task: LearnerTask, columns: int, turn: int, have: dict[str, float], worth: float) -> Iterator[LearnerShape]:
    def weigh(layer: _Layer) -> float:
        return layer.dsp / have["dsp"] + layer.lut / have["lut"] + worth * layer.way / 1000

    for value, actor in _networks(task, columns, turn, weigh):
        for groups in _UPDATES:
            wide = _updating(value, groups), actor and _updating(actor, groups)
            yield LearnerShape(*wide, columns, task.batch_max, task.optimiser, 0, actor is not None, task.records)


def _networks(task: LearnerTask, columns: int, turn: int, weigh) -> Iterator[tuple[NetworkShape, NetworkShape | None]]:
    for first in _lanes(task.states, columns):
        if task.algo == "dqn":
            value = _balanced(task.sizes, (first, None), turn, task, columns, False, weigh)
            if value is not None:
                yield value, None
            continue
        actor = _balanced(task.sizes, (first, first), turn, task, columns, True, weigh)
        entry = first * ceil_div(task.states, first) + task.actions
        critic = _balanced((entry, *task.hidden, 1), (first, None), turn, task, columns, False, weigh)
        if actor is not None and critic is not None:
            yield critic, actor


# --- step b: DP x PI, and multipliers until the resources end ---


def columns(batch: int) -> list[int]:
    """The DPs that are tried: PI = batch / DP whole, or nearly so."""
    return [n for n in range(1, 17) if n <= batch and (batch % n == 0 or n in (1, 2, 4, 8, 16))]


def turns(task: LearnerTask) -> list[int]:
    """The T that are tried: every one up to 40, then a sixth more each, later a third."""
    longest = max(a * b for a, b in zip(task.sizes, task.sizes[1:], strict=False))
    listed, turn = [], 2.0
    while turn < longest:
        listed.append(int(turn))
        turn = turn + 1 if turn < 40 else turn * (7 / 6 if turn < 100 else 4 / 3)
    return [*listed, longest]


def survey(task: LearnerTask, board: Board, dies: int, dp: int, turn: int) -> Design | None:
    """One design of a DP and a T: with the widest weight update that fits, or a middling one. None: there is none."""
    have = {r: dies * n for r, n in board.die.items()}
    made = list(_shapes(task, dp, turn, have, _LAMBDA[1]))
    designs = []
    # Of every way to take the input: its updates come widest first.
    for first in range(0, len(made), len(_UPDATES)):
        tried = []
        for shape in made[first : first + len(_UPDATES)]:
            tried.append(_placed(shape, turn, board, dies))
            if tried[-1].fits:
                break
        chosen = tried[-1] if tried[-1].fits else tried[len(_UPDATES) // 2]
        designs.append(replace(chosen, period=estimate(task, chosen.shape)))
    return min(designs, key=lambda d: (not d.fits, *rank(d)), default=None)


def search(
    task: LearnerTask, board: Board, dies: int, dp: int, turn: int, macs: int | None = None, keep: int = 3
) -> list[Design]:
    """The best designs of one DP and one T that fit `dies` dies.

    macs: multipliers that a tensor unit may have in one column, at most.
    """
    have = {r: dies * n for r, n in board.die.items()}
    few = (s for s in shapes(task, dp, turn, have) if macs is None or max(s.macs.values()) <= macs * dp)
    fitting = (design for shape in few if (design := _placed(shape, turn, board, dies)).fits)
    return sorted((replace(d, period=estimate(task, d.shape)) for d in fitting), key=rank)[:keep]


def polish(task: LearnerTask, design: Design, board: Board, dies: int) -> Design:
    """The design with groups and update lanes of single layers changed, as long as it ranks better and still fits."""
    best = design
    while True:
        near = (_placed(shape, best.turn, board, dies) for shape in _neighbours(best.shape))
        near = [replace(d, period=clocks(task, d.shape)) for d in near if d.fits]
        if rank(better := min([best, *near], key=rank)) == rank(best):
            return best
        best = better


def _neighbours(shape: LearnerShape) -> Iterator[LearnerShape]:
    for which in ("value", "actor"):
        net = getattr(shape, which)
        for n in range(net.layers if net else 0):
            for rows, cols in _products(net.lanes[n + 1], net.lanes[n], net.update_rows[n] * net.update_cols[n]):
                changed = {
                    "update_rows": _with(net.update_rows, n, rows),
                    "update_cols": _with(net.update_cols, n, cols),
                }
                yield replace(shape, **{which: replace(net, **changed)})
            for what in ("forward", "backward"):
                groups = getattr(net, what)
                for other in (groups[n] - 1, groups[n] + 1):
                    if 1 <= other <= min(net.words[n], net.words[n + 1]):
                        yield replace(shape, **{which: replace(net, **{what: _with(groups, n, other)})})


def _products(rows: int, cols: int, now: int) -> Iterator[tuple[int, int]]:
    """Ways to update other numbers of weights together: the next smaller and larger ones."""
    ways = sorted((a * b, a, b) for a in _divisors(rows) for b in _divisors(cols))
    less = [w for w in ways if w[0] < now][-2:]
    more = [w for w in ways if w[0] >= now][:4]
    yield from ((a, b) for _, a, b in (*less, *more))


def _with(numbers: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*numbers[:at], value, *numbers[at + 1 :])


def _placed(shape: LearnerShape, turn: int, board: Board, dies: int) -> Design:
    """A shape on `dies` dies, whether it fits or not; its clocks are still to be counted."""
    parts = learner_area.shape_parts(shape)
    counts = learner_area.add(*parts.values())
    if dies > 1:
        where = packed(list(parts.values()), [board.die] * dies)
    else:
        where = None if short(counts, board.die) else [0] * len(parts)
    return Design(shape, turn, 0, counts, tuple(where or ()), where is not None)


def rank(design: Design) -> tuple:
    """Fewest clocks first, of equals the one with the fewest DSP slices, then LUTs."""
    return design.period, design.counts["dsp"], design.counts["lut"]
