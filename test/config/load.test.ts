import { generateKeyPairSync } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OperatorError } from "../../src/base/errors.ts";
import { nearest } from "../../src/base/problems.ts";
import type { ProcessRole } from "../../src/base/roles.ts";
import { loadConfig, parseConfig } from "../../src/config/load.ts";
import { changedSections } from "../../src/config/reload.ts";
import { parseRepoConfig, restrict } from "../../src/config/repo.ts";
import { type Config, serversFor } from "../../src/config/values.ts";
import { useFolder, writerIn } from "../harness/use-started.ts";

const folder = useFolder();
const file = join(folder, "countersign.yml");
const secret = "fQ7n2mZx9LpRt4vWc8Yb1KdHs6GjEa3U";

const write = writerIn(folder);
const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
write("app.pem", privateKey);
write("hook.secret", `${secret}\n`);
write("ops_key", "key");

const github = `
github:
  app_id: 12345
  private_key_file: ./app.pem
  webhook_secret_file: ./hook.secret
  repositories:
    - { name: acme/oncall, servers: [web, db-1] }
`;
const servers = `
servers:
  web-1: { host: 10.0.0.11, user: ops, groups: [web], key_file: ./ops_key, soft_timeout: 90s }
  web-2: { host: 10.0.0.12, user: ops, groups: [web], agent: true, jump: web-1, max_risk: medium }
  db-1: { host: 10.0.0.21, user: ops, agent: true, os: windows }
  lab: { host: 10.0.0.31, user: ops, agent: true }
`;
const approvers = "policy: { approvers: { teams: [acme/oncall] } }\n";

function read(text: string, env = {}): Config {
  const parsed = parseConfig(text, file, env);
  if (!parsed.ok) throw new OperatorError(parsed.problems);
  return parsed.config;
}
function problems(text: string, env = {}): string[] {
  const parsed = parseConfig(text, file, env);
  if (parsed.ok) return [];
  return parsed.problems.map(
    ({ place, message, remedy }) => `${place.replace(`${folder}/`, "")} ${message} → ${remedy ?? "-"}`,
  );
}

