/** What the playground and the end-to-end tests see of the emulated GitHub; `start.ts` makes it. */

export const roles = ["none", "read", "triage", "write", "maintain", "admin"] as const;
/** A person's role on a repository, from least to most. */
export type Role = (typeof roles)[number];

export interface Seed {
  readonly app: {
    readonly id: number;
    readonly slug: string;
    /** PEM; empty = one is made (about 0.1 s). */
    readonly privateKey: string;
    readonly permissions: Readonly<Record<string, string>>;
  };
  /** Another App of the same owner, installed on these repositories alone. It has no webhook. */
  readonly secondApp?: Seed["app"] & { readonly repos: readonly string[] };
  /** The organization that owns the repositories and has the App installed. */
  readonly owner: string;
  readonly repos: readonly {
    readonly name: string;
    readonly private: boolean;
    readonly files: Readonly<Record<string, string>>;
  }[];
  readonly people: readonly { readonly login: string; readonly type?: "User" | "Bot"; readonly role: Role }[];
  /** Team slug → logins of its members. */
  readonly teams?: Readonly<Record<string, readonly string[]>>;
  /** Not active: the App has none, and nothing is sent. */
  readonly webhook: { readonly url: string; readonly secret: string; readonly active?: boolean };
}

export interface RequestTraffic {
  readonly kind: "request";
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** 0 where the answer was dropped. */
  readonly status: number;
  readonly ms: number;
  /** GitHub's own name of the operation, `graphql <first field>`, or undefined where the path is none of the known. */
  readonly operationId: string | undefined;
  /** `app` (its JWT), `installation` (a token of it), a login, or `unknown`. */
  readonly by: string;
}

export interface WebhookTraffic {
  readonly kind: "webhook";
  readonly event: string;
  readonly action: string | null;
  readonly guid: string;
  /** 0 where nobody answered within 10 s. */
  readonly status: number;
  /** What the bot said, the beginning. */
  readonly answer: string;
  readonly ms: number;
}

export type Traffic = RequestTraffic | WebhookTraffic;

/** What a fault applies to: with `event` (`push` or `issues.opened`) to webhooks, otherwise to requests of the App to the API. */
export interface FaultMatch {
  readonly method?: string;
  readonly path?: RegExp;
  /** Fits the request's body as JSON, e.g. which query it is and of which issue. */
  readonly body?: RegExp;
  readonly event?: string;
  /** How often it strikes; once unless said otherwise. */
  readonly times?: number;
}

export interface FaultEffect {
  /** Answered instead of doing the work. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly delayMs?: number;
  /** Waited for before the work is done; and when it is done, before the answer leaves. */
  readonly meanwhile?: { readonly before?: () => Promise<unknown>; readonly after?: () => Promise<unknown> };
  /** `before`: the connection dies and nothing was done; `after`: it was done and the answer is lost. */
  readonly drop?: "before" | "after";
  /** Further copies of a webhook, with the same GUID. */
  readonly duplicate?: number;
}

/** The body of a token request of the App, as it was asked for and as it was granted. */
export interface MintedToken {
  readonly token: string;
  readonly asked: Readonly<Record<string, unknown>>;
  /** Undefined = all repositories of the installation. */
  readonly repositoryIds: readonly number[] | undefined;
  readonly permissions: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
}

export interface PersonIdentity {
  readonly id: number;
  readonly login: string;
  readonly nodeId: string;
}

/** What happened in a repository besides its issues, as a test or the demo says. */
export interface Activity {
  readonly merged?: readonly {
    readonly number: number;
    readonly title: string;
    readonly by: string;
    readonly at: string;
  }[];
  readonly deployments?: readonly {
    readonly environment: string;
    readonly ref: string;
    readonly by: string;
    readonly at: string;
    /** As GraphQL names it: `SUCCESS`, `FAILURE`. */
    readonly state: string;
  }[];
  readonly releases?: readonly { readonly tag: string; readonly by: string; readonly at: string }[];
  /** Check runs, and the older statuses; without a conclusion they go on. */
  readonly checks?: readonly {
    readonly commit: string;
    readonly name: string;
    readonly conclusion?: "success" | "failure" | "neutral" | "skipped";
    readonly isStatus?: boolean;
  }[];
  readonly runs?: readonly {
    readonly name: string;
    readonly title: string;
    readonly branch: string;
    readonly by: string;
    readonly at: string;
    readonly conclusion: "success" | "failure";
  }[];
}

