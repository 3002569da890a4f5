// rlc_sumtree_ring.v — where the next insert goes, and how often a slot was overwritten.
// SPDX-License-Identifier: Apache-2.0
//
// Slots are filled first in, first out, so the number of times that slot i was overwritten, its generation, is the
// number of laps, and one more when i is behind the next slot. It takes no memory.
//
// advance         one slot was taken
// clear           every slot is given up: the next is slot 0, and no generation of before comes back. `limit`
//                 becomes the capacity; so it does in reset. No slot may be taken in the two clocks that follow
// index           asked for; generation: its generation, in the same clock
// next, lap       the next slot and its generation
// ahead           lap + 1: the next slot's generation when it is taken
// full            every slot was taken at least once
`default_nettype none
module rlc_sumtree_ring #(
    parameter INDEX_WIDTH      = 12, // bits of a slot's number
    parameter GENERATION_WIDTH = 8   // bits of a generation; 0: none
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire                        advance,
    input  wire                        clear,
    input  wire [INDEX_WIDTH:0]        limit,
    input  wire [INDEX_WIDTH-1:0]      index,
    output wire [GENERATION_WIDTH-1:0] generation,
    output reg  [INDEX_WIDTH-1:0]      next,
    output reg  [GENERATION_WIDTH-1:0] lap,
    output reg  [GENERATION_WIDTH-1:0] ahead,
    output reg                         full,
    output reg  [INDEX_WIDTH:0]        capacity
);
    localparam [INDEX_WIDTH:0]        ONE  = 1;
    localparam [INDEX_WIDTH:0]        TWO  = 2;
    localparam [GENERATION_WIDTH+1:0] LAPS = 2;  // its low bits count


    // Whether the next slot is the last one is known before it is taken: then no sum stands before the comparison.
    reg                 only_q;    // the capacity is 1
    reg                 last_q;
    reg [INDEX_WIDTH:0] second_q;  // last slot but one
    wire                last = last_q || only_q;
    always @(posedge clk) begin
        only_q   <= capacity == ONE;
        second_q <= capacity - TWO;
    end

    always @(posedge clk) begin
        if (rst || clear) begin
            next     <= {INDEX_WIDTH{1'b0}};
            last_q   <= 1'b0;
            full     <= 1'b0;
            capacity <= limit;
        end else if (advance) begin
            next   <= last ? {INDEX_WIDTH{1'b0}} : next + 1'b1;
            last_q <= !last && {1'b0, next} == second_q;
            if (last) full <= 1'b1;
        end
    end

    // Slots behind the next one are a lap ahead: two laps make the generations of all slots old ones.
    always @(posedge clk) begin
        if (rst) begin
            lap   <= {GENERATION_WIDTH{1'b0}};
            ahead <= {GENERATION_WIDTH{1'b0}} + 1'b1;
        end else if (clear) begin
            lap   <= lap + LAPS[GENERATION_WIDTH-1:0];
            ahead <= ahead + LAPS[GENERATION_WIDTH-1:0];
        end else if (advance && last) begin
            lap   <= ahead;
            ahead <= ahead + 1'b1;
        end
    end

    assign generation = (index < next) ? ahead : lap;
endmodule
`default_nettype wire
