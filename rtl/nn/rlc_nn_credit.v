// rlc_nn_credit.v — places of a queue that are promised in advance: a fold of results ends only when they have places.
// SPDX-License-Identifier: Apache-2.0
//
// take          a fold ends: MANY results will come, FEW of them after a vector's last fold (`few`)
// give          a result has left the queue
// room          the next fold's results have places
`default_nettype none
module rlc_nn_credit #(
    parameter PLACES = 8, // places of the queue, >= MANY
    parameter MANY   = 2, // results of a fold
    parameter FEW    = 1  // of the last one
) (
    input  wire clk,
    input  wire rst,
    input  wire take,
    input  wire few,
    input  wire give,
    output wire room
);
    localparam BITS = $clog2(PLACES + MANY + 1);
    localparam [31:0] LIMIT_32 = PLACES - MANY;
    localparam [31:0] MANY_32  = MANY;
    localparam [31:0] FEW_32   = FEW;
    reg  [BITS-1:0] taken_q;
    reg             room_q;
    wire [BITS-1:0] promised = !take ? {BITS{1'b0}} : few ? FEW_32[BITS-1:0] : MANY_32[BITS-1:0];
    wire [BITS-1:0] taken_d  = taken_q + promised - {{(BITS-1){1'b0}}, give};
    always @(posedge clk) begin
        if (rst) begin
            taken_q <= {BITS{1'b0}};
            room_q  <= 1'b1;
        end else begin
            taken_q <= taken_d;
            room_q  <= taken_d <= LIMIT_32[BITS-1:0];
        end
    end
    assign room = room_q;
endmodule
`default_nettype wire
