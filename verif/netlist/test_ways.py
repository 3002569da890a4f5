"""AXI forbids a combinational way from an input to an output of an interface; streams of ours keep to it too."""

from pathlib import Path

import cones
import pytest

from rlcores.eda import configs, declared, sources

# Systems of cores that have a test of their own, the cores whose elaboration takes long, and tops inside another one.
LONG = {
    "agent", "learner", "learners", "learners_ppo", "mlp", "net_learner", "policy", "ppo", "ppo_env", "replay_banks",
    "replay_learner", "replay_server", "sumtree_banks", "serial", "rlc_sumtree",
}  # fmt: skip
PRIMITIVES = {
    "rlcores:common:prims": [
        "rlc_skid", "rlc_fifo", "rlc_mfifo", "rlc_fifo_async", "rlc_axil_regs", "rlc_axil_split", "rlc_abort_out",
        "rlc_abort_gate",
    ],
    "rlcores:periphery:periphery": ["rlc_axi_ram"],
}  # fmt: skip


def tops() -> list:
    """Every core's tops in its smallest configuration."""
    params = []
    for core in declared.cores():
        named = [(declared.fact(core, fact, None) or {}).get("top") for fact in ("synth", "instance")]
        for top in dict.fromkeys(filter(None, named)):
            marks = [pytest.mark.slow] if LONG & {core, top} else []
            params.append(pytest.param(core, top, id=top, marks=marks))
    return params


@pytest.mark.parametrize(("core", "top"), tops())
def test_no_input_of_an_interface_reaches_its_outputs_without_a_register(core: str, top: str) -> None:
    modules = cones.netlist(sources.of_core(configs.core(core).vlnv), top, configs.load(core, configs.names(core)[0]))
    assert cones.interfaces(modules) or top == "rlc_serial"
    assert not cones.ways(modules)


@pytest.mark.parametrize(("core", "top"), [(core, top) for core, those in PRIMITIVES.items() for top in those])
def test_no_input_of_a_primitives_interface_reaches_its_outputs_without_a_register(core: str, top: str) -> None:
    modules = cones.netlist(sources.of_core(core), top, {})
    assert cones.interfaces(modules)
    assert not cones.ways(modules)


BROKEN = """
module below (input wire a, input wire b, input wire c, output wire y, output wire z);
    wire [1:0] both = {a, b} & {2{c}};
    assign y = both[1];
    assign z = both[0];
endmodule
module top (
    input wire clk, input wire s_valid, input wire s_ready_in, input wire [3:0] s_data, output wire s_ready,
    input wire m_ready, output wire m_valid, output reg [3:0] m_data
);
    reg [3:0] table_q [0:3];
    reg       held_q;
    wire      unused;
    always @(posedge clk) begin
        table_q[s_data[1:0]] <= s_data;
        m_data <= table_q[s_data[3:2]];
        held_q <= s_valid;
    end
    below u_below (.a(s_valid), .b(m_ready), .c(held_q), .y(s_ready), .z(unused));
    assign m_valid = table_q[{2{WAY}}][0] && held_q;
endmodule
"""


@pytest.mark.parametrize(
    ("way", "through"), [("s_data[0]", set()), ("m_ready", {("m_ready", "m_valid")}), ("held_q", set())]
)
def test_a_way_through_a_module_and_a_memory_is_found_and_none_where_bits_only_travel_together(
    way: str, through: set, tmp_path: Path
) -> None:
    file = tmp_path / "top.v"
    file.write_text(BROKEN.replace("WAY", way))
    modules = cones.netlist(sources.Sources((file,)), "top", {})
    assert set(cones.ways(modules)) == through | {("s_valid", "s_ready")}
