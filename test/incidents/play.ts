import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withJobs } from "../../src/demo/sandbox/jobs.ts";
import { createKeys, startSshServer } from "../../src/demo/sandbox/ssh-server.ts";
import { unwrap } from "../../src/demo/sandbox/wrapper.ts";
import type { Thread } from "../../src/demo/thread.ts";
import { startFakeModel } from "../agent/fake-model.ts";
import { repo, startPlayground } from "../playground.ts";
import { engineer, type Incident } from "./engineer.ts";
import { incidents } from "./incidents.ts";

/** What an incident took until its `/close`; what closing it asked of the model stands apart. */
export interface Figures {
  readonly incident: string;
  readonly turns: number;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Comments of people that approve. */
  readonly approvals: number;
  /** Commands that the machines were given. */
  readonly runs: number;
  readonly seconds: number;
  readonly closingTokens: number;
}

interface Played {
  readonly figures: Figures;
  /** The issue as it reads at the end. */
  readonly issue: string;
}

/** What every repository of this kind has beside its runbooks. */
const repositoryFiles = {
  "AGENTS.md":
    "# Acme on call\n\nLook before you change anything: unit, log, then what it depends on. Restart one thing at a time.\nConfiguration lives in `/etc/<service>` and is backed up to `/var/backups/etc` every night.\n",
  ".github/countersign/rules.md":
    "- Name the unit and the server in the first sentence.\n- Rate a rollback in production `high`: two of us look at it.\n",
};

/** Played by no tokenizer of a provider: four characters are one. */
const tokensIn = (...parts: readonly unknown[]): number =>
  Math.ceil(
    parts.reduce<number>(
      (sum, part) => sum + (typeof part === "string" ? part : JSON.stringify(part ?? "")).length,
      0,
    ) / 4,
  );

