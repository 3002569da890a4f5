// rlc_sumtree_ring.v — where the next insert goes, and how often a slot was overwritten.
//
// Slots are filled first in, first out, so the number of times that slot i was overwritten, its generation, is the
// number of laps, and one more when i is behind the next slot. It takes no memory.
//
// advance         one slot was taken
// clear           every slot is given up: the next is slot 0, and no generation of before comes back. `limit`
//                 becomes the capacity; so it does in reset
// index           asked for; generation: its generation, in the same clock
// next, lap       the next slot; its generation, which becomes lap + 1 when it is taken
// full            every slot was taken at least once
`default_nettype none
module rlc_sumtree_ring #(
    parameter INDEX_WIDTH      = 12,
    parameter GENERATION_WIDTH = 8
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
    output wire                        full,
    output wire [INDEX_WIDTH:0]        capacity
);
    localparam [INDEX_WIDTH:0] ONE = 1;

    reg [INDEX_WIDTH-1:0]      next_q;
    reg [GENERATION_WIDTH-1:0] lap_q;
    reg                        full_q;
    reg [INDEX_WIDTH:0]        capacity_q;

    wire [INDEX_WIDTH:0] following = {1'b0, next_q} + ONE;
    wire                 around    = following == capacity_q;

    always @(posedge clk) begin
        if (rst || clear) begin
            next_q     <= {INDEX_WIDTH{1'b0}};
            full_q     <= 1'b0;
            capacity_q <= limit;
        end else if (advance) begin
            next_q <= around ? {INDEX_WIDTH{1'b0}} : following[INDEX_WIDTH-1:0];
            if (around) full_q <= 1'b1;
        end
        if (rst) lap_q <= {GENERATION_WIDTH{1'b0}};
        // Slots behind the next one are a lap ahead: two laps make the generations of all slots old ones.
        else if (clear)                        lap_q <= lap_q + 1'b1 + 1'b1;
        else if (advance && around)            lap_q <= lap_q + 1'b1;
    end

    assign next       = next_q;
    assign lap        = lap_q;
    assign full       = full_q;
    assign capacity   = capacity_q;
    assign generation = (index < next_q) ? lap_q + 1'b1 : lap_q;
endmodule
`default_nettype wire