describe("what the program gets", () => {
  const config = read(github + servers + approvers);

  test("SR-57 a person's high-risk approvals in an hour: five, or a number from one", () => {
    expect(config.policy.highPerHour).toBe(5);
    const own = `${github}${servers}policy: { high_per_hour: `;
    expect(read(`${own}2 }\n`).policy.highPerHour).toBe(2);
    expect(problems(`${own}0 }\n`)).toEqual([expect.stringContaining("high_per_hour")]);
  });

  test("AG-1 another agent is off until it is listed, is not this bot, and reaches what there is", () => {
    expect(config.policy.proposers).toMatchObject({ apps: [], users: [], mcp: {} });
    const own = (text: string): string[] => problems(`${github}${servers}policy: { proposers: ${text} }\n`);
    expect(own("{ apps: [12345] }")[0]).toContain("is this bot's own App");
    const mcp = "repositories: [acme/oncal], servers: [wbe], token_sha256: [secret]";
    expect(own(`{ mcp: { claude: { ${mcp} } } }`).join()).toMatch(/is no SHA-256/);
    const named = own(`{ mcp: { claude: { ${mcp.replace(", token_sha256: [secret]", "")} } } }`).join();
    expect(named).toMatch(/`acme\/oncal` is not among github.repositories.*`wbe` is neither a server nor a group/s);
    const both = "approvers: { users: [{ login: lee, id: 7 }] }, proposers: { users: [{ login: lee, id: 7 }] }";
    const { warnings } = read(`${github}${servers}policy: { ${both} }\n`);
    expect(warnings.map(({ message }) => message).join()).toContain("lee is also in policy.approvers");
  });

  test("CFG-1 snake_case becomes camelCase, durations milliseconds, paths absolute, and names of servers stay", () => {
    expect(config.servers.get("web-1")).toEqual({
      name: "web-1",
      host: "10.0.0.11",
      port: 22,
      user: "ops",
      os: "auto",
      groups: ["web"],
      description: "",
      keyFile: join(folder, "ops_key"),
      agent: false,
      knownHostsFile: join(homedir(), ".ssh/known_hosts"),
      tty: false,
      backend: "ssh2",
      signer: false,
      softTimeoutMs: 90_000,
      hardTimeoutMs: 1_800_000,
      maxRisk: "high",
      shell: "bash",
      path: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      protectedPaths: [],
    });
    expect(config.servers.get("db-1")?.shell).toBe("powershell");
    expect(config.github).toEqual({
      mode: "webhook",
      appId: 12345,
      writesPerMinute: 80,
      apiUrl: "https://api.github.com",
      privateKey: privateKey.trim(),
      webhookSecrets: [secret],
    });
  });

  test("CFG-1 sections that are left out have their defaults, and a heading without content counts as left out", () => {
    expect(config.reinjection).toEqual({ enabled: true, turns: 15 });
    expect(config.model.retry.retryableStatuses).toEqual([429, 500, 502, 503, 529]);
    expect(config.policy.high).toEqual({ approvals: 2, expiresMs: 900_000, reason: "required", restateServer: true });
    expect(config.store.url).toBe(`file:${join(folder, "data")}`);
    expect(config.retention).toEqual({ outputsMs: 14 * 86_400_000 });
    expect(read(`${github}${servers}${approvers}model:\nlogging:\n`).logging).toEqual(config.logging);
  });

  test("nothing of it can be changed", () => {
    expect(() => Object.assign(config.policy.high, { approvals: 0 })).toThrow(TypeError);
    expect(() => Object.assign(config.servers.get("web-1") ?? {}, { maxRisk: "low" })).toThrow(TypeError);
    expect(() => (config.repositories as unknown[]).push({})).toThrow(TypeError);
  });

  test("SR-07 a repo reaches the servers and groups that the file gives it, and any other repo none", () => {
    expect(serversFor(config, "Acme/OnCall").map(({ name }) => name)).toEqual(["web-1", "web-2", "db-1"]);
    expect(serversFor(config, "acme/other")).toEqual([]);
  });

  test("CFG-1 a reload can name the sections that changed", () => {
    const after = read(`${github}${servers}${approvers}reinjection: { turns: 3 }\n`);
    expect(changedSections(config, after)).toEqual(["reinjection"]);
  });
});

