/**
 * The signs that mark the bot's own text: risks, states and endings on cards, boards and run cards, and signs that look like them (AR-19,
 * SR-31).
 */
const signs = /[🟢🟡🔴🟩🟨🟥⛔🚫✅☑✔❌✖❎▶⏳⌛⏸⏱⌨🔌❓❔🛑⚠ℹ📖✋🚀👀]/gu;

/** Others' words without the bot's signs, so that they do not look like a card, run or approval; the place stays visible. */
export const withoutSigns = (text: string): string => text.replace(signs, "▫");

/** The names that GitHub draws as a sign of risk, or as one that looks like it, outside of code. */
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

/** Draws named signs of risk, as a reader sees them. */
export const drawSigns = (text: string): string => text.replace(/:[a-z]+_[a-z_]+:/g, (name) => named[name] ?? name);
