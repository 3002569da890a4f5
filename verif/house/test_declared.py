"""Declarations: what is written from them is up to date, and the RTL has the same parameters and limits."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from rlcores.base import files, paths, tools
from rlcores.buses import designs
from rlcores.cores.learner.optimisers import OPTIMISERS
from rlcores.eda import configs, declared, headers, slang, sources
from rlcores.eda.synth import tables
from rlcores.errors import RunFailed, UserError
from rlcores_lab.writers import cells, includes, instances, lists, parts


def test_every_file_is_as_the_declarations_say():
    outputs = parts.outputs()
    assert {path.stem for path in outputs} >= {*declared.cores(), "board", "heppo_ooc"}
    for path, text in outputs.items():
        assert (paths.root() / path).read_text() == text, f"{path} is out of date: run `rlcores generate`"


def test_every_cell_of_a_block_design_is_as_its_declaration_says():
    written = cells.outputs()
    assert {path.stem for path in written} == {f"rlc_{core}_{board}" for core, board in designs.projects()}
    for path, text in written.items():
        assert (paths.root() / path).read_text() == text, f"{path} is out of date: run `rlcores generate`"


def test_every_list_of_files_is_that_of_the_core():
    for path, text in lists.outputs().items():
        assert (paths.root() / path).read_text() == text, f"{path} is out of date: run `rlcores generate`"


@pytest.mark.parametrize("tool", ["verilator", "icarus"])
def test_a_list_of_files_is_all_that_a_tool_needs(tool: str, tmp_path):
    words = {
        "verilator": ["verilator", "--lint-only", "-Wno-lint", "--top-module", "rlc_sumtree_axi"],
        "icarus": ["iverilog", "-g2005", "-tnull", "-s", "rlc_sumtree_axi"],
    }[tool]
    if not tools.have(words[0]):
        pytest.skip(f"{words[0]} is not here")
    done = subprocess.run(
        [*words, "-f", "rtl/sumtree/gen/sumtree.f"], cwd=paths.root(), env=tools.env(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_every_core_file_has_a_licence_and_a_semantic_version():
    folders = ("rtl", "cores", "constraints", "verif", "examples")
    cores = [file for folder in folders for file in (paths.root() / folder).rglob("*.core")]
    assert len(cores) > 100
    for file in cores:
        text = file.read_text()
        assert re.search(r"^license: Apache-2\.0$", text, re.M), f"{file} has no line `license: Apache-2.0`"
        assert re.search(r"^name: \w+:\w*:\w+:\d+\.\d+\.\d+$", text, re.M), f"{file} has no version in its name"


def test_every_core_with_configurations_is_declared():
    assert set(declared.cores()) == {name for name in configs.cores() if configs.names(name)}


@pytest.mark.parametrize("core", declared.cores())
def test_the_top_has_every_parameter_and_a_legal_default(core: str):
    read = sources.of_core(configs.core(core).vlnv)
    defaults, own = headers.read(read.design(read.tops[0])).parameters, declared.defaults(core)
    for name, parameter in declared.of(core).items():
        assert defaults[name].strip('"') == str(own.get(name, parameter.default)), name
        if name not in own:
            assert parameter.allows(parameter.default), name


def test_what_modules_include_is_as_the_declarations_say():
    written = includes.outputs()
    assert len(written) >= 2
    for path, text in written.items():
        assert (paths.root() / path).read_text() == text, f"{path} is out of date: run `rlcores generate`"


def test_a_header_has_own_parameters_first_and_what_is_derived_last():
    header = includes.parameters("sumtree_banks")
    lines = re.findall(r"^parameter +(?:\[[\d:]+\] )?(\w+) += (.+?),? +// ", header, re.MULTILINE)
    names = [name for name, _ in lines]
    assert names[0] == "BANKS" and names.index("LEAVES_LOG2") < names.index("CAPACITY") < names.index("BANK_BITS")
    assert dict(lines)["CAPACITY"] == "BANKS << LEAVES_LOG2" and dict(lines)["INDEX_WIDTH"] == "LEAVES_LOG2 + BANK_BITS"
    assert set(re.findall(r"\.(\w+)\(", includes.passed("sumtree_banks"))) == set(declared.all_of("sumtree_banks"))


def test_a_parameter_of_two_cores_takes_what_both_take():
    env, ppo, both = (declared.of(core)["N_ENVS"] for core in ("env", "ppo", "ppo_env"))
    assert (env.most, ppo.most) == (4096, 1024)
    assert (both.least, both.most, both.default) == (1, 1024, env.default)


# What hangs on a neighbour: a capacity on the leaves, the WRITES of a replay learner on the generations, a product.
ELSEWHERE = {"CAPACITY", "GENERATION_WIDTH"}
ELSEWHERE |= {f"BETA{n}_{part}" for n in (1, 2) for part in ("NUM", "SHIFT")}
FIXED = {("replay_server", "DRAW_WIDTH"), ("replay_banks", "DRAW_WIDTH")}  # the protocol's draws have 32 bits


@pytest.mark.slow
@pytest.mark.parametrize("core", declared.cores())
def test_the_rtl_has_the_same_limits(core: str):
    read, config = sources.of_core(configs.core(core).vlnv), configs.load(core, configs.names(core)[0])

    def said(name: str, value: int) -> str:
        try:
            slang.check(read.design(read.tops[0], config | {name: value}))
        except UserError as error:
            return str(error)
        return ""

    for name, parameter in declared.of(core).items():
        if name in ELSEWHERE or (core, name) in FIXED:
            continue
        for limit, step in ((parameter.least, -1), (parameter.most, 1)):
            if limit is None:
                continue
            assert parameter.allows(limit) and not parameter.allows(limit + step)
            beyond = said(name, limit + step)
            assert name in beyond, (name, limit + step)
            # At the limit only a neighbour may object, such as a capacity that wants more leaves.
            assert said(name, limit) != beyond or f": {name} " not in beyond, (name, limit)


def test_every_optimiser_has_its_number_in_models_and_declaration() -> None:
    assert declared.of("learner")["OPTIMISER"].choice == OPTIMISERS


@pytest.mark.parametrize(
    ("core", "wrong", "sentence"),
    [
        ("gae", {"row": 4}, "core 'gae' has no parameter 'row'; parameters: rows, lanes,"),
        ("gae", {"lookahead": 5}, "lookahead is 5; it must be 1 to 4"),
        ("gae", {"rows": True}, "rows is True; it must be at least 1"),
        ("heppo", {"qbits": 17}, "qbits is 17; it must be 3 to 16"),
        ("heppo", {"fifo": 48}, "fifo is 48; it must be a power of two, 4 to 1024"),
        (
            "sumtree",
            {"radix": [8, 1, 128]},
            "radix is [8, 1, 128]; it must be a power of two, 2 to 64, or",
        ),
        ("sumtree", {"leaves": 0}, "leaves is 0; it must be a power of two, 2 to 16777216"),
        ("sumtree", {"radix": 4096}, "radix is 4096; it must be a power of two, 2 to 64, or"),
        ("sumtree", {"shared": 2}, "shared is 2; it must be false or true"),
        (
            "sumtree",
            {"wide_memory": ["block", "dram"]},
            "wide_memory is ['block', 'dram']; it must be auto,",
        ),
        ("sumtree_banks", {"banks": 3}, "banks is 3; it must be 1, 2, 4, 8 or 16"),
        (
            "learner",
            {"sizes": "4-8-2"},
            "sizes is 4-8-2; it must be a list of numbers of 1 to 1024, one per layer; of several",
        ),
        ("learner", {"optimiser": "adamax"}, "optimiser is adamax; it must be sgd, momentum, adam or adamw"),
        ("replay_learner", {"reads": 3}, "reads is 3; it must be 2, 4, 8"),
    ],
)
def test_a_wrong_configuration_is_one_sentence_before_any_tool(core, wrong, sentence, monkeypatch):
    whole = files.read_yaml(paths.root() / "configs.yaml", "a list of configurations")
    name = configs.names(core)[0]
    whole[core][name]["parameters"] = {**whole[core][name]["parameters"], **wrong}
    monkeypatch.setattr(configs, "_entries", lambda: whole)
    with pytest.raises(UserError) as caught:
        configs.load(core, name)
    said = str(caught.value)
    assert said.startswith(f"configs.yaml, {core} {name}: {sentence}") and "\n" not in said


@pytest.mark.parametrize("core", declared.cores())
def test_what_people_write_and_what_verilog_needs_say_the_same(core: str):
    for name in configs.names(core):
        parameters = configs.load(core, name)
        assert declared.encoded(core, declared.decoded(core, parameters), name) == parameters


def test_encodings():
    encoded = declared.encoded("sumtree", {"leaves": 4096, "radix": [8, 16, 32], "wide_memory": ["block", "ultra"]}, "")
    assert encoded == {"LEAVES_LOG2": 12, "RADIX_LOG2": 345, "WIDE_STYLE": 23}
    learner = {"sizes": [4, 64, 64, 2], "optimiser": "adam", "polyak": True}
    assert declared.encoded("learner", learner, "") == {"SIZES": "4-64-64-2", "OPTIMISER": 2, "POLYAK": 1}


def network(sizes: list[int], **other: list[int]) -> dict[str, list[int]]:
    """A network of a configuration, everything of a layer 1."""
    ones = [1] * (len(sizes) - 1)
    return (
        {"sizes": sizes, "lanes": [1, *ones]}
        | dict.fromkeys(("forward", "backward", "update_rows", "update_cols"), ones)
        | other
    )


def test_networks_are_a_list_of_entries_and_a_parameter_has_a_list_of_each():
    values = {"networks": [network([3, 4, 1]), network([2, 3], forward=[2])], "dp": 2}
    encoded = declared.encoded("learner", values, "")
    assert encoded["SIZES"] == "3-4-1:2-3" and encoded["FORWARD"] == "1-1:2" and encoded["DP"] == 2
    assert declared.decoded("learner", encoded)["sizes"] == [[3, 4, 1], [2, 3]]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"networks": {}}, "x: networks is {}; it must be a list, each entry with sizes, lanes, forward"),
        ({"networks": [{"sizes": [3, 1]}]}, "it must be a list, each entry with sizes, lanes, forward"),
        ({"networks": [network([3, 1])], "lanes": [1, 1]}, "x: lanes is given beside networks"),
        ({"sizes": [[3, 1], []]}, "x: sizes is "),
        (
            {"actor_sizes": [3, 1]},
            "x: core 'learner' has no parameter 'actor_sizes': sizes has a list for each network",
        ),
    ],
)
def test_networks_that_are_none_are_refused_in_one_sentence(values: dict, said: str):
    with pytest.raises(UserError, match=re.escape(said)):
        declared.encoded("learner", values, "x")


def test_the_earlier_name_of_a_parameter_of_the_actor_says_where_it_is_now():
    said = "no Verilog parameter 'ACTOR_LANES': LANES has a list for each network, the actor's behind the ':'"
    with pytest.raises(UserError, match=re.escape(said)):
        declared.completed("learner", {"ACTOR_LANES": "1-1"})


NEW = """
parameters:
  WIDTH: {least: 1, doc: bits}
