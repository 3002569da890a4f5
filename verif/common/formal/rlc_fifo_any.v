// rlc_fifo_any.v — rlc_fifo without its contents: it may refuse a word at any time, and offers anything.
// SPDX-License-Identifier: Apache-2.0
//
// For proofs of what stands before it. What rlc_fifo keeps is rlc_fifo.sby's.
`default_nettype none
module rlc_fifo #(
    parameter WIDTH       = 8,
    parameter DEPTH       = 16,
    parameter STYLE       = "distributed",
    parameter COUNT_WIDTH = $clog2(DEPTH + 1)
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   s_valid,
    output wire                   s_ready,
    input  wire [WIDTH-1:0]       s_data,
    output wire                   m_valid,
    input  wire                   m_ready,
    output wire [WIDTH-1:0]       m_data,
    output wire [COUNT_WIDTH-1:0] count
);
    (* anyseq *) wire                   ready, valid;
    (* anyseq *) wire [WIDTH-1:0]       anything;
    (* anyseq *) wire [COUNT_WIDTH-1:0] some;
    assign s_ready = ready;
    assign m_valid = valid;
    assign m_data  = anything;
    assign count   = some;
    wire unused = &{1'b0, clk, rst, s_valid, s_data, m_ready};
endmodule
`default_nettype wire