/** The second App of the seed. */
export interface SecondApp {
  readonly appId: number;
  readonly slug: string;
  readonly privateKey: string;
  readonly installationId: number;
  /** The App asks for them, and they are granted. */
  readonly setPermissions: (permissions: Readonly<Record<string, string>>) => void;
  /** What the owner granted, if it is not what the App asks for. */
  readonly setGranted: (permissions: Readonly<Record<string, string>>) => void;
  /** Whether it is installed on a repository. */
  readonly include: (repo: string, included: boolean) => void;
  readonly setState: (state: "active" | "suspended" | "deleted") => void;
  readonly revokeTokens: () => void;
  readonly minted: () => readonly MintedToken[];
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/**
 * The emulated GitHub. What a person can do through the REST API they do with `as`: open, edit, label and close issues,
 * comment, push a file (`PUT …/contents/…`), rename, publish or archive a repository (`PATCH /repos/…`), or transfer it
 * to `elsewhere` (`POST …/transfer`). The functions below are for what they cannot do there.
 */
export interface EmulatedGitHub {
  /** Base of the API, `http://127.0.0.1:port`. GraphQL is at `/graphql`. */
  readonly url: string;
  readonly appId: number;
  readonly privateKey: string;
  readonly installationId: number;
  readonly secondApp: SecondApp | undefined;
  /** Acts as a person through the REST API (and `/graphql`), as their browser would. Their requests are not validated. */
  readonly as: (login: string) => (method: string, path: string, body?: unknown) => Promise<Answered>;
  readonly person: (login: string) => PersonIdentity;
  /** Listens to requests and webhooks; the returned function ends it. */
  readonly onTraffic: (listener: (traffic: Traffic) => void) => () => void;
  /** Requests to the API that began since the start or the last `resetCounts`. */
  readonly requests: () => readonly RequestTraffic[];
  readonly resetCounts: () => void;
  /** Every request of the App that did not fit GitHub's OpenAPI or GraphQL schema, with the reason. */
  readonly invalid: () => readonly string[];
  /** Tokens the App asked for, oldest first. */
  readonly minted: () => readonly MintedToken[];
  /** How much of the hour's limit the installation has used: GraphQL and what was answered by 304 do not count. */
  readonly rateLimit: () => { readonly limit: number; readonly used: number; readonly remaining: number };
  /** Webhooks sent so far, oldest first, redeliveries included. */
  readonly deliveries: () => readonly WebhookTraffic[];

  /** Gives a person a role, on one repository (`owner/name`) or on all. */
  readonly setRole: (login: string, role: Role, repo?: string) => void;
  readonly setTeam: (slug: string, logins: readonly string[]) => void;
  /** Frees a login; the person keeps id, roles and authorship under the new one. */
  readonly renamePerson: (login: string, to: string) => void;
  /** Somebody new registers, e.g. a login that a rename has freed. At most eight in one run. */
  readonly registerPerson: (login: string, role: Role) => PersonIdentity;
  /** A comment that arrived as a reply by e-mail (`createdViaEmail`, SR-23). Returns it as REST would. */
  readonly emailComment: (login: string, repo: string, issue: number, body: string) => Promise<Answered>;
  /** Edits any comment as that person, who needs write access where it is not theirs. */
  readonly editComment: (login: string, repo: string, commentId: number, body: string) => Promise<Answered>;
  readonly deleteComment: (login: string, repo: string, commentId: number) => Promise<Answered>;
  /** An issue by a form of the repository, which puts its labels on for anybody; returns its number (SR-59). */
  readonly submitForm: (
    login: string,
    repo: string,
    issue: { readonly title: string; readonly body: string; readonly labels: readonly string[] },
  ) => Promise<number>;
  /** A pull request, which GitHub shows as an issue with `pull_request`; returns its number (SR-13). */
  readonly openPullRequest: (login: string, repo: string, title: string) => Promise<number>;
  /** Adds to what happened in a repository besides its issues. */
  readonly addActivity: (repo: string, activity: Activity) => void;
  readonly deleteIssue: (login: string, repo: string, issue: number) => Promise<void>;
  /** Moves an issue to another repository of the owner; returns its new number. */
  readonly transferIssue: (login: string, repo: string, issue: number, toRepo: string) => Promise<number>;
  /** What the owner granted changes; tokens minted before keep theirs. */
  readonly setAppPermissions: (permissions: Readonly<Record<string, string>>) => void;
  /** What the App asks for changes nothing before the owner accepts it. */
  readonly setGranted: (permissions: Readonly<Record<string, string>>) => void;
  /** Which events the App is subscribed to, as its page and installation tell; what is sent stays. */
  readonly setAppEvents: (events: readonly string[]) => void;
  /** Every token minted so far answers 401 from now on. */
  readonly revokeTokens: () => void;
  readonly suspendInstallation: () => void;
  readonly unsuspendInstallation: () => void;
  /** `tokensGoOn`: those minted before are taken for a while yet, as GitHub's caches may have it. */
  readonly uninstall: (how?: { readonly tokensGoOn: boolean }) => void;
  readonly removeRepository: (repo: string) => Promise<void>;
  readonly addRepository: (repo: string) => Promise<void>;

  /** GraphQL shows comments as they were so long ago from now on, as GitHub's does where its copies are behind. */
  readonly setGraphqlBehind: (ms: number) => void;

  readonly fault: (match: FaultMatch, effect: FaultEffect) => void;
  /** Takes back every fault that has not struck. */
  readonly clearFaults: () => void;
  /** Sends a delivery again with the same GUID, as the App's settings page does. */
  readonly redeliver: (guid: string) => Promise<void>;
  /** Resolves when every webhook so far has been answered, has failed or has timed out. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}
