import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ContextConfig, createContextSource } from "../../../src/github/context/source.ts";
import { endApi, startApi } from "../api.ts";
import { answerTree, type FakeTree, link, submodule } from "../fake-tree.ts";

const commit = "1a2b3c4d5e6f";
const config: ContextConfig = {
  context: { filenames: ["AGENTS.md"], extraSkillDirs: [], organizationRepo: undefined },
  features: { context: true },
  incident: { componentLabel: "path:" },
};
const shared: ContextConfig = { ...config, context: { ...config.context, organizationRepo: "acme/.github" } };
const from = (path: string, text: string, repo = "acme/web") => ({ path, text, source: `${repo}@1a2b3c4` });
const incident = { installationId: 1, repo: "acme/web", body: "", labels: [] };

const queryIn = async (request: Request): Promise<string> => ((await request.json()) as { query: string }).query;

describe("what a repository tells the bot", () => {
  let world: ReturnType<typeof startApi>;
  let queries: string[];
  beforeEach(() => {
    world = startApi();
    queries = [];
  });
  afterEach(() => expect(endApi()).toBe(true));

  /** GitHub answers this many requests from these trees. */
  const serve = (tree: FakeTree, options: { organization?: FakeTree; times?: number; oid?: string } = {}) =>
    world.api
      .post("/graphql")
      .times(options.times ?? 1)
      .reply(200, async (request: Request) => {
        const query = await queryIn(request);
        queries.push(query);
        const oid = options.oid ?? commit;
        const [own = "", general] = query.split("organization: repository(");
        return {
          data: {
            repository: answerTree(own, tree, oid),
            ...(general === undefined ? {} : { organization: answerTree(general, options.organization ?? {}, oid) }),
          },
        };
      });
  const read = (tree: FakeTree, use = config, organization?: FakeTree) => {
    serve(tree, organization ? { organization } : {});
    return createContextSource(world.client, use).fetch(1, "acme/web");
  };

  it("DC-2 OP-2 is its instructions, rules, config, skills and workflows, each with where it came from", async () => {
    const context = await read({
      "AGENTS.md": "# Web",
      ".agents/AGENTS.md": "# Agents",
      ".github/AGENTS.md": "# Ours",
      ".github/copilot-instructions.md": "# Copilot",
      ".github/instructions/web.instructions.md": "---\napplyTo: web/**\n---\nWeb.",
      ".github/instructions/README.md": "no",
      ".github/countersign/rules.md": "Be brief.",
      ".github/countersign.yml": "incident: {}",
      ".github/skills/disk/SKILL.md": "skill",
      ".github/skills/disk/notes.md": "notes",
      ".github/countersign/workflows/drain.yml": "name: drain",
      ".github/countersign/workflows/README.md": "no",
    });
    expect(context).toEqual({
      commit,
      instructions: [
        from("AGENTS.md", "# Web"),
        from(".agents/AGENTS.md", "# Agents"),
        from(".github/AGENTS.md", "# Ours"),
        from(".github/copilot-instructions.md", "# Copilot"),
      ],
      scoped: [from(".github/instructions/web.instructions.md", "---\napplyTo: web/**\n---\nWeb.")],
      rules: from(".github/countersign/rules.md", "Be brief."),
      config: from(".github/countersign.yml", "incident: {}"),
      skills: [from(".github/skills/disk/SKILL.md", "skill")],
      workflows: [from(".github/countersign/workflows/drain.yml", "name: drain")],
      notes: [],
    });
  });

  it("OP-2 OP-3 the organization's repository comes in the same request: its instructions first, its skills last", async () => {
    const context = await read(
      { "AGENTS.md": "ours", ".claude/skills/a/SKILL.md": "a", ".agents/skills/b/SKILL.md": "b" },
      shared,
      {
        "AGENTS.md": "everybody's",
        ".github/skills/a/SKILL.md": "other a",
        ".github/countersign/rules.md": "not ours",
      },
    );
    expect(context).toMatchObject({
      instructions: [from("AGENTS.md", "everybody's", "acme/.github"), from("AGENTS.md", "ours")],
      skills: [
        from(".agents/skills/b/SKILL.md", "b"),
        from(".claude/skills/a/SKILL.md", "a"),
        from(".github/skills/a/SKILL.md", "other a", "acme/.github"),
      ],
      rules: undefined,
      notes: [],
    });
    expect(queries).toHaveLength(1);
  });

  it("OP-2 an organization's repository that cannot be read is told, and the work goes on without it", async () => {
    world.api.post("/graphql").reply(200, async (request: Request) => {
      const query = await queryIn(request);
      return {
        data: { repository: answerTree(query, { "AGENTS.md": "ours" }, commit), organization: null },
        errors: [{ type: "NOT_FOUND", path: ["organization"], message: "Could not resolve to a Repository" }],
      };
    });
    const context = await createContextSource(world.client, shared).fetch(1, "acme/web");
    expect(context.instructions).toEqual([from("AGENTS.md", "ours")]);
    expect(context.notes).toEqual([expect.stringMatching(/^acme\/\.github cannot be read/)]);
  });

  it("OP-2 an error in the repository's own part is no answer", async () => {
    world.api.post("/graphql").reply(200, {
      data: { repository: null, organization: null },
      errors: [{ type: "NOT_FOUND", path: ["repository"], message: "no" }],
    });
    await expect(createContextSource(world.client, shared).fetch(1, "acme/web")).rejects.toThrow();
  });

  it("OP-3 extra skill folders are the repository's own, and none leads out of it", async () => {
    const dirs = ["ops/runbooks/", "../other", "/etc", "a/../../b"];
    const use = { ...config, context: { ...config.context, extraSkillDirs: dirs } };
    const { skills } = await read({ "ops/runbooks/disk/SKILL.md": "disk" }, use);
    expect(skills).toEqual([from("ops/runbooks/disk/SKILL.md", "disk")]);
    expect(queries[0]).not.toMatch(/\.\.\/|HEAD:\/etc/);
  });

  it("OP-8 with context switched off no instructions are asked for", async () => {
    const use = { ...config, features: { ...config.features, context: false } };
    const context = await read({ "AGENTS.md": "x", ".github/copilot-instructions.md": "y" }, use);
    expect(context).toMatchObject({ instructions: [], scoped: [] });
    expect(queries[0]).not.toContain("AGENTS.md");
  });

  it("SR-38 no symbolic link is followed and no submodule entered, and each is told", async () => {
    const context = await read({
      "AGENTS.md": { text: "CLAUDE.md", mode: link },
      ".agents/skills/linked": { text: "../../etc", mode: link },
      ".agents/skills/disk/SKILL.md": { text: "/etc/passwd", mode: link },
      ".agents/skills/module": { mode: submodule },
      ".agents/skills/README.md": "beside",
      ".github/countersign/workflows/evil.yml": { text: "../x.yml", mode: link },
      ".github/countersign/workflows/deep.yml/x": "x",
      ".github/countersign/rules.md": { text: "rules", mode: link },
    });
    expect(context).toMatchObject({ instructions: [], skills: [], workflows: [], rules: undefined });
    expect(context.notes.map((note) => note.replace("acme/web@1a2b3c4:", ""))).toEqual([
      "AGENTS.md is a symbolic link, which is never followed",
      ".github/countersign/rules.md is a symbolic link, which is never followed",
      ".agents/skills/disk/SKILL.md is a symbolic link, which is never followed",
      ".agents/skills/linked is a symbolic link, which is never followed",
      ".agents/skills/module is a submodule, which is never entered",
      ".github/countersign/workflows/evil.yml is a symbolic link, which is never followed",
    ]);
  });

  it("SR-38 what is binary, larger than 256 KiB or cut by GitHub is left out and told, and a script may be executable", async () => {
    const at = (file: object) => read({ "AGENTS.md": file });
    expect(await at({ text: null, bytes: 10, binary: true })).toMatchObject({ instructions: [], notes: [/binary/] });
    expect(await at({ text: "x", bytes: 10, binary: true })).toMatchObject({ instructions: [], notes: [/binary/] });
    expect(await at({ text: null, bytes: 10 })).toMatchObject({ instructions: [], notes: [/did not show/] });
    expect((await at({ text: "x", bytes: 256 * 1024 })).instructions).toHaveLength(1);
    const huge = await at({ text: "x".repeat(512_000), bytes: 1024 * 1024 });
    expect(huge.instructions).toEqual([]);
    expect(huge.notes).toEqual([
      "acme/web@1a2b3c4:AGENTS.md is left out: it has 1,048,576 bytes, at most 262,144 are read",
    ]);
    const { workflows } = await read({ ".github/countersign/workflows/a.yaml": { text: "name: a", mode: 0o100755 } });
    expect(workflows).toHaveLength(1);
  });

  it.each([
    ["a symbolic link", { text: "other.yml", mode: link }],
    ["too large", { text: "servers: [web-1]", bytes: 300 * 1024 }],
    ["binary", { text: "servers: [web-1]", binary: true }],
  ])("SR-38 a config that is %s does not count as absent, since it was meant to narrow", async (_, file) => {
    expect((await read({ ".github/countersign.yml": file })).config?.text).toMatch(/^the file is /);
  });

  it("OP-3 5,000 skills are read, and of what is left out the first twenty are named", async () => {
    const skill = (i: number) => `.github/skills/skill-${String(i).padStart(4, "0")}/SKILL.md`;
    const good = Array.from({ length: 4_900 }, (_, i) => [skill(i), "skill"]);
    const bad = Array.from({ length: 100 }, (_, i) => [skill(4_900 + i), { text: "x", mode: link }]);
    const context = await read(Object.fromEntries([...good, ...bad]));
    expect(context.skills).toHaveLength(4_900);
    expect(context.notes).toHaveLength(21);
    expect(context.notes.at(-1)).toBe("and 80 more files were left out");
  });

  it("DC-2 an empty repository, and one that is not there, tell nothing", async () => {
    world.api.post("/graphql").reply(200, { data: { repository: { defaultBranchRef: null } } });
    const nothing = { commit: null, instructions: [], scoped: [], skills: [], workflows: [], notes: [] };
    expect(await createContextSource(world.client, config).fetch(1, "acme/web")).toEqual({
      ...nothing,
      rules: undefined,
      config: undefined,
    });
  });

  it("OP-9 is asked for once per repository, also by two at the same moment, until a push drops it", async () => {
    serve({}, { times: 3 });
    const context = createContextSource(world.client, config);
    const [first, second] = await Promise.all([context.fetch(1, "acme/web"), context.fetch(1, "acme/web")]);
    expect(second).toBe(first);
    expect(await context.fetch(1, "acme/web")).toBe(first);
    await context.fetch(1, "acme/api");
    context.drop("acme/web");
    expect(await context.fetch(1, "acme/web")).not.toBe(first);
  });

  it("OP-9 a push to the organization's repository drops what every repository was told", async () => {
    serve({}, { organization: {}, times: 2 });
    const context = createContextSource(world.client, shared);
    const first = await context.fetch(1, "acme/web");
    context.drop("acme/.github");
    expect(await context.fetch(1, "acme/web")).not.toBe(first);
  });

  it("OP-9 a failure is not remembered", async () => {
    const context = createContextSource(world.client, config);
    world.api.post("/graphql").reply(502, {});
    await expect(context.fetch(1, "acme/web")).rejects.toThrow();
    serve({});
    expect(await context.fetch(1, "acme/web")).toMatchObject({ commit });
  });

  it("OP-9 a push that comes while a fetch is under way is not lost to the older answer", async () => {
    const context = createContextSource(world.client, config);
    world.api
      .post("/graphql")
      .delay(50)
      .reply(200, { data: { repository: { defaultBranchRef: { target: { oid: "old" } } } } });
    serve({});
    const before = context.fetch(1, "acme/web");
    context.drop("acme/web");
    expect(await context.fetch(1, "acme/web")).toMatchObject({ commit });
    await before;
    expect(await context.fetch(1, "acme/web")).toMatchObject({ commit });
  });

  const tree: FakeTree = {
    "AGENTS.md": "root",
    "services/AGENTS.md": "services",
    "services/web/.github/AGENTS.md": "web",
    "services/api/AGENTS.md": "api",
  };

  const labelled = { ...incident, labels: ["incident", "path:services/web", "path:../x"] };

  it("OP-2 an issue's component label adds what lies on the way down to its folder, at the same commit, asked for once", async () => {
    serve(tree, { times: 2 });
    const source = createContextSource(world.client, config);
    const context = await source.fetch(1, "acme/web");
    const component = await source.component(context, labelled);
    expect(component).toEqual({
      folders: ["services/web"],
      instructions: [from("services/AGENTS.md", "services"), from("services/web/.github/AGENTS.md", "web")],
      notes: [],
    });
    expect(await source.component(context, labelled)).toBe(component);
    expect(queries.map((query) => /query (\w+)/.exec(query)?.[1])).toEqual(["RepoContext", "ComponentContext"]);
    expect(queries[1]).toContain(`${commit}:services/web/AGENTS.md`);
  });

  it("OP-2 an issue form's component needs no labels, and its folder is read once for all incidents", async () => {
    serve(tree, { times: 2 });
    const source = createContextSource(world.client, config);
    const context = await source.fetch(1, "acme/web");
    const body = "### What happened\n\n5xx\n\n### Component\n\nservices/api\n\n### Since\n\nnoon";
    const component = await source.component(context, { ...incident, body });
    expect(component.instructions.map(({ text }) => text)).toEqual(["services", "api"]);
    expect(await source.component(context, { ...labelled, body })).toBe(component);
  });

  it.each(["_No response_", "../../etc", "/etc", "a/".repeat(20), 'x") { id } #'])(
    "OP-2 a component %j is no folder, and nothing is asked for",
    async (written) => {
      serve(tree);
      const source = createContextSource(world.client, config);
      const context = await source.fetch(1, "acme/web");
      const component = await source.component(context, { ...incident, body: `### Component\n\n${written}` });
      expect(component).toEqual({ folders: [], instructions: [], notes: [] });
    },
  );

  const skill = { path: ".github/skills/disk/SKILL.md", source: "acme/web@1a2b3c4" };
  const skillTree: FakeTree = {
    [skill.path]: "skill",
    ".github/skills/disk/references/volumes.md": "volumes",
    ".github/skills/disk/scripts/deep/look.sh": { text: "df -h", mode: 0o100755 },
    ".github/skills/disk/linked.md": { text: "../../../.env", mode: link },
    ".github/skills/disk/module": { mode: submodule },
    ".github/skills/disk/picture.png": { text: null, bytes: 9, binary: true },
    ".github/skills/disk/large.md": { text: "x", bytes: 300 * 1024 },
    ".github/skills/other/notes.md": "other",
  };

  it("OP-4 SR-38 beside a skill lie the plain text files of its folder, which are listed once and read at the context's commit", async () => {
    serve(skillTree, { times: 3 });
    const source = createContextSource(world.client, config);
    const context = await source.fetch(1, "acme/web");
    const folder = await source.skillFolder(context, incident, skill);
    expect([...folder.values()]).toEqual([
      { path: "references/volumes.md", bytes: 7 },
      { path: "scripts/deep/look.sh", bytes: 5 },
    ]);
    expect(await source.skillFolder(context, incident, skill)).toBe(folder);
    const file = folder.get("references/volumes.md");
    expect(file && (await source.skillFile(context, incident, skill, file))).toBe("volumes");
    expect(queries[1]).toContain(`"${commit}:.github/skills/disk"`);
    expect(queries[2]).toContain(`"${commit}:.github/skills/disk/references/volumes.md"`);
  });

  it("OP-4 an organization's skill is read in its own repository, and one of a source that the context has not in none", async () => {
    world.api
      .post("/graphql")
      .times(2)
      .reply(200, async (request: Request) => {
        const { query, variables } = (await request.json()) as { query: string; variables: { repo: string } };
        const tree = variables.repo === ".github" ? skillTree : {};
        return {
          data: { repository: answerTree(query, tree, commit), organization: answerTree(query, {}, "9f8e7d6c") },
        };
      });
    const source = createContextSource(world.client, shared);
    const context = await source.fetch(1, "acme/web");
    const of = (from: string) => source.skillFolder(context, incident, { ...skill, source: from });
    expect((await of("acme/.github@9f8e7d6")).size).toBe(2);
    expect((await of("acme/web@0000000")).size).toBe(0);
  });
});
