/** A verified webhook call, as the inbox takes it. */
export interface Arrival {
  /** GitHub's delivery GUID; a redelivery has the same. */
  readonly guid: string;
  /** What is served one delivery after another: an issue's, its stops', or where there is no issue a repository's. */
  readonly line: string;
  readonly event: string;
  readonly action: string | null;
  /** Equal for two deliveries of one and the same thing, whatever their GUIDs (RR-02). */
  readonly semanticKey: string | null;
  /** The body as received. */
  readonly payload: string;
}

export interface Webhook {
  readonly arrival: Arrival;
  /**
   * The App that has itself done with a comment of its own what this tells; nothing follows of that for the App, and it is half of all
   * deliveries. Another one's change of its comment is none, and neither is what a person does by way of an App.
   */
  readonly echoOf: number | undefined;
}

/** Reads a webhook's JSON body; `undefined` where it is no JSON object. */
export function readWebhook(event: string, guid: string, rawBody: string): Webhook | undefined {
  const body = parseObject(rawBody);
  if (!body) return undefined;
  const action = wordIn(body.action);
  const arrival = {
    guid,
    line: lineOf(body, action),
    event,
    action,
    semanticKey: semanticKeyOf(event, action, body),
    payload: rawBody,
  };
  return { arrival, echoOf: event === "issue_comment" ? echoOf(body) : undefined };
}

/** Of a webhook what the inbox needs; `undefined` where it is none. */
export const arrivalOf = (event: string, guid: string, rawBody: string): Arrival | undefined =>
  readWebhook(event, guid, rawBody)?.arrival;

function echoOf({ comment, sender }: Fields): number | undefined {
  const { user, performed_via_github_app: app } = fieldsOf(comment);
  const author = fieldsOf(user);
  const isOwn = author.type === "Bot" && author.id !== undefined && author.id === fieldsOf(sender).id;
  return isOwn ? idOf(app) : undefined;
}

/** Whose a line is: its repository's, by id, or where there is none its installation's. */
export const shareOf = (line: string): string => line.split(":", 2)[1] ?? "";

/**
 * What may hold a `/hold` waits for nothing that was said on the issue before it: not for slow work, and not for a delivery that
 * fails and is tried again (SR-68). Whether it is one, the feature reads; one that is not is only served out of turn.
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
 * Of a comment's beginning and end, and of an issue's end: an App's webhook and a repository's carry the same under two GUIDs (F-02), and
 * polling reads what a webhook tells. An edit has no name of its own (two of the same text can share their second), and serving one twice
 * does no harm.
 */
function semanticKeyOf(event: string, action: string | null, body: Fields): string | null {
  const [comment, repository, issue] = [idOf(body.comment), idOf(body.repository), numberOf(body.issue, "number")];
  if (event === "issue_comment" && comment !== undefined)
    return action === "created" || action === "deleted" ? `issue_comment:${action}:${comment}` : null;
  const isGone = event === "issues" && (action === "deleted" || action === "transferred");
  return isGone && repository !== undefined && issue !== undefined ? `issues:gone:${repository}:${issue}` : null;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

/** A word or a time; nothing that a column of text could not hold. */
const wordIn = (value: unknown): string | null =>
  typeof value === "string" && /^[\w:.+-]{1,64}$/.test(value) ? value : null;

function numberOf(value: unknown, field: string): number | undefined {
  const found = fieldsOf(value)[field];
  return typeof found === "number" ? found : undefined;
}

const idOf = (value: unknown): number | undefined => numberOf(value, "id");

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
