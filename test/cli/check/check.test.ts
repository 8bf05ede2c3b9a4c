import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openIssue } from "../../../demo/thread.ts";
import type { Problem } from "../../../src/base/errors.ts";
import { check, waitingLine } from "../../../src/cli/check/check.ts";
import { entryOf } from "../../harness/playground.ts";
import { startQuietGitHub } from "../../harness/quiet-github.ts";
import { useFolder, useStarted, writerIn } from "../../harness/use-started.ts";
import { saying, startFakeHost } from "../../ssh/fake-host.ts";
import { countersign } from "../countersign.ts";

const folder = useFolder();
const host = useStarted(() => startFakeHost(saying("Linux\n")));
const stranger = useStarted(() => startFakeHost(saying("Linux\n")));
const deaf = useStarted(() => startFakeHost(saying("Linux\n"), { acceptsKey: false }));
const github = useStarted(() => startQuietGitHub({ teams: { oncall: ["mona"] } }));

const write = writerIn(folder);
const configWith = (change: object): string =>
  write(
    "countersign.yml",
    JSON.stringify({
      github: {
        app_id: 7,
        private_key_file: write("app.pem", github.privateKey),
        api_url: github.url,
        webhook_secret_file: write("hook.secret", "k3J9vQ2xW8nR5tY7uB1mC4dF6gH0sLzP"),
        repositories: [{ name: "acme/web", servers: ["web-1"] }],
      },
      server: { port: 0 },
      store: { url: "file:./data" },
      policy: { approvers: { teams: ["acme/oncall"] } },
      servers: { "web-1": entryOf(host) },
      ...change,
    }),
  );

async function checked(
  change: object,
  repo?: string,
): Promise<{ problems: readonly Problem[]; lines: readonly string[] }> {
  const lines: string[] = [];
  const found = await check({ config: configWith(change), repo }, (line) => lines.push(line));
  return { problems: found.filter(({ severity }) => severity === "error"), lines };
}

