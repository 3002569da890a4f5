"""From environment, algorithm, batch and board to a configuration: the whole exploration, without its printing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

from rlcores.base import limits
from rlcores.errors import UserError
from rlcores_lab import work
from rlcores_lab.dse import arrays, learner, rollouts, trees
from rlcores_lab.dse import board as boards
from rlcores_lab.dse.board import Board

# Meng et al. (2022), Table 2: DP, multipliers of the largest unit of a column, DSP slices of learner and replay.
PAPER = {"dqn": (2, 32, 1600), "ddpg": (2, 32, 2560)}
_CAPACITY = 1 << 20
_SEARCHED, _PAPER_TURNS = 16, 4  # pairs of DP and T that are searched whole
# The replay learner of u200 without learner and tree, by the model: priority maths, experience paths, registers.
_AXI = {"lut": 8100.0, "ff": 10200.0, "dsp": 7.0, "bram36": 7.0}


@dataclass(frozen=True)
class Request:
    """What the command was given; None is the default that docs/dse.md names."""

    environment: str
    algo: str
    batch: int
    board: str
    hidden: tuple[int, ...] | None = None
    slrs: int | None = None
    dsp: int | None = None
    clocks: int | None = None
    fill: float | None = None
    double: bool = False
    capacity: int | None = None
    inserts: float | None = None
    envs: int | None = None
    out_bits: int | None = None
    jobs: int | None = None
    ray: str | None = None


@dataclass(frozen=True)
class Learning:
    """What an exploration of a learner and its replay found."""

    request: Request
    board: Board
    dies: int  # of the learner
    task: learner.LearnerTask
    designs: list[learner.Design]  # that fit, best first; every DP and T that was tried
    others: list[learner.Design]  # that fit nowhere, one a DP and T at most
    paper: learner.Design | None  # the best with the paper's DP and multipliers
    within: learner.Design | None  # the best on one die with no more DSP slices than the paper's
    trees: list[trees.Tree]  # that keep up with the best design, smallest first

    @property
    def best(self) -> learner.Design:
        """The chosen design."""
        return self.designs[0]


@dataclass(frozen=True)
class Rollouts:
    """What an exploration of the GAE core found."""

    request: Request
    board: Board
    dies: int
    envs: int
    steps: int
    arrays: list[rollouts.Array]  # that fit, best first
    others: list[rollouts.Array]

    @property
    def best(self) -> rollouts.Array:
        """The chosen array."""
        return self.arrays[0]


@dataclass(frozen=True)
class Tensors:
    """What an exploration of the tensor core found."""

    request: Request
    board: Board
    task: arrays.TensorTask
    designs: list[arrays.TensorDesign]  # that fit, best first
    others: list[arrays.TensorDesign]

    @property
    def best(self) -> arrays.TensorDesign:
        """The chosen design."""
        return self.designs[0]


def explore(request: Request) -> Learning | Rollouts | Tensors:
    """Explore. Raises UserError for an unknown name, options that contradict each other, and what no board holds."""
    from rlcores.train import algorithms
    from rlcores.train.spaces import look

    known = [one.name for one in algorithms.ALL.values() if one.chip is not None or one.name in arrays.ALGORITHMS]
    chosen = boards.board(request.board, request.fill)
    if request.algo not in known:
        raise UserError(f"there is no core for an algorithm '{request.algo}'; algorithms: {', '.join(known)}")
    _contradictions(request, chosen)
    if request.dsp is not None:
        chosen = chosen.limited(request.dsp)
    spaces = look(request.environment)
    algorithms.fitting(request.algo, request.environment, spaces)
    if request.algo == "ppo":
        return _rollouts(request, chosen)
    if request.algo in arrays.ALGORITHMS:
        return _tensors(request, chosen, spaces.state_size, spaces.action_size)
    hidden = request.hidden or (64, 64)
    task = learner.LearnerTask(
        request.algo, spaces.state_size, spaces.action_size, hidden, request.batch, request.double,
        batch_max=1 << max(request.batch - 1, 255).bit_length(),
    )  # fmt: skip
    if len(hidden) > 3 or max(*task.sizes, spaces.state_size + spaces.action_size) > limits.NEURONS:
        raise UserError(
            f"the layers {'-'.join(map(str, task.sizes))} are more than the core has: 3 hidden ones, "
            f"{limits.NEURONS:,} numbers each"
        )
    return _learning(request, chosen, task)


def _contradictions(request: Request, chosen: Board) -> None:
    if not 1 <= request.batch <= (limits.BATCH if request.algo != "ppo" else 1 << 26):
        raise UserError(f"a batch of {request.batch} is not possible; a learner takes 1 to {limits.BATCH} records")
    learns = {"--network": request.hidden, "--double": request.double or None, "--buffer-size": request.capacity,
              "--inserts": request.inserts}  # fmt: skip
    rolls = {"--envs": request.envs, "--out-bits": request.out_bits}
    silent = learns if request.algo == "ppo" else rolls
    if request.algo in arrays.ALGORITHMS:
        silent = rolls | {n: x for n, x in learns.items() if n != "--network"} | {"--slrs": request.slrs}
    for name, value in silent.items():
        if value is not None:
            raise UserError(f"{name} says nothing about {request.algo}")
    if request.capacity is not None and not 2 <= request.capacity <= 1 << 24:
        raise UserError(f"a capacity of {request.capacity:,} is not possible; a sum tree has 2 to 16,777,216 leaves")
    if request.double and request.algo != "dqn":
        raise UserError(f"--double is double DQN; the algorithm is {request.algo}")
    if request.slrs is not None and not 1 <= request.slrs <= chosen.dies:
        raise UserError(f"--slrs {request.slrs} is not possible; {chosen.name} has {chosen.dies} SLRs")
    if request.jobs is not None and request.ray is not None:
        raise UserError("--jobs counts processes of this machine and --ray names a cluster; give one of them")


# --- the tensor core ---


def _tensors(request: Request, chosen: Board, states: int, actions: int) -> Tensors:
    task = arrays.TensorTask(request.algo, states, actions, request.hidden or (256, 256), request.batch)
    every = sorted(arrays.designs(task, chosen), key=arrays.rank)
    what = f"{request.algo} with {states} states, {actions} actions, --network {','.join(map(str, task.hidden))}"
    if not every:
        raise UserError(f"no tensor core can train {what} in batches of {request.batch}")
    fitting = [design for design in every if design.fits]
    if not fitting:
        nearest = min(every, key=lambda design: arrays.fullest(design.counts, chosen))
        said = boards.say(boards.short(nearest.counts, chosen.die))
        raise UserError(
            f"{chosen.name} does not hold {what} in batches of {request.batch}: the smallest core is short of {said}; "
            "give a smaller --network or --batch-size"
        )
    if request.clocks is not None and fitting[0].period > request.clocks:
        raise UserError(f"{chosen.name} does {what} in {fitting[0].period:,} clocks a step, not in {request.clocks:,}")
    return Tensors(request, chosen, task, fitting, [design for design in every if not design.fits])


# --- learners ---


def _called(job: tuple) -> Any:
    """A job of the pool: a function, then its arguments."""
    function, *arguments = job
    return function(*arguments)


def _learning(request: Request, chosen: Board, task: learner.LearnerTask) -> Learning:
    dies = request.slrs or 1
    spread = partial(work.spread, jobs=request.jobs, ray=request.ray)
    room = _room(request, chosen, dies)
    designs, every = _designs(task, room, dies, spread)
    have = {r: dies * n for r, n in room.die.items()}
    if not designs:
        raise UserError(_nothing(task, chosen, every, have))
    if request.clocks is not None and designs[0].period > request.clocks:
        raise UserError(_too_slow(request, task, chosen, designs[0], every, have))
    macs, dsp = PAPER[request.algo][1:]
    narrow = room.limited(dsp - int(_AXI["dsp"]) - 4)
    less = designs if designs[0].counts["dsp"] <= narrow.die["dsp"] else _designs(task, narrow, 1, spread)[0]
    capacity = request.capacity or _CAPACITY
    inserts = 1.0 if request.inserts is None else request.inserts
    found_trees = _trees(request, chosen, designs[0], dies, capacity, inserts)
    return Learning(
        request, chosen, dies, task, designs, [d for d in every if not d.fits],
        _paper(request, task, dies, macs, spread), less[0] if less else None, found_trees,
    )  # fmt: skip


def _designs(
    task: learner.LearnerTask, room: Board, dies: int, spread: Callable
) -> tuple[list[learner.Design], list[learner.Design]]:
    """Those that fit, best first; and what every DP and T gave, about."""
    pairs = list(product(learner.columns(task.batch), learner.turns(task)))
    every = [d for d in spread(_called, [(learner.survey, task, room, dies, *pair) for pair in pairs]) if d is not None]
    # What the survey likes best is searched whole.
    likely = sorted((d for d in every if d.fits), key=learner.rank)[:_SEARCHED]
    results = spread(_called, [(learner.search, task, room, dies, d.shape.columns, d.turn) for d in likely])
    designs = [design for group in results for design in group] + [d for d in every if d.fits]
    designs = sorted(_distinct(designs), key=learner.rank)
    # The estimate chooses, the model of the whole core counts; what is best is then improved unit by unit.
    designs = sorted((_counted(task, d) for d in designs[:12]), key=learner.rank) + designs[12:]
    if designs:
        best = learner.polish(task, designs[0], room, dies)
        designs = sorted(_distinct([best, *designs]), key=learner.rank)
    return designs, every


def _paper(
    request: Request, task: learner.LearnerTask, dies: int, macs: int, spread: Callable
) -> learner.Design | None:
    """The best with the paper's DP and multipliers a unit, from the T that these allow; --dsp does not bound it."""
    room = _room(request, boards.board(request.board, request.fill), dies)
    longest = max(a * b for a, b in zip(task.sizes, task.sizes[1:], strict=False))
    allowed = [turn for turn in learner.turns(task) if turn * macs >= longest][:_PAPER_TURNS]
    results = spread(_called, [(learner.search, task, room, dies, PAPER[request.algo][0], t, macs) for t in allowed])
    fitting = sorted((d for each in results for d in each if d.fits), key=learner.rank)
    return _counted(task, fitting[0]) if fitting else None


