"""The integer model of the sum tree against a list of priorities that is added up anew for every answer."""

import numpy as np
import pytest
from float_sumtree import FloatSumTree

from rlcores.cores.common.draws import Draws
from rlcores.cores.sumtree.model import (
    CLEAR,
    COMMIT,
    DRAW,
    EMPTY,
    GIVEN,
    INSERT,
    KIND,
    MISS,
    OK,
    RANGE,
    READ,
    RESERVE,
    SOFT,
    STALE,
    TARGET,
    UPDATE,
    SumTreeModel,
    SumTreeShape,
)
from rlcores.cores.sumtree.shape import TreeLevel, places


def levels(leaves_log2: int, radix: int) -> list[TreeLevel]:
    """The levels of a tree of 18 bits, root first."""
    parameters = {"LEAVES_LOG2": leaves_log2, "RADIX_LOG2": radix, "PRIORITY_WIDTH": 18, "WIDE_LATENCY": 2, "ADDS": 2}
    return places(parameters)[::-1]


SHAPES = [
    SumTreeShape(leaves_log2=1, capacity=1, priority_width=1, draw_width=1, generation_width=0),
    SumTreeShape(leaves_log2=3, capacity=5, priority_width=4, draw_width=8, generation_width=2),
    SumTreeShape(leaves_log2=5, capacity=32, priority_width=18, draw_width=32, generation_width=0),
    SumTreeShape(leaves_log2=6, capacity=61, priority_width=56, draw_width=32, generation_width=16),
]


class Plain:
    """The semantics with nothing clever: one list of priorities, one list of tags."""

    def __init__(self, shape: SumTreeShape, capacity: int, initial: int, strata: int, seed: int) -> None:
        self.shape, self.wanted, self.initial = shape, capacity, initial
        self.mask = (1 << shape.generation_width) - 1
        self.draws = Draws(shape.draw_width)
        self.draws.seed(seed)
        self.draws.restart(strata)
        self.tags = [0] * (1 << shape.leaves_log2)
        self.leaf = [0] * (1 << shape.leaves_log2)
        self.start()

    def start(self) -> None:
        self.capacity = self.wanted if 1 <= self.wanted <= self.shape.capacity else self.shape.capacity
        self.next, self.size, self.largest = 0, 0, self.initial

    def clear(self) -> None:
        # The last slot is the last one that inserts reach: its tag is the number of finished laps.
        self.tags = [self.tags[self.capacity - 1] + 2] * len(self.tags)
        self.leaf = [0] * len(self.leaf)
        self.start()

    def operation(self, kind, index, priority, generation, check, use_max):
        if kind == CLEAR:
            self.clear()
            return kind, OK, 0, 0, 0
        if kind > CLEAR:
            return kind, KIND, index, 0, 0
        if kind in (INSERT, RESERVE):
            index = self.next
            self.next = (self.next + 1) % self.capacity
            self.size = min(self.size + 1, self.capacity)
            self.tags[index] += 1
        elif index >= self.capacity:
            return kind, RANGE, index, 0, 0
        elif kind != READ and (check or kind == COMMIT) and (self.tags[index] ^ generation) & self.mask:
            return kind, STALE, index, self.tags[index] & self.mask, 0
        old = self.leaf[index]
        if kind == RESERVE:
            self.leaf[index] = 0
        elif kind != READ:
            self.leaf[index] = self.largest if use_max else priority
            self.largest = max(self.largest, self.leaf[index])
        return kind, OK, index, self.tags[index] & self.mask, old

    def sample(self, kind, value):
        total = sum(self.leaf)
        u = value % (1 << self.shape.draw_width)
        if kind in (DRAW, SOFT):
            u = self.draws.next()
        if not total:
            return EMPTY, 0, 0, 0, 0
        target = value % (1 << self.shape.total_width)
        if kind != TARGET and not (kind == SOFT and target < total):
            target = u * total // (1 << self.shape.draw_width)
        if target >= total:
            return MISS, 0, 0, total, 0
        prefix = 0
        for index, priority in enumerate(self.leaf):
            prefix += priority
            if prefix > target:
                return OK, index, priority, total, self.tags[index] & self.mask
        raise AssertionError("no leaf")


def random_operations(rng, shape: SumTreeShape, count: int) -> tuple[np.ndarray, ...]:
    """kind, index, priority, generation, check, use_max: all kinds, a clear now and then, any tags."""
    chances = [0.35, 0.2, 0.08, 0.15, 0.18, 0.01, 0.03]
    kind = rng.choice(7, size=count, p=chances)
    # Few of the indices are beyond the capacity; half of them fall on four slots.
    index = rng.integers(0, 1 << shape.leaves_log2, count)
    index = np.where(rng.random(count) < 0.5, index % 4, index) % (1 << shape.leaves_log2)
    priority = rng.integers(0, 1 << shape.priority_width, count) >> rng.integers(0, shape.priority_width, count)
    generation = rng.integers(0, 1 << shape.generation_width, count)
    return kind, index, priority, generation, rng.random(count) < 0.3, rng.random(count) < 0.2


