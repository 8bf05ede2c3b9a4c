import { describe, expect, test } from "vitest";
import { unsaidIn } from "../../../src/approval/need.ts";
import { shownNote } from "../../../src/features/intake/note.ts";
import { saidBehind } from "../../../src/features/run/approval-comment.ts";
import { parseSlashCommand } from "../../../src/slash/grammar.ts";
import { createRedactor } from "../../../src/text/redact.ts";

const deps = { redact: createRedactor() };
const commandIn = (body: string) => {
  const slash = parseSlashCommand(body, ["ops"]);
  if (slash?.kind !== "command") throw new Error(`${JSON.stringify(body)} is no command`);
  return slash;
};

const subject = { risk: "high", place: "web-1", servers: ["web-1"] } as const;
const rule = { approvals: 2, expiresMs: 1, reason: "required", restateServer: true } as const;
const policy = { low: rule, medium: rule, high: rule, manyServers: 3 };
const unsaid = (body: string) =>
  unsaidIn({ alone: true, ...saidBehind(commandIn(body), subject) }, { ...subject, digest: "0".repeat(64) }, policy);

describe("a reason that GitHub does not show", () => {
  test.each([
    "/approve 1 web-1\n<!-- integration: root comment -->",
    "/approve 1 web-1 <!-- integration -->",
    "/approve 1 web-1 <!-- over\nlines -->",
    "/approve 1 web-1\n<!-- without an end",
    "/approve 1 web-1\n\n[//]: # (note)",
    "/approve 1 web-1\n[//]: # (note)",
    "/approve 1 web-1\n\n[note]: https://x.test 'over\nlines'",
    "/approve 1 web-1 ![reason](x.png)",
    "/approve 1 web-1 <img alt=reason>",
    '/approve 1 web-1 <a title="\nreason"></a>',
    "/approve 1 web-1 [](https://x.test/reason)",
    "/approve 1 web-1\n<details><summary></summary>\n\nreason\n\n</details>",
    "/approve 1 web-1 &nbsp;&#8203;",
    "/approve 1 web-1 \u3164",
    "/approve 1 web-1\n\n[^1]: reason",
    "/approve 1 web-1 .",
    "/approve 1 web-1 :rocket:",
  ])("SR-19 SR-37 %j gives none", (body) => expect(unsaid(body)).toEqual(["reason-missing"]));

  test.each([
    "/approve 1 web-1 old cache",
    "/approve 1 web-1\nold cache <!-- integration: root comment -->",
    "/approve 1 web-1\n<!-- integration: root comment -->\nold cache",
    "/approve 1 web-1 原因",
    "/approve 1 web-1 <b>old cache</b>",
    "/approve 1 web-1 <!-- x --> old cache",
  ])("SR-19 %j gives one", (body) => expect(unsaid(body)).toEqual([]));

  test("SR-19 a server that GitHub does not show is not named", () => {
    expect(unsaid("/approve 1 <!-- web-1 --> old cache")).toEqual(["server-missing"]);
    expect(unsaid('/approve 1 <a title="web-1">old</a> cache')).toEqual(["server-missing"]);
  });
});

test.each([
  ["/close\n<!-- cause -->", ""],
  ["/close [//]: # (cause)", ""],
  ["/close the disk <!-- hidden -->", "the disk"],
  ["/answer \u200b&#8203;", ""],
  ["/answer 👍", "👍"],
  ["/answer ?", "?"],
  ["/reject see [the log](https://x.test/log)", "see [the log](https://x.test/log)"],
])("SR-37 what is kept of %j is %j", (body, kept) => expect(shownNote({ deps, slash: commandIn(body) })).toBe(kept));
