import { createHash } from "node:crypto";
import { newId } from "../ids.ts";

/** What the inbox takes: a verified webhook, an alert, or an agent's proposal. */
export interface Arrival {
  /** GitHub's delivery GUID; a redelivery has the same. */
  readonly guid: string;
  /** Deliveries of one line are served one after another: an issue's, its stops', or without an issue a repository's. */
  readonly line: string;
  readonly event: string;
  readonly action: string | null;
  /** Equal for two deliveries of the same thing under different GUIDs. */
  readonly semanticKey: string | null;
  /** The body as received. */
  readonly payload: string;
}

export interface Webhook {
  readonly arrival: Arrival;
  /**
   * The App whose own change of its own comment this reports: nothing follows for that App, and these are half of all deliveries.
   * Undefined if somebody else changed its comment, and for what a person does through an App.
   */
  readonly echoOf: number | undefined;
}

/** Reads a webhook's JSON body (RR-02, SR-68, F-02); `undefined` if it is not a JSON object. */
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
  const action = wordIn(body.action);
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

/** What the inbox needs of a webhook; `undefined` if it is not one. */
export const arrivalOf = (event: string, guid: string, rawBody: string): Arrival | undefined =>
  readWebhook(event, guid, rawBody)?.arrival;

/** Whose a line is: its repository's, by id, or without a repository its installation's. */
export const shareOf = (line: string): string => line.split(":", 2)[1] ?? "";

/**
 * A comment that may hold a `/hold` does not wait for earlier comments on the issue: not for slow work, and not for a delivery that
 * fails and is retried. The feature reads whether it is one; if it is not, it is only served out of turn.
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
 * For a comment's beginning and end, and an issue's end: an App's webhook and a repository's carry the same under two GUIDs, and
 * polling reads what a webhook reports. An edit has no key (two with the same text can share their second); serving one twice does no
 * harm.
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

/** A word or a time; nothing that a column of text could not hold. */
const wordIn = (value: unknown): string | null =>
  typeof value === "string" && /^[\w:.+-]{1,64}$/.test(value) ? value : null;

function numberOf(value: unknown, field: string): number | undefined {
  const found = fieldsOf(value)[field];
  return typeof found === "number" ? found : undefined;
}

const idOf = (value: unknown): number | undefined => numberOf(value, "id");

/** The event of an alert's delivery. No webhook's event has a colon, so GitHub cannot send one. */
export const alertEvent = "countersign:alert" as const;

/** The key of a group of alerts: any name that its source has for it, in one length. */
export const alertKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/**
 * An alert as an arrival: messages about one group are served one after another, and each source has its share. If its source names the
 * event, it is taken once. No webhook's GUID has a colon.
 */
export function alertArrival(
  source: string,
  alert: { readonly key: string; readonly state: string; readonly eventId: string | null },
) {
  const id = alert.eventId === null ? newId() : alertKey(alert.eventId);
  return {
    guid: `alert:${source}:${id}`,
    line: `alert:${source}:${alertKey(alert.key)}`,
    event: alertEvent,
    action: alert.state,
    semanticKey: null,
    payload: JSON.stringify({ source, alert }),
  } satisfies Arrival;
}

/** The event of an agent's proposal. No webhook's event has a colon. */
export const agentEvent = "countersign:proposal" as const;

/** A proposal as an arrival: those of one agent are served one after another. No webhook's GUID has a colon. */
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
