// rlc_gae_dispatch.v — hands the next waiting lane of a group to the first free row.
// SPDX-License-Identifier: Apache-2.0
//
// A group is ROWS rows and BANKS banks. Turn s of the interleave deals with the lanes in slot s of every bank
// only, so that no two rows ever want one memory in the same clock. Lanes wait in the order of their banks;
// an empty lane is passed over. A row that takes its last record takes the next lane in its next turn: no gap.
//
// start           held for INTERLEAVE clocks before a run: clears the state of every turn
// run             high while the array runs; one turn a clock, in ring order
// exhausted, last of each bank, for this clock's turn
// bank_pop        pop this bank now
// row_valid       this row takes a record now, from bank row_bank
// idle            nothing popped and nothing waiting in this turn
// rate            one lane handed out a clock
`default_nettype none
module rlc_gae_dispatch #(
    parameter ROWS       = 4,                               // rows of the group
    parameter BANKS      = 8,                               // memories of the group
    parameter INTERLEAVE = 1,                               // lanes that take turns on a row, 1 to 8
    parameter BANK_WIDTH = (BANKS > 1) ? $clog2(BANKS) : 1  // follows from BANKS: bits of a memory's number
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       start,
    input  wire                       run,
    input  wire [BANKS-1:0]           exhausted,
    input  wire [BANKS-1:0]           last,
    output wire [BANKS-1:0]           bank_pop,
    output wire [ROWS-1:0]            row_valid,
    output wire [ROWS*BANK_WIDTH-1:0] row_bank,
    output wire                       idle
);
    localparam NEXT_WIDTH  = $clog2(BANKS + 1);
    localparam STATE_WIDTH = NEXT_WIDTH + ROWS + ROWS * BANK_WIDTH;

    // State of this clock's turn: next waiting bank, which rows hold a lane, and whose.
    wire [STATE_WIDTH-1:0]      turn;
    wire [NEXT_WIDTH-1:0]       next       = turn[STATE_WIDTH-1 -: NEXT_WIDTH];
    wire [ROWS-1:0]             holding    = turn[ROWS*BANK_WIDTH +: ROWS];
    wire [ROWS*BANK_WIDTH-1:0]  held_bank  = turn[ROWS*BANK_WIDTH-1:0];

    wire                  waiting  = (next < BANKS);
    wire [BANK_WIDTH-1:0] candidate = next[BANK_WIDTH-1:0];
    wire                  candidate_empty = exhausted[candidate];
    wire [ROWS-1:0]       first_free = ~holding & (holding + 1'b1);
    wire                  granted  = run && waiting && !candidate_empty && (|first_free);
    wire                  passed   = run && waiting && candidate_empty;

    wire [ROWS-1:0] holding_d;
    genvar r, b;
    for (r = 0; r < ROWS; r = r + 1) begin : g_row
        wire takes = granted && first_free[r];
        wire [BANK_WIDTH-1:0] bank = takes ? candidate : held_bank[r*BANK_WIDTH +: BANK_WIDTH];
        assign row_valid[r] = run && (holding[r] || takes);
        assign row_bank[r*BANK_WIDTH +: BANK_WIDTH] = bank;
        assign holding_d[r] = row_valid[r] && !last[bank];
    end
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
        wire [ROWS-1:0] wanted;
        for (r = 0; r < ROWS; r = r + 1) begin : g_wanted
            assign wanted[r] = row_valid[r] && (row_bank[r*BANK_WIDTH +: BANK_WIDTH] == b);
        end
        assign bank_pop[b] = |wanted;
    end
    assign idle = !waiting && !(|holding);

    // The ring: INTERLEAVE turns follow each other; each comes back updated.
    wire [NEXT_WIDTH-1:0]  next_d = next + {{(NEXT_WIDTH-1){1'b0}}, (granted || passed)};
    wire [STATE_WIDTH-1:0] turn_d = (rst || start) ? {STATE_WIDTH{1'b0}} : {next_d, holding_d, row_bank};
    rlc_delay #(.WIDTH(STATE_WIDTH), .CLOCKS(INTERLEAVE)) u_ring (.clk(clk), .d(turn_d), .q(turn));
endmodule
`default_nettype wire