def random_samples(rng, shape: SumTreeShape, count: int) -> tuple[np.ndarray, np.ndarray]:
    """kind, value of requests; the values have every length."""
    bits = max(shape.total_width, shape.draw_width)
    return rng.integers(0, 4, count), rng.integers(0, 1 << bits, count) >> rng.integers(0, bits, count)


def both(shape: SumTreeShape, seed: int) -> tuple[Plain, SumTreeModel]:
    capacity = seed % (shape.capacity + 2)
    initial = 1 % (1 << shape.priority_width)
    plain = Plain(shape, capacity, initial, strata=seed % 7, seed=seed)
    return plain, SumTreeModel(shape, capacity=capacity, initial=initial, strata=seed % 7, seed=seed)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: f"{1 << s.leaves_log2}x{s.priority_width}")
def test_every_answer_is_that_of_the_plain_list(shape, seed):
    rng = np.random.default_rng(seed)
    plain, model = both(shape, seed)
    operations = list(zip(*(x.tolist() for x in random_operations(rng, shape, 3000)), strict=True))
    samples = list(zip(*(x.tolist() for x in random_samples(rng, shape, 3000)), strict=True))
    seen = set()
    for operation, request in zip(operations, samples, strict=True):
        if rng.random() < 0.5:
            kind, index, priority, _, *rest = operation
            operation = kind, index, priority, plain.tags[index] & plain.mask, *rest
        expected = plain.operation(*operation)
        assert tuple(model.operation(*operation)) == expected
        seen.add(("operation", *expected[:2]))
        expected = plain.sample(*request)
        assert tuple(model.sample(*request)) == expected
        seen.add(("sample", request[0], expected[0]))
        assert (model.size, model.largest, model.total) == (plain.size, plain.largest, sum(plain.leaf))
    assert {("operation", kind, OK) for kind in range(6)} <= seen and ("operation", 6, KIND) in seen
    assert {("sample", kind, OK) for kind in range(4)} | {("sample", TARGET, MISS), ("sample", DRAW, EMPTY)} <= seen
    if model.capacity < model.leaves:
        assert ("operation", UPDATE, RANGE) in seen
    if shape.generation_width:
        assert {("operation", COMMIT, STALE), ("operation", UPDATE, STALE)} <= seen


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: f"{1 << s.leaves_log2}x{s.priority_width}")
def test_arrays_give_what_single_operations_give(shape, seed):
    rng = np.random.default_rng(seed)
    _, one = both(shape, seed)
    _, many = both(shape, seed)
    for _ in range(40):
        count = int(rng.integers(0, 200))
        operations = random_operations(rng, shape, count)
        right = rng.random(count) < 0.5
        operations[3][right] = [one.generation(i) for i in operations[1][right].tolist()]
        answers = many.operations(*operations)
        expected = [one.operation(*x) for x in zip(*(x.tolist() for x in operations), strict=True)]
        assert answers.tolist() == [(a.kind, a.status, a.index, a.generation, a.priority) for a in expected]
        requests = random_samples(rng, shape, count)
        answers = many.samples(*requests)
        expected = [one.sample(*x) for x in zip(*(x.tolist() for x in requests), strict=True)]
        assert answers.tolist() == [(a.status, a.index, a.priority, a.total, a.generation, 0) for a in expected]
        assert (many.size, many.largest, many.total, many.full) == (one.size, one.largest, one.total, one.full)
        np.testing.assert_array_equal(many.priorities, one.priorities)


def test_an_update_held_over_a_clear_never_reaches_the_empty_tree():
    for inserts in range(10):
        model = SumTreeModel(SumTreeShape(leaves_log2=2, capacity=4, priority_width=4))
        model.operations([INSERT] * inserts, priority=1)
        tags = [model.generation(i) for i in range(4)]
        model.operation(CLEAR)
        assert [model.operation(UPDATE, i, 1, tags[i], check=True).status for i in range(4)] == [STALE] * 4
        assert model.total == 0


def test_a_draw_is_scaled_exactly_where_a_product_has_more_than_64_bits():
    model = SumTreeModel(SumTreeShape(leaves_log2=2, capacity=4, priority_width=60))
    model.operations(INSERT, priority=[(1 << 60) - 1] * 3 + [1])
    u = np.array([0, 1, 0x55555555, 0xFFFFFFFF], np.uint64)
    targets = [int(x) * model.total >> 32 for x in u]
    assert model.samples(GIVEN, u)["index"].tolist() == model.samples(TARGET, targets)["index"].tolist()


