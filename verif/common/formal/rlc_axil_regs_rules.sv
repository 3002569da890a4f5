// rlc_axil_regs_rules.sv — rlc_axil_regs keeps AXI4-Lite, and answers within 12 clocks.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_rules.svh"
module rlc_axil_regs_rules (
    input wire        clk,
    input wire        rst,
    input wire [31:0] rd_data
);
    `RLC_AXIL_MASTER_FREE(s_axil, 5)
    wire        wr_en, rd_en;
    wire [2:0]  wr_addr, rd_addr;
    wire [31:0] wr_data;
    (* anyseq *) wire wr_acts;
    rlc_axil_regs #(.ADDR_WIDTH(5), .REGS(6)) dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    rlc_axil_rules #(.ADDR_WIDTH(5), .SLAVE_WAIT(12)) u_s (.clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil));
endmodule
`default_nettype wire
