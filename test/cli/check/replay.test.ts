import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { check as look } from "../../../src/cli/check/check.ts";
import type { IncidentRecord } from "../../../src/features/replay/outcome.ts";
import { useFolder } from "../../harness/use-started.ts";
import { countersign } from "../countersign.ts";

const data = fileURLToPath(new URL("../../data", import.meta.url));
const root = useFolder();

const [base, folder, incidents] = ["base", "change", "incidents.jsonl"].map((name) => join(root, name)) as [
  string,
  string,
  string,
];
const skill = (of: string, name: string): string => join(of, ".github/skills", name, "SKILL.md");
const edit = (file: string, change: (text: string) => string): void => {
  const text = readFileSync(file, "utf8");
  const changed = change(text);
  expect(changed, file).not.toBe(text);
  writeFileSync(file, changed);
};

const server = { name: "db-03", os: "linux", shell: "bash", groups: [], maxRisk: "high", protectedPaths: [] } as const;
const titled = readdirSync(data, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("incidents.jsonl"))
  .sort((one, other) => one.length - other.length || one.localeCompare(other))
  .flatMap((path) => readFileSync(join(data, path), "utf8").trim().split("\n"))
  .map((line): { readonly title: string; readonly body: string } => JSON.parse(line));

/** So many incidents, of the labelled ones in turn, each numbered; what is said of the first. */
function exportOf(count: number, first: Partial<IncidentRecord> = {}): void {
  const records = Array.from({ length: count }, (_, index) => {
    const { title = "", body = "" } = titled[index % titled.length] ?? {};
    return { number: index + 1, title, body, values: [], helped: [], ...(index === 0 ? first : {}) };
  });
  const head = { repo: "acme/oncall", servers: [server] };
  writeFileSync(incidents, [head, ...records].map((one) => JSON.stringify(one)).join("\n"));
}

/** What `check` says of a change, in this process: its row, its findings, and whether one is an error. */
const check = async (change = { repo: folder, base }) => {
  const rows: string[] = [];
  const found = await look({ onlyRepo: true, incidents, ...change }, (row) => rows.push(row));
  const err = found.map(({ place, message, remedy }) => `${place}: ${message} — ${remedy}`).join("\n");
  const isWrong = found.some(({ severity }) => severity === "error");
  return { isWrong, row: rows.find((line) => line.startsWith("replay")), err };
};

describe("issue 24.5 closed incidents replayed", () => {
  beforeEach(() => {
    for (const one of [base, folder]) {
      rmSync(one, { recursive: true, force: true });
      mkdirSync(join(one, ".github"), { recursive: true });
      cpSync(join(data, "incidents/skills"), join(one, ".github/skills"), { recursive: true });
    }
    exportOf(40);
  });

  it("go the same way where nothing has changed", { tags: ["long"] }, async () => {
    const { isWrong, row } = await check();
    expect(row).toBe("replay       ✓ none of 40 closed incidents would go differently");
    expect(isWrong).toBe(false);
  });

  it("name the runbook and the incidents that lose an act, and that it helped then", { tags: ["long"] }, async () => {
    const [act = ""] =
      /## Act[^\n]*\n+```sh\n(?:#[^\n]*\n)*([^\n]+)/
        .exec(readFileSync(skill(base, "host-disk-full"), "utf8"))
        ?.slice(1) ?? [];
    exportOf(40, { title: "[FIRING:1] NodeFilesystemAlmostOutOfSpace db-03", helped: [act] });
    edit(skill(folder, "host-disk-full"), (text) => text.replace(`${act}\n`, ""));
    const { isWrong, row, err } = await check();
    expect(row).toMatch(/^replay {7}! \d+ of 40 closed incidents would go differently$/);
    expect(err).toContain("host-disk-full/SKILL.md: host-disk-full: ");
    expect(err).toMatch(/#1 act no longer proposed, which helped then \(`/);
    // It may be meant: nothing fails.
    expect(isWrong).toBe(false);
    // At the command line it is the same.
    const args = ["check", "--only-repo", "--repo", folder, "--incidents", incidents, "--base", base];
    const ended = await countersign(args, {});
    expect([ended.code, ended.out.split("\n")]).toEqual([0, expect.arrayContaining([row])]);
    expect(ended.err).toContain(err);
  });

  it("name what goes to another runbook, to none, or comes from none", { tags: ["long"] }, async () => {
    rmSync(join(folder, ".github/skills/redis-maxmemory-reached"), { recursive: true });
    const { err } = await check();
    expect(err).toMatch(/redis-maxmemory-reached: 1 of 1 change: #8 redis-maxmemory-reached → no runbook/);
    cpSync(folder, `${base}-less`, { recursive: true });
    const back = await check({ repo: base, base: `${base}-less` });
    expect(back.err).toMatch(/no runbook: 1 of \d+ change: #8 no runbook → redis-maxmemory-reached/);
  });

  it("name the incidents for which the repository's own file asks more, and AGENTS.md as what only a model shows", {
    tags: ["long"],
  }, async () => {
    writeFileSync(join(folder, ".github/countersign.yml"), "policy: { low: { approvals: 2 } }\n");
    writeFileSync(join(folder, "AGENTS.md"), "# Look at the disks first\n");
    const { row, err } = await check();
    expect(err).toContain("1 approval → 2 approvals");
    expect(row).toContain("; what AGENTS.md changes only a model shows");
  });

  it("take under a minute for five hundred", { tags: ["long"] }, async () => {
    exportOf(500);
    edit(skill(folder, "host-disk-full"), (text) => text.replace(/^df .*$/m, "df -hT"));
    expect((await check()).row).toMatch(/! \d+ of 500 closed incidents/);
  });

  it.each([
    ["no export", "{}", "incidents.jsonl:1"],
    ["no JSON", "df -h", "incidents.jsonl:1"],
    ["servers alone twice", '{"repo":"a/b","servers":[]}\n{"repo":"a/b","servers":[]}', "incidents.jsonl:1"],
    ["an incident without its words", '{"repo":"a/b","servers":[]}\n{"number":1}', "incidents.jsonl:2"],
  ])("refuse %s, with the line", async (_, text, place) => {
    writeFileSync(incidents, text);
    const { isWrong, err } = await check();
    expect(err).toContain(place);
    expect(err).toContain("countersign export --incidents");
    expect(isWrong).toBe(true);
  });

  it("need both the incidents and what the change is held against", { tags: ["long"] }, async () => {
    const { code, err } = await countersign(["check", "--only-repo", "--repo", folder, "--incidents", incidents], {});
    expect(err).toContain("one was given without the other");
    expect(code).toBe(2);
  });
});
