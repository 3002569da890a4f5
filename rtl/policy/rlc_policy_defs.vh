// rlc_policy_defs.vh — the schedule of a pass: nothing stalls in one, so all of it is known. Included inside a module behind
// rlc_learner_defs.vh. The same in Python: rlcores_lab.cycles.policy.
// SPDX-License-Identifier: Apache-2.0

// How often layer l plays its input: row groups take that many turns.
function integer folds(input [1023:0] sizes, input [1023:0] lanes, input [1023:0] forward, input integer l);
    folds = words(words(field(sizes, l), field(lanes, l)), field(forward, l - 1));
endfunction

// Clocks from the first result word of layer l to its last, both counted.
function integer results(input [1023:0] sizes, input [1023:0] lanes, input [1023:0] forward, input integer l);
    integer f;
    begin
        f = folds(sizes, lanes, forward, l) - 1;
        results = f * words(field(sizes, l - 1), field(lanes, l - 1))
                + words(field(sizes, l), field(lanes, l)) - f * field(forward, l - 1);
    end
endfunction

// Clocks from one observation to the next.
function integer interval(input [1023:0] sizes, input [1023:0] lanes, input [1023:0] forward);
    integer l;
    integer arrival;
    integer turns;
    begin
        arrival  = words(field(sizes, 0), field(lanes, 0));
        interval = field(sizes, fields(sizes) - 1) + 1;
        for (l = 1; l < fields(sizes); l = l + 1) begin
            turns = arrival
                  + (folds(sizes, lanes, forward, l) - 1) * words(field(sizes, l - 1), field(lanes, l - 1));
            if (turns > interval) interval = turns;
            arrival = results(sizes, lanes, forward, l);
        end
    end
endfunction

// Clocks from an observation's last word to the last word of the network's outputs.
function integer pass_clocks(
    input [1023:0] sizes, input [1023:0] lanes, input [1023:0] forward, input integer operands
);
    integer l;
    begin
        pass_clocks = words(field(sizes, 0), field(lanes, 0));
        for (l = 1; l < fields(sizes); l = l + 1)
            pass_clocks = pass_clocks + results(sizes, lanes, forward, l) - 1 + field(lanes, l - 1) + 5
                        + ((field(forward, l - 1) > 1) ? 1 : 0) + operands;
    end
endfunction

// How much longer the outputs wait, so that the noise, which is drawn when the observation comes, is there in time: it
// takes that many clocks.
function integer noise_wait(
    input [1023:0] sizes, input [1023:0] lanes, input [1023:0] forward, input integer operands, input integer noise
);
    integer early;
    begin
        early = pass_clocks(sizes, lanes, forward, operands) - results(sizes, lanes, forward, fields(sizes) - 1) + 1;
        noise_wait = (early < noise) ? noise - early : 0;
    end
endfunction