def _room(request: Request, chosen: Board, dies: int) -> Board:
    """What the learner may take: its dies whole, but where no other is left what the smallest replay needs less."""
    if chosen.dies > dies:
        return chosen
    capacity = request.capacity or _CAPACITY
    inserts = 1.0 if request.inserts is None else request.inserts
    whole = {r: dies * n - _AXI.get(r, 0) for r, n in chosen.die.items()}
    one = [t for t in trees.trees(capacity, request.batch, inserts) if t.banks == 1]
    small = min(one, key=lambda t: (trees.share(t, whole), t.latency))
    taken = {r: _AXI.get(r, 0) + (0 if boards.short(small.counts, whole) else small.counts[r]) for r in chosen.die}
    return replace(chosen, die={r: n - taken[r] / dies for r, n in chosen.die.items()})


def _counted(task: learner.LearnerTask, design: learner.Design) -> learner.Design:
    return replace(design, period=learner.clocks(task, design.shape))


def _distinct(designs: list[learner.Design]) -> list[learner.Design]:
    return list({d.shape: d for d in reversed(designs)}.values())


def _trees(
    request: Request, chosen: Board, design: learner.Design, dies: int, capacity: int, inserts: float
) -> list[trees.Tree]:
    if chosen.dies > dies:
        have = dict(chosen.die)  # a die of its own
    else:
        have = {r: dies * n - design.counts[r] - _AXI.get(r, 0) for r, n in chosen.die.items()}
    fitting = trees.search(capacity, request.batch, inserts, design.period, have)
    if fitting:
        return fitting
    short = trees.missing(capacity, request.batch, inserts, design.period, have)
    nearest = capacity
    while nearest > 1 and not trees.search(nearest, request.batch, inserts, design.period, have):
        nearest //= 2
    what = f"short of {boards.say(short)}" if short else "too slow for that many inserts"
    raise UserError(
        f"{chosen.name} does not hold a replay of {capacity:,} leaves beside this learner: {what}; the nearest that "
        f"fits is --buffer-size {nearest}"
    )


