import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
import { isOlderThan, sleep } from "../base/clock.ts";
import { reached } from "../base/crash-point.ts";
import {
  type ApprovalRecord,
  type Capture,
  type Ending,
  type ExecOrder,
  type ExecResult,
  type Reserve,
  type Stopper,
  shielded,
  stopperIn,
} from "../base/run.ts";
import { createReserve, isFoundAgain, type SentOrder } from "../base/runner.ts";
import type { PatchPlace } from "../base/server.ts";
import { endUnknown } from "../base/unknown.ts";
import { type CommitFacts, describeTrouble, type FoundPull, type PatchGitHub } from "./github.ts";
import type { FilePatch } from "./parse.ts";
import { applyPatch, type ChangedFile, pathsToRead, writePatch } from "./patch.ts";
import { type FolderEntry, type Folders, type PatchPlan, readPatchPlan, sizeOf } from "./plan.ts";

interface PatchesOptions {
  /** Undefined without a second App. */
  readonly github: PatchGitHub | undefined;
  readonly createCapture: () => { readonly push: (chunk: Uint8Array) => void; readonly finish: () => Capture };
  /** Maximum age of the last check when the first write begins. */
  readonly freshMs: number;
  readonly limits?: Partial<PatchLimits>;
}

interface PatchLimits {
  /** No write begins later than this after the last check. */
  readonly writeMs: number;
  /** What is not there by then, an earlier process did not make and will not: longer than it may write, and a request may take. */
  readonly settleMs: number;
  /** Between two looks. */
  readonly lookMs: number;
}

const defaultLimits: PatchLimits = { writeMs: 15_000, settleMs: 20_000, lookMs: 1_000 };

export interface PatchRunner {
  readonly reserve: Reserve;
  readonly close: () => void;
}

/** All that is known before the first write. */
interface ReadyPatch {
  readonly plan: PatchPlan;
  readonly files: readonly FilePatch[];
  readonly changed: readonly ChangedFile[];
  /** Of the commit that it is for. */
  readonly treeBefore: string;
  readonly tree: string;
}

type PatchWay =
  | { readonly ok: true; readonly github: PatchGitHub; readonly place: PatchPlace; readonly ready: ReadyPatch }
  | { readonly ok: false; readonly reason: string };

/** Makes the runner of patches: a branch and a draft pull request, at most once for each job. */
export function createPatches(options: PatchesOptions): PatchRunner {
  const { github, freshMs } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const closing = new AbortController();
  const reserve = createReserve<PatchWay>({
    freshMs,
    open: (order) => openPatch(github, order),
    // Opening takes several requests; the base is read again by `whyRefused`.
    isCurrent: (way, openedAt) => way.ok && !isOlderThan(keptMs, openedAt),
    whyRefused: async (way, order, signal) => {
      if (signal.aborted || isFoundAgain(order)) return undefined;
      if (!way.ok) return way.reason;
      const { place, ready } = way;
      return readMove(way.github, place, ready.plan).catch((error: unknown) => describeTrouble(error, place).reason);
    },
    start: async (way, sent) => {
      const started = performance.now();
      const { watch, order } = sent;
      const means = { github, limits, closing: closing.signal };
      const act = isFoundAgain(order) ? findAgain : propose;
      const { ending, text = "" } = await act(means, way, sent).catch((error: unknown): PatchEnd => {
        const branch = way.ok ? way.ready.plan.branch : "";
        return { ending: endUnknown("patch-not-confirmed", { what: String(error), branch }) };
      });
      const capture = options.createCapture();
      const output = Buffer.from(text);
      capture.push(output);
      shielded(watch.onOutput)(output);
      return {
        ending,
        capture: capture.finish(),
        durationMs: Math.round(performance.now() - started),
        housekeeping: [],
      } satisfies ExecResult;
    },
    close: () => {},
  });
  return {
    reserve,
    close: () => closing.abort({ by: "the bot, which stops,", operator: true } satisfies Stopper),
  };
}

const keptMs = 30_000;

interface PatchMeans {
  readonly github: PatchGitHub | undefined;
  readonly limits: PatchLimits;
  /** The next process finds the branch, and the pull request is only missing if this one leaves it so: it stops nothing halfway. */
  readonly closing: AbortSignal;
}

