// rlc_nn_weights_ready.v — lets the vectors of one batch pass, then waits until the weights behind it are up to date.
// SPDX-License-Identifier: Apache-2.0
//
// vectors    vectors a batch, >= 1; constant from the clock before a batch on, while it is under way
// idle       high while nothing is under way, and in a reset: counters start anew and `initial_open` batches may pass
// initial_open  how many batches may pass before the first grant: 1, or 0 to wait for an update first
// grant      pulse: the weights are up to date for one more batch
// s_*, m_*   only the handshake; the data go beside. The first word of a batch waits for a grant, no other word does
// latency    none: wires behind one flag
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_weights_ready #(
    parameter WORDS = 4 // words a vector, >= 1
) (
    input  wire        clk,
    input  wire        idle,
    input  wire        initial_open,
    input  wire [16:0] vectors,
    input  wire        grant,
    input  wire        s_valid,
    output wire        s_ready,
    output wire        m_valid,
    input  wire        m_ready
);
    `RLC_CHECK(WORDS >= 1, rlc_nn_weights_ready_illegal_WORDS_must_be_at_least_1)

    reg [16:0] remaining_q; // vectors of the batch behind the present one
    reg        none_q;     // remaining_q is 0
    reg        fresh_q;    // the next word is the first of a batch
    reg [1:0]  grants_q;

    // `pass` comes last in a long path through the units' ready signals: it enables registers, and is in no next value
    // where it can be left out.
    reg         open_q;                // !fresh_q || grants_q != 0
    wire        pass        = s_valid && open_q && m_ready;
    wire        last_word;
    wire        over        = pass && last_word;     // of a vector
    wire        last        = last_word && none_q;
    wire [1:0]  more        = grants_q + {1'b0, grant};
    wire [1:0]  fewer       = more - {1'b0, fresh_q};

    assign m_valid = s_valid && open_q;
    assign s_ready = m_ready && open_q;
    rlc_mod_counter #(.COUNT(WORDS)) u_word (.clk(clk), .restart(idle), .step(pass), .at(), .last(last_word));

    always @(posedge clk) begin
        if (idle || (over ? none_q : fresh_q)) begin
            remaining_q <= vectors - 17'd1;
            none_q      <= vectors == 17'd1;
        end else if (over) begin
            remaining_q <= remaining_q - 17'd1;
            none_q      <= remaining_q == 17'd1;
        end
        if (idle) begin
            fresh_q  <= 1'b1;
            grants_q <= {1'b0, initial_open};
            open_q   <= initial_open;
        end else begin
            if (pass) fresh_q <= last;
            grants_q <= pass ? fewer : more;
            open_q   <= pass ? !last || fewer != 2'd0 : !fresh_q || more != 2'd0;
        end
    end
endmodule
`default_nettype wire
