"""The sum tree's register map and its RTL agree: every register's address, value after reset, access and effect."""

import shutil
import subprocess

import numpy as np
import pytest
from axi_cores import CORES, rtl

from rlcores.base import paths
from rlcores.buses.bus import BusError
from rlcores.cores.sumtree.driver import pack_operations, pack_requests
from rlcores.cores.sumtree.model import INSERT
from rlcores.eda import registers
from rlcores_lab.commands import generate

# Writing these does something beyond keeping the value; they have tests of their own.
ACTIVE = {"COMMAND", "FLAGS", "IRQ_STATUS", "SEED3", "DRAW"}
REGS = registers.load("sumtree")
# Registers of the maths; without it they refuse every write.
MATHS = {"ALPHA", "EPSILON", "SCALE", "BETA"}


def flag(name: str) -> int:
    return REGS["FLAGS"].by_name[name].mask


@pytest.fixture
def bus():
    """The core with all it can have, clear, its flags and interrupts too."""
    driver = rtl("maths")
    driver.bus.write(REGS["IRQ_STATUS"].address, 7)
    yield driver.bus
    driver.bus.close()


def read_all(bus) -> dict[str, int]:
    return {r.name: bus.read(r.address) for r in REGS.values()}


def write(bus, name: str, value: int) -> None:
    bus.write(REGS[name].address, value)


def read(bus, name: str) -> int:
    return bus.read(REGS[name].address)


@pytest.mark.parametrize("core", list(CORES))
def test_every_register_has_its_documented_value_after_reset(core):
    parameters = {"PRIORITY_MATHS": 1, "SHARED": 0, "GENERATION_WIDTH": 8, "DRAW_WIDTH": 32} | CORES[core]
    expected = {name: r.reset for name, r in registers.load("sumtree", parameters).items()}
    bus = rtl(core).bus
    bus.reset()
    # The first register is read while the tree is being cleared, the others when it is done.
    assert read(bus, "STATUS") == expected["STATUS"] == REGS["STATUS"].by_name["busy"].mask
    assert read(bus, "IRQ_STATUS") == 0, "ready before the tree is"
    bus.run(200)
    expected |= {"STATUS": 0, "IRQ_STATUS": REGS["IRQ_STATUS"].by_name["ready"].mask}
    assert len(expected) == 35 and read_all(bus) == expected
    bus.close()


@pytest.mark.parametrize("clocks", [1, 2, 5])
def test_a_reset_takes_back_whatever_was_written(bus, clocks):
    bus.reset()
    bus.run(200)
    before = read_all(bus)
    written = [r.name for r in REGS.values() if r.mask("rw") and r.name not in ACTIVE] + ["SEED3"]
    for name in written:
        write(bus, name, before[name] - 1 if before[name] > 1 else 2)
    write(bus, "COMMAND", 1)  # the capacity that was written comes into force
    bus.run(200)
    bus.transfer({"s_axis_op": pack_operations([INSERT, 7], 0, 1)}, {"m_axis_op": 2})
    write(bus, "BATCH", 0)
    changed = read_all(bus)
    for name in (*written, "FLAGS", "INSERTS", "SIZE", "IN_FORCE"):
        assert changed[name] != before[name], name
    bus.reset(clocks)
    bus.run(200)
    assert read_all(bus) == before


def test_an_interrupt_is_acknowledged_at_its_own_register_alone(bus):
    write(bus, "BATCH", 0)
    for register in REGS.values():
        if register.name not in ("IRQ_STATUS", "COMMAND", "DRAW"):
            bus.write(register.address, 2)
    assert read(bus, "IRQ_STATUS") & 2
    write(bus, "IRQ_STATUS", 2)
    assert not read(bus, "IRQ_STATUS") & 2


def test_the_map_has_no_holes_and_nothing_answers_beyond_it(bus):
    assert [r.address for r in REGS.values()] == list(range(0, 4 * len(REGS), 4))
    before = read_all(bus)
    for address in (4 * len(REGS), 0x100, 0xFFC):
        with pytest.raises(BusError, match="SLVERR"):
            bus.read(address)
        with pytest.raises(BusError, match="SLVERR"):
            bus.write(address, 0xFFFFFFFF)
    assert read_all(bus) == before