instance: {top: rlc_new, page: new.md}
bench: gae
clocks: [array]
small: [tiny]
area: gae
synth: {top: rlc_new, placed: rlc_new}
"""


def test_the_lines_of_a_declaration_are_all_that_the_commands_need(tmp_path, monkeypatch):
    from rlcores_lab.area import gae as area
    from rlcores_lab.dse import check, clocks

    own = declared._files()
    monkeypatch.setattr(declared, "_files", lambda: own | {"new": tmp_path / "new.yaml"})
    (tmp_path / "new.yaml").write_text(NEW)
    assert tables.core("new") == {"top": "rlc_new", "placed": "rlc_new"} and "new" in tables.cores()
    assert tables.paper("new") is None
    assert instances.tops()["new"] == ("rlc_new", "new.md")
    assert check._total("new") is area.total and [way.what for way in clocks._ways("new")] == ["array"]
    assert "new" in declared.having("bench") and declared.fact("new", "small") == ["tiny"]
    declared._read.cache_clear()
    (tmp_path / "new.yaml").write_text(NEW.replace("bench:", "banch:"))
    with pytest.raises(UserError, match=r"new.yaml' is not a declaration of a core: nobody reads its 'banch'"):
        declared.fact("new", "bench")


@pytest.mark.parametrize("core", declared.cores())
def test_every_core_is_synthesised_counted_and_modelled(core: str):
    from rlcores_lab.dse import check, clocks

    assert core in tables.cores() and clocks._ways(core) and callable(check._total(core))


def test_results_and_the_ten_figures_are_those_in_force():
    from rlcores_lab import results

    written = results.outputs()
    assert set(map(str, written)) == {"docs/results.md", "docs/native.svg"}
    for path, text in written.items():
        assert (paths.root() / path).read_text() == text, f"{path} is out of date: run `rlcores generate`"
    assert "{" not in written[results.PAGE]
    readme = parts.outputs()[Path("README.md")]
    assert " | 1,054 clocks" in readme and readme == (paths.root() / "README.md").read_text(), "run `rlcores generate`"


def test_figures_are_filled_in_at_the_boards_clock(tmp_path):
    from rlcores_lab import results
    from rlcores_lab.qor.baseline import Baseline

    entry = {
        "date": "2026-01-01",
        "commit": "abc",
        "tools": {},
        "figures": {"gae.tiny.clocks": 400, "gae.tiny.lut": 23040},
    }
    (tmp_path / "b.json").write_text(json.dumps({"accepted": [entry]}))
    baseline = Baseline(tmp_path / "b.json")
    text = "{gae.tiny.lut} {gae.tiny.lut%zcu106} {clock zcu106} {us zcu106 gae.tiny.clocks} {ns ulx3s 6 /2} "
    text += "{ratio zcu106 gae.tiny.clocks 10} {commits}\n{commits}"
    filled = results.filled(text, baseline)
    assert filled == "23,040 10 % 200 MHz (ZCU106) 2 µs 50 ns 5 abc\n"
    # What commands measured, a row of an array, the loop's share of its learner, and seeds of the learning study.
    text = "{sumtree.banks8.updates_per_cycle:.1f} {row gae.paper64.dsp} {share u200} {seeds lunarlander}"
    assert results.filled(text, baseline) == "7.7 4 100.0 % 5 of 5"
    with pytest.raises(RunFailed, match=r"has a figure 'gae\.none\.lut'"):
        results.filled("{gae.none.lut}", baseline)
