// rlc_learner_regs.v — written from learner.rdl by `rlcores generate`: change that file, not this one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_learner_regs #(
    parameter LAYERS_0 = 3,
    parameter LAYERS_1 = 0,
    parameter DP = 1,
    parameter BATCH_MAX = 256,
    parameter OPTIMISER = 2,
    parameter STATE_WORDS = 2,
    parameter DECAYS = 0,
    parameter ROUND = 0,
    parameter POLYAK = 0,
    parameter WEIGHT_WIDTH = 27,
    parameter WEIGHT_FRAC = 22,
    parameter ACT_WIDTH = 18,
    parameter VALUE_WIDTH = 27,
    parameter GRAD_WIDTH = 27
) (
    input  wire          clk,
    input  wire          rst,
    input  wire          wr_en,
    input  wire [7:0]    wr_addr,
    input  wire [31:0]   wr_data,
    input  wire [7:0]    rd_addr,
    output wire [31:0]   rd_data,
    input  wire          may_command,
    input  wire          fits_command,
    output wire          wr_command,
    output wire          do_command_abort,
    output wire          do_command_clear_counters,
    input  wire          hw_status_stale_read,
    input  wire          hw_status_stale_prio,
    input  wire          hw_status_aborting,
    input  wire          hw_status_formats_fit,
    input  wire          hw_status_host,
    input  wire          hw_status_busy,
    input  wire          hw_status_running,
    input  wire          set_flags_host,
    input  wire          set_flags_format,
    input  wire          set_flags_busy,
    input  wire          set_flags_config,
    input  wire          set_flags_saturated,
    input  wire          set_irq_status_host,
    input  wire          set_irq_status_step,
    input  wire          may_idle,
    output wire          cfg_control_lag,
    output wire          cfg_control_double_dqn,
    output wire [15:0]   cfg_batch,
    output wire [17:0]   cfg_gamma,
    output wire [17:0]   cfg_reward_scale,
    output wire [25:0]   cfg_huber,
    output wire [31:0]   cfg_sync_interval,
    output wire [16:0]   cfg_tau,
    output wire          wr_seed,
    output wire [31:0]   cfg_seed,
    output wire [17:0]   cfg_momentum,
    output wire [19:0]   cfg_log_eps,
    output wire [19:0]   cfg_log_clip,
    output wire [24:0]   cfg_net0_act_frac,
    output wire [24:0]   cfg_net0_delta_frac,
    output wire [29:0]   cfg_net0_grad_frac,
    output wire [17:0]   cfg_net0_rate,
    output wire [5:0]    cfg_net0_rate_exp,
    output wire [19:0]   cfg_net0_log_rate,
    output wire [23:0]   cfg_net0_decay,
    output wire [24:0]   cfg_net1_act_frac,
    output wire [24:0]   cfg_net1_delta_frac,
    output wire [29:0]   cfg_net1_grad_frac,
    output wire [17:0]   cfg_net1_rate,
    output wire [5:0]    cfg_net1_rate_exp,
    output wire [19:0]   cfg_net1_log_rate,
    output wire [23:0]   cfg_net1_decay,
    output wire [3:0]    cfg_host_network,
    output wire [1:0]    cfg_host_param_bank,
    input  wire [31:0]   hw_steps,
    input  wire          count_clocks,
    output wire          wr_unit,
    output wire [5:0]    cfg_unit,
    input  wire          clr_unit_busy,
    input  wire          count_unit_busy,
    input  wire          clr_unit_wait,
    input  wire          count_unit_wait,
    input  wire [31:0]   hw_saturated0,
    input  wire [31:0]   hw_saturated1,
    output wire [17:0]   cfg_pass_delta,
    output wire [24:0]   cfg_pass_frac,
    input  wire [2047:0] sat_words,
    input  wire [1023:0] shape_words,
    output wire          irq,
    output wire          wr_acts,
    output wire          untimely,
    output wire          misfit
);
    localparam [31:0] PARAM0_LAYERS0_RESET = LAYERS_0;
    localparam [31:0] PARAM0_LAYERS1_RESET = LAYERS_1;
    localparam [31:0] PARAM0_DP_RESET = DP;
    localparam [31:0] PARAM0_OPTIMISER_RESET = OPTIMISER;
    localparam [31:0] PARAM0_ROUNDING_RESET = ROUND;
    localparam [31:0] PARAM0_POLYAK_RESET = POLYAK;
    localparam [31:0] PARAM0_OPTIMISER_HIGH_RESET = ((OPTIMISER > 3) ? 1 : 0);
    localparam [31:0] PARAM1_BATCH_MAX_RESET = BATCH_MAX;
    localparam [31:0] PARAM1_WEIGHT_WIDTH_RESET = WEIGHT_WIDTH;
    localparam [31:0] PARAM1_WEIGHT_FRAC_RESET = WEIGHT_FRAC;
    localparam [31:0] PARAM2_ACT_WIDTH_RESET = ACT_WIDTH;
    localparam [31:0] PARAM2_VALUE_WIDTH_RESET = VALUE_WIDTH;
    localparam [31:0] PARAM2_GRAD_WIDTH_RESET = GRAD_WIDTH;
    localparam [31:0] BATCH_MOST = BATCH_MAX;
    localparam [31:0] TAU_MOST = ((POLYAK != 0) ? 131071 : 0);
    localparam [31:0] HOST_PARAM_BANK_MOST = (1 + STATE_WORDS);
    localparam [31:0] HOST_NETWORK_MOST = ((LAYERS_1 != 0) ? 1 : 0);

    // Whether a write comes at the right moment, and whether it fits. A limit may be the largest number there is.
    reg  timely;
    reg  fits;
    // verilator lint_off CMPCONST
    always @(*) begin
        case (wr_addr)
            8'd5: timely = may_command;
            8'd10, 8'd11, 8'd12, 8'd13, 8'd14, 8'd15, 8'd16, 8'd17, 8'd18, 8'd19, 8'd20, 8'd21, 8'd22, 8'd23, 8'd24, 8'd25, 8'd26, 8'd27, 8'd28, 8'd29, 8'd30, 8'd31, 8'd32, 8'd33, 8'd34, 8'd35, 8'd43, 8'd44: timely = may_idle;
            default: timely = 1'b1;
        endcase
        case (wr_addr)
            8'd5: fits = fits_command;
            8'd10: fits = ((LAYERS_1 == 0) || wr_data[0] == 1'd0) && ((LAYERS_1 != 0) || wr_data[1] == 1'd0);
            8'd11: fits = wr_data != 32'd0 && wr_data <= BATCH_MOST;
            8'd12, 8'd13: fits = wr_data <= 32'h20000;
            8'd14: fits = wr_data[31:26] == 6'd0;
            8'd16: fits = wr_data <= TAU_MOST;
            8'd18: fits = wr_data[31:17] == 15'd0;
            8'd21, 8'd22, 8'd23, 8'd25, 8'd26: fits = (LAYERS_0 != 0);
            8'd24: fits = wr_data[31:17] == 15'd0 && (LAYERS_0 != 0);
            8'd27: fits = wr_data[17] == 1'd0 && wr_data[31:18] <= 14'd46 && (((DECAYS != 0) && (LAYERS_0 != 0)) != 0);
            8'd28, 8'd29, 8'd30, 8'd32, 8'd33, 8'd43, 8'd44: fits = (LAYERS_1 != 0);
            8'd31: fits = wr_data[31:17] == 15'd0 && (LAYERS_1 != 0);
            8'd34: fits = wr_data[17] == 1'd0 && wr_data[31:18] <= 14'd46 && (((DECAYS != 0) && (LAYERS_1 != 0)) != 0);
            8'd35: fits = wr_data[1:0] <= HOST_PARAM_BANK_MOST[1:0] && wr_data[31:2] <= HOST_NETWORK_MOST[29:0];
            default: fits = 1'b1;
        endcase
    end
    // verilator lint_on CMPCONST
    wire take = wr_en && timely && fits;

    // COMMAND
    wire take_command = take && wr_addr == 8'd5;
    assign wr_command = take_command;
    reg  command_abort_q;
    always @(posedge clk)
        if (rst) command_abort_q <= 1'd0;
        else command_abort_q <= take_command && wr_data[5];
    assign do_command_abort = command_abort_q;
    reg  command_clear_counters_q;
    always @(posedge clk)
        if (rst) command_clear_counters_q <= 1'd0;
        else command_clear_counters_q <= take_command && wr_data[4];
    assign do_command_clear_counters = command_clear_counters_q;

    // FLAGS
    wire take_flags = take && wr_addr == 8'd7;
    wire [4:0] flags_q;
    wire [4:0] flags_set = {set_flags_host, set_flags_format, set_flags_busy, set_flags_config, set_flags_saturated};
    rlc_sticky #(.WIDTH(5)) u_flags (
        .clk(clk), .rst(rst), .sets(flags_set),
        .clears({5{take_flags}} & wr_data[4:0]), .q(flags_q)
    );

    // IRQ_ENABLE
    wire take_irq_enable = take && wr_addr == 8'd8;
    reg  irq_enable_host_q;
    always @(posedge clk)
        if (rst) irq_enable_host_q <= 1'd0;
        else if (take_irq_enable) irq_enable_host_q <= wr_data[2];
    reg  irq_enable_flag_q;
    always @(posedge clk)
        if (rst) irq_enable_flag_q <= 1'd0;
        else if (take_irq_enable) irq_enable_flag_q <= wr_data[1];
    reg  irq_enable_step_q;
    always @(posedge clk)
        if (rst) irq_enable_step_q <= 1'd0;
        else if (take_irq_enable) irq_enable_step_q <= wr_data[0];

    // IRQ_STATUS
    wire take_irq_status = take && wr_addr == 8'd9;
    wire [2:0] irq_status_q;
    wire [2:0] irq_status_set = {set_irq_status_host, |flags_set, set_irq_status_step};
    rlc_sticky #(.WIDTH(3)) u_irq_status (
        .clk(clk), .rst(rst), .sets(irq_status_set),
        .clears({3{take_irq_status}} & wr_data[2:0]), .q(irq_status_q)
    );

    // CONTROL
    wire take_control = take && wr_addr == 8'd10;
    reg  control_lag_q;
    always @(posedge clk)
        if (rst) control_lag_q <= 1'd0;
        else if (take_control) control_lag_q <= wr_data[1];
    assign cfg_control_lag = control_lag_q;
    reg  control_double_dqn_q;
    always @(posedge clk)
        if (rst) control_double_dqn_q <= 1'd0;
        else if (take_control) control_double_dqn_q <= wr_data[0];
    assign cfg_control_double_dqn = control_double_dqn_q;

    // BATCH
    wire take_batch = take && wr_addr == 8'd11;
    reg  [15:0] batch_q;
    always @(posedge clk)
        if (rst) batch_q <= 16'd1;
        else if (take_batch) batch_q <= wr_data[15:0];
    assign cfg_batch = batch_q;

    // GAMMA
    wire take_gamma = take && wr_addr == 8'd12;
    reg  [17:0] gamma_q;
    always @(posedge clk)
        if (rst) gamma_q <= 18'h1FAE1;
        else if (take_gamma) gamma_q <= wr_data[17:0];
    assign cfg_gamma = gamma_q;

    // REWARD_SCALE
    wire take_reward_scale = take && wr_addr == 8'd13;
    reg  [17:0] reward_scale_q;
    always @(posedge clk)
        if (rst) reward_scale_q <= 18'h20000;
        else if (take_reward_scale) reward_scale_q <= wr_data[17:0];
    assign cfg_reward_scale = reward_scale_q;

    // HUBER
    wire take_huber = take && wr_addr == 8'd14;
    reg  [25:0] huber_q;
    always @(posedge clk)
        if (rst) huber_q <= 26'd0;
        else if (take_huber) huber_q <= wr_data[25:0];
    assign cfg_huber = huber_q;

    // SYNC_INTERVAL
    wire take_sync_interval = take && wr_addr == 8'd15;
    reg  [31:0] sync_interval_q;
    always @(posedge clk)
        if (rst) sync_interval_q <= 32'd0;
        else if (take_sync_interval) sync_interval_q <= wr_data;
    assign cfg_sync_interval = sync_interval_q;

    // TAU
    wire take_tau = take && wr_addr == 8'd16;
    reg  [16:0] tau_q;
    always @(posedge clk)
        if (rst) tau_q <= 17'd0;
        else if (take_tau) tau_q <= wr_data[16:0];
    assign cfg_tau = tau_q;

    // SEED
    wire take_seed = take && wr_addr == 8'd17;
    assign wr_seed = take_seed;
    reg  [31:0] seed_q;
    always @(posedge clk)
        if (rst) seed_q <= 32'd0;
        else if (take_seed) seed_q <= wr_data;
    assign cfg_seed = seed_q;

    // MOMENTUM
    wire take_momentum = take && wr_addr == 8'd18;
    reg  [17:0] momentum_q;
    always @(posedge clk)
        if (rst) momentum_q <= 18'd0;
        else if (take_momentum) momentum_q <= wr_data[17:0];
    assign cfg_momentum = momentum_q;

    // LOG_EPS
    wire take_log_eps = take && wr_addr == 8'd19;
    reg  [19:0] log_eps_q;
    always @(posedge clk)
        if (rst) log_eps_q <= 20'h80000;
        else if (take_log_eps) log_eps_q <= wr_data[19:0];
    assign cfg_log_eps = log_eps_q;

    // LOG_CLIP
    wire take_log_clip = take && wr_addr == 8'd20;
    reg  [19:0] log_clip_q;
    always @(posedge clk)
        if (rst) log_clip_q <= 20'h7FFFF;
        else if (take_log_clip) log_clip_q <= wr_data[19:0];
    assign cfg_log_clip = log_clip_q;

    // NET0_ACT_FRAC
    wire take_net0_act_frac = take && wr_addr == 8'd21;
    reg  [4:0] net0_act_frac_l4_q;
    always @(posedge clk)
        if (rst) net0_act_frac_l4_q <= 5'd12;
        else if (take_net0_act_frac) net0_act_frac_l4_q <= wr_data[24:20];
    reg  [4:0] net0_act_frac_l3_q;
    always @(posedge clk)
        if (rst) net0_act_frac_l3_q <= 5'd12;
        else if (take_net0_act_frac) net0_act_frac_l3_q <= wr_data[19:15];
    reg  [4:0] net0_act_frac_l2_q;
    always @(posedge clk)
        if (rst) net0_act_frac_l2_q <= 5'd12;
        else if (take_net0_act_frac) net0_act_frac_l2_q <= wr_data[14:10];
    reg  [4:0] net0_act_frac_l1_q;
    always @(posedge clk)
        if (rst) net0_act_frac_l1_q <= 5'd12;
        else if (take_net0_act_frac) net0_act_frac_l1_q <= wr_data[9:5];
    reg  [4:0] net0_act_frac_l0_q;
    always @(posedge clk)
        if (rst) net0_act_frac_l0_q <= 5'd12;
        else if (take_net0_act_frac) net0_act_frac_l0_q <= wr_data[4:0];
    assign cfg_net0_act_frac = {net0_act_frac_l4_q, net0_act_frac_l3_q, net0_act_frac_l2_q, net0_act_frac_l1_q, net0_act_frac_l0_q};

    // NET0_DELTA_FRAC
    wire take_net0_delta_frac = take && wr_addr == 8'd22;
    reg  [4:0] net0_delta_frac_l4_q;
    always @(posedge clk)
        if (rst) net0_delta_frac_l4_q <= 5'd12;
        else if (take_net0_delta_frac) net0_delta_frac_l4_q <= wr_data[24:20];
    reg  [4:0] net0_delta_frac_l3_q;
    always @(posedge clk)
        if (rst) net0_delta_frac_l3_q <= 5'd12;
        else if (take_net0_delta_frac) net0_delta_frac_l3_q <= wr_data[19:15];
    reg  [4:0] net0_delta_frac_l2_q;
    always @(posedge clk)
        if (rst) net0_delta_frac_l2_q <= 5'd12;
        else if (take_net0_delta_frac) net0_delta_frac_l2_q <= wr_data[14:10];
    reg  [4:0] net0_delta_frac_l1_q;
    always @(posedge clk)
        if (rst) net0_delta_frac_l1_q <= 5'd12;
        else if (take_net0_delta_frac) net0_delta_frac_l1_q <= wr_data[9:5];
    reg  [4:0] net0_delta_frac_l0_q;
    always @(posedge clk)
        if (rst) net0_delta_frac_l0_q <= 5'd12;
        else if (take_net0_delta_frac) net0_delta_frac_l0_q <= wr_data[4:0];
    assign cfg_net0_delta_frac = {net0_delta_frac_l4_q, net0_delta_frac_l3_q, net0_delta_frac_l2_q, net0_delta_frac_l1_q, net0_delta_frac_l0_q};

    // NET0_GRAD_FRAC
    wire take_net0_grad_frac = take && wr_addr == 8'd23;
    reg  [5:0] net0_grad_frac_l4_q;
    always @(posedge clk)
        if (rst) net0_grad_frac_l4_q <= 6'd16;
        else if (take_net0_grad_frac) net0_grad_frac_l4_q <= wr_data[29:24];
    reg  [5:0] net0_grad_frac_l3_q;
    always @(posedge clk)
        if (rst) net0_grad_frac_l3_q <= 6'd16;
        else if (take_net0_grad_frac) net0_grad_frac_l3_q <= wr_data[23:18];
    reg  [5:0] net0_grad_frac_l2_q;
    always @(posedge clk)
        if (rst) net0_grad_frac_l2_q <= 6'd16;
        else if (take_net0_grad_frac) net0_grad_frac_l2_q <= wr_data[17:12];
    reg  [5:0] net0_grad_frac_l1_q;
    always @(posedge clk)
        if (rst) net0_grad_frac_l1_q <= 6'd16;
        else if (take_net0_grad_frac) net0_grad_frac_l1_q <= wr_data[11:6];
    reg  [5:0] net0_grad_frac_l0_q;
    always @(posedge clk)
        if (rst) net0_grad_frac_l0_q <= 6'd16;
        else if (take_net0_grad_frac) net0_grad_frac_l0_q <= wr_data[5:0];
    assign cfg_net0_grad_frac = {net0_grad_frac_l4_q, net0_grad_frac_l3_q, net0_grad_frac_l2_q, net0_grad_frac_l1_q, net0_grad_frac_l0_q};

    // NET0_RATE
    wire take_net0_rate = take && wr_addr == 8'd24;
    reg  [17:0] net0_rate_q;
    always @(posedge clk)
        if (rst) net0_rate_q <= 18'd0;
        else if (take_net0_rate) net0_rate_q <= wr_data[17:0];
    assign cfg_net0_rate = net0_rate_q;

    // NET0_RATE_EXP
    wire take_net0_rate_exp = take && wr_addr == 8'd25;
    reg  [5:0] net0_rate_exp_q;
    always @(posedge clk)
        if (rst) net0_rate_exp_q <= 6'd24;
        else if (take_net0_rate_exp) net0_rate_exp_q <= wr_data[5:0];
    assign cfg_net0_rate_exp = net0_rate_exp_q;

    // NET0_LOG_RATE
    wire take_net0_log_rate = take && wr_addr == 8'd26;
    reg  [19:0] net0_log_rate_q;
    always @(posedge clk)
        if (rst) net0_log_rate_q <= 20'h80000;
        else if (take_net0_log_rate) net0_log_rate_q <= wr_data[19:0];
    assign cfg_net0_log_rate = net0_log_rate_q;

    // NET0_DECAY
    wire take_net0_decay = take && wr_addr == 8'd27;
    reg  [5:0] net0_decay_exponent_q;
    always @(posedge clk)
        if (rst) net0_decay_exponent_q <= 6'd0;
        else if (take_net0_decay) net0_decay_exponent_q <= wr_data[23:18];
    reg  [17:0] net0_decay_mantissa_q;
    always @(posedge clk)
        if (rst) net0_decay_mantissa_q <= 18'd0;
        else if (take_net0_decay) net0_decay_mantissa_q <= wr_data[17:0];
    assign cfg_net0_decay = {net0_decay_exponent_q, net0_decay_mantissa_q};

    // NET1_ACT_FRAC
    wire take_net1_act_frac = take && wr_addr == 8'd28;
    reg  [4:0] net1_act_frac_l4_q;
    always @(posedge clk)
        if (rst) net1_act_frac_l4_q <= 5'd14;
        else if (take_net1_act_frac) net1_act_frac_l4_q <= wr_data[24:20];
    reg  [4:0] net1_act_frac_l3_q;
    always @(posedge clk)
        if (rst) net1_act_frac_l3_q <= 5'd14;
        else if (take_net1_act_frac) net1_act_frac_l3_q <= wr_data[19:15];
    reg  [4:0] net1_act_frac_l2_q;
    always @(posedge clk)
        if (rst) net1_act_frac_l2_q <= 5'd14;
        else if (take_net1_act_frac) net1_act_frac_l2_q <= wr_data[14:10];
    reg  [4:0] net1_act_frac_l1_q;
    always @(posedge clk)
        if (rst) net1_act_frac_l1_q <= 5'd14;
        else if (take_net1_act_frac) net1_act_frac_l1_q <= wr_data[9:5];
    reg  [4:0] net1_act_frac_l0_q;
    always @(posedge clk)
        if (rst) net1_act_frac_l0_q <= 5'd12;
        else if (take_net1_act_frac) net1_act_frac_l0_q <= wr_data[4:0];
    assign cfg_net1_act_frac = {net1_act_frac_l4_q, net1_act_frac_l3_q, net1_act_frac_l2_q, net1_act_frac_l1_q, net1_act_frac_l0_q};

    // NET1_DELTA_FRAC
    wire take_net1_delta_frac = take && wr_addr == 8'd29;
    reg  [4:0] net1_delta_frac_l4_q;
    always @(posedge clk)
        if (rst) net1_delta_frac_l4_q <= 5'd12;
        else if (take_net1_delta_frac) net1_delta_frac_l4_q <= wr_data[24:20];
    reg  [4:0] net1_delta_frac_l3_q;
    always @(posedge clk)
        if (rst) net1_delta_frac_l3_q <= 5'd12;
        else if (take_net1_delta_frac) net1_delta_frac_l3_q <= wr_data[19:15];
    reg  [4:0] net1_delta_frac_l2_q;
    always @(posedge clk)
        if (rst) net1_delta_frac_l2_q <= 5'd12;
        else if (take_net1_delta_frac) net1_delta_frac_l2_q <= wr_data[14:10];
    reg  [4:0] net1_delta_frac_l1_q;
    always @(posedge clk)
        if (rst) net1_delta_frac_l1_q <= 5'd12;
        else if (take_net1_delta_frac) net1_delta_frac_l1_q <= wr_data[9:5];
    reg  [4:0] net1_delta_frac_l0_q;
    always @(posedge clk)
        if (rst) net1_delta_frac_l0_q <= 5'd12;
        else if (take_net1_delta_frac) net1_delta_frac_l0_q <= wr_data[4:0];
    assign cfg_net1_delta_frac = {net1_delta_frac_l4_q, net1_delta_frac_l3_q, net1_delta_frac_l2_q, net1_delta_frac_l1_q, net1_delta_frac_l0_q};

    // NET1_GRAD_FRAC
    wire take_net1_grad_frac = take && wr_addr == 8'd30;
    reg  [5:0] net1_grad_frac_l4_q;
    always @(posedge clk)
        if (rst) net1_grad_frac_l4_q <= 6'd16;
        else if (take_net1_grad_frac) net1_grad_frac_l4_q <= wr_data[29:24];
    reg  [5:0] net1_grad_frac_l3_q;
    always @(posedge clk)
        if (rst) net1_grad_frac_l3_q <= 6'd16;
        else if (take_net1_grad_frac) net1_grad_frac_l3_q <= wr_data[23:18];
    reg  [5:0] net1_grad_frac_l2_q;
    always @(posedge clk)
        if (rst) net1_grad_frac_l2_q <= 6'd16;
        else if (take_net1_grad_frac) net1_grad_frac_l2_q <= wr_data[17:12];
    reg  [5:0] net1_grad_frac_l1_q;
    always @(posedge clk)
        if (rst) net1_grad_frac_l1_q <= 6'd16;
        else if (take_net1_grad_frac) net1_grad_frac_l1_q <= wr_data[11:6];
    reg  [5:0] net1_grad_frac_l0_q;
    always @(posedge clk)
        if (rst) net1_grad_frac_l0_q <= 6'd16;
        else if (take_net1_grad_frac) net1_grad_frac_l0_q <= wr_data[5:0];
    assign cfg_net1_grad_frac = {net1_grad_frac_l4_q, net1_grad_frac_l3_q, net1_grad_frac_l2_q, net1_grad_frac_l1_q, net1_grad_frac_l0_q};

    // NET1_RATE
    wire take_net1_rate = take && wr_addr == 8'd31;
    reg  [17:0] net1_rate_q;
    always @(posedge clk)
        if (rst) net1_rate_q <= 18'd0;
        else if (take_net1_rate) net1_rate_q <= wr_data[17:0];
    assign cfg_net1_rate = net1_rate_q;

    // NET1_RATE_EXP
    wire take_net1_rate_exp = take && wr_addr == 8'd32;
    reg  [5:0] net1_rate_exp_q;
    always @(posedge clk)
        if (rst) net1_rate_exp_q <= 6'd24;
        else if (take_net1_rate_exp) net1_rate_exp_q <= wr_data[5:0];
    assign cfg_net1_rate_exp = net1_rate_exp_q;

    // NET1_LOG_RATE
    wire take_net1_log_rate = take && wr_addr == 8'd33;
    reg  [19:0] net1_log_rate_q;
    always @(posedge clk)
        if (rst) net1_log_rate_q <= 20'h80000;
        else if (take_net1_log_rate) net1_log_rate_q <= wr_data[19:0];
    assign cfg_net1_log_rate = net1_log_rate_q;

    // NET1_DECAY
    wire take_net1_decay = take && wr_addr == 8'd34;
    reg  [5:0] net1_decay_exponent_q;
    always @(posedge clk)
        if (rst) net1_decay_exponent_q <= 6'd0;
        else if (take_net1_decay) net1_decay_exponent_q <= wr_data[23:18];
    reg  [17:0] net1_decay_mantissa_q;
    always @(posedge clk)
        if (rst) net1_decay_mantissa_q <= 18'd0;
        else if (take_net1_decay) net1_decay_mantissa_q <= wr_data[17:0];
    assign cfg_net1_decay = {net1_decay_exponent_q, net1_decay_mantissa_q};

    // HOST
    wire take_host = take && wr_addr == 8'd35;
    reg  [3:0] host_network_q;
    always @(posedge clk)
        if (rst) host_network_q <= 4'd0;
        else if (take_host) host_network_q <= wr_data[5:2];
    assign cfg_host_network = host_network_q;
    reg  [1:0] host_param_bank_q;
    always @(posedge clk)
        if (rst) host_param_bank_q <= 2'd0;
        else if (take_host) host_param_bank_q <= wr_data[1:0];
    assign cfg_host_param_bank = host_param_bank_q;

    // CLOCKS
    wire [31:0] clocks_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_clocks (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_clocks), .q(clocks_q)
    );

    // UNIT
    wire take_unit = take && wr_addr == 8'd38;
    assign wr_unit = take_unit;
    reg  [5:0] unit_q;
    always @(posedge clk)
        if (rst) unit_q <= 6'd1;
        else if (take_unit) unit_q <= wr_data[5:0];
    assign cfg_unit = unit_q;

    // UNIT_BUSY
    wire [31:0] unit_busy_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_unit_busy (
        .clk(clk), .rst(rst), .clear(clr_unit_busy), .count(count_unit_busy), .q(unit_busy_q)
    );

    // UNIT_WAIT
    wire [31:0] unit_wait_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_unit_wait (
        .clk(clk), .rst(rst), .clear(clr_unit_wait), .count(count_unit_wait), .q(unit_wait_q)
    );

    // PASS_DELTA
    wire take_pass_delta = take && wr_addr == 8'd43;
    reg  [17:0] pass_delta_q;
    always @(posedge clk)
        if (rst) pass_delta_q <= 18'h3F000;
        else if (take_pass_delta) pass_delta_q <= wr_data[17:0];
    assign cfg_pass_delta = pass_delta_q;

    // PASS_FRAC
    wire take_pass_frac = take && wr_addr == 8'd44;
    reg  [4:0] pass_frac_l4_q;
    always @(posedge clk)
        if (rst) pass_frac_l4_q <= 5'd12;
        else if (take_pass_frac) pass_frac_l4_q <= wr_data[24:20];
    reg  [4:0] pass_frac_l3_q;
    always @(posedge clk)
        if (rst) pass_frac_l3_q <= 5'd12;
        else if (take_pass_frac) pass_frac_l3_q <= wr_data[19:15];
    reg  [4:0] pass_frac_l2_q;
    always @(posedge clk)
        if (rst) pass_frac_l2_q <= 5'd12;
        else if (take_pass_frac) pass_frac_l2_q <= wr_data[14:10];
    reg  [4:0] pass_frac_l1_q;
    always @(posedge clk)
        if (rst) pass_frac_l1_q <= 5'd12;
        else if (take_pass_frac) pass_frac_l1_q <= wr_data[9:5];
    reg  [4:0] pass_frac_l0_q;
    always @(posedge clk)
        if (rst) pass_frac_l0_q <= 5'd12;
        else if (take_pass_frac) pass_frac_l0_q <= wr_data[4:0];
    assign cfg_pass_frac = {pass_frac_l4_q, pass_frac_l3_q, pass_frac_l2_q, pass_frac_l1_q, pass_frac_l0_q};

    assign irq = (irq_status_q[2] && irq_enable_host_q) || (irq_status_q[1] && irq_enable_flag_q) || (irq_status_q[0] && irq_enable_step_q);
    assign wr_acts = wr_addr == 8'd5 || wr_addr == 8'd7 || wr_addr == 8'd9;
    assign untimely = wr_en && !timely;
    assign misfit = wr_en && timely && !fits;

    reg  [31:0] word;
    reg  [31:0] rd_data_q;
    always @(*) begin
        case (rd_addr)
            8'd0: word = 32'h524C524E;  // ID
            8'd1: word = {16'd2, 16'd0};  // VERSION
            8'd2: word = {10'd0, PARAM0_OPTIMISER_HIGH_RESET[0], PARAM0_POLYAK_RESET[0], PARAM0_ROUNDING_RESET[1:0], PARAM0_OPTIMISER_RESET[1:0], PARAM0_DP_RESET[7:0], PARAM0_LAYERS1_RESET[3:0], PARAM0_LAYERS0_RESET[3:0]};  // PARAM0
            8'd3: word = {PARAM1_WEIGHT_FRAC_RESET[7:0], PARAM1_WEIGHT_WIDTH_RESET[7:0], PARAM1_BATCH_MAX_RESET[15:0]};  // PARAM1
            8'd4: word = {8'd0, PARAM2_GRAD_WIDTH_RESET[7:0], PARAM2_VALUE_WIDTH_RESET[7:0], PARAM2_ACT_WIDTH_RESET[7:0]};  // PARAM2
            8'd6: word = {25'd0, hw_status_stale_read, hw_status_stale_prio, hw_status_aborting, hw_status_formats_fit, hw_status_host, hw_status_busy, hw_status_running};  // STATUS
            8'd7: word = {27'd0, flags_q[4], flags_q[3], flags_q[2], flags_q[1], flags_q[0]};  // FLAGS
            8'd8: word = {29'd0, irq_enable_host_q, irq_enable_flag_q, irq_enable_step_q};  // IRQ_ENABLE
            8'd9: word = {29'd0, irq_status_q[2], irq_status_q[1], irq_status_q[0]};  // IRQ_STATUS
            8'd10: word = {30'd0, control_lag_q, control_double_dqn_q};  // CONTROL
            8'd11: word = {16'd0, batch_q};  // BATCH
            8'd12: word = {14'd0, gamma_q};  // GAMMA
            8'd13: word = {14'd0, reward_scale_q};  // REWARD_SCALE
            8'd14: word = {6'd0, huber_q};  // HUBER
            8'd15: word = sync_interval_q;  // SYNC_INTERVAL
            8'd16: word = {15'd0, tau_q};  // TAU
            8'd17: word = seed_q;  // SEED
            8'd18: word = {14'd0, momentum_q};  // MOMENTUM
            8'd19: word = {12'd0, log_eps_q};  // LOG_EPS
            8'd20: word = {12'd0, log_clip_q};  // LOG_CLIP
            8'd21: word = {7'd0, net0_act_frac_l4_q, net0_act_frac_l3_q, net0_act_frac_l2_q, net0_act_frac_l1_q, net0_act_frac_l0_q};  // NET0_ACT_FRAC
            8'd22: word = {7'd0, net0_delta_frac_l4_q, net0_delta_frac_l3_q, net0_delta_frac_l2_q, net0_delta_frac_l1_q, net0_delta_frac_l0_q};  // NET0_DELTA_FRAC
            8'd23: word = {2'd0, net0_grad_frac_l4_q, net0_grad_frac_l3_q, net0_grad_frac_l2_q, net0_grad_frac_l1_q, net0_grad_frac_l0_q};  // NET0_GRAD_FRAC
            8'd24: word = {14'd0, net0_rate_q};  // NET0_RATE
            8'd25: word = {26'd0, net0_rate_exp_q};  // NET0_RATE_EXP
            8'd26: word = {12'd0, net0_log_rate_q};  // NET0_LOG_RATE
            8'd27: word = {8'd0, net0_decay_exponent_q, net0_decay_mantissa_q};  // NET0_DECAY
            8'd28: word = {7'd0, net1_act_frac_l4_q, net1_act_frac_l3_q, net1_act_frac_l2_q, net1_act_frac_l1_q, net1_act_frac_l0_q};  // NET1_ACT_FRAC
            8'd29: word = {7'd0, net1_delta_frac_l4_q, net1_delta_frac_l3_q, net1_delta_frac_l2_q, net1_delta_frac_l1_q, net1_delta_frac_l0_q};  // NET1_DELTA_FRAC
            8'd30: word = {2'd0, net1_grad_frac_l4_q, net1_grad_frac_l3_q, net1_grad_frac_l2_q, net1_grad_frac_l1_q, net1_grad_frac_l0_q};  // NET1_GRAD_FRAC
            8'd31: word = {14'd0, net1_rate_q};  // NET1_RATE
            8'd32: word = {26'd0, net1_rate_exp_q};  // NET1_RATE_EXP
            8'd33: word = {12'd0, net1_log_rate_q};  // NET1_LOG_RATE
            8'd34: word = {8'd0, net1_decay_exponent_q, net1_decay_mantissa_q};  // NET1_DECAY
            8'd35: word = {26'd0, host_network_q, host_param_bank_q};  // HOST
            8'd36: word = hw_steps;  // STEPS
            8'd37: word = clocks_q;  // CLOCKS
            8'd38: word = {26'd0, unit_q};  // UNIT
            8'd39: word = unit_busy_q;  // UNIT_BUSY
            8'd40: word = unit_wait_q;  // UNIT_WAIT
            8'd41: word = hw_saturated0;  // SATURATED0
            8'd42: word = hw_saturated1;  // SATURATED1
            8'd43: word = {14'd0, pass_delta_q};  // PASS_DELTA
            8'd44: word = {7'd0, pass_frac_l4_q, pass_frac_l3_q, pass_frac_l2_q, pass_frac_l1_q, pass_frac_l0_q};  // PASS_FRAC
            default: word = 32'd0;
        endcase
    end
    always @(posedge clk) rd_data_q <= rd_addr >= 8'd128 ? shape_words[{rd_addr[4:0], 5'd0} +: 32] : rd_addr >= 8'd64 ? sat_words[{rd_addr[5:0], 5'd0} +: 32] : word;
    assign rd_data = rd_data_q;
endmodule
`default_nettype wire
