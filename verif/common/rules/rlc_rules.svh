// rlc_rules.svh — how a rule of a bus is written once for proof and simulation, and how its file is joined to a port.
// SPDX-License-Identifier: Apache-2.0
//
// RLC_RULE(PROVED, LABEL, OK, TEXT)
//   PROVED 1    formal: asserted
//   PROVED 0    formal: assumed, for it is the other side's duty
//   PROVED 2    nobody looks: the other side may do what it likes
//   simulation  asserted, but for 2: whoever breaks it, the run ends with the label and the text
`ifndef RLC_RULES_SVH
`define RLC_RULES_SVH

`ifdef FORMAL
`define RLC_RULE(PROVED, LABEL, OK, TEXT) if (PROVED == 1) LABEL: assert (OK); else if (PROVED == 0) assume (OK);
`else
`define RLC_RULE(PROVED, LABEL, OK, TEXT) if (PROVED != 2) LABEL: assert (OK) else $error(TEXT);
`endif

// A port's signals by their prefix.
`define RLC_AXIL_PORTS(P) \
    .awaddr(P``_awaddr), .awprot(P``_awprot), .awvalid(P``_awvalid), .awready(P``_awready), \
    .wdata(P``_wdata), .wstrb(P``_wstrb), .wvalid(P``_wvalid), .wready(P``_wready), \
    .bresp(P``_bresp), .bvalid(P``_bvalid), .bready(P``_bready), \
    .araddr(P``_araddr), .arprot(P``_arprot), .arvalid(P``_arvalid), .arready(P``_arready), \
    .rdata(P``_rdata), .rresp(P``_rresp), .rvalid(P``_rvalid), .rready(P``_rready)
`define RLC_AXIS_PORTS(P) \
    .tdata(P``_tdata), .tlast(P``_tlast), .tvalid(P``_tvalid), .tready(P``_tready)
`define RLC_AXI_WRITE_PORTS(P) \
    .awid(P``_awid), .awaddr(P``_awaddr), .awlen(P``_awlen), .awsize(P``_awsize), .awburst(P``_awburst), \
    .awcache(P``_awcache), .awprot(P``_awprot), .awvalid(P``_awvalid), .awready(P``_awready), \
    .wdata(P``_wdata), .wstrb(P``_wstrb), .wlast(P``_wlast), .wvalid(P``_wvalid), .wready(P``_wready), \
    .bid(P``_bid), .bresp(P``_bresp), .bvalid(P``_bvalid), .bready(P``_bready)
`define RLC_AXI_READ_PORTS(P) \
    .arid(P``_arid), .araddr(P``_araddr), .arlen(P``_arlen), .arsize(P``_arsize), .arburst(P``_arburst), \
    .arcache(P``_arcache), .arprot(P``_arprot), .arvalid(P``_arvalid), .arready(P``_arready), \
    .rid(P``_rid), .rdata(P``_rdata), .rresp(P``_rresp), .rlast(P``_rlast), .rvalid(P``_rvalid), .rready(P``_rready)

// What a module of formal properties declares for a port: the side that is not the design's is free.
`define RLC_AXIL_MASTER_FREE(P, WIDTH) \
    (* anyseq *) wire [WIDTH-1:0] P``_awaddr; (* anyseq *) wire [2:0] P``_awprot; (* anyseq *) wire P``_awvalid; \
    (* anyseq *) wire [31:0] P``_wdata; (* anyseq *) wire [3:0] P``_wstrb; (* anyseq *) wire P``_wvalid; \
    (* anyseq *) wire P``_bready; \
    (* anyseq *) wire [WIDTH-1:0] P``_araddr; (* anyseq *) wire [2:0] P``_arprot; (* anyseq *) wire P``_arvalid; \
    (* anyseq *) wire P``_rready; \
    wire P``_awready, P``_wready, P``_bvalid, P``_arready, P``_rvalid; \
    wire [1:0] P``_bresp, P``_rresp; wire [31:0] P``_rdata;
`define RLC_AXIL_SLAVE_FREE(P, WIDTH) \
    wire [WIDTH-1:0] P``_awaddr, P``_araddr; wire [2:0] P``_awprot, P``_arprot; \
    wire P``_awvalid, P``_wvalid, P``_bready, P``_arvalid, P``_rready; wire [31:0] P``_wdata; wire [3:0] P``_wstrb; \
    (* anyseq *) wire P``_awready; (* anyseq *) wire P``_wready; (* anyseq *) wire P``_bvalid; \
    (* anyseq *) wire P``_arready; (* anyseq *) wire P``_rvalid; \
    (* anyseq *) wire [1:0] P``_bresp; (* anyseq *) wire [1:0] P``_rresp; (* anyseq *) wire [31:0] P``_rdata;
`define RLC_AXIS_SOURCE_FREE(P, WIDTH) \
    (* anyseq *) wire [WIDTH-1:0] P``_tdata; (* anyseq *) wire P``_tlast; (* anyseq *) wire P``_tvalid; \
    wire P``_tready;
`define RLC_AXIS_SINK_FREE(P, WIDTH) \
    wire [WIDTH-1:0] P``_tdata; wire P``_tlast, P``_tvalid; (* anyseq *) wire P``_tready;

`endif
