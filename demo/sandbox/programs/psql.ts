import { constants, DatabaseSync } from "node:sqlite";
import { fail, type Outcome, type Program, readArgs, say } from "../program.ts";

/** One client connection as `pg_stat_activity` shows it. */
export interface Backend {
  readonly pid: number;
  readonly datname: string;
  readonly usename: string;
  readonly application_name: string;
  readonly client_addr: string | null;
  readonly client_port: number | null;
  readonly backend_type: string;
  readonly backend_start: string;
  readonly xact_start: string | null;
  readonly query_start: string;
  readonly state_change: string;
  readonly state: string;
  readonly wait_event_type: string | null;
  readonly wait_event: string | null;
  readonly query: string;
}

/** The server behind psql: who is connected, and how to end a connection. */
export interface Postgres {
  readonly isUp: () => boolean;
  readonly now: () => Date;
  readonly backends: () => readonly Backend[];
  readonly terminate: (pid: number) => boolean;
  readonly settings: Readonly<Record<string, string>>;
}

export const pgTime = (at: Date): string => `${at.toISOString().slice(0, 23).replace("T", " ")}+00`;

const columns = [
  "pid",
  "datname",
  "usename",
  "application_name",
  "client_addr",
  "client_port",
  "backend_type",
  "backend_start",
  "xact_start",
  "query_start",
  "state_change",
  "state",
  "wait_event_type",
  "wait_event",
  "query",
] as const;
const intervalSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const readOnly = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
]);

/** The few words of PostgreSQL that SQLite lacks, said its way. */
const translate = (sql: string): string => {
  const show = /^\s*show\s+([\w.]+)\s*;?\s*$/i.exec(sql)?.[1];
  if (show) return `select setting as ${show} from pg_settings where name = '${show}'`;
  return sql
    .replace(
      /now\(\)\s*-\s*interval\s*'(\d+)\s*([smhd])[a-z]*'/gi,
      (_, n: string, unit: string) => `ago(${Number(n) * (intervalSeconds[unit.toLowerCase()] ?? 1)})`,
    )
    .replace(/now\(\)\s*-\s*(\w*_(?:start|change))/gi, "since($1)")
    .replace(/current_timestamp/gi, "now()")
    .replace(/\s*::\s*\w+(\(\d+\))?/g, "")
    .replace(/\bilike\b/gi, "like")
    .replace(/\bpg_catalog\./gi, "");
};

const elapsed = (ms: number): string => new Date(Math.max(0, ms)).toISOString().slice(11, 23);

/** A database that lives for one statement: SQLite in memory over the server's state, reading only. */
const openView = (server: Postgres, ended: Set<number>): DatabaseSync => {
  const db = new DatabaseSync(":memory:");
  db.exec(
    `create table pg_stat_activity (${columns.join(",")}); create table pg_settings (name, setting); create table pg_database (datname)`,
  );
  const insert = db.prepare(`insert into pg_stat_activity values (${columns.map(() => "?").join(",")})`);
  for (const backend of server.backends()) insert.run(...columns.map((column) => backend[column]));
  for (const [name, setting] of Object.entries(server.settings))
    db.prepare("insert into pg_settings values (?, ?)").run(name, setting);
  db.exec("insert into pg_database values ('checkout'), ('postgres')");
  const now = server.now();
  db.function("now", () => pgTime(now));
  db.function("ago", (seconds) => pgTime(new Date(now.getTime() - Number(seconds) * 1000)));
  db.function("since", (at) => (at === null ? null : elapsed(now.getTime() - new Date(String(at)).getTime())));
  db.function("version", () => "PostgreSQL 15.13 (Debian 15.13-0+deb12u1) on x86_64-pc-linux-gnu");
  db.function("pg_is_in_recovery", () => "f");
  db.function("pg_backend_pid", () => 4711);
  db.function("current_setting", (name) => server.settings[String(name)] ?? null);
  for (const name of ["pg_terminate_backend", "pg_cancel_backend"]) {
    db.function(name, (pid) => {
      if (name === "pg_terminate_backend") ended.add(Number(pid));
      return "t";
    });
  }
  // No ATTACH, no PRAGMA: a statement must not reach a file of the host.
  db.setAuthorizer((action) => (readOnly.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY));
  return db;
};

