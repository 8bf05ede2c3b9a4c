import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { reached } from "../../base/crash-point.ts";
import { isRecord } from "../../base/json.ts";
import { beforeCommit, countOf } from "../database/commit.ts";
import type { Db, Tx } from "../database/connection.ts";
import type { Store } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import { newId } from "../ids.ts";
import { waitingBy } from "./table.ts";

export interface Arrival {
  /** GitHub's delivery GUID, which a redelivery shares. */
  readonly guid: string;
  /** Deliveries of a line are served one after another: an issue's, its stops', or a repository's. */
  readonly line: string;
  readonly event: string;
  readonly action: string | null;
  /** Equal for the same thing under different GUIDs. */
  readonly semanticKey: string | null;
  /** As received. */
  readonly payload: string;
}

interface Webhook {
  readonly arrival: Arrival;
  /**
   * The App that changed its own comment, so that it need not act: half of all deliveries. Undefined for changes by others, and by a person
   * through an App.
   */
  readonly echoOf: number | undefined;
}

/** Returns undefined if the body is no JSON object (SR-68, F-02). */
export function readWebhook(event: string, guid: string, rawBody: string): Webhook | undefined {
  let body: Fields;
  try {
    const value: unknown = JSON.parse(rawBody);
    if (!isFields(value)) return undefined;
    body = value;
  } catch {
    return undefined;
  }
  const { comment, sender } = body;
  // Fits a text column.
  const action = typeof body.action === "string" && /^[\w:.+-]{1,64}$/.test(body.action) ? body.action : null;
  const arrival = {
    guid,
    line: lineOf(body, action),
    event,
    action,
    semanticKey: semanticKeyOf(event, action, body),
    payload: rawBody,
  };
  const { user, performed_via_github_app: app } = fieldsOf(comment);
  const author = fieldsOf(user);
  const isOwn = author.type === "Bot" && author.id !== undefined && author.id === fieldsOf(sender).id;
  return { arrival, echoOf: event === "issue_comment" && isOwn ? idOf(app) : undefined };
}

export const arrivalOf = (event: string, guid: string, rawBody: string): Arrival | undefined =>
  readWebhook(event, guid, rawBody)?.arrival;

/** A repository's id, or else an installation's. */
export const shareOf = (line: string): string => line.split(":", 2)[1] ?? "";

/**
 * Such a comment may hold a `/hold`, which waits neither for slow work on the issue nor for a failing delivery. If it holds none, it is
 * served out of turn.
 */
const mayStop = /^[ \t]*\/(?:[\w-]+[ \t]+\/?)?(?:hold|stop)\b/im;

function lineOf(body: Fields, action: string | null): string {
  const repository = idOf(body.repository);
  const issue = numberOf(body.issue, "number");
  const text = fieldsOf(body.comment).body;
  if (repository !== undefined && issue !== undefined && action === "created" && typeof text === "string") {
    if (mayStop.test(text)) return `stop:${repository}:${issue}`;
  }
  if (repository !== undefined && issue !== undefined) return `issue:${repository}:${issue}`;
  if (repository !== undefined) return `repo:${repository}`;
  return `installation:${idOf(body.installation) ?? 0}`;
}

/**
 * An App's webhook, a repository's and polling bring the same under different GUIDs. Edits have no key: two of equal text can share a
 * second, and serving one twice does no harm.
 */
