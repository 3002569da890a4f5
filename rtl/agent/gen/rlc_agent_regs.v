// rlc_agent_regs.v — written from agent.rdl by `rlcores generate`: change that file, not this one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_agent_regs #(
    parameter ENV = 0,
    parameter N_ENVS = 16,
    parameter TIME_LIMIT = 500
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         wr_en,
    input  wire [5:0]   wr_addr,
    input  wire [31:0]  wr_data,
    input  wire [5:0]   rd_addr,
    output wire [31:0]  rd_data,
    input  wire         may_command,
    input  wire         fits_command,
    output wire         do_command_next,
    output wire         do_command_clear_counters,
    output wire         do_command_again,
    output wire         do_command_stop,
    output wire         do_command_start,
    input  wire [6:0]   hw_status_ended,
    input  wire         hw_status_formats_fit,
    input  wire         hw_status_idle,
    input  wire         hw_status_running,
    input  wire         set_flags_lost,
    input  wire         set_flags_busy,
    input  wire         set_flags_config,
    input  wire         set_flags_dropped,
    input  wire         set_flags_saturated,
    input  wire         set_flags_env_saturated,
    input  wire         set_irq_status_done,
    output wire         cfg_halt,
    input  wire         may_idle,
    output wire [31:0]  cfg_blocks,
    output wire [15:0]  cfg_train_freq,
    output wire [15:0]  cfg_gradient_steps,
    output wire [31:0]  cfg_starts,
    output wire         cfg_schedule_free,
    output wire [1:0]   cfg_schedule_lag,
    output wire [24:0]  cfg_act_frac,
    output wire [31:0]  cfg_epsilon,
    output wire [31:0]  cfg_epsilon_end,
    output wire [31:0]  cfg_epsilon_fall,
    output wire [15:0]  cfg_time_limit,
    output wire [31:0]  cfg_seed0,
    output wire [31:0]  cfg_seed1,
    output wire [31:0]  cfg_seed2,
    output wire [31:0]  cfg_seed3,
    output wire [31:0]  cfg_act_seed0,
    output wire [31:0]  cfg_act_seed1,
    output wire [31:0]  cfg_act_seed2,
    output wire [31:0]  cfg_act_seed3,
    input  wire [31:0]  hw_epsilon_now,
    input  wire         count_steps,
    input  wire         count_blocks_done,
    input  wire         count_episodes,
    input  wire         count_terminated,
    input  wire         count_published,
    input  wire [31:0]  hw_returns_low,
    input  wire [31:0]  hw_returns_high,
    input  wire [31:0]  hw_ended_low,
    input  wire [31:0]  hw_ended_high,
    output wire         cfg_action_noise,
    output wire [4:0]   cfg_action_shift,
    output wire [16:0]  cfg_action_scale,
    output wire [26:0]  cfg_log_std,
    input  wire [255:0] count_words,
    output wire         irq,
    output wire         wr_acts,
    output wire         untimely,
    output wire         misfit
);
    localparam [31:0] PARAM0_N_ENVS_RESET = N_ENVS;
    localparam [31:0] PARAM0_ENV_RESET = ENV;
    localparam [31:0] TIME_LIMIT_RESET = TIME_LIMIT;

    // Whether a write comes at the right moment, and whether it fits. A limit may be the largest number there is.
    reg  timely;
    reg  fits;
    // verilator lint_off CMPCONST
    always @(*) begin
        case (wr_addr)
            6'd3: timely = may_command;
            6'd9, 6'd10, 6'd11, 6'd12, 6'd13, 6'd14, 6'd15, 6'd16, 6'd17, 6'd18, 6'd37, 6'd38: timely = may_idle;
            default: timely = 1'b1;
        endcase
        case (wr_addr)
            6'd3: fits = fits_command;
            6'd10, 6'd11: fits = wr_data != 32'd0 && wr_data[31:16] == 16'd0;
            6'd12: fits = wr_data != 32'd0;
            6'd13: fits = wr_data[7:0] <= 8'd2;
            6'd15, 6'd16, 6'd17: fits = wr_data <= 32'h80000000;
            6'd18: fits = wr_data[31:16] == 16'd0;
            6'd37: fits = wr_data[23:17] <= 7'd17;
            default: fits = 1'b1;
        endcase
    end
    // verilator lint_on CMPCONST
    wire take = wr_en && timely && fits;

    // COMMAND
    wire take_command = take && wr_addr == 6'd3;
    reg  command_next_q;
    always @(posedge clk)
        if (rst) command_next_q <= 1'd0;
        else command_next_q <= take_command && wr_data[4];
    assign do_command_next = command_next_q;
    reg  command_clear_counters_q;
    always @(posedge clk)
        if (rst) command_clear_counters_q <= 1'd0;
        else command_clear_counters_q <= take_command && wr_data[3];
    assign do_command_clear_counters = command_clear_counters_q;
    reg  command_again_q;
    always @(posedge clk)
        if (rst) command_again_q <= 1'd0;
        else command_again_q <= take_command && wr_data[2];
    assign do_command_again = command_again_q;
    reg  command_stop_q;
    always @(posedge clk)
        if (rst) command_stop_q <= 1'd0;
        else command_stop_q <= take_command && wr_data[1];
    assign do_command_stop = command_stop_q;
    reg  command_start_q;
    always @(posedge clk)
        if (rst) command_start_q <= 1'd0;
        else command_start_q <= take_command && wr_data[0];
    assign do_command_start = command_start_q;

    // FLAGS
    wire take_flags = take && wr_addr == 6'd5;
    wire [5:0] flags_q;
    wire [5:0] flags_set = {set_flags_lost, set_flags_busy, set_flags_config, set_flags_dropped, set_flags_saturated, set_flags_env_saturated};
    rlc_sticky #(.WIDTH(6)) u_flags (
        .clk(clk), .rst(rst), .sets(flags_set),
        .clears({6{take_flags}} & wr_data[5:0]), .q(flags_q)
    );

    // IRQ_ENABLE
    wire take_irq_enable = take && wr_addr == 6'd6;
    reg  irq_enable_done_q;
    always @(posedge clk)
        if (rst) irq_enable_done_q <= 1'd0;
        else if (take_irq_enable) irq_enable_done_q <= wr_data[1];
    reg  irq_enable_flag_q;
    always @(posedge clk)
        if (rst) irq_enable_flag_q <= 1'd0;
        else if (take_irq_enable) irq_enable_flag_q <= wr_data[0];

    // IRQ_STATUS
    wire take_irq_status = take && wr_addr == 6'd7;
    wire [1:0] irq_status_q;
    wire [1:0] irq_status_set = {set_irq_status_done, |flags_set};
    rlc_sticky #(.WIDTH(2)) u_irq_status (
        .clk(clk), .rst(rst), .sets(irq_status_set),
        .clears({2{take_irq_status}} & wr_data[1:0]), .q(irq_status_q)
    );

    // HALT
    wire take_halt = take && wr_addr == 6'd8;
    reg  halt_q;
    always @(posedge clk)
        if (rst) halt_q <= 1'd0;
        else if (take_halt) halt_q <= wr_data[0];
    assign cfg_halt = halt_q;

    // BLOCKS
    wire take_blocks = take && wr_addr == 6'd9;
    reg  [31:0] blocks_q;
    always @(posedge clk)
        if (rst) blocks_q <= 32'd1;
        else if (take_blocks) blocks_q <= wr_data;
    assign cfg_blocks = blocks_q;

    // TRAIN_FREQ
    wire take_train_freq = take && wr_addr == 6'd10;
    reg  [15:0] train_freq_q;
    always @(posedge clk)
        if (rst) train_freq_q <= 16'd1;
        else if (take_train_freq) train_freq_q <= wr_data[15:0];
    assign cfg_train_freq = train_freq_q;

    // GRADIENT_STEPS
    wire take_gradient_steps = take && wr_addr == 6'd11;
    reg  [15:0] gradient_steps_q;
    always @(posedge clk)
        if (rst) gradient_steps_q <= 16'd1;
        else if (take_gradient_steps) gradient_steps_q <= wr_data[15:0];
    assign cfg_gradient_steps = gradient_steps_q;

    // STARTS
    wire take_starts = take && wr_addr == 6'd12;
    reg  [31:0] starts_q;
    always @(posedge clk)
        if (rst) starts_q <= 32'd1;
        else if (take_starts) starts_q <= wr_data;
    assign cfg_starts = starts_q;

    // SCHEDULE
    wire take_schedule = take && wr_addr == 6'd13;
    reg  schedule_free_q;
    always @(posedge clk)
        if (rst) schedule_free_q <= 1'd0;
        else if (take_schedule) schedule_free_q <= wr_data[8];
    assign cfg_schedule_free = schedule_free_q;
    reg  [1:0] schedule_lag_q;
    always @(posedge clk)
        if (rst) schedule_lag_q <= 2'd1;
        else if (take_schedule) schedule_lag_q <= wr_data[1:0];
    assign cfg_schedule_lag = schedule_lag_q;

    // ACT_FRAC
    wire take_act_frac = take && wr_addr == 6'd14;
    reg  [4:0] act_frac_l4_q;
    always @(posedge clk)
        if (rst) act_frac_l4_q <= 5'd12;
        else if (take_act_frac) act_frac_l4_q <= wr_data[24:20];
    reg  [4:0] act_frac_l3_q;
    always @(posedge clk)
        if (rst) act_frac_l3_q <= 5'd12;
        else if (take_act_frac) act_frac_l3_q <= wr_data[19:15];
    reg  [4:0] act_frac_l2_q;
    always @(posedge clk)
        if (rst) act_frac_l2_q <= 5'd12;
        else if (take_act_frac) act_frac_l2_q <= wr_data[14:10];
    reg  [4:0] act_frac_l1_q;
    always @(posedge clk)
        if (rst) act_frac_l1_q <= 5'd12;
        else if (take_act_frac) act_frac_l1_q <= wr_data[9:5];
    reg  [4:0] act_frac_l0_q;
    always @(posedge clk)
        if (rst) act_frac_l0_q <= 5'd12;
        else if (take_act_frac) act_frac_l0_q <= wr_data[4:0];
    assign cfg_act_frac = {act_frac_l4_q, act_frac_l3_q, act_frac_l2_q, act_frac_l1_q, act_frac_l0_q};

    // EPSILON
    wire take_epsilon = take && wr_addr == 6'd15;
    reg  [31:0] epsilon_q;
    always @(posedge clk)
        if (rst) epsilon_q <= 32'd0;
        else if (take_epsilon) epsilon_q <= wr_data;
    assign cfg_epsilon = epsilon_q;

    // EPSILON_END
    wire take_epsilon_end = take && wr_addr == 6'd16;
    reg  [31:0] epsilon_end_q;
    always @(posedge clk)
        if (rst) epsilon_end_q <= 32'd0;
        else if (take_epsilon_end) epsilon_end_q <= wr_data;
    assign cfg_epsilon_end = epsilon_end_q;

    // EPSILON_FALL
    wire take_epsilon_fall = take && wr_addr == 6'd17;
    reg  [31:0] epsilon_fall_q;
    always @(posedge clk)
        if (rst) epsilon_fall_q <= 32'd0;
        else if (take_epsilon_fall) epsilon_fall_q <= wr_data;
    assign cfg_epsilon_fall = epsilon_fall_q;

    // TIME_LIMIT
    wire take_time_limit = take && wr_addr == 6'd18;
    reg  [15:0] time_limit_q;
    always @(posedge clk)
        if (rst) time_limit_q <= TIME_LIMIT_RESET[15:0];
        else if (take_time_limit) time_limit_q <= wr_data[15:0];
    assign cfg_time_limit = time_limit_q;

    // SEED0
    wire take_seed0 = take && wr_addr == 6'd19;
    reg  [31:0] seed0_q;
    always @(posedge clk)
        if (rst) seed0_q <= 32'h7B1DCDAF;
        else if (take_seed0) seed0_q <= wr_data;
    assign cfg_seed0 = seed0_q;

    // SEED1
    wire take_seed1 = take && wr_addr == 6'd20;
    reg  [31:0] seed1_q;
    always @(posedge clk)
        if (rst) seed1_q <= 32'hE220A839;
        else if (take_seed1) seed1_q <= wr_data;
    assign cfg_seed1 = seed1_q;

    // SEED2
    wire take_seed2 = take && wr_addr == 6'd21;
    reg  [31:0] seed2_q;
    always @(posedge clk)
        if (rst) seed2_q <= 32'hA1B965F4;
        else if (take_seed2) seed2_q <= wr_data;
    assign cfg_seed2 = seed2_q;

    // SEED3
    wire take_seed3 = take && wr_addr == 6'd22;
    reg  [31:0] seed3_q;
    always @(posedge clk)
        if (rst) seed3_q <= 32'h6E789E6A;
        else if (take_seed3) seed3_q <= wr_data;
    assign cfg_seed3 = seed3_q;

    // ACT_SEED0
    wire take_act_seed0 = take && wr_addr == 6'd23;
    reg  [31:0] act_seed0_q;
    always @(posedge clk)
        if (rst) act_seed0_q <= 32'h7B1DCDAF;
        else if (take_act_seed0) act_seed0_q <= wr_data;
    assign cfg_act_seed0 = act_seed0_q;

    // ACT_SEED1
    wire take_act_seed1 = take && wr_addr == 6'd24;
    reg  [31:0] act_seed1_q;
    always @(posedge clk)
        if (rst) act_seed1_q <= 32'hE220A839;
        else if (take_act_seed1) act_seed1_q <= wr_data;
    assign cfg_act_seed1 = act_seed1_q;

    // ACT_SEED2
    wire take_act_seed2 = take && wr_addr == 6'd25;
    reg  [31:0] act_seed2_q;
    always @(posedge clk)
        if (rst) act_seed2_q <= 32'hA1B965F4;
        else if (take_act_seed2) act_seed2_q <= wr_data;
    assign cfg_act_seed2 = act_seed2_q;

    // ACT_SEED3
    wire take_act_seed3 = take && wr_addr == 6'd26;
    reg  [31:0] act_seed3_q;
    always @(posedge clk)
        if (rst) act_seed3_q <= 32'h6E789E6A;
        else if (take_act_seed3) act_seed3_q <= wr_data;
    assign cfg_act_seed3 = act_seed3_q;

    // STEPS
    wire [31:0] steps_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_steps (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_steps), .q(steps_q)
    );

    // BLOCKS_DONE
    wire [31:0] blocks_done_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_blocks_done (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_blocks_done), .q(blocks_done_q)
    );

    // EPISODES
    wire [31:0] episodes_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_episodes (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_episodes), .q(episodes_q)
    );

    // TERMINATED
    wire [31:0] terminated_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_terminated (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_terminated), .q(terminated_q)
    );

    // PUBLISHED
    wire [31:0] published_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_published (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_published), .q(published_q)
    );

    // ACTION
    wire take_action = take && wr_addr == 6'd37;
    reg  action_noise_q;
    always @(posedge clk)
        if (rst) action_noise_q <= 1'd1;
        else if (take_action) action_noise_q <= wr_data[24];
    assign cfg_action_noise = action_noise_q;
    reg  [4:0] action_shift_q;
    always @(posedge clk)
        if (rst) action_shift_q <= 5'd1;
        else if (take_action) action_shift_q <= wr_data[21:17];
    assign cfg_action_shift = action_shift_q;
    reg  [16:0] action_scale_q;
    always @(posedge clk)
        if (rst) action_scale_q <= 17'd32768;
        else if (take_action) action_scale_q <= wr_data[16:0];
    assign cfg_action_scale = action_scale_q;

    // LOG_STD
    wire take_log_std = take && wr_addr == 6'd38;
    reg  [26:0] log_std_q;
    always @(posedge clk)
        if (rst) log_std_q <= 27'd0;
        else if (take_log_std) log_std_q <= wr_data[26:0];
    assign cfg_log_std = log_std_q;

    assign irq = (irq_status_q[1] && irq_enable_done_q) || (irq_status_q[0] && irq_enable_flag_q);
    assign wr_acts = wr_addr == 6'd3 || wr_addr == 6'd5 || wr_addr == 6'd7;
    assign untimely = wr_en && !timely;
    assign misfit = wr_en && timely && !fits;

    reg  [31:0] word;
    reg  [31:0] rd_data_q;
    always @(*) begin
        case (rd_addr)
            6'd0: word = 32'h52414754;  // ID
            6'd1: word = {16'd1, 16'd1};  // VERSION
            6'd2: word = {PARAM0_ENV_RESET[7:0], 8'd0, PARAM0_N_ENVS_RESET[15:0]};  // PARAM0
            6'd4: word = {17'd0, hw_status_ended, 5'd0, hw_status_formats_fit, hw_status_idle, hw_status_running};  // STATUS
            6'd5: word = {26'd0, flags_q[5], flags_q[4], flags_q[3], flags_q[2], flags_q[1], flags_q[0]};  // FLAGS
            6'd6: word = {30'd0, irq_enable_done_q, irq_enable_flag_q};  // IRQ_ENABLE
            6'd7: word = {30'd0, irq_status_q[1], irq_status_q[0]};  // IRQ_STATUS
            6'd8: word = {31'd0, halt_q};  // HALT
            6'd9: word = blocks_q;  // BLOCKS
            6'd10: word = {16'd0, train_freq_q};  // TRAIN_FREQ
            6'd11: word = {16'd0, gradient_steps_q};  // GRADIENT_STEPS
            6'd12: word = starts_q;  // STARTS
            6'd13: word = {23'd0, schedule_free_q, 6'd0, schedule_lag_q};  // SCHEDULE
            6'd14: word = {7'd0, act_frac_l4_q, act_frac_l3_q, act_frac_l2_q, act_frac_l1_q, act_frac_l0_q};  // ACT_FRAC
            6'd15: word = epsilon_q;  // EPSILON
            6'd16: word = epsilon_end_q;  // EPSILON_END
            6'd17: word = epsilon_fall_q;  // EPSILON_FALL
            6'd18: word = {16'd0, time_limit_q};  // TIME_LIMIT
            6'd19: word = seed0_q;  // SEED0
            6'd20: word = seed1_q;  // SEED1
            6'd21: word = seed2_q;  // SEED2
            6'd22: word = seed3_q;  // SEED3
            6'd23: word = act_seed0_q;  // ACT_SEED0
            6'd24: word = act_seed1_q;  // ACT_SEED1
            6'd25: word = act_seed2_q;  // ACT_SEED2
            6'd26: word = act_seed3_q;  // ACT_SEED3
            6'd27: word = hw_epsilon_now;  // EPSILON_NOW
            6'd28: word = steps_q;  // STEPS
            6'd29: word = blocks_done_q;  // BLOCKS_DONE
            6'd30: word = episodes_q;  // EPISODES
            6'd31: word = terminated_q;  // TERMINATED
            6'd32: word = published_q;  // PUBLISHED
            6'd33: word = hw_returns_low;  // RETURNS_LOW
            6'd34: word = hw_returns_high;  // RETURNS_HIGH
            6'd35: word = hw_ended_low;  // ENDED_LOW
            6'd36: word = hw_ended_high;  // ENDED_HIGH
            6'd37: word = {7'd0, action_noise_q, 2'd0, action_shift_q, action_scale_q};  // ACTION
            6'd38: word = {5'd0, log_std_q};  // LOG_STD
            default: word = 32'd0;
        endcase
    end
    always @(posedge clk) rd_data_q <= rd_addr >= 6'd40 ? count_words[{rd_addr[2:0], 5'd0} +: 32] : word;
    assign rd_data = rd_data_q;
endmodule
`default_nettype wire
