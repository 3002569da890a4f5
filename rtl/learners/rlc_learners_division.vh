// rlc_learners_division.vh — clocks of rlc_learners_average, for it and for who waits for it. Included in a module.
// SPDX-License-Identifier: Apache-2.0

// How often 2 divides a number from 1 to 31.
function integer twos(input integer number);
    integer i;
    begin
        twos = 0;
        for (i = 1; i < 5; i = i + 1) if ((number & ((1 << i) - 1)) == 0) twos = i;
    end
endfunction

// Clocks from a group to its average, of numbers of 19 to 27 bits.
function integer average_latency(input integer learners, input integer width, input integer edge_regs);
    integer odd;
    integer macs;
    begin
        odd  = learners >> twos(learners);
        macs = ((width + $clog2(odd) + 25) / 26) * ((width + 2 * $clog2(odd) + 16) / 17);
        average_latency = 2 * edge_regs + $clog2(learners) + ((odd == 1) ? 1 : 2 + 3 + macs - 1);
    end
endfunction
