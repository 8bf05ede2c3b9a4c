/** Comments that are no slash command and stand for one. */

import type { SlashCommand } from "./grammar.ts";
import { talkLines } from "./talk.ts";
import { verbs } from "./verbs.ts";

/**
 * The `/ask` that a comment stands for if it names the bot. A name in a quote, in code or in hidden text does not count. Linear in the
 * comment.
 */
export function mentionIn(body: string, login: string): SlashCommand | undefined {
  const mention = `@${login.toLowerCase()}`;
  const names = (text: string): boolean => {
    const at = text.toLowerCase().indexOf(mention);
    const around = `${text[at - 1] ?? " "}${text.slice(at + mention.length).replace(/^\[bot\]/, "")[0] ?? " "}`;
    // After a backtick it may be code; the price of a mistake is that a person has to type /ask.
    return at >= 0 && !/[\w`@/-]/.test(around) && !text.slice(0, at).includes("`");
  };
  const lines = body.replace(/\r\n?/g, "\n").split("\n");
  for (const { text } of talkLines(lines)) {
    if (!names(text)) continue;
    const rest = body.trim() === `@${login}` ? "" : body;
    return { kind: "command", verb: verbs.ask.verb, ids: [], flags: new Map(), words: [], rest, block: undefined };
  }
  return undefined;
}

/** The slash command that sets a prompt to the comment that was awaited as its text. */
export const setsPrompt = (body: string): SlashCommand => ({
  kind: "command",
  verb: verbs.prompt.verb,
  ids: [],
  flags: new Map(),
  words: ["set"],
  rest: body,
  block: undefined,
});
