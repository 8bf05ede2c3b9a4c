import { describe, expect, it } from "vitest";
import { incidentOf } from "../../src/store/incidents.ts";
import { leaseOf } from "../../src/store/leases.ts";
import { openWithLease } from "../harness/lease.ts";
import { entryOf, type Playground, startPlayground } from "../harness/playground.ts";
import { auditOf } from "../harness/stage.ts";
import { useStarted } from "../harness/use-started.ts";
import { startFakeHost } from "../ssh/fake-host.ts";

describe("what takes the ground from under an approval makes it void", () => {
  const servers = () => ({
    "web-1": entryOf(host),
  });

  const host = useStarted(() => startFakeHost(async () => 0));

  it.each([
    ["SR-12 the App is uninstalled", (p: Playground) => Promise.resolve(p.github.uninstall())],
    ["SR-12 the installation is suspended", (p: Playground) => Promise.resolve(p.github.suspendInstallation())],
    ["SR-12 the repository is taken from the App", (p: Playground) => p.github.removeRepository("acme/web")],
    ["SR-11 the repository becomes public", (p: Playground) => patchRepo(p, { private: false, visibility: "public" })],
    ["SR-12 the repository is renamed", (p: Playground) => patchRepo(p, { name: "shop" })],
  ])("%s: open actions end as void and nothing runs", async (title, happen) => {
    const playground = await startPlayground({ servers: servers() });
    const { incidentId } = await openWithLease(playground);
    const { db } = playground.bot.deps.store;
    await happen(playground);
    await playground.quiet();
    const actions = await db.selectFrom("action").select(["number", "state"]).orderBy("number").execute();
    expect(actions).toEqual([
      { number: 1, state: "void" },
      { number: 2, state: "void" },
    ]);
    expect(await auditOf(playground, { kind: "ground_lost" })).toHaveLength(1);
    expect(host.seen.commands).toEqual([]);
    expect(await leaseOf(db, incidentId)).toMatchObject({
      offWhy: expect.stringMatching(/^(repository|installation) /),
    });
    const { public: isPublic } = await incidentOf(db, incidentId);
    expect(isPublic).toBe(title.includes("public"));
    await playground.close();
  });
});

async function patchRepo({ github }: Playground, fields: object): Promise<void> {
  const { status } = await github.as("mona")("PATCH", "/repos/acme/web", fields);
  expect(status).toBe(200);
}
