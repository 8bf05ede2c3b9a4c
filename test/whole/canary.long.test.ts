import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../demo/free-port.ts";
import { endMarker, startMarker } from "../../src/agent/reply/markers.ts";
import type { Message, Said } from "../agent/fake-model.ts";
import { drawn, type Planted, secretsOf, textOf } from "../injection/secrets.ts";
import { modelKey, type Sink, startWatchedBot, type WatchedBot } from "../injection/watched-bot.ts";
import type { Play } from "../ssh/fake-host.ts";

/** One set of secrets for each place where one can stand; what leaks tells where it came from. */
const at = {
  file: secretsOf("a file on the server"),
  processes: secretsOf("the process list"),
  environment: secretsOf("the environment"),
  long: secretsOf("a long output"),
  live: secretsOf("an output that comes slowly"),
  failed: secretsOf("what a failed command said"),
  issue: secretsOf("the issue"),
  agents: secretsOf("AGENTS.md"),
  rules: secretsOf("rules.md"),
  skill: secretsOf("a skill"),
  comment: secretsOf("a comment"),
  note: secretsOf("a note to a slash command"),
  reply: secretsOf("the model's reply"),
  fields: secretsOf("the fields of a proposal"),
  call: secretsOf("a tool call"),
} as const satisfies Readonly<Record<string, readonly Planted[]>>;

const title = drawn("the title", "abcdefghijkmnpqrstuvwxyz23456789", 18);
const inGitHubsError = drawn("GitHub's error", "abcdefghijkmnpqrstuvwxyz23456789", 18);
const passphrase = drawn("the passphrase", "abcdefghijkmnpqrstuvwxyz23456789", 24);
const filler = (lines: number): string => Array.from({ length: lines }, (_, i) => `line ${i} is as usual`).join("\n");

const block = (actions: readonly object[]): string => [startMarker, JSON.stringify({ actions }), endMarker].join("\n");
const proposal = (index: number, command: string, title = "Look", description = "looks") => ({
  id: `${index}`,
  api: "ssh.execute",
  title,
  description,
  params: { server: "web-1", command },
});
const oneLine = (secrets: readonly Planted[], from: number): string =>
  secrets[from % secrets.length]?.line.replaceAll("\n", " ") ?? "";

/** What the model says turn by turn: everything it may write holds secrets. */
function answer(messages: readonly Message[]): Said {
  const turns = messages.filter(({ role, content }) => role === "user" && content.startsWith("It is ")).length;
  if (messages.at(-1)?.role === "user" && turns === 1) {
    const calls = [
      { name: "use_skill", arguments: { name: "spool-full" } },
      { name: "read_output", arguments: { action: 1, grep: oneLine(at.call, 24) } },
      { name: textOf(at.call).slice(0, 60), arguments: { password: at.call.map(({ line }) => line) } },
    ];
    return { text: `<status>${oneLine(at.reply, 27)}</status>\n${textOf(at.reply)}`, toolCalls: calls };
  }
  if (turns === 3) return { status: 500, body: { error: { message: `Incorrect API key provided: ${modelKey}` } } };
  if (turns > 1) return { text: "CONFIRMED: as expected." };
  const fields = [0, 1].map((i) => proposal(i, `ls /srv/${i}`, oneLine(at.fields, 34 + i), oneLine(at.fields, 36 + i)));
  const refused = { ...proposal(3, "ls"), api: "none", title: oneLine(at.fields, 38) };
  return {
    text: [
      `LIKELY: ${textOf(at.reply)}`,
      // In pieces that only Markdown puts together.
      `The password is DB_PASS**WORD=${at.reply[34]?.needle.slice(0, 9)}**${at.reply[34]?.needle.slice(9)}.`,
      `glpat-${at.reply[11]?.needle.slice(0, 8)}<!-- -->${at.reply[11]?.needle.slice(8)}`,
      `glpat-${at.reply[11]?.needle.slice(0, 8)}\u200b${at.reply[11]?.needle.slice(8)}`,
      `[Open runbook](https://runbooks.acme.example/x?access_token=${at.fields[25]?.needle})`,
      block([...fields, refused]),
      "[SUGGESTIONS]",
      `- ${oneLine(at.fields, 39)}`,
      `- ${oneLine(at.fields, 40)}`,
    ].join("\n"),
  };
}

