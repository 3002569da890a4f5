"""rlc_learner_update against the model: updates, loads, reads, settings at their ends, stalls."""

import random
from collections import deque

import cocotb
import numpy as np
from bench_handshake import Sink, Source, port
from bench_hits import HITS, report
from bench_pins import integers, pack, pulse, start, unpack, write
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.learner import update as model
from rlcores.cores.learner.format import POLYAK_FRAC, WEIGHT_FRAC
from rlcores.cores.learner.optimisers import ALL, adam, adamw
from rlcores.cores.learner.optimisers.adam import log_rate, log_register
from rlcores.cores.learner.optimisers.slot import STOCHASTIC, Betas, Rates, packed

ONE = 1 << 17  # of the factor of gradients
INDICES = ["bias", "jw", "jof", "jg", "js", "iw", "iof", "ig", "is"]


def value(bits: int, signed: bool = True) -> int:
    """A number of any magnitude, its ends and small ones often."""
    top = (1 << (bits - 1 if signed else bits)) - 1
    magnitude = random.choice([0, 1, top, top, top - 1])
    if random.random() < 0.6:
        magnitude = random.getrandbits(random.randrange(1, bits)) & top
    return (
        magnitude if not signed or random.random() < 0.5 else -magnitude - (magnitude == top and random.random() < 0.5)
    )


def apart(place: int) -> dict[str, int]:
    """The numbers of a group's place on the weight bus."""
    return {name: place >> 10 * at & 1023 for at, name in enumerate(reversed(INDICES))}


