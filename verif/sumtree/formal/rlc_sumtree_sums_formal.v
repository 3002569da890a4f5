// rlc_sumtree_sums_formal.v — every change arrives in its sum, for any addresses one clock after the other.
// SPDX-License-Identifier: Apache-2.0
//
// The solver picks a node. Beside the unit stands that node's sum as the promise says it: each change is added when it
// is known, a sweep sets it to 0. What leaves the unit must be that sum, at every distance between changes of one
// node. The memory is rlc_sumtree_words_any: a word read while it is written may be anything, as in a block RAM.
// Sums count modulo 2^WIDTH here; that they stay below it is proved in rlc_sumtree_tree_formal.v.
`default_nettype none
module rlc_sumtree_sums_formal #(
    parameter LATENCY = 2
) (
    input wire              clk,
    input wire              valid,
    input wire              sweep,
    input wire [1:0]        node,
    input wire signed [2:0] delta
);
    localparam WRITE = LATENCY + 2;

    wire       m_valid;
    wire       m_sweep;
    wire [1:0] m_node;
    wire [3:0] m_sum;
    rlc_sumtree_sums #(.WIDTH(4), .DELTA_WIDTH(3), .NODE_WIDTH(2), .READ_LATENCY(LATENCY)) dut (
        .clk(clk), .s_valid(valid), .s_sweep(sweep), .s_node(node), .s_delta(delta),
        .m_valid(m_valid), .m_sweep(m_sweep), .m_node(m_node), .m_sum(m_sum)
    );

    (* anyconst *) wire [1:0] chosen;
    (* hierconn *) wire [WRITE-1:0] \dut.valid_q ;
    (* hierconn *) wire [3:0] \dut.u_sums.mem[0] ;
    (* hierconn *) wire [3:0] \dut.u_sums.mem[1] ;
    (* hierconn *) wire [3:0] \dut.u_sums.mem[2] ;
    (* hierconn *) wire [3:0] \dut.u_sums.mem[3] ;
    wire [15:0] words = {\dut.u_sums.mem[3] , \dut.u_sums.mem[2] , \dut.u_sums.mem[1] , \dut.u_sums.mem[0] };
    wire [3:0] stored = words[4*chosen +: 4];

    // Changes of the chosen node, as they wait for their delta and then for their write.
    reg [WRITE-1:0] change_q = 0;
    reg [WRITE-1:0] sweep_q = 0;
    reg [WRITE-1:0] any_q = 0;
    always @(posedge clk) begin
        change_q <= {change_q[WRITE-2:0], (valid || sweep) && node == chosen};
        sweep_q  <= {sweep_q[WRITE-2:0], sweep};
        any_q    <= {any_q[WRITE-2:0], valid || sweep};
    end
    wire now       = change_q[LATENCY];
    wire now_sweep = sweep_q[LATENCY];

    wire signed [3:0] change = delta;
    reg [3:0] sum;
    always @(posedge clk)
        if (now) sum <= now_sweep ? 4'd0 : sum + change;

    // It starts with nothing on the way and any sums in the memory.
    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (\dut.valid_q == 0 && sum == stored);

    // The promise, its timing, and that it reaches the memory.
    wire write = change_q[WRITE-1];
    always @* begin
        assert (m_valid == any_q[WRITE-1]);
        if (m_valid) assert (m_sweep == sweep_q[WRITE-1]);
        assert ((m_valid && m_node == chosen) == write);
        if (write) assert (m_sum == sum);
        if (!write) assert (stored == sum);
    end

    // Not vacuous: changes of the node in each of three clocks, and at the distance of the write.
    reg [2*WRITE-1:0] history = 0;
    always @(posedge clk) begin
        history <= {history[2*WRITE-2:0], now && !now_sweep && delta != 3'd0};
        cover (&history[2:0] && sum == 4'd5);
        cover (history[0] && history[WRITE] && history[WRITE-1:1] == 0 && sum == 4'd3);
        cover (write && m_sweep && sum == 4'd0);
    end
endmodule
`default_nettype wire
