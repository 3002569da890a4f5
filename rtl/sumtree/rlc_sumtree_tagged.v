// rlc_sumtree_tagged.v — rlc_sumtree whose answers carry the tags that came with the requests.
// SPDX-License-Identifier: Apache-2.0
//
// Parameters and ports as of rlc_sumtree, and
// OP_TAG_WIDTH, SAMPLE_TAG_WIDTH  bits of a tag, >= 1
// s_op_tag, s_sample_tag          come with a request, m_op_tag and m_sample_tag with its answer
//
// Answers come in order, so a queue beside the core is enough; it holds as many tags as the core lets requests in.
`default_nettype none
module rlc_sumtree_tagged #(
    parameter OP_TAG_WIDTH     = 1,
    parameter SAMPLE_TAG_WIDTH = 1,
    parameter LEAVES_LOG2      = 12,
    parameter RADIX_LOG2       = 4,
    parameter CAPACITY         = 4096,
    parameter PRIORITY_WIDTH   = 18,
    parameter DRAW_WIDTH       = 32,
    parameter GENERATION_WIDTH = 8,
    parameter SHARED           = 0,
    parameter HEAD_STYLE       = 2,
    parameter HEAD_LATENCY     = 2,
    parameter NARROW_STYLE     = 2,
    parameter NARROW_LATENCY   = 2,
    parameter WIDE_STYLE       = 2,
    parameter WIDE_LATENCY     = 2,
    parameter BYPASS           = 0,
    parameter ADDS             = 2,
    parameter STRATA           = 1,
    parameter GENERATION_BITS  = (GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1,
    parameter SUM_WIDTH        = PRIORITY_WIDTH + LEAVES_LOG2,
    parameter REQUEST_WIDTH    = (SUM_WIDTH > DRAW_WIDTH) ? SUM_WIDTH : DRAW_WIDTH
) (
    input  wire                        clk,
    input  wire                        rst,

    input  wire [LEAVES_LOG2:0]        cfg_capacity,
    input  wire [PRIORITY_WIDTH-1:0]   cfg_initial,
    input  wire [15:0]                 cfg_strata,
    input  wire                        cfg_restart,
    input  wire                        cfg_seed_valid,
    input  wire [127:0]                cfg_seed,

    input  wire                        s_op_valid,
    output wire                        s_op_ready,
    input  wire [2:0]                  s_op_kind,
    input  wire                        s_op_check,
    input  wire                        s_op_max,
    input  wire                        s_op_beyond,
    input  wire [LEAVES_LOG2-1:0]      s_op_index,
    input  wire [GENERATION_BITS-1:0]  s_op_generation,
    input  wire [PRIORITY_WIDTH-1:0]   s_op_priority,
    input  wire [OP_TAG_WIDTH-1:0]     s_op_tag,

    output wire                        m_op_valid,
    input  wire                        m_op_ready,
    output wire [2:0]                  m_op_kind,
    output wire [1:0]                  m_op_status,
    output wire [LEAVES_LOG2-1:0]      m_op_index,
    output wire [GENERATION_BITS-1:0]  m_op_generation,
    output wire [PRIORITY_WIDTH-1:0]   m_op_priority,
    output wire [OP_TAG_WIDTH-1:0]     m_op_tag,

    input  wire                        s_sample_valid,
    output wire                        s_sample_ready,
    input  wire [1:0]                  s_sample_kind,
    input  wire [REQUEST_WIDTH-1:0]    s_sample_value,
    input  wire [SAMPLE_TAG_WIDTH-1:0] s_sample_tag,

    output wire                        m_sample_valid,
    input  wire                        m_sample_ready,
    output wire [1:0]                  m_sample_status,
    output wire [LEAVES_LOG2-1:0]      m_sample_index,
    output wire [PRIORITY_WIDTH-1:0]   m_sample_priority,
    output wire [SUM_WIDTH-1:0]        m_sample_total,
    output wire [GENERATION_BITS-1:0]  m_sample_generation,
    output wire [SAMPLE_TAG_WIDTH-1:0] m_sample_tag,

    output wire                        busy,
    output wire [SUM_WIDTH-1:0]        total,
    output wire [LEAVES_LOG2:0]        size,
    output wire [PRIORITY_WIDTH-1:0]   largest,
    output wire [LEAVES_LOG2:0]        capacity,
    output wire                        ev_stale,
    output wire                        ev_range,
    output wire                        ev_kind,
    output wire                        ev_empty,
    output wire                        ev_miss
);
    `include "rlc_sumtree_defs.vh"

    // At least what rlc_sumtree has on the way; a tag without room holds its request back all the same.
    localparam OP_TAGS     = OLD_CLOCK + 8;
    localparam SAMPLE_TAGS = EXIT_CLOCK + 10;

    wire op_ready, op_room, op_tagged, sample_ready, sample_room, sample_tagged;
    wire [$clog2(OP_TAGS+1)-1:0]     op_count;
    wire [$clog2(SAMPLE_TAGS+1)-1:0] sample_count;
    wire [LEAVES_LOG2-1:0]           next;
    wire                             full;
    assign s_op_ready     = op_ready && op_room;
    assign s_sample_ready = sample_ready && sample_room;

    rlc_fifo #(.WIDTH(OP_TAG_WIDTH), .DEPTH(OP_TAGS)) u_op_tags (
        .clk(clk), .rst(rst),
        .s_valid(s_op_valid && op_ready), .s_ready(op_room), .s_data(s_op_tag),
        .m_valid(op_tagged), .m_ready(m_op_valid && m_op_ready), .m_data(m_op_tag), .count(op_count)
    );
    rlc_fifo #(.WIDTH(SAMPLE_TAG_WIDTH), .DEPTH(SAMPLE_TAGS)) u_sample_tags (
        .clk(clk), .rst(rst),
        .s_valid(s_sample_valid && sample_ready), .s_ready(sample_room), .s_data(s_sample_tag),
        .m_valid(sample_tagged), .m_ready(m_sample_valid && m_sample_ready), .m_data(m_sample_tag),
        .count(sample_count)
    );

    rlc_sumtree #(
        .LEAVES_LOG2(LEAVES_LOG2), .RADIX_LOG2(RADIX_LOG2), .CAPACITY(CAPACITY), .PRIORITY_WIDTH(PRIORITY_WIDTH),
        .DRAW_WIDTH(DRAW_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH), .SHARED(SHARED), .HEAD_STYLE(HEAD_STYLE),
        .HEAD_LATENCY(HEAD_LATENCY), .NARROW_STYLE(NARROW_STYLE), .NARROW_LATENCY(NARROW_LATENCY),
        .WIDE_STYLE(WIDE_STYLE), .WIDE_LATENCY(WIDE_LATENCY), .BYPASS(BYPASS), .ADDS(ADDS), .STRATA(STRATA)
    ) u_tree (
        .clk(clk), .rst(rst),
        .cfg_capacity(cfg_capacity), .cfg_initial(cfg_initial), .cfg_strata(cfg_strata), .cfg_restart(cfg_restart),
        .cfg_seed_valid(cfg_seed_valid), .cfg_seed(cfg_seed),
        .s_op_valid(s_op_valid && op_room), .s_op_ready(op_ready), .s_op_kind(s_op_kind), .s_op_check(s_op_check),
        .s_op_max(s_op_max), .s_op_beyond(s_op_beyond), .s_op_index(s_op_index), .s_op_generation(s_op_generation),
        .s_op_priority(s_op_priority),
        .m_op_valid(m_op_valid), .m_op_ready(m_op_ready), .m_op_kind(m_op_kind), .m_op_status(m_op_status),
        .m_op_index(m_op_index), .m_op_generation(m_op_generation), .m_op_priority(m_op_priority),
        .s_sample_valid(s_sample_valid && sample_room), .s_sample_ready(sample_ready),
        .s_sample_kind(s_sample_kind), .s_sample_value(s_sample_value),
        .m_sample_valid(m_sample_valid), .m_sample_ready(m_sample_ready), .m_sample_status(m_sample_status),
        .m_sample_index(m_sample_index), .m_sample_priority(m_sample_priority), .m_sample_total(m_sample_total),
        .m_sample_generation(m_sample_generation),
        .busy(busy), .total(total), .size(size), .next(next), .full(full), .largest(largest),
        .capacity(capacity),
        .ev_stale(ev_stale), .ev_range(ev_range), .ev_kind(ev_kind), .ev_empty(ev_empty), .ev_miss(ev_miss)
    );

    wire unused = &{1'b0, op_tagged, op_count, sample_tagged, sample_count, next, full};
endmodule
`default_nettype wire
