"""rlc_net_learner_weights alone: every text that is read is one set's, whole, whatever comes meanwhile."""

import json
import os
import random
from collections import deque

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import pack, start
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.learner.shape import NetworkShape, fields
from rlcores.cores.net_learner import text

CLOCKS = 4000
LATENCY = 4  # clocks from read_begin to the first word


def shown(network: NetworkShape, rng: random.Random) -> tuple[list[list[int]], bytes]:
    """A set of weights: the groups of each layer, as the bus has them, and the set's text."""
    groups, codes = [], []
    for layer in range(1, network.layers + 1):
        lanes = network.update_lanes(layer)
        rows = [
            [rng.randrange(-(1 << 26), 1 << 26) for _ in range(lanes)]
            for _ in range(network.weight_groups(layer) + network.bias_groups(layer))
        ]
        groups.append([pack(row, 27) for row in rows])
        codes += [w for row in rows for w in row]
    return groups, text.placed(network, np.array(codes)).tobytes()


@cocotb.test()
async def what_is_read_is_one_set_and_whole(dut):
    rng = random.Random(cocotb.RANDOM_SEED)
    parameters = json.loads(os.environ["RLCORES_PARAMETERS"])
    sizes, lanes, rows, cols = (fields(parameters[n]) for n in ("SIZES", "LANES", "UPDATE_ROWS", "UPDATE_COLS"))
    network = NetworkShape(sizes, lanes, (1,) * len(rows), (1,) * len(rows), rows, cols)
    words, group = text.text_bytes(network) // 8, int(parameters["GROUP"])
    publish = rng.choice([0, 1, 1, 2, 3])
    quiet = ("bus_valid", "bus_data", "forget", "host_loads", "read_begin", "begin_newest", "at", "read_end", "m_ready")
    await start(dut, *quiet, cfg_publish=publish)

    pace, gap, eager = rng.choice([0.3, 1.0]), rng.choice([0.05, 0.5, 1.0]), rng.choice([0.1, 0.5, 1.0])
    texts: dict[int, bytes] = {}
    coming: list[deque[int]] | None = None
    data, sets, left, newest, older = b"", 0, 0, 0, 0
    met = False  # a reader was there while this set came
    reading: tuple[bytes, int, int] | None = None  # text, word, words to come
    began = 0
    for clock in range(CLOCKS):
        # What comes.
        dut.bus_valid.value = dut.host_loads.value = dut.forget.value = 0
        if coming is None and rng.random() < gap:
            groups, data = shown(network, rng)
            coming, met = [deque(layer) for layer in groups], False
        valid = 0
        forget = coming is not None and rng.random() < 0.001
        loads = coming is None and rng.random() < 0.002
        dut.forget.value, dut.host_loads.value = forget, loads
        if coming is not None and not forget:
            bus = 0
            for n, layer in enumerate(coming):
                if layer and rng.random() < pace:
                    valid |= 1 << n
                    bus |= layer.popleft() << group * n
            dut.bus_valid.value, dut.bus_data.value = valid, bus
        # Who reads.
        begins = reading is None and newest and rng.random() < eager
        new = not older or rng.random() < 0.5
        at = rng.randrange(words)
        dut.read_begin.value, dut.begin_newest.value, dut.at.value = begins, new, at
        ready = rng.random() < 0.6
        dut.m_ready.value = ready
        ends = reading is not None and (reading[2] == 0 or rng.random() < 0.01)
        dut.read_end.value = ends
        await ReadOnly()
        assert (int(dut.newest_there.value), int(dut.older_there.value)) == (newest > 0, older > 0)
        assert not newest or int(dut.newest.value) == newest
        assert not older or int(dut.older.value) == older
        if reading is not None:
            met = True
            assert bool(dut.m_valid.value) == (clock >= began + LATENCY), "a word comes late, or early"
            if not ends and ready and int(dut.m_valid.value):
                whole, word, rest = reading
                assert int(dut.m_data.value) == int.from_bytes(whole[8 * word : 8 * word + 8], "little")
                reading = whole, word + 1, rest - 1
                HITS["words"] += 1
        if begins:
            reading = texts[newest if new else older], at, rng.randrange(1, words - at + 1)
            began = clock
            HITS["reads"] += 1
        if ends:
            reading = None
        published = int(dut.published.value)
        if forget:
            coming = None
            HITS["forgotten"] += 1
        if loads:
            left = 0
        if valid and not any(coming):
            coming, sets = None, sets + 1
            texts[sets] = data
            if published:
                assert left == 0, "a set was published before its time"
                older, newest, left = newest, sets, max(publish, 1) - 1
                HITS["published"] += 1
            elif left:
                left -= 1
            else:
                assert met or reading is not None, "a set was left out, and nobody reads"
                HITS["left out"] += 1
        else:
            assert not published
        await FallingEdge(dut.clk)
    report()
