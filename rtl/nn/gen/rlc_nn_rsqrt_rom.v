// rlc_nn_rsqrt_rom.v — table of rlc_nn_rsqrt: 512 words of 36 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       {node in 21 bits, step in 15}, of the segment addr; units of 2^-20
// latency    2 clocks, the second a plain register that a RAM block has inside
// cost       one RAMB18E2, or one DP16KD; "distributed": about 300 LUT
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_rsqrt_rom #(
    parameter STYLE = "block"  // "block", "distributed" or "auto": the kind of memory asked of synthesis
) (
    input  wire        clk,
    input  wire [8:0]  addr,
    output wire [35:0] data
);
    `RLC_CHECK(STYLE == "block" || STYLE == "distributed" || STYLE == "auto",
               rlc_nn_rsqrt_rom_illegal_STYLE_must_be_block_or_distributed_or_auto)

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
        rom[0] = 36'h7fffd87f6; rom[1] = 36'h7fc0287ee; rom[2] = 36'h7f80b87e2; rom[3] = 36'h7f41a87d7;
        rom[4] = 36'h7f02f07cb; rom[5] = 36'h7ec4987c0; rom[6] = 36'h7e86987b4; rom[7] = 36'h7e48f87a9;
        rom[8] = 36'h7e0bb079f; rom[9] = 36'h7dceb8793; rom[10] = 36'h7d9220788; rom[11] = 36'h7d55e077d;
        rom[12] = 36'h7d19f8773; rom[13] = 36'h7cde60768; rom[14] = 36'h7ca32075d; rom[15] = 36'h7c6838754;
        rom[16] = 36'h7c2d98748; rom[17] = 36'h7bf35873f; rom[18] = 36'h7bb960734; rom[19] = 36'h7b7fc072b;
        rom[20] = 36'h7b4668720; rom[21] = 36'h7b0d68717; rom[22] = 36'h7ad4b070d; rom[23] = 36'h7a9c48703;
        rom[24] = 36'h7a64306fa; rom[25] = 36'h7a2c606f0; rom[26] = 36'h79f4e06e7; rom[27] = 36'h79bda86dd;
        rom[28] = 36'h7986c06d4; rom[29] = 36'h7950206cb; rom[30] = 36'h7919c86c2; rom[31] = 36'h78e3b86b9;
        rom[32] = 36'h78adf06af; rom[33] = 36'h7878786a8; rom[34] = 36'h78433869e; rom[35] = 36'h780e48695;
        rom[36] = 36'h77d9a068d; rom[37] = 36'h77a538684; rom[38] = 36'h77711867c; rom[39] = 36'h773d38674;
        rom[40] = 36'h77099866b; rom[41] = 36'h76d640662; rom[42] = 36'h76a33065b; rom[43] = 36'h767058652;
        rom[44] = 36'h763dc864b; rom[45] = 36'h760b70642; rom[46] = 36'h75d96063b; rom[47] = 36'h75a788632;
        rom[48] = 36'h7575f862b; rom[49] = 36'h7544a0623; rom[50] = 36'h75138861b; rom[51] = 36'h74e2b0614;
        rom[52] = 36'h74b21060c; rom[53] = 36'h7481b0605; rom[54] = 36'h7451885fd; rom[55] = 36'h7421a05f6;
        rom[56] = 36'h73f1f05ee; rom[57] = 36'h73c2805e7; rom[58] = 36'h7393485e0; rom[59] = 36'h7364485d9;
        rom[60] = 36'h7335805d2; rom[61] = 36'h7306f05cb; rom[62] = 36'h72d8985c4; rom[63] = 36'h72aa785bd;
        rom[64] = 36'h727c905b6; rom[65] = 36'h724ee05af; rom[66] = 36'h7221685a8; rom[67] = 36'h71f4285a2;
        rom[68] = 36'h71c71859b; rom[69] = 36'h719a40594; rom[70] = 36'h716da058e; rom[71] = 36'h714130588;
        rom[72] = 36'h7114f0581; rom[73] = 36'h70e8e857a; rom[74] = 36'h70bd18574; rom[75] = 36'h70917856e;
        rom[76] = 36'h706608568; rom[77] = 36'h703ac8561; rom[78] = 36'h700fc055b; rom[79] = 36'h6fe4e8555;
        rom[80] = 36'h6fba4054f; rom[81] = 36'h6f8fc8549; rom[82] = 36'h6f6580543; rom[83] = 36'h6f3b6853d;
        rom[84] = 36'h6f1180537; rom[85] = 36'h6ee7c8531; rom[86] = 36'h6ebe4052c; rom[87] = 36'h6e94e0525;
        rom[88] = 36'h6e6bb8520; rom[89] = 36'h6e42b851b; rom[90] = 36'h6e19e0514; rom[91] = 36'h6df14050f;
        rom[92] = 36'h6dc8c850a; rom[93] = 36'h6da078503; rom[94] = 36'h6d78604ff; rom[95] = 36'h6d50684f9;
        rom[96] = 36'h6d28a04f3; rom[97] = 36'h6d01084ee; rom[98] = 36'h6cd9984e9; rom[99] = 36'h6cb2504e4;
        rom[100] = 36'h6c8b304de; rom[101] = 36'h6c64404d9; rom[102] = 36'h6c3d784d4; rom[103] = 36'h6c16d84ce;
        rom[104] = 36'h6bf0684ca; rom[105] = 36'h6bca184c4; rom[106] = 36'h6ba3f84c0; rom[107] = 36'h6b7df84ba;
        rom[108] = 36'h6b58284b6; rom[109] = 36'h6b32784b0; rom[110] = 36'h6b0cf84ac; rom[111] = 36'h6ae7984a6;
        rom[112] = 36'h6ac2684a2; rom[113] = 36'h6a9d5849d; rom[114] = 36'h6a7870499; rom[115] = 36'h6a53a8493;
        rom[116] = 36'h6a2f1048f; rom[117] = 36'h6a0a9848a; rom[118] = 36'h69e648486; rom[119] = 36'h69c218480;
        rom[120] = 36'h699e1847d; rom[121] = 36'h697a30477; rom[122] = 36'h695678474; rom[123] = 36'h6932d846e;
        rom[124] = 36'h690f6846a; rom[125] = 36'h68ec18466; rom[126] = 36'h68c8e8462; rom[127] = 36'h68a5d845d;
        rom[128] = 36'h6882f0458; rom[129] = 36'h686030454; rom[130] = 36'h683d90450; rom[131] = 36'h681b1044c;
        rom[132] = 36'h67f8b0448; rom[133] = 36'h67d670443; rom[134] = 36'h67b45843f; rom[135] = 36'h67926043b;
        rom[136] = 36'h677088437; rom[137] = 36'h674ed0432; rom[138] = 36'h672d4042f; rom[139] = 36'h670bc842a;
        rom[140] = 36'h66ea78427; rom[141] = 36'h66c940422; rom[142] = 36'h66a83041f; rom[143] = 36'h66873841a;
        rom[144] = 36'h666668417; rom[145] = 36'h6645b0413; rom[146] = 36'h66251840f; rom[147] = 36'h6604a040b;
        rom[148] = 36'h65e448407; rom[149] = 36'h65c410403; rom[150] = 36'h65a3f8400; rom[151] = 36'h6583f83fb;
        rom[152] = 36'h6564203f8; rom[153] = 36'h6544603f5; rom[154] = 36'h6524b83f0; rom[155] = 36'h6505383ed;
        rom[156] = 36'h64e5d03e9; rom[157] = 36'h64c6883e6; rom[158] = 36'h64a7583e2; rom[159] = 36'h6488483df;
        rom[160] = 36'h6469503da; rom[161] = 36'h644a803d8; rom[162] = 36'h642bc03d4; rom[163] = 36'h640d203d0;
        rom[164] = 36'h63eea03cd; rom[165] = 36'h63d0383c9; rom[166] = 36'h63b1f03c6; rom[167] = 36'h6393c03c3;
        rom[168] = 36'h6375a83bf; rom[169] = 36'h6357b03bb; rom[170] = 36'h6339d83b9; rom[171] = 36'h631c103b5;
        rom[172] = 36'h62fe683b2; rom[173] = 36'h62e0d83ae; rom[174] = 36'h62c3683ab; rom[175] = 36'h62a6103a8;
        rom[176] = 36'h6288d03a5; rom[177] = 36'h626ba83a1; rom[178] = 36'h624ea039e; rom[179] = 36'h6231b039b;
        rom[180] = 36'h6214d8398; rom[181] = 36'h61f818395; rom[182] = 36'h61db70391; rom[183] = 36'h61bee838f;
        rom[184] = 36'h61a27038b; rom[185] = 36'h618618388; rom[186] = 36'h6169d8386; rom[187] = 36'h614da8382;
        rom[188] = 36'h61319837f; rom[189] = 36'h6115a037c; rom[190] = 36'h60f9c0379; rom[191] = 36'h60ddf8376;
        rom[192] = 36'h60c248373; rom[193] = 36'h60a6b0371; rom[194] = 36'h608b2836d; rom[195] = 36'h606fc036a;
        rom[196] = 36'h605470368; rom[197] = 36'h603930364; rom[198] = 36'h601e10362; rom[199] = 36'h60030035f;
        rom[200] = 36'h5fe80835c; rom[201] = 36'h5fcd28359; rom[202] = 36'h5fb260357; rom[203] = 36'h5f97a8353;
        rom[204] = 36'h5f7d10351; rom[205] = 36'h5f628834e; rom[206] = 36'h5f481834c; rom[207] = 36'h5f2db8348;
        rom[208] = 36'h5f1378346; rom[209] = 36'h5ef948344; rom[210] = 36'h5edf28340; rom[211] = 36'h5ec52833e;
        rom[212] = 36'h5eab3833b; rom[213] = 36'h5e9160339; rom[214] = 36'h5e7798336; rom[215] = 36'h5e5de8333;
        rom[216] = 36'h5e4450331; rom[217] = 36'h5e2ac832e; rom[218] = 36'h5e115832c; rom[219] = 36'h5df7f8329;
        rom[220] = 36'h5ddeb0326; rom[221] = 36'h5dc580324; rom[222] = 36'h5dac60322; rom[223] = 36'h5d935031f;
        rom[224] = 36'h5d7a5831c; rom[225] = 36'h5d617831a; rom[226] = 36'h5d48a8317; rom[227] = 36'h5d2ff0315;
        rom[228] = 36'h5d1748313; rom[229] = 36'h5cfeb0310; rom[230] = 36'h5ce63030e; rom[231] = 36'h5ccdc030b;
        rom[232] = 36'h5cb568309; rom[233] = 36'h5c9d20307; rom[234] = 36'h5c84e8304; rom[235] = 36'h5c6cc8302;
        rom[236] = 36'h5c54b82ff; rom[237] = 36'h5c3cc02fe; rom[238] = 36'h5c24d02fa; rom[239] = 36'h5c0d002f9;
        rom[240] = 36'h5bf5382f6; rom[241] = 36'h5bdd882f4; rom[242] = 36'h5bc5e82f2; rom[243] = 36'h5bae582ef;
        rom[244] = 36'h5b96e02ed; rom[245] = 36'h5b7f782eb; rom[246] = 36'h5b68202e9; rom[247] = 36'h5b50d82e7;
        rom[248] = 36'h5b39a02e4; rom[249] = 36'h5b22802e2; rom[250] = 36'h5b0b702e0; rom[251] = 36'h5af4702de;
        rom[252] = 36'h5add802db; rom[253] = 36'h5ac6a82da; rom[254] = 36'h5aafd82d7; rom[255] = 36'h5a99202d5;
        rom[256] = 36'h5a82785a4; rom[257] = 36'h5a555859c; rom[258] = 36'h5a2878593; rom[259] = 36'h59fbe058b;
        rom[260] = 36'h59cf88583; rom[261] = 36'h59a37057a; rom[262] = 36'h5977a0573; rom[263] = 36'h594c0856b;
        rom[264] = 36'h5920b0563; rom[265] = 36'h58f59855b; rom[266] = 36'h58cac0553; rom[267] = 36'h58a02854c;
        rom[268] = 36'h5875c8544; rom[269] = 36'h584ba853d; rom[270] = 36'h5821c0535; rom[271] = 36'h57f81852e;
        rom[272] = 36'h57cea8527; rom[273] = 36'h57a57051f; rom[274] = 36'h577c78519; rom[275] = 36'h5753b0511;
        rom[276] = 36'h572b2850a; rom[277] = 36'h5702d8503; rom[278] = 36'h56dac04fc; rom[279] = 36'h56b2e04f6;
        rom[280] = 36'h568b304ee; rom[281] = 36'h5663c04e8; rom[282] = 36'h563c804e1; rom[283] = 36'h5615784db;
        rom[284] = 36'h55eea04d4; rom[285] = 36'h55c8004ce; rom[286] = 36'h55a1904c7; rom[287] = 36'h557b584c1;
        rom[288] = 36'h5555504ba; rom[289] = 36'h552f804b4; rom[290] = 36'h5509e04ae; rom[291] = 36'h54e4704a8;
        rom[292] = 36'h54bf304a2; rom[293] = 36'h549a2049c; rom[294] = 36'h547540495; rom[295] = 36'h545098490;
        rom[296] = 36'h542c1848a; rom[297] = 36'h5407c8484; rom[298] = 36'h53e3a847e; rom[299] = 36'h53bfb8478;
        rom[300] = 36'h539bf8473; rom[301] = 36'h53786046d; rom[302] = 36'h5354f8468; rom[303] = 36'h5331b8461;
        rom[304] = 36'h530eb045d; rom[305] = 36'h52ebc8457; rom[306] = 36'h52c910451; rom[307] = 36'h52a68844c;
        rom[308] = 36'h528428447; rom[309] = 36'h5261f0441; rom[310] = 36'h523fe843c; rom[311] = 36'h521e08437;
        rom[312] = 36'h51fc50432; rom[313] = 36'h51dac042d; rom[314] = 36'h51b958427; rom[315] = 36'h519820422;
        rom[316] = 36'h51771041e; rom[317] = 36'h515620418; rom[318] = 36'h513560414; rom[319] = 36'h5114c040f;
        rom[320] = 36'h50f448409; rom[321] = 36'h50d400405; rom[322] = 36'h50b3d8401; rom[323] = 36'h5093d03fb;
        rom[324] = 36'h5073f83f7; rom[325] = 36'h5054403f2; rom[326] = 36'h5034b03ed; rom[327] = 36'h5015483e9;
        rom[328] = 36'h4ff6003e4; rom[329] = 36'h4fd6e03e0; rom[330] = 36'h4fb7e03db; rom[331] = 36'h4f99083d7;
        rom[332] = 36'h4f7a503d2; rom[333] = 36'h4f5bc03ce; rom[334] = 36'h4f3d503ca; rom[335] = 36'h4f1f003c5;
        rom[336] = 36'h4f00d83c1; rom[337] = 36'h4ee2d03bd; rom[338] = 36'h4ec4e83b8; rom[339] = 36'h4ea7283b4;
        rom[340] = 36'h4e89883b0; rom[341] = 36'h4e6c083ac; rom[342] = 36'h4e4ea83a8; rom[343] = 36'h4e31683a4;
        rom[344] = 36'h4e14483a0; rom[345] = 36'h4df74839b; rom[346] = 36'h4dda70398; rom[347] = 36'h4dbdb0394;
        rom[348] = 36'h4da11038f; rom[349] = 36'h4d849838c; rom[350] = 36'h4d6838388; rom[351] = 36'h4d4bf8384;
        rom[352] = 36'h4d2fd8380; rom[353] = 36'h4d13d837d; rom[354] = 36'h4cf7f0379; rom[355] = 36'h4cdc28374;
        rom[356] = 36'h4cc088372; rom[357] = 36'h4ca4f836d; rom[358] = 36'h4c899036a; rom[359] = 36'h4c6e40366;
        rom[360] = 36'h4c5310363; rom[361] = 36'h4c37f835f; rom[362] = 36'h4c1d0035b; rom[363] = 36'h4c0228358;
        rom[364] = 36'h4be768355; rom[365] = 36'h4bccc0350; rom[366] = 36'h4bb24034e; rom[367] = 36'h4b97d034a;
        rom[368] = 36'h4b7d80346; rom[369] = 36'h4b6350343; rom[370] = 36'h4b4938340; rom[371] = 36'h4b2f3833d;
        rom[372] = 36'h4b1550339; rom[373] = 36'h4afb88335; rom[374] = 36'h4ae1e0333; rom[375] = 36'h4ac84832f;
        rom[376] = 36'h4aaed032c; rom[377] = 36'h4a9570329; rom[378] = 36'h4a7c28325; rom[379] = 36'h4a6300323;
        rom[380] = 36'h4a49e831f; rom[381] = 36'h4a30f031c; rom[382] = 36'h4a1810319; rom[383] = 36'h49ff48316;
        rom[384] = 36'h49e698312; rom[385] = 36'h49ce08310; rom[386] = 36'h49b58830d; rom[387] = 36'h499d20309;
        rom[388] = 36'h4984d8307; rom[389] = 36'h496ca0303; rom[390] = 36'h495488301; rom[391] = 36'h493c802fe;
        rom[392] = 36'h4924902fb; rom[393] = 36'h490cb82f8; rom[394] = 36'h48f4f82f5; rom[395] = 36'h48dd502f2;
        rom[396] = 36'h48c5c02ef; rom[397] = 36'h48ae482ed; rom[398] = 36'h4896e02e9; rom[399] = 36'h487f982e7;
        rom[400] = 36'h4868602e4; rom[401] = 36'h4851402e1; rom[402] = 36'h483a382df; rom[403] = 36'h4823402dc;
        rom[404] = 36'h480c602d9; rom[405] = 36'h47f5982d6; rom[406] = 36'h47dee82d4; rom[407] = 36'h47c8482d1;
        rom[408] = 36'h47b1c02cf; rom[409] = 36'h479b482cb; rom[410] = 36'h4784f02ca; rom[411] = 36'h476ea02c6;
        rom[412] = 36'h4758702c4; rom[413] = 36'h4742502c2; rom[414] = 36'h472c402be; rom[415] = 36'h4716502bd;
        rom[416] = 36'h4700682ba; rom[417] = 36'h46ea982b7; rom[418] = 36'h46d4e02b5; rom[419] = 36'h46bf382b2;
        rom[420] = 36'h46a9a82b0; rom[421] = 36'h4694282ae; rom[422] = 36'h467eb82ab; rom[423] = 36'h4669602a8;
        rom[424] = 36'h4654202a6; rom[425] = 36'h463ef02a4; rom[426] = 36'h4629d02a2; rom[427] = 36'h4614c029f;
        rom[428] = 36'h45ffc829c; rom[429] = 36'h45eae829b; rom[430] = 36'h45d610298; rom[431] = 36'h45c150296;
        rom[432] = 36'h45aca0293; rom[433] = 36'h459808291; rom[434] = 36'h45838028f; rom[435] = 36'h456f0828d;
        rom[436] = 36'h455aa028a; rom[437] = 36'h454650289; rom[438] = 36'h453208286; rom[439] = 36'h451dd8283;
        rom[440] = 36'h4509c0282; rom[441] = 36'h44f5b027f; rom[442] = 36'h44e1b827e; rom[443] = 36'h44cdc827b;
        rom[444] = 36'h44b9f0279; rom[445] = 36'h44a628276; rom[446] = 36'h449278275; rom[447] = 36'h447ed0273;
        rom[448] = 36'h446b38270; rom[449] = 36'h4457b826f; rom[450] = 36'h44444026c; rom[451] = 36'h4430e026a;
        rom[452] = 36'h441d90268; rom[453] = 36'h440a50267; rom[454] = 36'h43f718264; rom[455] = 36'h43e3f8262;
        rom[456] = 36'h43d0e8260; rom[457] = 36'h43bde825e; rom[458] = 36'h43aaf825c; rom[459] = 36'h43981825b;
        rom[460] = 36'h438540258; rom[461] = 36'h437280256; rom[462] = 36'h435fd0255; rom[463] = 36'h434d28252;
        rom[464] = 36'h433a98251; rom[465] = 36'h43281024e; rom[466] = 36'h4315a024d; rom[467] = 36'h43033824b;
        rom[468] = 36'h42f0e0249; rom[469] = 36'h42de98247; rom[470] = 36'h42cc60245; rom[471] = 36'h42ba38243;
        rom[472] = 36'h42a820242; rom[473] = 36'h42961023f; rom[474] = 36'h42841823e; rom[475] = 36'h42722823c;
        rom[476] = 36'h42604823b; rom[477] = 36'h424e70238; rom[478] = 36'h423cb0237; rom[479] = 36'h422af8235;
        rom[480] = 36'h421950233; rom[481] = 36'h4207b8231; rom[482] = 36'h41f630230; rom[483] = 36'h41e4b022e;
        rom[484] = 36'h41d34022c; rom[485] = 36'h41c1e022b; rom[486] = 36'h41b088228; rom[487] = 36'h419f48228;
        rom[488] = 36'h418e08225; rom[489] = 36'h417ce0224; rom[490] = 36'h416bc0222; rom[491] = 36'h415ab0220;
        rom[492] = 36'h4149b021f; rom[493] = 36'h4138b821d; rom[494] = 36'h4127d021b; rom[495] = 36'h4116f821a;
        rom[496] = 36'h410628218; rom[497] = 36'h40f568217; rom[498] = 36'h40e4b0215; rom[499] = 36'h40d408213;
        rom[500] = 36'h40c370212; rom[501] = 36'h40b2e0210; rom[502] = 36'h40a26020e; rom[503] = 36'h4091f020d;
        rom[504] = 36'h40818820c; rom[505] = 36'h40712820a; rom[506] = 36'h4060d8208; rom[507] = 36'h405098207;
        rom[508] = 36'h404060205; rom[509] = 36'h403038204; rom[510] = 36'h402018202; rom[511] = 36'h401008201;
    end
endmodule
`default_nettype wire
