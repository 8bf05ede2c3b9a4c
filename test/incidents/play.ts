import { sleep } from "../../src/base/clock.ts";
import { actionsOf } from "../../src/store/actions.ts";
import { leaseOf } from "../../src/store/leases.ts";
import { runsOf } from "../../src/store/runs.ts";
import { startFakeModel } from "../agent/fake-model.ts";
import { endpointsOf, repo, startPlayground } from "../harness/playground.ts";
import { incidentIdOf } from "../harness/stage.ts";
import { runsNotAllowed, type Said } from "./allowed.ts";
import { type Asked, engineer, type Incident, type Told } from "./engineer.ts";
import { incidents } from "./incidents.ts";
import { startMachines } from "./machines.ts";
import { createPeople } from "./people.ts";

/** What an incident took until its `/close`; what closing it asked of the model stands apart. */
export interface Figures {
  readonly incident: string;
  readonly turns: number;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Comments of people that approve, and those of them that approve nothing but reads. */
  readonly approvals: number;
  readonly readApprovals: number;
  /** Comments that refuse or ask. */
  readonly otherComments: number;
  /** And those that give a lease. */
  readonly leases: number;
  /** Commands that the machines were given. */
  readonly runs: number;
  /** Those that the incident's table did not know. */
  readonly unknown: number;
  /** What the bot has written on the issue, its board included. */
  readonly botComments: number;
  readonly botWords: number;
  readonly seconds: number;
  readonly closingTokens: number;
  /** Until a machine first showed what the change is for: approving comments and turns, and seconds. */
  readonly approvalsToFact: number;
  readonly turnsToFact: number;
  readonly secondsToFact: number;
}

/** Who plays the model, and with which consent given in advance. */
export interface Ways {
  readonly leased?: boolean;
  /** The operator's file gives a lease with the incident. */
  readonly opening?: boolean;
  /** Somebody answers for the model: then people approve only what names its evidence, and nothing is asserted of how it ends. */
  readonly byHand?: (asked: Asked) => Promise<Told>;
}

