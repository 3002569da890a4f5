// rlc_policy_regs.v — written from policy.rdl by `rlcores generate`: change that file, not this one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_policy_regs #(
    parameter OUT_WIDTH = 27,
    parameter LOGP = 1,
    parameter CONTINUOUS = 0
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         wr_en,
    input  wire [5:0]   wr_addr,
    input  wire [31:0]  wr_data,
    input  wire [5:0]   rd_addr,
    output wire [31:0]  rd_data,
    input  wire         may_command,
    output wire         do_command_clear_counters,
    output wire         do_command_abort,
    output wire         do_command_seed,
    input  wire         hw_status_stale_log,
    input  wire         hw_status_stale_act,
    input  wire         hw_status_formats_fit,
    input  wire         hw_status_loaded,
    input  wire         hw_status_busy,
    input  wire         set_flags_busy,
    input  wire         set_flags_config,
    input  wire         set_flags_dropped,
    input  wire         set_flags_saturated,
    input  wire         set_irq_status_taken,
    input  wire         may_idle,
    output wire [24:0]  cfg_act_frac,
    output wire [16:0]  cfg_epsilon,
    output wire         cfg_noise,
    output wire [1:0]   cfg_squash,
    output wire [16:0]  cfg_scale,
    output wire [31:0]  cfg_seed0,
    output wire [31:0]  cfg_seed1,
    output wire [31:0]  cfg_seed2,
    output wire [31:0]  cfg_seed3,
    input  wire [255:0] count_words,
    input  wire [511:0] shape_words,
    output wire         irq,
    output wire         wr_acts,
    output wire         untimely,
    output wire         misfit
);
    localparam [31:0] PARAM0_LOGP_RESET = LOGP;
    localparam [31:0] PARAM0_CONTINUOUS_RESET = CONTINUOUS;
    localparam [31:0] PARAM0_OUT_WIDTH_RESET = OUT_WIDTH;

    // Whether a write comes at the right moment, and whether it fits. A limit may be the largest number there is.
    reg  timely;
    reg  fits;
    // verilator lint_off CMPCONST
    always @(*) begin
        case (wr_addr)
            6'd3: timely = may_command;
            6'd8, 6'd11, 6'd12: timely = may_idle;
            default: timely = 1'b1;
        endcase
        case (wr_addr)
            6'd9: fits = wr_data <= 32'h10000;
            6'd11: fits = wr_data <= 32'd2;
            default: fits = 1'b1;
        endcase
    end
    // verilator lint_on CMPCONST
    wire take = wr_en && timely && fits;

    // COMMAND
    wire take_command = take && wr_addr == 6'd3;
    reg  command_clear_counters_q;
    always @(posedge clk)
        if (rst) command_clear_counters_q <= 1'd0;
        else command_clear_counters_q <= take_command && wr_data[2];
    assign do_command_clear_counters = command_clear_counters_q;
    reg  command_abort_q;
    always @(posedge clk)
        if (rst) command_abort_q <= 1'd0;
        else command_abort_q <= take_command && wr_data[1];
    assign do_command_abort = command_abort_q;
    reg  command_seed_q;
    always @(posedge clk)
        if (rst) command_seed_q <= 1'd0;
        else command_seed_q <= take_command && wr_data[0];
    assign do_command_seed = command_seed_q;

    // FLAGS
    wire take_flags = take && wr_addr == 6'd5;
    wire [3:0] flags_q;
    wire [3:0] flags_set = {set_flags_busy, set_flags_config, set_flags_dropped, set_flags_saturated};
    rlc_sticky #(.WIDTH(4)) u_flags (
        .clk(clk), .rst(rst), .sets(flags_set),
        .clears({4{take_flags}} & wr_data[3:0]), .q(flags_q)
    );

    // IRQ_ENABLE
    wire take_irq_enable = take && wr_addr == 6'd6;
    reg  irq_enable_taken_q;
    always @(posedge clk)
        if (rst) irq_enable_taken_q <= 1'd0;
        else if (take_irq_enable) irq_enable_taken_q <= wr_data[1];
    reg  irq_enable_flag_q;
    always @(posedge clk)
        if (rst) irq_enable_flag_q <= 1'd0;
        else if (take_irq_enable) irq_enable_flag_q <= wr_data[0];

    // IRQ_STATUS
    wire take_irq_status = take && wr_addr == 6'd7;
    wire [1:0] irq_status_q;
    wire [1:0] irq_status_set = {set_irq_status_taken, |flags_set};
    rlc_sticky #(.WIDTH(2)) u_irq_status (
        .clk(clk), .rst(rst), .sets(irq_status_set),
        .clears({2{take_irq_status}} & wr_data[1:0]), .q(irq_status_q)
    );

    // ACT_FRAC
    wire take_act_frac = take && wr_addr == 6'd8;
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
    wire take_epsilon = take && wr_addr == 6'd9;
    reg  [16:0] epsilon_q;
    always @(posedge clk)
        if (rst) epsilon_q <= 17'd0;
        else if (take_epsilon) epsilon_q <= wr_data[16:0];
    assign cfg_epsilon = epsilon_q;

    // NOISE
    wire take_noise = take && wr_addr == 6'd10;
    reg  noise_q;
    always @(posedge clk)
        if (rst) noise_q <= 1'd0;
        else if (take_noise) noise_q <= wr_data[0];
    assign cfg_noise = noise_q;

    // SQUASH
    wire take_squash = take && wr_addr == 6'd11;
    reg  [1:0] squash_q;
    always @(posedge clk)
        if (rst) squash_q <= 2'd0;
        else if (take_squash) squash_q <= wr_data[1:0];
    assign cfg_squash = squash_q;

    // SCALE
    wire take_scale = take && wr_addr == 6'd12;
    reg  [16:0] scale_q;
    always @(posedge clk)
        if (rst) scale_q <= 17'd32768;
        else if (take_scale) scale_q <= wr_data[16:0];
    assign cfg_scale = scale_q;

    // SEED0
    wire take_seed0 = take && wr_addr == 6'd13;
    reg  [31:0] seed0_q;
    always @(posedge clk)
        if (rst) seed0_q <= 32'h7B1DCDAF;
        else if (take_seed0) seed0_q <= wr_data;
    assign cfg_seed0 = seed0_q;

    // SEED1
    wire take_seed1 = take && wr_addr == 6'd14;
    reg  [31:0] seed1_q;
    always @(posedge clk)
        if (rst) seed1_q <= 32'hE220A839;
        else if (take_seed1) seed1_q <= wr_data;
    assign cfg_seed1 = seed1_q;

    // SEED2
    wire take_seed2 = take && wr_addr == 6'd15;
    reg  [31:0] seed2_q;
    always @(posedge clk)
        if (rst) seed2_q <= 32'hA1B965F4;
        else if (take_seed2) seed2_q <= wr_data;
    assign cfg_seed2 = seed2_q;

    // SEED3
    wire take_seed3 = take && wr_addr == 6'd16;
    reg  [31:0] seed3_q;
    always @(posedge clk)
        if (rst) seed3_q <= 32'h6E789E6A;
        else if (take_seed3) seed3_q <= wr_data;
    assign cfg_seed3 = seed3_q;

    assign irq = (irq_status_q[1] && irq_enable_taken_q) || (irq_status_q[0] && irq_enable_flag_q);
    assign wr_acts = wr_addr == 6'd3 || wr_addr == 6'd5 || wr_addr == 6'd7;
    assign untimely = wr_en && !timely;
    assign misfit = wr_en && timely && !fits;

    reg  [31:0] word;
    reg  [31:0] rd_data_q;
    always @(*) begin
        case (rd_addr)
            6'd0: word = 32'h52504F4C;  // ID
            6'd1: word = {16'd1, 16'd0};  // VERSION
            6'd2: word = {19'd0, PARAM0_OUT_WIDTH_RESET[4:0], 6'd0, PARAM0_CONTINUOUS_RESET[0], PARAM0_LOGP_RESET[0]};  // PARAM0
            6'd4: word = {27'd0, hw_status_stale_log, hw_status_stale_act, hw_status_formats_fit, hw_status_loaded, hw_status_busy};  // STATUS
            6'd5: word = {28'd0, flags_q[3], flags_q[2], flags_q[1], flags_q[0]};  // FLAGS
            6'd6: word = {30'd0, irq_enable_taken_q, irq_enable_flag_q};  // IRQ_ENABLE
            6'd7: word = {30'd0, irq_status_q[1], irq_status_q[0]};  // IRQ_STATUS
            6'd8: word = {7'd0, act_frac_l4_q, act_frac_l3_q, act_frac_l2_q, act_frac_l1_q, act_frac_l0_q};  // ACT_FRAC
            6'd9: word = {15'd0, epsilon_q};  // EPSILON
            6'd10: word = {31'd0, noise_q};  // NOISE
            6'd11: word = {30'd0, squash_q};  // SQUASH
            6'd12: word = {15'd0, scale_q};  // SCALE
            6'd13: word = seed0_q;  // SEED0
            6'd14: word = seed1_q;  // SEED1
            6'd15: word = seed2_q;  // SEED2
            6'd16: word = seed3_q;  // SEED3
            default: word = 32'd0;
        endcase
    end
    always @(posedge clk) rd_data_q <= rd_addr >= 6'd32 ? shape_words[{rd_addr[3:0], 5'd0} +: 32] : rd_addr >= 6'd24 ? count_words[{rd_addr[2:0], 5'd0} +: 32] : word;
    assign rd_data = rd_data_q;
endmodule
`default_nettype wire
