// rlc_axis_last.v — TLAST of a stream whose packets have COUNT beats.
// SPDX-License-Identifier: Apache-2.0
//
// restart       a packet begins with the next beat, but a beat that stands at the port keeps its TLAST until it is taken
// valid, ready  of the stream
// last          the beat is a packet's last one; stable while it is stalled
`default_nettype none
module rlc_axis_last #(
    parameter COUNT = 4 // beats of a packet, >= 1
) (
    input  wire clk,
    input  wire rst,
    input  wire restart,
    input  wire valid,
    input  wire ready,
    output wire last
);
    wire stands = valid && !ready;
    reg  again_q;
    wire [(COUNT > 1 ? $clog2(COUNT) : 1)-1:0] at;
    always @(posedge clk) again_q <= !rst && (restart || (again_q && stands));
    rlc_mod_counter #(.COUNT(COUNT)) u_turn (
        .clk(clk), .restart(rst || (again_q && !stands)), .step(valid && ready), .at(at), .last(last)
    );
    wire unused = &{1'b0, at};
endmodule
`default_nettype wire