interface PatchEnd {
  readonly ending: Ending;
  readonly text?: string;
}

const short = (commit: string): string => commit.slice(0, 7);

/** Reads only. Never throws. */
async function openPatch(github: PatchGitHub | undefined, order: ExecOrder): Promise<PatchWay> {
  const { server, wrapped } = order;
  const { patches: place } = server;
  if (!place) return { ok: false, reason: `${server.name} takes no patches` };
  if (!github) return { ok: false, reason: "there is no App for patches: the bot was started without one" };
  const read = readPatchPlan(wrapped, place);
  if (!read.ok) return read;
  const { plan, files } = read;
  try {
    const noAccess = await github.whyNoAccess(place);
    if (noAccess !== undefined) return { ok: false, reason: noAccess };
    // What was sent before stands on the commit of then.
    if (!isFoundAgain(order)) {
      const moved = await readMove(github, place, plan);
      if (moved !== undefined) return { ok: false, reason: moved };
    }
    const at = await github.readFiles(place, plan.commit, pathsToRead(files));
    const applied = applyPatch(files, at.files);
    if (!applied.ok) return applied;
    const { files: changed } = applied;
    // A card's code block, which an approval is compared with, has no empty last line.
    if (writePatch(plan.commit, changed).trimEnd() !== plan.patch.trimEnd())
      return { ok: false, reason: "the patch has another result than the one that was approved" };
    // The id of the root tree that results. Computed here, so that one comparison proves what GitHub made: each file's bytes and mode, and
    // that nothing else has changed. `folders` has each folder above a changed file that is there.
    const tree = treeOf("", at.folders, changed) ?? idOf("tree", Buffer.alloc(0));
    const ready = { plan, files, changed, treeBefore: at.tree, tree };
    const way = { ok: true, github, place, ready } as const;
    if (!isFoundAgain(order)) {
      const head = await github.findBranch(place, plan.branch);
      if (head !== undefined && !(await isOursBehind(way, head)))
        return { ok: false, reason: `the branch ${plan.branch} is there already, with another content` };
    }
    return way;
  } catch (error) {
    return { ok: false, reason: describeTrouble(error, place).reason };
  }
}

type OpenWay = Extract<PatchWay, { ok: true }>;

async function readMove(github: PatchGitHub, place: PatchPlace, plan: PatchPlan): Promise<string | undefined> {
  const head = await github.headOf(place);
  return head === plan.commit
    ? undefined
    : `${place.base} of ${place.repository} has moved from ${short(plan.commit)} to ${short(head)}`;
}

/** The commit that this patch makes; its author and time are GitHub's. */
const isOurs = ({ plan, tree }: ReadyPatch, commit: CommitFacts): boolean =>
  commit.tree === tree && commit.parents.length === 1 && commit.parents[0] === plan.commit;

/** Somebody may have pushed to it since. */
const isOursBehind = async ({ github, place, ready }: OpenWay, from: string): Promise<boolean> =>
  (await github.readCommits(place, from)).some((commit) => isOurs(ready, commit));

