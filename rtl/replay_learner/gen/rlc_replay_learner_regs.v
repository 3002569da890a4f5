// rlc_replay_learner_regs.v — written from replay_learner.rdl by `rlcores generate`: change that file, not this one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_replay_learner_regs #(
    parameter DATA_WIDTH = 128,
    parameter ADDR_WIDTH = 34,
    parameter READS = 16,
    parameter WRITES = 8,
    parameter AHEAD_MAX = 4,
    parameter BATCH_MAX = 64,
    parameter WORDS = 3,
    parameter BEATS = 3,
    parameter STRIDE = 64,
    parameter LANES_0 = 4
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        wr_en,
    input  wire [5:0]  wr_addr,
    input  wire [31:0] wr_data,
    input  wire [5:0]  rd_addr,
    output wire [31:0] rd_data,
    output wire        wr_command,
    output wire        do_command_abort,
    input  wire        hw_status_aborting,
    input  wire        hw_status_rx_busy,
    input  wire        hw_status_host_busy,
    input  wire        hw_status_stopping,
    input  wire        hw_status_running,
    input  wire        hw_status_busy,
    input  wire        set_flags_frame,
    input  wire        set_flags_batch,
    input  wire        set_flags_host,
    input  wire        set_flags_empty,
    input  wire        set_flags_write_error,
    input  wire        set_flags_read_error,
    input  wire        set_flags_config,
    output wire        q_flags_write_error,
    output wire        q_flags_read_error,
    input  wire        set_irq_status_error,
    input  wire        set_irq_status_done,
    output wire        cfg_control_host_check,
    output wire [2:0]  cfg_control_host_kind,
    output wire        cfg_control_packets,
    input  wire        clr_control_rx_enable,
    output wire        cfg_control_rx_enable,
    input  wire        may_loop,
    output wire [15:0] cfg_batch,
    output wire [31:0] cfg_steps,
    output wire [31:0] cfg_min_size,
    output wire [7:0]  cfg_ahead,
    input  wire        may_memory,
    output wire [4:0]  cfg_td_frac,
    input  wire        fits_base_low,
    output wire [31:0] cfg_base_low,
    input  wire        fits_base_high,
    output wire [31:0] cfg_base_high,
    input  wire [31:0] hw_error_low,
    input  wire [31:0] hw_error_high,
    input  wire        may_host,
    output wire [31:0] cfg_host_index,
    output wire [31:0] cfg_host_value,
    output wire [31:0] cfg_host_generation,
    input  wire [1:0]  hw_answer_status,
    input  wire [31:0] hw_answer_index,
    input  wire [31:0] hw_answer_value,
    input  wire [31:0] hw_answer_generation,
    input  wire        clr_filled,
    input  wire        count_filled,
    output wire [31:0] q_filled,
    input  wire        count_batches,
    input  wire        count_sampled,
    input  wire        count_reserved,
    input  wire        count_committed,
    input  wire        count_stale_commits,
    input  wire        count_stale_updates,
    input  wire        count_voids,
    input  wire        count_read_errors,
    input  wire        count_write_errors,
    input  wire        count_stall_order,
    input  wire        count_stall_tree,
    input  wire        count_stall_memory,
    input  wire        count_stall_empty,
    input  wire        count_clocks,
    input  wire        count_dropped,
    output wire        irq,
    output wire        wr_acts,
    output wire        untimely,
    output wire        misfit
);
    localparam [31:0] PARAM0_DATA_WIDTH_RESET = DATA_WIDTH;
    localparam [31:0] PARAM0_ADDR_WIDTH_RESET = ADDR_WIDTH;
    localparam [31:0] PARAM0_AHEAD_MAX_RESET = AHEAD_MAX;
    localparam [31:0] PARAM1_READS_RESET = READS;
    localparam [31:0] PARAM1_WRITES_RESET = WRITES;
    localparam [31:0] PARAM2_STRIDE_RESET = STRIDE;
    localparam [31:0] PARAM2_WORDS_RESET = WORDS;
    localparam [31:0] PARAM3_BEATS_RESET = BEATS;
    localparam [31:0] PARAM3_LANES_0_RESET = LANES_0;
    localparam [31:0] BATCH_MOST = BATCH_MAX;
    localparam [31:0] AHEAD_MOST = AHEAD_MAX;

    // Whether a write comes at the right moment, and whether it fits. A limit may be the largest number there is.
    reg  timely;
    reg  fits;
    // verilator lint_off CMPCONST
    always @(*) begin
        case (wr_addr)
            6'd12, 6'd13, 6'd14, 6'd15: timely = may_loop;
            6'd16, 6'd17, 6'd18: timely = may_memory;
            6'd21, 6'd22, 6'd23: timely = may_host;
            default: timely = 1'b1;
        endcase
        case (wr_addr)
            6'd12: fits = wr_data != 32'd0 && wr_data <= BATCH_MOST;
            6'd15: fits = wr_data <= AHEAD_MOST;
            6'd16: fits = wr_data <= 32'd20;
            6'd17: fits = fits_base_low;
            6'd18: fits = fits_base_high;
            default: fits = 1'b1;
        endcase
    end
    // verilator lint_on CMPCONST
    wire take = wr_en && timely && fits;

    // COMMAND
    wire take_command = take && wr_addr == 6'd6;
    assign wr_command = take_command;
    reg  command_abort_q;
    always @(posedge clk)
        if (rst) command_abort_q <= 1'd0;
        else command_abort_q <= take_command && wr_data[5];
    assign do_command_abort = command_abort_q;
    reg  command_clear_counters_q;
    always @(posedge clk)
        if (rst) command_clear_counters_q <= 1'd0;
        else command_clear_counters_q <= take_command && wr_data[3];

    // FLAGS
    wire take_flags = take && wr_addr == 6'd8;
    wire [6:0] flags_q;
    wire [6:0] flags_set = {set_flags_frame, set_flags_batch, set_flags_host, set_flags_empty, set_flags_write_error, set_flags_read_error, set_flags_config};
    rlc_sticky #(.WIDTH(7)) u_flags (
        .clk(clk), .rst(rst), .sets(flags_set),
        .clears({7{take_flags}} & wr_data[6:0]), .q(flags_q)
    );
    assign q_flags_write_error = flags_q[2];
    assign q_flags_read_error = flags_q[1];

    // IRQ_ENABLE
    wire take_irq_enable = take && wr_addr == 6'd9;
    reg  irq_enable_error_q;
    always @(posedge clk)
        if (rst) irq_enable_error_q <= 1'd0;
        else if (take_irq_enable) irq_enable_error_q <= wr_data[1];
    reg  irq_enable_done_q;
    always @(posedge clk)
        if (rst) irq_enable_done_q <= 1'd0;
        else if (take_irq_enable) irq_enable_done_q <= wr_data[0];

    // IRQ_STATUS
    wire take_irq_status = take && wr_addr == 6'd10;
    wire [1:0] irq_status_q;
    wire [1:0] irq_status_set = {set_irq_status_error, set_irq_status_done};
    rlc_sticky #(.WIDTH(2)) u_irq_status (
        .clk(clk), .rst(rst), .sets(irq_status_set),
        .clears({2{take_irq_status}} & wr_data[1:0]), .q(irq_status_q)
    );

    // CONTROL
    wire take_control = take && wr_addr == 6'd11;
    reg  control_host_check_q;
    always @(posedge clk)
        if (rst) control_host_check_q <= 1'd0;
        else if (take_control) control_host_check_q <= wr_data[8];
    assign cfg_control_host_check = control_host_check_q;
    reg  [2:0] control_host_kind_q;
    always @(posedge clk)
        if (rst) control_host_kind_q <= 3'd0;
        else if (take_control) control_host_kind_q <= wr_data[6:4];
    assign cfg_control_host_kind = control_host_kind_q;
    reg  control_packets_q;
    always @(posedge clk)
        if (rst) control_packets_q <= 1'd0;
        else if (take_control) control_packets_q <= wr_data[1];
    assign cfg_control_packets = control_packets_q;
    reg  control_rx_enable_q;
    always @(posedge clk)
        if (rst) control_rx_enable_q <= 1'd0;
        else if (clr_control_rx_enable) control_rx_enable_q <= 1'd0;
        else if (take_control) control_rx_enable_q <= wr_data[0];
    assign cfg_control_rx_enable = control_rx_enable_q;

    // BATCH
    wire take_batch = take && wr_addr == 6'd12;
    reg  [15:0] batch_q;
    always @(posedge clk)
        if (rst) batch_q <= 16'd1;
        else if (take_batch) batch_q <= wr_data[15:0];
    assign cfg_batch = batch_q;

    // STEPS
    wire take_steps = take && wr_addr == 6'd13;
    reg  [31:0] steps_q;
    always @(posedge clk)
        if (rst) steps_q <= 32'd0;
        else if (take_steps) steps_q <= wr_data;
    assign cfg_steps = steps_q;

    // MIN_SIZE
    wire take_min_size = take && wr_addr == 6'd14;
    reg  [31:0] min_size_q;
    always @(posedge clk)
        if (rst) min_size_q <= 32'd0;
        else if (take_min_size) min_size_q <= wr_data;
    assign cfg_min_size = min_size_q;

    // AHEAD
    wire take_ahead = take && wr_addr == 6'd15;
    reg  [7:0] ahead_q;
    always @(posedge clk)
        if (rst) ahead_q <= 8'd0;
        else if (take_ahead) ahead_q <= wr_data[7:0];
    assign cfg_ahead = ahead_q;

    // TD_FRAC
    wire take_td_frac = take && wr_addr == 6'd16;
    reg  [4:0] td_frac_q;
    always @(posedge clk)
        if (rst) td_frac_q <= 5'd16;
        else if (take_td_frac) td_frac_q <= wr_data[4:0];
    assign cfg_td_frac = td_frac_q;

    // BASE_LOW
    wire take_base_low = take && wr_addr == 6'd17;
    reg  [31:0] base_low_q;
    always @(posedge clk)
        if (rst) base_low_q <= 32'd0;
        else if (take_base_low) base_low_q <= wr_data;
    assign cfg_base_low = base_low_q;

    // BASE_HIGH
    wire take_base_high = take && wr_addr == 6'd18;
    reg  [31:0] base_high_q;
    always @(posedge clk)
        if (rst) base_high_q <= 32'd0;
        else if (take_base_high) base_high_q <= wr_data;
    assign cfg_base_high = base_high_q;

    // HOST_INDEX
    wire take_host_index = take && wr_addr == 6'd21;
    reg  [31:0] host_index_q;
    always @(posedge clk)
        if (rst) host_index_q <= 32'd0;
        else if (take_host_index) host_index_q <= wr_data;
    assign cfg_host_index = host_index_q;

    // HOST_VALUE
    wire take_host_value = take && wr_addr == 6'd22;
    reg  [31:0] host_value_q;
    always @(posedge clk)
        if (rst) host_value_q <= 32'd0;
        else if (take_host_value) host_value_q <= wr_data;
    assign cfg_host_value = host_value_q;

    // HOST_GENERATION
    wire take_host_generation = take && wr_addr == 6'd23;
    reg  [31:0] host_generation_q;
    always @(posedge clk)
        if (rst) host_generation_q <= 32'd0;
        else if (take_host_generation) host_generation_q <= wr_data;
    assign cfg_host_generation = host_generation_q;

    // FILLED
    wire [31:0] filled_q;
    rlc_counter #(.WIDTH(32), .SATURATE(1)) u_filled (
        .clk(clk), .rst(rst), .clear(clr_filled), .count(count_filled), .q(filled_q)
    );
    assign q_filled = filled_q;

    // BATCHES
    wire [31:0] batches_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_batches (
        .clk(clk), .rst(rst), .clear(1'b0), .count(count_batches), .q(batches_q)
    );

    // SAMPLED
    wire [31:0] sampled_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_sampled (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_sampled), .q(sampled_q)
    );

    // RESERVED
    wire [31:0] reserved_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_reserved (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_reserved), .q(reserved_q)
    );

    // COMMITTED
    wire [31:0] committed_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_committed (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_committed), .q(committed_q)
    );

    // STALE_COMMITS
    wire [31:0] stale_commits_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_stale_commits (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_stale_commits), .q(stale_commits_q)
    );

    // STALE_UPDATES
    wire [31:0] stale_updates_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_stale_updates (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_stale_updates), .q(stale_updates_q)
    );

    // VOIDS
    wire [31:0] voids_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_voids (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_voids), .q(voids_q)
    );

    // READ_ERRORS
    wire [31:0] read_errors_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_read_errors (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_read_errors), .q(read_errors_q)
    );

    // WRITE_ERRORS
    wire [31:0] write_errors_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_write_errors (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_write_errors), .q(write_errors_q)
    );

    // STALL_ORDER
    wire [31:0] stall_order_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_stall_order (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_stall_order), .q(stall_order_q)
    );

    // STALL_TREE
    wire [31:0] stall_tree_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_stall_tree (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_stall_tree), .q(stall_tree_q)
    );

    // STALL_MEMORY
    wire [31:0] stall_memory_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_stall_memory (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_stall_memory), .q(stall_memory_q)
    );

    // STALL_EMPTY
    wire [31:0] stall_empty_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_stall_empty (
        .clk(clk), .rst(rst), .clear(command_clear_counters_q), .count(count_stall_empty), .q(stall_empty_q)
    );

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

    assign irq = (irq_status_q[1] && irq_enable_error_q) || (irq_status_q[0] && irq_enable_done_q);
    assign wr_acts = wr_addr == 6'd6 || wr_addr == 6'd8 || wr_addr == 6'd10;
    assign untimely = wr_en && !timely;
    assign misfit = wr_en && timely && !fits;

    reg  [31:0] word;
    reg  [31:0] rd_data_q;
    always @(*) begin
        case (rd_addr)
            6'd0: word = 32'h52504C4C;  // ID
            6'd1: word = {16'd1, 16'd1};  // VERSION
            6'd2: word = {PARAM0_AHEAD_MAX_RESET[7:0], PARAM0_ADDR_WIDTH_RESET[7:0], PARAM0_DATA_WIDTH_RESET[15:0]};  // PARAM0
            6'd3: word = {PARAM1_WRITES_RESET[15:0], PARAM1_READS_RESET[15:0]};  // PARAM1
            6'd4: word = {PARAM2_WORDS_RESET[15:0], PARAM2_STRIDE_RESET[15:0]};  // PARAM2
            6'd5: word = {PARAM3_LANES_0_RESET[15:0], PARAM3_BEATS_RESET[15:0]};  // PARAM3
            6'd7: word = {26'd0, hw_status_aborting, hw_status_rx_busy, hw_status_host_busy, hw_status_stopping, hw_status_running, hw_status_busy};  // STATUS
            6'd8: word = {25'd0, flags_q[6], flags_q[5], flags_q[4], flags_q[3], flags_q[2], flags_q[1], flags_q[0]};  // FLAGS
            6'd9: word = {30'd0, irq_enable_error_q, irq_enable_done_q};  // IRQ_ENABLE
            6'd10: word = {30'd0, irq_status_q[1], irq_status_q[0]};  // IRQ_STATUS
            6'd11: word = {23'd0, control_host_check_q, 1'd0, control_host_kind_q, 2'd0, control_packets_q, control_rx_enable_q};  // CONTROL
            6'd12: word = {16'd0, batch_q};  // BATCH
            6'd13: word = steps_q;  // STEPS
            6'd14: word = min_size_q;  // MIN_SIZE
            6'd15: word = {24'd0, ahead_q};  // AHEAD
            6'd16: word = {27'd0, td_frac_q};  // TD_FRAC
            6'd17: word = base_low_q;  // BASE_LOW
            6'd18: word = base_high_q;  // BASE_HIGH
            6'd19: word = hw_error_low;  // ERROR_LOW
            6'd20: word = hw_error_high;  // ERROR_HIGH
            6'd21: word = host_index_q;  // HOST_INDEX
            6'd22: word = host_value_q;  // HOST_VALUE
            6'd23: word = host_generation_q;  // HOST_GENERATION
            6'd24: word = {30'd0, hw_answer_status};  // ANSWER_STATUS
            6'd25: word = hw_answer_index;  // ANSWER_INDEX
            6'd26: word = hw_answer_value;  // ANSWER_VALUE
            6'd27: word = hw_answer_generation;  // ANSWER_GENERATION
            6'd28: word = filled_q;  // FILLED
            6'd29: word = batches_q;  // BATCHES
            6'd30: word = sampled_q;  // SAMPLED
            6'd31: word = reserved_q;  // RESERVED
            6'd32: word = committed_q;  // COMMITTED
            6'd33: word = stale_commits_q;  // STALE_COMMITS
            6'd34: word = stale_updates_q;  // STALE_UPDATES
            6'd35: word = voids_q;  // VOIDS
            6'd36: word = read_errors_q;  // READ_ERRORS
            6'd37: word = write_errors_q;  // WRITE_ERRORS
            6'd38: word = stall_order_q;  // STALL_ORDER
            6'd39: word = stall_tree_q;  // STALL_TREE
            6'd40: word = stall_memory_q;  // STALL_MEMORY
            6'd41: word = stall_empty_q;  // STALL_EMPTY
            6'd42: word = clocks_q;  // CLOCKS
            6'd43: word = dropped_q;  // DROPPED
            default: word = 32'd0;
        endcase
    end
    always @(posedge clk) rd_data_q <= word;
    assign rd_data = rd_data_q;
endmodule
`default_nettype wire
