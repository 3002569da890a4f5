"""What the RTL has once, and forms of names that neither it nor the Python package has."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rlcores.base import paths


def code(file: Path) -> str:
    """A file without its comments and texts."""
    lines = (line.split("//")[0] for line in file.read_text().splitlines())
    return re.sub(r'"[^"]*"', '""', "\n".join(lines))


@pytest.fixture(scope="module")
def rtl() -> dict[str, str]:
    """The code of every file of rtl/, by its path there."""
    root = paths.root() / "rtl"
    files = {
        str(f.relative_to(root)): code(f) for f in sorted(root.rglob("rlc_*.*")) if f.suffix in (".v", ".sv", ".vh")
    }
    assert len(files) > 300
    return files


def having(rtl: dict[str, str], pattern: str) -> dict[str, list[str]]:
    """What a pattern finds in each file that has it."""
    return {name: matches for name, text in rtl.items() if (matches := re.findall(pattern, text))}


def test_the_number_of_an_optimiser_is_compared_in_one_file(rtl) -> None:
    compared = having(rtl, r"\bOPTIMISER\s*(?:[=!<>]=|[<>?])|(?:[=!<>]=|[<>])\s*OPTIMISER\b|case\s*\(\s*OPTIMISER")
    # The other two are written: the check of its range, and its bits in a register.
    assert set(compared) == {
        "nn/gen/rlc_nn_state.vh",
        "learner/gen/rlc_learner_parameters.vh",
        "learner/gen/rlc_learner_regs.v",
    }


# One product a lane beside the array: of an element, a group of weights, a column or an action.
OF_AN_ELEMENT = {
    "nn": {"weight", "sgd_lane", "momentum_lane", "adam_lane", "rsqrt", "elu"},
    "learner": {"gradient"},
    "rl": {
        *("gaussian", "quantile", "fall", "log_std", "tanh", "tanh_backward"),
        *("td_error", "info", "ratio", "clip_categorical", "clip_gaussian", "value_loss"),
    },
}


def test_a_network_has_one_array_of_multiply_adds(rtl) -> None:
    """rlc_nn_cascade: forward, backward, acting, weights' gradients and the trainer's products. A deployed network has
    rlc_mlp_products, whose products are of other widths and may be two in a DSP."""
    multiply = having(rtl, r"\brlc_mac\s*#")
    for folder, elements in OF_AN_ELEMENT.items():
        mine = {name.split("/")[1] for name in multiply if name.startswith(f"{folder}/")}
        array = {"rlc_nn_cascade.v"} if folder == "nn" else set()
        assert mine == {f"rlc_{folder}_{name}.v" for name in elements} | array
    users = {"nn/rlc_nn_cascade.v", "nn/rlc_nn_matvec.v", "nn/rlc_nn_weight_grad.v", "tensor/rlc_tensor_array.v"}
    assert set(having(rtl, r"\brlc_nn_cascade\s*#")) == users
    assert len(having(rtl, r"\brlc_nn_matvec\s*#")) >= 3


# Settings that an instance does not have, at 0: what it is without them, and why they are ports there all the same.
AT_ZERO = {
    "replay_server/rlc_replay_server_draws.v": {"cfg_restart"},  # a batch of a server starts anew with the next one
    "replay_server/rlc_replay_server_tree.sv": {"cfg_restart"},
    "replay_server/rlc_replay_server_ram.sv": {"cfg_base"},  # its memory begins at 0
    # The learner sends priorities, not TD errors.
    "net_learner/rlc_net_learner.sv": {"cfg_alpha", "cfg_bank", "cfg_epsilon", "cfg_scale"},
    "nn/rlc_nn_backward.v": {"cfg_bias_shift"},  # a backward product has no bias
    "ppo/rlc_ppo_act.v": {"cfg_epsilon", "cfg_squash"},  # PPO's heads draw from the policy alone
    "rl/rlc_rl_clip_gaussian.v": {"cfg_squashed"},
    "ppo/rlc_ppo_log_std.v": {"seed_load"},  # no dither
    "ppo/rlc_ppo_networks.sv": {"cfg_sync_interval", "cfg_tau", "cfg_seed", "seed_load"},  # no target, no dither
}


def test_no_other_setting_is_tied_to_zero(rtl) -> None:
    tied = having(rtl, r"\.(cfg_\w+|seed_load)\s*\(\s*(?:\{[^{}()]*\{)?\d*'s?[bdh]0+\s*\}?\}?\s*\)")
    assert {name: set(settings) for name, settings in tied.items()} == AT_ZERO


def test_no_port_parameter_or_register_is_of_one_network_by_name(rtl) -> None:
    """Networks are a list: cfg_fracs has a slice of each, a map has NET0, NET1; a third needs no family of names."""
    named = r"(?:ACTOR|CRITIC)_[A-Z]\w*"
    maps = {f.name: f.read_text() for f in (paths.root() / "rtl").rglob("*.rdl*")}
    assert len(maps) >= 12 and not having(maps, rf"\b{named}")
    assert not having(rtl, rf"\b(?:cfg|host)_(?:actor|critic)\w*|\bparameter\s+{named}|`RLC_\w*_{named}_SETTINGS\b")


def test_a_name_ends_with_no_underscore_and_a_stage_is_sN(rtl) -> None:
    """x_q is a register, x_sk a value at stage k. Numbers of bits and of instances stand behind a name, too."""
    loose = having(rtl, r"(?<![.`$'\w])[A-Za-z]\w*_(?!\w)")
    assert not loose
    staged = having(rtl, r"(?<![.`$'\w])[a-z]\w*_[qrp]\d+(?!\w)")
    assert not {name: kept for name, names in staged.items() if (kept := set(names) - {"u_q18", "u_r1", "u_r2"})}
    places = {name: names for name, names in having(rtl, r"\b(?:wire|reg)\b[^;=]*?\b[a-z]\w*_\d+\b").items()}
    assert not {name: names for name, names in places.items() if name.startswith("env/")}


# Names that said nothing of what they name; docs/changelog.md has the new ones. A core's or a study's own class carries
# the core's or the study's name.
VAGUE = {
    *("Aboard", "Collected", "Here", "Order", "Tally", "Turn", "Watch", "_deaf", "need", "went_on"),
    *("Batch", "Formats", "Place", "Settings", "Shape", "Task"),
}


def defined(file: Path) -> Iterator[str]:
    """Classes and functions of a Python file, and names that it assigns to at its top."""
    module = ast.parse(file.read_text())
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def test_no_retired_name_is_in_python_again() -> None:
    files = [f for folder in ("tools", "lab", "verif") for f in (paths.root() / folder).rglob("*.py")]
    assert len(files) > 900
    again = {str(f.relative_to(paths.root())): kept for f in files if (kept := VAGUE.intersection(defined(f)))}
    assert not again


def bound(file: Path) -> Iterator[str]:
    """Arguments of a Python file's functions, and names that it assigns to anywhere."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_a_local_name_of_a_test_says_what_it_holds() -> None:
    """`found` and `given` fit whatever a test computes or hands over."""
    files = list((paths.root() / "verif").rglob("*.py"))
    assert len(files) > 500
    unsaid = {
        str(f.relative_to(paths.root())): kept for f in files if (kept := {"found", "given"}.intersection(bound(f)))
    }
    assert not unsaid
