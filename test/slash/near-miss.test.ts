import { describe, expect, test } from "vitest";
import { hintFor } from "../../src/commands/look/help.ts";
import { parseSlashCommand } from "../../src/slash/grammar.ts";
import { commandAddressed, commandBelow, findNearMiss } from "../../src/slash/near-miss.ts";
import { isMeantForUs } from "../../src/slash/verbs.ts";
import { fc } from "../harness/chance.ts";

const prefixes = ["ops"];
const hintOf = (body: string) => findNearMiss(body, prefixes);
/** `form: /approve 2`, `place: /hold` or `talk`. What the grammar reads never comes here. */
function said(body: string): string {
  const parsed = parseSlashCommand(body, prefixes);
  if (parsed && isMeantForUs(parsed.verb)) return "read";
  const hint = hintOf(body);
  if (!hint) return "talk";
  return `${hint.why}: ${[`/${hint.verb}`, ...(hint.ids === "all" ? ["all"] : hint.ids.map(({ number }) => number))].join(" ")}`;
}
const each = (text: string): readonly string[] => text.trim().split(/ *\n */);

describe("what a person says to the bot by its name", () => {
  const addressed = (body: string): string | undefined => {
    const hint = commandAddressed(body, "countersign", prefixes);
    const ids = hint?.ids === "all" ? ["all"] : (hint?.ids ?? []).map(({ number }) => number);
    return hint && [`/${hint.verb}`, ...ids].join(" ");
  };

  test.each([
    ["@countersign /hold", "/hold"],
    ["@countersign[bot]: /approve 2 the log volume", "/approve 2"],
    ["@Countersign, /ops approve 1 2", "/approve 1 2"],
    ["@countersign approve 1", "/approve 1"],
    ["@countersign STOP!", "/stop"],
    ["@countersign ok /approve 3", "/approve 3"],
    ["@countersign\n/hold all", "/hold all"],
    ["@countersign /run web-1\n```sh\ndf\n```", "/run"],
  ])("SR-22 SR-68 a command is one, and no question for the agent: %j", (body, given) => {
    expect(addressed(body)).toBe(given);
  });

  test.each([
    "@countersign what does /hold do?",
    "@countersign /status returns 500 since 14:00",
    "@countersign /run is full",
    "@countersign hold on, why did that fail?",
    "@countersign-eu /hold",
    "@countersign",
    "@lee /approve 2",
    "/hold @countersign",
  ])("SR-22 a question stays one, and what is for others theirs: %j", (body) => {
    expect(addressed(body)).toBeUndefined();
  });
});

