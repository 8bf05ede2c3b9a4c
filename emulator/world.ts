import type { Deliveries } from "./deliveries.ts";
import type { CallEmulate } from "./emulate.ts";
import type { GitObject } from "./git-object.ts";
import type { Installation } from "./installation.ts";
import type { Activity, MintedToken } from "./interface.ts";
import type { Notes } from "./notes.ts";
import type { People, Person } from "./people.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Repos } from "./repos.ts";
import type { Answer, JsonObject, Repo, User } from "./wire/shapes.ts";
import type { Tokens } from "./wire/tokens.ts";

/** A GitHub App: its account, its credentials and its one installation. */
export interface App {
  readonly bot: Person;
  readonly privateKey: string;
  readonly tokens: Tokens;
  readonly installation: Installation;
}

/** Everything the emulated GitHub consists of; made once in `start.ts`. */
export interface World {
  readonly url: string;
  /** The App's credentials, which only registering by manifest shows. */
  readonly privateKey: string;
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  readonly org: User;
  /** The App as a `user` of comments: `<slug>[bot]`. */
  readonly bot: Person;
  readonly people: People;
  readonly repos: Repos;
  readonly notes: Notes;
  readonly tokens: Tokens;
  readonly installation: Installation;
  /** The one of the members above, and the second one of the seed, which hears nothing. */
  readonly apps: readonly App[];
  readonly deliveries: Deliveries;
  readonly rateLimit: RateLimit;
  /** What happened besides issues, by repository. */
  readonly activity: Map<number, Activity>;
  /** Git objects read so far, by repository and id; they never change. */
  readonly gitObjects: Map<string, GitObject>;
  /** emulate, with its answers corrected. */
  readonly call: CallEmulate;
  readonly userJson: (person: Person) => JsonObject;
}

export type Caller =
  | { readonly kind: "anonymous" }
  | { readonly kind: "app"; readonly app: App }
  | { readonly kind: "installation"; readonly app: App; readonly token: MintedToken }
  | { readonly kind: "person"; readonly person: Person };

export const callersApp = (caller: Caller): App | undefined => ("app" in caller ? caller.app : undefined);

/** One request whose caller, route and repository are known. */
export interface Call {
  readonly world: World;
  readonly caller: Caller;
  /** Who the result is attributed to. */
  readonly actor: Person;
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** A request below `/repos/{owner}/{repo}`. */
export interface RepoCall extends Call {
  readonly repo: Repo;
  /** What follows the repository in the path, query included. */
  readonly rest: string;
}

/** Lets emulate do it, as the caller, under the repository's present name. */
export const forward = (call: RepoCall, body: unknown = call.body): Promise<Answer> =>
  call.world.call(call.actor.alias, call.method, `/repos/${call.repo.full_name}${call.rest}`, body);
