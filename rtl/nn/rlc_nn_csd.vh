// rlc_nn_csd.vh — canonical signed digits of a constant: number = sum of +-2^place, no two places adjacent, so
// that a multiplication by it is the fewest additions of its kind. Included inside a module.
// SPDX-License-Identifier: Apache-2.0

// The places of the digits as a bit mask, and the places of the digits -1.
function [31:0] csd_mask(input integer number, input integer minus);
    integer left;
    integer k;
    begin
        left     = number;
        csd_mask = 32'd0;
        for (k = 0; k < 31; k = k + 1) begin
            if (left % 4 == 3) begin
                csd_mask[k] = 1'b1;
                left        = left + 1;
            end else if (left % 2 == 1) begin
                csd_mask[k] = (minus == 0) ? 1'b1 : 1'b0;
                left        = left - 1;
            end
            left = left / 2;
        end
    end
endfunction

// How many digits are not 0.
function integer csd_count(input integer number);
    reg [31:0] mask;
    integer    k;
    begin
        mask      = csd_mask(number, 0);
        csd_count = 0;
        for (k = 0; k < 32; k = k + 1)
            if (mask[k]) csd_count = csd_count + 1;
    end
endfunction

// The place of digit `index`, counted from the lowest that is not 0.
function integer csd_place(input integer number, input integer index);
    reg [31:0] mask;
    integer    at;
    integer    k;
    begin
        mask      = csd_mask(number, 0);
        at        = 0;
        csd_place = 0;
        for (k = 0; k < 32; k = k + 1)
            if (mask[k]) begin
                if (at == index) csd_place = k;
                at = at + 1;
            end
    end
endfunction

// Whether all of the digits first..last are -1.
function integer csd_minus(input integer number, input integer first, input integer last);
    reg [31:0] mask;
    integer    k;
    begin
        mask      = csd_mask(number, 1);
        csd_minus = 1;
        for (k = first; k <= last; k = k + 1)
            if (!mask[csd_place(number, k)]) csd_minus = 0;
    end
endfunction

// Clocks of rlc_nn_const_mult.
function integer csd_clocks(input integer number);
    csd_clocks = $clog2(csd_count(number));
endfunction
