import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../src/agent/tokens.ts";
import { toolSpecs } from "../../../src/agent/tools.ts";
import { wireTools } from "../../../src/agent/wire/shapes.ts";
import { configSchema } from "../../../src/config/schema.ts";
import { toProgramSide } from "../../../src/config/shape.ts";
import { buildRequest } from "../../../src/features/turn/prompt.ts";
import { runbooksOf } from "../../../src/features/turn/runbooks.ts";
import { turnMessage } from "../../../src/features/turn/turn-message.ts";
import { readContext } from "../../../src/github/context/read.ts";

const config = toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");
const never = async (): Promise<never> => {
  throw new Error("nobody calls it");
};
const behind = {
  createTools: () => ({
    useSkill: never,
    readOutput: never,
    updatePlan: never,
    feedbackHistory: never,
    startWorkflow: never,
  }),
  createDelegate: () => never,
};

const file = (text: string) => ({ text, bytes: Buffer.byteLength(text), binary: false, mode: 0o100644 });
const context = readContext(
  {
    repository: {
      repo: "acme/web",
      commit: "1a2b3c4d5e6f1a2b3c4d5e6f1a2b3c4d5e6f1a2b",
      files: new Map([
        ["AGENTS.md", file("# Web\n\nThe shop. web-1 and web-2 are behind one balancer.\n")],
        [".github/countersign/rules.md", file("Never restart both at once.\n")],
        [
          ".github/skills/disk-full/SKILL.md",
          file(
            "---\nname: disk-full\ndescription: A volume is full or nearly so.\n---\n## Verify\n\n```sh\ndf -h\n```\n",
          ),
        ],
        [
          ".github/countersign/workflows/drain.yml",
          file("name: drain\ndescription: Takes a server out.\nsteps: [{ server: web-1, command: ls, title: t }]\n"),
        ],
      ]),
    },
  },
  { filenames: ["AGENTS.md"], extraSkillDirs: [] },
);

const server = { host: "h", port: 22, groups: ["web"], description: "shop", os: "linux" as const };
const issue = { title: "5xx on web-1", body: "Since 14:02Z.", repo: "acme/web" };

const requestFor = (number: number, nonce: string) =>
  buildRequest(
    {
      config,
      incident: { ...issue, number },
      session: { nonce, pillar: "troubleshoot", instructions: [] },
      context,
      component: { folders: [], instructions: [], notes: [] },
      runbooks: runbooksOf(context, () => {}),
      records: new Map(),
      servers: [
        { ...server, name: "web-1", user: "deploy" },
        { ...server, name: "web-2", user: "root" },
      ] as unknown as Parameters<typeof buildRequest>[0]["servers"],
      approvals: (["low", "medium", "high"] as const).map((risk) => ({
        risk,
        people: risk === "high" ? 2 : 1,
        reason: risk === "high",
        alone: risk === "high",
      })),
      repoNonce: "NONCE-OF-THE-REPOSITORY",
    },
    behind,
  );

const request = requestFor(42, "NONCE-OF-THE-SESSION");
const first = request.prompt;

it("OFF-1 a turn says which runbooks list the alert, if none is loaded for that", () => {
  const news = turnMessage({
    incident: { ...issue, number: 42, phase: "identify", confidence: null },
    session: { nonce: "N", steps: 0, stepLimit: 20 },
    cause: { kind: "opened" },
    told: [],
    runs: [],
    heard: { opener: true, comments: [], rights: "", newest: undefined, read: [], thumbs: [] },
    rivals: ["renewal-fails", "certificate-expires"],
    questions: [],
    now: new Date("2026-03-01T14:06:00Z"),
  });
  expect(news).toContain("\n\n2 runbooks list this alert: renewal-fails, certificate-expires. So none is loaded and");
});

describe("docs/prompt.md", () => {
  it("OP-1 PA-1 is the prompt as it is sent, whole", async () => {
    const news = turnMessage({
      incident: { ...issue, number: 42, phase: "investigate", confidence: "LIKELY" },
      session: { nonce: "NONCE-OF-THE-SESSION", steps: 1, stepLimit: 20 },
      cause: { kind: "batch-ended", numbers: [1] },
      told: [1],
      runs: [
        {
          ...{ number: 1, servers: ["web-1"], command: "df -h /var", output: "/dev/sda1 20G 20G 0 100% /var\n" },
          ...{ reads: true, ending: { kind: "exited", code: 0 }, outcome: null, trouble: null },
          ...{ startedAt: new Date("2026-03-01T14:05:11Z"), durationMs: 312 },
        },
      ],
      heard: { opener: true, comments: [], rights: "", newest: undefined, read: [], thumbs: [] },
      changes:
        'Actions since your last reply:\n<actions nonce="NONCE-OF-THE-SESSION">\n2 waits, 1 of 2 · 3 turned down by mona: "not during the sale"\n</actions nonce="NONCE-OF-THE-SESSION">',
      questions: [],
      hypotheses: [
        { id: "deploy", says: "the deploy of 13:50 broke it", status: "open", forRuns: [], againstRuns: [] },
        { id: "disk", says: "the debug log fills /var", status: "likely", forRuns: [1], againstRuns: [] },
      ],
      now: new Date("2026-03-01T14:06:00Z"),
    });
    const page = [
      "# What the model is told",
      "",
      "Written by a test, of a repository with two servers, one rule, one skill and one workflow. Part 1 is `<identity>`, part 2",
      "`<protocol>`; `countersign prompt` prints the same of yours. Stable parts stand first, so that a provider's cache holds.",
      "",
      "## The system prompt",
      "",
      "`````text",
      first.text,
      "`````",
      "",
      "## The message of a later turn",
      "",
      "`````text",
      news,
      "`````",
      "",
    ].join("\n");
    await expect(page).toMatchFileSnapshot("../../../docs/prompt.md");
  });

  it("OP-1 two incidents of one repository share all of it but the last 100 tokens, and more than a provider's cache asks for", () => {
    const other = requestFor(57, "ANOTHER-NONCE").prompt.text;
    const at = [...first.text].findIndex((character, index) => character !== other[index]);
    expect(first.text.slice(0, at)).toMatch(/Incident: issue #$/);
    expect(estimateTokens(first.text.slice(at))).toBeLessThanOrEqual(100);
    expect(estimateTokens(first.text.slice(0, at))).toBeGreaterThanOrEqual(2 * 1_024);
  });

  it("OP-1 each request repeats it with the tools' schemas, so both together have at most 13,700 characters", () =>
    expect(first.text.length + JSON.stringify(wireTools(toolSpecs(request.tools))).length).toBeLessThanOrEqual(13_700));

  it("PA-8 OP-1 each server stands in it once, and each rule of how to propose", () => {
    expect(first.text.match(/^- web-2:/gm)).toHaveLength(1);
    expect(first.text.match(/ACTIONS_JSON_START/g)).toHaveLength(1);
    expect(first.text.match(/your open proposals stay/g)).toHaveLength(1);
  });

  it("INJ-3 what is told again begins as it does", () => expect(first.text.startsWith(first.reminder)).toBe(true));
});
