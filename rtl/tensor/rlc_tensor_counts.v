// rlc_tensor_counts.v — counters that take whole numbers: each stays at its greatest value.
// SPDX-License-Identifier: Apache-2.0
//
// add       of each, a clock later in count. clear: from 0 again; what is added in the same clock counts
`default_nettype none
module rlc_tensor_counts #(
    parameter COUNTERS = 6 // how many
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   clear,
    input  wire [COUNTERS*32-1:0] add,
    output reg  [COUNTERS*32-1:0] count
);
    genvar n;
    for (n = 0; n < COUNTERS; n = n + 1) begin : g_count
        wire [31:0] from = clear ? 32'd0 : count[n*32 +: 32];
        wire [32:0] sum  = {1'b0, from} + {1'b0, add[n*32 +: 32]};
        always @(posedge clk) count[n*32 +: 32] <= rst ? 32'd0 : sum[32] ? 32'hFFFFFFFF : sum[31:0];
    end
endmodule
`default_nettype wire
