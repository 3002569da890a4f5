"""The native sum tree in banks with a lock each: alone it is the model's, and many threads at once lose nothing."""

import pickle
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from test_native_sumtree import SHAPES, asked, operations, same

from rlcores import PrioritizedSampler, ReplayBuffer, SumTree
from rlcores.cores.sumtree.model import TARGET, SumTreeShape
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver
from rlcores.errors import UserError

CASES = [(name, banks) for name in SHAPES for banks in (2, 4, 16) if banks <= SHAPES[name].capacity]


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize(("name", "banks"), CASES)
def test_random_traffic_gives_the_models_integers(name: str, banks: int, seed: int) -> None:
    rng = np.random.default_rng([seed, len(name), banks])
    shape = SHAPES[name]
    pair = SumTreeModelDriver(shape, banks=banks), SumTreeNativeDriver(shape, banks=banks)
    sampled = 0

    def both(call):
        answers = [call(driver) for driver in pair]
        if answers[0] is not None:
            np.testing.assert_array_equal(*answers)
        return answers[0]

    both(lambda driver: driver.configure(weights=True, batch=16))
    for turn in range(30):
        operands = operations(rng, pair[0], int(rng.choice([1, 7, 300])))
        both(lambda driver, operands=operands: driver.operations(*operands))
        operands = asked(rng, pair[0], int(rng.choice([1, 16, 200])))
        sampled += int((both(lambda driver, operands=operands: driver.samples(*operands))["status"] == 0).sum())
        both(lambda driver: driver.draw(64))
        if turn % 5 == 4:
            registers = {
                "batch": int(rng.choice([1, 16, 64])),
                "stratified": bool(rng.random() < 0.5),
                "capacity": int(rng.integers(0, shape.capacity + 3)),
                "initial": int(rng.integers(0, 1 << min(shape.priority_width, 20))),
                "scale": 8 << 8,
            }
            both(lambda driver, registers=registers: driver.configure(**registers))
            both(lambda driver: driver.restart())
        if turn % 10 == 9:
            both(lambda driver, turn=turn: driver.seed(turn))
            both(lambda driver: driver.clear())
        same(pair)
    assert sampled > 300


def test_a_target_falls_into_the_slots_bank_after_bank(seed: int) -> None:
    rng = np.random.default_rng(seed)
    priorities = rng.integers(0, 50, 30)
    for backend in ("native", "model"):
        tree = SumTree(30, backend=backend, banks=8, seed=0)
        assert tree.insert(priorities).indices.tolist() == list(range(30))
        order = np.argsort(np.arange(30) % 8, kind="stable")
        ends = priorities[order].cumsum()
        targets = np.arange(ends[-1])
        assert tree.sample_at(targets).indices.tolist() == order[np.searchsorted(ends, targets, "right")].tolist()


def used(banks: int, backend: str, seed: int, **options) -> tuple[PrioritizedSampler, list]:
    """A sampler in the middle of its life, with errors that move the scale, and all that it answered."""
    rng, seen = np.random.default_rng(seed), []
    sampler = PrioritizedSampler(50, banks=banks, backend=backend, seed=seed, batch_size=16, **options)
    for turn in range(25):
        seen.append(sampler.add(td_errors=rng.normal(size=7) * 10.0 ** rng.integers(-3, turn)))
        slots = sampler.reserve(3)
        seen += [slots, sampler.commit(*slots, rng.lognormal(size=3).astype(np.float32))]
        seen.append(sampler.add(int(rng.integers(1, 60))))
        batch = sampler.sample(int(rng.integers(1, 40)))
        stale = batch.generations.copy()
        stale[: turn % 3] += 1
        seen += [batch, sampler.update(batch.indices, rng.normal(size=len(stale)) * 10.0**turn, stale & 0xFFFF)]
        sampler.place(batch.indices[:2])
        sampler.stratified = bool(turn % 2)
    seen += [sampler.tree.read(np.arange(50)), sampler.tree.generations(np.arange(50)), sampler.tree.total]
    return sampler, [*seen, sampler.tree.largest, sampler.unit, sampler.stale, sampler.saturations()]


