import { afterAll, beforeAll } from "vitest";
import { type Action, type ActionDraft, addAction } from "../../src/store/actions.ts";
import { openStore, type Store } from "../../src/store/database/open.ts";
import { type Incident, openIncident } from "../../src/store/incidents.ts";
import { addBatch, startRuns } from "../../src/store/runs.ts";
import { freshFolder, removeFolder } from "./fresh.ts";

/** A store of this test file's own, with rows as the stories make them. */
export function useStore() {
  let folder: string;
  let opened: Store | undefined;
  let issue = 0;
  let comments = 0;
  beforeAll(async () => {
    folder = await freshFolder();
    opened = await openStore(`file:${folder}`);
  });
  afterAll(async () => {
    await opened?.close();
    removeFolder(folder);
  });
  const store = (): Store => {
    if (!opened) throw new Error("the store is opened before the tests");
    return opened;
  };
  /** A new incident of mona's, on an issue of its own. */
  const incident = async (): Promise<Incident> => {
    issue += 1;
    return (await store().transaction((tx) => openIncident(tx, incidentInput(issue)))).incident;
  };
  const action = (incident: Incident, change: Partial<ActionDraft> = {}): Promise<Action> =>
    store().transaction((tx) => addAction(tx, incident, { ...draft, ...change }));
  return {
    store,
    incident,
    action,
    /** A run of a new action that has begun, in a batch that lee has set going by a comment of its own, or a lease by none. */
    begun: async ({
      on,
      numbers,
      by = "comment",
      change = {},
    }: {
      on?: Incident;
      numbers?: readonly number[];
      by?: "comment" | "lease";
      change?: Partial<ActionDraft>;
    } = {}) => {
      const given = on ?? (await incident());
      const one = await action(given, change);
      const commentId = by === "comment" ? ++comments : null;
      const of = { incidentId: given.id, commentId, person: lee, numbers: numbers ?? [one.number], keepGoing: false };
      const batch = await store().transaction((tx) => addBatch(tx, of));
      const [run] = await store().transaction((tx) => startRuns(tx, one, batch.id, 1));
      if (!run) throw new Error("an action has a server");
      return { given, one, of, batch, run };
    },
  };
}

export const lee = { id: 70, login: "lee" };
export const mona = { id: 71, login: "mona" };

export const incidentInput = (number: number) => ({
  issue: { installationId: 1, repoId: 9, repo: "acme/web", number, nodeId: `I_${number}` },
  title: "Disk full",
  body: "on web-1",
  public: false,
  labels: ["incident"],
  opener: mona,
  stepLimit: 20,
});

export const draft: ActionDraft = {
  state: "proposed",
  title: "Disk space",
  description: "looks",
  origin: "model",
  findings: [],
  spec: {
    place: "web-1",
    targets: [
      {
        server: "web-1",
        host: "10.0.0.11",
        port: 22,
        user: "ops",
        os: "linux",
        hostKeys: ["SHA256:abc"],
        jobId: null,
        wrapped: "sh -c 'df -h'",
        hardTimeoutMs: 1_800_000,
        outputCapBytes: 1_000,
      },
    ],
    command: "df -h",
    risk: "low",
    rulesVersion: "1",
    contextCommit: null,
    promptSha256: null,
    model: "fake",
    nonce: "n",
    expiresAt: "2030-01-01T00:00:00.000Z",
  },
};
