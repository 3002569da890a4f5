// rlc_rl_max.v — the greatest of several signed numbers and where it stands, as a registered tree.
// SPDX-License-Identifier: Apache-2.0
//
// greatest  the greatest; at: its place. Of equals the first place wins
// latency   AT_WIDTH clocks = ceil(log2(COUNT)), at least 1; one set a clock
// reset     none
`default_nettype none
module rlc_rl_max #(
    parameter COUNT    = 4,  // numbers, >= 1
    parameter WIDTH    = 27, // bits of a number
    parameter AT_WIDTH = (COUNT > 2) ? $clog2(COUNT) : 1 // derived, leave it alone
) (
    input  wire                   clk,
    input  wire [COUNT*WIDTH-1:0] numbers,
    output wire [WIDTH-1:0]       greatest,
    output wire [AT_WIDTH-1:0]    at
);
    // A heap: node i is the greater of nodes 2i and 2i+1. The leaves, LEAVES and up, are the numbers; the leaves behind
    // them hold the least number there is, and being last they lose a draw.
    localparam LEAVES = 1 << AT_WIDTH;
    wire [2*LEAVES*WIDTH-1:0]    node;
    wire [2*LEAVES*AT_WIDTH-1:0] place;

    genvar i;
    for (i = 0; i < LEAVES; i = i + 1) begin : g_leaf
        localparam [31:0] PLACE = i;
        if (i < COUNT) begin : g_number
            assign node[(LEAVES+i)*WIDTH +: WIDTH] = numbers[i*WIDTH +: WIDTH];
        end else begin : g_none
            assign node[(LEAVES+i)*WIDTH +: WIDTH] = {1'b1, {(WIDTH-1){1'b0}}};
        end
        assign place[(LEAVES+i)*AT_WIDTH +: AT_WIDTH] = PLACE[AT_WIDTH-1:0];
    end
    for (i = 1; i < LEAVES; i = i + 1) begin : g_node
        wire signed [WIDTH-1:0] left  = node[2*i*WIDTH +: WIDTH];
        wire signed [WIDTH-1:0] right = node[(2*i+1)*WIDTH +: WIDTH];
        wire                    later = right > left;
        reg  [WIDTH-1:0]        greater_q;
        reg  [AT_WIDTH-1:0]     place_q;
        always @(posedge clk) begin
            greater_q <= later ? right : left;
            place_q   <= later ? place[(2*i+1)*AT_WIDTH +: AT_WIDTH] : place[2*i*AT_WIDTH +: AT_WIDTH];
        end
        assign node[i*WIDTH +: WIDTH]        = greater_q;
        assign place[i*AT_WIDTH +: AT_WIDTH] = place_q;
    end
    assign node[0 +: WIDTH]        = {WIDTH{1'b0}};
    assign place[0 +: AT_WIDTH]    = {AT_WIDTH{1'b0}};
    assign greatest = node[WIDTH +: WIDTH];
    assign at       = place[AT_WIDTH +: AT_WIDTH];

    wire unused = &{1'b0, node[0 +: WIDTH], place[0 +: AT_WIDTH]};
endmodule
`default_nettype wire
