import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createContextSource } from "../../src/github/context.ts";
import { endApi, startApi } from "./api.ts";

const blob = (text: string) => ({ text, byteSize: text.length, isBinary: false });
const file = (name: string, object: object | null, mode = 0o100644) => ({ name, type: "blob", mode, object });
const folder = (name: string, ...entries: readonly object[]) => ({
  name,
  type: "tree",
  mode: 0o040000,
  object: { entries },
});
const link = 0o120000;
const empty = {
  defaultBranchRef: null,
  file0: null,
  file1: null,
  file2: null,
  skills0: null,
  skills1: null,
  rules: null,
  config: null,
  workflows: null,
};
const head = { defaultBranchRef: { target: { oid: "1a2b3c4d5e6f" } } };

describe("what a repository tells the bot", () => {
  let world: ReturnType<typeof startApi>;
  beforeEach(() => {
    world = startApi();
  });
  afterEach(() => expect(endApi()).toBe(true));

  const source = () => createContextSource(world.client, ["AGENTS.md"]);
  const read = (change: object) => {
    world.api.post("/graphql").reply(200, { data: { repository: { ...empty, ...head, ...change } } });
    return source().fetch(1, "acme/web");
  };

  it("DC-2 OP-2 is its instructions, rules, config, skills and workflows, each with where it came from", async () => {
    const context = await read({
      file0: blob("# Web"),
      file2: blob("# Ours"),
      rules: blob("Be brief."),
      config: blob("incident: {}"),
      skills1: { entries: [folder("disk", file("SKILL.md", blob("skill")), file("notes.md", blob("notes")))] },
      workflows: { entries: [file("drain.yml", blob("name: drain")), file("README.md", blob("no"))] },
    });
    const from = (path: string, text: string) => ({ path, text, source: "acme/web@1a2b3c4" });
    expect(context).toEqual({
      commit: "1a2b3c4d5e6f",
      instructions: [from("AGENTS.md", "# Web"), from(".github/AGENTS.md", "# Ours")],
      rules: from(".github/countersign/rules.md", "Be brief."),
      config: from(".github/countersign.yml", "incident: {}"),
      skills: [from(".github/skills/disk/SKILL.md", "skill")],
      workflows: [from(".github/countersign/workflows/drain.yml", "name: drain")],
    });
  });

  it("SR-38 no symbolic link is followed and no submodule entered", async () => {
    const context = await read({
      skills0: {
        entries: [
          file("linked", blob("../../etc"), link),
          folder("disk", file("SKILL.md", blob("/etc/passwd"), link)),
          { name: "module", type: "commit", mode: 0o160000, object: null },
          folder("empty"),
        ],
      },
      workflows: { entries: [file("evil.yml", blob("../x.yml"), link), folder("deep.yml")] },
    });
    expect(context).toMatchObject({ skills: [], workflows: [] });
  });

  it("SR-38 what is binary, larger than 256 KiB or cut by GitHub is left out, and a script may be executable", async () => {
    const at = (object: object) => read({ file0: object });
    expect((await at({ text: null, byteSize: 10, isBinary: true })).instructions).toEqual([]);
    expect((await at({ text: "x", byteSize: 10, isBinary: true })).instructions).toEqual([]);
    expect((await at({ text: "x", byteSize: 256 * 1024 + 1, isBinary: false })).instructions).toEqual([]);
    expect((await at({ text: "x", byteSize: 256 * 1024, isBinary: false })).instructions).toHaveLength(1);
    const workflows = { entries: [file("a.yaml", blob("name: a"), 0o100755)] };
    expect((await read({ workflows })).workflows).toHaveLength(1);
  });

  it("DC-2 an empty repository, and one that is not there, tell nothing", async () => {
    world.api.post("/graphql").reply(200, { data: { repository: empty } });
    const nothing = { commit: null, instructions: [], rules: undefined, config: undefined, skills: [], workflows: [] };
    expect(await source().fetch(1, "acme/web")).toEqual(nothing);
  });

  it("OP-9 is asked for once per repository, also by two at the same moment, until a push drops it", async () => {
    world.api
      .post("/graphql")
      .times(3)
      .reply(200, { data: { repository: { ...empty, ...head } } });
    const context = source();
    const [first, second] = await Promise.all([context.fetch(1, "acme/web"), context.fetch(1, "acme/web")]);
    expect(second).toBe(first);
    expect(await context.fetch(1, "acme/web")).toBe(first);
    await context.fetch(1, "acme/api");
    context.drop("acme/web");
    expect(await context.fetch(1, "acme/web")).not.toBe(first);
  });

  it("OP-9 a failure is not remembered", async () => {
    const context = source();
    world.api.post("/graphql").reply(502, {});
    await expect(context.fetch(1, "acme/web")).rejects.toThrow();
    world.api.post("/graphql").reply(200, { data: { repository: { ...empty, ...head } } });
    expect(await context.fetch(1, "acme/web")).toMatchObject({ commit: "1a2b3c4d5e6f" });
  });

  it("OP-9 a push that comes while a fetch is under way is not lost to the older answer", async () => {
    const context = source();
    const old = { ...empty, defaultBranchRef: { target: { oid: "old" } } };
    world.api
      .post("/graphql")
      .delay(50)
      .reply(200, { data: { repository: old } });
    world.api.post("/graphql").reply(200, { data: { repository: { ...empty, ...head } } });
    const before = context.fetch(1, "acme/web");
    context.drop("acme/web");
    expect(await context.fetch(1, "acme/web")).toMatchObject({ commit: "1a2b3c4d5e6f" });
    await before;
    expect(await context.fetch(1, "acme/web")).toMatchObject({ commit: "1a2b3c4d5e6f" });
  });
});
