// rlc_replay_server_weights.v — which sets of weights a server holds, which chunks of the next one have come, and where they are.
// SPDX-License-Identifier: Apache-2.0
//
// A set is there whole or not at all. Memory has three areas: for the newest set, the one before, and the one that is coming.
//
// asks         pulse, only after the last `done`: a chunk has come (`put` 1), or is wanted (0). Steady until `done`: version (0
//              wants the newest), total (with put), offset, and chunk, which is offset / CHUNK
// done         level until the next `asks`. It rises 6 clocks after `asks` for a wanted chunk and 9 for one that has come; if a
//              set begins, one clock more per 32 chunks of WEIGHTS_MAX. The following are valid with it:
// status       ST_OK, ST_STALE, ST_GONE or ST_NONE (rlc_replay_server_defs.vh)
// words        how many words of 8 bytes the chunk has, also if it is stale
// area         0 to 2, where the chunk is
// held_version, held_total   of the set to which the wanted chunk belongs
// published    version of the newest set; 0: there is none
// cost         one bit of RAM per chunk
// proof        verif/replay_server/formal/rlc_replay_server_weights.sby: what is published has all of its chunks, and no area that is held is written
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_weights #(
    parameter WEIGHTS_MAX = 1048576, // bytes of the largest set, 1 to 2^29
    parameter CHUNK       = 1376,    // bytes of a chunk, a multiple of 8
    parameter COUNT       = (WEIGHTS_MAX + CHUNK - 1) / CHUNK,       // derived, leave it alone: chunks of the largest set
    parameter CHUNK_BITS  = (COUNT > 1) ? $clog2(COUNT) : 1          // derived, leave it alone
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  asks,
    input  wire                  put,
    input  wire [63:0]           version,
    input  wire [31:0]           total,
    input  wire [31:0]           offset,
    input  wire [CHUNK_BITS-1:0] chunk,
    output wire                  done,
    output reg  [3:0]            status,
    output reg  [12:0]           words,
    output reg  [1:0]            area,
    output reg  [63:0]           held_version,
    output reg  [31:0]           held_total,
    output wire [63:0]           published
);
    `include "rlc_replay_server_defs.vh"
    `RLC_CHECK(WEIGHTS_MAX >= 1 && WEIGHTS_MAX <= 536870912, rlc_replay_server_weights_illegal_WEIGHTS_MAX_must_be_1_to_536870912)
    `RLC_CHECK(CHUNK >= 8 && CHUNK <= 65528 && CHUNK % 8 == 0,
               rlc_replay_server_weights_illegal_CHUNK_must_be_a_multiple_of_8_from_8_to_65528)
    localparam ROWS     = (COUNT + 31) / 32;
    localparam ROW_BITS = (ROWS > 1) ? $clog2(ROWS) : 1;
    localparam [31:0] CHUNK_32 = CHUNK, ROWS_32 = ROWS;

    reg [63:0] newest_q, before_q, coming_q;           // versions
    reg [31:0] newest_total_q, before_total_q, total_q;
    reg [1:0]  newest_area_q, before_area_q;
    reg [1:0]  sets_q;                                 // published ones that are held
    reg        comes_q;                                // one is coming
    wire [1:0] coming_area = 2'd3 - newest_area_q - before_area_q;
    assign published = newest_q;

    localparam [3:0] COMPARE = 4'd0, FIND = 4'd1, SIZE = 4'd2, CUT = 4'd3, CLEAR = 4'd4, READ = 4'd5, MARK = 4'd6, PUBLISH = 4'd7,
                     DONE = 4'd8;
    reg [3:0]          at_q;
    reg                newer_q, above_q, equal_q, resized_q, is_newest_q, is_before_q;
    reg                fresh_q;                        // a set begins with this chunk
    reg [32:0]         remaining_q;                    // bytes from the offset to the end of the set
    reg [31:0]         came_q;                         // bytes of the coming set that are there
    reg [31:0]         bytes_q;                        // of this chunk
    reg [ROW_BITS-1:0] clear_q;
    wire               stale  = !newer_q || (comes_q && !above_q && !equal_q);
    wire               beyond = remaining_q[32] || remaining_q == 33'd0;
    wire               whole  = remaining_q[31:0] >= CHUNK_32;
    wire [31:0]        bytes  = whole ? CHUNK_32 : remaining_q[31:0];
    wire [31:0]        filled = bytes + 32'd7;
    wire               last_row = {{(32-ROW_BITS){1'b0}}, clear_q} == ROWS_32 - 32'd1;

    // ---- which chunks of the coming set are there.
    wire [31:0] marks;
    wire [4:0]  chunk_low;
    wire [31:0] mark = 32'd1 << chunk_low;
    wire [ROW_BITS-1:0] row;
    generate
        if (CHUNK_BITS > 5) begin : g_rows
            assign chunk_low = chunk[4:0];
            assign row       = chunk[CHUNK_BITS-1:5];
        end else begin : g_row
            assign chunk_low = {{(5-CHUNK_BITS){1'b0}}, chunk};
            assign row       = 1'b0;
        end
    endgenerate
    rlc_ram_1r1w #(.WIDTH(32), .DEPTH(ROWS), .READ_ANY(1)) u_marks (
        .clk(clk), .wr_en(at_q == CLEAR || at_q == MARK), .wr_addr((at_q == CLEAR) ? clear_q : row),
        .wr_data((at_q == CLEAR) ? 32'd0 : marks | mark), .rd_en(at_q == READ), .rd_addr(row), .rd_data(marks)
    );
    wire had = (marks & mark) != 32'd0;

    always @(posedge clk) begin
        if (rst)       at_q <= DONE;
        else if (asks) at_q <= COMPARE;
        else
            case (at_q)
                COMPARE: at_q <= FIND;
                FIND:    at_q <= SIZE;
                SIZE:    at_q <= CUT;
                CUT:     at_q <= (!put || status != ST_OK) ? DONE : fresh_q ? CLEAR : READ;
                CLEAR:   if (last_row) at_q <= READ;
                READ:    at_q <= MARK;
                MARK:    at_q <= PUBLISH;
                default: at_q <= DONE;
            endcase
    end
    assign done = at_q == DONE;

    always @(posedge clk) begin
        if (at_q == COMPARE) begin
            newer_q     <= version > newest_q;
            above_q     <= version > coming_q;
            equal_q     <= version == coming_q;
            resized_q   <= total != total_q;
            is_newest_q <= version == 64'd0 || version == newest_q;
            is_before_q <= version == before_q && sets_q[1];
        end
        if (at_q == FIND) begin
            fresh_q      <= !comes_q || above_q || resized_q;
            area         <= put ? coming_area : is_newest_q ? newest_area_q : before_area_q;
            held_version <= is_newest_q ? newest_q : before_q;
            held_total   <= put ? total : is_newest_q ? newest_total_q : before_total_q;
            status       <= put ? (stale ? ST_STALE : ST_OK)
                          : (sets_q == 2'd0) ? ST_NONE : (is_newest_q || is_before_q) ? ST_OK : ST_GONE;
        end
        if (at_q == SIZE) remaining_q <= {1'b0, held_total} - {1'b0, offset};
        if (at_q == CUT) begin
            if (status == ST_OK && beyond) status <= ST_GONE;
            bytes_q <= bytes;
            words   <= filled[15:3];
        end
    end

    // ---- the coming set, and its end.
    wire ends = at_q == PUBLISH && came_q == total_q;
    always @(posedge clk) begin
        clear_q <= (at_q == CLEAR) ? clear_q + 1'b1 : {ROW_BITS{1'b0}};
        if (at_q == CLEAR) begin
            coming_q <= version;
            total_q  <= total;
            came_q   <= 32'd0;
        end else if (at_q == MARK && !had) came_q <= came_q + bytes_q;
        if (rst) begin
            comes_q        <= 1'b0;
            sets_q         <= 2'd0;
            newest_q       <= 64'd0;
            newest_area_q  <= 2'd0;
            before_area_q  <= 2'd1;
        end else begin
            if (ends)                comes_q <= 1'b0;
            else if (at_q == CLEAR)  comes_q <= 1'b1;
            if (ends) begin
                sets_q         <= {sets_q[1] || sets_q[0], 1'b1};
                newest_q       <= coming_q;
                newest_area_q  <= coming_area;
                before_area_q  <= newest_area_q;
            end
        end
        if (ends) begin
            before_q       <= newest_q;
            before_total_q <= newest_total_q;
            newest_total_q <= total_q;
        end
    end
    wire unused = &{1'b0, filled[31:16], filled[2:0]};
endmodule
`default_nettype wire
