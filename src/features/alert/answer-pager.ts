import * as z from "zod";
import { pagerOf } from "../../alert/pagers.ts";
import { reached } from "../../base/crash-point.ts";
import { issueUrl } from "../../github/web.ts";
import { tellPager } from "../../pager/tell.ts";
import { type AlertRow, alertOf } from "../../store/alerts.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, incidentOf } from "../../store/incidents.ts";
import {
  addPagerAnswer,
  claimPagerAnswer,
  openPagerAnswers,
  type PagerAnswer,
  settlePagerAnswer,
} from "../../store/outbox/pager-answers.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Deps } from "../context.ts";
import { show } from "../thread/show.ts";

export type PagerAsk = "asked" | "told before" | "no pager" | "not firing";

/**
 * Has the alert's pager told, once for each time that the alert fires (AL-8). The transaction that stores what people did stores this too,
 * so a crash loses neither.
 */
export async function askPager(
  tx: Tx,
  deps: Deps,
  incident: Pick<Incident, "id">,
  { told, login }: { readonly told: PagerAnswer["event"]; readonly login: string },
): Promise<PagerAsk> {
  if (Object.values(deps.config.alerts.sources).every(({ answer }) => answer === undefined)) return "no pager";
  const alert = await alertOf(tx, incident.id);
  const answer = alert && deps.config.alerts.sources[alert.source]?.answer;
  if (!answer) return "no pager";
  if (alert.state !== "firing") return "not firing";
  if (told === "resolve" && !answer.resolve) return "no pager";
  const added = await addPagerAnswer(tx, {
    alertId: alert.id,
    incidentId: incident.id,
    round: alert.resolves,
    event: told,
    pager: pagerOf(answer.pager).title,
    login,
    at: deps.now(),
    fault: whyNoKey(alert, pagerOf(answer.pager).longestKey) ?? null,
  });
  if (!added) return "told before";
  await deps.store.queue.enqueue(tx, "post", queueKey, { pagers: true });
  return "asked";
}

const whyNoKey = ({ pagerKey }: AlertRow, longest: number): string | undefined => {
  if (pagerKey === null) return "the alert came without its key there";
  return pagerKey.length > longest ? `the alert's key is longer than ${longest} characters` : undefined;
};

/** One job for all: pagers are told one after another, so that neither a storm of alerts nor a slow pager takes the outbox's slots. */
const queueKey = "pagers";
const jobSchema = z.object({ pagers: z.literal(true) });

export const isPagerJob = ({ data }: Pick<Job, "data">): boolean => jobSchema.safeParse(data).success;

/** Waits between tries. */
const waitsMs = [30_000, 120_000, 480_000] as const;
/** An answer that comes later helps nobody. */
const longestWaitMs = 15 * 60_000;

/** Tells the pagers what is due. What a dead process had begun may have arrived, so it is never sent again. */
export async function answerPagers(deps: Deps, job: Job): Promise<void> {
  const { store } = deps;
  const waiting = new Map<string, number>();
  for (const answer of await openPagerAnswers(store.db)) {
    job.signal.throwIfAborted();
    const incident = await incidentOf(store.db, answer.incidentId);
    const dueInMs = answer.dueAt.getTime() - deps.now().getTime();
    if (answer.state === "sending")
      await settle(deps, incident, answer, { kind: "unsure", fault: "the bot ended while it asked" });
    else if (dueInMs > 0 || waiting.has(answer.pager))
      waiting.set(answer.pager, Math.min(Math.max(dueInMs, 0), waiting.get(answer.pager) ?? Number.POSITIVE_INFINITY));
    else {
      const againMs = await answerOne(deps, job, { incident, answer });
      // What follows for this pager waits with it.
      if (againMs !== undefined) waiting.set(answer.pager, againMs);
    }
  }
  if (waiting.size > 0) job.comeBack(Math.max(1_000, Math.min(...waiting.values())));
}

const restMs = 10 * 60_000;

/** Whatever was being told then is unsure by the next time. */
export const giveUpPagers = (tx: Tx, { store }: Pick<Deps, "store">): Promise<void> =>
  store.queue.enqueue(tx, "post", queueKey, { pagers: true }, { afterMs: restMs });

/** Returns when to try again. */
async function answerOne(
  deps: Deps,
  job: Job,
  { incident, answer }: { readonly incident: Incident; readonly answer: PagerAnswer },
): Promise<number | undefined> {
  const { store, config } = deps;
  const alert = await alertOf(store.db, answer.incidentId);
  const to = alert && config.alerts.sources[alert.source]?.answer;
  if (alert?.state !== "firing" || alert.resolves !== answer.round) {
    await settle(deps, incident, answer, { kind: "moot" });
    return undefined;
  }
  if (!to || alert.pagerKey === null) {
    await settle(deps, incident, answer, {
      kind: "failed",
      fault: "the operator's file names no pager for it any more",
    });
    return undefined;
  }
  const isClaimed = await store.transaction(async (tx) => {
    await job.fence(tx);
    return claimPagerAnswer(tx, answer.id);
  });
  if (!isClaimed) return undefined;
  const place = { repo: incident.repo, issue: incident.number };
  const link = { href: issueUrl(config.github.apiUrl, place), text: `${place.repo}#${place.issue}` };
  const word = { event: answer.event, pagerKey: alert.pagerKey, link };
  const { body, secret, isSecretRefused } = pagerOf(to.pager);
  const outcome = await tellPager(
    { url: to.url, body: body(word, to.secret), secretName: secret.name, isSecretRefused },
    deps.now(),
  );
  reached("CP21");
  const waitMs = outcome.kind === "later" ? Math.max(outcome.afterMs, waitsMs[answer.attempts] ?? 0) : 0;
  if (outcome.kind !== "later") await settle(deps, incident, answer, outcome);
  else if (answer.attempts >= waitsMs.length)
    await settle(deps, incident, answer, { kind: "failed", fault: `${outcome.fault}, ${waitsMs.length + 1} times` });
  else if (waitMs > longestWaitMs)
    await settle(deps, incident, answer, { kind: "failed", fault: `${outcome.fault}, and it asks to wait too long` });
  else {
    const dueAt = new Date(deps.now().getTime() + waitMs);
    await settle(deps, incident, answer, { kind: "open", fault: outcome.fault, dueAt });
    return waitMs;
  }
  return undefined;
}

type AnswerEnd =
  | { readonly kind: "done" | "moot"; readonly fault?: undefined; readonly dueAt?: undefined }
  | { readonly kind: "failed" | "unsure"; readonly fault: string; readonly dueAt?: undefined }
  | { readonly kind: "open"; readonly fault: string; readonly dueAt: Date };

async function settle(
  deps: Deps,
  incident: Incident,
  { id, event, pager, login }: PagerAnswer,
  { kind, fault, dueAt }: AnswerEnd,
): Promise<void> {
  deps.log[fault === undefined ? "info" : "warn"]({
    module: "alert",
    event: "pager_told",
    incidentId: incident.id,
    pager,
    told: event,
    outcome: kind,
    reason: fault,
  });
  await deps.store.transaction(async (tx) => {
    const toldAt = kind === "done" ? deps.now() : null;
    await settlePagerAnswer(tx, id, { state: kind, fault: fault ?? null, toldAt, ...(dueAt && { dueAt }) });
    if (kind !== "open") {
      const body = { pager, told: event, by: login, outcome: kind, reason: fault };
      await appendAudit(tx, { kind: "pager_told", incidentId: incident.id, body });
    }
    await show(tx, deps, incident);
  });
}