describe("what a person typed who meant a slash command", () => {
  test.each([
    // Joined, pointed, parted.
    ..."/approve2¦/approve#2¦/approve:2¦/approve: 2¦/approve, 2¦/approve-2¦/approve/2¦/approve(2)¦/approve.2¦/approve_2¦/approve=2".split(
      "¦",
    ),
    ..."/ approve 2¦/ Approve 2¦//approve 2¦\\approve 2¦\\/approve 2¦/ops approve2¦/ops: approve 2¦/ops-approve 2¦/ops/approve 2".split(
      "¦",
    ),
    // Characters that look like others, or like nothing.
    ..."／approve 2¦∕approve 2¦╱approve 2¦/ａｐｐｒｏｖｅ 2¦/𝗮𝗽𝗽𝗿𝗼𝘃𝗲 2¦/apprové 2".split("¦"),
    ..."/app\u200brove 2¦\u200b/approve 2¦\ufeff/approve 2¦\u00a0/approve 2¦/approve\u00a02¦/approve\u200b 2¦/approve\u20072".split(
      "¦",
    ),
    ..."/\u2060approve 2¦/approve\u30002¦/approve\u202f2¦/approve\u00ad 2¦\u2066/approve 2\u2069¦\ufe0f/approve 2".split(
      "¦",
    ),
    // Dressed up.
    ..."**/approve 2**¦*/approve 2*¦_/approve 2_¦- /approve 2¦* /approve 2¦+ /approve 2¦• /approve 2¦1. /approve 2¦1) /approve 2".split(
      "¦",
    ),
    ...'# /approve 2¦- [x] /approve 2¦“/approve 2”¦"/approve 2"¦«/approve 2»¦(/approve 2)¦👍 /approve 2¦✅/approve 2¦➡️ /approve 2'.split(
      "¦",
    ),
    // A wrong letter, joined to its number.
    ..."/aproove2¦/aprove2¦/approv2¦/apprve2 please".split("¦"),
  ])("SR-22 %j is told how /approve 2 is given", (body) => expect(said(body)).toBe("form: /approve 2"));

  test.each([
    ["/approve2,3", "form: /approve 2 3"],
    ["approve 1, 2", "slash: /approve 1 2"],
    ["/approveall", "form: /approve all"],
    ["/approve-all", "form: /approve all"],
    ["/hold,all", "form: /hold all"],
    ["/аpprove 2", "form: /approve 2"],
    ["/ΑPPROVE 2", "form: /approve 2"],
    ["/hold!", "form: /hold"],
    ["/stop!!! wrong server", "form: /stop"],
    ["/stop.", "form: /stop"],
    ["/ stop", "form: /stop"],
    ["/hold\u200b", "form: /hold"],
    ["🛑 /hold", "form: /hold"],
    ["STOP!", "slash: /stop"],
    ["hold all", "slash: /hold all"],
    ["/status?", "form: /status"],
    ["/help!", "form: /help"],
    ["/ops", "form: /help"],
    ["/ops deploy", "form: /help"],
    ["```\n/approve 2\n```", "code: /approve 2"],
    ["~~~\n/hold\n~~~", "code: /hold"],
    ["    /approve 2", "code: /approve 2"],
    ["looks good\n/approve 2", "place: /approve 2"],
    ["Ok, I looked.\n\n/approve 1 2\r\n", "place: /approve 1 2"],
    ["lgtm\n\n/hold", "place: /hold"],
    ["ok\n/hold\n/status", "place: /hold"],
    ["ok\n/lgtm\n/approve 2", "place: /approve 2"],
    ["```\n/hold\n/status\n```", "code: /hold"],
    ["/lgtm\n/approve 2", "place: /approve 2"],
    ["lgtm /approve 3", "form: /approve 3"],
    ["please /approve 3", "form: /approve 3"],
    ["OK, /approve 1 2.", "form: /approve 1 2"],
    ["Looks good, thanks! /approve 3!", "form: /approve 3"],
    ["👍 lgtm /approve all", "form: /approve all"],
    ["yes please /approve 3 web-1 the disk is full", "form: /approve 3"],
    ["ok /hold", "form: /hold"],
    ["lgtm, /approve 3 — the disk is full", "form: /approve 3"],
    ["please /approve 3 now", "form: /approve 3"],
    ["bitte /ops approve 3", "form: /approve 3"],
    ["Approve 3 please", "slash: /approve 3"],
    ["approve 3 🙏", "slash: /approve 3"],
    ["approve 3 web-1 the disk is full", "slash: /approve 3"],
    ["reject 3 because it is the wrong host", "slash: /reject 3"],
    ["approve", "slash: /approve"],
    // Without the slash, with or without a wrong letter.
    ["approve 2", "slash: /approve 2"],
    ["Approve 2.", "slash: /approve 2"],
    ["approve #2", "slash: /approve 2"],
    ["aprove 1 pls", "slash: /approve 1"],
    ["approove 1, 2 thanks", "slash: /approve 1 2"],
    ["rejct 3", "slash: /reject 3"],
    ["/rejct3", "form: /reject 3"],
    // Plain words that agree.
    ["approved, go ahead with 1 and 2", "consent: /approve 1 2"],
    ["Approved: 1, 2", "consent: /approve 1 2"],
    ["ok, run 1", "consent: /approve 1"],
    ["yes please do 1 & 2!", "consent: /approve 1 2"],
    ["Go ahead with #3 👍", "consent: /approve 3"],
    ["LGTM, proceed with step 4 please", "consent: /approve 4"],
    ["you can run 1 and 2 now", "consent: /approve 1 2"],
    ["ja, mach 1 und 2", "consent: /approve 1 2"],
    ["freigegeben: 2", "consent: /approve 2"],
    ["new idea:\n/run web-1\n```\ndf -h\n```", "place: /run"],
  ])("SR-22 %j is told as %s", (body, is) => {
    expect(said(body)).toBe(is);
    const hint = hintOf(body);
    expect(hint && hintFor(hint)).toMatch(/^Nothing was run\. .*`\/[^`]+`\??$/);
  });

  test("SR-22 the answer names what to type, with the numbers that were typed", () => {
    const answers = ["/approve2", "ok\n/approve 1 2", "/hold,all", "/stop!"].map((body) => {
      const hint = hintOf(body);
      return hint && /`([^`]*)`\??$/.exec(hintFor(hint))?.[1];
    });
    expect(answers).toEqual(["/approve 2", "/approve 1 2", "/hold all", "/hold"]);
  });
});

