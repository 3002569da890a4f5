"""The native sum tree gives the model's integers in every call of a driver, on every instruction set."""

import copy
import pickle

import numpy as np
import pytest

from rlcores.cores.sumtree.model import CLEAR, DRAW, GIVEN, INSERT, SOFT, TARGET, UPDATE, SumTreeShape
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver
from rlcores.cores.sumtree.tree import SumTree

SHAPES = {
    "one level": SumTreeShape(2, 3, 6, 32, 3),
    "small": SumTreeShape(6, 50, 18, 32, 8),
    "no tags": SumTreeShape(5, 32, 27, 7, 0),
    "wide": SumTreeShape(9, 512, 32, 32, 16),
    "widest": SumTreeShape(10, 1000, 32, 31, 5),
    "narrow": SumTreeShape(11, 2000, 1, 32, 2),
    "large": SumTreeShape(15, 30000, 28, 32, 16),
    "both": SumTreeShape(15, 30000, 18, 32, 16),  # levels of 64 bits above those of 32
}


pytestmark = pytest.mark.usefixtures("isa")


def operations(rng: np.random.Generator, driver: SumTreeModelDriver, count: int) -> tuple[np.ndarray, ...]:
    """Random operations: few slots, so that they meet; tags near the present ones; now and then what is not allowed."""
    shape = driver.shape
    often = [0.33, 0.25, 0.1, 0.15, 0.1, 0.02, 0.04, 0.01]
    kind = rng.choice([0, 1, 2, 3, 4, 5, 6, 255], count, p=often).astype(np.uint8)
    if rng.random() < 0.7:
        kind[kind == CLEAR] = 0
    few = max(1, int(driver.capacity * rng.choice([0.05, 0.5, 1.1])))
    index = rng.integers(0, few, count)
    tags = np.array([driver.model.generation(int(i)) for i in index]) + rng.choice([0, 0, 0, 1, -1], count)
    generation = tags & ((1 << shape.generation_width) - 1)
    # Half of them TD errors, small ones mostly; priorities up to what saturates.
    td = rng.random(count) < 0.5
    delta = (rng.standard_normal(count) * 2.0 ** rng.integers(-4, 31, count)).astype(np.int64)
    top = min(1 << 32, 2 << shape.priority_width)
    number = rng.random(count) * top * rng.choice([1, 1e-3, 0], count)
    priority = np.where(td, delta & 0xFFFFFFFF, number.astype(np.int64))
    check, use_max = rng.random((2, count)) < 0.3
    return kind, index, priority, generation, check, use_max, td


def asked(rng: np.random.Generator, driver: SumTreeModelDriver, count: int) -> tuple[np.ndarray, np.ndarray]:
    kind = rng.choice([DRAW, GIVEN, TARGET, SOFT], count).astype(np.uint8)
    value = (rng.random(count) * driver.total * 1.1).astype(np.uint64)
    return kind, np.where(kind == GIVEN, rng.integers(0, 1 << 40, count, dtype=np.uint64), value)


def same(pair: tuple[SumTreeModelDriver, SumTreeNativeDriver]) -> None:
    model, tree = pair
    for name in ("size", "total", "largest", "capacity"):
        assert getattr(model, name) == getattr(tree, name), name
    assert model.counters() == tree.counters() and model.flags() == tree.flags()


@pytest.mark.parametrize("name", SHAPES)
def test_random_traffic_gives_the_models_integers(name: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(name)])
    shape = SHAPES[name]
    pair = SumTreeModelDriver(shape), SumTreeNativeDriver(shape)
    did = dict.fromkeys(("operations", "found"), 0)

    def both(call):
        answers = [call(driver) for driver in pair]
        if answers[0] is not None:
            assert answers[0].dtype == answers[1].dtype
            np.testing.assert_array_equal(*answers)
        return answers[0]

    same(pair)
    both(lambda driver: driver.configure(weights=True, batch=16))
    operands = operations(rng, pair[0], 900)
    both(lambda driver: driver.operations(*operands))
    drawn = both(lambda driver: driver.draw(256))
    assert (drawn["weight"] == 1 << 31).sum() >= 16 * (pair[0].total > 0), "a batch's largest weight is 1"
    for _ in range(60):
        action = rng.choice(["operations", "samples", "draw", "configure", "seed", "clear", "restart"],
                            p=[0.4, 0.2, 0.2, 0.1, 0.04, 0.02, 0.04])  # fmt: skip
        if action == "operations":
            operands = operations(rng, pair[0], int(rng.choice([1, 7, 256, 300, 900])))
            both(lambda driver, operands=operands: driver.operations(*operands))
            did["operations"] += len(operands[0])
        elif action == "samples":
            operands = asked(rng, pair[0], int(rng.choice([1, 16, 300])))
            did["found"] += int(
                (both(lambda driver, operands=operands: driver.samples(*operands))["status"] == 0).sum()
            )
        elif action == "draw":
            count = int(rng.choice([1, 64, 256, 1000]))
            both(lambda driver, count=count: driver.draw(count))
        elif action == "configure":
            registers = {
                "batch": int(rng.choice([1, 2, 16, 64, 1000])),
                "stratified": bool(rng.random() < 0.5),
                "alpha": int(rng.choice([0, 1, 19661, 32768])),
                "epsilon": int(rng.choice([0, 1, 1 << 20, (1 << 32) - 1])),
                "scale": int(rng.integers(-127 * 256, 127 * 256)) if rng.random() < 0.2 else 8 << 8,
                "beta": int(rng.choice([0, 13107, 32768])),
                "weights": bool(rng.random() < 0.8),
                "capacity": int(rng.integers(0, shape.capacity + 3)),
                "initial": int(rng.integers(0, 1 << min(shape.priority_width, 20))),
            }
            some = {n: x for n, x in registers.items() if rng.random() < 0.6}
            both(lambda driver, some=some: driver.configure(**some))
        elif action == "seed":
            word = int(rng.integers(0, 1 << 63))
            both(lambda driver, word=word: driver.seed(word))
        elif action == "clear":
            both(lambda driver: driver.clear())
        else:
            words = tuple(int(x) for x in rng.integers(0, 1 << 32, 4) * (rng.random() < 0.8))
            both(lambda driver, words=words: driver.load_draws(words))
            both(lambda driver: driver.abort())
        same(pair)
    assert did["operations"] > 1000 and did["found"], did


