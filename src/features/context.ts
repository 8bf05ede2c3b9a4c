import type { Logger } from "pino";
import type { AskModel } from "../agent/wire/model.ts";
import type { Reserve } from "../base/run.ts";
import { type Config, parseRepoConfig, type RepoPolicy, restrict } from "../config/load.ts";
import type { FetchOwnName } from "../github/app/own-name.ts";
import type { FetchChanges } from "../github/changes.ts";
import type { Comments } from "../github/comments.ts";
import { rulesPath, rulesStarter } from "../github/context/plan.ts";
import type { RepoFiles } from "../github/context/read.ts";
import type { ContextSource } from "../github/context/source.ts";
import type { FetchConversation } from "../github/conversation.ts";
import type { FetchFacts } from "../github/facts.ts";
import type { ReadComments } from "../github/issue-comments.ts";
import type { Issues } from "../github/issues.ts";
import type { Labels } from "../github/labels.ts";
import type { Markdown } from "../github/render/ink.ts";
import type { ReadCalendar } from "../pager/fetch.ts";
import type { Evaluate } from "../risk/evaluate.ts";
import type { Notary } from "../store/audit/checkpoint.ts";
import type { Store } from "../store/database/open.ts";
import type { Redact } from "../text/redact.ts";
import type { RunRegistry } from "./run/run-registry.ts";
import type { FactsCache } from "./turn/facts-cache.ts";

/** Everything a feature needs of the outside, made once in `service/start.ts` (or by a test). */
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
  /** Whether the config in force is the one that stands in the operator's files at this moment (CFG-1). */
  readonly isConfigCurrent: () => boolean;
  readonly running: RunRegistry;
  readonly factsCache: FactsCache;
  /** Nothing where no model is configured: the offline responder answers. */
  readonly ask: AskModel | undefined;
  /** The operator's calendar of who is on call; nothing where none is configured. */
  readonly calendar: ReadCalendar | undefined;
  readonly redact: Redact;
  readonly markdown: Markdown;
  /** Signs how far the audit has come; nothing where the operator gave no key. */
  readonly notary: Notary | undefined;
  readonly now: () => Date;
}

/** What is known of a repository: its context files and the operator's rules as the repo's own file narrows them. */
export interface RepoContext {
  readonly context: RepoFiles;
  readonly rules: RepoPolicy;
}

/** Fetches a repository's rules and texts: from the cache, or by one GraphQL request. A broken repo file narrows nothing and is told. */
export async function loadRepoContext(
  deps: Deps,
  repo: { installationId: number; repo: string },
): Promise<RepoContext> {
  const context = await deps.context.fetch(repo.installationId, repo.repo);
  const rules = rulesFor(deps, repo.repo, context);
  return { context, rules: { ...rules, notes: [...rules.notes, ...noteOfRules(context)] } };
}

/** The same as the operator's newest config has it; the repository's files as they were read. */
export const withRulesNow = (deps: Deps, repoContext: RepoContext, repo: string): RepoContext => ({
  ...repoContext,
  rules: rulesFor(deps, repo, repoContext.context),
});

/**
 * The same at the commit that GitHub has now: read anew where it is of another one, since a push may have told another process,
 * or nobody. Nothing where GitHub does not show that commit's files.
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

/** INJ-2: one line on the board, and the work goes on. It begins with a word: a line that begins with a dot is a bot's command. */
function noteOfRules({ rules, rulesFault }: RepoFiles): readonly string[] {
  if (rules) return [];
  const instead = "the agent uses its built-in instructions alone";
  // It may be left out, so that is no warning.
  return rulesFault === undefined
    ? [`ℹ️ ${rulesPath} is missing or empty: ${instead}. To add rules: Countersign's ${rulesStarter}`]
    : [`The file ${rulesPath} ${rulesFault}: ${instead}`];
}

/** What is left where GitHub tells nothing of a repository: enough to draw, and to stop things, not to begin any. */
export const rulesAlone = ({ config }: Pick<Deps, "config">, repo: string): Pick<RepoContext, "rules"> => ({
  rules: restrict(config, repo, undefined),
});

/** The operator's rules for a repository as its own file narrows them. */
export function rulesFor(deps: Pick<Deps, "config">, repo: string, { config }: RepoFiles): RepoPolicy {
  if (!config) return restrict(deps.config, repo, undefined);
  const parsed = parseRepoConfig(config.text, config.path);
  if (parsed.ok) return restrict(deps.config, repo, parsed.config);
  const rules = restrict(deps.config, repo, undefined);
  // A file that was meant to narrow and cannot be read must not leave the repo wider than its owners believe: nothing runs.
  const notes = parsed.problems.map(
    (problem) => `The file ${problem.place}: ${problem.message}; until it is fixed, no server can be used`,
  );
  return { ...rules, servers: [], lease: { ...rules.lease, servers: [] }, notes: [...rules.notes, ...notes] };
}
