// rlc_learner_shape.v — what software reads of a network's shape: nine registers LAYER0 .. LAYER4, GROUP1 .. GROUP4.
// SPDX-License-Identifier: Apache-2.0
//
// shape  {lanes, size} of vectors 0 .. 4, then {columns, rows} of the groups of layers 1 .. 4; 0 where there is no layer
`default_nettype none
module rlc_learner_shape #(
    parameter [1023:0] SIZES       = "4-8-8-2",  // neurons per layer
    parameter [1023:0] LANES       = "4-4-4-2",  // elements of each layer in one word
    parameter [1023:0] UPDATE_ROWS = "4-4-2",    // outputs of a group
    parameter [1023:0] UPDATE_COLS = "1-2-1"     // inputs of a group
) (
    output wire [9*32-1:0] shape
);
    `include "rlc_learner_defs.vh"

    function [31:0] halves(input integer high, input integer low);
        halves = (high << 16) | (low & 32'h0000FFFF);
    endfunction
    genvar l;
    for (l = 0; l < 5; l = l + 1) begin : g_vector
        localparam [31:0] VECTOR = halves(field(LANES, l), field(SIZES, l));
        assign shape[32*l +: 32] = VECTOR;
        if (l < 4) begin : g_group
            localparam [31:0] GROUP = halves(field(UPDATE_COLS, l), field(UPDATE_ROWS, l));
            assign shape[32*(5 + l) +: 32] = GROUP;
        end
    end
endmodule
`default_nettype wire