@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize("banks", [2, 8])
def test_the_engine_and_the_model_answer_alike_and_so_does_a_copy(banks: int, within: bool, seed: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pair = [used(banks, b, seed, max_priority_within_buffer=within) for b in ("native", "model")]
    assert repr(pair[0][1]) == repr(pair[1][1])
    twins = [pickle.loads(pickle.dumps(one)) for one, _ in pair]
    for one in (pair[1][0], *twins):
        assert repr(one.sample(8)) == repr(pair[0][0].sample(8)) or one is not pair[1][0]
    assert repr(twins[0].tree.state_dict()) == repr(twins[1].tree.state_dict())


def test_slots_tags_and_priorities_are_those_of_one_bank(seed: int) -> None:
    trees = [SumTree(13, banks=banks, seed=seed) for banks in (1, 4)]
    rng = np.random.default_rng(seed)
    for _ in range(30):
        count, some = int(rng.integers(1, 40)), rng.integers(0, 13, 5)
        values = rng.integers(0, 99, 5)
        answers = [
            (*t.insert(count=count), t.update(some, values, t.generations(some)), t.read(range(13))) for t in trees
        ]
        assert repr(answers[0]) == repr(answers[1])
        assert trees[0].total == trees[1].total and trees[0].largest == trees[1].largest


def test_a_replay_buffer_draws_from_banks(seed: int) -> None:
    batches = []
    for backend in ("native", "model"):
        buffer = ReplayBuffer(
            64, {"x": ((), "int64")}, observations=(), seed=seed, backend=backend, sampler_options={"banks": 4}
        )
        for k in range(100):
            buffer.add(x=k, reward=0.0, terminated=False, truncated=False)
        batch = buffer.sample(32)
        assert (batch["x"] % 64 == batch.indices).all()
        assert buffer.update(batch.indices, np.arange(32), batch.generations).all()
        batches.append(buffer.sample(32))
    assert (
        batches[0].indices.tolist() == batches[1].indices.tolist() and (batches[0].weights == batches[1].weights).all()
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"banks": 3}, "banks is 3; it must be 1, 2, 4, 8 or 16"),
        ({"banks": True}, "banks is True"),
        ({"banks": 16}, "with 10 slots it must be no more"),
        ({"banks": 2, "backend": "rtl"}, "only the backends native and model"),
        ({"banks": 2, "backend": SumTreeModelDriver(SumTreeShape(4, 10, 18))}, "only the backends native and model"),
    ],
)
def test_a_wrong_number_of_banks_is_one_sentence(options: dict, words: str) -> None:
    with pytest.raises(UserError, match=words):
        SumTree(10, **options)


def test_a_state_of_other_banks_is_refused() -> None:
    state = SumTree(16, banks=4, seed=0).state_dict()
    with pytest.raises(UserError, match="banks 4; this one has 1"):
        SumTree(16, seed=0).load_state_dict(state)
    SumTree(16, banks=4, seed=1).load_state_dict(state)


# --- many threads ---

SLOTS, PART = 1 << 14, 2048  # calls that are long enough to leave Python's lock


def together(*works) -> None:
    """Threads that begin at once; raises what one of them raised."""
    begin, failed = threading.Barrier(len(works)), []

    def run(work) -> None:
        begin.wait()
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for one in threads:
        one.start()
    for one in threads:
        one.join(120)
    assert not failed and not any(one.is_alive() for one in threads), failed


