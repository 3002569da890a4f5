// rlc_rl_info.v — scales the rewards of batch slices that are still on their way, and keeps what else is known of them.
// SPDX-License-Identifier: Apache-2.0
//
//   r = sat(round(reward * reward_scale / 2^reward_shift))
//
// s_*          `RLC_RL_INFO_BITS a column; action < 2^AT_WIDTH
// m_*          one word a batch slice, packed by field: column d in the d-th slice of each
// reward_scale ufix(18,17), at most 1.0; constant while anything is inside, as reward_shift
// latency      7 clocks; up to 9 batch slices are held
// cost         one DSP a column
`default_nettype none
`include "rlc_rl_words.vh"
module rlc_rl_info #(
    parameter DP       = 2,  // columns
    parameter WIDTH    = 27, // bits of r
    parameter AT_WIDTH = 2   // bits of an action's number
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [17:0]            reward_scale,
    input  wire [5:0]             reward_shift,
    input  wire                   s_valid,
    output wire                   s_ready,
    input  wire [DP*`RLC_RL_INFO_BITS-1:0] s_data,
    output wire                   m_valid,
    input  wire                   m_ready,
    output wire [DP-1:0]          m_last,
    output wire [DP-1:0]          m_record,
    output wire [DP-1:0]          m_terminated,
    output wire [DP*AT_WIDTH-1:0] m_action,
    output wire [DP*18-1:0]       m_weight,
    output wire [DP*WIDTH-1:0]    m_reward,
    output wire [DP-1:0]          m_saturated
);
    localparam STAGES = 6;   // the DSP's three and the shifter's three
    localparam PLACES = 9;
    localparam BESIDE = 3 + AT_WIDTH + 18;
    localparam FIELDS = 1 + BESIDE + WIDTH;

    // 1.0 has 18 bits without a sign: only its negative fits the DSP's signed port. -1 - x is x with every bit turned.
    reg signed [17:0] minus_scale_q;
    always @(posedge clk) minus_scale_q <= 18'd0 - reward_scale;

    wire                 take = s_valid && s_ready;
    reg  [STAGES-1:0]    line_q;
    wire [DP*FIELDS-1:0] done, head;
    always @(posedge clk)
        if (rst) line_q <= {STAGES{1'b0}};
        else     line_q <= {line_q[STAGES-2:0], take};

    genvar d;
    for (d = 0; d < DP; d = d + 1) begin : g_column
        wire [`RLC_RL_INFO_BITS-1:0] word = s_data[d*`RLC_RL_INFO_BITS +: `RLC_RL_INFO_BITS];
        wire [15:0]        action = word[`RLC_RL_INFO_ACTION];
        wire signed [26:0] reward = word[`RLC_RL_INFO_REWARD];
        wire signed [44:0] turned;
        wire [WIDTH-1:0]   r;
        wire               saturated;
        wire [BESIDE-1:0]  beside;
        rlc_mac #(
            .A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(1), .P_WIDTH(45), .A_REG(1), .B_REG(0), .C_REG(0)
        ) u_scale (
            .clk(clk), .a(reward), .b(minus_scale_q), .c(1'b1), .acc(1'b0),
            .m_clear(1'b0), .c_clear(1'b0), .p(turned)
        );
        rlc_shift_sat #(.WIN(45), .WOUT(WIDTH), .SHIFT_WIDTH(6)) u_narrow (
            .clk(clk), .s_data(~turned), .shift(reward_shift), .m_data(r), .m_saturated(saturated)
        );
        rlc_delay #(.WIDTH(BESIDE), .CLOCKS(STAGES)) u_beside (
            .clk(clk), .d({word[`RLC_RL_INFO_LAST], word[`RLC_RL_INFO_VALID], word[`RLC_RL_INFO_TERMINATED],
                            action[AT_WIDTH-1:0], word[`RLC_RL_INFO_WEIGHT]}), .q(beside)
        );
        assign done[d*FIELDS +: FIELDS] = {beside, saturated, r};

        assign {
            m_last[d], m_record[d], m_terminated[d], m_action[d*AT_WIDTH +: AT_WIDTH], m_weight[d*18 +: 18],
            m_saturated[d], m_reward[d*WIDTH +: WIDTH]
        } = head[d*FIELDS +: FIELDS];

        wire unused = &{1'b0, action};
    end

    // `m_ready` ends a long path: a place is given back a clock later, and there is one more.
    reg given_q;
    always @(posedge clk) given_q <= m_valid && m_ready && !rst;
    rlc_credit #(.PLACES(PLACES)) u_credit (.clk(clk), .rst(rst), .take(take), .give(given_q), .room(s_ready));
    rlc_queue #(.WIDTH(DP*FIELDS), .DEPTH(PLACES)) u_batch_slices (
        .clk(clk), .rst(rst), .s_valid(line_q[STAGES-1]), .s_data(done),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(head)
    );
endmodule
`default_nettype wire
