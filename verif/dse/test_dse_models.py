"""The resource models against what yosys counted, and the pieces that they are made of."""

import json

import numpy as np
import pytest

from rlcores.buses.dram import Dram
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.sumtree import shape as tree_shape
from rlcores.eda import configs, slang, sources
from rlcores.eda.synth import tables
from rlcores.errors import UserError
from rlcores_lab.area import gae as gae_area
from rlcores_lab.area import learner as learner_area
from rlcores_lab.area import ppo as ppo_area
from rlcores_lab.area import replay_banks as server_banks_area
from rlcores_lab.area import replay_learner as replay_area
from rlcores_lab.area import replay_server as server_area
from rlcores_lab.area import serial as serial_area
from rlcores_lab.area import sumtree as tree_area
from rlcores_lab.area import sumtree_banks as banks_area
from rlcores_lab.area import sumtree_maths as maths_area
from rlcores_lab.area.estimate import fit, measure, memory, modules
from rlcores_lab.area.estimate.part import Part
from rlcores_lab.bench import agent_loop, system
from rlcores_lab.cycles import agent as agent_cycles
from rlcores_lab.cycles import learner as learner_cycles
from rlcores_lab.cycles import replay_learner as loop_cycles
from rlcores_lab.dse import check, clocks

WITHIN = 0.10
MODULES = {
    m.name: m
    for library in (
        banks_area,
        gae_area,
        maths_area,
        server_area,
        server_banks_area,
        ppo_area,
        replay_area,
        serial_area,
        tree_area,
    )
    for m in vars(library).values()
    if isinstance(m, modules.Module)
} | learner_area.MODULES
MEASURED = [m for m in measure.table() if m.module in MODULES]
ROWS = [(core, config) for core in configs.cores() for config in configs.names(core)]


# Yosys' counts of a learner's units are of the RTL before biases went to the head of a cascade. What is counted with
# the present units does not fit beside them, until all are counted again.
UNMEASURED = {(core, config) for core in ("learners", "learners_ppo") for config in configs.names(core)}
# These are new, and were not synthesised: figures of theirs are the model's alone.
UNMEASURED |= {("tensor", config) for config in ("ecp5", "u200", "zcu106")}


@pytest.fixture(scope="module")
def rows() -> dict[tuple[str, str], check.Row]:
    """All rows of the check."""
    return {(row.core, row.config): row for row in check.rows()}


def test_the_table_holds_units_and_whole_cores() -> None:
    assert len(MEASURED) >= 100
    assert {m.module for m in MEASURED} >= set(learner_area.MODULES)
    wholes = {m.core for m in measure.table() if not m.module}
    assert wholes >= {"gae", "sumtree", "learner", "replay_learner", "heppo", "serial", "ppo", "ppo_env"}


def test_every_module_is_within_its_count() -> None:
    """Registers within 10 %; LUTs, where neighbours make good for each other, within 25 % or a few."""
    wrong = []
    for measurement in MEASURED:
        model = MODULES[measurement.module](measurement.parameters)
        for resource in ("lut", "ff"):
            said, counted = getattr(model, resource), measurement.counts[resource]
            if abs(said - counted) > max({"lut": 0.25, "ff": WITHIN}[resource] * counted, 25):
                wrong.append((measurement.module, measurement.config, resource, round(said), counted))
        if measurement.module not in learner_area.MODULES:  # of a learner's units the shape counts DSP slices
            assert model.dsp == measurement.counts["dsp"], measurement.module
        assert (model.bram36, model.uram) == (measurement.counts["bram36"], measurement.counts["uram"]), (
            measurement.module
        )
    assert not wrong


def test_every_whole_core_is_within_its_count(rows) -> None:
    for row in rows.values():
        if (row.core, row.config) in UNMEASURED:
            assert row.measured is None, f"{row.core} {row.config}: counted now, so it is no exception any more"
            continue
        assert row.measured is not None, f"{row.core} {row.config}: not counted; rlcores_lab.area.estimate.measure"
        for resource in ("lut", "ff"):
            assert abs(row.error(resource)) <= WITHIN, (row.core, row.config, resource)
        # What is counted from the parameters is exact.
        for resource in ("dsp", "bram36", "uram"):
            assert row.model[resource] == row.measured[resource], (row.core, row.config, resource)


