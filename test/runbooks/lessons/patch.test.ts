import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patchRunbook, type RunbookStep } from "../../../src/runbooks/lessons.ts";
import { fc } from "../../harness/chance.ts";

const steps = (...commands: readonly string[]): readonly RunbookStep[] =>
  commands.map((command) => ({ command, ran: command }));

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "patch-"));
  mkdirSync(join(folder, "s"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The file after git has applied the patch to it. */
function applied(text: string, patch: string): string {
  writeFileSync(join(folder, "s/SKILL.md"), text);
  execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: folder, input: `${patch}\n` });
  return readFileSync(join(folder, "s/SKILL.md"), "utf8");
}

const head = "---\nname: spool\ndescription: The spool.\n---\n\n";
const both = `${head}## Verify\n\n\`\`\`sh\ndf -h\n\`\`\`\n\nSome words.\nMore.\nAnd more.\nEven more.\nYet more.\nAnd on.\n\n## Act\n\n\`\`\`sh\nsystemctl restart spooler\n\`\`\`\n`;

test("PRODUCT the patch adds what helped to the section that it belongs to, and git applies it", () => {
  const patch = patchRunbook("s/SKILL.md", both, {
    looks: steps("df -i", "du -s /var"),
    acts: steps("logrotate -f /etc/x"),
  });
  expect(patch).toBe(
    [
      "--- a/s/SKILL.md",
      "+++ b/s/SKILL.md",
      "@@ -7,6 +7,8 @@",
      " ",
      " ```sh",
      " df -h",
      "+df -i",
      "+du -s /var",
      " ```",
      " ",
      " Some words.",
      "@@ -20,4 +22,5 @@",
      " ",
      " ```sh",
      " systemctl restart spooler",
      "+logrotate -f /etc/x",
      " ```",
    ].join("\n"),
  );
  expect(applied(both, patch ?? "")).toBe(
    both
      .replace("df -h\n", "df -h\ndf -i\ndu -s /var\n")
      .replace("restart spooler\n", "restart spooler\nlogrotate -f /etc/x\n"),
  );
});

test("PRODUCT a file without such a section gets it at its end, whether a newline ends it or not", () => {
  const added = { looks: steps("df -i"), acts: steps("a\nb") };
  const end = "\n## Verify\n\n```sh\ndf -i\n```\n\n## Act (each needs an approval)\n\n```sh\na\nb\n```\n";
  for (const text of [`${head}Words.\n`, `${head}Words.`, "Words.", "Words.\n"])
    expect(applied(text, patchRunbook("s/SKILL.md", text, added) ?? "")).toBe(`${text.replace(/\n?$/, "\n")}${end}`);
  expect(patchRunbook("s/SKILL.md", both, { looks: [], acts: [] })).toBeUndefined();
});

test("PRODUCT whatever the file is, git applies the patch, and it only adds", { tags: ["long"] }, () => {
  const line = fc.constantFrom("", "words", "## Verify", "## Act", "```sh", "```", "df -h", "# x", "- y");
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 24 }), fc.boolean(), (lines, ends) => {
      const text = `${lines.join("\n")}${ends ? "\n" : ""}`;
      fc.pre(text.trim() !== "");
      const patch = patchRunbook("s/SKILL.md", text, { looks: steps("look"), acts: steps("act") }) ?? "";
      const after = applied(text, patch).split("\n");
      expect(after.filter((one) => one === "look" || one === "act")).toHaveLength(2);
      for (const one of text.split("\n")) expect(after).toContain(one);
    }),
    { numRuns: 60 },
  );
});

const act = (...commands: readonly string[]): string => `${head}## Act\n\n\`\`\`sh\n${commands.join("\n")}\n\`\`\`\n`;
const known = (command: string): RunbookStep => ({ command, ran: command, isKnown: true });

test.each([
  [
    "before the act that it enabled, above that one's remark",
    ["systemctl stop app", "# start it again", "systemctl start app", "# check: curl localhost"],
    [known("systemctl stop app"), ...steps("vi /etc/app"), known("systemctl start app")],
    ["systemctl stop app", "vi /etc/app", "# start it again", "systemctl start app", "# check: curl localhost"],
  ],
  [
    "behind the one before it, below that one's check",
    ["systemctl restart app", "# check: curl localhost", "# undo: none", "# last: ask for help", "page somebody"],
    [known("systemctl restart app"), ...steps("systemctl enable app.timer")],
    [
      "systemctl restart app",
      "# check: curl localhost",
      "# undo: none",
      "systemctl enable app.timer",
      "# last: ask for help",
      "page somebody",
    ],
  ],
  [
    "under the place that it is for, and the next command keeps its own",
    ["# on web-1: the app", "systemctl stop app", "systemctl start app"],
    [
      known("systemctl stop app"),
      { ...steps("vi /etc/db")[0], place: "db-1" } as RunbookStep,
      known("systemctl start app"),
    ],
    ["# on web-1: the app", "systemctl stop app", "# on db-1", "vi /etc/db", "# on web-1", "systemctl start app"],
  ],
  [
    "on the server that the incident names, below a remark for another",
    ["# on db-1: the store", "systemctl restart db"],
    [known("systemctl restart db"), ...steps("systemctl restart app")],
    [
      "# on db-1: the store",
      "systemctl restart db",
      "# on the server that the incident names",
      "systemctl restart app",
    ],
  ],
] as const)("issue 40.4 a fix stands %s", (_how, before, acts, after) => {
  const text = act(...before);
  const patch = patchRunbook("s/SKILL.md", text, { looks: [], acts, servers: ["web-1", "db-1"] }) ?? "";
  expect(applied(text, patch)).toBe(act(...after));
});
