/** Keys of payments, shops and coins; how a line is read stands in `../formats.ts`. */
export const payments = String.raw`
  Stripe key  (?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}  sk_⁂test_63fF⁂KcZjR4  sk_⁂test_63fF
  Shopify token  shp(?:at|ca|pa|ss|tka)_[A-Fa-f0-9]{32,}  shp⁂at_5E80C6⁂7f4FEfdF4⁂FCD03adEB⁂3eB780C7  shp⁂at_5E80C6⁂7f4FEfdF4⁂FCD03
  Square token  (?:sq0[a-z]{3}-[A-Za-z0-9_-]{20,}|EAAA[A-Za-z0-9_-]{56,})  sq0⁂tmt-1eLkN⁂CZ8hKYWHJ⁂Pu05MC  sq0⁂tmt-1eLkN⁂CZ8hKY
  extended private key  [xyztuv]prv[A-Za-z0-9]{90,}  vpr⁂vdq74Q69D⁂tCADA4pr0⁂nFYTTumK9⁂31fmDUX8k⁂ucerKJ9zH⁂X9pKozaeY⁂xyc8RywkV⁂SRDnptz0m⁂V3muA1Jm1⁂Tlb4PYYrY⁂m  vpr⁂vdq74Q69D⁂tCADA4pr0⁂nFYTTumK9⁂31fmDUX8k⁂ucerKJ9zH⁂X9pKozaeY⁂xyc8Rywk
  Bitcoin key  (?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9])  5JP⁂b6bcYtRDs⁂qoFLf4kSW⁂nEHeq1sRW⁂b6btPr5FS⁂eazHyvaMX⁂ZeD  5JP⁂b6bcYtRDs⁂qoFLf4kSW⁂nEHeq1sRW⁂b6btP
  EasyPost key  EZ[AT]K[A-Za-z0-9]{50,}  EZT⁂Kc2KX9PuO⁂LC8Q8WD5j⁂5B16DQygt⁂vpweDGJUw⁂A8MrvTllc⁂wpGeUX  EZT⁂Kc2KX9PuO⁂LC8Q8WD5j⁂5B16DQygt⁂vpweDGJ
  Flutterwave key  FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?  FLW⁂PUBK_TEST⁂-XeYKcPzJ⁂6r5A-X  FLW⁂PUBK_TEST⁂-XeYKc
  Razorpay key  rzp_(?:live|test)_[A-Za-z0-9]{14,}  rzp⁂_live_Pd4⁂mCoJuqJRY⁂RE  rzp⁂_live_Pd4⁂mCoJ
  Braintree token  access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}  acc⁂ess_token⁂$sandbox$⁂7ic9gm1gx⁂spjetvx$5⁂64b449511⁂5ee0a8686⁂3fce3324c⁂0cf3  acc⁂ess_token⁂$sandbox$⁂7ic9gm1gx⁂spjetvx$5⁂64b449511⁂5
`;
