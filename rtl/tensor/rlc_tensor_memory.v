// rlc_tensor_memory.v — keeps matrices of samples x features and gives them by rows or by columns, a word a clock.
// SPDX-License-Identifier: Apache-2.0
//
// A block is SIDE samples x SIDE features. A word is BLOCKS blocks: down the samples in a row word, along the features in a
// column word. A tile is SPAN x SPAN numbers, SPAN = BLOCKS * SIDE, and takes BLOCKS addresses of BLOCKS groups:
//
//            feature block   0     1     2     3          block (p, f) lies in group (p + f) mod BLOCKS, address f.
//   sample block 0         g0a0  g1a1  g2a2  g3a3         So the blocks of a row word (one f, every p) lie in all groups,
//                1         g1a0  g2a1  g3a2  g0a3         and so do those of a column word (one p, every f).
//                2         g2a0  g3a1  g0a2  g1a3
//                3         g3a0  g0a1  g1a2  g2a3
//
// rd_*         a word of a tile: rd_col 0: its features block rd_index, all samples; 1: its samples block rd_index, all features
// rd_data      3 clocks later, element t * SIDE + c: t is what the array streams over, c what it contracts. In a row word t is
//              the sample of SPAN and c the feature of SIDE; in a column word t is the feature of SPAN, c the sample of SIDE
// wr_*         a row word, of which wr_en takes samples (a bit each)
// el_*         numbers of one feature: of a tile and a block of samples, those of el_en; not in a clock of wr_*
// collision    a read that meets a write of its own word is undefined
// reset        none: undefined until written
`default_nettype none
`include "rlc_check.vh"
module rlc_tensor_memory #(
    parameter WIDTH  = 18, // bits of a number
    parameter SIDE   = 8,  // samples, and features, of a block: a power of two
    parameter BLOCKS = 4,  // blocks of a word: a power of two
    parameter TILES  = 64, // tiles
    parameter STYLE  = 0,  // of the memory, RLC_STYLE
    // Derived; leave them alone.
    parameter SPAN      = SIDE * BLOCKS,
    parameter TILE_BITS = (TILES > 1) ? $clog2(TILES) : 1, // of a tile
    parameter K_BITS    = (BLOCKS > 1) ? $clog2(BLOCKS) : 1, // of a block within a word
    parameter AT_BITS   = (SPAN > 1) ? $clog2(SPAN) : 1 // of a place within a tile
) (
    input  wire                       clk,
    input  wire                       rd_en,
    input  wire                       rd_col,
    input  wire [TILE_BITS-1:0]       rd_tile,
    input  wire [K_BITS-1:0]          rd_index,
    output reg  [SPAN*SIDE*WIDTH-1:0] rd_data,

    input  wire [SPAN-1:0]            wr_en,
    input  wire [TILE_BITS-1:0]       wr_tile,
    input  wire [K_BITS-1:0]          wr_index,
    input  wire [SPAN*SIDE*WIDTH-1:0] wr_data,

    input  wire [SIDE-1:0]            el_en,
    input  wire [TILE_BITS-1:0]       el_tile,
    input  wire [K_BITS-1:0]          el_block,
    input  wire [AT_BITS-1:0]         el_feature,
    input  wire [SIDE*WIDTH-1:0]      el_data
);
    `RLC_CHECK(WIDTH >= 1 && TILES >= 1, rlc_tensor_memory_illegal_WIDTH_and_TILES_must_be_at_least_1)
    `RLC_CHECK(SIDE >= 1 && BLOCKS >= 1 && (SIDE & (SIDE - 1)) == 0 && (BLOCKS & (BLOCKS - 1)) == 0,
               rlc_tensor_memory_illegal_SIDE_and_BLOCKS_must_be_powers_of_two)

    localparam BLOCK     = SIDE * SIDE;           // numbers of a block
    localparam ADDR_BITS = (BLOCKS > 1) ? TILE_BITS + K_BITS : TILE_BITS;
    localparam [K_BITS-1:0] NONE = {K_BITS{1'b0}};

    // What the word was, beside its way through the memory.
    wire              col_s2;
    wire [K_BITS-1:0] index_s2;
    rlc_delay #(.WIDTH(K_BITS + 1), .CLOCKS(2)) u_asked (.clk(clk), .d({rd_col, rd_index}), .q({col_s2, index_s2}));

    wire              el_any = |el_en;
    wire [K_BITS-1:0] el_f;                       // block of the feature
    if (BLOCKS > 1) begin : g_split
        assign el_f = el_feature[AT_BITS-1 -: K_BITS];
    end else begin : g_one
        assign el_f = NONE;
    end

    genvar g;
    genvar p;
    genvar s;
    genvar f;
    for (g = 0; g < BLOCKS; g = g + 1) begin : g_group
        localparam [31:0] OWN = g;

        // A row word's block of this group is OWN - index; a column word's feature block, which is its address, too.
        wire [K_BITS-1:0]  rd_f  = (BLOCKS == 1) ? NONE : rd_col ? OWN[K_BITS-1:0] - rd_index : rd_index;
        wire [K_BITS-1:0]  wr_p  = (BLOCKS == 1) ? NONE : OWN[K_BITS-1:0] - wr_index;
        wire               mine  = BLOCKS == 1 || el_block + el_f == OWN[K_BITS-1:0];
        wire [K_BITS-1:0]  to_f  = el_any ? el_f : wr_index;
        wire [TILE_BITS-1:0] to_tile = el_any ? el_tile : wr_tile;
        wire [TILE_BITS+K_BITS-1:0] rd_addr = {rd_tile, rd_f};
        wire [TILE_BITS+K_BITS-1:0] wr_addr = {to_tile, to_f};
        wire                        unused  = &{1'b0, rd_addr, wr_addr};  // with one block the low bit says nothing
        wire [BLOCK-1:0]       en;
        wire [BLOCK*WIDTH-1:0] block_in, word_in, block_s2;
        wire [SIDE-1:0]        samples;               // of this block are written
        rlc_tensor_pick #(.WIDTH(BLOCK * WIDTH), .COUNT(BLOCKS)) u_in (.words(wr_data), .index(wr_p), .word(word_in));
        rlc_tensor_pick #(.WIDTH(SIDE), .COUNT(BLOCKS)) u_samples (.words(wr_en), .index(wr_p), .word(samples));
        for (s = 0; s < SIDE; s = s + 1) begin : g_sample
            for (f = 0; f < SIDE; f = f + 1) begin : g_feature
                wire here = {{(32-AT_BITS){1'b0}}, el_feature} % SIDE == f;
                assign en[s*SIDE+f] = el_any ? mine && here && el_en[s] : samples[s];
                assign block_in[(s*SIDE+f)*WIDTH +: WIDTH] = el_any ? el_data[s*WIDTH +: WIDTH]
                                                                    : word_in[(s*SIDE+f)*WIDTH +: WIDTH];
            end
        end
        rlc_ram_1r1w_lane #(
            .LANES(BLOCK), .LANE_WIDTH(WIDTH), .DEPTH((BLOCKS > 1) ? (1 << TILE_BITS) * BLOCKS : 1 << TILE_BITS), .READ_LATENCY(2),
            .READ_ANY(1), .STYLE(`RLC_STYLE(STYLE))
        ) u_ram (
            .clk(clk), .wr_en(en), .wr_addr(wr_addr[TILE_BITS+K_BITS-1 -: ADDR_BITS]), .wr_data(block_in),
            .rd_en(rd_en), .rd_addr(rd_addr[TILE_BITS+K_BITS-1 -: ADDR_BITS]), .rd_data(block_s2)
        );
    end

    // Stage 3: the groups in order, each block turned as the word wants it.
    for (p = 0; p < BLOCKS; p = p + 1) begin : g_place
        localparam [31:0] OWN = p;
        wire [K_BITS-1:0] group = (BLOCKS == 1) ? NONE : OWN[K_BITS-1:0] + index_s2;
        wire [BLOCKS*BLOCK*WIDTH-1:0] every;
        wire [BLOCK*WIDTH-1:0]        block;
        for (g = 0; g < BLOCKS; g = g + 1) begin : g_from
            assign every[g*BLOCK*WIDTH +: BLOCK*WIDTH] = g_group[g].block_s2;
        end
        rlc_tensor_pick #(.WIDTH(BLOCK * WIDTH), .COUNT(BLOCKS)) u_block (.words(every), .index(group), .word(block));
        for (s = 0; s < SIDE; s = s + 1) begin : g_t
            for (f = 0; f < SIDE; f = f + 1) begin : g_c
                always @(posedge clk)
                    rd_data[((p*SIDE+s)*SIDE+f)*WIDTH +: WIDTH] <= col_s2 ? block[(f*SIDE+s)*WIDTH +: WIDTH]
                                                                          : block[(s*SIDE+f)*WIDTH +: WIDTH];
            end
        end
    end
endmodule
`default_nettype wire
