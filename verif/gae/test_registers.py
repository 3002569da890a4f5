"""The register map, the RTL and the model agree: every register's address, value after reset, and access."""

import shutil
import subprocess

import numpy as np
import pytest

from rlcores.base import paths
from rlcores.buses.bus import BusError
from rlcores.cores.gae.api import Gae
from rlcores.cores.gae.driver import GaeDriver
from rlcores.cores.gae.model import pack
from rlcores.cores.gae.scale import STEP
from rlcores.eda import configs, registers
from rlcores.errors import RunFailed
from rlcores_lab.commands import generate
from rlcores_lab.writers import maps

# Writing these does something; they have tests of their own.
ACTIVE = {"COMMAND", "FLAGS", "IRQ_STATUS"}
CONFIGURATION = [r.name for r in registers.load("gae").values() if 0x28 <= r.address <= 0x68]
MEASURE, RESET_STATS = 2, 7


def flag(name: str) -> int:
    return registers.load("gae")["FLAGS"].by_name[name].mask


def read_all(bus, regs) -> dict[str, int]:
    return {r.name: bus.read(r.address) for r in regs.values()}


@pytest.mark.parametrize("config", ["tiny", "wide", "tiny16", "tiny_trace"])
def test_every_register_has_its_documented_value_after_reset(make_bus, config):
    regs = registers.load("gae", configs.load("gae", config))
    assert len(regs) == 51
    assert read_all(make_bus(config), regs) == {r.name: r.reset for r in regs.values()}


def test_the_map_has_no_holes_and_nothing_answers_beyond_it(make_bus):
    regs = registers.load("gae")
    assert [r.address for r in regs.values()] == list(range(0, 4 * len(regs), 4))
    bus = make_bus()
    for address in (4 * len(regs), 0x100, 0xFFC):
        with pytest.raises(BusError, match="SLVERR"):
            bus.read(address)
        with pytest.raises(BusError, match="SLVERR"):
            bus.write(address, 0xFFFFFFFF)
    assert read_all(bus, regs) == {r.name: r.reset for r in regs.values()}


@pytest.mark.parametrize(("config", "count"), [("tiny", 18), ("tiny16", 19)])
def test_what_may_be_written_reads_back_and_nothing_else_changes(make_bus, seed, config, count):
    regs = registers.load("gae", configs.load("gae", config))
    bus = make_bus(config)
    expected = read_all(bus, regs)
    rng = np.random.default_rng(seed)
    written = [r for r in regs.values() if r.mask("rw") and r.name not in ACTIVE]
    assert len(written) == count
    for register in written:
        mask = register.mask("rw")
        for value in (mask, 0, 0x55555555 & mask, 0xAAAAAAAA & mask, int(rng.integers(2**32)) & mask):
            bus.write(register.address, value)
            expected[register.name] = value
            assert bus.read(register.address) == value, register.name
    assert read_all(bus, regs) == expected


def test_bits_that_no_field_names_read_as_zero_or_refuse_the_write(make_bus):
    regs = registers.load("gae")
    bus = make_bus()
    # A number cut to fit would be another number, so these refuse.
    refusing = {"QBITS", "CLIP", "SHIFT", "REWARD_INV_SHIFT", "VALUE_INV_SHIFT"}
    for name in [*CONFIGURATION, "IRQ_ENABLE"]:
        register = regs[name]
        mask = register.mask("rw")
        if mask == 0xFFFFFFFF:
            continue
        bus.write(register.address, 0xFFFFFFFF)
        refused = name in refusing
        assert bus.read(register.address) == (register.reset if refused else mask), name
        assert bus.read(regs["FLAGS"].address) == (flag("CONFIG") if refused else 0), name
        bus.write(regs["FLAGS"].address, 0xFFFFFFFF)


def test_writing_what_is_read_only_changes_nothing(make_bus):
    regs = registers.load("gae")
    bus = make_bus()
    before = read_all(bus, regs)
    only = [r for r in regs.values() if not r.mask("rw", "wo", "w1c")]
    assert len(only) == 30
    for register in only:
        bus.write(register.address, 0xFFFFFFFF)
        bus.write(register.address, 0)
    assert read_all(bus, regs) == before


@pytest.mark.parametrize("code", [0, 16, 0x108, 0x80000001])
def test_an_unknown_command_is_flagged_and_starts_nothing(make_bus, code):
    regs = registers.load("gae")
    bus = make_bus()
    before = read_all(bus, regs)
    bus.write(regs["COMMAND"].address, code)
    after = read_all(bus, regs)
    assert after.pop("FLAGS") == flag("BAD_COMMAND") and after.pop("IRQ_STATUS") == 2
    assert after == {name: before[name] for name in after}


def test_a_flag_stays_until_its_own_bit_is_cleared(make_bus):
    regs = registers.load("gae")
    bus = make_bus()
    flags = regs["FLAGS"].address
    bus.write(regs["COMMAND"].address, 0)
    bus.write(regs["QBITS"].address, 99)
    both = flag("BAD_COMMAND") | flag("CONFIG")
    assert bus.read(flags) == both
    bus.write(flags, ~both & 0xFFFFFFFF)
    bus.write(flags, 0)
    assert bus.read(flags) == both
    bus.write(flags, flag("CONFIG"))
    assert bus.read(flags) == flag("BAD_COMMAND")