def test_registers_of_the_sum_tree_and_the_gae_core_are_counted_not_fitted() -> None:
    """Each of them with every measurement of its configuration left out."""
    for core, config in (("sumtree", "small"), ("sumtree", "binary"), ("gae", "tiny")):
        measurement = check.measured(core, config)
        with measure.without(core, config):
            total = {"sumtree": tree_area.total, "gae": gae_area.total}[core](measurement.parameters)
        assert total["ff"] == pytest.approx(measurement.counts["ff"], rel=0.02)


@pytest.mark.parametrize(
    "name",
    ["rlc_sumtree_tree", "rlc_sumtree_pick", "rlc_sumtree_sums", "rlc_gae_row", "rlc_gae_bank", "rlc_gae_xbar"],
)
def test_registers_that_the_verilog_names_are_all_there(name) -> None:
    # Where the modules inside were dissolved, yosys has merged registers that are equal.
    measurements = [m for m in MEASURED if m.module == name and "kept" not in tables.core(m.core)]
    assert len(measurements) >= 3
    for m in measurements:
        assert abs(MODULES[name](m.parameters).ff - m.counts["ff"]) <= 3, (m.config, m.parameters)


@pytest.mark.parametrize("config", ["u200", "zcu106"])
def test_a_large_learner_follows_from_the_others(config) -> None:
    measurement = check.measured("learner", config)
    with measure.without("learner", config):
        model = learner_area.total(measurement.parameters)
    for resource in ("lut", "ff"):
        assert abs(model[resource] / measurement.counts[resource] - 1) <= WITHIN, resource
    assert model["dsp"] == measurement.counts["dsp"] and model["bram36"] == measurement.counts["bram36"]


def test_what_is_left_out_is_not_seen() -> None:
    seen = measure.table()
    with measure.without("learner", "u200"):
        assert ("learner", "u200") not in {(m.core, m.config) for m in measure.table()}
        assert measure.left_out() == ("learner", "u200")
    assert measure.table() == seen and measure.left_out() is None


def test_an_update_unit_is_as_documented() -> None:
    """docs/learner_update.md, "Cost": 8 lanes of Adam, a layer of 64 x 64 in 520 groups."""
    sizes = {"JB": 8, "IB": 1, "WORDS_J": 8, "LANES_J": 8, "WORDS_I": 8, "LANES_I": 8}
    model = learner_area.module("rlc_learner_update", sizes | {"OPTIMISER": 2, "ROUND": 0, "POLYAK": 0})
    assert model["bram36"] == 30.5
    assert model["lut"] == pytest.approx(12736, rel=WITHIN) and model["ff"] == pytest.approx(14428, rel=WITHIN)


@pytest.mark.parametrize("config", configs.names("learner"))
def test_units_have_the_shapes_dsp_slices(config) -> None:
    parameters = configs.load("learner", config)
    shape = LearnerShape.of(parameters)
    parts = learner_area.parts(parameters)
    assert sum(part["dsp"] for part in parts.values()) == shape.dsp_count
    assert {name for name in parts if name[:2] in ("FW", "TF", "BW", "WA")} == set(shape.macs)


@pytest.mark.parametrize(("config", "clocks"), [("u200", 52), ("small", 39)])
def test_the_latency_of_a_sample_is_the_one_counted_in_the_rtl(config, clocks) -> None:
    assert tree_shape.latency(configs.load("sumtree", config)) == clocks


def test_levels_of_mixed_radices() -> None:
    parameters = configs.load("sumtree", "mixed")
    levels = tree_shape.places(parameters)
    assert [1 << p.bits for p in levels] == [32, 16, 8]
    assert [p.width for p in levels] == [18, 23, 27]
    assert [p.read for p in levels] == [4, 2, 0]


