// rlc_env_pendulum_obs.v — the observation of Pendulum's state.
// SPDX-License-Identifier: Apache-2.0
//
// angle      units of 2^-26 turns
// speed_s8   theta_dot, sfix(27,22), 8 clocks later
// obs        cos and sin sfix(18,16), theta_dot sfix(18,13), the first lowest; 9 clocks after angle, one per clock
`default_nettype none
module rlc_env_pendulum_obs (
    input  wire        clk,
    input  wire [25:0] angle,
    input  wire [26:0] speed_s8,
    output wire [53:0] obs
);
    wire [26:0] sine, cosine;
    rlc_sincos u_sincos (.clk(clk), .angle(angle), .sine(sine), .cosine(cosine));
    reg [53:0] obs_q;
    always @(posedge clk)
        obs_q <= {speed_s8[26:9] + {17'd0, speed_s8[8]}, sine[26:9] + {17'd0, sine[8]}, cosine[26:9] + {17'd0, cosine[8]}};
    assign obs = obs_q;
    wire unused = &{1'b0, sine[7:0], cosine[7:0], speed_s8[7:0]};
endmodule
`default_nettype wire
