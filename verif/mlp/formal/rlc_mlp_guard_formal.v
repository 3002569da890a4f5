// rlc_mlp_guard_formal.v — from a reset on, no output is outside its limits or moves further than its step, for any traffic.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_mlp_guard_formal (
    input wire       clk,
    input wire       rst,
    input wire       tick,
    input wire       s_valid,
    input wire       s_bad,
    input wire [9:0] s_data
);
    localparam WIDTH = 5;
    (* anyconst *) wire [9:0] low;
    (* anyconst *) wire [9:0] high;
    (* anyconst *) wire [9:0] step;
    (* anyconst *) wire [9:0] safe;
    (* anyconst *) wire [2:0] wait_for;
    wire [9:0] data;
    wire       aims_safe;
    wire [2:0] waited;
    rlc_mlp_guard #(.COUNT(2), .WIDTH(WIDTH), .WAIT_WIDTH(3)) dut (
        .clk(clk), .rst(rst), .cfg_low(low), .cfg_high(high), .cfg_step(step), .cfg_safe(safe), .cfg_wait(wait_for),
        .tick(tick), .s_valid(s_valid), .s_bad(s_bad), .s_data(s_data), .m_data(data), .m_safe(aims_safe), .m_waited(waited)
    );

    reg       seen = 1'b0;      // there was a reset
    reg       was_rst, was_tick, was_good, was_seen = 1'b0;
    reg [9:0] was;
    reg [3:0] without = 4'd0;   // ticks without a good action
    always @(posedge clk) begin
        if (rst) seen <= 1'b1;
        was_seen <= seen;
        was_rst  <= rst;
        was_tick <= tick;
        was_good <= s_valid && !s_bad;
        was      <= data;
        if (rst || (s_valid && !s_bad)) without <= 4'd0;
        else if (tick && without != 4'd8) without <= without + 1'b1;
    end

    wire signed [4:0] low_0 = low[4:0], high_0 = high[4:0], now_0 = data[4:0], then_0 = was[4:0];
    wire signed [4:0] low_1 = low[9:5], high_1 = high[9:5], now_1 = data[9:5], then_1 = was[9:5];
    wire signed [5:0] way_0 = {now_0[4], now_0} - {then_0[4], then_0};
    wire signed [5:0] way_1 = {now_1[4], now_1} - {then_1[4], then_1};
    wire signed [5:0] step_0 = {1'b0, step[4:0]}, step_1 = {1'b0, step[9:5]};
    always @* begin
        assume (low_0 <= high_0 && low_1 <= high_1);
        if (seen) begin
            assert (low_0 <= now_0 && now_0 <= high_0);
            assert (low_1 <= now_1 && now_1 <= high_1);
            // The guard's counter of ticks is the bench's, up to where it stops.
            assert (waited == ((without < {1'b0, wait_for}) ? without : {1'b0, wait_for}));
            assert (without <= 4'd8 && (without < {1'b0, wait_for} || aims_safe));
        end
        if (was_seen && !was_rst) begin
            assert (way_0 <= step_0 && way_0 >= -step_0);
            assert (way_1 <= step_1 && way_1 >= -step_1);
            assert (was_tick || data == was);
        end
        // It does move, both ways, and comes home.
        cover (was_seen && !was_rst && way_0 > 1 && way_1 < -1 && !aims_safe && step_0 < way_0 + 2);
        cover (was_seen && !was_rst && without == 4'd5 && aims_safe && way_0 != 0);
    end
endmodule
`default_nettype wire