/** Sends it: what cannot be seen first, then the branch, then the pull request. */
async function propose(
  { limits, closing }: PatchMeans,
  way: PatchWay,
  { order, watch, asOf }: SentOrder,
): Promise<PatchEnd> {
  const signal = AbortSignal.any([watch.signal, closing]);
  const began = performance.now();
  // Two clocks: one may be set back while this process is paused, and the other may stand still.
  const isYoung = (): boolean => !isOlderThan(limits.writeMs, asOf) && performance.now() - began <= limits.writeMs;
  const mayStill = (): boolean => !signal.aborted && isYoung();
  reached("CP10");
  if (signal.aborted) return notStarted(signal);
  if (!way.ok) return unreachable(way.reason);
  const { github, place, ready } = way;
  const { plan } = ready;
  const words = wordsOf(ready, order.approval);
  const whyNot = (failed: Exclude<Awaited<ReturnType<PatchGitHub["createTree"]>>, { kind: "done" }>): PatchEnd => {
    if (failed.kind !== "late") return unreachable(failed.reason);
    return signal.aborted ? notStarted(signal) : unreachable(tooLate);
  };

  const tree = await github.createTree(
    place,
    { base: ready.treeBefore, files: ready.changed.map(({ path, mode, after }) => ({ path, mode, text: after })) },
    mayStill,
  );
  if (tree.kind !== "done") return whyNot(tree);
  if (tree.data !== ready.tree) return unreachable("GitHub made other files of the patch than those approved");
  const newCommit = { tree: ready.tree, parent: plan.commit, message: words.message };
  const commit = await github.createCommit(place, newCommit, mayStill);
  if (commit.kind !== "done") return whyNot(commit);

  // From here on something of it may be seen.
  if (mayStill()) shielded(watch.onSent)();
  const branch = await createBranch(way, { commit: commit.data, mayStill, limits });
  if (branch.kind === "none") return signal.aborted ? notStarted(signal) : unreachable(branch.reason);
  if (branch.kind === "unknown")
    return { ending: endUnknown("patch-not-confirmed", { what: branch.what, branch: plan.branch }) };
  reached("CP11");
  const own = watch.signal;
  return finish(way, words, { signal: own, mayStill: () => !own.aborted && isYoung(), limits });
}

type BranchEnd =
  | { readonly kind: "made" }
  /** It certainly is not there, or is not ours. */
  | { readonly kind: "none"; readonly reason: string }
  | { readonly kind: "unknown"; readonly what: string };

const tooLate = "the last check was too old before the branch was made";

/** The name makes it happen at most once, so a lost answer allows to ask again. */
async function createBranch(
  way: OpenWay,
  input: { readonly commit: string; readonly mayStill: () => boolean; readonly limits: PatchLimits },
): Promise<BranchEnd> {
  const { github, place, ready } = way;
  const { branch } = ready.plan;
  const { commit, mayStill, limits } = input;
  const began = performance.now();
  let isLost = false;
  for (;;) {
    const written = await github.createBranch(place, { branch, commit }, mayStill);
    if (written.kind === "done") return { kind: "made" };
    if (written.kind === "refused" && !isLost && written.status !== 422)
      return { kind: "none", reason: written.reason };
    if (written.kind === "late" && !isLost) return { kind: "none", reason: tooLate };
    isLost ||= written.kind === "lost";
    const what = written.kind === "late" ? tooLate : written.reason;
    const seen = await lookForBranch(way);
    if (seen === "ours") return { kind: "made" };
    if (seen === "foreign")
      return { kind: "none", reason: `the branch ${branch} is there already, with another content` };
    // Of a branch that GitHub names, its copies may show nothing yet.
    isLost ||= /already exists/i.test(what);
    if (seen === "none") {
      if (!isLost) return { kind: "none", reason: what };
      if (performance.now() - began > limits.settleMs)
        return { kind: "none", reason: `it never began: ${what}, and the branch ${branch} is not there` };
    } else if (performance.now() - began > limits.settleMs) return { kind: "unknown", what };
    await sleep(limits.lookMs);
  }
}

type BranchLook = "ours" | "foreign" | "none" | "unseen";

async function lookForBranch(way: OpenWay): Promise<BranchLook> {
  try {
    const head = await way.github.findBranch(way.place, way.ready.plan.branch);
    if (head === undefined) return "none";
    return (await isOursBehind(way, head)) ? "ours" : "foreign";
  } catch {
    return "unseen";
  }
}

interface FinishOptions {
  readonly signal: AbortSignal;
  readonly mayStill: () => boolean;
  readonly limits: PatchLimits;
}

