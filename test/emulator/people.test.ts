import { expect, it } from "vitest";
import { useStarted } from "../harness/use-started.ts";
import { comment, openIssue, startWorld, statusOf } from "./world.ts";

const world = useStarted(() => startWorld());
const web = { owner: "acme", repo: "web" };

const permission = async (username: string, repo = "web") => {
  const { data } = await world.octokit.rest.repos.getCollaboratorPermissionLevel({ owner: "acme", repo, username });
  return [data.permission, data.role_name];
};

it("tells each role and its legacy permission, where emulate calls every member an admin", async () => {
  const people = ["lee", "ann", "mona", "tri", "rea", "eve"];
  expect(await Promise.all(people.map((login) => permission(login)))).toEqual([
    ["admin", "admin"],
    ["write", "maintain"],
    ["write", "write"],
    ["read", "triage"],
    ["read", "read"],
    ["none", "none"],
  ]);
  expect(await permission("eve", "open")).toEqual(["read", "read"]);
  const unknown = world.octokit.rest.repos.getCollaboratorPermissionLevel({ ...web, username: "nobody" });
  expect(await statusOf(unknown)).toBe(404);
});

it("changes a role on one repository or on all", async () => {
  world.gh.setRole("rea", "admin", "acme/web");
  expect([await permission("rea"), await permission("rea", "open")]).toEqual([
    ["admin", "admin"],
    ["read", "read"],
  ]);
  world.gh.setRole("rea", "write");
  expect([await permission("rea"), await permission("rea", "open")]).toEqual([
    ["write", "write"],
    ["write", "write"],
  ]);
  world.gh.setRole("rea", "read");
  expect(() => world.gh.setRole("nobody", "read")).toThrow("no person nobody");
});

it("answers 404 to somebody without access, as if there were nothing, where emulate answers 200 or 403", async () => {
  const number = await openIssue(world.gh);
  const eve = world.gh.as("eve");
  const paths = ["/repos/acme/web", `/repos/acme/web/issues/${number}`, "/repos/acme/web/contents/AGENTS.md"];
  const statuses = await Promise.all(paths.map(async (path) => (await eve("GET", path)).status));
  expect(statuses).toEqual([404, 404, 404]);
  expect((await eve("POST", `/repos/acme/web/issues/${number}/comments`, { body: "hi" })).status).toBe(404);
});

it("lets anybody read and comment on a public repository, and change nothing", async () => {
  const eve = world.gh.as("eve");
  const number = await openIssue(world.gh, { labels: ["incident"] }, "eve", "acme/open");
  const { body } = await eve("GET", `/repos/acme/open/issues/${number}`);
  expect(body).toMatchObject({ labels: [], user: { login: "eve" } });
  expect((await eve("POST", `/repos/acme/open/issues/${number}/labels`, { labels: ["incident"] })).status).toBe(403);
  expect((await eve("PATCH", "/repos/acme/open", { private: true })).status).toBe(403);
});

it("lets triage label and close, and write edit another's text", async () => {
  const number = await openIssue(world.gh);
  const path = `/repos/acme/web/issues/${number}`;
  const as = async (login: string, body: object) => (await world.gh.as(login)("PATCH", path, body)).status;
  expect(await as("rea", { state: "closed" })).toBe(403);
  expect(await as("tri", { state: "closed" })).toBe(200);
  expect(await as("tri", { body: "x" })).toBe(403);
  expect(await as("ann", { body: "x" })).toBe(200);
});

it("SR-14 a renamed person keeps their id, and who takes the old login has another", async () => {
  const own = await startWorld();
  const number = await openIssue(own.gh);
  const { id } = await comment(own.gh, number, "/approve 1");
  const before = own.gh.person("mona");
  own.gh.renamePerson("mona", "lisa");
  expect(own.gh.person("lisa").id).toBe(before.id);
  const thief = own.gh.registerPerson("mona", "none");
  expect(thief.id).not.toBe(before.id);
  const { data } = await own.octokit.rest.issues.getComment({ ...web, comment_id: id });
  expect(data.user).toMatchObject({ login: "lisa", id: before.id });
  expect((await own.gh.as("mona")("GET", "/repos/acme/web")).status).toBe(404);
  expect((await own.gh.as("lisa")("GET", "/repos/acme/web")).status).toBe(200);
  expect(() => own.gh.registerPerson("lisa", "none")).toThrow("taken");
  await own.close();
});

it("knows who is in a team and in the organization", async () => {
  const { rest } = world.octokit;
  const team = { org: "acme", team_slug: "oncall" };
  const members = await rest.teams.listMembersInOrg(team);
  expect(members.data.map((m) => m.login)).toEqual(["lee", "mona"]);
  const membership = (username: string) => statusOf(rest.teams.getMembershipForUserInOrg({ ...team, username }));
  expect([await membership("mona"), await membership("rea")]).toEqual([200, 404]);
  const member = (username: string) => statusOf(rest.orgs.checkMembershipForUser({ org: "acme", username }));
  expect([await member("mona"), await member("rea")]).toEqual([204, 404]);
  world.gh.setTeam("oncall", ["rea"]);
  expect([await membership("mona"), await membership("rea")]).toEqual([404, 200]);
  world.gh.setTeam("oncall", ["lee", "mona"]);
});

it("SR-08 keeps teams from an App without members: read", async () => {
  const own = await startWorld({
    app: {
      id: 7002,
      slug: "small",
      privateKey: world.gh.privateKey,
      permissions: { issues: "write", metadata: "read", contents: "read" },
    },
  });
  const octokit = own.octokitAs({ appId: 7002, privateKey: own.gh.privateKey, installationId: own.gh.installationId });
  expect(await statusOf(octokit.rest.teams.listMembersInOrg({ org: "acme", team_slug: "oncall" }))).toBe(403);
  const query = octokit.graphql('{ organization(login: "acme") { team(slug: "oncall") { slug } } }');
  await expect(query).rejects.toMatchObject({ errors: [{ type: "FORBIDDEN" }] });
  await own.close();
});

it("knows bots as bots", async () => {
  const { data } = await world.octokit.rest.users.getByUsername({ username: "pager[bot]" });
  expect(data).toMatchObject({ login: "pager[bot]", type: "Bot" });
  const app = await world.octokit.rest.users.getByUsername({ username: "countersign[bot]" });
  expect(app.data).toMatchObject({ type: "Bot", id: world.gh.person("countersign[bot]").id });
});

it("refuses to write to an archived repository", async () => {
  const own = await startWorld();
  const number = await openIssue(own.gh);
  await own.gh.as("lee")("PATCH", "/repos/acme/web", { archived: true });
  await expect(comment(own.gh, number, "hi")).rejects.toThrow("403");
  expect((await own.gh.as("mona")("GET", `/repos/acme/web/issues/${number}`)).status).toBe(200);
  await own.close();
});