test.each([
  ["/unhold", "/resume"],
  ["/abort 2", "/cancel 2"],
  ["/kill 2", "/cancel 2"],
  ["/exec web-1", "/run <server>"],
  ["/resolve", "/close"],
])("SR-22 %s, as others call it, is told as %s", (line, right) => {
  const slash = parseSlashCommand(line, prefixes);
  expect(slash && isMeantForUs(slash.verb) && hintFor(slash)).toBe(`Nothing was run. Did you mean \`${right}\`?`);
});

describe("what is only talk", () => {
  test.each(
    each(`
      /run/docker.sock is gone
      /run/user/1000 is full
      /run: 98%
      /var 98 %
      /dev/sda1 is full
      /status/health returns 500
      /output.log is empty
      /edit-profile page fails
      /close-account is broken
      /help/index.html gives 404
      /servers.yml is wrong
      /close/all tickets
      /api/approve/2 returns 500
      /ops/runbooks/db.md is outdated
      /hold-my-beer 1
      / is full
      / run out of space on web-1
      // wait for the backup
      \\\\output\\share is gone
      - /var/log is full
      - /status page is slow
      (/help is great)
      1. restart nginx
      @lee please /approve 2
      don't /approve 2 yet
      I would /approve 3
      I would /approve 3 if it were mine
      would you /approve 3
      ok /approve 3 is wrong
      ok, /approve 3 or /approve 4?
      yes please /approve 3?
      please don't /approve 3
      thanks, but please /reject 3
      please /status page
      ok /var/log is full
      ok, /run web-1 is next
      yes \`/approve 3\`
      I think /approve 2 is wrong
      see \`/approve 2\` above
      approve 2 once the backup is done, ok?
      approve the second
      approve 2 of these
      wait 2 minutes
      cancel 3 of them
      approved
      approved by the change board
      ok, 2 minutes
      go on with 3 servers
      yes, 1 and 2 are wrong
      run 3 times
      do 1 or 2?
      go ahead with 1 if it is quiet
      sure, but not 2
      don't run 1
      ok 10:30
      do 2 of 3
      yes, 1.5
      /prove1
      /store1 is full
      /data1
      /project2 is down
      /apps1
      improve 2
      hold on a second
      wait for it
      cancel that
      close
      help wanted
      plan B: fail over
      Stop the press, we have a fix
      yes
      LGTM
      👍
      2
      /
      /lgtm
      /deploy prod
    `),
  )("SR-22 %j gets no answer", (body) => expect(said(body)).toBe("talk"));

  test.each([
    "> /approve 2",
    "> /approve 2\n\nok",
    "On Tue, mona wrote:\n> /approve 2\n\nthanks",
    "<!-- /approve 2 -->",
    "here is how:\n```\n/approve 2\n```",
    "```\n/var/log\n```",
    "```\ndf -h\n```",
    "the mounts:\n/run 98 %\n/var 40 %",
    "/output/ is full",
    "/hold/ has 3 files",
    "look at:\n/status\n/health",
    "look at:\n/health\n/status\n/close",
    "```\n/status\n/health\n```",
    "the docs say\n/approve <id>\nruns it",
    "",
  ])("SR-22 %j gets none either", (body) => expect(said(body)).toBe("talk"));
});

test("SR-22 a command below the first line is seen, and what is no whole command is a part of the reason", () => {
  const below = (body: string) => commandBelow(body, prefixes)?.verb;
  expect(below("/approve 1\n/approve 2")).toBe("approve");
  expect(below("/approve 1\n\nthen\n/ops hold")).toBe("hold");
  for (const body of [
    "/approve 1\n/var is full",
    "/approve 1\n> /hold",
    "/edit 2\n```\n/hold\n```",
    "/hold",
    "/ask x\n/hold means what?",
  ])
    expect(below(body), body).toBeUndefined();
});

test("SR-22 nothing that a person types makes it throw, and none takes long", { tags: ["long"] }, () => {
  const piece = fc.constantFrom(
    "/",
    "approve",
    " ",
    "2",
    "\n",
    "- ",
    "*",
    "`",
    "> ",
    "ops",
    "all",
    "\u200b",
    "stop",
    "!",
    "```\n",
    "run x\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (parts) => typeof said(parts.join("")) === "string"),
    { numRuns: 2_000 },
  );
  for (const part of ["/", "[ ]", "1. ", "/run x\n", "*", " ", "2 ", "/approve 1\n", "а", "all", "\ufdfa"]) {
    const body = part.repeat(65_536 / part.length);
    for (const text of [body, `approve ${body}`, `/approve!${body}`, `/${body}x`])
      expect(typeof said(text)).toBe("string");
  }
});
