// rlc_serial_bridge_rules.sv — rlc_serial_bridge keeps AXI4-Lite as a master, one access at a time, and its streams.
// SPDX-License-Identifier: Apache-2.0
//
// The line is free: any bytes at any time, breaks, and any judgement of a frame's CRC. What is behind is reset by core_rst, as in rlc_serial, so
// the rules begin anew with it. The frame's memory may hold anything.
`default_nettype none
`include "rlc_rules.svh"
module rlc_serial_bridge_rules (
    input wire       clk,
    input wire       rst,
    input wire       rxd,
    input wire [1:0] irq
);
    wire       txd, core_rst, busy, trouble;
    `RLC_AXIL_SLAVE_FREE(m_axil, 16)
    wire        m_put_valid, m_put_last, s_get_ready;
    wire [31:0] m_put_data;
    (* anyseq *) wire        m_put_ready;
    (* anyseq *) wire        s_get_valid;
    (* anyseq *) wire        s_get_last;
    (* anyseq *) wire [31:0] s_get_data;

    rlc_serial_bridge #(.CLOCKS_PER_BIT(4), .WORDS(5), .PUTS(1), .GETS(1), .GAP_LOG2(8), .WAIT_LOG2(2)) dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    rlc_axil_rules #(.ADDR_WIDTH(16), .MASTER(1), .SLAVE(0), .MASTER_WAIT(1)) u_m (
        .clk(clk), .rst(core_rst), `RLC_AXIL_PORTS(m_axil)
    );
    rlc_axis_rules #(.WIDTH(32)) u_put (
        .clk(clk), .rst(core_rst), .length(16'd0),
        .tdata(m_put_data), .tlast(m_put_last), .tvalid(m_put_valid), .tready(m_put_ready)
    );
    rlc_axis_rules #(.WIDTH(32), .SOURCE(0)) u_get (
        .clk(clk), .rst(core_rst), .length(16'd0),
        .tdata(s_get_data), .tlast(s_get_last), .tvalid(s_get_valid), .tready(s_get_ready)
    );
endmodule
`default_nettype wire
