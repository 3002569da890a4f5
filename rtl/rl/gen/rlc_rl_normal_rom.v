// rlc_rl_normal_rom.v — table of rlc_rl_quantile: 512 words of 36 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       quantiles of the normal distribution: {node + 8 in 22 bits, step in 14} of the segment addr,
//            units of 2^-18. The step goes towards 0
// latency    2 clocks, the second a plain register that a RAM block has inside
// cost       one RAMB18E2, or one DP16KD; "distributed": about 300 LUT
`default_nettype none
`include "rlc_check.vh"
module rlc_rl_normal_rom #(
    parameter STYLE = "block"  // "block", "distributed" or "auto": the kind of memory asked of synthesis
) (
    input  wire        clk,
    input  wire [8:0]  addr,
    output wire [35:0] data
);
    `RLC_CHECK(STYLE == "block" || STYLE == "distributed" || STYLE == "auto",
               rlc_rl_normal_rom_illegal_STYLE_must_be_block_or_distributed_or_auto)

    (* rom_style = STYLE, ram_style = STYLE *)
    reg [35:0] rom [0:511];
    reg [35:0] read_s1;
    reg [35:0] read_s2;

    always @(posedge clk) begin
        read_s1 <= rom[addr];
        read_s2 <= read_s1;
    end
    assign data = read_s2;

    initial begin
        rom[0] = 36'h656844993; rom[1] = 36'h6541fc90a; rom[2] = 36'h651dd488f; rom[3] = 36'h64fb98821;
        rom[4] = 36'h64db147be; rom[5] = 36'h64bc1c764; rom[6] = 36'h649e8c712; rom[7] = 36'h6482446c7;
        rom[8] = 36'h64672c682; rom[9] = 36'h644d24642; rom[10] = 36'h643420607; rom[11] = 36'h641c045d0;
        rom[12] = 36'h6404c459d; rom[13] = 36'h63ee5056d; rom[14] = 36'h63d89c541; rom[15] = 36'h63c398517;
        rom[16] = 36'h63af209bb; rom[17] = 36'h638838931; rom[18] = 36'h6363788b4; rom[19] = 36'h6340ac845;
        rom[20] = 36'h631f9c7e0; rom[21] = 36'h630020784; rom[22] = 36'h62e210730; rom[23] = 36'h62c5506e4;
        rom[24] = 36'h62a9c069e; rom[25] = 36'h628f4c65d; rom[26] = 36'h6275d8621; rom[27] = 36'h625d545e9;
        rom[28] = 36'h6245b05b5; rom[29] = 36'h622edc585; rom[30] = 36'h6218c8558; rom[31] = 36'h62036852d;
        rom[32] = 36'h61ee989e6; rom[33] = 36'h61c704958; rom[34] = 36'h61a1a48da; rom[35] = 36'h617e40869;
        rom[36] = 36'h615ca0803; rom[37] = 36'h613c987a6; rom[38] = 36'h611e04751; rom[39] = 36'h6100c4703;
        rom[40] = 36'h60e4b86bb; rom[41] = 36'h60c9cc679; rom[42] = 36'h60afe863c; rom[43] = 36'h6096f8604;
        rom[44] = 36'h607eec5cf; rom[45] = 36'h6067b059e; rom[46] = 36'h605138570; rom[47] = 36'h603b78545;
        rom[48] = 36'h602648a12; rom[49] = 36'h5ffe04983; rom[50] = 36'h5fd7fc903; rom[51] = 36'h5fb3f4890;
        rom[52] = 36'h5f91b8827; rom[53] = 36'h5f71207c9; rom[54] = 36'h5f5200772; rom[55] = 36'h5f3438723;
        rom[56] = 36'h5f17ac6da; rom[57] = 36'h5efc44697; rom[58] = 36'h5ee1e8659; rom[59] = 36'h5ec88461f;
        rom[60] = 36'h5eb0085ea; rom[61] = 36'h5e98605b8; rom[62] = 36'h5e8180589; rom[63] = 36'h5e6b5c55d;
        rom[64] = 36'h5e55cca42; rom[65] = 36'h5e2cc89b0; rom[66] = 36'h5e060c92d; rom[67] = 36'h5de15c8b8;
        rom[68] = 36'h5dbe8084e; rom[69] = 36'h5d9d487ed; rom[70] = 36'h5d7d98796; rom[71] = 36'h5d5f40745;
        rom[72] = 36'h5d42306fb; rom[73] = 36'h5d26446b7; rom[74] = 36'h5d0b68677; rom[75] = 36'h5cf18c63d;
        rom[76] = 36'h5cd898607; rom[77] = 36'h5cc0805d4; rom[78] = 36'h5ca9305a4; rom[79] = 36'h5c92a0577;
        rom[80] = 36'h5c7ca8a74; rom[81] = 36'h5c52dc9df; rom[82] = 36'h5c2b6495a; rom[83] = 36'h5c06008e3;
        rom[84] = 36'h5be278876; rom[85] = 36'h5bc0a0814; rom[86] = 36'h5ba0507bb; rom[87] = 36'h5b8168769;
        rom[88] = 36'h5b63c471e; rom[89] = 36'h5b47506d9; rom[90] = 36'h5b2bf0698; rom[91] = 36'h5b119065c;
        rom[92] = 36'h5af820625; rom[93] = 36'h5adf8c5f0; rom[94] = 36'h5ac7cc5c1; rom[95] = 36'h5ab0c8593;
        rom[96] = 36'h5a9a60aa8; rom[97] = 36'h5a6fc4a11; rom[98] = 36'h5a478498a; rom[99] = 36'h5a216090f;
        rom[100] = 36'h59fd248a1; rom[101] = 36'h59daa083e; rom[102] = 36'h59b9ac7e3; rom[103] = 36'h599a2478f;
        rom[104] = 36'h597be8743; rom[105] = 36'h595ee06fc; rom[106] = 36'h5942f06ba; rom[107] = 36'h59280c67e;
        rom[108] = 36'h590e18645; rom[109] = 36'h58f504610; rom[110] = 36'h58dcc45de; rom[111] = 36'h58c54c5b0;
        rom[112] = 36'h58ae70ae1; rom[113] = 36'h5882f0a46; rom[114] = 36'h5859dc9bb; rom[115] = 36'h5832f093f;
        rom[116] = 36'h580df48cf; rom[117] = 36'h57eabc86a; rom[118] = 36'h57c91480c; rom[119] = 36'h57a8e47b8;
        rom[120] = 36'h578a0876a; rom[121] = 36'h576c64722; rom[122] = 36'h574fe06df; rom[123] = 36'h5734686a1;
        rom[124] = 36'h5719e8667; rom[125] = 36'h57004c631; rom[126] = 36'h56e78c5ff; rom[127] = 36'h56cf905cf;
        rom[128] = 36'h56b838b1c; rom[129] = 36'h568bcca7e; rom[130] = 36'h5661d89f2; rom[131] = 36'h563a14972;
        rom[132] = 36'h56144c900; rom[133] = 36'h55f050899; rom[134] = 36'h55cdf083a; rom[135] = 36'h55ad0c7e3;
        rom[136] = 36'h558d80793; rom[137] = 36'h556f3874a; rom[138] = 36'h555214705; rom[139] = 36'h5536006c6;
        rom[140] = 36'h551aec68b; rom[141] = 36'h5500c0654; rom[142] = 36'h54e770620; rom[143] = 36'h54cef05f0;
        rom[144] = 36'h54b710b5b; rom[145] = 36'h5489a8aba; rom[146] = 36'h545ec4a2a; rom[147] = 36'h54361c9a9;
        rom[148] = 36'h540f7c934; rom[149] = 36'h53eaac8ca; rom[150] = 36'h53c78886a; rom[151] = 36'h53a5e4811;
        rom[152] = 36'h5385a07bf; rom[153] = 36'h5366a8774; rom[154] = 36'h5348d872e; rom[155] = 36'h532c206ee;
        rom[156] = 36'h53106c6b2; rom[157] = 36'h52f5a4679; rom[158] = 36'h52dbc0644; rom[159] = 36'h52c2b0614;
        rom[160] = 36'h52aa44b9f; rom[161] = 36'h527bccafa; rom[162] = 36'h524fe8a68; rom[163] = 36'h52264c9e3;
        rom[164] = 36'h51fec096c; rom[165] = 36'h51d9148ff; rom[166] = 36'h51b51889d; rom[167] = 36'h5192a8842;
        rom[168] = 36'h5171a07ee; rom[169] = 36'h5151e87a1; rom[170] = 36'h51336475a; rom[171] = 36'h5115fc718;
        rom[172] = 36'h50f99c6db; rom[173] = 36'h50de306a1; rom[174] = 36'h50c3ac66c; rom[175] = 36'h50aa0063a;
        rom[176] = 36'h5090f8be7; rom[177] = 36'h506160b3f; rom[178] = 36'h503468aa9; rom[179] = 36'h5009c8a22;
        rom[180] = 36'h4fe1449a8; rom[181] = 36'h4fbaa8939; rom[182] = 36'h4f95c88d4; rom[183] = 36'h4f727c877;
        rom[184] = 36'h4f50a4822; rom[185] = 36'h4f301c7d2; rom[186] = 36'h4f10d478a; rom[187] = 36'h4ef2b0747;
        rom[188] = 36'h4ed598708; rom[189] = 36'h4eb97c6cd; rom[190] = 36'h4e9e48695; rom[191] = 36'h4e83f4662;
        rom[192] = 36'h4e6a4cc35; rom[193] = 36'h4e397cb89; rom[194] = 36'h4e0b5caf0; rom[195] = 36'h4ddfa0a65;
        rom[196] = 36'h4db6109e8; rom[197] = 36'h4d8e74976; rom[198] = 36'h4d689c90e; rom[199] = 36'h4d44648b0;
        rom[200] = 36'h4d21a8858; rom[201] = 36'h4d0048808; rom[202] = 36'h4ce02c7bd; rom[203] = 36'h4cc138778;
        rom[204] = 36'h4ca35c737; rom[205] = 36'h4c86806fb; rom[206] = 36'h4c6a946c3; rom[207] = 36'h4c4f8c68e;
        rom[208] = 36'h4c3530c89; rom[209] = 36'h4c0310bd9; rom[210] = 36'h4bd3b0b3b; rom[211] = 36'h4ba6c8aae;
        rom[212] = 36'h4b7c14a2d; rom[213] = 36'h4b53609b8; rom[214] = 36'h4b2c8094e; rom[215] = 36'h4b07488ed;
        rom[216] = 36'h4ae394893; rom[217] = 36'h4ac148841; rom[218] = 36'h4aa0487f4; rom[219] = 36'h4a80787ad;
        rom[220] = 36'h4a61c476b; rom[221] = 36'h4a441872d; rom[222] = 36'h4a27646f3; rom[223] = 36'h4a0b986bd;
        rom[224] = 36'h49f080ce5; rom[225] = 36'h49bcf4c30; rom[226] = 36'h498c38b8e; rom[227] = 36'h495e04afc;
        rom[228] = 36'h493218a79; rom[229] = 36'h490838a01; rom[230] = 36'h48e034993; rom[231] = 36'h48b9e8930;
        rom[232] = 36'h48952c8d4; rom[233] = 36'h4871dc87f; rom[234] = 36'h484fe0830; rom[235] = 36'h482f207e7;
        rom[236] = 36'h480f847a3; rom[237] = 36'h47f0f8764; rom[238] = 36'h47d368728; rom[239] = 36'h47b6c86f1;
        rom[240] = 36'h479ae0d48; rom[241] = 36'h4765c8c8e; rom[242] = 36'h473394be8; rom[243] = 36'h4703f8b52;
        rom[244] = 36'h46d6b4aca; rom[245] = 36'h46ab8ca50; rom[246] = 36'h4682509e0; rom[247] = 36'h465ad4979;
        rom[248] = 36'h4634f491b; rom[249] = 36'h46108c8c3; rom[250] = 36'h45ed80872; rom[251] = 36'h45cbbc827;
        rom[252] = 36'h45ab207e1; rom[253] = 36'h458b9c79f; rom[254] = 36'h456d20763; rom[255] = 36'h454f94729;
        rom[256] = 36'h4532ccdb4; rom[257] = 36'h44fc00cf5; rom[258] = 36'h44c830c4a; rom[259] = 36'h44970cbaf;
        rom[260] = 36'h446850b24; rom[261] = 36'h443bc4aa7; rom[262] = 36'h44112ca32; rom[263] = 36'h43e8649c9;
        rom[264] = 36'h43c144967; rom[265] = 36'h439ba890d; rom[266] = 36'h4377748ba; rom[267] = 36'h43549086d;
        rom[268] = 36'h4332dc825; rom[269] = 36'h43124c7e2; rom[270] = 36'h42f2c87a3; rom[271] = 36'h42d43c767;
        rom[272] = 36'h42b67ce2c; rom[273] = 36'h427dd0d66; rom[274] = 36'h42483ccb6; rom[275] = 36'h421568c17;
        rom[276] = 36'h41e510b88; rom[277] = 36'h41b6f4b05; rom[278] = 36'h418ae4a8e; rom[279] = 36'h4160aca20;
        rom[280] = 36'h41382c9bc; rom[281] = 36'h41113c95f; rom[282] = 36'h40ebc0909; rom[283] = 36'h40c79c8ba;
        rom[284] = 36'h40a4b8870; rom[285] = 36'h4082f8829; rom[286] = 36'h4062547e9; rom[287] = 36'h4042b07ac;
        rom[288] = 36'h4023d8eaf; rom[289] = 36'h3fe920de4; rom[290] = 36'h3fb194d2d; rom[291] = 36'h3f7ce4c8a;
        rom[292] = 36'h3f4ac0bf5; rom[293] = 36'h3f1af0b6f; rom[294] = 36'h3eed38af4; rom[295] = 36'h3ec16ca83;
        rom[296] = 36'h3e9764a1b; rom[297] = 36'h3e6efc9bb; rom[298] = 36'h3e4810962; rom[299] = 36'h3e228c910;
        rom[300] = 36'h3dfe508c3; rom[301] = 36'h3ddb4487a; rom[302] = 36'h3db95c838; rom[303] = 36'h3d98807f9;
        rom[304] = 36'h3d7874f42; rom[305] = 36'h3d3b70e70; rom[306] = 36'h3d01b8db4; rom[307] = 36'h3ccaecd09;
        rom[308] = 36'h3c96ccc70; rom[309] = 36'h3c6510be5; rom[310] = 36'h3c3580b65; rom[311] = 36'h3c07f0af0;
        rom[312] = 36'h3bdc30a84; rom[313] = 36'h3bb224a21; rom[314] = 36'h3b89a09c5; rom[315] = 36'h3b6290970;
        rom[316] = 36'h3b3cd091f; rom[317] = 36'h3b18548d5; rom[318] = 36'h3af50088f; rom[319] = 36'h3ad2c484e;
        rom[320] = 36'h3ab160fe8; rom[321] = 36'h3a71c8f0d; rom[322] = 36'h3a3598e49; rom[323] = 36'h39fc78d99;
        rom[324] = 36'h39c614cfa; rom[325] = 36'h399230c69; rom[326] = 36'h396090be5; rom[327] = 36'h393100b6c;
        rom[328] = 36'h390354afc; rom[329] = 36'h38d768a94; rom[330] = 36'h38ad18a35; rom[331] = 36'h3884489dc;
        rom[332] = 36'h385cd8989; rom[333] = 36'h3836b493b; rom[334] = 36'h3811c88f4; rom[335] = 36'h37edfc8b0;
        rom[336] = 36'h37cb110a3; rom[337] = 36'h37888cfbf; rom[338] = 36'h374994ef4; rom[339] = 36'h370dc8e3d;
        rom[340] = 36'h36d4d8d97; rom[341] = 36'h369e80d00; rom[342] = 36'h366a84c77; rom[343] = 36'h3638acbf8;
        rom[344] = 36'h3608d0b84; rom[345] = 36'h35dac0b18; rom[346] = 36'h35ae64ab5; rom[347] = 36'h358394a58;
        rom[348] = 36'h355a34a02; rom[349] = 36'h3532309b1; rom[350] = 36'h350b6c965; rom[351] = 36'h34e5d891f;
        rom[352] = 36'h34c13117a; rom[353] = 36'h347b5108c; rom[354] = 36'h343924fb8; rom[355] = 36'h33fa4cef9;
        rom[356] = 36'h33be6ce4c; rom[357] = 36'h338540dae; rom[358] = 36'h334e8cd1f; rom[359] = 36'h331a14c9a;
        rom[360] = 36'h32e7acc20; rom[361] = 36'h32b72cbb0; rom[362] = 36'h32886cb48; rom[363] = 36'h325b50ae8;
        rom[364] = 36'h322fb4a8d; rom[365] = 36'h320580a39; rom[366] = 36'h31dc9c9e9; rom[367] = 36'h31b4f89a0;
        rom[368] = 36'h318e49272; rom[369] = 36'h31448517a; rom[370] = 36'h30fea509c; rom[371] = 36'h30bc38fd4;
        rom[372] = 36'h307cecf1e; rom[373] = 36'h304078e79; rom[374] = 36'h300694de2; rom[375] = 36'h2fcf10d58;
        rom[376] = 36'h2f99b0cd8; rom[377] = 36'h2f6650c63; rom[378] = 36'h2f34c8bf5; rom[379] = 36'h2f04f4b90;
        rom[380] = 36'h2ed6b8b32; rom[381] = 36'h2ea9f4ad9; rom[382] = 36'h2e7e90a85; rom[383] = 36'h2e547ca38;
        rom[384] = 36'h2e2b6d399; rom[385] = 36'h2ddd11293; rom[386] = 36'h2d92c91a9; rom[387] = 36'h2d4c290d7;
        rom[388] = 36'h2d08d1018; rom[389] = 36'h2cc874f6b; rom[390] = 36'h2c8accecc; rom[391] = 36'h2c4fa0e3a;
        rom[392] = 36'h2c16bcdb4; rom[393] = 36'h2bdfecd37; rom[394] = 36'h2bab10cc4; rom[395] = 36'h2b7800c59;
        rom[396] = 36'h2b469cbf5; rom[397] = 36'h2b16c8b98; rom[398] = 36'h2ae86cb41; rom[399] = 36'h2abb68aee;
        rom[400] = 36'h2a8f7d4fa; rom[401] = 36'h2a3b9d3e6; rom[402] = 36'h29ec092ef; rom[403] = 36'h29a055211;
        rom[404] = 36'h295815147; rom[405] = 36'h2912fd08f; rom[406] = 36'h28d0c4fe7; rom[407] = 36'h289128f4d;
        rom[408] = 36'h2853f8ebf; rom[409] = 36'h281900e3c; rom[410] = 36'h27e014dc1; rom[411] = 36'h27a910d50;
        rom[412] = 36'h2773d4ce6; rom[413] = 36'h27403cc83; rom[414] = 36'h270e30c26; rom[415] = 36'h26dd98bcf;
        rom[416] = 36'h26ae256ad; rom[417] = 36'h265379588; rom[418] = 36'h25fd61482; rom[419] = 36'h25ab5d396;
        rom[420] = 36'h255d0d2c0; rom[421] = 36'h2512111fc; rom[422] = 36'h24ca25149; rom[423] = 36'h2485050a5;
        rom[424] = 36'h24427500e; rom[425] = 36'h240240f82; rom[426] = 36'h23c43cf00; rom[427] = 36'h238840e87;
        rom[428] = 36'h234e28e16; rom[429] = 36'h2315d0dac; rom[430] = 36'h22df24d4a; rom[431] = 36'h22aa00cec;
        rom[432] = 36'h2276158d7; rom[433] = 36'h2212c179e; rom[434] = 36'h21b451686; rom[435] = 36'h215a4158a;
        rom[436] = 36'h2104214a4; rom[437] = 36'h20b1953d2; rom[438] = 36'h206251314; rom[439] = 36'h201605263;
        rom[440] = 36'h1fcc7d1c2; rom[441] = 36'h1f857912b; rom[442] = 36'h1f40d10a0; rom[443] = 36'h1efe5501e;
        rom[444] = 36'h1ebddcfa4; rom[445] = 36'h1e7f4cf33; rom[446] = 36'h1e4280ec9; rom[447] = 36'h1e075ce65;
        rom[448] = 36'h1dcd89bb6; rom[449] = 36'h1d5eb9a65; rom[450] = 36'h1cf52d939; rom[451] = 36'h1c9051829;
        rom[452] = 36'h1c2fb5732; rom[453] = 36'h1bd2f1650; rom[454] = 36'h1b79b5583; rom[455] = 36'h1b23ad4c5;
        rom[456] = 36'h1ad09d416; rom[457] = 36'h1a8049375; rom[458] = 36'h1a32792de; rom[459] = 36'h19e705253;
        rom[460] = 36'h199dbd1d0; rom[461] = 36'h195681155; rom[462] = 36'h19112d0e3; rom[463] = 36'h18cda5077;
        rom[464] = 36'h188b85fc4; rom[465] = 36'h180c81e59; rom[466] = 36'h179325d13; rom[467] = 36'h171ee1bee;
        rom[468] = 36'h16af2dae4; rom[469] = 36'h1643a59f1; rom[470] = 36'h15dbe5913; rom[471] = 36'h15779d847;
        rom[472] = 36'h15168578a; rom[473] = 36'h14b8616dc; rom[474] = 36'h145cf563b; rom[475] = 36'h14040d5a4;
        rom[476] = 36'h13ad81518; rom[477] = 36'h135925495; rom[478] = 36'h1306d5419; rom[479] = 36'h12b6713a6;
        rom[480] = 36'h12679260c; rom[481] = 36'h11cf6a489; rom[482] = 36'h113d5232f; rom[483] = 36'h10b09e1f7;
        rom[484] = 36'h1028ca0dd; rom[485] = 36'h0fa55dfdd; rom[486] = 36'h0f25edef3; rom[487] = 36'h0eaa25e1e;
        rom[488] = 36'h0e31b1d59; rom[489] = 36'h0dbc51ca5; rom[490] = 36'h0d49bdbfe; rom[491] = 36'h0cd9c9b65;
        rom[492] = 36'h0c6c39ad6; rom[493] = 36'h0c00e1a51; rom[494] = 36'h0b97a19d7; rom[495] = 36'h0b3049963;
        rom[496] = 36'h0aca7718e; rom[497] = 36'h0a044b018; rom[498] = 36'h0943f6ed2; rom[499] = 36'h0888b6db4;
        rom[500] = 36'h07d1eecba; rom[501] = 36'h071f0ebe0; rom[502] = 36'h066f92b21; rom[503] = 36'h05c312a7c;
        rom[504] = 36'h0519269ee; rom[505] = 36'h047172976; rom[506] = 36'h03cb9e910; rom[507] = 36'h0327628bf;
        rom[508] = 36'h02846e87e; rom[509] = 36'h01e27a84d; rom[510] = 36'h01414a82e; rom[511] = 36'h00a09681d;
    end
endmodule
`default_nettype wire
