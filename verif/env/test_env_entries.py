"""What a new environment costs: its own files and its entry; everything else that names it is written by a command."""

import re

import pytest

from rlcores.base import paths
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.eda import slang, sources
from rlcores.errors import UserError

# Where an environment may be named: its model, entry, kernel and leaf; configurations; tasks of the chip.
OWN = r"tools/rlcores/cores/env/({leaf}|environments)\.py"
OWN += r"|tools/rlcores/native/include/rlcores/native/environments/{leaf}\.hpp"
OWN += r"|rtl/env/rlc_env_{leaf}(_\w+)?\.v|configs\.yaml|tools/rlcores/train/task_files/\w+\.yaml"
MOST = 5  # of them, beside the file of its task; a leaf that is cut into parts counts once
# What people study or show is theirs to name.
FOLDERS = ("tools", "rtl", "lab/rlcores_lab/writers", "lab/rlcores_lab/bench/env.py", "configs.yaml")
WRITTEN = re.compile(r"(#|//|<!--) <(\w+)( of \w+)?>.*?</\2>", re.DOTALL)


def naming(name: str) -> set[str]:
    """The files of the product that name an environment, from the root, without what a command writes."""
    files = set()
    for folder in FOLDERS:
        top = paths.root() / folder
        for file in [top] if top.is_file() else top.rglob("*"):
            if file.suffix not in (".py", ".yaml", ".core", ".v", ".sv", ".vh", ".hpp", ".cpp", ".txt", ".j2"):
                continue
            text = file.read_text()
            written = "Written by `rlcores generate`" in text[:400]
            if written and "gen" in file.parts + ("gen",) * (file.suffix == ".vh"):
                continue
            if re.search(rf"(?<![\w-])(rlc_env_)?{name}(?![a-z0-9-]|_continuous)", WRITTEN.sub("", text)):
                files.add(str(file.relative_to(paths.root())))
    return files


@pytest.mark.parametrize("name", [name for name in ENVIRONMENTS if name != "cartpole"])
def test_no_other_file_by_hand_names_an_environment(name: str) -> None:
    own = re.compile(OWN.format(leaf=ENVIRONMENTS[name].leaf))
    files = naming(name)
    assert files >= {f"tools/rlcores/cores/env/{ENVIRONMENTS[name].leaf}.py", "configs.yaml"}
    assert not (others := sorted(file for file in files if not own.fullmatch(file))), others
    whole = {re.sub(r"(rlc_env_[a-z]+)_\w+\.v", r"\1.v", file) for file in files if "/train/" not in file}
    assert len(whole) <= MOST, sorted(whole)


def test_a_number_that_no_environment_has_stops_elaboration_with_a_sentence() -> None:
    beyond = {"ENV": len(ENVIRONMENTS)}
    design = sources.of_core("rlcores:env:env").design("rlc_env_physics", beyond)
    with pytest.raises(UserError, match=f"rlc_env_physics: ENV must be 0 to {len(ENVIRONMENTS) - 1}"):
        slang.check(design)
    slang.check(sources.of_core("rlcores:env:env").design("rlc_env_physics", {"ENV": len(ENVIRONMENTS) - 1}))
