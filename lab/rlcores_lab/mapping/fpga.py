"""Clocks of the learner and of the sum tree on a board, from the cycle models.

For a network that configs.yaml has no configuration for, parameters are looked for here: the first step of Meng et al.
(2022), units balanced inside the pipeline, over a coarse grid. `rlcores dse` looks closer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, product

from rlcores.base import limits
from rlcores.cores.learner.optimisers import ADAM
from rlcores.cores.learner.shape import LearnerShape, NetworkShape, ceil_div
from rlcores.cores.sumtree import shape as tree_shape
from rlcores.eda import boards
from rlcores.errors import UserError
from rlcores_lab.cycles import learner as learner_cycles
from rlcores_lab.dse import learner as space
from rlcores_lab.mapping.workloads import Workload

_LANES = 255  # DP times lanes at most
_TRIED = 24  # candidates of the grid whose fill is followed through the units


def board(name: str) -> boards.Board:
    """The board of that name. Raises UserError listing those with room for a learner when there is none."""
    known = [b for b in boards.names() if boards.of(b).learner_dsp]
    if name not in known:
        raise UserError(f"there is no board '{name}' to map onto; boards: {', '.join(known)}")
    return boards.of(name)


@dataclass(frozen=True)
class Design:
    """A learner for a workload."""

    parameters: dict[str, int | str]
    dsp: int
    batch_slice: int  # clocks a batch slice of the slowest unit behind the input,
    taken: int  # of the input,
    fill: int  # and of one batch slice through everything, with the weight update

    def clocks(self, batch: int) -> int:
        """Of a gradient step, batches back to back: the model's formula."""
        batch_slices = ceil_div(batch, int(self.parameters["DP"]))
        return max((batch_slices - 1) * self.batch_slice + self.fill, batch_slices * self.taken)


def unfit(workload: Workload, batch: int) -> str:
    """Why the learner core cannot do this at all; '' when it can."""
    if workload.convs:
        return "the learner core has no convolutions"
    if batch > limits.BATCH:
        return f"the learner core takes batches to {limits.BATCH:,}"
    widest = max(*workload.sizes, *workload.actor_sizes)
    if widest > limits.NEURONS:
        return f"a layer of the learner core has {limits.NEURONS:,} neurons at most, not {widest}"
    return ""


def learner(workload: Workload, batch: int, dsp: int) -> Design | None:
    """The learner of fewest clocks for this batch on `dsp` DSP slices; None when not even the smallest fits."""
    ranked = []
    for shape in _grid(workload):
        if shape.dsp_count > dsp:
            continue
        units = learner_cycles.units(space.parameters(shape))
        # The input comes first.
        taken, batch_slice = units[0].least, max(u.least for u in units[1:])
        batch_slices, update = shape.batch_slices(batch), max(u.steps for u in units if u.name.startswith("WU"))
        ranked.append(
            (
                max((batch_slices - 1) * batch_slice + update, batch_slices * taken),
                shape.dsp_count,
                batch_slice,
                taken,
                shape,
            )
        )
    ranked.sort(key=lambda entry: entry[:4])
    designs = []
    for _, count, batch_slice, taken, shape in ranked[:_TRIED]:
        parameters = space.parameters(shape)
        _, one = learner_cycles.times(parameters, [1] * 4)
        designs.append(Design(parameters, count, batch_slice, taken, one[3] - one[2]))
    return min(designs, key=lambda d: (d.clocks(batch), d.dsp), default=None)


def _grid(workload: Workload) -> Iterator[LearnerShape]:
    """Legal shapes: lanes and columns in powers of two, groups as few as meet a number of clocks a vector."""
    hidden = max(workload.sizes[1:-1], default=1)
    sizes, actor = workload.sizes, workload.actor_sizes
    state = actor[0] if actor else sizes[0]
    for columns, first, lanes in product((1, 2, 4, 8), _powers(state), _powers(hidden)):
        if columns * max(first, lanes) > _LANES:
            continue
        # A critic's input is the state in whole words, then the action; an actor's output joins it there.
        entry = first * ceil_div(state, first) + actor[-1] if actor else sizes[0]
        for clocks, updates in product(_powers(ceil_div(hidden, lanes) ** 2), (1, 4, 16, 64)):
            value = _network((entry, *sizes[1:]), first, lanes, min(lanes, sizes[-1]), clocks, updates)
            policy = _network(actor, first, lanes, first, clocks, updates) if actor else None
            if value and (policy or not actor):
                yield LearnerShape(value, policy, columns, limits.BATCH, ADAM, 0, bool(actor), 16)


def _powers(limit: int) -> list[int]:
    """1, 2, 4 … and the limit itself."""
    return [*(1 << n for n in range(limit.bit_length()) if 1 << n < limit), limit]


def _network(
    sizes: tuple[int, ...], first: int, lanes: int, last: int, clocks: int, updates: int
) -> NetworkShape | None:
    """One with these lanes in which no unit is busy for more clocks a vector; None when a word bound forbids it."""
    widths = (first, *(lanes for _ in sizes[1:-1]), last)
    words = [ceil_div(n, width) for n, width in zip(sizes, widths, strict=True)]
    layers = []
    for layer, ((n_in, n_out), (l_in, l_out)) in enumerate(zip(pairwise(words), pairwise(widths), strict=True)):
        forward = min(max(1, _least(n_out, n_in, clocks)), n_in, n_out)
        backward = min(max(1, _least(n_in, n_out, clocks)), n_in, n_out)
        if layer and (ceil_div(n_out, forward) * n_in > clocks or ceil_div(n_in, backward) * n_out > clocks):
            return None
        layers.append((forward, backward, l_out, _divisor(l_in, max(1, updates // l_out)) if layer else 1))
    return NetworkShape(sizes, widths, *zip(*layers, strict=True))


def _least(made: int, taken: int, clocks: int) -> int:
    """Groups that make `made` words of `taken` in `clocks` clocks; more than there are words when none do."""
    folds = clocks // taken
    return ceil_div(made, folds) if folds else made


def _divisor(number: int, limit: int) -> int:
    """The largest divisor up to a limit."""
    return max(n for n in range(1, number + 1) if number % n == 0 and n <= limit)


def tree_clocks(parameters: Mapping[str, int | str], batch: int) -> int:
    """Clocks of a batch's samples and updates: one of each a clock (`SHARED`: half), and the way through."""
    return batch * (2 if int(parameters["SHARED"]) else 1) + tree_shape.latency(parameters)
