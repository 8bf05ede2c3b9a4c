import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { createAddressIn } from "../../../src/features/thread/links.ts";
import { blobUrl, commentUrl } from "../../../src/github/web.ts";
import { type Playground, startPlayground } from "../../harness/playground.ts";
import { call, type Stage, startStage } from "../../harness/stage.ts";
import { nodesOf, parse } from "../../text/markdown.ts";

const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
/** The runbook and the issue of README's first incident. */
const runbook = /^````markdown\n([\s\S]*?)^````$/m.exec(readme)?.[1] ?? "";
const title =
  /^Open an issue with the label `incident` and this title.*\n\n```text\n(.*)\n```/m.exec(readme)?.[1] ?? "";

type Thread = Awaited<ReturnType<Playground["open"]>>;
const linksOf = (markdown: string): readonly string[] =>
  nodesOf(parse(markdown)).flatMap((node) => (node.type === "link" || node.type === "definition" ? [node.url] : []));
const linksIn = async (thread: Thread): Promise<readonly string[]> =>
  (await thread.comments()).flatMap(({ body }) => linksOf(body));
const commitOf = async ({ bot }: Pick<Playground, "bot">): Promise<string | null | undefined> =>
  (await bot.deps.store.db.selectFrom("turn").select("contextCommit").executeTakeFirst())?.contextCommit;

let opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.reverse()) await one.close();
  opened = [];
});
const opening = <T extends { close: () => Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};

describe("AR-20 DC-5 every link of a comment is absolute", () => {
  it("README's own first incident links its runbook at the commit that was read, without a model", {
    tags: ["long"],
  }, async () => {
    const playground = opening(
      await startPlayground({
        files: { ".github/skills/disk-full/SKILL.md": runbook, "AGENTS.md": "x" },
      }),
    );
    const thread = await playground.open({ title, body: "" });
    await playground.quiet();
    const commit = await commitOf(playground);
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(await linksIn(thread)).toEqual([
      `${playground.github.url}/acme/web/blob/${commit}/.github/skills/disk-full/SKILL.md`,
    ]);
  });

  it("what a model links by a path is a file at that commit, in its words, its runbooks and its plan", {
    tags: ["long"],
  }, async () => {
    const stage: Stage = opening(await startStage());
    stage.model.play(call("update_plan", { plan: "Read [the page](docs/plan.md)." }), {
      text: "LIKELY: see [the page](docs/a_b.md), [else](https://evil.example/x) or [Open runbook](/docs/disk.md).\n\n[Open runbook: Spool](.github/skills/spool-full/SKILL.md)\n[Open runbook](https://wiki.example/x)",
    });
    const thread = await stage.opened();
    const at = `${stage.github.url}/acme/web/blob/${await commitOf(stage)}`;
    expect((await linksIn(thread)).toSorted()).toEqual(
      [
        `${at}/docs/plan.md`,
        `${at}/docs/a%5fb.md`,
        `${at}/docs/disk.md`,
        `${at}/.github/skills/spool-full/SKILL.md`,
        "https://wiki.example/x",
      ].toSorted(),
    );
  });

  it("a skill of the organization's repository is linked there, at the commit that was read of it", () => {
    const context = { commit: "aaaaaaaaaa", organization: { repo: "acme/.github", commit: "bbbbbbbbbb" } };
    const world = { config: { github: { apiUrl: "https://api.github.com" } } };
    const skill = { path: ".github/skills/disk/SKILL.md", source: "acme/.github@bbbbbbb" };
    const addressIn = createAddressIn(world, { context }, "acme/web");
    expect([addressIn(skill.path, skill), addressIn("docs/x.md", undefined), addressIn("//x", undefined)]).toEqual([
      "https://github.com/acme/.github/blob/bbbbbbbbbb/.github/skills/disk/SKILL.md",
      "https://github.com/acme/web/blob/aaaaaaaaaa/docs/x.md",
      undefined,
    ]);
    expect(createAddressIn(world, { context: { commit: null } }, "acme/web")("docs/x.md", undefined)).toBeUndefined();
  });

  it("an address for people is GitHub's own, an Enterprise server's or a tenant's", () => {
    const at = { repo: "acme/web", commit: "1a2b3c4" };
    expect(
      [
        "https://api.github.com",
        "https://ghe.example.com/api/v3",
        "https://api.acme.ghe.com",
        "https://api.example.com",
      ].map((api) => blobUrl(api, at)),
    ).toEqual([
      "https://github.com/acme/web/blob/1a2b3c4",
      "https://ghe.example.com/acme/web/blob/1a2b3c4",
      "https://acme.ghe.com/acme/web/blob/1a2b3c4",
      "https://api.example.com/acme/web/blob/1a2b3c4",
    ]);
    expect(commentUrl("https://ghe.example.com/api/v3", { repo: "acme/web", issue: 4 }, 7)).toBe(
      "https://ghe.example.com/acme/web/issues/4#issuecomment-7",
    );
  });
});
