// rlc_sumtree_spread.v — deals inserts to the banks: each gets the bank of the next slot, in the order of the lanes.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_capacity taken at restart: slots, at least BANKS. Slot s is in bank s mod BANKS; after the last slot comes slot 0
// restart      the next slot is 0
// take         one bit a lane: its insert is dealt in this clock
// bank         for each lane the bank that its insert gets now; combinational from take
// capacity     in force
//
// Only the number of a bank is dealt: the bank itself knows its next slot. As every bank has its slots in the same
// order as here, and as many as its share of the capacity, both agree without exchanging anything else.
`default_nettype none
module rlc_sumtree_spread #(
    parameter BANKS      = 8,             // 2, 4, 8 or 16; a lane for each
    parameter SLOT_WIDTH = 15,            // bits of a slot's number
    parameter BANK_BITS  = $clog2(BANKS)  // derived, leave it alone
) (
    input  wire                       clk,
    input  wire                       restart,
    input  wire [SLOT_WIDTH:0]        cfg_capacity,
    input  wire [BANKS-1:0]           take,
    output reg  [BANKS*BANK_BITS-1:0] bank,
    output wire [SLOT_WIDTH:0]        capacity
);
    localparam [BANK_BITS-1:0] BANK_0 = 0;

    reg [SLOT_WIDTH:0]   capacity_q;
    reg [SLOT_WIDTH:0]   remaining_q; // slots up to the last one, 1..capacity
    reg [BANK_BITS-1:0]  next_q;   // bank of the next slot
    assign capacity = capacity_q;

    // `earlier` inserts of this clock come first; the one that finds no slot left starts again at slot 0.
    reg  [BANK_BITS:0]   earlier;
    reg                  beyond;
    wire                 few = remaining_q[SLOT_WIDTH:BANK_BITS+1] == 0;
    integer l;
    always @* begin
        earlier = 0;
        bank   = {BANKS{BANK_0}};
        for (l = 0; l < BANKS; l = l + 1) begin
            beyond = few && remaining_q[BANK_BITS:0] <= earlier;
            bank[l*BANK_BITS +: BANK_BITS] = next_q + earlier[BANK_BITS-1:0]
                                           - (beyond ? capacity_q[BANK_BITS-1:0] : BANK_0);
            if (take[l]) earlier = earlier + 1'b1;
        end
        beyond = few && remaining_q[BANK_BITS:0] <= earlier;
    end

    wire [SLOT_WIDTH:0] dealt = {{(SLOT_WIDTH-BANK_BITS){1'b0}}, earlier};
    always @(posedge clk) begin
        if (restart) begin
            capacity_q  <= cfg_capacity;
            remaining_q <= cfg_capacity;
            next_q      <= BANK_0;
        end else begin
            remaining_q     <= remaining_q - dealt + (beyond ? capacity_q : {(SLOT_WIDTH+1){1'b0}});
            next_q          <= next_q + earlier[BANK_BITS-1:0] - (beyond ? capacity_q[BANK_BITS-1:0] : BANK_0);
        end
    end
endmodule
`default_nettype wire
