// rlc_abort_out.v — lets a stream be cut off at a port: what is offered stays until it is taken, what follows is dropped.
// SPDX-License-Identifier: Apache-2.0
//
// drop      while high nothing waits: what is taken at once goes on; the first item that is not is kept for the receiver,
//           and all behind it is dropped until drop falls. A receiver that never waits loses nothing
// s_*, m_*  valid/ready; data stable while stalled, also over a drop
// stale      an item stands at m_* that was kept; s_ready is low until it is taken
// latency   none: a multiplexer
`default_nettype none
`include "rlc_check.vh"
module rlc_abort_out #(
    parameter WIDTH = 8  // payload bits, >= 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             drop,
    input  wire             s_valid,
    output wire             s_ready,
    input  wire [WIDTH-1:0] s_data,
    output wire             m_valid,
    input  wire             m_ready,
    output wire [WIDTH-1:0] m_data,
    output wire             stale
);
    `RLC_CHECK(WIDTH >= 1, rlc_abort_out_illegal_WIDTH_must_be_at_least_1)

    reg             cut_q;
    reg             held_q;
    reg [WIDTH-1:0] hold_q;
    wire            waits = s_valid && !m_ready;
    always @(posedge clk) begin
        if (rst) begin
            cut_q  <= 1'b0;
            held_q <= 1'b0;
        end else begin
            cut_q  <= drop && (cut_q || waits || held_q);
            held_q <= (held_q && !m_ready) || (drop && !cut_q && !held_q && waits);
        end
    end
    always @(posedge clk) if (!held_q) hold_q <= s_data;
    assign s_ready = drop || (m_ready && !held_q);
    assign m_valid = held_q || (s_valid && !(drop && cut_q));
    assign m_data  = held_q ? hold_q : s_data;
    assign stale   = held_q;
endmodule
`default_nettype wire
