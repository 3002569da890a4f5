// rlc_tensor_fractions.v — the fractions of all tensors, and the rule by which they follow their numbers.
// SPDX-License-Identifier: Apache-2.0
//
// The rule is docs/rl_exponents.md's. Between two batches a fraction whose tensor was saturated falls by one; another one
// moves at the end of its window so that `spare` bits stay free above the largest number, and its window doubles up to 256.
//
// a_*, b_*     what is told of tensors, by two units: whose, how many were saturated, the OR of magnitudes; never refused
// move         all fractions follow; limit: fraction limit_id becomes limit_to where that is less. Both only while idle
// set          fraction set_id begins: {moves, 27 bits and not 18, spare, most, fraction}, with the word of its tensor, which is 0
//              where nothing has been told: {log2 of the window, batches of it, saturated, OR of magnitudes}
// look         word is, 2 clocks later, that of fraction look_id; only while idle
// now          all fractions, 6 bits each; previous: those in front of the last move, or of now since `forget`, only while idle
// idle         nothing is told, moved or saturated
// cost         one memory of COUNT words; a move takes 6 clocks and one for each fraction up to the last that moves
`default_nettype none
`include "rlc_tensor_words.vh"
module rlc_tensor_fractions #(
    parameter COUNT = 64, // fractions: a power of two
    parameter BITS  = $clog2(COUNT) // derived; leave it alone
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                a_valid,
    input  wire [BITS-1:0]     a_id,
    input  wire [31:0]         a_saturated,
    input  wire [26:0]         a_peak,
    input  wire                b_valid,
    input  wire [BITS-1:0]     b_id,
    input  wire [31:0]         b_saturated,
    input  wire [26:0]         b_peak,
    input  wire                move,
    input  wire                limit,
    input  wire [BITS-1:0]     limit_id,
    input  wire [5:0]          limit_to,
    input  wire                set,
    input  wire [BITS-1:0]     set_id,
    input  wire [15:0]         set_data,
    input  wire [`RLC_TENSOR_TOLD-1:0] set_word,
    input  wire                forget,
    input  wire                look,
    input  wire [BITS-1:0]     look_id,
    output wire [`RLC_TENSOR_TOLD-1:0] word,
    output reg  [COUNT*6-1:0]  now,
    output reg  [COUNT*6-1:0]  previous,
    output wire                idle
);
    localparam WORD = `RLC_TENSOR_TOLD;                           // of a tensor
    localparam [3:0] LONGEST = 4'd8;                // log2 of the longest window

    // What is told waits here.
    localparam TOLD = BITS + 28;
    wire            a_there, b_there, take_a, take_b;
    wire [TOLD-1:0] a_word, b_word;
    wire            a_ready, b_ready;
    rlc_fifo #(.WIDTH(TOLD), .DEPTH(16)) u_a (
        .clk(clk), .rst(rst), .s_valid(a_valid), .s_ready(a_ready), .s_data({a_id, |a_saturated, a_peak}), .m_valid(a_there),
        .m_ready(take_a), .m_data(a_word), .count()
    );
    rlc_fifo #(.WIDTH(TOLD), .DEPTH(16)) u_b (
        .clk(clk), .rst(rst), .s_valid(b_valid), .s_ready(b_ready), .s_data({b_id, |b_saturated, b_peak}), .m_valid(b_there),
        .m_ready(take_b), .m_data(b_word), .count()
    );
    rlc_assert_never u_told (.clk(clk), .rst(rst), .bad((a_valid && !a_ready) || (b_valid && !b_ready)));

    // A tensor's word is read, and two clocks later written: when it is told of, or, a word a clock, in a move.
    reg              moving_q, pending_q, told_q;    // told_q: something told is on its way
    reg  [BITS:0]    at_q;
    reg  [BITS-1:0]  last_q;                         // the last fraction that moves
    reg              hit_q;
    reg  [26:0]      any_q;
    reg  [2:1]       valid_q;
    wire             there = a_there || b_there;
    wire             quiet = !moving_q && !told_q;
    wire             tells = quiet && there;
    wire [BITS-1:0]  from  = a_there ? a_word[TOLD-1 -: BITS] : b_word[TOLD-1 -: BITS];
    wire             ended = at_q > {1'b0, last_q};
    wire             walks = moving_q && !ended;
    wire [BITS-1:0]  rd_at = moving_q ? at_q[BITS-1:0] : look ? look_id : from;
    wire [BITS-1:0]  id_s2;
    rlc_delay #(.WIDTH(BITS), .CLOCKS(2)) u_id (.clk(clk), .d(rd_at), .q(id_s2));
    assign take_a = tells && a_there;
    assign take_b = tells && !a_there;
    assign idle   = quiet && !pending_q && !there;

    reg  [WORD-1:0] word_d;
    reg  [15:0]     about [0:COUNT-1];
    reg  [15:0]     about_q;
    rlc_ram_1r1w #(.WIDTH(WORD), .DEPTH(COUNT), .READ_LATENCY(2), .READ_ANY(1)) u_words (
        .clk(clk), .wr_en(set || valid_q[2]), .wr_addr(set ? set_id : id_s2), .wr_data(set ? set_word : word_d),
        .rd_en(1'b1), .rd_addr(rd_at), .rd_data(word)
    );

    // The rule.
    wire [3:0]  window    = word[`RLC_TENSOR_TOLD_WINDOW];
    wire [8:0]  batches   = word[`RLC_TENSOR_TOLD_BATCHES];
    wire        saturated = word[`RLC_TENSOR_TOLD_SATURATED];
    wire [26:0] peak      = word[`RLC_TENSOR_TOLD_PEAK];
    wire [9:0]  past      = {1'b0, batches} + 10'd1;
    wire        complete  = past >= (10'd1 << window);
    reg  [4:0]  size;                                // bits of the largest number
    integer     k;
    always @* begin
        size = 5'd0;
        for (k = 0; k < 27; k = k + 1) if (peak[k]) size = k[4:0] + 5'd1;
    end
    wire        moves = about_q[`RLC_TENSOR_SETTING_MOVES];
    wire        wide  = about_q[`RLC_TENSOR_SETTING_WIDE];
    wire [1:0]  spare = about_q[`RLC_TENSOR_SETTING_SPARE];
    wire [5:0]  most  = about_q[`RLC_TENSOR_SETTING_MOST];
    wire [5:0]  frac  = now[id_s2*6 +: 6];
    wire signed [7:0] free  = (wide ? 8'sd26 : 8'sd17) - $signed({3'd0, size}) - $signed({6'd0, spare});
    wire signed [7:0] moved = $signed({2'd0, frac}) + free;
    reg  [5:0]  frac_d;
    always @* begin
        frac_d = frac;
        word_d = {window, past[8:0], 1'b0, peak};
        if (saturated) begin
            frac_d = (frac == 6'd0) ? 6'd0 : frac - 6'd1;
            word_d = {window, 37'd0};
        end else if (complete) begin
            if (size != 5'd0)
                frac_d = (moved < 0) ? 6'd0 : (moved > $signed({2'd0, most})) ? most : moved[5:0];
            word_d = {(window == LONGEST) ? window : window + 4'd1, 37'd0};
        end
        if (!moving_q) word_d = {window, batches, saturated || hit_q, peak | any_q};
    end

    reg [15:0] about_s1;
    always @(posedge clk) begin
        about_s1 <= about[rd_at];
        about_q  <= about_s1;
        if (set) about[set_id] <= set_data;
        if (rst) begin
            moving_q  <= 1'b0;
            pending_q <= 1'b0;
            told_q    <= 1'b0;
            valid_q   <= 2'b00;
        end else begin
            valid_q <= {valid_q[1], tells || walks};
            told_q  <= tells || (told_q && !valid_q[2]);
            if (move) pending_q <= 1'b1;
            // A move begins when all that was told is in.
            if (pending_q && quiet && !there) begin
                moving_q  <= 1'b1;
                pending_q <= 1'b0;
                previous  <= now;
            end else if (ended && valid_q == 2'b00) begin
                moving_q <= 1'b0;
            end
        end
        if (rst)                                           last_q <= {BITS{1'b0}};
        else if (set && set_data[15] && set_id > last_q) last_q <= set_id;
        at_q <= !moving_q ? {(BITS+1){1'b0}} : walks ? at_q + 1'b1 : at_q;
        if (tells) begin
            hit_q <= a_there ? a_word[27] : b_word[27];
            any_q <= a_there ? a_word[26:0] : b_word[26:0];
        end
        if (valid_q[2] && moving_q && moves) now[id_s2*6 +: 6] <= frac_d;
        if (limit && limit_to < now[limit_id*6 +: 6]) now[limit_id*6 +: 6] <= limit_to;
        if (set) now[set_id*6 +: 6]      <= set_data[5:0];
        if (set) previous[set_id*6 +: 6] <= set_data[5:0];
        if (forget) previous <= now;
    end
    wire unused = &{1'b0, past[9], moved, about_q[5:0]};
endmodule
`default_nettype wire
