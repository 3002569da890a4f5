// rlc_ppo_index_cipher.v — the numbers 0 .. length - 1 in a new order every epoch, without a table.
// SPDX-License-Identifier: Apache-2.0
//
//   A counter runs over all numbers of b = ceil(log2 length) bits. Six rounds of a Feistel network, whose halves of
//   ceil(b/2) and floor(b/2) bits change in turn, map each to another number of b bits. Results of length or more are
//   skipped. So every number below length comes once, and at least every other clock has one.
//
//   round 0, 2, 4   high ^= ((k1 * low + k2) mod 2^24) >> (24 - bits of high)     rounds 1, 3, 5 likewise change low
//
// start       pulse while not busy: draws keys and begins. length, 1 .. 2^BITS, is steady while busy
// key_step, key   a generator's words, one per clock: twelve per epoch, k1 and k2 of round 0, then of round 1, ..; their upper
//             24 bits are used, and k1 is made odd
// m_*         the numbers, m_last with the last one
// busy        until the last one is taken
// latency     33 clocks from start to the first number
// throughput  one number per clock if length is a power of two
// cost        one DSP slice per round
// model       rlcores.cores.ppo.permute
// reference   Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002; multiply-add-shift: Dietzfelbinger,
//             "Universal hashing and k-wise independent random variables via integer arithmetic", STACS 1996
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
module rlc_ppo_index_cipher #(
    parameter BITS = 13 // bits of a number, 1..24
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            start,
    input  wire [BITS:0]   length,
    output wire            key_step,
    input  wire [31:0]     key,
    output wire            busy,
    `RLC_STREAM_MASTER(m, BITS),
    output wire            m_last
);
    `RLC_CHECK(BITS >= 1 && BITS <= 24, rlc_ppo_index_cipher_illegal_BITS_must_be_1_to_24)

    localparam ROUNDS = 6;
    localparam HALF   = 12;                      // bits of a half, at most
    localparam ROUND  = 3;                       // clocks of a round
    localparam CLOCKS = ROUNDS * ROUND + 1;      // from a number counted to the number it becomes
    localparam PLACES = 32;                      // more than CLOCKS and the queue's own, so that nothing waits for a place
    localparam [31:0] PLACES_32 = PLACES;
    localparam [31:0] LAST_WORD = 2 * ROUNDS - 1;

    // Bits of the greatest number, and of its halves.
    wire [BITS:0] most = length - 1'b1;
    reg  [4:0]    bits_d, bits_q;
    integer       i;
    always @* begin
        bits_d = 5'd0;
        for (i = 0; i < BITS; i = i + 1)
            if (most[i]) bits_d = i[4:0] + 5'd1;
    end
    always @(posedge clk) bits_q <= bits_d;
    wire [3:0] low_bits  = bits_q[4:1];
    wire [3:0] high_bits = bits_q[4:1] + {3'd0, bits_q[0]};

    // Keys, then numbers.
    reg                   keys_q, count_q;
    reg  [3:0]            word_q;
    reg  [ROUNDS*48-1:0]  key_q;                 // round 0 at the top, k1 above k2
    reg  [BITS:0]         remaining_q;           // numbers that are still to be taken
    reg  [HALF-1:0]       low_q, high_q;
    wire                  room;
    wire                  clear    = rst || keys_q;   // what is still on its way is beyond the last epoch's length
    wire                  step     = count_q && room;
    wire [HALF-1:0]       low_end  = ~({HALF{1'b1}} << low_bits);
    wire [HALF-1:0]       high_end = ~({HALF{1'b1}} << high_bits);
    wire                  low_last = low_q == low_end;
    wire                  taken    = m_valid && m_ready;
    assign key_step = keys_q;
    assign busy     = remaining_q != {(BITS+1){1'b0}};
    assign m_last   = remaining_q == {{BITS{1'b0}}, 1'b1};
    always @(posedge clk) begin
        if (rst) begin
            keys_q      <= 1'b0;
            count_q     <= 1'b0;
            remaining_q <= {(BITS+1){1'b0}};
        end else begin
            if (start && !busy) begin
                remaining_q <= length;
                keys_q      <= 1'b1;
                count_q     <= 1'b0;
            end else if (taken) remaining_q <= remaining_q - 1'b1;
            if (keys_q && word_q == LAST_WORD[3:0]) begin
                keys_q  <= 1'b0;
                count_q <= 1'b1;
            end
            if (step && low_last && high_q == high_end) count_q <= 1'b0;
        end
        word_q <= keys_q ? word_q + 4'd1 : 4'd0;
        if (keys_q) key_q <= {key_q[ROUNDS*48-25:0], key[31:9], key[8] || !word_q[0]};
        if (!count_q) begin
            low_q  <= {HALF{1'b0}};
            high_q <= {HALF{1'b0}};
        end else if (step) begin
            low_q <= low_last ? {HALF{1'b0}} : low_q + 1'b1;
            if (low_last) high_q <= high_q + 1'b1;
        end
    end

    wire unused_key = &{1'b0, key[7:0]};

    // Rounds.
    genvar r;
    for (r = 0; r < ROUNDS; r = r + 1) begin : g_round
        wire [HALF-1:0] low, high, low_s2, high_s2;
        if (r == 0) begin : g_first
            assign {high, low} = {high_q, low_q};
        end else begin : g_next
            assign {high, low} = {g_round[r-1].high_s3, g_round[r-1].low_s3};
        end

        // Stages 1, 2: the product and its sum.
        wire        [47:0] keys = key_q[(ROUNDS-1-r)*48 +: 48];
        wire signed [24:0] k1   = {1'b0, keys[47:24]};
        wire signed [24:0] k2   = {1'b0, keys[23:0]};
        wire signed [12:0] x    = {1'b0, (r % 2 == 0) ? low : high};
        wire signed [38:0] sum;
        rlc_mac #(.A_WIDTH(25), .B_WIDTH(13), .C_WIDTH(25), .P_WIDTH(39), .C_REG(0)) u_mac (
            .clk(clk), .a(k1), .b(x), .c(k2), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
        );
        rlc_delay #(.WIDTH(2 * HALF), .CLOCKS(2)) u_beside (.clk(clk), .d({high, low}), .q({high_s2, low_s2}));

        // Stage 3: as many upper bits as the half has.
        wire [3:0]      bits = (r % 2 == 0) ? high_bits : low_bits;
        wire [HALF-1:0] hash = sum[23:12] >> (4'd12 - bits);
        reg  [HALF-1:0] low_s3, high_s3;
        always @(posedge clk) begin
            high_s3 <= (r % 2 == 0) ? high_s2 ^ hash : high_s2;
            low_s3  <= (r % 2 == 0) ? low_s2 : low_s2 ^ hash;
        end
        wire unused = &{1'b0, sum[38:24], sum[11:0]};
    end

    // The whole number, and whether it is one of those wanted.
    reg  [2*HALF-1:0] number_q;
    reg  [CLOCKS-1:0] valid_q;
    always @(posedge clk) begin
        number_q <= {{HALF{1'b0}}, g_round[ROUNDS-1].high_s3} << low_bits
                    | {{HALF{1'b0}}, g_round[ROUNDS-1].low_s3};
        valid_q  <= clear ? {CLOCKS{1'b0}} : {valid_q[CLOCKS-2:0], step};
    end
    wire made   = valid_q[CLOCKS-1] && busy && !keys_q;
    reg [2*HALF:0] most_wide;
    always @* begin
        most_wide         = {(2*HALF+1){1'b0}};
        most_wide[BITS:0] = most;
    end
    wire wanted = made && {1'b0, number_q} <= most_wide;

    // Places in the queue: one is taken by each number on its way, and free again when that leaves or is left out.
    reg  [5:0] free_q;
    assign room = free_q != 6'd0;
    always @(posedge clk)
        if (clear) free_q <= PLACES_32[5:0];
        else     free_q <= free_q - {5'd0, step} + {5'd0, taken} + {5'd0, made && !wanted};
    rlc_queue #(.WIDTH(BITS), .DEPTH(PLACES)) u_queue (
        .clk(clk), .rst(rst), .s_valid(wanted), .s_data(number_q[BITS-1:0]), `RLC_STREAM_JOIN(m, m)
    );
endmodule
`default_nettype wire
