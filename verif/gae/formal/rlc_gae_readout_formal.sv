// rlc_gae_readout_formal.sv — the read-out of two memories, whatever they answer and whenever it is started, aborted and read.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_gae_readout_formal (
    input wire       clk,
    input wire       rst,
    input wire       start,
    input wire       abort,
    input wire       m_ready,
    input wire [3:0] o_kind,
    input wire [5:0] o_adv,
    input wire [5:0] o_rtg
);
    wire        busy, cut, stale, m_valid, m_last;
    wire [1:0]  read;
    wire [0:0]  read_slot;
    wire [63:0] m_data;
    rlc_gae_readout #(.BANKS(2), .INTERLEAVE(1), .OUT_BITS(3), .BEAT(1)) dut (.*);

    initial assume (rst);

    // Five beats wait and three reads are on their way: the queue is as full as it gets.
    reg [3:0] waited_q;
    always @(posedge clk) begin
        waited_q <= (rst || !m_valid || m_ready) ? 4'd0 : waited_q + 4'd1;
        cover (waited_q == 4'd12);
    end
endmodule
`default_nettype wire
