// rlc_replay_server_siphash.v — SipHash-2-4 of a message of words with a key: 64 bits that nobody makes without the key.
// SPDX-License-Identifier: Apache-2.0
//
// J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012.
//
// key          16 bytes, the first one lowest; it stands still
// restart      pulse: a message begins; it goes before all else
// s_valid      a word of the message, 8 bytes, the first one lowest; one a clock, none is refused
// s_end        pulse, in a clock behind the last word: the message is over. It has the bytes of the words that were taken
// done         from 3 clocks after s_end until restart: `mac` is the hash
// cost         256 flip-flops of state. Two SipRounds a clock: four additions of 64 bits stand one behind another, from
//              register to register
`default_nettype none
module rlc_replay_server_siphash (
    input  wire         clk,
    input  wire [127:0] key,
    input  wire         restart,
    input  wire         s_valid,
    input  wire [63:0]  s_data,
    input  wire         s_end,
    output reg          done,
    output wire [63:0]  mac
);
    // A SipRound of {v3, v2, v1, v0}.
    function [255:0] round(input [255:0] v);
        reg [63:0] a, b, c, d;
        begin
            {d, c, b, a} = v;
            a = a + b;
            c = c + d;
            b = {b[50:0], b[63:51]} ^ a;
            d = {d[47:0], d[63:48]} ^ c;
            a = {a[31:0], a[63:32]} + d;
            c = c + b;
            b = {b[46:0], b[63:47]} ^ c;
            d = {d[42:0], d[63:43]} ^ a;
            c = {c[31:0], c[63:32]};
            round = {d, c, b, a};
        end
    endfunction

    // Behind the words of the message comes one with its length in bytes, modulo 256, on top; then four rounds without a word.
    reg  [255:0] v_q;
    reg  [4:0]   words_q;
    reg          last_q, more_q;   // rounds 1 and 2 of the four, 3 and 4
    wire [63:0]  word = s_end ? {words_q, 59'd0} : s_valid ? s_data : 64'd0;
    wire [255:0] mixed = round(round(v_q ^ {word, 192'd0}));
    always @(posedge clk)
        if (restart) begin
            v_q     <= {key, key} ^ 256'h7465646279746573_6C7967656E657261_646F72616E646F6D_736F6D6570736575;
            words_q <= 5'd0;
            last_q  <= 1'b0;
            more_q  <= 1'b0;
            done    <= 1'b0;
        end else begin
            if (s_valid || s_end || last_q || more_q) v_q <= mixed ^ {120'd0, s_end ? 8'hFF : 8'h00, 64'd0, word};
            if (s_valid) words_q <= words_q + 5'd1;
            last_q <= s_end;
            more_q <= last_q;
            if (more_q) done <= 1'b1;
        end
    assign mac = v_q[255:192] ^ v_q[191:128] ^ v_q[127:64] ^ v_q[63:0];
endmodule
`default_nettype wire
