import { expect, test } from "vitest";
import type { Client } from "../../src/github/client.ts";
import { listenTo } from "../../src/github/reach.ts";

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

test.each([
  { what: "a refusal of one thing", thrown: refusal(404), says: /^answers$/ },
  { what: "a token that is not taken", thrown: refusal(401), says: /^cannot be asked since \S+, so nothing is run: / },
  {
    what: "silence",
    thrown: new Error("<b>reset</b>"),
    says: /^cannot be asked since \S+, so nothing is run: no answer$/,
  },
])("RR-20 F-11 $what, when it was asked for the first time", async ({ thrown, says }) => {
  const reach = listenTo(clientThat(() => Promise.reject(thrown)));
  await expect(reach.client.as(place, async () => {})).rejects.toBe(thrown);
  expect(reach.words()).toMatch(says);
});
