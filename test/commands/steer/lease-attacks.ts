import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import type { Role } from "../../../src/base/github.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../../../src/features/context.ts";
import { leaseUseOf, startLeased } from "../../../src/features/proposal/lease.ts";
import { enqueueBatch } from "../../../src/features/proposal/list-order.ts";
import { draftAction } from "../../../src/features/proposal/propose.ts";
import { hashBody } from "../../../src/features/run/approval-comment.ts";
import { checkDispatch } from "../../../src/features/run/check-dispatch.ts";
import type { Facts } from "../../../src/github/facts.ts";
import { type Action, actionOf, moveAction } from "../../../src/store/actions.ts";
import { incidentOf, lockIncident } from "../../../src/store/incidents.ts";
import { leaseOf, spendLease } from "../../../src/store/leases.ts";
import type { Batch } from "../../../src/store/runs.ts";
import { auditOf, incidentIdOf, proposing, type Stage, sayUnheard, startStage } from "../../harness/stage.ts";
import { startApiServer } from "../../kubernetes/api-server.ts";
import { refusedWays } from "../../kubernetes/ways.ts";

/** Who gives a lease: the operator's file, a comment with its terms, a comment without. */
export const ways = ["opening", "lease", "auto"] as const;
export type Way = (typeof ways)[number];

/** What a lease lets the agent do at each kind of place. */
export const reads = {
  "web-1": "uptime",
  "prod-eu": "kubectl -n shop get pods",
  prom: "query up",
} as const;
export type Place = keyof typeof reads;
export const places = Object.keys(reads) as readonly Place[];
/** A server that no lease names. */
const strange = "web-2";

const minute = 60_000;
const mostCommands = 2;
const restart = "systemctl restart nginx";
const givenBy = (way: Way, place: Place): string | undefined =>
  ({ opening: undefined, lease: `/lease 15m ${place} ${mostCommands}`, auto: "/auto on" })[way];

/** A bot with a server, a cluster and a source on which leases are allowed, and one server on which they are not. */
export async function startLeaseGround(storeUrl?: string): Promise<Stage> {
  const api = await startApiServer();
  const metrics = createServer((_, response) => {
    response.end(JSON.stringify({ status: "success", data: { resultType: "vector", result: [] } }));
  });
  await new Promise<void>((resolve) => metrics.listen(0, "127.0.0.1", resolve));
  const caps = { servers: [...places], max_time: "30m", max_commands: mostCommands };
  const stage = await startStage({
    ...(storeUrl === undefined ? {} : { storeUrl }),
    beside: { [strange]: {} },
    servers: {
      "prod-eu": {
        kind: "kubernetes",
        kubeconfig_file: api.kubeconfig("ops"),
        context: "prod",
        namespaces: ["shop"],
        identity: "ops",
      },
    },
    config: {
      sources: { prom: { kind: "prometheus", url: `http://127.0.0.1:${(metrics.address() as AddressInfo).port}` } },
      policy: { lease: { allowed: true, ...caps, opening: caps } },
    },
  });
  return {
    ...stage,
    get bot() {
      return stage.bot;
    },
    close: async () => {
      await stage.close();
      metrics.close();
      await api.close();
    },
  };
}

/** Saves the repository's own file. */
export async function narrow({ github, quiet }: Stage, text: string): Promise<void> {
  const file = "/repos/acme/web/contents/.github/countersign.yml";
  const { sha } = (await github.as("mona")("GET", file)).body as { readonly sha?: string };
  const content = Buffer.from(text).toString("base64");
  const change = { message: "Change the rules", content, branch: "main", ...(sha && { sha }) };
  await github.as("mona")("PUT", file, change);
  await quiet();
}

/** A read that a lease has approved, and whose batch nobody serves yet. */
export interface LeasedRead {
  readonly stage: Stage;
  readonly way: Way;
  readonly place: Place;
  readonly thread: Thread & { readonly number: number };
  readonly incidentId: string;
  readonly ground: RepoContext;
  readonly batch: Batch;
  readonly action: Action;
  /** The lease's comment. */
  readonly comment: { readonly id: number; readonly nodeId: string };
  readonly person: number;
}

