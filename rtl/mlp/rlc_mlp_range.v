// rlc_mlp_range.v — whether an observation is outside the range that a policy's formats were chosen by.
// SPDX-License-Identifier: Apache-2.0
//
// s_take      a word of COLS elements is taken; s_bad with any word of an observation: its sender does not trust it
// bad         the last whole observation had such a word, or an element below its LOW or above its HIGH; steady from the
//             clock after its last word until the next observation is whole
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp_range #(
    parameter INPUTS = 1,  // elements of an observation, 1 to 1024
    parameter COLS   = 1,  // elements of a word, 1 to 1024
    parameter WIDTH  = 8,  // bits of an element, signed, 2 to 64
    parameter [INPUTS*WIDTH-1:0] LOW  = 0,  // the least of each element, the first lowest
    parameter [INPUTS*WIDTH-1:0] HIGH = 0   // the greatest of each element
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  s_take,
    input  wire                  s_bad,
    input  wire [COLS*WIDTH-1:0] s_data,
    output wire                  bad
);
    `RLC_CHECK(INPUTS >= 1 && INPUTS <= 1024, rlc_mlp_range_illegal_INPUTS_must_be_1_to_1024)
    `RLC_CHECK(COLS >= 1 && COLS <= 1024, rlc_mlp_range_illegal_COLS_must_be_1_to_1024)
    `RLC_CHECK(WIDTH >= 2 && WIDTH <= 64, rlc_mlp_range_illegal_WIDTH_must_be_2_to_64)
    localparam WORDS     = (INPUTS + COLS - 1) / COLS;
    localparam WORD_BITS = (WORDS > 1) ? $clog2(WORDS) : 1;
    localparam integer LAST = WORDS - 1;

    reg [WORD_BITS-1:0] word_q;
    reg                 sofar_q;  // a word before this one was bad
    reg                 bad_q;
    wire                last = word_q == LAST[WORD_BITS-1:0];

    // An element of each word is compared with the limits of its place; places beyond the last element count as good.
    reg     outside;
    integer w;
    integer c;
    always @* begin
        outside = 1'b0;
        for (w = 0; w < WORDS; w = w + 1)
            for (c = 0; c < COLS; c = c + 1)
                if (w * COLS + c < INPUTS && {{(32-WORD_BITS){1'b0}}, word_q} == w)
                    if ($signed(s_data[c*WIDTH +: WIDTH]) < $signed(LOW[((w*COLS+c < INPUTS) ? w*COLS+c : 0)*WIDTH +: WIDTH])
                        || $signed(s_data[c*WIDTH +: WIDTH])
                           > $signed(HIGH[((w*COLS+c < INPUTS) ? w*COLS+c : 0)*WIDTH +: WIDTH]))
                        outside = 1'b1;
    end

    wire now = outside || s_bad;
    always @(posedge clk)
        if (rst) begin
            word_q  <= {WORD_BITS{1'b0}};
            sofar_q <= 1'b0;
            bad_q   <= 1'b0;
        end else if (s_take) begin
            word_q  <= last ? {WORD_BITS{1'b0}} : word_q + 1'b1;
            sofar_q <= !last && (sofar_q || now);
            if (last) bad_q <= sofar_q || now;
        end
    assign bad = bad_q;
endmodule
`default_nettype wire
