// rlc_axil_rules.sv — the rules of AXI4-Lite at one port, seen from outside (AMBA AXI, chapters A3 and B1).
// SPDX-License-Identifier: Apache-2.0
//
// MASTER, SLAVE   formal: 1 the side's rules are proved, 0 they are assumed of it; simulation checks both.
//                 2: nobody looks, the side may do what it likes
// LIMIT           most writes, and most reads, taken and not answered; LIMITED: formal, 1 it is proved
// SLAVE_WAIT      clocks in which the slave must go on when the master does not hold it up, 1 to 254; 0 no promise
// MASTER_WAIT     clocks in which the master must take an answer; 0 no promise
//
// rst             as the design's: synchronous, high. Nothing is checked before the first one, unless ALWAYS is 1
`default_nettype none
`include "rlc_rules.svh"
module rlc_axil_rules #(
    parameter ADDR_WIDTH  = 12,
    parameter MASTER      = 0,
    parameter SLAVE       = 1,
    parameter LIMIT       = 1,
    parameter LIMITED     = 1,
    parameter SLAVE_WAIT  = 0,
    parameter MASTER_WAIT = 0,
    parameter ALWAYS      = 0
) (
    input wire                  clk,
    input wire                  rst,
    input wire [ADDR_WIDTH-1:0] awaddr,
    input wire [2:0]            awprot,
    input wire                  awvalid,
    input wire                  awready,
    input wire [31:0]           wdata,
    input wire [3:0]            wstrb,
    input wire                  wvalid,
    input wire                  wready,
    input wire [1:0]            bresp,
    input wire                  bvalid,
    input wire                  bready,
    input wire [ADDR_WIDTH-1:0] araddr,
    input wire [2:0]            arprot,
    input wire                  arvalid,
    input wire                  arready,
    input wire [31:0]           rdata,
    input wire [1:0]            rresp,
    input wire                  rvalid,
    input wire                  rready
);
    localparam COUNT = $clog2(LIMIT + 1);
    localparam [31:0]      LIMIT_32 = LIMIT;
    localparam [COUNT:0]   MOST     = LIMIT_32[COUNT:0];
    localparam [COUNT:0]   NONE     = 0;
    localparam [COUNT-1:0] NO       = 0;

    reg seen = ALWAYS != 0;    // there was a reset
    always @(posedge clk) seen <= seen || rst;

    rlc_handshake_rules #(.WIDTH(ADDR_WIDTH + 3), .PROVED(MASTER), .ALWAYS(ALWAYS)) aw (
        .clk(clk), .rst(rst), .valid(awvalid), .ready(awready), .data({awprot, awaddr})
    );
    rlc_handshake_rules #(.WIDTH(36), .PROVED(MASTER), .ALWAYS(ALWAYS)) w (
        .clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wstrb, wdata})
    );
    rlc_handshake_rules #(.WIDTH(2), .PROVED(SLAVE), .ALWAYS(ALWAYS)) b (
        .clk(clk), .rst(rst), .valid(bvalid), .ready(bready), .data(bresp)
    );
    rlc_handshake_rules #(.WIDTH(ADDR_WIDTH + 3), .PROVED(MASTER), .ALWAYS(ALWAYS)) ar (
        .clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data({arprot, araddr})
    );
    rlc_handshake_rules #(.WIDTH(34), .PROVED(SLAVE), .ALWAYS(ALWAYS)) r (
        .clk(clk), .rst(rst), .valid(rvalid), .ready(rready), .data({rresp, rdata})
    );

    wire aw_go = awvalid && awready;
    wire w_go  = wvalid && wready;
    wire b_go  = bvalid && bready;
    wire ar_go = arvalid && arready;
    wire r_go  = rvalid && rready;

    // Requests taken and not answered.
    reg [COUNT:0] aws = 0;
    reg [COUNT:0] ws  = 0;
    reg [COUNT:0] ars = 0;
    always @(posedge clk) begin
        aws <= rst ? NONE : aws + {NO, aw_go} - {NO, b_go};
        ws  <= rst ? NONE : ws + {NO, w_go} - {NO, b_go};
        ars <= rst ? NONE : ars + {NO, ar_go} - {NO, r_go};
    end

    // Clocks that a side has waited for the other one without holding it up itself.
    wire      b_stands = bvalid && !bready;
    wire      r_stands = rvalid && !rready;
    reg [7:0] aw_wait = 0, w_wait = 0, b_wait = 0, ar_wait = 0, r_wait = 0, b_stay = 0, r_stay = 0;
    always @(posedge clk) if (SLAVE_WAIT != 0) begin
        aw_wait <= (!rst && awvalid && !awready && !b_stands && !(aws > ws && !wvalid)) ? aw_wait + 8'd1 : 8'd0;
        w_wait  <= (!rst && wvalid && !wready && !b_stands && !(ws > aws && !awvalid)) ? w_wait + 8'd1 : 8'd0;
        b_wait  <= (!rst && aws != 0 && ws != 0 && !bvalid) ? b_wait + 8'd1 : 8'd0;
        ar_wait <= (!rst && arvalid && !arready && !r_stands) ? ar_wait + 8'd1 : 8'd0;
        r_wait  <= (!rst && ars != 0 && !rvalid) ? r_wait + 8'd1 : 8'd0;
    end
    always @(posedge clk) if (MASTER_WAIT != 0) begin
        b_stay <= (!rst && b_stands) ? b_stay + 8'd1 : 8'd0;
        r_stay <= (!rst && r_stands) ? r_stay + 8'd1 : 8'd0;
    end

    always @(posedge clk) if (seen && !rst) begin
        if (bvalid) begin
            `RLC_RULE(SLAVE, b_answers, aws != 0 && ws != 0, "BVALID without an address and its data")
            `RLC_RULE(SLAVE, b_legal, bresp != 2'b01, "BRESP is EXOKAY, which AXI4-Lite has not")
        end
        if (rvalid) begin
            `RLC_RULE(SLAVE, r_answers, ars != 0, "RVALID without an address")
            `RLC_RULE(SLAVE, r_legal, rresp != 2'b01, "RRESP is EXOKAY, which AXI4-Lite has not")
        end
        `RLC_RULE(LIMITED, aw_limit, !(aw_go && !b_go && aws == MOST), "more writes are open than promised")
        `RLC_RULE(LIMITED, w_limit, !(w_go && !b_go && ws == MOST), "more data are open than promised")
        `RLC_RULE(LIMITED, ar_limit, !(ar_go && !r_go && ars == MOST), "more reads are open than promised")
        if (SLAVE_WAIT != 0) begin
            `RLC_RULE(SLAVE, aw_progress, $signed({1'b0, aw_wait}) < SLAVE_WAIT, "AWREADY does not come")
            `RLC_RULE(SLAVE, w_progress, $signed({1'b0, w_wait}) < SLAVE_WAIT, "WREADY does not come")
            `RLC_RULE(SLAVE, b_progress, $signed({1'b0, b_wait}) < SLAVE_WAIT, "BVALID does not come")
            `RLC_RULE(SLAVE, ar_progress, $signed({1'b0, ar_wait}) < SLAVE_WAIT, "ARREADY does not come")
            `RLC_RULE(SLAVE, r_progress, $signed({1'b0, r_wait}) < SLAVE_WAIT, "RVALID does not come")
        end
        if (MASTER_WAIT != 0) begin
            `RLC_RULE(MASTER, b_taken, $signed({1'b0, b_stay}) < MASTER_WAIT, "BREADY does not come")
            `RLC_RULE(MASTER, r_taken, $signed({1'b0, r_stay}) < MASTER_WAIT, "RREADY does not come")
        end
    end
endmodule
`default_nettype wire
