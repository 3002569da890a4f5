// plant_tb.sv — one agent keeps a room at 20 degrees, its twin pushes three CartPoles: the stream is the same.
// SPDX-License-Identifier: Apache-2.0
`timescale 1ns / 1ps
module plant_tb;
    reg clk = 0;
    reg rst = 1;
    reg start = 0;
    always #5 clk = !clk;

    // ---- the room: 30 degrees above the outside of 5 with the heater on for long, read every 16 clocks.
    wire        p_valid, p_ready, a_valid, a_ready, heater;
    wire [65:0] p_data;
    wire [17:0] a_data;
    wire [31:0] p_answers, p_ends;
    wire signed [17:0] warm;
    reg signed [31:0] room = 5 << 20;  // degrees with 20 fraction bits
    reg [3:0] tick = 0;
    always @(posedge clk) begin
        tick <= tick + 4'd1;
        if (tick == 4'd15) room <= room + (((heater ? 35 << 20 : 5 << 20) - room) >>> 5);
    end
    wire signed [31:0] reading = room >>> 10;
    plant #(.STEPS(100)) u_plant (
        .clk(clk), .rst(rst), .start(start), .s_valid(a_valid), .s_ready(a_ready), .s_data(a_data),
        .m_valid(p_valid), .m_ready(p_ready), .m_data(p_data),
        .adc_valid(tick == 4'd0), .adc_data(reading[17:0]), .heater(heater)
    );
    agent #(.OBS(1), .N(1), .THRESHOLD(20480)) u_room_agent (
        .clk(clk), .rst(rst), .m_valid(p_valid), .m_ready(p_ready), .m_data(p_data),
        .s_valid(a_valid), .s_ready(a_ready), .s_data(a_data), .answers(p_answers), .ends(p_ends), .looked_at(warm)
    );

    // ---- three CartPoles: pushed towards the side to which the pole leans, so that it falls soon.
    wire         e_valid, e_ready, b_valid, b_ready;
    wire [173:0] e_data;
    wire [17:0]  b_data;
    wire [31:0]  e_answers, e_ends;
    wire signed [17:0] angle;
    wire stale, running, ev_step, ev_terminated, ev_truncated, ev_saturated, ev_illegal, ev_dropped;
    rlc_env #(.ENV(0), .N_ENVS(3)) u_env (
        .clk(clk), .rst(rst), .start(start), .stop(1'b0), .cfg_seed(128'd1), .cfg_time_limit(16'd500),
        .s_valid(b_valid), .s_ready(b_ready), .s_data(b_data),
        .m_valid(e_valid), .m_ready(e_ready), .m_data(e_data), .stale(stale), .running(running),
        .ev_step(ev_step), .ev_terminated(ev_terminated), .ev_truncated(ev_truncated), .ev_saturated(ev_saturated),
        .ev_illegal(ev_illegal), .ev_dropped(ev_dropped)
    );
    agent #(.OBS(4), .N(3), .ELEMENT(2), .THRESHOLD(0)) u_cart_agent (
        .clk(clk), .rst(rst), .m_valid(e_valid), .m_ready(e_ready), .m_data(e_data),
        .s_valid(b_valid), .s_ready(b_ready), .s_data(b_data), .answers(e_answers), .ends(e_ends), .looked_at(angle)
    );

    // After 60 steps the room stays within 1.2 degrees of 20.
    always @(posedge clk)
        if (p_valid && p_ready && p_answers > 60 && (warm < 19252 || warm > 21708))
            $fatal(1, "answer %0d: the room has %0d / 1024 degrees", p_answers, warm);

    integer clocks = 0;
    always @(posedge clk) begin
        clocks <= clocks + 1;
        if (clocks > 20000) $fatal(1, "the stream stands still after %0d and %0d answers", p_answers, e_answers);
    end

    initial begin
        repeat (4) @(negedge clk);
        rst = 0;
        start = 1;
        @(negedge clk);
        start = 0;
        while (p_answers < 310 || e_answers < 300) @(negedge clk);
        if (p_ends != 3) $fatal(1, "the room had %0d episodes of 100 steps", p_ends);
        if (e_ends < 10) $fatal(1, "only %0d poles fell", e_ends);
        $display("plant_tb: 3 episodes of a room at 20 degrees, and %0d poles fell", e_ends);
        $finish;
    end
endmodule
