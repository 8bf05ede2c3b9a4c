import type { Logger } from "pino";
import { Probot, ProbotOctokit } from "probot";
import { wholeAnswer } from "../base/whole-answer.ts";
import { type AppKey, appToken, rightsFor, rightsToRead } from "./app/access.ts";
import { statusOf } from "./outcome.ts";
import { type RepoPlace, repoOf } from "./web.ts";

export type Octokit = Awaited<ReturnType<Probot["auth"]>>;

export interface Client {
  /** `src/service/worker.ts` takes up webhooks, not Probot. */
  readonly probot: Probot;
  /**
   * Calls with a token for that repository and the bot's rights (SR-09); a refused token is replaced once (F-13). With `beside`, a
   * repository of the same owner, the token only reads, in both; 422 means that there is none.
   */
  readonly as: <T>(place: ActingPlace, call: (octokit: Octokit) => Promise<T>) => Promise<T>;
  /** Forgets an installation's tokens, because its access has changed (SR-12). */
  readonly forget: (installationId: number) => void;
}

type ActingPlace = RepoPlace & {
  readonly beside?: string | undefined;
  /** Instead of the bot's usual rights. */
  readonly reads?: Readonly<Record<string, string>> | undefined;
};

const requestTimeoutMs = 10_000;
const withoutMembersMs = 5 * 60_000;

interface ClientOptions extends AppKey {
  readonly log: Logger;
  /** Undefined until known: tokens are then for the name. `fresh`: read now, not remembered. */
  readonly idOf: (repo: string, fresh?: boolean) => Promise<number | undefined>;
  readonly usesTeams: () => boolean;
  /** Gets each answer's `Date` header as it came. */
  readonly onDate?: (date: string | null) => void;
  /** Longer answers fail. */
  readonly mostBytes?: number;
}

/**
 * Octokit's throttle and retry are off: the throttle spaces comments 3 s apart over all installations, and the retry repeats POSTs whose
 * answer was lost (measured). The outbox does both.
 */
