import { faultsOfDrawing } from "../features/thread/whole-drawing.ts";
import { faultsOfTurnRows } from "../features/turn/turn-rows.ts";
import { type History, ordinary, readKept } from "../simulation/history.ts";
import { judge } from "../simulation/judge.ts";
import { faultsOfOpenRows } from "../store/open-rows.ts";
import type { Truth } from "./github.ts";
import { type Begun, canary, type Universe } from "./universe.ts";

/** What has been checked already, and what the operator's switch has said so far. */
export interface Watch {
  checked: number;
  /** The audit's length when the switch was set, and when it was lifted. */
  readonly halts: { readonly from: number; to: number }[];
}

/** What holds at any moment; every line is a fault. */
export async function faultsNow(universe: Universe, watch: Watch): Promise<readonly string[]> {
  const fresh = universe.begun.slice(watch.checked);
  watch.checked = universe.begun.length;
  if (fresh.length === 0) return leftOutOf(universe);
  const history = await historyOf(universe, watch);
  return [
    ...judge(history, "always"),
    ...fresh.flatMap((start) => faultsOfStart(history, start)),
    ...(await openRowsOf(universe)),
    ...(await leftOutOf(universe)),
  ];
}

/** Drawings and turns leave rows out, and find in the others what they would find in all. */
async function leftOutOf({ database: { look }, deps }: Universe): Promise<readonly string[]> {
  const own = deps();
  if (!own) return [];
  const incidents = await look.selectFrom("incident").select("id").execute();
  const faults = await Promise.all(
    incidents.map(async ({ id }) => [
      ...(await faultsOfDrawing(own, look, id)).map((fault) => `DC-6: ${fault}`),
      ...(await faultsOfTurnRows(look, id)).map((fault) => `AR-15: of a turn's rows ${fault}`),
    ]),
  );
  return faults.flat();
}

/** DC-5: decisions read an incident's open rows alone, and find in them what they would find in all. */
async function openRowsOf({ database: { look } }: Universe): Promise<readonly string[]> {
  const incidents = await look.selectFrom("incident").select("id").execute();
  const faults = await Promise.all(incidents.map(({ id }) => faultsOfOpenRows(look, id)));
  return faults.flat().map((fault) => `DC-5: of its open rows ${fault}`);
}

/** What holds once everything is still. */
export async function faultsAtRest(universe: Universe, watch: Watch): Promise<readonly string[]> {
  const history = await historyOf(universe, watch);
  return [
    ...judge(history),
    ...history.jobs.map((job) => `I8: a job waits: ${JSON.stringify(job)}`),
    ...(await openRowsOf(universe)),
    ...(await leftOutOf(universe)),
  ];
}

async function historyOf({ database, github, begun, agent, log }: Universe, { halts }: Watch): Promise<History> {
  const { issue, repo, webhooks } = github;
  const place = { repo: repo.name, issue: issue.number };
  const sinks = { issue: issue.remarks.map(({ body }) => body), log, "the model": agent.told };
  return {
    ...ordinary,
    ...(await readKept(database.look)),
    issues: [{ repo: place.repo, number: place.issue, isGone: issue.gone, comments: commentsOf(github) }],
    remarks: issue.remarks
      .filter(({ ours }) => ours === undefined)
      .map(({ id, authorId, body, deleted, editedAt, reactions }) => ({
        ...place,
        id,
        by: `${authorId}`,
        body,
        changed: deleted ? "deleted" : editedAt ? "edited" : undefined,
        wants: isConstant(authorId) && body.startsWith("/") && !editedAt ? "answer" : undefined,
        reactions: [...reactions],
      })),
    accepted: webhooks.flatMap(({ acceptedAs, payload }) => {
      const { action, comment } = JSON.parse(payload);
      return [...acceptedAs].map((guid) => ({ guid, comment: comment?.id ?? null, action }));
    }),
    sent: new Set(webhooks.flatMap(({ guid, acceptedAs }) => [guid, ...acceptedAs])),
    begun: begun.map(({ runId }) => runId),
    wordOf: ({ id }) => id,
    sinks: Object.entries(sinks).map(([name, texts]) => ({ name, text: texts.join("\n") })),
    secrets: [{ name: "the canary", needle: canary }],
    halts,
    isClockSet: true,
  };
}

const commentsOf = ({ issue }: Universe["github"]): History["issues"][number]["comments"] =>
  issue.remarks
    .filter(({ deleted }) => !deleted)
    .map(({ id, body, ours, authorId }) => ({
      id,
      body,
      login: ours === undefined ? `${authorId}` : "countersign[bot]",
    }));

/** Whose rights no command changes, so that nothing excuses silence. */
const isConstant = (id: number): boolean => id === 11;

/** I2, I3: its intent was durable by then, and by what people had written and might do there at that moment it could run. */
function faultsOfStart({ runs, actions, approvalsNeeded }: History, start: Begun): readonly string[] {
  const run = runs.find(({ id }) => id === start.runId);
  const action = actions.find(({ id }) => id === run?.actionId);
  if (!action) return [`I3: a run that the store does not know began: ${start.runId}`];
  const { number, spec, authorId } = action;
  const { risk, command, again } = spec;
  const of = { number, risk, command, again, authorId, expiresAt: new Date(spec.expiresAt) };
  const why = [start.truth, ...start.seen].map((truth) => whyNot(truth, of, approvalsNeeded[risk]));
  return [
    ...(start.intended ? [] : [`I3: ${number} began before its intent was durable`]),
    ...(why.every((reason) => reason !== undefined)
      ? [`I2: ${number} began, and ${[...new Set(why)].join(" and ")}`]
      : []),
  ];
}

/** Why an action may not run, going by what people have written on GitHub and may do there; nothing where it may. */
function whyNot(
  truth: Truth,
  action: {
    readonly number: number;
    readonly risk: string;
    readonly command: string;
    readonly again?: number | undefined;
    readonly authorId: number | null;
    readonly expiresAt: Date;
  },
  needed: number,
): string | undefined {
  if (!truth.open) return "the issue is closed or gone";
  if (truth.at >= action.expiresAt) return "its time was over";
  const people = new Set(
    truth.remarks
      .filter(({ body, authorId }) => approves(body, action) || isOwn(body, { ...action, by: authorId }))
      .map(({ authorId }) => authorId)
      .filter((id) => truth.approvers.has(id) && (action.risk === "low" || id !== action.authorId)),
  );
  return people.size < needed ? `${people.size} people stand for it, of ${needed}` : undefined;
}

function approves(body: string, { number, risk }: { readonly number: number; readonly risk: string }): boolean {
  const [, named = ""] = /^\/approve ([\d ]+)/.exec(body) ?? [];
  // Said twice it is said once.
  const numbers = new Set(named.split(" ").filter((word) => word !== ""));
  return numbers.has(`${number}`) && (risk !== "high" || (numbers.size === 1 && /web-1 \w/.test(body)));
}

/** What an approver writes of low risk is an approval itself: a `/run` with the command, a `/retry` of the number it repeats. */
function isOwn(
  body: string,
  action: {
    readonly risk: string;
    readonly command: string;
    readonly again?: number | undefined;
    readonly authorId: number | null;
    readonly by: number;
  },
): boolean {
  if (action.risk !== "low") return false;
  const [, retried = ""] = /^\/retry ([\d ]+)/.exec(body) ?? [];
  if (action.again !== undefined && retried.split(" ").includes(`${action.again}`)) return true;
  return body.startsWith("/run web-1") && action.by === action.authorId && body.includes(`\n${action.command}\n`);
}
