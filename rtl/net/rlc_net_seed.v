// rlc_net_seed.v — the state of the generator that the draws of a SAMPLE begin at, from seed, client, epoch and sequence.
// SPDX-License-Identifier: Apache-2.0
//
// begins       pulse, at any time; the fields stand from it to `done`
// done         high from 54 clocks after `begins` until the next one; `state` stands with it
// state        {s3, s2, s1, s0} of xoshiro128++: two words of splitmix64 from m(m(seed ^ client ^ epoch * 2^32) ^ sequence),
//              where m(x) is the first word of splitmix64 from x
// reference    splitmix64: Blackman, Vigna, ACM Transactions on Mathematical Software 47 (2021)
// cost         one multiplier of 64 by 16 bits, which takes 4 clocks for 64 by 64
`default_nettype none
module rlc_net_seed (
    input  wire         clk,
    input  wire         rst,
    input  wire         begins,
    input  wire [63:0]  seed,
    input  wire [15:0]  client,
    input  wire [31:0]  epoch,
    input  wire [63:0]  sequence_,
    output wire         done,
    output wire [127:0] state
);
    localparam [63:0] GOLDEN = 64'h9E3779B97F4A7C15;
    localparam [63:0] FIRST  = 64'hBF58476D1CE4E5B9;
    localparam [63:0] SECOND = 64'h94D049BB133111EB;
    localparam [2:0]  FOUND = 3'd5, SPREAD = 3'd6, IDLE = 3'd7;

    // A word of splitmix64 is two products, each with the operand's high bits folded into its low ones before.
    reg  [2:0]   at_q;       // 0 to 3: which 16 bits of the constant, the high ones first; FOUND: the product is there
    reg          second_q;   // of the two products
    reg  [1:0]   word_q;     // of the four words
    reg  [63:0]  sum_q;      // a word's counter
    reg  [63:0]  operand_q, part_q, product_q;
    reg  [63:0]  from_q;     // what the state's two words are made from
    reg  [127:0] state_q;
    reg          done_q;
    wire [63:0]  constant = second_q ? SECOND : FIRST;
    wire [63:0]  chosen   = constant << {at_q[1:0], 4'd0};
    wire [15:0]  chunk    = chosen[63:48];
    wire [63:0]  word     = product_q ^ (product_q >> 31);
    always @(posedge clk) begin
        part_q    <= operand_q * {48'd0, chunk};
        product_q <= (at_q == 3'd0) ? 64'd0 : {product_q[47:0], 16'd0} + part_q;
        if (at_q == SPREAD) operand_q <= sum_q ^ (sum_q >> 30);
        if (at_q == FOUND) begin
            second_q <= !second_q;
            if (!second_q) operand_q <= product_q ^ (product_q >> 27);
            else begin
                word_q <= word_q + 2'd1;
                if (word_q == 2'd1) from_q <= word;
                state_q <= {word, state_q[127:64]};
                case (word_q)
                    2'd0:    sum_q <= (word ^ sequence_) + GOLDEN;
                    2'd1:    sum_q <= word + GOLDEN;
                    default: sum_q <= from_q + {GOLDEN[62:0], 1'b0};
                endcase
            end
        end
        // Last, because what was begun before may still be under way.
        if (rst || begins) second_q <= 1'b0;
        if (begins) begin
            sum_q  <= (seed ^ {epoch, 16'd0, client}) + GOLDEN;
            word_q <= 2'd0;
        end
    end
    always @(posedge clk) begin
        if (rst)         at_q <= IDLE;
        else if (begins) at_q <= SPREAD;
        else
            case (at_q)
                SPREAD:  at_q <= 3'd0;
                FOUND:   at_q <= !second_q ? 3'd0 : (word_q == 2'd3) ? IDLE : SPREAD;
                IDLE:    at_q <= IDLE;
                default: at_q <= at_q + 3'd1;
            endcase
        done_q <= !rst && !begins && (done_q || (at_q == FOUND && second_q && word_q == 2'd3));
    end
    wire unused = &{1'b0, chosen[47:0]};
    assign done  = done_q;
    assign state = state_q;
endmodule
`default_nettype wire
