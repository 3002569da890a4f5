// rlc_learner_counters.v — one saturating 32-bit counter a stage.
// SPDX-License-Identifier: Apache-2.0
//
// clear     all counters to 0; events of that clock are lost
// events    8 bits a stage: what to add this clock
// counts    32 bits a stage; stays at 2^32 - 1 once there
`default_nettype none
module rlc_learner_counters #(
    parameter STAGES = 64 // how many counters
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 clear,
    input  wire [STAGES*8-1:0]  events,
    output wire [STAGES*32-1:0] counts
);
    genvar i;
    for (i = 0; i < STAGES; i = i + 1) begin : g_stage
        reg  [31:0] count_q;
        reg  [7:0]  event_q;
        wire [32:0] sum = {1'b0, count_q} + {25'd0, event_q};
        always @(posedge clk) begin
            event_q <= (rst || clear) ? 8'd0 : events[8*i +: 8];
            if (rst || clear) count_q <= 32'd0;
            else              count_q <= sum[32] ? 32'hFFFFFFFF : sum[31:0];
        end
        assign counts[32*i +: 32] = count_q;
    end
endmodule
`default_nettype wire
