// rlc_rl_tanh_backward.v — deltas of the actor's output: what the critic says of the action, times the slope of tanh.
// SPDX-License-Identifier: Apache-2.0
//
//   delta = sat18(round(da * d / 2^cfg_shift))
//
// s_da_*     the critic's gradient by the action, sfix(18, fp): one word with each word of s_d
// s_d_*      slopes, ufix(17,16), 0 .. 1.0
// m_*        deltas, sfix(18, 16 + fp - cfg_shift)
// cfg_shift  constant while anything is inside
// sat        how many elements saturated in this clock
// latency    7 clocks, one word a clock
// cost       one DSP an element
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
module rlc_rl_tanh_backward #(
    parameter DP        = 2, // columns, >= 1
    parameter LANES     = 4, // elements a word and column, >= 1
    parameter SAT_COUNT = $clog2(DP*LANES + 1) // derived, leave it alone
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [5:0]             cfg_shift,
    `RLC_STREAM_SLAVE(s_da, DP*LANES*18),
    `RLC_STREAM_SLAVE(s_d, DP*LANES*17),
    `RLC_STREAM_MASTER(m, DP*LANES*18),
    output wire [SAT_COUNT-1:0]   sat
);
    `RLC_CHECK(DP >= 1 && LANES >= 1, rlc_rl_tanh_backward_illegal_DP_and_LANES_must_be_at_least_1)

    localparam N      = DP * LANES;
    localparam STAGES = 6;    // the DSP's three and the shifter's three
    localparam PLACES = 12;   // enough for a word a clock

    wire room;
    wire take = s_da_valid && s_d_valid && room;
    assign s_da_ready = s_d_valid && room;
    assign s_d_ready  = s_da_valid && room;
    reg [STAGES-1:0] line_q;
    always @(posedge clk)
        if (rst) line_q <= {STAGES{1'b0}};
        else     line_q <= {line_q[STAGES-2:0], take};

    wire [N*18-1:0] delta;
    wire [N-1:0]    over;
    genvar i;
    for (i = 0; i < N; i = i + 1) begin : g_element
        wire signed [17:0] da = s_da_data[i*18 +: 18];
        wire signed [17:0] d  = {1'b0, s_d_data[i*17 +: 17]};
        wire signed [35:0] product;
        rlc_mac #(
            .A_WIDTH(18), .B_WIDTH(18), .C_WIDTH(1), .P_WIDTH(36), .A_REG(1), .B_REG(1), .C_REG(0)
        ) u_product (
            .clk(clk), .a(da), .b(d), .c(1'b0), .acc(1'b0), .m_clear(1'b0), .c_clear(1'b0), .p(product)
        );
        rlc_shift_sat #(.WIN(36), .WOUT(18), .SHIFT_WIDTH(6)) u_delta (
            .clk(clk), .s_data(product), .shift(cfg_shift), .m_data(delta[i*18 +: 18]), .m_saturated(over[i])
        );
    end

    rlc_credit #(.PLACES(PLACES)) u_credit (
        .clk(clk), .rst(rst), .take(take), .give(m_valid && m_ready), .room(room)
    );
    rlc_queue #(.WIDTH(N*18), .DEPTH(PLACES)) u_out (
        .clk(clk), .rst(rst), .s_valid(line_q[STAGES-1]), .s_data(delta), `RLC_STREAM_JOIN(m, m)
    );
    rlc_popcount #(.WIDTH(N)) u_sat (.clk(clk), .rst(rst), .d(over & {N{line_q[STAGES-1]}}), .count(sat));
endmodule
`default_nettype wire
