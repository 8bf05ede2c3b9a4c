import { expect, test } from "vitest";
import { adviceOf } from "../../src/runbooks/sections.ts";
import { bySection } from "./by-section.ts";

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
  expect(bySection([...parts, "#### Then", block("d"), "## Anything", block("e")].join("\n"))).toEqual({
    verify: ["a"],
    act: ["c", "d"],
    other: ["e"],
  });
});

test("OP-3 a skill's check and undo belong to the command right above them, and run nothing", () => {
  expect([...adviceOf(body)]).toEqual([
    ["df -h   # a comment", { check: "df -i" }],
    ["systemctl restart spooler", { check: "systemctl is-active spooler", undo: "systemctl stop spooler" }],
  ]);
  expect(bySection(body)).toEqual({
    verify: ["df -h   # a comment"],
    act: ["systemctl restart spooler", "mailq -f"],
  });
});

test("WF-3 what stands beside a deeper heading of another kind belongs to the section again", () => {
  const block = (command: string) => ["```sh", command, "```"].join("\n");
  const parts = ["## Diagnosis", "### Fix other alerts first", block("a"), "### Pods of the node", block("b")];
  expect(bySection(parts.join("\n"))).toEqual({ verify: ["b"], act: ["a"] });
});

test.each([
  ["indented by four spaces", "Look:\n\n    df -h\n\n    # now\n    du -sh \\\n      /var", ["df -h", "du -sh /var"]],
  ["indented in a list item: its text", "- Look:\n\n    df -h\n", []],
  ["indented further in a list item", "- Look:\n\n      df -h\n", ["df -h"]],
  ["indented, no command", "    Storage node web-1 went down. Check it.\n", []],
  ["a fence without a name", "```\ndf -h\n./check.sh | tail\nX=1 y\n$ uptime\n```", ["uptime"]],
  ["a fence without a name that holds YAML", "```\nspec:\n  paused: false\n```", []],
  ["a fence without a name that holds a setting", "```\nfs.file-max = 1597016\n```", []],
  ["a fence without a name that holds a query", "```\nsum(rate(x[5m])) by (pod)\n```", []],
  ["a fence without a name that holds a log", "```\nI0428 02:23:13 daemon.go:1250] Enabling\n```", []],
  ["a fence without a name, PowerShell", "```\nGet-Service | sort\n```", ["Get-Service | sort"]],
  [
    "a session: output has no prompt",
    "```console\n$ df -h\nFilesystem  Size\n/dev/sda1  9G\n[root@web-1 ~]# uptime\n```",
    ["df -h", "uptime"],
  ],
  [
    "a loop over lines",
    "```sh\nfor p in a b\ndo\n  # each\n  oc logs $p\ndone\nuptime\n```",
    ["for p in a b; do oc logs $p; done", "uptime"],
  ],
  [
    "a condition in a loop",
    "```sh\nwhile read x; do\nif [ -f $x ]; then\ncat $x\nelse\necho no\nfi\ndone < list\n```",
    ["while read x; do if [ -f $x ]; then cat $x; else echo no; fi; done < list"],
  ],
  ["a loop that is never closed", "```sh\nfor p in a b\ndo\necho $p\n```", ["for p in a b", "do", "echo $p"]],
])("WF-3 commands are read from %s", (_what, text, verify) => {
  expect(bySection(`## Verify\n\n${text}\n`).verify).toEqual(verify);
});
