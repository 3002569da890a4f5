// rlc_ppo_gae.v — a row of generalised advantages: one record per clock backwards in time, environments in turn.
// SPDX-License-Identifier: Apache-2.0
//
//   delta = sat(reward - value + round(gamma * V_next)),  A = sat(delta + round(gamma_lambda * A_next))
//   V_next = A_next = 0 if the episode ends; otherwise those of the environment's record that came before this one
//
// s_*       a record of environment env: reward, value, both sfix(27,16); ends: the episode ended there. With boot it is not a
//           record but the value after the last step: V_next of the environment's next record, whose A_next is 0
// s_tag     any bits; they come out with the advantage
// m_*       advantages, sfix(27,16)
// cfg_*     ufix(18,17), at most 1.0
// sat       how many numbers were saturated in this clock
// order     two records of one environment must be at least 6 clocks apart
// latency   5 clocks, one record per clock, no stall
// cost      2 DSP slices
// model     rlcores.cores.ppo.gae
// equation  Schulman et al., "High-dimensional continuous control using generalized advantage estimation", ICLR 2016
`default_nettype none
`include "rlc_check.vh"
module rlc_ppo_gae #(
    parameter ENVIRONMENTS = 8, // that take turns on this row, 1..4096
    parameter TAG_WIDTH    = 8, // bits of a tag, >= 1
    parameter ENV_BITS     = (ENVIRONMENTS > 1) ? $clog2(ENVIRONMENTS) : 1 // derived, leave it alone
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [17:0]          cfg_gamma,
    input  wire [17:0]          cfg_gamma_lambda,
    input  wire                 s_valid,
    input  wire                 s_boot,
    input  wire                 s_ends,
    input  wire [ENV_BITS-1:0]  s_env,
    input  wire signed [26:0]   s_reward,
    input  wire signed [26:0]   s_value,
    input  wire [TAG_WIDTH-1:0] s_tag,
    output wire                 m_valid,
    output wire [26:0]          m_advantage,
    output wire [TAG_WIDTH-1:0] m_tag,
    output wire [1:0]           sat
);
    `RLC_CHECK(ENVIRONMENTS >= 1 && ENVIRONMENTS <= 4096, rlc_ppo_gae_illegal_ENVIRONMENTS_must_be_1_to_4096)

    localparam STAGES = 5;

    // 1.0 has 18 bits without a sign, so factors enter the DSP's signed port negated: a product comes out as -1 - x.
    reg signed [17:0] minus_gamma_q, minus_gl_q;
    always @(posedge clk) begin
        minus_gamma_q <= 18'd0 - cfg_gamma;
        minus_gl_q    <= 18'd0 - cfg_gamma_lambda;
    end

    reg  [STAGES:1]      valid_q;               // records; a boot is none
    reg  [STAGES:1]      write_q;               // either
    reg  [STAGES:1]      boot_q;
    reg                  ends_s1;
    wire [ENV_BITS-1:0]  env_s5;
    wire [26:0]          advantage_s5;
    wire signed [26:0]   v_s1, a_s1;
    reg  [STAGES*ENV_BITS-1:0] env_q;           // of the last STAGES clocks, the latest lowest
    reg                        early;
    integer                    k;
    always @(posedge clk) env_q <= {env_q[(STAGES-1)*ENV_BITS-1:0], s_env};
    assign env_s5 = env_q[(STAGES-1)*ENV_BITS +: ENV_BITS];
    always @* begin
        early = 1'b0;
        for (k = 0; k < STAGES; k = k + 1)
            if (write_q[k+1] && env_q[k*ENV_BITS +: ENV_BITS] == s_env) early = s_valid;
    end
    rlc_assert_never u_early (.clk(clk), .rst(rst), .bad(early));
    rlc_delay #(.WIDTH(TAG_WIDTH), .CLOCKS(STAGES)) u_tag (.clk(clk), .d(s_tag), .q(m_tag));
    rlc_ram_1r1w #(.WIDTH(27), .DEPTH(1 << ENV_BITS), .READ_ANY(1)) u_v (
        .clk(clk), .wr_en(s_valid), .wr_addr(s_env), .wr_data(s_value), .rd_en(1'b1), .rd_addr(s_env), .rd_data(v_s1)
    );
    rlc_ram_1r1w #(.WIDTH(27), .DEPTH(1 << ENV_BITS), .READ_ANY(1)) u_a (
        .clk(clk), .wr_en(write_q[5]), .wr_addr(env_s5), .wr_data(advantage_s5), .rd_en(1'b1), .rd_addr(s_env),
        .rd_data(a_s1)
    );
    always @(posedge clk) begin
        valid_q <= rst ? {STAGES{1'b0}} : {valid_q[STAGES-1:1], s_valid && !s_boot};
        write_q <= rst ? {STAGES{1'b0}} : {write_q[STAGES-1:1], s_valid};
        boot_q  <= {boot_q[STAGES-1:1], s_boot};
        ends_s1 <= s_ends;
    end

    // Stages 2, 3: both products.
    wire signed [26:0] v_next = ends_s1 ? 27'sd0 : v_s1;
    wire signed [26:0] a_next = ends_s1 ? 27'sd0 : a_s1;
    wire signed [44:0] v_inverted_s3, a_inverted_s3;
    wire        [44:0] v_product_s3 = ~v_inverted_s3;
    wire        [44:0] a_product_s3 = ~a_inverted_s3;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(18), .P_WIDTH(45), .C_REG(0)) u_gamma (
        .clk(clk), .a(v_next), .b(minus_gamma_q), .c(-18'sd65537), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(v_inverted_s3)
    );
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(18), .P_WIDTH(45), .C_REG(0)) u_gl (
        .clk(clk), .a(a_next), .b(minus_gl_q), .c(-18'sd65537), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(a_inverted_s3)
    );

    // Reward less value beside them. Stage 4: delta, saturated. Stage 5: the advantage, saturated.
    reg  signed [27:0] gain_s1, gain_s2, gain_s3;
    wire signed [28:0] delta = {gain_s3[27], gain_s3} + {v_product_s3[44], v_product_s3[44:17]};
    wire [26:0]        delta_clipped;
    wire               delta_limits;
    reg  signed [26:0] delta_s4;
    reg  signed [27:0] a_part_s4;
    reg                delta_over_s4;
    wire signed [28:0] sum = {{2{delta_s4[26]}}, delta_s4} + {a_part_s4[27], a_part_s4};
    wire [26:0]        sum_clipped;
    wire               sum_limits;
    reg  [26:0]        advantage_q;
    reg                sum_over_s5;
    rlc_round_sat #(.WIN(29), .FRAC(0), .WOUT(27)) u_delta (
        .in_data(delta), .out_data(delta_clipped), .saturated(delta_limits)
    );
    rlc_round_sat #(.WIN(29), .FRAC(0), .WOUT(27)) u_sum (
        .in_data(sum), .out_data(sum_clipped), .saturated(sum_limits)
    );
    always @(posedge clk) begin
        gain_s1       <= {s_reward[26], s_reward} - {s_value[26], s_value};
        gain_s2       <= gain_s1;
        gain_s3       <= gain_s2;
        delta_s4      <= delta_clipped;
        delta_over_s4 <= delta_limits;
        a_part_s4     <= a_product_s3[44:17];
        advantage_q   <= boot_q[4] ? 27'd0 : sum_clipped;
        sum_over_s5   <= sum_limits;
    end
    assign advantage_s5 = advantage_q;
    assign m_advantage  = advantage_q;
    assign m_valid      = valid_q[5];
    rlc_popcount #(.WIDTH(2)) u_sat (
        .clk(clk), .rst(rst), .d({delta_over_s4 && valid_q[4], sum_over_s5 && valid_q[5]}), .count(sat)
    );
    wire unused = &{1'b0, v_product_s3[16:0], a_product_s3[16:0], boot_q[5]};
endmodule
`default_nettype wire
