import { Socket } from "node:net";
import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { messageOf, OperatorError } from "../../base/errors.ts";
import { newNonce } from "../ids.ts";
import type { Connection, Warn } from "./connection.ts";
import { planOnce, types } from "./pool.ts";
import type { Tables } from "./tables.ts";

const maxConnections = 10;
const maxRelaxed = 3;
/** A stalled transaction is rolled back, because others wait for its locks. */
const idleInTransactionMs = 30_000;
/** No statement is silent so long: blockers are rolled back, and a dump keeps sending. */
const longestSilenceMs = 120_000;
const channel = "countersign_queue";

/**
 * `place` is the server's address without secrets. Throws an `OperatorError` if it cannot be reached or would lose what it has confirmed.
 */
export async function openServer(
  url: string,
  place: string,
  warn: Warn,
  mostSilentMs = longestSilenceMs,
): Promise<Connection> {
  const settings = {
    connectionString: url,
    types,
    application_name: "countersign",
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
  const pooled = {
    ...settings,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
    stream: () => {
      // A query to a vanished server waits a quarter of an hour, until the system gives up. A timeout of the query would
      // leave the dead connection to the next one.
      const socket = new Socket();
      socket.setTimeout(mostSilentMs, () =>
        socket.destroy(new Error(`the server has not answered for ${Math.round(mostSilentMs / 1_000)} s`)),
      );
      return socket;
    },
  };
  const pool = new pg.Pool({ ...pooled, max: maxConnections });
  const relaxed = new pg.Pool({ ...pooled, max: maxRelaxed, options: "-c synchronous_commit=off" });
  for (const each of [pool, relaxed]) {
    // An unhandled loss, even inside a transaction, ends the process.
    each.on("connect", (client) => {
      client.on("error", (error) => warn(`database: a connection was lost: ${messageOf(error)}`));
    });
    each.on("error", () => {
      // The connection itself has warned.
    });
  }
  const origin = newNonce();
  try {
    await proveDurable(pool, place);
    const presence = await createPresence({ ...settings, channel, origin, warn });
    const waiting = new Set<string>();
    let sending = false;
    const send = async (): Promise<void> => {
      sending = true;
      try {
        while (waiting.size > 0) {
          const queues = [...waiting];
          waiting.clear();
          await relaxed.query("select pg_notify($1, queue) from unnest($2::text[]) as queue", [
            channel,
            queues.map((queue) => `${origin} ${queue}`),
          ]);
        }
      } catch (error) {
        warn(`database: cannot tell other processes of new jobs, they will find them: ${messageOf(error)}`);
      } finally {
        sending = false;
      }
    };
    return {
      kind: "server",
      db: new Kysely<Tables>({
        dialect: new PostgresDialect({ pool: planOnce(pool) }),
        plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
      }),
      inTurn: presence.inTurn,
      whileAlone: presence.whileAlone,
      relaxed: async (name, text) => (await relaxed.query({ name, text })).rows,
      others: {
        announce: (queue) => {
          waiting.add(queue);
          if (!sending) void send();
        },
        onAnnounced: presence.onAnnounced,
      },
      close: async () => {
        await presence.close();
        await Promise.all([pool.end(), relaxed.end()]);
      },
    };
  } catch (error) {
    await Promise.all([pool.end(), relaxed.end()]);
    throw error;
  }
}

async function proveDurable(pool: pg.Pool, place: string): Promise<void> {
  const { rows } = await pool
    .query<{ name: string }>(
      `select name from pg_settings
       where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`,
    )
    .catch((error: unknown) => {
      throw new OperatorError([
        {
          place,
          message: `the database cannot be reached: ${messageOf(error)}`,
          remedy: "start the server, or fix store.url (host, user, password, database)",
        },
      ]);
    });
  if (rows.length === 0) return;
  throw new OperatorError(
    rows.map(({ name }) => ({
      place,
      message: `the server has ${name} = off and would lose what it has confirmed`,
      remedy: `set ${name} = on in its postgresql.conf`,
    })),
  );
}

const reconnectDelayMs = 1_000;
/** Each process holds this advisory lock shared; one that gets it exclusively is alone. */
const presenceKey = 7_265_310_442;
/** Held while a process migrates the schema. */
const turnKey = 7_265_310_443;

interface Presence extends Pick<Connection, "inTurn" | "whileAlone"> {
  readonly onAnnounced: (listener: (queue: string) => void) => void;
  readonly close: () => Promise<void>;
}

interface PresenceOptions extends pg.ClientConfig {
  readonly channel: string;
  /** This process ignores its own announcements. */
  readonly origin: string;
  readonly warn: Warn;
}

/** Hears other processes on `channel`; its lock shows that this one lives. Reconnects after a loss; until then the pumps poll. */
export async function createPresence({ channel, origin, warn, ...settings }: PresenceOptions): Promise<Presence> {
  const listeners = new Set<(queue: string) => void>();
  let closed = false;

  const connect = async (begin: (client: pg.Client) => Promise<unknown>): Promise<pg.Client> => {
    const client = new pg.Client({ ...settings, keepAlive: true });
    client.on("error", (error) => warn(`database: the listening connection: ${messageOf(error)}`));
    try {
      await client.connect();
      client.on("notification", ({ payload = "" }) => {
        const [from, queue = ""] = payload.split(" ");
        if (from !== origin) for (const listener of listeners) listener(queue);
      });
      await client.query(`listen ${channel}`);
      await begin(client);
    } catch (error) {
      // The next try comes a second later.
      void client.end().catch(() => undefined);
      throw error;
    }
    return client;
  };
  const share = (client: pg.Client) => client.query("select pg_advisory_lock_shared($1)", [presenceKey]);

  const keep = (client: pg.Client): void => {
    current = client;
    client.once("end", () => setTimeout(reconnect, closed ? 0 : reconnectDelayMs).unref());
  };
  const reconnect = async (): Promise<void> => {
    if (closed) return;
    try {
      keep(await connect(share));
    } catch (error) {
      warn(`database: cannot listen: ${messageOf(error)}`);
      setTimeout(reconnect, reconnectDelayMs).unref();
    }
  };

  let current = await connect(async () => undefined);
  keep(current);
  return {
    inTurn: async (work) => {
      const holder = current;
      await holder.query("select pg_advisory_lock($1)", [turnKey]);
      // A lost connection has released it already.
      return work().finally(() => holder.query("select pg_advisory_unlock($1)", [turnKey]).catch(() => undefined));
    },
    whileAlone: async (work) => {
      const { rows } = await current.query<{ alone: boolean }>("select pg_try_advisory_lock($1) as alone", [
        presenceKey,
      ]);
      const alone = rows[0]?.alone ?? false;
      if (alone) await work();
      await share(current);
      if (alone) await current.query("select pg_advisory_unlock($1)", [presenceKey]);
    },
    onAnnounced: (listener) => {
      listeners.add(listener);
    },
    close: async () => {
      closed = true;
      await current.end();
    },
  };
}
