import { describe, expect, it } from "vitest";
import type { FaultEffect } from "../../emulator/interface.ts";
import { patchRights } from "../../src/base/github.ts";
import type { ExecOrder } from "../../src/base/run.ts";
import { useStarted } from "../harness/use-started.ts";
import { branchOf, files, infra, place, type Ran, startPatchWorld } from "./world.ts";

const world = useStarted(startPatchWorld);

const commitOf = ({ wrapped }: ExecOrder): string => JSON.parse(wrapped).commit;
const found = (order: ExecOrder): ExecOrder => ({ ...order, mode: "job", jobId: "j", resume: { sentAt: new Date() } });
const pullsOf = async (order: ExecOrder) => (await world.pulls()).filter(({ head }) => head.ref === branchOf(order));
const mona = (method: string, path: string, body?: unknown) =>
  world.gh.as("mona")(method, `/repos/acme/infra${path}`, body);
const hasBranch = async (order: ExecOrder) => (await mona("GET", `/git/ref/heads/${branchOf(order)}`)).status === 200;
const makeBranch = (order: ExecOrder, sha = commitOf(order)) =>
  mona("POST", "/git/refs", { ref: `refs/heads/${branchOf(order)}`, sha });
const pushTo = async (path: string, branch: string, text = "x\n") => {
  const { status } = await mona("PUT", `/contents/${path}`, {
    message: "By hand",
    content: Buffer.from(text).toString("base64"),
    branch,
  });
  expect(status).toBe(201);
};

/** What is told must be what is there, whatever happened. */
async function judge(order: ExecOrder, { ending, text }: Ran): Promise<string> {
  const pulls = await pullsOf(order);
  const isThere = await hasBranch(order);
  if (ending.kind === "exited" && ending.code === 0) {
    expect(pulls).toHaveLength(1);
    expect(text).toContain(`pull request ${world.gh.url}/acme/infra/pull/${pulls[0]?.number}\n`);
    return "made";
  }
  expect(pulls).toHaveLength(0);
  expect(isThere).toBe(ending.kind === "exited");
  return ending.kind === "exited" ? "branch alone" : ending.kind;
}

describe("a patch at GitHub", () => {
  it("becomes one commit on a branch of its own and a draft pull request that names issue and approvers", async () => {
    const order = await world.orderOf();
    world.writes();
    const { ending, text } = await world.send(order);
    expect(ending).toEqual({ kind: "exited", code: 0 });
    const branch = branchOf(order);
    const [pull] = await pullsOf(order);
    expect(text).toBe(
      [
        `draft pull request ${world.gh.url}/acme/infra/pull/${pull?.number}`,
        `branch ${branch}, commit ${pull?.head.sha.slice(0, 7)}, 1 file, +1 −1, on main at ${commitOf(order).slice(0, 7)}`,
        "",
      ].join("\n"),
    );
    expect(branch).toMatch(/^countersign\/web-yaml-[0-9a-f]{12}$/);
    expect(pull).toMatchObject({ draft: true, title: "Run two replicas", base: { ref: "main" } });
    expect(pull?.user.login).toBe("countersign-patches[bot]");
    expect(pull?.body).toContain(`Action 3 of ${world.gh.url}/acme/web/issues/5, approved by @lee, @mona.`);
    expect(world.writes()).toEqual([
      "POST git/trees 201",
      "POST git/commits 201",
      "POST git/refs 201",
      "POST pulls 201",
    ]);
    const { body } = await mona("GET", `/contents/k8s/web.yaml?ref=${branch}`);
    const { content } = body as { content: string };
    expect(Buffer.from(content, "base64").toString()).toBe(files["k8s/web.yaml"].replace("replicas: 1", "replicas: 2"));
    expect(world.gh.invalid()).toEqual([]);
  });

  it("creates a file in a new folder, and deletes the last one of a folder", async () => {
    const added = "--- /dev/null\n+++ b/k8s/new/more/x.yaml\n@@ -0,0 +1,1 @@\n+kind: Job\n";
    const deleted = "--- a/k8s/a/deep/db.yaml\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-kind: StatefulSet\n-replicas: 1\n";
    const order = await world.orderOf(`${added}${deleted}`);
    const result = await world.send(order);
    expect(await judge(order, result)).toBe("made");
    expect(result.text).toContain("2 files, +1 −2");
    const { body } = await mona("GET", `/git/trees/${(await pullsOf(order))[0]?.head.sha}?recursive=1`);
    const paths = (body as { tree: { path: string; type: string }[] }).tree.flatMap(({ path, type }) =>
      type === "blob" ? path : [],
    );
    expect(paths.sort()).toEqual(["README.md", "k8s-extra", "k8s/new/more/x.yaml", "k8s/old.yaml", "k8s/web.yaml"]);
  });

  it("says nothing of a model that mentions, closes or links", async () => {
    const order = await world.orderOf();
    const issue = `${world.gh.url}/acme/web/issues/5`;
    const description = "closes #7\n```\n@acme/all\n";
    const approval = { issue, number: 3, title: "Fixes #1\n@all https://evil.example", description, by: ["lee"] };
    await world.send({ ...order, approval });
    const [pull] = await pullsOf(order);
    expect(pull?.title).toBe("Fixes #\u20601 @\u2060all https:\u2060//evil.example");
    expect(pull?.body).toContain("\n````text\ncloses #7\n```\n@acme/all\n````\n");
  });

  it("RR-06 is sent once: the same order again finds the branch and its pull request", async () => {
    const order = await world.orderOf();
    const [first, second] = [await world.send(order), await world.send(order)];
    expect(second.text).toBe(first.text);
    expect(await judge(order, second)).toBe("made");
  });

  it("RR-06 is sent once by two at the same time", async () => {
    const order = await world.orderOf();
    const both = await Promise.all([world.send(order), world.send(order)]);
    for (const one of both) expect(await judge(order, one)).toBe("made");
  });

  it("SR-09 reads with a token that cannot write, and writes with one that has two rights in one repository", async () => {
    const order = await world.orderOf();
    await world.send(order);
    const kinds = new Set(world.app.minted().map(({ permissions }) => JSON.stringify(permissions)));
    expect([...kinds].sort()).toEqual(
      [
        { metadata: "read", contents: "read", pull_requests: "read", checks: "read", statuses: "read" },
        { metadata: "read", contents: "write", pull_requests: "write" },
      ]
        .map((rights) => JSON.stringify(rights))
        .sort(),
    );
    expect(new Set(world.app.minted().map(({ asked }) => JSON.stringify(asked.repositories)))).toEqual(
      new Set(['["infra"]']),
    );
    expect(world.gh.minted()).toEqual([]);
  });
});