/** The branch is there. GitHub takes one open pull request for it. */
async function finish(way: OpenWay, words: PullWords, options: FinishOptions): Promise<PatchEnd> {
  const { github, place, ready } = way;
  const { signal, mayStill, limits } = options;
  const { branch } = ready.plan;
  let what = "";
  let isLost = false;
  const began = performance.now();
  for (;;) {
    const found = await lookForPull(way);
    if (typeof found === "object") return made(ready, found);
    if (found === "none") {
      const written = await github.createPull(place, { branch, ...words.pull }, mayStill);
      if (written.kind === "done") return made(ready, written.data);
      if (written.kind === "late") {
        if (isLost) return { ending: endUnknown("patch-not-confirmed", { what, branch }) };
        if (!signal.aborted) return onlyBranch(ready, "the last check was too old before the pull request was opened");
        const { by, operator } = stopperIn(signal);
        return onlyBranch(ready, `${operator ? by : `\`@${by}\``} stopped it before the pull request was opened`);
      }
      what = written.reason;
      isLost ||= written.kind === "lost";
      if (written.kind === "refused" && !isLost) {
        const other = await lookForPull(way);
        return typeof other === "object" ? made(ready, other) : onlyBranch(ready, written.reason);
      }
    } else what ||= "GitHub does not show its pull requests";
    if (performance.now() - began > limits.settleMs)
      return { ending: endUnknown("patch-not-confirmed", { what, branch }) };
    await sleep(limits.lookMs);
  }
}

async function lookForPull({ github, place, ready }: OpenWay): Promise<FoundPull | "none" | "unseen"> {
  try {
    return (await github.findPull(place, ready.plan.branch)) ?? "none";
  } catch {
    return "unseen";
  }
}

/** An earlier process sent it: found and finished, or certainly not there. */
async function findAgain(means: PatchMeans, opened: PatchWay, { order, watch }: SentOrder): Promise<PatchEnd> {
  const { github, limits, closing } = means;
  const signal = AbortSignal.any([watch.signal, closing]);
  const began = performance.now();
  const unknown = (what: string): PatchEnd => ({
    ending: endUnknown("patch-not-confirmed", { what, branch: branchIn(order) }),
  });
  let way = opened;
  for (;;) {
    if (signal.aborted) return unknown("The bot was stopped while it looked for the branch");
    // By this process's own time, because the clock of the one that sent it may have been another.
    const elapsed = performance.now() - began;
    const seen: FoundPatch = way.ok ? await lookAgain(way) : { kind: "unseen", why: way.reason };
    if (way.ok && seen.kind === "pull") return made(way.ready, seen.pull);
    if (seen.kind === "foreign") return unknown(seen.why);
    if (way.ok && seen.kind === "branch") {
      const looked = performance.now();
      const mayStill = (): boolean => !signal.aborted && performance.now() - looked <= limits.writeMs;
      return finish(way, wordsOf(way.ready, order.approval), { signal, mayStill, limits });
    }
    if (seen.kind === "none" && elapsed > limits.settleMs)
      return unreachable(`it never began: the branch ${branchIn(order)} is not there`);
    if (seen.kind === "unseen" && elapsed > order.server.hardTimeoutMs) return unknown(seen.why);
    await sleep(limits.lookMs, signal);
    if (!way.ok) way = await openPatch(github, order);
  }
}

type FoundPatch =
  | { readonly kind: "pull"; readonly pull: FoundPull }
  | { readonly kind: "branch" | "none" }
  | { readonly kind: "foreign" | "unseen"; readonly why: string };

async function lookAgain(way: OpenWay): Promise<FoundPatch> {
  // A pull request outlives its branch.
  const pull = await lookForPull(way);
  if (typeof pull === "object") {
    const commits = await way.github.readPullCommits(way.place, pull.number).catch(() => undefined);
    if (!commits) return { kind: "unseen", why: "GitHub does not show the commits of its pull request" };
    return commits.some((commit) => isOurs(way.ready, commit))
      ? { kind: "pull", pull }
      : { kind: "foreign", why: `The pull request ${pull.url} of that branch has another content` };
  }
  if (pull === "unseen") return { kind: "unseen", why: "GitHub does not show its pull requests" };
  const branch = await lookForBranch(way);
  if (branch === "foreign") return { kind: "foreign", why: "The branch has another content" };
  if (branch === "unseen") return { kind: "unseen", why: "GitHub does not show whether its branch is there" };
  return { kind: branch === "ours" ? "branch" : "none" };
}

/** For a plan that cannot be used any more. */
const branchIn = ({ wrapped }: ExecOrder): string => /"branch":"([^"]+)"/.exec(wrapped)?.[1] ?? "not known";

const unreachable = (reason: string): PatchEnd => ({ ending: { kind: "unreachable", reason } });

const notStarted = (signal: AbortSignal): PatchEnd => ({
  ending: { kind: "cancelled", ...stopperIn(signal), note: "it had not been started" },
});

function made(ready: ReadyPatch, { url, state, draft, head }: FoundPull): PatchEnd {
  const { plan, files } = ready;
  const lines = [
    `${draft ? "draft " : ""}pull request ${url}${state === "open" ? "" : `, ${state}`}`,
    `branch ${plan.branch}, commit ${short(head)}, ${sizeOf(files)}, on ${plan.base} at ${short(plan.commit)}`,
  ];
  return { ending: { kind: "exited", code: 0 }, text: `${lines.join("\n")}\n` };
}

/** Known, and not all of it. */
function onlyBranch({ plan, files }: ReadyPatch, why: string): PatchEnd {
  const lines = [
    `no pull request: ${why}`,
    `the branch ${plan.branch} is there: ${sizeOf(files)}, on ${plan.base} at ${short(plan.commit)}`,
  ];
  return { ending: { kind: "exited", code: 1 }, text: `${lines.join("\n")}\n` };
}

interface PullWords {
  readonly message: string;
  readonly pull: { readonly title: string; readonly body: string };
}

/** Titles come from the model: one line that mentions and closes nothing. */
const plainLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .replace(/@|#|:(?=\/\/)/g, "$&\u2060")
    .trim()
    .slice(0, 120);

/** As it is, in a fence, in which GitHub links and closes nothing. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text.trim().slice(0, 2_000)}\n${fence}\n\n`;
}

function wordsOf({ plan, files }: ReadyPatch, approval: ApprovalRecord | undefined): PullWords {
  const what = files.length === 1 ? files[0]?.path : `${files.length} files`;
  const title = plainLine(approval?.title ?? "") || plainLine(`Change ${what}`);
  const source = approval ? `Action ${approval.number} of ${approval.issue}` : "An action of Countersign";
  const by = (approval?.by ?? []).map((login) => `@${login}`).join(", ");
  const sentence = `${source}${by === "" ? "" : `, approved by ${by}`}.`;
  const about = approval?.description.trim() ? fenced(approval.description) : "";
  const size = `${sizeOf(files)}, on \`${plan.base}\` at ${plan.commit}.`;
  return {
    message: `${title}\n\n${sentence}\n`,
    pull: {
      title,
      body: `${sentence}\n\n${about}${size} Countersign never merges: review it, and merge or close it.\n`,
    },
  };
}

const folderMode = "040000";

/** Undefined if the folder is empty: git knows none. */
function treeOf(folder: string, folders: Folders, changed: readonly ChangedFile[]): string | undefined {
  const entries = new Map((folders.get(folder) ?? []).map((entry) => [entry.name, entry]));
  const prefix = folder === "" ? "" : `${folder}/`;
  const below = changed.filter(({ path }) => path.startsWith(prefix));
  for (const [name, files] of Map.groupBy(below, ({ path }) => path.slice(prefix.length).split("/")[0] ?? "")) {
    const path = `${prefix}${name}`;
    const own = files.find((file) => file.path === path);
    const made = own ? own.after !== undefined && idOf("blob", Buffer.from(own.after)) : treeOf(path, folders, files);
    if (made) entries.set(name, { name, mode: own?.mode ?? folderMode, id: made });
    else entries.delete(name);
  }
  if (entries.size === 0) return undefined;
  // git sorts a folder as if its name ended in a slash.
  const sortKey = ({ name, mode }: FolderEntry): Buffer => Buffer.from(mode === folderMode ? `${name}/` : name);
  const sorted = [...entries.values()].toSorted((one, other) => Buffer.compare(sortKey(one), sortKey(other)));
  const bytes = sorted.flatMap((entry) => [
    Buffer.from(`${entry.mode.replace(/^0/, "")} ${entry.name}\0`),
    Buffer.from(entry.id, "hex"),
  ]);
  return idOf("tree", Buffer.concat(bytes));
}

const idOf = (kind: "blob" | "tree", bytes: Buffer): string =>
  createHash("sha1").update(`${kind} ${bytes.length}\0`).update(bytes).digest("hex");
