// rlc_axis_rules.sv — the rules of a valid/ready stream at one port, AXI4-Stream among them, seen from outside.
// SPDX-License-Identifier: Apache-2.0
//
// WIDTH           bits of tdata
// SOURCE, SINK    formal: 1 the side's rules are proved, 0 they are assumed of it; simulation checks both.
//                 2: nobody looks, the side may do what it likes
// MULTIPLE        tlast may come only with each MULTIPLE-th beat of a packet
// SINK_WAIT       clocks in which a beat must be taken, 1 to 254; 0 no promise
//
// length          beats of a packet: tlast exactly with the last of them; 0 any length
// rst             as the design's: synchronous, high. Nothing is checked before the first one
`default_nettype none
`include "rlc_rules.svh"
module rlc_axis_rules #(
    parameter WIDTH     = 64,
    parameter SOURCE    = 1,
    parameter SINK      = 0,
    parameter MULTIPLE  = 1,
    parameter SINK_WAIT = 0
) (
    input wire             clk,
    input wire             rst,
    input wire [15:0]      length,
    input wire [WIDTH-1:0] tdata,
    input wire             tlast,
    input wire             tvalid,
    input wire             tready
);
    reg seen = 1'b0;    // there was a reset
    always @(posedge clk) seen <= seen || rst;

    rlc_handshake_rules #(.WIDTH(WIDTH + 1), .PROVED(SOURCE)) t (
        .clk(clk), .rst(rst), .valid(tvalid), .ready(tready), .data({tlast, tdata})
    );

    reg [15:0] taken = 0;      // beats of this packet
    reg [15:0] place = 0;      // the same, modulo MULTIPLE
    reg [7:0]  waits = 0;
    wire       go    = tvalid && tready;
    always @(posedge clk) begin
        taken <= (rst || (go && tlast)) ? 16'd0 : taken + {15'd0, go};
        place <= (rst || (go && (tlast || {16'd0, place} + 32'd1 == MULTIPLE))) ? 16'd0 : place + {15'd0, go};
        waits <= (!rst && tvalid && !tready && SINK_WAIT != 0) ? waits + 8'd1 : 8'd0;
    end

    always @(posedge clk) if (seen && !rst) begin
        if (tvalid && length != 16'd0) begin
            `RLC_RULE(SOURCE, t_last, tlast == (taken + 16'd1 == length), "TLAST is not with the last beat")
        end
        if (tvalid && tlast && MULTIPLE > 1) begin
            `RLC_RULE(SOURCE, t_whole, {16'd0, place} + 32'd1 == MULTIPLE, "TLAST inside a group of beats")
        end
        if (SINK_WAIT != 0) begin
            `RLC_RULE(SINK, t_progress, $signed({1'b0, waits}) < SINK_WAIT, "TREADY does not come")
        end
    end
endmodule
`default_nettype wire
