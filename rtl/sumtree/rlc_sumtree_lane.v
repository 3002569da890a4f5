// rlc_sumtree_lane.v — one lane of sample requests: a draw decides the bank, and what to ask of it.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_strata    over 1: the lanes share the strata, lane l draws in strata l, l + BANKS, l + 2 BANKS ...
// cfg_private   quasi-static: requests go to bank LANE as they are
// s_*           request, valid/ready; the value is a draw or a target among all banks
// total, sums_* the snapshot, see rlc_sumtree_pickbank
// m_*           request to a bank, valid/ready:
//                  DRAW, no strata   DRAW: the bank draws by itself
//                  DRAW, GIVEN       SOFT with the target inside the bank: still the same stratum, and the bank draws
//                                    by itself if its total has shrunk below the target in the meantime
//                  TARGET, SOFT      TARGET with the target inside the bank
// throughput    one request a clock
`default_nettype none
module rlc_sumtree_lane #(
    parameter BANKS       = 8,             // 2, 4, 8 or 16
    parameter LANE        = 0,             // this lane
    parameter TOTAL_WIDTH = 30,            // bits of a bank's total
    parameter DRAW_WIDTH  = 32,            // bits of a draw u, 1..32
    parameter VALUE_WIDTH = 33,            // bits of a value
    parameter LOCAL_WIDTH = 32,            // bits of a bank's value
    parameter TAG_WIDTH   = 8,             // bits of a request's tag, >= 1
    parameter STRATA      = 1,             // 1: draws may be stratified
    parameter C_REG       = 0,             // as of rlc_umul
    parameter BANK_BITS   = $clog2(BANKS), // derived, leave it alone
    parameter SUM_WIDTH   = TOTAL_WIDTH + BANK_BITS // derived, leave it alone
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire [15:0]                cfg_strata,
    input  wire                       cfg_restart,
    input  wire                       cfg_seed_valid,
    input  wire [127:0]               cfg_seed,
    input  wire                       cfg_private,

    input  wire                       s_valid,
    output wire                       s_ready,
    input  wire [1:0]                 s_kind,
    input  wire [VALUE_WIDTH-1:0]     s_value,
    input  wire [TAG_WIDTH-1:0]       s_tag,

    input  wire [SUM_WIDTH-1:0]       total,
    input  wire [BANKS*SUM_WIDTH-1:0] sums_late,
    input  wire [BANKS*SUM_WIDTH-1:0] sums_later,

    output wire                       m_valid,
    input  wire                       m_ready,
    output wire [BANK_BITS-1:0]       m_bank,
    output wire [1:0]                 m_kind,
    output wire [LOCAL_WIDTH-1:0]     m_value,
    output wire [TAG_WIDTH-1:0]       m_tag
);
    `include "rlc_sumtree_kinds.vh"
    `include "rlc_sumtree_late.vh"

    // Requests between here and the queue of their bank: the clocks of the pick, and some for those that wait.
    localparam PLACES = (PICK_CLOCKS + 8 > 32) ? PICK_CLOCKS + 8 : 32;

    wire                  draw_valid;
    wire [DRAW_WIDTH-1:0] draw;
    wire                  room;
    wire                  ready  = draw_valid || cfg_private;
    wire                  accept = s_valid && ready && room;
    assign s_ready = ready && room;

    rlc_sumtree_draw #(.DRAW_WIDTH(DRAW_WIDTH), .STRATA(STRATA), .FIRST(LANE), .STEP(BANKS)) u_draw (
        .clk(clk), .rst(rst),
        .cfg_strata(cfg_strata), .cfg_restart(cfg_restart), .cfg_seed_valid(cfg_seed_valid), .cfg_seed(cfg_seed),
        .m_valid(draw_valid), .m_ready(accept && !cfg_private && s_kind == SAMPLE_DRAW), .m_draw(draw)
    );

    // Kind and tag wait here, from acceptance until the request leaves the lane; so picked requests have room below.
    wire [1:0]             kind;
    wire                   waiting;
    rlc_fifo #(.WIDTH(2 + TAG_WIDTH), .DEPTH(PLACES)) u_waiting (
        .clk(clk), .rst(rst),
        .s_valid(s_valid && ready), .s_ready(room), .s_data({s_kind, s_tag}),
        .m_valid(waiting), .m_ready(m_valid && m_ready), .m_data({kind, m_tag}), .count()
    );

    wire                   picked;
    wire [BANK_BITS-1:0]   picked_bank;
    wire [LOCAL_WIDTH-1:0] picked_value;
    rlc_sumtree_pickbank #(
        .BANKS(BANKS), .LANE(LANE), .TOTAL_WIDTH(TOTAL_WIDTH), .DRAW_WIDTH(DRAW_WIDTH), .VALUE_WIDTH(VALUE_WIDTH),
        .LOCAL_WIDTH(LOCAL_WIDTH), .C_REG(C_REG)
    ) u_pick (
        .clk(clk), .rst(rst), .cfg_private(cfg_private),
        .s_valid(accept), .s_exact(cfg_private || s_kind == SAMPLE_TARGET || s_kind == SAMPLE_SOFT),
        .s_draw(s_kind == SAMPLE_GIVEN ? s_value[DRAW_WIDTH-1:0] : draw), .s_value(s_value),
        .total(total), .sums_late(sums_late), .sums_later(sums_later),
        .m_valid(picked), .m_bank(picked_bank), .m_value(picked_value)
    );
    rlc_queue #(.WIDTH(BANK_BITS + LOCAL_WIDTH), .DEPTH(PLACES)) u_picked (
        .clk(clk), .rst(rst), .s_valid(picked), .s_data({picked_bank, picked_value}),
        .m_valid(m_valid), .m_ready(m_ready), .m_data({m_bank, m_value})
    );

    assign m_kind = cfg_private                                         ? kind
                  : (kind == SAMPLE_TARGET || kind == SAMPLE_SOFT)      ? SAMPLE_TARGET
                  : (kind == SAMPLE_DRAW && cfg_strata[15:1] == 15'd0)  ? SAMPLE_DRAW : SAMPLE_SOFT;

    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(m_valid && !waiting));
endmodule
`default_nettype wire
