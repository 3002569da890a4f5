// soc_tb.sv — four priorities go in; every unit of their sum is asked for, and must lead to its slot.
// SPDX-License-Identifier: Apache-2.0
`timescale 1ns / 1ps
module soc_tb;
    reg         clk = 0;
    reg         rst = 1;
    reg         s_valid = 0;
    reg  [7:0]  s_priority = 0;
    reg         t_valid = 0;
    reg  [15:0] t_target = 0;
    wire        s_ready, t_ready, m_valid;
    wire [5:0]  m_slot;
    wire [7:0]  m_priority;
    wire [13:0] total;

    soc u_soc (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_priority(s_priority),
        .t_valid(t_valid), .t_ready(t_ready), .t_target(t_target),
        .m_valid(m_valid), .m_ready(1'b1), .m_slot(m_slot), .m_priority(m_priority), .total(total)
    );

    always #5 clk = !clk;

    // Slot i has priority i + 2, so its first unit is i * (i + 3) / 2.
    integer slot, unit, answers = 0, expected = 0, first = 0;
    always @(negedge clk)
        if (m_valid) begin
            if (answers == first + expected + 2) begin
                first = first + expected + 2;
                expected = expected + 1;
            end
            if (m_slot != expected[5:0] || m_priority != expected[7:0] + 8'd2)
                $fatal(1, "unit %0d is in slot %0d of priority %0d, not in slot %0d", answers, m_slot, m_priority, expected);
            answers = answers + 1;
        end

    initial begin
        repeat (4) @(negedge clk);
        rst = 0;
        for (slot = 0; slot < 4; slot = slot + 1) begin
            s_valid = 1;
            s_priority = slot[7:0] + 8'd2;
            while (!s_ready) @(negedge clk);
            @(negedge clk);
        end
        s_valid = 0;
        repeat (200) @(negedge clk);
        if (total != 14'd14) $fatal(1, "the priorities sum up to %0d, not to 14", total);
        for (unit = 0; unit < 14; unit = unit + 1) begin
            t_valid = 1;
            t_target = unit[15:0];
            while (!t_ready) @(negedge clk);
            @(negedge clk);
        end
        t_valid = 0;
        repeat (100) @(negedge clk);
        if (answers != 14) $fatal(1, "%0d answers instead of 14", answers);
        $display("soc_tb: all 14 units were found");
        $finish;
    end
endmodule
