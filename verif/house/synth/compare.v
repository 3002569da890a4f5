// compare.v — drives rlc_mac as written (gold) and as mapped (gate) with the same random numbers and extremes.
// SPDX-License-Identifier: Apache-2.0
//
// Test side only, for yosys: `differ` is high in the clock in which they differ.
module compare (
    input  clk,
    output differ
);
    localparam A = `A_BITS;
    localparam B = `B_BITS;
    localparam C = `C_BITS;
    localparam P = `P_BITS;
    localparam ACC = `ACC_USED;

    // xorshift64, three words of it for one set of inputs.
    function [63:0] step(input [63:0] x);
        reg [63:0] y;
        begin
            y = x ^ (x << 13);
            y = y ^ (y >> 7);
            step = y ^ (y << 17);
        end
    endfunction

    reg [63:0] state = 64'h`SEED;
    reg [7:0]  filled = 8'd0;
    wire [63:0] first = step(state), second = step(first), third = step(second);
    always @(posedge clk) begin
        state  <= third;
        filled <= {filled[6:0], 1'b1};
    end

    // One in eight operands is the most negative one, one in eight is -1.
    wire signed [A-1:0] a = (first[63:61] == 0) ? {1'b1, {(A-1){1'b0}}} : (first[63:61] == 1) ? {A{1'b1}} : first[A-1:0];
    wire signed [B-1:0] b = (second[63:61] == 0) ? {1'b1, {(B-1){1'b0}}} : (second[63:61] == 1) ? {B{1'b1}} : second[B-1:0];
    wire signed [C-1:0] c = third[C-1:0];
    wire m_clear = (first[60:58] == 0);
    wire c_clear = (second[60:58] == 0);
    wire acc     = third[60];

    wire signed [P-1:0] gold_p, gate_p;
    gold u_gold (.clk(clk), .a(a), .b(b), .c(c), .m_clear(m_clear), .c_clear(c_clear), .acc(acc), .p(gold_p));
    gate u_gate (.clk(clk), .a(a), .b(b), .c(c), .m_clear(m_clear), .c_clear(c_clear), .acc(acc), .p(gate_p));
    // With the accumulator p is known from its first sum of known operands alone.
    reg known = 1'b0;
    always @(posedge clk) known <= known || (filled[3] && (ACC == 0 || !acc));
    assign differ = known && gold_p != gate_p;
endmodule
