// rlc_sumtree_regs.v — written from sumtree.rdl by `rlcores generate`: change that file, not this one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_sumtree_regs #(
    parameter LEAVES_LOG2 = 12,
    parameter CAPACITY = 4096,
    parameter PRIORITY_WIDTH = 18,
    parameter DRAW_WIDTH = 32,
    parameter GENERATION_WIDTH = 8,
    parameter SHARED = 0,
    parameter PRIORITY_MATHS = 1,
    parameter BATCH_MAX = 1024
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        wr_en,
    input  wire [5:0]  wr_addr,
    input  wire [31:0] wr_data,
    input  wire [5:0]  rd_addr,
    output wire [31:0] rd_data,
    input  wire        may_command,
    output wire        do_command_abort,
    output wire        do_command_restart,
    output wire        do_command_clear,
    input  wire        hw_status_stale_sample,
    input  wire        hw_status_stale_op,
    input  wire        hw_status_aborting,
    input  wire        hw_status_drawing,
    input  wire        hw_status_answering,
    input  wire        hw_status_sampling,
    input  wire        hw_status_operating,
    input  wire        hw_status_busy,
    input  wire        set_flags_busy,
    input  wire        set_flags_config,
    input  wire        set_flags_miss,
    input  wire        set_flags_empty,
    input  wire        set_flags_kind,
    input  wire        set_flags_range,
    input  wire        set_flags_stale,
    input  wire        set_flags_saturated,
    input  wire        set_irq_status_ready,
    input  wire        set_irq_status_drawn,
    input  wire        may_control,
    output wire        cfg_control_weights,
    output wire        cfg_control_stratified,
    output wire        cfg_control_quiet,
    output wire [31:0] cfg_capacity,
    output wire [31:0] cfg_initial,
    input  wire        may_batch,
    output wire [15:0] cfg_batch,
    output wire [31:0] cfg_seed0,
    output wire [31:0] cfg_seed1,
    output wire [31:0] cfg_seed2,
    input  wire        may_seed,
    output wire        wr_seed3,
    output wire [31:0] cfg_seed3,
    input  wire        may_draw,
    output wire        wr_draw,
    input  wire [31:0] hw_draw,
    input  wire        may_maths,
    output wire [15:0] cfg_alpha,
    output wire [31:0] cfg_epsilon,
    output wire [15:0] cfg_scale,
    input  wire        may_beta,
    output wire [15:0] cfg_beta,
    input  wire [31:0] hw_size,
    input  wire [31:0] hw_largest,
    input  wire [31:0] hw_in_force,
    input  wire        rd_en,
    output wire        rd_total_lo,
    input  wire [31:0] hw_total_lo,
    input  wire [31:0] hw_total_hi,
    input  wire        count_updates,
    input  wire        count_inserts,
    input  wire        count_samples,
    input  wire        count_stale,
    input  wire        count_range,
    input  wire        count_empty,
    input  wire        count_miss,
    output wire        irq,
    output wire        wr_acts,
    output wire        untimely,
    output wire        misfit
);
    localparam [31:0] PARAM0_LEAVES_LOG2_RESET = LEAVES_LOG2;
    localparam [31:0] PARAM0_PRIORITY_WIDTH_RESET = PRIORITY_WIDTH;
    localparam [31:0] PARAM0_DRAW_WIDTH_RESET = DRAW_WIDTH;
    localparam [31:0] PARAM0_GENERATION_WIDTH_RESET = GENERATION_WIDTH;
    localparam [31:0] PARAM1_BATCH_MAX_RESET = BATCH_MAX;
    localparam [31:0] PARAM1_SHARED_RESET = SHARED;
    localparam [31:0] PARAM1_PRIORITY_MATHS_RESET = PRIORITY_MATHS;
    localparam [31:0] PARAM2_RESET = CAPACITY;
    localparam [31:0] CAPACITY_MOST = CAPACITY;
    localparam [31:0] CAPACITY_RESET = CAPACITY;
    localparam [31:0] INITIAL_MOST = ((1 << PRIORITY_WIDTH) - 1);
    localparam [31:0] BATCH_MOST = BATCH_MAX;

    // Whether a write comes at the right moment, and whether it fits. A limit may be the largest number there is.
    reg  timely;
    reg  fits;
    // verilator lint_off CMPCONST
    always @(*) begin
        case (wr_addr)
            6'd5: timely = may_command;
            6'd10: timely = may_control;
            6'd13: timely = may_batch;
            6'd17: timely = may_seed;
            6'd18: timely = may_draw;
            6'd19, 6'd20, 6'd21: timely = may_maths;
            6'd22: timely = may_beta;
            default: timely = 1'b1;
        endcase
        case (wr_addr)
            6'd10: fits = ((PRIORITY_MATHS != 0) || wr_data[2] == 1'd0);
            6'd11: fits = wr_data != 32'd0 && wr_data <= CAPACITY_MOST;
            6'd12: fits = wr_data <= INITIAL_MOST;
            6'd13: fits = wr_data != 32'd0 && wr_data <= BATCH_MOST;
            6'd19, 6'd22: fits = wr_data <= 32'd32768 && (PRIORITY_MATHS != 0);
            6'd20, 6'd21: fits = (PRIORITY_MATHS != 0);
            default: fits = 1'b1;
        endcase
    end
    // verilator lint_on CMPCONST
    wire take = wr_en && timely && fits;

    // COMMAND
    wire take_command = take && wr_addr == 6'd5;
    reg  command_abort_q;
    always @(posedge clk)
        if (rst) command_abort_q <= 1'd0;
        else command_abort_q <= take_command && wr_data[3];
    assign do_command_abort = command_abort_q;
    reg  command_clear_counters_q;
    always @(posedge clk)
        if (rst) command_clear_counters_q <= 1'd0;
        else command_clear_counters_q <= take_command && wr_data[2];
    reg  command_restart_q;
    always @(posedge clk)
        if (rst) command_restart_q <= 1'd0;
        else command_restart_q <= take_command && wr_data[1];
    assign do_command_restart = command_restart_q;
    reg  command_clear_q;
    always @(posedge clk)
        if (rst) command_clear_q <= 1'd0;
        else command_clear_q <= take_command && wr_data[0];
    assign do_command_clear = command_clear_q;

    // FLAGS
    wire take_flags = take && wr_addr == 6'd7;
    wire [7:0] flags_q;
    wire [7:0] flags_set = {set_flags_busy, set_flags_config, set_flags_miss, set_flags_empty, set_flags_kind, set_flags_range, set_flags_stale, set_flags_saturated};
    rlc_sticky #(.WIDTH(8)) u_flags (
        .clk(clk), .rst(rst), .sets(flags_set),
        .clears({8{take_flags}} & wr_data[7:0]), .q(flags_q)
    );

    // IRQ_ENABLE
    wire take_irq_enable = take && wr_addr == 6'd8;
    reg  irq_enable_ready_q;
    always @(posedge clk)
        if (rst) irq_enable_ready_q <= 1'd0;
        else if (take_irq_enable) irq_enable_ready_q <= wr_data[2];
    reg  irq_enable_flag_q;
    always @(posedge clk)
        if (rst) irq_enable_flag_q <= 1'd0;
        else if (take_irq_enable) irq_enable_flag_q <= wr_data[1];
    reg  irq_enable_drawn_q;
    always @(posedge clk)
        if (rst) irq_enable_drawn_q <= 1'd0;
        else if (take_irq_enable) irq_enable_drawn_q <= wr_data[0];

    // IRQ_STATUS
    wire take_irq_status = take && wr_addr == 6'd9;
    wire [2:0] irq_status_q;
    wire [2:0] irq_status_set = {set_irq_status_ready, |flags_set, set_irq_status_drawn};
    rlc_sticky #(.WIDTH(3)) u_irq_status (
        .clk(clk), .rst(rst), .sets(irq_status_set),
        .clears({3{take_irq_status}} & wr_data[2:0]), .q(irq_status_q)
    );

    // CONTROL
    wire take_control = take && wr_addr == 6'd10;
    reg  control_weights_q;
    always @(posedge clk)
        if (rst) control_weights_q <= 1'd0;
        else if (take_control) control_weights_q <= wr_data[2];
    assign cfg_control_weights = control_weights_q;
    reg  control_stratified_q;
    always @(posedge clk)
        if (rst) control_stratified_q <= 1'd0;
        else if (take_control) control_stratified_q <= wr_data[1];
    assign cfg_control_stratified = control_stratified_q;
    reg  control_quiet_q;
    always @(posedge clk)
        if (rst) control_quiet_q <= 1'd0;
        else if (take_control) control_quiet_q <= wr_data[0];
    assign cfg_control_quiet = control_quiet_q;

    // CAPACITY
    wire take_capacity = take && wr_addr == 6'd11;
    reg  [31:0] capacity_q;
    always @(posedge clk)
        if (rst) capacity_q <= CAPACITY_RESET;
        else if (take_capacity) capacity_q <= wr_data;
    assign cfg_capacity = capacity_q;

    // INITIAL
    wire take_initial = take && wr_addr == 6'd12;
    reg  [31:0] initial_q;
    always @(posedge clk)
        if (rst) initial_q <= 32'd1;
        else if (take_initial) initial_q <= wr_data;
    assign cfg_initial = initial_q;

    // BATCH
    wire take_batch = take && wr_addr == 6'd13;
    reg  [15:0] batch_q;
    always @(posedge clk)
        if (rst) batch_q <= 16'd1;
        else if (take_batch) batch_q <= wr_data[15:0];
    assign cfg_batch = batch_q;

    // SEED0
    wire take_seed0 = take && wr_addr == 6'd14;
    reg  [31:0] seed0_q;
    always @(posedge clk)
        if (rst) seed0_q <= 32'h7B1DCDAF;
        else if (take_seed0) seed0_q <= wr_data;
    assign cfg_seed0 = seed0_q;

    // SEED1
    wire take_seed1 = take && wr_addr == 6'd15;
    reg  [31:0] seed1_q;
    always @(posedge clk)
        if (rst) seed1_q <= 32'hE220A839;
        else if (take_seed1) seed1_q <= wr_data;
    assign cfg_seed1 = seed1_q;

    // SEED2
    wire take_seed2 = take && wr_addr == 6'd16;
    reg  [31:0] seed2_q;
    always @(posedge clk)
        if (rst) seed2_q <= 32'hA1B965F4;
        else if (take_seed2) seed2_q <= wr_data;
    assign cfg_seed2 = seed2_q;

    // SEED3
    wire take_seed3 = take && wr_addr == 6'd17;
    assign wr_seed3 = take_seed3;
    reg  [31:0] seed3_q;
    always @(posedge clk)
        if (rst) seed3_q <= 32'h6E789E6A;
        else if (take_seed3) seed3_q <= wr_data;
    assign cfg_seed3 = seed3_q;

    // DRAW
    wire take_draw = take && wr_addr == 6'd18;
    assign wr_draw = take_draw;

    // ALPHA
    wire take_alpha = take && wr_addr == 6'd19;
    reg  [15:0] alpha_q;
    always @(posedge clk)
        if (rst) alpha_q <= 16'd19661;
        else if (take_alpha) alpha_q <= wr_data[15:0];
    assign cfg_alpha = alpha_q;

    // EPSILON
    wire take_epsilon = take && wr_addr == 6'd20;
    reg  [31:0] epsilon_q;
    always @(posedge clk)
        if (rst) epsilon_q <= 32'd1;
        else if (take_epsilon) epsilon_q <= wr_data;
    assign cfg_epsilon = epsilon_q;

    // SCALE
    wire take_scale = take && wr_addr == 6'd21;
    reg  [15:0] scale_q;
    always @(posedge clk)
        if (rst) scale_q <= 16'd0;
        else if (take_scale) scale_q <= wr_data[15:0];
    assign cfg_scale = scale_q;

    // BETA
    wire take_beta = take && wr_addr == 6'd22;
    reg  [15:0] beta_q;
    always @(posedge clk)
        if (rst) beta_q <= 16'd13107;
        else if (take_beta) beta_q <= wr_data[15:0];
    assign cfg_beta = beta_q;

    // TOTAL_LO
    assign rd_total_lo = rd_en && rd_addr == 6'd26;

    // UPDATES
    wire [31:0] updates_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_updates (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_updates), .q(updates_q)
    );

    // INSERTS
    wire [31:0] inserts_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_inserts (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_inserts), .q(inserts_q)
    );

    // SAMPLES
    wire [31:0] samples_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_samples (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_samples), .q(samples_q)
    );

    // STALE
    wire [31:0] stale_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_stale (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_stale), .q(stale_q)
    );

    // RANGE
    wire [31:0] range_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_range (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_range), .q(range_q)
    );

    // EMPTY
    wire [31:0] empty_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_empty (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_empty), .q(empty_q)
    );

    // MISS
    wire [31:0] miss_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_miss (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_miss), .q(miss_q)
    );

    assign irq = (irq_status_q[2] && irq_enable_ready_q) || (irq_status_q[1] && irq_enable_flag_q) || (irq_status_q[0] && irq_enable_drawn_q);
    assign wr_acts = wr_addr == 6'd5 || wr_addr == 6'd7 || wr_addr == 6'd9 || wr_addr == 6'd18;
    assign untimely = wr_en && !timely;
    assign misfit = wr_en && timely && !fits;

    reg  [31:0] word;
    reg  [31:0] rd_data_q;
    always @(*) begin
        case (rd_addr)
            6'd0: word = 32'h5253554D;  // ID
            6'd1: word = {16'd1, 16'd1};  // VERSION
            6'd2: word = {PARAM0_GENERATION_WIDTH_RESET[7:0], PARAM0_DRAW_WIDTH_RESET[7:0], PARAM0_PRIORITY_WIDTH_RESET[7:0], PARAM0_LEAVES_LOG2_RESET[7:0]};  // PARAM0
            6'd3: word = {14'd0, PARAM1_PRIORITY_MATHS_RESET[0], PARAM1_SHARED_RESET[0], PARAM1_BATCH_MAX_RESET[15:0]};  // PARAM1
            6'd4: word = PARAM2_RESET;  // PARAM2
            6'd6: word = {24'd0, hw_status_stale_sample, hw_status_stale_op, hw_status_aborting, hw_status_drawing, hw_status_answering, hw_status_sampling, hw_status_operating, hw_status_busy};  // STATUS
            6'd7: word = {24'd0, flags_q[7], flags_q[6], flags_q[5], flags_q[4], flags_q[3], flags_q[2], flags_q[1], flags_q[0]};  // FLAGS
            6'd8: word = {29'd0, irq_enable_ready_q, irq_enable_flag_q, irq_enable_drawn_q};  // IRQ_ENABLE
            6'd9: word = {29'd0, irq_status_q[2], irq_status_q[1], irq_status_q[0]};  // IRQ_STATUS
            6'd10: word = {29'd0, control_weights_q, control_stratified_q, control_quiet_q};  // CONTROL
            6'd11: word = capacity_q;  // CAPACITY
            6'd12: word = initial_q;  // INITIAL
            6'd13: word = {16'd0, batch_q};  // BATCH
            6'd14: word = seed0_q;  // SEED0
            6'd15: word = seed1_q;  // SEED1
            6'd16: word = seed2_q;  // SEED2
            6'd17: word = seed3_q;  // SEED3
            6'd18: word = hw_draw;  // DRAW
            6'd19: word = {16'd0, alpha_q};  // ALPHA
            6'd20: word = epsilon_q;  // EPSILON
            6'd21: word = {16'd0, scale_q};  // SCALE
            6'd22: word = {16'd0, beta_q};  // BETA
            6'd23: word = hw_size;  // SIZE
            6'd24: word = hw_largest;  // LARGEST
            6'd25: word = hw_in_force;  // IN_FORCE
            6'd26: word = hw_total_lo;  // TOTAL_LO
            6'd27: word = hw_total_hi;  // TOTAL_HI
            6'd28: word = updates_q;  // UPDATES
            6'd29: word = inserts_q;  // INSERTS
            6'd30: word = samples_q;  // SAMPLES
            6'd31: word = stale_q;  // STALE
            6'd32: word = range_q;  // RANGE
            6'd33: word = empty_q;  // EMPTY
            6'd34: word = miss_q;  // MISS
            default: word = 32'd0;
        endcase
    end
    always @(posedge clk) rd_data_q <= word;
    assign rd_data = rd_data_q;
endmodule
`default_nettype wire
