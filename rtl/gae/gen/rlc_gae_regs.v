// rlc_gae_regs.v — written from gae.rdl by `rlcores generate`: change that file, not this one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_gae_regs #(
    parameter ROWS = 4,
    parameter LANES = 8,
    parameter DEPTH = 16,
    parameter LOOKAHEAD = 2,
    parameter INTERLEAVE = 1,
    parameter SPAN = 4,
    parameter QBITS = 8,
    parameter OUT_BITS = 8,
    parameter BEAT = 2,
    parameter STACKS = 1,
    parameter TRACE = 0
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire                              wr_en,
    input  wire [5:0]                        wr_addr,
    input  wire [31:0]                       wr_data,
    input  wire [5:0]                        rd_addr,
    output wire [31:0]                       rd_data,
    input  wire                              may_command,
    output wire                              wr_command,
    input  wire [1:0]                        hw_status_in_flight,
    input  wire                              hw_status_stale,
    input  wire [3:0]                        hw_status_state,
    input  wire                              hw_status_aborting,
    input  wire                              hw_status_computed,
    input  wire                              hw_status_loaded,
    input  wire                              hw_status_busy,
    input  wire                              set_flags_load_while_computed,
    input  wire                              set_flags_bad_command,
    input  wire                              set_flags_stats_full,
    input  wire                              set_flags_output_saturated,
    input  wire                              set_flags_value_clipped,
    input  wire                              set_flags_reward_clipped,
    input  wire                              set_flags_scale_sat,
    input  wire                              set_flags_sigma_zero_v,
    input  wire                              set_flags_sigma_zero_r,
    input  wire                              set_flags_config,
    input  wire                              set_flags_nothing_computed,
    input  wire                              set_flags_nothing_loaded,
    input  wire                              set_flags_busy,
    input  wire                              set_flags_no_boot,
    input  wire                              set_flags_refused_lane,
    input  wire                              set_flags_refused_full,
    input  wire                              set_irq_status_done,
    input  wire                              may_configure,
    output wire                              cfg_control_order_previous,
    output wire                              cfg_control_value_auto,
    output wire                              cfg_control_reward_auto,
    output wire [4:0]                        cfg_qbits,
    output wire [15:0]                       cfg_clip,
    output wire [4:0]                        cfg_shift,
    output wire [7:0]                        cfg_value_point,
    output wire [31:0]                       cfg_gamma,
    output wire [31:0]                       cfg_gamma_lambda,
    input  wire                              hw_we,
    input  wire [5:0]                        hw_addr,
    input  wire [31:0]                       hw_data,
    output wire [26:0]                       cfg_reward_mean,
    output wire [16:0]                       cfg_reward_inv,
    output wire [5:0]                        cfg_reward_inv_shift,
    output wire [26:0]                       cfg_value_mean,
    output wire [16:0]                       cfg_value_inv,
    output wire [5:0]                        cfg_value_inv_shift,
    output wire [((QBITS > 10) ? 31 : 26):0] cfg_value_scale,
    output wire [31:0]                       cfg_value_offset_lo,
    output wire [((QBITS > 10) ? 14 : 1):0]  cfg_value_offset_hi,
    output wire [((QBITS > 10) ? 31 : 25):0] cfg_reward_offset,
    input  wire [31:0]                       hw_cycles,
    input  wire [31:0]                       hw_elements,
    input  wire [31:0]                       hw_stalls,
    input  wire [31:0]                       hw_loaded,
    input  wire [31:0]                       hw_refused,
    input  wire [31:0]                       hw_clipped_rewards,
    input  wire [31:0]                       hw_clipped_values,
    input  wire [31:0]                       hw_saturated,
    input  wire [31:0]                       hw_reward_count_lo,
    input  wire [7:0]                        hw_reward_count_hi,
    input  wire [31:0]                       hw_reward_sum_lo,
    input  wire [31:0]                       hw_reward_sum_hi,
    input  wire [31:0]                       hw_reward_sqr_0,
    input  wire [31:0]                       hw_reward_sqr_1,
    input  wire [23:0]                       hw_reward_sqr_2,
    input  wire [31:0]                       hw_value_count_lo,
    input  wire [7:0]                        hw_value_count_hi,
    input  wire [31:0]                       hw_value_sum_lo,
    input  wire [31:0]                       hw_value_sum_hi,
    input  wire [31:0]                       hw_value_sqr_0,
    input  wire [31:0]                       hw_value_sqr_1,
    input  wire [23:0]                       hw_value_sqr_2,
    output wire [4:0]                        cfg_out_drop,
    input  wire [31:0]                       hw_sent,
    output wire                              irq,
    output wire                              wr_acts,
    output wire                              untimely,
    output wire                              misfit
);
    localparam [31:0] PARAM0_ROWS_RESET = ROWS;
    localparam [31:0] PARAM0_LANES_RESET = LANES;
    localparam [31:0] PARAM1_DEPTH_RESET = DEPTH;
    localparam [31:0] PARAM1_LOOKAHEAD_RESET = LOOKAHEAD;
    localparam [31:0] PARAM1_INTERLEAVE_RESET = INTERLEAVE;
    localparam [31:0] PARAM1_BEAT_RESET = BEAT;
    localparam [31:0] PARAM2_QBITS_RESET = QBITS;
    localparam [31:0] PARAM2_TRACE_RESET = TRACE;
    localparam [31:0] PARAM2_OUT_BITS_RESET = OUT_BITS;
    localparam [31:0] PARAM2_STACKS_RESET = STACKS;
    localparam [31:0] PARAM2_SPAN_RESET = SPAN;
    localparam [31:0] QBITS_RESET = QBITS;
    localparam [31:0] VALUE_SCALE_MASK = (2 << ((QBITS > 10) ? 31 : 26)) - 1;
    localparam [31:0] VALUE_OFFSET_HI_MASK = (2 << ((QBITS > 10) ? 14 : 1)) - 1;
    localparam [31:0] REWARD_OFFSET_MASK = (2 << ((QBITS > 10) ? 31 : 25)) - 1;
    localparam [31:0] OUT_DROP_RESET = ((QBITS > 10) ? (36 - OUT_BITS) : 0);

    // Whether a write comes at the right moment, and whether it fits. A limit may be the largest number there is.
    reg  timely;
    reg  fits;
    // verilator lint_off CMPCONST
    always @(*) begin
        case (wr_addr)
            6'd5: timely = may_command;
            6'd10, 6'd11, 6'd12, 6'd13, 6'd14, 6'd15, 6'd16, 6'd17, 6'd18, 6'd19, 6'd20, 6'd21, 6'd22, 6'd23, 6'd24, 6'd25, 6'd26, 6'd49: timely = may_configure;
            default: timely = 1'b1;
        endcase
        case (wr_addr)
            6'd11, 6'd13: fits = wr_data[31:5] == 27'd0;
            6'd12: fits = wr_data[31:16] == 16'd0;
            6'd19, 6'd22: fits = wr_data[31:6] == 26'd0;
            6'd49: fits = (!(((QBITS > 10) ? 1 : 0) != 0) || wr_data[31:5] == 27'd0);
            default: fits = 1'b1;
        endcase
    end
    // verilator lint_on CMPCONST
    wire take = wr_en && timely && fits;

    // What the core writes goes before what software writes.
    wire        in_en   = hw_we || take;
    wire [5:0]  in_addr = hw_we ? hw_addr : wr_addr;
    wire [31:0] in_data = hw_we ? hw_data : wr_data;

    // COMMAND
    wire take_command = take && wr_addr == 6'd5;
    assign wr_command = take_command;

    // FLAGS
    wire take_flags = take && wr_addr == 6'd7;
    wire [15:0] flags_q;
    wire [15:0] flags_set = {set_flags_load_while_computed, set_flags_bad_command, set_flags_stats_full, set_flags_output_saturated, set_flags_value_clipped, set_flags_reward_clipped, set_flags_scale_sat, set_flags_sigma_zero_v, set_flags_sigma_zero_r, set_flags_config, set_flags_nothing_computed, set_flags_nothing_loaded, set_flags_busy, set_flags_no_boot, set_flags_refused_lane, set_flags_refused_full};
    rlc_sticky #(.WIDTH(16)) u_flags (
        .clk(clk), .rst(rst), .sets(flags_set),
        .clears({16{take_flags}} & wr_data[15:0]), .q(flags_q)
    );

    // IRQ_ENABLE
    wire take_irq_enable = take && wr_addr == 6'd8;
    reg  irq_enable_flag_q;
    always @(posedge clk)
        if (rst) irq_enable_flag_q <= 1'd0;
        else if (take_irq_enable) irq_enable_flag_q <= wr_data[1];
    reg  irq_enable_done_q;
    always @(posedge clk)
        if (rst) irq_enable_done_q <= 1'd0;
        else if (take_irq_enable) irq_enable_done_q <= wr_data[0];

    // IRQ_STATUS
    wire take_irq_status = take && wr_addr == 6'd9;
    wire [1:0] irq_status_q;
    wire [1:0] irq_status_set = {|flags_set, set_irq_status_done};
    rlc_sticky #(.WIDTH(2)) u_irq_status (
        .clk(clk), .rst(rst), .sets(irq_status_set),
        .clears({2{take_irq_status}} & wr_data[1:0]), .q(irq_status_q)
    );

    // CONTROL
    wire take_control = take && wr_addr == 6'd10;
    reg  control_order_previous_q;
    always @(posedge clk)
        if (rst) control_order_previous_q <= 1'd0;
        else if (take_control) control_order_previous_q <= wr_data[2];
    assign cfg_control_order_previous = control_order_previous_q;
    reg  control_value_auto_q;
    always @(posedge clk)
        if (rst) control_value_auto_q <= 1'd1;
        else if (take_control) control_value_auto_q <= wr_data[1];
    assign cfg_control_value_auto = control_value_auto_q;
    reg  control_reward_auto_q;
    always @(posedge clk)
        if (rst) control_reward_auto_q <= 1'd1;
        else if (take_control) control_reward_auto_q <= wr_data[0];
    assign cfg_control_reward_auto = control_reward_auto_q;

    // QBITS
    wire take_qbits = take && wr_addr == 6'd11;
    reg  [4:0] qbits_q;
    always @(posedge clk)
        if (rst) qbits_q <= QBITS_RESET[4:0];
        else if (take_qbits) qbits_q <= wr_data[4:0];
    assign cfg_qbits = qbits_q;

    // CLIP
    wire take_clip = take && wr_addr == 6'd12;
    reg  [15:0] clip_q;
    always @(posedge clk)
        if (rst) clip_q <= 16'd1024;
        else if (take_clip) clip_q <= wr_data[15:0];
    assign cfg_clip = clip_q;

    // SHIFT
    wire take_shift = take && wr_addr == 6'd13;
    reg  [4:0] shift_q;
    always @(posedge clk)
        if (rst) shift_q <= 5'd0;
        else if (take_shift) shift_q <= wr_data[4:0];
    assign cfg_shift = shift_q;

    // VALUE_POINT
    wire take_value_point = take && wr_addr == 6'd14;
    reg  [7:0] value_point_q;
    always @(posedge clk)
        if (rst) value_point_q <= 8'd0;
        else if (take_value_point) value_point_q <= wr_data[7:0];
    assign cfg_value_point = value_point_q;

    // GAMMA
    wire take_gamma = take && wr_addr == 6'd15;
    reg  [31:0] gamma_q;
    always @(posedge clk)
        if (rst) gamma_q <= 32'd0;
        else if (take_gamma) gamma_q <= wr_data;
    assign cfg_gamma = gamma_q;

    // GAMMA_LAMBDA
    wire take_gamma_lambda = take && wr_addr == 6'd16;
    reg  [31:0] gamma_lambda_q;
    always @(posedge clk)
        if (rst) gamma_lambda_q <= 32'd0;
        else if (take_gamma_lambda) gamma_lambda_q <= wr_data;
    assign cfg_gamma_lambda = gamma_lambda_q;

    // REWARD_MEAN
    wire take_reward_mean = in_en && in_addr == 6'd17;
    reg  [26:0] reward_mean_q;
    always @(posedge clk)
        if (rst) reward_mean_q <= 27'd0;
        else if (take_reward_mean) reward_mean_q <= in_data[26:0];
    assign cfg_reward_mean = reward_mean_q;

    // REWARD_INV
    wire take_reward_inv = in_en && in_addr == 6'd18;
    reg  [16:0] reward_inv_q;
    always @(posedge clk)
        if (rst) reward_inv_q <= 17'd0;
        else if (take_reward_inv) reward_inv_q <= in_data[16:0];
    assign cfg_reward_inv = reward_inv_q;

    // REWARD_INV_SHIFT
    wire take_reward_inv_shift = in_en && in_addr == 6'd19;
    reg  [5:0] reward_inv_shift_q;
    always @(posedge clk)
        if (rst) reward_inv_shift_q <= 6'd1;
        else if (take_reward_inv_shift) reward_inv_shift_q <= in_data[5:0];
    assign cfg_reward_inv_shift = reward_inv_shift_q;

    // VALUE_MEAN
    wire take_value_mean = in_en && in_addr == 6'd20;
    reg  [26:0] value_mean_q;
    always @(posedge clk)
        if (rst) value_mean_q <= 27'd0;
        else if (take_value_mean) value_mean_q <= in_data[26:0];
    assign cfg_value_mean = value_mean_q;

    // VALUE_INV
    wire take_value_inv = in_en && in_addr == 6'd21;
    reg  [16:0] value_inv_q;
    always @(posedge clk)
        if (rst) value_inv_q <= 17'd0;
        else if (take_value_inv) value_inv_q <= in_data[16:0];
    assign cfg_value_inv = value_inv_q;

    // VALUE_INV_SHIFT
    wire take_value_inv_shift = in_en && in_addr == 6'd22;
    reg  [5:0] value_inv_shift_q;
    always @(posedge clk)
        if (rst) value_inv_shift_q <= 6'd1;
        else if (take_value_inv_shift) value_inv_shift_q <= in_data[5:0];
    assign cfg_value_inv_shift = value_inv_shift_q;

    // VALUE_SCALE
    wire take_value_scale = in_en && in_addr == 6'd23;
    reg  [31:0] value_scale_q;
    always @(posedge clk)
        if (rst) value_scale_q <= 32'd0;
        else if (take_value_scale) value_scale_q <= in_data & VALUE_SCALE_MASK;
    assign cfg_value_scale = value_scale_q[((QBITS > 10) ? 31 : 26):0];

    // VALUE_OFFSET_LO
    wire take_value_offset_lo = in_en && in_addr == 6'd24;
    reg  [31:0] value_offset_lo_q;
    always @(posedge clk)
        if (rst) value_offset_lo_q <= 32'd0;
        else if (take_value_offset_lo) value_offset_lo_q <= in_data;
    assign cfg_value_offset_lo = value_offset_lo_q;

    // VALUE_OFFSET_HI
    wire take_value_offset_hi = in_en && in_addr == 6'd25;
    reg  [31:0] value_offset_hi_q;
    always @(posedge clk)
        if (rst) value_offset_hi_q <= 32'd0;
        else if (take_value_offset_hi) value_offset_hi_q <= in_data & VALUE_OFFSET_HI_MASK;
    assign cfg_value_offset_hi = value_offset_hi_q[((QBITS > 10) ? 14 : 1):0];

    // REWARD_OFFSET
    wire take_reward_offset = take && wr_addr == 6'd26;
    reg  [31:0] reward_offset_q;
    always @(posedge clk)
        if (rst) reward_offset_q <= 32'd0;
        else if (take_reward_offset) reward_offset_q <= wr_data & REWARD_OFFSET_MASK;
    assign cfg_reward_offset = reward_offset_q[((QBITS > 10) ? 31 : 25):0];

    // OUT_DROP
    wire take_out_drop = take && wr_addr == 6'd49;
    reg  [4:0] out_drop_q;
    always @(posedge clk)
        if (rst) out_drop_q <= OUT_DROP_RESET[4:0];
        else if (take_out_drop && (((QBITS > 10) ? 1 : 0) != 0)) out_drop_q <= wr_data[4:0];
    assign cfg_out_drop = out_drop_q;

    assign irq = (irq_status_q[1] && irq_enable_flag_q) || (irq_status_q[0] && irq_enable_done_q);
    assign wr_acts = wr_addr == 6'd5 || wr_addr == 6'd7 || wr_addr == 6'd9;
    assign untimely = wr_en && !timely;
    assign misfit = wr_en && timely && !fits;

    reg  [31:0] word;
    reg  [31:0] rd_data_q;
    always @(*) begin
        case (rd_addr)
            6'd0: word = 32'h52474145;  // ID
            6'd1: word = {16'd1, 16'd2};  // VERSION
            6'd2: word = {PARAM0_LANES_RESET[15:0], PARAM0_ROWS_RESET[15:0]};  // PARAM0
            6'd3: word = {PARAM1_BEAT_RESET[7:0], PARAM1_INTERLEAVE_RESET[3:0], PARAM1_LOOKAHEAD_RESET[3:0], PARAM1_DEPTH_RESET[15:0]};  // PARAM1
            6'd4: word = {PARAM2_SPAN_RESET[15:0], PARAM2_STACKS_RESET[2:0], PARAM2_OUT_BITS_RESET[4:0], PARAM2_TRACE_RESET[0], 2'd0, PARAM2_QBITS_RESET[4:0]};  // PARAM2
            6'd6: word = {21'd0, hw_status_in_flight, hw_status_stale, hw_status_state, hw_status_aborting, hw_status_computed, hw_status_loaded, hw_status_busy};  // STATUS
            6'd7: word = {16'd0, flags_q[15], flags_q[14], flags_q[13], flags_q[12], flags_q[11], flags_q[10], flags_q[9], flags_q[8], flags_q[7], flags_q[6], flags_q[5], flags_q[4], flags_q[3], flags_q[2], flags_q[1], flags_q[0]};  // FLAGS
            6'd8: word = {30'd0, irq_enable_flag_q, irq_enable_done_q};  // IRQ_ENABLE
            6'd9: word = {30'd0, irq_status_q[1], irq_status_q[0]};  // IRQ_STATUS
            6'd10: word = {29'd0, control_order_previous_q, control_value_auto_q, control_reward_auto_q};  // CONTROL
            6'd11: word = {27'd0, qbits_q};  // QBITS
            6'd12: word = {16'd0, clip_q};  // CLIP
            6'd13: word = {27'd0, shift_q};  // SHIFT
            6'd14: word = {24'd0, value_point_q};  // VALUE_POINT
            6'd15: word = gamma_q;  // GAMMA
            6'd16: word = gamma_lambda_q;  // GAMMA_LAMBDA
            6'd17: word = {5'd0, reward_mean_q};  // REWARD_MEAN
            6'd18: word = {15'd0, reward_inv_q};  // REWARD_INV
            6'd19: word = {26'd0, reward_inv_shift_q};  // REWARD_INV_SHIFT
            6'd20: word = {5'd0, value_mean_q};  // VALUE_MEAN
            6'd21: word = {15'd0, value_inv_q};  // VALUE_INV
            6'd22: word = {26'd0, value_inv_shift_q};  // VALUE_INV_SHIFT
            6'd23: word = value_scale_q;  // VALUE_SCALE
            6'd24: word = value_offset_lo_q;  // VALUE_OFFSET_LO
            6'd25: word = value_offset_hi_q;  // VALUE_OFFSET_HI
            6'd26: word = reward_offset_q;  // REWARD_OFFSET
            6'd27: word = hw_cycles;  // CYCLES
            6'd28: word = hw_elements;  // ELEMENTS
            6'd29: word = hw_stalls;  // STALLS
            6'd30: word = hw_loaded;  // LOADED
            6'd31: word = hw_refused;  // REFUSED
            6'd32: word = hw_clipped_rewards;  // CLIPPED_REWARDS
            6'd33: word = hw_clipped_values;  // CLIPPED_VALUES
            6'd34: word = hw_saturated;  // SATURATED
            6'd35: word = hw_reward_count_lo;  // REWARD_COUNT_LO
            6'd36: word = {24'd0, hw_reward_count_hi};  // REWARD_COUNT_HI
            6'd37: word = hw_reward_sum_lo;  // REWARD_SUM_LO
            6'd38: word = hw_reward_sum_hi;  // REWARD_SUM_HI
            6'd39: word = hw_reward_sqr_0;  // REWARD_SQR_0
            6'd40: word = hw_reward_sqr_1;  // REWARD_SQR_1
            6'd41: word = {8'd0, hw_reward_sqr_2};  // REWARD_SQR_2
            6'd42: word = hw_value_count_lo;  // VALUE_COUNT_LO
            6'd43: word = {24'd0, hw_value_count_hi};  // VALUE_COUNT_HI
            6'd44: word = hw_value_sum_lo;  // VALUE_SUM_LO
            6'd45: word = hw_value_sum_hi;  // VALUE_SUM_HI
            6'd46: word = hw_value_sqr_0;  // VALUE_SQR_0
            6'd47: word = hw_value_sqr_1;  // VALUE_SQR_1
            6'd48: word = {8'd0, hw_value_sqr_2};  // VALUE_SQR_2
            6'd49: word = {27'd0, out_drop_q};  // OUT_DROP
            6'd50: word = hw_sent;  // SENT
            default: word = 32'd0;
        endcase
    end
    always @(posedge clk) rd_data_q <= word;
    assign rd_data = rd_data_q;
endmodule
`default_nettype wire
