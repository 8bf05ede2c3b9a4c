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

const page = { "content-type": "text/html" };
const unicorn = "<html><h1>Unicorn!</h1></html>";
const told = (message: string): string => JSON.stringify({ message });

const key = /^GitHub does not know this App by its key: GitHub answered 40[14]/;
const answers: Readonly<
  Record<string, Answer & { readonly place: string; readonly says: RegExp; readonly ready: RegExp }>
> = {
  "503 with a page": {
    ...{ status: 503, body: unicorn, headers: page },
    ...{
      place: "github.api_url",
      says: /^GitHub answered 503$/,
      ready: /^cannot be asked since .*: GitHub answered 503$/,
    },
  },
  "502 in JSON": {
    ...{ status: 502, body: told("Server Error") },
    ...{ place: "github.api_url", says: /^GitHub answered 502: Server Error$/, ready: /GitHub answered 502$/ },
  },
  "a limit": {
    ...{ status: 403, body: told("API rate limit exceeded"), headers: { "x-ratelimit-remaining": "0" } },
    ...{ place: "github.api_url", says: /exceeded: the rate limit is reached$/, ready: /GitHub's rate limit$/ },
  },
  "429": {
    ...{ status: 429, body: told("slow down") },
    ...{ place: "github.api_url", says: /429: slow down: the rate limit is reached$/, ready: /GitHub's rate limit$/ },
  },
  "an address that is not allowed": {
    ...{ status: 403, body: told("your IP is not on the allow list") },
    ...{ place: "github.api_url", says: /^GitHub answered 403: your IP/, ready: /^answers$/ },
  },
  "404 with a page": {
    ...{ status: 404, body: unicorn, headers: page },
    ...{ place: "github.api_url", says: /^GitHub answered 404$/, ready: /^answers$/ },
  },
  "a login page": {
    ...{ status: 200, body: unicorn, headers: page },
    ...{
      place: "github.api_url",
      says: /answered with a page, not as GitHub's API$/,
      ready: /^cannot be asked since /,
    },
  },
  "a key that is not taken": {
    ...{ status: 401, body: told("A JSON web token could not be decoded") },
    ...{ place: "github.app_id", says: key, ready: /^has not taken the App's key since / },
  },
  "no App of this id": {
    ...{ status: 404, body: told("Integration not found") },
    ...{ place: "github.app_id", says: key, ready: /^has not taken the App's key since / },
  },
};

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

  it.each(Object.entries(answers))("%s", async (_, { place, says, ready, ...given }) => {
    answer = given;
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
