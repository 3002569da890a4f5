"""The loop's register map and its RTL agree, and the two cores inside answer in their windows."""

import shutil
import subprocess
import time

import numpy as np
import pytest

from rlcores.base import paths
from rlcores.buses.bus import BusError, Window
from rlcores.buses.verilated import VerilatedBus
from rlcores.eda import configs, registers
from rlcores_lab.commands import generate

PARAMETERS = configs.load("replay_learner", "tiny")
SHAPE = {
    "WORDS": 4,
    "BEATS": 4,
    "STRIDE": 32,
    "LANES_0": 2,
}  # of a record: INFO 2, state 1, next state 1 words of 64 bits
BITS = {"s_axis_exp": 64, "s_axis_load": 64, "m_axis_read": 64}
REGS = registers.load("replay_learner", PARAMETERS | SHAPE)
TREE, LEARNER = 0x1000, 0x2000
# Writing these does something beyond keeping the value; they have tests of their own.
ACTIVE = {"COMMAND", "FLAGS", "IRQ_STATUS"}
BASE = 0x40000
REACH = 32 << PARAMETERS["LEAVES_LOG2"]  # bytes of all slots
LARGEST = 0xFFFFFFFF
INTAKE = 3  # experiences are taken, in packets


def flag(name: str) -> int:
    return REGS["FLAGS"].by_name[name].mask


@pytest.fixture
def bus():
    """The core out of reset, its tree clear."""
    made = VerilatedBus(
        "rlcores:system:replay_learner", "rlc_replay_learner", PARAMETERS, sources=("s_axis_exp", "s_axis_load"),
        sinks=("m_axis_read",), beat_bits=BITS, limit=20_000, memory="m_axi",
    )  # fmt: skip
    made.run(200)
    yield made
    made.close()


def read(bus, name: str) -> int:
    return bus.read(REGS[name].address)


def write(bus, name: str, value: int) -> None:
    bus.write(REGS[name].address, value)


def command(bus, *names: str) -> None:
    write(bus, "COMMAND", sum(REGS["COMMAND"].by_name[name].mask for name in names))


def read_all(bus) -> dict[str, int]:
    return {r.name: bus.read(r.address) for r in REGS.values()}


def status(bus) -> set[str]:
    word = read(bus, "STATUS")
    return {name for name, field in REGS["STATUS"].by_name.items() if word & field.mask}


def add(bus, count: int) -> np.ndarray:
    """Experiences of rising numbers, all committed; their 32-bit words (count, 8)."""
    words = np.arange(8 * count, dtype=np.uint32).reshape(count, 8)
    words[:, 0], words[:, 2] = 1, LARGEST
    bus.transfer({"s_axis_exp": words.reshape(-1, 2).view(np.uint64)}, {})
    deadline = time.monotonic() + 60
    while "rx_busy" in status(bus):
        assert time.monotonic() < deadline
    return words


def refused(bus, name: str) -> bool:
    """Whether a flag was raised; it is cleared."""
    raised = read(bus, "FLAGS")
    write(bus, "FLAGS", raised)
    assert raised in (0, flag(name)), raised
    return raised != 0


def test_every_register_has_its_documented_value_after_reset(bus):
    assert len(REGS) == 44 and [r.address for r in REGS.values()] == list(range(0, 4 * 44, 4))
    assert read_all(bus) == {name: r.reset for name, r in REGS.items()}


def test_three_windows_and_nothing_beside_them(bus):
    ids = [0x52504C4C, registers.load("sumtree")["ID"].reset, registers.load("learner")["ID"].reset]
    assert [bus.read(window) for window in (0, TREE, LEARNER)] == ids
    # A write lands in its own window only, though all three have a register there.
    where = registers.load("sumtree")["CONTROL"].address
    other = registers.load("learner")["CONTROL"]
    assert where == other.address
    bus.write(TREE + where, 6)
    assert Window(bus, TREE).read(where) == 6 and bus.read(LEARNER + where) == other.reset
    before = read_all(bus)
    for address in (4 * len(REGS), 0xFFC, TREE + 0x8C, LEARNER + 0x248, 0x3000, 0x7FFC, 0xFFFC):
        with pytest.raises(BusError, match="SLVERR"):
            bus.read(address)
        with pytest.raises(BusError, match="SLVERR"):
            bus.write(address, 0xFFFFFFFF)
    assert read_all(bus) == before


