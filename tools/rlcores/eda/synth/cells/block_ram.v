// block_ram.v — what the block RAMs of both families have in common: bytes of nine bits, and two ports on one clock.
// SPDX-License-Identifier: Apache-2.0
//
// Test side only. The vendors' cells, ramb.v and dp16kd.v, are views of it. A port reads and writes words of 2, 4 or 8
// bytes. What a device leaves undefined is made wrong here, so that a design that depends on it is seen:
//   a byte that one port reads while the other writes it is read inverted, unless X_OLD says that the writes of port X
//   leave the other port the old byte;
//   a byte that both ports write at once is stored inverted.
// Where the mode of use is outside the part that is described (known = 0, or two clocks of ports that are enabled), q is
// inverted.
//
// BYTES          bytes it holds, in `mem`; the views set the first contents
// X_READ_BYTES, X_WRITE_BYTES   width of port X; 0 when it does not read or write
// X_MODE         what a port reads while it writes: 0 nothing (q stays), 1 the new word, 2 the old word
// X_OLD          1: the other port reads the old byte where port X writes
`default_nettype none
module cell_block_ram #(
    parameter BYTES         = 2048,
    parameter A_READ_BYTES  = 2,
    parameter A_WRITE_BYTES = 2,
    parameter A_MODE        = 0,
    parameter A_OLD         = 0,
    parameter B_READ_BYTES  = 2,
    parameter B_WRITE_BYTES = 2,
    parameter B_MODE        = 0,
    parameter B_OLD         = 0
) (
    input  wire        known,
    input  wire        a_clk, a_en, b_clk, b_en,
    input  wire [7:0]  a_we,   b_we,      // byte by byte; 0 reads
    input  wire [11:0] a_byte, b_byte,    // address of any byte of the word
    input  wire [71:0] a_data, b_data,
    output wire [71:0] a_q,    b_q
);
    reg [8:0]  mem [0:BYTES-1];
    reg [71:0] a_read, b_read;
    reg        two_clocks;
    initial two_clocks = 1'b0;

    localparam [11:0] A_READ  = (A_READ_BYTES  == 0) ? 0 : ~(A_READ_BYTES - 1);
    localparam [11:0] A_WRITE = (A_WRITE_BYTES == 0) ? 0 : ~(A_WRITE_BYTES - 1);
    localparam [11:0] B_READ  = (B_READ_BYTES  == 0) ? 0 : ~(B_READ_BYTES - 1);
    localparam [11:0] B_WRITE = (B_WRITE_BYTES == 0) ? 0 : ~(B_WRITE_BYTES - 1);
    wire [11:0] a_from = a_byte & A_READ, a_to = a_byte & A_WRITE;
    wire [11:0] b_from = b_byte & B_READ, b_to = b_byte & B_WRITE;
    wire [7:0]  a_lanes = (a_en ? a_we : 8'd0) & ~(8'hFF << A_WRITE_BYTES);
    wire [7:0]  b_lanes = (b_en ? b_we : 8'd0) & ~(8'hFF << B_WRITE_BYTES);

    // Whether a port's write takes this byte, and the byte that it writes.
    function hit(input [7:0] lanes, input [11:0] first, input [11:0] address);
        reg [11:0] place;
        begin
            place = address - first;
            hit = place < 12'd8 && lanes[place[2:0]];
        end
    endfunction
    function [8:0] part(input [71:0] data, input [11:0] first, input [11:0] address);
        reg [11:0] place;
        begin
            place = address - first;
            part = data[9 * place[2:0] +: 9];
        end
    endfunction

    integer j, k;
    always @(posedge a_clk) begin
        if (a_clk !== b_clk && b_en && (B_READ_BYTES != 0 || B_WRITE_BYTES != 0)) two_clocks <= 1'b1;
        for (j = 0; j < A_WRITE_BYTES; j = j + 1)
            if (a_lanes[j]) mem[a_to + j] <= a_data[9*j +: 9] ^ {9{hit(b_lanes, b_to, a_to + j)}};
        if (a_en && (a_lanes == 0 || A_MODE != 0))
            for (j = 0; j < A_READ_BYTES; j = j + 1)
                if (A_MODE == 1 && hit(a_lanes, a_to, a_from + j))
                    a_read[9*j +: 9] <= part(a_data, a_to, a_from + j);
                else
                    a_read[9*j +: 9] <= mem[a_from + j] ^ {9{B_OLD == 0 && hit(b_lanes, b_to, a_from + j)}};
    end
    always @(posedge b_clk) begin
        for (k = 0; k < B_WRITE_BYTES; k = k + 1)
            if (b_lanes[k] && !hit(a_lanes, a_to, b_to + k)) mem[b_to + k] <= b_data[9*k +: 9];
        if (b_en && (b_lanes == 0 || B_MODE != 0))
            for (k = 0; k < B_READ_BYTES; k = k + 1)
                if (B_MODE == 1 && hit(b_lanes, b_to, b_from + k))
                    b_read[9*k +: 9] <= part(b_data, b_to, b_from + k);
                else
                    b_read[9*k +: 9] <= mem[b_from + k] ^ {9{A_OLD == 0 && hit(a_lanes, a_to, b_from + k)}};
    end
    assign a_q = (known && !two_clocks) ? a_read : ~a_read;
    assign b_q = (known && !two_clocks) ? b_read : ~b_read;
endmodule
`default_nettype wire
