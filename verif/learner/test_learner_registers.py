"""The learner's register map and its RTL agree: every register's address, value after reset, access and effect."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from learner_axi_cores import CORES, everything, formats, model, random_records, rtl, start

from rlcores.base import paths
from rlcores.buses.bus import BusError
from rlcores.cores.learner.format import DdpgFormats, LearnerFormats
from rlcores.cores.learner.optimisers import ADAMW
from rlcores.cores.learner.records import pack_records
from rlcores.eda import registers
from rlcores_lab.commands import generate

REGS = registers.load("learner")
# Writing these does something beyond keeping the value; they have tests of their own.
ACTIVE = {"COMMAND", "FLAGS", "IRQ_STATUS"}
OF_ACTOR = {name for name in REGS if name.startswith("NET1_")} | {"PASS_DELTA", "PASS_FRAC"}
# Where a register has more bits than what it takes.
MOST = {
    "GAMMA": 1 << 17,
    "REWARD_SCALE": 1 << 17,
    **dict.fromkeys(("NET0_RATE", "NET1_RATE", "MOMENTUM"), (1 << 17) - 1),
}
MOST |= dict.fromkeys(("NET0_DECAY", "NET1_DECAY"), 46 << 18 | (1 << 17) - 1)
FREE = {"IRQ_ENABLE", "UNIT"}  # may be written at any time
RUN, STOP, LOAD, READ, CLEAR = (
    REGS["COMMAND"].by_name[n].mask for n in ("run", "stop", "load", "read", "clear_counters")
)


def member(name: str) -> str:
    """A register as a member of the C structure; one of a register file stands in a structure of its own."""
    return re.sub(r"^((?:NET|SAT|SHAPE)\d)_", r"\1.", name)


def flag(name: str) -> int:
    return REGS["FLAGS"].by_name[name].mask


@pytest.fixture
def dqn():
    """The core without an actor, its weights small and random."""
    driver = rtl("dqn")
    start(np.random.default_rng(1), driver)
    write(driver.bus, "IRQ_STATUS", 7)
    yield driver
    driver.bus.close()


def read_all(bus) -> dict[str, int]:
    return {r.name: bus.read(r.address) for r in REGS.values()}


def write(bus, name: str, value: int) -> None:
    bus.write(REGS[name].address, value)


def read(bus, name: str) -> int:
    return bus.read(REGS[name].address)


def writable(core: str) -> dict[str, tuple[int, int]]:
    """Registers that keep what is written: least and greatest value; every part of its bits may be written too."""
    actor = core == "ddpg"
    ranges = {}
    for name, register in REGS.items():
        mask = register.mask("rw")
        decays = CORES[core]["OPTIMISER"] == ADAMW
        if not mask or name in ACTIVE or (name in OF_ACTOR and not actor) or (name.endswith("DECAY") and not decays):
            continue
        ranges[name] = 0, MOST.get(name, mask)
    ranges |= {
        "CONTROL": (0, 2 if actor else 1),
        "HOST": (0, 5 if actor else 3),
        "BATCH": (1, CORES[core]["BATCH_MAX"]),
    }
    if not CORES[core]["POLYAK"]:
        ranges["TAU"] = 0, 0
    return ranges


@pytest.mark.parametrize("core", ["dqn", pytest.param("ddpg", marks=pytest.mark.slow)])
def test_every_register_has_its_documented_value_after_reset(core):
    expected = {name: r.reset for name, r in registers.load("learner", CORES[core]).items()}
    bus = rtl(core).bus
    bus.reset()
    assert len(expected) == 115 and read_all(bus) == expected
    bus.close()


def test_nothing_answers_beyond_the_map_and_holes_read_as_zero(dqn):
    last = max(r.address for r in REGS.values())
    for address in (last + 4, 0x400, 0xFFC):
        with pytest.raises(BusError, match="SLVERR"):
            dqn.bus.read(address)
        with pytest.raises(BusError, match="SLVERR"):
            dqn.bus.write(address, 0xFFFFFFFF)
    holes = set(range(0, last, 4)) - {r.address for r in REGS.values()}
    assert len(holes) == 31 and not any(dqn.bus.read(address) for address in holes)


@pytest.mark.parametrize("core", ["dqn", pytest.param("ddpg", marks=pytest.mark.slow)])
def test_what_may_be_written_reads_back_and_nothing_else_changes(core, seed):
    rng = np.random.default_rng(seed)
    bus = rtl(core).bus
    before = read_all(bus)
    expected = dict(before)
    written = writable(core)
    assert len(written) == (21 if core == "dqn" else 28)
    for name, (low, top) in written.items():
        for value in (top, low, 0x55555555, 0xAAAAAAAA, int(rng.integers(low, top + 1))):
            value = value & top if low <= value & top <= top else low
            write(bus, name, value)
            assert read(bus, name) == value, name
        expected[name] = value
    # Random fractions need not fit together.
    expected["STATUS"] = read(bus, "STATUS")
    assert read_all(bus) == expected
    bus.reset(1)
    assert read_all(bus) == before
    bus.close()


@pytest.mark.parametrize("core", ["dqn", pytest.param("ddpg", marks=pytest.mark.slow)])
def test_a_value_that_does_not_fit_is_refused_and_flagged(core):
    bus, most = rtl(core).bus, CORES[core]["BATCH_MAX"]
    values = {
        "BATCH": (0, most + 1, 1 << 16, 1 << 31),
        "GAMMA": ((1 << 17) + 1, 1 << 18),
        "REWARD_SCALE": ((1 << 17) + 1, 1 << 31),
        "HUBER": (1 << 26, 1 << 31),
        "NET0_RATE": (1 << 17, 1 << 31),
        "MOMENTUM": (1 << 17,),
        "TAU": (1 << 17, *((1,) if core == "dqn" else ())),
        "CONTROL": (2, 3) if core == "dqn" else (1, 3),
        # SGD has no moments, and without an actor there are none of its weights.
        "HOST": (4, 5, 6, 7, 8, 64) if core == "dqn" else (2, 3, 6, 7, 8, 64),
        "COMMAND": (RUN | LOAD, RUN | READ, LOAD | READ, RUN | STOP),
    }
    if core == "dqn":
        values |= dict.fromkeys(sorted(OF_ACTOR), (0, 1))
        assert len(OF_ACTOR) == 9
        values["NET0_DECAY"] = 1 << 17, 47 << 18
    else:
        values |= dict.fromkeys(("NET0_DECAY", "NET1_DECAY"), (0, 1))
    for name, tried in values.items():
        before = read(bus, name)
        for value in tried:
            write(bus, name, value)
            assert read(bus, name) == before, (name, value)
            assert read(bus, "FLAGS") == flag("CONFIG"), (name, value)
            write(bus, "FLAGS", flag("CONFIG"))
    assert read(bus, "STATUS") == REGS["STATUS"].by_name["formats_fit"].mask
    bus.close()


def test_writing_what_is_read_only_changes_nothing(dqn):
    before = read_all(dqn.bus)
    only = [r for r in REGS.values() if not r.mask("rw", "wo", "w1c")]
    assert len(only) == 82
    for register in only:
        dqn.bus.write(register.address, 0xFFFFFFFF)
        dqn.bus.write(register.address, 0)
    assert read_all(dqn.bus) == before


def test_nothing_but_commands_can_be_written_while_it_runs(dqn):
    bus, known = dqn.bus, everything(dqn)
    before = read_all(bus)
    write(bus, "COMMAND", RUN)
    for name in writable("dqn"):
        write(bus, name, before[name] ^ 1)
        taken = name in FREE
        assert read(bus, name) == before[name] ^ int(taken), name
        assert read(bus, "FLAGS") == (0 if taken else flag("BUSY")), name
        write(bus, "FLAGS", 0x1F)
    write(bus, "COMMAND", STOP)
    assert read(bus, "STATUS") == before["STATUS"] and everything(dqn) == known


@pytest.mark.parametrize("command", [LOAD, READ])
def test_a_load_or_a_read_while_it_runs_is_refused_and_leaves_the_weights(dqn, command, seed):
    rng, other = np.random.default_rng(seed), model("dqn")
    start(rng, dqn, other)
    bus, records = dqn.bus, random_records(rng, dqn.shape, 4)
    beats = pack_records(records, 3)
    write(bus, "COMMAND", RUN)
    write(bus, "COMMAND", command)
    assert read(bus, "FLAGS") == flag("HOST")
    write(bus, "FLAGS", 0x1F)
    with pytest.raises(BusError, match="s_axis_load"):
        bus.transfer({"s_axis_load": np.ones((4, 1), np.uint64)}, {})
    # In the middle of a batch, after the end of running too.
    bus.transfer({"s_axis_rec": beats[:3]}, {})
    write(bus, "COMMAND", STOP)
    assert read(bus, "STATUS") & 7 == REGS["STATUS"].by_name["busy"].mask
    write(bus, "COMMAND", command)
    # Random records may also saturate.
    assert read(bus, "FLAGS") & ~flag("SATURATED") == flag("HOST")
    write(bus, "NET0_RATE", 0)
    assert read(bus, "FLAGS") & ~flag("SATURATED") == flag("HOST") | flag("BUSY") and read(bus, "NET0_RATE") == 1000
    taken = bus.transfer({"s_axis_rec": beats[3:]}, {"m_axis_prio": 4})["m_axis_prio"]
    bus.run(1000)
    assert not read(bus, "STATUS") & REGS["STATUS"].by_name["busy"].mask
    dqn.clear_flags()
    assert taken[:, 0].tolist() == other.step(records).tolist() and everything(dqn) == everything(other)


def test_running_waits_for_the_end_of_a_load(dqn):
    bus = dqn.bus
    write(bus, "COMMAND", LOAD)
    assert read(bus, "STATUS") & 7 == REGS["STATUS"].by_name["host"].mask
    write(bus, "COMMAND", RUN)
    write(bus, "BATCH", 2)
    assert read(bus, "FLAGS") == flag("BUSY") and read(bus, "BATCH") == 4
    write(bus, "COMMAND", READ)
    assert read(bus, "FLAGS") == flag("BUSY") | flag("HOST")


def test_fractions_that_do_not_fit_together_keep_it_from_running(dqn):
    bus = dqn.bus
    # The first layer would have to shift left.
    write(bus, "NET0_ACT_FRAC", 31 << 5)
    assert not read(bus, "STATUS") & REGS["STATUS"].by_name["formats_fit"].mask
    write(bus, "COMMAND", RUN)
    assert read(bus, "FLAGS") == flag("FORMAT") and not read(bus, "STATUS") & 1


def test_a_stage_that_saturates_says_so_once_until_it_is_cleared(dqn, seed):
    records = random_records(np.random.default_rng(seed), dqn.shape, 4)
    records.states[:] = 1000
    records.states[1, 0] = 1 << 20
    dqn.step(records)
    counts = dqn.counters()
    assert counts[0] >= 1 and read(dqn.bus, "SAT_IN") == counts[0] and read(dqn.bus, "SATURATED0") & 1
    assert dqn.flags() == {"SATURATED"}
    dqn.clear_flags()
    dqn.step(records)
    assert dqn.flags() == frozenset() and dqn.counters()[0] > counts[0], "it stood already"
    dqn.clear_counters()
    assert not dqn.counters().any() and read(dqn.bus, "CLOCKS") == 0
    dqn.step(records)
    assert dqn.flags() == {"SATURATED"} and dqn.counters()[0] >= 1


def test_a_flag_stays_until_its_own_bit_is_cleared(dqn):
    bus = dqn.bus
    write(bus, "BATCH", 0)
    write(bus, "COMMAND", RUN)
    write(bus, "BATCH", 1)
    both = flag("CONFIG") | flag("BUSY")
    write(bus, "FLAGS", ~both & 0xFFFFFFFF)
    write(bus, "FLAGS", 0)
    assert read(bus, "FLAGS") == both
    write(bus, "FLAGS", flag("BUSY"))
    assert read(bus, "FLAGS") == flag("CONFIG")


@pytest.mark.parametrize("enable", [0, 7, *(pytest.param(one, marks=pytest.mark.slow) for one in (1, 2, 4))])
def test_the_interrupt_follows_what_is_enabled(dqn, enable, seed):
    bus = dqn.bus
    write(bus, "IRQ_ENABLE", enable)
    records = random_records(np.random.default_rng(seed), dqn.shape, 4)
    records.states[:], records.next_states[:], records.rewards[:] = 1000, 1000, 1000
    triggers = ((lambda: dqn.step(records), 1), (lambda: write(bus, "BATCH", 0), 2), (lambda: dqn.read(), 4))
    for trigger, cause in triggers:
        trigger()
        assert read(bus, "IRQ_STATUS") == cause
        if enable & cause:
            bus.wait_irq()
        write(bus, "FLAGS", 0x1F)
        write(bus, "IRQ_STATUS", 7)
        with pytest.raises(BusError, match="interrupt did not happen"):
            bus.wait_irq()


def test_the_clocks_of_a_unit_are_those_of_its_steps(dqn, seed):
    bus = dqn.bus
    records = [random_records(np.random.default_rng(seed), dqn.shape, 4) for _ in range(3)]
    write(bus, "COMMAND", CLEAR)
    # Forward unit of layer 1: 1 word in, 2 words out, for each of 12 samples.
    busy, waiting = dqn.utilisation(1, records)
    clocks = read(bus, "CLOCKS")
    assert read(bus, "UNIT_BUSY") == 12 * 2 and busy == 24 / clocks and waiting < 1
    assert read(bus, "STEPS") == 3
    write(bus, "UNIT", 2)
    assert read(bus, "UNIT_BUSY") == 0 and read(bus, "CLOCKS") == clocks == 352
    # Nothing goes back through the first layer.
    assert dqn.utilisation(11, records) == (0, 0)


def test_registers_survive_random_delays_on_every_channel(dqn, seed):
    dqn.bus.stall(seed, registers=0.6)
    for value in np.random.default_rng(seed).integers(0, 2**32, 20):
        write(dqn.bus, "SEED", int(value))
        assert read(dqn.bus, "SEED") == value


def test_the_reset_values_are_a_set_that_can_run():
    for core in ("dqn", "ddpg"):
        bus = rtl(core).bus
        write(bus, "COMMAND", RUN)
        assert read(bus, "FLAGS") == 0 and read(bus, "STATUS") & 1, core
        bus.close()


def test_the_model_and_the_core_agree_on_which_fractions_fit(dqn, seed):
    rng = np.random.default_rng(seed)
    fits = set()
    for _ in range(60):
        act, delta, grad = rng.integers(0, 32, 3), rng.integers(0, 32, 3), rng.integers(0, 48, 3)
        for name, fractions, bits in (("ACT", act, 5), ("DELTA", delta, 5), ("GRAD", grad, 6)):
            write(dqn.bus, f"NET0_{name}_FRAC", sum(int(f) << bits * i for i, f in enumerate(fractions)))
        said = bool(read(dqn.bus, "STATUS") & REGS["STATUS"].by_name["formats_fit"].mask)
        try:
            LearnerFormats(tuple(act), (0, *delta[1:]), (0, *grad[1:]))
            possible = True
        except ValueError:
            possible = False
        fits.add(said)
        assert said == possible, (act, delta, grad)
    assert fits == {True, False}


def test_with_an_actor_the_fractions_of_both_and_of_the_pass_between_must_fit(seed):
    rng = np.random.default_rng(seed)
    driver = rtl("ddpg")
    start(rng, driver)
    value, actor, form = driver.shape.value, driver.shape.actor, formats(driver.shape)
    fits = set()
    for turn in range(90):
        through, deltas, act = list(form.pass_frac), list(form.actor.delta_frac), list(form.actor.act_frac)
        # The pass, its end at tanh, or a layer of the actor.
        if turn % 3 == 0:
            through = [int(f) for f in rng.choice((0, 14, 31), value.layers + 1)]
        elif turn % 3 == 1:
            deltas[-1] = int(rng.choice((0, 15, 31)))
        else:
            act[int(rng.integers(1, actor.layers))] = int(rng.choice((0, 12, 31)))
        for name, fractions in (("PASS_FRAC", through), ("NET1_DELTA_FRAC", deltas), ("NET1_ACT_FRAC", act)):
            write(driver.bus, name, sum(f << 5 * i for i, f in enumerate(fractions)))
        said = bool(read(driver.bus, "STATUS") & REGS["STATUS"].by_name["formats_fit"].mask)
        try:
            DdpgFormats(form.value, LearnerFormats(tuple(act), (0, *deltas[1:]), form.actor.grad_frac), tuple(through))
            possible = True
        except ValueError:
            possible = False
        fits.add((turn % 3, said))
        assert said == possible, (through, deltas, act)
    assert len(fits) == 6
    driver.bus.close()


def test_committed_register_documents_are_those_of_the_map():
    generate.command("learner", check=True)


@pytest.mark.skipif(shutil.which("cc") is None, reason="cc is not on PATH")
def test_a_c_program_sees_the_registers_at_their_addresses(tmp_path):
    checks = [
        f'_Static_assert(offsetof(rlc_learner_t, {member(r.name)}) == {r.address}, "{r.name}");' for r in REGS.values()
    ]
    checks += [f'_Static_assert(RLC_LEARNER__FLAGS__HOST_bm == {flag("HOST")}, "HOST");']
    source = tmp_path / "check.c"
    # All cores in one program.
    includes = [f'#include "rlc_{core}_regs.h"' for core in ("learner", "sumtree", "gae")]
    source.write_text("\n".join(["#include <stddef.h>", *includes, *checks, ""]))
    include = paths.root() / "sw" / "include"
    subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-Wall", "-Werror", f"-I{include}", str(source)], check=True)
