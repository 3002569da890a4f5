// rlc_ppo_standardise.v — standardised advantages of a minibatch: (advantage - mean) / deviation.
// SPDX-License-Identifier: Apache-2.0
//
//   c = round((B * a - total) / 2^(b + 1)),  m_data = sat(round(c * mantissa / 2^(3 - exponent - b)))
//
// total, mantissa, exponent   from rlc_ppo_scale; cfg_count B, cfg_bits b. All of them are steady while anything is inside
// s_*        advantages, sfix(27,16)
// m_*        sfix(18,12); m_saturated: it was saturated
// latency    12 clocks, one per clock, no stall
// cost       2 DSP slices
// model      rlcores.cores.ppo.standardise.standardised
`default_nettype none
module rlc_ppo_standardise (
    input  wire               clk,
    input  wire               rst,
    input  wire [15:0]        cfg_count,
    input  wire [4:0]         cfg_bits,
    input  wire signed [42:0] total,
    input  wire [16:0]        mantissa,
    input  wire signed [6:0]  exponent,
    input  wire               s_valid,
    input  wire signed [26:0] s_data,
    output wire               m_valid,
    output wire [17:0]        m_data,
    output wire               m_saturated
);
    localparam CLOCKS = 12;

    // Settings as the shifters want them.
    reg  signed [43:0] minus_q;
    reg  [5:0]         first_q, second_q;
    wire signed [7:0]  second = 8'sd3 - {exponent[6], exponent} - {3'd0, cfg_bits};
    always @(posedge clk) begin
        minus_q  <= 44'd0 - {total[42], total};
        first_q  <= {1'b0, cfg_bits} + 6'd1;
        second_q <= second[5:0];
    end

    // Stages 1 to 3: B a - total. To 6: narrowed.
    wire signed [17:0] count = {2'b00, cfg_count};
    wire signed [45:0] apart_s3;
    wire signed [26:0] centred_s6;
    wire               unused_over;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(44), .P_WIDTH(46), .A_REG(1)) u_apart (
        .clk(clk), .a(s_data), .b(count), .c(minus_q), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(apart_s3)
    );
    rlc_shift_sat #(.WIN(46), .WOUT(27)) u_centred (
        .clk(clk), .s_data(apart_s3), .shift(first_q), .m_data(centred_s6), .m_saturated(unused_over)
    );

    // To 9: times the inverse deviation. To 12: narrowed.
    wire signed [17:0] inverse = {1'b0, mantissa};
    wire signed [44:0] scaled_s9;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(1), .P_WIDTH(45), .A_REG(1), .C_REG(0)) u_scaled (
        .clk(clk), .a(centred_s6), .b(inverse), .c(1'b0), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(scaled_s9)
    );
    rlc_shift_sat #(.WIN(45), .WOUT(18)) u_out (
        .clk(clk), .s_data(scaled_s9), .shift(second_q), .m_data(m_data), .m_saturated(m_saturated)
    );
    reg [CLOCKS:1] valid_q;
    always @(posedge clk) valid_q <= rst ? {CLOCKS{1'b0}} : {valid_q[CLOCKS-1:1], s_valid};
    assign m_valid = valid_q[CLOCKS];
    wire unused = &{1'b0, unused_over, second[7:6]};
endmodule
`default_nettype wire
