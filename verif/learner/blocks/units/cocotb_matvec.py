"""rlc_nn_matvec: sums of products against numpy, word by word, with the queue behind as full as it may get.

While vectors stream through one bank of weights the next bank is written.
"""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack
from cocotb.triggers import FallingEdge
from units_bench import Ports, matrix, signed, words

NAMES = (
    *("DP", "LANES_IN", "LANES_OUT", "GROUPS", "WORDS_IN", "WORDS_OUT", "OUT_BLOCK", "IN_BLOCK"),
    *("OUT_STRIDE", "IN_STRIDE", "WEIGHT_WIDTH", "X_WIDTH", "ACC_WIDTH", "PLACES"),
    *("BANKS", "BIAS", "CREDIT"),
)


class Unit:
    """The unit with a queue of PLACES words behind it."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.p = dict(zip(NAMES, integers(dut, *NAMES), strict=True))
        self.ports = Ports(dut, {"s": ["data", "bank", "tag"]}, {})
        self.rng = self.ports.rng
        self.expected: list[tuple[int, int]] = []
        self.queue = self.most = 0
        self.drain = 1.0
        self.ports.each_clock.append(self.look)

    def look(self) -> None:
        if int(self.dut.m_valid.value):
            out = int(self.dut.m_data.value), int(self.dut.m_tag.value)
            assert self.expected, "a word too many"
            assert out == self.expected.pop(0), "a word differs"
            self.queue += 1
            self.most = max(self.most, self.queue)
            assert not self.p["CREDIT"] or self.queue <= self.p["PLACES"], "the queue behind overflows"
            HITS["words"] += 1
        HITS["busy"] += int(self.dut.busy.value)
        HITS["waiting"] += int(self.dut.waiting.value)

    async def write(self, bank: int, matrix: np.ndarray, bias: np.ndarray) -> None:
        """matrix (rows, columns), padded to whole words, and a bias a row, into a bank."""
        p, dut, rng = self.p, self.dut, self.rng
        jb, ib = p["OUT_BLOCK"], p["IN_BLOCK"]
        jobs = [(j, i) for j in range(0, matrix.shape[0], jb) for i in range(0, matrix.shape[1], ib)]
        jobs += [(j, None) for j in range(0, matrix.shape[0], jb) if p["BIAS"]]
        rng.shuffle(jobs)
        lanes = (jb - 1) * p["OUT_STRIDE"] + (ib - 1) * p["IN_STRIDE"] + 1
        for j, i in jobs:
            block = [rng.getrandbits(9) for _ in range(max(lanes, jb * ib))]
            for a in range(jb):
                for b in range(ib if i is not None else 1):
                    value = bias[j + a] if i is None else matrix[j + a, i + b]
                    block[a * p["OUT_STRIDE"] + b * p["IN_STRIDE"]] = value
            word, out = divmod(j, p["LANES_OUT"])
            dut.w_valid.value, dut.w_bias.value, dut.w_bank.value = 1, int(i is None), bank
            dut.w_fold.value, dut.w_group.value = divmod(word, p["GROUPS"])
            dut.w_out.value = out // jb
            dut.w_word.value, place = divmod(i or 0, p["LANES_IN"])
            dut.w_in.value = place // ib
            dut.w_data.value = pack(block[: jb * ib], p["WEIGHT_WIDTH"])
            await FallingEdge(dut.clk)
            dut.w_valid.value = 0
            if rng.random() < 0.2:
                dut.w_data.value = rng.getrandbits(jb * ib * p["WEIGHT_WIDTH"])
                await FallingEdge(dut.clk)

    def vector(self, bank: int, matrix: np.ndarray, bias: np.ndarray, shift: int) -> None:
        p, rng = self.p, self.rng
        size, tag = p["LANES_IN"] * p["WORDS_IN"], rng.getrandbits(1)
        x = np.array([[signed(rng, p["X_WIDTH"]) for _ in range(size)] for _ in range(p["DP"])], object)
        folds = -(-p["WORDS_OUT"] // p["GROUPS"])
        # Bank and tag count with a vector's first word.
        self.ports.to_send["s"] += [
            {
                "data": word,
                "bank": bank if not at else rng.randrange(p["BANKS"]),
                "tag": rng.getrandbits(1) if at else tag,
            }
            for at, word in enumerate(words(x, p["LANES_IN"], p["X_WIDTH"]) * folds)
        ]
        sums = x @ matrix.T + (bias * 2**shift if p["BIAS"] else 0)
        self.expected += [(word, tag) for word in words(sums, p["LANES_OUT"], p["ACC_WIDTH"])]

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
    await unit.ports.start(w_valid=0, m_pop=0, cfg_bias_shift=0)
    vectors = 0
    rows, columns = p["LANES_OUT"] * p["WORDS_OUT"], p["LANES_IN"] * p["WORDS_IN"]
    following = None
    for turn in range(10):
        bank, ahead = turn % p["BANKS"], (turn + 1) % p["BANKS"]
        if following is None:
            following = any_weights(unit, rows, columns)
            await unit.write(bank, *following)
        weights, bias = following
        # A vector may follow the last write in the very next clock.
        unit.ports.any_pace()
        unit.drain = unit.rng.choice((1.0, 0.5, 0.1))
        if turn == 8:
            unit.ports.full_speed()
            unit.drain = 0.05
        if turn == 9:
            unit.ports.full_speed()
            unit.drain = 1.0
        shift = unit.rng.randint(0, 20)
        dut.cfg_bias_shift.value = shift
        first = unit.ports.clock
        count = 36 if turn == 8 else 12
        vectors += count
        for _ in range(count):
            unit.vector(bank, weights, bias, shift)
        following, writing = None, None
        if p["BANKS"] > 1:
            following = any_weights(unit, rows, columns)
            writing = cocotb.start_soon(unit.write(ahead, *following))
        await unit.run()
        if turn == 9:
            steps = 12 * p["WORDS_IN"] * -(-p["WORDS_OUT"] // p["GROUPS"])
            # What it takes besides a word a clock: the way through, and the results of the last fold.
            spent = unit.ports.clock - first - steps
            room = not p["CREDIT"] or p["PLACES"] >= 2 * p["GROUPS"] + p["LANES_IN"] + 8
            assert not room or spent <= p["LANES_IN"] + 6 + p["GROUPS"], f"{spent} clocks beside a word a clock"
        if writing is not None:
            await writing
    if p["CREDIT"]:
        assert unit.most >= min(p["PLACES"] - p["GROUPS"] + 1, p["WORDS_OUT"]), "the queue was never full"
    assert bool(HITS["waiting"]) == bool(p["CREDIT"])
    assert HITS["busy"] == vectors * p["WORDS_IN"] * -(-p["WORDS_OUT"] // p["GROUPS"])
    report()


def any_weights(unit: Unit, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """A matrix and its biases."""
    width = unit.p["WEIGHT_WIDTH"]
    return matrix(unit.rng, rows, columns, width), matrix(unit.rng, rows, 1, width)[:, 0]