export async function leasedRead(stage: Stage, way: Way, place: Place): Promise<LeasedRead> {
  stage.model.play(proposing("LIKELY: restart.", restart, { command: reads[place], server: place }));
  const thread = await stage.opened({ title: "It is slow" });
  const word = givenBy(way, place);
  if (word !== undefined) await stage.ask(thread, "lee", word);
  const { deps } = stage.bot;
  const incidentId = await incidentIdOf(deps.store.db, thread.number);
  const ground = await loadRepoContext(deps, await incidentOf(deps.store.db, incidentId));
  const idle = { ...deps, store: { ...deps.store, queue: { ...deps.store.queue, enqueue: async () => {} } } } as Deps;
  const batch = await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, incidentId);
    const change = await actionOf(tx, incidentId, 1);
    if (change) await moveAction(tx, change, { from: "proposed", to: "rejected" });
    return startLeased(tx, idle, ground, incident);
  });
  const action = await actionOf(deps.store.db, incidentId, 2);
  const lease = await leaseOf(deps.store.db, incidentId);
  if (!batch || !action || !lease) throw new Error(`no read on ${place} was approved by ${way}`);
  const comment = { id: lease.commentId, nodeId: lease.commentNodeId };
  return { stage, way, place, thread, incidentId, ground, batch, action, comment, person: lease.personId };
}

/** What somebody with the store, GitHub, the files or the clock in hand puts in place of the truth just before the send. */
interface Forgery {
  readonly deps?: Deps;
  readonly ground?: RepoContext;
  readonly row?: object;
  readonly approval?: object;
  readonly spec?: object;
}
type Named<T> = readonly (readonly [what: string, attack: T])[];

