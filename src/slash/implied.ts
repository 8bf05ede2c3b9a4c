/** Comments that stand for a slash command. */

import type { SlashCommand } from "./grammar.ts";
import { talkLines } from "./talk.ts";
import { verbs } from "./verbs.ts";

/** Returns the `/ask` that a mention of the bot stands for, outside quotes, code and hidden text. Linear in the comment. */
export function mentionIn(body: string, login: string): SlashCommand | undefined {
  const mention = `@${login.toLowerCase()}`;
  const names = (text: string): boolean => {
    const at = text.toLowerCase().indexOf(mention);
    const around = `${text[at - 1] ?? " "}${text.slice(at + mention.length).replace(/^\[bot\]/, "")[0] ?? " "}`;
    // After a backtick it may be code; a mistake only makes a person type /ask.
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

/** Returns the command that sets a prompt to an awaited comment. */
export const setsPrompt = (body: string): SlashCommand => ({
  kind: "command",
  verb: verbs.prompt.verb,
  ids: [],
  flags: new Map(),
  words: ["set"],
  rest: body,
  block: undefined,
});
