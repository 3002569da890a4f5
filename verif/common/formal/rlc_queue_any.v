// rlc_queue_any.v — rlc_queue without its contents: what it offers is anything, at any time, and stands until it is taken.
// SPDX-License-Identifier: Apache-2.0
//
// For proofs of buses behind it. That rlc_fifo keeps order and loses nothing is rlc_fifo.sby's.
`default_nettype none
module rlc_queue #(
    parameter WIDTH = 8,
    parameter DEPTH = 16,
    parameter STYLE = "distributed"
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_valid,
    input  wire [WIDTH-1:0] s_data,
    output wire             m_valid,
    input  wire             m_ready,
    output wire [WIDTH-1:0] m_data
);
    (* anyseq *) wire             comes;
    (* anyseq *) wire [WIDTH-1:0] anything;
    reg                           valid_q;
    reg [WIDTH-1:0]               data_q;
    always @(posedge clk) begin
        if (rst)                      valid_q <= 1'b0;
        else if (!valid_q || m_ready) valid_q <= comes;
        if (!valid_q || m_ready)      data_q  <= anything;
    end
    assign m_valid = valid_q;
    assign m_data  = data_q;
    wire unused = &{1'b0, s_valid, s_data};
endmodule
`default_nettype wire
