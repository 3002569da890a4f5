// rlc_replay_server_draws.v — draws a batch from the tree, and gives its entries with their weights.
// SPDX-License-Identifier: Apache-2.0
//
// starts       pulse: a batch of `count` draws; weights: they have weights, with `beta`
// draw_*       draws that the tree is asked for; m_sample_*: its answers, each of which is OK
// m_entry_*    an entry: weight, priority, generation, slot
// weighed      level: all of the batch have gone
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_sumtree_words.vh"
module rlc_replay_server_draws #(
    parameter INDEX_WIDTH     = 20,  // bits of a slot's number
    parameter PRIORITY_WIDTH  = 18,  // bits of a priority
    parameter GENERATION_BITS = 16,  // bits of a generation
    parameter SUM_WIDTH       = 38,  // bits of a total
    parameter SAMPLE_MAX      = 1024 // largest batch
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       starts,
    input  wire [15:0]                count,
    input  wire                       weights,
    input  wire [15:0]                beta,
    output wire                       draw_valid,
    input  wire                       draw_ready,
    input  wire                       m_sample_valid,
    output wire                       m_sample_ready,
    input  wire [1:0]                 m_sample_status,
    input  wire [INDEX_WIDTH-1:0]     m_sample_index,
    input  wire [PRIORITY_WIDTH-1:0]  m_sample_priority,
    input  wire [SUM_WIDTH-1:0]       m_sample_total,
    input  wire [GENERATION_BITS-1:0] m_sample_generation,
    `RLC_STREAM_MASTER(m_entry, 128),
    output wire                       weighed
);
    `include "rlc_sumtree_kinds.vh"
    reg  [15:0] draws_q;       // draws that are still to be asked for
    reg  [15:0] weighed_q;     // entries that are still to come with their weights
    always @(posedge clk) begin
        if (rst)                                 draws_q <= 16'd0;
        else if (starts)                         draws_q <= count;
        else if (draw_valid && draw_ready)       draws_q <= draws_q - 16'd1;
        if (rst)                                 weighed_q <= 16'd0;
        else if (starts)                         weighed_q <= count;
        else if (m_entry_valid && m_entry_ready) weighed_q <= weighed_q - 16'd1;
    end
    assign draw_valid = draws_q != 16'd0;
    assign weighed    = weighed_q == 16'd0;

    wire                       last;
    wire [1:0]                 status;
    wire [PRIORITY_WIDTH-1:0]  leaf_priority;
    wire [SUM_WIDTH-1:0]       total;
    wire [GENERATION_BITS-1:0] generation;
    wire [INDEX_WIDTH-1:0]     index;
    wire [31:0]                weight;
    wire `RLC_SUMTREE_OWN      joint_out;      // each batch has its own weights
    rlc_sumtree_weight #(
        .PRIORITY_WIDTH(PRIORITY_WIDTH), .TOTAL_WIDTH(SUM_WIDTH), .PAYLOAD_WIDTH(GENERATION_BITS + INDEX_WIDTH),
        .BATCH_MAX(SAMPLE_MAX)
    ) u_weight (
        .clk(clk), .rst(rst), .cfg_enable(weights), .cfg_batch(count), .cfg_restart(1'b0), .cfg_beta(beta),
        .s_valid(m_sample_valid), .s_ready(m_sample_ready), .s_status(m_sample_status), .s_priority(m_sample_priority),
        .s_total(m_sample_total), .s_payload({m_sample_generation, m_sample_index}),
        .m_valid(m_entry_valid), .m_ready(m_entry_ready), .m_status(status), .m_priority(leaf_priority), .m_total(total),
        .m_payload({generation, index}), .m_weight(weight), .m_last(last),
        .joint_in({`RLC_SUMTREE_ALL_BITS{1'b0}}), .joint_out(joint_out)
    );
    wire [32:0] priced = {{(33-PRIORITY_WIDTH){1'b0}}, leaf_priority};
    assign m_entry_data = {weight, priced[31:0], {(32-GENERATION_BITS){1'b0}}, generation, {(32-INDEX_WIDTH){1'b0}}, index};
    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(m_sample_valid && m_sample_status != SAMPLE_OK));
    wire unused = &{1'b0, status, total, last, joint_out, priced[32]};
endmodule
`default_nettype wire
