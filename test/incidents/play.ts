import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withJobs } from "../../demo/sandbox/jobs.ts";
import { createKeys, startSshServer } from "../../demo/sandbox/ssh-server.ts";
import { unwrap } from "../../demo/sandbox/wrapper.ts";
import { actionsOf } from "../../src/store/actions.ts";
import { leaseOf } from "../../src/store/leases.ts";
import { runsOf } from "../../src/store/runs.ts";
import { startFakeModel } from "../agent/fake-model.ts";
import { endpointsOf, repo, startPlayground } from "../harness/playground.ts";
import { incidentIdOf } from "../harness/stage.ts";
import { runsNotAllowed, type Said } from "./allowed.ts";
import { engineer, type Incident } from "./engineer.ts";
import { incidents } from "./incidents.ts";
import { createPeople } from "./people.ts";

/** What an incident took until its `/close`; what closing it asked of the model stands apart. */
export interface Figures {
  readonly incident: string;
  readonly turns: number;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Comments of people that approve. */
  readonly approvals: number;
  /** And those that give a lease. */
  readonly leases: number;
  /** Commands that the machines were given. */
  readonly runs: number;
  readonly seconds: number;
  readonly closingTokens: number;
  /** Until a machine first showed what the change is for: approving comments and turns, and seconds. */
  readonly approvalsToFact: number;
  readonly turnsToFact: number;
  readonly secondsToFact: number;
}

interface Played {
  readonly figures: Figures;
  /** The issue as it reads at the end. */
  readonly issue: string;
  /** What the machines were given, in order. */
  readonly commands: readonly string[];
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
async function startMachines(incident: Incident, showed: (output: string) => void) {
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
      showed(out);
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

const mostComments = 30;

/** What an output must show before anybody would change something. */
const decidingFact = ({ steps }: Incident): string | undefined => steps.find((step) => "change" in step)?.after;

/**
 * Plays an incident from its opening to its `/close`, `leased`: with a lease given as soon as it is open. Throws, with the issue as it
 * reads, where it does not end solved, or something ran that no person had allowed.
 */
export async function play(incident: Incident, { leased = false } = {}): Promise<Played> {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1_000;
  let shown: { readonly at: Date; readonly turns: number; readonly seconds: number } | undefined;
  const fact = decidingFact(incident);
  const machines = await startMachines(incident, (output) => {
    if (fact !== undefined && output.includes(fact))
      shown ??= { at: new Date(), turns: turnsSoFar(), seconds: seconds() };
  });
  const model = await startFakeModel();
  const answers: { readonly text: string; readonly tokens: number }[] = [];
  const answer = engineer(incident);
  model.play(
    ...Array.from({ length: 100 }, () => (asked: Parameters<typeof answer>[0]) => {
      const told = answer(asked);
      const tokens = tokensIn(told.text, told.toolCalls);
      // No two calls of a session bear the same id.
      const toolCalls = told.toolCalls?.map((call) => ({ ...call, id: `${call.name}-${answers.length}` }));
      answers.push({ text: told.text, tokens });
      return {
        ...told,
        ...(toolCalls && { toolCalls }),
        usage: { prompt_tokens: promptTokens(asked), completion_tokens: tokens },
      };
    }),
  );
  const servers = Object.keys(incident.servers);
  const playground = await startPlayground({
    servers: machines.entries,
    files: {
      ...repositoryFiles,
      ...Object.fromEntries(incidents.map(({ skill }) => [`.github/skills/${skill.name}/SKILL.md`, skill.text])),
    },
    config: {
      model: { endpoints: endpointsOf(model, { model: "engineer" }) },
      policy: leased ? { lease: { allowed: true, servers } } : {},
    },
  });
  const { open, quiet, log, github, bot } = playground;
  const turnsSoFar = () => log.filter(({ event, helper }) => event === "turn_start" && helper !== true).length;
  try {
    const thread = await open({ title: incident.title, body: incident.body });
    const people = createPeople(thread);
    await quiet();
    if (leased) await people.lease(servers).then(quiet);
    const isOver = () => answers.at(-1)?.text.includes("`/close ") ?? false;
    for (let comments = 0; comments < mostComments; comments++) {
      if (await people.approve()) await quiet();
      else if (isOver()) break;
      else await people.ask().then(quiet);
    }
    const isSaid = isOver();
    const requests = [...model.requests];
    const turns = turnsSoFar();
    const runs = machines.log.length;
    await thread.say("lee", `/close ${incident.cause}`);
    await quiet();
    const { body: issue } = await github.as("mona")("GET", `/repos/${repo}/issues/${thread.number}`);
    const isClosed = (issue as { readonly state?: string }).state === "closed";
    const issueText = (await thread.comments()).map(({ login, body }) => `--- ${login}\n${body}`).join("\n\n");
    if (!isClosed || !isSaid || !machines.isSolved() || machines.unknown.length > 0)
      throw new Error(
        `${incident.name} did not end solved; unknown to the machines: ${JSON.stringify(machines.unknown)}; the issue reads:\n${issueText}`,
      );
    const { db } = bot.deps.store;
    const id = await incidentIdOf(db, thread.number);
    const notAllowed = runsNotAllowed({ actions: await actionsOf(db, id), runs: await runsOf(db, id) }, people.said());
    const isLeased = (await leaseOf(db, id)) !== undefined;
    if (notAllowed.length > 0 || isLeased !== leased || !shown)
      throw new Error(
        `${incident.name}: not allowed: ${notAllowed.join("; ") || "none"}; leased: ${isLeased}; fact: ${fact}`,
      );
    const closing = model.requests.slice(requests.length);
    const spent = answers.map(({ tokens }) => tokens);
    const figures = {
      incident: incident.name,
      turns,
      requests: requests.length,
      promptTokens: sum(requests.map(({ body }) => promptTokens(body))),
      completionTokens: sum(spent.slice(0, requests.length)),
      approvals: approvalsIn(people.said()),
      leases: people.said().length - approvalsIn(people.said()),
      runs,
      seconds: seconds(),
      closingTokens: sum(closing.map(({ body }) => promptTokens(body))) + sum(spent.slice(requests.length)),
      approvalsToFact: approvalsIn(people.said().filter(({ at }) => at <= (shown?.at ?? at))),
      turnsToFact: shown.turns,
      secondsToFact: shown.seconds,
    };
    return { figures, issue: issueText, commands: machines.log };
  } finally {
    await playground.close();
    await model.close();
    await machines.close();
  }
}

const promptTokens = ({ messages, tools }: Parameters<ReturnType<typeof engineer>>[0]): number =>
  tokensIn(...messages.flatMap(({ content, ...rest }) => [content, rest]), tools);

const approvalsIn = (said: readonly Said[]): number => said.filter(({ body }) => body.startsWith("/approve")).length;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
