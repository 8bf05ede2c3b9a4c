import { describe, expect, test } from "vitest";
import { renderBatch } from "../../../src/github/render/batch.ts";
import { renderBoard } from "../../../src/github/render/board.ts";
import { renderAction, renderCard, renderOwnCard } from "../../../src/github/render/card.ts";
import { mention } from "../../../src/github/render/ink.ts";
import { sameCard } from "../../../src/github/render/same-card.ts";
import { stateWords } from "../../../src/github/render/state.ts";
import { nodesOf, parse } from "../../text/markdown.ts";
import { action, board, byLee, card, high, hint, ink, medium, run } from "./views.ts";

const lines = (...parts: readonly string[]): string => parts.join("\n");

describe("the card", () => {
  test("DC-3 DC-5 reads as in PRODUCT.md", () => {
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
        "- `/ask 1` Check what grew",
        "- `/ask 2` Compare with web-2",
        "",
        "📖 **Runbook links** · [checkout-api 5xx](https://runbooks.acme.example/5xx)",
      ),
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
    const mixed = renderCard(card({ actions: [action(3), high(4)] }), hint, ink);
    expect(mixed).toContain("`/approve 3` · one approver");
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
      "Nobody may approve: `policy.approvers` is empty.",
    );
    const proposesOnly = renderCard(card({ actions }), { ...hint, executes: false }, ink);
    expect(proposesOnly).toContain("only proposes here");
    expect(proposesOnly).not.toContain("/approve");
  });

  test("OFF-1 an offline card claims no model, and one without actions asks for nothing", () => {
    expect(renderCard(card({ actions: [action(1)], offline: true }), hint, ink)).not.toContain("model's");
    expect(renderCard(card({ confidence: null, prose: "" }), hint, ink)).toBe("**Phase 3 of 5 · Investigate**");
  });

  test.each([
    ["done", action(1, { state: "done", verdicts: byLee, runs: [run()] }), /^- \[x\] \*\*1\*\* · /],
    ["superseded", action(1, { state: "superseded", supersededBy: 4 }), /^- \[ \] ~~\*\*1\*\*.*~~ superseded by 4$/m],
    ["expired", action(1, { state: "expired" }), /~~ expired$/m],
    ["void", action(1, { state: "void", stateReason: "the issue was closed" }), /~~ void: the issue was closed$/m],
    [
      "rejected",
      action(1, { state: "rejected", verdicts: [{ login: "lee", verdict: "reject" }] }),
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
    ]) {
      expect(sameCard(drawn, changed), changed).toBe(false);
    }
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
        "| # | action | server | risk | state |",
        "|---|---|---|---|---|",
        "| **1** | Service status | `web-1` | 🟢 low | ✅ exit 0, approved by `@lee` |",
        "| **2** | Rotate the log now | `web-1` | 🟡 medium | waits for one more approver, approved by `@lee` |",
      ),
      expect.stringContaining("Board of this incident, opened by `@mona` · session `5e55`"),
    ]);
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

