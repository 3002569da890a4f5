// rlc_learner_shape.v — what software reads of the shape of one network or two: nine registers each, LAYER0 .. 4, GROUP1 .. 4.
// SPDX-License-Identifier: Apache-2.0
//
// shape  the value network's registers, then the actor's, then zeros: {lanes, size} of vectors 0 .. 4, {columns, rows} of
//        the groups of layers 1 .. 4; 0 where there is no layer
`default_nettype none
module rlc_learner_shape #(
    parameter [1023:0] SIZES             = "4-8-8-2",  // neurons per layer
    parameter [1023:0] LANES             = "4-4-4-2",  // elements of each layer in one word
    parameter [1023:0] UPDATE_ROWS       = "4-4-2",    // outputs of a group
    parameter [1023:0] UPDATE_COLS       = "1-2-1",    // inputs of a group
    parameter [1023:0] ACTOR_SIZES       = "0",        // neurons per layer of the actor; "0": there is none
    parameter [1023:0] ACTOR_LANES       = "0",        // elements of each of its layers in one word
    parameter [1023:0] ACTOR_UPDATE_ROWS = "0",        // outputs of a group of it
    parameter [1023:0] ACTOR_UPDATE_COLS = "0",        // inputs of a group of it
    parameter WORDS                      = 32          // registers, at least 9
) (
    output wire [WORDS*32-1:0] shape
);
    `include "rlc_learner_defs.vh"

    function [31:0] halves(input integer high, input integer low);
        halves = (high << 16) | (low & 32'h0000FFFF);
    endfunction
    genvar w;
    for (w = 0; w < WORDS; w = w + 1) begin : g_word
        localparam ACTOR = w >= 9 && w < 18;
        localparam L     = w % 9;                // vectors 0 .. 4, then layers 1 .. 4
        localparam [1023:0] HIGH = (L < 5) ? (ACTOR ? ACTOR_LANES : LANES) : (ACTOR ? ACTOR_UPDATE_COLS : UPDATE_COLS);
        localparam [1023:0] LOW  = (L < 5) ? (ACTOR ? ACTOR_SIZES : SIZES) : (ACTOR ? ACTOR_UPDATE_ROWS : UPDATE_ROWS);
        localparam PLACE         = (L < 5) ? L : L - 5;
        localparam [31:0] WORD   = halves(field(HIGH, PLACE), field(LOW, PLACE));
        assign shape[32*w +: 32] = (w < 9 || ACTOR) ? WORD : 32'd0;
    end
endmodule
`default_nettype wire