def _nothing(task: learner.LearnerTask, chosen: Board, every: list[learner.Design], have: Mapping[str, float]) -> str:
    sizes = "-".join(map(str, task.sizes))
    if not every:
        return f"no shape of the layers {sizes} is possible"
    nearest = min(every, key=lambda d: max(d.counts[r] / n for r, n in have.items() if n > 0))
    said = boards.say(boards.short(nearest.counts, have))
    hidden = max(task.hidden)
    while hidden > 1:
        hidden //= 2
        smaller = replace(task, hidden=tuple(min(h, hidden) for h in task.hidden))
        if any(d.fits for turn in learner.turns(smaller)[::-4] for d in learner.search(smaller, chosen, 1, 1, turn)):
            return (
                f"{chosen.name} does not hold a learner of {sizes}: short of {said}; the nearest that fits is "
                f"--network {','.join(map(str, smaller.hidden))}"
            )
    return f"{chosen.name} does not hold a learner of {sizes}: short of {said}; none that is smaller fits"


def _too_slow(
    request: Request, task: learner.LearnerTask, chosen: Board, best: learner.Design, every: list[learner.Design],
    have: Mapping[str, float],
) -> str:  # fmt: skip
    fast = [d for d in every if d.period <= request.clocks]
    short = ""
    if fast:
        nearest = min(fast, key=lambda d: max(d.counts[r] / n for r, n in have.items() if n > 0))
        short = f" (short of {boards.say(boards.short(nearest.counts, have))})"
    return (
        f"no learner on {chosen.name} takes {request.clocks:,} clocks per step of {task.batch}{short}; the nearest "
        f"that fits takes {best.period:,}"
    )