describe("what is refused", () => {
  test.each([
    { word: "webs", known: ["web-1", "web-2", "web"], near: "web" },
    { word: "web1", known: ["web", "web-2", "web-1"], near: "web-1" },
    { word: "dbs", known: ["web", "db-1", "db"], near: "db" },
    { word: "cache", known: ["web", "db"], near: undefined },
  ])("CFG-1 for `$word` among $known `$near` is meant", ({ word, known, near }) => {
    expect(nearest(word, known)).toBe(near);
  });

  test("CFG-1 every problem is told at once, each with line, column and the nearest valid name", () => {
    const text = `${github}servers:
  web-1: { host: a, user: ops, agent: true, groups: [web], known_host_file: x }
  web-2: { user: ops, agent: true, soft_timeout: 2 minutes, max_risk: hihg }
sevrers: {}
`;
    expect(problems(text)).toEqual([
      "countersign.yml:9:60 `servers.web-1.known_host_file` is not a known key → did you mean `known_hosts_file`?",
      "countersign.yml:10:3 `servers.web-2.host` is missing; text belongs here → -",
      'countersign.yml:10:36 `servers.web-2.soft_timeout` ("2 minutes") is not a duration; write 30s, 10m, 2h or 14d → -',
      'countersign.yml:10:61 `servers.web-2.max_risk` is "hihg", but must be `low`, `medium` or `high` → did you mean `high`?',
      "countersign.yml:11:1 `sevrers` is not a known key → did you mean `servers`?",
    ]);
  });

  test("CFG-1 a section of the wrong form does not hide what is wrong in the others", () => {
    const text = `${github.replace("app.pem", "gone.pem")}${servers}server: { prot: 80 }\npolicy: { lease: { servers: [nix] } }\n`;
    expect(problems(text)).toEqual([
      expect.stringContaining("gone.pem"),
      expect.stringContaining("did you mean `port`?"),
      expect.stringContaining("`nix` is neither a server nor a group"),
    ]);
  });

  test("CFG-1 the earlier name of a key names the new one, and the key is not used", () => {
    expect(problems(`${github}${servers}policy: { auto: { allowed: true } }\n`)).toEqual([
      expect.stringContaining("`policy.auto` is not a known key → did you mean `lease`?"),
    ]);
  });

  test("CFG-1 of a section that is misspelt or in part unusable nothing is said that it may hold", () => {
    expect(problems(`${github}srevers:\n  web-1: { host: a, user: ops, agent: true }\n`)).toEqual([
      "countersign.yml:8:1 `srevers` is not a known key → did you mean `servers`?",
    ]);
    expect(
      problems(
        `${github.replace("acme/oncall", "oncall")}schedules: { allowed: [{ repo: acme/oncall, workflow: w, sha256: a }] }\n${servers}`,
      ),
    ).toEqual([expect.stringContaining("is not `owner/name`")]);
  });

  test("CFG-1 what can be used of it is there for whoever looks on, with the sections that have gaps", () => {
    const text = `${github}${servers}  broken: { user: ops, agent: true, jump: web-1 }\n  behind: { host: b, user: ops, agent: true, jump: broken }\n  mute: { host: c, user: ops }\nagent: { max_steps: 3, max_step: 4 }\nstoer: 1\n`;
    const parsed = parseConfig(text.replace("app_id: 12345", "app_id: x"), file, {});
    if (parsed.ok || !parsed.rest) throw new Error("it has problems");
    const { config, gaps } = parsed.rest;
    expect([...gaps].sort()).toEqual(["agent", "github", "github.app_id", "servers", "store"]);
    expect([...config.servers.keys()]).toEqual(["web-1", "web-2", "db-1", "lab"]);
    expect(config.agent.maxSteps).toBe(3);
  });

  test("CFG-1 wrong types are named in words", () => {
    expect(problems(`${github}${servers}agent: { max_steps: "3" }\n`)[0]).toContain(
      '`agent.max_steps` must be a number, not "3"',
    );
    expect(problems("- a\n")[0]).toContain("the file must be a mapping");
  });

  test.each(["70000", "-1", "3000.5", '"3000"', "web", "[3000]"])("CFG-1 `port: %s` is called no port", (port) => {
    expect(problems(`${github}${servers}server: { port: ${port} }\n`)).toEqual([
      expect.stringMatching(/`server\.port` \(.*\) is not a port; write a whole number from 0 to 65535/),
    ]);
    expect(problems(`${github}${servers.replace("host: ", `port: ${port}, host: `)}`).join()).toMatch(
      /`servers\.\S+\.port` \(.*\) is not a port; write a whole number from 1 to 65535/,
    );
  });

  test("names that point nowhere, circles of jumps and names that /approve reads differently", () => {
    const text = `${github}servers:
  web-1: { host: a, user: ops, agent: true, groups: [web], jump: web-2 }
  web-2: { host: a, user: ops, agent: true, jump: web-1 }
  db-2: { host: a, user: ops, jump: bastion, agent: true }
`;
    const found = problems(text).join("\n");
    expect(found).toContain("`db-1` is neither a server nor a group → did you mean `db-2`?");
    expect(found).toContain("the jumps go in a circle: web-1 → web-2 → web-1");
    expect(found).toContain("there is no server `bastion` to jump through");
    expect(problems(`${github}servers: { "12": { host: a, user: b, agent: true } }`)[0]).toContain(
      "cannot name a server",
    );
    expect(problems(`${github}servers: { all: { host: a, user: b, agent: true } }`)[0]).toContain(
      "cannot name a server",
    );
  });

  test("AR-03 a group that no comment can name is warned of, since /approve of high risk must name it", () => {
    const grouped = servers.replace("groups: [web], key_file", 'groups: [web, all, "12", my servers], key_file');
    const { warnings } = read(github + grouped + approvers);
    expect(warnings.map(({ message }) => message)).toEqual(
      ["all", "12", "my servers"].map((group) => `no comment can name the group \`${group}\``),
    );
  });

  test("SR-14 an approver without the numeric id, with the way to find it", () => {
    const wanted = "gh api users/lee";
    expect(problems(`${github}${servers}policy: { approvers: { users: [{ login: lee }] } }`)[0]).toContain(wanted);
    for (const users of ["[lee]", "lee", '["@lee"]', "[{ login: lee, id: x }]", "[{ login: lee, id: -1 }]"])
      expect(problems(`${github}${servers}policy: { approvers: { users: ${users} } }`)).toEqual([
        expect.stringMatching(
          /users.* has no valid id for lee, and only ids count → write \{ login: lee, id: N \}.*gh api users\/lee/,
        ),
      ]);
    expect(problems(`${github}${servers}policy: { proposers: { users: [lee] } }`)[0]).toContain(wanted);
    // No login that GitHub could have.
    expect(problems(`${github}${servers}policy: { approvers: { users: ["l/e"] } }`)[0]).not.toContain("gh api");
  });

  test.each([
    ["it is absent", "", "is missing"],
    ["it is short", "fQ7n2mZx9LpRt4vWc8Yb1KdHs6GjEa", "has 30 characters"],
    ["it has few different characters", "kwzkwzkwzkwzkwzkwzkwzkwzkwzkwzkwz123", "different characters"],
    ["it is a known word", "development", "well-known words"],
    ["it is known words in a row", "secret-changeme-development-12345", "well-known words"],
    ["one of two is weak", `${secret}\nchangeme`, "line 2 of the webhook secrets"],
  ])("SR-01 a webhook secret is refused when %s", (_, text, message) => {
    const withoutHook = github.replace(/ {2}webhook_secret_file.*\n/, "") + servers;
    const found = problems(withoutHook, { WEBHOOK_SECRET: text });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
    expect(found[0]).toContain("openssl rand");
    if (text.length > 20) expect(found[0]).not.toContain(text);
  });

  test("an API key's file that is empty: each request would go without a key", () => {
    write("api.key", " \n");
    const model = 'model: { endpoints: [{ url: "http://127.0.0.1:1/v1", model: m, api_key_file: ./api.key }] }\n';
    expect(problems(github + servers + model)).toEqual([expect.stringMatching(/it is empty/)]);
  });

  test("CFG-1 a time that no timer can wait for: it would be over at once", () => {
    const model = "model: { deadline: 30d }\n";
    const late = servers.replace("soft_timeout: 90s", "hard_timeout: 25d");
    expect(problems(github + late + model)).toEqual([
      expect.stringMatching(/servers\.web-1\.hard_timeout.* is longer than 24d|longer than 24d/),
      expect.stringMatching(/longer than 24d/),
    ]);
    expect(read(`${github}${servers}retention: { outputs: 400d }\n`).retention.outputsMs).toBe(400 * 86_400_000);
  });

  test("SR-56 a secret that others can read, with the command that mends it", () => {
    write("open.pem", privateKey, 0o644);
    expect(problems(github.replace("app.pem", "open.pem") + servers)).toEqual([
      `countersign.yml:4:3 ${join(folder, "open.pem")} has mode 0644: others can read it → chmod 600 ${join(folder, "open.pem")}`,
    ]);
  });

  test("a private key that is none, and a file that is not there", () => {
    expect(problems(github.replace("app.pem", "hook.secret") + servers)[0]).toContain("no PEM private key");
    expect(problems(github.replace("app.pem", "gone.pem") + servers)[0]).toContain("ENOENT");
  });

  test("without a config file the message says how to come by one", () => {
    const load = () => loadConfig({ env: { COUNTERSIGN_CONFIG: join(folder, "none.yml") } });
    expect(load).toThrow(OperatorError);
    expect(load).toThrow(/none\.yml: there is no such config file — write one .*countersign demo/);
  });
});

