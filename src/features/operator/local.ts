import { existsSync } from "node:fs";
import * as z from "zod";
import own from "../../../package.json" with { type: "json" };
import { placeOfRun } from "../../base/action.ts";
import { OperatorError } from "../../base/errors.ts";
import { endingWords } from "../../github/render/ending.ts";
import { actionsOf } from "../../store/actions.ts";
import { verifyAudit } from "../../store/audit/chain.ts";
import { contradiction } from "../../store/audit/checkpoint.ts";
import { auditFormats, exportAudit } from "../../store/audit/export.ts";
import { exportStore } from "../../store/database/dump.ts";
import type { Db } from "../../store/database/open.ts";
import { findIncidents, type Incident, sessionOf, valuesOf } from "../../store/incidents.ts";
import { outputOf, outputParts } from "../../store/outputs.ts";
import { addEnrolment, passkeysOf } from "../../store/passkeys.ts";
import { closedIncidents } from "../../store/past-incidents.ts";
import { alertEvent, createInbox } from "../../store/queue/arrival.ts";
import { type Run, runsOf } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { helpedIn } from "../incident/cause.ts";
import { haltFileOf, readHaltFile, readHaltTable } from "../incident/halt.ts";
import { fingerprintOf, keyLines, keyNamed, revokeKey } from "../passkey/passkey.ts";
import type { IncidentRecord } from "../replay/outcome.ts";

const place = { number: z.int().positive(), repo: z.string().optional() };

/** The operator's request on the machine (docs/operating.md); works while the bot runs or GitHub is down (RR-11, SR-64, SR-66). */
export const askSchema = z.discriminatedUnion("ask", [
  z.strictObject({ ask: z.literal("list") }),
  z.strictObject({ ask: z.literal("show"), ...place }),
  z.strictObject({ ask: z.literal("output"), ...place, action: z.int().positive() }),
  z.strictObject({ ask: z.literal("export"), to: z.string() }),
  z.strictObject({ ask: z.literal("incidents"), repo: z.string(), since: z.iso.datetime().optional() }),
  z.strictObject({ ask: z.literal("backup"), to: z.string() }),
  z.strictObject({
    ask: z.literal("alert"),
    arrival: z.strictObject({
      guid: z.string(),
      line: z.string(),
      event: z.literal(alertEvent),
      action: z.string().nullable(),
      semanticKey: z.null(),
      payload: z.string(),
    }),
  }),
  z.strictObject({
    ask: z.literal("keys"),
    /** Without `add` and `revoke`, all keys are listed. */
    add: z.strictObject({ id: z.int().positive(), login: z.string(), origin: z.string() }).optional(),
    revoke: z.string().optional(),
  }),
  z.strictObject({
    ask: z.literal("verify"),
    checkpoint: z.strictObject({ size: z.int(), head: z.string() }).optional(),
  }),
  z.strictObject({
    ask: z.literal("audit"),
    format: z.enum(auditFormats),
    repo: z.string().optional(),
    issue: z.int().positive().optional(),
    since: z.iso.datetime().optional(),
    until: z.iso.datetime().optional(),
  }),
]);
export type Ask = z.output<typeof askSchema>;

type LocalDeps = Pick<Deps, "store" | "now"> & { readonly config: { readonly store: { readonly url: string } } };

