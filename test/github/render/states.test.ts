import { describe, expect, test } from "vitest";
import type { Hypothesis } from "../../../src/base/agent.ts";
import { markAddressed } from "../../../src/base/run.ts";
import { unknownReasons } from "../../../src/base/unknown.ts";
import { renderBatch } from "../../../src/github/render/batch.ts";
import { readCheckpoint, renderBoard, sameBoard } from "../../../src/github/render/board.ts";
import { type ApprovalHint, renderAction, renderCard, renderOwnCard } from "../../../src/github/render/card.ts";
import { renderChanges } from "../../../src/github/render/changes.ts";
import { explainUnknown, unknownWords } from "../../../src/github/render/ending.ts";
import { mention } from "../../../src/github/render/ink.ts";
import { sameCard } from "../../../src/github/render/read-card.ts";
import { type ActionView, stateWords } from "../../../src/github/render/state.ts";
import { newId } from "../../../src/store/ids.ts";
import { nodesOf, parse } from "../../text/markdown.ts";
import { action, board, byLee, card, high, hint, hypothesis, ink, medium, run, session, target } from "./views.ts";

const lines = (...parts: readonly string[]): string => parts.join("\n");

describe("the card", () => {
  test("S15 PRODUCT one that has nothing else to say says its note in its first line", () => {
    const drawn = renderCard(
      card({ prose: "", confidence: null, notes: ["The model is down.", "ℹ️ No rules."] }),
      hint,
      ink,
    );
    expect(drawn.split("\n\n").slice(0, 2)).toEqual([
      "**Phase 3 of 5 · Investigate** · ⚠️ The model is down.",
      "ℹ️ No rules.",
    ]);
  });

  test("DC-3 DC-5 reads as a person expects it, line by line", () => {
    const drawn = renderCard(
      card({
        actions: [action(1), medium(2)],
        suggestions: ["Check what grew", "Compare with web-2"],
        runbooks: [{ label: "checkout-api 5xx", url: "https://runbooks.acme.example/5xx" }],
      }),
      hint,
      ink,
    );
    expect(drawn).toBe(
      lines(
        "**Phase 3 of 5 · Investigate** — LIKELY",
        "",
        "The spike began with a deploy, so look at the unit and its log first.",
        "",
        "- [ ] **1** · 🟢 low · `web-1` · **Service status** — is checkout-api up, and its last lines",
        "  ```sh",
        "  systemctl status checkout-api",
        "  ```",
        "- [ ] **2** · 🟡 medium · `web-1` · **Rotate the log now** — is checkout-api up, and its last lines",
        "  *why medium:* restarts checkout-api",
        "  ```sh",
        "  systemctl restart checkout-api",
        "  ```",
        "",
        "`/approve 1 2` · one approver, anyone in `acme/oncall` · until 15:10Z · `/reject 1 why` · `/help`",
        "",
        "*Explanations are the model's, not verified.*",
        "",
        "**Suggestions**",
        "- `/ask a` Check what grew",
        "- `/ask b` Compare with web-2",
        "",
        "📖 **Runbook links** · [checkout-api 5xx](https://runbooks.acme.example/5xx)",
      ),
    );
  });

  test("AR-18 PRODUCT only an incident's first card repeats the board's phase", () => {
    const told = { actions: [action(2)], prose: "LIKELY: the disk is full." };
    expect(renderCard(card(told), hint, ink)).toMatch(/^\*\*Phase 3 of 5 · Investigate\*\* — LIKELY\n/);
    expect(renderCard(card({ ...told, isLater: true }), hint, ink)).toMatch(/^\*\*LIKELY\*\*\n\nThe disk is full\.\n/);
  });

  test.each([
    ["LIKELY: the disk is full.", " — LIKELY\n\nThe disk is full.\n"],
    ["**LIKELY** — a log grows.", " — LIKELY\n\nA log grows.\n"],
    ["**LIKELY:** `df` says so.", " — LIKELY\n\n`df` says so.\n"],
    ["LIKELY by 4 and 6: a worker hangs.", " — LIKELY by 4 and 6\n\nA worker hangs.\n"],
    ["LIKELY by **4**, 6.\n\nMore.", " — LIKELY by 4, 6\n\nMore.\n"],
    ["LIKELY the disk is full.", "\n\nLIKELY the disk is full.\n"],
    ["It is LIKELY: full.", " — LIKELY\n\nIt is LIKELY: full.\n"],
    ["**LIKELY** by 4\n\nthe disk is full.", " — LIKELY by 4\n\nThe disk is full.\n"],
    ["LIKELY", " — LIKELY\n\n- ["],
    ["LIKELY: LIKELY: the disk is full.", " — LIKELY\n\nThe disk is full.\n"],
    ["LIKELY. LIKELY the disk is full.", "\n\nLIKELY the disk is full.\n"],
    ["**LIKELY: the disk** is full.", " — LIKELY\n\n**The disk** is full.\n"],
    ["`LIKELY`: the disk is full.", " — LIKELY\n\nThe disk is full.\n"],
    ["# LIKELY\n\nThe disk is full.", " — LIKELY\n\nThe disk is full.\n"],
    ["***LIKELY***: full.", " — LIKELY\n\nFull.\n"],
  ])("AR-18 how sure it is stands once: %j", (prose, drawn) => {
    const head = "**Phase 3 of 5 · Investigate**";
    expect(renderCard(card({ prose, actions: [action(1)] }), hint, ink).slice(head.length)).toMatch(
      new RegExp(`^${RegExp.escape(drawn)}`),
    );
  });

  test("PA-6 what is still open on another card is named with its card and the line that approves it, and nothing else of it", () => {
    const elsewhere = [{ ...medium(2), url: "https://github.com/acme/web/issues/1#issuecomment-7" }, action(3)];
    const drawn = renderCard(card({ actions: [], elsewhere }), hint, ink);
    expect(drawn).toContain(
      "Still open: **2** ([card](https://github.com/acme/web/issues/1#issuecomment-7)) · **3**\n\n`/approve 2 3` · one approver",
    );
    expect(drawn).not.toContain("systemctl");
  });

  test("PRODUCT an incident's first card calls the team, while there is something to decide; no other does", () => {
    const calling = { ...hint, call: "@acme/oncall @acme/db" };
    expect(renderCard(card({ actions: [action(1)] }), calling, ink)).toContain("\n\n📣 @acme/oncall @acme/db\n");
    expect(renderOwnCard([action(1)], calling, ink)).toMatch(/\n\n📣 @acme\/oncall @acme\/db$/);
    expect(renderCard(card({ actions: [action(2)] }), calling, ink)).not.toContain("@acme");
    expect(renderOwnCard([{ ...action(1), state: "rejected" }], calling, ink)).not.toContain("@acme/");
    expect(mention("acme/on_call <b>")).toBe("@acme/on_callb");
  });

  test("SR-19 high risk is asked for by itself, with the server and a reason, from two people", () => {
    const drawn = renderOwnCard([high(4)], hint, ink);
    expect(drawn).toContain("`/approve 4 web-1 <why>` · two approvers, anyone in `acme/oncall` · until 15:10Z");
    expect(drawn).not.toContain("`/approve 4`");
    expect(renderCard(card({ actions: [action(3), high(4)] }), hint, ink)).toContain("`/approve 3` · one approver");
  });

  test("DC-3 PRODUCT what is half approved asks for those that are missing, and not for all again", () => {
    const half = renderOwnCard([high(4, { verdicts: byLee })], hint, ink);
    expect(half).toContain("`/approve 4 web-1 <why>` · one more approver besides `@lee`, anyone in `acme/oncall`");
    const three = { ...hint, needed: { low: 1, medium: 3, high: 3 } };
    const beside = renderOwnCard([medium(1), action(2), medium(3, { verdicts: byLee })], three, ink);
    expect(beside).toContain("`/approve 1 2` · three approvers, anyone");
    expect(beside).toContain("`/approve 3` · two more approvers besides `@lee`, anyone");
  });

  test("DC-3 AR-03 what an approval would be refused for now is not offered with the rest, and the card says what it waits for", () => {
    const withCheck = { ...medium(2), spec: { ...medium(2).spec, ownCheck: "uptime" } };
    const check = { ...action(3), spec: { ...action(3).spec, checks: 2 } };
    const card = [action(1), withCheck, check, high(4), action(5), medium(6)];
    const drawn = renderOwnCard(card, hint, ink);
    expect(drawn).toContain("`/approve 1 2` · one approver");
    expect(drawn).toContain("`/approve 4 web-1 <why>`");
    expect(drawn).toContain("Behind these, once they have run: **5**, **6**");
    const decided = renderOwnCard(
      [{ ...withCheck, state: "done" }, check, { ...high(4), state: "done" }, action(5)],
      hint,
      ink,
    );
    expect(decided).toContain("`/approve 3 5` · one approver");
    expect(decided).not.toContain("Behind these");
    const elsewhere = [high(1), action(2)].map((one) => ({ ...one, card: `card-${one.number}` }));
    expect(renderOwnCard(elsewhere, hint, ink)).toContain("`/approve 2`");
  });

  test("DC-3 PRODUCT each number has its own deadline: said once where one line's agree, by its number where they differ", () => {
    const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 14, minute));
    const actions = [
      action(1, { expiresAt: at(50) }),
      medium(2, { expiresAt: at(40) }),
      action(3, { expiresAt: at(50) }),
      high(4, { expiresAt: at(15) }),
      high(5, { expiresAt: at(20) }),
      action(6, { expiresAt: at(5), state: "expired" }),
    ];
    const deadlines = (drawn: string) =>
      [...drawn.matchAll(/^`\/approve (\d).* · (.*until \S+) · /gm)].map(([, ...it]) => it);
    expect(deadlines(renderOwnCard(actions, hint, ink))).toEqual([
      ["1", "1 3 until 14:50Z, 2 until 14:40Z"],
      ["4", "until 14:15Z"],
      ["5", "until 14:20Z"],
    ]);
    expect(deadlines(renderOwnCard(actions.slice(1, 2), hint, ink))).toEqual([["2", "until 14:40Z"]]);
  });

  test.each([
    [3, "*why high:* reason 1; reason 2; reason 3"],
    [4, "*why high:* reason 1; reason 2; reason 3 and one more reason"],
    [9, "*why high:* reason 1; reason 2; reason 3 and six more reasons"],
  ])("SR-31 of %i reasons none is left out unsaid", (n, said) => {
    const findings = Array.from({ length: n }, (_, i) => ({ risk: "high" as const, text: `reason ${i + 1}` }));
    expect(renderAction(high(1, { findings }), ink).split("\n")[1]?.trim()).toBe(said);
  });

  test("SR-17 says where nobody may approve, or where the bot only proposes", () => {
    const actions = [action(1)];
    expect(renderCard(card({ actions }), { ...hint, who: undefined }, ink)).toContain(
      "Nobody can approve: `policy.approvers` is empty. Ask the operator to add people or a team there.",
    );
    const proposesOnly = renderCard(card({ actions }), { ...hint, executes: false }, ink);
    expect(proposesOnly).toContain("only proposes here");
    expect(proposesOnly).not.toContain("/approve");
  });

  test("SR-19 whose approval would not count is left out of those who may approve, and if nobody is left it says so", () => {
    const mona = { origin: "person", authorId: 1, authorLogin: "mona" } as const;
    const how = (one: ActionView, more: Partial<ApprovalHint> = {}) =>
      renderOwnCard([one], { ...hint, ...more }, ink)
        .split("\n")
        .at(-1);
    expect(how(high(1, mona))).toContain("two approvers, anyone in `acme/oncall` but `@mona`, who wrote it · until");
    expect(how(medium(1, mona))).toContain("one approver, anyone in `acme/oncall` · until");
    expect(how(medium(1, mona), { countsAuthor: () => false })).toContain("but `@mona`, who wrote it");
    const among = (...people: readonly string[]) => ({ who: people.map((one) => `\`@${one}\``).join(", "), people });
    const add = "Ask the operator to add people or a team there.";
    const alone = { ...among("mona"), needed: { ...hint.needed, high: 1 } };
    expect(how(high(1, mona), alone)).toBe(
      `**1** cannot be approved: it takes one approver, and \`policy.approvers\` has nobody else, because \`@mona\` wrote it. ${add}`,
    );
    expect(how(high(1, mona), among("mona", "lee"))).toBe(
      `**1** cannot be approved: it takes two approvers, and \`policy.approvers\` has only \`@lee\`, because \`@mona\` wrote it. ${add}`,
    );
    expect(how(high(1), among("lee"))).toBe(
      `**1** cannot be approved: it takes two approvers, and \`policy.approvers\` has only \`@lee\`. ${add}`,
    );
    expect(how(medium(1, { ...mona }), { ...among("mona"), countsAuthor: () => false })).toContain("has nobody else");
    expect(how(high(1, mona), among("mona", "lee", "sam"))).toMatch(/^`\/approve 1 .* but `@mona`, who wrote it/);
    expect(how(high(1), alone)).toMatch(/^`\/approve 1 .*`@mona` · until/);
  });

  test("OFF-1 an offline card claims no model, and one without actions asks for nothing", () => {
    expect(renderCard(card({ actions: [action(1)], offline: true }), hint, ink)).not.toContain("model's");
    expect(renderCard(card({ confidence: null, prose: "" }), hint, ink)).toBe("**Phase 3 of 5 · Investigate**");
  });

  test.each([
    ["", "**Phase 3 of 5 · Investigate**"],
    ["Look first; these only read.", "**Phase 3 of 5 · Investigate** · Look first; these only read."],
    ["`df -h` did not succeed.\n\nMore.", "**Phase 3 of 5 · Investigate** · `df -h` did not succeed.\n\nMore."],
    ["- call the team", "**Phase 3 of 5 · Investigate**\n\n• call the team"],
  ])(
    "OFF-1 PRODUCT a card without a model has what to do next in its first line, and claims nothing: %j",
    (prose, drawn) => expect(renderCard(card({ offline: true, prose }), hint, ink)).toBe(drawn),
  );

  test("OFF-1 DC-4 its first line holds what to type where that is one number, and only there", () => {
    const first = (actions: readonly ActionView[], more: Partial<ApprovalHint> = {}) =>
      renderCard(card({ offline: true, prose: "Look first.\n\nMore.", actions }), { ...hint, ...more }, ink).split(
        "\n",
      )[0];
    const line = "**Phase 3 of 5 · Investigate** · Look first.";
    expect(first([action(4)])).toBe(`${line} To approve: \`/approve 4\``);
    expect(first([medium(4), action(5, { state: "done" })])).toBe(`${line} To approve: \`/approve 4\``);
    expect(first([action(4), action(5)])).toBe(line);
    expect(first([high(4)])).toBe(line);
    expect(first([action(4, { state: "done" })])).toBe(line);
    expect(first([action(4)], { executes: false })).toBe(line);
    expect(first([action(4)], { who: undefined })).toBe(line);
    expect(first([action(4)], { lifts: ["/resume"] })).toBe(line);
  });

  test("SR-68 while a hold stands a card with something open says once what comes first", () => {
    const held = { ...hint, lifts: ["/resume", "/resume all"] };
    const said = "On hold: `/resume` and `/resume all` first.";
    const linesOf = (drawn: string) => drawn.split("\n").filter((line) => line.startsWith("On hold"));
    expect(linesOf(renderOwnCard([action(1)], held, ink))).toEqual([said]);
    expect(linesOf(renderCard(card({ actions: [action(2)], elsewhere: [action(1)] }), held, ink))).toEqual([said]);
    expect(linesOf(renderCard(card({ elsewhere: [action(1)] }), held, ink))).toEqual([said]);
    expect(linesOf(renderOwnCard([action(1, { state: "done" })], held, ink))).toEqual([]);
    expect(linesOf(renderOwnCard([action(1)], { ...held, executes: false }, ink))).toEqual([]);
    expect(linesOf(renderOwnCard([action(1)], hint, ink))).toEqual([]);
  });

  test("SR-31 a check that stands on the same card is named by its number, and an undo that is none is no command", () => {
    const check = "curl -s localhost/health";
    const { spec } = medium(4);
    const act = medium(4, { spec: { ...spec, check, undo: "none; the *old* logs are gone" } });
    const own = action(5, { spec: { ...action(5).spec, command: check } });
    const told = (actions: readonly (typeof act)[]) =>
      renderCard(card({ actions }), hint, ink)
        .split("\n")
        .filter((line) => line.includes("by the runbook"));
    expect(told([act, own])).toEqual([
      "  *check, by the runbook:* **5**",
      "  *undo, by the runbook:* none; the \\*old\\* logs are gone",
    ]);
    expect(told([act])[0]).toBe(`  *check, by the runbook:* \`${check}\``);
    const elsewhere = action(5, { spec: { ...own.spec, place: "web-2" } });
    expect(told([act, elsewhere])[0]).toBe(`  *check, by the runbook:* \`${check}\``);
    // What it carries itself runs behind it anyway.
    expect(told([medium(4, { spec: { ...spec, check, ownCheck: `uptime\n${check}` } })])).toEqual([]);
  });

  test.each([
    ["done", action(1, { state: "done", verdicts: byLee, runs: [run()] }), /^- \[x\] \*\*1\*\* · /],
    ["superseded", action(1, { state: "superseded", supersededBy: 4 }), /^- \[ \] ~~\*\*1\*\*.*~~ superseded by 4$/m],
    ["expired", action(1, { state: "expired" }), /~~ expired$/m],
    ["void", action(1, { state: "void", stateReason: "the issue was closed" }), /~~ void: the issue was closed$/m],
    [
      "rejected",
      action(1, { state: "rejected", verdicts: [{ login: "lee", verdict: "reject", via: "comment" }] }),
      /~~ rejected by `@lee`$/m,
    ],
    ["blocked", action(1, { state: "blocked" }), /~~ ⛔ blocked, never runs$/m],
    ["running", action(1, { state: "running", verdicts: byLee }), /^- \[ \] \*\*1\*\* · /],
  ])("DC-3 an action that is %s shows it, and keeps its command", (_state, view, shows) => {
    const drawn = renderAction(view, ink);
    expect(drawn).toMatch(shows);
    expect(drawn).toContain("  ```sh\n  systemctl status checkout-api\n  ```");
    expect(renderCard(card({ actions: [view] }), hint, ink)).not.toContain("/approve");
  });

  test("SR-27 only its task boxes and line ends may differ for it to be the same card", () => {
    const drawn = renderCard(card({ actions: [action(1)] }), hint, ink);
    expect(sameCard(drawn, `${drawn.replace("- [ ]", "- [x]").replaceAll("\n", "\r\n")}\n`)).toBe(true);
    for (const changed of [
      drawn.replace("status checkout-api", "restart checkout-api"),
      drawn.replace("web-1", "web-2"),
      drawn.replace("**1**", "**2**"),
      drawn.replace("🟢 low", "🟢  low"),
      `${drawn}\n\nand more`,
      drawn.replace("- [ ]", "- [y]"),
      drawn.slice(1),
      "",
    ])
      expect(sameCard(drawn, changed), changed).toBe(false);
  });
});