describe("SR-24 a patch is not sent", () => {
  /** Why it is refused before anything is written. */
  const whyRefused = async (order: ExecOrder) => {
    world.writes();
    const reservation = await world.reserve(order);
    const why = await reservation.prove();
    reservation.release();
    expect(world.writes()).toEqual([]);
    return why;
  };

  it("if its base has moved, before or after it was looked at", async () => {
    const order = await world.orderOf();
    const reservation = await world.reserve(order);
    await pushTo("docs/moved.md", "main");
    const now = await world.github.headOf(place);
    const why = `main of acme/infra has moved from ${commitOf(order).slice(0, 7)} to ${now.slice(0, 7)}`;
    expect(await reservation.prove()).toBe(why);
    expect(await whyRefused(order)).toBe(why);
  });

  it("if a branch of its name is there with another content", async () => {
    const order = await world.orderOf();
    await makeBranch(order);
    expect(await whyRefused(order)).toBe(`the branch ${branchOf(order)} is there already, with another content`);
  });

  it("if such a branch comes between the last look and the write", async () => {
    const order = await world.orderOf();
    world.gh.fault({ method: "POST", path: /git\/refs/ }, { meanwhile: { before: () => makeBranch(order) } });
    const { ending } = await world.send(order);
    const reason = `the branch ${branchOf(order)} is there already, with another content`;
    expect(ending).toEqual({ kind: "unreachable", reason });
    expect(await pullsOf(order)).toEqual([]);
  });

  it.each<[string, () => void, RegExp]>([
    [
      "the right to pull requests",
      () => world.app.setGranted({ ...patchRights, pull_requests: "read" }),
      /^the App for patches lacks rights in acme\/infra: pull_requests: write$/,
    ],
    ["the installation", () => world.app.include("acme/infra", false), /is not installed on acme\/infra$/],
    ["an installation that is not suspended", () => world.app.setState("suspended"), /is suspended on acme\/infra$/],
  ])("if the App lacks %s", async (_what, take, why) => {
    const order = await world.orderOf();
    take();
    try {
      world.forget();
      expect(await whyRefused(order)).toMatch(why);
    } finally {
      world.app.setPermissions(patchRights);
      world.app.include("acme/infra", true);
      world.app.setState("active");
      world.forget();
    }
  });

  it.each<[string, (plan: Record<string, string>) => object, RegExp]>([
    ["another repository", () => ({ repository: "acme/web" }), /^the patch is for main of acme\/web$/],
    ["another base", () => ({ base: "prod" }), /^the patch is for prod of acme\/infra$/],
    ["another branch", () => ({ branch: "main" }), /^the patch is not the one that its branch is named after$/],
    ["another file", ({ patch = "" }) => ({ patch: patch.replaceAll("k8s/web.yaml", "README.md") }), /README\.md/],
    ["another commit", () => ({ commit: "0".repeat(40) }), /is not the one that its branch is named after/],
    [
      "another result",
      ({ patch = "" }) => ({ patch: patch.replace("replicas: 2", "replicas: 3") }),
      /is not the one that its branch is named after/,
    ],
    ["something more", () => ({ force: true }), /^what was approved is no patch$/],
  ])("if what was approved names %s", async (_what, change, why) => {
    const order = await world.orderOf();
    const plan = JSON.parse(order.wrapped);
    expect(await whyRefused({ ...order, wrapped: JSON.stringify({ ...plan, ...change(plan) }) })).toMatch(why);
  });

  it("if a server takes no patches, or the bot has no second App", async () => {
    const order = await world.orderOf();
    expect(await whyRefused({ ...order, server: infra({ patches: undefined }) })).toBe("infra takes no patches");
  });

  it("if it is cancelled before", async () => {
    const order = await world.orderOf();
    const stop = new AbortController();
    const reservation = await world.reserve(order, {}, stop.signal);
    stop.abort({ by: "lee" });
    world.writes();
    const result = await reservation.send(Date.now(), {});
    expect(result).toMatchObject({ ending: { kind: "cancelled", by: "lee", note: "it had not been started" } });
    expect(world.writes()).toEqual([]);
  });

  it("if the last check is too old, and then no byte of it leaves", async () => {
    const order = await world.orderOf();
    world.writes();
    const { ending } = await world.send(order, { writeMs: -1 });
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("too old") });
    expect(world.writes()).toEqual([]);
    expect(await hasBranch(order)).toBe(false);
  });
});

