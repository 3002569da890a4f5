// rlc_queue_count.v — rlc_queue without its contents: it counts its words, offers them at any time, and refuses none.
// SPDX-License-Identifier: Apache-2.0
//
// For proofs of a sender that counts the places: a word too many is an error. That rlc_fifo keeps order is rlc_fifo.sby's.
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
    reg [15:0] count_q;
    assign m_valid = count_q != 16'd0 && comes;
    assign m_data  = anything;
    always @(posedge clk) begin
        count_q <= rst ? 16'd0 : count_q + {15'd0, s_valid} - {15'd0, m_valid && m_ready};
        assert (rst || !s_valid || count_q < DEPTH);
    end
    wire unused = &{1'b0, s_data};
endmodule
`default_nettype wire
