"""The memory behind an AXI4 master: what it keeps, when it answers, and which broken rules it does not hide."""

import numpy as np
import pytest

from rlcores.buses.bus import BusError
from rlcores.buses.dram import Dram
from rlcores.buses.verilated import VerilatedBus
from rlcores.errors import UserError

IDS = 8


def wires(width: int = 128, dram: Dram | None = None, **parameters) -> VerilatedBus:
    bits = {"s_axis_ar": 64, "s_axis_aw": 64, "s_axis_w": 2 * width, "m_axis_r": 2 * width, "m_axis_b": 64}
    sources, sinks = (tuple(name for name in bits if name.startswith(side)) for side in "sm")
    return VerilatedBus(
        "rlcores:common:axi_wires",
        "rlc_axi_wires",
        {"DATA_WIDTH": width, **parameters},
        sources=sources,
        sinks=sinks,
        beat_bits=bits,
        limit=4000,
        memory="m_axi",
        dram=dram,
    )


def address(bus, at, number=0, beats=1, burst=1, size=None) -> int:
    size = (bus.memory.beat_bytes - 1).bit_length() if size is None else size
    return at | number << 40 | beats - 1 << 48 | size << 56 | burst << 59


def column(*values: int) -> np.ndarray:
    return np.array(values, np.uint64).reshape(-1, 1)


def write(bus, at, data: np.ndarray, strobes: np.ndarray | None = None, number: int = 0) -> None:
    """One burst of uint8 (beats, beat_bytes); its answer stays in the memory."""
    beats = np.zeros((len(data), 2 * bus.memory.beat_bytes), np.uint8)
    beats[:, : bus.memory.beat_bytes] = data
    strobes = np.ones_like(data) if strobes is None else strobes
    packed = np.packbits(strobes, axis=1, bitorder="little")
    beats[:, bus.memory.beat_bytes : bus.memory.beat_bytes + packed.shape[1]] = packed
    one = column(address(bus, at, number, len(data)))
    bus.transfer({"s_axis_aw": one, "s_axis_w": beats.view(bus._of["s_axis_w"].type)}, {})


def answers(bus, count: int) -> tuple[list[int], list[int]]:
    """IDs and responses of writes."""
    taken = bus.transfer({}, {"m_axis_b": count})["m_axis_b"][:, 0].tolist()
    return [x & 255 for x in taken], [x >> 8 for x in taken]


def read(bus, requests: list[tuple[int, int, int]]) -> dict[int, list[tuple[int, bytes]]]:
    """Bursts (address, ID, beats): beats of every ID in the order in which they came, as response and data."""
    asked = column(*(address(bus, *request) for request in requests))
    taken = bus.transfer({"s_axis_ar": asked}, {"m_axis_r": sum(r[2] for r in requests)})["m_axis_r"]
    bytes_ = np.ascontiguousarray(taken).view(np.uint8).reshape(len(taken), -1)
    answers: dict[int, list[tuple[int, bytes]]] = {}
    for row in bytes_:
        data, number, response = (
            row[: bus.memory.beat_bytes],
            row[bus.memory.beat_bytes],
            row[bus.memory.beat_bytes + 1],
        )
        answers.setdefault(int(number), []).append((int(response), data.tobytes()))
    return answers


MANNERS = {
    "plain": Dram(),
    "in_order": Dram(out_of_order=False, stall=0.2, extra=30),
    "wild": Dram(extra=60, stall=0.3, interleave=True, refresh_every=300, refresh=40, banks=2),
}


