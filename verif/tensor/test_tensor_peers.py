"""What pages say of a step of SAC beside PyTorch and JAX is what was measured."""

import json

import pytest

from rlcores.base import paths


@pytest.mark.parametrize(
    ("page", "file", "count"), [("tensor", "sac_peers", 5), ("native", "sac_step", 4), ("native", "sac_step_avx512", 4)]
)
def test_the_table_has_the_kept_figures(page: str, file: str, count: int) -> None:
    text = (paths.root() / f"docs/{page}.md").read_text()
    kept = json.loads((paths.root() / f"lab/rlcores_lab/measured/{file}.json").read_text())
    assert len(kept["figures"]) == count
    assert [f["name"] for f in kept["figures"] if f"| {f['value']} |" not in text] == []
