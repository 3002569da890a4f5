// rlc_sumtree_pickbank.v — which bank a draw or a target falls into, and where in it.
// SPDX-License-Identifier: Apache-2.0
//
// s_valid       a request enters; never stalls
// s_exact       it brings a target in s_value; otherwise a draw u in s_draw, and target = floor(u * total / 2^U)
// total         sum of all banks, of now
// sums_late, sums_later
//               prefix sums of the same snapshot, LATE and LATE+1 clocks later: of bank 0, of banks 0 and 1, ...
// m_*           the bank, the least one whose prefix sum is above the target, and the target less the banks before it.
//               Target beyond the total, or a total of 0: bank 0 and a value of all ones, which is beyond any total.
// cfg_private   quasi-static: the bank is LANE and the value passes as it is
// latency       PICK_CLOCKS = LATE + 3, with LATE = 1 + latency of rlc_umul (rlc_sumtree_late.vh)
//
// One multiplier serves both: a target is a value times a draw of exactly one, 2^U.
`default_nettype none
module rlc_sumtree_pickbank #(
    parameter BANKS       = 8,             // 2, 4, 8 or 16
    parameter LANE        = 0,             // the bank of a private request
    parameter TOTAL_WIDTH = 30,            // bits of a bank's total
    parameter DRAW_WIDTH  = 32,            // bits of a draw u, 1..32
    parameter VALUE_WIDTH = 33,            // bits of a value here, >= TOTAL_WIDTH + log2 BANKS and >= DRAW_WIDTH
    parameter LOCAL_WIDTH = 32,            // bits of a bank's value, >= TOTAL_WIDTH and >= DRAW_WIDTH
    parameter C_REG       = 0,             // as of rlc_umul
    parameter BANK_BITS   = $clog2(BANKS), // derived, leave it alone
    parameter SUM_WIDTH   = TOTAL_WIDTH + BANK_BITS // derived, leave it alone
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       cfg_private,
    input  wire                       s_valid,
    input  wire                       s_exact,
    input  wire [DRAW_WIDTH-1:0]      s_draw,
    input  wire [VALUE_WIDTH-1:0]     s_value,
    input  wire [SUM_WIDTH-1:0]       total,
    input  wire [BANKS*SUM_WIDTH-1:0] sums_late,
    input  wire [BANKS*SUM_WIDTH-1:0] sums_later,
    output wire                       m_valid,
    output reg  [BANK_BITS-1:0]       m_bank,
    output reg  [LOCAL_WIDTH-1:0]     m_value
);
    `include "rlc_sumtree_late.vh"

    localparam [31:0]          OWN  = LANE;
    localparam [BANK_BITS-1:0] BANK = OWN[BANK_BITS-1:0];

    // Valid travels beside.
    reg [PICK_CLOCKS-1:0] valid_q;
    always @(posedge clk) valid_q <= rst ? {PICK_CLOCKS{1'b0}} : {valid_q[PICK_CLOCKS-2:0], s_valid};
    assign m_valid = valid_q[PICK_CLOCKS-1];

    // Stage 1: what is multiplied.
    reg [VALUE_WIDTH-1:0] whole_s1;
    reg [DRAW_WIDTH:0]    part_s1;
    always @(posedge clk) begin
        whole_s1 <= s_exact ? s_value : {{(VALUE_WIDTH-SUM_WIDTH){1'b0}}, total};
        part_s1  <= s_exact ? {1'b1, {DRAW_WIDTH{1'b0}}} : {1'b0, s_draw};
    end

    // To stage LATE: the target.
    wire [VALUE_WIDTH+DRAW_WIDTH:0] product;
    rlc_umul #(.A_WIDTH(VALUE_WIDTH), .B_WIDTH(DRAW_WIDTH + 1), .C_REG(C_REG)) u_target (
        .clk(clk), .a(whole_s1), .b(part_s1), .p(product)
    );
    wire [VALUE_WIDTH-1:0] target = product[DRAW_WIDTH +: VALUE_WIDTH];

    // Stage LATE + 1: which prefix sums are above it. They never fall, so the ones are the upper banks.
    reg  [BANKS-1:0]       above_q;
    reg  [VALUE_WIDTH-1:0] target_q;
    genvar b;
    for (b = 0; b < BANKS; b = b + 1) begin : g_above
        wire [VALUE_WIDTH-1:0] sum = {{(VALUE_WIDTH-SUM_WIDTH){1'b0}}, sums_late[b*SUM_WIDTH +: SUM_WIDTH]};
        always @(posedge clk) above_q[b] <= sum > target;
    end
    always @(posedge clk) target_q <= target;

    // Stage LATE + 2: the lowest of them, and the sum of the banks before it.
    wire [BANKS-1:0]       first = above_q & ~(above_q << 1);
    reg  [BANK_BITS-1:0]   bank_d, bank_q;
    reg  [SUM_WIDTH-1:0]   before_d, before_q;
    reg                    found_q;
    reg  [VALUE_WIDTH-1:0] target_later_q;
    integer i;
    always @* begin
        bank_d   = {BANK_BITS{1'b0}};
        before_d = {SUM_WIDTH{1'b0}};
        for (i = 1; i < BANKS; i = i + 1) begin
            bank_d   = bank_d | (i[BANK_BITS-1:0] & {BANK_BITS{first[i]}});
            before_d = before_d | (sums_later[(i-1)*SUM_WIDTH +: SUM_WIDTH] & {SUM_WIDTH{first[i]}});
        end
    end
    always @(posedge clk) begin
        bank_q         <= bank_d;
        before_q       <= before_d;
        found_q        <= above_q[BANKS-1];
        target_later_q <= target_q;
    end

    // Stage LATE + 3: the target inside the bank.
    wire [VALUE_WIDTH-1:0] rest = target_later_q - {{(VALUE_WIDTH-SUM_WIDTH){1'b0}}, before_q};
    always @(posedge clk) begin
        m_bank  <= cfg_private ? BANK : bank_q;
        m_value <= cfg_private ? target_later_q[LOCAL_WIDTH-1:0]
                      : found_q     ? rest[LOCAL_WIDTH-1:0] : {LOCAL_WIDTH{1'b1}};
    end

    // The rest is below a bank's total, the product below the total times 2^U.
    wire unused = &{1'b0, product, rest, sums_later};
endmodule
`default_nettype wire
