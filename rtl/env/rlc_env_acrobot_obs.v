// rlc_env_acrobot_obs.v — the observation of Acrobot's state.
// SPDX-License-Identifier: Apache-2.0
//
// angle1, angle2   units of 2^-26 turns
// cosine1          of angle1, sfix(27,25), 8 clocks later
// circle           cos and sin of angle1, then of angle2, sfix(18,16), the first lowest; 9 clocks after the angles
// v1, v2           turns per step, sfix(27,26)
// speeds           in rad/s, sfix(18,13) and sfix(18,12), the first lowest; 3 clocks after v1 and v2
// throughput       one per clock
`default_nettype none
module rlc_env_acrobot_obs (
    input  wire               clk,
    input  wire        [25:0] angle1,
    input  wire        [25:0] angle2,
    input  wire signed [26:0] v1,
    input  wire signed [26:0] v2,
    output wire signed [26:0] cosine1,
    output wire        [71:0] circle,
    output wire        [35:0] speeds
);
    localparam signed [17:0] TO_RADIANS = 18'sd64340;  // rad/s of a turn per step, 11 fraction bits

    wire [107:0] found;
    rlc_sincos u_angle1 (.clk(clk), .angle(angle1), .sine(found[53:27]), .cosine(found[26:0]));
    rlc_sincos u_angle2 (.clk(clk), .angle(angle2), .sine(found[107:81]), .cosine(found[80:54]));
    assign cosine1 = found[26:0];
    genvar i;
    for (i = 0; i < 4; i = i + 1) begin : g_circle
        reg [17:0] rounded;
        always @(posedge clk) rounded <= found[27*i+9 +: 18] + {17'd0, found[27*i+8]};
        assign circle[18*i +: 18] = rounded;
    end

    wire signed [20:0] speed1;
    wire signed [19:0] speed2;
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(18), .DROP(24)) u_speed1 (.clk(clk), .a(v1), .b(TO_RADIANS), .p(speed1));
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(18), .DROP(25)) u_speed2 (.clk(clk), .a(v2), .b(TO_RADIANS), .p(speed2));
    assign speeds = {speed2[17:0], speed1[17:0]};

    wire unused = &{1'b0, found, speed1[20:18], speed2[19:18]};
endmodule
`default_nettype wire
