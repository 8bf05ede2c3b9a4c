import type { Selectable } from "kysely";
import type { EmulatedGitHub } from "../../emulator/start.ts";
import type { Risk } from "../../src/base/risk.ts";
import { type AuditRow, auditRows, type Verification, verifyAudit } from "../../src/store/audit/chain.ts";
import type { Db } from "../../src/store/database/open.ts";
import type { Tables } from "../../src/store/database/tables.ts";
import { nextUnsolicitedAt } from "../../src/store/outbox/notices.ts";
import { whyOf } from "../../src/store/outbox/thread-comments.ts";
import { type JobRow, jobsIn } from "../store/jobs.ts";

type Row<T extends keyof Tables> = Selectable<Tables[T]>;

/** What the store holds of a life of the bot. */
export interface Kept {
  readonly audit: readonly AuditRow[];
  readonly chain: Verification;
  readonly incidents: readonly Row<"incident">[];
  readonly actions: readonly Row<"action">[];
  readonly approvals: readonly Row<"approval">[];
  readonly batches: readonly Row<"batch">[];
  readonly runs: readonly Row<"run">[];
  /** `mayWait`: nobody asked for it, so it keeps its distance from the one before. */
  readonly comments: readonly (Row<"comment"> & { readonly mayWait: boolean })[];
  readonly reactions: readonly Row<"reaction">[];
  readonly deliveries: readonly Row<"delivery">[];
  readonly jobs: readonly JobRow[];
}

/** A comment as GitHub has it. */
export interface Written {
  readonly id: number;
  readonly login: string;
  readonly body: string;
}

/** A comment of a person, and what it got. */
export interface Remark {
  readonly id: number;
  readonly repo: string;
  readonly issue: number;
  readonly by: string;
  readonly body: string;
  readonly changed?: "edited" | "deleted" | undefined;
  /** `outcome`: that it was seen, how it went, and what is wrong where something is; `answer`: any; `silence`: none. */
  readonly wants?: "outcome" | "answer" | "silence" | undefined;
  readonly reactions: readonly string[];
}

/** A life of the bot that is over, as rows: what its store, GitHub and the servers hold of it. So that a fault can be planted in it. */
export interface History extends Kept {
  readonly issues: readonly {
    readonly repo: string;
    readonly number: number;
    /** Deleted, or moved away: nobody can read or write anything there. */
    readonly isGone?: boolean;
    /** Oldest first. */
    readonly comments: readonly Written[];
  }[];
  readonly remarks: readonly Remark[];
  /** Under which GUIDs GitHub's webhooks were accepted, of which comment (`null`: of none), and what was done to it; else it was made. */
  readonly accepted: readonly { readonly guid: string; readonly comment?: number | null; readonly action?: string }[];
  /** GUIDs that GitHub has given: what the store has under another was read without a webhook. */
  readonly sent: ReadonlySet<string>;
  /** What the servers began, in order, each by a word that `wordOf` finds for the runs that may have sent it. */
  readonly begun: readonly string[];
  readonly wordOf: (run: Pick<Row<"run">, "id" | "server">, spec: Row<"action">["spec"]) => string;
  /** What left the bot or came to rest in it, and what must stand in none of that. */
  readonly sinks: readonly { readonly name: string; readonly text: string }[];
  readonly secrets: readonly { readonly name: string; readonly needle: string }[];
  /** Requests that GitHub would refuse. */
  readonly invalid: readonly string[];
  /** Who may approve, by login; nothing where that changes, and is judged at each start. */
  readonly approvers?: readonly string[] | undefined;
  readonly approvalsNeeded: Readonly<Record<Risk, number>>;
  /** When the operator had all stopped, by the audit's length. */
  readonly halts: readonly { readonly from: number; readonly to: number }[];
  /** The machine's clock was set, so that its times say nothing. */
  readonly isClockSet: boolean;
  /** Comments, as `issue slot`, that were posted again since GitHub did not answer in time and did it all the same (RR-07). */
  readonly late: ReadonlySet<string>;
}

/** What a history is where its life says nothing else. */
export const ordinary = {
  remarks: [],
  sinks: [],
  secrets: [],
  invalid: [],
  approvalsNeeded: { low: 1, medium: 1, high: 2, block: Number.POSITIVE_INFINITY },
  halts: [],
  isClockSet: false,
  late: new Set<string>(),
} satisfies Partial<History>;

/** Reads what the store holds. */
export async function readKept(db: Db): Promise<Kept> {
  const audit: AuditRow[] = [];
  for await (const some of auditRows(db, {})) audit.push(...some);
  const comments = await db.selectFrom("comment").selectAll().orderBy("position").execute();
  const mayWait = async ({ slot, githubId, dueAt, ...thread }: Row<"comment">): Promise<boolean> => {
    if (githubId !== null) return false;
    // A result waits for the agent's reading.
    if (/^(?:batch|unread):/.test(slot) && dueAt.getTime() > Date.now()) return true;
    if (whyOf(slot) !== "unsolicited") return false;
    return ((await nextUnsolicitedAt(db, thread))?.getTime() ?? 0) > Date.now();
  };
  return {
    audit,
    chain: await verifyAudit(db),
    incidents: await db.selectFrom("incident").selectAll().execute(),
    actions: await db.selectFrom("action").selectAll().execute(),
    approvals: await db.selectFrom("approval").selectAll().execute(),
    batches: await db.selectFrom("batch").selectAll().execute(),
    runs: await db.selectFrom("run").selectAll().execute(),
    comments: await Promise.all(comments.map(async (row) => ({ ...row, mayWait: await mayWait(row) }))),
    reactions: await db.selectFrom("reaction").selectAll().execute(),
    deliveries: await db.selectFrom("delivery").selectAll().execute(),
    jobs: await jobsIn(db),
  };
}

/** Every comment of an issue, oldest first, however many there are. */
async function readIssue(
  github: Pick<EmulatedGitHub, "as">,
  { repo, number }: { readonly repo: string; readonly number: number },
): Promise<History["issues"][number]> {
  const comments: Written[] = [];
  for (let page = 1; ; page++) {
    const path = `/repos/${repo}/issues/${number}/comments?per_page=100&page=${page}`;
    const { body } = await github.as("mona")("GET", path);
    const some = body as readonly { id: number; body: string; user: { login: string } }[];
    comments.push(...some.map((one) => ({ id: one.id, login: one.user.login, body: one.body })));
    if (some.length < 100) return { repo, number, comments };
  }
}

/** What the emulated GitHub holds: these issues, and which deliveries were accepted that told no echo of the bot's own. */
export async function readGitHub(
  github: EmulatedGitHub,
  issues: readonly { readonly repo: string; readonly number: number }[],
): Promise<Pick<History, "issues" | "accepted" | "sent" | "invalid">> {
  const deliveries = github.deliveries();
  const accepted = deliveries.filter(({ status, answer }) => status === 202 && answer !== "echo");
  return {
    issues: await Promise.all(issues.map((issue) => readIssue(github, issue))),
    accepted: [...new Set(accepted.map(({ guid }) => guid))].map((guid) => ({ guid })),
    sent: new Set(deliveries.map(({ guid }) => guid)),
    invalid: github.invalid(),
  };
}
