// rlc_gae_arith.v — multiply, divide, square root and normalise, bit by bit on one adder.
// SPDX-License-Identifier: Apache-2.0
//
// The pair {a, b} is the working register, m the operand: MULTIPLY and DIVIDE read m, ROOT builds it.
//   start      takes op and steps; with load_ab, {a, b} are taken too, with load_m, m; not while busy
//   MULTIPLY   `steps` bits of b, the low one first: {a, b} becomes (a + b*m) << (88 - steps), where b has only
//              those bits. With m = 0 it shifts {a, b} right; sticky collects what falls out. With m != 0 it
//              needs load_ab.
//   DIVIDE     a is below m, m has at most 48 bits: the upper `steps` bits of b enter a, the quotient enters b from
//              below; a ends as the remainder. Dividing 0 by 0 gives all ones.
//   ROOT       the root of the number whose top is b's top, two bits a step; m must start at 0 and becomes the root
//   NORMALISE1 shifts {a, b} left, at most `steps`, until bit 127 is set; `shifts` counts
//   NORMALISE2 as above by two bits, until bit 127 or 126 is set
//   SUBTRACT   {a, b} less what save kept, 128 bits, with steps = 3
//   save       keeps {a, b} >> 24, 128 bits, for SUBTRACT and saved_top
// busy         until the step after the last; results are stable when it is low
// latency      1 + 2*steps clocks, NORMALISE and SUBTRACT 1 + steps; steps is at least 1
`default_nettype none
module rlc_gae_arith (
    input  wire         clk,
    input  wire         rst,
    input  wire         start,
    input  wire [2:0]   op,
    input  wire [6:0]   steps,
    input  wire         load_ab,
    input  wire         load_m,
    input  wire [46:0]  a_in,
    input  wire [87:0]  b_in,
    input  wire [63:0]  m_in,
    input  wire         save,
    output wire         busy,
    output wire [152:0] value,      // {a, b}
    output wire [31:0]  root,
    output wire [47:0]  saved_top,  // the upper bits of the saved `value`
    output wire         sticky,     // a right shift dropped a 1, or a division leaves a remainder
    output wire         normal,     // NORMALISE found its bit
    output wire [5:0]   shifts
);
    localparam [2:0] MULTIPLY   = 3'd0;
    localparam [2:0] DIVIDE     = 3'd1;
    localparam [2:0] ROOT       = 3'd2;
    localparam [2:0] NORMALISE1 = 3'd3;
    localparam [2:0] NORMALISE2 = 3'd4;

    // The operation, one bit each; none of them is SUBTRACT.
    reg         multiply_q;
    reg         divide_q;
    reg         root_q;
    reg         shift1_q;
    reg         shift2_q;
    reg [6:0]   left_q;    // steps
    reg         busy_q;    // steps are left; left_q runs on
    reg [64:0]  a_q;
    reg [87:0]  b_q;
    reg [63:0]  m_q;
    reg [127:0] saved_q;
    reg         sticky_q;
    reg [5:0]   shifts_q;

    assign busy      = busy_q;
    assign value     = {a_q, b_q};
    assign root      = ~m_q[31:0];
    assign saved_top = saved_q[103:56];
    assign sticky    = sticky_q || (divide_q && a_q != 65'd0);
    assign normal    = a_q[39] || (shift2_q && a_q[38]);
    assign shifts    = shifts_q;

    // The adder: a + m for a bit of the product, or a shifted left less a trial value, which is m or {root, 01}. It
    // is what the clock waits for: hence m_q holds the complement of what is subtracted.
    reg         adds_q;    // m as it is: always a divisor, a factor where the next bit of b is set
    wire [65:0] left      = divide_q ? {1'b0, a_q[63:0], b_q[87]}
                          : root_q   ? {1'b0, a_q[62:0], b_q[87:86]} : {1'b0, a_q};
    wire [65:0] right     = ({{2{divide_q}}, m_q} & {66{adds_q}}) | ({m_q, 2'b10} & {66{root_q}});
    wire [65:0] total     = left + right + {65'd0, !multiply_q};
    // A step takes the sum in one clock and uses it in the next.
    wire        two_clocks = multiply_q || divide_q || root_q;
    reg         second_q;
    reg  [65:0] total_q;
    always @(posedge clk) begin
        second_q <= two_clocks && busy_q && !second_q;
        total_q  <= total;
    end
    wire        step_ends = second_q || !two_clocks;
    wire        subtracts = !total_q[49];  // a divisor has 48 bits, a remainder fewer than 50

    // The difference runs along, its upper half a clock behind the lower one.
    reg  [64:0] low_q;
    reg  [63:0] high_q;
    always @(posedge clk) begin
        low_q  <= {1'b0, b_q[63:0]} - {1'b0, saved_q[63:0]};
        high_q <= {a_q[39:0], b_q[87:64]} - saved_q[127:64] - {63'd0, low_q[64]};
    end

    always @(posedge clk) begin
        if (start) begin
            multiply_q <= op == MULTIPLY;
            divide_q   <= op == DIVIDE;
            root_q     <= op == ROOT;
            shift1_q   <= op == NORMALISE1;
            shift2_q   <= op == NORMALISE2;
            adds_q     <= op == DIVIDE || (op == MULTIPLY && b_in[0]);
            shifts_q   <= 6'd0;
            if (load_ab) begin
                a_q <= {18'd0, a_in};
                b_q <= b_in;
            end
            if (load_m) m_q <= m_in ^ {64{op == DIVIDE || op == ROOT}};
            // A division after a right shift keeps what the shift dropped.
            if (load_ab || op == MULTIPLY) sticky_q <= 1'b0;
        end else if (second_q) begin
            if (multiply_q) begin
                {a_q, b_q} <= {total_q, b_q[87:1]};
                adds_q     <= b_q[1];
                sticky_q   <= sticky_q || b_q[0];
            end else begin
                a_q <= subtracts ? total_q[64:0] : left[64:0];
                b_q <= root_q ? {b_q[85:0], 2'b00} : {b_q[86:0], subtracts};
                if (root_q) m_q <= {m_q[62:0], !subtracts};
            end
        end else if (busy_q && !two_clocks) begin
            if (shift1_q || shift2_q) begin
                if (!normal) begin
                    {a_q, b_q} <= shift2_q ? {a_q[62:0], b_q, 2'b00} : {a_q[63:0], b_q, 1'b0};
                    shifts_q   <= shifts_q + 6'd1;
                end
            end else if (left_q == 7'd1) {a_q[39:0], b_q} <= {high_q, low_q[63:0]};
        end
        if (save) saved_q <= {a_q[63:0], b_q[87:24]};
    end

    wire found = normal && (shift1_q || shift2_q);
    always @(posedge clk) begin
        if (start) left_q <= steps;
        else if (step_ends) left_q <= left_q - 7'd1;
        if (rst)        busy_q <= 1'b0;
        else if (start) busy_q <= 1'b1;
        else if (found || (left_q == 7'd1 && step_ends)) busy_q <= 1'b0;
    end
endmodule
`default_nettype wire
