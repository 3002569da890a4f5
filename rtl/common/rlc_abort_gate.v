// rlc_abort_gate.v — lets a stream be cut off in front of a register slice: what follows the cut is dropped.
// SPDX-License-Identifier: Apache-2.0
//
// drop      while high nothing waits: what the slice takes goes on, from the first item on that it does not take all is
//           dropped until drop falls. So what goes on is what came first, and a receiver that never waits loses nothing
// s_*, m_*  only the handshake; the data go beside. m_valid may fall without m_ready while drop is high
// lost      pulse: an item is dropped
// latency   none: wires and one flag
`default_nettype none
module rlc_abort_gate (
    input  wire clk,
    input  wire rst,
    input  wire drop,
    input  wire s_valid,
    output wire s_ready,
    output wire m_valid,
    input  wire m_ready,
    output wire lost
);
    reg cut_q;
    always @(posedge clk) begin
        if (rst) cut_q <= 1'b0;
        else     cut_q <= drop && (cut_q || (s_valid && !m_ready));
    end
    assign m_valid = s_valid && !(drop && cut_q);
    assign s_ready = drop || m_ready;
    assign lost    = drop && s_valid && (cut_q || !m_ready);
endmodule
`default_nettype wire
