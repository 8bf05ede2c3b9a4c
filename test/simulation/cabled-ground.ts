import { setTimeout as sleep } from "node:timers/promises";
import { startCable } from "../harness/cluster.ts";
import { entryOf, type Ground, type PlaygroundOptions, prepareGround } from "../harness/playground.ts";
import { startPostgres } from "../harness/postgres.ts";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";

/** The ground of a long play: a PostgreSQL that can be cut off, and a server on which each command takes its time and says its token. */
export interface CabledGround {
  readonly ground: Ground;
  readonly host: FakeHost;
  readonly cable: Awaited<ReturnType<typeof startCable>>;
  /** The database by the cable, which the bot's config names, and without it. */
  readonly cabledUrl: string;
  readonly storeUrl: string;
  readonly crashStore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface CabledGroundOptions extends Pick<PlaygroundOptions, "config" | "moreRepos"> {
  /** Said where PostgreSQL is missing. */
  readonly why: string;
  /** All are one machine. */
  readonly servers: readonly string[];
  /** How long a command takes. */
  readonly takesMs: () => number;
}

/** Nothing where PostgreSQL is not installed. */
export async function startCabledGround({
  why,
  servers,
  takesMs,
  ...options
}: CabledGroundOptions): Promise<CabledGround | undefined> {
  const postgres = await startPostgres(why);
  if (!postgres) return undefined;
  const storeUrl = await postgres.createDatabase();
  const cable = await startCable(Number(new URL(storeUrl).port));
  const cabled = new URL(storeUrl);
  cabled.port = String(cable.port);
  const host = await startFakeHost(async (command, { channel }) => {
    await sleep(takesMs());
    channel.write(`said ${/token-\d+-\w/.exec(command)?.[0] ?? "nothing"}\n`);
    return 0;
  });
  const ground = await prepareGround({
    ...options,
    servers: Object.fromEntries(servers.map((name) => [name, entryOf(host)])),
    storeUrl: cabled.href,
  });
  return {
    ground,
    host,
    cable,
    cabledUrl: cabled.href,
    storeUrl,
    crashStore: postgres.crash,
    close: async () => {
      await ground.close();
      await Promise.all([host.close(), cable.close(), postgres.stop()]);
    },
  };
}
