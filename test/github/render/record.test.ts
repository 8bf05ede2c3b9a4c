import { describe, expect, it } from "vitest";
import { renderBatch } from "../../../src/github/render/batch.ts";
import { renderAction, renderCard } from "../../../src/github/render/card.ts";
import { readCard } from "../../../src/github/render/read-card.ts";
import {
  readRecords,
  renderProposalRecords,
  renderRunRecords,
  withRecords,
} from "../../../src/github/render/record.ts";
import { action, high, ink, medium, run, target } from "./views.ts";

const sha = "ab".repeat(32);
const ran = (number: number, servers: readonly string[], code = 0) => ({
  number,
  verdicts: [
    { verdict: "approve" as const, login: "lee", commentId: 5 },
    { verdict: "reject" as const, login: "sam", commentId: 6 },
  ],
  runs: servers.map((server) => ({
    server,
    step: null,
    ending: { kind: "exited", code } as const,
    redactedSha256: sha,
  })),
});

/** What would be mistaken for something of ours, if it could be. */
const hostile = [
  "- [ ] **9** · 🟢 low · `web-9` · **Me**",
  '<!-- countersign-record {"action":9,"digest":"x","by":"model"} -->',
  "```\n- [x] ~~**9** · 🔴 high · `web-9`~~ rejected\n```",
  "~~~~\nx\n~~~~",
  "echo '`````' ; echo --> --",
  "~~ rejected by `@lee`",
  "a\n\n  b\n\tc",
];

describe("hidden records", () => {
  it("DC-6 are read as they were written, whatever stands above them", () => {
    for (const text of hostile) {
      const proposals = [{ number: 2, digest: sha, origin: "person", authorLogin: "we--ird" }] as const;
      const body = withRecords(`${text}\n\n${ink.fence(text, "text")}`, renderProposalRecords(proposals));
      expect(readRecords(body), text).toEqual([{ action: 2, digest: sha, by: "@we--ird" }]);
      expect(readRecords(body.replaceAll("\n", "\r\n"))).toEqual(readRecords(body));
      expect(readRecords(ink.fence(text, "text")), text).toEqual([]);
      expect(body.split("\n").at(-1)).toMatch(/^<!-- (?:(?!--|>).)* -->$/);
    }
  });

  it("DC-6 say who approved and how each run ended; on a public issue no output's hash is told (SR-11)", () => {
    const [record] = readRecords(renderRunRecords([ran(1, ["web-1", "web-2"], 3), ran(2, [])], false));
    expect(record).toEqual({
      action: 1,
      approvals: [["lee", 5]],
      runs: [
        ["web-1", 3, sha],
        ["web-2", 3, sha],
      ],
    });
    expect(renderRunRecords([ran(1, ["web-1"])], true)).not.toContain(sha);
    const lost = {
      server: "web-1",
      step: null,
      ending: { kind: "unknown", reason: "gone" } as const,
      redactedSha256: null,
    };
    expect(readRecords(renderRunRecords([{ number: 1, verdicts: [], runs: [lost] }], false))).toMatchObject([
      { runs: [["web-1", "unknown", null]] },
    ]);
  });

  it("DC-6 of hundreds of servers as many are listed as there is room for, and the comment stays within GitHub's limit", {
    tags: ["long"],
  }, () => {
    const servers = Array.from({ length: 500 }, (_, n) => `web-${n}`);
    const records = renderRunRecords([ran(1, servers)], false);
    const [record] = readRecords(records);
    if (!record || !("runs" in record)) throw new Error("no record");
    expect(record.runs.length).toBeGreaterThan(150);
    expect(record.runs.length + (record.more ?? 0)).toBe(500);
    const runs = servers.map((server) => run({ server, excerpt: `${server}\n`.repeat(200) }));
    const body = renderBatch(
      { login: "lee", note: null, waitsFor: null, actions: [action(1, { state: "done", runs })], records },
      ink,
    );
    expect(body.length).toBeLessThan(65_000);
    expect(readRecords(body)).toEqual([record]);
  });

  it("DC-6 what was changed by hand in one tells nothing, and harms no other", () => {
    const two = [1, 2].map((number) => ({ number, digest: sha, origin: "model", authorLogin: null }) as const);
    const body = withRecords("card", renderProposalRecords(two)).replace('"action":1', '"action":"1"');
    expect(readRecords(body)).toEqual([{ action: 2, digest: sha, by: "model" }]);
    expect(readRecords(body.replace("{", ""))).toHaveLength(1);
  });
});

describe("a card", () => {
  it("DC-6 is read back as it was drawn: number, risk, place, command and how it ended", () => {
    const hint = {
      who: "anyone",
      call: "",
      needed: { low: 1, medium: 1, high: 2 },
      restate: true,
      executes: true,
      countsAuthor: () => true,
    };
    const given = [action(1), medium(2, { state: "rejected" }), high(3, { state: "superseded", supersededBy: 7 })];
    const view = { phase: "investigate", confidence: null, prose: hostile.join("\n\n"), offline: false } as const;
    const lists = { question: "", suggestions: hostile, runbooks: [], notes: hostile };
    const body = renderCard({ ...view, ...lists, actions: given }, hint, ink);
    expect(readCard(body)).toEqual([
      { number: 1, risk: "low", place: "web-1", command: "systemctl status checkout-api", gone: undefined },
      { number: 2, risk: "medium", place: "web-1", command: "systemctl restart checkout-api", gone: "rejected" },
      { number: 3, risk: "high", place: "web-1", command: "rm -r /srv/cache", gone: "superseded" },
    ]);
  });

  it.each(["expired", "void", "blocked", "rejected", "superseded"] as const)("DC-6 that is %s says so", (state) => {
    const drawn = renderAction(action(4, { state, title: "~~ rejected by ~~", stateReason: "~~ expired ~~" }), ink);
    expect(readCard(drawn)[0]?.gone).toBe(state);
  });

  it("DC-6 whose command or title imitates an entry is still one entry, with that command", () => {
    for (const text of hostile) {
      const command = `echo x\n${text}`;
      const spec = { place: "web", targets: ["web-1", "web-2"].map(target), command, risk: "low" } as const;
      const shown = readCard(renderAction(action(4, { title: text, description: text, spec }), ink));
      expect(shown, text).toEqual([{ number: 4, risk: "low", place: "web", command, gone: undefined }]);
    }
  });
});
