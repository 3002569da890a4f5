// rlc_learner_fork.v — hands every word of a stream to two takers, each in its own time.
// SPDX-License-Identifier: Apache-2.0
//
// s_*       the stream; a word leaves it when both have taken it
// m_a_*, m_b_*   the takers; valid/ready, neither waits for the other's ready. use_b low: b gets nothing
// latency   none: wires and two flags
`default_nettype none
`include "rlc_axi.vh"
module rlc_learner_fork #(
    parameter WIDTH = 18 // bits of a word
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             use_b,
    `RLC_STREAM_SLAVE(s, WIDTH),
    `RLC_STREAM_MASTER(m_a, WIDTH),
    `RLC_STREAM_MASTER(m_b, WIDTH)
);
    reg  a_taken_q, b_taken_q;
    wire a_done = a_taken_q || m_a_ready;
    wire b_done = b_taken_q || m_b_ready || !use_b;
    assign s_ready   = a_done && b_done;
    assign m_a_valid = s_valid && !a_taken_q;
    assign m_b_valid = s_valid && !b_taken_q && use_b;
    assign m_a_data  = s_data;
    assign m_b_data  = s_data;
    always @(posedge clk) begin
        if (rst) begin
            a_taken_q <= 1'b0;
            b_taken_q <= 1'b0;
        end else if (s_valid) begin
            a_taken_q <= a_done && !b_done;
            b_taken_q <= b_done && !a_done && use_b;
        end
    end
endmodule
`default_nettype wire
