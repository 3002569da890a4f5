"""`rlcores formal` does not take a broken promise for a proof."""

import pytest

from rlcores.eda import formal

SBY = """\
[tasks]
prove
[options]
mode prove
depth 3
[engines]
smtbmc z3
[script]
read_verilog -formal counter.v
prep -top counter
[files]
counter.v
"""

RTL = """\
module counter(input clk);
    reg [2:0] q = 0;
    always @(posedge clk) q <= q == 3'd5 ? 3'd0 : q + 3'd1;
    always @* assert (q <= LIMIT);
endmodule
"""


@pytest.mark.parametrize(("limit", "status"), [("3'd5", "PASS"), ("3'd0", "FAIL"), ("3'd4", "UNKNOWN")])
def test_only_a_proof_passes(tmp_path, monkeypatch, limit: str, status: str) -> None:
    folder = tmp_path / "verif" / "common" / "formal"
    folder.mkdir(parents=True)
    (folder / "counter.sby").write_text(SBY)
    (folder / "counter.v").write_text(RTL.replace("LIMIT", limit))
    monkeypatch.setattr("rlcores.base.paths.root", lambda: tmp_path)
    monkeypatch.setattr("rlcores.base.paths.build", lambda: tmp_path / "build")
    (tmp_path / "build").mkdir()
    proofs = formal.proofs()
    assert [(p.core, p.name, p.task) for p in proofs] == [("common", "counter", "prove")]
    outcome = formal.run(proofs[0])
    assert (outcome.status, outcome.passed) == (status, status == "PASS")