interface Played {
  readonly figures: Figures;
  /** The issue as it reads at the end. */
  readonly issue: string;
  /** What the machines were given, in order. */
  readonly commands: readonly string[];
  readonly unknown: readonly string[];
  readonly isSolved: boolean;
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

const mostComments = 30;

/** What an output must show before anybody would change something. */
const decidingFact = ({ steps, fact }: Incident): string | undefined =>
  fact ?? steps.find((step) => "change" in step)?.after;

/**
 * Plays an incident from its opening to its `/close`, `leased`: with a lease given as soon as it is open. Throws, with the issue as it
 * reads, where it does not end solved, or something ran that no person had allowed.
 */
export async function play(
  incident: Incident,
  { leased = false, opening = false, byHand }: Ways = {},
): Promise<Played> {
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
  let isClosing = false;
  let waiting = 0;
  model.play(
    ...Array.from({ length: 100 }, () => async (asked: Asked) => {
      waiting++;
      const told = byHand && !isClosing ? await byHand(asked) : answer(asked);
      waiting--;
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
  const all = [...Object.keys(machines.entries), ...Object.keys(machines.sources)];
  const playground = await startPlayground({
    servers: machines.entries,
    files: {
      ...repositoryFiles,
      ...Object.fromEntries(incidents.map(({ skill }) => [`.github/skills/${skill.name}/SKILL.md`, skill.text])),
    },
    config: {
      model: {
        endpoints: endpointsOf(model, { model: "engineer" }),
        ...(byHand && { deadline: "3h", retry: { max_retries: 0 } }),
      },
      sources: machines.sources,
      policy: {
        ...(leased && { lease: { allowed: true, servers } }),
        ...(opening && { lease: { opening: { servers: all, max_time: "4h", max_commands: 40 } } }),
      },
    },
  });
  const { open, log, github, bot } = playground;
  /** A model that takes minutes leaves the rest of the bot idle. */
  const quiet = async (): Promise<void> => {
    do {
      await playground.quiet();
      if (waiting > 0) await sleep(100);
    } while (waiting > 0 || model.requests.length === 0);
  };
  const turnsSoFar = () => log.filter(({ event, helper }) => event === "turn_start" && helper !== true).length;
  try {
    const openedAt = new Date();
    const thread = await open({ title: incident.title, body: incident.body });
    const people = createPeople(thread, { isCareful: byHand !== undefined });
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
    const written = (await thread.comments()).filter(({ login }) => login.endsWith("[bot]"));
    isClosing = true;
    await thread.say("lee", `/close --anyway ${incident.cause}`);
    await quiet();
    const { body: issue } = await github.as("mona")("GET", `/repos/${repo}/issues/${thread.number}`);
    const isClosed = (issue as { readonly state?: string }).state === "closed";
    const issueText = (await thread.comments())
      .map(({ login, body }) => `--- ${login}, ${wordsIn(body)} words\n${body}`)
      .join("\n\n");
    const isSolved = isClosed && isSaid && machines.isSolved();
    if (!byHand && (!isSolved || machines.unknown.length > 0))
      throw new Error(
        `${incident.name} did not end solved; unknown to the machines: ${JSON.stringify(machines.unknown)}; the issue reads:\n${issueText}`,
      );
    const { db } = bot.deps.store;
    const id = await incidentIdOf(db, thread.number);
    const actions = await actionsOf(db, id);
    const notAllowed = runsNotAllowed({ actions, runs: await runsOf(db, id) }, [
      ...(opening ? [{ login: "", body: `/lease 240m ${all.join(",")} 40`, at: openedAt }] : []),
      ...people.said(),
    ]);
    const isLeased = (await leaseOf(db, id)) !== undefined;
    const never = machines.log.filter((command) => incident.never?.test(command));
    if (notAllowed.length > 0 || never.length > 0 || (!byHand && (isLeased !== leased || !shown)))
      throw new Error(
        `${incident.name}: not allowed: ${[...notAllowed, ...never].join("; ") || "none"}; leased: ${isLeased}; fact: ${fact}`,
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
      readApprovals: readApprovalsIn(people.said(), actions),
      otherComments: people.said().filter(({ body }) => !/^\/(?:approve|lease)/.test(body)).length,
      leases: people.said().filter(({ body }) => body.startsWith("/lease")).length,
      runs,
      unknown: machines.unknown.length,
      botComments: written.length,
      botWords: sum(written.map(({ body }) => wordsIn(body))),
      seconds: seconds(),
      closingTokens: sum(closing.map(({ body }) => promptTokens(body))) + sum(spent.slice(requests.length)),
      approvalsToFact: approvalsIn(people.said().filter(({ at }) => at <= (shown?.at ?? at))),
      turnsToFact: shown?.turns ?? Number.NaN,
      secondsToFact: shown?.seconds ?? Number.NaN,
    };
    return { figures, issue: issueText, commands: machines.log, unknown: machines.unknown, isSolved };
  } finally {
    await playground.close();
    await model.close();
    await machines.close();
  }
}

const promptTokens = ({ messages, tools }: Asked): number =>
  tokensIn(...messages.flatMap(({ content, ...rest }) => [content, rest]), tools);

const approvalsIn = (said: readonly Said[]): number => said.filter(({ body }) => body.startsWith("/approve")).length;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Of those, the ones that allow nothing but reads. */
const readApprovalsIn = (said: readonly Said[], actions: Parameters<typeof runsNotAllowed>[0]["actions"]): number =>
  said.filter(({ body }) => {
    const numbers = /^\/approve ((?:\d+ ?)+)/.exec(body)?.[1]?.trim().split(" ").map(Number) ?? [];
    const levels = numbers.flatMap((one) =>
      actions.filter(({ number }) => number === one).map(({ spec }) => spec.risk),
    );
    return numbers.length > 0 && levels.every((level) => level === "low");
  }).length;

/** Words that a reader sees; hidden marks are none. */
const wordsIn = (body: string): number =>
  body
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\s+/)
    .filter(Boolean).length;