def test_what_may_be_written_reads_back_and_nothing_else_changes(bus, seed):
    rng = np.random.default_rng(seed)
    expected = read_all(bus)
    most = {"BATCH": 16, "AHEAD": 2, "TD_FRAC": 20, "BASE_LOW": (1 << 32) - REACH, "BASE_HIGH": 0}
    least = {"BATCH": 1}
    written = [r for r in REGS.values() if r.mask("rw") and r.name not in ACTIVE]
    assert len(written) == 12
    for register in written:
        mask, low = register.mask("rw"), least.get(register.name, 0)
        top = most.get(register.name, mask)
        for value in (top, low, 0x55555555 & mask, 0xAAAAAAAA & mask, int(rng.integers(low, top + 1))):
            value = value & ~31 if register.name == "BASE_LOW" else value
            value = value if low <= value <= top and not value & ~mask else low
            bus.write(register.address, value)
            expected[register.name] = value
            assert bus.read(register.address) == value, register.name
    assert read_all(bus) == expected
    for register in REGS.values():
        if not register.mask("rw", "wo", "w1c"):
            bus.write(register.address, 0xFFFFFFFF)
    assert read_all(bus) == expected
    for register in written:
        bus.write(register.address, most.get(register.name, register.mask("rw")))
    changed = read_all(bus)
    assert [name for name in (r.name for r in written) if changed[name] == REGS[name].reset] == ["BASE_HIGH"]
    bus.reset(1)
    bus.run(200)
    assert read_all(bus) == {name: r.reset for name, r in REGS.items()}


def test_a_value_that_does_not_fit_is_refused_and_flagged(bus):
    tried = {
        "BATCH": (0, 17, 0x10001),
        "AHEAD": (3, 0x100),
        "TD_FRAC": (21, 32),
        "BASE_LOW": (1, 16, BASE + 8, (1 << 32) - REACH + 32, (1 << 32) - 32),
        "BASE_HIGH": (1, 1 << 31),
        "COMMAND": (0b11, 0b10001),
    }
    for name, values in tried.items():
        before = read(bus, name)
        for value in values:
            write(bus, name, value)
            assert refused(bus, "CONFIG") and read(bus, name) == before and status(bus) == set(), (name, value)


def test_the_loop_running_keeps_its_settings(bus):
    write(bus, "MIN_SIZE", 5)
    command(bus, "start")
    assert status(bus) == {"busy", "running"}
    for name in ("BATCH", "STEPS", "MIN_SIZE", "AHEAD", "TD_FRAC", "BASE_LOW", "BASE_HIGH"):
        before = read(bus, name)
        write(bus, name, before ^ 0x20 if name.startswith("BASE") else before ^ 1)
        assert refused(bus, "CONFIG") and read(bus, name) == before, name
    for name in ("start", "restart"):
        command(bus, name)
        assert refused(bus, "CONFIG"), name
    command(bus, "host")
    assert refused(bus, "HOST")
    write(bus, "CONTROL", INTAKE)
    assert not refused(bus, "CONFIG") and read(bus, "CONTROL") == INTAKE
    before = read(bus, "STALL_EMPTY"), read(bus, "CLOCKS")
    bus.write(LEARNER + registers.load("learner")["COMMAND"].address, 1)
    bus.run(100)
    assert read(bus, "STALL_EMPTY") >= before[0] + 80 and read(bus, "CLOCKS") >= before[1] + 100
    # Less than MIN_SIZE: nothing was sampled, so a stop ends it at once.
    add(bus, 4)
    assert (read(bus, "FILLED"), read(bus, "SAMPLED"), read(bus, "RESERVED")) == (4, 0, 4)
    command(bus, "stop")
    assert status(bus) == set() and read(bus, "IRQ_STATUS") == 1 and read(bus, "BATCHES") == 0
    command(bus, "clear_counters")
    assert read(bus, "CLOCKS") == read(bus, "COMMITTED") == read(bus, "STALL_EMPTY") == 0 and read(bus, "FILLED") == 4
    command(bus, "restart")
    assert read(bus, "FILLED") == 0 and read(bus, "FLAGS") == 0


@pytest.mark.parametrize("enable", [0, 1, 2, 3])
def test_the_interrupt_follows_what_is_enabled(bus, enable):
    write(bus, "IRQ_ENABLE", enable)
    write(bus, "BASE_LOW", BASE)

    def done():
        command(bus, "start")
        command(bus, "stop")

    def error():
        bus.memory.fail("write", BASE, 32)
        write(bus, "CONTROL", INTAKE)
        add(bus, 1)
        bus.memory.heal()

    for trigger, cause in ((done, 1), (error, 2)):
        trigger()
        assert read(bus, "IRQ_STATUS") == cause
        if enable & cause:
            bus.wait_irq()
        write(bus, "IRQ_STATUS", 3)
        with pytest.raises(BusError, match="interrupt did not happen"):
            bus.wait_irq()