let watched: WatchedBot;
let held: readonly Planted[];
let folder: string;

/** What the server's commands print. */
const play: Play = async (command, { channel }) => {
  const print = (text: string): boolean => channel.write(`${text}\n`);
  if (command.includes("app.conf")) print(textOf(at.file));
  if (command.includes("ps aux")) print(textOf(at.processes));
  if (command.includes("printenv")) print(at.environment.map(({ needle }, i) => `PLAIN_${i}=${needle}`).join("\n"));
  if (command.includes("shop.log")) print([filler(300), textOf(at.long), filler(300)].join("\n"));
  if (command.includes("keys.dump")) {
    const raw = held.map(({ line }) => line);
    print(
      [...raw, ...raw.map((text) => Buffer.from(text).toString("base64")), ...raw.map(encodeURIComponent)].join("\n"),
    );
  }
  if (command.includes("slowly")) {
    const text = textOf(at.live);
    // The card is drawn while the one in the middle is half there.
    const cut = text.indexOf(at.live[11]?.needle ?? "") + 7;
    channel.write(text.slice(0, cut));
    await new Promise((resolve) => setTimeout(resolve, 5_600));
    print(text.slice(cut));
  }
  if (command.includes("nowhere")) {
    channel.stderr.write(`${textOf(at.failed)}\n`);
    return 1;
  }
  return 0;
};