@pytest.mark.parametrize(("leaves", "width"), [(4, 27), (5, 27), (8, 23), (9, 22), (9, 23), (13, 18), (14, 18)])
def test_the_largest_priorities_in_all_slots_add_up_to_the_last_bit(leaves: int, width: int, seed: int) -> None:
    rng = np.random.default_rng([seed, leaves, width])
    slots, top = 1 << leaves, (1 << width) - 1
    driver = SumTreeNativeDriver(SumTreeShape(leaves, slots, width, 32, 4))
    held = np.full(slots, top)
    driver.operations(np.full(slots, INSERT), priority=held)
    for _ in range(3):
        sums = np.cumsum(held)
        assert driver.total == sums[-1]
        ends = sums[rng.integers(0, slots, 50)]
        targets = np.clip(np.concatenate([ends - 1, ends, [0, sums[-1] - 1]]), 0, sums[-1] - 1)
        answers = driver.samples(np.full(len(targets), TARGET), targets)
        np.testing.assert_array_equal(answers["index"], np.searchsorted(sums, targets, "right"))
        np.testing.assert_array_equal(answers["priority"], held[answers["index"]])
        some = rng.integers(0, slots, 5)
        held[some] = 0
        driver.operations(np.full(5, UPDATE), some)


@pytest.mark.parametrize("tags", [0, 5])
def test_many_writes_in_one_call_are_those_of_the_model(tags: int, seed: int) -> None:
    """More than the engine takes at once; all fresh, or some of them stale."""
    rng = np.random.default_rng([seed, tags])
    trees = [SumTree(600, backend=name, generation_width=tags, initial=3, seed=0) for name in ("native", "model")]
    before = 0
    for turn in range(12):
        stale = 3 * (turn % 2)
        count = int(rng.choice([1, 256, 257, 700]))
        updates = rng.integers(0, 600, count), rng.integers(0, 1 << 18, count)
        answers = []
        for tree in trees:
            slots = tree.reserve(250)
            known = tree.generations(updates[0])
            known[:stale] = (known[:stale] + 1) % (1 << tags)
            ready = tree.commit(slots.indices, slots.generations, None if turn % 3 else np.arange(250))
            tree.place(slots.indices[:20])
            fresh = tree.update(*updates, known)
            answers.append((*slots, ready, fresh, tree.read(np.arange(600)), tree.largest, tree.total))
        for one, other in zip(*answers, strict=True):
            np.testing.assert_array_equal(one, other)
        assert ready.all() and trees[0].stale - before == (min(stale, count) if tags else 0)
        before = trees[0].stale
    same(tuple(tree.driver for tree in trees))


def test_two_who_write_registers_at_once_lose_nothing() -> None:
    """One of them waits in the midst of its call, as a thread may where a number is one of Python's own."""

    class Late:
        def __int__(self) -> int:
            driver.configure(scale=2048, initial=7)
            return 5 << 20

    driver, alone = (SumTreeNativeDriver(SHAPES["small"]) for _ in range(2))
    driver.configure(epsilon=Late(), alpha=32768)
    alone.configure(epsilon=5 << 20, alpha=32768, scale=2048, initial=7)
    for tree in (driver, alone):
        tree.clear()
        tree.operations([1], td=True)
    assert (driver.total, driver.largest) == (alone.total, alone.largest)


def test_a_register_that_does_not_exist_changes_none() -> None:
    driver = SumTreeNativeDriver(SHAPES["small"])
    with pytest.raises(TypeError, match="register"):
        driver.configure(initial=9, batches=3)
    driver.clear()
    assert driver.largest == 1


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copy_goes_on_as_the_tree_would(name: str, copied, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model, tree = SumTreeModelDriver(SHAPES[name]), SumTreeNativeDriver(SHAPES[name])
    for driver in (model, tree):
        driver.configure(capacity=max(1, SHAPES[name].capacity - 3), batch=5, stratified=True, weights=True)
        driver.clear()
    for _ in range(3):
        operands = operations(rng, model, 200)
        for driver in (model, tree):
            driver.operations(*operands)
            driver.samples(*(np.zeros(15, t) for t in (np.uint8, np.uint64)))
        apart = copied(tree)
        before = tree.tree.__getstate__()
        same((model, apart))
        for driver in (model, apart):
            driver.draw(5)
        assert tree.tree.__getstate__() == before  # the copy is another one
        tree = apart


def test_a_state_that_is_none_is_refused() -> None:
    tree = SumTreeNativeDriver(SHAPES["small"]).tree
    version, numbers, held = tree.__getstate__()
    for wrong in ((numbers[:-1], held), (numbers, held[:-8]), ((*numbers[:8], 10**6, *numbers[9:]), held)):
        with pytest.raises(ValueError, match="no state"):
            tree.__class__.__new__(tree.__class__).__setstate__((version, *wrong))
    for other in ((version + 1, numbers, held), (numbers, held)):
        with pytest.raises(ValueError, match="another version of rlcores"):
            tree.__class__.__new__(tree.__class__).__setstate__(other)