class Unit:
    """The unit and its model side by side."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.optimiser, self.rounding, self.polyak = integers(dut, "OPTIMISER", "ROUND", "POLYAK")
        self.jb, self.ib, self.latency = integers(dut, "JB", "IB", "GRAD_LATENCY")
        self.lanes = self.jb * self.ib
        self.clip, self.target, self.layer, self.network = integers(dut, "CLIP", "TARGET", "LAYER", "NETWORK")
        self.factor = ONE
        self.until_measured = 12 + self.latency + (self.lanes - 1).bit_length() if self.clip else 0
        self.betas = Betas(*integers(dut, "BETA1_NUM", "BETA1_SHIFT", "BETA2_NUM", "BETA2_SHIFT"))
        clocks = 4 + 3 * self.clip + ALL[self.optimiser].clocks(self.betas) + 2 + 6 * self.polyak
        self.until_bus = 2 + self.latency + clocks
        self.order = self.groups(*integers(dut, "WORDS_J", "LANES_J", "WORDS_I", "LANES_I", "FORWARD", "BACKWARD"))
        self.number = {self.asked(index): n for n, index in enumerate(self.order)}
        bias = np.array([index["bias"] for index in self.order], dtype=bool)
        # Of a group of biases, only the first column exists.
        self.absent = bias[:, None] & (np.arange(self.lanes) % self.ib != 0)
        shape = (len(self.order), self.lanes)
        self.planes = [np.zeros(shape, dtype=np.int64) for _ in range(4)]
        self.over = [0, 0]

    def groups(
        self, words_j: int, lanes_j: int, words_i: int, lanes_i: int, forward: int, backward: int
    ) -> list[dict[str, int]]:
        """The groups in order: section 'Order' of docs/learner_update.md, written as loops."""
        weights, biases = [], []
        for jw in range(words_j):
            for js in range(lanes_j // self.jb):
                row = {"jw": jw, "jof": jw // forward, "jg": jw % forward, "js": js}
                for iw in range(words_i):
                    for step in range(lanes_i // self.ib):
                        column = {"iw": iw, "iof": iw // backward, "ig": iw % backward, "is": step}
                        weights.append({"bias": 0, **row, **column})
                biases.append({"bias": 1, **row, "iw": 0, "iof": 0, "ig": 0, "is": 0})
        return weights + biases

    @staticmethod
    def asked(index: dict[str, int]) -> tuple[int, ...]:
        return tuple(index[name] for name in ("bias", "jw", "js", "iof", "ig", "is"))

    def bits(self, plane: int) -> int:
        """Bits of a plane's number in the unit; 0 where it has none."""
        if plane == 1:
            return 27 + 9 * self.polyak if self.target else 0
        if plane == 0:
            return 27
        state = ALL[self.optimiser].state
        return state[plane - 2].width if plane - 2 < len(state) else 0

    async def start(self) -> None:
        """Clock, inputs, reset with a seed."""
        self.configure(ordinary=True)
        self.sow(random.getrandbits(32))
        quiet = ("start", "sync", "seed_load", "measure", "host_en", "s_valid", "m_ready", "grad_data", "s_data")
        # The reset seeds the dither, which has to be over where an update's clocks are counted.
        rest = 300 if self.rounding == STOCHASTIC else 1
        await start(self.dut, *quiet, "host_read", "host_param_bank", rest=rest)

    def sow(self, seed: int) -> None:
        self.dut.seed.value = seed
        self.generator = Xoshiro128pp(model.seed_of(seed, self.layer, self.network))

    def configure(self, ordinary: bool, **changes: int) -> None:
        """Settings: such as one would use, or anything that is legal; and those given."""
        fraction = random.randrange(12, 24)
        if ordinary:
            self.set = {
                "grad_shift": random.randrange(8, 20),
                "rate": random.randrange(65536, 131072),
                "rate_shift": random.randrange(10, 30),
                "momentum": 117965,
                "log_rate": log_rate(10.0 ** random.uniform(-4, -1), random.randrange(1, 100), self.betas),
                "log_eps_l": int(adam.eps_of(log_register(1e-8), fraction)),
                "log_clip": log_register(10.0),
                "tau": random.choice([0, 655, 131071]),
                "decay": random.choice([0, adamw.decay_of(10.0 ** random.uniform(-7, -2))]),
            }
        else:
            self.set = {
                "grad_shift": random.randrange(48),
                "rate": random.choice([0, 1, 131071, random.getrandbits(17)]),
                "rate_shift": random.randrange(random.choice([8, 64])),
                "momentum": random.choice([0, 1, 131071, random.getrandbits(17)]),
                "log_rate": random.choice([-(2**19), 2**19 - 1, random.randrange(-20000, 60000)]),
                "log_eps_l": random.choice([-(2**19), 2**19 - 1, 49151, 49152, random.randrange(0, 48 * 1024)]),
                "log_clip": random.choice([-(2**19), 2**19 - 1, random.randrange(-10000, 50000)]),
                "tau": random.choice([0, 1, 131071, random.getrandbits(17)]),
                "decay": random.choice(
                    [0, 131071, 46 << 18 | 131071, random.randrange(47) << 18 | random.getrandbits(17)]
                ),
            }
        self.set |= changes
        s, dut = self.set, self.dut
        # With as many fraction bits as a weight has, the exponent of the rate is the step's shift.
        registers = s | {"rate_exp": s["rate_shift"], "log_eps": s["log_eps_l"] - (WEIGHT_FRAC << 11) + 4096}
        dut.settings.value, dut.grad_frac.value = packed(registers), WEIGHT_FRAC
        dut.grad_shift.value, dut.tau.value = s["grad_shift"], s["tau"]

    async def clock(self) -> None:
        """To the middle of the next clock."""
        await FallingEdge(self.dut.clk)

    def bus(self) -> tuple[dict[str, int], list[int], list[int]]:
        """Indices and both nets' weights on the bus."""
        dut = self.dut
        index = apart(int(dut.bus_addr.value))
        wide = [unpack(int(getattr(dut, f"bus_{x}data").value), 27, self.lanes) for x in "wt"]
        return index, *wide

    def count(self) -> None:
        self.over[0] += int(self.dut.sat_grad.value)
        self.over[1] += int(self.dut.sat_weight.value)

    async def counted(self) -> None:
        """The counts come a little later."""
        for _ in range(6):
            await ReadOnly()
            self.count()
            await self.clock()

    async def load(self, plane: int, numbers: np.ndarray, p_valid: float) -> None:
        """Load a plane; what belongs to a net must come by on the bus."""
        dut, source, seen, waited = self.dut, Source(self.dut, *port("s", ["data"]), p_valid), 0, 0
        source.queue.extend({"data": number & 2**64 - 1} for number in [*numbers.ravel().tolist(), 0])  # one too many
        write(dut, host_en=1, host_read=0, host_param_bank=plane)
        while True:
            source.drive()
            await ReadOnly()
            if int(dut.bus_w.value) or int(dut.bus_t.value):
                assert (int(dut.bus_w.value), int(dut.bus_t.value)) == (int(plane == 0), int(plane == 1))
                index, w, t = self.bus()
                assert index == self.order[seen], f"group {seen} came as {index}"
                expected = numbers[seen] if plane == 0 else model.target_of(numbers[seen], self.polyak)
                assert (w if plane == 0 else t) == expected.tolist()
                seen += 1
            done = int(dut.host_done.value)
            waited = 0 if source.sample() else waited + 1
            assert source.queue, "a word too many was taken"
            assert waited < 100, f"stuck with {len(source.queue) - 1} words left"
            await self.clock()
            if done:
                break
        assert len(source.queue) == 1 and (seen == len(self.order) or plane >= 2)
        # A word too many is not taken while host_en lasts.
        source.share = 1.0
        source.drive()
        await ReadOnly()
        assert not source.sample(), "a word too many was taken"
        await self.clock()
        write(dut, "host_en", "s_valid")
        await self.clock()
        if self.bits(plane):
            self.planes[plane] = numbers.copy()
        HITS["load"] += 1

    async def read(self, plane: int, p_ready: float) -> None:
        """Read a plane; it must be the model's."""
        dut, expected = self.dut, deque(self.planes[plane].ravel().tolist())
        sink, waited = Sink(dut, *port("m", ["data", "last"]), p_ready), 0
        write(dut, host_en=1, host_read=1, host_param_bank=plane)
        while True:
            sink.drive()
            await ReadOnly()
            done = int(dut.host_done.value)
            waited += 1
            if word := sink.sample():
                wanted = {"data": expected.popleft() & 2**64 - 1, "last": int(not expected)}
                place = self.planes[plane].size - len(expected) - 1
                assert word == wanted, f"plane {plane}, word {place}: {word}, expected {wanted}"
                waited = 0
            assert waited < 100, f"stuck with {len(expected)} words left"
            await self.clock()
            if done:
                break
        assert not expected
        write(dut, "m_ready", "host_en")
        await self.clock()
        HITS["read"] += 1
        HITS["read stalled"] += sink.standing.stalls

    def sums(self, quiet: bool) -> np.ndarray:
        """Gradient sums that meet the whole range of a gradient under the present shift, and more; quiet: zeros.

        The first two groups' are always zeros, unless there are no more.
        """
        if quiet:
            return np.zeros(self.absent.shape, dtype=np.int64)
        bits = min(47, self.set["grad_shift"] + 27)
        some = [value(random.choice([bits, 48, 48 - random.randrange(40)])) for _ in range(self.absent.size)]
        sums = np.array(some, dtype=np.int64).reshape(self.absent.shape)
        if len(sums) > 2:
            sums[:2] = 0
        return sums

    def expect(self, sums: np.ndarray, sync: bool) -> tuple[int, int]:
        """Update the model; how many lanes saturate in gradients and weights."""
        w, t = self.planes[:2]
        one, s = ALL[self.optimiser], self.set
        state = tuple(self.planes[2 : 2 + len(one.state)])
        dither = 0
        if self.rounding == STOCHASTIC:
            dither = model.dither_of(self.generator.take(len(self.order)), self.lanes)
        g, g_over = model.gradient(np.where(self.absent, 0, sums), s["grad_shift"], ALL[self.optimiser].squares)
        if self.clip:
            # They were counted before.
            g, g_over = (g * self.factor + (ONE >> 1)) >> 17, np.zeros_like(g_over)
        decay, decay_exp = adamw.decay_parts(s["decay"])
        rates = Rates(
            s["rate"], s["rate_shift"], s["momentum"], s["log_rate"], s["log_eps_l"], s["log_clip"], decay, decay_exp
        )
        new_w, state, over = one.step(w, state, g, rates, self.rounding, dither, self.betas)
        if one.squares:
            m, v = state
            HITS["moment 0"] += int((m == 0).sum())
            HITS["only the second moment 0"] += int(((v == 0) & (new_w != w)).sum())
            ratio = 2 * adam.log2_of(np.maximum(np.abs(m), 1)) - adam.log2_of(np.maximum(v, 1)) - 16384
            HITS["ratio clipped"] += int((ratio > s["log_clip"]).sum())
            HITS["eps"] += int((adam.log2_of(np.maximum(v, 1)) < s["log_eps_l"]).sum())
        if "decay" in one.settings:
            HITS["decayed"] += int((adamw.decayed(w, decay, decay_exp, self.rounding, dither) != 0).sum())
        HITS["moved"] += int((new_w != w).sum())
        if sync and self.target:
            t, gap_over = model.sync(new_w, t, s["tau"], self.polyak)
            HITS["target saturated"] += int(gap_over.sum())
            HITS["averaged" if self.polyak and s["tau"] else "copied"] += 1
            over = over | gap_over
        HITS["gradient saturated"] += int(g_over.sum())
        HITS["weight saturated"] += int(over.sum())
        self.planes[:2] = new_w, t
        self.planes[2 : 2 + len(state)] = state
        return int(g_over.sum()), int(over.sum())

    def read_sums(self, sums: np.ndarray, group: int | None) -> int:
        """A group's sums as the scratchpad gives them; what nobody asked for, or does not exist, is anything."""
        known = np.zeros(self.lanes, bool) if group is None else ~self.absent[group]
        return pack((sums[group, k] if known[k] else random.getrandbits(48) for k in range(self.lanes)), 48)

    def asks(self, asked: int) -> int | None:
        """Which group the unit asks for, which is the next one; None: none."""
        if not int(self.dut.grad_en.value):
            return None
        place = apart(int(self.dut.grad_addr.value))
        index = tuple(place[name] for name in ("bias", "jw", "js", "iof", "ig", "is"))
        assert self.number[index] == asked, "groups out of order"
        return asked

    async def measure(self, sums: np.ndarray) -> None:
        """The pass that sums squares: nothing is written, saturated gradients are counted, a factor may be anything."""
        dut, asked, clocks, before = self.dut, 0, 0, self.over[0]
        g, over = model.gradient(np.where(self.absent, 0, sums), self.set["grad_shift"], squares=True)
        short = np.clip((g + 256) >> 9, 1 - ONE, ONE - 1)
        expected = sum(int(x) * int(x) for x in short.ravel())
        coming: deque[int | None] = deque([None] * self.latency)
        dut.start.value = dut.measure.value = 1
        dut.factor.value = random.randrange(ONE + 1)
        while True:
            dut.grad_data.value = self.read_sums(sums, coming.popleft())
            await ReadOnly()
            group = self.asks(asked)
            coming.append(group)
            asked += group is not None
            assert not int(dut.bus_w.value) and not int(dut.bus_t.value) and not int(dut.updated.value)
            self.count()
            ended = int(dut.measured.value)
            assert int(dut.busy.value) == int(clocks > 0 and not ended)
            assert clocks < 400 + len(self.order), "stuck"
            await self.clock()
            dut.start.value, dut.measure.value = 0, random.getrandbits(1)
            clocks += 1
            if ended:
                break
        assert asked == len(self.order)
        HITS["waited for the seed"] += clocks > 200
        assert self.rounding == STOCHASTIC or clocks == len(self.order) + self.until_measured + 1
        for _ in range(random.choice((0, 1, 30))):
            await ReadOnly()
            self.count()
            assert int(dut.squares.value) == expected, f"{int(dut.squares.value)}, expected {expected}"
            await self.clock()
        await self.counted()
        assert self.over[0] - before == int(over.sum())
        HITS["gradient saturated"] += int(over.sum())
        self.factor = random.choice([0, ONE, ONE - 1, random.randrange(ONE), random.randrange(ONE)])
        HITS["clipped"] += self.factor not in (0, ONE)
        dut.factor.value, dut.measure.value = self.factor, 0

    async def update(self, sync: bool, seed: int | None = None, quiet: bool = False) -> None:
        """One update, sums where the unit asks for them, every word on the bus compared."""
        dut, clocks, first, asked, seen = self.dut, 0, None, 0, 0
        sums = self.sums(quiet)
        if seed is not None:
            self.sow(seed)
            await pulse(dut, dut.seed_load)
            dut.seed.value = random.getrandbits(32)
        if self.clip:
            await self.measure(sums)
        expected_over = self.expect(sums, sync)
        before = list(self.over)
        coming: deque[int | None] = deque([None] * self.latency)
        dut.start.value, dut.sync.value = 1, int(sync)
        while True:
            dut.grad_data.value = self.read_sums(sums, coming.popleft())
            await ReadOnly()
            group = self.asks(asked)
            coming.append(group)
            asked += group is not None
            if int(dut.bus_w.value):
                first = clocks if first is None else first
                assert clocks == first + seen, "a gap on the bus"
                index, w, t = self.bus()
                assert index == self.order[seen], f"group {seen} came as {index}"
                assert w == self.planes[0][seen].tolist(), f"group {seen}: {w}, expected {self.planes[0][seen]}"
                assert int(dut.bus_t.value) == int(sync)
                if sync and self.target:
                    assert t == model.target_of(self.planes[1][seen], self.polyak).tolist(), f"target of group {seen}"
                seen += 1
            else:
                assert not int(dut.bus_t.value)
            self.count()
            ended = int(dut.updated.value)
            assert bool(ended) == (seen == len(self.order) and clocks == first + seen)
            assert int(dut.busy.value) == int(clocks > 0 and not ended)
            assert clocks < 400 + len(self.order), "stuck"
            await self.clock()
            dut.start.value, dut.sync.value = 0, random.getrandbits(1)
            clocks += 1
            if ended:
                break
        # With a pass that measures it is that one that waits.
        if seed is None or self.rounding != STOCHASTIC or self.clip:
            assert first == self.until_bus, f"{first} clocks to the first word, {self.until_bus} promised"
        else:
            assert first > 200
            HITS["waited for the seed"] += 1
        await self.counted()
        got = tuple(now - then for now, then in zip(self.over, before, strict=True))
        assert got == expected_over, f"{got} lanes saturated, expected {expected_over}"
        HITS["update"] += 1

    def numbers(self, plane: int) -> np.ndarray:
        """Random contents of a plane."""
        bits = self.bits(plane) or 27
        some = [value(bits, plane != 3) for _ in range(self.absent.size)]
        numbers = np.array(some, dtype=np.int64).reshape(self.absent.shape)
        # Without gradients the first group's moment stays 0. The second's target is as far away as can be.
        numbers[0] *= plane != 2
        if plane < 2:
            numbers[1] = -(2 ** (bits - 1)) if plane else 2 ** (bits - 1) - 1
        return numbers