@pytest.mark.parametrize(
    ("width", "depth", "blocks"),
    [(36, 512, 0.5), (37, 512, 1), (18, 1024, 0.5), (72, 512, 1), (27, 32, 0), (22, 65536, 44)],
)
def test_memories_that_yosys_chooses(width, depth, blocks) -> None:
    assert memory.auto(width, depth).bram36 == blocks


def test_lanes_that_are_written_apart_take_whole_bytes() -> None:
    # 15 lanes of 22 bits are 45 bytes: more than 330 bits take.
    assert memory.lanes(2, 15, 22, 4096).bram36 == 45
    assert memory.block(330, 4096).bram36 == 37
    assert memory.lanes(3, 16, 18, 65536).uram == 64


def test_coefficients_are_found_again_and_never_negative(seed) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(1, 2, (12, 3))
    wanted = np.array([3.0, 0.0, 5.0])
    assert fit.nonnegative(matrix, matrix @ wanted) == pytest.approx(wanted, abs=0.05)
    fitted = fit.nonnegative(matrix, matrix @ np.array([3.0, -2.0, 5.0]))
    assert (fitted >= 0).all() and fitted[1] == 0


def test_the_check_has_a_row_a_configuration(rows) -> None:
    assert list(rows) == ROWS and len(ROWS) >= 43
    assert {core for core, _ in ROWS} >= {"sumtree_banks", "replay_learner", "heppo", "serial"}
    assert rows["learner", "u200"].clocks[0].model == 763 and rows["gae", "paper64"].clocks[0].model == 1054
    assert [c.what for c in rows["serial", "tiny"].clocks] == ["array", "sample"]
    assert rows["gae", "tiny"].error("uram") is None


# Several cores of 64-64 side by side, whose simulation takes hours to build: their clocks are those of one, which are
# counted, and of averages, which are counted with smaller networks.
UNCOUNTED = {("learners", "zcu106"), ("learners", "u200"), ("learners_ppo", "zcu106")}
# A step of SAC at u200's size was counted with other depths of its memories: 149,987 clocks (docs/tensor.md).
UNCOUNTED |= {("tensor", "u200")}


def test_the_clocks_of_every_configuration_were_counted_and_are_within_the_bound(rows) -> None:
    for row in rows.values():
        for c in row.clocks:
            if (row.core, row.config) in UNCOUNTED:
                assert c.error is None, f"{row.core} {row.config}: counted now, so it is no exception any more"
                continue
            assert c.error is not None, f"{row.core} {row.config}: {c.what} not counted; rlcores dse --check --rtl"
            assert abs(c.error) <= check.CLOCKS_WITHIN, (row.core, row.config, c.what, c.model, c.counted)
            # A learner by itself, an array, a policy and a tree wait for no DRAM: there the model is exact.
            if row.core in ("learner", "gae", "heppo", "policy", "sumtree", "env") or c.what == "sample":
                assert c.error == 0, (row.core, row.config)
    assert {key for key in rows if not rows[key].clocks} == set()


def test_every_entry_of_the_table_is_the_count_of_a_configuration(rows) -> None:
    entries = [(e["core"], e["config"], e["what"]) for e in clocks.read()]
    counted = {(*key, c.what) for key, row in rows.items() for c in row.clocks if c.counted is not None}
    assert len(entries) == len(set(entries)) and set(entries) == counted


# Modules whose clocks are counted by themselves, for the cores that have them inside.
INSIDE = [
    ("heppo", "rlc_gae", "gae"),
    ("serial", "rlc_gae", "gae"),
    ("serial", "rlc_sumtree", "sumtree"),
    ("replay_server", "rlc_sumtree", "sumtree"),
    ("replay_banks", "rlc_sumtree", "sumtree"),
    ("net_learner", "rlc_replay_learner", "replay_learner"),
]


