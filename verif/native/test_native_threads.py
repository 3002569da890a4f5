"""Many threads on one native sum tree: every call takes effect at once, in an order that the engine reports.

The model carries out the calls in that order and gives the same answers. A fork, and the end of the interpreter, may
come while threads are inside the engine.
"""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.cores.sumtree.tree import SumTree

CAPACITY = 1000


def same(a: object, b: object) -> bool:
    parts = (a, b) if isinstance(a, tuple) else ((a,), (b,))
    return all(np.array_equal(x, y) for x, y in zip(*parts, strict=True))


def inserter(tree: SumTree, rng: np.random.Generator, rows: np.ndarray, calls: int, log: list) -> None:
    """Lazy writing: slots are reserved, their data is copied while others go on, then they may be sampled."""

    def call(name: str, *arguments, **options):
        answer = getattr(tree, name)(*arguments, **options)
        log.append((tree.driver.order(), name, arguments, options, answer))
        return answer

    for _ in range(calls):
        count = int(rng.integers(1, 40))
        slots = call("reserve", count)
        rows[slots.indices] = slots.generations[:, None]
        call("commit", slots.indices, slots.generations, rng.integers(1, 1 << 18, count))
        call("update", rng.integers(0, CAPACITY, count), rng.integers(0, 1 << 18, count))
        call("update", slots.indices, rng.integers(1, 1 << 18, count), slots.generations)
        if rng.random() < 0.2:
            call("insert", count=count)


def sampler(tree: SumTree, rng: np.random.Generator, rows: np.ndarray, calls: int, log: list) -> None:
    for _ in range(4 * calls):
        count, stratified = int(rng.choice([1, 32, 300])), bool(rng.random() < 0.5)
        samples = tree.sample(count, stratified=stratified)
        log.append((tree.driver.order(), "sample", (count,), {"stratified": stratified}, samples))
        assert (samples.priorities > 0).all()


@pytest.mark.parametrize("calls", [150, pytest.param(20_000, marks=pytest.mark.slow)])
def test_the_model_gives_the_same_answers_in_the_order_that_the_engine_reports(calls: int, seed: int) -> None:
    tree = SumTree(CAPACITY, seed=seed)
    model = SumTree(CAPACITY, seed=seed, backend="model")
    for one in (tree, model):
        one.insert(count=CAPACITY // 2)
    rows, logs, threads, failed = np.zeros((CAPACITY, 4000), np.int32), [], [], []

    def guarded(work, *arguments):
        try:
            work(*arguments)
        except BaseException as error:
            failed.append(error)

    for number, work in enumerate((inserter, inserter, inserter, sampler)):
        logs.append([])
        arguments = tree, np.random.default_rng([seed, number]), rows, calls, logs[-1]
        threads.append(threading.Thread(target=guarded, args=(work, *arguments)))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not failed, failed
    every = sorted((entry for log in logs for entry in log), key=lambda entry: entry[0])
    assert len({entry[0] for entry in every}) == len(every) > 15 * calls and all(logs)
    for place, name, arguments, options, answer in every:
        assert same(getattr(model, name)(*arguments, **options), answer), (place, name)
    assert tree.total == model.total and tree.driver.counters() == model.driver.counters()
    assert str(tree.state_dict()) == str(model.state_dict())


HAMMER = """
import os, sys, threading, time
import numpy as np
from rlcores import PrioritizedSampler
sampler = PrioritizedSampler(4096, batch_size=256)
sampler.add(4096)
def work():
    rng = np.random.default_rng()
    while True:
        batch = sampler.sample()
        sampler.update(batch.indices, rng.normal(size=256), batch.generations)
        sampler.add(16)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.1)
"""
END = "sys.exit(0)"
FORK = """
for _ in range(40):
    child = os.fork()
    if not child:
        for _ in range(5):
            batch = sampler.sample()
            sampler.update(batch.indices, np.ones(256), batch.generations)
        os._exit(0 if len(batch.indices) == 256 else 1)
    assert os.waitpid(child, 0)[1] == 0
os._exit(0)
"""


@pytest.mark.parametrize("then", [END, FORK], ids=["the interpreter ends", "fork"])
def test_threads_inside_the_engine_do_not_stand_in_the_way(then: str) -> None:
    command = [sys.executable, "-W", "ignore", "-c", HAMMER + then]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_child_goes_on_with_its_own_copy() -> None:
    sampler = PrioritizedSampler(64, batch_size=16, seed=3)
    sampler.add(64)
    sampler.sample()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.write(writer, sampler.sample().indices.tobytes())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 4096) == sampler.sample().indices.tobytes(), "both draw what comes next"
    os.close(reader)
    os.close(writer)
