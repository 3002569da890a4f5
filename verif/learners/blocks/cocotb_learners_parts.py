"""The parts that join several learners, each by itself: RLCORES_PART names the module that is the top."""

import os
import random
from collections import deque

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import clocks, integers, pack, start, unpack, write
from cocotb.triggers import FallingEdge, ReadOnly, Timer

from rlcores.cores.learners.average import mean
from rlcores.cores.sumtree.words import ALL, LOG, OWN

PART = os.environ["RLCORES_PART"]


def of(dut, name: str) -> int:
    return int(getattr(dut, name).value)


def bits(signal, at: int, count: int = 1) -> int:
    """Some of it: others may be undefined."""
    return int(signal.value[at + count - 1 : at])


def back(dut, learner: int, field: str) -> int:
    """What comes back to a learner."""
    places = {name: (at, count) for name, at, count in ALL.positions()}
    at, count = places[field]
    return bits(dut.m_learner, learner * ALL.bits + at, count)


@cocotb.test(skip=PART != "average")
async def every_average_is_the_models_and_comes_after_latency_clocks(dut):
    learners, lanes, width, cross = integers(dut, "LEARNERS", "LANES", "WIDTH", "CROSS")
    odd = learners // (learners & -learners)
    latency = 2 * cross + (learners - 1).bit_length() + (1 if odd == 1 else 8)
    await start(dut, "s_data")
    limit, expected = 1 << (width - 1), deque()
    for clock in range(600):
        numbers = np.array([[random.randrange(-limit, limit) for _ in range(lanes)] for _ in range(learners)])
        if clock % 4 == 0:  # the ends of the range, and sums that are halves
            numbers = np.array([[random.choice((-limit, limit - 1, 0, 1, -1)) for _ in n] for n in numbers])
        dut.s_data.value = pack(numbers.reshape(-1).tolist(), width)
        expected.append(mean(numbers).tolist())
        await FallingEdge(dut.clk)
        if len(expected) == latency:
            wanted = expected.popleft()
            assert unpack(of(dut, "m_data"), width, lanes) == wanted
            HITS["averages"] += 1
            HITS["negative"] += sum(x < 0 for x in wanted)
    report()


@cocotb.test(skip=PART != "weights")
async def every_batch_gets_the_largest_weight_of_all_banks_in_order(dut):
    learners, cross = integers(dut, "LEARNERS", "CROSS")
    levels = (learners - 1).bit_length()
    await start(dut, "s_learner", "cfg_exact")
    clock = 0
    for number in range(8):
        exact = number % 3 != 1
        dut.cfg_exact.value = exact
        await clocks(dut, 2 * cross + levels + 4)
        batches = 40
        logs = [[random.getrandbits(LOG) for _ in range(batches)] for _ in range(learners)]
        if number == 0:
            logs = [[random.choice((0, (1 << LOG) - 1)) for _ in row] for row in logs]
        likely = [random.choice((0.05, 0.3, 1.0)) for _ in range(learners)]
        sent, came = [0] * learners, [[] for _ in range(learners)]
        when: list[list[int]] = [[] for _ in range(learners)]
        while any(len(each) < batches for each in came):
            word = 0
            for i in range(learners):
                # A learner has no more batches under way than there are places.
                if sent[i] < batches and sent[i] - len(came[i]) < 20 and random.random() < likely[i]:
                    word |= OWN.pack(valid=1, log=logs[i][sent[i]]) << (i * OWN.bits)
                    when[i].append(clock)
                    sent[i] += 1
                elif random.random() < 0.5:
                    word |= OWN.pack(valid=0, log=random.getrandbits(LOG)) << (i * OWN.bits)
            dut.s_learner.value = word
            await ReadOnly()
            for i in range(learners):
                assert back(dut, i, "exact") == exact
                if back(dut, i, "valid"):
                    k = len(came[i])
                    came[i].append(back(dut, i, "log"))
                    assert came[i][k] == (max(row[k] for row in logs) if exact else logs[i][k]), f"batch {k} of {i}"
                    last = max(row[k] for row in when) if exact else when[i][k]
                    waited = clock - last
                    assert waited >= 2 * cross + 1 + levels
                    HITS["at once"] += waited == 2 * cross + 1 + levels
                    HITS["waited"] += clock - when[i][k] > waited
            clock += 1
            await FallingEdge(dut.clk)
            HITS["exact" if exact else "own"] += 1
    # A reset of one clock forgets what is under way. What one learner has left is given back when it waits no more.
    dut.cfg_exact.value = 1
    for reset in (True, False):
        await FallingEdge(dut.clk)
        dut.s_learner.value = OWN.pack(valid=1, log=7)
        await FallingEdge(dut.clk)
        dut.s_learner.value = 0
        await clocks(dut, random.randrange(2 * cross))
        dut.rst.value = int(reset)
        await FallingEdge(dut.clk)
        dut.rst.value = 0
        dut.cfg_exact.value = 0
        answers = 0
        for _ in range(4 * cross + levels + 6):
            await ReadOnly()
            answers += back(dut, 0, "valid")
            await FallingEdge(dut.clk)
        assert answers == (0 if reset else 1)
        dut.cfg_exact.value = 1
    report()


@cocotb.test(skip=PART != "rounds")
async def every_last_step_of_a_round_is_announced(dut):
    await start(dut, "cfg_average", "cfg_done", "step_done")
    for average, done in ((0, 0), (1, 0), (5, 0), (5, 2), (5, 4), (3, 1), (2, 1), (1, 0), (300, 298)):
        write(dut, cfg_average=average, cfg_done=done, step_done=0)
        await clocks(dut, 2)
        place = done
        for _ in range(60):
            step = random.random() < 0.6
            dut.step_done.value = int(step)
            await ReadOnly()
            assert int(dut.last.value) == (average > 0 and place == average - 1), (average, done, place)
            HITS["last"] += step and int(dut.last.value)
            await FallingEdge(dut.clk)
            place = (place + step) % average if average else place
    report()


@cocotb.test(skip=PART != "planes")
async def words_go_to_who_loads_and_come_from_who_reads(dut):
    learners = of(dut, "LEARNERS")
    for _ in range(200):
        who, ready, valid, last = random.randrange(learners), *(random.getrandbits(1) for _ in range(3))
        words = [random.getrandbits(64) for _ in range(learners)]
        dut.s_axis_load_tvalid.value, dut.load_ready.value = valid, ready << who
        dut.read_valid.value = valid << who
        dut.read_last.value = last << who | (random.getrandbits(learners) & ~(1 << who))
        dut.read_data.value = pack(words, 64)
        await Timer(1, "ns")
        assert of(dut, "load_valid") == (valid & ready) << who and of(dut, "s_axis_load_tready") == ready
        assert of(dut, "m_axis_read_tvalid") == valid
        if valid:
            assert of(dut, "m_axis_read_tdata") == words[who] and of(dut, "m_axis_read_tlast") == last
            HITS["words"] += 1
    report()
