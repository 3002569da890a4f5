// rlc_popcount.v — number of ones in a word, as a registered adder tree over groups of six bits.
// SPDX-License-Identifier: Apache-2.0
//
// latency      1 + ceil(log2(ceil(WIDTH/6))) clocks, one word a clock
// rst          a word that is on its way counts 0: whoever adds up counts hears nothing of what was before a reset
`default_nettype none
`include "rlc_check.vh"
module rlc_popcount #(
    parameter WIDTH       = 64,                // bits counted, >= 1
    parameter COUNT_WIDTH = $clog2(WIDTH + 1)  // bits of the count; the default is just enough, more are 0
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [WIDTH-1:0]       d,
    output wire [COUNT_WIDTH-1:0] count
);
    `RLC_CHECK(WIDTH >= 1, rlc_popcount_illegal_WIDTH_must_be_at_least_1)
    `RLC_CHECK(COUNT_WIDTH >= $clog2(WIDTH + 1), rlc_popcount_illegal_COUNT_WIDTH_must_hold_the_number_WIDTH)

    localparam GROUPS = (WIDTH + 5) / 6;
    localparam LEVELS = $clog2(GROUPS);
    localparam LEAVES = 1 << LEVELS;

    // A heap: node i adds nodes 2i and 2i+1; the leaves are LEAVES .. 2*LEAVES-1, those past the word count 0.
    reg  [COUNT_WIDTH-1:0] node_q [1:2*LEAVES-1];
    wire [6*LEAVES-1:0]    padded = {{(6*LEAVES-WIDTH){1'b0}}, d};
    genvar i;
    for (i = 1; i < LEAVES; i = i + 1) begin : g_sum
        always @(posedge clk) node_q[i] <= rst ? {COUNT_WIDTH{1'b0}} : node_q[2*i] + node_q[2*i+1];
    end
    for (i = 0; i < LEAVES; i = i + 1) begin : g_leaf
        wire [2:0] ones = {2'd0, padded[6*i]} + {2'd0, padded[6*i+1]} + {2'd0, padded[6*i+2]}
                        + {2'd0, padded[6*i+3]} + {2'd0, padded[6*i+4]} + {2'd0, padded[6*i+5]};
        if (COUNT_WIDTH > 3) begin : g_wide
            always @(posedge clk) node_q[LEAVES+i] <= rst ? {COUNT_WIDTH{1'b0}} : {{(COUNT_WIDTH-3){1'b0}}, ones};
        end else if (COUNT_WIDTH >= 1) begin : g_narrow
            wire unused = &{1'b0, ones};
            always @(posedge clk) node_q[LEAVES+i] <= rst ? {COUNT_WIDTH{1'b0}} : ones[COUNT_WIDTH-1:0];
        end
    end
    assign count = node_q[1];
endmodule
`default_nettype wire