type Row = Readonly<Record<string, unknown>>;
const cell = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

const layout = (
  rows: readonly Row[],
  names: readonly string[],
  style: { bare: boolean; aligned: boolean; separator: string },
): string => {
  const body = rows.map((row) => names.map((name) => cell(row[name])));
  if (!style.aligned)
    return [...(style.bare ? [] : [names]), ...body].map((row) => row.join(style.separator)).join("\n");
  const widths = names.map((name, i) =>
    Math.max(style.bare ? 0 : name.length, ...body.map((row) => row[i]?.length ?? 0)),
  );
  const numeric = names.map((name) => rows.length > 0 && rows.every((row) => typeof row[name] === "number"));
  const line = (row: readonly string[]): string =>
    ` ${row.map((c, i) => (numeric[i] ? c.padStart(widths[i] ?? 0) : c.padEnd(widths[i] ?? 0))).join(" | ")}`;
  if (style.bare) return body.map(line).join("\n");
  const head = ` ${names.map((n, i) => n.padStart(Math.floor(((widths[i] ?? 0) + n.length) / 2)).padEnd(widths[i] ?? 0)).join(" | ")}`;
  return [
    head,
    widths.map((w) => "-".repeat(w + 2)).join("+"),
    ...body.map(line),
    `(${rows.length} row${rows.length === 1 ? "" : "s"})`,
    "",
  ].join("\n");
};

const query = (
  server: Postgres,
  sql: string,
  style: { bare: boolean; aligned: boolean; separator: string },
): Outcome => {
  const ended = new Set<number>();
  const db = openView(server, ended);
  try {
    const statement = db.prepare(translate(sql));
    const names = statement.columns().map((column) => column.name.replace(/^(\w+)\(.*\)$/, "$1"));
    statement.setReturnArrays(true);
    const rows = statement
      .all()
      .map((values) => Object.fromEntries(Object.values(values).map((v, i) => [names[i] ?? "?column?", v])));
    for (const pid of ended) server.terminate(pid);
    return say(layout(rows, names, style));
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return fail(
      /not authorized/.test(message)
        ? "ERROR:  permission denied"
        : `ERROR:  ${message.replace(/^no such (\w+): (.*)$/, '$1 "$2" does not exist')}`,
    );
  } finally {
    db.close();
  }
};

/** `psql -c …`, `-tA`, `-f -` or SQL on stdin, over a server that exists only as a list of connections. */
export const createPsql =
  (server: Postgres): Program =>
  (args, { stdin }) => {
    const { has, text } = readArgs(args, {
      command: { type: "string", short: "c" },
      dbname: { type: "string", short: "d" },
      username: { type: "string", short: "U" },
      host: { type: "string", short: "h" },
      port: { type: "string", short: "p" },
      set: { type: "string", short: "v" },
      pset: { type: "string", short: "P" },
      "field-separator": { type: "string", short: "F" },
      "tuples-only": { type: "boolean", short: "t" },
      "no-align": { type: "boolean", short: "A" },
      "no-psqlrc": { type: "boolean", short: "X" },
      quiet: { type: "boolean", short: "q" },
      list: { type: "boolean", short: "l" },
    });
    if (!server.isUp()) {
      return fail(
        'psql: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: No such file or directory\n\tIs the server running locally and accepting connections on that socket?',
        2,
      );
    }
    const sql = has("list") ? "select datname from pg_database" : (text("command") ?? stdin).trim();
    if (sql === "") return say("");
    if (sql === "\\conninfo")
      return say(
        'You are connected to database "postgres" as user "postgres" via socket in "/var/run/postgresql" at port "5432".',
      );
    if (sql.startsWith("\\l"))
      return query(server, "select datname from pg_database", { bare: false, aligned: true, separator: "|" });
    return query(server, sql, {
      bare: has("tuples-only"),
      aligned: !has("no-align"),
      separator: text("field-separator") ?? "|",
    });
  };
