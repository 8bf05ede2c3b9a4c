import type { Server } from "../base/server.ts";

/**
 * Why a server could not be reached, for people: `reason` names the server by its inventory name, never by address or
 * user (PA-8), `remedy` says what to do. Nothing was run.
 */
export interface SshFailure {
  readonly reason: string;
  readonly remedy: string;
  /** The server had not shown its host key yet, so trying again is safe and may help. */
  readonly transient: boolean;
  /** The server answered and is not the one we know, or no longer takes our login: what it granted before does not count either. */
  readonly identity?: boolean;
}

export interface SshRefusal {
  readonly ok: false;
  readonly reason: string;
  readonly remedy: string;
}

export const refuse = (reason: string, remedy: string): SshRefusal => ({ ok: false, reason, remedy });

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

/** A server as far as its failures name it. */
export type DialTarget = Pick<Server, "name" | "port">;

/** A network error in words. The error's own text holds addresses and is not shown. */
export function networkFailure({ name, port }: DialTarget, code: string | undefined): SshFailure {
  const known = code === undefined ? undefined : byErrno[code];
  const says = known?.says ?? `could not be reached (${code ?? "no reason given"})`;
  return {
    reason: `${name} ${says.replace("$PORT", String(port))}`,
    remedy: known?.remedy ?? "check that it is up and reachable from here",
    transient: known?.transient ?? false,
  };
}

/** OpenSSH refuses with these before it says that it is SSH. */
const sshRefusals = /^(Exceeded MaxStartups|Not allowed at this time)/;

/** The failure of a port that something else than SSH answers on, by its first words; undefined if those may be SSH's. */
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

/** Text of a server or library inside one of our sentences: one line, printable ASCII, short. */
export function plainReason(text: string, maxLength = 160): string {
  return text
    .replace(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, maxLength);
}
