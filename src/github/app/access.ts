import { createSign } from "node:crypto";
import { Octokit } from "@octokit/rest";
import { messageOf, OperatorError, type Problem } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import type { Client } from "../client.ts";
import { statusOf, writeFailure } from "../outcome.ts";

/** Optional: they show a service's changes (`context.services`). */
export const changeRights = { pull_requests: "read", deployments: "read", actions: "read", contents: "read" } as const;

export const rightsToRead = { metadata: "read", contents: "read" } as const;
/** Each token is cut down to these (SR-09): a key to production needs no right to push code. */
const needed = { issues: "write", ...rightsToRead } as const;
/** Without them the App hears no incident and no command, or works by old files. */
const neededEvents = ["issues", "issue_comment", "push", "repository"] as const;

type AppAccess =
  | {
      readonly ok: true;
      readonly slug: string;
      readonly problems: readonly Problem[];
      /** Works, but is probably a mistake. */
      readonly warnings: readonly Problem[];
      /** Rights that the bot may not have. */
      readonly excess: readonly Problem[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Compares the App's rights and events with those that the bot needs (SR-08). Never throws: a refused key or a silent GitHub is a problem.
 */
export async function checkAppAccess(
  options: AppKey & {
    /** Polling needs no events. */
    readonly mode?: ListeningMode;
    /** Members are read only then; with `unknown` both are right. */
    readonly usesTeams: boolean | "unknown";
    /** Then the bot needs the rights that show their changes. */
    readonly usesServices: boolean | "unknown";
  },
): Promise<AppAccess> {
  try {
    const { data } = await asApp(options, 10_000).rest.apps.getAuthenticated();
    if (data === null || typeof data !== "object") {
      const message = `${hostOf(options.apiUrl)} answered with a page, not as GitHub's API`;
      return { ok: false, problems: [{ place: "github.api_url", message, remedy: notAnApi }] };
    }
    const { missing, excess, spare } = compare({ ...data.permissions }, options);
    const slug = data.slug ?? data.name;
    const warnings = [...spare, ...((await isPublic(options.apiUrl, slug)) ? [openToAll] : [])];
    return {
      ok: true,
      slug,
      problems: [...missing, ...excess, ...unheard(options.mode === "poll" ? neededEvents : data.events)],
      warnings,
      excess,
    };
  } catch (error) {
    return { ok: false, problems: [refusalProblem(options.apiUrl, error)] };
  }
}

/** GitHub shows only public Apps to strangers. Without an answer it counts as private. */
export const isPublic = (apiUrl: string, slug: string): Promise<boolean> =>
  createQuietOctokit({ apiUrl, timeoutMs: 10_000 })
    .rest.apps.getBySlug({ app_slug: slug })
    .then(
      () => true,
      () => false,
    );

const openToAll: Problem = {
  place: "the App's visibility",
  message: "the App is public: anybody may install it and send the bot webhooks, which it refuses one by one",
  remedy: "make it private on the App's settings page, under Advanced",
};

/** Members only if policy names teams. */
export const rightsFor = ({ usesTeams }: { readonly usesTeams: boolean }): Readonly<Record<string, string>> =>
  usesTeams ? { ...needed, members: "read" } : needed;

/** The missing rights, e.g. `issues: write`. */
export const missingRights = (
  has: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, string>>,
): readonly string[] =>
  Object.entries(wanted)
    .filter(([name, level]) => has[name] !== level && has[name] !== "write")
    .map(([name, level]) => `${name}: ${level}`);

export const missingEvents = (has: readonly string[]): readonly string[] =>
  neededEvents.filter((event) => !has.includes(event));

const unheard = (events: readonly string[]): readonly Problem[] =>
  missingEvents(events).map((event) => ({
    place: "the App's events",
    message: `${event} is missing: GitHub sends none of them`,
    remedy: "tick it on the App's settings page, under Permissions & events",
  }));

function compare(
  has: Readonly<Record<string, unknown>>,
  { usesTeams, usesServices }: Readonly<Record<"usesTeams" | "usesServices", boolean | "unknown">>,
): Readonly<Record<"missing" | "excess" | "spare", readonly Problem[]>> {
  const place = "the App's permissions";
  const missing = missingRights(has, rightsFor({ usesTeams: usesTeams === true })).map((right) => ({
    place,
    message: `${right} is missing`,
    remedy: "grant it on the App's settings page",
  }));
  // `register` requests members even if the policy names no teams.
  const wanted: Readonly<Record<string, string>> = {
    ...(usesServices === false ? {} : changeRights),
    ...rightsFor({ usesTeams: true }),
  };
  const unseen = usesServices === true ? missingRights(has, changeRights) : [];
  const spare = [
    ...(usesTeams === false && has.members !== undefined ? [unusedMembers] : []),
    ...unseen
      .filter((right) => !right.startsWith("contents"))
      .map((right) => ({
        place: "the App's permissions",
        message: `${right} is missing: what changed in \`context.services\` is told without what it shows`,
        remedy: "grant it on the App's settings page, or leave it: it is optional",
      })),
  ];
  return { missing, excess: excessIn(has, wanted, place), spare };
}

/** Rights beyond those wanted. */
export const excessIn = (
  has: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, string>>,
  place: string,
): readonly Problem[] =>
  Object.entries(has)
    .filter(([name, level]) => wanted[name] === undefined || (wanted[name] === "read" && level !== "read"))
    .map(([name, level]) => ({
      place,
      message: `${name}: ${String(level)} is more than the bot needs`,
      remedy: "take it away on the App's settings page: whoever steals the key has it too",
    }));

const unusedMembers: Problem = {
  place: "the App's permissions",
  message: "members: read is not used while `policy.approvers` names no team",
  remedy: "leave it for teams to come, or take it away on the App's settings page",
};

export type ListeningMode = "webhook" | "poll" | "both";

export interface AppKey {
  readonly appId: number;
  readonly privateKey: string;
  readonly apiUrl: string;
  /** By GitHub's clock; this machine's if absent. */
  readonly now?: (() => Date) | undefined;
}

export const asApp = ({ apiUrl, ...key }: AppKey, timeoutMs: number) =>
  createQuietOctokit({ apiUrl, auth: appToken(key).token, timeoutMs });

/** Signs the App's token for nine minutes (GitHub allows ten), dated back a minute for slow clocks. */
export function appToken({ appId, privateKey, now: clock = () => new Date() }: Omit<AppKey, "apiUrl">) {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(clock().getTime() / 1000);
  const exp = now + 540;
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 60, exp, iss: String(appId) })}`;
  const token = `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey).toString("base64url")}`;
  return { token, expiresAt: new Date(exp * 1000) };
}

/** Prints nothing: Octokit's own lines would stand raw beside the redacted log. */
export const createQuietOctokit = (options: {
  readonly apiUrl: string;
  readonly timeoutMs: number;
  readonly auth?: string;
}): Octokit =>
  new Octokit({
    baseUrl: options.apiUrl,
    ...(options.auth === undefined ? {} : { auth: options.auth }),
    // Octokit has two logs: the plugins' and the request's.
    request: { signal: AbortSignal.timeout(options.timeoutMs), log: silence },
    log: silence,
  });

const quiet = (): void => {};
const silence = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** app.yml, with the addresses filled in. */
export interface Manifest {
  readonly name: string;
  readonly url: string;
  readonly redirect_url: string;
  readonly hook_attributes: { readonly url: string; readonly active: boolean };
  readonly public: boolean;
  readonly default_permissions: Readonly<Record<string, string>>;
  readonly default_events: readonly string[];
  readonly [other: string]: unknown;
}

/** GitHub shows the key and the secret only once. */
export interface AppCredentials {
  readonly appId: number;
  readonly slug: string;
  readonly htmlUrl: string;
  /** Undefined if GitHub does not say. */
  readonly owner: { readonly login: string; readonly id: number } | undefined;
  readonly pem: string;
  /** Undefined without a webhook. */
  readonly webhookSecret: string | undefined;
}

/** GitHub's address in a browser. GitHub Enterprise Server has both on one host. */
export function webUrlOf(apiUrl: string): string {
  const url = new URL(apiUrl);
  if (url.host === "api.github.com") return "https://github.com";
  return `${url.origin}${url.pathname.replace(/\/api\/v3\/?$/, "").replace(/\/$/, "")}`;
}

/** Where the browser of the App's owner posts the manifest. */
export function newAppUrl(webUrl: string, organization: string | undefined, state: string): string {
  const owner = organization === undefined ? "" : `/organizations/${encodeURIComponent(organization)}`;
  return `${webUrl}${owner}/settings/apps/new?state=${state}`;
}

/** Exchanges the code, which works once and for an hour. Throws an `OperatorError` if GitHub refuses it. */
export async function exchangeCode(apiUrl: string, code: string, hasWebhook = true): Promise<AppCredentials> {
  const octokit = createQuietOctokit({ apiUrl, timeoutMs: 30_000 });
  try {
    const { data } = await octokit.rest.apps.createFromManifest({ code });
    if (!data.pem || (hasWebhook && !data.webhook_secret))
      throw new Error("the answer has no private key or no webhook secret");
    return {
      appId: data.id,
      slug: data.slug ?? data.name,
      htmlUrl: data.html_url,
      owner: data.owner && "login" in data.owner ? { login: data.owner.login, id: data.owner.id } : undefined,
      pem: data.pem,
      webhookSecret: hasWebhook ? (data.webhook_secret ?? undefined) : undefined,
    };
  } catch (error) {
    const away = unreached(apiUrl, error);
    if (away) throw new OperatorError([{ ...away, place: "--api" }]);
    const message = `GitHub did not give the App's credentials for the code: ${messageOf(error)}`;
    throw new OperatorError([
      { place: apiUrl, message, remedy: "run `countersign register` again; a code is good once" },
    ]);
  }
}

