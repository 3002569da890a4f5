// rlc_replay_server_batch.v — answers a batch: keeps its list, reads its records, and gives the text in parts.
// SPDX-License-Identifier: Apache-2.0
//
// begins       pulse: a batch of `count` entries. The answer is `parts` parts from `part` on; `parts` 0: all of them
// s_entry_*    its entries in order, {weight, priority, generation with `gone` as bit 31, slot}; always taken
// listed       all entries have come
// go           pulse: total and size are valid from now on, and the text may begin. If an entry may be gone, all entries are
//              listed before
// fetch        records may be read
// m_slot_*     slots whose records are wanted, in order; s_beat_*: the words of these records
// m_part_*     the parts; m_part_gone: a record of this part is gone. m_text_*: the words of all parts in a row
// finished     level until the next `begins`: the last word of the text has left
//
// throughput   one word per clock, if records come as fast. In a batch with an entry that is gone, each part waits for 2 clocks
//              per record in it
// cost         block RAM for SAMPLE_MAX entries of 129 bits and a slot's number
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
module rlc_replay_server_batch #(
    parameter INDEX_WIDTH  = 20,   // bits of a slot's number
    parameter RECORD_BYTES = 48,   // bytes of a record
    parameter PART_BYTES   = 1392, // bytes of the longest payload
    parameter SAMPLE_MAX   = 1024  // largest batch
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         begins,
    input  wire [15:0]  count,
    input  wire [15:0]  part,
    input  wire [15:0]  parts,
    input  wire         s_entry_valid,
    input  wire [127:0] s_entry_data,
    output wire         listed,
    input  wire         go,
    input  wire [63:0]  total,
    input  wire [31:0]  size,
    input  wire         fetch,
    `RLC_STREAM_MASTER(m_slot, INDEX_WIDTH),
    `RLC_STREAM_SLAVE(s_beat, 64),
    output wire         m_part_valid,
    input  wire         m_part_ready,
    output wire         m_part_last,
    output wire         m_part_gone,
    output wire [15:0]  m_part_part,
    output wire [15:0]  m_part_parts,
    output wire [12:0]  m_part_words,
    `RLC_STREAM_MASTER(m_text, 64),
    output wire         finished
);
    localparam integer RECORD = RECORD_BYTES / 8;
    localparam integer PIECE  = PART_BYTES / 8;
    localparam integer LONGEST = SAMPLE_MAX * (RECORD + 2) + 2;
    `RLC_CHECK((LONGEST + PIECE - 1) / PIECE <= 65535, rlc_replay_server_batch_illegal_SAMPLE_MAX_records_must_fit_in_65535_parts)
    localparam T = $clog2(LONGEST + PIECE + 1);   // bits of a place in the text, in words
    localparam L = $clog2(RECORD + 1);
    localparam S = $clog2(T + 1);
    localparam A = (SAMPLE_MAX > 1) ? $clog2(SAMPLE_MAX) : 1;
    localparam [31:0] RECORD_32 = RECORD, PIECE_32 = PIECE, EACH_32 = RECORD + 2, ROUND_32 = PIECE - 1, T_32 = T;
    localparam [T-1:0] WORDS = RECORD_32[T-1:0];
    localparam [T-1:0] PART  = PIECE_32[T-1:0];
    localparam [L-1:0] ALL   = RECORD_32[L-1:0];
    localparam [L-1:0] ONE   = 1;
    localparam [T-1:0] STEP  = 1;
    localparam [T-1:0] TWO   = 2;

    // ---- where the text, its list and the wanted parts begin and end; how many parts there are, one bit per clock.
    reg  [15:0]  count_q, part_q, asked_q, parts_q, stop_q;
    reg  [T-1:0] text_q, list_q, from_q, end_q, over_q, rest_q;
    reg  [S-1:0] bits_q;
    reg  [2:0]   sum_q;        // which step of it
    wire [T-1:0] shifted = {rest_q[T-2:0], over_q[T-1]};
    wire         fits    = shifted >= PART;
    wire [16:0]  beyond  = {1'b0, part_q} + {1'b0, asked_q};
    wire [T+15:0] stop_at = {{T{1'b0}}, stop_q} * {16'd0, PART};
    wire [T+15:0] from_at = {{T{1'b0}}, part_q} * {16'd0, PART};
    wire [T+15:0] text_at = {{T{1'b0}}, count_q} * {16'd0, EACH_32[T-1:0]};
    wire [T+15:0] list_at = {{(T-1){1'b0}}, count_q, 1'b0};
    localparam [2:0] PLACES = 3'd0, ROUNDS = 3'd1, DIVIDES = 3'd2, STOPS = 3'd3, ENDS = 3'd4, SET = 3'd5;
    always @(posedge clk) begin
        if (begins) begin
            count_q <= count;
            part_q  <= part;
            asked_q <= parts;
        end
        if (sum_q == PLACES) begin
            text_q <= text_at[T-1:0] + TWO;
            list_q <= list_at[T-1:0] + TWO;
            from_q <= from_at[T-1:0];
        end
        if (sum_q == ROUNDS) begin
            over_q <= text_q + ROUND_32[T-1:0];
            rest_q <= {T{1'b0}};
            bits_q <= T_32[S-1:0];
            parts_q <= 16'd0;
        end
        if (sum_q == DIVIDES) begin
            rest_q  <= fits ? shifted - PART : shifted;
            over_q  <= {over_q[T-2:0], 1'b0};
            parts_q <= {parts_q[14:0], fits};
            bits_q  <= bits_q - 1'b1;
        end
        if (sum_q == STOPS) stop_q <= (asked_q == 16'd0 || beyond >= {1'b0, parts_q}) ? parts_q : beyond[15:0];
        if (sum_q == ENDS)  end_q  <= (stop_q == parts_q) ? text_q : stop_at[T-1:0];
        if (rst || begins) sum_q <= PLACES;
        else if (sum_q == DIVIDES) sum_q <= (bits_q == {{(S-1){1'b0}}, 1'b1}) ? STOPS : DIVIDES;
        else if (sum_q != SET)     sum_q <= sum_q + 3'd1;
    end

    // ---- the list, its slots, and which of them are gone.
    reg  [15:0] listed_q;
    reg         some_q;        // of the batch's entries, one is gone at least
    reg         go_q, run_q, finished_q;
    wire        start = go_q && sum_q == SET && !run_q && !finished_q;
    assign listed = listed_q == count_q;
    wire [A-1:0] at = listed_q[A-1:0];
    always @(posedge clk) begin
        if (rst || begins)      listed_q <= 16'd0;
        else if (s_entry_valid) listed_q <= listed_q + 16'd1;
        if (begins)                                  some_q <= 1'b0;
        else if (s_entry_valid && s_entry_data[63])  some_q <= 1'b1;
        go_q <= !rst && !begins && (go_q || go);
    end
    reg          read_entry;
    wire [127:0] entry;
    reg  [15:0]  entry_q;      // the next one to be read
    rlc_ram_1r1w #(.WIDTH(128), .DEPTH(SAMPLE_MAX), .STYLE("block"), .READ_ANY(1)) u_list (
        .clk(clk), .wr_en(s_entry_valid), .wr_addr(at), .wr_data(s_entry_data),
        .rd_en(read_entry), .rd_addr(entry_q[A-1:0]), .rd_data(entry)
    );
    wire                   read_slot, slot_gone;
    reg  [15:0]            slot_q;     // the record that is asked for next
    rlc_ram_1r1w #(.WIDTH(INDEX_WIDTH + 1), .DEPTH(SAMPLE_MAX), .STYLE("block"), .READ_ANY(1)) u_slots (
        .clk(clk), .wr_en(s_entry_valid), .wr_addr(at), .wr_data({s_entry_data[63], s_entry_data[INDEX_WIDTH-1:0]}),
        .rd_en(read_slot), .rd_addr(slot_q[A-1:0]), .rd_data({slot_gone, m_slot_data})
    );
    reg  [15:0]  scan_q;       // the record that is looked at next
    wire         scanned;
    rlc_ram_1r1w #(.WIDTH(1), .DEPTH(SAMPLE_MAX), .STYLE("distributed"), .READ_ANY(1)) u_gone (
        .clk(clk), .wr_en(s_entry_valid), .wr_addr(at), .wr_data(s_entry_data[63]),
        .rd_en(1'b1), .rd_addr(scan_q[A-1:0]), .rd_data(scanned)
    );

    // ---- the parts. A part says whether one of its records is gone, so that one looks at them before.
    localparam [1:0] OFF = 2'd0, LOOK = 2'd1, SEE = 2'd2, OFFER = 2'd3;
    reg  [1:0]   head_q;
    reg  [15:0]  number_q;
    reg  [T-1:0] at_q, until_q, remaining_q; // where the part begins, and the next one; words from it to the text's end
    reg  [T-1:0] scan_at_q;               // where the record that is looked at begins
    reg          gone_q;
    wire [T-1:0] scan_end = scan_at_q + WORDS;
    wire         taken    = m_part_valid && m_part_ready;
    always @(posedge clk) begin
        if (rst || begins) head_q <= OFF;
        else
            case (head_q)
                OFF:   if (start) head_q <= some_q ? LOOK : OFFER;
                LOOK:  head_q <= (scan_q == count_q) ? OFFER : SEE;
                SEE:   head_q <= (scan_at_q >= until_q || scan_end > until_q) ? OFFER : LOOK;
                OFFER: if (m_part_ready) head_q <= m_part_last ? OFF : some_q ? LOOK : OFFER;
            endcase
        if (start) begin
            number_q    <= part_q;
            at_q        <= from_q;
            until_q     <= from_q + PART;
            remaining_q <= text_q - from_q;
            scan_q      <= 16'd0;
            scan_at_q   <= list_q;
        end else if (head_q == SEE && scan_end <= until_q) begin
            scan_q    <= scan_q + 16'd1;
            scan_at_q <= scan_end;
        end
        if (start || taken) gone_q <= 1'b0;
        else if (head_q == SEE && scan_at_q < until_q && scan_end > at_q && scanned) gone_q <= 1'b1;
        if (taken) begin
            number_q    <= number_q + 16'd1;
            at_q        <= until_q;
            until_q     <= until_q + PART;
            remaining_q <= remaining_q - PART;
        end
    end
    wire [T-1:0] words = (remaining_q < PART) ? remaining_q : PART;
    wire [16:0]  next  = {1'b0, number_q} + 17'd1;
    wire [T+12:0] words_wide = {13'd0, words};
    assign m_part_valid = head_q == OFFER;
    assign m_part_last  = next == {1'b0, stop_q};
    assign m_part_gone  = gone_q;
    assign m_part_part  = number_q;
    assign m_part_parts = parts_q;
    assign m_part_words = words_wide[12:0];

    // ---- the records: over those before the first part, then one behind the other up to the last one.
    localparam [1:0] NEXT = 2'd1, GIVE = 2'd2;
    reg  [1:0]   fetch_q;
    reg  [T-1:0] slot_at_q;    // where the record begins
    reg          first_q;      // none was asked for
    reg  [L-1:0] skip_q;       // words of the first one before the first part
    wire [T-1:0] slot_end = slot_at_q + WORDS;
    wire         none     = slot_q == count_q || slot_at_q >= end_q;
    wire         passed   = slot_end <= from_q;
    wire         ahead_ready;
    wire         give     = fetch_q == GIVE && fetch && ahead_ready && (slot_gone || m_slot_ready);
    wire [T-1:0] skip     = from_q - slot_at_q;
    assign read_slot    = fetch_q == NEXT && !none && !passed && slot_q < listed_q;
    assign m_slot_valid = fetch_q == GIVE && fetch && ahead_ready && !slot_gone;
    always @(posedge clk) begin
        if (rst || begins) fetch_q <= OFF;
        else
            case (fetch_q)
                OFF:     if (start) fetch_q <= NEXT;
                NEXT:    if (none) fetch_q <= OFF;
                         else if (read_slot) fetch_q <= GIVE;
                default: if (give) fetch_q <= NEXT;
            endcase
        if (start) begin
            slot_q    <= 16'd0;
            slot_at_q <= list_q;
            first_q   <= 1'b1;
        end else if (give || (fetch_q == NEXT && !none && passed)) begin
            slot_q    <= slot_q + 16'd1;
            slot_at_q <= slot_end;
        end
        if (give) begin
            first_q <= 1'b0;
            if (first_q) skip_q <= (from_q > slot_at_q) ? skip[L-1:0] : {L{1'b0}};
        end
    end
    wire ahead_valid, ahead_gone, ahead_take;
    wire ahead_first;
    rlc_fifo #(.WIDTH(2), .DEPTH(64)) u_ahead (
        .clk(clk), .rst(rst), .s_valid(give), .s_ready(ahead_ready), .s_data({first_q, slot_gone}),
        .m_valid(ahead_valid), .m_ready(ahead_take), .m_data({ahead_first, ahead_gone}), .count()
    );

    // ---- the text, word by word: head, list, records. What the last record has behind the last part is thrown away.
    reg          text_on_q;
    reg  [T-1:0] place_q;
    reg          entry_valid_q;
    reg  [L-1:0] record_q;     // words left of the record
    reg  [L-1:0] drop_q;       // and of them to throw away before
    reg          zeros_q;      // it is gone
    wire         room;
    wire         head    = place_q < TWO;
    wire         in_list = !head && place_q < list_q;
    wire         wanted  = text_on_q && place_q != end_q;
    wire         has     = record_q != {L{1'b0}} && (zeros_q || s_beat_valid);
    wire         drops   = drop_q != {L{1'b0}} || (text_on_q && !wanted);
    wire         word_ok = head || (in_list ? entry_valid_q : has && !drops);
    wire         push    = wanted && word_ok;
    wire         move    = push && room;
    wire         spend   = has && (drops || (move && !head && !in_list));
    wire         turn    = move && in_list && place_q[0];
    assign ahead_take   = wanted && ahead_valid && (record_q == {L{1'b0}} || (record_q == ONE && spend));
    assign s_beat_ready = record_q != {L{1'b0}} && !zeros_q && (drops || (wanted && room && !head && !in_list));
    always @* read_entry = text_on_q && entry_q < listed_q && (!entry_valid_q || turn);
    wire [T-1:0] from_list = from_q - TWO;
    wire [T+15:0] first_entry = {17'd0, from_list[T-1:1]};
    always @(posedge clk) begin
        if (rst || begins) begin
            text_on_q     <= 1'b0;
            entry_valid_q <= 1'b0;
            record_q      <= {L{1'b0}};
            drop_q        <= {L{1'b0}};
        end else begin
            if (start)                                              text_on_q <= 1'b1;
            else if (!wanted && (record_q == {L{1'b0}} || zeros_q)) text_on_q <= 1'b0;
            if (read_entry) entry_valid_q <= 1'b1;
            else if (turn)  entry_valid_q <= 1'b0;
            if (ahead_take) begin
                record_q <= ALL;
                drop_q   <= ahead_first ? skip_q : {L{1'b0}};
            end else if (spend) begin
                record_q <= record_q - ONE;
                if (drop_q != {L{1'b0}}) drop_q <= drop_q - ONE;
            end
        end
        if (start) begin
            place_q <= from_q;
            entry_q <= (from_q < TWO) ? 16'd0 : first_entry[15:0];
        end else begin
            if (move)       place_q <= place_q + STEP;
            if (read_entry) entry_q <= entry_q + 16'd1;
        end
        if (ahead_take) zeros_q <= ahead_gone;
    end
    wire [63:0] word = head ? (place_q[0] ? {32'd0, size} : total)
                     : in_list ? (place_q[0] ? entry[127:64] : entry[63:0])
                     : zeros_q ? 64'd0 : s_beat_data;
    rlc_skid #(.WIDTH(64)) u_text (
        .clk(clk), .rst(rst), .s_valid(push), .s_ready(room), .s_data(word),
        .m_valid(m_text_valid), .m_ready(m_text_ready), .m_data(m_text_data)
    );

    always @(posedge clk) begin
        run_q      <= !rst && !begins && (start || (run_q && !(head_q == OFF && fetch_q == OFF && !text_on_q)));
        finished_q <= !rst && !begins && (finished_q || (run_q && head_q == OFF && fetch_q == OFF && !text_on_q));
    end
    assign finished = finished_q;
    wire unused = &{1'b0, stop_at, from_at, text_at, list_at, words_wide, first_entry, from_list[0], skip, rest_q[T-1]};
endmodule
`default_nettype wire