def test_records_stand_where_they_belong_and_an_error_says_where(bus):
    write(bus, "BASE_LOW", BASE)
    write(bus, "CONTROL", INTAKE)
    words = add(bus, 6)
    assert np.array_equal(bus.memory.peek(BASE, 6 * 32), words.view(np.uint8).reshape(-1))
    bus.memory.fail("write", BASE + 7 * 32, 64)
    add(bus, 5)
    assert read(bus, "FLAGS") == flag("WRITE_ERROR") and read(bus, "IRQ_STATUS") == 2
    assert (read(bus, "ERROR_LOW"), read(bus, "ERROR_HIGH")) == (BASE + 7 * 32, 0)
    counts = {n: read(bus, n) for n in ("RESERVED", "COMMITTED", "FILLED", "WRITE_ERRORS", "STALE_COMMITS")}
    assert counts == {"RESERVED": 11, "COMMITTED": 9, "FILLED": 9, "WRITE_ERRORS": 2, "STALE_COMMITS": 0}
    # The first address stays until the flag is cleared.
    bus.memory.fail("write", BASE, 32 * 32)
    add(bus, 1)
    assert read(bus, "ERROR_LOW") == BASE + 7 * 32 and read(bus, "WRITE_ERRORS") == 3
    write(bus, "FLAGS", flag("WRITE_ERROR"))
    add(bus, 1)
    assert read(bus, "ERROR_LOW") == BASE + 12 * 32 and read(bus, "FLAGS") == flag("WRITE_ERROR")


def test_the_host_reads_and_sets_priorities_and_inserts(bus):
    def host(kind: int, index: int = 0, value: int = 0, generation: int = 0, check: int = 0) -> tuple[int, ...]:
        write(bus, "CONTROL", INTAKE | kind << 4 | check << 8)
        for name, word in (("HOST_INDEX", index), ("HOST_VALUE", value), ("HOST_GENERATION", generation)):
            write(bus, name, word)
        command(bus, "host")
        while "host_busy" in status(bus):
            pass
        return tuple(read(bus, f"ANSWER_{name}") for name in ("STATUS", "INDEX", "VALUE", "GENERATION"))

    write(bus, "CONTROL", INTAKE)
    add(bus, 3)
    largest = bus.read(TREE + registers.load("sumtree")["LARGEST"].address)
    # Each slot was taken once.
    assert host(4, 1) == (0, 1, largest, 1)
    assert host(0, 1, 77) == (0, 1, largest, 1) and host(4, 1) == (0, 1, 77, 1)
    assert host(0, 1, 5, generation=0, check=1)[0] == 1 and host(4, 1)[2] == 77
    assert host(0, 1, 5, generation=1, check=1)[0] == 0 and host(4, 1)[2] == 5
    assert host(1, 31, 99) == (0, 3, 0, 1) and host(4, 3)[2] == 99 and read(bus, "FILLED") == 4
    assert host(4, 32)[0] == 2 and host(4, 1 << 31)[0] == 2
    assert not refused(bus, "HOST")
    before = host(4, 3)
    for kind in (2, 3, 5, 6, 7):
        assert host(kind, 3) == before and refused(bus, "HOST"), kind
    assert (read(bus, "RESERVED"), read(bus, "COMMITTED")) == (3, 3)
    # Operations of the host beside those of the input.
    add(bus, 4)
    assert host(4, 7)[2] == max(largest, 99)


def test_registers_survive_random_delays_on_every_channel(bus, seed):
    bus.stall(seed, registers=0.6)
    for value in np.random.default_rng(seed).integers(0, 2**32, 20):
        write(bus, "STEPS", int(value))
        bus.write(TREE + registers.load("sumtree")["EPSILON"].address, int(value) ^ 1)
        assert read(bus, "STEPS") == value
        assert bus.read(TREE + registers.load("sumtree")["EPSILON"].address) == value ^ 1


def test_committed_register_documents_are_those_of_the_map():
    generate.command("replay_learner", check=True)


@pytest.mark.skipif(shutil.which("cc") is None, reason="cc is not on PATH")
def test_a_c_program_sees_the_registers_at_their_addresses(tmp_path):
    name = "rlc_replay_learner"
    checks = [f'_Static_assert(offsetof({name}_t, {r.name}) == {r.address}, "{r.name}");' for r in REGS.values()]
    checks += [f'_Static_assert(RLC_REPLAY_LEARNER__FLAGS__EMPTY_bm == {flag("EMPTY")}, "EMPTY");']
    source = tmp_path / "check.c"
    # The three maps in one program.
    headers = ["<stddef.h>", f'"{name}_regs.h"', '"rlc_sumtree_regs.h"', '"rlc_learner_regs.h"']
    source.write_text("\n".join([*(f"#include {header}" for header in headers), *checks, ""]))
    include = paths.root() / "sw" / "include"
    subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-Wall", "-Werror", f"-I{include}", str(source)], check=True)
