import { commandFor } from "../../src/commands/slash-comment.ts";
import { parseSlashCommand } from "../../src/slash/grammar.ts";

/** As each bot reads a comment: its own patterns, taken from its source; whether it would act. */
const bots: Readonly<Record<string, (body: string) => boolean>> = {
  "Countersign itself": (body) => {
    const slash = parseSlashCommand(body, ["countersign"]);
    return slash?.kind === "command" && commandFor(slash.verb) !== undefined;
  },
  "Prow, pkg/plugins/approve": (body) =>
    [...body.matchAll(/^\/([^\s]+)[\t ]*([^\n\r]*)/gm)].some(([, word = ""]) =>
      ["APPROVE", "LGTM", "REMOVE-APPROVE", "REMOVE-LGTM"].includes(word.toUpperCase()),
    ),
  "Prow, pkg/plugins/lgtm": (body) => /^\/(?:lgtm(?: no-issue)?|lgtm cancel|remove-lgtm)\s*$/im.test(body),
  "Prow, pkg/plugins/hold": (body) => /^\/(?:hold(\s.*)?|(remove-hold|hold\s+cancel|unhold)\s*)$/im.test(body),
  "Prow, pkg/plugins/label": (body) =>
    /^\/(?:remove-)?(area|committee|kind|language|priority|sig|triage|wg|label)\s*(.*?)\s*$/m.test(body),
  "Prow, pkg/plugins/lifecycle": (body) => /^\/(?:close|reopen|(remove-)?lifecycle (\w+))\s*$/im.test(body),
  "Prow, pkg/plugins/trigger": (body) => /^\/(?:retest|ok-to-test|test(?:[ \t]+\S.*)?)\s*$/m.test(body),
  "slash-command-dispatch": (body) => /^\/[\w-]+$/.test(body.split(/\r?\n/)[0]?.trim().split(" ")[0] ?? ""),
  "bors-ng": (body) => body.split("\n").some((line) => /^(?<command_trigger>bors|bros):?\s(?<command>.+)/i.test(line)),
  Atlantis: (body) => {
    const comment = body.trim();
    return !/.*\r?\n[^\r\n]+/.test(comment) && ["atlantis", "@atlantis"].includes(comment.split(/\s+/)[0] ?? "");
  },
  "branch-deploy": (body) =>
    [".deploy", ".noop", ".lock", ".unlock", ".help", ".wcid"].some((word) => body.startsWith(word)),
  // Its patterns look through the whole of a comment of one line, which none of ours is.
  "Jenkins, ghprb": (body) => /^(?:(?:re)?test\W+this\W+please|ok\W+to\W+test|add\W+to\W+whitelist)/i.test(body),
  "a bot that is mentioned": (body) => /^@\w/.test(body),
};

/** Which bots would act on a comment, or on any line of it if it stood alone: nothing of ours rests on where it stands. */
export const heardBy = (body: string): readonly string[] =>
  Object.entries(bots).flatMap(([name, hears]) => {
    const line = body.split(/\r\n?|\n/).find((one) => hears(one.trim()));
    if (line !== undefined) return [`${name}: ${line}`];
    return hears(body) ? [`${name}: the whole`] : [];
  });
