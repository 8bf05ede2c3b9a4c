import { isOlderThan } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
import { patchRights } from "../base/github.ts";
import { isRecord } from "../base/json.ts";
import type { PatchPlace } from "../base/server.ts";
import { wholeAnswer } from "../base/whole-answer.ts";
import type { Client, Octokit } from "../github/client.ts";
import type { CommitFile } from "./patch.ts";
import type { FolderEntry, Folders } from "./plan.ts";

/** The second App at GitHub: what it reads, and its four writes. */

const readRights = { ...patchRights, contents: "read", pull_requests: "read" } as const;
const writeRights = { contents: "write", pull_requests: "write" } as const;

/** GitHub shows no text of a larger file in one answer. */
const mostFileBytes = 1_000_000;
/** Answers hold files in base64, and folders with many entries. */
export const mostAnswerBytes = 8 * 1024 * 1024;
const requestMs = 10_000;

/** What GitHub refused or did not answer, in words that continue a sentence. */
export interface GitHubTrouble {
  readonly kind: "refused" | "lost";
  readonly status: number | undefined;
  readonly reason: string;
}

/** Throws as GitHub fails, except where it says so; `describeTrouble` has the words. */
export interface PatchGitHub {
  /** Why the App may not write there; undefined if it may. */
  readonly whyNoAccess: (place: PatchPlace) => Promise<string | undefined>;
  readonly headOf: (place: PatchPlace) => Promise<string>;
  readonly readFiles: (place: PatchPlace, commit: string, paths: readonly string[]) => Promise<ReadCommit>;
  /** Undefined if there is none. */
  readonly findBranch: (place: PatchPlace, branch: string) => Promise<string | undefined>;
  /** The newest, as far as somebody may have pushed since. */
  readonly readCommits: (place: PatchPlace, from: string) => Promise<readonly CommitFacts[]>;
  /** From that branch to the place's base: open, merged or closed. */
  readonly findPull: (place: PatchPlace, branch: string) => Promise<FoundPull | undefined>;
  readonly readPullCommits: (place: PatchPlace, number: number) => Promise<readonly CommitFacts[]>;
  readonly readPull: (place: PatchPlace, number: number) => Promise<PullState>;
  readonly createTree: (place: PatchPlace, input: NewTree, mayStill: () => boolean) => Promise<WriteResult<string>>;
  readonly createCommit: (place: PatchPlace, input: NewCommit, mayStill: () => boolean) => Promise<WriteResult<string>>;
  readonly createBranch: (place: PatchPlace, input: NewBranch, mayStill: () => boolean) => Promise<WriteResult<true>>;
  readonly createPull: (place: PatchPlace, input: NewPull, mayStill: () => boolean) => Promise<WriteResult<FoundPull>>;
}

/** What the features may ask; they never write. Each throws an `Error` whose message has the words. */
export interface PatchReader {
  readonly headOf: PatchGitHub["headOf"];
  /** Undefined if nothing is there. A folder has mode 040000 and no text. */
  readonly readFile: (place: PatchPlace, path: string, commit: string) => Promise<CommitFile | undefined>;
  /** In fewer requests. */
  readonly readFiles: (
    place: PatchPlace,
    paths: readonly string[],
    commit: string,
  ) => Promise<ReadonlyMap<string, CommitFile | undefined>>;
  readonly pullOf: PatchGitHub["readPull"];
}

export function createPatchReader(github: PatchGitHub): PatchReader {
  const inWords =
    <Rest extends readonly unknown[], T>(read: (place: PatchPlace, ...rest: Rest) => Promise<T>) =>
    async (place: PatchPlace, ...rest: Rest): Promise<T> => {
      try {
        return await read(place, ...rest);
      } catch (error) {
        throw new Error((await github.whyNoAccess(place)) ?? describeTrouble(error, place).reason, { cause: error });
      }
    };
  const readFiles = inWords(
    async (place, paths: readonly string[], commit: string) => (await github.readFiles(place, commit, paths)).files,
  );
  return {
    headOf: inWords(github.headOf),
    readFile: async (place, path, commit) => (await readFiles(place, [path], commit)).get(path),
    readFiles,
    pullOf: inWords(github.readPull),
  };
}

interface ReadCommit {
  /** Has an entry for each path that was asked for. */
  readonly files: ReadonlyMap<string, CommitFile | undefined>;
  readonly folders: Folders;
  readonly tree: string;
}