@pytest.mark.parametrize("width", [pytest.param(32, marks=pytest.mark.slow), 128, 512])
@pytest.mark.parametrize("manners", MANNERS)
def test_bursts_of_any_id_read_what_was_written_last(width, manners, seed):
    rng = np.random.default_rng(seed)
    with wires(width, MANNERS[manners]) as bus:
        bus.stall(seed, source=0.2, sink=0.3)
        size, span = bus.memory.beat_bytes, 32 * 1024
        base = int(rng.integers(0, 2**20)) << 16
        known = rng.integers(0, 256, span, dtype=np.uint8)
        bus.memory.poke(base, known)
        reads = beats = 0
        for _ in range(6):
            writes = int(rng.integers(1, 8))
            numbers = []
            for _ in range(writes):
                length = int(rng.integers(1, min(32, 4096 // size) + 1))
                at = int(rng.integers(0, span // 4096)) * 4096 + int(rng.integers(0, 4096 // size - length + 1)) * size
                data = rng.integers(0, 256, (length, size), dtype=np.uint8)
                strobes = (rng.random((length, size)) < 0.8).astype(np.uint8)
                # Bursts of one ID stay in order, so of two that meet the later one wins.
                write(bus, base + at, data, strobes)
                numbers.append(0)
                part = known[at : at + length * size].reshape(length, size)
                part[strobes > 0] = data[strobes > 0]
            assert answers(bus, writes) == (numbers, [0] * writes)
            asked = []
            for _ in range(12):
                length = int(rng.integers(1, min(16, 4096 // size) + 1))
                at = int(rng.integers(0, span // 4096)) * 4096 + int(rng.integers(0, 4096 // size - length + 1)) * size
                asked.append((at, int(rng.integers(0, IDS)), length))
            read_back = read(bus, [(base + at, number, length) for at, number, length in asked])
            for number in {n for _, n, _ in asked}:
                wanted = [(at, length) for at, n, length in asked if n == number]
                data = b"".join(known[at : at + length * size].tobytes() for at, length in wanted)
                assert b"".join(d for _, d in read_back[number]) == data and not any(r for r, _ in read_back[number])
            reads, beats = reads + len(asked), beats + sum(a[2] for a in asked)
        assert np.array_equal(bus.memory.peek(base, span), known)
        counted = bus.memory.statistics()
        assert (counted["reads"], counted["read_beats"]) == (reads, beats)
        assert counted["read_errors"] == counted["write_errors"] == 0
        assert counted["row_hits"] + counted["row_misses"] + counted["row_opens"] == reads + counted["writes"]
        if manners == "in_order":
            assert counted["reordered"] == counted["interleaved"] == 0
        if manners == "wild":
            assert counted["reordered"] > 5 and counted["interleaved"] > 5 and counted["row_misses"] > 5


def test_reads_take_the_clocks_that_the_timing_says():
    dram = Dram(refresh_every=0, refresh=0, latency=20)
    with wires(512, dram) as bus:

        def clocks(*at: int) -> int:
            before = bus.cycles
            read(bus, [(a, i, 1) for i, a in enumerate(at)])
            return bus.cycles - before

        first, hit, miss = clocks(0), clocks(64), clocks(16 * 8192)
        # From the clock of the address to that of the data, both counted: a piece is a clock on the bus, then shown.
        assert first - hit == dram.rcd and miss - hit == dram.precharge + dram.rcd
        assert hit == 1 + dram.latency + dram.cas + 1 + 1
        # Sixteen columns of one row: one a clock. Sixteen rows of one bank: one a row cycle.
        assert clocks(*range(16 * 8192, 16 * 8192 + 1024, 64)) == hit + 15
        rows = clocks(*(16 * 8192 * i for i in range(10, 26)))
        assert rows == miss + 15 * dram.row_cycle
        # Sixteen banks open their rows at the same time.
        assert clocks(*(16 * 8192 * 40 + 8192 * i for i in range(16))) <= miss + 15
        counted = bus.memory.statistics()
        assert counted["row_opens"] == 16 and counted["row_hits"] == 17 and counted["busy_clocks"] == 3 + 48


def test_a_refresh_closes_rows_and_keeps_reads_waiting():
    with wires(512, Dram(refresh_every=400, refresh=100)) as bus:
        clocks = []
        for _ in range(60):
            before = bus.cycles
            read(bus, [(0, 0, 1)])
            clocks.append(bus.cycles - before)
        counted = bus.memory.statistics()
        assert min(clocks) == 38 and 100 < max(clocks) <= 38 + 5 + 100
        assert counted["row_misses"] == 0 and 4 <= counted["row_opens"] <= bus.cycles // 400 + 1
        # Of 400 clocks 300 are left.
        assert sum(clocks) >= 60 * 38 * 400 / 320


def test_errors_come_where_they_were_asked_for_and_leave_the_contents(seed):
    rng = np.random.default_rng(seed)
    with wires(128) as bus:
        known = rng.integers(0, 256, 8192, dtype=np.uint8)
        bus.memory.poke(0, known)
        bus.memory.fail("read", 1024, 64, times=2)
        bus.memory.fail("write", 2048)
        for attempt in range(3):
            beats = read(bus, [(1024 - 16, 3, 4)])[3]
            assert sum(r == 2 for r, _ in beats) == (attempt < 2) and all(r in (0, 2) for r, _ in beats)
        assert b"".join(d for _, d in beats) == known[1008 : 1008 + 64].tobytes()
        data = rng.integers(0, 256, (4, 16), dtype=np.uint8)
        for at, response in ((2048 - 64, 0), (2048 - 48, 2), (2048, 2), (2064, 0)):
            write(bus, at, data)
            assert answers(bus, 1) == ([0], [response])
            if not response:
                known[at : at + 64] = data.reshape(-1)
        bus.memory.heal()
        write(bus, 2048, data)
        assert answers(bus, 1) == ([0], [0])
        known[2048:2112] = data.reshape(-1)
        assert np.array_equal(bus.memory.peek(0, 8192), known)
        counted = bus.memory.statistics()
        assert (counted["read_errors"], counted["write_errors"]) == (2, 2)
        with pytest.raises(UserError, match="kind is 'both'; it must be 'read' or 'write'"):
            bus.memory.fail("both", 0)


def test_the_same_seed_gives_the_same_clocks(seed):
    def clocks(number):
        with wires(128, Dram(extra=40, stall=0.4, interleave=True, seed=number)) as bus:
            read(bus, [(64 * i, i % IDS, 4) for i in range(40)])
            return bus.cycles

    assert clocks(seed) == clocks(seed)
    assert len({clocks(seed + number) for number in range(8)}) > 1


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ((4096 - 16, 0, 2), "AR begins a burst that crosses 4096 bytes"),
        ((8, 0, 1), "AR is not a multiple of the beat's bytes"),
        ((0, 0, 1, 0), "AR is not of an INCR burst"),
        ((0, 0, 1, 1, 2), "AR is not of beats as wide as the bus"),
    ],
)
def test_an_address_that_axi_forbids_is_an_error(request_, sentence):
    with wires(128) as bus, pytest.raises(BusError, match=sentence):
        bus.transfer({"s_axis_ar": column(address(bus, *request_))}, {"m_axis_r": 1})


def test_a_last_at_the_wrong_beat_and_an_address_that_changes_are_errors(seed):
    with wires(128) as bus, pytest.raises(BusError, match="WLAST does not come with the last beat"):
        bus.transfer({"s_axis_aw": column(address(bus, 0, 0, 2)), "s_axis_w": np.zeros((3, 4), np.uint64)}, {})
        bus.run(20)
    with wires(128, Dram(stall=0.9), UNSTABLE=1) as bus, pytest.raises(BusError, match="changed an address of AR"):
        read(bus, [(0, 0, 1)] * 10)


def test_a_reset_forgets_what_is_on_its_way_and_keeps_the_contents(seed):
    known = np.random.default_rng(seed).integers(0, 256, 4096, dtype=np.uint8)
    with wires(128) as bus:
        bus.memory.poke(0, known)
        bus.transfer({"s_axis_ar": column(*(address(bus, 64 * i, i, 4) for i in range(8)))}, {})
        bus.run(40)
        bus.reset()
        assert b"".join(d for _, d in read(bus, [(128, 5, 4)])[5]) == known[128:192].tobytes()
        assert np.array_equal(bus.memory.peek(0, 4096), known)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"banks": 0}, "the memory's banks is 0; it must be 1 to 4096"),
        ({"stall": 1.0}, r"the memory's stall is 1\.0; it must be 0 to 0\.99"),
        ({"refresh_every": 50}, "the memory's refresh is 105; it must be below the 50 between two"),
    ],
)
def test_a_timing_that_cannot_be_is_one_sentence(wrong, sentence):
    with pytest.raises(UserError, match=sentence):
        Dram(**wrong)
