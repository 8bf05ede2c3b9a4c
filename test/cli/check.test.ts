import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { check } from "../../src/cli/check.ts";
import { type EmulatedGitHub, startGitHub } from "../../src/demo/github/start.ts";
import type { Problem } from "../../src/errors.ts";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-check-"));
let host: FakeHost;
let stranger: FakeHost;
let deaf: FakeHost;
let github: EmulatedGitHub;
beforeAll(async () => {
  const answer = async (_command: string, { channel }: { channel: { write: (text: string) => unknown } }) => {
    channel.write("Linux\n");
    return 0;
  };
  [host, stranger] = await Promise.all([startFakeHost(answer), startFakeHost(answer)]);
  deaf = await startFakeHost(answer, { acceptsKey: false });
  github = await startGitHub({
    app: {
      id: 7,
      slug: "countersign",
      privateKey: "",
      permissions: { issues: "write", metadata: "read", contents: "read", members: "read" },
    },
    owner: "acme",
    repos: [],
    people: [{ login: "mona", role: "admin" }],
    webhook: { url: "http://127.0.0.1:9/nobody-listens", secret: "a-secret-for-this-test-only-0123456789" },
  });
});
afterAll(async () => {
  await Promise.all([host.close(), stranger.close(), deaf.close(), github.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};
const entryOf = (fake: FakeHost) => ({
  host: "127.0.0.1",
  port: fake.entry.port,
  user: "ops",
  os: "linux",
  key_file: fake.clientKeyFile,
  host_key: fake.hostKey,
});
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
  const problems = await check({ config: configWith(change), repo }, (line) => lines.push(line));
  return { problems, lines };
}

describe("check", () => {
  it("CONFIG finds nothing where nothing is wrong, and says what it saw of each server", async () => {
    const { problems, lines } = await checked({});
    expect(problems).toEqual([]);
    expect(lines.join("\n")).toMatch(/web-1 +✓ linux, host key SHA256:/i);
  });

  it("SR-17 an empty roster", async () => {
    const { problems } = await checked({ policy: { approvers: { teams: [], users: [] } } });
    expect(problems.map(({ place }) => place)).toEqual(["the App's permissions", "policy.approvers"]);
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

  it("OP-3 a skill that cannot be used is named with its file; the others count", async () => {
    const repo = join(folder, "repo");
    const skill = (name: string, text: string) => {
      mkdirSync(join(repo, ".github/skills", name), { recursive: true });
      writeFileSync(join(repo, ".github/skills", name, "SKILL.md"), text);
    };
    skill("good", "---\nname: good\ndescription: Use when it is good.\n---\n\n# Good\n");
    skill("bad", "no frontmatter");
    mkdirSync(join(repo, ".github/skills", "empty"));
    const { problems, lines } = await checked({}, repo);
    expect(lines.join("\n")).toContain("1 can be used, 2 cannot");
    expect(problems.map(({ place }) => place).join()).toMatch(/bad\/SKILL\.md.*empty\/SKILL\.md/);
  });

  it("CFG-1 a config that is broken throws all of its problems at once", async () => {
    await expect(checked({ sever: {}, policy: { aprovers: {} } })).rejects.toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ place: expect.stringContaining("countersign.yml") }),
      ]),
    });
  });
});