/** One imagined machine behind every name: it answers by the incident's table and remembers what has run. */
async function startMachines(incident: Incident) {
  const client = createKeys();
  const host = createKeys();
  const folder = mkdtempSync(join(tmpdir(), "countersign-incident-"));
  const key_file = join(folder, "ssh_key");
  writeFileSync(key_file, client.privateKey, { mode: 0o600 });
  const log: string[] = [];
  const unknown: string[] = [];
  const ran = (...commands: readonly string[]): boolean => {
    const at = commands.reduce((from, command) => (from < 0 ? from : log.indexOf(command, from) + 1 || -1), 0);
    return at >= 0;
  };
  const server = await startSshServer({
    hostKey: host.privateKey,
    clientKey: client.privateKey,
    user: "ops",
    serve: withJobs(async (exec, { stdin, stdout }) => {
      const { script } = unwrap(exec, stdin);
      log.push(script);
      const said = incident.machines(ran)[script];
      if (said === undefined) unknown.push(script);
      const { exit, out } = typeof said === "object" ? said : { exit: said === undefined ? 127 : 0, out: said ?? "" };
      stdout(Buffer.from(out));
      return exit;
    }),
  });
  const entry = { host: "127.0.0.1", port: server.port, user: "ops", os: "linux", key_file, host_key: host.publicKey };
  return {
    log,
    unknown,
    isSolved: () => incident.isSolved(ran),
    entries: Object.fromEntries(
      incidents.flatMap(({ servers }) =>
        Object.entries(servers).map(([name, description]) => [name, { ...entry, description }]),
      ),
    ),
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A high risk is not approved within five seconds of its card (SR-57). */
const readingMs = 6_000;
const approvers = ["lee", "mona"] as const;

/** Two people who approve what the cards ask for, in their words: what is of high risk by itself, each of them. */
function createPeople(thread: Thread) {
  const high = new Map<string, { readonly at: number; readonly by: string[] }>();
  let approvals = 0;
  const approve = async (login: string, line: string): Promise<void> => {
    approvals += 1;
    await thread.say(login, `/approve ${line}`);
  };
  const approveHigh = async (number: string, place: string): Promise<void> => {
    const card = high.get(number);
    const who = approvers.find((login) => !card?.by.includes(login));
    if (!card || !who) throw new Error(`${number} still waits after everybody has approved it`);
    await sleep(Math.max(0, card.at + readingMs - performance.now()));
    card.by.push(who);
    await approve(who, `${number} ${place} the outputs above ask for it`);
  };
  return {
    approvals: () => approvals,
    /** Says the next comment; false where no card asks for one. */
    next: async (): Promise<boolean> => {
      const cards = (await thread.comments()).filter(
        ({ login, body }) => login.endsWith("[bot]") && !/Board of/.test(body),
      );
      const asked = cards.flatMap(({ body }) =>
        [...body.matchAll(/^`\/approve ([^`]+)`/gm)].map(([, line = ""]) => line),
      );
      const careful = asked.flatMap((line) =>
        [...line.matchAll(/^(\d+) (\S+) <why>$/g)].map(([, n = "", on = ""]) => [n, on] as const),
      );
      const numbers = new Set(asked.filter((line) => /^[\d ]+$/.test(line)).flatMap((line) => line.split(" ")));
      // Told once that a read has stopped the rest, one says --keep-going for what only reads.
      const all = cards.map(({ body }) => body).join("\n");
      const stopped = [...all.matchAll(/Open again, without approvals: ([\d, ]+)/g)].flatMap(([, list = ""]) =>
        list.split(", "),
      );
      const reads = new Set([...all.matchAll(/\*\*(\d+)\*\* · 🟢 low/gu)].map(([, number = ""]) => number));
      const goesOn = [...numbers].every((number) => reads.has(number)) && stopped.some((number) => numbers.has(number));
      // What was left when the others were decided comes first: its check has shown by now that it waits.
      const left = careful.find(([number]) => high.has(number));
      for (const [number] of careful) if (!high.has(number)) high.set(number, { at: performance.now(), by: [] });
      const [one] = careful;
      if (left) await approveHigh(...left);
      else if (numbers.size > 0) {
        const list = [...numbers].toSorted((a, b) => Number(a) - Number(b)).join(" ");
        await approve("lee", goesOn ? `${list} --keep-going` : list);
      } else if (one) await approveHigh(...one);
      return left !== undefined || numbers.size > 0 || one !== undefined;
    },
  };
}

const mostComments = 30;

/** Plays an incident from its opening to its `/close`. Throws, with the issue as it reads, where it does not end solved. */
export async function play(incident: Incident): Promise<Played> {
  const started = performance.now();
  const machines = await startMachines(incident);
  const model = await startFakeModel();
  const answers: { readonly text: string; readonly toolCalls?: unknown; readonly tokens: number }[] = [];
  const answer = engineer(incident);
  model.play(
    ...Array.from({ length: 100 }, () => (asked: Parameters<typeof answer>[0]) => {
      const told = answer(asked);
      const tokens = tokensIn(told.text, told.toolCalls);
      answers.push({ ...told, tokens });
      return { ...told, usage: { prompt_tokens: promptTokens(asked), completion_tokens: tokens } };
    }),
  );
  const playground = await startPlayground({
    servers: machines.entries,
    files: {
      ...repositoryFiles,
      ...Object.fromEntries(incidents.map(({ skill }) => [`.github/skills/${skill.name}/SKILL.md`, skill.text])),
    },
    configure: (config) => {
      config.model = { endpoints: [{ url: model.url, model: "engineer", api_key_env: "TEST_MODEL_KEY" }] };
    },
  });
  const { open, quiet, log, github } = playground;
  try {
    const thread = await open({ title: incident.title, body: incident.body });
    const people = createPeople(thread);
    await quiet();
    for (let comments = 0; comments < mostComments && (await people.next()); comments++) await quiet();
    const requests = [...model.requests];
    const turns = log.filter(({ event, helper }) => event === "turn_start" && helper !== true).length;
    const runs = machines.log.length;
    await thread.say("lee", `/close ${incident.cause}`);
    await quiet();
    const { body: issue } = await github.as("mona")("GET", `/repos/${repo}/issues/${thread.number}`);
    const isClosed = (issue as { readonly state?: string }).state === "closed";
    const isSaid = answers.slice(0, requests.length).at(-1)?.toolCalls === undefined;
    const issueText = (await thread.comments()).map(({ login, body }) => `--- ${login}\n${body}`).join("\n\n");
    if (!isClosed || !isSaid || !machines.isSolved() || machines.unknown.length > 0)
      throw new Error(
        `${incident.name} did not end solved; unknown to the machines: ${JSON.stringify(machines.unknown)}; the issue reads:\n${issueText}`,
      );
    const closing = model.requests.slice(requests.length);
    const spent = answers.map(({ tokens }) => tokens);
    const figures = {
      incident: incident.name,
      turns,
      requests: requests.length,
      promptTokens: sum(requests.map(({ body }) => promptTokens(body))),
      completionTokens: sum(spent.slice(0, requests.length)),
      approvals: people.approvals(),
      runs,
      seconds: (performance.now() - started) / 1_000,
      closingTokens: sum(closing.map(({ body }) => promptTokens(body))) + sum(spent.slice(requests.length)),
    };
    return { figures, issue: issueText };
  } finally {
    await playground.close();
    await model.close();
    await machines.close();
  }
}

const promptTokens = ({ messages, tools }: Parameters<ReturnType<typeof engineer>>[0]): number =>
  tokensIn(...messages.flatMap(({ content, ...rest }) => [content, rest]), tools);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
