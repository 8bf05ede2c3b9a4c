import { afterAll } from "vitest";
import { startPostgres } from "../harness/postgres.ts";
import { type Place, places } from "./fresh.ts";

/** Both kinds of database for the tests of a file, and their end behind them; the server only where PostgreSQL is installed. */
export async function usePlaces(why: string): Promise<readonly Place[]> {
  const here = await places(why);
  afterAll(async () => {
    for (const place of here) await place.remove();
  });
  return here;
}

/** The same for a whole bot, which makes an embedded store of its own where it is given no address. */
export async function useBotPlaces(why: string) {
  const cluster = await startPostgres(why);
  afterAll(() => cluster?.stop());
  return [
    { kind: "embedded", available: true, url: async () => undefined },
    { kind: "server", available: cluster !== undefined, url: async () => cluster?.createDatabase() },
  ] as const;
}
