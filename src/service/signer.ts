import { readFileSync, statSync } from "node:fs";
import { createRate } from "../base/clock.ts";
import { messageOf, OperatorError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { openTogether } from "../base/opened.ts";
import { removeLeftFolders } from "../base/private-folder.ts";
import { type Config, repositoryIn } from "../config/values.ts";
import {
  decideJobScript,
  decideStart,
  type SignerDeps,
  type SigningDecision,
  whyUnlike,
} from "../features/signer/decide.ts";
import { createClient } from "../github/client.ts";
import { createReadEvidence, createReadSender } from "../github/evidence.ts";
import { createFetchFacts } from "../github/facts.ts";
import { createEvaluator, inventoryOf } from "../risk/evaluate.ts";
import { signCertificate } from "../signer/certificate.ts";
import { type DoorPlace, openDoor } from "../signer/door.ts";
import { checkCommand, type SignerAnswer, type StartRequest, signerRequestSchema } from "../signer/protocol.ts";
import { openRecord } from "../signer/record.ts";
import { createLog, type Logger } from "../telemetry/log.ts";
import { createRedactor } from "../text/redact.ts";

export type SignerConfig = SignerDeps["config"];

/** Throws an `OperatorError` if the file is the bot's. */
export function signerConfigOf(config: Config): SignerConfig {
  const { signing } = config;
  if (signing) return { ...config, signing };
  throw new OperatorError({
    place: config.file,
    message: "`signing` is missing: this is the bot's file, and the signer has one of its own",
    remedy: "write one (docs/signer.md)",
  });
}

/** The process `countersign signer start`. */
export const startSigner = (
  config: SignerConfig,
  { onLogLine }: { readonly onLogLine?: (line: string) => void } = {},
): Promise<{ readonly port: number | undefined; readonly close: () => Promise<void> }> =>
  openTogether(["door", "record", "log"], async (opened) => {
    const { signing } = config;
    const redact = createRedactor({ secrets: [config.github.privateKey] });
    const logging = await createLog({
      ...config.logging,
      redact: (line) => {
        const redacted = redact(line);
        return redacted.ok ? redacted.text : undefined;
      },
      also: onLogLine,
    });
    opened.add("log", logging.close);
    const { log } = logging;
    removeLeftFolders();
    const place = placeOfDoor(signing);
    const { caKeyFile: keyFile, agentSocket } = signing;
    if (agentSocket === undefined) readSecretFile(keyFile);
    const ca = { keyFile, agentSocket };
    const record = await openRecord(signing.recordFile);
    opened.add("record", record.close);
    const client = createClient({
      ...config.github,
      log: log.child({ module: "github", event: "client" }, { level: "warn" }),
      idOf: async (repo) => repositoryIn(config, repo)?.id,
      usesTeams: () => false,
    });
    const deps: SignerDeps = {
      config,
      evaluate: createEvaluator({ ...config.policy, inventory: inventoryOf(config.servers.values()), now: Date.now }),
      evidence: createReadEvidence(client),
      sender: createReadSender(client),
      facts: createFetchFacts(client),
      record,
      now: () => new Date(),
    };
    const mayAsk = createRate(deps.now);
    const sign = async (line: string): Promise<SignedAnswer> => {
      if (!mayAsk("all", mostPerMinute))
        return { ok: false, reason: "the signer was asked too often; ask again in a minute" };
      const read = signerRequestSchema.safeParse(parseJson(line));
      if (!read.success) return { ok: false, reason: "the request is not of the signer's form" };
      const request = read.data;
      if (request.ask === "check") {
        const reason = whyUnlike(deps, request);
        const server = config.servers.get(request.server);
        if (reason !== undefined || server === undefined) return { ok: false, reason: reason ?? "no such server" };
        const keyId = "countersign:check";
        const about = { publicKey: request.publicKey, server: server.name, keyId, serial: 0, command: checkCommand };
        return issue({ ...about, sourceAddresses: signing.sourceAddresses }, () => undefined);
      }
      const decision: SigningDecision =
        request.ask === "job"
          ? decideJobScript(deps, request)
          : // The schema has read what is read of it; the digest is over all.
            await decideStart(deps, request as unknown as StartRequest);
      if (!decision.ok) return decision;
      const { server, keyId, entry } = decision;
      const wanted = {
        publicKey: request.publicKey,
        server: server.name,
        keyId,
        serial: record.entries().length + 1,
        command: request.bytes,
        sourceAddresses: signing.sourceAddresses,
      };
      // It leaves only once the disk has it; two requests at once meet here.
      return issue(wanted, () => entry && record.add(entry));
    };
    /** `refuse` has the last word, and says why not. */
    async function issue(
      wanted: Parameters<typeof signCertificate>[1],
      refuse: () => string | undefined,
    ): Promise<SignedAnswer> {
      try {
        const certificate = await signCertificate(ca, wanted);
        const reason = refuse();
        return reason === undefined ? { ok: true, certificate, keyId: wanted.keyId } : { ok: false, reason };
      } catch (error) {
        return { ok: false, reason: `the signer could not sign: ${messageOf(error)}` };
      }
    }
    const door = await openDoor(place, async (line) => {
      const { keyId, ...answer } = await sign(line);
      logAnswer(log, line, answer, keyId);
      return answer;
    });
    opened.add("door", door.close);
    log.info({ module: "signer", event: "signer_start", signed: record.entries().length });
    return { port: door.port, close: opened.close };
  });

const mostPerMinute = 600;

type SignedAnswer = SignerAnswer & { readonly keyId?: string };

function logAnswer(log: Logger, line: string, answer: SignerAnswer, keyId: string | undefined): void {
  const asked = signerRequestSchema.safeParse(parseJson(line));
  const server = asked.success ? asked.data.server : undefined;
  const about =
    asked.success && asked.data.ask === "start"
      ? { issue: `${asked.data.repo}#${asked.data.issue}`, number: asked.data.spec.number }
      : {};
  if (answer.ok) log.info({ module: "signer", event: "signer_signed", server, keyId });
  else log.warn({ module: "signer", event: "signer_refused", server, ...about, reason: answer.reason });
}

function placeOfDoor({ socket, listen, certFile, keyFile, clients }: SignerConfig["signing"]): DoorPlace {
  if (socket !== undefined && listen === undefined) return { kind: "socket", path: socket };
  if (
    listen === undefined ||
    socket !== undefined ||
    certFile === undefined ||
    keyFile === undefined ||
    clients.length === 0
  )
    throw new OperatorError({
      place: "signing",
      message: "says not one place where the bot asks",
      remedy: "write `socket`, or `listen` with `cert_file`, `key_file` and `clients`",
    });
  const at = listen.lastIndexOf(":");
  return {
    kind: "tls",
    host: listen.slice(0, at),
    port: Number(listen.slice(at + 1)),
    cert: readFileSync(certFile, "utf8"),
    key: readSecretFile(keyFile),
    clients,
  };
}

/** Throws an `OperatorError` if the file is open to others. */
function readSecretFile(file: string): string {
  const text = readFileSync(file, "utf8");
  if ((statSync(file).mode & 0o077) !== 0)
    throw new OperatorError({ place: file, message: "others may read it", remedy: `chmod 600 ${file}` });
  return text;
}
