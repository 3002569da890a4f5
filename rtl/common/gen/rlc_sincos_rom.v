// rlc_sincos_rom.v — table of rlc_sincos: 512 words of 60 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       {cosine + 16 in 30 bits, sine + 16 in 30}, of the centre of segment addr; units of 2^-30
// latency    2 clocks, the second a plain register that a RAM block has inside
// cost       one RAMB36E2, or two DP16KD
`default_nettype none
`include "rlc_check.vh"
module rlc_sincos_rom #(
    parameter STYLE = "block"  // "block", "distributed" or "auto": the kind of memory asked of synthesis
) (
    input  wire        clk,
    input  wire [8:0]  addr,
    output wire [59:0] data
);
    `RLC_CHECK(STYLE == "block" || STYLE == "distributed" || STYLE == "auto",
               rlc_sincos_rom_illegal_STYLE_must_be_block_or_distributed_or_auto)

    (* rom_style = STYLE, ram_style = STYLE *)
    reg [59:0] rom [0:511];
    reg [59:0] read_s1;
    reg [59:0] read_s2;

    always @(posedge clk) begin
        read_s1 <= rom[addr];
        read_s2 <= read_s1;
    end
    assign data = read_s2;

    initial begin
        rom[0] = 60'hfffffb5000c910e; rom[1] = 60'hffffd3d8025b307; rom[2] = 60'hffff84e003ed4fa;
        rom[3] = 60'hffff0e70057f6e4; rom[4] = 60'hfffe708807118c0; rom[5] = 60'hfffdab2408a3a8b;
        rom[6] = 60'hfffcbe480a35c40; rom[7] = 60'hfffba9f00bc7ddc; rom[8] = 60'hfffa6e1c0d59f5c;
        rom[9] = 60'hfff90ad00eec0ba; rom[10] = 60'hfff7800c107e1f3; rom[11] = 60'hfff5cdd01210304;
        rom[12] = 60'hfff3f41813a23e8; rom[13] = 60'hfff1f2e8153449c; rom[14] = 60'hffefca4016c651b;
        rom[15] = 60'hffed7a201858562; rom[16] = 60'hffeb028819ea56d; rom[17] = 60'hffe8637c1b7c538;
        rom[18] = 60'hffe59cf41d0e4c0; rom[19] = 60'hffe2aef81ea03ff; rom[20] = 60'hffdf998820322f3;
        rom[21] = 60'hffdc5ca021c4198; rom[22] = 60'hffd8f8442355fe9; rom[23] = 60'hffd56c7424e7de4;
        rom[24] = 60'hffd1b9302679b83; rom[25] = 60'hffcdde78280b8c3; rom[26] = 60'hffc9dc4c299d5a0;
        rom[27] = 60'hffc5b2b02b2f217; rom[28] = 60'hffc161a02cc0e23; rom[29] = 60'hffbce9242e529c0;
        rom[30] = 60'hffb849342fe44ec; rom[31] = 60'hffb381d43175fa1; rom[32] = 60'hffae930833079dc;
        rom[33] = 60'hffa97ccc3499399; rom[34] = 60'hffa43f24362acd5; rom[35] = 60'hff9eda1037bc58b;
        rom[36] = 60'hff994d90394ddb7; rom[37] = 60'hff9399a43adf556; rom[38] = 60'hff8dbe503c70c64;
        rom[39] = 60'hff87bb943e022dc; rom[40] = 60'hff81916c3f938bc; rom[41] = 60'hff7b3fe04124dfe;
        rom[42] = 60'hff74c6f042b62a0; rom[43] = 60'hff6e2698444769d; rom[44] = 60'hff675edc45d89f2;
        rom[45] = 60'hff606fbc4769c9b; rom[46] = 60'hff59593c48fae93; rom[47] = 60'hff521b5c4a8bfd7;
        rom[48] = 60'hff4ab61c4c1d064; rom[49] = 60'hff43297c4dae034; rom[50] = 60'hff3b75804f3ef45;
        rom[51] = 60'hff339a2850cfd92; rom[52] = 60'hff2b97745260b18; rom[53] = 60'hff236d6853f17d3;
        rom[54] = 60'hff1b1c0055823be; rom[55] = 60'hff12a3445712ed7; rom[56] = 60'hff0a033058a3918;
        rom[57] = 60'hff013bcc5a3427f; rom[58] = 60'hfef84d105bc4b08; rom[59] = 60'hfeef37045d552ae;
        rom[60] = 60'hfee5f9a85ee596d; rom[61] = 60'hfedc94fc6075f43; rom[62] = 60'hfed30904620642a;
        rom[63] = 60'hfec955bc6396820; rom[64] = 60'hfebf7b2c6526b20; rom[65] = 60'hfeb5795466b6d26;
        rom[66] = 60'hfeab50346846e2f; rom[67] = 60'hfea0ffcc69d6e37; rom[68] = 60'hfe9688246b66d39;
        rom[69] = 60'hfe8be9346cf6b33; rom[70] = 60'hfe8123086e86820; rom[71] = 60'hfe76359870163fb;
        rom[72] = 60'hfe6b20f071a5ec3; rom[73] = 60'hfe5fe5087335872; rom[74] = 60'hfe5481e474c5104;
        rom[75] = 60'hfe48f7887654877; rom[76] = 60'hfe3d45f877e3ec5; rom[77] = 60'hfe316d3479733ec;
        rom[78] = 60'hfe256d387b027e7; rom[79] = 60'hfe1946107c91ab3; rom[80] = 60'hfe0cf7b47e20c4b;
        rom[81] = 60'hfe00822c7fafcac; rom[82] = 60'hfdf3e578813ebd2; rom[83] = 60'hfde7219c82cd9b9;
        rom[84] = 60'hfdda3698845c65d; rom[85] = 60'hfdcd246c85eb1bb; rom[86] = 60'hfdbfeb208779bce;
        rom[87] = 60'hfdb28ab08908493; rom[88] = 60'hfda503208a96c06; rom[89] = 60'hfd9754748c25223;
        rom[90] = 60'hfd897eac8db36e6; rom[91] = 60'hfd7b81cc8f41a4c; rom[92] = 60'hfd6d5dd490cfc50;
        rom[93] = 60'hfd5f12c8925dcef; rom[94] = 60'hfd50a0a893ebc24; rom[95] = 60'hfd42077495799ed;
        rom[96] = 60'hfd3347389707645; rom[97] = 60'hfd245fec9895128; rom[98] = 60'hfd1551989a22a93;
        rom[99] = 60'hfd061c3c9bb0281; rom[100] = 60'hfcf6bfdc9d3d8ef; rom[101] = 60'hfce73c789ecadd9;
        rom[102] = 60'hfcd79218a05813c; rom[103] = 60'hfcc7c0b4a1e5313; rom[104] = 60'hfcb7c858a37235a;
        rom[105] = 60'hfca7a904a4ff20e; rom[106] = 60'hfc9762b8a68bf2b; rom[107] = 60'hfc86f578a818aad;
        rom[108] = 60'hfc766148a9a5490; rom[109] = 60'hfc65a628ab31cd1; rom[110] = 60'hfc54c41cacbe36b;
        rom[111] = 60'hfc43bb24ae4a85b; rom[112] = 60'hfc328b48afd6b9d; rom[113] = 60'hfc213488b162d2d;
        rom[114] = 60'hfc0fb6e4b2eed08; rom[115] = 60'hfbfe1264b47ab29; rom[116] = 60'hfbec4704b60678c;
        rom[117] = 60'hfbda54ccb79222f; rom[118] = 60'hfbc83bc0b91db0c; rom[119] = 60'hfbb5fbdcbaa9221;
        rom[120] = 60'hfba39528bc34769; rom[121] = 60'hfb9107a8bdbfae1; rom[122] = 60'hfb7e535cbf4ac85;
        rom[123] = 60'hfb6b7844c0d5c51; rom[124] = 60'hfb587668c260a41; rom[125] = 60'hfb454dccc3eb651;
        rom[126] = 60'hfb31fe6cc57607e; rom[127] = 60'hfb1e8854c7008c3; rom[128] = 60'hfb0aeb80c88af1e;
        rom[129] = 60'hfaf727f4ca1538a; rom[130] = 60'hfae33db4cb9f603; rom[131] = 60'hfacf2cc4cd29686;
        rom[132] = 60'hfabaf528ceb350e; rom[133] = 60'hfaa696e0d03d199; rom[134] = 60'hfa9211f0d1c6c21;
        rom[135] = 60'hfa7d6660d3504a5; rom[136] = 60'hfa68942cd4d9b1e; rom[137] = 60'hfa539b58d662f8b;
        rom[138] = 60'hfa3e7becd7ec1e6; rom[139] = 60'hfa2935e8d97522d; rom[140] = 60'hfa13c954dafe05b;
        rom[141] = 60'hf9fe362cdc86c6d; rom[142] = 60'hf9e87c74de0f65f; rom[143] = 60'hf9d29c34df97e2d;
        rom[144] = 60'hf9bc9570e1203d3; rom[145] = 60'hf9a66828e2a874e; rom[146] = 60'hf990145ce430899;
        rom[147] = 60'hf9799a18e5b87b2; rom[148] = 60'hf962f95ce740493; rom[149] = 60'hf94c3228e8c7f3a;
        rom[150] = 60'hf9354480ea4f7a3; rom[151] = 60'hf91e306cebd6dc9; rom[152] = 60'hf906f5f0ed5e1aa;
        rom[153] = 60'hf8ef9508eee5341; rom[154] = 60'hf8d80dc0f06c28a; rom[155] = 60'hf8c06018f1f2f83;
        rom[156] = 60'hf8a88c10f379a26; rom[157] = 60'hf89091b4f500270; rom[158] = 60'hf8787100f68685e;
        rom[159] = 60'hf86029fcf80cbec; rom[160] = 60'hf847bcacf992d16; rom[161] = 60'hf82f2910fb18bd8;
        rom[162] = 60'hf8166f2cfc9e82e; rom[163] = 60'hf7fd8f08fe24215; rom[164] = 60'hf7e488a8ffa9989;
        rom[165] = 60'hf7cb5c0d012ee86; rom[166] = 60'hf7b2093902b4108; rom[167] = 60'hf7989035043910d;
        rom[168] = 60'hf77ef10105bde8f; rom[169] = 60'hf7652ba1074298b; rom[170] = 60'hf74b401d08c71fe;
        rom[171] = 60'hf7312e750a4b7e3; rom[172] = 60'hf716f6ad0bcfb38; rom[173] = 60'hf6fc98c90d53bf7;
        rom[174] = 60'hf6e214d10ed7a1e; rom[175] = 60'hf6c76ac9105b5a9; rom[176] = 60'hf6ac9aad11dee94;
        rom[177] = 60'hf691a48913624db; rom[178] = 60'hf676886114e587a; rom[179] = 60'hf65b4635166896f;
        rom[180] = 60'hf63fde0917eb7b4; rom[181] = 60'hf6244fe9196e347; rom[182] = 60'hf6089bd11af0c23;
        rom[183] = 60'hf5ecc1c51c73245; rom[184] = 60'hf5d0c1d11df55a9; rom[185] = 60'hf5b49bf11f7764c;
        rom[186] = 60'hf598502d20f942a; rom[187] = 60'hf57bde8d227af3e; rom[188] = 60'hf55f470d23fc786;
        rom[189] = 60'hf54289b9257dcfd; rom[190] = 60'hf525a69126fefa0; rom[191] = 60'hf5089d9d287ff6b;
        rom[192] = 60'hf4eb6edd2a00c5b; rom[193] = 60'hf4ce1a5d2b8166b; rom[194] = 60'hf4b0a0192d01d99;
        rom[195] = 60'hf49300192e821df; rom[196] = 60'hf4753a61300233c; rom[197] = 60'hf4574ef531821aa;
        rom[198] = 60'hf4393ddd3301d26; rom[199] = 60'hf41b071934815ad; rom[200] = 60'hf3fcaab53600b3a;
        rom[201] = 60'hf3de28ad377fdcb; rom[202] = 60'hf3bf810938fed5b; rom[203] = 60'hf3a0b3d13a7d9e7;
        rom[204] = 60'hf381c1053bfc36b; rom[205] = 60'hf362a8ad3d7a9e3; rom[206] = 60'hf3436ac93ef8d4c;
        rom[207] = 60'hf32407654076da1; rom[208] = 60'hf3047e8141f4ae1; rom[209] = 60'hf2e4d0254372505;
        rom[210] = 60'hf2c4fc5144efc0c; rom[211] = 60'hf2a5030d466cff1; rom[212] = 60'hf284e46147ea0b0;
        rom[213] = 60'hf264a04d4966e46; rom[214] = 60'hf24436d54ae38b0; rom[215] = 60'hf223a8054c5ffe9;
        rom[216] = 60'hf202f3dd4ddc3ee; rom[217] = 60'hf1e21a614f584bc; rom[218] = 60'hf1c11b9950d424d;
        rom[219] = 60'hf19ff785524fca0; rom[220] = 60'hf17eae3153cb3b0; rom[221] = 60'hf15d3fa1554677a;
        rom[222] = 60'hf13babd556c17f9; rom[223] = 60'hf119f2d9583c52b; rom[224] = 60'hf0f814ad59b6f0b;
        rom[225] = 60'hf0d611595b31597; rom[226] = 60'hf0b3e8e15cab8ca; rom[227] = 60'hf0919b495e258a0;
        rom[228] = 60'hf06f28995f9f517; rom[229] = 60'hf04c90d16118e2a; rom[230] = 60'hf029d40162923d5;
        rom[231] = 60'hf006f221640b616; rom[232] = 60'hefe3eb4165844e8; rom[233] = 60'hefc0bf6566fd049;
        rom[234] = 60'hef9d6e8d6875833; rom[235] = 60'hef79f8c169edca4; rom[236] = 60'hef565e056b65d98;
        rom[237] = 60'hef329e656cddb0b; rom[238] = 60'hef0eb9dd6e554fa; rom[239] = 60'heeeab0796fccb61;
        rom[240] = 60'heec682417143e3d; rom[241] = 60'heea22f3172bad8a; rom[242] = 60'hee7db7557431943;
        rom[243] = 60'hee591ab575a8167; rom[244] = 60'hee345951771e5f0; rom[245] = 60'hee0f733178946dc;
        rom[246] = 60'hedea685d7a0a427; rom[247] = 60'hedc538d57b7fdcd; rom[248] = 60'hed9fe4a57cf53cb;
        rom[249] = 60'hed7a6bd17e6a61c; rom[250] = 60'hed54ce597fdf4be; rom[251] = 60'hed2f0c4d8153fad;
        rom[252] = 60'hed0925a982c86e5; rom[253] = 60'hece31a79843ca63; rom[254] = 60'hecbceac185b0a23;
        rom[255] = 60'hec9696858724621; rom[256] = 60'hec701dd18897e5a; rom[257] = 60'hec4980a58a0b2cb;
        rom[258] = 60'hec22bf098b7e36f; rom[259] = 60'hebfbd9018cf1044; rom[260] = 60'hebd4ce958e63945;
        rom[261] = 60'hebad9fcd8fd5e6f; rom[262] = 60'heb864ca99147fbe; rom[263] = 60'heb5ed53592b9d2f;
        rom[264] = 60'heb373975942b6bf; rom[265] = 60'heb0f7971959cc6a; rom[266] = 60'heae79529970de2b;
        rom[267] = 60'heabf8cad987ec00; rom[268] = 60'hea975ff999ef5e6; rom[269] = 60'hea6f0f199b5fbd8;
        rom[270] = 60'hea469a119ccfdd2; rom[271] = 60'hea1e00e99e3fbd3; rom[272] = 60'he9f543a99faf5d5;
        rom[273] = 60'he9cc6251a11ebd5; rom[274] = 60'he9a35ceda28ddd0; rom[275] = 60'he97a3381a3fcbc3;
        rom[276] = 60'he950e611a56b5a9; rom[277] = 60'he92774a9a6d9b80; rom[278] = 60'he8fddf4da847d43;
        rom[279] = 60'he8d42601a9b5aef; rom[280] = 60'he8aa48cdab23481; rom[281] = 60'he88047b9ac909f5;
        rom[282] = 60'he85622c9adfdb47; rom[283] = 60'he82bda05af6a875; rom[284] = 60'he8016d75b0d717a;
        rom[285] = 60'he7d6dd1db243653; rom[286] = 60'he7ac2905b3af6fc; rom[287] = 60'he7815131b51b373;
        rom[288] = 60'he75655a9b686bb3; rom[289] = 60'he72b3675b7f1fb9; rom[290] = 60'he6fff39db95cf81;
        rom[291] = 60'he6d48d25bac7b09; rom[292] = 60'he6a90311bc3224c; rom[293] = 60'he67d556dbd9c547;
        rom[294] = 60'he651843dbf063f6; rom[295] = 60'he6258f89c06fe56; rom[296] = 60'he5f97759c1d9464;
        rom[297] = 60'he5cd3bb1c34261c; rom[298] = 60'he5a0dc95c4ab37b; rom[299] = 60'he5745a15c613c7d;
        rom[300] = 60'he547b431c77c11e; rom[301] = 60'he51aeaf1c8e415b; rom[302] = 60'he4edfe59ca4bd31;
        rom[303] = 60'he4c0ee79cbb349d; rom[304] = 60'he493bb4dcd1a79a; rom[305] = 60'he46664e5ce81625;
        rom[306] = 60'he438eb41cfe803b; rom[307] = 60'he40b4e6dd14e5d9; rom[308] = 60'he3dd8e6dd2b46fa;
        rom[309] = 60'he3afab49d41a39c; rom[310] = 60'he381a509d57fbba; rom[311] = 60'he3537bb5d6e4f53;
        rom[312] = 60'he3252f51d849e61; rom[313] = 60'he2f6bfe9d9ae8e2; rom[314] = 60'he2c82d7ddb12ed3;
        rom[315] = 60'he2997819dc7702f; rom[316] = 60'he26a9fc1dddacf4; rom[317] = 60'he23ba481df3e51d;
        rom[318] = 60'he20c865de0a18a8; rom[319] = 60'he1dd455de204791; rom[320] = 60'he1ade189e3671d5;
        rom[321] = 60'he17e5ae5e4c9770; rom[322] = 60'he14eb17de62b85f; rom[323] = 60'he11ee559e78d49e;
        rom[324] = 60'he0eef679e8eec2b; rom[325] = 60'he0bee4e9ea4ff00; rom[326] = 60'he08eb0b5ebb0d1d;
        rom[327] = 60'he05e59d9ed1167b; rom[328] = 60'he02de069ee71b1a; rom[329] = 60'hdffd4465efd1af4;
        rom[330] = 60'hdfcc85d5f131607; rom[331] = 60'hdf9ba4c5f290c4f; rom[332] = 60'hdf6aa135f3efdc9;
        rom[333] = 60'hdf397b35f54ea72; rom[334] = 60'hdf0832c5f6ad245; rom[335] = 60'hded6c7f1f80b541;
        rom[336] = 60'hdea53ac1f969360; rom[337] = 60'hde738b39fac6ca1; rom[338] = 60'hde41b965fc240ff;
        rom[339] = 60'hde0fc54dfd81077; rom[340] = 60'hddddaef1feddb06; rom[341] = 60'hddab7662003a0a9;
        rom[342] = 60'hdd791ba2019615c; rom[343] = 60'hdd469eba02f1d1b; rom[344] = 60'hdd13ffb6044d3e4;
        rom[345] = 60'hdce13e9605a85b3; rom[346] = 60'hdcae5b6a0703285; rom[347] = 60'hdc7b5632085da56;
        rom[348] = 60'hdc482efa09b7d23; rom[349] = 60'hdc14e5ca0b11ae9; rom[350] = 60'hdbe17aaa0c6b3a5;
        rom[351] = 60'hdbadeda20dc4752; rom[352] = 60'hdb7a3eba0f1d5ee; rom[353] = 60'hdb466dfa1075f75;
        rom[354] = 60'hdb127b6611ce3e5; rom[355] = 60'hdade670e1326339; rom[356] = 60'hdaaa30f2147dd6f;
        rom[357] = 60'hda75d91e15d5283; rom[358] = 60'hda415f9a172c272; rom[359] = 60'hda0cc46e1882d38;
        rom[360] = 60'hd9d8079e19d92d2; rom[361] = 60'hd9a3293a1b2f33e; rom[362] = 60'hd96e29461c84e77;
        rom[363] = 60'hd93907ca1dda47a; rom[364] = 60'hd903c4ce1f2f544; rom[365] = 60'hd8ce605a20840d2;
        rom[366] = 60'hd898da7621d8721; rom[367] = 60'hd863332a232c82c; rom[368] = 60'hd82d6a8224803f2;
        rom[369] = 60'hd7f7808625d3a6e; rom[370] = 60'hd7c175362726b9e; rom[371] = 60'hd78b48a6287977e;
        rom[372] = 60'hd754fad629cbe0a; rom[373] = 60'hd71e8bce2b1df40; rom[374] = 60'hd6e7fb9e2c6fb1c;
        rom[375] = 60'hd6b14a4a2dc119c; rom[376] = 60'hd67a77d62f122bb; rom[377] = 60'hd64384523062e77;
        rom[378] = 60'hd60c6fc231b34cc; rom[379] = 60'hd5d53a3233035b7; rom[380] = 60'hd59de3a63453135;
        rom[381] = 60'hd5666c2a35a2743; rom[382] = 60'hd52ed3c636f17dc; rom[383] = 60'hd4f71a7e38402ff;
        rom[384] = 60'hd4bf4062398e8a8; rom[385] = 60'hd48745763adc8d4; rom[386] = 60'hd44f29c23c2a37f;
        rom[387] = 60'hd416ed523d778a6; rom[388] = 60'hd3de902e3ec4847; rom[389] = 60'hd3a6125e401125d;
        rom[390] = 60'hd36d73ea415d6e5; rom[391] = 60'hd334b4da42a95de; rom[392] = 60'hd2fbd53643f4f42;
        rom[393] = 60'hd2c2d50e454030f; rom[394] = 60'hd289b462468b142; rom[395] = 60'hd250733e47d59d8;
        rom[396] = 60'hd21711ae491fcce; rom[397] = 60'hd1dd8fb64a69a1f; rom[398] = 60'hd1a3ed5e4bb31ca;
        rom[399] = 60'hd16a2ab64cfc3ca; rom[400] = 60'hd13047c24e4501e; rom[401] = 60'hd0f6448a4f8d6c0;
        rom[402] = 60'hd0bc211a50d57b0; rom[403] = 60'hd081dd76521d2e8; rom[404] = 60'hd04779ae5364867;
        rom[405] = 60'hd00cf5c654ab828; rom[406] = 60'hcfd251ca55f2229; rom[407] = 60'hcf978dc25738667;
        rom[408] = 60'hcf5ca9b6587e4df; rom[409] = 60'hcf21a5ae59c3d8c; rom[410] = 60'hcee681b65b0906d;
        rom[411] = 60'hceab3dd65c4dd7e; rom[412] = 60'hce6fda165d924bc; rom[413] = 60'hce3456825ed6624;
        rom[414] = 60'hcdf8b31e601a1b2; rom[415] = 60'hcdbceffa615d764; rom[416] = 60'hcd810d1a62a0737;
        rom[417] = 60'hcd450a8a63e3127; rom[418] = 60'hcd08e8526525531; rom[419] = 60'hcccca67e6667352;
        rom[420] = 60'hcc90451267a8b87; rom[421] = 60'hcc53c41a68e9dcd; rom[422] = 60'hcc17239e6a2aa21;
        rom[423] = 60'hcbda63ae6b6b080; rom[424] = 60'hcb9d844a6cab0e6; rom[425] = 60'hcb6085826deab51;
        rom[426] = 60'hcb23675a6f29fbd; rom[427] = 60'hcae629de7068e28; rom[428] = 60'hcaa8cd1a71a768e;
        rom[429] = 60'hca6b511672e58ec; rom[430] = 60'hca2db5da7423540; rom[431] = 60'hc9effb727560b86;
        rom[432] = 60'hc9b221e2769dbba; rom[433] = 60'hc974293a77da5db; rom[434] = 60'hc936118279169e5;
        rom[435] = 60'hc8f7dac27a527d4; rom[436] = 60'hc8b985027b8dfa7; rom[437] = 60'hc87b104e7cc9159;
        rom[438] = 60'hc83c7cb27e03ce8; rom[439] = 60'hc7fdca327f3e251; rom[440] = 60'hc7bef8de8078191;
        rom[441] = 60'hc78008ba81b1aa4; rom[442] = 60'hc740f9d282ead88; rom[443] = 60'hc701cc2e8423a3a;
        rom[444] = 60'hc6c27fde855c0b6; rom[445] = 60'hc68314e286940fa; rom[446] = 60'hc6438b4e87cbb03;
        rom[447] = 60'hc603e3228902ecd; rom[448] = 60'hc5c41c728a39c56; rom[449] = 60'hc584373e8b7039b;
        rom[450] = 60'hc54433968ca6498; rom[451] = 60'hc50411828ddbf4b; rom[452] = 60'hc4c3d10e8f113b0;
        rom[453] = 60'hc483724290461c5; rom[454] = 60'hc442f526917a987; rom[455] = 60'hc40259c692aeaf3;
        rom[456] = 60'hc3c1a02e93e2605; rom[457] = 60'hc380c8629515abb; rom[458] = 60'hc33fd2729648912;
        rom[459] = 60'hc2febe66977b107; rom[460] = 60'hc2bd8c4a98ad297; rom[461] = 60'hc27c3c2299dedbf;
        rom[462] = 60'hc23acdfe9b1027c; rom[463] = 60'hc1f941e69c410ca; rom[464] = 60'hc1b797e69d718a9;
        rom[465] = 60'hc175d0029ea1a13; rom[466] = 60'hc133ea4e9fd1506; rom[467] = 60'hc0f1e6caa100980;
        rom[468] = 60'hc0afc586a22f77e; rom[469] = 60'hc06d868ea35defb; rom[470] = 60'hc02b29e6a48bff7;
        rom[471] = 60'hbfe8af9aa5b9a6d; rom[472] = 60'hbfa617baa6e6e5b; rom[473] = 60'hbf63624aa813bbe;
        rom[474] = 60'hbf208f56a940293; rom[475] = 60'hbedd9eeaaa6c2d6; rom[476] = 60'hbe9a910eab97c87;
        rom[477] = 60'hbe5765ceacc2fa0; rom[478] = 60'hbe141d32adedc20; rom[479] = 60'hbdd0b746af18203;
        rom[480] = 60'hbd8d3416b042147; rom[481] = 60'hbd4993aab16b9e9; rom[482] = 60'hbd05d60eb294be5;
        rom[483] = 60'hbcc1fb4ab3bd73a; rom[484] = 60'hbc7e036ab4e5be4; rom[485] = 60'hbc39ee7ab60d9e0;
        rom[486] = 60'hbbf5bc82b73512c; rom[487] = 60'hbbb16d8eb85c1c5; rom[488] = 60'hbb6d01aab982ba7;
        rom[489] = 60'hbb2878debaa8ed0; rom[490] = 60'hbae3d332bbceb3d; rom[491] = 60'hba9f10babcf40ec;
        rom[492] = 60'hba5a3176be18fd9; rom[493] = 60'hba153576bf3d802; rom[494] = 60'hb9d01cc2c061963;
        rom[495] = 60'hb98ae76ac1853fb; rom[496] = 60'hb9459572c2a87c6; rom[497] = 60'hb90026eac3cb4c1;
        rom[498] = 60'hb8ba9bdac4edaea; rom[499] = 60'hb874f44ec60fa3d; rom[500] = 60'hb82f304ec7312b9;
        rom[501] = 60'hb7e94fe6c85245a; rom[502] = 60'hb7a35322c972f1d; rom[503] = 60'hb75d3a0eca932ff;
        rom[504] = 60'hb71704b2cbb2fff; rom[505] = 60'hb6d0b31accd2619; rom[506] = 60'hb68a4552cdf154a;
        rom[507] = 60'hb643bb62cf0fd90; rom[508] = 60'hb5fd1556d02dee7; rom[509] = 60'hb5b6533ed14b94d;
        rom[510] = 60'hb56f751ad268cc0; rom[511] = 60'hb5287afed385939;
    end
endmodule
`default_nettype wire
