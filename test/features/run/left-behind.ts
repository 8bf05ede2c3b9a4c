import type { Thread } from "../../../demo/thread.ts";
import type { Ending } from "../../../src/base/run.ts";
import { hashBody } from "../../../src/features/run/approval-comment.ts";
import { createSsh } from "../../../src/ssh/run.ts";
import { actionsOf, addApproval, moveAction } from "../../../src/store/actions.ts";
import { addBatch, endRun, startRuns } from "../../../src/store/runs.ts";
import { repo } from "../../harness/playground.ts";
import type { Stage } from "../../harness/stage.ts";
import { actionIn, incidentIdOf } from "../../harness/stage.ts";

type Incident = Thread & { readonly number: number };

/** What a process that was killed leaves in the store: approved actions in a batch, and how far each had come. */
export interface LeftBehind {
  readonly batchId: string;
  /** The comment in which lee approved. */
  readonly commentId: number;
  /** Lets the bot find the batch, as it does after a start, and waits until all is done. */
  readonly serve: () => Promise<void>;
}

export async function leaveBehind(
  stage: Stage,
  thread: Incident,
  given: {
    readonly numbers: readonly number[];
    /** Numbers that had been sent: how they ended, or `open` where the process died first. */
    readonly begun?: Readonly<Record<number, Ending | "open">>;
    readonly keepGoing?: boolean;
    readonly by?: string;
    /** What the comment says that is held for an approval; one, unless told otherwise. */
    readonly text?: string;
  },
): Promise<LeftBehind> {
  const { store } = stage.bot.deps;
  const login = given.by ?? "lee";
  const person = stage.github.person(login);
  const text = given.text ?? approving(given.numbers);
  await stage.quiet();
  stage.github.fault({ event: "issue_comment.created" }, { drop: "before" });
  const commentId = await thread.say(login, text);
  const { body } = await stage.github.as(login)("GET", `/repos/${repo}/issues/comments/${commentId}`);
  if (typeof body !== "object" || body === null || !("node_id" in body)) throw new Error("the comment is not there");
  await stage.quiet();
  await markServed(stage, commentId);
  const incidentId = await incidentIdOf(store.db, thread.number);
  const batchId = await store.transaction(async (tx) => {
    const batch = await addBatch(tx, {
      incidentId,
      commentId,
      person,
      numbers: given.numbers,
      keepGoing: given.keepGoing ?? false,
    });
    for (const action of await actionsOf(tx, incidentId)) {
      if (!given.numbers.includes(action.number)) continue;
      const comment = { id: commentId, nodeId: String(body.node_id), sha256: hashBody(text) };
      await addApproval(tx, action, { verdict: "approve", person, role: "write", comment, reason: "" });
      await moveAction(tx, action, { from: "proposed", to: "approved" });
      const begun = given.begun?.[action.number];
      if (begun === undefined) continue;
      await moveAction(tx, action, { from: "approved", to: "dispatching" });
      const [run] = await startRuns(tx, action, batch.id, 1);
      if (!run) throw new Error("an action has a server");
      if (begun === "open") continue;
      await endRun(tx, run.id, { ending: begun, durationMs: 5, excerpt: "" });
      await moveAction(tx, action, { from: "dispatching", to: "done" });
    }
    return batch.id;
  });
  return {
    batchId,
    commentId,
    serve: async () => {
      await store.transaction((tx) => store.queue.enqueue(tx, "execute", incidentId, { batchId }));
      await stage.quiet();
    },
  };
}

const approving = (numbers: readonly number[]): string => `/approve ${numbers.join(" ")}`;

/** The process that is no more had served the comment; nobody else does. */
const markServed = (stage: Stage, commentId: number): Promise<unknown> =>
  stage.bot.deps.store.db
    .insertInto("delivery")
    .values({
      guid: `left-behind-${commentId}`,
      line: "left-behind",
      event: "issue_comment",
      action: "created",
      semanticKey: `issue_comment:created:${commentId}`,
      payload: "{}",
      state: "done",
      outcome: null,
    })
    .execute();

/** Sends the first action, a job, as the process that is no more had done, and leaves while it runs. */
export async function sendAndLeave(stage: Stage, issue: number): Promise<void> {
  const { store, config } = stage.bot.deps;
  const { spec } = await actionIn(store.db, issue);
  const [target] = spec.targets;
  const server = config.servers.get("web-1");
  if (!target?.jobId || !server) throw new Error("a command that changes something runs as a job");
  const ssh = createSsh({ servers: config.servers });
  const heard = Promise.withResolvers<void>();
  void ssh.exec(
    { server, wrapped: target.wrapped, mode: "job", jobId: target.jobId },
    { signal: new AbortController().signal, onOutput: () => heard.resolve() },
  );
  await heard.promise;
  await ssh.close();
}
