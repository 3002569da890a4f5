// rlc_axi.vh — ports, wires and connections of buses by their prefix: macros for headers of modules and for instances.
// SPDX-License-Identifier: Apache-2.0
//
// In a list of ports      `RLC_AXIL_SLAVE(p, A)      AXI4-Lite with A bits of address; _MASTER
//                         `RLC_AXIS_SLAVE(p, W)      AXI4-Stream with W bits of data and TLAST; _MASTER
//                         `RLC_STREAM_SLAVE(p, W)    a native stream, valid, ready and W bits of data; _MASTER
//                         `RLC_AXI_WRITER(p, I, A, D)  the write channels of an AXI4 master: bits of ID, address and data
//                         `RLC_AXI_READER(p, I, A, D)  its read channels
//                         `RLC_AXI_WRITERS(p, N, I, A, D)  those of N masters, one slice of each port a master; _READERS
// In a module             `RLC_AXIL_WIRES(p, A, N)   the wires of N windows behind rlc_axil_split, which share address and data
//                         `RLC_AXIS_BITS(bits, least) the width, a power of two, of a stream that carries `bits` bits
//                         `RLC_AXIS_WIRES(p, W), and `RLC_STREAM_WIRES(p, W): valid, ready and data alone
//                         `RLC_STREAM_ASSIGN(p, q)   stream p, or a port of that name, is stream q
// At an instance          `RLC_AXIL_JOIN(p, q)       port p on the wires or ports q; `RLC_AXIS_JOIN, `RLC_STREAM_JOIN
//                         `RLC_AXIL_PICK(p, q, n)    port p on window n of q
//                         `RLC_AXI_PICK(p, q, n, I, A, D)  port p of a master on slice n of q
// As an argument          `RLC_COMMA                 what stands between two ports
`ifndef RLC_AXI_VH
`define RLC_AXI_VH

`define RLC_COMMA ,

`define RLC_AXIL_SLAVE(p, A) \
    input  wire [(A)-1:0]   p``_awaddr, \
    input  wire [2:0]       p``_awprot, \
    input  wire             p``_awvalid, \
    output wire             p``_awready, \
    input  wire [31:0]      p``_wdata, \
    input  wire [3:0]       p``_wstrb, \
    input  wire             p``_wvalid, \
    output wire             p``_wready, \
    output wire [1:0]       p``_bresp, \
    output wire             p``_bvalid, \
    input  wire             p``_bready, \
    input  wire [(A)-1:0]   p``_araddr, \
    input  wire [2:0]       p``_arprot, \
    input  wire             p``_arvalid, \
    output wire             p``_arready, \
    output wire [31:0]      p``_rdata, \
    output wire [1:0]       p``_rresp, \
    output wire             p``_rvalid, \
    input  wire             p``_rready

`define RLC_AXIL_MASTER(p, A) \
    output wire [(A)-1:0]   p``_awaddr, \
    output wire [2:0]       p``_awprot, \
    output wire             p``_awvalid, \
    input  wire             p``_awready, \
    output wire [31:0]      p``_wdata, \
    output wire [3:0]       p``_wstrb, \
    output wire             p``_wvalid, \
    input  wire             p``_wready, \
    input  wire [1:0]       p``_bresp, \
    input  wire             p``_bvalid, \
    output wire             p``_bready, \
    output wire [(A)-1:0]   p``_araddr, \
    output wire [2:0]       p``_arprot, \
    output wire             p``_arvalid, \
    input  wire             p``_arready, \
    input  wire [31:0]      p``_rdata, \
    input  wire [1:0]       p``_rresp, \
    input  wire             p``_rvalid, \
    output wire             p``_rready

`define RLC_AXIL_WIRES(p, A, N) \
    wire [(A)-1:0]    p``_awaddr, p``_araddr; \
    wire [2:0]        p``_awprot, p``_arprot; \
    wire [(N)-1:0]    p``_awvalid, p``_awready, p``_wvalid, p``_wready, p``_bvalid, p``_bready; \
    wire [(N)-1:0]    p``_arvalid, p``_arready, p``_rvalid, p``_rready; \
    wire [31:0]       p``_wdata; \
    wire [3:0]        p``_wstrb; \
    wire [(N)*2-1:0]  p``_bresp, p``_rresp; \
    wire [(N)*32-1:0] p``_rdata

