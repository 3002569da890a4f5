"""`rlcores mutate` breaks what it says, once each, and tells a test that sees it from one that does not."""

import errno
import socket
import time

import pytest

from rlcores import cli
from rlcores.base import paths, tools
from rlcores.eda import slang
from rlcores.errors import UserError
from rlcores_lab.mutation import equal, live, points, run, schemata, table
from rlcores_lab.mutation import plan as plans
from rlcores_lab.mutation.points import Change
from rlcores_lab.mutation.schemata import Mutant

COMMON = paths.root() / "rtl" / "common"
TEXT = """`default_nettype none
module leaf #(parameter N = 2) (input wire clk, input wire go, input wire [3:0] a, output reg [3:0] y);
    localparam M = N + 1;
    wire [3:0] sum = a + 4'd3;
    wire deep = go && !a[M-2];
    generate
        if (N == 2) begin : g_two
            always @(posedge clk) if (go) y <= {sum[N-1:0], {2{deep}}};
        end else begin : g_more
            always @(posedge clk) begin
                y <= sum;
            end
        end
    endgenerate
endmodule
module top (input wire clk, input wire go, input wire [3:0] a, output wire [3:0] y);
    leaf u_leaf (.clk(clk), .go(go), .a(a), .y(y));
endmodule
`default_nettype wire
"""
# Kind, before, after: all of the text above that runs.
WANTED = [
    ("assignment", "a + 4'd3", "((a + 4'd3) - (a + 4'd3))"),
    ("operator", "a + 4'd3", "(a) - (4'd3)"),
    ("constant", "4'd3", "4'd2"),
    ("constant", "4'd3", "4'd4"),
    ("assignment", "go && !a[M-2]", "((go && !a[M-2]) - (go && !a[M-2]))"),
    ("operator", "go && !a[M-2]", "(go) || (!a[M-2])"),
    ("operator", "!a[M-2]", "!(!(a[M-2]))"),
    *(("enable", "go", after) for after in ("!(go)", "1'b1", "1'b0")),
    ("assignment", "y <= {sum[N-1:0], {2{deep}}};", "nothing"),
    ("assignment", "y <= sum;", "nothing"),
    *(("enable", "go", after) for after in ("!(go)", "1'b1", "1'b0")),
]


@pytest.fixture
def leaf(tmp_path):
    """The file of the text above, its modules and all mutants."""
    path = tmp_path / "leaf.v"
    path.write_text(TEXT)
    modules = points.parse([path])
    every = [(site, change) for module in modules for site in module.sites for change in site.changes]
    return path, modules, [Mutant(number, *what) for number, what in enumerate(every, 1)]


def test_what_runs_is_broken_and_what_is_elaborated_is_not(leaf):
    _, _, mutants = leaf
    changes = [(m.change.kind, points.one_line(m.site.before), m.after) for m in mutants]
    assert changes == WANTED


def test_only_what_a_top_has_is_broken(leaf):
    path, _, mutants = leaf
    for parameters, there in (({"N": 2}, "y <= {sum"), ({"N": 3}, "y <= sum;")):
        built = live.elaborate(slang.Design([path], [], "leaf", parameters))
        held = [m.site.before for m in mutants if built.holds(m.site) and m.site.statement]
        assert len(held) == 1 and held[0].startswith(there)


def test_each_mutant_and_all_together_are_verilog(leaf):
    path, modules, mutants = leaf
    together = schemata.together(TEXT, modules, mutants)
    assert all(f"rlc_mutant == {m.number} " in together or f"rlc_mutant != {m.number})" in together for m in mutants)
    for text in (together, *(schemata.alone(TEXT, mutant) for mutant in mutants)):
        assert text != TEXT
        live.elaborate(slang.Design([path], [], "top"), {path: text})
    with pytest.raises(UserError, match="nobody"):
        broken = Mutant(1, mutants[0].site, Change("operator", "nobody"))
        live.elaborate(slang.Design([path], [], "top"), {path: schemata.alone(TEXT, broken)})


def test_a_seed_chooses_the_same_mutants_and_each_place_first(leaf):
    _, modules, mutants = leaf
    sites = [site for module in modules for site in module.sites]
    first, again, other = (run.choose(sites, 8, seed) for seed in (5, 5, 6))
    assert first == again != other
    assert len({id(mutant.site) for mutant in first}) == 8
    fewer = [site for site in sites if site is not first[0].site]
    assert [(m.site, m.change) for m in run.choose(fewer, 7, 5)] == [(m.site, m.change) for m in first[1:]]
    assert len({(m.site.start, m.change) for m in run.choose(sites, len(mutants), 5)}) == len(mutants)
    with pytest.raises(UserError, match=f"there are only {len(mutants)} mutants; 99 were asked for"):
        run.choose(sites, 99, 5)


@pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
@pytest.mark.slow
def test_a_mutant_is_killed_by_a_test_that_fails_and_by_no_other(tmp_path, monkeypatch):
    """A skid buffer and its tests, but those that stall it: what it holds while stalled is not seen then."""
    place = tmp_path / "seen.yaml"
    test = "verif/prims/test_prims.py::test_skid_loses_nothing[icarus-WIDTH=18]"
    place.write_text(f"files: [rtl/common/rlc_skid.v]\ntests: ['{test}']")
    mutation = run.Mutation(plans.load("test_of_the_command", place), 1, 1, fresh=True)
    sites = {points.one_line(site.before): site for module in mutation.modules for site in module.sites}
    valid, hold = sites["m_valid_q"], sites["hold_q <= s_data;"]
    broken = [(valid, valid.changes[0]), (hold, hold.changes[0]), (valid, Change("assignment", "nobody"))]
    mutation.mutants = [Mutant(number, *what) for number, what in enumerate(broken, 1)]
    monkeypatch.setenv("COCOTB_TEST_FILTER", r"\.one_item_a_clock$")
    result = mutation.run()
    assert [outcome.status for outcome in result.outcomes] == ["killed", "survived", "stillborn"]
    assert result.killed == 0.5 and "nobody" in result.outcomes[2].by
    assert result.outcomes[0].by.endswith(test)
    # A second run builds and measures nothing; before the test kills, the core as it is passes again.
    asked, ask = [], run._Worker.ask
    monkeypatch.setattr(run._Worker, "ask", lambda worker, **what: asked.append(what) or ask(worker, **what))
    mutation.kept, mutation.limits, mutation.tries = {}, {}, {}
    again = mutation.run()
    assert [outcome.status for outcome in again.outcomes] == ["killed", "survived", "stillborn"]
    assert not any(what["build"] for what in asked)
    # The last one is the look for a machine that broke on the way.
    assert [what["mutant"] for what in asked] == [1, 0, 1, 2, 0]
    # Another text is built and measured again.
    place = mutation.tree / "rtl" / "common" / "rlc_skid.v"
    mutation._texts_digest, before = mutation._digest(), mutation._texts_digest
    place.write_text(place.read_text() + "\n")
    assert mutation._texts_digest == before != mutation._digest()
    # The simulators that had waited for mutants have ended.
    monkeypatch.chdir(mutation.tree)
    waiting = [path.name for path in mutation.tree.glob("served-*")]
    assert waiting
    assert all(_refused(name) for name in waiting)


def _refused(name: str) -> bool:
    """Whether nobody listens at this socket, within some seconds."""
    for _ in range(100):
        with socket.socket(socket.AF_UNIX) as stream:
            if stream.connect_ex(name) == errno.ECONNREFUSED:
                return True
        time.sleep(0.1)
    return False


def test_every_argument_is_about_a_mutant_that_there_is():
    """Notes on mutants that change nothing must not outlive the text that they are about."""
    files = {path for name in plans.names() for path in plans.load(name).files}
    modules = points.parse(sorted(files))
    there = {Mutant(0, s, change).key for module in modules for s in module.sites for change in s.changes}
    assert not set(plans.equal()) - there


def test_the_table_in_the_documents_is_that_of_the_committed_results():
    assert f"<mutants> -->\n{table.markdown()}<!-- </mutants>" in table.document().read_text()
    for core, counts in table.results().items():
        assert core in plans.names() and sum(counts[status] for status in run.STATUSES) == counts["count"]
        assert len(counts["others"]) == counts["count"] - counts["killed"]


def test_a_change_of_nothing_is_proved_and_one_that_counts_is_not(leaf, tmp_path):
    path, modules, _ = leaf
    site = next(site for site in modules[0].sites if site.before == "a + 4'd3")
    place = paths.build() / "mutation" / "test_of_proofs"
    for after, way in (("4'd3 + a", "leaf proved the same: induction; 1 parameter sets"), ("a + 4'd2", "")):
        mutant = Mutant(1, site, Change("operator", after))
        assert equal.prove(mutant, [path], [], [{"N": "2"}], place) == way


def test_wrong_arguments_are_one_sentence(capsys):
    for arguments, said in (
        (["nobody"], "there is no mutation plan for 'nobody'; there are: "),
        (["common", "--count", "0"], "--count is 0 and --jobs 1; both must be at least 1"),
    ):
        assert cli.run(["mutate", *arguments]) == 2
        assert said in capsys.readouterr().err
