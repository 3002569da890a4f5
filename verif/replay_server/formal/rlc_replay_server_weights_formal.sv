// rlc_replay_server_weights_formal.sv — a set of weights is published whole or not at all, and nothing that is held is overwritten.
// SPDX-License-Identifier: Apache-2.0
//
// For any chunks, in any order and as often as you like, of sets of up to three chunks: when a version is published, all of its
// chunks have come since it began; versions rise; what comes has an area of its own.
`default_nettype none
module rlc_replay_server_weights_formal (
    input wire        clk,
    input wire        rst,
    input wire        go,
    input wire        any_put,
    input wire [63:0] any_version,
    input wire [31:0] any_total,
    input wire [1:0]  any_chunk
);
    wire        done;
    wire [3:0]  status;
    wire [12:0] words;
    wire [1:0]  area;
    wire [63:0] held_version, published;
    wire [31:0] held_total;

    // One request after the other; its fields stand.
    reg         asks = 1'b0, put = 1'b0;
    reg  [63:0] version = 64'd1;
    reg  [31:0] total = 32'd1;
    reg  [1:0]  chunk = 2'd0;
    wire [31:0] offset = {27'd0, chunk, 3'd0};
    wire        begins = go && done && !asks && !rst;
    always @* if (any_put) assume (any_version != 64'd0 && any_total <= 32'd24 && {27'd0, any_chunk, 3'd0} < any_total);
    always @(posedge clk) begin
        asks <= begins;
        if (begins) {put, version, total, chunk} <= {any_put, any_version, any_total, any_chunk};
    end
    rlc_replay_server_weights #(.WEIGHTS_MAX(24), .CHUNK(8)) dut (.*);
    (* hierconn *) wire [3:0]  \dut.at_q ;
    (* hierconn *) wire        \dut.comes_q ;
    (* hierconn *) wire [1:0]  \dut.sets_q ;
    (* hierconn *) wire [63:0] \dut.coming_q ;
    (* hierconn *) wire [63:0] \dut.newest_q ;
    (* hierconn *) wire [31:0] \dut.total_q ;
    (* hierconn *) wire [31:0] \dut.came_q ;
    (* hierconn *) wire [31:0] \dut.bytes_q ;
    (* hierconn *) wire [32:0] \dut.remaining_q ;
    (* hierconn *) wire        \dut.newer_q ;
    (* hierconn *) wire        \dut.above_q ;
    (* hierconn *) wire        \dut.equal_q ;
    (* hierconn *) wire        \dut.resized_q ;
    (* hierconn *) wire        \dut.fresh_q ;
    (* hierconn *) wire        \dut.ends ;
    (* hierconn *) wire [1:0]  \dut.newest_area_q ;
    (* hierconn *) wire [1:0]  \dut.before_area_q ;
    (* hierconn *) wire [31:0] \dut.u_marks.word ;
    wire [3:0] at = \dut.at_q ;
    localparam [3:0] COMPARE = 4'd0, FIND = 4'd1, SIZE = 4'd2, CUT = 4'd3, CLEAR = 4'd4, READ = 4'd5, MARK = 4'd6, PUBLISH = 4'd7,
                     DONE = 4'd8;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    // The chunks of the coming set that have come since it began.
    reg [2:0] came = 3'd0;
    always @(posedge clk)
        if (at == CLEAR)     came <= 3'd0;
        else if (at == MARK) came <= came | (3'd1 << chunk);
    function [31:0] bytes(input [31:0] from, input [31:0] of);
        bytes = (from >= of) ? 32'd0 : (of - from >= 32'd8) ? 32'd8 : of - from;
    endfunction
    wire [31:0] t    = \dut.total_q ;
    wire [31:0] some = (came[0] ? bytes(0, t) : 0) + (came[1] ? bytes(8, t) : 0) + (came[2] ? bytes(16, t) : 0);
    wire        coming = \dut.comes_q ;
    wire        storing = at == READ || at == MARK || at == PUBLISH;

    reg  [63:0] published_1;
    reg  [1:0]  area_1;
    reg         ends_1 = 1'b0, rst_1 = 1'b1;
    always @(posedge clk) begin
        rst_1       <= rst;
        ends_1      <= \dut.ends ;
        published_1 <= published;
        if (past && !rst_1) assert (published == published_1 || (ends_1 && published > published_1));
    end
    always @* if (past) begin
        assert (at <= DONE && (!asks || at == DONE));
        assert (\dut.newest_area_q != 2'd3 && \dut.before_area_q != 2'd3 && \dut.newest_area_q != \dut.before_area_q );
        if (put) assert (version != 64'd0 && total <= 32'd24 && offset < total);
        // What comes is above what is published; its chunks are marked, and counted once.
        if (coming) begin
            assert (\dut.coming_q > \dut.newest_q && t != 32'd0 && t <= 32'd24);
            assert (\dut.u_marks.word == {29'd0, came} && \dut.came_q == some);
        end
        // Where a request stands.
        if (at != DONE && at != COMPARE && at != FIND && put) assert (held_total == total);
        if (at == FIND) begin
            assert (\dut.newer_q == (version > \dut.newest_q ) && \dut.above_q == (version > \dut.coming_q ));
            assert (\dut.equal_q == (version == \dut.coming_q ) && \dut.resized_q == (total != t));
        end
        if (at == CUT && put) assert (\dut.remaining_q == {1'b0, total - offset});
        if ((at == SIZE || at == CUT) && put && status == 4'd0)
            assert (version > \dut.newest_q && (\dut.fresh_q || (coming && \dut.coming_q == version && t == total)));
        if (at == CLEAR) assert (put && version > \dut.newest_q );
        if (at == CLEAR || storing) assert (put && \dut.bytes_q == bytes(offset, total) && area != \dut.newest_area_q
                                            && area != \dut.before_area_q && area != 2'd3);
        if ((at == SIZE || at == CUT) && put) assert (area != \dut.newest_area_q && area != \dut.before_area_q && area != 2'd3);
        if (storing) assert (coming && \dut.coming_q == version && t == total);
        // The promise: all of it is there.
        if (\dut.ends ) assert (came[0] && (came[1] || t <= 32'd8) && (came[2] || t <= 32'd16));
    end
    always @(posedge clk) begin
        cover (past && !rst && ends_1 && \dut.sets_q == 2'd1 && came == 3'd3);
        cover (past && !rst && done && !put && status == 4'd2 && published != 64'd0);
    end
endmodule

// A RAM of one word; the real one has its own proofs.
module rlc_ram_1r1w #(
    parameter WIDTH = 8, parameter DEPTH = 16, parameter READ_ANY = 0
) (
    input  wire             clk,
    input  wire             wr_en,
    input  wire             wr_addr,
    input  wire [WIDTH-1:0] wr_data,
    input  wire             rd_en,
    input  wire             rd_addr,
    output reg  [WIDTH-1:0] rd_data
);
    reg [WIDTH-1:0] word;
    always @(posedge clk) begin
        if (wr_en) word <= wr_data;
        if (rd_en) rd_data <= word;
    end
    wire unused = &{1'b0, wr_addr, rd_addr};
endmodule
`default_nettype wire
