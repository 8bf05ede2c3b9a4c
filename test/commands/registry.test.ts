import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { flagMistake } from "../../src/commands/arguments.ts";
import { commandFor, commands } from "../../src/commands/slash-comment.ts";
import { parseSlashCommand } from "../../src/slash/grammar.ts";
import { cases } from "./cases.ts";

/** A comment as the bot reads it, which must be a slash command. */
function read(text: string) {
  const parsed = parseSlashCommand(text, []);
  if (parsed?.kind !== "command") throw new Error(`${text} is no command`);
  return parsed;
}

describe("every slash command", () => {
  it.each(commands.map((command) => [command.verb, command] as const))(
    "SR-22 /%s is read in its own usage and in each of its examples, with no flag that it does not take",
    (verb, command) => {
      const { usage, examples, summary, aliases = [] } = command;
      // Outside of code `<text>` is a tag to GitHub, and nobody sees it.
      expect(summary.replace(/`[^`]*`/g, "")).not.toContain("<");
      for (const name of [verb, ...aliases]) expect(commandFor(name), name).toBe(command);
      for (const text of [usage.replace(/ [[<].*$/, ""), ...examples]) {
        const parsed = read(text);
        expect(commandFor(parsed.verb), text).toBe(command);
        expect(flagMistake(command, parsed), text).toBeUndefined();
      }
    },
  );

  it.each(
    commands.flatMap(({ verb, flags = {}, examples }) =>
      Object.keys(flags).map((flag) => [verb, flag, examples] as const),
    ),
  )("PRODUCT /%s shows in an example how %s is given", (_verb, flag, examples) => {
    expect(examples.filter((text) => read(text).flags.has(flag))).not.toEqual([]);
  });

  it("PRODUCT is one that people were promised, and every one of those is there (npm run texts adds the row in docs/on-call.md)", () => {
    const page = readFileSync(new URL("../../docs/on-call.md", import.meta.url), "utf8");
    const promised = [...page.matchAll(/^\| `\/([a-z]+)[^`]*` \|/gm)].map(([, verb]) => verb);
    expect(commands.map(({ verb }) => verb).sort()).toEqual(promised.sort());
    for (const { verb, aliases } of commands) expect(aliases, verb).toEqual(cases.get(verb)?.aliases);
  });

  it.each(commands.map(({ verb, may }) => [verb, may] as const))(
    "SR-17 /%s asks of its author what it takes: nothing less, by mistake",
    (verb, may) => expect(may).toBe(cases.get(verb)?.may),
  );
});
