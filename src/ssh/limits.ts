/** Every number of the SSH box, in one place; tests shorten them. */
export interface SshLimits {
  /** RR-13 */
  readonly connectMs: number;
  readonly handshakeMs: number;
  readonly keepaliveMs: number;
  readonly keepaliveCount: number;
  /** Dialling again, only before the server has shown its host key. */
  readonly dialAttempts: number;
  readonly retryBaseMs: number;
  readonly handshakesAtOnce: number;
  /** OpenSSH allows 10 (MaxSessions); two stay free for stopping commands. */
  readonly sessionsPerConnection: number;
  /** How long a command may wait for a connection and a session on its server. */
  readonly waitMs: number;
  /** How old may be, at the write itself, what an approval rests on: the look at GitHub, and the server's host key (SR-24, SR-51). */
  readonly freshMs: number;
  /** What of that is left for the way to the write: a look that grows too old on it would make a failure of a command that is not sent. */
  readonly toWriteMs: number;
  /** How long a server may take to prove its host key again before it counts as one that does not answer. */
  readonly proveMs: number;
  /** An unused connection is closed after this. */
  readonly idleMs: number;
  /** How long a server may take to open a channel. */
  readonly openMs: number;
  /** From TERM to KILL. */
  readonly graceMs: number;
  /** After the command's exit, how long a background child may keep its output open without writing. */
  readonly drainMs: number;
  /** With a terminal: how long a last line must stand before it counts as a question. */
  readonly quietMs: number;
  /** Looking for a job again after its connection was lost: this often with nothing heard, and these waits between. */
  readonly attachAttempts: number;
  readonly attachBaseMs: number;
  readonly attachMostMs: number;
  /** SR-54 */
  readonly maxOutputBytes: number;
}

export const defaultLimits: SshLimits = {
  connectMs: 10_000,
  handshakeMs: 10_000,
  keepaliveMs: 15_000,
  keepaliveCount: 3,
  dialAttempts: 3,
  retryBaseMs: 200,
  handshakesAtOnce: 16,
  sessionsPerConnection: 8,
  waitMs: 120_000,
  freshMs: 1_000,
  toWriteMs: 100,
  proveMs: 3_000,
  idleMs: 300_000,
  openMs: 10_000,
  graceMs: 5_000,
  drainMs: 5_000,
  quietMs: 1_000,
  attachAttempts: 10,
  attachBaseMs: 200,
  attachMostMs: 15_000,
  maxOutputBytes: 16 * 1024 * 1024,
};