def test_what_may_be_written_reads_back_and_nothing_else_changes(bus, seed):
    rng = np.random.default_rng(seed)
    expected = read_all(bus)
    most = {"CAPACITY": 50, "BATCH": 16, "INITIAL": 255, "ALPHA": 32768, "BETA": 32768}
    least = {"CAPACITY": 1, "BATCH": 1}
    written = [r for r in REGS.values() if r.mask("rw") and r.name not in ACTIVE]
    assert len(written) == 12
    for register in written:
        mask, low = register.mask("rw"), least.get(register.name, 0)
        top = most.get(register.name, mask)
        for value in (top, low, 0x55555555 & mask, 0xAAAAAAAA & mask, int(rng.integers(low, top + 1))):
            value = value if low <= value <= top else low
            bus.write(register.address, value)
            expected[register.name] = value
            assert bus.read(register.address) == value, register.name
    assert read_all(bus) == expected


@pytest.mark.parametrize("core", list(CORES))
def test_a_value_that_does_not_fit_is_refused_and_flagged(core):
    driver = rtl(core)
    bus, batch_max = driver.bus, CORES[core]["BATCH_MAX"]
    values = {
        "CAPACITY": (0, CORES[core]["CAPACITY"] + 1, 0xFFFFFFFF),
        "INITIAL": (1 << CORES[core]["PRIORITY_WIDTH"], 1 << 31),
        "BATCH": (0, batch_max + 1, 0x10001, 1 << 31),
        "ALPHA": (32769, 0x10000, 1 << 31),
        "BETA": (32769, 0x10000, 1 << 31),
    }
    if not driver.options.priority_maths:
        values |= dict.fromkeys(MATHS, (1, 0)) | {"CONTROL": (4, 7)}
    for name, tried in values.items():
        before = read(bus, name)
        for value in tried:
            write(bus, name, value)
            assert read(bus, name) == before, name
            assert read(bus, "FLAGS") == flag("CONFIG"), name
            write(bus, "FLAGS", flag("CONFIG"))
    bus.close()


def test_bits_that_no_field_names_read_as_zero(bus):
    for name in ("CONTROL", "IRQ_ENABLE", "SCALE"):
        write(bus, name, 0xFFFFFFFF)
        assert read(bus, name) == REGS[name].mask("rw")


def test_writing_what_is_read_only_changes_nothing(bus):
    before = read_all(bus)
    only = [r for r in REGS.values() if not r.mask("rw", "wo", "w1c")]
    assert len(only) == 18
    for register in only:
        bus.write(register.address, 0xFFFFFFFF)
        bus.write(register.address, 0)
    assert read_all(bus) == before


def held(bus, *, op: bool) -> None:
    """Leave an answer where nobody takes it, so that an operation or a sample stays on its way."""
    if op:
        with pytest.raises(BusError):
            bus.transfer({"s_axis_op": pack_operations(np.full(100, INSERT), 0, 1)}, {})
    else:
        with pytest.raises(BusError):
            bus.transfer({"s_axis_sample": pack_requests(np.zeros(300, int))}, {})


@pytest.mark.parametrize(
    ("op", "ignored", "taken"),
    [
        (True, ["CONTROL", "ALPHA", "EPSILON", "SCALE"], ["BETA", "SEED3", "BATCH", "CAPACITY", "INITIAL", "SEED0"]),
        (False, ["CONTROL", "SEED3", "BETA"], ["ALPHA", "EPSILON", "SCALE", "BATCH", "CAPACITY", "INITIAL", "SEED0"]),
    ],
)
def test_a_write_at_the_wrong_moment_is_ignored_and_flagged(bus, op, ignored, taken):
    held(bus, op=op)
    write(bus, "FLAGS", 0xFF)
    assert read(bus, "STATUS") == (2 if op else 0b1100)
    for name in (*ignored, *taken):
        before = read(bus, name)
        value = before ^ 3 if name != "BATCH" else 5
        write(bus, name, value)
        assert read(bus, name) == (before if name in ignored else value), name
        assert read(bus, "FLAGS") == (flag("BUSY") if name in ignored else 0), name
        write(bus, "FLAGS", flag("BUSY"))
    write(bus, "COMMAND", REGS["COMMAND"].by_name["restart"].mask)
    assert read(bus, "FLAGS") == (0 if op else flag("BUSY"))