@pytest.mark.parametrize("enable", [0, 1, 2, 3])
def test_the_interrupt_follows_what_is_enabled(make_bus, enable):
    regs = registers.load("gae")
    bus = make_bus()
    bus.write(regs["IRQ_ENABLE"].address, enable)
    for trigger, cause in ((RESET_STATS, 1), (0, 2)):
        bus.write(regs["COMMAND"].address, trigger)
        assert bus.read(regs["IRQ_STATUS"].address) == cause
        if enable & cause:
            bus.wait_irq()
            bus.write(regs["IRQ_STATUS"].address, 3)
        with pytest.raises(BusError, match="interrupt did not happen"):
            bus.wait_irq()
        bus.write(regs["IRQ_STATUS"].address, 3)


def test_configuration_and_commands_are_ignored_and_flagged_while_a_command_runs(make_bus):
    regs = registers.load("gae")
    bus = make_bus()
    bus.write(regs["COMMAND"].address, MEASURE)
    before = read_all(bus, regs)
    assert before["STATUS"] & 1
    for name in [*CONFIGURATION, "COMMAND"]:
        value = RESET_STATS if name == "COMMAND" else before[name] ^ 1
        bus.write(regs[name].address, value)
        assert bus.read(regs[name].address) == before[name], name
        assert bus.read(regs["FLAGS"].address) == flag("BUSY"), name
        bus.write(regs["FLAGS"].address, flag("BUSY"))
    beat = configs.load("gae", "tiny")["BEAT"]
    bus.send(np.zeros((1, beat), np.uint64))
    # The pass that was open went on as if nothing had been written, and ends.
    bus.write(regs["IRQ_STATUS"].address, 2)
    bus.write(regs["IRQ_ENABLE"].address, 1)
    bus.wait_irq()
    assert bus.read(regs["STATUS"].address) == 0


def test_registers_survive_random_delays_on_every_channel(seed):
    core = Gae("tiny", "rtl")
    bus = core.driver.bus
    bus.stall(seed, registers=0.6)
    rng = np.random.default_rng(seed)
    for value in rng.integers(0, 2**31, 20):
        core.driver.write("GAMMA", int(value))
        assert core.driver.read("GAMMA") == value


@pytest.mark.parametrize("clocks", [1, 4])
def test_a_reset_takes_back_whatever_was_written(clocks):
    regs = registers.load("gae", configs.load("gae", "tiny"))
    bus = Gae("tiny", "rtl").driver.bus
    bus.reset()
    before = read_all(bus, regs)
    for register in regs.values():
        if register.mask("rw"):
            bus.write(register.address, before[register.name] ^ register.mask("rw"))
    bus.write(regs["COMMAND"].address, 16)  # there is none
    changed = read_all(bus, regs)
    assert all(changed[name] != before[name] for name in (*CONFIGURATION, "IRQ_ENABLE", "FLAGS", "IRQ_STATUS"))
    bus.reset(clocks)
    assert read_all(bus, regs) == before


def test_scale_takes_its_clocks_and_a_reset_in_any_of_them_leaves_nothing():
    """Also in the one clock in which a flag is on its way to its register."""
    regs = registers.load("gae", configs.load("gae", "tiny"))
    bus = Gae("tiny", "rtl").driver.bus
    bus.reset()
    before = read_all(bus, regs)
    shape = configs.load("gae", "tiny")
    lanes = np.arange(shape["LANES"]).reshape(-1, shape["BEAT"])
    constant = pack(lanes, np.full_like(lanes, STEP), np.full_like(lanes, 5), np.full_like(lanes, 3))

    def begin(clocks: int) -> None:
        bus.reset()
        driver = GaeDriver(bus)
        driver.control(reward_auto=True, value_auto=True, order_previous=False)
        driver.measure(constant)
        bus.write(regs["COMMAND"].address, regs["COMMAND"].by_name["code"].values["SCALE"])
        bus.run(clocks)

    def first(seen) -> int:
        """After how many clocks this is so."""
        low, high = 0, 5000
        while low < high:
            begin((low + high) // 2)
            low, high = (low, (low + high) // 2) if seen() else ((low + high) // 2 + 1, high)
        return low

    flags = [flag(name) for name in ("SIGMA_ZERO_R", "SIGMA_ZERO_V")]
    times = [first(lambda mask=mask: bus.read(regs["FLAGS"].address) & mask) for mask in flags]
    times.append(first(lambda: bus.read(regs["STATUS"].address) == 0))
    assert times == [335, 1078, 1787]
    for clocks in (near + offset for near in times for offset in range(10)):
        begin(clocks)
        bus.reset(1)
        assert read_all(bus, regs) == before, clocks


def test_committed_register_documents_are_those_of_the_map():
    generate.command(None, check=True)


def test_a_stale_register_document_is_noticed(monkeypatch):
    outputs = maps.outputs("gae")
    monkeypatch.setattr(maps, "outputs", lambda core: {path: text + " " for path, text in outputs.items()})
    with pytest.raises(RunFailed, match=r"docs/gae_registers\.md, sw/include/rlc_gae_regs\.h"):
        generate.command("gae", check=True)


@pytest.mark.skipif(shutil.which("cc") is None, reason="cc is not on PATH")
def test_a_c_program_sees_the_registers_at_their_addresses(tmp_path):
    regs = registers.load("gae")
    checks = [f'_Static_assert(offsetof(rlc_gae_t, {r.name}) == {r.address}, "{r.name}");' for r in regs.values()]
    checks += ['_Static_assert(RLC_GAE__COMMAND__CODE__START == 5, "START");']
    checks += [f'_Static_assert(RLC_GAE__FLAGS__NO_BOOT_bm == {flag("NO_BOOT")}, "NO_BOOT");']
    source = tmp_path / "check.c"
    source.write_text("\n".join(["#include <stddef.h>", '#include "rlc_gae_regs.h"', *checks, ""]))
    include = paths.root() / "sw" / "include"
    subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-Wall", "-Werror", f"-I{include}", str(source)], check=True)
