// rlc_ppo_regs.v — written from ppo.rdl by `rlcores generate`: change that file, not this one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_ppo_regs #(
    parameter LAYERS_0 = 3,
    parameter LAYERS_1 = 3,
    parameter DP = 2,
    parameter BATCH_MAX = 64,
    parameter N_ENVS = 6,
    parameter STEPS = 8,
    parameter GAUSSIAN = 0,
    parameter RECORD_BITS = 0
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
    output wire          do_command_abort,
    output wire          do_command_clear_counters,
    output wire          do_command_fresh,
    output wire          do_command_read,
    output wire          do_command_load,
    output wire          do_command_halt,
    output wire          do_command_resume,
    output wire          do_command_start,
    input  wire          hw_status_stale_read,
    input  wire          hw_status_stale_act,
    input  wire          hw_status_aborting,
    input  wire          hw_status_formats_fit,
    input  wire          hw_status_resumes,
    input  wire          hw_status_host,
    input  wire          hw_status_running,
    input  wire          set_flags_dropped,
    input  wire          set_flags_host,
    input  wire          set_flags_format,
    input  wire          set_flags_busy,
    input  wire          set_flags_config,
    input  wire          set_flags_saturated,
    input  wire          set_irq_status_host,
    input  wire          set_irq_status_iteration,
    input  wire          set_irq_status_done,
    input  wire          may_idle,
    output wire [31:0]   cfg_seed0,
    output wire [31:0]   cfg_seed1,
    output wire [31:0]   cfg_seed2,
    output wire [31:0]   cfg_seed3,
    output wire [31:0]   cfg_todo,
    output wire [31:0]   cfg_iterations,
    output wire [15:0]   cfg_steps,
    output wire [7:0]    cfg_epochs,
    output wire [15:0]   cfg_batch,
    output wire [4:0]    cfg_batch_bits,
    output wire [20:0]   cfg_batch_log,
    output wire [16:0]   cfg_batch_slices,
    output wire [17:0]   cfg_gamma,
    output wire [17:0]   cfg_gamma_lambda,
    output wire [17:0]   cfg_reward_scale,
    output wire [24:0]   cfg_net0_act_frac,
    output wire [24:0]   cfg_net0_delta_frac,
    output wire [29:0]   cfg_net0_grad_frac,
    output wire [24:0]   cfg_net1_act_frac,
    output wire [24:0]   cfg_net1_delta_frac,
    output wire [29:0]   cfg_net1_grad_frac,
    output wire [5:0]    cfg_logs_frac,
    output wire [19:0]   cfg_log_eps,
    output wire [19:0]   cfg_log_clip,
    output wire [19:0]   cfg_clip,
    output wire [16:0]   cfg_entropy,
    output wire [17:0]   cfg_value,
    output wire [25:0]   cfg_value_clip,
    output wire [27:0]   cfg_norm,
    output wire [27:0]   cfg_rate,
    output wire [3:0]    cfg_host_network,
    output wire [1:0]    cfg_host_param_bank,
    input  wire [31:0]   hw_iteration,
    input  wire          count_clocks,
    input  wire          count_dropped,
    input  wire [31:0]   hw_episodes,
    input  wire [31:0]   hw_returns_low,
    input  wire [31:0]   hw_returns_high,
    output wire [6:0]    cfg_episode,
    input  wire [15:0]   hw_episode_length,
    input  wire [31:0]   hw_episode_low,
    input  wire [15:0]   hw_episode_high,
    output wire          cfg_external_rollout,
    output wire          cfg_lockstep,
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
    localparam [31:0] PARAM0_GAUSSIAN_RESET = GAUSSIAN;
    localparam [31:0] PARAM0_RECORD_BITS_RESET = RECORD_BITS;
    localparam [31:0] PARAM1_BATCH_MAX_RESET = BATCH_MAX;
    localparam [31:0] PARAM1_N_ENVS_RESET = N_ENVS;
    localparam [31:0] PARAM2_RESET = STEPS;
    localparam [31:0] STEPS_MOST = STEPS;
    localparam [31:0] BATCH_MOST = BATCH_MAX;

    // Whether a write comes at the right moment, and whether it fits. A limit may be the largest number there is.
    reg  timely;
    reg  fits;
    // verilator lint_off CMPCONST
    always @(*) begin
        case (wr_addr)
            8'd5: timely = may_command;
            8'd10, 8'd11, 8'd12, 8'd13, 8'd14, 8'd15, 8'd16, 8'd17, 8'd18, 8'd19, 8'd20, 8'd21, 8'd22, 8'd23, 8'd24, 8'd25, 8'd26, 8'd27, 8'd28, 8'd29, 8'd30, 8'd31, 8'd32, 8'd33, 8'd34, 8'd35, 8'd36, 8'd37, 8'd38, 8'd39, 8'd40, 8'd51, 8'd52: timely = may_idle;
            default: timely = 1'b1;
        endcase
        case (wr_addr)
            8'd5: fits = fits_command;
            8'd16: fits = wr_data != 32'd0 && wr_data <= STEPS_MOST;
            8'd17: fits = wr_data != 32'd0 && wr_data[31:8] == 24'd0;
            8'd18: fits = wr_data >= 32'd2 && wr_data <= BATCH_MOST;
            8'd19: fits = wr_data <= 32'd12;
            8'd21: fits = wr_data != 32'd0;
            8'd22, 8'd23, 8'd24, 8'd36: fits = wr_data <= 32'h20000;
            8'd25, 8'd26, 8'd27: fits = (LAYERS_0 != 0);
            8'd28, 8'd29, 8'd30: fits = (LAYERS_1 != 0);
            8'd31: fits = wr_data >= 32'd10 && wr_data <= 32'd20;
            8'd40: fits = wr_data[31:3] == 29'd0;
            8'd47: fits = wr_data[31:7] == 25'd0;
            default: fits = 1'b1;
        endcase
    end
    // verilator lint_on CMPCONST
    wire take = wr_en && timely && fits;

    // COMMAND
    wire take_command = take && wr_addr == 8'd5;
    reg  command_abort_q;
    always @(posedge clk)
        if (rst) command_abort_q <= 1'd0;
        else command_abort_q <= take_command && wr_data[7];
    assign do_command_abort = command_abort_q;
    reg  command_clear_counters_q;
    always @(posedge clk)
        if (rst) command_clear_counters_q <= 1'd0;
        else command_clear_counters_q <= take_command && wr_data[6];
    assign do_command_clear_counters = command_clear_counters_q;
    reg  command_fresh_q;
    always @(posedge clk)
        if (rst) command_fresh_q <= 1'd0;
        else command_fresh_q <= take_command && wr_data[5];
    assign do_command_fresh = command_fresh_q;
    reg  command_read_q;
    always @(posedge clk)
        if (rst) command_read_q <= 1'd0;
        else command_read_q <= take_command && wr_data[4];
    assign do_command_read = command_read_q;
    reg  command_load_q;
    always @(posedge clk)
        if (rst) command_load_q <= 1'd0;
        else command_load_q <= take_command && wr_data[3];
    assign do_command_load = command_load_q;
    reg  command_halt_q;
    always @(posedge clk)
        if (rst) command_halt_q <= 1'd0;
        else command_halt_q <= take_command && wr_data[2];
    assign do_command_halt = command_halt_q;
    reg  command_resume_q;
    always @(posedge clk)
        if (rst) command_resume_q <= 1'd0;
        else command_resume_q <= take_command && wr_data[1];
    assign do_command_resume = command_resume_q;
    reg  command_start_q;
    always @(posedge clk)
        if (rst) command_start_q <= 1'd0;
        else command_start_q <= take_command && wr_data[0];
    assign do_command_start = command_start_q;

    // FLAGS
    wire take_flags = take && wr_addr == 8'd7;
    wire [5:0] flags_q;
    wire [5:0] flags_set = {set_flags_dropped, set_flags_host, set_flags_format, set_flags_busy, set_flags_config, set_flags_saturated};
    rlc_sticky #(.WIDTH(6)) u_flags (
        .clk(clk), .rst(rst), .sets(flags_set),
        .clears({6{take_flags}} & wr_data[5:0]), .q(flags_q)
    );

    // IRQ_ENABLE
    wire take_irq_enable = take && wr_addr == 8'd8;
    reg  irq_enable_host_q;
    always @(posedge clk)
        if (rst) irq_enable_host_q <= 1'd0;
        else if (take_irq_enable) irq_enable_host_q <= wr_data[3];
    reg  irq_enable_flag_q;
    always @(posedge clk)
        if (rst) irq_enable_flag_q <= 1'd0;
        else if (take_irq_enable) irq_enable_flag_q <= wr_data[2];
    reg  irq_enable_iteration_q;
    always @(posedge clk)
        if (rst) irq_enable_iteration_q <= 1'd0;
        else if (take_irq_enable) irq_enable_iteration_q <= wr_data[1];
    reg  irq_enable_done_q;
    always @(posedge clk)
        if (rst) irq_enable_done_q <= 1'd0;
        else if (take_irq_enable) irq_enable_done_q <= wr_data[0];

    // IRQ_STATUS
    wire take_irq_status = take && wr_addr == 8'd9;
    wire [3:0] irq_status_q;
    wire [3:0] irq_status_set = {set_irq_status_host, |flags_set, set_irq_status_iteration, set_irq_status_done};
    rlc_sticky #(.WIDTH(4)) u_irq_status (
        .clk(clk), .rst(rst), .sets(irq_status_set),
        .clears({4{take_irq_status}} & wr_data[3:0]), .q(irq_status_q)
    );

    // SEED0
    wire take_seed0 = take && wr_addr == 8'd10;
    reg  [31:0] seed0_q;
    always @(posedge clk)
        if (rst) seed0_q <= 32'h7B1DCDAF;
        else if (take_seed0) seed0_q <= wr_data;
    assign cfg_seed0 = seed0_q;

    // SEED1
    wire take_seed1 = take && wr_addr == 8'd11;
    reg  [31:0] seed1_q;
    always @(posedge clk)
        if (rst) seed1_q <= 32'hE220A839;
        else if (take_seed1) seed1_q <= wr_data;
    assign cfg_seed1 = seed1_q;

    // SEED2
    wire take_seed2 = take && wr_addr == 8'd12;
    reg  [31:0] seed2_q;
    always @(posedge clk)
        if (rst) seed2_q <= 32'hA1B965F4;
        else if (take_seed2) seed2_q <= wr_data;
    assign cfg_seed2 = seed2_q;

    // SEED3
    wire take_seed3 = take && wr_addr == 8'd13;
    reg  [31:0] seed3_q;
    always @(posedge clk)
        if (rst) seed3_q <= 32'h6E789E6A;
        else if (take_seed3) seed3_q <= wr_data;
    assign cfg_seed3 = seed3_q;

    // TODO
    wire take_todo = take && wr_addr == 8'd14;
    reg  [31:0] todo_q;
    always @(posedge clk)
        if (rst) todo_q <= 32'd0;
        else if (take_todo) todo_q <= wr_data;
    assign cfg_todo = todo_q;

    // ITERATIONS
    wire take_iterations = take && wr_addr == 8'd15;
    reg  [31:0] iterations_q;
    always @(posedge clk)
        if (rst) iterations_q <= 32'd0;
        else if (take_iterations) iterations_q <= wr_data;
    assign cfg_iterations = iterations_q;

    // STEPS
    wire take_steps = take && wr_addr == 8'd16;
    reg  [15:0] steps_q;
    always @(posedge clk)
        if (rst) steps_q <= 16'd1;
        else if (take_steps) steps_q <= wr_data[15:0];
    assign cfg_steps = steps_q;

    // EPOCHS
    wire take_epochs = take && wr_addr == 8'd17;
    reg  [7:0] epochs_q;
    always @(posedge clk)
        if (rst) epochs_q <= 8'd4;
        else if (take_epochs) epochs_q <= wr_data[7:0];
    assign cfg_epochs = epochs_q;

    // BATCH
    wire take_batch = take && wr_addr == 8'd18;
    reg  [15:0] batch_q;
    always @(posedge clk)
        if (rst) batch_q <= 16'd2;
        else if (take_batch) batch_q <= wr_data[15:0];
    assign cfg_batch = batch_q;

    // BATCH_BITS
    wire take_batch_bits = take && wr_addr == 8'd19;
    reg  [4:0] batch_bits_q;
    always @(posedge clk)
        if (rst) batch_bits_q <= 5'd1;
        else if (take_batch_bits) batch_bits_q <= wr_data[4:0];
    assign cfg_batch_bits = batch_bits_q;

    // BATCH_LOG
    wire take_batch_log = take && wr_addr == 8'd20;
    reg  [20:0] batch_log_q;
    always @(posedge clk)
        if (rst) batch_log_q <= 21'h100000;
        else if (take_batch_log) batch_log_q <= wr_data[20:0];
    assign cfg_batch_log = batch_log_q;

    // BATCH_SLICES
    wire take_batch_slices = take && wr_addr == 8'd21;
    reg  [16:0] batch_slices_q;
    always @(posedge clk)
        if (rst) batch_slices_q <= 17'd1;
        else if (take_batch_slices) batch_slices_q <= wr_data[16:0];
    assign cfg_batch_slices = batch_slices_q;

    // GAMMA
    wire take_gamma = take && wr_addr == 8'd22;
    reg  [17:0] gamma_q;
    always @(posedge clk)
        if (rst) gamma_q <= 18'h1FAE1;
        else if (take_gamma) gamma_q <= wr_data[17:0];
    assign cfg_gamma = gamma_q;

    // GAMMA_LAMBDA
    wire take_gamma_lambda = take && wr_addr == 8'd23;
    reg  [17:0] gamma_lambda_q;
    always @(posedge clk)
        if (rst) gamma_lambda_q <= 18'h1E189;
        else if (take_gamma_lambda) gamma_lambda_q <= wr_data[17:0];
    assign cfg_gamma_lambda = gamma_lambda_q;

    // REWARD_SCALE
    wire take_reward_scale = take && wr_addr == 8'd24;
    reg  [17:0] reward_scale_q;
    always @(posedge clk)
        if (rst) reward_scale_q <= 18'h20000;
        else if (take_reward_scale) reward_scale_q <= wr_data[17:0];
    assign cfg_reward_scale = reward_scale_q;

    // NET0_ACT_FRAC
    wire take_net0_act_frac = take && wr_addr == 8'd25;
    reg  [4:0] net0_act_frac_l4_q;
    always @(posedge clk)
        if (rst) net0_act_frac_l4_q <= 5'd16;
        else if (take_net0_act_frac) net0_act_frac_l4_q <= wr_data[24:20];
    reg  [4:0] net0_act_frac_l3_q;
    always @(posedge clk)
        if (rst) net0_act_frac_l3_q <= 5'd16;
        else if (take_net0_act_frac) net0_act_frac_l3_q <= wr_data[19:15];
    reg  [4:0] net0_act_frac_l2_q;
    always @(posedge clk)
        if (rst) net0_act_frac_l2_q <= 5'd16;
        else if (take_net0_act_frac) net0_act_frac_l2_q <= wr_data[14:10];
    reg  [4:0] net0_act_frac_l1_q;
    always @(posedge clk)
        if (rst) net0_act_frac_l1_q <= 5'd16;
        else if (take_net0_act_frac) net0_act_frac_l1_q <= wr_data[9:5];
    reg  [4:0] net0_act_frac_l0_q;
    always @(posedge clk)
        if (rst) net0_act_frac_l0_q <= 5'd16;
        else if (take_net0_act_frac) net0_act_frac_l0_q <= wr_data[4:0];
    assign cfg_net0_act_frac = {net0_act_frac_l4_q, net0_act_frac_l3_q, net0_act_frac_l2_q, net0_act_frac_l1_q, net0_act_frac_l0_q};

    // NET0_DELTA_FRAC
    wire take_net0_delta_frac = take && wr_addr == 8'd26;
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
    wire take_net0_grad_frac = take && wr_addr == 8'd27;
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

    // NET1_ACT_FRAC
    wire take_net1_act_frac = take && wr_addr == 8'd28;
    reg  [4:0] net1_act_frac_l4_q;
    always @(posedge clk)
        if (rst) net1_act_frac_l4_q <= 5'd16;
        else if (take_net1_act_frac) net1_act_frac_l4_q <= wr_data[24:20];
    reg  [4:0] net1_act_frac_l3_q;
    always @(posedge clk)
        if (rst) net1_act_frac_l3_q <= 5'd16;
        else if (take_net1_act_frac) net1_act_frac_l3_q <= wr_data[19:15];
    reg  [4:0] net1_act_frac_l2_q;
    always @(posedge clk)
        if (rst) net1_act_frac_l2_q <= 5'd16;
        else if (take_net1_act_frac) net1_act_frac_l2_q <= wr_data[14:10];
    reg  [4:0] net1_act_frac_l1_q;
    always @(posedge clk)
        if (rst) net1_act_frac_l1_q <= 5'd16;
        else if (take_net1_act_frac) net1_act_frac_l1_q <= wr_data[9:5];
    reg  [4:0] net1_act_frac_l0_q;
    always @(posedge clk)
        if (rst) net1_act_frac_l0_q <= 5'd16;
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

    // LOGS_FRAC
    wire take_logs_frac = take && wr_addr == 8'd31;
    reg  [5:0] logs_frac_q;
    always @(posedge clk)
        if (rst) logs_frac_q <= 6'd18;
        else if (take_logs_frac) logs_frac_q <= wr_data[5:0];
    assign cfg_logs_frac = logs_frac_q;

    // LOG_EPS
    wire take_log_eps = take && wr_addr == 8'd32;
    reg  [19:0] log_eps_q;
    always @(posedge clk)
        if (rst) log_eps_q <= 20'h80000;
        else if (take_log_eps) log_eps_q <= wr_data[19:0];
    assign cfg_log_eps = log_eps_q;

    // LOG_CLIP
    wire take_log_clip = take && wr_addr == 8'd33;
    reg  [19:0] log_clip_q;
    always @(posedge clk)
        if (rst) log_clip_q <= 20'h7FFFF;
        else if (take_log_clip) log_clip_q <= wr_data[19:0];
    assign cfg_log_clip = log_clip_q;

    // CLIP
    wire take_clip = take && wr_addr == 8'd34;
    reg  [19:0] clip_q;
    always @(posedge clk)
        if (rst) clip_q <= 20'h33333;
        else if (take_clip) clip_q <= wr_data[19:0];
    assign cfg_clip = clip_q;

    // ENTROPY
    wire take_entropy = take && wr_addr == 8'd35;
    reg  [16:0] entropy_q;
    always @(posedge clk)
        if (rst) entropy_q <= 17'd0;
        else if (take_entropy) entropy_q <= wr_data[16:0];
    assign cfg_entropy = entropy_q;

    // VALUE
    wire take_value = take && wr_addr == 8'd36;
    reg  [17:0] value_q;
    always @(posedge clk)
        if (rst) value_q <= 18'h10000;
        else if (take_value) value_q <= wr_data[17:0];
    assign cfg_value = value_q;

    // VALUE_CLIP
    wire take_value_clip = take && wr_addr == 8'd37;
    reg  [25:0] value_clip_q;
    always @(posedge clk)
        if (rst) value_clip_q <= 26'd0;
        else if (take_value_clip) value_clip_q <= wr_data[25:0];
    assign cfg_value_clip = value_clip_q;

    // NORM
    wire take_norm = take && wr_addr == 8'd38;
    reg  [27:0] norm_q;
    always @(posedge clk)
        if (rst) norm_q <= 28'h3FFFFFF;
        else if (take_norm) norm_q <= wr_data[27:0];
    assign cfg_norm = norm_q;

    // RATE
    wire take_rate = take && wr_addr == 8'd39;
    reg  [27:0] rate_q;
    always @(posedge clk)
        if (rst) rate_q <= 28'd0;
        else if (take_rate) rate_q <= wr_data[27:0];
    assign cfg_rate = rate_q;

    // HOST
    wire take_host = take && wr_addr == 8'd40;
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

    // DROPPED
    wire [31:0] dropped_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_dropped (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_dropped), .q(dropped_q)
    );

    // EPISODE
    wire take_episode = take && wr_addr == 8'd47;
    reg  [6:0] episode_q;
    always @(posedge clk)
        if (rst) episode_q <= 7'd0;
        else if (take_episode) episode_q <= wr_data[6:0];
    assign cfg_episode = episode_q;

    // EXTERNAL_ROLLOUT
    wire take_external_rollout = take && wr_addr == 8'd51;
    reg  external_rollout_q;
    always @(posedge clk)
        if (rst) external_rollout_q <= 1'd0;
        else if (take_external_rollout) external_rollout_q <= wr_data[0];
    assign cfg_external_rollout = external_rollout_q;

    // LOCKSTEP
    wire take_lockstep = take && wr_addr == 8'd52;
    reg  lockstep_q;
    always @(posedge clk)
        if (rst) lockstep_q <= 1'd0;
        else if (take_lockstep) lockstep_q <= wr_data[0];
    assign cfg_lockstep = lockstep_q;

    assign irq = (irq_status_q[3] && irq_enable_host_q) || (irq_status_q[2] && irq_enable_flag_q) || (irq_status_q[1] && irq_enable_iteration_q) || (irq_status_q[0] && irq_enable_done_q);
    assign wr_acts = wr_addr == 8'd5 || wr_addr == 8'd7 || wr_addr == 8'd9;
    assign untimely = wr_en && !timely;
    assign misfit = wr_en && timely && !fits;

    reg  [31:0] word;
    reg  [31:0] rd_data_q;
    always @(*) begin
        case (rd_addr)
            8'd0: word = 32'h5250504F;  // ID
            8'd1: word = {16'd2, 16'd0};  // VERSION
            8'd2: word = {11'd0, PARAM0_RECORD_BITS_RESET[3:0], PARAM0_GAUSSIAN_RESET[0], PARAM0_DP_RESET[7:0], PARAM0_LAYERS1_RESET[3:0], PARAM0_LAYERS0_RESET[3:0]};  // PARAM0
            8'd3: word = {PARAM1_N_ENVS_RESET[15:0], PARAM1_BATCH_MAX_RESET[15:0]};  // PARAM1
            8'd4: word = {16'd0, PARAM2_RESET[15:0]};  // PARAM2
            8'd6: word = {25'd0, hw_status_stale_read, hw_status_stale_act, hw_status_aborting, hw_status_formats_fit, hw_status_resumes, hw_status_host, hw_status_running};  // STATUS
            8'd7: word = {26'd0, flags_q[5], flags_q[4], flags_q[3], flags_q[2], flags_q[1], flags_q[0]};  // FLAGS
            8'd8: word = {28'd0, irq_enable_host_q, irq_enable_flag_q, irq_enable_iteration_q, irq_enable_done_q};  // IRQ_ENABLE
            8'd9: word = {28'd0, irq_status_q[3], irq_status_q[2], irq_status_q[1], irq_status_q[0]};  // IRQ_STATUS
            8'd10: word = seed0_q;  // SEED0
            8'd11: word = seed1_q;  // SEED1
            8'd12: word = seed2_q;  // SEED2
            8'd13: word = seed3_q;  // SEED3
            8'd14: word = todo_q;  // TODO
            8'd15: word = iterations_q;  // ITERATIONS
            8'd16: word = {16'd0, steps_q};  // STEPS
            8'd17: word = {24'd0, epochs_q};  // EPOCHS
            8'd18: word = {16'd0, batch_q};  // BATCH
            8'd19: word = {27'd0, batch_bits_q};  // BATCH_BITS
            8'd20: word = {11'd0, batch_log_q};  // BATCH_LOG
            8'd21: word = {15'd0, batch_slices_q};  // BATCH_SLICES
            8'd22: word = {14'd0, gamma_q};  // GAMMA
            8'd23: word = {14'd0, gamma_lambda_q};  // GAMMA_LAMBDA
            8'd24: word = {14'd0, reward_scale_q};  // REWARD_SCALE
            8'd25: word = {7'd0, net0_act_frac_l4_q, net0_act_frac_l3_q, net0_act_frac_l2_q, net0_act_frac_l1_q, net0_act_frac_l0_q};  // NET0_ACT_FRAC
            8'd26: word = {7'd0, net0_delta_frac_l4_q, net0_delta_frac_l3_q, net0_delta_frac_l2_q, net0_delta_frac_l1_q, net0_delta_frac_l0_q};  // NET0_DELTA_FRAC
            8'd27: word = {2'd0, net0_grad_frac_l4_q, net0_grad_frac_l3_q, net0_grad_frac_l2_q, net0_grad_frac_l1_q, net0_grad_frac_l0_q};  // NET0_GRAD_FRAC
            8'd28: word = {7'd0, net1_act_frac_l4_q, net1_act_frac_l3_q, net1_act_frac_l2_q, net1_act_frac_l1_q, net1_act_frac_l0_q};  // NET1_ACT_FRAC
            8'd29: word = {7'd0, net1_delta_frac_l4_q, net1_delta_frac_l3_q, net1_delta_frac_l2_q, net1_delta_frac_l1_q, net1_delta_frac_l0_q};  // NET1_DELTA_FRAC
            8'd30: word = {2'd0, net1_grad_frac_l4_q, net1_grad_frac_l3_q, net1_grad_frac_l2_q, net1_grad_frac_l1_q, net1_grad_frac_l0_q};  // NET1_GRAD_FRAC
            8'd31: word = {26'd0, logs_frac_q};  // LOGS_FRAC
            8'd32: word = {12'd0, log_eps_q};  // LOG_EPS
            8'd33: word = {12'd0, log_clip_q};  // LOG_CLIP
            8'd34: word = {12'd0, clip_q};  // CLIP
            8'd35: word = {15'd0, entropy_q};  // ENTROPY
            8'd36: word = {14'd0, value_q};  // VALUE
            8'd37: word = {6'd0, value_clip_q};  // VALUE_CLIP
            8'd38: word = {4'd0, norm_q};  // NORM
            8'd39: word = {4'd0, rate_q};  // RATE
            8'd40: word = {26'd0, host_network_q, host_param_bank_q};  // HOST
            8'd41: word = hw_iteration;  // ITERATION
            8'd42: word = clocks_q;  // CLOCKS
            8'd43: word = dropped_q;  // DROPPED
            8'd44: word = hw_episodes;  // EPISODES
            8'd45: word = hw_returns_low;  // RETURNS_LOW
            8'd46: word = hw_returns_high;  // RETURNS_HIGH
            8'd47: word = {25'd0, episode_q};  // EPISODE
            8'd48: word = {16'd0, hw_episode_length};  // EPISODE_LENGTH
            8'd49: word = hw_episode_low;  // EPISODE_LOW
            8'd50: word = {16'd0, hw_episode_high};  // EPISODE_HIGH
            8'd51: word = {31'd0, external_rollout_q};  // EXTERNAL_ROLLOUT
            8'd52: word = {31'd0, lockstep_q};  // LOCKSTEP
            default: word = 32'd0;
        endcase
    end
    always @(posedge clk) rd_data_q <= rd_addr >= 8'd128 ? shape_words[{rd_addr[4:0], 5'd0} +: 32] : rd_addr >= 8'd64 ? sat_words[{rd_addr[5:0], 5'd0} +: 32] : word;
    assign rd_data = rd_data_q;
endmodule
`default_nettype wire
