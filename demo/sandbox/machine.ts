import type { Disk } from "./disk.ts";
import type { Program } from "./program.ts";

type ServiceState = "active" | "inactive" | "failed";

/** A systemd unit of the imagined machine; what changes is replaced in `Machine.services`, never edited in place. */
export interface Service {
  readonly unit: string;
  readonly description: string;
  readonly state: ServiceState;
  readonly enabled: boolean;
  readonly since: Date;
  readonly pid: number;
  readonly user: string;
  readonly command: string;
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
  /** TCP ports it listens on while active. */
  readonly ports: readonly number[];
  readonly canReload: boolean;
  /** A timer or one-shot shows other words than a daemon. */
  readonly kind: "daemon" | "timer";
  /** What it logs when it starts. */
  readonly greeting: readonly string[];
  /** Why it cannot start now, as it would log it; empty when it can. */
  readonly obstacles: (machine: Machine) => Promise<readonly string[]>;
  /** What a start, restart or reload changes besides the state. */
  readonly afterChange?: (machine: Machine, change: "start" | "reload" | "stop") => Promise<void>;
}

/** syslog severities, as `journalctl -p` names them. */
export const severities = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"] as const;
export type Severity = (typeof severities)[number];

export interface JournalLine {
  readonly at: Date;
  readonly unit: string;
  /** What wrote it: `systemd`, `kernel`, `checkout-api`. */
  readonly source: string;
  readonly pid: number;
  readonly severity: Severity;
  readonly text: string;
}

/** An HTTP answer of something that listens on the machine; `undefined` = nothing listens, the connection is refused. */
export type HttpAnswer = { readonly status: number; readonly body: string; readonly type: string };

export interface Machine {
  readonly name: string;
  readonly address: string;
  readonly now: () => Date;
  readonly bootedAt: Date;
  readonly disk: Disk;
  readonly services: Map<string, Service>;
  readonly journal: JournalLine[];
  readonly memory: { readonly totalBytes: number; readonly baseBytes: number; readonly cacheBytes: number };
  readonly load: readonly [number, number, number];
  /** Established connections that `ss` shows. */
  readonly connections: () => readonly { readonly local: string; readonly peer: string; readonly process: string }[];
  readonly http: (url: URL) => HttpAnswer | undefined;
  /** Programs only this machine has, e.g. psql. */
  readonly programs: Readonly<Record<string, Program>>;
}

const noObstacles = async (): Promise<readonly string[]> => [];

/** A healthy daemon that has run since boot, to be overridden where it differs. */
export const daemon = (
  over: Pick<Service, "unit" | "description" | "command" | "pid" | "since"> & Partial<Service>,
): Service => ({
  state: "active",
  enabled: true,
  user: "root",
  memoryBytes: 24 * 1024 * 1024,
  cpuSeconds: 42,
  ports: [],
  canReload: false,
  kind: "daemon",
  greeting: [],
  obstacles: noObstacles,
  ...over,
});

export const isActive = (machine: Machine, unit: string): boolean => machine.services.get(unit)?.state === "active";
