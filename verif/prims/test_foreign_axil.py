"""The register block and the split with somebody else's bus models on every side."""

import pytest

from rlcores.eda import sim

CHANNELS = ("aw", "w", "b", "ar", "r")


@pytest.mark.parametrize(
    ("simulator", "regs"),
    [
        ("icarus", 11),
        pytest.param("verilator", 11, marks=pytest.mark.slow),
        pytest.param("icarus", 16, marks=pytest.mark.slow),
    ],
)
def test_foreign_masters_and_memories_find_every_byte(simulator: str, regs: int, seed: int) -> None:
    target = "foreign_axil" if simulator == "verilator" else "foreign_axil_icarus"
    run = sim.run("rlcores:common:verif", target, {"REGS": regs}, seed=seed)
    hits = run.coverage
    assert len(run.tests) == 2
    for name in ("writes", "reads"):
        assert hits[f"{name} through the split"] > 100 and hits[f"{name} beyond its windows"] > 20, hits
        assert hits[f"{name} of registers"] > 40, hits
    # Both masters hold up every channel, and are held up; what is behind the split takes and answers late.
    for port, channels in (("s_axil", CHANNELS), ("r_axil", CHANNELS), ("m0_axil", ("aw", "w", "ar"))):
        assert all(hits[f"{port}_{channel} {what}"] > 20 for channel in channels for what in ("moved", "waited")), hits
    assert hits["part of a word"] > 100 and hits["refused"] > 30 and hits["write and read offered together"] > 100
    assert hits["resets"] == 15 and hits["resets in traffic"] > 8 and hits["writes cut off"] > 25
