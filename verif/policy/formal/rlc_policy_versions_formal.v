// rlc_policy_versions_formal.v — two versions of weights: none is written while a pass meets it, and what is active is one
// whole set.
// SPDX-License-Identifier: Apache-2.0
//
// Two layers of two groups. Passes leave at any time, in the order in which they entered; a set comes at any pace, its
// layers beside each other, and may be given up. A token stands for a set: one set, and one group of it, are followed.
`default_nettype none
module rlc_policy_versions_formal (
    input wire       clk,
    input wire       rst,
    input wire [1:0] w_valid,
    input wire       w_abort,
    input wire       want,
    input wire       leave_try
);
    localparam PASSES = 3;

    // The order of each layer: its second group is the last.
    reg  [1:0] at_q;
    wire [1:0] w_last = at_q;
    reg  [1:0] complete_q;   // layers of the present set that have come; they come once
    wire [1:0] done = complete_q | (w_valid & w_last);
    always @* assume ((w_valid & complete_q) == 2'b00);
    always @* if (w_abort) assume (w_valid == 2'b00);
    always @(posedge clk) begin
        if (rst || w_abort) begin
            at_q       <= 2'b00;
            complete_q <= 2'b00;
        end else begin
            at_q       <= at_q ^ w_valid;
            complete_q <= (&done) ? 2'b00 : done;
        end
    end

    wire       w_bank, taken, dropped, loaded, active;
    wire [1:0] w_take;
    // Passes inside, the oldest in bit 0: each one's version.
    reg  [2:0] bank_q;
    reg  [1:0] inside_q;
    wire       enter = want && loaded && inside_q < PASSES;
    wire       leave = leave_try && inside_q != 2'd0;
    rlc_policy_versions #(.LAYERS(2), .PASSES(PASSES)) dut (
        .clk(clk), .rst(rst), .w_valid(w_valid), .w_last(w_last), .w_abort(w_abort), .w_bank(w_bank), .w_take(w_take),
        .taken(taken), .dropped(dropped), .loaded(loaded), .enter(enter), .leave(leave), .leave_bank(bank_q[0]),
        .active(active)
    );
    wire [2:0] after_leave = leave ? {1'b0, bank_q[2:1]} : bank_q;
    wire [1:0] left        = inside_q - {1'b0, leave};
    always @(posedge clk) begin
        if (rst) begin
            inside_q <= 2'd0;
        end else begin
            inside_q <= left + {1'b0, enter};
            bank_q   <= after_leave;
            if (enter) bank_q[left] <= active;
        end
    end

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    // How many passes meet either version.
    wire [1:0] meet_1 = {1'b0, inside_q > 0 && bank_q[0]} + {1'b0, inside_q > 1 && bank_q[1]}
                      + {1'b0, inside_q > 2 && bank_q[2]};
    wire [1:0] meet_0 = inside_q - meet_1;

    // Which groups of a version were written since it was last active, all of one set; the version that is active has
    // all four.
    reg  [3:0] has_0_q, has_1_q;
    wire [3:0] group = {w_take[1] && at_q[1], w_take[1] && !at_q[1], w_take[0] && at_q[0], w_take[0] && !at_q[0]};
    reg        begun_q;
    wire       fresh = |w_valid && !begun_q;
    always @(posedge clk) begin
        if (rst) begin
            begun_q <= 1'b0;
            has_0_q <= 4'd0;
            has_1_q <= 4'd0;
        end else begin
            begun_q <= !w_abort && (|w_valid ? !(&done) : begun_q);
            if (|w_take && !w_bank) has_0_q <= (fresh ? 4'd0 : has_0_q) | group;
            if (|w_take && w_bank)  has_1_q <= (fresh ? 4'd0 : has_1_q) | group;
        end
    end

    (* hierconn *) wire [1:0] \dut.inside_0_q ;
    (* hierconn *) wire [1:0] \dut.inside_1_q ;
    (* hierconn *) wire       \dut.filling_q ;
    (* hierconn *) wire       \dut.skip_q ;
    (* hierconn *) wire [1:0] \dut.done_q ;
    (* hierconn *) wire       \dut.active_q ;
    wire [3:0] has = active ? has_1_q : has_0_q;
    wire [3:0] new = active ? has_0_q : has_1_q;
    always @* begin
        if (past) begin
            // What is written is met by no pass, and what is met is whole.
            if (|w_take) assert (w_bank ? meet_1 == 2'd0 : meet_0 == 2'd0);
            if (loaded) assert (has == 4'b1111);
            if (inside_q != 2'd0) assert (loaded);
            if (meet_0 != 2'd0) assert (has_0_q == 4'b1111);
            if (meet_1 != 2'd0) assert (has_1_q == 4'b1111);
            // For the induction.
            assert (inside_q <= PASSES);
            assert (\dut.inside_0_q == meet_0 && \dut.inside_1_q == meet_1);
            assert (\dut.filling_q == begun_q);
            assert (\dut.done_q == complete_q && complete_q != 2'b11);
            assert ((at_q & complete_q) == 2'b00);
            if (!begun_q) assert (at_q == 2'b00 && complete_q == 2'b00);
            if (begun_q && !\dut.skip_q ) begin
                assert (active ? meet_0 == 2'd0 : meet_1 == 2'd0);
                assert (new == {complete_q[1], complete_q[1] || at_q[1], complete_q[0], complete_q[0] || at_q[0]});
            end
        end
    end

    always @* begin
        if (past && !rst) begin
            cover (taken && inside_q == PASSES);
            cover (dropped);
            cover (inside_q == PASSES && bank_q[0] != bank_q[2]);
        end
    end
endmodule
`default_nettype wire
