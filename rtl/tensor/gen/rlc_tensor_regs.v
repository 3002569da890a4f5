// rlc_tensor_regs.v — written from tensor.rdl by `rlcores generate`: change that file, not this one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_tensor_regs #(
    parameter SIDE = 8,
    parameter BLOCKS = 4,
    parameter WEIGHT_BLOCKS = 4096,
    parameter TARGET_BLOCKS = 2048,
    parameter BIAS_ROWS = 512,
    parameter A_TILES = 256,
    parameter E_TILES = 256,
    parameter PASS_SUMS = 256,
    parameter ROWS = 128,
    parameter GROUPS = 32768,
    parameter TARGET_GROUPS = 16384,
    parameter GRAD_WORDS = 512,
    parameter GRAD_ROWS = 128,
    parameter WORDS = 4096,
    parameter OUTPUT_WORDS = 32,
    parameter STEPS = 512
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         wr_en,
    input  wire [5:0]   wr_addr,
    input  wire [31:0]  wr_data,
    input  wire [5:0]   rd_addr,
    output wire [31:0]  rd_data,
    output wire         do_command_clear_counters,
    output wire         do_command_abort,
    input  wire         hw_status_stale_out,
    input  wire         hw_status_dropping,
    input  wire         hw_status_host,
    input  wire         hw_status_vectors,
    input  wire         hw_status_updates,
    input  wire         hw_status_products,
    input  wire         hw_status_busy,
    input  wire         set_flags_busy,
    input  wire         set_flags_config,
    input  wire         set_flags_dropped,
    input  wire         set_flags_refused,
    input  wire         set_flags_shift,
    input  wire         set_flags_format,
    input  wire         set_flags_acc_overflow,
    input  wire         set_flags_value_saturated,
    input  wire         set_flags_weight_saturated,
    input  wire         set_irq_status_done,
    input  wire         may_idle,
    output wire [15:0]  cfg_samples,
    input  wire [31:0]  hw_state0,
    input  wire [31:0]  hw_state1,
    input  wire [31:0]  hw_state2,
    input  wire [31:0]  hw_state3,
    input  wire [511:0] count_words,
    input  wire [511:0] fractions_words,
    output wire         irq,
    output wire         wr_acts,
    output wire         untimely,
    output wire         misfit
);
    localparam [31:0] ARRAY_SIDE_RESET = SIDE;
    localparam [31:0] ARRAY_BLOCKS_RESET = BLOCKS;
    localparam [31:0] WEIGHT_BLOCKS_RESET = WEIGHT_BLOCKS;
    localparam [31:0] TARGET_BLOCKS_RESET = TARGET_BLOCKS;
    localparam [31:0] BIAS_ROWS_RESET = BIAS_ROWS;
    localparam [31:0] A_TILES_RESET = A_TILES;
    localparam [31:0] E_TILES_RESET = E_TILES;
    localparam [31:0] PASS_SUMS_RESET = PASS_SUMS;
    localparam [31:0] ROWS_RESET = ROWS;
    localparam [31:0] GROUPS_RESET = GROUPS;
    localparam [31:0] TARGET_GROUPS_RESET = TARGET_GROUPS;
    localparam [31:0] GRAD_WORDS_RESET = GRAD_WORDS;
    localparam [31:0] GRAD_ROWS_RESET = GRAD_ROWS;
    localparam [31:0] WORDS_RESET = WORDS;
    localparam [31:0] OUTPUT_WORDS_RESET = OUTPUT_WORDS;
    localparam [31:0] STEPS_RESET = STEPS;

    // Whether a write comes at the right moment, and whether it fits. A limit may be the largest number there is.
    reg  timely;
    reg  fits;
    // verilator lint_off CMPCONST
    always @(*) begin
        case (wr_addr)
            6'd8: timely = may_idle;
            default: timely = 1'b1;
        endcase
        case (wr_addr)
            6'd8: fits = wr_data != 32'd0 && wr_data[31:16] == 16'd0;
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
        else command_clear_counters_q <= take_command && wr_data[1];
    assign do_command_clear_counters = command_clear_counters_q;
    reg  command_abort_q;
    always @(posedge clk)
        if (rst) command_abort_q <= 1'd0;
        else command_abort_q <= take_command && wr_data[0];
    assign do_command_abort = command_abort_q;

    // FLAGS
    wire take_flags = take && wr_addr == 6'd5;
    wire [8:0] flags_q;
    wire [8:0] flags_set = {set_flags_busy, set_flags_config, set_flags_dropped, set_flags_refused, set_flags_shift, set_flags_format, set_flags_acc_overflow, set_flags_value_saturated, set_flags_weight_saturated};
    rlc_sticky #(.WIDTH(9)) u_flags (
        .clk(clk), .rst(rst), .sets(flags_set),
        .clears({9{take_flags}} & wr_data[8:0]), .q(flags_q)
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

    // SAMPLES
    wire take_samples = take && wr_addr == 6'd8;
    reg  [15:0] samples_q;
    always @(posedge clk)
        if (rst) samples_q <= 16'd1;
        else if (take_samples) samples_q <= wr_data[15:0];
    assign cfg_samples = samples_q;

    assign irq = (irq_status_q[1] && irq_enable_done_q) || (irq_status_q[0] && irq_enable_flag_q);
    assign wr_acts = wr_addr == 6'd3 || wr_addr == 6'd5 || wr_addr == 6'd7;
    assign untimely = wr_en && !timely;
    assign misfit = wr_en && timely && !fits;

    reg  [31:0] word;
    reg  [31:0] rd_data_q;
    always @(*) begin
        case (rd_addr)
            6'd0: word = 32'h5254454E;  // ID
            6'd1: word = {16'd1, 16'd0};  // VERSION
            6'd2: word = {16'd0, ARRAY_BLOCKS_RESET[7:0], ARRAY_SIDE_RESET[7:0]};  // ARRAY
            6'd4: word = {25'd0, hw_status_stale_out, hw_status_dropping, hw_status_host, hw_status_vectors, hw_status_updates, hw_status_products, hw_status_busy};  // STATUS
            6'd5: word = {23'd0, flags_q[8], flags_q[7], flags_q[6], flags_q[5], flags_q[4], flags_q[3], flags_q[2], flags_q[1], flags_q[0]};  // FLAGS
            6'd6: word = {30'd0, irq_enable_done_q, irq_enable_flag_q};  // IRQ_ENABLE
            6'd7: word = {30'd0, irq_status_q[1], irq_status_q[0]};  // IRQ_STATUS
            6'd8: word = {16'd0, samples_q};  // SAMPLES
            6'd9: word = hw_state0;  // STATE0
            6'd10: word = hw_state1;  // STATE1
            6'd11: word = hw_state2;  // STATE2
            6'd12: word = hw_state3;  // STATE3
            6'd16: word = WEIGHT_BLOCKS_RESET;  // WEIGHT_BLOCKS
            6'd17: word = TARGET_BLOCKS_RESET;  // TARGET_BLOCKS
            6'd18: word = BIAS_ROWS_RESET;  // BIAS_ROWS
            6'd19: word = A_TILES_RESET;  // A_TILES
            6'd20: word = E_TILES_RESET;  // E_TILES
            6'd21: word = PASS_SUMS_RESET;  // PASS_SUMS
            6'd22: word = ROWS_RESET;  // ROWS
            6'd23: word = GROUPS_RESET;  // GROUPS
            6'd24: word = TARGET_GROUPS_RESET;  // TARGET_GROUPS
            6'd25: word = GRAD_WORDS_RESET;  // GRAD_WORDS
            6'd26: word = GRAD_ROWS_RESET;  // GRAD_ROWS
            6'd27: word = WORDS_RESET;  // WORDS
            6'd28: word = OUTPUT_WORDS_RESET;  // OUTPUT_WORDS
            6'd29: word = STEPS_RESET;  // STEPS
            default: word = 32'd0;
        endcase
    end
    always @(posedge clk) rd_data_q <= rd_addr >= 6'd48 ? fractions_words[{rd_addr[3:0], 5'd0} +: 32] : rd_addr >= 6'd32 ? count_words[{rd_addr[3:0], 5'd0} +: 32] : word;
    assign rd_data = rd_data_q;
endmodule
`default_nettype wire