/** Answers in pieces of text, from the store alone. Throws an `OperatorError` for what is not there. */
export async function* answerAsk(deps: LocalDeps, ask: Ask): AsyncGenerator<string> {
  switch (ask.ask) {
    case "list":
      return yield* list(deps);
    case "show":
      return yield* show(deps, await incidentAt(deps, ask));
    case "output":
      return yield* output(deps, await incidentAt(deps, ask), ask.action);
    case "export":
      return yield* exportTo(deps, ask.to);
    case "incidents":
      return yield* incidentLines(deps.store.db, {
        repo: ask.repo,
        since: ask.since ? new Date(ask.since) : undefined,
      });
    case "backup":
      if (deps.store.copyTo === undefined) return yield* exportTo(deps, ask.to);
      refuseTaken(ask.to);
      await deps.store.copyTo(ask.to);
      return yield `${ask.to} is a copy of the whole store: to restore it, stop the bot and put it in the place of its folder\n`;
    case "alert":
      return yield `${await createInbox(deps.store).receive(ask.arrival)}\n`;
    case "keys":
      return yield* await deps.store.transaction(async (tx) => {
        const { add, revoke } = ask;
        const now = deps.now();
        if (add) {
          const endsAt = new Date(now.getTime() + operatorLinkMs);
          const id = await addEnrolment(tx, { person: { id: add.id, login: add.login }, trusted: true, endsAt });
          return [
            `${add.origin}/k/${id}\nfor @${add.login} alone, once, until ${endsAt.toISOString()}: whoever opens it adds their key\n`,
          ];
        }
        if (revoke === undefined) {
          const lines = keyLines(await passkeysOf(tx)).map((line) => `${line}\n`);
          return lines.length > 0 ? lines : ["there is no passkey yet\n"];
        }
        const key = await keyNamed(tx, revoke);
        if (!key) throw unknown(`there is no passkey ${revoke}`, "`keys list` names them all");
        await revokeKey(tx, key, { at: now });
        return [`${fingerprintOf(key)} of @${key.login} is revoked\n`];
      });
    case "verify": {
      const { db } = deps.store;
      const verified = await verifyAudit(db);
      const fault = ask.checkpoint && (await contradiction(db, ask.checkpoint));
      const faults = fault === undefined ? [] : [fault];
      const verdict: z.output<typeof verdictSchema> = verified.ok
        ? { rows: verified.rows, head: verified.head, faults }
        : { rows: verified.seq - 1, head: "", faults: [`row ${verified.seq}: ${verified.reason}`, ...faults] };
      return yield JSON.stringify(verdict);
    }
    case "audit": {
      const { ask: _, since, until, ...filter } = ask;
      const times = { since: since ? new Date(since) : undefined, until: until ? new Date(until) : undefined };
      return yield* exportAudit(deps.store.db, { ...filter, ...times, version: own.version });
    }
  }
}

/** A line for each closed incident, oldest first, unredacted: the caller must redact. */
async function* incidentLines(
  db: Db,
  which: { readonly repo: string; readonly since?: Date | undefined },
): AsyncGenerator<string> {
  for await (const incidents of closedIncidents(db, which))
    for (const { id, number, title, body } of incidents) {
      const past = { actions: await actionsOf(db, id), runs: await runsOf(db, id) };
      const helped = helpedIn(past).map(({ spec }) => spec.command);
      const record: IncidentRecord = { number, title, body, values: [...(await valuesOf(db, id))], helped };
      yield `${JSON.stringify(record)}\n`;
    }
}

/** The link must reach its person first. */
const operatorLinkMs = 10 * 60_000;

async function* list({ store }: LocalDeps): AsyncGenerator<string> {
  const incidents = await findIncidents(store.db);
  if (incidents.length === 0) yield "there is no incident yet\n";
  for (const incident of incidents) yield `${await lineOf({ store }, incident)}\n`;
}

async function lineOf({ store }: Pick<LocalDeps, "store">, incident: Incident): Promise<string> {
  const { repo, number, state, title, createdAt } = incident;
  const actions = await actionsOf(store.db, incident.id);
  const open = actions.filter(
    (action) => !["done", "void", "expired", "rejected", "superseded"].includes(action.state),
  );
  const waits = open.map((action) => `${action.number} ${action.state}`).join(", ");
  return `${createdAt.toISOString()}  ${state.padEnd(6)}  ${repo}#${number}  ${plain(title)}${waits && `  (${waits})`}`;
}

