import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { estimateTokens } from "../../src/agent/tokens.ts";
import { configSchema } from "../../src/config/schema.ts";
import { toProgramSide } from "../../src/config/shape.ts";
import { buildSystemPrompt } from "../../src/features/turn/prompt.ts";
import { runbooksOf } from "../../src/features/turn/runbooks.ts";
import type { CommitSnapshot, RawFile } from "../../src/github/context/plan.ts";
import { type RepoFiles, readContext } from "../../src/github/context/read.ts";
import type { Component } from "../../src/github/context/source.ts";
import { buildMenu } from "../../src/runbooks/skills.ts";
import { proposing, startStage } from "../harness/stage.ts";
import type { Row } from "./row.ts";

const rounds = 31;
const [skillCount, fileCount] = [60, 90];
const turnCount = 20;

/** The system prompt: how long it takes to put together (INJ-5), and how much of each request repeats the one before. */
export async function run(): Promise<Row[]> {
  return [...assembly(), matching(), thousands(), ...(await repeating())];
}

const folder = new URL("../data/incidents/skills/", import.meta.url);
const texts = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(new URL(`${name}/SKILL.md`, folder), "utf8"),
}));
const config = toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");
const incident = {
  title: "HostOutOfDiskSpace on web-1",
  body: "/var is at 97 % since 14:02Z, no space left on device",
};
const names = { filenames: ["AGENTS.md"], extraSkillDirs: [] };
const tools = { listServers: () => [], readOutput: async () => "", mayPropose: true, mayAsk: true };
const component: Component = { folders: ["services/web"], instructions: [], notes: [] };

/** A repository's files that differ from every other's, as GitHub would hand them over. */
function repositoryOf(skills: number, files: number, salt: number): CommitSnapshot {
  const raw = (text: string): RawFile => ({ text, bytes: Buffer.byteLength(text), binary: false, mode: 0o100644 });
  const made = new Map<string, RawFile>([
    ["AGENTS.md", raw(`# Agents of ${salt}\n${"Look before you change anything.\n".repeat(60)}`)],
    [".github/countersign/rules.md", raw(`Rules of ${salt}: never on Fridays.\n`)],
  ]);
  for (let i = 2; i < files; i++) {
    const head = `---\napplyTo: "services/web/**,part-${i}/**"\ndescription: part ${i} of ${salt}\n---\n`;
    made.set(`.github/instructions/part-${i}.instructions.md`, raw(head + "Restart one thing at a time.\n".repeat(12)));
  }
  for (let i = 0; i < skills; i++) {
    const { name, text } = texts[i % texts.length] ?? { name: "", text: "" };
    const own = text.replace(`name: ${name}`, `name: ${name}-${i}`);
    made.set(`.github/skills/${name}-${i}/SKILL.md`, raw(`${own}\nOf service ${i} of ${salt}.\n`));
  }
  return { repo: "acme/web", commit: String(salt).padStart(40, "0"), files: made };
}

function assemble(context: RepoFiles): string {
  const runbooks = runbooksOf(context, () => {});
  const menu = buildMenu(runbooks.skills, incident);
  return buildSystemPrompt({
    config,
    incident: { repo: "acme/web", number: 42 },
    session: { nonce: "0123456789abcdef", pillar: "troubleshoot", instructions: [] },
    context,
    component,
    runbooks,
    menu,
    servers: [],
    repoNonce: "fedcba9876543210",
    tools: { ...tools, useSkill: async () => undefined, skillNames: menu.map(({ name }) => name) },
  }).text;
}

/** As the texts that this was made from do it: every frontmatter through YAML, every section joined, each time anew. */
function joined({ files }: CommitSnapshot): string {
  const sections = [...files].map(([path, { text }]) => {
    const [, head = "", body = text ?? ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text ?? "") ?? [];
    const { name = "", description = "" } = head === "" ? {} : (parse(head) as Record<string, string>);
    return path.endsWith("SKILL.md")
      ? `- **${name}**: ${description}`
      : `<context source="${path}">\n${body}\n</context>`;
  });
  return sections.join("\n\n");
}

function assembly(): Row[] {
  const times = { cold: [] as number[], warm: [] as number[], peer: [] as number[] };
  for (let round = -5; round < rounds; round++) {
    const snapshot = repositoryOf(skillCount, fileCount, round + 5);
    let context: RepoFiles | undefined;
    const cold = timed(() => {
      context = readContext({ repository: snapshot }, names);
      assemble(context);
    });
    const warm = timed(() => context && assemble(context));
    const peer = timed(() => joined(snapshot));
    // The first few are the compiler's.
    if (round < 0) continue;
    times.cold.push(cold);
    times.warm.push(warm);
    times.peer.push(peer);
  }
  const peer = { peer: median(times.peer), peerName: "every frontmatter through YAML, joined" };
  const size = `${skillCount} skills, ${fileCount} files`;
  return [
    rowOf(`prompt of files never seen before (${size})`, median(times.cold), peer),
    rowOf(`prompt of the next turn (${size})`, median(times.warm), peer),
  ];
}

