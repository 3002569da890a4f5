// rlc_replay_reader.sv — reads the sampled records from memory, many at a time, and gives them in the order asked.
// SPDX-License-Identifier: Apache-2.0
//
// s_tag_*      {void, last, weight, generation, index}: a void one is not read
// m_rec_*      the same in the same order, when the record is here: void now also if memory answered with an error
// m_beat_*     the beats of the records that are not void, in order
// drop         records that have not been asked for become void
// flush        pulse: no record is on its way, and `sampled` of them are as good as fetched
// fetched      records here or void, in order, since reset, modulo 2^32
// failed       pulse: memory answered the read at failed_addr with an error
// m_axi_*      read channels: ARID is the record's place in the reorder buffer, so beats may come in any order of IDs and
//              interleaved; they are always taken. The high bits of ARID are `epoch`: beats of another one, asked for
//              before a reset that memory did not see, are taken and forgotten
//
// no deadlock  a read is asked only when its place is free, and places are freed in order; nothing here waits for writes
// throughput   one beat a clock, one void record in 2 clocks
`include "rlc_axi.vh"
`default_nettype none
module rlc_replay_reader #(
    parameter DATA_WIDTH  = 128, // bits of a beat of the memory
    parameter ADDR_WIDTH  = 34,  // bits of an address
    parameter BEATS       = 3,   // beats a record, 1 to 256
    parameter STRIDE_LOG2 = 6,   // log2 of the bytes from one record to the next
    parameter INDEX_WIDTH = 12,  // bits of a slot's number
    parameter TAG_WIDTH   = 8,   // bits of its generation
    parameter READS       = 16,  // records in flight or waiting here, a power of two, 2 to 256
    parameter EPOCH_WIDTH = 2,   // bits of an ID that change with every reset
    parameter ID_WIDTH    = EPOCH_WIDTH + $clog2(READS), // derived, leave it alone
    parameter WIDTH       = 2 + 18 + TAG_WIDTH + INDEX_WIDTH // derived, leave it alone
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [EPOCH_WIDTH-1:0] epoch,
    input  wire                  drop,
    input  wire                  flush,
    input  wire [31:0]           sampled,
    input  wire [ADDR_WIDTH-1:0] cfg_base,
    input  wire                  s_tag_valid,
    output wire                  s_tag_ready,
    input  wire [WIDTH-1:0]      s_tag,
    output wire                  m_rec_valid,
    input  wire                  m_rec_ready,
    output wire [WIDTH-1:0]      m_rec,
    `RLC_STREAM_MASTER(m_beat, DATA_WIDTH),
    output reg  [31:0]           fetched,
    output reg                   failed,
    output reg  [ADDR_WIDTH-1:0] failed_addr,

    `RLC_AXI_READER(m_axi, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH)
);
    `include "rlc_replay_burst.vh"
    localparam BEAT_WIDTH = (BEATS > 1) ? $clog2(BEATS) : 1;
    localparam LEFT_WIDTH = $clog2(BEATS + 1);
    localparam ROW_BITS   = (BEATS > 1) ? $clog2(BEATS) : 0;
    localparam DEPTH      = READS << ROW_BITS;
    localparam PLACE_WIDTH = $clog2(READS);
    localparam RAM_WIDTH  = PLACE_WIDTH + ROW_BITS;
    localparam [31:0] BEATS_32 = BEATS;
    localparam LATENCY    = 2;   // clocks of the RAM
    localparam OUT        = 8;   // beats between the RAM and its reader: more than LATENCY + 3
    localparam [LEFT_WIDTH-1:0] ONE = 1;
    localparam [READS-1:0]      BIT = 1;

    // ---- ask: a record takes the next place of the ring, its read leaves with the place's number.
    reg  [PLACE_WIDTH-1:0] place_q;
    reg                   arvalid_q;
    reg  [PLACE_WIDTH-1:0] arid_q;
    reg  [ADDR_WIDTH-1:0] araddr_q;
    wire                  room;
    wire                  meta_ready;
    wire                  free;      // a place is given back
    wire                  tag_void = s_tag[WIDTH-1] || drop;
    wire                  ask      = s_tag_valid && s_tag_ready;
    assign s_tag_ready = room && meta_ready && (!arvalid_q || m_axi_arready);
    rlc_credit #(.PLACES(READS)) u_places (.*, .take(ask), .give(free));
    always @(posedge clk) begin
        if (rst) begin
            place_q   <= {PLACE_WIDTH{1'b0}};
            arvalid_q <= 1'b0;
        end else begin
            if (ask) place_q <= place_q + 1'b1;
            arvalid_q <= (ask && !tag_void) || (arvalid_q && !m_axi_arready);
        end
    end
    always @(posedge clk) begin
        if (ask) begin
            arid_q   <= place_q;
            araddr_q <= address_of(cfg_base, s_tag[INDEX_WIDTH-1:0]);
        end
    end
    assign m_axi_arid    = {epoch, arid_q};
    assign m_axi_araddr  = araddr_q;
    assign m_axi_arlen   = LENGTH[7:0];
    assign m_axi_arsize  = SIZE[2:0];
    assign m_axi_arburst = 2'b01;
    assign m_axi_arcache = 4'b0011;
    assign m_axi_arprot  = 3'b000;
    assign m_axi_arvalid = arvalid_q;

    // ---- beats in. Stage 1: as they came.
    reg                  rready_q;
    reg                  valid_s1;
    reg [PLACE_WIDTH-1:0] id_s1;
    reg [DATA_WIDTH-1:0] data_s1;
    reg                  bad_s1;
    reg                  last_s1;
    always @(posedge clk) begin
        rready_q <= !rst;
        valid_s1 <= m_axi_rvalid && rready_q && m_axi_rid[ID_WIDTH-1:PLACE_WIDTH] == epoch && !rst;
    end
    always @(posedge clk) begin
        id_s1   <= m_axi_rid[PLACE_WIDTH-1:0];
        data_s1 <= m_axi_rdata;
        bad_s1  <= m_axi_rresp[1];
        last_s1 <= m_axi_rlast;
    end
    assign m_axi_rready = rready_q;

    // Stage 2: into the record's place. Each place counts its own beats, and returns to 0 by itself.
    reg  [READS*BEAT_WIDTH-1:0] beat_q;
    reg  [READS-1:0]            wrong_q;   // a beat of the record came with an error
    reg  [READS-1:0]            bad_q;     // the record has one, valid with here_q
    reg  [READS-1:0]            here_q;    // the record is complete, or void, and not passed yet
    wire [BEAT_WIDTH-1:0]       beat = beat_q[id_s1*BEAT_WIDTH +: BEAT_WIDTH];
    wire                        wrong = wrong_q[id_s1] || bad_s1;
    wire                        pass;
    reg  [PLACE_WIDTH-1:0]      pass_q;    // the oldest place that is not complete
    wire [READS-1:0]            comes  = (valid_s1 && last_s1) ? BIT << id_s1 : {READS{1'b0}};
    wire [READS-1:0]            voids  = (ask && tag_void) ? BIT << place_q : {READS{1'b0}};
    wire [READS-1:0]            passes = pass ? BIT << pass_q : {READS{1'b0}};
    always @(posedge clk) begin
        if (rst) begin
            beat_q  <= {READS*BEAT_WIDTH{1'b0}};
            wrong_q <= {READS{1'b0}};
            here_q  <= {READS{1'b0}};
        end else begin
            if (valid_s1) begin
                beat_q[id_s1*BEAT_WIDTH +: BEAT_WIDTH] <= last_s1 ? {BEAT_WIDTH{1'b0}} : beat + 1'b1;
                wrong_q[id_s1] <= wrong && !last_s1;
            end
            here_q <= (here_q & ~passes) | comes | voids;
        end
    end
    always @(posedge clk) bad_q <= (bad_q & ~comes) | (comes & {READS{wrong}});

    // ---- records complete in order.
    wire          state_valid, state_bad;
    wire          meta_valid;
    wire [WIDTH-1:0] meta;
    wire          start;
    assign pass = here_q[pass_q];
    always @(posedge clk) begin
        if (rst) begin
            pass_q    <= {PLACE_WIDTH{1'b0}};
            fetched   <= 32'd0;
        end else begin
            if (pass) pass_q <= pass_q + 1'b1;
            fetched <= flush ? sampled : fetched + {31'd0, pass};
        end
    end
    // A record holds its place as long as it is in one of these, so they refuse only in the clock after reset.
    rlc_queue #(.WIDTH(1), .DEPTH(READS)) u_states (
        .*, .s_valid(pass), .s_data(bad_q[pass_q]), .m_valid(state_valid), .m_ready(start), .m_data(state_bad)
    );
    rlc_fifo #(.WIDTH(WIDTH), .DEPTH(READS)) u_metas (
        .*, .s_valid(ask), .s_ready(meta_ready), .s_data({tag_void, s_tag[WIDTH-2:0]}),
        .m_valid(meta_valid), .m_ready(start), .m_data(meta), .count()
    );

    // ---- out: a record begins when the one before has left its place.
    reg  [LEFT_WIDTH-1:0] remaining_q; // beats of the record still to be read
    reg  [PLACE_WIDTH-1:0] from_q;   // its place
    reg  [PLACE_WIDTH-1:0] next_q;   // the place of the next one
    wire                  rec_ready;
    wire                  credit;
    wire                  none     = remaining_q == {LEFT_WIDTH{1'b0}};
    wire                  read     = !none && credit;
    wire                  last     = read && remaining_q == ONE;
    wire                  was_void = meta[WIDTH-1];
    wire                  is_void  = was_void || state_bad;
    wire                  ready    = state_valid && meta_valid && rec_ready;
    // A void record frees its place at once, so it waits until no other place is freed in the same clock.
    assign start = ready && (none || (last && !is_void));
    assign free  = last || (start && is_void);
    always @(posedge clk) begin
        if (rst) begin
            remaining_q <= {LEFT_WIDTH{1'b0}};
            next_q      <= {PLACE_WIDTH{1'b0}};
        end else begin
            if (start)     remaining_q <= is_void ? {LEFT_WIDTH{1'b0}} : BEATS_32[LEFT_WIDTH-1:0];
            else if (read) remaining_q <= remaining_q - ONE;
            if (start) next_q <= next_q + 1'b1;
        end
    end
    always @(posedge clk) if (start) from_q <= next_q;
    rlc_skid #(.WIDTH(WIDTH)) u_rec (
        .*, .s_valid(start), .s_ready(rec_ready), .s_data({is_void, meta[WIDTH-2:0]}),
        .m_valid(m_rec_valid), .m_ready(m_rec_ready), .m_data(m_rec)
    );

    always @(posedge clk) begin
        failed        <= start && state_bad && !was_void && !rst;
        failed_addr   <= address_of(cfg_base, meta[INDEX_WIDTH-1:0]);
    end

    // The reorder buffer: a word never read and written on one edge, for a record is read when it is complete. Records of
    // one beat have no row in their addresses.
    wire [LEFT_WIDTH-1:0]             row      = BEATS_32[LEFT_WIDTH-1:0] - remaining_q;
    wire [PLACE_WIDTH+BEAT_WIDTH-1:0] to_row   = {id_s1, beat};
    wire [PLACE_WIDTH+BEAT_WIDTH-1:0] from_row = {from_q, row[BEAT_WIDTH-1:0]};
    wire [DATA_WIDTH-1:0]             rd_data;
    rlc_ram_1r1w #(
        .WIDTH(DATA_WIDTH), .DEPTH(DEPTH), .READ_LATENCY(LATENCY), .STYLE((DEPTH > 64) ? "block" : "distributed"),
        .READ_ANY(1)
    ) u_ram (
        .*, .wr_en(valid_s1), .wr_addr(to_row[PLACE_WIDTH+BEAT_WIDTH-1 -: RAM_WIDTH]), .wr_data(data_s1),
        .rd_en(read), .rd_addr(from_row[PLACE_WIDTH+BEAT_WIDTH-1 -: RAM_WIDTH])
    );
    reg [LATENCY-1:0] line_q;
    always @(posedge clk) begin
        if (rst) line_q <= {LATENCY{1'b0}};
        else     line_q <= {line_q[LATENCY-2:0], read};
    end
    rlc_credit #(.PLACES(OUT)) u_credit (.*, .take(read), .give(m_beat_valid && m_beat_ready), .room(credit));
    rlc_queue #(.WIDTH(DATA_WIDTH), .DEPTH(OUT)) u_out (
        .*, .s_valid(line_q[LATENCY-1]), .s_data(rd_data), `RLC_STREAM_JOIN(m, m_beat)
    );
    wire unused = &{1'b0, row, to_row, from_row, m_axi_rresp[0]};
endmodule
`default_nettype wire