@pytest.mark.parametrize(("core", "module", "inner"), INSIDE)
def test_what_is_counted_by_itself_has_the_parameters_that_it_has_inside(core: str, module: str, inner: str) -> None:
    parameters = configs.load(core, "tiny")
    wanted = {name: str(parameters[name]) for name in configs.load(inner, "tiny")}
    design = sources.of_core(configs.core(core).vlnv).design(tables.core(core)["top"], parameters)
    instances = slang.instances(design, module)
    assert len(instances) == parameters.get("BANKS", 1)
    assert all({name: one[name] for name in wanted} == wanted for one in instances)


# Clocks of a training block of an agent and tiny networks, by (rounds, gradient steps) and latency of the memory.
BLOCKS = {
    "tiny": {
        (1, 1): {1: 333, 3: 345, 30: 507, 60: 687},
        (1, 4): {1: 830, 3: 852, 30: 1176, 60: 1683},
        (2, 4): {1: 923, 30: 1298, 60: 1835},
        (4, 4): {1: 1181, 30: 1643, 60: 2270},
    },
    "ddpg_tiny": {(1, 1): {30: 411, 60: 561}, (1, 4): {30: 1233, 60: 1581}},
}
AGENT_CASES = [(config, plan) for config, plans in BLOCKS.items() for plan in plans]


@pytest.mark.parametrize(("config", "plan"), AGENT_CASES)
def test_an_agents_training_block_waits_for_its_experiences_by_clocks_that_are_known(config: str, plan) -> None:
    parameters = configs.load("agent", config)
    for latency, clock in BLOCKS[config][plan].items():
        dram = Dram(latency=latency, refresh_every=0)
        said = plan[1] * agent_cycles.period(parameters, 16, *plan, dram, agent_loop.FILLED)
        assert clock - 1 <= said <= clock, (latency, said)


@pytest.mark.slow
@pytest.mark.parametrize("config", BLOCKS)
def test_an_agents_training_block_takes_the_same_clocks_in_the_rtl(config: str) -> None:
    parameters = configs.load("agent", config)
    for latency in (30, 60):
        dram = Dram(latency=latency, refresh_every=0)
        measured = agent_loop.measure(parameters, 1, alone=1.0, schedules=tuple(BLOCKS[config]), dram=dram)
        for plan, window in zip(BLOCKS[config], measured.windows, strict=True):
            assert plan[1] * window.period == BLOCKS[config][plan][latency], (plan, latency)


def test_a_row_without_a_count_or_beyond_a_bound_is_not_proved() -> None:
    counts = dict.fromkeys(("lut", "ff", "dsp", "bram36", "uram"), 100.0)
    good = check.Row("gae", "x", counts, counts, None, (clocks.Count("array", 104, 100),))
    assert not good.faults
    rows = {
        ("not synthesised",): check.Row("gae", "x", counts, None, None, good.clocks),
        ("lut",): check.Row("gae", "x", counts | {"lut": 111.0}, counts, None, good.clocks),
        ("uram",): check.Row("gae", "x", counts, counts | {"uram": 0.0}, None, good.clocks),
        ("array",): check.Row("gae", "x", counts, counts, None, (clocks.Count("array", 94, 100),)),
        ("array not counted",): check.Row("gae", "x", counts, counts, None, (clocks.Count("array", 94),)),
    }
    for faults, row in rows.items():
        assert tuple(row.faults) == faults
    worst = check.worst([good, rows["lut",]])
    assert worst["lut"] == pytest.approx(0.11) and worst["clocks"] == pytest.approx(0.04) and worst["ff"] == 0


def test_a_count_of_other_parameters_is_no_count(monkeypatch, tmp_path) -> None:
    entry = {"core": "gae", "config": "tiny", "what": "array", "clocks": 60, "parameters": configs.load("gae", "tiny")}
    monkeypatch.setattr(clocks, "TABLE", tmp_path / "clocks.json")
    (tmp_path / "clocks.json").write_text(json.dumps([entry]))
    assert clocks.counts("gae", "tiny")[0].counted == 60
    entry["parameters"] = entry["parameters"] | {"DEPTH": 32}
    (tmp_path / "clocks.json").write_text(json.dumps([entry]))
    assert clocks.counts("gae", "tiny")[0].counted is None
    (tmp_path / "clocks.json").write_text("[")
    with pytest.raises(UserError, match=r"clocks\.json' is not a table"):
        clocks.counts("gae", "tiny")


