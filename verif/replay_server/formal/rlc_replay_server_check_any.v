// rlc_replay_server_check_any.v — rlc_replay_server_check that says anything, as late as it likes; once said, it stands until the next datagram.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_replay_server_check #(
    parameter CLIENTS = 1, RECORD_BYTES = 8, PART_BYTES = 256, SAMPLE_MAX = 1, WEIGHTS_MAX = 0, ASSEMBLIES = 0, BANKS = 1, LEARNS = 0
) (
    input  wire        clk, rst,
    input  wire [7:0]  bank,
    input  wire        begins, s_valid,
    input  wire [63:0] s_data,
    input  wire        ends,
    input  wire [7:0]  op,
    input  wire [15:0] status,
    input  wire [31:0] client, epoch,
    input  wire [63:0] seq_number,
    input  wire [31:0] server_instance, length,
    input  wire [15:0] count, part, parts,
    input  wire [7:0]  behind, credit,
    output wire        done,
    output wire        malformed,
    output wire        refused,
    output wire [22:0] chunk
);
    (* anyseq *) wire        late, bad, other;
    (* anyseq *) wire [22:0] which;
    reg        ended_q, done_q, bad_q, other_q;
    reg [22:0] which_q;
    always @(posedge clk) begin
        ended_q <= !rst && (ends || (ended_q && !begins));
        done_q  <= !rst && !begins && (done_q || (ended_q && late));
        if (!done_q) {bad_q, other_q, which_q} <= {bad, other, which};
    end
    assign done      = done_q;
    assign malformed = bad_q;
    assign refused   = other_q;
    assign chunk     = which_q;
endmodule
`default_nettype wire