describe("the environment", () => {
  const bare = `github: { repositories: [] }\n${servers}${approvers}`;

  test("SR-56 secrets may come from it, with a warning for each", () => {
    const env = {
      APP_ID: "7",
      PRIVATE_KEY: privateKey.replaceAll("\n", "\\n"),
      WEBHOOK_SECRET: `${secret}\n${secret}2`,
    };
    const config = read(bare, env);
    expect(config.github).toMatchObject({
      appId: 7,
      privateKey: privateKey.trim(),
      webhookSecrets: [secret, `${secret}2`],
    });
    expect(config.warnings.map(({ place }) => place)).toEqual(["PRIVATE_KEY", "WEBHOOK_SECRET"]);
  });

  test("a model's key comes from the variable that its endpoint names; a missing one is a problem", () => {
    const text = `${github}${servers}model: { endpoints: [{ url: "http://127.0.0.1:1/v1", model: m, api_key_env: MY_KEY }] }\n`;
    expect(read(text, { MY_KEY: "sk-1" }).model.endpoints[0]).toMatchObject({ apiKey: "sk-1", model: "m" });
    expect(problems(text)[0]).toContain("the environment has no MY_KEY");
  });

  test("INJ-3 COUNTERSIGN_REINJECTION_* win over the file, and nonsense in them is refused", () => {
    const text = `${github}${servers}reinjection: { enabled: true, turns: 3 }\n`;
    const env = { COUNTERSIGN_REINJECTION_TURNS: "40", COUNTERSIGN_REINJECTION_ENABLED: "false" };
    expect(read(text, env).reinjection).toEqual({ turns: 40, enabled: false });
    expect(problems(text, { COUNTERSIGN_REINJECTION_TURNS: "0" })[0]).toContain("COUNTERSIGN_REINJECTION_TURNS");
    expect(problems(text, { COUNTERSIGN_REINJECTION_ENABLED: "constructor" })[0]).toContain("write true or false");
  });

  test("the file is --config, else COUNTERSIGN_CONFIG", () => {
    write("countersign.yml", github + servers + approvers);
    expect(loadConfig({ file, env: { COUNTERSIGN_CONFIG: "/nowhere.yml" } }).file).toBe(file);
    expect(loadConfig({ env: { COUNTERSIGN_CONFIG: file } }).file).toBe(file);
  });
});

