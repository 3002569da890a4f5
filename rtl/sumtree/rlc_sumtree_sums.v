// rlc_sumtree_sums.v — the sums of one level: adds a change to a node every clock, whatever the addresses.
// SPDX-License-Identifier: Apache-2.0
//
// s_*           a change enters with valid, or a sweep, which sets the sum to 0; never stalls
// s_delta       of the change that entered READ_LATENCY+1 clocks ago
// m_*           the new sum, READ_LATENCY+2 clocks after the change entered
// bound         a sum neither passes 2^WIDTH-1 nor falls below 0: it is a sum of leaves
//
// A read misses the sums of the READ_LATENCY+2 changes before it, which are not written yet. They are forwarded:
//
//      clock  0      ...  R            R+1                 R+2
//             read        forward      add, or forward     write
//                         2 and more   the one just added
//                         back
`default_nettype none
module rlc_sumtree_sums #(
    parameter WIDTH        = 22, // bits of a sum
    parameter DELTA_WIDTH  = 19, // bits of a change, signed
    parameter NODE_WIDTH   = 8,  // bits of a node's number, >= 1
    parameter STYLE        = 2,  // of the memory of sums, see rlc_sumtree_words
    parameter READ_LATENCY = 2   // its clocks of a read
) (
    input  wire                          clk,
    input  wire                          s_valid,
    input  wire                          s_sweep,
    input  wire [NODE_WIDTH-1:0]         s_node,
    input  wire signed [DELTA_WIDTH-1:0] s_delta,
    output wire                          m_valid,
    output wire                          m_sweep,
    output wire [NODE_WIDTH-1:0]         m_node,
    output wire [WIDTH-1:0]              m_sum
);
    localparam WRITE = READ_LATENCY + 2;

    // The changes of the last WRITE clocks; entry d entered d clocks ago.
    reg [WRITE:1]            valid_q;
    reg [WRITE:1]            sweep_q;
    reg [WRITE*NODE_WIDTH-1:0] node_q;
    always @(posedge clk) begin
        valid_q <= {valid_q[WRITE-1:1], s_valid || s_sweep};
        sweep_q <= {sweep_q[WRITE-1:1], s_sweep};
        node_q  <= {node_q[(WRITE-1)*NODE_WIDTH-1:0], s_node};
    end

    // Clock 0: read, and find the changes of the same node on the way.
    wire [WIDTH-1:0] stored;
    rlc_sumtree_words #(
        .LANES(1), .LANE_WIDTH(WIDTH), .WORD_BITS(NODE_WIDTH), .READ_LATENCY(READ_LATENCY), .STYLE(STYLE), .READ_ANY(1)
    ) u_sums (
        .clk(clk),
        .wr_en(m_valid), .wr_index(m_node), .wr_data(m_sum),
        .rd_en(s_valid), .rd_index(s_node), .rd_data(stored)
    );

    reg [WRITE:1] same_s1;
    genvar d;
    for (d = 1; d <= WRITE; d = d + 1) begin : g_same
        always @(posedge clk) same_s1[d] <= valid_q[d] && node_q[(d-1)*NODE_WIDTH +: NODE_WIDTH] == s_node;
    end
    wire [WRITE:1] same;  // at clock READ_LATENCY
    rlc_delay #(.WIDTH(WRITE), .CLOCKS(READ_LATENCY-1)) u_same (.clk(clk), .d(same_s1), .q(same));

    // Clock READ_LATENCY: the youngest sum that is known by now. Entry d of `past` is d back.
    reg  [WIDTH-1:0]                sum_q;
    wire [(READ_LATENCY+1)*WIDTH-1:0] past;
    assign past[0 +: WIDTH] = sum_q;
    for (d = 1; d <= READ_LATENCY; d = d + 1) begin : g_past
        rlc_delay #(.WIDTH(WIDTH), .CLOCKS(1)) u_past (
            .clk(clk), .d(past[(d-1)*WIDTH +: WIDTH]), .q(past[d*WIDTH +: WIDTH])
        );
    end

    reg [WIDTH-1:0] base_q;
    reg             again_q;
    reg [WIDTH-1:0] base_d;
    integer k;
    always @* begin
        base_d = stored;
        for (k = WRITE; k >= 2; k = k - 1)
            if (same[k]) base_d = past[(k-2)*WIDTH +: WIDTH];
    end
    always @(posedge clk) begin
        base_q  <= base_d;
        again_q <= same[1];
    end

    // Clock READ_LATENCY+1: add. The delta is the caller's, sign-extended; a sum of leaves is never negative.
    wire signed [WIDTH:0] change = s_delta;
    wire [WIDTH-1:0] base = again_q ? sum_q : base_q;
    always @(posedge clk)
        if (sweep_q[READ_LATENCY+1]) sum_q <= {WIDTH{1'b0}};
        else                         sum_q <= base + change[WIDTH-1:0];

    // Clock READ_LATENCY+2: write.
    assign m_valid = valid_q[WRITE];
    assign m_sweep = sweep_q[WRITE];
    assign m_node  = node_q[(WRITE-1)*NODE_WIDTH +: NODE_WIDTH];
    assign m_sum   = sum_q;
endmodule
`default_nettype wire
