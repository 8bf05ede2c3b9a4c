import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openIssue } from "../../demo/thread.ts";
import { check } from "../../src/cli/check/check.ts";
import { policyHoles } from "../../src/cli/check/policy.ts";
import { judgeServer, readServerFacts } from "../../src/cli/check/server.ts";
import { configSchema } from "../../src/config/schema.ts";
import { toProgramSide } from "../../src/config/shape.ts";
import { checkApp } from "../../src/github/app/check.ts";
import { entryOf } from "../harness/playground.ts";
import { appKey, startQuietGitHub } from "../harness/quiet-github.ts";
import { useFolder, useStarted, writerIn } from "../harness/use-started.ts";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";

const folder = useFolder();
const github = useStarted(() =>
  startQuietGitHub({
    app: {
      id: 7,
      slug: "countersign",
      privateKey: appKey,
      permissions: { issues: "write", metadata: "read", contents: "write" },
    },
    repos: [
      { name: "web", private: true, files: {} },
      { name: "open", private: false, files: {} },
    ],
    webhook: { url: "http://127.0.0.1:9/hooks", secret: "a-secret-for-this-test-only-0123456789" },
  }),
);
const hosts: FakeHost[] = [];
afterAll(() => Promise.all(hosts.map((host) => host.close())));
const write = writerIn(folder);

/** A server that answers the check's fixed script with these lines. */
async function hostSaying(facts: string, options = {}): Promise<FakeHost> {
  const host = await startFakeHost(async (command, { channel }) => {
    channel.write(command.includes("uname") ? "Linux\n" : facts);
    return 0;
  }, options);
  hosts.push(host);
  return host;
}

