import pg from "pg";
import { messageOf } from "../base/errors.ts";
import type { Connection, Warn } from "./database/connection.ts";

const reconnectDelayMs = 1_000;
/** Each process holds this advisory lock shared; one that gets it exclusively is alone. */
const presenceKey = 7_265_310_442;
/** Held while a process migrates the schema. */
const turnKey = 7_265_310_443;

export interface Presence extends Pick<Connection, "inTurn" | "whileAlone"> {
  readonly onAnnounced: (listener: (queue: string) => void) => void;
  readonly close: () => Promise<void>;
}

export interface PresenceOptions extends pg.ClientConfig {
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
