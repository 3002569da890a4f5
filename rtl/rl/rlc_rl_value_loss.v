// rlc_rl_value_loss.v — PPO's value loss: from V and the return to the delta of the critic's output.
// SPDX-License-Identifier: Apache-2.0
//
//   delta = coefficient * (V - R), R = advantage + value before; with a limit the clipped loss
//
// s_q_*           V, sfix(27,16)
// s_info_*        `RLC_RL_VALUE_BITS: V when it acted, and GAE's advantage, sfix(27,16)
// cfg_value       ufix(18,17), at most 1.0. cfg_value_clip: ufix(26,16), 0 for none. cfg_shift: 33 - fd
// m_delta_*       sfix(18, fd)
// sat             how many numbers were saturated in this clock
// latency         12 clocks
// throughput      one sample per clock, while at most PLACES are inside
// cost            one DSP slice of 27 x 18
// model           rlcores.cores.ppo.head.value_delta
// equation        Schulman et al., "Proximal policy optimization algorithms", arXiv:1707.06347, equation 9
`default_nettype none
`include "rlc_rl_ports.vh"
module rlc_rl_value_loss #(
    parameter PLACES = 16 // samples that may be inside, 2..64
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [17:0] cfg_value,
    input  wire [25:0] cfg_value_clip,
    input  wire [5:0]  cfg_shift,
    `RLC_RL_LOSS(27, `RLC_RL_VALUE_BITS, 18),
    output wire [1:0]  sat
);
    `RLC_CHECK(PLACES >= 2 && PLACES <= 64, rlc_rl_value_loss_illegal_PLACES_must_be_2_to_64)

    // A sample enters when there is a place for its delta.
    wire               room;
    wire               begins    = s_q_valid && s_q_ready;
    wire signed [26:0] v_before  = s_info_data[`RLC_RL_VALUE_BEFORE];
    wire signed [26:0] advantage = s_info_data[`RLC_RL_VALUE_ADVANTAGE];
    assign s_q_ready    = room && s_info_valid;
    assign s_info_ready = room && s_q_valid;
    rlc_credit #(.PLACES(PLACES)) u_credit (
        .clk(clk), .rst(rst), .take(begins), .give(m_delta_valid && m_delta_ready), .room(room)
    );

    // Stage 1: the return. 2: how far it is, and how far the value has moved. 3: both saturated.
    reg  signed [26:0]  v_s1, before_v1, return_s1, before_v2, return_s2, error_s3, error_s4, return_s3, error_s5;
    reg  signed [27:0]  error_s2, moved_s2, held_s3;
    reg  signed [28:0]  clipped_s4;
    reg                 return_over_s1, error_over_s3, none_s5;
    reg  [11:1]         v_valid_q;
    wire signed [27:0]  return_d = {advantage[26], advantage} + {v_before[26], v_before};
    wire [26:0]         return_clipped, error_clipped;
    wire                return_limits, error_limits;
    wire signed [27:0]  reach    = {2'b00, cfg_value_clip};
    wire signed [27:0]  moved    = (moved_s2 > reach) ? reach : (moved_s2 < -reach) ? -reach : moved_s2;
    wire signed [28:0]  error_wide = {{2{error_s4[26]}}, error_s4};
    wire signed [28:0]  size_clipped = clipped_s4[28] ? -clipped_s4 : clipped_s4;
    wire signed [28:0]  size_error   = error_wide[28] ? -error_wide : error_wide;
    rlc_round_sat #(.WIN(28), .FRAC(0), .WOUT(27)) u_return (
        .in_data(return_d), .out_data(return_clipped), .saturated(return_limits)
    );
    rlc_round_sat #(.WIN(28), .FRAC(0), .WOUT(27)) u_error (
        .in_data(error_s2), .out_data(error_clipped), .saturated(error_limits)
    );
    always @(posedge clk) begin
        v_s1           <= s_q_data;
        before_v1      <= v_before;
        return_s1      <= return_clipped;
        return_over_s1 <= return_limits;
        error_s2       <= {v_s1[26], v_s1} - {return_s1[26], return_s1};
        moved_s2       <= {v_s1[26], v_s1} - {before_v1[26], before_v1};
        before_v2      <= before_v1;
        return_s2      <= return_s1;
        error_s3       <= error_clipped;
        error_over_s3  <= error_limits;
        held_s3        <= {before_v2[26], before_v2} + moved;
        return_s3      <= return_s2;
        clipped_s4     <= {held_s3[27], held_s3} - {{2{return_s3[26]}}, return_s3};
        error_s4       <= error_s3;
        none_s5        <= cfg_value_clip != 26'd0 && size_clipped > size_error;
        error_s5       <= error_s4;
        v_valid_q      <= rst ? 11'd0 : {v_valid_q[10:1], begins};
    end

    // Stage 6: the error that counts. 8: times the coefficient, which enters negated. 11: narrowed.
    reg  signed [26:0]  error_s6;
    reg  signed [17:0]  minus_value_q;
    wire signed [45:0]  inverted_s8;
    wire [45:0]         product_s8 = ~inverted_s8;
    wire [17:0]         value_s11;
    wire                value_over_s11;
    always @(posedge clk) begin
        error_s6      <= none_s5 ? 27'sd0 : error_s5;
        minus_value_q <= 18'd0 - cfg_value;
    end
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(2), .P_WIDTH(46)) u_value (
        .clk(clk), .a(error_s6), .b(minus_value_q), .c(-2'sd1), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(inverted_s8)
    );
    rlc_shift_sat #(.WIN(46), .WOUT(18)) u_value_delta (
        .clk(clk), .s_data(product_s8), .shift(cfg_shift), .m_data(value_s11), .m_saturated(value_over_s11)
    );
    rlc_queue #(.WIDTH(18), .DEPTH(PLACES)) u_out (
        .clk(clk), .rst(rst), .s_valid(v_valid_q[11]), .s_data(value_s11), `RLC_STREAM_JOIN(m, m_delta)
    );

    rlc_popcount #(.WIDTH(3)) u_sat (
        .clk(clk), .rst(rst), .count(sat),
        .d({return_over_s1 && v_valid_q[1], error_over_s3 && v_valid_q[3], value_over_s11 && v_valid_q[11]})
    );
endmodule
`default_nettype wire