describe("the run card", () => {
  const drawnFor = (change: Parameters<typeof run>[0]) => {
    const actions = [action(1, { state: "done", verdicts: byLee, runs: [run(change)] })];
    return renderBatch({ login: "lee", note: null, actions }, ink);
  };

  test("DC-5 folds the output of a success away and shows that of a failure", () => {
    expect(drawnFor({})).toBe(
      lines(
        "**1** · ✅ exit 0 · 0.3 s · `web-1` · approved by `@lee`",
        "",
        "<details><summary>output</summary>",
        "",
        "```text",
        "active (running)",
        "```",
        "",
        "</details>",
      ),
    );
    expect(drawnFor({ ending: { kind: "exited", code: 3 } })).toBe(
      lines("**1** · ❌ exit 3 · 0.3 s · `web-1` · approved by `@lee`", "", "```text", "active (running)", "```"),
    );
  });

  test("AR-15 an exit code of 0 over trouble is flagged, on the run card and on the board, and its output stands open", () => {
    const line = "ERROR: permission denied | `x` @mona";
    const drawn = drawnFor({ trouble: line });
    const told = "⚠️ exit 0, but: ``ERROR: permission denied | `x` @mona``";
    expect(drawn).toMatch(
      /^\*\*1\*\* · ⚠️ exit 0, but: ``ERROR: .*`` · 0\.3 s · `web-1` · approved by `@lee`\n\n```text/,
    );
    expect(drawn).not.toMatch(/✅|<details>/);
    const actions = [action(1, { state: "done", verdicts: byLee, runs: [run({ trouble: line })] })];
    const drawnBoard = renderBoard(board({ actions }), ink);
    expect(drawnBoard).toContain(`${told.replace("|", "\\|")}, approved by`);
    expect(nodesOf(parse(drawnBoard)).filter(({ type }) => type === "tableCell")).toHaveLength(10);
  });

  test("AR-15 so is an expectation that was not met, with why", () => {
    const why = 'its output lacks "active"';
    const outcome = { kind: "surprise", why } as const;
    expect(drawnFor({ outcome })).toMatch(/^\*\*1\*\* · ⚠️ exit 0, but: its output lacks "active" · 0\.3 s/);
    expect(drawnFor({ outcome }).match(/lacks/g)).toHaveLength(1);
    expect(drawnFor({ outcome, ending: { kind: "exited", code: 3 } })).toContain(
      "**Not as expected:** its output lacks",
    );
    const actions = [action(1, { state: "done", runs: [run({ outcome })] })];
    expect(renderBoard(board({ actions }), ink)).toContain('⚠️ exit 0, but: its output lacks "active", approved');
  });

  test("AR-15 on several servers each row says so, and the head how many", () => {
    const targets = ["web-1", "web-2", "web-3"].map((server) => ({ server }));
    const spec = { place: "web", targets, command: "df -h", risk: "low" } as const;
    const runs = targets.map(({ server }) => run({ server, trouble: server === "web-2" ? "disk: a|b error" : null }));
    const actions = [action(1, { state: "done", spec, runs })];
    const drawn = renderBatch({ login: "lee", note: null, actions }, ink);
    expect(drawn).toContain("✅ exit 0 on 2, ⚠️ exit 0, but: see its output on 1");
    expect(drawn).toContain("| `web-2` | ⚠️ exit 0, but: `disk: a\\|b error` · 0.3 s |");
    expect(drawn.indexOf("`web-2`\n\n```text")).toBeGreaterThan(0);
  });

  test.each([
    [{ kind: "signalled", signal: "KILL" }, "❌ ended by signal KILL"],
    [{ kind: "timed-out", afterMs: 1_800_000 }, "⏱️ timed out after 30 min"],
    [{ kind: "cancelled", by: "sam" }, "🛑 cancelled by `@sam`"],
    [{ kind: "waiting-for-input", asks: "Password:" }, "It asks: Password:"],
    [{ kind: "unreachable", reason: "no route.", remedy: "check it." }, "🔌 not started"],
    [{ kind: "unknown", reason: "The link died." }, "It may have run. It is never repeated by itself"],
  ] as const)("F-29 F-32 $kind is told by its name and never as exit 0", (ending, told) => {
    const drawn = drawnFor({ ending, durationMs: null, excerpt: null });
    expect(drawn).toContain(told);
    expect(drawn).not.toContain("✅");
    expect(drawn).not.toContain("exit 0");
  });

  test("PRODUCT while it runs, what waits and what will not run are told apart", () => {
    const actions = [
      action(1, { state: "running", runs: [run({ ending: null, durationMs: null })] }),
      action(2, { state: "approved" }),
      action(3),
    ];
    const drawn = renderBatch({ login: "lee", note: "3 was not run: it expired.", actions }, ink);
    expect(drawn).toContain("**1** · ▶️ running since 14:02:00Z · `web-1`");
    expect(drawn).toContain("**2** · ⏳ next · `web-1`");
    expect(drawn).toContain("**3** · ⏸️ not run · `web-1`");
    expect(drawn).toContain("⚠️ 3 was not run: it expired.");
  });
});
