import { expect, test } from "vitest";
import { adviceOf, commandsOf } from "../../src/runbooks/sections.ts";

const body = `# Spool

## Verify

\`\`\`sh
df -h   # a comment
# check: df -i
\`\`\`

## Act

\`\`\`sh
$ systemctl restart \\
    spooler
# check: systemctl is-active spooler
# undo: systemctl stop spooler
mailq -f
# Only then:
# undo: nothing to undo
\`\`\`

\`\`\`yaml
a: b
# undo: c
\`\`\`
`;

test("WF-3 what stands below a deeper heading belongs to its section, unless it is about something else", () => {
  const block = (command: string) => ["```sh", command, "```"].join("\n");
  const parts = ["## Diagnosis", "### With the CLI", block("a"), "#### Rollback", block("b"), "### Fix it", block("c")];
  expect(commandsOf([...parts, "#### Then", block("d"), "## Anything", block("e")].join("\n"))).toEqual({
    verify: ["a"],
    act: ["c", "d"],
  });
});

test("OP-3 a skill's check and undo belong to the command right above them, and run nothing", () => {
  expect([...adviceOf(body)]).toEqual([
    ["df -h   # a comment", { check: "df -i" }],
    ["systemctl restart spooler", { check: "systemctl is-active spooler", undo: "systemctl stop spooler" }],
  ]);
  expect(commandsOf(body)).toEqual({
    verify: ["df -h   # a comment"],
    act: ["systemctl restart spooler", "mailq -f"],
  });
});
