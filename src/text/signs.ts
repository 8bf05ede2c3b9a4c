/** The bot's signs, and signs that look like them (AR-19, SR-31). */
const signs = /[🟢🟡🔴🟩🟨🟥⛔🚫✅☑✔❌✖❎▶⏳⌛⏸⏱⌨🔌❓❔🛑⚠ℹ📖✋🚀👀]/gu;

/** Marks the places of the bot's signs in other people's words. */
export const withoutSigns = (text: string): string => text.replace(signs, "▫");