`define RLC_AXIL_JOIN(p, q) \
    .p``_awaddr(q``_awaddr), .p``_awprot(q``_awprot), .p``_awvalid(q``_awvalid), .p``_awready(q``_awready), \
    .p``_wdata(q``_wdata), .p``_wstrb(q``_wstrb), .p``_wvalid(q``_wvalid), .p``_wready(q``_wready), \
    .p``_bresp(q``_bresp), .p``_bvalid(q``_bvalid), .p``_bready(q``_bready), \
    .p``_araddr(q``_araddr), .p``_arprot(q``_arprot), .p``_arvalid(q``_arvalid), .p``_arready(q``_arready), \
    .p``_rdata(q``_rdata), .p``_rresp(q``_rresp), .p``_rvalid(q``_rvalid), .p``_rready(q``_rready)

`define RLC_AXIL_PICK(p, q, n) \
    .p``_awaddr(q``_awaddr), .p``_awprot(q``_awprot), .p``_awvalid(q``_awvalid[n]), .p``_awready(q``_awready[n]), \
    .p``_wdata(q``_wdata), .p``_wstrb(q``_wstrb), .p``_wvalid(q``_wvalid[n]), .p``_wready(q``_wready[n]), \
    .p``_bresp(q``_bresp[(n)*2 +: 2]), .p``_bvalid(q``_bvalid[n]), .p``_bready(q``_bready[n]), \
    .p``_araddr(q``_araddr), .p``_arprot(q``_arprot), .p``_arvalid(q``_arvalid[n]), .p``_arready(q``_arready[n]), \
    .p``_rdata(q``_rdata[(n)*32 +: 32]), .p``_rresp(q``_rresp[(n)*2 +: 2]), \
    .p``_rvalid(q``_rvalid[n]), .p``_rready(q``_rready[n])

`define RLC_AXIS_BITS(bits, least) (((bits) <= (least)) ? (least) : 1 << $clog2(bits))

`define RLC_AXIS_SLAVE(p, W) \
    input  wire [(W)-1:0] p``_tdata, \
    input  wire           p``_tvalid, \
    output wire           p``_tready, \
    input  wire           p``_tlast

`define RLC_AXIS_MASTER(p, W) \
    output wire [(W)-1:0] p``_tdata, \
    output wire           p``_tvalid, \
    input  wire           p``_tready, \
    output wire           p``_tlast

`define RLC_AXIS_WIRES(p, W) \
    wire [(W)-1:0] p``_tdata; \
    wire           p``_tvalid, p``_tready, p``_tlast

`define RLC_AXIS_JOIN(p, q) \
    .p``_tdata(q``_tdata), .p``_tvalid(q``_tvalid), .p``_tready(q``_tready), .p``_tlast(q``_tlast)

`define RLC_AXI_WRITER(p, I, A, D) \
    output wire [(I)-1:0]   p``_awid, \
    output wire [(A)-1:0]   p``_awaddr, \
    output wire [7:0]       p``_awlen, \
    output wire [2:0]       p``_awsize, \
    output wire [1:0]       p``_awburst, \
    output wire [3:0]       p``_awcache, \
    output wire [2:0]       p``_awprot, \
    output wire             p``_awvalid, \
    input  wire             p``_awready, \
    output wire [(D)-1:0]   p``_wdata, \
    output wire [(D)/8-1:0] p``_wstrb, \
    output wire             p``_wlast, \
    output wire             p``_wvalid, \
    input  wire             p``_wready, \
    input  wire [(I)-1:0]   p``_bid, \
    input  wire [1:0]       p``_bresp, \
    input  wire             p``_bvalid, \
    output wire             p``_bready

`define RLC_AXI_READER(p, I, A, D) \
    output wire [(I)-1:0]   p``_arid, \
    output wire [(A)-1:0]   p``_araddr, \
    output wire [7:0]       p``_arlen, \
    output wire [2:0]       p``_arsize, \
    output wire [1:0]       p``_arburst, \
    output wire [3:0]       p``_arcache, \
    output wire [2:0]       p``_arprot, \
    output wire             p``_arvalid, \
    input  wire             p``_arready, \
    input  wire [(I)-1:0]   p``_rid, \
    input  wire [(D)-1:0]   p``_rdata, \
    input  wire [1:0]       p``_rresp, \
    input  wire             p``_rlast, \
    input  wire             p``_rvalid, \
    output wire             p``_rready

`define RLC_AXI_WRITERS(p, N, I, A, D) \
    output wire [(N)*(I)-1:0]        p``_awid, \
    output wire [(N)*(A)-1:0]        p``_awaddr, \
    output wire [(N)*8-1:0]          p``_awlen, \
    output wire [(N)*3-1:0]          p``_awsize, \
    output wire [(N)*2-1:0]          p``_awburst, \
    output wire [(N)*4-1:0]          p``_awcache, \
    output wire [(N)*3-1:0]          p``_awprot, \
    output wire [(N)-1:0]            p``_awvalid, \
    input  wire [(N)-1:0]            p``_awready, \
    output wire [(N)*(D)-1:0]        p``_wdata, \
    output wire [(N)*(D)/8-1:0]      p``_wstrb, \
    output wire [(N)-1:0]            p``_wlast, \
    output wire [(N)-1:0]            p``_wvalid, \
    input  wire [(N)-1:0]            p``_wready, \
    input  wire [(N)*(I)-1:0]        p``_bid, \
    input  wire [(N)*2-1:0]          p``_bresp, \
    input  wire [(N)-1:0]            p``_bvalid, \
    output wire [(N)-1:0]            p``_bready

