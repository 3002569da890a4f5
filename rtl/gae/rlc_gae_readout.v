// rlc_gae_readout.v — turns the stacks into a stream: BEAT neighbouring banks at a time, oldest record first.
// SPDX-License-Identifier: Apache-2.0
//
// start       pulse: read every lane, slot by slot and bank group by bank group
// read        one bit a bank, with read_slot: next record upwards; its data comes 1 clock later
// m_*         valid/ready; a beat is BEAT elements of 64 bits, m_last on the last one; NONE pads short lanes
//             [15:0] advantage code, [31:16] return code, [47:32] index in the lane, [49:48] kind, [63:50] lane;
//             OUT_BITS above 16: [23:0] advantage code, [47:24] return code, and no index
// busy        from start until the last beat is taken
// abort       pulse: reading ends now, and cut says so until the next start, except where the last beat is taken in this
//             clock or was before. A beat that was offered stays offered as it is (stale) until it is taken; all others
//             are dropped.
// rate        one beat a clock, a few clocks between bank groups
`default_nettype none
module rlc_gae_readout #(
    parameter BANKS      = 64,                                        // memories of the array
    parameter INTERLEAVE = 1,                                         // lanes that take turns on a row, 1 to 8
    parameter OUT_BITS   = 8,                                         // bits of a result code: QBITS, 16 or 24
    parameter BEAT       = 4,                                         // elements of a beat, divides BANKS
    parameter SLOT_WIDTH = (INTERLEAVE > 1) ? $clog2(INTERLEAVE) : 1  // follows from INTERLEAVE: bits of a turn's number
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      start,
    input  wire                      abort,
    output wire                      busy,
    output reg                       cut,
    output reg                       stale,  // it was offered before the abort, with stale_last_q
    output wire [BANKS-1:0]          read,
    output reg  [SLOT_WIDTH-1:0]     read_slot,
    input  wire [BANKS*2-1:0]        o_kind,
    input  wire [BANKS*OUT_BITS-1:0] o_adv,
    input  wire [BANKS*OUT_BITS-1:0] o_rtg,
    output wire                      m_valid,
    input  wire                      m_ready,
    output wire [BEAT*64-1:0]        m_data,
    output wire                      m_last
);
    localparam GROUPS      = BANKS / BEAT;
    localparam GROUP_WIDTH = (GROUPS > 1) ? $clog2(GROUPS) : 1;
    localparam ELEMENT     = 2 + 2 * OUT_BITS;
    localparam BEAT_WIDTH  = SLOT_WIDTH + GROUP_WIDTH + 16 + BEAT * ELEMENT;
    localparam FIFO_DEPTH  = 8;
    localparam IN_FLIGHT   = 3;     // reads whose beat has not reached the FIFO yet
    localparam [GROUP_WIDTH-1:0] LAST_GROUP = GROUPS - 1;
    localparam [SLOT_WIDTH-1:0]  LAST_SLOT  = INTERLEAVE - 1;

    // One bank group at a time: read until a beat comes back empty, let the reads in flight return, go on.
    localparam IDLE = 2'd0, READ = 2'd1, NEXT = 2'd2, FLUSH = 2'd3;
    reg [1:0]             state_q;
    reg [GROUP_WIDTH-1:0] group_q;
    reg [15:0]            index_q;
    reg [1:0]             wait_q;

    wire                  room;
    wire                  issue = (state_q == READ) && room;
    reg                   issued_s1, issued_s2, issued_s3;
    wire                  empty_s3;
    wire                  flushed;
    wire                  cuts = abort && ((state_q == IDLE) ? start : !(state_q == FLUSH && flushed));

    genvar b, e;
    for (b = 0; b < BANKS; b = b + 1) begin : g_read
        assign read[b] = issue && (group_q == b / BEAT);
    end

    always @(posedge clk) begin
        issued_s1 <= issue && !rst && !cuts;
        issued_s2 <= issued_s1 && !rst && !cuts;
        issued_s3 <= issued_s2 && !rst && !cuts;
        if (rst || start || cuts) cut <= cuts && !rst;
        if (rst || cuts) begin
            state_q <= IDLE;
        end else case (state_q)
            IDLE: if (start) begin
                state_q   <= READ;
                read_slot <= {SLOT_WIDTH{1'b0}};
                group_q   <= {GROUP_WIDTH{1'b0}};
            end
            READ: if (issued_s3 && empty_s3) begin
                state_q <= NEXT;
                wait_q  <= IN_FLIGHT;
            end
            NEXT: begin
                wait_q <= wait_q - 2'd1;
                if (wait_q == 2'd0) begin
                    state_q <= READ;
                    group_q <= (group_q == LAST_GROUP) ? {GROUP_WIDTH{1'b0}} : group_q + 1'b1;
                    if (group_q == LAST_GROUP) begin
                        read_slot <= read_slot + 1'b1;
                        if (read_slot == LAST_SLOT) state_q <= FLUSH;
                    end
                end
            end
            FLUSH: if (flushed) state_q <= IDLE;
        endcase
        if (state_q != READ) index_q <= 16'd0;
        else if (issued_s3) index_q <= index_q + 16'd1;
    end

    // Stage 1: banks answer. Stage 2: their answers, registered, because a block RAM answers late in its clock.
    reg [GROUPS*BEAT*ELEMENT-1:0] elements_s2;
    for (b = 0; b < BANKS; b = b + 1) begin : g_element
        always @(posedge clk)
            elements_s2[b*ELEMENT +: ELEMENT] <=
                {o_kind[b*2 +: 2], o_rtg[b*OUT_BITS +: OUT_BITS], o_adv[b*OUT_BITS +: OUT_BITS]};
    end
    // Stage 3: the elements of the group.
    reg [BEAT*ELEMENT-1:0] beat_s3;
    always @(posedge clk)
        if (GROUPS > 1) beat_s3 <= elements_s2[group_q*(BEAT*ELEMENT) +: BEAT*ELEMENT];
        else            beat_s3 <= elements_s2[BEAT*ELEMENT-1:0];
    wire [BEAT-1:0] present;
    for (e = 0; e < BEAT; e = e + 1) begin : g_present
        assign present[e] = |beat_s3[e*ELEMENT + 2*OUT_BITS +: 2];
    end
    assign empty_s3 = !(|present);

    // FIFO with room for the reads in flight, so that it refuses no beat: verif/gae/formal/rlc_gae_readout.sby.
    localparam COUNT_WIDTH = $clog2(FIFO_DEPTH + 1);
    localparam [COUNT_WIDTH-1:0] ROOM_LIMIT = FIFO_DEPTH - IN_FLIGHT - 1;
    wire [COUNT_WIDTH-1:0] count;
    wire                   beat_valid, beat_taken, fifo_ready;
    wire                   beat_comes = issued_s3 && !empty_s3 && !cuts;
    wire [BEAT_WIDTH-1:0]  beat;
    rlc_fifo #(.WIDTH(BEAT_WIDTH), .DEPTH(FIFO_DEPTH), .STYLE("distributed")) u_fifo (
        .clk(clk), .rst(rst || cuts), .s_valid(beat_comes), .s_ready(fifo_ready),
        .s_data({read_slot, group_q, index_q, beat_s3}),
        .m_valid(beat_valid), .m_ready(beat_taken), .m_data(beat), .count(count)
    );
    assign room = (count <= ROOM_LIMIT);
    rlc_assert_never u_refused (.clk(clk), .rst(rst), .bad(beat_comes && !fifo_ready));

    // One beat is held back until it is known whether another follows it.
    reg                  held_q;
    reg [BEAT_WIDTH-1:0] held_beat_q;
    reg                  stale_last_q;
    wire final_beat = (state_q == FLUSH) && !beat_valid;
    assign m_valid    = held_q && (stale || beat_valid || final_beat);
    assign m_last     = stale ? stale_last_q : final_beat;
    assign beat_taken = beat_valid && (!held_q || m_ready);
    always @(posedge clk) begin
        if (rst) begin
            held_q <= 1'b0;
            stale  <= 1'b0;
        end else if (cuts) begin
            held_q <= m_valid && !m_ready;
            stale  <= m_valid && !m_ready;
        end else begin
            if (beat_taken) held_q <= 1'b1;
            else if (m_valid && m_ready) held_q <= 1'b0;
            if (m_ready) stale <= 1'b0;
        end
        if (cuts) stale_last_q <= m_last;
        if (beat_taken) held_beat_q <= beat;
    end
    assign flushed = !held_q && !beat_valid;
    assign busy    = (state_q != IDLE);

    // Unpack: lane = slot*BANKS + group*BEAT + e.
    wire [SLOT_WIDTH-1:0]  beat_slot;
    wire [GROUP_WIDTH-1:0] beat_group;
    wire [15:0]            beat_index;
    wire [BEAT*ELEMENT-1:0] beat_elements;
    assign {beat_slot, beat_group, beat_index, beat_elements} = held_beat_q;
    wire [31:0] lane_base = ((INTERLEAVE > 1) ? beat_slot * BANKS : 0) + ((GROUPS > 1) ? beat_group * BEAT : 0);
    for (e = 0; e < BEAT; e = e + 1) begin : g_unpack
        wire [31:0] lane = lane_base + e;
        wire signed [OUT_BITS-1:0] adv = beat_elements[e*ELEMENT +: OUT_BITS];
        wire signed [OUT_BITS-1:0] rtg = beat_elements[e*ELEMENT + OUT_BITS +: OUT_BITS];
        wire        [1:0]          kind = beat_elements[e*ELEMENT + 2*OUT_BITS +: 2];
        // Only a step has a result; a BOOT still holds its own codes.
        if (OUT_BITS <= 16) begin : g_short
            wire signed [15:0] adv16 = kind[0] ? adv : 16'sd0;
            wire signed [15:0] rtg16 = kind[0] ? rtg : 16'sd0;
            assign m_data[e*64 +: 64] = {lane[13:0], kind, beat_index, rtg16, adv16};
        end else begin : g_long
            wire unused = &{1'b0, beat_index};  // no room for it
            wire signed [23:0] adv24 = kind[0] ? adv : 24'sd0;
            wire signed [23:0] rtg24 = kind[0] ? rtg : 24'sd0;
            assign m_data[e*64 +: 64] = {lane[13:0], kind, rtg24, adv24};
        end
    end
endmodule
`default_nettype wire