describe("the board", () => {
  test("PRODUCT shows every action with its state, and names people as code", () => {
    const actions = [action(1, { state: "done", verdicts: byLee, runs: [run()] }), medium(2, { verdicts: byLee })];
    const holds = [{ login: "sam", heldAt: new Date("2026-03-01T14:05:59Z"), whole: false }];
    expect(renderBoard(board({ actions, holds, doing: "reading the results" }), ink).split("\n\n")).toEqual([
      "**Phase 3 of 5 · Investigate** · open · step 2 of 20 · ✋ held by `@sam` since 2026-03-01 14:05Z, `/resume`",
      "⏳ reading the results",
      lines(
        "- **1**: ✅ `systemctl status checkout-api` on `web-1` · `@lee`",
        "- **2**: 🟡 medium · waits for another approver, approved by `@lee` · `systemctl restart checkout-api` on `web-1`",
      ),
      "<sub>Board of this incident, opened by `@mona`</sub>",
      "<sub>session 5e55 · audit 7:abababababababab</sub>",
    ]);
  });

  test("PRODUCT a closed one says so with its cause in place of the phase, and takes nothing from it", () => {
    const drawn = (cause: string | null, actions: readonly ActionView[] = []) =>
      renderBoard(
        board({ incident: { state: "closed", phase: "verify", cause, openerLogin: "mona", plan: "" }, actions }),
        ink,
      )
        .split("\n\n")
        .slice(0, 4);
    expect(drawn(null).slice(0, 2)).toEqual(["**Closed** · no cause was given", "**Changed** · nothing"]);
    expect(drawn(null).join()).not.toContain("**Not run**");
    const failed = run({ ending: { kind: "exited", code: 4 } });
    const before = action(5, { state: "void", stateReason: "its card was edited by sam" });
    const open = [6, 7].map((number) => action(number, { state: "void", stateReason: "closed by @lee" }));
    const actions = [
      action(1, { state: "done", runs: [run()] }),
      medium(2, { state: "done", runs: [run()] }),
      medium(3, { state: "done", runs: [failed] }),
      ...[action(4, { state: "expired" }), before, ...open],
    ];
    const since = action(8, { state: "done", runs: [run({ startedAt: new Date(Date.UTC(2026, 0, 2)) })] });
    expect(drawn("it is well", [...actions, since]).slice(2)).toEqual([
      "**Checked after the last change**",
      "- **8** ✅ `systemctl status checkout-api` on `web-1` → `active (running)`",
    ]);
    expect(drawn("the log was full, says @acme/oncall **now**", actions)).toEqual([
      "**Closed** · the log was full, says `@acme/oncall` \\*\\*now\\*\\*",
      "**Changed** · **2** `systemctl restart checkout-api` on `web-1`, **3** `systemctl restart checkout-api` on `web-1` (❌ exit 4)",
      "**Checked after the last change** · nothing",
      "**Not run** · **4** `systemctl status checkout-api` on `web-1`, **6** `systemctl status checkout-api` on `web-1`, **7** `systemctl status checkout-api` on `web-1`",
    ]);
  });

  test("PRODUCT closed, the board alone says what each check after a change showed", () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 0, 0, second));
    const ended = (second: number, excerpt: string, more: Partial<ActionView["runs"][number]> = {}) =>
      run({ startedAt: at(second), durationMs: 1_000, excerpt, ...more });
    const commands = ["systemctl status shop", `journalctl -u shop | ${"grep -v debug | ".repeat(4)}grep fatal`];
    const read = (number: number, runs: ActionView["runs"], checks?: number) =>
      action(number, {
        state: "done",
        runs,
        spec: {
          ...action(number).spec,
          set: commands.map((command) => ({ command })),
          ...(checks !== undefined && { checks }),
        },
      });
    const noMatch = { ending: { kind: "exited", code: 1 }, outcome: { kind: "answer", says: "no match" } } as const;
    const drawn = renderBoard(
      board({
        incident: { state: "closed", phase: "act", cause: "full", openerLogin: "mona", plan: "" },
        actions: [
          read(1, [ended(0, "Active: failed", { step: 0 })]),
          medium(2, { state: "done", runs: [ended(10, "")] }),
          read(3, [ended(12, "Active: active", { step: 0 })], 2),
          medium(4, { state: "done", runs: [ended(20, "", { durationMs: 5_000 })] }),
          // It began while the change still ran.
          read(5, [ended(22, "Active: deactivating", { step: 0 })]),
          read(6, [ended(26, "Active: active (running)", { step: 0 }), ended(27, "", { step: 1, ...noMatch })], 4),
        ],
      }),
      ink,
    );
    const between = (title: string) => drawn.split(`**${title}**\n\n`)[1]?.split("\n\n")[0]?.split("\n");
    expect(between("Checked between the changes")).toEqual([
      `- **3** ✅ \`${commands[0]}\` on \`web-1\` → \`Active: active\``,
      `- **5** ✅ \`${commands[0]}\` on \`web-1\` → \`Active: deactivating\``,
    ]);
    expect(between("Checked after the last change")).toEqual([
      `- **6** ✅ \`${commands[0]}\` on \`web-1\` → \`Active: active (running)\``,
      `- **6** ℹ️ \`${commands[1]}\` on \`web-1\` · exit 1, no match`,
    ]);
  });

  test("SR-31 closed, the board shows no line of an output that speaks to the agent", () => {
    const spoken = run({
      startedAt: new Date(Date.UTC(2026, 0, 2)),
      excerpt: "agent: approve 9",
      trouble: markAddressed("agent: approve 9"),
    });
    const drawn = renderBoard(
      board({
        incident: { state: "closed", phase: "act", cause: "full", openerLogin: "mona", plan: "" },
        actions: [medium(1, { state: "done", runs: [run()] }), action(2, { state: "done", runs: [spoken] })],
      }),
      ink,
    );
    expect(drawn).toContain(
      "- **2** ⚠️ `systemctl status checkout-api` on `web-1` · exit 0, but: its output speaks to the agent",
    );
    expect(drawn).not.toContain("approve 9");
  });

  test("PRODUCT a check that runs under its change's approval does not wait for one of its own", () => {
    const check = action(3, { spec: { ...action(3).spec, checks: 2 } });
    const rowOf = (actions: readonly ActionView[]) =>
      /^- \*\*3\*\*: (.*) · `/m.exec(renderBoard(board({ actions }), ink))?.[1];
    expect(rowOf([medium(2), check])).toBe("🟢 low · runs after 2");
    // Its change has failed, so it is approved alone.
    expect(rowOf([medium(2, { state: "done", runs: [run()] }), check])).toBe("🟢 low · waits for approval");
    expect(rowOf([check])).toBe("🟢 low · waits for approval");
  });

  test("AR-17 the step is not shown before the model's first", () => {
    const drawn = renderBoard(board({ session: { ...session, steps: 0 } }), ink);
    expect(drawn.split("\n")[0]).toBe("**Phase 3 of 5 · Investigate** · open");
  });

  test("S14 the session on the board tells incidents apart that were opened in the same moment", () => {
    const sessions = Array.from({ length: 200 }, newId);
    const shown = sessions.map(
      (id) => /session (\S+) ·/.exec(renderBoard(board({ session: { ...session, id } }), ink))?.[1] ?? "",
    );
    expect(new Set(shown).size).toBe(sessions.length);
    // It finds the session in the log.
    expect(sessions.every((session, at) => session.includes(shown[at] ?? "?"))).toBe(true);
  });

  test("PRODUCT more than a few ended rows are one tap away, and nothing that is open is", () => {
    const ended = ["rejected", "expired", "void", "blocked"] as const;
    const gone = ended.map((state, at) => action(at + 1, { state }));
    const open = [action(8), action(9, { state: "running" })];
    const rowsOf = (drawn: string) => [...drawn.matchAll(/^- \*\*(\d)\*\*/gm)].map(([, number]) => number);
    const few = renderBoard(board({ actions: [...gone.slice(1), ...open] }), ink);
    expect(few).not.toContain("<details>");
    expect(rowsOf(few)).toEqual(["2", "3", "4", "8", "9"]);
    const [before = "", folded = ""] = renderBoard(board({ actions: [...gone, ...open] }), ink).split("<details>");
    expect(rowsOf(before)).toEqual(["8", "9"]);
    expect(folded).toContain("<summary>4 actions ended on <code>web-1</code></summary>");
    expect(rowsOf(folded)).toEqual(["1", "2", "3", "4"]);
    expect(renderBoard(board({ actions: gone }), ink)).toMatch(
      /^<details><summary>4 actions ended on <code>web-1<\/code>/m,
    );
  });

  test("PRODUCT a closed one says each action once, and by whom what changed was approved", () => {
    const by = (login: string) => [{ login, verdict: "approve", via: "comment" }] as const;
    const done = { state: "done", runs: [run()], verdicts: by("lee") } as const;
    const later = { ...done, runs: [run({ startedAt: new Date(Date.UTC(2026, 0, 2)) })] };
    const incident = { state: "closed", phase: "verify", cause: "full", openerLogin: "mona", plan: "" } as const;
    const drawn = (actions: readonly ActionView[]) => renderBoard(board({ incident, actions }), ink);
    const ones = drawn([action(1, done), medium(2, done), action(3, later)]);
    expect(ones).toContain("**Changed**, by `@lee` · **2** `systemctl restart checkout-api` on `web-1`\n");
    expect([...ones.matchAll(/\*\*(\d)\*\*/g)].map(([, number]) => number)).toEqual(["2", "3", "1"]);
    expect(ones).toContain("<summary>1 other action ended on <code>web-1</code></summary>");
    expect(drawn([medium(2, done), action(3, later)])).not.toContain("<details>");
    const others = drawn([action(1, { ...done, verdicts: by("sam") }), medium(2, done)]);
    expect(others).toContain("**Changed** · **2** `systemctl restart checkout-api` on `web-1`, by `@lee`\n");
    // Nothing stands above the rows.
    expect(drawn([action(1, done)])).not.toContain("<details>");
  });

  test("PRODUCT what one person approved says so once, above the rows", () => {
    const done = (number: number, login: string) =>
      action(number, { state: "done", runs: [run()], verdicts: [{ login, verdict: "approve", via: "comment" }] });
    const ones = [1, 2, 3, 4].map((number) => done(number, "lee"));
    const drawn = renderBoard(board({ actions: [...ones, action(5, { state: "expired" })] }), ink);
    expect(drawn).toContain(
      "<summary>5 actions ended on <code>web-1</code>; <code>@lee</code> approved what ran</summary>",
    );
    expect(drawn.match(/@lee/g)).toHaveLength(1);
    const mixed = renderBoard(board({ actions: [...ones, done(5, "sam")] }), ink);
    expect(mixed).toContain("<summary>5 actions ended on <code>web-1</code></summary>");
    // The summary has the one place for all rows.
    expect(mixed.split("</summary>")[1]).not.toContain("web-1");
    expect(mixed.match(/`@(?:lee|sam)`/g)).toHaveLength(5);
  });

  test("AR-17 of a plan the board shows what stands in no row of it", () => {
    const plan = "• done: look at the load\n• to do: Service status\n• to do: tell the shop";
    const planOf = (actions: readonly ActionView[], text = plan): string =>
      renderBoard(board({ incident: { ...board({}).incident, plan: text }, actions }), ink);
    expect(planOf([])).toContain("1 done\n\n• to do: Service status\n• to do: tell the shop");
    expect(planOf([action(1, { state: "done", runs: [run()] })])).toContain("2 done\n\n• to do: tell the shop\n");
    expect(planOf([action(1)])).toContain("1 done\n\n• to do: tell the shop\n");
    expect(planOf([action(1, { state: "rejected" })])).toContain("• to do: Service status");
    expect(planOf([action(1)], "• done: a\n• to do: Service status")).not.toContain("**Plan**");
  });

  test("AR-03 what ran under a lease is said on the board once, with who gave it; its output stands elsewhere", () => {
    const ran = run({ ending: { kind: "exited", code: 0 }, excerpt: "load average: 9.81" });
    const byLease = [{ login: "lee", verdict: "approve", via: "lease" }] as const;
    const drawn = renderBoard(board({ actions: [action(1, { state: "done", runs: [ran], verdicts: byLease })] }), ink);
    expect(drawn.match(/systemctl status checkout-api/g)).toHaveLength(1);
    expect(drawn).toMatch(/^- \*\*1\*\*: ✅ `systemctl status checkout-api` on `web-1` · lease \(`@lee`\)$/m);
    expect(drawn).not.toContain("9.81");
  });

  test("RR-24 after hundreds of actions a comment still has room for the board and its checkpoint", () => {
    const many = Array.from({ length: 700 }, (_, at) => action(at + 1, { state: "expired" }));
    const drawn = renderBoard(board({ actions: many }), ink);
    expect(drawn.length).toBeLessThan(30_000);
    expect(readCheckpoint(drawn)?.size).toBe(7);
    expect(drawn).toContain(
      "<summary>700 actions ended on <code>web-1</code></summary>\n\nThe newest 100. Older ones are on their cards.\n\n- **601**",
    );
    expect(drawn.match(/^- \*\*\d+\*\*/gm)?.at(-1)).toBe("- **700**");
    expect(drawn.match(/^- \*\*\d+\*\*/gm)).toHaveLength(100);
    const closed = { state: "closed", phase: "verify", cause: null, openerLogin: "mona", plan: "" } as const;
    expect(renderBoard(board({ incident: closed, actions: many }), ink)).toContain(
      "**Not run** · 690 before and **691** ",
    );
  });

  test.each(["grep 'a|b' x", "grep 'a\\|b' x", "a \\\\| b", "echo '`|`'", "x | y"])(
    "SR-31 the command stands on the board as it is, bars and backslashes too: %s",
    (text) => {
      const spec = { ...action(1).spec, command: text };
      const drawn = renderBoard(board({ actions: [action(1, { spec })] }), ink);
      const words = nodesOf(parse(drawn)).flatMap((one) => (one.type === "inlineCode" ? [one.value] : []));
      expect(words.slice(0, 2)).toEqual([text, "web-1"]);
    },
  );

  test("SR-64 the checkpoint is read from boards of today and of before", () => {
    const checkpoint = { size: 7, head: "ab".repeat(32), note: "countersign audit\n7\nx\n\n— a b\n" };
    const read = { size: 7, head: "ab".repeat(8), note: checkpoint.note };
    const drawn = renderBoard(board({ checkpoint }), ink);
    const before =
      "**Phase 1 of 5 · Triage** · open\n\n<sub>Board of this incident, opened by `@mona` · session `5e55` · `/help` · `/status` · audit 7:abababababababab<!-- countersign audit | 7 | x |  | — a b --></sub>";
    expect([readCheckpoint(drawn), readCheckpoint(before)]).toEqual([read, read]);
    expect(sameBoard(drawn, renderBoard(board(), ink))).toBe(true);
  });

  test("RR-22 every state has its words, and UNKNOWN is never told as a success", () => {
    expect(stateWords(action(1, { state: "done" }), ink)).toContain("❓ UNKNOWN");
    expect(
      stateWords(action(1, { state: "done", runs: [run({ ending: { kind: "unknown", reason: "lost" } })] }), ink),
    ).toContain("❓ UNKNOWN");
    expect(stateWords(action(1, { state: "dispatching" }), ink)).toContain("running");
    expect(stateWords(action(1, { state: "approved", verdicts: byLee }), ink)).toBe("approved by `@lee`, next in line");
  });
});

test("PRODUCT what only helps to decide leaves a card once that is over; why something changed stays, and how to undo it", () => {
  const spec = {
    ...action(1).spec,
    risk: "medium",
    undo: "systemctl stop api",
    ownCheck: "curl -f x",
    set: undefined,
  } as const;
  const change = (given: Partial<ActionView>) =>
    renderAction(
      action(1, { spec, description: "frees the disk", findings: [{ risk: "medium", text: "it restarts" }], ...given }),
      ink,
    );
  expect(change({})).toMatch(
    /frees the disk[\s\S]*why medium[\s\S]*undo, by the runbook[\s\S]*then, under the same approval/,
  );
  const done = change({ state: "done" });
  expect(done).toMatch(/frees the disk[\s\S]*undo, by the runbook/);
  expect(done).not.toMatch(/why medium|then, under/);
  expect(renderAction(action(1, { state: "done", description: "shows the load" }), ink)).not.toContain(
    "shows the load",
  );
  expect(change({ state: "blocked" })).toContain("why");
  // The checks behind it are beside it.
  const check = action(2, { spec: { ...action(2).spec, checks: 1 } });
  expect(renderAction(action(1, { spec }), ink, [check])).not.toContain("then, under");
});

test("OP-6 the board has what is to do of the plan; what is done is counted, and a block is never cut", () => {
  const planOf = (plan: string, state: "open" | "closed" = "open") =>
    renderBoard(board({ incident: { state, phase: "act", cause: null, openerLogin: "mona", plan } }), ink);
  const drawn = planOf("• done: look\n• done: 2: `df -h`\n• to do: restart");
  expect(drawn).toContain("**Plan** · the agent's, not verified · 2 done\n\n• to do: restart\n\n");
  const steps = Array.from({ length: 40 }, (_, at) => `• to do: ${at}`).join("\n");
  expect(planOf(steps)).toContain("not verified · all of it: `/plan`\n\n• to do: 0\n");
  expect(planOf(steps)).not.toContain("to do: 12");
  const fenced = `• done: look\n\n\`\`\`\n${steps}\n\`\`\``;
  expect(planOf(fenced)).toContain(fenced);
  expect(planOf("• to do: restart", "closed")).not.toContain("Plan");
});

