import { type Dialed, networkFailure, otherProtocol, type SshFailure } from "../failure.ts";

/** What the system's ssh told on its way to a connection: its log at DEBUG1. */
export interface SshLog {
  /** Fingerprint of the key the server proved, or of the one it showed and ssh refused. */
  readonly hostKey: string | undefined;
  readonly failure: SshFailure;
}

interface Sign {
  readonly says: RegExp;
  readonly means: (server: Dialed, hostKey: string) => Omit<SshFailure, "transient">;
  /** As of `Failure`. */
  readonly identity?: boolean;
}

const network = (code: string) => (server: Dialed) => networkFailure(server, code);

/** ssh tells only in words what went wrong, so its words are looked for; the first that fits counts. */
const signs: readonly Sign[] = [
  {
    says: /REVOKED HOST KEY|is revoked/,
    identity: true,
    means: ({ name }, hostKey) => ({
      reason: `the host key of ${name} is revoked: it shows ${hostKey}; nothing was sent`,
      remedy: "give the server a new host key and pin that one",
    }),
  },
  {
    says: /Certificate invalid|[Cc]ertificate (?:has expired|is not yet valid)|not a valid (?:host )?certificate/,
    identity: true,
    means: ({ name }, hostKey) => ({
      reason: `the host certificate of ${name} is not valid (${hostKey}); nothing was sent`,
      remedy:
        "look at its principals and dates: ssh-keygen -L -f /etc/ssh/ssh_host_*-cert.pub; `host_key_alias` names the principal",
    }),
  },
  {
    says: /HOST IDENTIFICATION HAS CHANGED|Host key verification failed|host key is known for/,
    identity: true,
    means: ({ name }, hostKey) => ({
      reason: `the host key of ${name} is not one we know: it shows ${hostKey}; nothing was sent`,
      remedy:
        "if the change is meant, compare it on the server's console (ssh-keygen -lf /etc/ssh/ssh_host_*_key.pub) and " +
        "replace it in the known_hosts file; if not, somebody may be in between",
    }),
  },
  {
    says: /signing failed|agent refused operation|device not found|incorrect passphrase supplied/,
    means: ({ name }) => ({
      reason: `the key for ${name} could not sign the login`,
      remedy:
        "a FIDO key must be plugged in and need no touch (no-touch-required); an agent must hold the key unlocked",
    }),
  },
  {
    says: /Permission denied|Too many authentication failures|No more authentication methods/,
    identity: true,
    means: ({ name }) => ({
      reason: `${name} refused our login: it does not accept this key for the account in the inventory`,
      remedy: "add the public key or its authority to that account, or correct `user` or `key_file`",
    }),
  },
  {
    says: /Unable to negotiate|no matching/,
    means: ({ name }) => ({
      reason: `${name} and our ssh have no algorithm in common`,
      remedy: "update its sshd, or allow its algorithms in an ssh_config named by `ssh_config`",
    }),
  },
  {
    says: /[Bb]ad configuration option|terminating, \d+ bad configuration|Can't open user config/,
    means: ({ name }) => ({
      reason: `ssh does not take the options for ${name}`,
      remedy: "check the file named by `ssh_config`, and that OpenSSH is 8.7 or newer: ssh -V",
    }),
  },
  { says: /Name or service not known|nodename nor servname|Could not resolve/, means: network("ENOTFOUND") },
  { says: /Connection refused/, means: network("ECONNREFUSED") },
  { says: /No route to host/, means: network("EHOSTUNREACH") },
  { says: /Network is unreachable/, means: network("ENETUNREACH") },
  { says: /timed out/, means: network("ETIMEDOUT") },
];

/** Reads what ssh told before it gave up. Only a failure before the host key was shown may be tried again. Pure. */
export function readSshLog(server: Dialed, log: string): SshLog {
  const hostKey = /^debug1: Server host (?:key|certificate): \S+ (SHA256:[A-Za-z0-9+/]+)/m.exec(log)?.[1];
  const sign = signs.find(({ says }) => says.test(log));
  // Lines in front of the identification; of other protocols' answers ssh shows the first.
  const banner = /^debug1: kex_exchange_identification: banner line 0: (.*)/m.exec(log)?.[1] ?? "";
  const other = hostKey === undefined && !/^debug1: Remote protocol version/m.test(log);
  const failure =
    (other ? otherProtocol(server, banner) : undefined) ??
    (sign?.means ?? network("ECONNRESET"))(server, hostKey ?? "a key that was not told");
  const transient = hostKey === undefined && "transient" in failure && failure.transient === true;
  return {
    hostKey,
    failure: { reason: failure.reason, remedy: failure.remedy, transient, identity: sign?.identity ?? false },
  };
}
