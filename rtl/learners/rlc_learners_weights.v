// rlc_learners_weights.v — the largest importance weight of the batches that several learners drew from their banks.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_exact    1: of the batches of all learners, the first with the first; 0: each learner's own comes back. Written while no
//              learner has a batch under way; 0 at any time: then nobody waits for another's batch
// s_learner    {valid, log} of each learner, the first one's lowest: a batch is complete (rlc_sumtree_weight)
// m_learner    {exact, valid, log} to each: of all its batches in order
// latency      2 * CROSS + 1 + log2 of LEARNERS, rounded up, clocks from the last learner's batch
// cost         a queue of PLACES words a learner, LEARNERS - 1 comparisons
// reset        one clock is enough
`default_nettype none
`include "rlc_sumtree_words.vh"
module rlc_learners_weights #(
    parameter LEARNERS = 2,  // 2 to 16
    parameter CROSS    = 1,  // registers on the way from a learner, and on the way back, >= 1
    parameter PLACES   = 32  // batches that a learner has under way: as many as rlc_sumtree_weight keeps open
) (
    input  wire                                    clk,
    input  wire                                    rst,
    input  wire                                    cfg_exact,
    input  wire [LEARNERS*`RLC_SUMTREE_OWN_BITS-1:0] s_learner,
    output wire [LEARNERS*`RLC_SUMTREE_ALL_BITS-1:0] m_learner
);
    localparam LOG    = `RLC_SUMTREE_LOG;
    localparam LEVELS = $clog2(LEARNERS);
    localparam LEAVES = 1 << LEVELS;

    wire [LEARNERS-1:0]     here, takes;
    wire [LEARNERS*LOG-1:0] first;       // of each learner's batches that wait
    wire                    all = &here;
    assign takes = cfg_exact ? {LEARNERS{all}} : here;

    genvar i;
    genvar k;
    // Node k is the larger one of nodes 2k and 2k + 1; the leaves are the learners, and nothing is smaller than 0.
    for (k = 1; k < 2 * LEAVES; k = k + 1) begin : g_node
        wire [LOG-1:0] most;
        if (k < LEAVES) begin : g_larger
            reg [LOG-1:0] most_q;
            always @(posedge clk) most_q <= (g_node[2*k].most > g_node[2*k+1].most) ? g_node[2*k].most : g_node[2*k+1].most;
            assign most = most_q;
        end else if (k - LEAVES < LEARNERS) begin : g_learner
            assign most = first[(k-LEAVES)*LOG +: LOG];
        end else begin : g_none
            assign most = {LOG{1'b0}};
        end
    end

    for (i = 0; i < LEARNERS; i = i + 1) begin : g_learner
        reg  [CROSS-1:0]  in_q, out_q;      // valid, on the way from the learner and back
        reg  [LEVELS-1:0] up_q;             // and through the comparisons
        wire [LOG-1:0]    arrived, own, answer;
        wire              exact;
        wire `RLC_SUMTREE_OWN to    = s_learner[i*`RLC_SUMTREE_OWN_BITS +: `RLC_SUMTREE_OWN_BITS];
        wire `RLC_SUMTREE_ALL back;
        assign m_learner[i*`RLC_SUMTREE_ALL_BITS +: `RLC_SUMTREE_ALL_BITS] = back;
        rlc_delay #(.WIDTH(LOG), .CLOCKS(CROSS)) u_in (.clk(clk), .d(to[`RLC_SUMTREE_OWN_LOG]), .q(arrived));
        rlc_queue #(.WIDTH(LOG), .DEPTH(PLACES)) u_batches (
            .clk(clk), .rst(rst), .s_valid(in_q[CROSS-1]), .s_data(arrived),
            .m_valid(here[i]), .m_ready(takes[i]), .m_data(first[i*LOG +: LOG])
        );
        rlc_delay #(.WIDTH(LOG + 1), .CLOCKS(LEVELS)) u_own (.clk(clk), .d({cfg_exact, first[i*LOG +: LOG]}), .q({exact, own}));
        rlc_delay #(.WIDTH(LOG), .CLOCKS(CROSS)) u_out (.clk(clk), .d(exact ? g_node[1].most : own), .q(answer));
        // A pulse that is under way is forgotten with the batches.
        wire [CROSS:0]  in_d  = {in_q, to[`RLC_SUMTREE_OWN_VALID]};
        wire [LEVELS:0] up_d  = {up_q, here[i] && takes[i]};
        wire [CROSS:0]  out_d = {out_q, up_q[LEVELS-1]};
        always @(posedge clk)
            if (rst) begin
                in_q  <= {CROSS{1'b0}};
                up_q  <= {LEVELS{1'b0}};
                out_q <= {CROSS{1'b0}};
            end else begin
                in_q  <= in_d[CROSS-1:0];
                up_q  <= up_d[LEVELS-1:0];
                out_q <= out_d[CROSS-1:0];
            end
        rlc_delay #(.WIDTH(1), .CLOCKS(CROSS)) u_exact (.clk(clk), .d(cfg_exact), .q(back[`RLC_SUMTREE_ALL_EXACT]));
        assign back[`RLC_SUMTREE_ALL_VALID] = out_q[CROSS-1];
        assign back[`RLC_SUMTREE_ALL_LOG]   = answer;
        wire unused = &{1'b0, in_d[CROSS], up_d[LEVELS], out_d[CROSS]};
    end
endmodule
`default_nettype wire
