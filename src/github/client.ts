import type { Logger } from "pino";
import { Probot, ProbotOctokit } from "probot";
import { type AppKey, appToken, rightsFor, rightsToRead } from "./app/access.ts";
import { statusOf } from "./outcome.ts";
import { type RepoPlace, repoOf } from "./repo-place.ts";

/** An Octokit that acts in one repository. */
export type Octokit = Awaited<ReturnType<Probot["auth"]>>;

export interface Client {
  /** Probot, for how an App signs in and for its Octokit; webhooks are taken up by `src/service/events.ts`. */
  readonly probot: Probot;
  /**
   * Runs a call with a token for that one repository and the bot's rights there (SR-09). If GitHub refuses the token, it gets a new one,
   * once (F-13). With `beside`, another repository of the same owner, the token only reads, in both; a 422 means that there is none.
   */
  readonly as: <T>(place: ActingPlace, call: (octokit: Octokit) => Promise<T>) => Promise<T>;
  /** Forgets the tokens of an installation, because its access has changed (SR-12). The next request gets a new one. */
  readonly forget: (installationId: number) => void;
}

type ActingPlace = RepoPlace & {
  readonly beside?: string | undefined;
  /** The only rights of its token, if they are not the bot's usual ones. */
  readonly reads?: Readonly<Record<string, string>> | undefined;
};

/** How long one request to GitHub may take before it counts as lost. */
const requestTimeoutMs = 10_000;
const withoutMembersMs = 5 * 60_000;

interface ClientOptions extends AppKey {
  readonly log: Logger;
  /** The numeric id of a repository, as soon as it is known. Until then its token is for its name. With `anew`, the answer is never a remembered one. */
  readonly idOf: (repo: string, anew?: boolean) => Promise<number | undefined>;
  /** Members are read only if policy names teams. */
  readonly usesTeams: () => boolean;
  /** Gets the `Date` header of each answer, as it came. */
  readonly onDate?: (date: string | null) => void;
}

/**
 * Makes the one client of GitHub. Octokit's own throttle and retry are off: the throttle spaces comments 3 s apart over all
 * installations, and its retry repeats POSTs whose answer was lost (measured); the outbox does both itself.
 */
export function createClient(options: ClientOptions): Client {
  const Octokit = octokitClass(options);
  const probot = new Probot({
    appId: options.appId,
    privateKey: options.privateKey,
    Octokit,
    log: options.log,
    // The front has verified the signature before the delivery was stored; Probot's own check is not used.
    secret: "unused: the front verifies",
  });
  const tokens = createTokens(probot, options);
  /** Places whose tokens are no longer used, even if Octokit keeps them. */
  const lost = new Set<string>();
  /** Signs each request by itself, since Octokit's own strategy signs for all of an installation. */
  const signing =
    (place: ActingPlace): RequestHook =>
    async (request, given) => {
      const send = (token: string) =>
        request({ ...given, headers: { ...given.headers, authorization: `token ${token}` } });
      const isLost = lost.has(keyOf(place));
      const token = await tokens.tokenFor(place, isLost);
      if (isLost) lost.delete(keyOf(place));
      try {
        return await send(token);
      } catch (error) {
        if (statusOf(error) !== 401) throw error;
        // Another request may have met the same and got a new one.
        const known = await tokens.tokenFor(place, false);
        return send(known === token ? await tokens.tokenFor(place, true) : known);
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
      tokens.forget(installationId);
      for (const key of octokits.keys()) if (key.startsWith(`${installationId} `)) lost.add(key);
    },
  };
}

const keyOf = ({ installationId, repo, beside = "", reads = {} }: ActingPlace): string =>
  `${installationId} ${repo} ${beside} ${Object.keys(reads).join(" ")}`.toLowerCase();

function octokitClass({ apiUrl, log, onDate, ...key }: ClientOptions) {
  const baseUrl = apiUrl.replace(/\/$/, "");
  const fetching: typeof fetch = async (input, init) => {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    // No redirect is followed. A caller that learns from it that something has moved reads it.
    const redirect = init?.redirect === "manual" ? "manual" : "error";
    const answer = await fetch(input, { ...init, redirect, signal });
    onDate?.(answer.headers.get("date"));
    return answer;
  };
  return ProbotOctokit.defaults((given: GivenOptions) => ({
    ...given,
    baseUrl,
    auth: {
      ...given.auth,
      // Explicit octokit.auth() ignores all of this otherwise: it would call the public host, wait for ever and not hear the time.
      request: given.auth?.request?.defaults({ baseUrl, request: { fetch: fetching, log } }),
      // Octokit signs in by this machine's time, which GitHub refuses if it is a minute ahead.
      privateKey: undefined,
      createJwt: async () => {
        const { token, expiresAt } = appToken(key);
        return { jwt: token, expiresAt: expiresAt.toISOString() };
      },
    },
    throttle: { ...given.throttle, enabled: false },
    retry: { enabled: false },
    // Without a log of its own the request prints to the console, past the redactor.
    request: { ...given.request, fetch: fetching, log },
  }));
}

/** Brings tokens for what is done in a place, and no more. */
function createTokens(probot: Probot, { idOf, usesTeams }: ClientOptions) {
  /** Until when, in ms, an installation gets tokens without members, because its owner has not granted them. */
  const withoutMembers = new Map<number, number>();
  const grantFor = ({ installationId, repo, beside, reads }: ActingPlace, id: number | undefined): Grant => {
    const named = [repo, ...(beside === undefined ? [] : [beside])].map((name) => repoOf({ repo: name }).repo);
    if (reads !== undefined) return { repositoryNames: named, permissions: reads };
    if (beside !== undefined) return { repositoryNames: named, permissions: rightsToRead };
    const hasMembers = (withoutMembers.get(installationId) ?? 0) <= Date.now();
    const permissions = rightsFor({ usesTeams: usesTeams() && hasMembers });
    return id === undefined ? { repositoryNames: named, permissions } : { repositoryIds: [id], permissions };
  };
  /** Octokit keeps tokens by their rights, and mints one if it has none or if `refresh` says so. */
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
      // The owner has not granted members yet: no team makes a person eligible then, and all else goes on.
      const token = await mint(place.installationId, { ...grant, permissions }, refresh);
      withoutMembers.set(place.installationId, Date.now() + withoutMembersMs);
      return token;
    }
  };
  return {
    tokenFor: async (place: ActingPlace, refresh: boolean): Promise<string> => {
      const id = await idOf(place.repo);
      try {
        return await mintFor(place, id, refresh);
      } catch (error) {
        // The name may mean another repository since its id was read; a refusal would park what is to be posted.
        const idNow = statusOf(error) === 422 ? await idOf(place.repo, true) : id;
        if (idNow === id) throw error;
        return mintFor(place, idNow, refresh);
      }
    },
    forget: (installationId: number): void => void withoutMembers.delete(installationId),
  };
}

/** The scope of a token: repositories by id or by name, and the rights there. */
interface Grant {
  readonly repositoryIds?: readonly number[];
  readonly repositoryNames?: readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
}

/** How an auth strategy stands before each request of its Octokit. */
type RequestHook = (request: (options: SignedRequest) => Promise<unknown>, options: SignedRequest) => Promise<unknown>;
interface SignedRequest {
  readonly headers: object;
}

/** What Probot and its auth strategy pass when they make an Octokit. */
interface GivenOptions {
  readonly auth?: {
    readonly request?: { readonly defaults: (options: { baseUrl: string; request: object }) => unknown };
  };
  readonly throttle?: object;
  readonly request?: object;
}