/** What is tried on each kind of lease, as the final check sees it. */
export function forgeriesOn({ stage, way, place, ground, action, comment, person }: LeasedRead): Named<Forgery> {
  const { deps } = stage.bot;
  const { policy } = deps.config;
  const other = "0".repeat(64);
  const config = (change: Partial<Deps["config"]>): Forgery => ({
    deps: { ...deps, config: { ...deps.config, ...change } },
  });
  const caps = (change: object): Forgery => {
    const { lease } = policy;
    const changed =
      way === "opening" ? { ...lease, opening: { ...lease.opening, ...change } } : { ...lease, ...change };
    return config({ policy: { ...policy, lease: changed } });
  };
  const low = (change: object): Forgery => config({ policy: { ...policy, low: { ...policy.low, ...change } } });
  const file = (text: string): Forgery => ({
    ground: {
      ...ground,
      context: { ...ground.context, config: { path: ".github/countersign.yml", text, source: "acme/web@1" } },
    },
  });
  const facts = (change: (facts: Facts) => Partial<Facts>): Forgery => ({
    deps: {
      ...deps,
      facts: async (question) => {
        const found = await deps.facts(question);
        return { ...found, ...change(found) };
      },
    },
  });
  const said = (change: object | undefined): Forgery =>
    facts(({ comments }) => {
      const found = comments.get(comment.nodeId);
      const rest = [...comments].filter(([key]) => key !== comment.nodeId);
      return { comments: new Map(change && found ? [...rest, [comment.nodeId, { ...found, ...change }]] : rest) };
    });
  const standing = (now: { role: Role; teams: readonly string[] }): Forgery =>
    facts(() => ({ people: new Map([[person, now]]) }));
  const later = (minutes: number, by: Forgery = {}): Forgery => ({
    ...by,
    deps: { ...(by.deps ?? deps), now: () => new Date(Date.now() + minutes * minute) },
  });
  const judged = (change: object): Forgery => ({
    deps: { ...deps, evaluate: (...given) => ({ ...deps.evaluate(...given), ...change }) },
  });
  const targets = (change: object) => ({ targets: action.spec.targets.map((one) => ({ ...one, ...change })) });
  const repository = (change: object): Forgery =>
    facts(({ repository: found }) => ({ repository: found && { ...found, ...change } }));

  const files = [
    ...[
      "lease: { allowed: false }",
      "lease: { servers: [] }",
      `lease: { servers: [${strange}] }`,
      "auto: { allowed: false }",
    ],
    ...[
      "lease: { servers: [web-9] }",
      "low: { approvals: 2 }",
      "low: { reason: required }",
      "low: { restate_server: true }",
    ],
  ].map((text) => `policy: { ${text} }`);
  const broken = [
    "policy: [",
    "policy: { lease: yes }",
    "servers: []",
    `servers: [${strange}]`,
    "policy: { lease: { max_commands: 0 } }",
  ];
  const opening = ["servers: []", `servers: [${strange}]`, "servers: [web-9]"].map(
    (text) => `policy: { lease: { opening: { ${text} } } }`,
  );
  const always: Named<Forgery> = [
    ...[...files, ...broken].map((text) => [`the repository's file says ${text}`, file(text)] as const),
    [
      "the file leaves it one command, which is used",
      { ...file("policy: { lease: { max_commands: 1 } }"), row: { used: 1 } },
    ],
    ["the file leaves it a minute, which is over", later(2, file("policy: { lease: { max_time: 1m } }"))],
    ["the operator names no server for it", caps({ servers: [] })],
    ["the operator names another server", caps({ servers: [strange] })],
    ["the operator allows a minute, which is over", later(2, caps({ maxTimeMs: minute }))],
    ["the operator allows one command, which is used", { ...caps({ maxCommands: 1 }), row: { used: 1 } }],
    ["the bot only proposes", config({ execution: { ...deps.config.execution, enabled: false } })],
    [
      "the operator no longer has the server",
      config({ servers: new Map([...deps.config.servers].filter(([name]) => name !== place)) }),
    ],
    ["low risk takes two people", low({ approvals: 2 })],
    ["low risk takes a reason", low({ reason: "required" })],
    ["low risk takes the server's name", low({ restateServer: true })],
    ["low risk stands for less time", low({ expiresMs: 1 })],
    ["the operator's files are being read", { deps: { ...deps, isConfigCurrent: () => false } }],
    ["its count is used up", { row: { used: mostCommands } }],
    ["the store gives it more than it was given", { row: { maxCommands: 9, used: mostCommands } }],
    ["it has ended", { row: { offAt: new Date(), offWhy: "over" } }],
    ["its end is past", { row: { endsAt: new Date(Date.now() - 1) } }],
    ["the store lengthens it", later(31, { row: { endsAt: new Date(Date.now() + 600 * minute) } })],
    ["three proposals were riskier than the agent said", { row: { raised: 3 } }],
    ["it ran at a time that is still to come", { row: { seenAt: new Date(Date.now() + minute) } }],
    ["it names another server in the store", { row: { servers: JSON.stringify([strange]) } }],
    ["it names none in the store", { row: { servers: "[]" } }],
    ["its row is of the other way", { row: { via: way === "opening" ? "lease" : "opening" } }],
    ["the clock stands before it", later(-10)],
    ["the clock was put back by a day", later(-24 * 60)],
    ["the clock was put back by a year", later(-365 * 24 * 60)],
    ["its time is over", later(31)],
    ["the read has expired", later(61)],
    ["a year has passed", later(365 * 24 * 60)],
    ["its approval says another hash", { approval: { commentSha256: other } }],
    ["its approval is said to be a comment", { approval: { via: "comment" } }],
    ["its approval is said to be of the other way", { approval: { via: way === "opening" ? "lease" : "opening" } }],
    ["its approval is of another digest", { approval: { digest: other } }],
    ["its approval was taken back", { approval: { withdrawnAt: new Date() } }],
    ["it turns the read down", { approval: { verdict: "reject" } }],
    ["another command is to be sent", { spec: { command: `${action.spec.command} ` } }],
    ["other bytes are to be sent", { spec: targets({ wrapped: "reboot" }) }],
    ["checks were added to it", { spec: { set: [{ command: "uptime" }, { command: "df -h" }] } }],
    ["it goes to another account", { spec: targets({ user: "root" }) }],
    ["it goes to another server", { spec: targets({ server: strange }) }],
    [
      "it goes to a server besides",
      { spec: { targets: [...action.spec.targets, { ...action.spec.targets[0], server: strange }] } },
    ],
    ["it goes nowhere", { spec: { targets: [] } }],
    ["another key is expected there", { spec: targets({ hostKeys: ["SHA256:other"] }) }],
    ["it says another place on its card", { spec: { place: strange } }],
    ["it is said to be medium", { spec: { risk: "medium" } }],
    ["it is of another issue", { spec: { issueNodeId: "I_other" } }],
    ["it is of another repository", { spec: { repoId: 1 } }],
    ["it ends later than was shown", { spec: { expiresAt: "2099-01-01T00:00:00.000Z" } }],
    ...(["medium", "high", "block"] as const).map((risk) => [`it is judged ${risk} now`, judged({ risk })] as const),
    ["it reaches another host by now", judged({ egress: "outside" })],
    ["it reaches a known host by now", judged({ egress: "known" })],
    ["it is not known whole by now", judged({ unknown: true })],
    ["nothing bounds it by now", judged({ unbounded: [{ what: "it never ends" }] })],
    ["it sends by now", judged({ sends: true })],
    ["it shows what may be secret by now", judged({ reveals: "it prints the environment" })],
    ["its whole answer is secret by now", judged({ secretAnswer: "it prints a key" })],
    ["other rules are in force", judged({ rulesVersion: "other" })],
    ["the repository is public", repository({ private: false })],
    ["the repository has another name", repository({ name: "acme/other" })],
    ["the repository is another", repository({ id: 1 })],
    ["the repository is gone", facts(() => ({ repository: undefined }))],
    ["the App is not installed", facts(() => ({ installed: false }))],
    ["the issue is closed", facts(({ issue }) => ({ issue: issue && { ...issue, open: false } }))],
    [
      "the issue was closed meanwhile",
      facts(({ issue }) => ({ issue: issue && { ...issue, closedAt: new Date(Date.now() + minute) } })),
    ],
    ["the issue is another", facts(({ issue }) => ({ issue: issue && { ...issue, nodeId: "I_other" } }))],
    ["the issue is gone", facts(() => ({ issue: undefined }))],
    ["all comments are gone", facts(() => ({ comments: new Map() }))],
    [
      "its card says something else",
      facts(({ comments }) => ({
        comments: new Map(
          [...comments].map(([key, one]) => [
            key,
            key === comment.nodeId ? one : { ...one, body: one.body.replaceAll(action.spec.command, "true") },
          ]),
        ),
      })),
    ],
    ["GitHub does not answer", { deps: { ...deps, facts: () => Promise.reject(new Error("down")) } }],
  ];
  if (way === "opening")
    return [
      ...always,
      ...opening.map((text) => [`the repository's file says ${text}`, file(text)] as const),
      ["the operator's file has changed", config({ fileSha256: other })],
      ["its row says another hash", { row: { commentSha256: other } }],
      ["the operator allows no time", caps({ maxTimeMs: 0 })],
      ["the operator allows no command", caps({ maxCommands: 0 })],
      ["the read carries no hash", { spec: { opening: undefined } }],
      ["the read carries another hash", { spec: { opening: other } }],
    ];
  /** The store believes these words: they are GitHub's and unchanged, and give nothing that covers the read. */
  const words = [
    ["/lease off", "/lease", "/lease 15m", `/lease ${place}`, `/lease 15m ${strange}`, "/lease 15m web-9"],
    ["/lease 15m all", `/lease 0m ${place}`, `/lease -1m ${place}`, `/lease 31m ${place}`, `/lease 1d ${place}`],
    [`/lease 15m ${place} 0`, `/lease 15m ${place} 7`, `/lease 15m ${place} 999`, `/lease 15 ${place}`],
    [`/lease 15m ${place},web-9`, `/lease 1 15m ${place}`, `/lease --all 15m ${place}`, `/lease ${place} 15m 2`],
    ["/lease on", "/auto", "/auto off", "/auto yes", "/auto on please", "/auto 1 on", "/approve 2"],
    ["/approve all?", "/hold", "/resume", `/run ${place}`, `\`/lease 15m ${place} 2\``, `> /lease 15m ${place} 2`],
    [`    /lease 15m ${place} 2`, `please /lease 15m ${place} 2`, `text first\n/lease 15m ${place} 2`],
    [`<!-- /lease 15m ${place} 2 -->`, `\`\`\`\n/lease 15m ${place} 2\n\`\`\``, `／lease 15m ${place} 2`],
    [`/leas\u0435 15m ${place} 2`, ""],
  ].flat();
  return [
    ...always,
    ...words.map((body) => {
      const hash = { commentSha256: hashBody(body) };
      return [`its comment says ${JSON.stringify(body)}`, { ...said({ body }), row: hash, approval: hash }] as const;
    }),
    ["the operator allows none", caps({ allowed: false })],
    ["lee only reads", standing({ role: "read", teams: ["acme/oncall"] })],
    ["lee has left the team", standing({ role: "write", teams: [] })],
    ["lee is gone", facts(() => ({ people: new Map() }))],
    ["its row is of another comment", { row: { commentId: 1 } }],
    ["the comment is gone", said(undefined)],
    ["the comment was edited", said({ edited: true })],
    ["the comment came by e-mail", said({ byEmail: true })],
    ["the comment is somebody else's", said({ authorId: 1 })],
    ["the comment is of another issue", said({ issueNodeId: "I_other" })],
    ["the comment was written later", said({ createdAt: new Date(Date.now() + 10 * minute) })],
    ["the comment was written long ago", said({ createdAt: new Date(Date.now() - 40 * minute) })],
    ["its approval is somebody else's", { approval: { personId: person + 1 } }],
    ["its approval names another comment", { approval: { commentNodeId: "IC_other" } }],
  ];
}