/** The part of a secret that is enough to know it by. */
const middleOf = (pem: string): string => pem.trim().split("\n").at(2)?.slice(4, 44) ?? "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "countersign-canary-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem", cipher: "aes-256-cbc", passphrase },
  });
  watched = await startWatchedBot({
    answer,
    play,
    files: {
      "AGENTS.md": `# Web\n\n${textOf(at.agents)}\n`,
      ".github/countersign/rules.md": textOf(at.rules),
      ".github/skills/spool-full/SKILL.md": `---\nname: spool-full\ndescription: "The spool is full; ${oneLine(at.skill, 33).replaceAll('"', "")}"\n---\n\n${textOf(at.skill)}\n`,
    },
    servers: {
      "db-1": {
        host: "127.0.0.1",
        port: await freePort(),
        user: "ops",
        os: "linux",
        key_file: file("client", privateKey),
        key_passphrase_file: file("phrase", `${passphrase}\n`),
        host_key: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${"A".repeat(43)}`,
      },
    },
  });
  const { github, servers } = watched.bot.deps.config;
  const sshKey = readFileSync(servers.get("web-1")?.keyFile ?? "", "utf8");
  const [webhook = ""] = github.webhookSecrets;
  held = [
    { name: "the App's private key", line: github.privateKey, needle: middleOf(github.privateKey) },
    { name: "the webhook secret", line: webhook, needle: webhook },
    { name: "the SSH key", line: sshKey, needle: middleOf(sshKey) },
    {
      name: "the SSH key with a passphrase",
      line: privateKey,
      needle: privateKey.split("\n").at(9)?.slice(4, 44) ?? "",
    },
    { name: "the model's key", line: modelKey, needle: modelKey },
    { name: "the key's passphrase", line: passphrase, needle: passphrase },
  ];
});
afterAll(async () => {
  await watched.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What is found, by place and secret; nothing is right. */
function leaksIn(sinks: readonly Sink[]): readonly string[] {
  const planted: readonly Planted[] = [
    ...Object.values(at).flat(),
    ...held,
    { name: "the title's", line: "", needle: title },
    { name: "GitHub's error's", line: "", needle: inGitHubsError },
  ];
  const leaks = sinks.flatMap(({ name, text }) =>
    planted.filter(({ needle }) => text.includes(needle)).map((secret) => `${name}: ${secret.name}`),
  );
  return [...new Set(leaks)];
}

describe("SR-45 60 kinds of secrets, planted wherever text comes in", () => {
  it("reach neither GitHub nor the model, log, store or export in a whole incident", async () => {
    expect(Object.keys(at.file).length + held.length).toBeGreaterThanOrEqual(60);
    const { github, quiet } = watched;
    const thread = await watched.open({ title: `Spool full, password=${title}`, body: textOf(at.issue) });
    await quiet();
    const say = async (login: string, body: string): Promise<void> => {
      await thread.say(login, body);
      await quiet();
    };
    const newest = async (): Promise<number> => {
      const { rows } = await sql<{ number: number }>`select max(number) as number from action`.execute(
        watched.bot.deps.store.db,
      );
      return rows[0]?.number ?? 0;
    };
    let approved = 0;
    const run = async (command: string, server = "web-1"): Promise<number> => {
      await say("sam", `/run ${server} because ${oneLine(at.note, 34)}\n\`\`\`sh\n${command}\n\`\`\``);
      const number = await newest();
      await say(approved++ % 2 === 0 ? "lee" : "mona", `/approve ${number}\n${oneLine(at.note, 35)}`);
      return number;
    };

    await say("sam", textOf(at.comment));
    const file = await run("cat /etc/shop/app.conf");
    await run("ps aux");
    await run("printenv");
    const long = await run("tail -n 5000 /var/log/shop.log");
    await run("cat /srv/keys.dump");
    await run("ls nowhere");
    await run("ls slowly");
    await run("uptime", "db-1");
    for (const part of ["", " page 2", " page 3", " tail 60", ` grep ${at.long[34]?.needle}`, " grep PASSWORD"])
      await say("lee", `/output ${long}${part}`);
    await say("lee", `/explain ${file}`);
    await say("sam", `/run web-1\n\`\`\`sh\nmysql -u shop --password=${at.note[37]?.needle} -e 'show tables'\n\`\`\``);
    await say("sam", `/run ${oneLine(at.note, 26).replaceAll(" ", "")}\n\`\`\`sh\nuptime\n\`\`\``);
    await say("lee", `/reject 1 ${oneLine(at.note, 36)}`);
    await say("sam", `/hold ${oneLine(at.note, 38)}`);
    await say("lee", `/resume ${oneLine(at.note, 39)}`);
    const body = { message: `Validation Failed: password=${inGitHubsError}` };
    github.fault({ method: "POST", path: /issues\/\d+\/comments$/ }, { status: 422, body });
    await say("lee", `/output ${file}`);
    github.fault({ method: "POST", path: /graphql/, times: 2 }, { status: 500, body });
    await say("lee", "/status");
    github.clearFaults();
    await say("lee", "/status");
    await say("sam", `/close --anyway ${oneLine(at.note, 40)}`);

    const sinks = await watched.sinks();
    expect(leaksIn(sinks)).toEqual([]);
    // What the test rests on: all of it was played, and the sinks are the real ones.
    const names = sinks.map(({ name }) => name.replace(/\d+/g, "N"));
    for (const name of ["GitHub POST /repos/acme/web/issues/N/comments", "model request N", "store public.output_part"])
      expect(names).toContain(name);
    expect(sinks.find(({ name }) => name.startsWith("log"))?.text).toContain("run_start");
    expect(watched.host.seen.commands).toHaveLength(7);

    await watched.stop();
    const main = new URL("../../src/main.ts", import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [main, "audit", "export", "--config", watched.configFile],
      {
        maxBuffer: 1e8,
        env: { TEST_MODEL_KEY: modelKey },
      },
    );
    expect(stdout).toContain("command_executed");
    expect(leaksIn([{ name: "audit export", text: stdout }])).toEqual([]);
    console.log(
      `canaries: ${Object.values(at).flat().length + held.length + 2} planted, ${sinks.length} sinks, 0 found`,
    );
  });
});
