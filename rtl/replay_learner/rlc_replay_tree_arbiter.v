// rlc_replay_tree_arbiter.v — the four who operate on the tree: updates first, then commits, reservations and the host.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_td_frac  fraction bits of the values of updates and commits, 0 to 20; the tree gets them with 20, at most 2^31 - 1
// s_upd_*      UPDATE of a slot that still has its generation, by a TD error
// s_com_*      COMMIT of a slot by a TD error, or with s_com_max by the largest priority so far
// s_res_*      RESERVE
// s_host_*     any kind but RESERVE and COMMIT, with a priority as the tree keeps it; only while no update is on its way,
//              and one at a time: host_waits is high until its answer
// m_op_*       the tree's operations, s_axis_op of rlc_sumtree_axi, each with TLAST so that each is answered
// s_answer_*   its answers, in order, always taken
// under_way    an update is here, not taken by the tree; pending: taken, or here, and not answered
// reserve_taken, slot_*   a RESERVE is taken by the tree; its answer
// ev_*         pulses: a COMMIT answered, its slot overwritten since or not; an UPDATE answered STALE; an INSERT carried out
// latency      3 clocks to m_op
`default_nettype none
`include "rlc_sumtree_words.vh"
module rlc_replay_tree_arbiter #(
    parameter INDEX_WIDTH = 12, // bits of a slot's number
    parameter TAG_WIDTH   = 8   // bits of its generation
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [4:0]             cfg_td_frac,

    input  wire                   s_upd_valid,
    output wire                   s_upd_ready,
    input  wire [INDEX_WIDTH-1:0] s_upd_index,
    input  wire [TAG_WIDTH-1:0]   s_upd_generation,
    input  wire [31:0]            s_upd_value,
    input  wire                   s_com_valid,
    output wire                   s_com_ready,
    input  wire [INDEX_WIDTH-1:0] s_com_index,
    input  wire [TAG_WIDTH-1:0]   s_com_generation,
    input  wire [31:0]            s_com_value,
    input  wire                   s_com_max,
    input  wire                   s_res_valid,
    output wire                   s_res_ready,
    input  wire                   s_host_valid,
    output wire                   s_host_ready,
    input  wire [2:0]             s_host_kind,
    input  wire                   s_host_check,
    input  wire [31:0]            s_host_index,
    input  wire [31:0]            s_host_generation,
    input  wire [31:0]            s_host_value,

    output wire                   m_op_valid,
    input  wire                   m_op_ready,
    output wire `RLC_SUMTREE_OP   m_op_data,
    input  wire                   s_answer_valid,
    input  wire `RLC_SUMTREE_DONE s_answer_data,

    output wire                   under_way,
    output wire                   pending,
    output wire                   reserve_taken,
    output wire                   slot_valid,
    output wire [INDEX_WIDTH-1:0] slot_index,
    output wire [TAG_WIDTH-1:0]   slot_generation,
    output wire                   ev_commit,
    output wire                   ev_commit_stale,
    output wire                   ev_update_stale,
    output wire                   ev_insert,
    output reg                    host_waits,
    output wire [1:0]             host_status,
    output wire [31:0]            host_index,
    output wire [31:0]            host_value,
    output wire [31:0]            host_generation
);
    `include "rlc_sumtree_kinds.vh"

    localparam [31:0] MOST = 32'h7FFF_FFFF;

    // Stage 1: who is next. What is not said of an operation is 0.
    wire         ready_s1, ready_s2, ready_s3;
    wire         host    = s_host_valid && !host_waits;
    wire         any     = s_upd_valid || s_com_valid || s_res_valid || host;
    wire         by_upd  = s_upd_valid;
    wire         by_com  = !by_upd && s_com_valid;
    wire         by_res  = !by_upd && !s_com_valid && s_res_valid;
    wire         by_host = !by_upd && !s_com_valid && !s_res_valid && host;
    assign s_upd_ready  = ready_s1;
    assign s_com_ready  = ready_s1 && !s_upd_valid;
    assign s_res_ready  = ready_s1 && !s_upd_valid && !s_com_valid;
    assign s_host_ready = ready_s1 && by_host;

    wire [31:0] upd_index      = {{(32-INDEX_WIDTH){1'b0}}, s_upd_index};
    wire [31:0] com_index      = {{(32-INDEX_WIDTH){1'b0}}, s_com_index};
    wire [31:0] upd_generation = {{(32-TAG_WIDTH){1'b0}}, s_upd_generation};
    wire [31:0] com_generation = {{(32-TAG_WIDTH){1'b0}}, s_com_generation};

    reg               valid_s1;
    reg               scale_s1;    // its value is a TD error
    reg  `RLC_SUMTREE_PLAN plan_s1;
    reg  [31:0]       value_s1;
    reg  [4:0]        shift_q;
    always @(posedge clk) begin
        if (rst) valid_s1 <= 1'b0;
        else if (ready_s1) valid_s1 <= any;
        shift_q <= 5'd20 - cfg_td_frac;
    end
    always @(posedge clk) begin
        if (ready_s1) begin
            scale_s1  <= by_upd || by_com;
            plan_s1[`RLC_SUMTREE_PLAN_OWN]        <= by_upd;
            plan_s1[`RLC_SUMTREE_PLAN_RESERVE]    <= by_res;
            plan_s1[`RLC_SUMTREE_PLAN_TD]         <= by_upd || (by_com && !s_com_max);
            plan_s1[`RLC_SUMTREE_PLAN_MAX]        <= by_com && s_com_max;
            plan_s1[`RLC_SUMTREE_PLAN_CHECK]      <= by_upd || by_com || (!by_res && s_host_check);
            plan_s1[`RLC_SUMTREE_PLAN_KIND]       <= by_upd ? OP_UPDATE : by_com ? OP_COMMIT : by_res ? OP_RESERVE
                                                   : s_host_kind;
            plan_s1[`RLC_SUMTREE_PLAN_GENERATION] <= by_upd ? upd_generation : by_com ? com_generation
                                                   : by_res ? 32'd0 : s_host_generation;
            plan_s1[`RLC_SUMTREE_PLAN_INDEX]      <= by_upd ? upd_index : by_com ? com_index
                                                   : by_res ? 32'd0 : s_host_index;
            value_s1  <= by_upd ? s_upd_value : by_com ? s_com_value : by_res ? 32'd0 : s_host_value;
        end
    end

    // Stage 2: shifted by whole groups of four.
    reg               valid_s2, scale_s2, over_s2;
    reg  `RLC_SUMTREE_PLAN plan_s2;
    reg  [31:0]       value_s2;
    wire [51:0]       coarse = {20'd0, value_s1} << (scale_s1 ? {shift_q[4:2], 2'b00} : 5'd0);
    always @(posedge clk) begin
        if (rst) valid_s2 <= 1'b0;
        else if (ready_s2) valid_s2 <= valid_s1;
    end
    always @(posedge clk) begin
        if (ready_s2) begin
            scale_s2  <= scale_s1;
            plan_s2   <= plan_s1;
            value_s2  <= coarse[31:0];
            over_s2   <= coarse[51:32] != 20'd0;
        end
    end

    // Stage 3: the rest of the shift, saturated.
    reg               valid_s3;
    reg  `RLC_SUMTREE_PLAN plan_s3;
    reg  [31:0]       value_s3;
    wire [34:0]       fine = {3'd0, value_s2} << shift_q[1:0];
    always @(posedge clk) begin
        if (rst) valid_s3 <= 1'b0;
        else if (ready_s3) valid_s3 <= valid_s2;
    end
    always @(posedge clk) begin
        if (ready_s3) begin
            plan_s3   <= plan_s2;
            value_s3  <= !scale_s2 ? value_s2 : over_s2 || fine[34:31] != 4'd0 ? MOST : fine[31:0];
        end
    end
    assign ready_s3   = !valid_s3 || m_op_ready;
    assign ready_s2   = !valid_s2 || ready_s3;
    assign ready_s1   = !valid_s1 || ready_s2;
    assign m_op_valid = valid_s3;
    assign m_op_data[`RLC_SUMTREE_OP_REST]       = 26'd0;
    assign m_op_data[`RLC_SUMTREE_OP_TD]         = plan_s3[`RLC_SUMTREE_PLAN_TD];
    assign m_op_data[`RLC_SUMTREE_OP_MAX]        = plan_s3[`RLC_SUMTREE_PLAN_MAX];
    assign m_op_data[`RLC_SUMTREE_OP_CHECK]      = plan_s3[`RLC_SUMTREE_PLAN_CHECK];
    assign m_op_data[`RLC_SUMTREE_OP_KIND]       = plan_s3[`RLC_SUMTREE_PLAN_KIND];
    assign m_op_data[`RLC_SUMTREE_OP_GENERATION] = plan_s3[`RLC_SUMTREE_PLAN_GENERATION];
    assign m_op_data[`RLC_SUMTREE_OP_PRIORITY]   = value_s3;
    assign m_op_data[`RLC_SUMTREE_OP_INDEX]      = plan_s3[`RLC_SUMTREE_PLAN_INDEX];

    assign under_way     = (valid_s1 && plan_s1[`RLC_SUMTREE_PLAN_OWN]) || (valid_s2 && plan_s2[`RLC_SUMTREE_PLAN_OWN])
                        || (valid_s3 && plan_s3[`RLC_SUMTREE_PLAN_OWN]);
    assign reserve_taken = valid_s3 && m_op_ready && plan_s3[`RLC_SUMTREE_PLAN_RESERVE];

    // ---- answers: told apart by their kind. The host's never meets an update's, because the loop is idle then.
    reg         answer_q;
    reg  `RLC_SUMTREE_DONE done_q;
    wire [2:0]  kind       = done_q[`RLC_SUMTREE_DONE_KIND];
    wire [1:0]  status     = done_q[`RLC_SUMTREE_DONE_STATUS];
    wire [31:0] index      = done_q[`RLC_SUMTREE_DONE_INDEX];
    wire [31:0] generation = done_q[`RLC_SUMTREE_DONE_GENERATION];
    reg  [15:0] pending_q;
    wire        of_reserve = answer_q && kind == OP_RESERVE;
    wire        of_commit  = answer_q && kind == OP_COMMIT;
    wire        of_host    = answer_q && !of_reserve && !of_commit && host_waits;
    wire        of_update  = answer_q && kind == OP_UPDATE && !host_waits;
    always @(posedge clk) begin
        if (rst) begin
            answer_q     <= 1'b0;
            host_waits   <= 1'b0;
            pending_q    <= 16'd0;
        end else begin
            answer_q     <= s_answer_valid;
            host_waits   <= (s_host_valid && s_host_ready) || (host_waits && !of_host);
            pending_q    <= pending_q + {15'd0, s_upd_valid && s_upd_ready} - {15'd0, of_update};
        end
    end
    always @(posedge clk) done_q <= s_answer_data;
    assign pending         = pending_q != 16'd0;
    assign slot_valid      = of_reserve;
    assign slot_index      = index[INDEX_WIDTH-1:0];
    assign slot_generation = generation[TAG_WIDTH-1:0];
    assign ev_commit       = of_commit && status == OP_OK;
    assign ev_commit_stale = of_commit && status != OP_OK;
    assign ev_update_stale = of_update && status == OP_STALE;
    assign ev_insert       = of_host && kind == OP_INSERT && status == OP_OK;

    // The host reads its answer until its next one.
    reg [97:0] host_q;
    always @(posedge clk)
        if (rst)          host_q <= 98'd0;
        else if (of_host) host_q <= {status, generation, done_q[`RLC_SUMTREE_DONE_PRIORITY], index};
    assign {host_status, host_generation, host_value, host_index} = host_q;

    wire unused = &{1'b0, done_q[`RLC_SUMTREE_DONE_REST], done_q[`RLC_SUMTREE_DONE_ZERO]};
endmodule
`default_nettype wire
