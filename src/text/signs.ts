/**
 * The signs by which people know what this bot itself has written: risks, states and endings on cards, boards and run cards,
 * and what could be taken for one of them.
 */
const signs = /[🟢🟡🔴🟩🟨🟥⛔🚫✅☑✔❌✖❎▶⏳⌛⏸⏱⌨🔌❓❔🛑⚠ℹ📖✋🚀👀]/gu;

/** Somebody else's words without our signs, so that they pass for no card, run or approval (AR-19, SR-31); the place stays visible. */
export const withoutSigns = (text: string): string => text.replace(signs, "▫");

/** The names of the signs of risk, and of what could be taken for one, as GitHub draws them outside of code. */
const named: Readonly<Record<string, string>> = {
  ":green_circle:": "🟢",
  ":yellow_circle:": "🟡",
  ":red_circle:": "🔴",
  ":no_entry:": "⛔",
  ":green_square:": "🟩",
  ":yellow_square:": "🟨",
  ":red_square:": "🟥",
  ":no_entry_sign:": "🚫",
};

/** Words with the signs of risk drawn that are written by their names, as a reader sees them. */
export const drawSigns = (text: string): string => text.replace(/:[a-z]+_[a-z_]+:/g, (name) => named[name] ?? name);
