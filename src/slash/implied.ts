/** Comments that are no slash command and stand for one. */

import type { SlashCommand } from "./grammar.ts";
import { talkLines } from "./talk.ts";
import { verbs } from "./verbs.ts";

/**
 * A comment that names the bot, as the `/ask` that it stands for; nothing where it does not, or only in a quote, in code or
 * in what nobody sees. Linear in the comment.
 */
export function mentionIn(body: string, login: string): SlashCommand | undefined {
  const mention = `@${login.toLowerCase()}`;
  const names = (text: string): boolean => {
    const at = text.toLowerCase().indexOf(mention);
    const around = `${text[at - 1] ?? " "}${text.slice(at + mention.length).replace(/^\[bot\]/, "")[0] ?? " "}`;
    // Behind a backtick it may be code; a mistake here only leaves somebody to type /ask.
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

/** A comment without the name of the bot that it begins with, so that a command behind it is seen (SR-22). */
export const withoutMention = (body: string, login: string): string => {
  const text = body.trimStart();
  const isNamed = text.toLowerCase().startsWith(`@${login.toLowerCase()}`);
  return isNamed
    ? text
        .slice(login.length + 1)
        .replace(/^\[bot\]/, "")
        .replace(/^[\s,:]+/, "")
    : text;
};

/** A comment that was awaited as the text, as the slash command that sets it. */
export const setsPrompt = (body: string): SlashCommand => ({
  kind: "command",
  verb: verbs.prompt.verb,
  ids: [],
  flags: new Map(),
  words: ["set"],
  rest: body,
  block: undefined,
});
