"""A checkpoint that somebody made: a name in it imports no module, unless the user says that name."""

from pathlib import Path

import pytest

from rlcores.errors import UserError
from rlcores.train import session
from rlcores.train.session import Request


@pytest.mark.parametrize("name", ["this:CartPole-v1", "antigravity:x/y-v0", ":CartPole-v1"])
def test_a_checkpoint_imports_no_module_by_the_name_of_its_environment(name: str) -> None:
    kept = {"algo": "dqn", "environment": name, "backend": "native", "seed": 0}
    with pytest.raises(UserError, match=r"imports the module before the colon; .* --env "):
        session.make_plan(Request(resume=True), kept)


def test_the_command_to_go_on_says_an_environment_of_a_module() -> None:
    folder = Path("a folder")
    assert session.resuming(folder, "CartPole-v1") == "rlcores train --checkpoint 'a folder' --resume"
    assert session.resuming(folder, "mine:World-v0").endswith(" --resume --env mine:World-v0")