# --- rollouts ---


def _rollouts(request: Request, chosen: Board) -> Rollouts:
    envs = request.envs or 64
    if request.batch % envs:
        raise UserError(
            f"a batch of {request.batch} steps is not the same number of steps in each of {envs} environments"
        )
    steps = request.batch // envs
    if not rollouts.possible(envs, steps):
        raise UserError(
            f"{envs} environments of {steps} steps are not possible; the core has up to 16384 lanes of 2 to 4096 steps"
        )
    dies = request.slrs or 1
    arrays = list(rollouts.arrays(chosen, dies, envs, steps, request.out_bits or 8))
    fitting = sorted((a for a in arrays if a.fits), key=rollouts.rank)
    if request.clocks is not None:
        quick = [a for a in fitting if a.run <= request.clocks]
        if fitting and not quick:
            best = min(a.run for a in fitting)
            raise UserError(
                f"no array on {chosen.name} takes {request.clocks:,} clocks a rollout; the nearest that fits "
                f"takes {best:,}"
            )
        fitting = quick
    if not fitting:
        have = {r: dies * n for r, n in chosen.die.items()}
        nearest = min(arrays, key=lambda a: max(a.counts[r] / n for r, n in have.items() if n > 0))
        fewer = envs
        while fewer > 1 and not any(a.fits for a in rollouts.arrays(chosen, dies, fewer, steps)):
            fewer //= 2
        raise UserError(
            f"{chosen.name} does not hold {envs} environments of {steps} steps: short of "
            f"{boards.say(boards.short(nearest.counts, have))}; the nearest that fits is --envs {fewer} "
            f"--batch-size {fewer * steps}"
        )
    return Rollouts(request, chosen, dies, envs, steps, fitting, [a for a in arrays if not a.fits])
