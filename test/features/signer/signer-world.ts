import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startGitHub } from "../../../emulator/start.ts";
import type { Risk } from "../../../src/base/risk.ts";
import type { Server } from "../../../src/base/server.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { targetOf } from "../../../src/features/run/target.ts";
import { createMarkdown } from "../../../src/features/thread/views.ts";
import { createClient } from "../../../src/github/client.ts";
import { type Comments, createComments } from "../../../src/github/comments.ts";
import { renderOwnCard } from "../../../src/github/render/card.ts";
import { type SignerConfig, signerConfigOf, startSigner } from "../../../src/service/signer.ts";
import { principalOf } from "../../../src/signer/certificate.ts";
import type { SignerAnswer, StartRequest } from "../../../src/signer/protocol.ts";
import { type ActionSpec, digestOf } from "../../../src/store/actions.ts";
import { newId, newNonce } from "../../../src/store/ids.ts";
import { createRedactor } from "../../../src/text/redact.ts";
import type { LogLine } from "../../harness/playground.ts";
import { appKey } from "../../harness/quiet-github.ts";
import { startSshd } from "../../harness/sshd.ts";

const repo = "acme/web";

interface CardOrder {
  readonly number?: number;
  readonly command?: string;
  readonly risk?: Risk;
  readonly server?: string;
  /** The commands that run, if they are several. */
  readonly members?: readonly string[];
}

interface SignerSettings {
  readonly policy?: object;
  readonly server?: object;
  readonly passkeys?: (idOf: (login: string) => number) => readonly object[];
}

