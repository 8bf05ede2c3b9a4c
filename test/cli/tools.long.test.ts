import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useFolder } from "../harness/use-started.ts";
import { countersign } from "./countersign.ts";

const folder = useFolder();

const jsonl = async (args: readonly string[], ...lines: readonly (object | string)[]): Promise<readonly unknown[]> => {
  const input = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const { code, out, err } = await countersign([...args, "--jsonl"], { input });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
};

const skills = join(folder, "skills");
mkdirSync(join(skills, "disk-full"), { recursive: true });
writeFileSync(
  join(skills, "disk-full", "SKILL.md"),
  '---\nname: disk-full\ndescription: "The disk of a host is full. Use when DiskFull fires."\nmetadata:\n  alerts: "DiskFull"\n---\n\n# Disk full\n',
);

/** A good record of each tool, and something its answer holds. */
const tools = [
  { args: ["explain"], good: { command: "rm -r /srv/cache" }, answer: { risk: "high", reasons: expect.any(Array) } },
  { args: ["redact"], good: { text: "nothing secret" }, answer: { text: "nothing secret" } },
  { args: ["reply"], good: { text: "CONFIRMED: fine." }, answer: { actions: [], error: null } },
  { args: ["comment"], good: { body: "/approve 1 why" }, answer: { verb: "approve", ids: [1], args: [], note: "why" } },
  { args: ["suggest", "--skills", skills], good: { id: 1, title: "DiskFull on web-1", body: "" }, answer: { id: 1 } },
] as const;

describe("the tools that read lines", () => {
  it.each(tools)(
    "CONFIG $args.0 answers each line with one, in order, whatever the lines between are",
    async (tool) => {
      const broken = ["{not json", "[]", "null", '"text"', "7", "{}", '{"command":1,"text":1,"body":1,"title":1}'];
      const given = broken.flatMap((line) => [line, tool.good]);
      const answers = await jsonl(tool.args, ...given);
      expect(answers).toHaveLength(given.length);
      for (const [index, answer] of answers.entries()) {
        if (index % 2 === 0) expect(answer, broken[index / 2]).toEqual({ error: expect.stringMatching(/\w/) });
        else expect(answer).toMatchObject(tool.answer);
      }
    },
  );

  it("CONFIG a line ends where its \\n stands, whatever other programs take for its end", async () => {
    expect(await jsonl(["redact"], { text: "one\u2028two\u2029" }, { text: "three" })).toEqual([
      { text: "one\u2028two\u2029" },
      { text: "three" },
    ]);
  });

  it("CONFIG comment takes 3,000 lines in one process and keeps their order", async () => {
    const answers = await jsonl(["comment"], ...Array.from({ length: 3_000 }, (_, n) => ({ body: `/approve ${n}` })));
    expect(answers.map((answer) => (answer as { ids: readonly number[] }).ids[0])).toEqual([...Array(3_000).keys()]);
  });

  it("CONFIG explain ends without a word once nobody reads its answers", async () => {
    const input = '{"command":"ls -l /"}\n'.repeat(50_000);
    const { code, out, err } = await countersign(["explain", "--jsonl"], { input, readsOnce: true });
    expect([code, err]).toEqual([0, ""]);
    expect(out.split("\n").length).toBeLessThan(25_000);
  });

  it("CONFIG explain takes 3,000 lines in one process and keeps their order", async () => {
    const commands = Array.from({ length: 3_000 }, (_, n) => ({
      command: n % 2 === 0 ? `df -h /srv/${n}` : `rm -r /srv/${n}`,
    }));
    const answers = await jsonl(["explain"], ...commands);
    expect(answers.map((answer) => (answer as { risk: string }).risk)).toEqual(
      commands.map((_, n) => (n % 2 === 0 ? "low" : "high")),
    );
  });

  it("CONFIG SR-22 comment tells verb, ids, args and note apart", async () => {
    const cases: readonly (readonly [body: string, answer: object | null])[] = [
      ["/APPROVE 3@1A2B3C4D, all", { verb: "approve", ids: ["3@1a2b3c4d"], args: [], note: "all" }],
      [
        "> /approve 1\n\n/approve 2 --timeout 10m --keep-going",
        { verb: "approve", ids: [2], args: ["--timeout", "10m", "--keep-going"], note: "" },
      ],
      ["/ops reject 2\nno", { verb: "reject", ids: [2], args: [], note: "no" }],
      ["/approve all", { verb: "approve", ids: "all", args: [], note: "" }],
      ["/run web-1\n```sh\ndf\n```", { verb: "run", ids: [], args: ["web-1"], note: "```sh\ndf\n```" }],
      ["`/approve 1`", null],
      ["/lgtm", null],
      ["", null],
    ];
    expect(await jsonl(["comment"], ...cases.map(([body]) => ({ body })))).toEqual(cases.map(([, answer]) => answer));
  });
});

describe("the tools that read one text", () => {
  it("CONFIG explain takes its command from the arguments or from standard input", async () => {
    for (const ended of [
      await countersign(["explain", "rm", "-r", "/srv/cache"]),
      await countersign(["explain"], { input: "rm -r /srv/cache\n" }),
    ]) {
      expect(ended.code).toBe(0);
      expect(JSON.parse(ended.out)).toMatchObject({ risk: "high" });
    }
  });

  it("CONFIG explain reads its options behind a command in quotes, and leaves a command its own", async () => {
    const file = join(folder, "missing.yml");
    const asked = await countersign(["explain", "kubectl get pods", "--config", file]);
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining("there is no such config file") });
    const own = await countersign(["explain", "kubectl", "get", "pods", "--config", file]);
    expect(own.code).toBe(0);
    expect(JSON.parse(own.out)).toMatchObject({ commands: [{ words: ["kubectl", "get", "pods", "--config", file] }] });
  });

  it("SR-45 redact passes what is harmless through byte for byte, and holds back what is not", async () => {
    const harmless = "a\n\n  b\tc é 🙂\n";
    expect(await countersign(["redact"], { input: harmless })).toMatchObject({ code: 0, out: harmless });
    const { out } = await countersign(["redact"], { input: "token=ghp_0123456789abcdefghijABCDEFGHIJ012345\n" });
    expect(out).toContain("[REDACTED]");
    expect(out).not.toContain("ghp_0123456789");
  });
});

describe("mistakes", () => {
  it.each([
    { what: "an unknown command", args: ["exlpain"], code: 2, says: "unknown command" },
    { what: "an unknown option", args: ["redact", "--json"], code: 2, says: "unknown option" },
    { what: "suggest without skills", args: ["suggest", "--jsonl"], code: 2, says: "--skills" },
    { what: "an issue that is no number", args: ["incident", "show", "abc"], code: 2, says: "`abc` is not a number" },
    { what: "a port without its value", args: ["demo", "--port"], code: 2, says: "argument missing" },
    {
      what: "a folder of skills that is not there",
      args: ["suggest", "--skills", join(folder, "none")],
      code: 2,
      says: "is not a folder",
    },
    {
      what: "a config that is not there",
      args: ["explain", "--config", join(folder, "none.yml"), "df"],
      code: 2,
      says: "no such config file",
    },
  ])("CONFIG $what is named, and the exit code is $code", async ({ args, code, says }) => {
    const ended = await countersign(args);
    expect(ended.code).toBe(code);
    expect(ended.err).toContain(says);
    expect(ended.out).toBe("");
  });
});

it("CONFIG --version prints the package's and nothing else", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(await countersign(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
});