async function* show({ store }: LocalDeps, incident: Incident): AsyncGenerator<string> {
  const session = await sessionOf(store.db, incident.id);
  yield `${await lineOf({ store }, incident)}\n`;
  yield `opened by @${incident.openerLogin}, step ${session.steps} of ${session.stepLimit}, session ${session.id}\n`;
  const runs = Map.groupBy(await runsOf(store.db, incident.id), ({ actionId }) => actionId);
  for (const action of await actionsOf(store.db, incident.id)) {
    const { number, spec, state, stateReason } = action;
    yield `\n${number}  ${state}  ${spec.risk}  ${plain(spec.place)}${stateReason ? `  ${plain(stateReason)}` : ""}\n`;
    yield indented(spec.command);
    for (const run of runs.get(action.id) ?? []) yield `    → ${placeOfRun(run)}: ${wordsOf(run)}\n`;
  }
}

async function* output({ store }: LocalDeps, incident: Incident, number: number): AsyncGenerator<string> {
  const action = (await actionsOf(store.db, incident.id)).find((candidate) => candidate.number === number);
  const at = `${incident.repo}#${incident.number}`;
  if (!action) throw unknown(`${at} has no action ${number}`, `\`incident show ${incident.number}\` lists them`);
  const runs = (await runsOf(store.db, incident.id)).filter(({ actionId }) => actionId === action.id);
  if (runs.length === 0) throw unknown(`${number} of ${at} was never run; it is ${action.state}`);
  for (const run of runs) {
    yield `── ${number} on ${placeOfRun(run)}: ${wordsOf(run)}\n`;
    const kept = await outputOf(store.db, run.id);
    if (!kept) yield run.soFar ?? "(nothing is stored of its output)\n";
    else if (kept.withheld !== null) yield `(withheld: ${kept.withheld})\n`;
    else for await (const part of outputParts(store.db, run.id)) yield part;
  }
}

async function* exportTo({ store, config, now }: LocalDeps, file: string): AsyncGenerator<string> {
  refuseTaken(file);
  const switchFile = haltFileOf(config.store.url);
  const state = switchFile === undefined ? await readHaltTable(store.db) : await readHaltFile(switchFile);
  if (state.kind === "unreadable") throw unknown(`the kill switch cannot be read: ${state.reason}`);
  const rows = await exportStore(store, file, { beside: { halt: state.entries }, now: now() });
  yield `${file} has the whole store, ${rows.toLocaleString("en-US")} rows; \`store import\` takes it into an empty one\n`;
}

export const verdictSchema = z.object({ rows: z.int(), head: z.string(), faults: z.array(z.string()) });

function refuseTaken(path: string): void {
  if (existsSync(path)) throw unknown(`${path} is there already`, "name a place where nothing is");
}

async function incidentAt({ store }: LocalDeps, at: { readonly number: number; readonly repo?: string | undefined }) {
  const found = (await findIncidents(store.db, at.number)).filter(
    ({ repo }) => at.repo === undefined || repo.toLowerCase() === at.repo.toLowerCase(),
  );
  const [only] = found;
  if (only && found.length === 1) return only;
  if (!only) throw unknown(`no incident ${at.repo ?? ""}#${at.number} is known`, "`incident list` names them all");
  throw unknown(`several incidents are number ${at.number}`, `--repo ${found.map(({ repo }) => repo).join(" or ")}`);
}

const unknown = (message: string, remedy?: string): OperatorError =>
  new OperatorError([{ place: "store", message, ...(remedy === undefined ? {} : { remedy }) }]);

function wordsOf({ ending, outcome, trouble, startedAt, durationMs }: Run): string {
  if (ending === null) return startedAt === null ? "waits for its turn" : `running since ${startedAt.toISOString()}`;
  return `${endingWords(ending, outcome, trouble === null ? undefined : plain(trouble))}${durationMs === null ? "" : `, ${(durationMs / 1_000).toFixed(1)} s`}`;
}

/** Without control characters for the terminal. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, " ");

const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => `    ${plain(line)}\n`)
    .join("");