def test_a_second_clear_waits_for_no_one(bus):
    held(bus, op=True)
    write(bus, "FLAGS", 0xFF)
    write(bus, "COMMAND", 1)
    assert read(bus, "FLAGS") == 0
    write(bus, "COMMAND", 1)
    assert read(bus, "FLAGS") == flag("BUSY")


def test_a_flag_stays_until_its_own_bit_is_cleared(bus):
    write(bus, "BATCH", 0)
    bus.transfer({"s_axis_sample": pack_requests([0])}, {"m_axis_sample": 1})
    both = flag("CONFIG") | flag("EMPTY")
    assert read(bus, "FLAGS") == both
    write(bus, "FLAGS", ~both & 0xFFFFFFFF)
    write(bus, "FLAGS", 0)
    assert read(bus, "FLAGS") == both
    write(bus, "FLAGS", flag("CONFIG"))
    assert read(bus, "FLAGS") == flag("EMPTY")


@pytest.mark.parametrize("enable", [0, 1, 2, 4, 7])
def test_the_interrupt_follows_what_is_enabled(bus, enable):
    write(bus, "IRQ_ENABLE", enable)
    bus.transfer({"s_axis_op": pack_operations([INSERT], 0, 1)}, {"m_axis_op": 1})

    def drawn():
        write(bus, "DRAW", 3)
        bus.transfer({}, {"m_axis_sample": 2})
        status = read(bus, "STATUS")
        assert read(bus, "IRQ_STATUS") == 0 and status == 0b10011000, "done before the last answer has left"
        bus.transfer({}, {"m_axis_sample": 1})

    def ready():
        write(bus, "COMMAND", 1)
        bus.run(200)

    for trigger, cause in ((drawn, 1), (lambda: write(bus, "BATCH", 0), 2), (ready, 4)):
        trigger()
        assert read(bus, "IRQ_STATUS") == cause
        if enable & cause:
            bus.wait_irq()
            write(bus, "IRQ_STATUS", 7)
        with pytest.raises(BusError, match="interrupt did not happen"):
            bus.wait_irq()
        write(bus, "IRQ_STATUS", 7)


def test_the_two_words_of_a_total_belong_together():
    driver = rtl("plain")
    driver.operations(np.full(16, INSERT), 0, (1 << 31) - 1)
    assert driver.read("TOTAL_LO") == 0xFFFFFFF0
    driver.clear()
    # The high word is that of the low one, whatever happened in between.
    assert driver.read("TOTAL_HI") == 7 and driver.read("TOTAL_HI") == 7
    assert driver.read("TOTAL_LO") == 0 and driver.read("TOTAL_HI") == 0
    driver.bus.close()


def test_registers_survive_random_delays_on_every_channel(bus, seed):
    bus.stall(seed, registers=0.6)
    for value in np.random.default_rng(seed).integers(0, 2**32, 20):
        write(bus, "EPSILON", int(value))
        assert read(bus, "EPSILON") == value


def test_committed_register_documents_are_those_of_the_map():
    generate.command("sumtree", check=True)


@pytest.mark.skipif(shutil.which("cc") is None, reason="cc is not on PATH")
def test_a_c_program_sees_the_registers_at_their_addresses(tmp_path):
    checks = [f'_Static_assert(offsetof(rlc_sumtree_t, {r.name}) == {r.address}, "{r.name}");' for r in REGS.values()]
    checks += [f'_Static_assert(RLC_SUMTREE__FLAGS__MISS_bm == {flag("MISS")}, "MISS");']
    source = tmp_path / "check.c"
    # Both cores in one program.
    lines = ["#include <stddef.h>", '#include "rlc_sumtree_regs.h"', '#include "rlc_gae_regs.h"', *checks, ""]
    source.write_text("\n".join(lines))
    include = paths.root() / "sw" / "include"
    subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-Wall", "-Werror", f"-I{include}", str(source)], check=True)