export interface CommitFacts {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

export interface FoundPull {
  readonly number: number;
  readonly url: string;
  readonly state: "open" | "merged" | "closed";
  readonly draft: boolean;
  /** The newest commit of its branch. */
  readonly head: string;
}

export interface PullState extends FoundPull {
  readonly checks: { readonly passed: number; readonly failed: number; readonly pending: number };
  /** Logins, by their last word. */
  readonly reviews: { readonly approved: readonly string[]; readonly changesRequested: readonly string[] };
  readonly mergedAt: Date | undefined;
  /** Of the base branch, once it is merged. */
  readonly mergeCommit: string | undefined;
}

interface NewTree {
  readonly base: string;
  /** Undefined: deleted. */
  readonly files: readonly { readonly path: string; readonly mode: string; readonly text: string | undefined }[];
}
interface NewCommit {
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
}
interface NewBranch {
  readonly branch: string;
  readonly commit: string;
}
interface NewPull {
  readonly branch: string;
  readonly title: string;
  readonly body: string;
}

/** `late`: certainly not sent. */
export type WriteResult<T> = { readonly kind: "done"; readonly data: T } | { readonly kind: "late" } | GitHubTrouble;

interface AppPlace {
  readonly installationId: number;
  readonly rights: Readonly<Record<string, unknown>>;
  readonly isSuspended: boolean;
}

/** How long an installation is remembered. */
const rememberedMs = 60_000;

export function createPatchGitHub({ probot, as }: Pick<Client, "probot" | "as">): PatchGitHub {
  const known = new Map<string, { readonly at: number; readonly app: AppPlace }>();
  const findApp = async (place: PatchPlace): Promise<AppPlace> => {
    const key = place.repository.toLowerCase();
    const before = known.get(key);
    if (before && !isOlderThan(rememberedMs, before.at)) return before.app;
    known.delete(key);
    const octokit = await probot.auth();
    const { data } = await octokit.rest.apps.getRepoInstallation(repoOf(place));
    const app = { installationId: data.id, rights: { ...data.permissions }, isSuspended: data.suspended_at !== null };
    known.set(key, { at: Date.now(), app });
    return app;
  };
  const withRights =
    (reads: Readonly<Record<string, string>>) =>
    async <T>(place: PatchPlace, call: (octokit: Octokit) => Promise<T>): Promise<T> => {
      const { installationId } = await findApp(place);
      try {
        return await as({ installationId, repo: place.repository, reads }, call);
      } catch (error) {
        // It may be another installation, or have other rights, by now.
        if (isAboutToken(error)) known.delete(place.repository.toLowerCase());
        throw error;
      }
    };
  const reading = withRights(readRights);
  const writing = withRights(writeRights);

  /** Tells apart what GitHub has not done from what it may have. */
  const write = async <T>(
    place: PatchPlace,
    mayStill: () => boolean,
    call: (octokit: Octokit, request: { readonly fetch: typeof fetch }) => Promise<T>,
  ): Promise<WriteResult<T>> => {
    const gate = createGate(mayStill);
    try {
      return { kind: "done", data: await writing(place, (octokit) => call(octokit, { fetch: gate.fetch })) };
    } catch (error) {
      return gate.isShut() ? { kind: "late" } : describeTrouble(error, place);
    }
  };

  /** Undefined if it is no folder. */
  const readFolder = async (place: PatchPlace, tree: string): Promise<readonly FolderEntry[]> => {
    const { data } = await reading(place, ({ rest }) => rest.git.getTree({ ...repoOf(place), tree_sha: tree }));
    if (data.truncated) throw new Error(`a folder of ${place.repository} has more entries than GitHub shows`);
    return data.tree.map(({ path = "", mode = "", sha = "", size }) => ({ name: path, mode, id: sha, size }));
  };

  const readText = async (place: PatchPlace, { name, id, size = 0 }: FolderEntry): Promise<string> => {
    if (size > mostFileBytes) throw new Error(`${name} is larger than 1 MB`);
    const { data } = await reading(place, ({ rest }) => rest.git.getBlob({ ...repoOf(place), file_sha: id }));
    // Bytes that are no text make a text with another id, which `applyPatch` refuses.
    return Buffer.from(data.content, "base64").toString("utf8");
  };

  const readFiles: PatchGitHub["readFiles"] = async (place, commit, paths) => {
    const { data } = await reading(place, ({ rest }) => rest.git.getCommit({ ...repoOf(place), commit_sha: commit }));
    const tree = data.tree.sha;
    const folders = new Map<string, readonly FolderEntry[]>();
    const open = async (folder: string, id: string): Promise<readonly FolderEntry[]> => {
      const before = folders.get(folder);
      if (before) return before;
      const read = await readFolder(place, id);
      folders.set(folder, read);
      return read;
    };
    const files = new Map<string, CommitFile | undefined>();
    // One after another: what one reads of folders, the next has.
    for (const path of paths) {
      let entries = await open("", tree);
      const names = path.split("/");
      for (const [at, name] of names.entries()) {
        const entry = entries.find((one) => one.name === name);
        const isLast = at === names.length - 1;
        if (isLast || entry?.mode !== folderMode) {
          const isFile = isLast && entry?.mode.startsWith("1") && entry.mode !== submoduleMode;
          const text = entry && isFile ? await readText(place, entry) : "";
          files.set(path, isLast && entry ? { mode: entry.mode, id: entry.id, text } : undefined);
          break;
        }
        entries = await open(names.slice(0, at + 1).join("/"), entry.id);
      }
    }
    return { files, folders, tree };
  };

  const headOf: PatchGitHub["headOf"] = async (place) => {
    const branch = await findBranch(place, place.base);
    if (branch === undefined) throw new Error(`${place.repository} has no branch ${place.base}`);
    return branch;
  };

  const findBranch: PatchGitHub["findBranch"] = async (place, branch) => {
    try {
      const { data } = await reading(place, ({ rest }) =>
        rest.git.getRef({ ...repoOf(place), ref: `heads/${branch}` }),
      );
      return data.object.sha;
    } catch (error) {
      if (statusOf(error) === 404 && !isAboutToken(error) && urlOf(error).includes("/git/ref/")) return undefined;
      throw error;
    }
  };

  return {
    whyNoAccess: async (place) => {
      try {
        const { rights, isSuspended } = await findApp(place);
        if (isSuspended) return `the App for patches is suspended on ${place.repository}`;
        const missing = Object.entries(patchRights).flatMap(([name, level]) =>
          rights[name] === level || rights[name] === "write" ? [] : [`${name}: ${level}`],
        );
        return missing.length === 0
          ? undefined
          : `the App for patches lacks rights in ${place.repository}: ${missing.join(", ")}`;
      } catch (error) {
        return statusOf(error) === 404
          ? `the App for patches is not installed on ${place.repository}`
          : describeTrouble(error, place).reason;
      }
    },
    headOf,
    readFiles,
    findBranch,
    readCommits: async (place, from) => {
      const { data } = await reading(place, ({ rest }) =>
        rest.repos.listCommits({ ...repoOf(place), sha: from, per_page: 30 }),
      );
      return data.map(factsOf);
    },
    findPull: async (place, branch) => {
      const { owner } = repoOf(place);
      const { data } = await reading(place, ({ rest }) =>
        rest.pulls.list({ ...repoOf(place), head: `${owner}:${branch}`, base: place.base, state: "all" }),
      );
      // GitHub takes a head it does not understand for none, and then lists all.
      const own = data.filter(
        ({ head, base }) =>
          head.ref === branch &&
          base.ref === place.base &&
          head.repo?.full_name.toLowerCase() === place.repository.toLowerCase(),
      );
      const found = own.find(({ state }) => state === "open") ?? own[0];
      return found && pullOf(found);
    },
    readPullCommits: async (place, number) => {
      const { data } = await reading(place, ({ rest }) =>
        rest.pulls.listCommits({ ...repoOf(place), pull_number: number, per_page: 100 }),
      );
      return data.map(factsOf);
    },
    readPull: async (place, number) => {
      const at = repoOf(place);
      return reading(place, async ({ rest }) => {
        const { data: pull } = await rest.pulls.get({ ...at, pull_number: number });
        const ref = pull.head.sha;
        const [runs, status, reviews] = await Promise.all([
          rest.checks.listForRef({ ...at, ref, per_page: 100 }),
          rest.repos.getCombinedStatusForRef({ ...at, ref, per_page: 100 }),
          rest.pulls.listReviews({ ...at, pull_number: number, per_page: 100 }),
        ]);
        const results = [
          ...runs.data.check_runs.map(({ conclusion }) => conclusion),
          ...status.data.statuses.map(({ state }) => (state === "pending" ? null : state)),
        ];
        const count = (fits: (result: string | null) => boolean): number => results.filter(fits).length;
        const passing = ["success", "neutral", "skipped"];
        const words = new Map<string, string>();
        for (const { user, state } of reviews.data)
          if (user && state !== "COMMENTED" && state !== "PENDING") words.set(user.login, state);
        const who = (state: string): readonly string[] =>
          [...words].flatMap(([by, said]) => (said === state ? by : []));
        return {
          ...pullOf(pull),
          checks: {
            passed: count((result) => result !== null && passing.includes(result)),
            failed: count((result) => result !== null && !passing.includes(result)),
            pending: count((result) => result === null),
          },
          reviews: { approved: who("APPROVED"), changesRequested: who("CHANGES_REQUESTED") },
          mergedAt: pull.merged_at === null ? undefined : new Date(pull.merged_at),
          mergeCommit: pull.merged_at === null ? undefined : (pull.merge_commit_sha ?? undefined),
        };
      });
    },
    createTree: (place, { base, files }, mayStill) =>
      write(place, mayStill, async ({ rest }, request) => {
        const tree = files.map(({ path, mode, text }) => ({
          path,
          mode: mode as "100644" | "100755",
          type: "blob" as const,
          ...(text === undefined ? { sha: null } : { content: text }),
        }));
        return (await rest.git.createTree({ ...repoOf(place), base_tree: base, tree, request })).data.sha;
      }),
    createCommit: (place, { tree, parent, message }, mayStill) =>
      write(place, mayStill, async ({ rest }, request) => {
        const input = { ...repoOf(place), message, tree, parents: [parent], request };
        return (await rest.git.createCommit(input)).data.sha;
      }),
    createBranch: (place, { branch, commit }, mayStill) =>
      write(place, mayStill, async ({ rest }, request) => {
        await rest.git.createRef({ ...repoOf(place), ref: `refs/heads/${branch}`, sha: commit, request });
        return true as const;
      }),
    createPull: (place, { branch, title, body }, mayStill) =>
      write(place, mayStill, async ({ rest }, request) => {
        const input = { head: branch, base: place.base, title, body, draft: true, request };
        return pullOf((await rest.pulls.create({ ...repoOf(place), ...input })).data);
      }),
  };
}

const folderMode = "040000";
const submoduleMode = "160000";

function repoOf({ repository }: PatchPlace): { readonly owner: string; readonly repo: string } {
  const [owner = "", repo = ""] = repository.split("/");
  return { owner, repo };
}

interface GivenCommit {
  readonly sha: string;
  readonly commit: { readonly tree: { readonly sha: string } };
  readonly parents: readonly { readonly sha: string }[];
}

const factsOf = ({ sha, commit, parents }: GivenCommit): CommitFacts => ({
  id: sha,
  tree: commit.tree.sha,
  parents: parents.map((parent) => parent.sha),
});

interface GivenPull {
  readonly number: number;
  readonly html_url: string;
  readonly state: string;
  readonly draft?: boolean | undefined;
  readonly merged_at: string | null;
  readonly head: { readonly sha: string };
}

const pullOf = ({ number, html_url: url, state, draft = false, merged_at: mergedAt, head }: GivenPull): FoundPull => ({
  number,
  url,
  state: mergedAt !== null ? "merged" : state === "open" ? "open" : "closed",
  draft,
  head: head.sha,
});

/**
 * Releases a request's body only if it may still be sent. Asked in the tick in which the bytes leave, because connecting takes time, and a
 * process that was paused may go on long after.
 */
function createGate(mayStill: () => boolean): { readonly fetch: typeof fetch; readonly isShut: () => boolean } {
  let isShut = false;
  return {
    isShut: () => isShut,
    fetch: async (input, init) => {
      const bytes = Buffer.from(String(init?.body ?? ""));
      const body = new ReadableStream<Uint8Array>(
        {
          pull: (controller) => {
            if (!mayStill()) {
              isShut = true;
              controller.error(new Error("it is too late to send this"));
              return;
            }
            controller.enqueue(bytes);
            controller.close();
          },
        },
        // Else it would be asked before there is a connection.
        { highWaterMark: 0 },
      );
      const headers = new Headers(init?.headers);
      headers.set("content-length", String(bytes.length));
      const signal = AbortSignal.timeout(requestMs);
      const answer = await fetch(input, { ...init, headers, body, duplex: "half", redirect: "error", signal });
      return wholeAnswer(answer, mostAnswerBytes);
    },
  };
}

/** Undefined without an answer. */
const statusOf = (error: unknown): number | undefined =>
  isRecord(error) && typeof error.status === "number" ? error.status : undefined;

const urlOf = (error: unknown): string =>
  isRecord(error) && isRecord(error.request) && typeof error.request.url === "string" ? error.request.url : "";

const isAboutToken = (error: unknown): boolean => urlOf(error).includes("/access_tokens");

/** Octokit gives 500 to a request without an answer. */
export function describeTrouble(error: unknown, { repository }: PatchPlace): GitHubTrouble {
  const status = statusOf(error);
  const says = messageOf(error).slice(0, 200);
  if (status === undefined || status >= 500) {
    const isAnswer = isRecord(error) && error.response !== undefined;
    const reason = isAnswer
      ? `GitHub answered ${status}`
      : status === undefined
        ? says
        : `GitHub did not answer: ${says}`;
    return { kind: "lost", status, reason };
  }
  const refused = (reason: string): GitHubTrouble => ({ kind: "refused", status, reason });
  if (status === 429 || (status === 403 && /rate limit|abuse/i.test(says))) return refused("GitHub's rate limit");
  if (status === 401) return refused("GitHub does not take the key of the App for patches");
  if (/suspended/i.test(says)) return refused(`the App for patches is suspended on ${repository}`);
  if (isAboutToken(error)) return refused(`the App for patches has not the rights in ${repository}: ${says}`);
  if (status === 403) return refused(`the App for patches may not do that in ${repository}: ${says}`);
  return refused(`GitHub answered ${status}: ${says}`);
}
