/**
 * The signs by which people know what this bot itself has written: risks, states and endings on cards, boards and run cards,
 * and what could be taken for one of them.
 */
const signs = /[🟢🟡🔴🟩🟨🟥⛔🚫✅☑✔❌✖❎▶⏳⌛⏸⏱⌨🔌❓❔🛑⚠📖✋🚀👀]/gu;

/** Somebody else's words without our signs, so that they pass for no card, run or approval (AR-19, SR-31); the place stays visible. */
export const withoutSigns = (text: string): string => text.replace(signs, "▫");