`define RLC_AXI_READERS(p, N, I, A, D) \
    output wire [(N)*(I)-1:0]        p``_arid, \
    output wire [(N)*(A)-1:0]        p``_araddr, \
    output wire [(N)*8-1:0]          p``_arlen, \
    output wire [(N)*3-1:0]          p``_arsize, \
    output wire [(N)*2-1:0]          p``_arburst, \
    output wire [(N)*4-1:0]          p``_arcache, \
    output wire [(N)*3-1:0]          p``_arprot, \
    output wire [(N)-1:0]            p``_arvalid, \
    input  wire [(N)-1:0]            p``_arready, \
    input  wire [(N)*(I)-1:0]        p``_rid, \
    input  wire [(N)*(D)-1:0]        p``_rdata, \
    input  wire [(N)*2-1:0]          p``_rresp, \
    input  wire [(N)-1:0]            p``_rlast, \
    input  wire [(N)-1:0]            p``_rvalid, \
    output wire [(N)-1:0]            p``_rready

`define RLC_AXI_PICK(p, q, n, I, A, D) \
    .p``_awid(q``_awid[(n)*(I) +: (I)]), .p``_awaddr(q``_awaddr[(n)*(A) +: (A)]), .p``_awlen(q``_awlen[(n)*8 +: 8]), \
    .p``_awsize(q``_awsize[(n)*3 +: 3]), .p``_awburst(q``_awburst[(n)*2 +: 2]), .p``_awcache(q``_awcache[(n)*4 +: 4]), \
    .p``_awprot(q``_awprot[(n)*3 +: 3]), .p``_awvalid(q``_awvalid[n]), .p``_awready(q``_awready[n]), \
    .p``_wdata(q``_wdata[(n)*(D) +: (D)]), .p``_wstrb(q``_wstrb[(n)*(D)/8 +: (D)/8]), .p``_wlast(q``_wlast[n]), \
    .p``_wvalid(q``_wvalid[n]), .p``_wready(q``_wready[n]), .p``_bid(q``_bid[(n)*(I) +: (I)]), \
    .p``_bresp(q``_bresp[(n)*2 +: 2]), .p``_bvalid(q``_bvalid[n]), .p``_bready(q``_bready[n]), \
    .p``_arid(q``_arid[(n)*(I) +: (I)]), .p``_araddr(q``_araddr[(n)*(A) +: (A)]), .p``_arlen(q``_arlen[(n)*8 +: 8]), \
    .p``_arsize(q``_arsize[(n)*3 +: 3]), .p``_arburst(q``_arburst[(n)*2 +: 2]), .p``_arcache(q``_arcache[(n)*4 +: 4]), \
    .p``_arprot(q``_arprot[(n)*3 +: 3]), .p``_arvalid(q``_arvalid[n]), .p``_arready(q``_arready[n]), \
    .p``_rid(q``_rid[(n)*(I) +: (I)]), .p``_rdata(q``_rdata[(n)*(D) +: (D)]), .p``_rresp(q``_rresp[(n)*2 +: 2]), \
    .p``_rlast(q``_rlast[n]), .p``_rvalid(q``_rvalid[n]), .p``_rready(q``_rready[n])

`define RLC_STREAM_SLAVE(p, W) \
    input  wire           p``_valid, \
    output wire           p``_ready, \
    input  wire [(W)-1:0] p``_data

`define RLC_STREAM_MASTER(p, W) \
    output wire           p``_valid, \
    input  wire           p``_ready, \
    output wire [(W)-1:0] p``_data

`define RLC_STREAM_WIRES(p, W) \
    wire           p``_valid, p``_ready; \
    wire [(W)-1:0] p``_data

`define RLC_STREAM_ASSIGN(p, q) \
    assign p``_valid = q``_valid; \
    assign p``_data  = q``_data; \
    assign q``_ready = p``_ready

`define RLC_STREAM_JOIN(p, q) \
    .p``_valid(q``_valid), .p``_ready(q``_ready), .p``_data(q``_data)

`endif