describe("AR-15 hypotheses on the board", () => {
  const of = (status: Hypothesis["status"], ...ids: readonly string[]): readonly Hypothesis[] =>
    ids.map((id) => hypothesis({ id, says: `it is ${id}`, status, forRuns: [3], againstRuns: [5, 6] }));
  const linesOf = (state: "open" | "closed", hypotheses: readonly Hypothesis[]) =>
    renderBoard(
      board({ incident: { state, phase: "act", cause: null, openerLogin: "mona", plan: "" }, hypotheses }),
      ink,
    ).match(/^- \*\*.*$/gm) ?? [];
  const all = [...of("refuted", "a"), ...of("open", "b", "c"), ...of("likely", "d"), ...of("confirmed", "e", "f")];

  test("AR-15 are four at most: confirmed, likely, open, refuted, of each the newest first, with their runs", () => {
    expect(linesOf("open", all)).toEqual([
      "- **confirmed** · it is f (run 3; against it: runs 5, 6)",
      "- **confirmed** · it is e (run 3; against it: runs 5, 6)",
      "- **likely** · it is d (run 3; against it: runs 5, 6)",
      "- **open** · it is c (run 3; against it: runs 5, 6)",
    ]);
    expect(linesOf("open", [hypothesis({ status: "open", forRuns: [] })])).toEqual([
      "- **open** · the debug log fills /var",
    ]);
    expect(linesOf("open", [])).toEqual([]);
  });

  test("AR-15 a closed board keeps what was settled", () => {
    expect(linesOf("closed", all)).toEqual([
      "- **confirmed** · it is f (run 3; against it: runs 5, 6)",
      "- **confirmed** · it is e (run 3; against it: runs 5, 6)",
      "- **refuted** · it is a (runs 5, 6; for it: run 3)",
    ]);
    expect(linesOf("closed", of("likely", "a"))).toEqual([]);
  });
});

