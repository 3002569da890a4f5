// rlc_replay_server_parts.v — which parts of long PUTs have come: a table of assemblies, four per client.
// SPDX-License-Identifier: Apache-2.0
//
// ask          as rlc_replay_server_window's, at the same time; the request's fields are steady from then until the next one
// known        level from 6 clocks later until the next `ask`. With it: room (an assembly has this sequence, or there is a place
//              for one), way (its place), lies (the request has another count than the assembly), had (this part was there
//              before), mask (the parts that are there, this one included), whole (these are all), refused (one of them has a
//              priority of an unknown kind)
// keep         pulse while known: this part is there from now on
// accept       as rlc_replay_server_window's, at least 5 clocks after `ask`: a request with this sequence was accepted, and its assembly
//              is forgotten. An assembly of another epoch than the request's does not count, so a new epoch begins with none
// ready        low for 4 * CLIENTS clocks after a reset
// state        block RAM: 4 * 177 bits per client
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_parts #(
    parameter CLIENTS    = 256, // client numbers, 1 to 65536
    parameter ASSEMBLIES = 4,   // of a client at once, 1 to 4
    parameter NUMBER     = (CLIENTS > 1) ? $clog2(CLIENTS) : 1 // derived, leave it alone: bits of a client's number
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              ask,
    input  wire [NUMBER-1:0] client,
    input  wire [31:0]       epoch,
    input  wire [63:0]       seq_number,
    input  wire [15:0]       count,
    input  wire [5:0]        part,
    input  wire [6:0]        parts,
    input  wire              unknown, // this part has a priority of an unknown kind
    output reg               known,
    output wire              room,
    output wire [1:0]        way,
    output wire              lies,
    output wire              had,
    output wire [63:0]       mask,
    output reg               whole,
    output wire              refused,
    input  wire              keep,
    input  wire              accept,
    output wire              ready
);
    `RLC_CHECK(CLIENTS >= 1 && CLIENTS <= 65536, rlc_replay_server_parts_illegal_CLIENTS_must_be_1_to_65536)
    `RLC_CHECK(ASSEMBLIES >= 1 && ASSEMBLIES <= 4, rlc_replay_server_parts_illegal_ASSEMBLIES_must_be_1_to_4)
    localparam [31:0] LAST_CLIENT = CLIENTS - 1, ASSEMBLIES_32 = ASSEMBLIES;
    localparam ENTRY = 32 + 64 + 16 + 1 + 64;

    // ---- after a reset there is none: no request has epoch 0.
    reg              clearing_q;
    reg [NUMBER+1:0] clear_q;
    always @(posedge clk) begin
        if (rst) begin
            clearing_q <= 1'b1;
            clear_q    <= {(NUMBER+2){1'b0}};
        end else if (clearing_q) begin
            clear_q    <= clear_q + 1'b1;
            clearing_q <= clear_q != {LAST_CLIENT[NUMBER-1:0], 2'd3};
        end
    end
    assign ready = !clearing_q;

    // ---- the client's four entries go by, one per clock, from the clock behind `ask` on.
    reg         reads_q, comes_q;
    reg  [1:0]  read_q, come_q;
    wire [1:0]  read = ask ? 2'd0 : read_q;
    always @(posedge clk) begin
        reads_q <= !rst && (ask || (reads_q && read_q != 2'd3));
        comes_q <= !rst && (ask || reads_q);
        read_q  <= read + 2'd1;
        come_q  <= read;
    end
    wire [31:0] held_epoch;
    wire [63:0] held_sequence, held_mask;
    wire [15:0] held_count;
    wire        held_refused;
    reg         hit_q;
    rlc_ram_1r1w #(.WIDTH(ENTRY), .DEPTH((CLIENTS > 1) ? 4 * CLIENTS : 8), .STYLE("block"), .READ_ANY(1)) u_entries (
        .clk(clk), .wr_en(clearing_q || keep || (accept && hit_q)), .wr_addr(clearing_q ? clear_q : {client, way}),
        .wr_data((clearing_q || accept) ? {ENTRY{1'b0}} : {epoch, seq_number, count, refused, mask}),
        .rd_en(ask || reads_q), .rd_addr({client, read}),
        .rd_data({held_epoch, held_sequence, held_count, held_refused, held_mask})
    );

    // ---- clock 5 behind `ask`: the one of this sequence, or the last place that is free.
    reg         free_q, refused_q, last_q;
    reg  [1:0]  way_q, free_way_q;
    reg  [15:0] count_q;
    reg  [63:0] mask_q;
    wire        mine = held_epoch == epoch;
    always @(posedge clk) begin
        last_q <= comes_q && come_q == 2'd3 && !rst;
        if (ask) begin
            hit_q     <= 1'b0;
            free_q    <= 1'b0;
            refused_q <= 1'b0;
            mask_q    <= 64'd0;
        end else if (comes_q) begin
            if (mine && held_sequence == seq_number) begin
                hit_q     <= 1'b1;
                way_q     <= come_q;
                count_q   <= held_count;
                refused_q <= held_refused;
                mask_q    <= held_mask;
            end
            if (!mine && {30'd0, come_q} < ASSEMBLIES_32) begin
                free_q     <= 1'b1;
                free_way_q <= come_q;
            end
        end
    end
    assign room    = hit_q || free_q;
    assign way     = hit_q ? way_q : free_way_q;
    assign lies    = hit_q && count_q != count;
    assign had     = mask_q[part];
    assign mask    = mask_q | 64'd1 << part;
    assign refused = refused_q || unknown;

    // ---- clock 6: is that all? No part beyond the last one is ever there.
    always @(posedge clk) begin
        known <= !rst && !ask && (known || last_q);
        whole <= (mask | {64{1'b1}} << parts) == {64{1'b1}};
    end
endmodule
`default_nettype wire