/** The App's slug. Throws if GitHub does not say. */
export type FetchOwnName = () => Promise<string>;

/** Remembers the name; reads it again only after a failure. */
export function createFetchOwnName(client: Pick<Client, "probot">): FetchOwnName {
  let known: Promise<string> | undefined;
  const fetch = async (): Promise<string> => {
    const octokit = await client.probot.auth();
    const { data } = await octokit.rest.apps.getAuthenticated();
    if (!data?.slug) throw new Error("GitHub does not name this App");
    return data.slug;
  };
  return () => {
    known ??= fetch().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

/** Reads `GET /meta`. Throws if it names no networks, as on GitHub Enterprise Server. */
export async function fetchHookAddresses(apiUrl: string): Promise<readonly string[]> {
  const { data } = await createQuietOctokit({ apiUrl, timeoutMs: 10_000 }).rest.meta.get();
  if (!data.hooks || data.hooks.length === 0)
    throw new Error(`${apiUrl} names no addresses that it sends webhooks from`);
  return data.hooks;
}

/** By the error's code; the host's name stands before. */
const reasons: Readonly<Record<string, readonly [why: string, remedy: string]>> = {
  ENOTFOUND: ["its name leads to no address", "correct `github.api_url`, or this machine's DNS"],
  EAI_AGAIN: [
    "this machine's DNS does not answer",
    "look at /etc/resolv.conf; a machine without DNS needs HTTPS_PROXY",
  ],
  ECONNREFUSED: ["nothing listens there", "correct `github.api_url`, or look whether it is up"],
};

const certificateCodes =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;
const privateAuthority = [
  "its certificate is signed by an authority that is not known here",
  "if it is your company's, name its certificate in NODE_EXTRA_CA_CERTS=/path/ca.pem",
] as const;

const later = "try again later; githubstatus.com, or whoever runs your GitHub, tells what is wrong there";
const otherwise = "look whether this machine may reach it; through a proxy, set HTTPS_PROXY";

/** The problem of an unreached GitHub; undefined if it answered. */
function unreached(apiUrl: string, error: unknown): Problem | undefined {
  // Octokit gives a request without an answer the status 500; only such an error has a cause.
  if (!(error instanceof Error) || error.cause === undefined) return undefined;
  const code = codeOf(error);
  const [why, remedy] = certificateCodes.test(code)
    ? privateAuthority
    : (reasons[code] ?? [messageOf(error).replace(/\.$/, ""), otherwise]);
  return { place: "github.api_url", message: `${hostOf(apiUrl)} cannot be reached: ${why}`, remedy };
}

function codeOf(error: Error): string {
  const inner = error.cause instanceof Error ? codeOf(error.cause) : "";
  return inner !== "" ? inner : "code" in error ? String(error.code) : "";
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** GitHub's own words, or the status if the answer is a page for people. */
export function answerWords(error: unknown): string {
  const status = statusOf(error);
  const data = isRecord(error) && isRecord(error.response) ? error.response.data : undefined;
  const words = isRecord(data) && typeof data.message === "string" ? `: ${data.message.slice(0, 200)}` : "";
  return status === undefined ? messageOf(error) : `GitHub answered ${status}${words}`;
}

/** Whether GitHub itself refused the key; a page in its place does not say. */
export const isKeyRefused = (error: unknown): boolean => {
  const status = statusOf(error);
  const data = isRecord(error) && isRecord(error.response) ? error.response.data : undefined;
  return status === 401 || (status === 404 && typeof data !== "string");
};

export function refusalProblem(apiUrl: string, error: unknown): Problem {
  const away = unreached(apiUrl, error);
  if (away) return away;
  const message = answerWords(error);
  const status = statusOf(error) ?? 0;
  if (isKeyRefused(error))
    return {
      place: "github.app_id",
      message: `GitHub does not know this App by its key: ${message}`,
      remedy: "compare app_id and the private key with the App's settings page, and api_url with your GitHub",
    };
  const place = "github.api_url";
  if (writeFailure(error, Date.now()).kind === "later")
    return { place, message: `${message}: the rate limit is reached`, remedy: "try again in an hour" };
  if (status >= 500) return { place, message, remedy: later };
  if (status === 403)
    return { place, message, remedy: "look whether GitHub's IP allow list, or a proxy, refuses this machine" };
  return { place, message, remedy: notAnApi };
}

const notAnApi =
  "correct `github.api_url`: https://api.github.com, or https://HOST/api/v3; a proxy or a login page may answer in its place";
