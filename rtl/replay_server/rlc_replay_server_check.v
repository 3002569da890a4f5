// rlc_replay_server_check.v — whether a request is well-formed: header and payload are what its operation needs.
// SPDX-License-Identifier: Apache-2.0
//
// begins       pulse with the first word of a datagram
// s_valid      a word of its payload goes by; the header's fields are valid from the word before on
// ends         pulse with its last word; the fields stand still until `done`
// done         level until the next `begins`. It rises 3 clocks after `ends`, for a GET or WEIGHTS at least 36 clocks after the
//              second word of payload
// malformed    with done: not well-formed. It has no meaning if the datagram has a wrong length
// refused      with done: a priority in a PUT or PRIO is of an unknown kind; of a PUT in parts, a priority that begins in this one
// chunk        with done: the number of the chunk, of a well-formed GET or WEIGHTS whose offset is below 2^30
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_check #(
    parameter CLIENTS      = 256,  // client numbers, 1 to 65536
    parameter RECORD_BYTES = 48,   // bytes of a record, a multiple of 8
    parameter PART_BYTES   = 1392, // bytes of the longest payload, a multiple of 8
    parameter SAMPLE_MAX   = 1024, // largest batch, 1 to 32768
    parameter WEIGHTS_MAX  = 0,    // bytes of the largest set of weights, 0 to 2^29; 0: WEIGHTS are never well-formed
    parameter ASSEMBLIES   = 0,    // PUTs in many parts of a client at once; 0: they are never accepted
    parameter BANKS        = 1,    // a client is this server's when its number modulo BANKS is `bank`; a power of two to 256
    parameter LEARNS       = 0     // 1: of the priorities in a PUT only the largest so far is known
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [7:0]  bank,
    input  wire        begins,
    input  wire        s_valid,
    input  wire [63:0] s_data,
    input  wire        ends,
    input  wire [7:0]  op,
    input  wire [15:0] status,
    input  wire [31:0] client,
    input  wire [31:0] epoch,
    input  wire [63:0] seq_number,
    input  wire [31:0] server_instance,
    input  wire [31:0] length,
    input  wire [15:0] count,
    input  wire [15:0] part,
    input  wire [15:0] parts,
    input  wire [7:0]  behind,
    input  wire [7:0]  credit,
    output wire        done,
    output reg         malformed,
    output wire        refused,
    output wire [22:0] chunk
);
    `include "rlc_replay_server_defs.vh"
    `RLC_CHECK(CLIENTS >= 1 && CLIENTS <= 65536, rlc_replay_server_check_illegal_CLIENTS_must_be_1_to_65536)
    `RLC_CHECK(RECORD_BYTES >= 8 && RECORD_BYTES <= 65536 && RECORD_BYTES % 8 == 0,
               rlc_replay_server_check_illegal_RECORD_BYTES_must_be_a_multiple_of_8_from_8_to_65536)
    `RLC_CHECK(SAMPLE_MAX >= 1 && SAMPLE_MAX <= 32768, rlc_replay_server_check_illegal_SAMPLE_MAX_must_be_1_to_32768)
    `RLC_CHECK(BANKS >= 1 && BANKS <= 256 && (BANKS & (BANKS - 1)) == 0, rlc_replay_server_check_illegal_BANKS_must_be_a_power_of_two_to_256)
    localparam [31:0] CLIENTS_32 = CLIENTS, PART_32 = PART_BYTES, MOST_32 = SAMPLE_MAX, OTHERS_32 = BANKS - 1;
    localparam [31:0] WORDS_32   = RECORD_BYTES / 8;
    localparam [31:0] PUT_32     = RECORD_BYTES + 8;
    localparam [31:0] SAMPLE_32  = RECORD_BYTES + 16;
    localparam [31:0] CHUNK      = PART_BYTES - 16, WEIGHTS_32 = WEIGHTS_MAX;
    localparam [15:0] LAST_WORD  = WORDS_32[15:0];   // number of the last word of a record with its priority
    localparam [16:0] PART       = PART_32[16:0];
    localparam [15:0] MOST       = MOST_32[15:0];

    // ---- as the payload goes by.
    reg [15:0] phase_q;        // of a PUT: the word of the record, from its priority on
    reg [1:0]  word_q;         // which word of the payload; behind 3 it is 2 and 3 in turn
    reg        beta_bad_q;     // word 0 of SAMPLE
    reg        high_bad_q;     // high half of word 1 of GET, of word 2 of HELLO
    reg        version_q;      // word 0 of WEIGHTS is not 0
    reg        drawn_q;        // words 1 and 2 of SAMPLE are not all 0
    reg        put_kind_q, prio_kind_q;
    // Which word of its record a part of a PUT begins with.
    function [64*32-1:0] firsts(input integer each, input integer piece);
        integer p;
        for (p = 0; p < 64; p = p + 1) firsts[32*p +: 32] = (p * piece) % each;
    endfunction
    localparam [64*32-1:0] FIRSTS = firsts(RECORD_BYTES / 8 + 1, PART_BYTES / 8);
    wire [15:0] phase = (ASSEMBLIES != 0 && word_q == 2'd0) ? FIRSTS[32*part[5:0] +: 16] : phase_q;
    wire       unknown = s_data[63:32] > 32'd2;
    wire       foreign = unknown || (LEARNS != 0 && s_data[63:32] != 32'd2);
    always @(posedge clk) begin
        if (begins) begin
            phase_q     <= 16'd0;
            word_q      <= 2'd0;
            beta_bad_q  <= 1'b0;
            high_bad_q  <= 1'b0;
            drawn_q     <= 1'b0;
            put_kind_q  <= 1'b0;
            prio_kind_q <= 1'b0;
        end else if (s_valid) begin
            phase_q <= (phase == LAST_WORD) ? 16'd0 : phase + 16'd1;
            word_q  <= (word_q == 2'd3) ? 2'd2 : word_q + 2'd1;
            if (word_q == 2'd0) version_q  <= s_data != 64'd0;
            if (word_q == 2'd0) beta_bad_q <= s_data[15:0] > 16'd32768 || s_data[63:16] != 48'd0;
            if (word_q == (op[2:0] == OP_GET ? 2'd1 : 2'd2)) high_bad_q <= s_data[63:32] != 32'd0;
            if (word_q != 2'd0 && s_data != 64'd0) drawn_q <= 1'b1;
            if (phase == 16'd0 && foreign) put_kind_q <= 1'b1;
            if (word_q[0] && unknown) prio_kind_q <= 1'b1;
        end
    end
    assign refused = (op[2:0] == OP_PUT) ? put_kind_q : (op[2:0] == OP_PRIO) && prio_kind_q;

    // ---- an offset in weights must be a multiple of a chunk: it is divided, one bit per clock.
    reg  [31:0] offset_q;      // what is left of it, behind that the quotient
    reg  [31:0] rest_q;
    reg  [5:0]  remaining_q;
    wire        weights = op[2:0] == OP_WEIGHTS;
    wire        offsets = op[2:0] == OP_GET || weights;
    wire        second  = s_valid && word_q == 2'd1;
    wire [31:0] doubled = {rest_q[30:0], offset_q[31]};
    wire        fits    = doubled >= CHUNK;
    always @(posedge clk) begin
        if (begins) remaining_q <= 6'd0;
        else if (second && offsets) begin
            offset_q    <= weights ? s_data[63:32] : s_data[31:0];
            rest_q      <= 32'd0;
            remaining_q <= 6'd32;
        end else if (remaining_q != 6'd0) begin
            rest_q      <= fits ? doubled - CHUNK : doubled;
            offset_q    <= {offset_q[30:0], fits};
            remaining_q <= remaining_q - 6'd1;
        end
    end
    assign chunk = offset_q[22:0];

    // ---- a chunk of weights: as long as the set is, at most CHUNK; behind its bytes zeros.
    reg  [31:0] total_q, from_q;
    reg  [63:0] last_q;        // word of payload
    reg  [32:0] size_q;        // bytes from the offset on
    reg         within_q, zeros_q;
    reg  [16:0] filled_q;      // bytes of the chunk, and those that fill its last word
    wire        whole   = size_q[31:0] >= CHUNK;
    wire [31:0] rounded = (whole ? CHUNK : size_q[31:0]) + 32'd7;
    always @(posedge clk) begin
        if (second)  {from_q, total_q} <= s_data;
        if (s_valid) last_q <= s_data;
        size_q   <= {1'b0, total_q} - {1'b0, from_q};
        within_q <= !size_q[32] && size_q != 33'd0 && total_q <= WEIGHTS_32 && version_q;
        filled_q <= {rounded[16:3], 3'd0};
        zeros_q  <= whole || size_q[2:0] == 3'd0 || (last_q >> {size_q[2:0], 3'd0}) == 64'd0;
    end

    // ---- clock 1: bytes of all records and of the parts before this one.
    reg [35:0] put_q, batch_q, before_q, whole_q;
    always @(posedge clk) begin
        put_q    <= {20'd0, count} * {4'd0, PUT_32};
        batch_q  <= {20'd0, count} * {4'd0, SAMPLE_32} + 36'd16;
        before_q <= {20'd0, (op[2:0] == OP_PUT) ? parts - 16'd1 : part} * {19'd0, PART};
        whole_q  <= {20'd0, parts} * {19'd0, PART};
    end

    // ---- clock 2: each rule.
    reg         common_q, counts_q, length_q;
    wire        sequenced = op[2:0] == OP_PUT || op[2:0] == OP_SAMPLE || op[2:0] == OP_PRIO || op[2:0] == OP_WEIGHTS;
    wire        batch     = op[2:0] == OP_SAMPLE || op[2:0] == OP_READ;
    wire [31:0] put_length = (part == parts - 16'd1) ? put_q[31:0] - before_q[31:0] : {15'd0, PART};
    wire        behind_ok = behind == 8'd0
                         || (sequenced && behind[7:6] == 2'd0 && (seq_number[63:6] != 58'd0 || behind[5:0] <= seq_number[5:0]));
    wire        own = ((client[7:0] ^ bank) & OTHERS_32[7:0]) == 8'd0;
    always @(posedge clk) begin
        common_q <= op[7:3] == 5'd0 && client < CLIENTS_32 && own && epoch != 32'd0 && credit == 8'd0 && behind_ok
                 && (status == 16'd0 || (op[2:0] == OP_SAMPLE && status[15:3] == 13'd0));
        counts_q <= batch ? count != 16'd0 && count <= MOST && before_q < batch_q
                  : part < parts && (op[2:0] == OP_PUT || parts == 16'd1)
                    && (count != 16'd0) == (op[2:0] == OP_PUT || op[2:0] == OP_PRIO);
        case (op[2:0])
            OP_HELLO:  length_q <= length == 32'd32 && server_instance == 32'd0 && !high_bad_q;
            OP_PUT:    length_q <= parts <= 16'd64 && before_q < put_q && put_q <= whole_q && length == put_length;
            OP_SAMPLE: length_q <= length == (status[2] ? 32'd24 : 32'd8) && !beta_bad_q && (!status[2] || drawn_q);
            OP_READ:   length_q <= length == {13'd0, count, 3'd0};
            OP_PRIO:   length_q <= length == {12'd0, count, 4'd0};
            OP_GET:    length_q <= length == 32'd16 && !high_bad_q;
            OP_STAT:   length_q <= length == 32'd0;
            default:   length_q <= within_q && zeros_q && length == {15'd0, filled_q} + 32'd16;
        endcase
    end

    // ---- clock 3: all of them.
    reg [2:0] clock_q;
    always @(posedge clk) begin
        if (rst || begins) clock_q <= {2'd0, ends};
        else               clock_q <= {clock_q[2] || clock_q[1], clock_q[0], ends};
        malformed <= !(common_q && counts_q && length_q) || (offsets && rest_q != 32'd0);
    end
    reg done_q;
    always @(posedge clk) done_q <= !rst && !begins && clock_q[2] && remaining_q == 6'd0;
    assign done = done_q;
    wire unused = &{1'b0, rounded[31:17], rounded[2:0]};
endmodule
`default_nettype wire