# Clocks of a step, by latency: a word a beat, four, half a word, four; each waits for another piece of the way.
SLOW_MEMORY = {
    ("tiny", 64): {3: 144, 25: 188, 60: 316},
    ("ddpg_tiny", 256): {3: 186, 25: 320, 60: 600},
    ("tiny", 32): {3: 176, 25: 213, 60: 348},
    ("tiny", 256): {3: 140, 25: 176, 60: 292},
}


@pytest.mark.parametrize(("config", "width"), SLOW_MEMORY)
def test_a_slow_memory_makes_steps_longer_by_clocks_that_are_known(config: str, width: int) -> None:
    parameters = configs.load("replay_learner", config) | {"DATA_WIDTH": width}
    for latency, clock in SLOW_MEMORY[config, width].items():
        assert loop_cycles.period(parameters, 16, Dram(latency=latency, refresh_every=0)) == clock


@pytest.mark.parametrize(
    ("config", "width"),
    [pytest.param(*case, marks=pytest.mark.slow if case != ("tiny", 64) else []) for case in SLOW_MEMORY],
)
def test_a_slow_memory_makes_steps_of_the_rtl_longer_by_the_same(config: str, width: int) -> None:
    parameters = configs.load("replay_learner", config) | {"DATA_WIDTH": width}
    for latency, clock in SLOW_MEMORY[config, width].items():
        dram = Dram(latency=latency, refresh_every=0)
        measured = system.measure(parameters, 1, (16,), ahead=(1,), dram=dram, steps=20)
        # Of 20 steps, the window cuts off a few clocks at its ends.
        assert measured.of(16, 1).period == pytest.approx(clock, rel=0.002)


def test_refreshes_make_steps_longer() -> None:
    parameters = configs.load("replay_learner", "tiny")
    assert loop_cycles.period(parameters, 16) == pytest.approx(206.67, rel=0.005)  # counted in the RTL
    assert loop_cycles.period(parameters, 16, Dram(refresh_every=0)) == 198


def test_reads_in_time_leave_the_learner_its_clocks() -> None:
    parameters = configs.load("replay_learner", "tiny") | {"READS": 32}
    assert loop_cycles.period(parameters, 16) == learner_cycles.cycles(parameters, 16).period
    assert loop_cycles.beats(parameters) == 4


def test_pieces_add_up() -> None:
    assert Part(1, 2, 3, 4, 5) * 2 + Part(lut=1) == Part(3, 4, 6, 8, 10)


def test_a_damaged_table_says_so(monkeypatch, tmp_path) -> None:
    (tmp_path / "measurements.json").write_text("[{")
    monkeypatch.setattr(measure, "TABLE", tmp_path / "measurements.json")
    with pytest.raises(UserError, match=r"measurements\.json' is not a table"):
        measure._table.__wrapped__(None)


def test_a_new_measurement_takes_the_place_of_the_old_one(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(measure, "TABLE", tmp_path / "measurements.json")
    counts = dict.fromkeys(("lut", "ff", "dsp", "bram36", "uram"), 1.0)
    one = measure.Measurement("gae", "rlc_gae_row", "tiny", {"ROWS": 1}, counts)
    measure.store([one, measure.Measurement("gae", "rlc_gae_row", "tiny", {"ROWS": 2}, counts)])
    measure.store([measure.Measurement("gae", "rlc_gae_row", "wide", {"ROWS": 1}, counts | {"lut": 2.0})])
    entries = json.loads((tmp_path / "measurements.json").read_text())
    measure._table.cache_clear()
    assert sorted((e["parameters"]["ROWS"], e["counts"]["lut"]) for e in entries) == [(1, 2.0), (2, 1.0)]
