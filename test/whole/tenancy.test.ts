import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { catchUp } from "../../src/features/intake/catch-up.ts";
import { findPin } from "../../src/store/pins.ts";
import { repo } from "../harness/playground.ts";
import { auditOf, startStage } from "../harness/stage.ts";
import { useStarted } from "../harness/use-started.ts";
import { postWebhook } from "../harness/webhook.ts";

const stage = useStarted(() => startStage());
afterAll(async () => {
  expect(stage.github.invalid()).toEqual([]);
});
beforeEach(async () => {
  await db().deleteFrom("repository").execute();
});

const db = () => stage.bot.deps.store.db;
const pinned = () => findPin(db(), repo);
const audited = async () => {
  return (await auditOf(stage, { kind: "repository_refused" })).map(({ body }) => body);
};
const warnings = () => stage.log.filter(({ event }) => event === "repository_refused").length;

interface Payload {
  readonly repository: object;
  readonly installation: object;
}

/** Sends an event as GitHub has signed it, like the last one of its kind but for where it comes from. */
async function deliver(event: string, change: (payload: Payload) => object): Promise<void> {
  const stored = db().selectFrom("delivery").select("payload").where("event", "=", event);
  const last = await stored.orderBy("position", "desc").executeTakeFirst();
  expect(await postWebhook(stage, event, change(JSON.parse(last?.payload ?? "{}")))).toBe(202);
  await stage.quiet();
}

/** What it leaves: requests to the model and to GitHub, new audit lines, new warnings. */
async function left(by: () => Promise<void>) {
  const before = { audit: (await audited()).length, warnings: warnings(), model: stage.model.requests.length };
  stage.github.resetCounts();
  await by();
  return {
    model: stage.model.requests.length - before.model,
    github: stage.github.requests().length,
    audit: (await audited()).slice(before.audit),
    warnings: warnings() - before.warnings,
  };
}
const nothingBut = (line: object) => ({ model: 0, github: 0, audit: [expect.objectContaining(line)], warnings: 1 });

/** The operator writes the file anew. */
function write(id: number | undefined): void {
  const { config } = stage.bot.deps;
  stage.bot.reload({ ...config, repositories: config.repositories.map((entry) => ({ ...entry, id })) });
}

describe("whom the bot works for", () => {
  it("SR-07 SR-09 first contact pins the name, and each token is for that repository alone", async () => {
    const before = stage.github.minted().length;
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", "/approve 1");
    const { repoId } = (await pinned()) ?? {};
    expect(await pinned()).toEqual({ repoId, installationId: stage.github.installationId, installed: true });
    const permissions = { issues: "write", metadata: "read", contents: "read", members: "read" };
    const asked = stage.github
      .minted()
      .slice(before)
      .map((token) => token.asked);
    expect(asked).toEqual([{ repository_ids: [repoId], permissions }]);
    expect(stage.ran()).toHaveLength(1);
  });

  it("SR-07 an installation that nobody named: no model, no comment, one audit line for each kind of event", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", "/status");
    const elsewhere = ({ ...payload }: Payload) => ({
      ...payload,
      repository: { ...payload.repository, id: 999, full_name: "evil/web" },
      installation: { id: 666 },
    });
    const refusal = { repo: "evil/web", repoId: 999, installationId: 666, scope: "strangers" };
    expect(await left(() => deliver("issues", elsewhere))).toEqual(
      nothingBut({ ...refusal, event: "issues.labeled", reason: "github.repositories does not name it" }),
    );
    const fresh = (payload: Payload) => ({ ...elsewhere(payload), comment: { ...commentOf(payload), id: 1_000_001 } });
    expect(await left(() => deliver("issue_comment", fresh))).toEqual(
      nothingBut({ ...refusal, event: "issue_comment.created" }),
    );
    const again = (payload: Payload) => ({ ...elsewhere(payload), comment: { ...commentOf(payload), id: 1_000_002 } });
    expect(await left(() => deliver("issue_comment", again))).toEqual({ model: 0, github: 0, audit: [], warnings: 0 });
  });

  it("SR-07 a repository that was deleted and made anew is another one, until the operator writes its id", {
    tags: ["long"],
  }, async () => {
    const before = stage.ran().length;
    const thread = await stage.incident("uptime");
    const real = await pinned();
    await db().updateTable("repository").set({ id: 41 }).execute();
    const say = async () => void (await stage.ask(thread, "lee", "/approve 1"));
    const refused = await left(say);
    expect(refused).toMatchObject({
      model: 0,
      audit: [{ reason: expect.stringMatching(/created again.*write `id: \d+`/) }],
    });
    expect((await thread.comments()).at(-1)?.body).toBe("/approve 1");
    write(real?.repoId);
    await say();
    expect(await pinned()).toEqual(real);
    write(undefined);
    expect(stage.ran()).toHaveLength(before + 1);
  });

  it("SR-07 what is kept of a repository that has lost its name is not in the way of the one that has its name", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    const real = await pinned();
    await db().updateTable("incident").set({ repoId: 41 }).where("number", "=", thread.number).execute();
    await db().updateTable("repository").set({ id: 41 }).execute();
    write(real?.repoId);
    const boards = async () => (await thread.comments()).filter(({ body }) => body.includes("Board of this")).length;
    expect(await boards()).toBe(1);
    stage.model.play({ text: "LIKELY: nothing." });
    await stage.ask(thread, "sam", "/investigate");
    expect(await boards()).toBe(2);
    const kept = db().selectFrom("comment").select(["repo", "parked"]).where("slot", "=", "board");
    expect(await kept.where("issue", "=", thread.number).orderBy("position").execute()).toEqual([
      { repo: `${repo}@41`, parked: "its name is another repository's now" },
      { repo, parked: null },
    ]);
    write(undefined);
  });

  it("SR-07 an id written by hand goes before what was pinned", async () => {
    const thread = await stage.incident("uptime");
    write(41);
    const { audit } = await left(async () => void (await stage.ask(thread, "lee", "/status")));
    expect(audit).toEqual([expect.objectContaining({ reason: expect.stringContaining("gives 41 for its name") })]);
    write(undefined);
  });

  it("SR-07 SR-12 an App that was taken off and installed anew goes on where GitHub has told of it, and not before", async () => {
    const thread = await stage.incident("uptime");
    const real = await pinned();
    const old = 111;
    await db().updateTable("repository").set({ installationId: old }).execute();
    await db().updateTable("incident").set({ installationId: old }).where("number", "=", thread.number).execute();
    const status = async () => (await stage.ask(thread, "lee", "/status")).said;
    expect(await status()).toEqual([]);
    expect((await audited()).at(-1)).toMatchObject({ reason: expect.stringContaining("is known by 111") });
    const sender = { id: 1, login: "mona", type: "User" };
    await deliver("installation", () => ({ action: "deleted", installation: { id: old }, sender }));
    expect(await status()).toEqual([expect.stringContaining("phase 1 of 5")]);
    expect(await pinned()).toEqual(real);
  });

  it("SR-07 RR-03 of a repository that is not the one pinned nothing is caught up with", async () => {
    await stage.incident("uptime");
    await db().updateTable("repository").set({ id: 41 }).execute();
    const asked: string[] = [];
    await catchUp(stage.bot.deps, {
      failedSince: async () => ({ attempts: [], isWhole: true }),
      redeliver: async () => {},
      issue: async () => ({}),
      receive: async () => "stored",
      commentsSince: async ({ repo: name }) => {
        asked.push(name);
        return [];
      },
    });
    expect(asked).toEqual([]);
  });
});

const commentOf = (payload: object): object => ("comment" in payload ? (payload.comment as object) : {});
