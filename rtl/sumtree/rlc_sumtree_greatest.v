// rlc_sumtree_greatest.v — the largest of several unsigned numbers, as a registered tree.
// SPDX-License-Identifier: Apache-2.0
//
// latency   log2(COUNT) clocks, one set a clock
`default_nettype none
module rlc_sumtree_greatest #(
    parameter COUNT = 8,  // a power of two, >= 2
    parameter WIDTH = 18  // bits of a number
) (
    input  wire                   clk,
    input  wire [COUNT*WIDTH-1:0] numbers,
    output wire [WIDTH-1:0]       greatest
);
    // A heap: node i is the larger of nodes 2i and 2i+1; the numbers are nodes COUNT and up.
    wire [2*COUNT*WIDTH-1:0] node;
    assign node[0 +: WIDTH] = {WIDTH{1'b0}};
    assign node[COUNT*WIDTH +: COUNT*WIDTH] = numbers;

    genvar i;
    for (i = 1; i < COUNT; i = i + 1) begin : g_node
        wire [WIDTH-1:0] left  = node[2*i*WIDTH +: WIDTH];
        wire [WIDTH-1:0] right = node[(2*i+1)*WIDTH +: WIDTH];
        reg  [WIDTH-1:0] larger_q;
        always @(posedge clk) larger_q <= (left > right) ? left : right;
        assign node[i*WIDTH +: WIDTH] = larger_q;
    end
    assign greatest = node[WIDTH +: WIDTH];

    wire unused = &{1'b0, node[0 +: WIDTH]};
endmodule
`default_nettype wire
