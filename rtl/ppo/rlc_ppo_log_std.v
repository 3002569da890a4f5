// rlc_ppo_log_std.v — the log-deviations of a Gaussian policy: their values, the squares of their gradients, their update.
// SPDX-License-Identifier: Apache-2.0
//
// They are the biases of a layer with one input that is always 0: rlc_learner_update with one lane. The layer's ACTIONS
// weights stay 0; they come before the log-deviations in the host's parameter banks.
//
// sums        deltas of a minibatch's log-deviations, 20 fraction bits (rlc_rl_clip_gaussian); cfg_frac: of their gradient, 10 to 20
// settings    the optimiser's (rlc_nn_optimisers.vh)
// learnt      pulse: the sums are complete. measured, permit, factor, updated follow as in rlc_learner_layer
// logs        ln(deviation), sfix(27,22) per dimension, the first one lowest; c: log2(deviation), sfix(24,20)
// settled     logs and c are those of the last update
// host_en     moves a parameter bank, one word per dimension, as rlc_learner_update says
// avg_out, avg_in   as of rlc_learner_layer, of one weight
// saturated   how many gradients and log-deviations did not fit in this clock
// cost        3 DSP slices
`default_nettype none
`include "rlc_ppo_ports.vh"
module rlc_ppo_log_std #(
    parameter ACTIONS     = 1,   // dimensions, 1..32
    parameter OPTIMISER   = 2,   // one that squares gradients
    parameter BETA1_NUM   = 205, // Adam, as rlc_learner_update
    parameter BETA1_SHIFT = 11,  // see BETA1_NUM
    parameter BETA2_NUM   = 131, // see BETA1_NUM
    parameter BETA2_SHIFT = 17,  // see BETA1_NUM
    parameter AVERAGE     = 0    // clocks from avg_out to avg_in; 0: one learner alone
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  path_rst,
    input  wire [ACTIONS*48-1:0] sums,
    input  wire [5:0]            cfg_frac,
    input  wire `RLC_NN_SETTINGS settings,
    input  wire                  learnt,
    output wire                  measured,
    output wire [55:0]           squares,
    input  wire                  permit,
    input  wire [17:0]           factor,
    output wire                  updated,
    output wire [ACTIONS*27-1:0] logs,
    output wire [ACTIONS*24-1:0] c,
    output wire                  settled,
    output wire                  busy,
    input  wire                  host_en,
    input  wire                  host_read,
    input  wire [1:0]            host_param_bank,
    output wire                  host_done,
    `RLC_STREAM_SLAVE(s, 64),
    `RLC_STREAM_MASTER(m, 64),
    output wire                  m_last,
    input  wire [`RLC_PPO_LOG_AVERAGE-1:0] avg_in,
    output wire [`RLC_PPO_LOG_AVERAGE-1:0] avg_out,
    output wire [1:0]            saturated
);
    `RLC_CHECK(ACTIONS >= 1 && ACTIONS <= 32, rlc_ppo_log_std_illegal_ACTIONS_must_be_1_to_32)
    localparam GRAD  = 4;   // clocks from grad_en to grad_data
    localparam C     = 3;   // clocks of rlc_rl_log_std

    // Waits for the permit after its pass of squares.
    reg  due_q;
    wire ready;
    wire average = AVERAGE != 0 && avg_in[0];
    wire writes  = due_q && permit && (!average || avg_in[1]);
    wire [26:0] own_w;
    assign avg_out = (AVERAGE != 0) ? {own_w, 1'b0, due_q && permit && ready} : {`RLC_PPO_LOG_AVERAGE{1'b0}};
    always @(posedge clk)
        if (path_rst) due_q <= 1'b0;
        else          due_q <= measured || (due_q && !writes);

    // Gradients: the sums at the biases, 0 elsewhere.
    wire                    grad_en, bus_w;
    wire `RLC_NN_WEIGHT_ADDR grad_addr, weight_addr;
    wire [47:0]             grad_d, grad_data;
    wire [26:0]             number;
    wire [9:0]              jw     = grad_addr[`RLC_NN_WEIGHT_ADDR_JW];
    wire [ACTIONS*48-1:0]   turned = sums >> jw[4:0] * 48;
    assign grad_d = turned[47:0] & {48{grad_addr[`RLC_NN_WEIGHT_ADDR_BIAS]}};
    rlc_delay #(.WIDTH(48), .CLOCKS(GRAD)) u_grad (.clk(clk), .d(grad_d), .q(grad_data));
    reg  [5:0] shift_q;
    always @(posedge clk) shift_q <= 6'd20 - cfg_frac;
    rlc_learner_update #(
        .WORDS_J(ACTIONS), .LANES_J(1), .WORDS_I(1), .LANES_I(1), .JB(1), .IB(1), .OPTIMISER(OPTIMISER), .TARGET(0), .CLIP(1),
        .BETA1_NUM(BETA1_NUM), .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT),
        .GRAD_LATENCY(GRAD), .AVERAGE(AVERAGE)
    ) u_update (
        .clk(clk), .rst(rst), .start(learnt || writes), .ready(ready), .average(average), .own_w(own_w),
        .shared_w(avg_in[28:2]), .updated(updated), .busy(busy), .measure(learnt),
        .measured(measured), .squares(squares), .factor(factor), .grad_shift(shift_q), .grad_frac(cfg_frac),
        .settings(settings), .settings_fit(), .sync(1'b0), .tau(17'd0),
        .seed_load(1'b0), .seed(32'd0), .grad_en(grad_en), .grad_addr(grad_addr), .grad_data(grad_data),
        .host_en(host_en), .host_read(host_read), .host_param_bank(host_param_bank), .host_done(host_done),
        `RLC_STREAM_JOIN(s, s), `RLC_STREAM_JOIN(m, m), .m_last(m_last), .bus_w(bus_w), .bus_t(), .bus_addr(weight_addr),
        .bus_wdata(number), .bus_tdata(), .sat_grad(saturated[0]), .sat_weight(saturated[1])
    );

    // What the bus brings, and some clocks later its logarithm to base 2.
    `include "rlc_nn_weight_addr.vh"
    wire        brings = bus_w && at_bias;
    wire [9:0]  c_at;
    wire [23:0] c_d;
    reg  [C:1]  brings_q;
    reg  [C+1:0] busy_q;
    always @(posedge clk) begin
        brings_q <= rst ? {C{1'b0}} : {brings_q[C-1:1], brings};
        busy_q   <= rst ? {(C+2){1'b0}} : {busy_q[C:0], busy};
    end
    assign settled = !busy && busy_q == {(C+2){1'b0}};
    rlc_rl_log_std u_log_std (.clk(clk), .s_data(number), .m_c(c_d));
    rlc_delay #(.WIDTH(10), .CLOCKS(C)) u_at (.clk(clk), .d(at_jw), .q(c_at));
    genvar k;
    for (k = 0; k < ACTIONS; k = k + 1) begin : g_number
        reg [26:0] log_q;
        reg [23:0] c_q;
        always @(posedge clk) begin
            if (brings && at_jw == k)      log_q <= number;
            if (brings_q[C] && c_at == k) c_q   <= c_d;
        end
        assign logs[27*k +: 27] = log_q;
        assign c[24*k +: 24]    = c_q;
    end
    wire unused = &{1'b0, grad_en, turned, grad_addr};
endmodule
`default_nettype wire