function semanticKeyOf(event: string, action: string | null, body: Fields): string | null {
  const [comment, repository, issue] = [idOf(body.comment), idOf(body.repository), numberOf(body.issue, "number")];
  if (event === "issue_comment" && comment !== undefined)
    return action === "created" || action === "deleted" ? `issue_comment:${action}:${comment}` : null;
  const isGone = event === "issues" && (action === "deleted" || action === "transferred");
  return isGone && repository !== undefined && issue !== undefined ? `issues:gone:${repository}:${issue}` : null;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

function numberOf(value: unknown, field: string): number | undefined {
  const found = fieldsOf(value)[field];
  return typeof found === "number" ? found : undefined;
}

const idOf = (value: unknown): number | undefined => numberOf(value, "id");

/** No webhook event has a colon, so GitHub cannot send this one. */
export const alertEvent = "countersign:alert" as const;

/** Any name, in one length. */
export const alertKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/**
 * A group's messages are served one after another; an event id makes it idempotent, for each state: some
 * sources give a firing alert and its end one id. No webhook's GUID has a colon.
 */
export function alertArrival(
  source: string,
  alert: { readonly key: string; readonly state: string; readonly messageId: string | null },
) {
  const id = alert.messageId === null ? newId() : alertKey(alert.messageId);
  return {
    guid: `alert:${source}:${alert.state}:${id}`,
    line: `alert:${source}:${alertKey(alert.key)}`,
    event: alertEvent,
    action: alert.state,
    semanticKey: null,
    payload: JSON.stringify({ source, alert }),
  } satisfies Arrival;
}

export const agentEvent = "countersign:proposal" as const;

/** An agent's proposals are served one after another. */
export function agentArrival(agent: string, proposal: object): Arrival {
  const guid = `agent:${agent}:${newId()}`;
  return {
    guid,
    line: `agent:${agent}`,
    event: agentEvent,
    action: null,
    semanticKey: null,
    payload: JSON.stringify({ ...proposal, guid, agent }),
  };
}

/** A larger burst waits for the next transaction. */
const maxPerCommit = 200;

/** Unserved deliveries of a repository; beyond, the answer is 503, and GitHub keeps the delivery. */
const mostPerShare = 5_000;
/** Counting stays cheap, and a flood is seen. */
const countedForMs = 1_000;

export interface Inbox {
  /**
   * Resolves if delivery and job are durable, or known by GUID or semantic key. Throws and stores nothing if storing fails, or too much of
   * the repository waits.
   */
  readonly receive: (arrival: Arrival) => Promise<"stored" | "duplicate">;
}

interface WaitingArrival {
  readonly arrival: Arrival;
  readonly done: PromiseWithResolvers<"stored" | "duplicate">;
}

/** The durable inbox (RR-01, RR-02, SR-62), with group commit. */
export function createInbox({ db, queue }: Pick<Store, "db" | "queue">, most = mostPerShare): Inbox {
  let waiting: WaitingArrival[] = [];
  let committing = false;
  let fullShares: Promise<ReadonlyMap<string, number>> | undefined;

  const commitAll = async (): Promise<void> => {
    committing = true;
    while (waiting.length > 0) {
      // The embedded database would commit the first before the next is read.
      await new Promise((resolve) => setImmediate(resolve));
      const group = waiting.slice(0, maxPerCommit);
      waiting = waiting.slice(maxPerCommit);
      await commitGroup(group);
    }
    committing = false;
  };

  const commitGroup = async (group: readonly WaitingArrival[]): Promise<void> => {
    try {
      reached("CP01");
      const known = new Set<string>();
      const jobs = group
        .filter(({ arrival: { guid } }) => known.size < known.add(guid).size)
        .map(({ arrival: { guid, line } }) => ({ guid, line, share: shareOf(line) }));
      const { rows } = await sql<{ guid: string }>`
        with arrived as (${db
          .insertInto("delivery")
          .values(group.map(({ arrival }) => ({ ...arrival, outcome: null })))
          .onConflict((conflict) => conflict.doNothing())
          .returning("guid")}
        ), added as (
          insert into job (queue, key, share, data)
          select 'delivery', line, share, json_build_object('guid', guid) from rows from (
            jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as (guid text, line text, share text)
          ) with ordinality as job (guid, line, share, n) join arrived using (guid) order by n
        )
        select guid from arrived`.execute(db);
      if (rows.length > 0) queue.wake("delivery");
      const stored = new Set(rows.map(({ guid }) => guid));
      for (const { arrival, done } of group) done.resolve(stored.delete(arrival.guid) ? "stored" : "duplicate");
    } catch (error) {
      if (group.length === 1) group[0]?.done.reject(error);
      // An arrival that the database refuses must not fail the others.
      else for (const one of group) await commitGroup([one]);
    }
  };

  return {
    receive: async (arrival) => {
      fullShares ??= waitingBy(db, "delivery", most).finally(() => {
        setTimeout(() => {
          fullShares = undefined;
        }, countedForMs).unref();
      });
      if ((await fullShares).has(shareOf(arrival.line))) throw new Error("too much of this repository waits already");
      const done = Promise.withResolvers<"stored" | "duplicate">();
      waiting.push({ arrival, done });
      if (!committing) void commitAll();
      return done.promise;
    },
  };
}

type Delivery = Selectable<Tables["delivery"]>;

export async function findDelivery(db: Db, guid: string): Promise<Delivery | undefined> {
  return db.selectFrom("delivery").selectAll().where("guid", "=", guid).executeTakeFirst();
}

/** `payload` is the part that is kept. */
export const endDelivery = beforeCommit<{ readonly guid: string; readonly payload: string }>("deliveries", (all) => ({
  steps: all.map(
    ({ guid, payload }, index) => sql`${sql.raw(`delivery_${index}`)} as (
      update delivery set state = 'done', payload = ${payload} where guid = ${guid} returning guid)`,
  ),
  outcome: countOf("delivery", all),
}));

export async function setDeliveryOutcome(tx: Tx, guid: string, outcome: string): Promise<void> {
  await tx.updateTable("delivery").set({ outcome }).where("guid", "=", guid).execute();
}

/** Keeps the payload that `keep` returns; returns the delivery as it was. */
export async function quarantineDelivery(
  tx: Tx,
  guid: string,
  outcome: string,
  keep: (payload: string) => string,
): Promise<Delivery | undefined> {
  const delivery = await tx.selectFrom("delivery").selectAll().where("guid", "=", guid).forUpdate().executeTakeFirst();
  if (!delivery) return undefined;
  const change = { state: "quarantined", outcome, payload: keep(delivery.payload) } as const;
  await tx.updateTable("delivery").set(change).where("guid", "=", guid).execute();
  return delivery;
}

export async function arrivedGuids(db: Db, guids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("delivery").select("guid").where("guid", "in", guids).execute();
  return new Set(rows.map(({ guid }) => guid));
}

/** Those that have arrived. */
export async function broughtKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string | null>> {
  const rows = await db.selectFrom("delivery").select("semanticKey").where("semanticKey", "in", keys).execute();
  return new Set(rows.map(({ semanticKey }) => semanticKey));
}

/** Sent by GitHub itself, not read by polling. */
export async function sentAboutIssue(
  db: Db,
  line: string,
  event: string,
): Promise<readonly Pick<Delivery, "action" | "payload">[]> {
  return db
    .selectFrom("delivery")
    .select(["action", "payload"])
    .where("event", "=", event)
    .where("line", "=", line)
    .where("guid", "not like", "poll-%")
    .execute();
}

export async function isClosingHeard(db: Db, line: string): Promise<boolean> {
  const { rows } = await sql`
    select from delivery where event = 'issues' and action = 'closed' and line = ${line} limit 1`.execute(db);
  return rows.length > 0;
}

/** Ids of comments that arrived and whose deletion did not; `lines` are the issue's. */
export async function standingComments(db: Db, lines: readonly string[]): Promise<readonly number[]> {
  const { rows } = await sql<{ id: string }>`
    select split_part(semantic_key, ':', 3) as id from delivery
    where line = any (${lines}::text[]) and semantic_key like 'issue_comment:created:%' and not exists (
      select from delivery gone
      where gone.semantic_key = 'issue_comment:deleted:' || split_part(delivery.semantic_key, ':', 3))`.execute(db);
  return rows.map(({ id }) => Number(id));
}

/** As delivered; undefined if it is not kept. */
export async function broughtBody(db: Db, semanticKey: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("delivery")
    .select("payload")
    .where("semanticKey", "=", semanticKey)
    .executeTakeFirst();
  const payload: unknown = row ? JSON.parse(row.payload) : undefined;
  const comment = isRecord(payload) ? payload.comment : undefined;
  return isRecord(comment) && typeof comment.body === "string" ? comment.body : undefined;
}