export function createClient(options: ClientOptions): Client {
  const { apiUrl, log, onDate, mostBytes, ...key } = options;
  const baseUrl = apiUrl.replace(/\/$/, "");
  const fetching: typeof fetch = async (input, init) => {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    // A caller that needs a redirect reads it; none is followed.
    const redirect = init?.redirect === "manual" ? "manual" : "error";
    const answer = await fetch(input, { ...init, redirect, signal });
    onDate?.(answer.headers.get("date"));
    return mostBytes === undefined ? answer : wholeAnswer(answer, mostBytes);
  };
  const Octokit = ProbotOctokit.defaults((given: GivenOptions) => ({
    ...given,
    baseUrl,
    auth: {
      ...given.auth,
      // Else octokit.auth() calls the public host, waits forever and does not hear the time.
      request: given.auth?.request?.defaults({ baseUrl, request: { fetch: fetching, log } }),
      // Octokit signs by this machine's clock, which GitHub refuses if it is a minute ahead.
      privateKey: undefined,
      createJwt: async () => {
        const { token, expiresAt } = appToken(key);
        return { jwt: token, expiresAt: expiresAt.toISOString() };
      },
    },
    throttle: { ...given.throttle, enabled: false },
    retry: { enabled: false },
    // Without its own log the request prints to the console, past the redactor.
    request: { ...given.request, fetch: fetching, log },
  }));
  const probot = new Probot({
    appId: options.appId,
    privateKey: options.privateKey,
    Octokit,
    log: options.log,
    secret: "unused: the front verifies",
  });
  /** Until when, in ms. The owner has not granted members. */
  const withoutMembers = new Map<number, number>();
  const grantFor = ({ installationId, repo, beside, reads }: ActingPlace, id: number | undefined): Grant => {
    const named = [repo, ...(beside === undefined ? [] : [beside])].map((name) => repoOf({ repo: name }).repo);
    if (reads !== undefined) return { repositoryNames: named, permissions: reads };
    if (beside !== undefined) return { repositoryNames: named, permissions: rightsToRead };
    const hasMembers = (withoutMembers.get(installationId) ?? 0) <= Date.now();
    const permissions = rightsFor({ usesTeams: options.usesTeams() && hasMembers });
    return id === undefined ? { repositoryNames: named, permissions } : { repositoryIds: [id], permissions };
  };
  /** Octokit keeps tokens by their rights. */
  const mint = async (installationId: number, grant: Grant, refresh: boolean): Promise<string> => {
    const app = await probot.auth();
    const { token } = (await app.auth({ type: "installation", installationId, ...grant, refresh })) as {
      token: string;
    };
    return token;
  };
  const mintFor = async (place: ActingPlace, id: number | undefined, refresh: boolean): Promise<string> => {
    const grant = grantFor(place, id);
    try {
      return await mint(place.installationId, grant, refresh);
    } catch (error) {
      const { members, ...permissions } = grant.permissions;
      if (statusOf(error) !== 422 || members === undefined) throw error;
      // Without members no team makes a person eligible, and all else goes on.
      const token = await mint(place.installationId, { ...grant, permissions }, refresh);
      withoutMembers.set(place.installationId, Date.now() + withoutMembersMs);
      return token;
    }
  };
  const tokenFor = async (place: ActingPlace, refresh: boolean): Promise<string> => {
    const id = await options.idOf(place.repo);
    try {
      return await mintFor(place, id, refresh);
    } catch (error) {
      // The name may mean another repository by now; a refusal would park the post.
      const idNow = statusOf(error) === 422 ? await options.idOf(place.repo, true) : id;
      if (idNow === id) throw error;
      return mintFor(place, idNow, refresh);
    }
  };
  /** Their tokens are not used, even if Octokit keeps them. */
  const lost = new Set<string>();
  /** Octokit's own strategy signs for all of an installation. */
  const signing =
    (place: ActingPlace): RequestHook =>
    async (request, given) => {
      const send = (token: string) =>
        request({ ...given, headers: { ...given.headers, authorization: `token ${token}` } });
      const isLost = lost.has(keyOf(place));
      const token = await tokenFor(place, isLost);
      if (isLost) lost.delete(keyOf(place));
      try {
        return await send(token);
      } catch (error) {
        if (statusOf(error) !== 401) throw error;
        // Another request may have got a new one.
        const known = await tokenFor(place, false);
        return send(known === token ? await tokenFor(place, true) : known);
      }
    };
  const octokits = new Map<string, Octokit>();
  const octokitFor = (place: ActingPlace): Octokit => {
    const key = keyOf(place);
    const known = octokits.get(key);
    if (known !== undefined) return known;
    const made = new Octokit({ authStrategy: () => ({ hook: signing(place) }), log: options.log });
    octokits.set(key, made);
    return made;
  };
  return {
    probot,
    as: (place, call) => call(octokitFor(place)),
    forget: (installationId) => {
      withoutMembers.delete(installationId);
      for (const key of octokits.keys()) if (key.startsWith(`${installationId} `)) lost.add(key);
    },
  };
}

const keyOf = ({ installationId, repo, beside = "", reads = {} }: ActingPlace): string =>
  `${installationId} ${repo} ${beside} ${Object.entries(reads).join(" ")}`.toLowerCase();

interface Grant {
  readonly repositoryIds?: readonly number[];
  readonly repositoryNames?: readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
}

type RequestHook = (request: (options: SignedRequest) => Promise<unknown>, options: SignedRequest) => Promise<unknown>;
interface SignedRequest {
  readonly headers: object;
}

interface GivenOptions {
  readonly auth?: {
    readonly request?: { readonly defaults: (options: { baseUrl: string; request: object }) => unknown };
  };
  readonly throttle?: object;
  readonly request?: object;
}
