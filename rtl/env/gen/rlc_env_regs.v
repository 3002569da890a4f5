// rlc_env_regs.v — written from env.rdl by `rlcores generate`: change that file, not this one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_env_regs #(
    parameter ENV = 0,
    parameter N_ENVS = 16,
    parameter TIME_LIMIT = 500
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        wr_en,
    input  wire [4:0]  wr_addr,
    input  wire [31:0] wr_data,
    input  wire [4:0]  rd_addr,
    output wire [31:0] rd_data,
    output wire        do_command_abort,
    output wire        do_command_start,
    input  wire        hw_status_stale,
    input  wire        hw_status_running,
    input  wire        set_flags_busy,
    input  wire        set_flags_config,
    input  wire        set_flags_dropped,
    input  wire        set_flags_illegal,
    input  wire        set_flags_saturated,
    input  wire        may_configure,
    output wire [15:0] cfg_time_limit,
    output wire [31:0] cfg_seed0,
    output wire [31:0] cfg_seed1,
    output wire [31:0] cfg_seed2,
    output wire [31:0] cfg_seed3,
    input  wire        count_steps,
    input  wire        count_terminated,
    input  wire        count_truncated,
    input  wire        count_saturated,
    input  wire        count_illegal,
    input  wire        count_dropped,
    output wire        irq,
    output wire        wr_acts,
    output wire        untimely,
    output wire        misfit
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
            5'd8: timely = may_configure;
            default: timely = 1'b1;
        endcase
        case (wr_addr)
            5'd8: fits = wr_data[31:16] == 16'd0;
            default: fits = 1'b1;
        endcase
    end
    // verilator lint_on CMPCONST
    wire take = wr_en && timely && fits;

    // COMMAND
    wire take_command = take && wr_addr == 5'd3;
    reg  command_clear_counters_q;
    always @(posedge clk)
        if (rst) command_clear_counters_q <= 1'd0;
        else command_clear_counters_q <= take_command && wr_data[2];
    reg  command_abort_q;
    always @(posedge clk)
        if (rst) command_abort_q <= 1'd0;
        else command_abort_q <= take_command && wr_data[1];
    assign do_command_abort = command_abort_q;
    reg  command_start_q;
    always @(posedge clk)
        if (rst) command_start_q <= 1'd0;
        else command_start_q <= take_command && wr_data[0];
    assign do_command_start = command_start_q;

    // FLAGS
    wire take_flags = take && wr_addr == 5'd5;
    wire [4:0] flags_q;
    wire [4:0] flags_set = {set_flags_busy, set_flags_config, set_flags_dropped, set_flags_illegal, set_flags_saturated};
    rlc_sticky #(.WIDTH(5)) u_flags (
        .clk(clk), .rst(rst), .sets(flags_set),
        .clears({5{take_flags}} & wr_data[4:0]), .q(flags_q)
    );

    // IRQ_ENABLE
    wire take_irq_enable = take && wr_addr == 5'd6;
    reg  irq_enable_q;
    always @(posedge clk)
        if (rst) irq_enable_q <= 1'd0;
        else if (take_irq_enable) irq_enable_q <= wr_data[0];

    // IRQ_STATUS
    wire take_irq_status = take && wr_addr == 5'd7;
    wire [0:0] irq_status_q;
    wire [0:0] irq_status_set = |flags_set;
    rlc_sticky #(.WIDTH(1)) u_irq_status (
        .clk(clk), .rst(rst), .sets(irq_status_set),
        .clears({1{take_irq_status}} & wr_data[0:0]), .q(irq_status_q)
    );

    // TIME_LIMIT
    wire take_time_limit = take && wr_addr == 5'd8;
    reg  [15:0] time_limit_q;
    always @(posedge clk)
        if (rst) time_limit_q <= TIME_LIMIT_RESET[15:0];
        else if (take_time_limit) time_limit_q <= wr_data[15:0];
    assign cfg_time_limit = time_limit_q;

    // SEED0
    wire take_seed0 = take && wr_addr == 5'd9;
    reg  [31:0] seed0_q;
    always @(posedge clk)
        if (rst) seed0_q <= 32'h7B1DCDAF;
        else if (take_seed0) seed0_q <= wr_data;
    assign cfg_seed0 = seed0_q;

    // SEED1
    wire take_seed1 = take && wr_addr == 5'd10;
    reg  [31:0] seed1_q;
    always @(posedge clk)
        if (rst) seed1_q <= 32'hE220A839;
        else if (take_seed1) seed1_q <= wr_data;
    assign cfg_seed1 = seed1_q;

    // SEED2
    wire take_seed2 = take && wr_addr == 5'd11;
    reg  [31:0] seed2_q;
    always @(posedge clk)
        if (rst) seed2_q <= 32'hA1B965F4;
        else if (take_seed2) seed2_q <= wr_data;
    assign cfg_seed2 = seed2_q;

    // SEED3
    wire take_seed3 = take && wr_addr == 5'd12;
    reg  [31:0] seed3_q;
    always @(posedge clk)
        if (rst) seed3_q <= 32'h6E789E6A;
        else if (take_seed3) seed3_q <= wr_data;
    assign cfg_seed3 = seed3_q;

    // STEPS
    wire [31:0] steps_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_steps (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_steps), .q(steps_q)
    );

    // TERMINATED
    wire [31:0] terminated_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_terminated (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_terminated), .q(terminated_q)
    );

    // TRUNCATED
    wire [31:0] truncated_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_truncated (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_truncated), .q(truncated_q)
    );

    // SATURATED
    wire [31:0] saturated_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_saturated (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_saturated), .q(saturated_q)
    );

    // ILLEGAL
    wire [31:0] illegal_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_illegal (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_illegal), .q(illegal_q)
    );

    // DROPPED
    wire [31:0] dropped_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_dropped (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_dropped), .q(dropped_q)
    );

    assign irq = (irq_status_q[0] && irq_enable_q);
    assign wr_acts = wr_addr == 5'd3 || wr_addr == 5'd5 || wr_addr == 5'd7;
    assign untimely = wr_en && !timely;
    assign misfit = wr_en && timely && !fits;

    reg  [31:0] word;
    reg  [31:0] rd_data_q;
    always @(*) begin
        case (rd_addr)
            5'd0: word = 32'h52454E56;  // ID
            5'd1: word = {16'd1, 16'd0};  // VERSION
            5'd2: word = {PARAM0_ENV_RESET[7:0], 8'd0, PARAM0_N_ENVS_RESET[15:0]};  // PARAM0
            5'd4: word = {30'd0, hw_status_stale, hw_status_running};  // STATUS
            5'd5: word = {27'd0, flags_q[4], flags_q[3], flags_q[2], flags_q[1], flags_q[0]};  // FLAGS
            5'd6: word = {31'd0, irq_enable_q};  // IRQ_ENABLE
            5'd7: word = {31'd0, irq_status_q[0]};  // IRQ_STATUS
            5'd8: word = {16'd0, time_limit_q};  // TIME_LIMIT
            5'd9: word = seed0_q;  // SEED0
            5'd10: word = seed1_q;  // SEED1
            5'd11: word = seed2_q;  // SEED2
            5'd12: word = seed3_q;  // SEED3
            5'd13: word = steps_q;  // STEPS
            5'd14: word = terminated_q;  // TERMINATED
            5'd15: word = truncated_q;  // TRUNCATED
            5'd16: word = saturated_q;  // SATURATED
            5'd17: word = illegal_q;  // ILLEGAL
            5'd18: word = dropped_q;  // DROPPED
            default: word = 32'd0;
        endcase
    end
    always @(posedge clk) rd_data_q <= word;
    assign rd_data = rd_data_q;
endmodule
`default_nettype wire
