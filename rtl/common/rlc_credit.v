// rlc_credit.v — counts the free places of a queue at the far end of a pipeline that cannot stall.
// SPDX-License-Identifier: Apache-2.0
//
// take    a place is given away: something enters the pipeline; only while room is high
// give    a place is free again: something left the queue
// room    a place is free; a register
`default_nettype none
`include "rlc_check.vh"
module rlc_credit #(
    parameter PLACES = 8  // places of the queue, >= 1
) (
    input  wire clk,
    input  wire rst,
    input  wire take,
    input  wire give,
    output wire room
);
    `RLC_CHECK(PLACES >= 1, rlc_credit_illegal_PLACES_must_be_at_least_1)

    // Icarus takes no empty range, so an illegal PLACES has a stand-in until the check ends the run.
    localparam WIDTH = (PLACES >= 1) ? $clog2(PLACES + 1) : 1;
    localparam [31:0] ALL = PLACES;
    localparam [WIDTH-1:0] ONE = 1;

    reg [WIDTH-1:0] free_q;
    reg             room_q;
    wire [WIDTH-1:0] free_d = (take && !give) ? free_q - 1'b1 : (give && !take) ? free_q + 1'b1 : free_q;
    always @(posedge clk)
        if (rst) begin
            free_q <= ALL[WIDTH-1:0];
            room_q <= 1'b1;
        end else begin
            free_q <= free_d;
            if (take != give) room_q <= give || free_q != ONE;
        end
    assign room = room_q;
endmodule
`default_nettype wire
