import { createSign } from "node:crypto";
import { expect, it, vi } from "vitest";
import { generatePrivateKey } from "../../emulator/wire/tokens.ts";
import { useStarted } from "../harness/use-started.ts";
import { openIssue, seed, startWorld, statusOf } from "./world.ts";

const world = useStarted(() => startWorld());

const web = { owner: "acme", repo: "web" };
const jwtOctokit = () => world.octokitAs({ appId: world.gh.appId, privateKey: world.gh.privateKey });

async function mint(body: object = {}): Promise<string> {
  const { data } = await jwtOctokit().request("POST /app/installations/{installation_id}/access_tokens", {
    installation_id: world.gh.installationId,
    ...body,
  });
  return data.token;
}

function jwt(claims: object, key: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}`;
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(key, "base64url")}`;
}

it("SR-08 shows the App with exactly the permissions it has", async () => {
  const { data } = await jwtOctokit().request("GET /app");
  expect(data).toMatchObject({ id: 7001, slug: "countersign", permissions: seed.app.permissions });
  world.gh.setAppPermissions({ ...seed.app.permissions, administration: "write" });
  const later = await jwtOctokit().request("GET /app");
  expect(later.data?.permissions).toHaveProperty("administration", "write");
  world.gh.setAppPermissions(seed.app.permissions);
});

it("lists its installation and the repositories of it", async () => {
  const { data } = await jwtOctokit().request("GET /app/installations");
  expect(data.map((i) => [i.id, i.account?.login])).toEqual([[world.gh.installationId, "acme"]]);
  const found = await jwtOctokit().request("GET /repos/{owner}/{repo}/installation", web);
  expect(found.data.id).toBe(world.gh.installationId);
  const repos = await world.octokit.request("GET /installation/repositories");
  expect(repos.data.repositories.map((r) => r.full_name)).toEqual(["acme/web", "acme/open"]);
});

it("SR-09 records what a token was asked for, and grants no more", async () => {
  const repos = await world.octokit.request("GET /installation/repositories");
  const repositoryId = Number(repos.data.repositories[0]?.id);
  const asked = { repository_ids: [repositoryId], permissions: { issues: "write" } };
  const token = await mint(asked);
  expect(world.gh.minted().at(-1)).toMatchObject({
    token,
    asked,
    repositoryIds: [repositoryId],
    permissions: { issues: "write", metadata: "read" },
  });
  const narrow = world.octokitAs(token);
  await openIssue(world.gh);
  expect(await statusOf(narrow.rest.issues.listForRepo(web))).toBe(200);
  expect(await statusOf(narrow.rest.repos.getContent({ ...web, path: "AGENTS.md" }))).toBe(403);
  expect(await statusOf(narrow.rest.issues.listForRepo({ ...web, repo: "open" }))).toBe(404);
});

it("SR-09 refuses a token for permissions or repositories that were not granted", async () => {
  expect(await statusOf(mint({ permissions: { administration: "write" } }).then(() => ({ status: 201 })))).toBe(422);
  expect(await statusOf(mint({ repository_ids: [1] }).then(() => ({ status: 201 })))).toBe(422);
});

it("mints tokens as long as GitHub's new ones", async () => {
  const token = await mint();
  expect(token.startsWith("ghs_7001_")).toBe(true);
  expect(token.length).toBeGreaterThan(500);
});

it("answers 401 to an unknown token, which emulate takes for its first user", async () => {
  for (const authorization of ["token ghs_never_minted", "Bearer gho_nobody", "Basic bW9uYTpw"]) {
    const response = await fetch(`${world.gh.url}/repos/acme/web`, { headers: { authorization } });
    expect([authorization, response.status]).toEqual([authorization, 401]);
  }
  expect((await fetch(`${world.gh.url}/repos/acme/web`)).status).toBe(401);
});

it("a token ends after an hour, or when it is revoked", async () => {
  const octokit = world.octokitAs(await mint());
  expect(await statusOf(octokit.rest.repos.get(web))).toBe(200);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60_000 });
  expect(await statusOf(octokit.rest.repos.get(web))).toBe(401);
  vi.useRealTimers();
  expect(await statusOf(octokit.rest.repos.get(web))).toBe(200);
  world.gh.revokeTokens();
  expect(await statusOf(octokit.rest.repos.get(web))).toBe(401);
});

it("takes a JWT only with the App's signature, id and a life of at most ten minutes", async () => {
  const now = Math.floor(Date.now() / 1000);
  const good = { iat: now - 30, exp: now + 500, iss: "7001" };
  const cases: readonly (readonly [string, string, number])[] = [
    ["good", jwt(good, world.gh.privateKey), 200],
    ["other key", jwt(good, generatePrivateKey()), 401],
    ["other app", jwt({ ...good, iss: "7002" }, world.gh.privateKey), 401],
    ["expired", jwt({ ...good, exp: now - 1 }, world.gh.privateKey), 401],
    ["too long", jwt({ ...good, exp: now + 3600 }, world.gh.privateKey), 401],
    ["no end", jwt({ iat: now, iss: "7001" }, world.gh.privateKey), 401],
    ["unsigned", `${jwt(good, world.gh.privateKey).split(".").slice(0, 2).join(".")}.`, 401],
  ];
  for (const [name, token, status] of cases) {
    const response = await fetch(`${world.gh.url}/app`, { headers: { authorization: `Bearer ${token}` } });
    expect([name, response.status]).toEqual([name, status]);
  }
});

it("keeps the App's JWT out of repositories, and its tokens out of /app", async () => {
  const now = Math.floor(Date.now() / 1000);
  const authorization = `Bearer ${jwt({ iat: now, exp: now + 60, iss: "7001" }, world.gh.privateKey)}`;
  expect((await fetch(`${world.gh.url}/repos/acme/web`, { headers: { authorization } })).status).toBe(403);
  expect(await statusOf(world.octokitAs(await mint()).request("GET /app"))).toBe(401);
});

it("SR-12 refuses everything while suspended, and forgets the installation when uninstalled", async () => {
  const own = await startWorld();
  const { token } = (await own.octokit.auth({ type: "installation" })) as { token: string };
  const octokit = own.octokitAs(token);
  const query = () => octokit.graphql("{ viewer { login } }").then(() => ({ status: 200 }));
  own.gh.suspendInstallation();
  expect([await statusOf(octokit.rest.repos.get(web)), await statusOf(query())]).toEqual([403, 403]);
  own.gh.uninstall();
  expect([await statusOf(octokit.rest.repos.get(web)), await statusOf(query())]).toEqual([401, 401]);
  const jwt = own.octokitAs({ appId: own.gh.appId, privateKey: own.gh.privateKey });
  expect((await jwt.request("GET /app/installations")).data).toEqual([]);
  await own.close();
});

it("hands out the App's credentials for a manifest's code", async () => {
  const response = await fetch(`${world.gh.url}/app-manifests/abc/conversions`, { method: "POST" });
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ id: 7001, slug: "countersign", pem: world.gh.privateKey });
});

it("starts with a key of its own where the seed has none", async () => {
  const own = await startWorld({ app: { ...seed.app, privateKey: "" } });
  const octokit = own.octokitAs({ appId: own.gh.appId, privateKey: own.gh.privateKey });
  expect((await octokit.request("GET /app")).status).toBe(200);
  await own.close();
});
