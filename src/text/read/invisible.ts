/** Format characters, fillers and variation selectors (SR-37, SR-44); not U+2028 and U+2029, which end a line. */
const invisible =
  /[\p{Cf}\p{Variation_Selector}\u115F\u1160\u180E\u2065\u3164\uFFA0\uFFF0-\uFFF8\u{E0000}-\u{E0FFF}]|\u034F|\u17B4|\u17B5/gu;

const invisibleEntity =
  /&(?:shy|zwj|zwnj|lrm|rlm|ZeroWidthSpace|NegativeThinSpace|NegativeMediumSpace|NegativeThickSpace|NegativeVeryThinSpace|NoBreak|ApplyFunction|af|InvisibleTimes|it|InvisibleComma|ic);/g;

const numericEntity = /&#(?:(\d{1,7})|[xX]([0-9a-fA-F]{1,6}));/g;

export const stripInvisible = (text: string): string => text.replace(invisible, "");

/** Removes character references for invisible code points. */
export const stripInvisibleReferences = (text: string): string =>
  text.replace(invisibleEntity, "").replace(numericEntity, (reference, decimal?: string, hex?: string) => {
    const codePoint = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
    return codePoint > 0x10ffff || stripInvisible(String.fromCodePoint(codePoint)) === "" ? "" : reference;
  });
