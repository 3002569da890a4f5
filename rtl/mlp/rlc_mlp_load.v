// rlc_mlp_load.v — takes sets of weights, and swaps a whole one in between two passes.
// SPDX-License-Identifier: Apache-2.0
//
// s_load_*    a set, 32 bits at a time: IDENTITY, the biases, the gains and offsets of
//             normalised layers, the weights; last with its last word. It is written over the
//             version that is not active, so nothing waits for it but the swap
// taken       pulse: a set became active
// refused     pulse: a set had another identity or another length, and counts as not sent
// swap        no pass is inside and none enters, or one leaves: a complete set may become active
// active      the version that passes use; loaded: it holds a set
// reset       forgets a set that has begun. The active set stays, for its memory does; without READY nothing is loaded
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp_load #(
    parameter IDENTITY = 0,    // first word of every set
    parameter ROWS     = 4,    // biases in a group
    parameter GROUPS   = 4,    // groups of biases
    parameter ACTS     = 1,    // gains and offsets in a word
    parameter NORMS    = 0,    // words of gains and offsets
    parameter PARTS    = 4,    // parts of a word of weights
    parameter STEPS    = 16,   // words of weights
    parameter READY    = 0,    // 1: version 0 holds a set from the start
    parameter GROUP_BITS = (GROUPS > 1) ? $clog2(GROUPS) : 1, // derived; leave it alone
    parameter NORM_BITS  = (NORMS > 1) ? $clog2(NORMS) : 1,   // derived; leave it alone
    parameter STEP_BITS  = (STEPS > 1) ? $clog2(STEPS) : 1    // derived; leave it alone
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  s_load_valid,
    output wire                  s_load_ready,
    input  wire [31:0]           s_load_data,
    input  wire                  s_load_last,
    output reg                   taken,
    output reg                   refused,
    input  wire                  swap,
    output wire                  active,
    output wire                  loaded,
    output reg  [ROWS-1:0]       bias_en,
    output wire [GROUP_BITS-1:0] bias_addr,
    output reg  [ACTS-1:0]       norm_en,
    output wire [NORM_BITS-1:0]  norm_addr,
    output reg  [PARTS-1:0]      weight_en,
    output wire [STEP_BITS-1:0]  weight_addr
);
    `RLC_CHECK(ROWS >= 1 && GROUPS >= 1 && PARTS >= 1 && STEPS >= 1,
               rlc_mlp_load_illegal_ROWS_and_GROUPS_and_PARTS_and_STEPS_must_be_at_least_1)
    localparam HEAD = 3'd0, BIAS = 3'd1, NORM = 3'd2, WEIGHT = 3'd3, SKIP = 3'd4;
    localparam LONGER  = (ROWS > PARTS) ? ROWS : PARTS;
    localparam LONGEST = (ACTS > LONGER) ? ACTS : LONGER;
    localparam PART_BITS = (LONGEST > 1) ? $clog2(LONGEST) : 1;

    localparam integer LAST_ROW   = ROWS - 1;
    localparam integer LAST_ACT   = ACTS - 1;
    localparam integer LAST_PART  = PARTS - 1;
    localparam integer LAST_GROUP = GROUPS - 1;
    localparam integer LAST_NORM  = (NORMS > 0) ? NORMS - 1 : 0;
    localparam integer LAST_STEP  = STEPS - 1;

    reg                  active_q;
    reg                  loaded_q;
    initial begin
        active_q = 1'b0;
        loaded_q = (READY != 0);
    end
    reg                  pending_q;
    reg [2:0]            state_q;
    reg [PART_BITS-1:0]  part_q;
    reg [GROUP_BITS-1:0] group_q;
    reg [NORM_BITS-1:0]  norm_q;
    reg [STEP_BITS-1:0]  step_q;
    assign active = active_q;
    assign loaded = loaded_q;

    assign s_load_ready = !pending_q;
    wire take      = s_load_valid && s_load_ready;
    wire row_end   = part_q == LAST_ROW[PART_BITS-1:0];
    wire act_end   = part_q == LAST_ACT[PART_BITS-1:0];
    wire part_end  = part_q == LAST_PART[PART_BITS-1:0];
    wire bias_end  = row_end && group_q == LAST_GROUP[GROUP_BITS-1:0];
    wire norm_end  = act_end && norm_q == LAST_NORM[NORM_BITS-1:0];
    wire set_end   = state_q == WEIGHT && part_end && step_q == LAST_STEP[STEP_BITS-1:0];
    wire good      = take && set_end && s_load_last;
    wire bad       = take && (state_q == SKIP ? s_load_last
                              : set_end != s_load_last || (state_q == HEAD && s_load_data != IDENTITY));
    // A set whose head is wrong, or which goes on behind its end, is over with its last word.
    wire wrong_now = bad && (state_q == SKIP || s_load_last);
    wire wrong_on  = bad && !wrong_now;

    wire [31:0] part = {{(32-PART_BITS){1'b0}}, part_q};
    integer     i;
    always @* begin
        for (i = 0; i < ROWS; i = i + 1)  bias_en[i]   = take && state_q == BIAS && part == i;
        for (i = 0; i < ACTS; i = i + 1)  norm_en[i]   = take && state_q == NORM && part == i;
        for (i = 0; i < PARTS; i = i + 1) weight_en[i] = take && state_q == WEIGHT && part == i;
    end
    assign bias_addr   = group_q;
    assign norm_addr   = norm_q;
    assign weight_addr = step_q;

    wire exchange = pending_q && swap;
    always @(posedge clk) begin
        taken   <= exchange && !rst;
        refused <= wrong_now && !rst;
        if (rst) begin
            state_q   <= HEAD;
            pending_q <= 1'b0;
        end else begin
            if (good)          pending_q <= 1'b1;
            else if (exchange) pending_q <= 1'b0;
            if (wrong_now || good) state_q <= HEAD;
            else if (wrong_on)     state_q <= SKIP;
            else if (take)
                case (state_q)
                    HEAD:    state_q <= BIAS;
                    BIAS:    state_q <= !bias_end ? BIAS : (NORMS > 0) ? NORM : WEIGHT;
                    NORM:    state_q <= norm_end ? WEIGHT : NORM;
                    default: state_q <= state_q;
                endcase
        end
        if (take) begin
            if (state_q == HEAD) begin
                part_q  <= {PART_BITS{1'b0}};
                group_q <= {GROUP_BITS{1'b0}};
                norm_q  <= {NORM_BITS{1'b0}};
                step_q  <= {STEP_BITS{1'b0}};
            end else if (state_q == BIAS) begin
                part_q  <= row_end ? {PART_BITS{1'b0}} : part_q + 1'b1;
                group_q <= row_end ? group_q + 1'b1 : group_q;
            end else if (state_q == NORM) begin
                part_q <= act_end ? {PART_BITS{1'b0}} : part_q + 1'b1;
                norm_q <= act_end ? norm_q + 1'b1 : norm_q;
            end else begin
                part_q <= part_end ? {PART_BITS{1'b0}} : part_q + 1'b1;
                step_q <= part_end ? step_q + 1'b1 : step_q;
            end
        end
        if (exchange && !rst) active_q <= !active_q;
        if (rst && READY == 0)     loaded_q <= 1'b0;
        else if (exchange && !rst) loaded_q <= 1'b1;
    end
endmodule
`default_nettype wire
