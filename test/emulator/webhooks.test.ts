import { beforeEach, expect, it } from "vitest";
import { loadOpenApi } from "../../emulator/wire/openapi.ts";
import { useStarted } from "../harness/use-started.ts";
import { comment, openIssue, startWorld, type TestWorld } from "./world.ts";

const world = useStarted(() => startWorld());
const web = { owner: "acme", repo: "web" };
beforeEach(() => world.received());

const names = (received: Awaited<ReturnType<TestWorld["received"]>>) =>
  received.map(({ event, action }) => (action ? `${event}.${action}` : event)).sort();

it("signs each webhook and gives it a GUID of its own, unlike emulate's time stamp", async () => {
  await openIssue(world.gh, { labels: ["incident"] });
  const received = await world.received();
  expect(names(received)).toEqual(["issues.labeled", "issues.opened"]);
  expect(received.every((r) => r.signed)).toBe(true);
  const guids = received.map((r) => r.headers["x-github-delivery"]);
  expect(new Set(guids).size).toBe(2);
  for (const guid of guids) expect(guid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
});

it("DC-1 sends payloads that fit GitHub's own schema of each webhook", { tags: ["long"] }, async () => {
  const { gh } = world;
  const mona = gh.as("mona");
  const number = await openIssue(gh, { labels: ["incident"] });
  const path = `/repos/acme/web/issues/${number}`;
  await mona("PATCH", path, { title: "still down" });
  await mona("PATCH", path, { state: "closed" });
  await mona("PATCH", path, { state: "open" });
  await mona("DELETE", `${path}/labels/incident`);
  const { id } = await comment(gh, number, "/approve 1");
  await mona("PATCH", `/repos/acme/web/issues/comments/${id}`, { body: "/approve 2" });
  await mona("DELETE", `/repos/acme/web/issues/comments/${id}`);
  await world.octokit.rest.issues.createComment({ ...web, issue_number: number, body: "ours" });
  await mona("PUT", "/repos/acme/web/contents/a.md", { message: "add", content: Buffer.from("a").toString("base64") });
  await gh.removeRepository("acme/open");
  await gh.addRepository("acme/open");

  const openApi = loadOpenApi();
  const received = await world.received();
  const wrong = received.flatMap(({ event, action, payload }) =>
    (openApi.payloadProblems(event, action ?? null, payload) ?? [`no schema for ${event} ${action}`]).map(
      (problem) => `${event}.${action}: ${problem}`,
    ),
  );
  expect(wrong).toEqual([]);
  expect(names(received)).toEqual([
    "installation_repositories.added",
    "installation_repositories.removed",
    "issue_comment.created",
    "issue_comment.created",
    "issue_comment.deleted",
    "issue_comment.edited",
    "issues.closed",
    "issues.edited",
    "issues.labeled",
    "issues.opened",
    "issues.reopened",
    "issues.unlabeled",
    "push",
  ]);
});

it("tells what an edited comment said before, which emulate does not", async () => {
  const number = await openIssue(world.gh);
  const { id } = await comment(world.gh, number, "before");
  await world.gh.editComment("mona", "acme/web", id, "after");
  const edited = (await world.received()).find((r) => r.action === "edited");
  expect(edited?.payload.changes).toEqual({ body: { from: "before" } });
  expect(edited?.payload.comment?.body).toBe("after");
  expect(edited?.payload.sender?.login).toBe("mona");
  expect(edited?.payload.installation?.id).toBe(world.gh.installationId);
});

it("sends no edited webhook where the text stayed the same", async () => {
  const number = await openIssue(world.gh);
  const { id } = await comment(world.gh, number, "same");
  await world.received();
  await world.gh.editComment("mona", "acme/web", id, "same");
  expect(await world.received()).toEqual([]);
});

it("SR-11, SR-12 tells of renamed, published and transferred repositories", async () => {
  const own = await startWorld();
  const lee = own.gh.as("lee");
  await lee("PATCH", "/repos/acme/web", { name: "shop" });
  await lee("PATCH", "/repos/acme/shop", { private: false });
  await lee("POST", "/repos/acme/open/transfer", { new_owner: "elsewhere" });
  const received = await own.received();
  expect(names(received)).toEqual(["repository.publicized", "repository.renamed", "repository.transferred"]);
  const renamed = received.find((r) => r.action === "renamed")?.payload;
  expect(renamed?.changes).toEqual({ repository: { name: { from: "web" } } });
  expect(renamed?.repository?.full_name).toBe("acme/shop");
  const transferred = received.find((r) => r.action === "transferred")?.payload;
  expect(transferred?.repository?.full_name).toBe("elsewhere/open");
  expect((await own.octokit.rest.repos.get({ owner: "acme", repo: "web" })).data.full_name).toBe("acme/shop");
  await own.close();
});

it("SR-25 a transferred issue has a new number and node id in its new repository, and the old number leads there", async () => {
  const number = await openIssue(world.gh);
  const before = await world.gh.as("lee")("GET", `/repos/acme/web/issues/${number}`);
  const moved = await world.gh.transferIssue("lee", "acme/web", number, "acme/open");
  const received = await world.received();
  const transferred = received.find((r) => r.action === "transferred")?.payload;
  expect(transferred?.changes?.new_issue?.number).toBe(moved);
  expect(transferred?.changes?.new_repository?.full_name).toBe("acme/open");
  const after = await world.gh.as("lee")("GET", `/repos/acme/web/issues/${number}`);
  expect(after.body).toMatchObject({ number: moved, title: "down" });
  expect(after.body).not.toMatchObject({ node_id: (before.body as { node_id: string }).node_id });
});

it("a deleted issue is gone (410) and told of", async () => {
  const number = await openIssue(world.gh);
  await world.gh.deleteIssue("lee", "acme/web", number);
  expect(names(await world.received())).toContain("issues.deleted");
  expect((await world.gh.as("lee")("GET", `/repos/acme/web/issues/${number}`)).status).toBe(410);
});

it("is attempted once; the delivery log shows how it went, and a redelivery keeps the GUID", async () => {
  const jwt = world.octokitAs({ appId: world.gh.appId, privateKey: world.gh.privateKey });
  world.answerWith(500);
  await openIssue(world.gh);
  const [failed] = await world.received();
  const log = await jwt.request("GET /app/hook/deliveries", { per_page: 1 });
  expect(log.data).toHaveLength(1);
  expect(log.headers.link).toContain('rel="next"');
  const [entry] = log.data;
  const delivery_id = Number(entry?.id);
  expect(entry).toMatchObject({ event: "issues", action: "opened", status_code: 500, redelivery: false });
  expect(entry?.guid).toBe(failed?.headers["x-github-delivery"]);

  world.answerWith(202);
  const again = await jwt.request("POST /app/hook/deliveries/{delivery_id}/attempts", { delivery_id });
  expect(again.status).toBe(202);
  const received = await world.received();
  expect(received.map((r) => r.headers["x-github-delivery"])).toEqual([entry?.guid]);
  expect(received[0]?.payload).toEqual(failed?.payload);
  const detail = await jwt.request("GET /app/hook/deliveries/{delivery_id}", { delivery_id });
  expect(detail.data.request.payload).toMatchObject({ action: "opened" });
  await world.gh.redeliver(String(entry?.guid));
  expect(await world.received()).toHaveLength(1);
  await expect(world.gh.redeliver("none")).rejects.toThrow("no delivery none");
});

it("pages through the delivery log by cursor", async () => {
  for (let n = 0; n < 3; n++) await openIssue(world.gh);
  await world.received();
  const jwt = world.octokitAs({ appId: world.gh.appId, privateKey: world.gh.privateKey });
  const all = await jwt.paginate("GET /app/hook/deliveries", { per_page: 2 });
  expect(all.length).toBe(world.gh.deliveries().length);
  expect(new Set(all.map((d) => d.id)).size).toBe(all.length);
});

it("SR-13 a comment on a pull request arrives as issue_comment with issue.pull_request", async () => {
  const number = await world.gh.openPullRequest("mona", "acme/web", "a fix");
  await comment(world.gh, number, "/approve 1");
  const received = await world.received();
  expect(names(received)).toEqual(["issue_comment.created"]);
  expect(received[0]?.payload.issue?.pull_request?.url).toMatch(new RegExp(`/repos/acme/web/pulls/${number}$`));
  const query = `{ repository(owner: "acme", name: "web") { issue(number: ${number}) { id } } }`;
  await expect(world.octokit.graphql(query)).rejects.toMatchObject({ errors: [{ type: "NOT_FOUND" }] });
});

it("can reach us without GitHub learning of it", async () => {
  world.gh.fault({ event: "issues" }, { drop: "after" });
  await openIssue(world.gh);
  expect(names(await world.received())).toEqual(["issues.opened"]);
  expect(world.gh.deliveries().at(-1)?.status).toBe(0);
});

it("can be lost, delayed and duplicated", async () => {
  const { gh } = world;
  gh.fault({ event: "issues.opened" }, { drop: "before" });
  await openIssue(gh);
  expect(await world.received()).toEqual([]);
  expect(gh.deliveries().at(-1)).toMatchObject({ event: "issues", action: "opened", status: 0 });

  gh.fault({ event: "issues" }, { duplicate: 2, delayMs: 5 });
  await openIssue(gh);
  const copies = await world.received();
  expect(copies).toHaveLength(3);
  expect(new Set(copies.map((r) => r.headers["x-github-delivery"])).size).toBe(1);
});

it("SR-12 tells nothing of repositories the App does not have, nor while it is suspended", async () => {
  const { gh } = world;
  await gh.removeRepository("acme/web");
  await world.received();
  await openIssue(gh);
  expect(await world.received()).toEqual([]);
  await gh.addRepository("acme/web");
  gh.suspendInstallation();
  await openIssue(gh);
  gh.unsuspendInstallation();
  expect(names(await world.received())).toEqual([
    "installation.suspend",
    "installation.unsuspend",
    "installation_repositories.added",
  ]);
});

it("shows traffic to whoever listens, until they stop", async () => {
  const seen: string[] = [];
  const stop = world.gh.onTraffic((t) =>
    seen.push(t.kind === "request" ? `${t.by} ${t.operationId}` : `${t.event} ${t.status}`),
  );
  await openIssue(world.gh);
  await world.received();
  expect(seen).toEqual(["mona issues/create", "issues 202"]);
  stop();
  await openIssue(world.gh);
  expect(seen).toHaveLength(2);
});
