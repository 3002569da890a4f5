// rlc_mlp_tree.v — the sum of COUNT numbers, two levels of additions per clock.
// SPDX-License-Identifier: Apache-2.0
//
// values      signed, the first lowest; the caller sees to it that their sum fits WIDTH
// sum         tree_clocks(COUNT) clocks later; no reset
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp_tree #(
    parameter COUNT = 4,  // numbers, a power of 2
    parameter WIDTH = 24  // bits of each, and of the sum
) (
    input  wire                   clk,
    input  wire [COUNT*WIDTH-1:0] values,
    output wire [WIDTH-1:0]       sum
);
    `RLC_CHECK(COUNT >= 1 && (COUNT & (COUNT - 1)) == 0, rlc_mlp_tree_illegal_COUNT_must_be_a_power_of_2)
    localparam LEVELS = $clog2(COUNT);

    // Level 0 holds the numbers, level v the sums of 2^v of them; every second level is registered, and the last.
    genvar v, c;
    for (v = 0; v <= LEVELS; v = v + 1) begin : g_level
        for (c = 0; c < (COUNT >> v); c = c + 1) begin : g_node
            wire signed [WIDTH-1:0] value;
            if (v == 0) begin : g_first
                assign value = values[c*WIDTH +: WIDTH];
            end else begin : g_sum
                wire signed [WIDTH-1:0] both = g_level[v-1].g_node[2*c].value + g_level[v-1].g_node[2*c+1].value;
                if (v % 2 == 0 || v == LEVELS) begin : g_register
                    reg signed [WIDTH-1:0] both_q;
                    always @(posedge clk) both_q <= both;
                    assign value = both_q;
                end else begin : g_wire
                    assign value = both;
                end
            end
        end
    end
    assign sum = g_level[LEVELS].g_node[0].value;
    if (LEVELS == 0) begin : g_alone
        wire unused = &{1'b0, clk};
    end
endmodule
`default_nettype wire
