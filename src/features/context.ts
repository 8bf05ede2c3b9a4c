import type { Logger } from "pino";
import type { AskModel } from "../agent/wire/model.ts";
import type { Reserve } from "../base/run.ts";
import { parseRepoConfig, type RepoPolicy, restrict } from "../config/repo.ts";
import type { Config } from "../config/values.ts";
import type { FetchOwnName } from "../github/app/access.ts";
import type { FetchChanges } from "../github/changes.ts";
import type { Comments } from "../github/comments.ts";
import { rulesPath, rulesStarter } from "../github/context/plan.ts";
import type { RepoFiles } from "../github/context/read.ts";
import type { ContextSource } from "../github/context/source.ts";
import type { FetchConversation, ReadComments } from "../github/conversation.ts";
import type { FetchFacts } from "../github/facts.ts";
import type { Issues, Labels } from "../github/issues.ts";
import type { Markdown } from "../github/render/ink.ts";
import type { ReadCalendar } from "../pager/fetch.ts";
import type { PatchReader } from "../patches/github.ts";
import type { Evaluate } from "../risk/evaluate.ts";
import type { Notary } from "../store/audit/checkpoint.ts";
import type { Store } from "../store/database/open.ts";
import type { Redact } from "../text/redact.ts";
import type { FactsCache } from "./run/check-dispatch.ts";
import type { RunRegistry } from "./run/run-registry.ts";

/** Made once in `service/start.ts` or by a test. */
export interface Deps {
  readonly config: Config;
  readonly store: Store;
  readonly log: Logger;
  readonly comments: Comments;
  readonly issues: Issues;
  readonly labels: Labels;
  readonly facts: FetchFacts;
  readonly changes: FetchChanges;
  readonly context: ContextSource;
  readonly conversation: FetchConversation;
  readonly readComments: ReadComments;
  readonly ownName: FetchOwnName;
  readonly evaluate: Evaluate;
  readonly reserve: Reserve;
  /** The config in force equals the operator's files (CFG-1). */
  readonly isConfigCurrent: () => boolean;
  /** How long the final check before a send holds (F-35). */
  readonly freshMs: number;
  readonly running: RunRegistry;
  readonly factsCache: FactsCache;
  /** Undefined: the offline responder answers. */
  readonly ask: AskModel | undefined;
  /** Answers an incident if no model is configured; for the demo. */
  readonly prepared?: ((incident: { readonly title: string }) => AskModel | undefined) | undefined;
  readonly calendar: ReadCalendar | undefined;
  /** Undefined without the App for patches. */
  readonly patches: PatchReader | undefined;
  readonly redact: Redact;
  readonly markdown: Markdown;
  /** What comments are drawn with beside their rows, as a hash: the program, the operator's file, the known secrets. */
  readonly drawnWith: () => string;
  /** Signs the audit's head. */
  readonly notary: Notary | undefined;
  readonly now: () => Date;
}

export interface RepoContext {
  readonly context: RepoFiles;
  readonly rules: RepoPolicy;
}

/** Fetches a repository's rules and texts, from the cache or by one GraphQL request. */
export async function loadRepoContext(
  deps: Deps,
  repo: { installationId: number; repo: string },
): Promise<RepoContext> {
  const context = await deps.context.fetch(repo.installationId, repo.repo);
  const rules = rulesFor(deps, repo.repo, context);
  if (context.rules) return { context, rules };
  const instead = "the agent uses its built-in instructions alone";
  // Starts with a word, because some bots take a leading dot for a command (INJ-2).
  const note =
    context.rulesFault === undefined
      ? `ℹ️ ${rulesPath} is missing or empty: ${instead}. To add rules: Countersign's ${rulesStarter}`
      : `The file ${rulesPath} ${context.rulesFault}: ${instead}`;
  return { context, rules: { ...rules, notes: [...rules.notes, note] } };
}

/** Applies the newest config to files read earlier. */
export const withRulesNow = (deps: Deps, repoContext: RepoContext, repo: string): RepoContext => ({
  ...repoContext,
  rules: rulesFor(deps, repo, repoContext.context),
});

/**
 * Returns rules and texts at GitHub's current commit, because the push webhook may have reached another process or none. Undefined if
 * GitHub does not show the files.
 */
export async function repoContextAt(
  deps: Deps,
  known: RepoContext,
  place: { installationId: number; repo: string },
  commit: string | null,
): Promise<RepoContext | undefined> {
  if (known.context.commit === commit) return known;
  deps.context.drop(place.repo);
  const now = await loadRepoContext(deps, place).catch(() => undefined);
  return now?.context.commit === commit ? now : undefined;
}

/** The rules without the repository's files: enough to draw and to stop, not to start. */
export const rulesAlone = ({ config }: Pick<Deps, "config">, repo: string): Pick<RepoContext, "rules"> => ({
  rules: restrict(config, repo, undefined),
});

/** Restricts the operator's rules by the repository's config file. */
export function rulesFor(deps: Pick<Deps, "config">, repo: string, { config }: RepoFiles): RepoPolicy {
  if (!config) return restrict(deps.config, repo, undefined);
  const parsed = parseRepoConfig(config.text, config.path);
  if (parsed.ok) return restrict(deps.config, repo, parsed.config);
  const rules = restrict(deps.config, repo, undefined);
  // A broken file must not grant more than its owners intend.
  const notes = parsed.problems.map(
    (problem) => `The file ${problem.place}: ${problem.message}; until it is fixed, no server can be used`,
  );
  const none = { lease: { ...rules.lease, servers: [] }, opening: { ...rules.opening, servers: [] } };
  return { ...rules, servers: [], ...none, notes: [...rules.notes, ...notes] };
}
