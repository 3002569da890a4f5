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
    output wire [INDEX_WIDTH-1:0]      next,
    output wire [GENERATION_WIDTH-1:0] lap,
    output wire [GENERATION_WIDTH-1:0] ahead,
    output wire                        full,
    output wire [INDEX_WIDTH:0]        capacity
);
    localparam [INDEX_WIDTH:0]        ONE  = 1;
    localparam [INDEX_WIDTH:0]        TWO  = 2;
    localparam [GENERATION_WIDTH+1:0] LAPS = 2;  // its low bits count

    reg [INDEX_WIDTH-1:0]      next_q;
    reg [GENERATION_WIDTH-1:0] lap_q;
    reg [GENERATION_WIDTH-1:0] ahead_q;
    reg                        full_q;
    reg [INDEX_WIDTH:0]        capacity_q;

    // Whether the next slot is the last one is known before it is taken: then no sum stands before the comparison.
    reg                 only_q;    // the capacity is 1
    reg                 last_q;
    reg [INDEX_WIDTH:0] second_q;  // last slot but one
    wire                last = last_q || only_q;
    always @(posedge clk) begin
        only_q   <= capacity_q == ONE;
        second_q <= capacity_q - TWO;
    end

    always @(posedge clk) begin
        if (rst || clear) begin
            next_q     <= {INDEX_WIDTH{1'b0}};
            last_q     <= 1'b0;
            full_q     <= 1'b0;
            capacity_q <= limit;
        end else if (advance) begin
            next_q <= last ? {INDEX_WIDTH{1'b0}} : next_q + 1'b1;
            last_q <= !last && {1'b0, next_q} == second_q;
            if (last) full_q <= 1'b1;
        end
    end

    // Slots behind the next one are a lap ahead: two laps make the generations of all slots old ones.
    always @(posedge clk) begin
        if (rst) begin
            lap_q   <= {GENERATION_WIDTH{1'b0}};
            ahead_q <= {GENERATION_WIDTH{1'b0}} + 1'b1;
        end else if (clear) begin
            lap_q   <= lap_q + LAPS[GENERATION_WIDTH-1:0];
            ahead_q <= ahead_q + LAPS[GENERATION_WIDTH-1:0];
        end else if (advance && last) begin
            lap_q   <= ahead_q;
            ahead_q <= ahead_q + 1'b1;
        end
    end

    assign next       = next_q;
    assign lap        = lap_q;
    assign ahead      = ahead_q;
    assign full       = full_q;
    assign capacity   = capacity_q;
    assign generation = (index < next_q) ? ahead_q : lap_q;
endmodule
`default_nettype wire
