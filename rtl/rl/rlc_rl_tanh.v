// rlc_rl_tanh.v — the actor's last step: tanh of its output, as an input of the critic, and the slope of tanh.
// SPDX-License-Identifier: Apache-2.0
//
//   a = sat18(round(tanh(u) * 2^16 / 2^cfg_shift)), d = round(2^16 * (1 - tanh(u)^2))
//
// s_*         u, sfix(18,14)
// m_a_*       actions, sfix(18, 16 - cfg_shift); |a| <= 1.0, so nothing saturates with a shift of 0..16
// m_d_*       slopes, ufix(17,16): 0 .. 1.0
// cfg_shift   constant while anything is inside
// latency     10 clocks (m_d 11 with more than 64 places), one word a clock with 13 places or more
// cost        one DSP and one table of rlc_tanh an element, one DSP more with DERIVATIVE
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
module rlc_rl_tanh #(
    parameter DP         = 2,  // columns, >= 1
    parameter LANES      = 4,  // elements a word and column, >= 1
    parameter DERIVATIVE = 1,  // 1: the slopes come out at m_d; 0: none
    parameter A_PLACES   = 16, // words that can wait at m_a, >= 2
    parameter D_PLACES   = 16  // words that can wait at m_d, >= 2; a full queue stops both: slopes needed late want many
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [5:0]             cfg_shift,
    `RLC_STREAM_SLAVE(s, DP*LANES*18),
    `RLC_STREAM_MASTER(m_a, DP*LANES*18),
    `RLC_STREAM_MASTER(m_d, DP*LANES*17)
);
    `RLC_CHECK(DP >= 1 && LANES >= 1, rlc_rl_tanh_illegal_DP_and_LANES_must_be_at_least_1)
    `RLC_CHECK(DERIVATIVE == 0 || DERIVATIVE == 1, rlc_rl_tanh_illegal_DERIVATIVE_must_be_0_or_1)
    `RLC_CHECK(A_PLACES >= 2 && D_PLACES >= 2, rlc_rl_tanh_illegal_A_PLACES_and_D_PLACES_must_be_at_least_2)

    localparam N      = DP * LANES;
    localparam TANH   = 6;
    localparam STAGES = TANH + 3;   // the DSP's three and the shifter's three stand side by side

    // Nothing stalls between here and the queues, so a word enters only when both have a place for it.
    wire room_a, room_d;
    wire take = s_valid && s_ready;
    assign s_ready = room_a && room_d;
    reg [STAGES-1:0] line_q;
    always @(posedge clk)
        if (rst) line_q <= {STAGES{1'b0}};
        else     line_q <= {line_q[STAGES-2:0], take};

    wire [N*18-1:0] actions;
    wire [N*17-1:0] slopes;
    genvar i;
    for (i = 0; i < N; i = i + 1) begin : g_element
        wire signed [17:0] u = s_data[i*18 +: 18];
        wire signed [17:0] a;
        wire               over;
        rlc_tanh u_tanh (.clk(clk), .x(u), .y(a));
        rlc_shift_sat #(.WIN(18), .WOUT(18), .SHIFT_WIDTH(6)) u_action (
            .clk(clk), .s_data(a), .shift(cfg_shift), .m_data(actions[i*18 +: 18]), .m_saturated(over)
        );
        if (DERIVATIVE != 0) begin : g_slope
            // 2^32 and the half that rounds, minus a * a: between 2^15 and 2^32 + 2^15.
            wire signed [17:0] minus_a = -a;
            wire signed [33:0] square;
            rlc_mac #(
                .A_WIDTH(18), .B_WIDTH(18), .C_WIDTH(34), .P_WIDTH(34), .A_REG(1), .B_REG(1), .C_REG(0)
            ) u_square (
                .clk(clk), .a(a), .b(minus_a), .c(34'sh1_0000_8000), .acc(1'b0), .m_clear(1'b0), .c_clear(1'b0),
                .p(square)
            );
            assign slopes[i*17 +: 17] = square[32:16];
            wire unused = &{1'b0, square[33], square[15:0]};
        end else begin : g_no_slope
            assign slopes[i*17 +: 17] = 17'd0;
        end
        wire unused = &{1'b0, over};
    end

    rlc_credit #(.PLACES(A_PLACES)) u_a_credit (
        .clk(clk), .rst(rst), .take(take), .give(m_a_valid && m_a_ready), .room(room_a)
    );
    rlc_queue #(.WIDTH(N*18), .DEPTH(A_PLACES), .STYLE((A_PLACES > 64) ? "block" : "distributed")) u_a (
        .clk(clk), .rst(rst), .s_valid(line_q[STAGES-1]), .s_data(actions), `RLC_STREAM_JOIN(m, m_a)
    );
    if (DERIVATIVE != 0) begin : g_d
        rlc_credit #(.PLACES(D_PLACES)) u_d_credit (
            .clk(clk), .rst(rst), .take(take), .give(m_d_valid && m_d_ready), .room(room_d)
        );
        rlc_queue #(.WIDTH(N*17), .DEPTH(D_PLACES), .STYLE((D_PLACES > 64) ? "block" : "distributed")) u_d (
            .clk(clk), .rst(rst), .s_valid(line_q[STAGES-1]), .s_data(slopes), `RLC_STREAM_JOIN(m, m_d)
        );
    end else begin : g_no_d
        assign room_d    = 1'b1;
        assign m_d_valid = 1'b0;
        assign m_d_data  = slopes;
        wire unused = &{1'b0, m_d_ready};
    end
endmodule
`default_nettype wire