describe("RR-06 one request goes wrong", () => {
  const refused = (status: number): FaultEffect => ({ status, body: { message: "Refused by the test" } });
  const faults: Readonly<Record<string, FaultEffect>> = {
    "403": refused(403),
    "404": refused(404),
    "409": refused(409),
    "422": refused(422),
    "502": { status: 502, body: {} },
    "lost before it was done": { drop: "before" },
    "lost after it was done": { drop: "after" },
  };
  /** What comes of a refusal, and of an answer that did not come. */
  const requests: Readonly<Record<string, readonly [path: RegExp, refused: string, lost: string]>> = {
    tree: [/git\/trees/, "unreachable", "unreachable"],
    commit: [/git\/commits/, "unreachable", "unreachable"],
    branch: [/git\/refs/, "unreachable", "made"],
    "pull request": [/\/pulls/, "branch alone", "made"],
  };
  const cases = Object.entries(requests).flatMap(([what, [path, ifRefused, ifLost]]) =>
    Object.entries(faults).map(([how, effect]) => {
      const end = how.startsWith("4") ? ifRefused : ifLost;
      return { what, how, path, effect, end };
    }),
  );

  it.each(cases)("$what: $how", async ({ path, effect, end }) => {
    const order = await world.orderOf();
    world.gh.fault({ method: "POST", path }, effect);
    const result = await world.send(order);
    expect(await judge(order, result)).toBe(end);
    if (result.ending.kind === "unreachable") expect(result.ending.reason).toMatch(/GitHub|may not do that/);
  });

  it("the branch, whenever it is asked for: it never began", { tags: ["long"] }, async () => {
    const order = await world.orderOf();
    world.gh.fault({ method: "POST", path: /git\/refs/, times: 1_000 }, { drop: "before" });
    const result = await world.send(order);
    world.gh.clearFaults();
    expect(await judge(order, result)).toBe("unreachable");
    expect(result.ending).toMatchObject({ reason: expect.stringMatching(/^it never began: .* is not there$/) });
  });

  it.each([
    ["the branch", /git\/ref/],
    ["the pull request", /pulls/],
  ])("%s, and GitHub does not show it either: nobody knows", async (_what, path) => {
    const order = await world.orderOf();
    const reservation = await world.reserve(order);
    expect(await reservation.prove()).toBeUndefined();
    world.gh.fault({ path, times: 1_000 }, { drop: "after" });
    const result = await reservation.send(Date.now(), {});
    world.gh.clearFaults();
    const reason = expect.stringMatching(/so it is not known whether the pull request was made; its branch is counter/);
    expect(result).toMatchObject({ ending: { kind: "unknown", reason } });
    expect((await pullsOf(order)).length).toBeLessThan(2);
  });

  it("it is cancelled between branch and pull request: the branch is told", async () => {
    const order = await world.orderOf();
    const stop = new AbortController();
    const reservation = await world.reserve(order, {}, stop.signal);
    const after = async () => stop.abort({ by: "lee" });
    world.gh.fault({ method: "POST", path: /git\/refs/ }, { meanwhile: { after } });
    const sent = await reservation.send(Date.now(), {});
    if (sent === "stale") throw new Error("it is fresh");
    const text = Buffer.from(sent.capture.head).toString();
    expect(await judge(order, { ...sent, text })).toBe("branch alone");
    expect(text).toBe(
      `no pull request: \`@lee\` stopped it before the pull request was opened\nthe branch ${branchOf(order)} is there: 1 file, +1 −1, on main at ${commitOf(order).slice(0, 7)}\n`,
    );
  });
});

