import type { EmulatedGitHub, RequestTraffic, SecondApp } from "../../emulator/interface.ts";
import { startGitHub } from "../../emulator/start.ts";
import { patchRights } from "../../src/base/github.ts";
import type { ExecOrder, ExecResult, Reservation } from "../../src/base/run.ts";
import type { PatchPlace, Server } from "../../src/base/server.ts";
import { createPatchReader, type PatchGitHub } from "../../src/patches/github.ts";
import { parsePatch } from "../../src/patches/parse.ts";
import { applyPatch, pathsToRead, writePatch } from "../../src/patches/patch.ts";
import { writePatchPlan } from "../../src/patches/plan.ts";
import { createPatches } from "../../src/patches/run.ts";
import { createCapture } from "../../src/ssh/capture.ts";
import { appKey } from "../harness/quiet-github.ts";
import { server } from "../ssh/inventory-entry.ts";
import { gitHubOf } from "./second-app.ts";

export const place: PatchPlace = { repository: "acme/infra", paths: ["k8s/**"], base: "main" };
export const infra = (more: Partial<Server> = {}): Server =>
  server({ name: "infra", user: "", maxRisk: "medium", hardTimeoutMs: 5_000, patches: place, ...more });

export const files = {
  "k8s/web.yaml": "kind: Deployment\nspec:\n  replicas: 1\n  paused: false\n",
  "k8s/a/deep/db.yaml": "kind: StatefulSet\nreplicas: 1\n",
  "k8s/old.yaml": "kind: Job\n",
  "k8s-extra": "sorted before the folder `k8s/`, though not by its bare name\n",
  "README.md": "# Infrastructure\n",
};

const moreReplicas = [
  "--- a/k8s/web.yaml",
  "+++ b/k8s/web.yaml",
  "@@ -2,2 +2,2 @@",
  " spec:",
  "-  replicas: 1",
  "+  replicas: 2",
  "",
].join("\n");

const short = { writeMs: 15_000, settleMs: 1_000, lookMs: 50 };

export type Ran = ExecResult & { readonly text: string };

export interface PatchWorld {
  readonly gh: EmulatedGitHub;
  readonly app: SecondApp;
  readonly github: PatchGitHub;
  /** Forgets what was known of the installation, as after a minute. */
  readonly forget: () => void;
  readonly reader: ReturnType<typeof createPatchReader>;
  readonly orderOf: (patch?: string) => Promise<ExecOrder & { readonly mode: "job" }>;
  readonly reserve: (order: ExecOrder, limits?: object, signal?: AbortSignal) => Promise<Reservation>;
  readonly send: (order: ExecOrder, limits?: object) => Promise<Ran>;
  readonly pulls: () => Promise<readonly Pull[]>;
  /** What the second App has written since the last call. */
  readonly writes: () => readonly string[];
  readonly close: () => Promise<void>;
}

export interface Pull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  readonly head: { readonly ref: string; readonly sha: string };
  readonly base: { readonly ref: string };
  readonly user: { readonly login: string };
}

export const branchOf = ({ wrapped }: Pick<ExecOrder, "wrapped">): string => JSON.parse(wrapped).branch;

let jobs = 0;

/** An emulated GitHub with both Apps, and the runner of patches as the bot has it. */
export async function startPatchWorld(): Promise<PatchWorld> {
  const gh = await startGitHub({
    app: { id: 7, slug: "countersign", privateKey: appKey, permissions: { issues: "write", metadata: "read" } },
    secondApp: { id: 8, slug: "countersign-patches", privateKey: appKey, permissions: patchRights, repos: ["infra"] },
    owner: "acme",
    repos: [
      { name: "web", private: true, files: {} },
      { name: "infra", private: true, files },
    ],
    people: [
      { login: "mona", role: "admin" },
      { login: "lee", role: "write" },
    ],
    webhook: { url: "http://127.0.0.1:9/", secret: "a-secret-for-this-test-only-0123456789", active: false },
  });
  const { secondApp: app } = gh;
  if (!app) throw new Error("the seed has a second App");
  const keys = { ...app, apiUrl: gh.url };
  let own = gitHubOf(keys);
  const github = new Proxy(own, { get: (_, name) => Reflect.get(own, name) });
  const reader = createPatchReader(github);
  const as = gh.as("mona");
  const listed = async (path: string): Promise<readonly unknown[]> => {
    const { body } = await as("GET", `/repos/acme/infra${path}`);
    if (!Array.isArray(body)) throw new Error(`GitHub does not list ${path}`);
    return body;
  };
  const reserve: PatchWorld["reserve"] = (order, limits = {}, signal = new AbortController().signal) =>
    createPatches({
      github,
      createCapture: () => createCapture(65_536),
      freshMs: 5_000,
      limits: { ...short, ...limits },
    }).reserve(order, signal);
  return {
    gh,
    app,
    github,
    forget: () => {
      own = gitHubOf(keys);
    },
    reader,
    orderOf: async (text = moreReplicas) => {
      const jobId = `job-${++jobs}`;
      const commit = await github.headOf(place);
      const parsed = parsePatch(text);
      if (!parsed.ok) throw new Error(parsed.reason);
      const applied = applyPatch(parsed.files, await reader.readFiles(place, pathsToRead(parsed.files), commit));
      if (!applied.ok) throw new Error(applied.reason);
      const wrapped = writePatchPlan({ ...place, patch: writePatch(commit, applied.files), jobId });
      const issue = `${gh.url}/acme/web/issues/5`;
      const approval = {
        issue,
        number: 3,
        title: "Run two replicas",
        description: "One is too few",
        by: ["lee", "mona"],
      };
      return { server: infra(), wrapped, mode: "job", jobId, approval };
    },
    reserve,
    send: async (order, limits) => {
      const reservation = await reserve(order, limits);
      const refused = await reservation.prove();
      if (refused !== undefined) throw new Error(refused);
      const result = await reservation.send(Date.now(), {});
      if (result === "stale") throw new Error("it is not stale");
      return { ...result, text: Buffer.from(result.capture.head).toString() };
    },
    pulls: async () => (await listed("/pulls?state=all&per_page=100")) as readonly Pull[],
    writes: () => {
      const all = gh.requests().filter(isWrite);
      gh.resetCounts();
      return all.map(({ method, path, status }) => `${method} ${path.replace("/repos/acme/infra/", "")} ${status}`);
    },
    close: gh.close,
  };
}

const isWrite = ({ by, method }: RequestTraffic): boolean => by === "installation" && method !== "GET";
