import { beforeEach, expect, it } from "vitest";
import { useStarted } from "../harness/use-started.ts";
import { openIssue, startWorld, statusOf } from "./world.ts";

const world = useStarted(() => startWorld());
beforeEach(() => world.received());

const web = { owner: "acme", repo: "web" };

it("sends one webhook for each thing that a single change changes", async () => {
  const number = await openIssue(world.gh, { labels: ["incident"] });
  await world.received();
  const change = { title: "new", body: "new", state: "closed", labels: ["solved"], assignees: ["lee"] };
  const { body } = await world.gh.as("mona")("PATCH", `/repos/acme/web/issues/${number}`, change);
  expect(body).toMatchObject({ title: "new", state: "closed", state_reason: "completed" });
  const received = await world.received();
  expect(received.map((r) => r.action).sort()).toEqual(["assigned", "closed", "edited", "labeled", "unlabeled"]);
  const edited = received.find((r) => r.action === "edited");
  expect(edited?.payload.changes).toEqual({ title: { from: "down" }, body: { from: "help" } });
  expect(received.find((r) => r.action === "labeled")?.payload.label?.name).toBe("solved");
  expect(received.find((r) => r.action === "unlabeled")?.payload.label?.name).toBe("incident");
  expect(received.find((r) => r.action === "assigned")?.payload.assignee?.login).toBe("lee");
});

it("sends nothing for a label that was there already", async () => {
  const number = await openIssue(world.gh, { labels: ["incident"] });
  await world.received();
  await world.octokit.rest.issues.addLabels({ ...web, issue_number: number, labels: ["incident"] });
  expect(await world.received()).toEqual([]);
});

it("shows an issue that the App opened as its own", async () => {
  const { data } = await world.octokit.rest.issues.create({ ...web, title: "postmortem", labels: ["draft"] });
  expect(data.user).toMatchObject({ login: "countersign[bot]", type: "Bot" });
  expect(data.performed_via_github_app?.slug).toBe("countersign");
  const [opened] = await world.received();
  expect(opened?.payload.sender?.login).toBe("countersign[bot]");
});

it("leaves deleted issues out of lists", async () => {
  const gone = await openIssue(world.gh, { labels: ["listed"] });
  const stays = await openIssue(world.gh, { labels: ["listed"] });
  await world.gh.deleteIssue("lee", "acme/web", gone);
  const { data } = await world.octokit.rest.issues.listForRepo({ ...web, labels: "listed" });
  expect(data.map((i) => i.number)).toEqual([stays]);
  await expect(world.gh.deleteIssue("lee", "acme/web", gone)).rejects.toThrow("deleted");
});

it("answers 404 for what never was", async () => {
  expect(await statusOf(world.octokit.rest.issues.get({ ...web, issue_number: 9_999 }))).toBe(404);
  expect(await statusOf(world.octokit.rest.issues.getComment({ ...web, comment_id: 5 }))).toBe(404);
  expect(await statusOf(world.octokit.rest.issues.removeLabel({ ...web, issue_number: 1, name: "none" }))).toBe(404);
  expect(await statusOf(world.octokit.rest.repos.get({ owner: "acme", repo: "none" }))).toBe(404);
});

it("tells of a file that was added, changed and deleted", async () => {
  const path = "/repos/acme/web/contents/docs/run.md";
  const mona = world.gh.as("mona");
  const content = (text: string) => Buffer.from(text).toString("base64");
  const added = await mona("PUT", path, { message: "add", content: content("one") });
  const sha = (answer: { body: unknown }) => (answer.body as { content: { sha: string } }).content.sha;
  const changed = await mona("PUT", path, { message: "change", content: content("two"), sha: sha(added) });
  await mona("DELETE", path, { message: "delete", sha: sha(changed) });
  const heads = (await world.received()).map((r) => r.payload.head_commit);
  const file = ["docs/run.md"];
  expect(heads).toMatchObject([
    { message: "add", added: file, modified: [], removed: [] },
    { message: "change", added: [], modified: file, removed: [] },
    { message: "delete", added: [], modified: [], removed: file },
  ]);
});
