/** The bot's signs, and signs that look like them (AR-19, SR-31). */
const signs = /[🟢🟡🔴🟩🟨🟥⛔🚫✅☑✔❌✖❎▶⏳⌛⏸⏱⌨🔌❓❔🛑⚠ℹ📖✋🚀👀]/gu;

/** Marks the places of the bot's signs in other people's words. */
export const withoutSigns = (text: string): string => text.replace(signs, "▫");

/** GitHub draws these names outside of code. */
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

export const drawSigns = (text: string): string => text.replace(/:[a-z]+_[a-z_]+:/g, (name) => named[name] ?? name);
