// rlc_replay_server_seed.v — the state of the generator that the draws of a SAMPLE begin at, from seed, client, epoch and sequence.
// SPDX-License-Identifier: Apache-2.0
//
// begins       pulse, at any time; the fields stand from it to `done`
// done         high from 16 clocks after `begins` until the next one; `state` stands with it
// state        {s3, s2, s1, s0} of xoshiro128++: two words of splitmix64 from m(m(seed ^ client ^ epoch * 2^32) ^ sequence),
//              where m(x) is the first word of splitmix64 from x
// reference    splitmix64: Blackman, Vigna, ACM Transactions on Mathematical Software 47 (2021)
// cost         the low half of a product of 64 by 64 bits, in a clock: 10 multipliers of 18 by 18 bits
`default_nettype none
module rlc_replay_server_seed (
    input  wire         clk,
    input  wire         rst,
    input  wire         begins,
    input  wire [63:0]  seed,
    input  wire [15:0]  client,
    input  wire [31:0]  epoch,
    input  wire [63:0]  seq_number,
    output wire         done,
    output wire [127:0] state
);
    localparam [63:0] GOLDEN = 64'h9E3779B97F4A7C15;
    localparam [63:0] FIRST  = 64'hBF58476D1CE4E5B9;
    localparam [63:0] SECOND = 64'h94D049BB133111EB;

    // A word of splitmix64 is two products, each with the operand's high bits folded into its low ones before. Words 0 and 1
    // come one behind the other, since each is what the next one is made from; 2 and 3 are both made from word 1, a clock apart.
    //
    //   step        operand    products   word
    //   1 to 4      0          2, 4       4
    //   6 to 9      1          7, 9       9
    //   11 to 15    2, 3       12 to 15   14, 15
    reg  [4:0]   step_q;     // clocks since `begins`; 0: never, 16 and on: done
    reg  [63:0]  operand_q, from_q;
    reg  [63:0]  low_q;
    reg  [31:0]  remaining_q, right_q;
    reg  [127:0] state_q;
    wire         second   = step_q == 5'd3 || step_q == 5'd8 || step_q == 5'd13 || step_q == 5'd14;
    wire [63:0]  constant = second ? SECOND : FIRST;
    wire [63:0]  product  = low_q + {remaining_q + right_q, 32'd0};
    wire [63:0]  word     = product ^ (product >> 31);
    wire [63:0]  counter  = begins ? (seed ^ {epoch, 16'd0, client}) + GOLDEN
                          : from_q + ((step_q == 5'd11) ? {GOLDEN[62:0], 1'b0} : GOLDEN);
    always @(posedge clk) begin
        low_q       <= {32'd0, operand_q[31:0]} * {32'd0, constant[31:0]};
        remaining_q <= operand_q[63:32] * constant[31:0];
        right_q     <= operand_q[31:0] * constant[63:32];
        if (begins || step_q == 5'd5 || step_q == 5'd10 || step_q == 5'd11) operand_q <= counter ^ (counter >> 30);
        else                                                                operand_q <= product ^ (product >> 27);
        if (step_q == 5'd4) from_q <= word ^ seq_number;
        if (step_q == 5'd9) from_q <= word;
        if (step_q == 5'd14 || step_q == 5'd15) state_q <= {word, state_q[127:64]};
        if (rst)                                        step_q <= 5'd0;
        else if (begins)                                step_q <= 5'd1;
        else if (step_q != 5'd0 && step_q != 5'd16)     step_q <= step_q + 5'd1;
    end
    assign done  = step_q[4];
    assign state = state_q;
endmodule
`default_nettype wire