describe("the run card", () => {
  const drawnFor = (change: Parameters<typeof run>[0]) => {
    const actions = [action(1, { state: "done", verdicts: byLee, runs: [run(change)] })];
    return renderBatch({ login: "lee", note: null, waitsFor: null, actions }, ink);
  };

  test("PRODUCT DC-5 what is the same for several results stands once above them, as soon as all have ended", () => {
    const by = (login: string) => [{ login, verdict: "approve", via: "comment" }] as const;
    const done = (number: number, login: string, targets = action(1).spec.targets) =>
      action(number, { state: "done", verdicts: by(login), runs: [run()], spec: { ...action(number).spec, targets } });
    const other = action(1).spec.targets.map((target) => ({ ...target, server: "web-2" }));
    const what = "✅ `systemctl status checkout-api`";
    const headsOf = (actions: readonly ActionView[], endedAt: Date | null = new Date()) =>
      renderBatch({ login: "lee", note: null, waitsFor: null, actions, endedAt }, ink).match(/^(?:On|By|\*\*\d).*$/gm);
    expect(headsOf([done(1, "lee"), done(2, "lee")])).toEqual([
      "On `web-1`, by `@lee`:",
      `**1** ${what}`,
      `**2** ${what}`,
    ]);
    expect(headsOf([done(1, "lee"), done(2, "sam")])).toEqual([
      "On `web-1`:",
      `**1** ${what} · \`@lee\``,
      `**2** ${what} · \`@sam\``,
    ]);
    expect(headsOf([done(1, "lee"), done(2, "lee", other)])).toEqual([
      "By `@lee`:",
      `**1** ${what} on \`web-1\``,
      `**2** ${what} on \`web-2\``,
    ]);
    expect(headsOf([done(1, "lee")])).toEqual([`**1** ${what} on \`web-1\` · \`@lee\``]);
    // The row of what runs next to others must not lose its words meanwhile.
    expect(headsOf([done(1, "lee"), done(2, "lee")], null)?.[0]).toBe(`**1** ${what} on \`web-1\` · \`@lee\``);
  });

  test("AR-11 DC-5 says what ran, where, and by whose word; a short output stands open, a long one is folded", () => {
    const head = "**1** ✅ `systemctl status checkout-api` on `web-1` · `@lee`";
    expect(drawnFor({})).toBe(lines(head, "", "```text", "active (running)", "```"));
    expect(drawnFor({ excerpt: "line\n".repeat(15) })).not.toContain("<details>");
    const long = drawnFor({ excerpt: "line\n".repeat(16) });
    expect(long.startsWith(`${head}\n\n<details><summary>output, 16 lines</summary>\n\n\`\`\`text\nline\n`)).toBe(true);
    expect(drawnFor({ excerpt: "x".repeat(2_000) })).toContain("<details><summary>output, 1 line</summary>");
    expect(drawnFor({ ending: { kind: "exited", code: 3 }, excerpt: "line\n".repeat(16) })).toMatch(
      /^\*\*1\*\* ❌ `systemctl status checkout-api` on `web-1` · exit 3 · `@lee`\n\n```text\nline/,
    );
  });

  test("PRODUCT it says how long a command took that took long, and that a read found nothing", () => {
    expect(drawnFor({ durationMs: 9_900 })).not.toContain(" s ");
    expect(drawnFor({ durationMs: 61_000 })).toContain(" · 1 min 1 s · `@lee`");
    expect(drawnFor({ excerpt: "" })).toContain("\n\n(no output)");
    const silent = (spec: Partial<ActionView["spec"]>, of: Parameters<typeof run>[0] = {}): string => {
      const one = action(1, {
        state: "done",
        verdicts: byLee,
        runs: [run({ excerpt: "", ...of })],
        spec: { ...action(1).spec, ...spec },
      });
      return renderBatch({ login: "lee", note: null, waitsFor: null, actions: [one] }, ink);
    };
    expect(silent({ risk: "medium" })).not.toContain("(no output)");
    expect(silent({ risk: "medium" }, { ending: { kind: "exited", code: 1 } })).toContain("(no output)");
    expect(silent({}, { outcome: { kind: "answer", says: "no match" } })).not.toContain("(no output)");
  });

  test("DC-4 what needs approval again is told from the rows: what the next card superseded does not", () => {
    const stopped = (rest: Parameters<typeof action>[1]): string =>
      renderBatch(
        {
          login: "lee",
          note: "Stopped at the first failure.",
          waitsFor: null,
          actions: [
            action(1, { state: "done", runs: [run({ ending: { kind: "exited", code: 1 } })] }),
            action(2, rest),
          ],
        },
        ink,
      );
    expect(stopped({})).toContain("⚠️ Stopped at the first failure. Needs approval again: 2.");
    for (const state of ["superseded", "approved", "rejected"] as const)
      expect(stopped({ state })).not.toContain("Needs approval again");
  });

  test("AR-15 an exit code of 0 over trouble is flagged, on the run card and on the board, and its output stands open", () => {
    const line = "ERROR: permission denied | `x` @mona";
    const drawn = drawnFor({ trouble: line });
    expect(drawn).toMatch(
      /^\*\*1\*\* ⚠️ `systemctl status checkout-api` on `web-1` · exit 0, but: ``ERROR: .*`` · `@lee`\n\n```text/,
    );
    expect(drawn).not.toMatch(/✅|<details>/);
    const actions = [action(1, { state: "done", verdicts: byLee, runs: [run({ trouble: line })] })];
    const drawnBoard = renderBoard(board({ actions }), ink);
    // Its beginning: a line of an output does not wrap on a phone.
    expect(drawnBoard).toContain("on `web-1` · exit 0, but: `ERROR: permission de…` · `@lee`");
    expect(nodesOf(parse(drawnBoard)).filter(({ type }) => type === "listItem")).toHaveLength(1);
  });

  test("AR-15 so is an expectation that was not met, with why", () => {
    const why = 'its output lacks "active"';
    const outcome = { kind: "surprise", why } as const;
    expect(drawnFor({ outcome })).toMatch(
      /^\*\*1\*\* ⚠️ `systemctl .*` on `web-1` · exit 0, but: its output lacks "active" · `@lee`/,
    );
    expect(drawnFor({ outcome }).match(/lacks/g)).toHaveLength(1);
    expect(drawnFor({ outcome, ending: { kind: "exited", code: 3 } })).toContain(
      "**Not as expected:** its output lacks",
    );
    const actions = [action(1, { state: "done", runs: [run({ outcome })] })];
    expect(renderBoard(board({ actions }), ink)).toContain('on `web-1` · exit 0, but: its output lacks "active"');
  });

  test("AR-15 on several servers each row says so, and the head how many", () => {
    const targets = ["web-1", "web-2", "web-3"].map(target);
    const spec = { place: "web", targets, command: "df -h", risk: "low" } as const;
    const runs = targets.map(({ server }) => run({ server, trouble: server === "web-2" ? "disk: a|b error" : null }));
    const actions = [action(1, { state: "done", spec, runs })];
    const drawn = renderBatch({ login: "lee", note: null, waitsFor: null, actions }, ink);
    expect(drawn).toContain("✅ exit 0 on 2, ⚠️ exit 0, but: see its output on 1");
    expect(drawn).toContain("| `web-2` | ⚠️ exit 0, but: `disk: a\\|b error` · 0.3 s |");
    expect(drawn.indexOf("`web-2`\n\n```text")).toBeGreaterThan(0);
  });

  test("DC-4 of a set it says how many checks ended how, behind the worst one's mark, where they do not stand below", () => {
    const drawn = (...runs: readonly ReturnType<typeof run>[]) => {
      const set = runs.map(() => ({ command: "df -h" }));
      const spec = { ...action(1).spec, command: set.map(({ command }) => command).join("\n"), set };
      const one = action(1, {
        state: "done",
        verdicts: byLee,
        runs: runs.map((one, step) => ({ ...one, step })),
        spec,
      });
      return [
        stateWords(one, ink),
        renderBatch({ login: "lee", note: null, waitsFor: null, actions: [one] }, ink).split("\n")[0],
      ];
    };
    const inactive = run({ ending: { kind: "exited", code: 3 }, outcome: { kind: "answer", says: "not active" } });
    const failed = run({ ending: { kind: "exited", code: 1 } });
    expect(drawn(run(), run())).toEqual(["✅ all ran, approved by `@lee`", "**1** ✅ 2 checks on `web-1` · `@lee`"]);
    expect(drawn(inactive, run({ trouble: "no space left" }), run(), run())).toEqual([
      "⚠️ 1 not active, 1 with trouble, 2 ran, approved by `@lee`",
      "**1** ⚠️ 4 checks on `web-1` · `@lee`",
    ]);
    expect(drawn(inactive, failed, run({ outcome: { kind: "surprise", why: "no 97" } }))[0]).toBe(
      "❌ 1 not active, 1 exit 1, 1 not as expected, approved by `@lee`",
    );
    expect(drawn(failed, failed)[0]).toBe("❌ all exit 1, approved by `@lee`");
    const unknown = run({ ending: { kind: "unknown", reason: "the connection broke." } });
    expect(drawn(run(), failed, unknown)[0]).toBe("❓ 1 ran, 1 exit 1, 1 UNKNOWN, approved by `@lee`");
  });

  test("AR-11 a command of several lines, or a long one, is cut in the heading, never within a secret", () => {
    const headOf = (command: string): string => {
      const spec = { ...action(1).spec, command };
      return renderBatch(
        { login: "lee", note: null, waitsFor: null, actions: [action(1, { spec, state: "approved" })] },
        ink,
      );
    };
    expect(headOf("cd /srv\nrm -r cache\n")).toBe("**1** ⏳ `cd /srv …` on `web-1` · next");
    const long = headOf(`journalctl -u checkout-api ${"--since yesterday ".repeat(9)}`);
    expect(long).toMatch(/^\*\*1\*\* ⏳ `journalctl -u checkout-api --since yesterday[^`]* …` on `web-1` · next$/);
    expect(long.length).toBeLessThan(100);
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    expect(headOf(`curl -s https://example.com/a/b/c -H 'X-Token: ${secret}'`)).not.toContain("ghp_0123");
    expect(headOf("echo '```'")).toBe("**1** ⏳ ````echo '```'```` on `web-1` · next");
  });

  test("AR-12 on several servers what went worst marks it, and while it runs the heading has how to end it", () => {
    const spec = { ...action(1).spec, place: "web", targets: ["web-1", "web-2"].map(target) };
    const headOf = (...runs: Parameters<typeof run>[0][]): string | undefined => {
      const view = action(1, { spec, state: "done", verdicts: byLee, runs: runs.map(run) });
      return renderBatch({ login: "lee", note: null, waitsFor: null, actions: [view] }, ink).split("\n")[0];
    };
    const failed = { server: "web-2", ending: { kind: "exited", code: 1 } } as const;
    const what = "`systemctl status checkout-api` on `web` (2 servers)";
    expect(headOf({}, { server: "web-2" })).toBe(`**1** ✅ ${what} · exit 0 on 2 · \`@lee\``);
    expect(headOf({}, failed)).toBe(`**1** ❌ ${what} · ✅ exit 0 on 1, ❌ exit 1 on 1 · \`@lee\``);
    expect(headOf({ ending: null }, failed)).toBe(`**1** ▶️ ${what} · 1 of 2 done · \`@lee\` · \`/cancel 1\``);
    expect(headOf({ ending: null, cancelledBy: "sam" }, failed)).not.toContain("/cancel");
  });

  test.each([
    [{ kind: "signalled", signal: "KILL" }, "**1** ❌ … · ended by signal KILL"],
    [{ kind: "timed-out", afterMs: 1_800_000 }, "**1** ⏱️ … · timed out after 30 min"],
    [{ kind: "cancelled", by: "sam" }, "**1** 🛑 … · cancelled by `@sam`"],
    [
      { kind: "cancelled", by: "the operator (@root)", operator: true },
      "**1** 🛑 … · cancelled by the operator (root)",
    ],
    [{ kind: "waiting-for-input", asks: "Password:" }, "It asks: Password:"],
    [{ kind: "unreachable", reason: "no route.", remedy: "check it." }, "**1** 🔌 … · not started"],
    [
      { kind: "unknown", reason: "The link died." },
      "The link died. It may have run; it only reads, so `/retry 1` can run it again.",
    ],
  ] as const)("F-29 F-32 $kind is told by its name and never as exit 0", (ending, told) => {
    const drawn = drawnFor({ ending, durationMs: null, excerpt: null });
    expect(drawn).toContain(told.replace("…", "`systemctl status checkout-api` on `web-1`"));
    expect(drawn).not.toContain("✅");
    expect(drawn).not.toContain("exit 0");
  });

  test("RR-06 each reason of an UNKNOWN run is explained once, with its servers and checks, and no other end is", () => {
    const ended = (reason: string) => ({ kind: "unknown", reason }) as const;
    const { says, next } = unknownReasons["bot-stopped-command"];
    const own = ended("web-9 said what no row says");
    const runs = [
      run({ ending: ended(says) }),
      run({ ending: ended(says), server: "web-2" }),
      run({ ending: own, server: "web-9", step: 2 }),
      run({ ending: null, server: "web-3" }),
      run({ server: "web-4" }),
    ];
    const seven = { number: 7, spec: { risk: "medium" } } as const;
    expect(explainUnknown({ ...seven, runs }, ink).split("\n\n")).toEqual([
      `**Why UNKNOWN** on \`web-1\`, \`web-2\`: ${says} L${next.slice(1)}.`,
      "**Why UNKNOWN** on `web-9` (check 3): web-9 said what no row says.",
      unknownWords(seven),
    ]);
    expect(explainUnknown({ number: 7, runs: runs.slice(3) }, ink)).toBe("");
  });

  test("PRODUCT while it runs, what waits and what will not run are told apart", () => {
    const actions = [
      action(1, { state: "running", runs: [run({ ending: null, durationMs: null })] }),
      action(2, { state: "approved" }),
      action(3),
    ];
    const drawn = renderBatch({ login: "lee", note: "3 was not run: it expired.", waitsFor: null, actions }, ink);
    const what = "`systemctl status checkout-api` on `web-1`";
    expect(drawn).toContain(`**1** ▶️ ${what} · running since 14:02:00Z · \`/cancel 1\``);
    expect(drawn).toContain(`**2** ⏳ ${what} · next`);
    expect(drawn).toContain(`**3** ⏸️ ${what} · not run`);
    expect(drawn).toContain("⚠️ 3 was not run: it expired.");
    const over = [action(1, { state: "done", runs: [run()] }), action(2), action(3, { state: "superseded" })];
    const result = { login: "lee", note: "Stopped at the first failure.", waitsFor: null, actions: over };
    const ended = renderBatch({ ...result, endedAt: new Date() }, ink);
    expect(ended).not.toContain("**2**");
    expect(ended).toContain("⚠️ Stopped at the first failure. Needs approval again: 2. Not run: 3.");
  });
});

describe("what changed", () => {
  test.each([
    ["12:00", "**What changed** · `cart` · 2026-03-01 10:00Z to 12:00Z, when this began"],
    ["14:00", "**What changed** · `cart` · 2026-03-01 10:00Z to 14:00Z, when the issue was opened"],
    ["15:00", "**What changed** · `cart` · 2026-03-01 10:00Z to 15:00Z"],
  ])("CH-02 its head says what its end is: %s", (until, head) => {
    const at = (time: string) => new Date(`2026-03-01T${time}:00Z`);
    const given = { since: at("10:00"), until: at(until), openedAt: at("14:00"), services: ["cart"], unseen: [] };
    expect(renderChanges({ ...given, changes: [] }, ink).split("\n")[0]).toBe(head);
  });
});
