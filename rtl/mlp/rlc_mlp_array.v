// rlc_mlp_array.v — ROWS dot products of COLS elements per clock, summed over the steps of a group.
// SPDX-License-Identifier: Apache-2.0
//
// w, x        weights (row r, column c at r·COLS + c) and elements, both of one step
// mask        columns that count; the others give 0 whatever w and x are
// first       this step begins sums: they start at bias, which comes 1 + tree_clocks(COLS) clocks after the step
// valid       this step counts
// sums        ROWS sums, 2 + tree_clocks(COLS) clocks after the step. The caller sees to it that they fit SUM_WIDTH
// cost        ROWS · COLS multipliers, half of them with MULTIPLIER 1 (two rows share one), none with 2: rlc_mlp_products
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp_array #(
    parameter ROWS       = 4,     // sums at a time, >= 1
    parameter COLS       = 4,     // elements of each per clock, a power of 2
    parameter W_WIDTH    = 8,     // bits of a weight, >= 2
    parameter X_WIDTH    = 8,     // bits of an element, >= 2
    parameter SUM_WIDTH  = 24,    // bits of a sum, > W_WIDTH + X_WIDTH
    parameter MULTIPLIER = 0      // 0 one for each product, 1 one for two, 2 none
) (
    input  wire                         clk,
    input  wire                         valid,
    input  wire                         first,
    input  wire [COLS-1:0]              mask,
    input  wire [ROWS*COLS*W_WIDTH-1:0] w,
    input  wire [COLS*X_WIDTH-1:0]      x,
    input  wire [ROWS*SUM_WIDTH-1:0]    bias,
    output reg  [ROWS*SUM_WIDTH-1:0]    sums
);
    `include "rlc_mlp_defs.vh"
    `RLC_CHECK(ROWS >= 1 && COLS >= 1 && (COLS & (COLS - 1)) == 0,
               rlc_mlp_array_illegal_ROWS_must_be_at_least_1_and_COLS_a_power_of_2)
    `RLC_CHECK(W_WIDTH >= 2 && X_WIDTH >= 2 && SUM_WIDTH > W_WIDTH + X_WIDTH,
               rlc_mlp_array_illegal_widths_must_be_at_least_2_and_SUM_WIDTH_above_their_sum)
    localparam TREE  = tree_clocks(COLS);
    localparam WIDTH = W_WIDTH + X_WIDTH;

    wire valid_sum, first_sum;
    rlc_delay #(.WIDTH(2), .CLOCKS(1 + TREE)) u_flags (.clk(clk), .d({valid, first}), .q({valid_sum, first_sum}));

    // Rows in twos; a last one of an odd number stands alone. A vector of products for each row, joined by a process: Icarus
    // resolves a vector that has an assignment for each part bit by bit, as a whole, whenever one of them changes.
    genvar r, c;
    for (r = 0; r < ROWS; r = r + 2) begin : g_two
        localparam HIGH = (r + 1 < ROWS) ? r + 1 : r;
        wire [SUM_WIDTH-1:0]      low_of [0:COLS-1];
        wire [SUM_WIDTH-1:0]      high_of [0:COLS-1];
        reg  [COLS*SUM_WIDTH-1:0] lows, highs;
        integer k;
        always @*
            for (k = 0; k < COLS; k = k + 1) begin
                lows[k*SUM_WIDTH +: SUM_WIDTH]  = low_of[k];
                highs[k*SUM_WIDTH +: SUM_WIDTH] = high_of[k];
            end
        for (c = 0; c < COLS; c = c + 1) begin : g_column
            wire signed [X_WIDTH-1:0] element = mask[c] ? x[c*X_WIDTH +: X_WIDTH] : {X_WIDTH{1'b0}};
            wire signed [WIDTH-1:0]   low, high;
            rlc_mlp_products #(.W_WIDTH(W_WIDTH), .X_WIDTH(X_WIDTH), .MULTIPLIER(MULTIPLIER)) u_products (
                .clk(clk), .weight_low(w[(r*COLS + c)*W_WIDTH +: W_WIDTH]),
                .weight_high(w[(HIGH*COLS + c)*W_WIDTH +: W_WIDTH]), .element(element), .low(low), .high(high)
            );
            assign low_of[c]  = {{(SUM_WIDTH-WIDTH){low[WIDTH-1]}}, low};
            assign high_of[c] = {{(SUM_WIDTH-WIDTH){high[WIDTH-1]}}, high};
        end
        if (HIGH == r) begin : g_alone
            wire unused = &{1'b0, highs};
        end
    end
    for (r = 0; r < ROWS; r = r + 1) begin : g_row
        wire [COLS*SUM_WIDTH-1:0] products;
        if (r % 2 == 0) begin : g_low
            assign products = g_two[r].lows;
        end else begin : g_high
            assign products = g_two[r-1].highs;
        end
        wire [SUM_WIDTH-1:0] start = bias[r*SUM_WIDTH +: SUM_WIDTH];
        wire [SUM_WIDTH-1:0] held = sums[r*SUM_WIDTH +: SUM_WIDTH];
        wire [SUM_WIDTH-1:0] sum;
        rlc_mlp_tree #(.COUNT(COLS), .WIDTH(SUM_WIDTH)) u_tree (.clk(clk), .values(products), .sum(sum));
        always @(posedge clk)
            if (valid_sum) sums[r*SUM_WIDTH +: SUM_WIDTH] <= (first_sum ? start : held) + sum;
    end
endmodule
`default_nettype wire
