// rlc_sumtree_prefix.v — sums of the first 1, 2, ... COUNT numbers.
// SPDX-License-Identifier: Apache-2.0
//
// numbers   number i at [i*WIDTH +: WIDTH]
// sums      number 0 + ... + number i at [i*SUM_WIDTH +: SUM_WIDTH], all of the same clock's numbers
// latency   1 + log2(COUNT) clocks, one set a clock
`default_nettype none
module rlc_sumtree_prefix #(
    parameter COUNT     = 8,  // a power of two, >= 2
    parameter WIDTH     = 30, // bits of a number
    parameter SUM_WIDTH = WIDTH + $clog2(COUNT) // derived, leave it alone
) (
    input  wire                       clk,
    input  wire [COUNT*WIDTH-1:0]     numbers,
    output wire [COUNT*SUM_WIDTH-1:0] sums
);
    localparam STEPS = $clog2(COUNT);

    // After step k every number has the sum of those before it in its group of 2^k.
    genvar k;
    genvar i;
    for (k = 0; k <= STEPS; k = k + 1) begin : g_step
        reg [COUNT*SUM_WIDTH-1:0] sums_q;
        for (i = 0; i < COUNT; i = i + 1) begin : g_number
            if (k == 0) begin : g_first
                always @(posedge clk)
                    sums_q[i*SUM_WIDTH +: SUM_WIDTH] <= {{(SUM_WIDTH-WIDTH){1'b0}}, numbers[i*WIDTH +: WIDTH]};
            end else if (((i >> (k - 1)) & 1) != 0) begin : g_add
                always @(posedge clk)
                    sums_q[i*SUM_WIDTH +: SUM_WIDTH] <= g_step[k-1].sums_q[i*SUM_WIDTH +: SUM_WIDTH]
                        + g_step[k-1].sums_q[((i >> (k-1) << (k-1)) - 1)*SUM_WIDTH +: SUM_WIDTH];
            end else begin : g_keep
                always @(posedge clk)
                    sums_q[i*SUM_WIDTH +: SUM_WIDTH] <= g_step[k-1].sums_q[i*SUM_WIDTH +: SUM_WIDTH];
            end
        end
    end
    assign sums = g_step[STEPS].sums_q;
endmodule
`default_nettype wire
