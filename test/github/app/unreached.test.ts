import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkAppAccess, createQuietOctokit } from "../../../src/github/app/access.ts";
import { listenTo } from "../../../src/github/app/reach.ts";
import { appKey } from "../../harness/quiet-github.ts";

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const page = { body: "<html><h1>Unicorn!</h1></html>", headers: { "content-type": "text/html" } };
const told = (status: number, message: string, headers = {}): Answer => ({
  status,
  body: JSON.stringify({ message }),
  headers,
});
const none = { "x-ratelimit-remaining": "0" };

const key = /^GitHub does not know this App by its key: GitHub answered 40[14]/;
const notTaken = /^has not taken the App's key since /;
/** What `check` and /readyz say to each. */
const answers: readonly (readonly [string, Answer, says: RegExp, ready: RegExp])[] = [
  [
    "503 with a page",
    { status: 503, ...page },
    /^GitHub answered 503$/,
    /^cannot be asked since .*: GitHub answered 503$/,
  ],
  ["502 in JSON", told(502, "Server Error"), /^GitHub answered 502: Server Error$/, /GitHub answered 502$/],
  [
    "a limit",
    told(403, "API rate limit exceeded", none),
    /exceeded: the rate limit is reached$/,
    /GitHub's rate limit$/,
  ],
  ["429", told(429, "slow down"), /429: slow down: the rate limit is reached$/, /GitHub's rate limit$/],
  ["an address not allowed", told(403, "your IP is not on the list"), /^GitHub answered 403: your IP/, /^answers$/],
  ["404 with a page", { status: 404, ...page }, /^GitHub answered 404$/, /^answers$/],
  ["a login page", { status: 200, ...page }, /answered with a page, not as GitHub's API$/, /^cannot be asked since /],
  ["a key that is not taken", told(401, "A JSON web token could not be decoded"), key, notTaken],
  ["no App of this id", told(404, "Integration not found"), key, notTaken],
];

describe("RR-20 SR-08 what GitHub answered is said, and only a refused key is blamed on the key", () => {
  let answer: Answer = { status: 200 };
  const server = createServer((_, response) => {
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(answer.body);
  });
  let apiUrl = "";
  beforeAll(async () => {
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((done) => void server.close(done)));

  it.each(answers)("%s", async (_, given, says, ready) => {
    answer = given;
    const place = says === key ? "github.app_id" : "github.api_url";
    const access = await checkAppAccess({
      appId: 7,
      privateKey: appKey,
      apiUrl,
      usesTeams: false,
      usesServices: false,
    });
    expect(access).toEqual({
      ok: false,
      problems: [{ place, message: expect.stringMatching(says), remedy: expect.any(String) }],
    });
    const octokit = createQuietOctokit({ apiUrl, timeoutMs: 10_000 });
    const reach = listenTo({ probot: { auth: async () => octokit } } as never);
    const { kind } = await reach.look();
    expect(kind === "refused").toBe(place === "github.app_id");
    expect(reach.words()).toMatch(ready);
    expect(reach.words()).not.toContain("Unicorn");
  });

  it("what an App's look met is over when the App is answered, and what an installation met is not", async () => {
    const octokit = createQuietOctokit({ apiUrl, timeoutMs: 10_000 });
    let limit = false;
    const as = async () => {
      if (limit) throw Object.assign(new Error("no"), { status: 429 });
    };
    const reach = listenTo({ as, probot: { auth: async () => octokit } } as never);
    answer = { status: 503 };
    await reach.look();
    answer = { status: 200, body: "{}" };
    expect(await reach.look()).toEqual({ kind: "taken" });
    expect(reach.words()).toBe("answers");
    limit = true;
    await reach.client.as({ installationId: 1, repo: "acme/web" }, async () => {}).catch(() => {});
    await reach.look();
    expect(reach.words()).toMatch(/GitHub's rate limit$/);
  });
});
