// rlc_sumtree_recent.v — the priority of a leaf whose update is still on its way to the leaf memory.
//
// INDEX_WIDTH     bits of an index
// VALUE_WIDTH     bits of a priority
// WINDOW          updates on the way, >= 1; entry d entered d clocks before the one that asks
//
// index           of the operation that asks; valid_at, index_at: of the updates before it, entry d at d-1
// value_at     priorities of the same entries, two clocks later than index_at
// hit, value      the youngest update of that index, 3 clocks after `index`
`default_nettype none
module rlc_sumtree_recent #(
    parameter INDEX_WIDTH    = 12,
    parameter VALUE_WIDTH = 18,
    parameter WINDOW         = 20
) (
    input  wire                             clk,
    input  wire [INDEX_WIDTH-1:0]           index,
    input  wire [WINDOW-1:0]                valid_at,
    input  wire [WINDOW*INDEX_WIDTH-1:0]    index_at,
    input  wire [WINDOW*VALUE_WIDTH-1:0] value_at,
    output wire                             hit,
    output wire [VALUE_WIDTH-1:0]        value
);
    // Clock 0: compare with all of them.
    reg [WINDOW-1:0] match_s1;
    genvar d;
    generate
        for (d = 0; d < WINDOW; d = d + 1) begin : g_match
            always @(posedge clk) match_s1[d] <= valid_at[d] && index_at[d*INDEX_WIDTH +: INDEX_WIDTH] == index;
        end
    endgenerate

    // Clock 1: the youngest is the lowest bit that is set.
    reg [WINDOW-1:0] first_s2;
    always @(posedge clk) first_s2 <= match_s1 & ~(match_s1 - 1'b1);

    // Clock 2: its priority.
    reg [VALUE_WIDTH-1:0] value_d;
    integer k;
    always @* begin
        value_d = {VALUE_WIDTH{1'b0}};
        for (k = 0; k < WINDOW; k = k + 1)
            value_d = value_d | ({VALUE_WIDTH{first_s2[k]}} & value_at[k*VALUE_WIDTH +: VALUE_WIDTH]);
    end
    reg                      hit_s3;
    reg [VALUE_WIDTH-1:0] value_s3;
    always @(posedge clk) begin
        hit_s3      <= |first_s2;
        value_s3 <= value_d;
    end
    assign hit      = hit_s3;
    assign value = value_s3;
endmodule
`default_nettype wire
