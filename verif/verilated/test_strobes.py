"""A byte that is written without its strobe stays as it is, in every register of every core."""

import numpy as np
import pytest

from rlcores.buses.backends import simulated
from rlcores.buses.bus import Window
from rlcores.buses.verilated import VerilatedBus
from rlcores.cores.agent.driver import AGENT
from rlcores.cores.learner.driver import LearnerDriver
from rlcores.cores.ppo.driver import ENV as PPO_ENV
from rlcores.cores.sumtree.driver import SumTreeDriver
from rlcores.eda import configs, registers

# Writing these acts. DRAW of the sum tree has a test of its own.
ACTS = {"COMMAND", "FLAGS", "IRQ_STATUS", "DRAW"}
# The windows of each core: where its registers stand.
WINDOWS = {
    "gae": {0: "gae"},
    "sumtree": {0: "sumtree"},
    "learner": {0: "learner"},
    "policy": {0: "policy"},
    "env": {0: "env"},
    "replay_learner": {0: "replay_learner", 0x1000: "sumtree", 0x2000: "learner"},
    "ppo_env": {0: "ppo", PPO_ENV: "env"},
    "agent": {0: "replay_learner", 0x1000: "sumtree", 0x2000: "learner", AGENT: "agent"},
}
# They take long to compile, and other tests are of their registers, too.
NIGHTLY = ("learner", "policy", "env", "ppo_env", "agent")
CORES = [pytest.param(core, marks=[pytest.mark.slow] * (core in NIGHTLY)) for core in WINDOWS]
MATHS = configs.load("sumtree", "tiny") | {"PRIORITY_MATHS": 1, "BATCH_MAX": 16}


def start(core: str) -> VerilatedBus:
    """A core at rest."""
    if core in ("gae", "policy", "env", "ppo_env"):
        made = simulated(core, "tiny", limit=200_000)
    elif core == "sumtree":
        made = SumTreeDriver.verilated(MATHS, limit=20_000).bus
    elif core == "learner":
        made = LearnerDriver.verilated(configs.load("learner", "ddpg_tiny"), limit=20_000).bus
    else:
        made = simulated(core, "tiny", limit=20_000)
    made.run(200)
    return made


def lanes(strobes: int) -> int:
    """The bits of these bytes."""
    return sum(0xFF << 8 * byte for byte in range(4) if strobes >> byte & 1)


def values(rng: np.random.Generator, register: registers.Register) -> int:
    """Any word, but often one that a narrow field takes, and at times one with bits that no field has."""
    if rng.random() < 0.25:
        return int(rng.integers(2**32))
    word = int(rng.integers(2**32)) & (register.mask("rw", "wo", "w1c") or 0xFFFFFFFF)
    return word >> int(rng.integers(32)) if rng.random() < 0.5 else word


@pytest.mark.parametrize("core", CORES)
def test_a_write_of_some_bytes_is_the_write_of_the_whole_word_with_the_others_as_they_were(core, seed):
    """Two cores beside each other: one gets the bytes, the other the word that they make of what it had.

    Each window of a core of several has a quarter of the writes.
    """
    rng = np.random.default_rng(seed)
    partial, whole = start(core), start(core)
    partial.stall(seed, registers=0.4)
    for base, name in WINDOWS[core].items():
        regs = [r for r in registers.load(name).values() if r.name != "DRAW"]
        a, b = Window(partial, base), Window(whole, base)
        known = {r.name: sum(field.mask for field in r.fields if field.access != "wo") for r in regs}
        kept = merged = refused = 0
        writes = 100 if len(WINDOWS[core]) > 1 else 400
        for _ in range(writes):
            register = regs[rng.integers(len(regs))] if rng.random() < 0.3 else rng.choice(
                [r for r in regs if r.mask("rw", "wo", "w1c")]
            )  # fmt: skip
            strobes, data = int(rng.integers(16)), values(rng, register)
            if register.name == "COMMAND":  # every byte but that of the commands, which would start something
                strobes &= 0b1110
            acts = register.name in ACTS
            before = 0 if acts else b.read(register.address)
            word = before & ~lanes(strobes) | data & lanes(strobes)
            partial.write(base + register.address, data, strobes)
            if strobes:
                b.write(register.address, word)
            after = [(r.name, x.read(r.address)) for x in (a, b) for r in regs]
            assert after[: len(regs)] == after[len(regs) :], (register.name, f"{strobes:04b}", f"{data:08X}")
            flagged = dict(after)["FLAGS"] != 0
            assert all(not value & ~known[name] for name, value in after), "bits that are not to be read"
            now = b.read(register.address)
            merged += not acts and 0 < strobes < 15 and now == word != before
            kept += not acts and 0 < strobes < 15 and now & ~lanes(strobes) != 0
            refused += flagged
        assert merged > 3 * writes // 40 and kept > writes // 40, (name, merged, kept)
        assert refused > writes // 80, (name, refused)
    partial.close()
    whole.close()


@pytest.mark.parametrize("core", CORES)
def test_a_command_acts_only_with_the_strobe_of_its_byte(core):
    with start(core) as bus:
        for base, name in WINDOWS[core].items():
            regs = registers.load(name)
            before = [bus.read(base + r.address) for r in regs.values()]
            for strobes in (0, 2, 12, 14):
                bus.write(base + regs["COMMAND"].address, 0x01, strobes)
            bus.write(base + regs["FLAGS"].address, 0xFFFFFFFF)
            bus.write(base + regs["IRQ_STATUS"].address, 0xFFFFFFFF)
            assert [bus.read(base + r.address) for r in regs.values()][10:] == before[10:]
            assert bus.read(base + regs["STATUS"].address) == before[list(regs).index("STATUS")]
    with start("gae") as bus:
        regs = registers.load("gae")
        # CLEAR is over in a clock or two; MEASURE waits for its pass.
        bus.write(regs["COMMAND"].address, 0xABCDEF02, 1)
        assert bus.read(regs["STATUS"].address) & 1 and bus.read(regs["FLAGS"].address) == 0


@pytest.mark.parametrize(
    ("strobes", "data", "drawn"),
    [(0, 3, 0), (0b0010, 3, 0), (0b0001, 0x703, 3), (0b1101, 0x703, 3), (0b0010, 0x203, 0x200), (0b1111, 0x203, 0x203)],
)
def test_a_draw_counts_bytes_without_a_strobe_as_zero(strobes, data, drawn):
    regs = registers.load("sumtree")
    with start("sumtree") as bus:
        bus.write(regs["DRAW"].address, data, strobes)
        assert len(bus.transfer({}, {"m_axis_sample": drawn})["m_axis_sample"]) == drawn
        bus.run(50)
        assert bus.read(regs["STATUS"].address) == 0 and bus.read(regs["EMPTY"].address) == drawn
