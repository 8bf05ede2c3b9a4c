export interface SshLimits {
  /** RR-13 */
  readonly connectMs: number;
  readonly handshakeMs: number;
  readonly keepaliveMs: number;
  readonly keepaliveCount: number;
  /** Only before the server has shown its host key. */
  readonly dialAttempts: number;
  readonly retryBaseMs: number;
  readonly handshakesAtOnce: number;
  /** OpenSSH allows 10 (MaxSessions); two stay free for stops. */
  readonly sessionsPerConnection: number;
  /** For a connection and a session. */
  readonly waitMs: number;
  /** Maximum age, at the write, of the check at GitHub and the proof of the host key (SR-24, SR-51). */
  readonly freshMs: number;
  /** Part reserved for the way to the write, because a check that grows too old there fails the unsent command. */
  readonly toWriteMs: number;
  /**
   * From the final check to the write if a signer is asked in between, because the signer checks again. It must end before another process
   * may take the job of one that stands still (`lapsedAfterMs` less a heartbeat).
   */
  readonly signedMs: number;
  /** For a new proof of the host key. */
  readonly proveMs: number;
  /** An unused connection is closed after this. */
  readonly idleMs: number;
  readonly openMs: number;
  /** From TERM to KILL. */
  readonly graceMs: number;
  /** How long a background child may hold the output, without writing, after the exit. */
  readonly drainMs: number;
  /** The output rests this long before its last line is examined. */
  readonly quietMs: number;
  /** Reconnects without news before the bot gives a job up. */
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
  signedMs: 8_000,
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
