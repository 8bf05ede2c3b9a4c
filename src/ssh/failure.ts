import type { Server } from "../base/server.ts";

/** Why a server could not be reached; `reason` never has address or user (PA-8). Nothing was run. */
export interface SshFailure {
  readonly reason: string;
  readonly remedy: string;
  /** The server had not shown its host key, so a retry is safe. */
  readonly transient: boolean;
  /** The server is not the known one or refuses our login, so open connections do not count either. */
  readonly identity?: boolean;
  /** The proven host key of a server that refused our login. */
  readonly refusedBy?: string;
}

const byErrno: Readonly<Record<string, { says: string; remedy: string; transient: boolean }>> = {
  ECONNREFUSED: {
    says: "refused the connection: nothing listens on port $PORT",
    remedy: "correct `port` (and `host`) in the inventory, or start its sshd",
    transient: true,
  },
  ENOTFOUND: { says: "has a `host` that does not resolve", remedy: "check `host` in the inventory", transient: false },
  EAI_AGAIN: { says: "has a `host` that does not resolve now", remedy: "check the name server", transient: true },
  EHOSTUNREACH: { says: "cannot be reached: no route", remedy: "check network and firewall", transient: false },
  ENETUNREACH: { says: "cannot be reached: no network", remedy: "check network and firewall", transient: false },
  ETIMEDOUT: { says: "did not answer", remedy: "check that it is up and that no firewall drops us", transient: false },
  ECONNRESET: {
    says: "closed the connection before the login",
    remedy: "its sshd may be overloaded or limit connections (MaxStartups); try again",
    transient: true,
  },
};

export type DialTarget = Pick<Server, "name" | "port" | "signer">;

/** Describes a network error without its own text, which has addresses. */
export function networkFailure({ name, port }: DialTarget, code: string | undefined): SshFailure {
  const known = code === undefined ? undefined : byErrno[code];
  const says = known?.says ?? `could not be reached (${code ?? "no reason given"})`;
  return {
    reason: `${name} ${says.replace("$PORT", String(port))}`,
    remedy: known?.remedy ?? "check that it is up and reachable from here",
    transient: known?.transient ?? false,
  };
}

/** OpenSSH refuses with these before its identification. */
const sshRefusals = /^(Exceeded MaxStartups|Not allowed at this time)/;

/** The failure if the first words are not SSH's; undefined if they may be. */
export function otherProtocol({ name, port }: DialTarget, firstWords: string): SshFailure | undefined {
  if (firstWords === "" || "SSH-".startsWith(firstWords) || /^SSH-/m.test(firstWords) || sshRefusals.test(firstWords))
    return undefined;
  const kind = /^(HTTP\/|\s*<(!doctype )?html)/i.test(firstWords) ? "is a web server, not SSH" : "is not SSH";
  return {
    reason: `what answers on port ${port} of ${name} ${kind}`,
    remedy: "correct `port` in the inventory",
    transient: false,
  };
}

/** Makes foreign text one line of short, printable ASCII. */
export function plainReason(text: string, maxLength = 160): string {
  return text
    .replace(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, maxLength);
}
