import { afterEach, describe, expect, it } from "vitest";
import type { Activity } from "../../../emulator/interface.ts";
import { newsOf, useStage } from "../../harness/stage.ts";

const stage = useStage(() => ({
  moreRepos: ["cart"],
  config: {
    context: {
      services: {
        cart: ["acme/cart"],
        mail: ["acme/gone"],
        web: { repositories: ["acme/gone"], depends_on: ["cart"] },
      },
    },
  },
}));

const own = { issues: "write", metadata: "read", contents: "read", members: "read" };
const all = { ...own, pull_requests: "read", deployments: "read", actions: "read" };
const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+/, "");
const activity: Activity = {
  merged: [
    { number: 41, title: "Pool | size 50 <!-- @acme/oncall -->", by: "sam", at: minutesAgo(30) },
    { number: 40, title: "Long before", by: "sam", at: minutesAgo(200) },
  ],
  deployments: [{ environment: "prod eu", ref: "main", by: "sam", at: minutesAgo(20), state: "SUCCESS" }],
  releases: [{ tag: "v1.4.0", by: "lee", at: minutesAgo(25) }],
  runs: [
    { name: "ci", title: "Pool size 50", branch: "main", by: "sam", at: minutesAgo(28), conclusion: "failure" },
    { name: "ci", title: "Fine", branch: "main", by: "sam", at: minutesAgo(27), conclusion: "success" },
  ],
};
const isTable = (body: string): boolean => body.includes("**What changed**");

describe("what changed", () => {
  afterEach(() => {
    stage.github.clearFaults();
    stage.model.verify();
  });

  it("CH-01 CH-02 SR-39 stands on the issue with links, newest first, and the agent hears it once, as data", async () => {
    stage.github.setAppPermissions(all);
    stage.github.addActivity("acme/cart", activity);
    stage.model.play({ text: "LIKELY: looking." });
    const thread = await stage.open({ title: "cart-7f9 is slow", body: "Since now." });
    const { body } = await thread.waitFor(isTable, "the table");
    await stage.quiet();
    const rows = body.split("\n").filter((line) => /^\| \d\d:\d\dZ/.test(line));
    expect(rows.map((row) => /(deployed|released|merged|run failed) \[.*?\]\((\S+)\)/.exec(row)?.slice(1))).toEqual([
      ["deployed", expect.stringMatching(/\/acme\/cart\/deployments\/prod%20eu$/)],
      ["released", expect.stringMatching(/\/acme\/cart\/releases\/tag\/v1\.4\.0$/)],
      ["run failed", expect.stringMatching(/\/acme\/cart\/actions\/runs\/\d+$/)],
      ["merged", expect.stringMatching(/\/acme\/cart\/pull\/41$/)],
    ]);
    expect(body).not.toMatch(/Long before|Fine|<!-- @acme/);
    expect(body).not.toContain("Not seen");
    // The first turn may have begun before GitHub had answered.
    const heard: string[] = [newsOf(stage)];
    for (const text of ["/ask why?", "/ask and now?"]) {
      await stage.ask(thread, "lee", text, { text: "LIKELY: looking." });
      heard.push(newsOf(stage));
    }
    const told = heard.filter((text) => text.includes("v1.4.0"));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      /<changes-on-GitHub nonce=[\s\S]*deployment · acme\/cart · main to prod eu · success · by sam/,
    );
    const look = stage.github.minted().find(({ permissions }) => permissions.actions === "read");
    expect(look?.permissions).toEqual({ metadata: "read", ...rest(all) });
  });

  it("CH-03 without the rights it says what it could not see, and shows the rest", async () => {
    stage.github.setAppPermissions(own);
    const thread = await stage.opened({ title: "The cart fails", body: "Since now." }, { text: "LIKELY: looking." });
    await stage.expectSaid(thread, "sam", "/changes 1d", [
      /📦 released \[v1\.4\.0\]/,
      "Not seen: merges of acme/cart (the App lacks `pull_requests: read`); deployments of acme/cart (the App lacks `deployments: read`); failed workflow runs of acme/cart (the App lacks `actions: read`).",
    ]);
    await stage.expectSaid(thread, "sam", "/changes mail", "⚠️ Not seen: acme/gone (is the App installed there?).");
    await stage.expectSaid(
      thread,
      "sam",
      "/changes shop 2h",
      /Write `\/changes 2h`.*Services here: `cart`, `mail`, `web`\./,
    );
  });

  it("CH-02 CH-03 what people looked up is told to the agent once, with what a service depends on and the window", async () => {
    stage.github.setAppPermissions(all);
    const thread = await stage.opened({ title: "It is slow", body: "Since now." }, { text: "LIKELY: looking." });
    await stage.expectSaid(thread, "sam", "/changes web 6h", /📦 released \[v1\.4\.0\]/);
    await stage.ask(thread, "lee", "/ask why?", { text: "LIKELY: looking." });
    expect(newsOf(stage)).toMatch(
      /services web, cart and what they depend on, from \d{4}-\d\d-\d\dT\d\d:\d\dZ to \d{4}.*`read_changes`[\s\S]*Long before/,
    );
    await stage.ask(thread, "lee", "/ask and?", { text: "LIKELY: looking." });
    expect(newsOf(stage)).not.toContain("Long before");
  });

  it("CH-02 the agent widens the window itself", async () => {
    stage.github.setAppPermissions(all);
    stage.model.play(
      { text: "", toolCalls: [{ name: "read_changes", arguments: { hours: 24, services: ["cart"] } }] },
      { text: "LIKELY: looking." },
    );
    const thread = await stage.open({ title: "cart is slow again", body: "Since now." });
    await thread.waitFor((body) => body.includes("LIKELY"), "the card");
    await stage.quiet();
    expect(newsOf(stage)).toContain("v1.4.0");
    const asked = JSON.stringify(stage.model.requests.at(-1)?.body.messages ?? []);
    expect(asked).toContain("Long before");
  });

  it("CH-04 a GitHub that does not answer keeps no card back, and the table comes when it does", async () => {
    stage.github.setAppPermissions(all);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    stage.github.fault({ path: /graphql/, body: /query Changes/ }, { meanwhile: { before: () => held } });
    stage.model.play({ text: "LIKELY: looking, without the changes." });
    const thread = await stage.open({ title: "cart down", body: "Since now." });
    await thread.waitFor((body) => body.includes("without the changes"), "the card");
    expect((await thread.comments()).some(({ body }) => isTable(body))).toBe(false);
    release();
    await thread.waitFor(isTable, "the table");
    await stage.quiet();
  });

  it("CH-01 an issue that names no service is left alone", async () => {
    stage.model.play({ text: "LIKELY: looking." });
    const before = stage.github.requests().length;
    const thread = await stage.opened({ title: "The cartel is slow", body: "Since now." });
    expect((await thread.comments()).some(({ body }) => isTable(body))).toBe(false);
    expect(
      stage.github
        .requests()
        .slice(before)
        .some(({ path }) => path.includes("/actions/runs")),
    ).toBe(false);
    const { said } = await stage.ask(thread, "sam", "/changes");
    expect(said.join()).toContain("This issue names no service that I know. Name one: `/changes cart`.");
  });
});

const rest = ({ pull_requests, deployments, actions, contents }: typeof all) => ({
  pull_requests,
  deployments,
  actions,
  contents,
});
