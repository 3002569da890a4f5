// rlc_learner_shape.v — what software reads of the shape of networks: nine registers each, LAYER0 .. 4, GROUP1 .. 4.
// SPDX-License-Identifier: Apache-2.0
//
// shape  the registers of the first network, then of the next, then zeros: {lanes, size} of vectors 0 .. 4, {columns, rows}
//        of the groups of layers 1 .. 4; 0 where there is no layer
`default_nettype none
module rlc_learner_shape #(
    parameter [1023:0] SIZES       = "4-8-8-2",  // neurons per layer
    parameter [1023:0] LANES       = "4-4-4-2",  // elements of each layer in one word
    parameter [1023:0] UPDATE_ROWS = "4-4-2",    // outputs of a group
    parameter [1023:0] UPDATE_COLS = "1-2-1",    // inputs of a group
    parameter WORDS                = 32          // registers, at least 9 per network
) (
    output wire [WORDS*32-1:0] shape
);
    `include "rlc_learner_defs.vh"

    function [31:0] halves(input integer high, input integer low);
        halves = (high << 16) | (low & 32'h0000FFFF);
    endfunction
    genvar w;
    for (w = 0; w < WORDS; w = w + 1) begin : g_word
        localparam L     = w % 9;                // vectors 0 .. 4, then layers 1 .. 4
        localparam AT    = (L < 5) ? L : L - 5;
        localparam [1023:0] HIGH = list((L < 5) ? LANES : UPDATE_COLS, w / 9);
        localparam [1023:0] LOW  = list((L < 5) ? SIZES : UPDATE_ROWS, w / 9);
        localparam [31:0]   WORD = halves(field(HIGH, AT), field(LOW, AT));
        assign shape[32*w +: 32] = WORD;
    end
endmodule
`default_nettype wire
