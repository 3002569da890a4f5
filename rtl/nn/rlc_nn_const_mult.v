// rlc_nn_const_mult.v — a signed number times a positive constant, by shifts and additions: no multiplier.
// SPDX-License-Identifier: Apache-2.0
//
// latency    ceil(log2(digits of NUMBER)) clocks (csd_clocks in rlc_nn_csd.vh), one a clock, no reset
// cost       an adder of WIDTH and a few more bits for each canonical signed digit but one: 4 for 205, 2 for 131
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_const_mult #(
    parameter WIDTH     = 34,                        // bits of x, signed, >= 2
    parameter NUMBER    = 205,                       // the constant, 1 .. 2^20 - 1
    parameter OUT_WIDTH = WIDTH + $clog2(NUMBER + 1) // derived, leave it alone
) (
    input  wire                        clk,
    input  wire signed [WIDTH-1:0]     x,
    output wire signed [OUT_WIDTH-1:0] product
);
    `include "rlc_nn_csd.vh"

    `RLC_CHECK(WIDTH >= 2, rlc_nn_const_mult_illegal_WIDTH_must_be_at_least_2)
    `RLC_CHECK(NUMBER >= 1 && NUMBER < (1 << 20), rlc_nn_const_mult_illegal_NUMBER_must_be_1_to_1048575)

    // Stand-in for an illegal value, so that the tree below has a shape until the check ends the run.
    localparam LEGAL  = (NUMBER >= 1 && NUMBER < (1 << 20)) ? NUMBER : 1;
    localparam DIGITS = csd_count(LEGAL);
    localparam LEVELS = csd_clocks(LEGAL);

    // A binary tree over the digits. Node (level, i) holds what the digits i*2^level .. make of x, divided by the
    // place of the first of them; negated when all of them are -1, which leaves the sign to the node above.
    genvar level;
    genvar i;
    for (level = 0; level <= LEVELS; level = level + 1) begin : g_level
        for (i = 0; i < ((DIGITS - 1) >> level) + 1; i = i + 1) begin : g_node
            localparam FIRST = i << level;
            localparam END   = (i + 1) << level;
            localparam LAST  = (END > DIGITS) ? DIGITS - 1 : END - 1;
            localparam SPAN  = csd_place(LEGAL, LAST) - csd_place(LEGAL, FIRST);
            localparam BITS  = (SPAN == 0) ? WIDTH : WIDTH + SPAN + 1;
            wire signed [BITS-1:0] value;
            if (level == 0) begin : g_digit
                assign value = x;
            end else begin : g_sum
                localparam RIGHT = FIRST + (1 << (level - 1));   // first digit of the right child
                localparam HAS   = (RIGHT < DIGITS) ? 1 : 0;
                localparam MID   = (HAS != 0) ? RIGHT : FIRST;
                localparam PLACE = csd_place(LEGAL, MID) - csd_place(LEGAL, FIRST);
                localparam LMIN  = csd_minus(LEGAL, FIRST, (HAS != 0) ? RIGHT - 1 : LAST);
                localparam RMIN  = csd_minus(LEGAL, MID, LAST);
                wire signed [BITS-1:0] left = g_level[level-1].g_node[2*i].value;
                reg  signed [BITS-1:0] value_q;
                if (HAS == 0) begin : g_alone
                    always @(posedge clk) value_q <= left;
                end else begin : g_pair
                    wire signed [BITS-1:0] right = g_level[level-1].g_node[2*i+1].value;
                    wire signed [BITS-1:0] moved = right <<< PLACE;
                    if (LMIN == RMIN) begin : g_add
                        always @(posedge clk) value_q <= left + moved;
                    end else if (LMIN != 0) begin : g_behind
                        always @(posedge clk) value_q <= moved - left;
                    end else begin : g_subtract
                        always @(posedge clk) value_q <= left - moved;
                    end
                end
                assign value = value_q;
            end
        end
    end

    wire signed [OUT_WIDTH-1:0] root = g_level[LEVELS].g_node[0].value;
    assign product = root <<< csd_place(LEGAL, 0);

    if (LEVELS == 0) begin : g_unclocked
        wire unused = clk;
    end
endmodule
`default_nettype wire
