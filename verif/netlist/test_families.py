"""Families without LUT memory, and those without a board of ours: the cores can be built for them."""

import pytest

from rlcores.eda import configs, sources
from rlcores.eda.synth import families, tables
from rlcores.errors import RunFailed

PRIMS, PERIPHERY = "rlcores:common:prims", "rlcores:periphery:periphery"
QUEUES = [
    (PRIMS, "rlc_fifo", {}),
    (PRIMS, "rlc_fifo", {"STYLE": "auto"}),
    (PRIMS, "rlc_queue", {}),
    (PRIMS, "rlc_fifo_async", {}),
    (PERIPHERY, "rlc_axi_ram", {"DEPTH": 32}),
]
# The queues of `make test`, each in the family that takes less time for it, or has it alone.
QUICK = {(0, "gatemate"), (2, "gatemate"), (3, "ice40"), (4, "gatemate")}
CORES = ["env", "gae", "learner", "policy", "replay_server", "sumtree"]
IMPOSSIBLE = {("gae", "ice40")}  # a stack has two ports that write; a block RAM there has one


@pytest.mark.parametrize(
    ("core", "top", "parameters", "family"),
    [
        pytest.param(*queue, family, marks=[] if (number, family) in QUICK else [pytest.mark.slow])
        for number, queue in enumerate(QUEUES)
        for family in ("ice40", "gatemate", "gowin")
    ],
    ids=str,
)
def test_a_memory_becomes_registers_or_block_ram_where_there_is_no_lut_memory(core, top, parameters, family) -> None:
    counts = families.cells(sources.of_core(core), top, parameters, family)
    assert counts["ff"] + counts["block_ram"] > 10
    assert (counts["lut_ram"] > 0) == families.FAMILIES[family].lut_ram


@pytest.mark.slow
@pytest.mark.parametrize("family", families.FAMILIES)
@pytest.mark.parametrize("core", CORES)
def test_every_core_of_the_table_is_made_for_every_family(core: str, family: str) -> None:
    read, top = sources.of_core(configs.core(core).vlnv), tables.core(core)["top"]
    if (core, family) in IMPOSSIBLE:
        with pytest.raises(RunFailed, match=r"no valid mapping found for memory .*g_stack"):
            families.cells(read, top, configs.load(core, "tiny"), family)
        return
    counts = families.cells(read, top, configs.load(core, "tiny"), family)
    assert counts["ff"] > 500 and counts["lut"] > 500
    assert counts["multiplier"] or family == "generic" or core == "sumtree"
