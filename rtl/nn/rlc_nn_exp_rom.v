// rlc_nn_exp_rom.v — 256 words of 10 bits: 2^x over an octave. Written by `python -m rlcores.cores.learner.tables exp`; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       1024 * 2^x in the middle of segment addr, without its leading one
// latency    1 clock, one a clock, no reset
// cost       about 45 LUT: too small for a memory block
`default_nettype none
module rlc_nn_exp_rom (
    input  wire       clk,
    input  wire [7:0] addr,
    output wire [9:0] data
);
    // Two tools, two words for a table in LUTs.
`ifdef YOSYS
    (* rom_style = "logic" *)
`else
    (* rom_style = "distributed" *)
`endif
    reg [9:0] rom [0:255];
    reg [9:0] data_q;

    always @(posedge clk) data_q <= rom[addr];
    assign data = data_q;

    initial begin
        rom[0] = 10'd1; rom[1] = 10'd4; rom[2] = 10'd7; rom[3] = 10'd10; rom[4] = 10'd13;
        rom[5] = 10'd15; rom[6] = 10'd18; rom[7] = 10'd21; rom[8] = 10'd24; rom[9] = 10'd27;
        rom[10] = 10'd30; rom[11] = 10'd32; rom[12] = 10'd35; rom[13] = 10'd38; rom[14] = 10'd41;
        rom[15] = 10'd44; rom[16] = 10'd47; rom[17] = 10'd50; rom[18] = 10'd53; rom[19] = 10'd56;
        rom[20] = 10'd58; rom[21] = 10'd61; rom[22] = 10'd64; rom[23] = 10'd67; rom[24] = 10'd70;
        rom[25] = 10'd73; rom[26] = 10'd76; rom[27] = 10'd79; rom[28] = 10'd82; rom[29] = 10'd85;
        rom[30] = 10'd88; rom[31] = 10'd91; rom[32] = 10'd94; rom[33] = 10'd97; rom[34] = 10'd100;
        rom[35] = 10'd103; rom[36] = 10'd106; rom[37] = 10'd109; rom[38] = 10'd113; rom[39] = 10'd116;
        rom[40] = 10'd119; rom[41] = 10'd122; rom[42] = 10'd125; rom[43] = 10'd128; rom[44] = 10'd131;
        rom[45] = 10'd134; rom[46] = 10'd137; rom[47] = 10'd141; rom[48] = 10'd144; rom[49] = 10'd147;
        rom[50] = 10'd150; rom[51] = 10'd153; rom[52] = 10'd156; rom[53] = 10'd160; rom[54] = 10'd163;
        rom[55] = 10'd166; rom[56] = 10'd169; rom[57] = 10'd173; rom[58] = 10'd176; rom[59] = 10'd179;
        rom[60] = 10'd182; rom[61] = 10'd186; rom[62] = 10'd189; rom[63] = 10'd192; rom[64] = 10'd195;
        rom[65] = 10'd199; rom[66] = 10'd202; rom[67] = 10'd205; rom[68] = 10'd209; rom[69] = 10'd212;
        rom[70] = 10'd215; rom[71] = 10'd219; rom[72] = 10'd222; rom[73] = 10'd225; rom[74] = 10'd229;
        rom[75] = 10'd232; rom[76] = 10'd236; rom[77] = 10'd239; rom[78] = 10'd243; rom[79] = 10'd246;
        rom[80] = 10'd249; rom[81] = 10'd253; rom[82] = 10'd256; rom[83] = 10'd260; rom[84] = 10'd263;
        rom[85] = 10'd267; rom[86] = 10'd270; rom[87] = 10'd274; rom[88] = 10'd277; rom[89] = 10'd281;
        rom[90] = 10'd284; rom[91] = 10'd288; rom[92] = 10'd291; rom[93] = 10'd295; rom[94] = 10'd299;
        rom[95] = 10'd302; rom[96] = 10'd306; rom[97] = 10'd309; rom[98] = 10'd313; rom[99] = 10'd317;
        rom[100] = 10'd320; rom[101] = 10'd324; rom[102] = 10'd328; rom[103] = 10'd331; rom[104] = 10'd335;
        rom[105] = 10'd339; rom[106] = 10'd342; rom[107] = 10'd346; rom[108] = 10'd350; rom[109] = 10'd353;
        rom[110] = 10'd357; rom[111] = 10'd361; rom[112] = 10'd365; rom[113] = 10'd368; rom[114] = 10'd372;
        rom[115] = 10'd376; rom[116] = 10'd380; rom[117] = 10'd384; rom[118] = 10'd387; rom[119] = 10'd391;
        rom[120] = 10'd395; rom[121] = 10'd399; rom[122] = 10'd403; rom[123] = 10'd407; rom[124] = 10'd410;
        rom[125] = 10'd414; rom[126] = 10'd418; rom[127] = 10'd422; rom[128] = 10'd426; rom[129] = 10'd430;
        rom[130] = 10'd434; rom[131] = 10'd438; rom[132] = 10'd442; rom[133] = 10'd446; rom[134] = 10'd450;
        rom[135] = 10'd454; rom[136] = 10'd458; rom[137] = 10'd462; rom[138] = 10'd466; rom[139] = 10'd470;
        rom[140] = 10'd474; rom[141] = 10'd478; rom[142] = 10'd482; rom[143] = 10'd486; rom[144] = 10'd490;
        rom[145] = 10'd494; rom[146] = 10'd499; rom[147] = 10'd503; rom[148] = 10'd507; rom[149] = 10'd511;
        rom[150] = 10'd515; rom[151] = 10'd519; rom[152] = 10'd523; rom[153] = 10'd528; rom[154] = 10'd532;
        rom[155] = 10'd536; rom[156] = 10'd540; rom[157] = 10'd545; rom[158] = 10'd549; rom[159] = 10'd553;
        rom[160] = 10'd557; rom[161] = 10'd562; rom[162] = 10'd566; rom[163] = 10'd570; rom[164] = 10'd575;
        rom[165] = 10'd579; rom[166] = 10'd583; rom[167] = 10'd588; rom[168] = 10'd592; rom[169] = 10'd596;
        rom[170] = 10'd601; rom[171] = 10'd605; rom[172] = 10'd610; rom[173] = 10'd614; rom[174] = 10'd618;
        rom[175] = 10'd623; rom[176] = 10'd627; rom[177] = 10'd632; rom[178] = 10'd636; rom[179] = 10'd641;
        rom[180] = 10'd645; rom[181] = 10'd650; rom[182] = 10'd654; rom[183] = 10'd659; rom[184] = 10'd664;
        rom[185] = 10'd668; rom[186] = 10'd673; rom[187] = 10'd677; rom[188] = 10'd682; rom[189] = 10'd687;
        rom[190] = 10'd691; rom[191] = 10'd696; rom[192] = 10'd700; rom[193] = 10'd705; rom[194] = 10'd710;
        rom[195] = 10'd715; rom[196] = 10'd719; rom[197] = 10'd724; rom[198] = 10'd729; rom[199] = 10'd733;
        rom[200] = 10'd738; rom[201] = 10'd743; rom[202] = 10'd748; rom[203] = 10'd753; rom[204] = 10'd757;
        rom[205] = 10'd762; rom[206] = 10'd767; rom[207] = 10'd772; rom[208] = 10'd777; rom[209] = 10'd782;
        rom[210] = 10'd787; rom[211] = 10'd792; rom[212] = 10'd796; rom[213] = 10'd801; rom[214] = 10'd806;
        rom[215] = 10'd811; rom[216] = 10'd816; rom[217] = 10'd821; rom[218] = 10'd826; rom[219] = 10'd831;
        rom[220] = 10'd836; rom[221] = 10'd841; rom[222] = 10'd846; rom[223] = 10'd851; rom[224] = 10'd857;
        rom[225] = 10'd862; rom[226] = 10'd867; rom[227] = 10'd872; rom[228] = 10'd877; rom[229] = 10'd882;
        rom[230] = 10'd887; rom[231] = 10'd893; rom[232] = 10'd898; rom[233] = 10'd903; rom[234] = 10'd908;
        rom[235] = 10'd913; rom[236] = 10'd919; rom[237] = 10'd924; rom[238] = 10'd929; rom[239] = 10'd935;
        rom[240] = 10'd940; rom[241] = 10'd945; rom[242] = 10'd950; rom[243] = 10'd956; rom[244] = 10'd961;
        rom[245] = 10'd967; rom[246] = 10'd972; rom[247] = 10'd977; rom[248] = 10'd983; rom[249] = 10'd988;
        rom[250] = 10'd994; rom[251] = 10'd999; rom[252] = 10'd1005; rom[253] = 10'd1010; rom[254] = 10'd1016;
        rom[255] = 10'd1021;
    end
endmodule
`default_nettype wire
