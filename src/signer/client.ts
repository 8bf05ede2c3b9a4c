import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import type { CertificateAnswer } from "../base/run.ts";
import type { CheckRequest, JobScriptRequest, SignerAnswer, StartRequest } from "./protocol.ts";

/** Where the bot asks. */
export type SignerAddress =
  | { readonly kind: "socket"; readonly path: string }
  | {
      readonly kind: "tls";
      readonly host: string;
      readonly port: number;
      /** SHA-256 of the signer's certificates, in hex. */
      readonly fingerprints: readonly string[];
      readonly certFile: string;
      readonly keyFile: string;
    };

interface SignerSettings {
  readonly socket?: string | undefined;
  readonly address?: string | undefined;
  readonly fingerprints: readonly string[];
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** The schema of the settings lets only one of both stand there, whole. */
export function signerAddressOf({
  socket,
  address = "",
  fingerprints,
  certFile = "",
  keyFile = "",
}: SignerSettings): SignerAddress {
  if (socket !== undefined) return { kind: "socket", path: socket };
  const at = address.lastIndexOf(":");
  const host = address.slice(0, at);
  return { kind: "tls", host, port: Number(address.slice(at + 1)), fingerprints, certFile, keyFile };
}

/** What comes later would be too late to send (`signedMs`). */
const patienceMs = 7_000;
const mostCharacters = 400_000;

const answerSchema = z.union([
  z.strictObject({
    ok: z.literal(true),
    certificate: z.string().regex(/^[a-z0-9-]+-cert-v01@openssh\.com [A-Za-z0-9+/]+={0,2}(?: [\x20-\x7e]*)?$/),
  }),
  z.strictObject({ ok: z.literal(false), reason: z.string().min(1), noJobSince: z.iso.datetime().optional() }),
]);

const no = (reason: string) => ({ ok: false, reason }) as const;
const noForm = no("the signer's answer is not of its form");

/** What is no certificate is a refusal; the signer may have counted the command as signed all the same. Never rejects. */
export function askForCertificate(
  address: SignerAddress,
  request: StartRequest | JobScriptRequest | CheckRequest,
  signal: AbortSignal,
): Promise<CertificateAnswer> {
  return new Promise((resolve) => {
    let socket: Socket | undefined;
    let said = "";
    const settle = (answer: SignerAnswer): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      socket?.destroy();
      resolve(answer);
    };
    const onAbort = (): void => settle(no("it was cancelled while the signer was asked"));
    const timer = setTimeout(() => settle(no(`the signer did not answer within ${patienceMs / 1_000} s`)), patienceMs);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      socket = reach(
        address,
        (open) => open.write(`${JSON.stringify(request)}\n`),
        (why) => settle(no(why)),
      );
    } catch (thrown) {
      return settle(no(`the signer cannot be asked: ${messageOf(thrown)}`));
    }
    socket.setEncoding("utf8").on("data", (piece: string) => {
      said += piece;
      if (said.includes("\n")) settle(readAnswer(said));
      else if (said.length > mostCharacters) settle(no("the signer's answer has no end"));
    });
    socket.once("error", (error: NodeJS.ErrnoException) =>
      settle(no(`the signer cannot be reached (${error.code ?? "no reason given"})`)),
    );
    socket.once("close", () => settle(no("the signer closed the connection without an answer")));
  });
}

/** Nothing is written to a signer that does not prove its pinned certificate. */
function reach(address: SignerAddress, onOpen: (socket: Socket) => void, onStranger: (why: string) => void): Socket {
  if (address.kind === "socket") {
    const socket = connect(address.path);
    return socket.once("connect", () => onOpen(socket));
  }
  const { host, port, certFile, keyFile, fingerprints } = address;
  const identity = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  const socket: TLSSocket = connectTls({ host, port, ...identity, rejectUnauthorized: false, minVersion: "TLSv1.3" });
  return socket.once("secureConnect", () => {
    const { raw } = socket.getPeerCertificate();
    const shown = raw === undefined ? "none" : createHash("sha256").update(raw).digest("hex");
    if (fingerprints.includes(shown)) onOpen(socket);
    else onStranger(`what answers as the signer shows another certificate (${shown}) than signer.fingerprints has`);
  });
}

function readAnswer(said: string): SignerAnswer {
  const read = answerSchema.safeParse(parseJson(said.slice(0, said.indexOf("\n"))));
  return read.success ? read.data : noForm;
}