/** Tries each forgery in turn on one read; returns what got through. The read goes before and behind them. */
export async function forge(read: LeasedRead, forgeries: Named<Forgery>): Promise<readonly string[]> {
  const { stage, incidentId, ground, batch, action } = read;
  const { deps } = stage.bot;
  const { db } = deps.store;
  const rowBefore = await db
    .selectFrom("lease")
    .selectAll()
    .where("incidentId", "=", incidentId)
    .executeTakeFirstOrThrow();
  const approvalBefore = await db
    .selectFrom("approval")
    .selectAll()
    .where("actionId", "=", action.id)
    .executeTakeFirstOrThrow();
  const put = (row: object) => db.updateTable("lease").set(row).where("incidentId", "=", incidentId).execute();
  const putApproval = (row: object) =>
    db.updateTable("approval").set(row).where("id", "=", approvalBefore.id).execute();
  const look = ({ deps: by = deps, ground: at = ground, spec = {} }: Forgery) =>
    checkDispatch(by, at, { action: { ...action, spec: { ...action.spec, ...spec } }, batch });
  expect(await look({})).toMatchObject({ kind: "go" });
  const through: string[] = [];
  for (const [what, forgery] of forgeries) {
    if (forgery.row) await put(forgery.row);
    if (forgery.approval) await putApproval(forgery.approval);
    if ((await look(forgery)).kind === "go") through.push(what);
    if (forgery.row) await put({ ...rowBefore, servers: JSON.stringify(rowBefore.servers) });
    if (forgery.approval) await putApproval(approvalBefore);
  }
  expect(await look({})).toMatchObject({ kind: "go" });
  return through;
}

