import { expect, it } from "vitest";
import { isBehindIssue } from "../../../src/features/verify/restored.ts";
import { markerOf } from "../../../src/github/comments.ts";
import { openStore } from "../../../src/store/database/open.ts";
import { incidentOf, openIncident } from "../../../src/store/incidents.ts";
import { useStarted } from "../../harness/use-started.ts";
import { freshFolder } from "../../store/fresh.ts";

const store = useStarted(async () => openStore(`file:${await freshFolder()}`));

it("RR-24 F-37 GitHub's whole seconds hide no comment that was written in the second in which the incident began", async () => {
  const incidentId = await store.transaction(async (tx) => {
    const { incident } = await openIncident(tx, {
      issue: { installationId: 1, repoId: 7, repo: "acme/web", number: 1, nodeId: "I_1" },
      title: "Disk full",
      body: "",
      public: false,
      labels: [],
      opener: { id: 1, login: "mona" },
      stepLimit: 20,
    });
    return incident.id;
  });
  const incident = { ...(await incidentOf(store.db, incidentId)), createdAt: new Date("2026-11-27T01:32:23.328Z") };
  const isBehind = (createdAt: Date) => {
    const body = `the result\n\n${markerOf("01a21aa4-d95c-7089-a581-26c4b3d968ae")}`;
    const seen = { id: 9, login: "countersign", ours: true, body, createdAt };
    const comment = { ...seen, editedAt: undefined, editor: undefined, hidden: undefined };
    const readComments = async function* () {
      yield [comment];
    };
    return isBehindIssue({ store, readComments }, incident, undefined);
  };
  expect(await isBehind(new Date("2026-11-27T01:32:22Z"))).toBe(false);
  expect(await isBehind(new Date("2026-11-27T01:32:23Z"))).toBe(true);
  expect(await isBehind(new Date("2026-11-27T01:32:24Z"))).toBe(true);
});
