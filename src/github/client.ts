import type { Logger } from "pino";
import { Probot, ProbotOctokit } from "probot";

/** An Octokit that acts as one installation. */
export type Octokit = Awaited<ReturnType<Probot["auth"]>>;

export interface Client {
  /** Probot, used only to hand stored deliveries to their handlers (`receive`) and for its Octokit. */
  readonly probot: Probot;
  /** Runs a call as an installation; a token that GitHub no longer takes is minted anew once (F-13). */
  readonly as: <T>(installationId: number, call: (octokit: Octokit) => Promise<T>) => Promise<T>;
}

/** How long one request to GitHub may take before it counts as lost. */
const requestTimeoutMs = 10_000;

/**
 * Makes the one client of GitHub. Octokit's own throttle and retry are off: the throttle spaces comments 3 s apart over all
 * installations, and its retry repeats POSTs whose answer was lost (ARCHITECTURE.md, measured); the outbox does both itself.
 */
export function createClient(options: {
  readonly appId: number;
  readonly privateKey: string;
  readonly apiUrl: string;
  readonly log: Logger;
  /** Gets the `Date` header of each answer, as it came. */
  readonly onDate?: (date: string | null) => void;
}): Client {
  const fetching: typeof fetch = async (input, init) => {
    const answer = await fetchWithDeadline(input, init);
    options.onDate?.(answer.headers.get("date"));
    return answer;
  };
  const baseUrl = options.apiUrl.replace(/\/$/, "");
  const Octokit = ProbotOctokit.defaults((given: GivenOptions) => ({
    ...given,
    baseUrl,
    // Explicit octokit.auth() ignores baseUrl and would call the public host.
    auth: { ...given.auth, request: given.auth?.request?.defaults({ baseUrl }) },
    throttle: { ...given.throttle, enabled: false },
    retry: { enabled: false },
    // Without a log of its own the request prints to the console, past the redactor.
    request: { ...given.request, fetch: fetching, log: options.log },
  }));
  const probot = new Probot({
    appId: options.appId,
    privateKey: options.privateKey,
    Octokit,
    log: options.log,
    // The front has verified the signature before the delivery was stored; Probot's own check is not used.
    secret: "unused: the front verifies",
  });
  const octokits = new Map<number, Promise<Octokit>>();
  const of = (installationId: number): Promise<Octokit> => {
    const known = octokits.get(installationId);
    if (known !== undefined) return known;
    const made = probot.auth(installationId);
    octokits.set(installationId, made);
    made.catch(() => octokits.delete(installationId));
    return made;
  };
  return {
    probot,
    as: async (installationId, call) => {
      const octokit = await of(installationId);
      try {
        return await call(octokit);
      } catch (error) {
        if (statusOf(error) !== 401) throw error;
        await octokit.auth({ type: "installation", installationId, refresh: true });
        return call(octokit);
      }
    },
  };
}

/** What Probot and its auth strategy pass when they make an Octokit. */
interface GivenOptions {
  readonly auth?: { readonly request?: { readonly defaults: (options: { baseUrl: string }) => unknown } };
  readonly throttle?: object;
  readonly request?: object;
}

const fetchWithDeadline: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: "error", signal: AbortSignal.timeout(requestTimeoutMs) });

/** The HTTP status of a failed request, or nothing where no answer came. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("status" in error)) return undefined;
  return typeof error.status === "number" ? error.status : undefined;
}
