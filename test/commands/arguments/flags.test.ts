import { describe, expect, it } from "vitest";
import { flagMistake, readTime } from "../../../src/commands/arguments.ts";
import { commandFor } from "../../../src/commands/slash-comment.ts";
import { parseSlashCommand } from "../../../src/slash/grammar.ts";

/** What is said to the flags of a line. */
function said(line: string): string | undefined {
  const slash = parseSlashCommand(line, ["ops"]);
  const command = slash && commandFor(slash.verb);
  if (slash?.kind !== "command" || !command) throw new Error(`${line} is no command`);
  return flagMistake(command, slash);
}

describe("the flags of a slash command", () => {
  it.each(
    [
      ["/approve 1 2", "/approve 1 --keep-going", "/approve --keep-going all --timeout 10m why not"],
      ["/APPROVE 1 --KEEP-GOING", "/approve 1 web-1 - the disk is full"],
      ["/approve 1 web-1 the disk is full\n--dry-run was tried", "/reject 1 since --force is not needed"],
      ["/output 1 grep --error", "/hold --anything --kill", "/run --each web-1 the --timeout looks odd"],
    ].flat(),
  )("SR-22 %s is as it should be", (line) => expect(said(line)).toBeUndefined());

  it.each([
    [
      "/approve 1 --dry-run",
      "Nothing was run. `--dry-run` is not known here; `/approve` takes `--keep-going` and `--timeout 10m`.",
    ],
    ["/approve --kill 1 --keep-going", "`--kill` is not known here;"],
    ["/approve 1 --constructor", "`--constructor` is not known here;"],
    ["/approve 1 --timeout", "Nothing was run. `--timeout` needs a value: `--timeout 10m`."],
    ["/approve 1 web-1 --dry-run", "`--dry-run` does not count there; `/approve` takes `--keep-going`"],
    ["/approve 1 —dry-run", "does not count there;"],
    ["/run web-1 --each", "`--each` does not count there; `/run` takes `--each`, right after `/run`."],
    ["/run —each web-1", "does not count there; `/run` takes `--each`, right after `/run`."],
    ["/edit 2 too long --each", "`--each` does not count there; `/edit` takes `--each`, right after the numbers."],
    ["/approve 1 --timeout=10m", "`--timeout=10m` does not count there;"],
    ["/approve 1 -n", "`-n` does not count there;"],
    ["/reject --force 1", "Nothing was run. `--force` is not known here; `/reject` takes no flags."],
    ["/status --all", "`--all` is not known here; `/status` takes no flags."],
  ])("SR-22 %s is refused with what there is", (line, words) => expect(said(line)).toContain(words));
});

describe("a time that somebody typed", () => {
  const spec = { targets: [{ hardTimeoutMs: 3_600_000 }, { hardTimeoutMs: 1_800_000 }] };
  const action = { number: 3, spec } as unknown as Parameters<typeof readTime>[1][number];

  it.each([
    ["10m", 600_000],
    ["90s", 90_000],
    ["30M", 1_800_000],
  ])("AR-12 SR-20 %s is read", (text, ms) => expect(readTime(text, [action])).toEqual({ ms }));

  it.each(["0m", "10", "ten", "1h30m", "-5m", "", "10 m"])("AR-12 %o is none", (text) =>
    expect(readTime(text, [action])).toEqual({ mistake: "Write the time as `10m`, `90s` or `1h`." }),
  );

  it("AR-12 SR-20 is never longer than the hard limit of any server", () => {
    const mistake = "**3** is ended after 30 min in any case; name a shorter time.";
    expect(readTime("31m", [action])).toEqual({ mistake });
    expect(readTime("1h", [action])).toEqual({ mistake });
  });
});
