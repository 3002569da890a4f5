// rlc_learner_join.v — joins two streams of vectors to one of longer vectors, word by word.
// SPDX-License-Identifier: Apache-2.0
//
// s_a_*, s_b_*      vectors; valid/ready
// m_*               WORDS_A words of a, WORDS_B words of b, and again
// latency           1 clock, one word a clock; outputs are registers, or one gate behind them
// proof             verif/learner/formal/rlc_learner_join.sby: no loss, no duplicate, order kept
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
module rlc_learner_join #(
    parameter WIDTH   = 72, // bits of a word
    parameter WORDS_A = 1,  // words of a vector of a, >= 1
    parameter WORDS_B = 1   // words of a vector of b, >= 1
) (
    input  wire             clk,
    input  wire             rst,
    `RLC_STREAM_SLAVE(s_a, WIDTH),
    `RLC_STREAM_SLAVE(s_b, WIDTH),
    `RLC_STREAM_MASTER(m, WIDTH)
);
    `RLC_CHECK(WIDTH >= 1 && WORDS_A >= 1 && WORDS_B >= 1,
               rlc_learner_join_illegal_WIDTH_and_WORDS_A_and_WORDS_B_must_be_at_least_1)

    localparam MOST        = (WORDS_A > WORDS_B) ? WORDS_A : WORDS_B;
    localparam INDEX_WIDTH = (MOST > 1) ? $clog2(MOST) : 1;
    localparam [31:0] LAST_A = WORDS_A - 1;
    localparam [31:0] LAST_B = WORDS_B - 1;

    reg                   turn_b_q;   // the next word is one of b
    reg [INDEX_WIDTH-1:0] word_q;

    wire out_ready;
    wire valid = turn_b_q ? s_b_valid : s_a_valid;
    wire pass  = valid && out_ready;
    wire last  = word_q == (turn_b_q ? LAST_B[INDEX_WIDTH-1:0] : LAST_A[INDEX_WIDTH-1:0]);

    assign s_a_ready = out_ready && !turn_b_q;
    assign s_b_ready = out_ready && turn_b_q;

    always @(posedge clk) begin
        if (rst) begin
            turn_b_q <= 1'b0;
            word_q   <= {INDEX_WIDTH{1'b0}};
        end else if (pass) begin
            turn_b_q <= last ? !turn_b_q : turn_b_q;
            word_q   <= last ? {INDEX_WIDTH{1'b0}} : word_q + 1'b1;
        end
    end

    rlc_skid #(.WIDTH(WIDTH)) u_out (
        .clk(clk), .rst(rst), .s_valid(valid), .s_ready(out_ready), .s_data(turn_b_q ? s_b_data : s_a_data),
        `RLC_STREAM_JOIN(m, m)
    );
endmodule
`default_nettype wire
