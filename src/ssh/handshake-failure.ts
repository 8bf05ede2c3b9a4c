import type { Server } from "../base/server.ts";
import { networkFailure, otherProtocol, plainReason, type SshFailure } from "./failure.ts";

export type SshError = Error & { readonly level?: string; readonly code?: string | number };

/** What went wrong between the first byte and 'ready'. Before the host key is proved, trying again is safe. */
export function handshakeFailure(
  server: Server,
  error: SshError | undefined,
  { proved, firstWords }: { readonly proved: boolean; readonly firstWords: string },
): SshFailure {
  const other = proved ? undefined : otherProtocol(server, firstWords);
  if (other) return other;
  if (error === undefined || error.level === "client-socket") {
    const code = typeof error?.code === "string" ? error.code : "ECONNRESET";
    return { ...networkFailure(server, code), transient: !proved };
  }
  const says = plainReason(error.message);
  switch (error.level) {
    case "client-authentication":
      return {
        reason: `${server.name} refused our login: it does not accept this key for the account in the inventory`,
        remedy: "add the public key to that account's authorized_keys, or correct `user` or `key_file`",
        transient: false,
        identity: true,
      };
    case "agent":
      return {
        reason: `the ssh-agent failed for ${server.name}`,
        remedy: "check SSH_AUTH_SOCK and ssh-add -l",
        transient: false,
      };
    case "client-timeout":
      return {
        reason: `${server.name} took the connection but did not finish the handshake in time`,
        remedy: "check the load of its sshd, and that the port is really SSH",
        transient: false,
      };
    case "protocol":
      return { ...networkFailure(server, "ECONNRESET"), transient: !proved };
    default:
      return {
        reason: `the handshake with ${server.name} failed: ${says}`,
        remedy: proved
          ? "see the log of its sshd"
          : "check that the port is SSH; where its algorithms are newer than ssh2, write `backend: openssh`",
        transient: false,
      };
  }
}
