"""What docs/tensor.md says of a GPU is what was measured on one."""

import json

from rlcores.base import paths


def test_the_table_of_a_gpu_has_the_kept_figures() -> None:
    page = (paths.root() / "docs/tensor.md").read_text()
    kept = json.loads((paths.root() / "lab/rlcores_lab/measured/sac_peers.json").read_text())
    assert len(kept["figures"]) == 5
    assert [f["name"] for f in kept["figures"] if f"| {f['value']} |" not in page] == []
