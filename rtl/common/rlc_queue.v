// rlc_queue.v — a FIFO for a sender that counts the places: it never refuses a word.
// SPDX-License-Identifier: Apache-2.0
//
// s_*      valid without ready. A word that finds no place is a mistake of the sender (rlc_assert_never)
// m_*      valid/ready, as rlc_fifo's; so are latency and throughput
// proof    verif/common/formal/rlc_credit.sby (with rlc_credit), verif/learner/formal/rlc_learner_columns.sby
`default_nettype none
module rlc_queue #(
    parameter WIDTH = 8,             // bits of a word, >= 1
    parameter DEPTH = 16,            // words it holds, >= 2
    parameter STYLE = "distributed"  // "distributed", "auto" or "block": rlc_fifo
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_valid,
    input  wire [WIDTH-1:0] s_data,
    output wire             m_valid,
    input  wire             m_ready,
    output wire [WIDTH-1:0] m_data
);
    wire s_ready;
    rlc_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .STYLE(STYLE)) u_fifo (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .count()
    );

    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(s_valid && !s_ready));
endmodule
`default_nettype wire
