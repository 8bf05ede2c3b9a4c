import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EmulatedGitHub } from "../../emulator/start.ts";
import { createClock } from "../../src/base/clock.ts";
import { type Client, createClient } from "../../src/github/client.ts";
import { createContextSource } from "../../src/github/context/source.ts";
import { createFetchFacts } from "../../src/github/facts.ts";
import { openIssue, seed, startWorld, type TestWorld } from "../emulator/world.ts";

const asks = { issues: "write", metadata: "read", contents: "read" };

describe("SR-09 the tokens of an installation", () => {
  let world: TestWorld;
  let github: EmulatedGitHub;
  let client: Client;
  let ids: ReadonlyMap<string, number>;
  let teams: boolean;
  beforeAll(async () => {
    const shared = { name: ".github", private: true, files: { "AGENTS.md": "# All of us\n" } };
    world = await startWorld({ repos: [...seed.repos, { ...seed.repos[0], name: "api" }, shared] });
    github = world.gh;
    const idOf = async (repo: string) => {
      const { body } = await github.as("lee")("GET", `/repos/${repo}`);
      return [repo, (body as { id: number }).id] as const;
    };
    ids = new Map(await Promise.all([idOf("acme/web"), idOf("acme/api")]));
  });
  afterAll(async () => {
    expect(github.invalid()).toEqual([]);
    await world.close();
  });
  beforeEach(() => {
    teams = false;
    const { appId, privateKey, url: apiUrl } = github;
    const log = pino({ level: "silent" });
    client = createClient({
      appId,
      privateKey,
      apiUrl,
      log,
      idOf: async (repo) => ids.get(repo),
      usesTeams: () => teams,
    });
  });

  const at = (repo: string) => ({ installationId: github.installationId, repo: `acme/${repo}` });
  const read = (repo: string, of = repo) =>
    client.as(at(repo), async (octokit) => (await octokit.rest.repos.get({ owner: "acme", repo: of })).data.name);
  /** What is asked for while `work` runs. */
  const mintedBy = async (work: () => Promise<unknown>): Promise<readonly object[]> => {
    const before = github.minted().length;
    await work();
    return github
      .minted()
      .slice(before)
      .map(({ asked }) => asked);
  };

  it.each([3_600_000, -3_600_000])(
    "RR-16 F-36 are had by GitHub's time although this machine's is wrong (%d ms)",
    async (byMs) => {
      const { appId, privateKey, url: apiUrl } = github;
      const { now, hear } = createClock({ shown: () => Date.now() + byMs, elapsed: () => performance.now() });
      const given = { appId, privateKey, apiUrl, log: pino({ level: "silent" }), usesTeams: () => false };
      client = createClient({ ...given, idOf: async () => undefined, now, onDate: hear });
      await expect(read("web")).rejects.toMatchObject({ status: 401 });
      expect(await read("web")).toBe("web");
    },
  );

  it("are for one repository, by its number, with what the bot does there and nothing else", async () => {
    expect(await mintedBy(() => read("web"))).toEqual([{ repository_ids: [ids.get("acme/web")], permissions: asks }]);
    expect(await mintedBy(() => read("web"))).toEqual([]);
  });

  it("are by name where nobody knows the number yet", async () => {
    expect(await mintedBy(() => read("open"))).toEqual([{ repositories: ["open"], permissions: asks }]);
  });

  it("read members only where policy names teams, from the next request on", async () => {
    await read("web");
    teams = true;
    const permissions = { ...asks, members: "read" };
    expect(await mintedBy(() => read("web"))).toEqual([{ repository_ids: [ids.get("acme/web")], permissions }]);
  });

  it("of one repository are not used for another, and do not open it", async () => {
    await read("web");
    expect(await mintedBy(() => read("api"))).toEqual([{ repository_ids: [ids.get("acme/api")], permissions: asks }]);
    await expect(read("web", "api")).rejects.toMatchObject({ status: 404 });
  });

  it("F-13 that were revoked are minted anew once, however many requests were under way", async () => {
    await read("web");
    github.revokeTokens();
    expect(await mintedBy(() => Promise.all([read("web"), read("web"), read("web")]))).toHaveLength(1);
    github.fault({ method: "GET", path: /\/repos\/acme\/web$/, times: 2 }, { status: 401 });
    expect(await mintedBy(() => expect(read("web")).rejects.toMatchObject({ status: 401 }))).toHaveLength(1);
  });

  it("SR-12 of an installation whose ground has changed are used no more", async () => {
    await read("web");
    client.forget(github.installationId + 1);
    expect(await mintedBy(() => read("web"))).toEqual([]);
    client.forget(github.installationId);
    expect(await mintedBy(() => read("web"))).toHaveLength(1);
    expect(await mintedBy(() => read("web"))).toEqual([]);
  });

  it("SR-07 are asked for once more where a name has come to mean another repository since its number was read", async () => {
    const { appId, privateKey, url: apiUrl } = github;
    const log = pino({ level: "silent" });
    const idOf = async (repo: string, anew = false) => (anew ? ids.get(repo) : 41);
    client = createClient({ appId, privateKey, apiUrl, log, idOf, usesTeams: () => true });
    await read("web");
    client = createClient({ appId, privateKey, apiUrl, log, idOf: async () => 41, usesTeams: () => false });
    await expect(read("web")).rejects.toMatchObject({ status: 422 });
  });

  it("let it read roles and team membership (SR-17)", async () => {
    teams = true;
    const mona = github.person("mona");
    const issue = await openIssue(github);
    const question = { ...at("web"), issue, people: [mona], comments: [], teams: ["acme/oncall", "acme/dba"] };
    const facts = await createFetchFacts(client)(question);
    expect(facts.people.get(mona.id)).toEqual({ role: "write", teams: ["acme/oncall"] });
    expect(facts.repository?.id).toBe(ids.get("acme/web"));
  });

  describe("for a repository and the one that its organization shares", () => {
    const config = {
      features: { context: true, skills: true, planning: true, subAgents: true },
      context: { filenames: ["AGENTS.md"], extraSkillDirs: [], organizationRepo: "acme/.github" },
      incident: { componentLabel: "path:" },
    };
    const fetch = () => createContextSource(client, config).fetch(github.installationId, "acme/web");
    const both = { repositories: ["web", ".github"], permissions: { metadata: "read", contents: "read" } };

    it("only read", async () => {
      expect(await mintedBy(async () => expect((await fetch()).instructions).toHaveLength(2))).toEqual([both]);
    });

    it("are not given where the App is not installed there: it goes on with its own one, and says so", async () => {
      await github.removeRepository("acme/.github");
      const { appId, privateKey, url: apiUrl } = github;
      const log = pino({ level: "silent" });
      client = createClient({ appId, privateKey, apiUrl, log, idOf: async () => undefined, usesTeams: () => false });
      github.revokeTokens();
      const { instructions, notes } = await fetch();
      expect(instructions.map(({ path }) => path)).toEqual(["AGENTS.md"]);
      expect(notes).toEqual([expect.stringContaining("acme/.github cannot be read: is the App installed there too?")]);
    });
  });

  it("go without members where their owner has not granted that: then nobody is eligible by a team", async () => {
    teams = true;
    github.setAppPermissions(asks);
    expect(await mintedBy(() => read("open"))).toEqual([{ repositories: ["open"], permissions: asks }]);
    const mona = github.person("mona");
    const question = {
      ...at("web"),
      issue: await openIssue(github),
      people: [mona],
      comments: [],
      teams: ["acme/dba"],
    };
    const { people } = await createFetchFacts(client)(question);
    expect(people.get(mona.id)).toEqual({ role: "write", teams: [] });
    github.setAppPermissions(seed.app.permissions);
  });

  it("are not had for a repository that the App was taken from", async () => {
    await github.removeRepository("acme/open");
    await expect(read("open")).rejects.toMatchObject({ status: 422 });
  });
});