@cocotb.test()
async def every_weight_equals_the_model(dut) -> None:
    unit = Unit(dut)
    await unit.start()
    for n in range(16):
        if n % 4 == 0:
            for plane in random.sample(range(4), 4):
                if n == 0 or (n == 4 and plane < 2) or random.random() < 0.4:
                    await unit.load(plane, unit.numbers(plane), random.choice([0.3, 1.0]))
        # Both kinds of synchronisation, none, a seed and the largest rate come for certain, the rest by chance.
        certain = {
            0: {"tau": 0}, 1: {"tau": 655}, 2: {"log_rate": 2**19 - 1}, 4: {"tau": 131071}, 5: {"tau": 655},
        }  # fmt: skip
        if n == 5:  # weights and targets so far apart that their distance is saturated
            low = -(2**26) << (POLYAK_FRAC * unit.polyak)
            await unit.load(0, np.full_like(unit.planes[0], 2**26 - 1), 1.0)
            await unit.load(1, np.full_like(unit.planes[1], low), 1.0)
        unit.configure(ordinary=n % 2 == 1, **certain.get(n, {}))
        seed = random.getrandbits(32) if n == 2 or random.random() < 0.2 else None
        await unit.update(n in (0, 1, 5) or (n != 4 and random.random() < 0.5), seed)
        if n % 4 == 3:
            for plane in random.sample(range(4), 4):
                await unit.read(plane, random.choice([0.3, 1.0]))
    # Without gradients the first moment goes on, over a second one that never was.
    await unit.load(3, unit.planes[3] * 0, 1.0)
    await unit.load(2, unit.numbers(2), 1.0)
    quiet = {"ordinary": False, "log_eps_l": -(2**19), "log_clip": 2**19 - 1, "decay": 0}
    unit.configure(**quiet, log_rate=random.randrange(-9000, 0))
    await unit.update(True, quiet=True)
    # The largest moments make steps of the last octave that fits a weight.
    most = 2 * int(adam.log2_of(max(int(np.abs(unit.planes[2]).max() * unit.betas.beta1), 1))) - 16384
    unit.configure(**quiet, log_rate=min(25 * adam.LOG_UNIT + random.randrange(1900) - most, 2**19 - 1))
    await unit.load(0, unit.planes[0] * 0, 1.0)
    await unit.update(True, quiet=True)
    await unit.read(0, 1.0)
    report()