@pytest.mark.parametrize("radix", [1, 2, 4, 5, 6, 345, 46])
def test_no_answer_depends_on_the_radix(radix, seed):
    """A tree of that radix, walked from the root as the core walks it, finds what the model finds."""
    rng = np.random.default_rng(seed)
    model = SumTreeModel(SumTreeShape(leaves_log2=10, capacity=1000, priority_width=10))
    model.operations(INSERT, priority=rng.integers(0, 1024, 1500) * (rng.random(1500) < 0.6))
    logs = [level.bits for level in levels(10, radix)]
    targets = rng.integers(0, model.total, 300)
    drawn = model.samples(TARGET, targets)["index"]
    for target, expected in zip(targets.tolist(), drawn.tolist(), strict=True):
        node, below = 0, 10
        for log in logs:
            below -= log
            sums = model.priorities.reshape(-1, 1 << below).sum(axis=1)[node << log : (node + 1) << log]
            prefix = np.cumsum(sums)
            child = int(np.searchsorted(prefix, target, side="right"))
            target -= int(prefix[child] - sums[child])
            node = (node << log) + child
        assert node == expected


@pytest.mark.parametrize(
    ("leaves_log2", "radix", "logs"),
    [
        (12, 4, [4, 4, 4]),
        (20, 6, [2, 6, 6, 6]),
        (12, 345, [3, 4, 5]),
        (20, 345, [2, 3, 3, 3, 4, 5]),
        (3, 4, [3]),
        (9, 45, [4, 5]),
        (1, 1, [1]),
        (24, 1, [1] * 24),
    ],
)
def test_levels_are_those_of_the_digits(leaves_log2, radix, logs):
    assert [level.bits for level in levels(leaves_log2, radix)] == logs


@pytest.mark.parametrize("radix", [0, 7, 40, 401, -4])
def test_a_radix_beyond_2_to_64_is_refused(radix):
    with pytest.raises(ValueError, match=f"RADIX_LOG2 is {radix}; every digit must be 1 to 6"):
        levels(12, radix)


def test_storage_of_the_levels_counts_every_sum_once():
    tree_levels = levels(12, 4)
    assert [(level.word_bits, level.width) for level in tree_levels] == [(0, 26), (4, 22), (8, 18)]
    stored = [level.lanes * level.width << level.word_bits for level in tree_levels]
    assert stored[0] == 390 and stored[-1] == 16 * 256 * 18  # above the leaves the last child is not stored


# --- Zhang et al.'s (2021) algorithm ---


@pytest.mark.parametrize("fan_out", [2, 3, 16, 64])
def test_paper_algorithm_finds_the_same_slots_except_at_ties(fan_out, seed):
    """Integer priorities, no rounding. Between two prefix sums both agree; on one the paper is a slot too early."""
    rng = np.random.default_rng(seed)
    leaves = 200
    model = SumTreeModel(SumTreeShape(leaves_log2=8, capacity=leaves, priority_width=10))
    paper = FloatSumTree(leaves, fan_out)
    for index in rng.integers(0, leaves, 1000).tolist():
        priority = int(rng.integers(0, 1024)) * int(rng.integers(0, 2))
        model.operation(UPDATE, index, priority)
        paper.update(index, priority)
    assert paper.total == paper.leaf_sum == model.total
    priorities = model.priorities[:leaves]
    ends = np.cumsum(priorities)
    ties = 0
    for target in rng.integers(0, model.total, 500).tolist() + ends[ends < model.total].tolist():
        exact = model.sample(TARGET, target).index
        assert paper.find(target + 0.5) == exact
        if target in ends or target == 0:
            ties += 1
            early = paper.find(target)
            assert early == int(np.searchsorted(ends, target, side="left"))
            # It differs whenever a prefix sum is hit; only a target 0 inside a non-empty first slot is spared.
            assert early != exact or (target == 0 and priorities[0] > 0)
        else:
            assert paper.find(target) == exact
    assert ties > 50 and paper.overruns == 0


def test_wrong_sizes_of_the_models_are_refused():
    with pytest.raises(ValueError, match="CAPACITY is 9; it must be 1 to 8"):
        SumTreeShape(leaves_log2=3, capacity=9)
    with pytest.raises(ValueError, match="PRIORITY_WIDTH is 60; it must be 1 to 59"):
        SumTreeShape(leaves_log2=3, capacity=8, priority_width=60)
    with pytest.raises(ValueError, match="initial is 16; a priority has 4 bits"):
        SumTreeModel(SHAPES[1], initial=16)
    with pytest.raises(ValueError, match="priority is 16; this tree stores 4 bits"):
        SumTreeModel(SHAPES[1]).operation(UPDATE, 0, 16)
    with pytest.raises(ValueError, match="priority is 16; this tree stores 4 bits"):
        SumTreeModel(SHAPES[1]).operations(UPDATE, [0, 1], [3, 16])
    for leaves, fan_out in ((0, 4), (4, 1)):
        with pytest.raises(ValueError, match="does not exist"):
            FloatSumTree(leaves, fan_out)