describe("RR-06 an earlier process sent it", () => {
  it("and nothing is there: it never began", { tags: ["long"] }, async () => {
    const order = await world.orderOf();
    world.writes();
    const { ending } = await world.send(found(order));
    const reason = `it never began: the branch ${branchOf(order)} is not there`;
    expect(ending).toEqual({ kind: "unreachable", reason });
    expect(world.writes()).toEqual([]);
  });

  it("and the pull request is there, on a base that has moved since", async () => {
    const order = await world.orderOf();
    const first = await world.send(order);
    await pushTo("docs/since.md", "main");
    world.writes();
    const again = await world.send(found(order));
    expect(again.text).toBe(first.text);
    expect(world.writes()).toEqual([]);
  });

  it("and only the branch is there: the pull request is made", async () => {
    const order = await world.orderOf();
    world.gh.fault({ method: "POST", path: /\/pulls/ }, { status: 403, body: { message: "no" } });
    expect(await judge(order, await world.send(order))).toBe("branch alone");
    world.writes();
    expect(await judge(order, await world.send(found(order)))).toBe("made");
    expect(world.writes()).toEqual(["POST pulls 201"]);
  });

  it("and somebody has pushed to the branch since, or closed the pull request and deleted its branch", async () => {
    const [pushed, closed] = [await world.orderOf(), await world.orderOf()];
    await world.send(pushed);
    await world.send(closed);
    await pushTo("k8s/by-hand.yaml", branchOf(pushed));
    expect(await judge(pushed, await world.send(found(pushed)))).toBe("made");
    const [pull] = await pullsOf(closed);
    await mona("PATCH", `/pulls/${pull?.number}`, { state: "closed" });
    await mona("DELETE", `/git/refs/heads/${branchOf(closed)}`);
    const { ending, text } = await world.send(found(closed));
    expect(ending).toEqual({ kind: "exited", code: 0 });
    expect(text).toContain(`draft pull request ${world.gh.url}/acme/infra/pull/${pull?.number}, closed\n`);
  });

  it("and a branch with another content has its name: nobody knows", async () => {
    const order = await world.orderOf();
    await makeBranch(order);
    world.writes();
    const { ending } = await world.send(found(order));
    expect(ending).toMatchObject({ kind: "unknown", reason: expect.stringMatching(/^The branch has another content/) });
    expect(world.writes()).toEqual([]);
  });

  it("and GitHub is away for a while", async () => {
    const order = await world.orderOf();
    const first = await world.send(order);
    world.gh.fault({ method: "GET", times: 4 }, { drop: "before" });
    const again = await world.send(found(order));
    expect(again.text).toBe(first.text);
  });

  it("and GitHub stays away: nobody knows", async () => {
    const order = await world.orderOf();
    await world.send(order);
    world.gh.fault({ method: "GET", times: 10_000 }, { status: 502, body: {} });
    const server = infra({ hardTimeoutMs: 300 });
    const { ending } = await world.send({ ...found(order), server });
    world.gh.clearFaults();
    expect(ending).toMatchObject({ kind: "unknown", reason: expect.stringContaining(branchOf(order)) });
  });
});