describe("check on a config with faults", () => {
  it("CONFIG finds each that was planted, with its place and a remedy, and says it all as a table", {
    tags: ["long"],
  }, async () => {
    const well = `shell=yes\nfree=9000000\nwrite=yes\nsudo=no\ntime=${Math.floor(Date.now() / 1000)}\n`;
    const [good, deaf, poor, late] = await Promise.all([
      hostSaying(well),
      hostSaying(well, { acceptsKey: false }),
      hostSaying("shell=no\nfree=2048\nwrite=no\nsudo=yes\n"),
      hostSaying("shell=yes\ntime=1000000000\n"),
    ]);
    await openIssue(github, "acme/web", { title: "x", body: "", labels: [], by: "mona" });
    await github.settled();
    write("repo/.github/skills/bad/SKILL.md", "no frontmatter");
    write("repo/.github/countersign/workflows/broken.yml", "name: broken");
    write("repo/.github/countersign.yml", "max_risk: sky");
    const config = write(
      "countersign.yml",
      JSON.stringify({
        github: {
          app_id: 7,
          private_key_file: write("app.pem", github.privateKey),
          api_url: github.url,
          webhook_secret_file: write("hook.secret", "k3J9vQ2xW8nR5tY7uB1mC4dF6gH0sLzP"),
          repositories: [
            { name: "acme/web", servers: ["all-of-them"] },
            { name: "acme/ghost", servers: [] },
            { name: "acme/open", servers: ["all-of-them"] },
          ],
        },
        // Where somebody else listens.
        server: { allow_from: ["github"], port: good.entry.port },
        store: { url: "postgres://nobody@127.0.0.1:1/none" },
        policy: {
          approvers: { teams: ["acme/oncall"], users: [{ login: "mona", id: 1 }] },
          high: { approvals: 1 },
          author_counts: "high",
          lease: { allowed: true },
        },
        schedules: { allowed: [{ repo: "acme/web", workflow: "nightly", servers: ["nowhere"], sha256: "abc" }] },
        incidents: { label: "sev" },
        agent: { max_steps: 0 },
        retention: { outputs: "two weeks" },
        features: { skils: true },
        system_prompt: { identity_file: "./nobody.md" },
        model: { endpoints: [{ url: "http://127.0.0.1:1/v1", model: "m" }] },
        audit: { signing_key_file: write("audit.key", "no key"), checkpoint_file: "./gone/audit.checkpoint" },
        servers: {
          "good-1": { ...entryOf(good), groups: ["all-of-them"], user: "root" },
          "deaf-1": { ...entryOf(deaf), groups: ["all-of-them"] },
          "gone-1": { ...entryOf(good), groups: ["all-of-them"], port: 1 },
          "other-key": { ...entryOf(good), groups: ["all-of-them"], host_key: deaf.hostKey },
          "no-windows": { ...entryOf(good), groups: ["all-of-them"], os: "windows", shell: "powershell" },
          "poor-1": { ...entryOf(poor), groups: ["all-of-them"], max_risk: "medium" },
          "late-1": entryOf(late),
        },
      }),
    );
    github.setAppEvents(["issues", "push", "repository"]);
    github.setGranted({ issues: "read", metadata: "read", contents: "write" });
    // A key that others can read hides nothing else.
    chmodSync(join(folder, "hook.secret"), 0o644);
    github.fault({ method: "GET", path: /\/apps\/countersign$/ }, { status: 200, body: {} });
    const lines: string[] = [];
    const found = await check({ config, repo: join(folder, "repo") }, (line) => lines.push(line));
    const planted = [
      ["countersign.yml:1:", /hook\.secret has mode 0644/],
      ["countersign.yml:1:", /`incidents` is not a known key/],
      ["countersign.yml:1:", /`agent\.max_steps` must be at least/],
      ["countersign.yml:1:", /`retention\.outputs` .* is not a duration/],
      ["countersign.yml:1:", /`features\.skils` is not a known key/],
      ["countersign.yml:1:", /there is no .*nobody\.md/],
      ["countersign.yml:1:", /`nowhere` is neither a server nor a group/],
      ["the App's permissions", /contents: write is more/],
      ["the App's permissions", /members: read is missing/],
      ["the App's events", /issue_comment is missing/],
      ["the installation on acme", /issues: write is asked for and not granted/],
      ["github.repositories.2.allow_public", /acme\/open is public/],
      ["policy.approvers.users.0", /mona has the id \d+, not 1/],
      ["model.endpoints.0", /no connection/],
      ["audit.signing_key_file", /./],
      ["audit.checkpoint_file", /cannot be written/],
      ["server.port", /taken by another program/],
      ["the App's visibility", /the App is public/],
      ["the App's webhook", /404/],
      ["the App's deliveries", /webhook calls? failed/],
      ["github.repositories.1", /not installed on acme\/ghost/],
      ["github.repositories.1.servers", /reaches no server/],
      ["server.allow_from", /names no addresses/],
      ["store.url", /cannot be reached/],
      ["policy.high.approvals", /good-1, deaf-1, gone-1 and \d more accept high risk with one approval/],
      ["policy.author_counts", /may be the one who approves/],
      ["policy.lease.servers", /has no server/],
      ["schedules.allowed.0.sha256", /no SHA-256/],
      ["servers.good-1.user", /root/],
      ["servers.deaf-1", /auth|key|log/i],
      ["servers.gone-1", /refused|connect/i],
      ["servers.other-key", /host key/i],
      ["servers.no-windows.os", /says windows, and it runs linux/],
      ["servers.poor-1.shell", /no bash/],
      ["servers.poor-1", /2 MB/],
      ["servers.poor-1", /\/var\/tmp cannot be written/],
      ["servers.poor-1.max_risk", /sudo/],
      ["servers.late-1", /no repository reaches/],
      ["servers.late-1", /clock is \d+ s behind/],
      ["skills/bad/SKILL.md", /no frontmatter/],
      ["workflows/broken.yml", /./],
      [".github/countersign.yml", /sky/],
    ] as const;
    const unfound = planted.filter(
      ([place, message]) => !found.some((one) => one.place.includes(place) && message.test(one.message)),
    );
    expect(unfound, JSON.stringify(found, null, 1)).toEqual([]);
    // A value that is not taken says in its message what belongs there.
    const mended = found.map(({ place, message, remedy }) => ({
      place,
      says: remedy ?? /(must be|belongs here|write ).*/.exec(message)?.[0] ?? "",
    }));
    expect(mended.filter(({ place, says }) => !/\w{3}/.test(place) || !/\w{3}/.test(says))).toEqual([]);
    for (const name of ["config", "GitHub", "webhook", "deliveries", "installed", "clock", "store", "policy", "poor-1"])
      expect(lines.join("\n")).toMatch(new RegExp(`^${name} +[✓!✗] \\S`, "m"));
    console.log(`${planted.length} faults planted, ${planted.length - unfound.length} found`);
  });

  it("SR-66 an audit without a checkpoint where workflows run by time, or without a key, is a hole", () => {
    const defaults = toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");
    const allowed = [{ repo: "acme/web", workflow: "w", servers: [], sha256: "A".repeat(64) }];
    const config = { ...defaults, schedules: { allowed }, servers: new Map(), repositories: [] } as never;
    expect(policyHoles(config, new Date()).map(({ place }) => place)).toEqual([
      "audit.checkpoint_file",
      "audit.signing_key_file",
    ]);
  });

  it("CONFIG of a level that needs more approvals than there are people who can give one it is said that it can never run", () => {
    const defaults = toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");
    const users = [1, 2, 2, 3].map((id) => ({ login: `p${id}`, id }));
    const policy = {
      ...defaults.policy,
      approvers: { ...defaults.policy.approvers, users },
      proposers: { ...defaults.policy.proposers, users: [{ login: "p3", id: 3 }] },
      medium: { ...defaults.policy.medium, approvals: 3 },
    };
    const config = { ...defaults, policy, servers: new Map(), repositories: [] } as never;
    expect(policyHoles(config, new Date()).map(({ message }) => message)).toContain(
      "medium risk needs 3 approvals and there are 2 approvers: it can never run",
    );
  });

  it("CONFIG a clock that is wrong is told, by GitHub's own", async () => {
    const app = { appId: github.appId, privateKey: github.privateKey, apiUrl: github.url };
    const now = () => new Date(Date.now() + 600_000);
    const looks = await checkApp({
      app,
      repositories: [],
      approvers: { teams: [], users: [] },
      since: new Date(),
      now,
    });
    expect(looks.find(({ name }) => name === "clock")?.problems).toContainEqual(
      expect.objectContaining({ place: "the clock", message: expect.stringMatching(/(599|600|601) s ahead/) }),
    );
  });

  it("CONFIG what a server does not tell is not judged, and a banner is passed over", () => {
    const server = { ...hosts[0]?.entry, name: "x", shell: "bash", maxRisk: "high" } as never;
    expect(readServerFacts("Welcome!\nfree=12\nfree space=no\n")).toEqual({ free: "12" });
    expect(judgeServer(server, {}, Date.now())).toEqual({ problems: [], warnings: [] });
  });
});