const hostile = readFileSync(new URL("../../data/unattended/hostile.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly command: string; readonly shell: string });

/** Commands that act, reach out, reveal or stay, many behind a read's name. */
export const disguisesAt: Readonly<Record<Place, readonly string[]>> = {
  "web-1": hostile.filter(({ shell }) => shell === "bash").map(({ command }) => command),
  "prod-eu": [
    ...refusedWays,
    ...["get secret db -o yaml", "get secrets -o json", "get secret db -o jsonpath={.data}"].map(
      (words) => `kubectl -n shop ${words}`,
    ),
    ...[
      "logs -f deploy/web",
      "get pods -w",
      "get pods --watch-only",
      "rollout status deploy/web",
      "wait pod/web-1 --for=delete",
    ].map((words) => `kubectl -n shop ${words}`),
    ...[
      "delete pod web-1",
      "rollout restart deploy/web",
      "rollout undo deploy/web",
      "scale deploy/web --replicas=0",
      "set image deploy/web web=x",
    ].map((words) => `kubectl -n shop ${words}`),
    ...[
      "annotate pod web-1 a=b",
      "label pod web-1 a=b",
      "cordon worker-1",
      "drain worker-1",
      "taint node worker-1 a=b:NoSchedule",
    ].map((words) => `kubectl -n shop ${words}`),
    ...[
      "create job x --from=cronjob/y",
      "expose deploy/web",
      "autoscale deploy/web --max=3",
      "replace -f -",
      "certificate approve x",
    ].map((words) => `kubectl -n shop ${words}`),
    ...[
      "get pods -o yaml | tee /tmp/x",
      "get pods && kubectl -n shop delete pod web-1",
      "attach web-1",
      "auth reconcile -f x",
      "cluster-info dump",
    ].map((words) => `kubectl -n shop ${words}`),
    ...[
      "uptime",
      "cat /etc/passwd",
      "sh -c 'kubectl get pods'",
      "sudo kubectl -n shop get pods",
      "helm -n shop list",
      "kubectl",
    ],
  ],
  prom: [
    ...[
      "uptime",
      "curl http://127.0.0.1:9090",
      "query",
      "query ''",
      "query --time",
      "query up; reboot",
      "query up | tee x",
      "query up && reboot",
    ],
    ...[
      "query $(reboot)",
      "query `reboot`",
      "query up > /etc/motd",
      "query < /etc/shadow",
      "query up &",
      "query up\nreboot",
      "sudo query up",
      "Query up",
    ],
    ...[
      "query_exemplars up",
      "series up",
      "delete_series up",
      "query 'up[400d]'",

      "query_range up --since 400d",
      "query_range up --since 1h --step 1ms",
    ],
    ...[
      "query_range up --since -1h",
      "query_range up --step 0s",
      "query up --since 1h",
      "query up --timeout 1h",
      "query up --until now",
      "query up --until 2026-11-24",
      "query up --url http://evil",
    ],
    ...[
      "query up --limit 5",
      "query up extra",
      "query 'up[5m:1s]' 'up'",
      "query 'up # comment'",
      "query 'up['",
      "query 'up[5m'",
      `query 'up{a="b'`,
      "query 'max_over_time(up[20h:1s])'",
    ],
    ...[
      "query_range up --since 1h --since 2h",
      "query_range up",
      "query admin/tsdb/delete_series --match up",
      "query_range 'up[1y]'",
    ].filter((line) => line !== "query_range up"),
    ...[
      "GET /api/v1/query?query=up",
      "POST /-/quit",
      "query ../../-/reload --x",
      "tool up",
      "list",
      "query_range --since 1h",
      "query_range '' --since 1h",
      "systemctl restart web",
    ],
    ...[
      "query 'up{}[5m:]' --x",
      "query up --",
      "query -- up",
      "query up -o json",
      "env query up",
      "query up || true",
      "query <(cat /etc/shadow)",
      "echo query up",
      "query_range up --since 1h --until tomorrow",
    ],
  ],
};

/** What of these a lease of this kind would let run at once. */
export async function disguise({ stage, ground, incidentId, place }: LeasedRead): Promise<readonly string[]> {
  const { deps } = stage.bot;
  const incident = await incidentOf(deps.store.db, incidentId);
  const from = { origin: "model", model: "m", promptSha256: null } as const;
  const through: string[] = [];
  for (const command of disguisesAt[place]) {
    const drafted = draftAction(deps, ground, { title: "x", description: "", server: place, command }, from);
    if (drafted.kind === "refused") continue;
    const spec = { ...drafted.draft.spec, opening: deps.config.fileSha256 };
    const action = {
      ...drafted.draft,
      spec,
      id: "00000000-0000-0000-0000-000000000000",
      incidentId,
    } as unknown as Action;
    const { decision } = await leaseUseOf(deps, deps.store.db, ground, { incident, action });
    if (decision.kind === "go") through.push(command);
  }
  return through;
}

/** What people, GitHub or the operator do between the lease's approval and its batch; none may be followed by a run. */
type Play = (read: LeasedRead) => Promise<unknown>;

const issue =
  (change: object): Play =>
  ({ stage, thread }) =>
    stage.github
      .as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, change)
      .then(() => stage.quiet());
const asks =
  (...lines: readonly (readonly [login: string, body: string])[]): Play =>
  async ({ stage, thread }) => {
    for (const [login, body] of lines) await stage.ask(thread, login, body);
  };
const inTurn =
  (...plays: readonly Play[]): Play =>
  async (read) => {
    for (const play of plays) await play(read);
  };
const reload =
  (change: (deps: Deps) => Partial<Deps["config"]>): Play =>
  async ({ stage }) => {
    const { deps } = stage.bot;
    stage.bot.reload({ ...deps.config, ...change(deps) });
  };
const narrowed =
  (text: string): Play =>
  ({ stage }) =>
    narrow(stage, text);
const comment =
  (change: (path: string, read: LeasedRead) => Promise<unknown>): Play =>
  async (read) => {
    await change(`/repos/acme/web/issues/comments/${read.comment.id}`, read);
    await read.stage.quiet();
  };

const playsOfAll: Named<Play> = [
  ["/lease off", asks(["sam", "/lease off"])],
  ["/auto off", asks(["sam", "/auto off"])],
  ["/hold", asks(["sam", "/hold"])],
  ["/hold and /resume", asks(["sam", "/hold"], ["lee", "/resume"])],
  ["/hold all and /resume all", asks(["sam", "/hold all"], ["lee", "/resume all"])],
  ["/reject", asks(["lee", "/reject 2"])],
  ["the issue is closed", issue({ state: "closed" })],
  [
    "the issue is closed and opened again, as a refired alert does",
    inTurn(issue({ state: "closed" }), issue({ state: "open" })),
  ],
  ["its label is taken off and put back", inTurn(issue({ labels: [] }), issue({ labels: ["incident"] }))],
  ["the repository's file takes leases away", inTurn(narrowed("policy: { lease: { allowed: false } }\n"))],
  [
    "the operator's file takes the server away",
    reload(({ config }) => {
      const { policy } = config;
      const none = { ...policy.lease, servers: [], opening: { ...policy.lease.opening, servers: [] } };
      return { policy: { ...policy, lease: none } };
    }),
  ],
];
/** GitHub delivers the last of these events again. */
const again =
  (kind: string): Play =>
  async ({ stage }) => {
    const sent = stage.github.deliveries().filter(({ event }) => event.startsWith(kind));
    for (const { guid } of sent.slice(-4)) await stage.github.redeliver(guid);
    await stage.quiet();
  };
const playsOfFile: Named<Play> = [
  ["the operator's file changes", reload(() => ({ fileSha256: "f".repeat(64) }))],
  ["/lease off, and the opening's delivery comes again", inTurn(asks(["sam", "/lease off"]), again("issues"))],
];
const playsOfComment: Named<Play> = [
  [
    "its comment is edited",
    comment((path, { stage }) => stage.github.as("lee")("PATCH", path, { body: "/lease 30m web-1 9" })),
  ],
  ["its comment is deleted", comment((path, { stage }) => stage.github.as("lee")("DELETE", path))],
  ["/lease off, and its comment's delivery comes again", inTurn(asks(["sam", "/lease off"]), again("issue_comment"))],
  [
    "/lease off, and an older lease comes late",
    async ({ stage, thread, place }) => {
      const late = await sayUnheard(stage, thread, "lee", `/lease 15m ${place}`);
      await stage.ask(thread, "sam", "/lease off");
      await late.deliver();
    },
  ],
];

export const playsOn = (way: Way): Named<Play> => [
  ...playsOfAll,
  ...(way === "opening" ? playsOfFile : playsOfComment),
];

/** Has the batch served behind what was done; returns how many commands the audit says were sent under the lease. */
export async function serve({ stage, incidentId, batch, thread }: LeasedRead): Promise<number> {
  const { deps } = stage.bot;
  await deps.store.transaction(async (tx) => enqueueBatch(tx, deps, await lockIncident(tx, incidentId), batch));
  await stage.quiet();
  const sent = await auditOf(stage, { kind: "command_dispatched", issue: thread.number });
  return sent.filter(({ body }) => body.byLease === true).length;
}

/** Twenty processes claim at once, each for one command. Returns how many got one, and what the store counts then. */
export async function claimAtOnce({ stage, incidentId, comment: { id } }: LeasedRead) {
  const { store } = stage.bot.deps;
  const now = new Date();
  const spend = (change: object = {}) =>
    store.transaction((tx) =>
      spendLease(tx, { incidentId, commentId: id, commands: 1, now, clockBackMs: 5_000, ...change }),
    );
  const refused = [
    { commentId: id + 1 },
    { commands: mostCommands + 1 },
    { now: new Date(now.getTime() + 31 * minute) },
    { now: new Date(now.getTime() - 3_600_000) },
  ];
  for (const change of refused) expect(await spend(change), JSON.stringify(change)).toBe(false);
  const taken = (await Promise.all(Array.from({ length: 20 }, () => spend()))).filter(Boolean).length;
  // Whatever a program believes, the store keeps no more.
  await expect(
    store.db
      .updateTable("lease")
      .set({ used: mostCommands + 1 })
      .where("incidentId", "=", incidentId)
      .execute(),
  ).rejects.toThrow();
  return { taken, used: (await leaseOf(store.db, incidentId))?.used };
}
