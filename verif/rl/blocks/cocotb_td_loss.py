"""rlc_rl_td_loss against the model: settings at their ends, errors that saturate, ties, columns without a record."""

from dataclasses import dataclass, fields

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack
from reset_bench import reset
from units_bench import Ports, words

from rlcores.cores.learner import loss as model
from rlcores.cores.learner.loss_settings import LossRegisters

ONE = 1 << 17  # 1.0 as ufix(18,17)
BATCH_SLICES = 20
SOURCES = {"s_q": ["data", "kind"], "s_t": ["data"], "s_info": ["data"]}
SINKS = {"m_delta": ["data"], "m_prio": ["data", "last"]}


@dataclass(frozen=True, kw_only=True)
class LossSettings(LossRegisters):
    """The registers; act_frac and delta_frac in place of the shifts that software makes of them."""

    act_frac: int = 16
    delta_frac: int = 14

    def inputs(self) -> dict[str, int]:
        registers = {f"cfg_{each.name}": int(getattr(self, each.name)) for each in fields(LossRegisters)}
        shifts = {"cfg_reward_shift": 33 - self.act_frac, "cfg_delta_shift": 17 + self.act_frac - self.delta_frac}
        return registers | shifts


@dataclass(frozen=True)
class Records:
    """Some batch slices of records: arrays of (batch slices * columns)."""

    last: np.ndarray
    valid: np.ndarray
    terminated: np.ndarray
    action: np.ndarray
    reward: np.ndarray
    weight: np.ndarray

    def word(self, place: slice) -> int:
        fields = (self.last, 1), (self.valid, 1), (self.terminated, 1), (self.action, 16), (self.reward, 27)
        columns = []
        for at in range(place.start, place.stop):
            number = 0
            for values, width in (*fields, (self.weight, 18)):
                number = number << width | int(values[at]) & (1 << width) - 1
            columns.append(number)
        return pack(columns, 64)


def settings(rng, width: int) -> list[LossSettings]:
    most = min((1 << width - 1) - 1, (1 << 26) - 1)
    cases = [
        LossSettings(),
        LossSettings(double=True, huber=1 << 16),
        LossSettings(gamma=ONE, huber=most, double=True, act_frac=0, delta_frac=17),  # delta_shift 0
        LossSettings(gamma=ONE, reward_scale=1, huber=1, act_frac=20, delta_frac=0),
        LossSettings(gamma=0, reward_scale=0, act_frac=33, delta_frac=20),  # reward_shift 0, and no reward
        LossSettings(gamma=0, huber=5000, double=True, act_frac=30, delta_frac=0),  # delta_shift 47
    ]
    for _ in range(6):
        act_frac = rng.randrange(8, 22)
        gamma, scale = rng.choice((ONE, rng.randrange(ONE))), rng.choice((ONE, rng.randrange(ONE)))
        huber = rng.choice((0, rng.randrange(1, most + 1), 1 << rng.randrange(width - 1)))
        double = bool(rng.randrange(2))
        delta_frac = act_frac - rng.randrange(-6, 12)
        registers = {"gamma": gamma, "reward_scale": scale, "huber": huber, "double": double}
        cases.append(LossSettings(**registers, act_frac=act_frac, delta_frac=delta_frac))
    return cases


def q_values(np_rng, rng, batch_slices: int, columns: int, actions: int, width: int) -> np.ndarray:
    """Q vectors (batch slices * columns, actions): any, small ones with ties, all negative, or at the ends of the
    range."""
    half = 1 << width - 1
    rows = batch_slices * columns
    values = np_rng.integers(-half, half, (rows, actions))
    kind = np_rng.integers(0, 4, rows)
    values[kind == 0] = np_rng.integers(-2, 3, (int((kind == 0).sum()), actions))
    values[kind == 1] = -1 - np_rng.integers(0, 1 << rng.randrange(2, width - 1), (int((kind == 1).sum()), actions))
    values[kind == 2] = np_rng.choice([-half, half - 1], (int((kind == 2).sum()), actions))
    return values


