// rlc_mlp_array.v — ROWS dot products of COLS elements per clock, summed over the steps of a group.
// SPDX-License-Identifier: Apache-2.0
//
// w, x        weights (row r, column c at r·COLS + c) and elements, both of one step
// mask        columns that count; the others give 0 whatever w and x are
// first       this step begins sums: they start at bias, which comes 1 + tree_clocks(COLS) clocks after the step
// valid       this step counts
// sums        ROWS sums, 2 + tree_clocks(COLS) clocks after the step. The caller sees to it that they fit SUM_WIDTH
// cost        ROWS · COLS multipliers
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp_array #(
    parameter ROWS      = 4,  // sums at a time, >= 1
    parameter COLS      = 4,  // elements of each per clock, a power of 2
    parameter W_WIDTH   = 8,  // bits of a weight, >= 2
    parameter X_WIDTH   = 8,  // bits of an element, >= 2
    parameter SUM_WIDTH = 24  // bits of a sum, > W_WIDTH + X_WIDTH
) (
    input  wire                         clk,
    input  wire                         valid,
    input  wire                         first,
    input  wire [COLS-1:0]              mask,
    input  wire [ROWS*COLS*W_WIDTH-1:0] w,
    input  wire [COLS*X_WIDTH-1:0]      x,
    input  wire [ROWS*SUM_WIDTH-1:0]    bias,
    output wire [ROWS*SUM_WIDTH-1:0]    sums
);
    `include "rlc_mlp_defs.vh"
    `RLC_CHECK(ROWS >= 1 && COLS >= 1 && (COLS & (COLS - 1)) == 0,
               rlc_mlp_array_illegal_ROWS_must_be_at_least_1_and_COLS_a_power_of_2)
    `RLC_CHECK(W_WIDTH >= 2 && X_WIDTH >= 2 && SUM_WIDTH > W_WIDTH + X_WIDTH,
               rlc_mlp_array_illegal_widths_must_be_at_least_2_and_SUM_WIDTH_above_their_sum)
    localparam TREE   = tree_clocks(COLS);
    localparam LEVELS = $clog2(COLS);

    wire valid_sum, first_sum;
    rlc_delay #(.WIDTH(2), .CLOCKS(1 + TREE)) u_flags (.clk(clk), .d({valid, first}), .q({valid_sum, first_sum}));

    genvar r, c, v;
    for (r = 0; r < ROWS; r = r + 1) begin : g_row
        // Level 0 holds the products, level v the sums of 2^v of them; every second level is registered, and the last.
        for (v = 0; v <= LEVELS; v = v + 1) begin : g_level
            for (c = 0; c < (COLS >> v); c = c + 1) begin : g_node
                wire signed [SUM_WIDTH-1:0] value;
                if (v == 0) begin : g_product
                    wire signed [W_WIDTH-1:0] weight  = w[(r*COLS + c)*W_WIDTH +: W_WIDTH];
                    wire signed [X_WIDTH-1:0] element = mask[c] ? x[c*X_WIDTH +: X_WIDTH] : {X_WIDTH{1'b0}};
                    reg  signed [W_WIDTH+X_WIDTH-1:0] product_q;
                    always @(posedge clk) product_q <= weight * element;
                    assign value = {{(SUM_WIDTH-W_WIDTH-X_WIDTH){product_q[W_WIDTH+X_WIDTH-1]}}, product_q};
                end else begin : g_sum
                    wire signed [SUM_WIDTH-1:0] sum = g_level[v-1].g_node[2*c].value + g_level[v-1].g_node[2*c+1].value;
                    if (v % 2 == 0 || v == LEVELS) begin : g_register
                        reg signed [SUM_WIDTH-1:0] sum_q;
                        always @(posedge clk) sum_q <= sum;
                        assign value = sum_q;
                    end else begin : g_wire
                        assign value = sum;
                    end
                end
            end
        end
        reg signed [SUM_WIDTH-1:0] sum_q;
        wire signed [SUM_WIDTH-1:0] start = bias[r*SUM_WIDTH +: SUM_WIDTH];
        always @(posedge clk)
            if (valid_sum) sum_q <= (first_sum ? start : sum_q) + g_level[LEVELS].g_node[0].value;
        assign sums[r*SUM_WIDTH +: SUM_WIDTH] = sum_q;
    end
endmodule
`default_nettype wire
