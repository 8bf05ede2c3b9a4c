import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadConfig } from "../../../src/config/load.ts";
import { signerConfigOf, startSigner } from "../../../src/service/signer.ts";
import { principalOf } from "../../../src/signer/certificate.ts";
import { type LogLine, repo } from "../../harness/playground.ts";
import { startSshd } from "../../harness/sshd.ts";
import { startWorld, type World, type WorldOptions } from "../../harness/world.ts";

/** The home of whoever logs in there. */
const homeOf = ({ logFile }: { readonly logFile: string }): string => join(dirname(logFile), "home");

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];

/**
 * A bot whose `web-1` takes only certificates of a signer, and whose `web-2` takes its key, each a real sshd. The signer is started once the
 * bot's account is known, by `startSigner`.
 */
export async function startSignedWorld(options: Omit<WorldOptions, "servers" | "machine"> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "countersign-signed-bot-"));
  const at = (name: string): string => join(folder, name);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at("ca")]);
  writeFileSync(at("principals"), `${principalOf("web-1")}\n`);
  const signed = await startSshd([
    `TrustedUserCAKeys ${at("ca.pub")}`,
    `AuthorizedPrincipalsFile ${at("principals")}`,
    `AuthorizedKeysFile ${at("authorized_keys")}`,
  ]);
  const pooled = await startSshd();
  const drop = (): void => rmSync(folder, { recursive: true, force: true });
  if ("missing" in signed || "missing" in pooled) {
    if (!("missing" in signed)) await signed.close();
    if (!("missing" in pooled)) await pooled.close();
    drop();
    return { missing: "missing" in signed ? signed.missing : "the second sshd" };
  }
  const entry = {
    host: "127.0.0.1",
    port: signed.port,
    user: signed.user,
    os: "linux",
    host_key: signed.hostKey,
    backend: "openssh",
    signer: true,
  };
  const world: World = await startWorld({
    ...options,
    servers: { "web-1": entry, "web-2": { ...pooled.entry } },
    config: { logging: { level: "info", stdout: true }, ...options.config, signer: { socket: at("door") } },
  });
  const { github } = world;
  writeFileSync(at("app.pem"), github.privateKey, { mode: 0o600 });

  let running: Awaited<ReturnType<typeof startSigner>> | undefined;
  const log: LogLine[] = [];
  /** The account that writes the bot's comments. */
  const botAccount = async (): Promise<number> => {
    const { body } = await github.as("mona")("GET", `/repos/${repo}/issues/comments?per_page=100`);
    const made = (body as { user: { id: number; login: string } }[]).find(({ user }) => user.login.endsWith("[bot]"));
    if (!made) throw new Error("the bot has no comment yet");
    return made.user.id;
  };
  const writeSignerFile = async (more: object = {}): Promise<string> => {
    const file = {
      github: {
        app_id: github.appId,
        private_key_file: "app.pem",
        api_url: github.url,
        repositories: [{ name: repo, servers: ["web-1"] }],
      },
      servers: { "web-1": entry },
      policy: { approvers: { teams: ["acme/oncall"] } },
      signing: {
        socket: "door",
        ca_key_file: "ca",
        record_file: "record.jsonl",
        source_addresses: ["127.0.0.1"],
        app_user: await botAccount(),
      },
      logging: { stdout: false },
      ...more,
    };
    writeFileSync(at("signer.yml"), JSON.stringify(file));
    return at("signer.yml");
  };
  /** `more` lays over the signer's file. */
  const launch = async (more: object = {}): Promise<void> => {
    const file = await writeSignerFile(more);
    const config = signerConfigOf(loadConfig({ file, env: {}, roles: ["runner"] }));
    running = await startSigner(config, { onLogLine: (line) => log.push(JSON.parse(line)) });
  };
  return {
    ...{ world, signed, pooled, entry, log, writeSignerFile, door: at("door") },
    /** Gives a key access beside the certificates, as an administrator by mistake. */
    letIn: (publicKey: string): void => writeFileSync(at("authorized_keys"), publicKey),
    /** Starts the bot and its signer, with an incident. */
    begin: async () => {
      await world.start();
      const thread = await world.open({ title: "Something is odd", body: "It is slow." });
      await thread.waitFor(() => true, "the board");
      await launch();
      return thread;
    },
    /** The servers whose certificates sshd takes. */
    takeCertificatesOf: (server: string): void => writeFileSync(at("principals"), `${principalOf(server)}\n`),
    startSigner: launch,
    stopSigner: async (): Promise<void> => {
      await running?.close();
      running = undefined;
    },
    /** What commands wrote there, a line each. */
    ranOn: (server: "web-1" | "web-2"): readonly string[] =>
      linesOf(join(homeOf(server === "web-1" ? signed : pooled), "ran.log")),
    sshdLog: (): string => readFileSync(signed.logFile, "utf8"),
    record: (): readonly string[] => linesOf(at("record.jsonl")),
    close: async (): Promise<void> => {
      await world.close();
      await running?.close();
      await signed.close();
      await pooled.close();
      drop();
    },
  };
}

export type SignedWorld = Exclude<Awaited<ReturnType<typeof startSignedWorld>>, { missing: string }>;