@pytest.mark.parametrize("rounds", [200, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("banks", [2, 8])
def test_threads_lose_nothing_and_the_sums_are_right(banks: int, rounds: int, seed: int) -> None:
    tree = SumTree(SLOTS, banks=banks, batch_max=4096, seed=seed)
    tree.insert(np.ones(SLOTS, np.int64))
    quarter = SLOTS // 4
    last = [np.ones(quarter, np.int64) for _ in range(3)]
    drawn, most = [0], [1, 1, 1]

    def updates(number: int) -> None:
        rng = np.random.default_rng([seed, number])
        for _ in range(rounds):
            slots, values = rng.permutation(quarter)[:PART], rng.integers(1, 1 << 18, PART)
            assert tree.update(slots + number * quarter, values).all()
            last[number][slots], most[number] = values, max(most[number], values.max())

    def samples() -> None:
        for turn in range(rounds):
            answers = tree.sample(4096, stratified=bool(turn % 2))
            assert (answers.priorities > 0).all() and (answers.indices >= 0).all() and (answers.indices < SLOTS).all()
            assert (answers.generations == tree.generations(answers.indices)).all()
            assert (answers.priorities <= answers.totals).all()
            drawn[0] += 4096

    together(*(lambda n=n: updates(n) for n in range(3)), samples)
    held = tree.read(np.arange(SLOTS))
    assert all((held[n * quarter : (n + 1) * quarter] == last[n]).all() for n in range(3)), "the last write stays"
    assert (held[3 * quarter :] == 1).all() and tree.total == held.sum() and tree.largest == max(most)
    counts = tree.driver.counters()
    assert counts["updates"] == 3 * rounds * PART and counts["samples"] == drawn[0] > 0
    # Every level of every bank, not only the totals.
    ends = np.concatenate([held[b::banks] for b in range(banks)]).cumsum()
    answers = tree.driver.samples(np.full(500, TARGET), targets := np.linspace(0, ends[-1] - 1, 500).astype(np.int64))
    order = np.concatenate([np.arange(SLOTS)[b::banks] for b in range(banks)])
    assert (answers["index"] == order[np.searchsorted(ends, targets, "right")]).all()


def test_threads_that_insert_take_each_slot_once_and_in_order(seed: int) -> None:
    tree = SumTree(SLOTS - 3, banks=8, seed=seed)
    taken: list[list] = [[], [], []]

    def inserts(number: int) -> None:
        for turn in range(30):
            slots = tree.insert(count=PART) if turn % 2 else tree.reserve(PART)
            taken[number].append(slots)
            if not turn % 2:
                tree.commit(*slots, np.full(PART, 7))

    together(*(lambda n=n: inserts(n) for n in range(3)))
    calls = [call for mine in taken for call in mine]
    assert all(((slots.indices - slots.indices[0]) % (SLOTS - 3) == np.arange(PART)).all() for slots in calls)
    every = np.concatenate([slots.indices + (SLOTS - 3) * slots.generations for slots in calls])
    assert len(np.unique(every)) == len(every) == 90 * PART and np.ptp(every) == len(every) - 1, "each slot of each lap"
    assert tree.driver.counters()["inserts"] == 90 * PART
    assert tree.total == tree.read(np.arange(SLOTS - 3)).sum()


def test_a_scale_that_moves_amid_other_threads_moves_every_priority(seed: int) -> None:
    """No priority is in the units of before: those of a slot that keeps its error differ by rounding alone."""
    sampler = PrioritizedSampler(SLOTS, banks=8, batch_max=4096, seed=seed, alpha=1.0, priority_epsilon=0.0)
    sampler.add(td_errors=np.full(SLOTS, 1000.0))
    half = np.arange(0, SLOTS, 2)

    def steady() -> None:
        for _ in range(40):
            assert sampler.update(half, np.full(len(half), 1000.0)).all()

    def growing() -> None:
        for k in range(40):
            sampler.update(np.array([1]), np.array([1e4 * 1.3**k]))

    def drawing() -> None:
        for _ in range(40):
            batch = sampler.sample(4096)
            units = np.unique(batch.priorities[(batch.indices % 2 == 0)])
            assert len(units) < 2 or units[-1] - units[0] <= 1, "one batch has one unit"

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        together(steady, steady, growing, drawing)
    held = sampler.tree.read(half)
    assert (np.abs(held - 1000 * sampler.unit) <= 0.01 * held).all()
    assert sampler.tree.total == sampler.tree.read(np.arange(SLOTS)).sum()


FORK = """
import os, threading, time, warnings
import numpy as np
from rlcores import SumTree
warnings.simplefilter("ignore")
tree = SumTree(1 << 14, banks=8, batch_max=4096)
tree.insert(np.ones(1 << 14, np.int64))
def work():
    rng = np.random.default_rng()
    while True:
        tree.update(rng.permutation(1 << 14)[:2048], rng.integers(1, 99, 2048))
        tree.sample(2048)
        tree.insert(count=2048)
        tree.driver.clear_flags()
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.1)
for _ in range(12):
    child = os.fork()
    if not child:
        tree.insert(count=8)
        os._exit(0 if tree.total == tree.read(np.arange(1 << 14)).sum() else 1)
    assert os.waitpid(child, 0)[1] == 0
os._exit(0)
"""


def test_a_fork_amid_many_threads_leaves_whole_banks() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
