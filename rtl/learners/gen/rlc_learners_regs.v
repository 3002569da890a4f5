// rlc_learners_regs.v — written from learners.rdl by `rlcores generate`: change that file, not this one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_learners_regs #(
    parameter LEARNERS = 2,
    parameter CROSS = 1,
    parameter BANKS = 1
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        wr_en,
    input  wire [3:0]  wr_addr,
    input  wire [31:0] wr_data,
    input  wire [3:0]  rd_addr,
    output wire [31:0] rd_data,
    input  wire [15:0] hw_status_irqs,
    input  wire [15:0] hw_status_waits,
    input  wire        set_flags,
    output wire [15:0] cfg_average_done,
    output wire [15:0] cfg_average_steps,
    input  wire        count_rounds,
    input  wire        count_waited,
    output wire        cfg_weights,
    output wire        wr_acts,
    output wire        untimely,
    output wire        misfit
);
    localparam [31:0] PARAM0_LEARNERS_RESET = LEARNERS;
    localparam [31:0] PARAM0_CROSS_RESET = CROSS;

    // Whether a write comes at the right moment, and whether it fits. A limit may be the largest number there is.
    reg  timely;
    reg  fits;
    // verilator lint_off CMPCONST
    always @(*) begin
        case (wr_addr)
            default: timely = 1'b1;
        endcase
        case (wr_addr)
            4'd9: fits = ((BANKS != 0) || wr_data[0] == 1'd0);
            default: fits = 1'b1;
        endcase
    end
    // verilator lint_on CMPCONST
    wire take = wr_en && timely && fits;

    // COMMAND
    wire take_command = take && wr_addr == 4'd3;
    reg  command_q;
    always @(posedge clk)
        if (rst) command_q <= 1'd0;
        else command_q <= take_command && wr_data[0];

    // FLAGS
    wire take_flags = take && wr_addr == 4'd5;
    wire [0:0] flags_q;
    wire [0:0] flags_set = set_flags;
    rlc_sticky #(.WIDTH(1)) u_flags (
        .clk(clk), .rst(rst), .sets(flags_set),
        .clears({1{take_flags}} & wr_data[0:0]), .q(flags_q)
    );

    // AVERAGE
    wire take_average = take && wr_addr == 4'd6;
    reg  [15:0] average_done_q;
    always @(posedge clk)
        if (rst) average_done_q <= 16'd0;
        else if (take_average) average_done_q <= wr_data[31:16];
    assign cfg_average_done = average_done_q;
    reg  [15:0] average_steps_q;
    always @(posedge clk)
        if (rst) average_steps_q <= 16'd0;
        else if (take_average) average_steps_q <= wr_data[15:0];
    assign cfg_average_steps = average_steps_q;

    // ROUNDS
    wire [31:0] rounds_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_rounds (
        .clk(clk), .rst(rst), .clear(command_q), .count(count_rounds), .q(rounds_q)
    );

    // WAITED
    wire [31:0] waited_q;
    rlc_counter #(.WIDTH(32), .SATURATE(0)) u_waited (
        .clk(clk), .rst(rst), .clear(command_q), .count(count_waited), .q(waited_q)
    );

    // WEIGHTS
    wire take_weights = take && wr_addr == 4'd9;
    reg  weights_q;
    always @(posedge clk)
        if (rst) weights_q <= 1'd0;
        else if (take_weights) weights_q <= wr_data[0];
    assign cfg_weights = weights_q;

    assign wr_acts = wr_addr == 4'd3 || wr_addr == 4'd5;
    assign untimely = wr_en && !timely;
    assign misfit = wr_en && timely && !fits;

    reg  [31:0] word;
    reg  [31:0] rd_data_q;
    always @(*) begin
        case (rd_addr)
            4'd0: word = 32'h524C4E53;  // ID
            4'd1: word = {16'd1, 16'd1};  // VERSION
            4'd2: word = {20'd0, PARAM0_CROSS_RESET[3:0], 3'd0, PARAM0_LEARNERS_RESET[4:0]};  // PARAM0
            4'd4: word = {hw_status_irqs, hw_status_waits};  // STATUS
            4'd5: word = {31'd0, flags_q[0]};  // FLAGS
            4'd6: word = {average_done_q, average_steps_q};  // AVERAGE
            4'd7: word = rounds_q;  // ROUNDS
            4'd8: word = waited_q;  // WAITED
            4'd9: word = {31'd0, weights_q};  // WEIGHTS
            default: word = 32'd0;
        endcase
    end
    always @(posedge clk) rd_data_q <= word;
    assign rd_data = rd_data_q;
endmodule
`default_nettype wire
