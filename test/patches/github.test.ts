import { expect, it } from "vitest";
import { parsePatch } from "../../src/patches/parse.ts";
import { applyPatch, pathsToRead } from "../../src/patches/patch.ts";
import { useStarted } from "../harness/use-started.ts";
import { branchOf, files, place, startPatchWorld } from "./world.ts";

const world = useStarted(startPatchWorld);
const as = (login: string) => (method: string, path: string, body?: unknown) =>
  world.gh.as(login)(method, `/repos/acme/infra${path}`, body);

it("reads files and folders at a commit, and undefined where nothing stands", async () => {
  const commit = await world.reader.headOf(place);
  const read = (path: string) => world.reader.readFile(place, path, commit);
  expect(await read("k8s/a/deep/db.yaml")).toMatchObject({ mode: "100644", text: files["k8s/a/deep/db.yaml"] });
  expect(await read("k8s/a")).toMatchObject({ mode: "040000", text: "" });
  expect(await read("k8s/none.yaml")).toBeUndefined();
  expect(await read("k8s/web.yaml/below")).toBeUndefined();
  expect(await read("none/at/all")).toBeUndefined();
});

it.each<[string, object, RegExp]>([
  ["a branch that is not there", { base: "gone" }, /^acme\/infra has no branch gone$/],
  ["a repository without the App", { repository: "acme/web" }, /^the App for patches is not installed on acme\/web$/],
])("says in words what it cannot read: %s", async (_what, other, why) => {
  await expect(world.reader.headOf({ ...place, ...other })).rejects.toThrow(why);
});

it("reads no file of more than 1 MB, and no answer of more than 8", async () => {
  const put = (path: string, text: string) =>
    as("mona")("PUT", `/contents/${path}`, { message: "x", content: Buffer.from(text).toString("base64") });
  await put("k8s/big.yaml", "x".repeat(1_000_001));
  const commit = await world.reader.headOf(place);
  await expect(world.reader.readFile(place, "k8s/big.yaml", commit)).rejects.toThrow(/is larger than 1 MB$/);
  const body = { sha: commit, tree: [{ path: "x".repeat(9_000_000), mode: "100644", sha: commit }], truncated: false };
  world.gh.fault({ path: /git\/trees/ }, { status: 200, body });
  await expect(world.reader.readFile(place, "k8s/x", commit)).rejects.toThrow(/longer than 8388608 bytes/);
});

it("a file that is no text is refused, however it is read", async () => {
  await as("mona")("PUT", "/contents/k8s/logo.png", {
    message: "x",
    content: Buffer.from([0xff, 0xfe, 0x00, 0x0a]).toString("base64"),
  });
  const commit = await world.reader.headOf(place);
  const parsed = parsePatch("--- a/k8s/logo.png\n+++ b/k8s/logo.png\n@@ -1,1 +1,2 @@\n x\n+y\n");
  if (!parsed.ok) throw new Error(parsed.reason);
  const read = await world.reader.readFiles(place, pathsToRead(parsed.files), commit);
  expect(applyPatch(parsed.files, read)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("no plain UTF-8"),
  });
});

it("follows a pull request: draft, checks, the last word of each reviewer, merged or closed", async () => {
  const order = await world.orderOf();
  await world.send(order);
  const [pull] = (await world.pulls()).filter(({ head }) => head.ref === branchOf(order));
  if (!pull) throw new Error("it was made");
  const { number, head } = pull;
  const read = () => world.reader.pullOf(place, number);
  expect(await read()).toEqual({
    number,
    url: `${world.gh.url}/acme/infra/pull/${number}`,
    state: "open",
    draft: true,
    head: head.sha,
    checks: { passed: 0, failed: 0, pending: 0 },
    reviews: { approved: [], changesRequested: [] },
    mergedAt: undefined,
    mergeCommit: undefined,
  });
  const commit = head.sha;
  world.gh.addActivity("acme/infra", {
    checks: [
      { commit, name: "lint", conclusion: "success" },
      { commit, name: "docs", conclusion: "skipped" },
      { commit, name: "plan", conclusion: "failure" },
      { commit, name: "e2e" },
      { commit, name: "ci/old", conclusion: "success", isStatus: true },
      { commit, name: "ci/slow", isStatus: true },
      { commit: "0".repeat(40), name: "other", conclusion: "failure" },
    ],
  });
  for (const [login, event] of [
    ["lee", "REQUEST_CHANGES"],
    ["lee", "APPROVE"],
    ["mona", "REQUEST_CHANGES"],
    ["mona", "COMMENT"],
  ] as const)
    expect((await as(login)("POST", `/pulls/${number}/reviews`, { event, body: "x" })).status).toBeLessThan(300);
  expect(await read()).toMatchObject({
    checks: { passed: 3, failed: 1, pending: 2 },
    reviews: { approved: ["lee"], changesRequested: ["mona"] },
  });
  await as("mona")("PATCH", `/pulls/${number}`, { draft: false });
  await as("mona")("PUT", `/pulls/${number}/merge`, {});
  const merged = await read();
  expect(merged).toMatchObject({ state: "merged", draft: false, mergedAt: expect.any(Date) });
  expect(merged.mergeCommit).toBe(await world.reader.headOf(place));
  const other = await world.orderOf("--- a/k8s/old.yaml\n+++ b/k8s/old.yaml\n@@ -1 +1,2 @@\n kind: Job\n+x: 1\n");
  await world.send(other);
  const [second] = (await world.pulls()).filter(({ head: of }) => of.ref === branchOf(other));
  await as("mona")("PATCH", `/pulls/${second?.number}`, { state: "closed" });
  expect(await world.reader.pullOf(place, second?.number ?? 0)).toMatchObject({ state: "closed", draft: true });
  expect(world.gh.invalid()).toEqual([]);
});
