// rlc_gae_axi.sv — the GAE core behind AXI: AXI4-Lite registers, AXI4-Stream in and out.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*     registers of gae.rdl at byte addresses 0x00 to 0xC8; beyond them SLVERR. WSTRB as rlc_axil_regs says
// s_axis_*     records, BEAT elements of 64 bits a beat, element 0 in the low bits; TLAST ends a pass
// m_axis_*     results, same shape; TLAST ends a READ
// irq          high while an enabled interrupt is pending (IRQ_STATUS and IRQ_ENABLE)
// latency      that of rlc_axil_regs on registers, none on the streams
`include "rlc_axi.vh"
`default_nettype none
module rlc_gae_axi #(
    `include "rlc_gae_parameters.vh"
) (
    input  wire clk,
    input  wire rst,
    `RLC_AXIL_SLAVE(s_axil, 12),
    `RLC_AXIS_SLAVE(s_axis, BEAT*64),
    `RLC_AXIS_MASTER(m_axis, BEAT*64),
    output wire irq
);
    localparam REGS = 51;
    `RLC_GAE_LEGAL(rlc_gae_axi)

    wire        wr_en;
    wire [9:0]  wr_addr;
    wire [31:0] wr_data;
    wire        wr_acts;
    wire        rd_en;
    wire [9:0]  rd_addr;
    wire [31:0] rd_data;

    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(REGS)) u_axil (.*);
    rlc_gae #(
        `include "rlc_gae_args.vh"
    ) u_gae (
        .*, .reg_wr_en(wr_en), .reg_wr_addr(wr_addr[5:0]), .reg_wr_data(wr_data), .reg_wr_acts(wr_acts),
        .reg_rd_addr(rd_addr[5:0]), .reg_rd_data(rd_data),
        .s_valid(s_axis_tvalid), .s_ready(s_axis_tready), .s_data(s_axis_tdata), .s_last(s_axis_tlast),
        .m_valid(m_axis_tvalid), .m_ready(m_axis_tready), .m_data(m_axis_tdata), .m_last(m_axis_tlast)
    );

    // rlc_axil_regs hands on no index beyond REGS, and a read needs no strobe: reading changes nothing here.
    wire unused = &{1'b0, wr_addr[9:6], rd_addr[9:6], rd_en};
endmodule
`default_nettype wire
