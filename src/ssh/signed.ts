import { basename } from "node:path";
import { reached } from "../base/crash-point.ts";
import { type Refusal, refuse } from "../base/errors.ts";
import { createLine } from "../base/line.ts";
import type { CertificateAnswer, CountersignedOrder, ExecOrder } from "../base/run.ts";
import type { Server } from "../base/server.ts";
import { plainReason } from "./failure.ts";
import { loadSystemLogin, newKey, type SystemLogin } from "./keys/identity.ts";
import { hangUp, type Means, type NoSession, noSession } from "./pool.ts";
import { type OpenSession, openSession } from "./session.ts";
import type { JobRequest } from "./wrap.ts";

/**
 * Servers with a signer (SR-72): each command has a certificate of its own, and a connection that runs nothing else, because sshd runs
 * the certificate's command no matter what the client asks for. The key is made for that one certificate and opens nothing without it.
 */

type CertificateAsk =
  | {
      readonly ask: "start";
      readonly server: string;
      readonly bytes: string;
      readonly countersigned: CountersignedOrder;
    }
  | { readonly ask: "job"; readonly server: string; readonly bytes: string; readonly job: JobRequest };

/** Never rejects. */
export type Certify = (ask: CertificateAsk, publicKey: string, signal: AbortSignal) => Promise<CertificateAnswer>;

/** For an approved command, once it is claimed. Whatever fails here: it was not sent. Never throws. */
export async function openSignedStart(
  means: Means,
  { server, wrapped: bytes, hostKeys, countersigned }: ExecOrder,
  signal: AbortSignal,
): Promise<OpenSession | NoSession> {
  if (countersigned === undefined)
    return noSession(`${server.name} takes only what people have countersigned; nothing was run`, "propose it again");
  const asked = { ask: "start", server: server.name, bytes, countersigned } as const;
  return openSigned(means, server, { asked, hostKeys, signal });
}

/** Never throws. */
export async function openSigned(
  { pool, limits, certify, closing }: Means,
  server: Server,
  {
    asked,
    hostKeys,
    signal,
  }: {
    readonly asked: CertificateAsk;
    readonly hostKeys?: readonly string[] | undefined;
    readonly signal: AbortSignal;
  },
): Promise<OpenSession | NoSession> {
  const cancelled: NoSession = { kind: "none", result: { kind: "cancelled" } };
  if (signal.aborted) return cancelled;
  const { privateKey, publicKey } = newKey();
  const answer = certify
    ? await certify(asked, publicKey, signal)
    : ({ ok: false, reason: "the file names no signer", noJobSince: undefined } as const);
  if (signal.aborted) return cancelled;
  if (!answer.ok) {
    const why = `the signer gave no certificate for ${server.name}: ${plainReason(answer.reason, mostReason)}`;
    if (asked.ask === "start")
      return noSession(`${why}; nothing was run`, "once that is in order, propose the command again");
    const { noJobSince } = answer;
    return {
      ...noSession(why, "see the signer's log"),
      ...(noJobSince !== undefined && { noJobSince: Date.parse(noJobSince) }),
    };
  }
  if (asked.ask === "start") reached("CP22");
  const login = { ok: true, kind: "certificate", privateKey, certificate: answer.certificate } as const;
  const dialled = await pool.openSigned(server, { login, hostKeys });
  if (!dialled.ok) return { kind: "none", result: { kind: "failed", failure: dialled } };
  if (signal.aborted || closing.aborted) {
    void hangUp(dialled);
    return cancelled;
  }
  const connection = { ...dialled.connection, running: new Set<symbol>(), stops: createLine(1) };
  const leave = (): void => void hangUp(dialled);
  const place = { connection, server, command: asked.bytes, tty: false, limits, signal, leave };
  const session = await openSession(place);
  if (session.kind === "open") return session;
  leave();
  return { kind: "none", result: session, hostKey: connection.hostKey };
}

export interface ShutServer {
  readonly ok: true;
  readonly hostKey: string;
  /** Keys that could not be tried, so they prove nothing. */
  readonly untried: readonly Refusal[];
}

/** Whether a server lets in neither a new key without a certificate, nor the keys by which the bot logs in to `others`. Never throws. */
export async function proveShut(
  { pool, agentSocket }: Pick<Means, "pool"> & { readonly agentSocket: string | undefined },
  server: Server,
  others: readonly Server[],
): Promise<ShutServer | Refusal> {
  let hostKey = "";
  const untried: Refusal[] = [];
  const { privateKey } = newKey();
  const logins: readonly (SystemLogin | Refusal)[] = [
    { ok: true, kind: "certificate", privateKey },
    ...others.map((other) => loadSystemLogin(other, agentSocket)),
  ];
  for (const login of logins) {
    if (!login.ok) {
      untried.push(login);
      continue;
    }
    const dialled = await pool.openSigned(server, { login });
    if (dialled.ok) {
      void hangUp(dialled);
      const key =
        login.kind === "key-file"
          ? `the key ${basename(login.file)}`
          : login.kind === "agent"
            ? "a key of the ssh-agent"
            : "a key that nobody knows";
      return refuse(
        `${server.name} lets in ${key} without a certificate`,
        `set its sshd up as \`countersign signer setup ${server.name}\` prints it`,
      );
    }
    if (dialled.refusedBy === undefined) return dialled;
    hostKey = dialled.refusedBy;
  }
  return { ok: true, hostKey, untried };
}

/** Why a server lets in no certificate of its signer; undefined if it does. `unsigned`: the signer gave none. Never throws. */
export async function proveOpen(
  { pool }: Pick<Means, "pool">,
  server: Server,
  certifyCheck: (publicKey: string) => Promise<CertificateAnswer>,
): Promise<(Refusal & { readonly unsigned: boolean }) | undefined> {
  const { privateKey, publicKey } = newKey();
  const answer = await certifyCheck(publicKey);
  if (!answer.ok) return { ...refuse(answer.reason, "compare both files, and the signer's log"), unsigned: true };
  const login = { ok: true, kind: "certificate", privateKey, certificate: answer.certificate } as const;
  const dialled = await pool.openSigned(server, { login });
  if (!dialled.ok) return { ...dialled, unsigned: false };
  void hangUp(dialled);
  return undefined;
}

/** On a card beside why nothing was run. */
const mostReason = 300;
