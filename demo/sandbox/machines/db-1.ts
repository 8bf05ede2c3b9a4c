import { faultTime } from "../../fault-time.ts";
import { day, hour, minute, second, timeOfDay } from "../clock.ts";
import { gib, mib, type Volume } from "../disk.ts";
import { daemon, isActive, type JournalLine, type Machine } from "../machine.ts";
import { fail, type Program, say } from "../program.ts";
import { type Backend, createPsql, pgTime } from "../programs/psql.ts";
import { createMachine, journalFiles, rootVolume } from "./base.ts";

const unit = "postgresql.service";
const maxConnections = 100;
const dataVolume: Volume = {
  device: "/dev/vdb1",
  mount: "/var/lib/postgresql",
  type: "ext4",
  sizeBytes: 200 * gib,
  otherBytes: 88 * gib,
  inodes: 13_107_200,
};

interface Crowd {
  readonly application: string;
  readonly address: string;
  readonly state: string;
  readonly count: number;
  readonly idleMs: number;
  readonly query: string;
}

/** Who fills the slots: a worker that opened transactions after its last deploy and never ended them. */
const crowds: readonly Crowd[] = [
  {
    application: "checkout-worker",
    address: "10.0.0.21",
    state: "idle in transaction",
    count: 71,
    idleMs: 47 * minute,
    query: "SELECT * FROM carts WHERE id = $1 FOR UPDATE",
  },
  { application: "checkout-api", address: "10.0.0.11", state: "idle", count: 14, idleMs: 9 * second, query: "COMMIT" },
  {
    application: "checkout-api",
    address: "10.0.0.11",
    state: "active",
    count: 8,
    idleMs: 2 * second,
    query: "UPDATE carts SET status = $2 WHERE id = $1",
  },
  {
    application: "reporting",
    address: "10.0.0.31",
    state: "idle",
    count: 4,
    idleMs: 4 * minute,
    query: "SELECT count(*) FROM orders",
  },
];

const connect = (crowd: Crowd, first: number, now: Date): readonly Backend[] =>
  Array.from({ length: crowd.count }, (_, i) => {
    const changed = pgTime(new Date(now.getTime() - crowd.idleMs - i * 7 * second));
    const blocked = crowd.state === "active";
    return {
      pid: first + i,
      datname: "checkout",
      usename: crowd.application === "reporting" ? "report" : "checkout",
      application_name: crowd.application,
      client_addr: crowd.address,
      client_port: 40_000 + first + i,
      backend_type: "client backend",
      backend_start: pgTime(new Date(now.getTime() - crowd.idleMs - hour)),
      xact_start: crowd.state === "idle" ? null : changed,
      query_start: changed,
      state_change: changed,
      state: crowd.state,
      wait_event_type: blocked ? "Lock" : "Client",
      wait_event: blocked ? "transactionid" : "ClientRead",
      query: crowd.query,
    };
  });

const fatalLines = (fault: Date): readonly JournalLine[] =>
  [3, 4, 9, 17, 31, 64, 118, 190].map((s, i) => {
    const at = new Date(fault.getTime() + s * second);
    const reason =
      i % 3 === 2
        ? "remaining connection slots are reserved for non-replication superuser connections"
        : "sorry, too many clients already";
    return {
      at,
      unit,
      source: "postgres",
      pid: 9100 + i,
      severity: "err",
      text: `${at.toISOString().slice(0, 10)} ${timeOfDay(at)} UTC [${9100 + i}] checkout@checkout FATAL:  ${reason}`,
    };
  });

/** db-1: 97 of 100 connections are taken, 71 of them idle in a transaction. */
export const createDb1 = async (startedAt: Date): Promise<Machine> => {
  const fault = faultTime(startedAt);
  let backends: readonly Backend[] = crowds.flatMap((crowd, i) => connect(crowd, 7100 + i * 100, startedAt));
  const up: { machine?: Machine } = {};
  const isUp = (): boolean => up.machine !== undefined && isActive(up.machine, unit);
  const psql = createPsql({
    isUp,
    now: () => new Date(),
    backends: () => backends,
    terminate: (pid) => {
      const before = backends.length;
      backends = backends.filter((backend) => backend.pid !== pid);
      return backends.length < before;
    },
    settings: {
      max_connections: String(maxConnections),
      superuser_reserved_connections: "3",
      idle_in_transaction_session_timeout: "0",
      shared_buffers: "128MB",
      server_version: "15.13",
    },
  });
  const ready: Program = () =>
    isUp()
      ? say("/var/run/postgresql:5432 - accepting connections")
      : fail("/var/run/postgresql:5432 - no response", 2);
  const machine = await createMachine({
    name: "db-1",
    address: "10.0.0.20",
    startedAt,
    upDays: 118,
    load: [1.92, 1.71, 1.4],
    volumes: [rootVolume, dataVolume],
    http: (own, url) =>
      url.port === "9100" && url.hostname === "localhost"
        ? { status: 200, body: `# node_exporter ${own.name}\n`, type: "text/plain" }
        : undefined,
    journal: fatalLines(fault),
    connections: () =>
      backends.map((b) => ({
        local: "10.0.0.20:5432",
        peer: `${b.client_addr}:${b.client_port}`,
        process: `users:(("postgres",pid=${b.pid},fd=9))`,
      })),
    services: [
      daemon({
        unit,
        description: "PostgreSQL RDBMS",
        command: "/usr/lib/postgresql/15/bin/postgres -D /var/lib/postgresql/15/main",
        pid: 1022,
        since: new Date(startedAt.getTime() - 118 * day),
        user: "postgres",
        ports: [5432],
        canReload: true,
        memoryBytes: 910 * mib,
        cpuSeconds: 88_121,
        greeting: ["database system is ready to accept connections"],
        // A restart ends every session; only the well-behaved clients come back at once.
        afterChange: async (own, change) => {
          if (change === "stop") backends = [];
          if (change === "start")
            backends = crowds.slice(1).flatMap((crowd, i) => connect(crowd, 8200 + i * 20, own.now()));
        },
      }),
    ],
    programs: { psql, pg_isready: ready },
  });
  up.machine = machine;
  const log = fatalLines(fault)
    .map((line) => line.text)
    .join("\n");
  await machine.disk.place({ path: "/var/log/postgresql/postgresql-15-main.log", text: `${log}\n`, modifiedAt: fault });
  await machine.disk.place({
    path: "/etc/postgresql/15/main/postgresql.conf",
    text: `max_connections = ${maxConnections}\nshared_buffers = 128MB\n#idle_in_transaction_session_timeout = 0\n`,
  });
  await journalFiles(machine);
  return machine;
};