describe("check", () => {
  it("CONFIG finds nothing where nothing is wrong, and says what it saw of each server", async () => {
    const { problems, lines } = await checked({});
    expect(problems).toEqual([]);
    expect(lines.join("\n")).toMatch(/web-1 +✓ linux, host key SHA256:/i);
    for (const row of [
      /^inventory +✓ 1 server$/m,
      /^installed +✓ 1 of 1 repository has the App$/m,
      /✓ 1 team, 0 users$/m,
    ])
      expect(lines.join("\n")).toMatch(row);
  });

  it("CONFIG of a fresh App, whose first calls nobody took, it warns and ends with 0; nothing stands on the terminal but its own lines", {
    tags: ["long"],
  }, async () => {
    await openIssue(github, "acme/web", { title: "x", body: "", labels: [], by: "mona" });
    await github.settled();
    const deprecation = '<mailto:octokit@example.com>; rel="deprecation"';
    github.fault({ method: "GET", path: /\/app$/ }, { headers: { deprecation: "true", link: deprecation } });
    const { code, out, err } = await countersign(["check", "--config", configWith({})]);
    expect(out).toMatch(/^deliveries +! [1-9]\d* failed in the last three days$/m);
    expect(err).toMatch(/^! the App's deliveries: .* — nothing to do before the first start/m);
    expect(err.split("\n").filter((line) => line !== "" && !line.startsWith("! "))).toEqual([]);
    expect(code).toBe(0);
  });

  it("CONFIG a GitHub that refuses is told once, in a line with a remedy", { tags: ["long"] }, async () => {
    github.fault({ method: "GET", path: /\/app$/ }, { status: 401, body: { message: "Bad credentials" } });
    const { code, out, err } = await countersign(["check", "--config", configWith({})]);
    expect(out).toMatch(/^GitHub +✗ not signed in at /m);
    expect(err).toMatch(/^✗ github\.app_id: .*Bad credentials.* — compare app_id /);
    expect(err.split("\n").filter((line) => line !== "" && !/^[✗!] /.test(line))).toEqual([]);
    expect(code).toBe(1);
  });

  it("SR-17 an empty roster", async () => {
    const { problems } = await checked({ policy: { approvers: { teams: [], users: [] } } });
    expect(problems.map(({ place }) => place)).toEqual(["policy.approvers"]);
  });

  it.each([{ members: "read" }, {}])(
    "SR-08 CONFIG approvers by login alone, as of an account without an organization, need no members: read, and %j is no fault",
    async (more) => {
      const rights = { issues: "write", metadata: "read", contents: "read" };
      github.setAppPermissions({ ...rights, ...more });
      github.setGranted(rights);
      const { body } = await github.as("mona")("GET", "/users/mona");
      const users = { policy: { approvers: { users: [{ login: "mona", id: (body as { id: number }).id }] } } };
      const { problems, lines } = await checked(users);
      github.setAppPermissions({ ...rights, members: "read" });
      github.setGranted({ ...rights, members: "read" });
      expect(problems).toEqual([]);
      expect(lines.join("\n")).toMatch(/^approvers +✓ 0 teams, 1 user$/m);
    },
  );

  it("CONFIG a GitHub whose name leads nowhere is not called a refusal, and the remedy is its address", async () => {
    const { github: app } = JSON.parse(readFileSync(configWith({}), "utf8"));
    const { problems } = await checked({ github: { ...app, api_url: "https://ghe.acme.invalid/api/v3" } });
    expect(problems).toEqual([
      {
        severity: "error",
        place: "github.api_url",
        message: expect.stringMatching(
          /^ghe\.acme\.invalid cannot be reached: (its name leads to no address|this machine's DNS)/,
        ),
        remedy: expect.stringMatching(/github\.api_url|DNS/),
      },
    ]);
  });

  it("SR-14 an approver without an id is refused with the id to write, as GitHub has it now", async () => {
    const { id } = (await github.as("mona")("GET", "/users/mona")).body as { id: number };
    const { problems } = await checked({ policy: { approvers: { users: ["mona", { login: "nobody-here" }] } } });
    expect(problems.map(({ message, remedy }) => [message, remedy])).toEqual([
      ["`policy.approvers.users.0` has no valid id for mona, and only ids count", `write { login: mona, id: ${id} }`],
      [
        "`policy.approvers.users.1` has no valid id for nobody-here, and only ids count",
        "correct the login: GitHub has no nobody-here",
      ],
    ]);
    expect(Object.keys(problems[0] ?? {}).sort()).toEqual(["message", "place", "remedy", "severity"]);
    const { github: app } = JSON.parse(readFileSync(configWith({}), "utf8"));
    const alone = { ...app, repositories: [], app_id: undefined };
    const unasked = await checked({ github: alone, policy: { approvers: { users: ["mona"] } } });
    expect(unasked.problems.map(({ remedy }) => remedy).join()).toContain("gh api users/mona");
  });

  it("CFG-1 a key in another spelling is refused with the one spelling", async () => {
    const { problems } = await checked({ context: { organisation_repo: "acme/.github" } });
    expect(problems.map(({ message, remedy }) => [message, remedy])).toEqual([
      ["`context.organisation_repo` is not a known key", "did you mean `organization_repo`?"],
    ]);
  });

  it.each([
    {
      what: "a host key that is not the pinned one",
      change: () => ({ host_key: stranger.hostKey }),
      says: /host key/i,
    },
    { what: "a server that is down", change: () => ({ port: 1 }), says: /refused|connect/i },
    { what: "a login that is refused", change: () => entryOf(deaf), says: /auth|key|log/i },
  ])("SR-51 $what is a problem of that server, with a remedy", async ({ change, says }) => {
    const { problems, lines } = await checked({ servers: { "web-1": { ...entryOf(host), ...change() } } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ place: "servers.web-1", message: expect.stringMatching(says) });
    expect(problems[0]?.remedy).toMatch(/\w{3}/);
    expect(lines.join("\n")).toMatch(/web-1 +✗/);
  });

  it("OP-3 OP-2 WF-1 a repository's skills in all their folders, workflows, config and files are checked by the letter, each mistake with its file", async () => {
    const repo = join(folder, "web");
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(repo, path)), { recursive: true });
      writeFileSync(join(repo, path), text);
    };
    const skill = (name: string, more = "") =>
      `---\nname: ${name}\ndescription: Use when it is so.\n${more}---\n\n# Do\n`;
    put(".github/skills/good/SKILL.md", skill("good", 'license: MIT\nmetadata:\n  alerts: "A"\n'));
    put(".github/skills/bad/SKILL.md", "no frontmatter");
    put(".agents/skills/Upper_Case/SKILL.md", skill("Upper_Case"));
    put(".claude/skills/path/SKILL.md", skill("../../etc/passwd"));
    put(".claude/skills/other/SKILL.md", skill("odd"));
    put(".claude/skills/odd/SKILL.md", skill("odd", "version: 2\nmetadata: text\n"));
    put("ops/runbooks/good/SKILL.md", skill("good"));
    put("AGENTS.md", "x".repeat(40 * 1024));
    put(".github/countersign.yml", "max_risk: sky");
    put(".github/countersign/workflows/broken.yml", "name: broken");
    mkdirSync(join(repo, ".github/skills/empty"));
    symlinkSync("../../AGENTS.md", join(repo, ".github/skills/linked"));
    const context = { extra_skill_dirs: ["ops/runbooks"], organization_repo: "acme/.github" };
    const { problems, lines } = await checked({ context }, repo);
    const said = problems.map(({ place, message }) => `${place.replace(`${repo}/`, "")} ${message}`);
    expect(said.filter((line) => !line.startsWith(repo))).toEqual([
      '.agents/skills/Upper_Case/SKILL.md has "Upper_Case" for a name',
      ".github/skills/bad/SKILL.md has no frontmatter",
      '.claude/skills/other/SKILL.md is named `odd` but lies in the folder "other"',
      '.claude/skills/path/SKILL.md has "../../etc/passwd" for a name',
      "ops/runbooks/good/SKILL.md is left out: `.github/skills/good/SKILL.md` has the name `good` already",
      expect.stringMatching(/^\.github\/countersign\/workflows\/broken\.yml:1:1 /),
      expect.stringMatching(/^\.github\/countersign\/workflows\/broken\.yml:1:1 /),
      ".claude/skills/odd/SKILL.md has `metadata` that is no mapping",
      ".claude/skills/odd/SKILL.md has `version`, which the specification does not know",
      ".github/skills/empty has no SKILL.md",
      expect.stringMatching(/^\.github\/countersign\.yml:1:1 /),
    ]);
    expect(problems.every(({ place, remedy }) => remedy || !place.includes("skills"))).toBe(true);
    expect(said).toContain(`${repo} .github/skills/linked is a symbolic link, which is never followed`);
    expect(lines).toEqual(
      expect.arrayContaining([
        "runbooks     ✗ 2 skills and 0 workflows can be used, 8 cannot",
        "rules        – none; .github/countersign/rules.md is optional, and templates/starter/rules.md one to start with",
        "context      ! AGENTS.md is cut: 8,192 of 40,960 bytes left out",
        "context      ! acme/.github is not looked at here: check a checkout of it with --repo too",
      ]),
    );
  });

  it("CONFIG CFG-1 a config that is broken hides nothing but what rests on it, and ends with 1 and JSON", {
    tags: ["long"],
  }, async () => {
    const { github: app } = JSON.parse(readFileSync(configWith({}), "utf8"));
    const broken = {
      github: app,
      sever: {},
      logging: { level: "loud" },
      store: { url: "postgres://nobody@127.0.0.1:1/x" },
    };
    const file = configWith({ ...broken, servers: { "web-1": { ...entryOf(host), port: 1 }, "db-1": { host: "a" } } });
    chmodSync(app.webhook_secret_file, 0o644);
    const { code, out, err } = await countersign(["check", "--json", "--config", file]);
    chmodSync(app.webhook_secret_file, 0o600);
    const found: readonly (Problem & { severity: string })[] = JSON.parse(out);
    for (const { place, remedy, message } of found) expect([place, remedy ?? message].join()).toMatch(/\w{3}/);
    expect(
      found.filter(({ severity }) => severity === "error").map(({ place, message }) => `${place} ${message}`),
    ).toEqual([
      expect.stringMatching(/countersign\.yml:1:\d+ .*mode 0644/),
      expect.stringMatching(/`servers\.db-1\.user` is missing/),
      expect.stringMatching(/`db-1` has no way to log in/),
      expect.stringMatching(/countersign\.yml:1:\d+ `sever` is not a known key/),
      expect.stringMatching(/`logging\.level` is "loud"/),
      expect.stringMatching(/^store\.url .*cannot be reached/),
      expect.stringMatching(/^servers\.web-1 /),
    ]);
    expect({ code, err }).toEqual({ code: 1, err: "" });
  });

  it("CONFIG servers are looked at together, told in the config's order, and whom it waits for is named meanwhile", async () => {
    const names = ["web-1", "db-1", "web-2", "app-1"];
    // Each is answered once all of them have asked.
    const crowd = Promise.withResolvers<void>();
    let asked = 0;
    const busy = await startFakeHost(async (_, { channel }) => {
      asked++;
      if (asked === names.length) crowd.resolve();
      await crowd.promise;
      channel.write("Linux\n");
      return 0;
    });
    const servers = Object.fromEntries(names.map((name) => [name, entryOf(busy)]));
    const lines: string[] = [];
    const waits: string[] = [];
    const config = configWith({ servers });
    await check(
      { config },
      (line) => lines.push(line),
      (what) => waits.push(what),
    );
    await busy.close();
    expect(lines.map((line) => line.split(" ")[0] ?? "").filter((row) => names.includes(row))).toEqual(names);
    expect(waits.slice(-4)).toEqual(names.map((name, index) => `server ${name}, ${index + 1} of 4`));
    expect(waits).toContain("GitHub");
  });

  it("CONFIG the line that says what is waited for fits the terminal, and leaves nothing behind", () => {
    const written: (string | Uint8Array)[] = [];
    const line = waitingLine({ columns: 12, write: (text: string | Uint8Array) => written.push(text) > 0 });
    line.show("server web-7, 7 of 50");
    line.clear();
    expect(written.join("")).toBe("\r\u001b[2Kserver web-\r\u001b[2K");
  });

  it("SR-55 --role looks at what that role needs, and asks for no other's secrets", async () => {
    const gone = join(folder, "not-on-this-machine");
    const { github: app } = JSON.parse(readFileSync(configWith({}), "utf8"));
    const change = {
      github: { ...app, webhook_secret_file: gone },
      store: { url: "postgres://nobody@127.0.0.1:1/x" },
      servers: { "web-1": { ...entryOf(host), key_file: gone } },
      model: { endpoints: [{ url: "http://127.0.0.1:1/v1", model: "m", api_key_file: gone }] },
    };
    const rowsOf = async (role: string | undefined) => {
      const lines: string[] = [];
      const found = await check({ config: configWith(change), role }, (line) => lines.push(line));
      const missed = found.filter(({ message }) => message.includes(gone)).map(({ message }) => message);
      return { rows: lines.map((line) => line.split(" ")[0]), missed: missed.length };
    };
    const web = await rowsOf("web");
    expect(web.missed).toBe(1);
    expect(web.rows).not.toContain("web-1");
    expect(web.rows).not.toContain("policy");
    // No process starts with a rule that is none.
    const policy = { rules: [{ nonsense: 1 }] };
    const store = { url: "postgres://nobody@127.0.0.1:1/x" };
    const found = await check({ config: configWith({ policy, store }), role: "web" }, () => {});
    expect(found).toContainEqual(expect.objectContaining({ place: expect.stringContaining("policy") }));
    const agent = await rowsOf("agent");
    expect(agent.missed).toBe(1);
    expect(agent.rows).toContain("policy");
    for (const row of ["webhook", "deliveries", "web-1"]) expect(agent.rows).not.toContain(row);
    expect((await rowsOf(undefined)).missed).toBeGreaterThanOrEqual(3);
    await expect(rowsOf("webb")).rejects.toMatchObject({ problems: [{ place: "--role" }] });
  });

  it("CONFIG a broken server or policy hides no fault of the App, of other servers, or of what is whole in the policy", async () => {
    const users = [{ login: "mona", id: 1 }];
    const broken = { "web-1": { ...entryOf(host), user: "root" }, "db-1": { ...entryOf(host), prot: 1, os: "vms" } };
    const { github: app } = JSON.parse(readFileSync(configWith({}), "utf8"));
    const lines: string[] = [];
    const look = async (change: object) => {
      lines.length = 0;
      return (await check({ config: configWith(change) }, (line) => lines.push(line))).map(({ place }) => place);
    };
    const half = await look({ servers: broken, policy: { approvers: { users }, author_counts: "high" } });
    expect(half).toEqual(
      expect.arrayContaining(["policy.author_counts", "policy.approvers.users.0", "servers.web-1.user"]),
    );
    expect(half).toContain("the App's permissions");
    expect(lines.join("\n")).toMatch(/^web-1 +[✓!] /m);
    // Which servers it was given nobody knows, nor whether teams may approve.
    const other = await look({
      github: { ...app, repositories: [{ name: "acme/web", servers: [] }] },
      servers: broken,
      policy: { approvers: { teams: ["oncall"] } },
    });
    expect(other).not.toContain("github.repositories.0.servers");
    expect(other).not.toContain("the App's permissions");
    expect(other).not.toContain("policy.approvers");
    expect(lines.join("\n")).toMatch(/^GitHub +✓ App countersign/m);
    expect(lines.join("\n")).toMatch(/^approvers +– not looked at before the config's `policy` can be used/m);
  });

  it.each([
    { what: "is not there", text: undefined, says: /there is no such config file/ },
    { what: "is no YAML", text: "a: [", says: /./ },
  ])(
    "CONFIG a config that $what is one finding, and the repository is looked at all the same",
    async ({ text, says }) => {
      const config = join(folder, "other.yml");
      if (text !== undefined) write("other.yml", text);
      const lines: string[] = [];
      const found = await check({ config, repo: join(folder, "nowhere") }, (line) => lines.push(line));
      expect(found.map(({ place }) => place)).toEqual([expect.stringContaining(config), join(folder, "nowhere")]);
      expect(found[0]?.message).toMatch(says);
      expect(lines).toEqual(["config       ✗ cannot be read", "repository   ✗ could not be looked at"]);
    },
  );
});