test("an address without TLS is a warning, except on this machine", () => {
  const at = (url: string) =>
    read(`${github.replace("github:", `github:\n  api_url: ${url}`)}${servers}${approvers}`).warnings;
  expect(at("http://ghe.example.com/api/v3").map(({ message }) => message)).toEqual([
    "ghe.example.com is spoken to without encryption",
  ]);
  expect(at("http://127.0.0.1:4000")).toEqual([]);
});

test.each([
  ["github.api_url", github.replace("github:", "github:\n  api_url: https://me:one@ghe.example.com/api/v3")],
  ["model.endpoints.0.url", `${github}model: { endpoints: [{ url: "https://:one@llm.example.com/v1", model: m }] }\n`],
  [
    "github.api_url",
    github.replace("github:", "github:\n  api_url: htps://me:two@one@ghe.example.com"),
    "is not an http",
  ],
])("SR-56 a password in %s is refused, and not repeated", (place, text, why = "holds a user or a password") => {
  const [said = "", ...more] = problems(text + servers);
  expect(said).toContain(place);
  expect(said).toContain(why);
  expect(said).not.toContain("one@");
  expect(more).toEqual([]);
});

test("SR-17 nobody to approve keeps nothing from starting, since the bot then only proposes", () => {
  expect(read(github + servers).warnings).toEqual([]);
});