/** A signer with a real sshd that trusts it, an emulated GitHub, and what a bot that was taken over has: the App's key and its own SSH key. */
export async function startSignerWorld(settings: SignerSettings = {}) {
  const folder = mkdtempSync(join(tmpdir(), "countersign-signer-test-"));
  const at = (name: string): string => join(folder, name);
  for (const key of ["ca", "bot", "other-ca"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(key)]);
  writeFileSync(at("principals"), `${principalOf("web-1")}\n`);
  const sshd = await startSshd([
    `TrustedUserCAKeys ${at("ca.pub")}`,
    `AuthorizedPrincipalsFile ${at("principals")}`,
    "AuthorizedKeysFile none",
    "AcceptEnv LC_* EVIL",
  ]);
  if ("missing" in sshd) {
    rmSync(folder, { recursive: true, force: true });
    return sshd;
  }
  const github = await startGitHub({
    app: {
      id: 7,
      slug: "countersign",
      privateKey: appKey,
      permissions: { issues: "write", metadata: "read", contents: "read", members: "read" },
    },
    owner: "acme",
    repos: [{ name: "web", private: true, files: { "README.md": "web" } }],
    people: [
      { login: "mona", role: "admin" },
      { login: "lee", role: "write" },
      { login: "sam", role: "write" },
      { login: "rita", role: "read" },
    ],
    teams: { oncall: ["mona", "lee"] },
    webhook: { url: "http://127.0.0.1:9/", secret: "unused", active: false },
  });
  const client = createClient({
    appId: github.appId,
    privateKey: github.privateKey,
    apiUrl: github.url,
    log: pino({ level: "silent" }),
    idOf: async () => undefined,
    usesTeams: () => false,
  });
  const comments: Comments = createComments(client);
  const place = (issue: number) => ({ installationId: github.installationId, repo, issue });
  const app = await client.as({ installationId: github.installationId, repo }, async ({ rest }) => {
    // The account that the App's comments have.
    const [owner = "", name = ""] = repo.split("/");
    const issue = await rest.issues.create({ owner, repo: name, title: "first" });
    return issue.data.user?.id ?? 0;
  });
  writeFileSync(at("app.pem"), github.privateKey, { mode: 0o600 });
  const entry = {
    host: "127.0.0.1",
    port: sshd.port,
    user: sshd.user,
    os: "linux",
    host_key: sshd.hostKey,
    backend: "openssh",
    signer: true,
  };
  const file = {
    github: {
      app_id: github.appId,
      private_key_file: "app.pem",
      api_url: github.url,
      repositories: [{ name: repo, servers: ["web-1", "web-2"] }],
    },
    servers: {
      "web-1": entry,
      "web-2": { ...entry, description: "the same sshd, which takes no principal of this one" },
    },
    policy: { approvers: { teams: ["acme/oncall"] }, ...settings.policy },
    ...(settings.server && { server: settings.server }),
    signing: {
      socket: "door",
      ca_key_file: "ca",
      record_file: "record.jsonl",
      source_addresses: ["127.0.0.1"],
      app_user: app,
      passkeys: settings.passkeys?.((login) => github.person(login).id) ?? [],
    },
    logging: { stdout: false },
  };
  writeFileSync(at("signer.yml"), JSON.stringify(file));
  const config: SignerConfig = signerConfigOf(loadConfig({ file: at("signer.yml"), env: {}, roles: ["runner"] }));
  const log: LogLine[] = [];
  const start = () => startSigner(config, { onLogLine: (line) => log.push(JSON.parse(line)) });
  let signer: Awaited<ReturnType<typeof start>> | undefined = await start();

  const issueOf = async (title: string) => {
    const { body } = await github.as("sam")("POST", `/repos/${repo}/issues`, { title, labels: ["incident"] });
    const { number, node_id } = body as { number: number; node_id: string };
    return { number, nodeId: node_id };
  };
  const say = async (login: string, issue: number, body: string): Promise<number> => {
    const made = await github.as(login)("POST", `/repos/${repo}/issues/${issue}/comments`, { body });
    return Number((made.body as { id: number }).id);
  };
  const repoId = Number(((await github.as("mona")("GET", `/repos/${repo}`)).body as { id: number }).id);
  const serverOf = (name: string): Server => {
    const found = config.servers.get(name);
    if (!found) throw new Error(`there is no ${name}`);
    return found;
  };
  const markdown = createMarkdown(createRedactor());

  /** The spec of a command, as the bot would freeze it. */
  const specOf = (issue: { readonly nodeId: string }, order: CardOrder = {}): ActionSpec => {
    const {
      number = 1,
      command = `echo ${word()} >>"$HOME/ran.log"`,
      risk = "medium",
      server = "web-1",
      members,
    } = order;
    const entry = serverOf(server);
    const nonce = newNonce();
    return {
      incidentId: newId(),
      number,
      installationId: github.installationId,
      repoId,
      issueNodeId: issue.nodeId,
      place: server,
      targets: (members ?? [command]).map((one, step) => ({
        ...targetOf(entry, one, [fingerprintOf(sshd.hostKey)], { jobId: `${nonce}${step}`, outputCapBytes: 1024 }),
        ...(members ? { step } : {}),
      })),
      ...(members ? { set: members.map((one) => ({ command: one })) } : {}),
      command,
      risk,
      rulesVersion: "any",
      contextCommit: null,
      model: null,
      promptSha256: null,
      createdAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + 600_000).toISOString(),
      nonce,
    };
  };
  /** Its card, as the bot draws it. */
  const cardOf = (spec: ActionSpec, title = "Do it"): string =>
    renderOwnCard(
      [
        {
          number: spec.number,
          spec,
          state: "proposed",
          title,
          description: "",
          findings: [],
          verdicts: [],
          runs: [],
          origin: "model",
          digest: digestOf(spec),
        } as unknown as Parameters<typeof renderOwnCard>[0][number],
      ],
      { call: `/approve ${spec.number}` } as Parameters<typeof renderOwnCard>[1],
      markdown,
    );
  const post = async (issue: number, body: string): Promise<number> => {
    const posted = await comments.create(place(issue), { id: newId(), body });
    if (posted.kind !== "posted") throw new Error(`the bot could not comment: ${JSON.stringify(posted)}`);
    return posted.githubId;
  };
  const edit = async (issue: number, githubId: number, body: string): Promise<void> => {
    await comments.edit(place(issue), { id: newId(), body, githubId, nodeId: "" });
  };
  const publicKey = readFileSync(at("bot.pub"), "utf8").split(" ").slice(0, 2).join(" ");
  const requestOf = (
    issue: { readonly number: number },
    spec: ActionSpec,
    approvals: readonly number[],
  ): StartRequest => ({
    v: 1,
    ask: "start",
    repo,
    issue: issue.number,
    spec,
    server: spec.targets[0]?.server ?? "",
    approvals: approvals.map((comment) => ({ comment })),
    bytes: spec.targets[0]?.wrapped ?? "",
    publicKey,
  });
  const ask = (request: unknown, door = "door"): Promise<SignerAnswer> =>
    new Promise((resolve, reject) => {
      let said = "";
      const socket = connect(at(door), () => socket.write(`${JSON.stringify(request)}\n`));
      socket.setEncoding("utf8").on("data", (piece: string) => {
        said += piece;
      });
      socket
        .once("error", reject)
        .once("close", () => (said === "" ? reject(new Error("cut off")) : resolve(JSON.parse(said))));
    });
  let certificates = 0;
  /** Runs ssh with a certificate, and whatever else the one who has it wants. */
  const ssh = (
    certificate: string | undefined,
    command: string,
    {
      options = [],
      stdin = "",
      env = {},
    }: { readonly options?: readonly string[]; readonly stdin?: string; readonly env?: object } = {},
  ): Promise<{ readonly code: number; readonly out: string }> => {
    const cert = at(`cert-${certificates++}.pub`);
    if (certificate !== undefined) writeFileSync(cert, `${certificate}\n`);
    const args = [
      ...["-F", "none", "-i", at("bot"), "-p", `${sshd.port}`, "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"],
      ...["-o", `UserKnownHostsFile=${sshd.knownHostsFile}`, "-o", "LogLevel=ERROR"],
      ...(certificate === undefined ? [] : ["-o", `CertificateFile=${cert}`]),
      ...options,
      `${sshd.user}@127.0.0.1`,
      command,
    ];
    return new Promise((resolve) => {
      const child = execFile(
        "ssh",
        args,
        { env: { PATH: "/usr/bin:/bin", ...env }, timeout: 30_000 },
        (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code ?? 255), out: out + err }),
      );
      child.stdin?.end(stdin);
    });
  };
  const home = join(sshd.logFile, "..", "home");
  const ran = (): readonly string[] => {
    try {
      return readFileSync(join(home, "ran.log"), "utf8").split("\n").filter(Boolean);
    } catch {
      return [];
    }
  };
  return {
    ...{ at, config, github, sshd, log, comments, place, ask, ssh, ran, home, publicKey },
    ...{ issueOf, say, specOf, cardOf, post, edit, requestOf, serverOf },
    sshdLog: (): string => readFileSync(sshd.logFile, "utf8"),
    record: (): string => readFileSync(at("record.jsonl"), "utf8"),
    stop: async () => {
      await signer?.close();
      signer = undefined;
    },
    restart: async () => {
      await signer?.close();
      signer = await start();
    },
    close: async () => {
      await signer?.close();
      await github.close();
      await sshd.close();
      execFileSync("rm", ["-rf", folder]);
    },
  };
}

export type SignerWorld = Exclude<Awaited<ReturnType<typeof startSignerWorld>>, { missing: string }>;

const fingerprintOf = (hostKey: string): string => {
  const words = execFileSync("ssh-keygen", ["-lf", "-"], { input: hostKey, encoding: "utf8" });
  return words.split(" ")[1] ?? "";
};

/** A random word, so that no attempt looks like another. */
export const word = (): string => randomBytes(6).toString("hex");