/** Another incident each time, on an index that is there. */
function matching(): Row {
  const { skills } = runbooksOf(readContext({ repository: repositoryOf(1_000, 2, 1) }, names), () => {});
  const times = Array.from({ length: rounds + 5 }, (_, i) =>
    timed(() => buildMenu(skills, { title: `${incident.title}${i}`, body: `${incident.body} on volume ${i}` })),
  );
  return rowOf("one incident among 1,000 skills", median(times.slice(5)));
}

function thousands(): Row {
  const times = Array.from({ length: 5 }, (_, i) => {
    const context = readContext({ repository: repositoryOf(5_000, 2, 100 + i) }, names);
    return timed(() => assemble(context));
  });
  return { ...rowOf("first prompt among 5,000 skills", median(times)), runs: 5 };
}

/** A whole incident of the most turns there are, each with an output to read; what the endpoint was sent in each request. */
async function repeating(): Promise<Row[]> {
  const stage = await startStage({ configure: (file) => Object.assign(file, { reinjection: { turns: 6 } }) });
  const line = (i: number) =>
    `2026-03-01T14:02:${i % 60} checkout-api[311]: request ${i} failed: no space left on device\n`;
  stage.play(async (_command, { channel }) => {
    for (let i = 0; i < 40; i++) channel.write(line(i));
    return 1;
  });
  const reads = { text: "<status>Reading</status>", toolCalls: [{ name: "list_servers", arguments: {} }] };
  const next = (number: number) => {
    const seen = number === 1 ? "nothing yet" : `**${number - 1}** did not exit 0, it reports no space left on device`;
    return proposing(`LIKELY: ${seen}; the debug log may be what grew.`, `du -x /var/log/${number}`);
  };
  try {
    stage.model.play(reads, next(1));
    const thread = await stage.open();
    await stage.quiet();
    for (let turn = 1; turn < turnCount; turn++) {
      stage.model.play(reads, next(turn + 1));
      await stage.ask(thread, "lee", `/approve ${turn}`);
    }
    const sent = stage.model.requests.map(({ body }) => [
      JSON.stringify(body.tools ?? []),
      ...body.messages.map((message) => JSON.stringify(message)),
    ]);
    const told = stage.log.filter(({ event, trigger }) => event === "prompt_injected" && trigger === "turns").length;
    return (["tokens", "characters"] as const).map((unit) => ({
      case: `input ${unit} that repeat the request before (${turnCount} turns, ${sent.length} requests, told again ${told} times)`,
      unit: "%",
      ours: shareOf(sent, unit),
      peer: shareOf(sent.map(withTimeFirst), unit),
      peerName: "time and step in the system prompt",
      ratio: shareOf(sent, unit) / shareOf(sent.map(withTimeFirst), unit),
      better: "higher" as const,
      runs: 1,
    }));
  } finally {
    await stage.close();
  }
}

const sizes = { tokens: estimateTokens, characters: (text: string) => text.length } as const;

/** Of all requests after the first, how much stands at the beginning of the one before too, in percent. */
function shareOf(requests: readonly (readonly string[])[], unit: keyof typeof sizes): number {
  const size = (parts: readonly string[]): number => parts.reduce((sum, part) => sum + sizes[unit](part), 0);
  const repeated = requests.slice(1).map((parts, i) => {
    const before = requests[i] ?? [];
    const differs = parts.findIndex((part, at) => part !== before[at]);
    return size(parts.slice(0, differs < 0 ? undefined : differs));
  });
  return (
    (100 * repeated.reduce((sum, one) => sum + one, 0)) / requests.slice(1).reduce((sum, parts) => sum + size(parts), 0)
  );
}

/** The same request as it would be if what changes each turn stood in the system prompt. */
function withTimeFirst([toolText = "", system = "", ...rest]: readonly string[]): readonly string[] {
  const news = rest.findLast((message) => message.includes("It is 2"));
  return [toolText, `${/It is [^.]*/.exec(news ?? "")?.[0]}${rest.length}${system}`, ...rest];
}

function timed(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const rowOf = (title: string, ours: number, than?: { readonly peer: number; readonly peerName: string }): Row => ({
  case: title,
  unit: "ms",
  ours,
  peer: than?.peer ?? null,
  peerName: than?.peerName ?? "none",
  ratio: than ? than.peer / ours : null,
  better: "lower",
  runs: rounds,
});