test.each([
  ["policy: { passkey: high }", /server\.public_url.*is missing/s],
  ["server: { public_url: 'http://bot.example.com' }", /no browser offers a passkey there/],
  ["server: { public_url: 'https://bot.example.com/x' }", /is no origin/],
  ["policy: { passkey: low }", /policy\.passkey/],
])("PK-01 %s is refused", (text, said) => expect(problems(`${github}${servers}${text}\n`).join("\n")).toMatch(said));

test("PK-01 passkeys are off, and are asked for where they have an address", () => {
  expect(read(github + servers).policy.passkey).toBe("none");
  const asked = "policy: { passkey: high }\nserver: { public_url: 'https://bot.example.com' }\n";
  expect(read(github + servers + asked).policy.passkey).toBe("high");
});

test("retention.audit is a warning, since nothing is done by it", () => {
  const { warnings } = read(`${github}${servers}${approvers}retention: { audit: 400d }\n`);
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("nothing is ever removed")]);
});

test("SR-55 who sends no commands is not warned of the servers' keys that it has not", () => {
  const text = (github + servers + approvers).replace("./ops_key", "./nowhere");
  const warnings = (role: ProcessRole) => {
    const parsed = parseConfig(`${text}store: { url: "postgres://c@db/c" }\n`, file, {}, [role]);
    if (!parsed.ok) throw new OperatorError(parsed.problems);
    return parsed.config.warnings.length;
  };
  expect([warnings("web"), warnings("agent"), warnings("runner")]).toEqual([0, 0, 1]);
});

describe("the repo's own file", () => {
  const config = read(github + servers + approvers);
  const narrowed = (text: string) => {
    const parsed = parseRepoConfig(text, ".github/countersign.yml");
    if (!parsed.ok) throw new OperatorError(parsed.problems);
    return restrict(config, "acme/oncall", parsed.config);
  };

  test("narrows servers, risk, approvals and label", () => {
    const rules = narrowed(
      "servers: [web-2, db-1]\nmax_risk: medium\nincident: { label: sev1 }\npolicy: { medium: { approvals: 2, reason: required } }\n",
    );
    expect(rules.servers.map(({ name, maxRisk }) => [name, maxRisk])).toEqual([
      ["web-2", "medium"],
      ["db-1", "medium"],
    ]);
    expect(rules.incidentLabel).toBe("sev1");
    expect(rules.policy.medium).toEqual({
      approvals: 2,
      expiresMs: 3_600_000,
      reason: "required",
      restateServer: false,
    });
    expect(rules.policy.high).toEqual(config.policy.high);
    expect(rules.notes).toEqual([]);
  });

  test("SR-38 cannot widen anything, and says where it tried", () => {
    const rules = narrowed(
      "servers: [lab, web-1]\nmax_risk: high\npolicy: { high: { approvals: 1, reason: optional, restate_server: false } }\n",
    );
    expect(rules.servers.map(({ name }) => name)).toEqual(["web-1"]);
    expect(rules.policy).toEqual(config.policy);
    expect(rules.notes).toEqual([
      "servers: `lab` is not among those the operator gives this repo, so it is left out",
      "policy.high.approvals: 1 is looser than the operator's 2; 2 holds",
      "policy.high.reason: optional is looser than the operator's required; required holds",
      "policy.high.restate_server: false is looser than the operator's true; true holds",
    ]);
    expect(narrowed("max_risk: high").notes).toEqual([
      "max_risk: high is more than the operator's medium on `web-2`; medium holds",
    ]);
  });

  test("absent or empty it changes nothing; unknown keys such as approvers are refused", () => {
    expect(restrict(config, "acme/oncall", undefined).policy).toEqual(config.policy);
    expect(narrowed("").servers).toEqual(serversFor(config, "acme/oncall"));
    const refused = parseRepoConfig("policy: { approvers: { teams: [acme/all] } }\n", ".github/countersign.yml");
    expect(refused).toMatchObject({ ok: false, problems: [{ place: ".github/countersign.yml:1:11" }] });
  });
});
