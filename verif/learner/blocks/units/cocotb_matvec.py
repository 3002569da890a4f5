"""rlc_learner_matvec: sums of products against numpy, word by word, with the queue behind as full as it may get."""

import cocotb
import numpy as np
from cocotb.triggers import FallingEdge
from units_bench import HITS, Ports, pack, parameters, report, signed, words

NAMES = (
    *("DP", "LANES_IN", "LANES_OUT", "GROUPS", "WORDS_IN", "WORDS_OUT", "OUT_BLOCK", "IN_BLOCK"),
    *("OUT_STRIDE", "IN_STRIDE", "WEIGHT_WIDTH", "X_WIDTH", "ACC_WIDTH", "PLACES"),
)


class Unit:
    """The unit with a queue of PLACES words behind it."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.p = dict(zip(NAMES, parameters(dut, *NAMES), strict=True))
        self.ports = Ports(dut, {"s": ["data", "kind"]}, {})
        self.rng = self.ports.rng
        self.expected: list[tuple[int, int]] = []
        self.queue = self.most = 0
        self.drain = 1.0
        self.ports.each_clock.append(self.look)

    def look(self) -> None:
        if int(self.dut.m_valid.value):
            out = int(self.dut.m_data.value), int(self.dut.m_kind.value)
            assert self.expected, "a word too many"
            assert out == self.expected.pop(0), "a word differs"
            self.queue += 1
            self.most = max(self.most, self.queue)
            assert self.queue <= self.p["PLACES"], "the queue behind overflows"
            HITS["words"] += 1
        HITS["busy"] += int(self.dut.busy.value)
        HITS["waiting"] += int(self.dut.waiting.value)

    async def write(self, matrix: np.ndarray) -> None:
        """matrix (rows, columns), padded to whole words."""
        p, dut = self.p, self.dut
        jb, ib = p["OUT_BLOCK"], p["IN_BLOCK"]
        jobs = [(j, i) for j in range(0, matrix.shape[0], jb) for i in range(0, matrix.shape[1], ib)]
        self.rng.shuffle(jobs)
        lanes = (jb - 1) * p["OUT_STRIDE"] + (ib - 1) * p["IN_STRIDE"] + 1
        for j, i in jobs:
            block = [0] * max(lanes, jb * ib)
            for a in range(jb):
                for b in range(ib):
                    block[a * p["OUT_STRIDE"] + b * p["IN_STRIDE"]] = matrix[j + a, i + b]
            word, out = divmod(j, p["LANES_OUT"])
            dut.w_valid.value = 1
            dut.w_fold.value, dut.w_group.value = divmod(word, p["GROUPS"])
            dut.w_out.value = out // jb
            dut.w_word.value, place = divmod(i, p["LANES_IN"])
            dut.w_in.value = place // ib
            dut.w_data.value = pack(block[: jb * ib], p["WEIGHT_WIDTH"])
            await FallingEdge(dut.clk)
            dut.w_valid.value = 0
            if self.rng.random() < 0.2:
                dut.w_data.value = self.rng.getrandbits(jb * ib * p["WEIGHT_WIDTH"])
                await FallingEdge(dut.clk)

    def vector(self, matrix: np.ndarray) -> None:
        p, rng = self.p, self.rng
        size, kind = p["LANES_IN"] * p["WORDS_IN"], rng.getrandbits(1)
        x = np.array([[signed(rng, p["X_WIDTH"]) for _ in range(size)] for _ in range(p["DP"])], object)
        folds = -(-p["WORDS_OUT"] // p["GROUPS"])
        self.ports.to_send["s"] += [
            {"data": word, "kind": kind} for word in words(x, p["LANES_IN"], p["X_WIDTH"]) * folds
        ]
        self.expected += [(word, kind) for word in words(x @ matrix.T, p["LANES_OUT"], p["ACC_WIDTH"])]

    async def run(self) -> None:
        idle = 0
        while self.ports.to_send["s"] or self.expected or self.queue:
            pop = self.queue > 0 and self.rng.random() < self.drain
            self.dut.m_pop.value = int(pop)
            self.queue -= pop
            idle = 0 if await self.ports.tick() or pop else idle + 1
            assert idle < 300, f"stuck: {len(self.expected)} words did not come"
        self.dut.m_pop.value = 0


@cocotb.test()
async def sums_of_products_are_exact_and_nothing_overflows(dut):
    unit = Unit(dut)
    p = unit.p
    await unit.ports.start(w_valid=0, m_pop=0)
    vectors = 0
    for turn in range(10):
        shape = (p["LANES_OUT"] * p["WORDS_OUT"], p["LANES_IN"] * p["WORDS_IN"])
        matrix = np.array([[signed(unit.rng, p["WEIGHT_WIDTH"]) for _ in range(shape[1])] for _ in range(shape[0])])
        matrix = matrix.astype(object)
        await unit.write(matrix)
        # A vector may follow the last write in the very next clock.
        unit.ports.any_pace()
        unit.drain = unit.rng.choice((1.0, 0.5, 0.1))
        if turn == 8:
            unit.ports.full_speed()
            unit.drain = 0.05
        if turn == 9:
            unit.ports.full_speed()
            unit.drain = 1.0
        first = unit.ports.clock
        count = 36 if turn == 8 else 12
        vectors += count
        for _ in range(count):
            unit.vector(matrix)
        await unit.run()
        if turn == 9:
            steps = 12 * p["WORDS_IN"] * -(-p["WORDS_OUT"] // p["GROUPS"])
            # What it takes besides a word a clock: the way through, and the results of the last fold.
            spent = unit.ports.clock - first - steps
            room = p["PLACES"] >= 2 * p["GROUPS"] + p["LANES_IN"] + 8
            assert not room or spent <= p["LANES_IN"] + 8 + p["GROUPS"], f"{spent} clocks beside a word a clock"
    assert unit.most >= min(p["PLACES"] - p["GROUPS"] + 1, p["WORDS_OUT"]), "the queue was never full"
    assert HITS["waiting"] and HITS["busy"] == vectors * p["WORDS_IN"] * -(-p["WORDS_OUT"] // p["GROUPS"])
    report()
