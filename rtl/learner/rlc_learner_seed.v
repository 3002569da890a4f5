// rlc_learner_seed.v — the state of a xoshiro128++ from a seed of 32 bits: two words of splitmix64.
// SPDX-License-Identifier: Apache-2.0
//
// reference   Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the constants are
//             those of the seeding that Blackman and Vigna advise for xoshiro128++
//
// load        takes the seed; while busy, begins again
// busy        from the clock after load on, for 4 products of 64 clocks each: a product adds one shifted word a clock
// done        a pulse when state is there; state holds until the next load
`default_nettype none
module rlc_learner_seed (
    input  wire         clk,
    input  wire         rst,
    input  wire         load,
    input  wire [31:0]  seed,
    output reg          busy,
    output reg          done,
    output wire [127:0] state
);
    localparam [63:0] GAMMA  = 64'h9E3779B97F4A7C15;
    localparam [63:0] FIRST  = 64'hBF58476D1CE4E5B9;
    localparam [63:0] SECOND = 64'h94D049BB133111EB;

    reg        begin_q;      // a product begins
    reg        last_q;       // the second of a word's products
    reg        high_q;       // the second word
    reg [6:0]  count_q;
    reg [63:0] counter_q;    // splitmix64's own state
    reg [63:0] word_q, times_q, sum_q, low_q;

    wire [63:0] word_30 = word_q ^ (word_q >> 30);
    wire [63:0] word_27 = word_q ^ (word_q >> 27);
    wire [63:0] word_31 = sum_q ^ (sum_q >> 31);
    wire        ended   = count_q[6];

    always @(posedge clk) begin
        done <= 1'b0;
        if (rst) begin
            busy <= 1'b0;
        end else if (load) begin
            busy      <= 1'b1;
            begin_q   <= 1'b1;
            last_q    <= 1'b0;
            high_q    <= 1'b0;
            counter_q <= {32'd0, seed} + GAMMA;
            word_q    <= {32'd0, seed} + GAMMA;
        end else if (busy && begin_q) begin
            begin_q <= 1'b0;
            count_q <= 7'd0;
            sum_q   <= 64'd0;
            word_q  <= last_q ? word_27 : word_30;
            times_q <= last_q ? SECOND : FIRST;
        end else if (busy && !ended) begin
            count_q <= count_q + 7'd1;
            if (times_q[0]) sum_q <= sum_q + word_q;
            word_q  <= word_q << 1;
            times_q <= times_q >> 1;
        end else if (busy) begin
            begin_q <= 1'b1;
            last_q  <= !last_q;
            if (!last_q) begin
                word_q <= sum_q;
            end else begin
                low_q     <= word_31;
                word_q    <= counter_q + GAMMA;
                counter_q <= counter_q + GAMMA;
                high_q    <= 1'b1;
                if (high_q) begin
                    busy   <= 1'b0;
                    done   <= 1'b1;
                    sum_q  <= low_q;
                end
            end
        end
    end

    assign state = {low_q, sum_q};    // at the end the second word is in low_q, the first in sum_q
endmodule
`default_nettype wire