def records(np_rng, columns: int, actions: int, ends: list[int]) -> Records:
    """BATCH_SLICES batch slices; `ends` are the last records of batches, the columns behind one are empty. Some are
    not valid."""
    rows = BATCH_SLICES * columns
    last = np.zeros(rows, bool)
    last[ends] = True
    valid = np_rng.random(rows) < 0.9
    valid[ends] = np_rng.random(len(ends)) < 0.6
    empty = np.zeros(rows, bool)
    for end in ends:
        empty[end + 1 : -(-(end + 1) // columns) * columns] = True
    drawn = Records(
        last,
        valid,
        np_rng.random(rows) < 0.3,
        np_rng.integers(0, actions, rows),
        np.where(
            np_rng.random(rows) < 0.3,
            np_rng.choice([-(1 << 26), (1 << 26) - 1, 0], rows),
            np_rng.integers(-(1 << 26), 1 << 26, rows) >> np_rng.integers(0, 20, rows),
        ),
        np.where(np_rng.random(rows) < 0.4, np_rng.choice([ONE, 0], rows), np_rng.integers(0, ONE + 1, rows)),
    )
    for array in (drawn.valid, drawn.terminated, drawn.action, drawn.reward, drawn.weight):
        array[empty] = 0
    return drawn


def expect(
    bench: Ports, batch: Records, q, t, online, chosen: LossSettings, columns: int, lanes: int, width: int
) -> tuple:
    """Queue what must come, and hand over how many TD errors and deltas saturate."""
    td, td_over = model.td_error(
        q,
        batch.action,
        t,
        batch.reward,
        batch.terminated,
        act_frac=chosen.act_frac,
        gamma=chosen.gamma,
        reward_scale=chosen.reward_scale,
        q_online_next=online if chosen.double else None,
        width=width,
    )
    delta, delta_over = model.output_delta(
        chosen.clipped(td), batch.weight, act_frac=chosen.act_frac, delta_frac=chosen.delta_frac
    )
    vectors = np.zeros_like(q)
    vectors[np.arange(len(q)), batch.action] = np.where(batch.valid, delta, 0)
    for at in range(0, len(q), columns):
        bench.expected["m_delta"] += [{"data": word} for word in words(vectors[at : at + columns], lanes, 18)]
    for p, valid, last in zip(model.priority(td).tolist(), batch.valid, batch.last, strict=True):
        if valid or last:
            bench.expected["m_prio"].append({"data": p if valid else 0, "last": int(last)})
    ranked = np.sort(online if chosen.double else t, axis=1)
    HITS["tie"] += int((ranked[:, -1] == ranked[:, -2]).sum()) if ranked.shape[1] > 1 else 0
    HITS["double differs"] += int((online.argmax(axis=1) != t.argmax(axis=1)).sum()) * chosen.double
    HITS["td at the limit"] += int((td_over > 0).sum())
    HITS["delta saturated"] += int((delta_over & batch.valid).sum())
    HITS["saturated"] += int((np.abs(td) > chosen.huber).sum()) if chosen.huber else 0
    HITS["not valid"] += int((~batch.valid & ~batch.last).sum())
    HITS["last not valid"] += int((~batch.valid & batch.last).sum())
    return int(td_over.sum()), int((delta_over & batch.valid).sum())


def send(bench: Ports, batch: Records, q, t, online, double: int, columns: int, lanes: int, width: int) -> None:
    for at in range(0, len(q), columns):
        place = slice(at, at + columns)
        if double:
            bench.to_send["s_q"] += [{"data": word, "kind": 1} for word in words(online[place], lanes, width)]
        bench.to_send["s_q"] += [{"data": word, "kind": 0} for word in words(q[place], lanes, width)]
        bench.to_send["s_t"] += [{"data": word} for word in words(t[place], lanes, width)]
        bench.to_send["s_info"].append({"data": batch.word(place)})


class Loss:
    """The bench, and the counts of what saturated."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.columns, self.actions, self.lanes, self.width = integers(dut, "DP", "ACTIONS", "LANES", "VALUE_WIDTH")
        self.bench = Ports(dut, SOURCES, SINKS)
        self.np_rng = np.random.default_rng(cocotb.RANDOM_SEED)
        self.td = self.delta = 0
        self.bench.each_clock.append(self.count)

    def count(self) -> None:
        self.td += int(self.dut.sat_td.value)
        self.delta += int(self.dut.sat_delta.value)

    async def batch_slices(self, chosen: LossSettings, ends: list[int]) -> None:
        for name, value in chosen.inputs().items():
            getattr(self.dut, name).value = value
        rng = self.bench.rng
        q, t, online = (
            q_values(self.np_rng, rng, BATCH_SLICES, self.columns, self.actions, self.width) for _ in range(3)
        )
        batch = records(self.np_rng, self.columns, self.actions, ends)
        before = self.td, self.delta
        td, delta = expect(self.bench, batch, q, t, online, chosen, self.columns, self.lanes, self.width)
        send(self.bench, batch, q, t, online, chosen.double, self.columns, self.lanes, self.width)
        await self.bench.run()
        assert (self.td - before[0], self.delta - before[1]) == (td, delta), "saturations counted otherwise"


@cocotb.test()
async def every_batch_slice_equals_the_model(dut) -> None:
    loss = Loss(dut)
    await loss.bench.start(**settings(loss.bench.rng, loss.width)[0].inputs())
    for number, chosen in enumerate(settings(loss.bench.rng, loss.width)):
        loss.bench.any_pace() if number % 3 else loss.bench.full_speed()
        rows = BATCH_SLICES * loss.columns
        end = rows // 2 - loss.bench.rng.randrange(loss.columns)
        await loss.batch_slices(chosen, sorted({end - 1, rows - 1 - loss.bench.rng.randrange(loss.columns)}))
    report()


@cocotb.test()
async def an_output_that_stands_still_loses_nothing(dut) -> None:
    """Priorities and deltas in turn, the other one free, for longer than the queues last."""
    loss = Loss(dut)
    bench, chosen = loss.bench, settings(loss.bench.rng, loss.width)[0]
    await bench.start(**chosen.inputs())
    for name in SINKS:
        await loss.batch_slices(chosen, [BATCH_SLICES * loss.columns - 1])
        waiting = 60 + BATCH_SLICES * max(4, loss.actions, loss.columns)

        def release(name=name, until=bench.clock + waiting) -> None:
            bench.share[name] = float(bench.clock >= until)

        bench.share[name] = 0.0
        bench.each_clock.append(release)
        await loss.batch_slices(chosen, [BATCH_SLICES * loss.columns - 1])
        bench.each_clock.remove(release)
    report()


@cocotb.test()
async def batch_slices_come_as_fast_and_as_soon_as_promised(dut) -> None:
    loss = Loss(dut)
    chosen = LossSettings(gamma=ONE)
    await loss.bench.start(**chosen.inputs())
    at_lanes = max(1, (loss.lanes - 1).bit_length())
    per_vector = -(-loss.actions // loss.lanes)
    for double in (0, 1):
        times = {"q": [], "delta": [], "prio": []}

        def note(times=times) -> None:
            if int(dut.s_q_valid.value) and int(dut.s_q_ready.value) and not int(dut.s_q_kind.value):
                times["q"].append(loss.bench.clock)
            for name in ("delta", "prio"):
                if int(getattr(dut, f"m_{name}_valid").value):
                    times[name].append(loss.bench.clock)

        loss.bench.each_clock.append(note)
        await loss.batch_slices(LossSettings(gamma=ONE, double=bool(double)), [BATCH_SLICES * loss.columns - 1])
        loss.bench.each_clock.remove(note)
        every = max(per_vector * (1 + double), loss.columns, 2)
        span = times["q"][-1] - times["q"][0]
        assert span <= (BATCH_SLICES - 1) * every + 2 * per_vector, f"{span} clocks for {BATCH_SLICES} batch slices"
        for name, latency in (("delta", at_lanes + 14), ("prio", at_lanes + 9)):
            clocks = times[name][0] - times["q"][per_vector - 1]
            assert clocks == latency or (name == "prio" and clocks > latency), f"{name} after {clocks} clocks"
            HITS[f"{name} in time"] += int(clocks == latency)
    report()


@cocotb.test()
async def reset_forgets_what_is_inside(dut) -> None:
    loss = Loss(dut)
    chosen = settings(loss.bench.rng, loss.width)[1]
    await loss.bench.start(**chosen.inputs())
    loss.bench.full_speed()
    loss.bench.share["m_delta"] = loss.bench.share["m_prio"] = 0.0
    q = q_values(loss.np_rng, loss.bench.rng, BATCH_SLICES, loss.columns, loss.actions, loss.width)
    batch = records(loss.np_rng, loss.columns, loss.actions, [])
    send(loss.bench, batch, q, q, q, chosen.double, loss.columns, loss.lanes, loss.width)
    for _ in range(60):
        await loss.bench.tick()
    await reset(dut, SOURCES)
    again = Loss(dut)
    await again.batch_slices(chosen, [BATCH_SLICES * again.columns - 1])
