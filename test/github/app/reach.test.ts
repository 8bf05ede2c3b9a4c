import { expect, test } from "vitest";
import { listenTo } from "../../../src/github/app/reach.ts";
import type { Client } from "../../../src/github/client.ts";

/** A client whose next call ends like this. */
const clientThat = (answer: () => Promise<unknown>): Client => ({ as: answer }) as never;

const place = { installationId: 1, repo: "acme/web" };

const refusal = (status: number) => Object.assign(new Error("no"), { status });

test("RR-20 GitHub is not said to answer before it was asked", async () => {
  const reach = listenTo(clientThat(async () => "fine"));
  expect(reach.words()).toBe("not asked yet");
  await reach.client.as(place, async () => {});
  expect(reach.words()).toBe("answers");
});

/** A client whose App is answered like this. */
const appThat = (answer: () => Promise<unknown>): Client =>
  ({
    as: async () => "fine",
    probot: { auth: async () => ({ rest: { apps: { getAuthenticated: answer } } }) },
  }) as never;

test("RR-20 a key that GitHub does not take is said, whatever tokens it has made before", async () => {
  let thrown: unknown = refusal(401);
  const reach = listenTo(appThat(() => (thrown === undefined ? Promise.resolve({}) : Promise.reject(thrown))));
  expect(await reach.look()).toEqual({ kind: "refused", why: "GitHub answered 401" });
  await reach.client.as(place, async () => {});
  expect(reach.words()).toMatch(/^has not taken the App's key since \S+, so nothing is run$/);
  thrown = new Error("reset");
  expect(await reach.look()).toEqual({ kind: "silent" });
  expect(reach.words()).toContain("has not taken");
  thrown = undefined;
  expect(await reach.look()).toEqual({ kind: "taken" });
  expect(reach.words()).toBe("answers");
});

test.each([
  { what: "a refusal of one thing", thrown: refusal(404), says: /^answers$/ },
  { what: "a token that is not taken", thrown: refusal(401), says: /^cannot be asked since \S+, so nothing is run: / },
  {
    what: "silence",
    thrown: new Error("<b>reset</b>"),
    says: /^cannot be asked since \S+, so nothing is run: no answer$/,
  },
  {
    what: "a limit that GraphQL tells with status 200",
    thrown: Object.assign(new Error("no"), { headers: {}, errors: [{ type: "RATE_LIMIT", message: "no" }] }),
    says: /^cannot be asked since \S+, so nothing is run: GitHub's rate limit$/,
  },
])("RR-20 F-11 $what, when it was asked for the first time", async ({ thrown, says }) => {
  const reach = listenTo(clientThat(() => Promise.reject(thrown)));
  await expect(reach.client.as(place, async () => {})).rejects.toBe(thrown);
  expect(reach.words()).toMatch(says);
});
