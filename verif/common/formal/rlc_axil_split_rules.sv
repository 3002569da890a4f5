// rlc_axil_split_rules.sv — rlc_axil_split keeps AXI4-Lite towards its master and towards each port.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_rules.svh"
module rlc_axil_split_rules (
    input wire clk,
    input wire rst
);
    localparam PORTS = 2;

    `RLC_AXIL_MASTER_FREE(s_axil, 4)
    wire [2:0]       m_axil_awaddr, m_axil_araddr;
    wire [2:0]       m_axil_awprot, m_axil_arprot;
    wire [31:0]      m_axil_wdata;
    wire [3:0]       m_axil_wstrb;
    wire [PORTS-1:0] m_axil_awvalid, m_axil_wvalid, m_axil_bready, m_axil_arvalid, m_axil_rready;
    (* anyseq *) wire [PORTS-1:0]    m_axil_awready;
    (* anyseq *) wire [PORTS-1:0]    m_axil_wready;
    (* anyseq *) wire [PORTS-1:0]    m_axil_bvalid;
    (* anyseq *) wire [PORTS-1:0]    m_axil_arready;
    (* anyseq *) wire [PORTS-1:0]    m_axil_rvalid;
    (* anyseq *) wire [2*PORTS-1:0]  m_axil_bresp;
    (* anyseq *) wire [2*PORTS-1:0]  m_axil_rresp;
    (* anyseq *) wire [32*PORTS-1:0] m_axil_rdata;

    rlc_axil_split #(.ADDR_WIDTH(4), .WINDOW_WIDTH(3), .PORTS(PORTS)) dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    // A port that answers within 12 clocks makes the whole answer within 12.
    rlc_axil_rules #(.ADDR_WIDTH(4), .SLAVE_WAIT(12)) u_s (.clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil));

    genvar p;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : g_port
            rlc_axil_rules #(.ADDR_WIDTH(3), .MASTER(1), .SLAVE(0), .SLAVE_WAIT(3), .MASTER_WAIT(1)) u_m (
                .clk(clk), .rst(rst),
                .awaddr(m_axil_awaddr), .awprot(m_axil_awprot),
                .awvalid(m_axil_awvalid[p]), .awready(m_axil_awready[p]),
                .wdata(m_axil_wdata), .wstrb(m_axil_wstrb), .wvalid(m_axil_wvalid[p]), .wready(m_axil_wready[p]),
                .bresp(m_axil_bresp[2*p +: 2]), .bvalid(m_axil_bvalid[p]), .bready(m_axil_bready[p]),
                .araddr(m_axil_araddr), .arprot(m_axil_arprot),
                .arvalid(m_axil_arvalid[p]), .arready(m_axil_arready[p]),
                .rdata(m_axil_rdata[32*p +: 32]), .rresp(m_axil_rresp[2*p +: 2]),
                .rvalid(m_axil_rvalid[p]), .rready(m_axil_rready[p])
            );
        end
    endgenerate
endmodule
`default_nettype wire
