// rlc_heppo.sv — the GAE core as a block of an SoC: everything at its ports on the bus's clock, the array on its own.
// SPDX-License-Identifier: Apache-2.0
//
// clk, rst      the bus: s_axil_*, s_axis_*, m_axis_* and irq are on it. rst is synchronous, one clock is enough;
//               every ready and valid is low until both sides are out of reset
// core_clk      the array and all else of rlc_gae_axi; any frequency and phase; must run
// s_axil_*, s_axis_*, m_axis_*   as rlc_gae_axi says, in the same order: an answer to a register write says that the
//               core has carried it out
// irq           the core's level, STAGES + 2 clocks later: after IRQ_STATUS was cleared it may still be high for a few
//               clocks, so software that waits for it looks at STATUS or IRQ_STATUS too, as our drivers do
// latency       that of the crossings: see rlc_fifo_async. FIFO_LOG2 4 keeps one beat a clock of the slower side
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
module rlc_heppo #(
    `include "rlc_heppo_parameters.vh"
) (
    input  wire clk,
    input  wire rst,
    input  wire core_clk,
    `RLC_AXIL_SLAVE(s_axil, 12),
    `RLC_AXIS_SLAVE(s_axis, BEAT*64),
    `RLC_AXIS_MASTER(m_axis, BEAT*64),
    output wire irq
);
    `RLC_CHECK(BEAT >= 1 && BEAT <= 64, rlc_heppo_illegal_BEAT_must_be_1_to_64)
    `RLC_HEPPO_LEGAL(rlc_heppo)

    wire bus_rst;
    wire core_rst;
    rlc_heppo_reset #(.STAGES(STAGES)) u_reset (.*);

    // Registers.
    `RLC_AXIL_WIRES(core_axil, 12, 1);
    rlc_heppo_axil #(.ADDR_WIDTH(12), .STAGES(STAGES)) u_axil (
        .*, .s_clk(clk), .s_rst(bus_rst), .m_clk(core_clk), .m_rst(core_rst), `RLC_AXIL_JOIN(m_axil, core_axil)
    );

    // Streams.
    `RLC_AXIS_WIRES(in, BEAT*64);
    `RLC_AXIS_WIRES(out, BEAT*64);
    rlc_fifo_async #(.WIDTH(BEAT*64 + 1), .DEPTH_LOG2(FIFO_LOG2), .STAGES(STAGES)) u_in (
        .s_clk(clk), .s_rst(bus_rst), .m_clk(core_clk), .m_rst(core_rst),
        .s_valid(s_axis_tvalid), .s_ready(s_axis_tready), .s_data({s_axis_tlast, s_axis_tdata}),
        .m_valid(in_tvalid), .m_ready(in_tready), .m_data({in_tlast, in_tdata})
    );
    rlc_fifo_async #(.WIDTH(BEAT*64 + 1), .DEPTH_LOG2(FIFO_LOG2), .STAGES(STAGES)) u_out (
        .s_clk(core_clk), .s_rst(core_rst), .m_clk(clk), .m_rst(bus_rst),
        .s_valid(out_tvalid), .s_ready(out_tready), .s_data({out_tlast, out_tdata}),
        .m_valid(m_axis_tvalid), .m_ready(m_axis_tready), .m_data({m_axis_tlast, m_axis_tdata})
    );

    // The interrupt: a flip-flop of its own before it crosses, because there is logic behind the core's.
    wire core_irq;
    wire irq_arrived;
    reg  core_irq_q;
    reg  irq_q;
    initial core_irq_q = 1'b0;
    initial irq_q      = 1'b0;

    always @(posedge core_clk) core_irq_q <= core_irq && !core_rst;
    rlc_sync_level #(.STAGES(STAGES)) u_irq (.clk(clk), .level_in(core_irq_q), .level_out(irq_arrived));
    always @(posedge clk) irq_q <= irq_arrived && !bus_rst;
    assign irq = irq_q;

    rlc_gae_axi #(
        `include "rlc_gae_args.vh"
    ) u_gae (
        .clk(core_clk), .rst(core_rst), `RLC_AXIL_JOIN(s_axil, core_axil), `RLC_AXIS_JOIN(s_axis, in),
        `RLC_AXIS_JOIN(m_axis, out), .irq(core_irq)
    );
endmodule
`default_nettype wire
