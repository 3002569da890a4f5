// rlc_tensor_narrow.v — sums that are complete become numbers: rectified, rounded, masked, saturated; and what they were like.
// SPDX-License-Identifier: Apache-2.0
//
// s_valid      a word of sums, element t * SIDE + r, for t = SPAN those of biases, which count with s_extra
// s_rows, s_words   how many r and t count; the others become 0
// s_relu       sums below 0 become 0
// s_shift      fraction bits to drop
// s_wide       results have WIDE bits, else NARROW; s_symmetric: they reach as far down as up
// s_masks      s_mask, 3 clocks later, says element by element what is kept
// s_ends       the last word of what is told together; s_begins: the first word
// m_*          results in WIDE bits with their sign, 4 clocks later
// m_told       a pulse after s_ends, with its s_id as m_id: m_saturated numbers were saturated (or, s_symmetric, cannot be squared in 18 bits), m_acc_overflow sums
//              had 2^(ACC_WIDTH-2) or more, and m_peak is the OR of all magnitudes
`default_nettype none
module rlc_tensor_narrow #(
    parameter SIDE      = 8, // rows and columns of a block of weights: a power of two
    parameter SPAN      = 32, // vectors side by side
    parameter ACC_WIDTH = 48, // bits of a sum
    parameter NARROW    = 18, // bits of a narrow result
    parameter WIDE      = 27, // bits of a wide result
    // Derived; leave it alone.
    parameter ALL = SIDE * (SPAN + 1)
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     s_valid,
    input  wire [ALL*ACC_WIDTH-1:0] s_data,
    input  wire [6:0]               s_rows,
    input  wire [6:0]               s_words,
    input  wire                     s_extra,
    input  wire                     s_relu,
    input  wire [5:0]               s_shift,
    input  wire                     s_wide,
    input  wire                     s_symmetric,
    input  wire                     s_masks,
    input  wire [SIDE*SPAN-1:0]     s_mask,
    input  wire                     s_begins,
    input  wire                     s_ends,
    input  wire [5:0]               s_id,
    output wire                     m_valid,
    output wire [ALL*WIDE-1:0]      m_data,
    output wire                     m_told,
    output wire [5:0]               m_id,
    output reg  [31:0]              m_saturated,
    output reg  [31:0]              m_acc_overflow,
    output reg  [WIDE-1:0]          m_peak
);
    localparam COUNT_WIDTH = $clog2(ALL + 1);
    localparam COUNTS      = 1 + (((ALL + 5) / 6 > 1) ? $clog2((ALL + 5) / 6) : 0);   // clocks of rlc_popcount
    localparam TELL        = 5 + COUNTS;                                              // from s_* to the counts of a word

    // The setting of a word, beside its sums.
    wire [6:0] rows_s3, words_s3;
    wire       wide_s3, symmetric_s3, masks_s3, valid_s3, extra_s3;
    wire [1:0] shift_low_s1;
    reg  [1:0] low_q;
    always @(posedge clk) low_q <= s_shift[1:0];
    assign shift_low_s1 = low_q;
    rlc_delay #(.WIDTH(18), .CLOCKS(3)) u_setting (
        .clk(clk), .d({s_rows, s_words, s_extra, s_wide, s_symmetric, s_masks}),
        .q({rows_s3, words_s3, extra_s3, wide_s3, symmetric_s3, masks_s3})
    );
    reg [TELL:1] valid_q, begins_q, ends_q;
    always @(posedge clk) begin
        valid_q  <= rst ? {TELL{1'b0}} : {valid_q[TELL-1:1], s_valid};
        begins_q <= {begins_q[TELL-1:1], s_begins && s_valid};
        ends_q   <= rst ? {TELL{1'b0}} : {ends_q[TELL-1:1], s_ends && s_valid};
    end
    assign valid_s3 = valid_q[3];
    assign m_valid  = valid_q[4];

    // Bounds, said once for all elements.
    localparam [WIDE-1:0] TOP    = (1 << (NARROW - 1)) - 1;             // of a narrow result
    localparam [WIDE-1:0] BOTTOM = ~TOP;
    localparam [WIDE-1:0] LEAST  = {1'b1, {(WIDE-2){1'b0}}, 1'b1};      // of a symmetric one
    localparam [WIDE-1:0] SQUARE = (1 << (WIDE - 1)) - 1 - 255;         // from here on a square is saturated

    wire [ALL-1:0]      acc_overflow, saturated;
    wire [ALL*WIDE-1:0] size;
    genvar e;
    for (e = 0; e < ALL; e = e + 1) begin : g_element
        localparam [31:0] R = e % SIDE;
        localparam [31:0] T = e / SIDE;
        localparam IS_BIAS = e >= SIDE * SPAN;
        wire [ACC_WIDTH-1:0]    sum = s_data[e*ACC_WIDTH +: ACC_WIDTH];
        wire                    on  = R[6:0] < s_rows && (IS_BIAS ? s_extra : T[6:0] < s_words);
        wire signed [WIDE-1:0]  x_s3;
        wire                    cut_s3;
        reg                     acc_overflow_q;
        rlc_shift_sat #(.WIN(ACC_WIDTH), .WOUT(WIDE)) u_shift (
            .clk(clk), .s_data(sum & {ACC_WIDTH{on && !(s_relu && sum[ACC_WIDTH-1])}}), .shift({s_shift[5:2], shift_low_s1}),
            .m_data(x_s3), .m_saturated(cut_s3)
        );
        always @(posedge clk) acc_overflow_q <= s_valid && on && sum[ACC_WIDTH-1] != sum[ACC_WIDTH-2];
        assign acc_overflow[e] = acc_overflow_q;

        wire masked;
        if (!IS_BIAS) begin : g_mask
            assign masked = !s_mask[e];
        end else begin : g_bias
            assign masked = 1'b0;
        end

        // Stage 4: the limit of the kind, and the mask. What is masked was not saturated.
        wire over  = x_s3 > $signed(TOP);
        wire under = x_s3 < $signed(BOTTOM);
        wire least = x_s3 == {1'b1, {(WIDE-1){1'b0}}};
        wire kept  = R[6:0] < rows_s3 && (IS_BIAS ? extra_s3 : T[6:0] < words_s3) && !(masks_s3 && masked);
        reg signed [WIDE-1:0] x_d;
        always @* begin
            x_d = x_s3;
            if (!wide_s3 && over) x_d = TOP;
            if (!wide_s3 && under) x_d = BOTTOM;
            if (symmetric_s3 && least) x_d = LEAST;
            if (!kept) x_d = {WIDE{1'b0}};
        end
        reg signed [WIDE-1:0] x_q;
        reg                   saturated_q;
        reg [WIDE-1:0]        size_q;
        always @(posedge clk) begin
            x_q         <= x_d;
            saturated_q <= valid_s3 && kept && (symmetric_s3 ? x_s3 >= $signed(SQUARE) || x_s3 <= -$signed(SQUARE) - 1
                                                           : cut_s3 || (!wide_s3 && (over || under)));
            size_q    <= (x_q[WIDE-1] ? -x_q : x_q) & {WIDE{m_valid}};
        end
        assign m_data[e*WIDE +: WIDE] = x_q;
        assign saturated[e]           = saturated_q;
        assign size[e*WIDE +: WIDE]   = size_q;
    end

    // What is told: counts and magnitudes of a word, TELL clocks after it.
    wire [COUNT_WIDTH-1:0] saturated_n, acc_overflow_n;
    wire [COUNT_WIDTH-1:0] saturated_wait, acc_overflow_wait;
    rlc_popcount #(.WIDTH(ALL)) u_saturated (.clk(clk), .rst(rst), .d(saturated), .count(saturated_n));
    rlc_popcount #(.WIDTH(ALL)) u_acc_overflow (.clk(clk), .rst(rst), .d(acc_overflow), .count(acc_overflow_n));
    rlc_delay #(.WIDTH(COUNT_WIDTH), .CLOCKS(1)) u_saturated_wait (.clk(clk), .d(saturated_n), .q(saturated_wait));
    rlc_delay #(.WIDTH(COUNT_WIDTH), .CLOCKS(4)) u_acc_overflow_wait (.clk(clk), .d(acc_overflow_n), .q(acc_overflow_wait));
    reg     [WIDE-1:0] any_d, any_q;
    wire    [WIDE-1:0] any;
    integer k;
    always @* begin
        any_d = {WIDE{1'b0}};
        for (k = 0; k < ALL; k = k + 1) any_d = any_d | size[k*WIDE +: WIDE];
    end
    always @(posedge clk) any_q <= any_d;
    rlc_delay #(.WIDTH(WIDE), .CLOCKS(COUNTS - 1)) u_any (.clk(clk), .d(any_q), .q(any));

    reg told_q;
    always @(posedge clk) begin
        told_q <= ends_q[TELL] && !rst;
        if (valid_q[TELL]) begin
            m_saturated    <= (begins_q[TELL] ? 32'd0 : m_saturated) + {{(32-COUNT_WIDTH){1'b0}}, saturated_wait};
            m_acc_overflow <= (begins_q[TELL] ? 32'd0 : m_acc_overflow) + {{(32-COUNT_WIDTH){1'b0}}, acc_overflow_wait};
            m_peak         <= (begins_q[TELL] ? {WIDE{1'b0}} : m_peak) | any;
        end
    end
    assign m_told = told_q;
    rlc_delay #(.WIDTH(6), .CLOCKS(TELL + 1)) u_id (.clk(clk), .d(s_id), .q(m_id));
endmodule
`default_nettype wire
