// rlc_policy_elements.v — words of the last layer as elements, one per clock, at a fixed distance.
// SPDX-License-Identifier: Apache-2.0
//
// s_*      words of LANES elements, the first element lowest, at least LANES clocks apart; COUNT elements per vector, so the
//          last word may hold fewer
// s_last   with s_valid: the vector's last word
// m_*      its elements, in the clock of the word and the next ones
`default_nettype none
`include "rlc_check.vh"
module rlc_policy_elements #(
    parameter COUNT = 2,  // elements per vector, >= 1
    parameter LANES = 2,  // elements per word, >= 1
    parameter WIDTH = 27  // bits of an element
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   s_valid,
    input  wire [LANES*WIDTH-1:0] s_data,
    output wire                   s_last,
    output wire                   m_valid,
    output wire [WIDTH-1:0]       m_data
);
    `RLC_CHECK(COUNT >= 1 && LANES >= 1, rlc_policy_elements_illegal_COUNT_and_LANES_must_be_at_least_1)
    localparam WORDS = (COUNT + LANES - 1) / LANES;
    wire last;
    rlc_mod_counter #(.COUNT(WORDS)) u_word (.clk(clk), .restart(rst), .step(s_valid), .at(), .last(last));
    assign s_last = s_valid && last;

    if (LANES == 1) begin : g_one
        assign m_valid = s_valid;
        assign m_data  = s_data;
    end else begin : g_many
        // Elements that follow the first one of a word.
        localparam LEFT_BITS = $clog2(LANES);
        localparam [31:0] MORE = LANES - 1;
        localparam [31:0] REST = COUNT - (WORDS - 1) * LANES - 1;
        reg [LEFT_BITS-1:0]       remaining_q;
        reg [(LANES-1)*WIDTH-1:0] held_q;
        wire                      going = remaining_q != {LEFT_BITS{1'b0}};
        wire [LANES*WIDTH-1:0]    word  = s_valid ? s_data : {{WIDTH{1'b0}}, held_q};
        always @(posedge clk) begin
            held_q <= word[LANES*WIDTH-1:WIDTH];
            if (rst)          remaining_q <= {LEFT_BITS{1'b0}};
            else if (s_valid) remaining_q <= last ? REST[LEFT_BITS-1:0] : MORE[LEFT_BITS-1:0];
            else if (going)   remaining_q <= remaining_q - 1'b1;
        end
        assign m_valid = s_valid || going;
        assign m_data  = word[WIDTH-1:0];
        rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(s_valid && going));
    end
endmodule
`default_nettype wire
