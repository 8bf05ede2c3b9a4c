import { createHash } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { OperatorError } from "../../../src/base/errors.ts";
import { openEmbedded } from "../../../src/store/database/embedded.ts";
import { migrations } from "../../../src/store/database/migrate.ts";
import { openStore } from "../../../src/store/database/open.ts";
import { openServer } from "../../../src/store/database/server-database.ts";
import { openIncident } from "../../../src/store/incidents.ts";
import { incidentInput } from "../rows.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of an older build's store on a PostgreSQL server");

/** SHA-256 of each. A store that has it never gets what was changed in it afterwards: a change is a new file. */
const released = { "0001-tables": "77134aaacc429fac" };

it("RR-18 no migration is edited once it was released, and each is listed", () => {
  const hashes = Object.entries(migrations).map(([name, text]) => [
    name,
    createHash("sha256").update(text).digest("hex").slice(0, 16),
  ]);
  expect(Object.fromEntries(hashes)).toEqual(released);
});

describe.each(here)("a store of a build from before 0.1.0 ($kind)", ({ create }) => {
  it.each([
    ["its first", ["0001-first"]],
    ["one of a later one", ["0001-schema"]],
    ["one after that", ["0001-initial"]],
    ["its last", ["0001-first", "0013-lease", "0024-write-order"]],
  ])(
    "RR-18 is refused with what it is and what to do, and stays as it is: %s",
    { tags: ["long"] },
    async (_, names) => {
      const url = await create();
      const old = await openStore(url);
      const { incident } = await old.transaction((tx) => openIncident(tx, incidentInput(1)));
      await sql`delete from kysely_migration`.execute(old.db);
      for (const name of names) await sql`insert into kysely_migration values (${name}, '2026-01-01')`.execute(old.db);
      await old.close();
      const refusal = await openStore(url).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(OperatorError);
      expect(String(refusal)).toMatch(
        /was written by an unreleased build, from before 0\.1\.0, and stores of those cannot be upgraded.*name an empty folder or database in store\.url/s,
      );
      const connection = await (url.startsWith("file:")
        ? openEmbedded(url.slice("file:".length), () => {})
        : openServer(url, "test", () => {}));
      const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
        connection.db,
      );
      expect(rows.map(({ name }) => name)).toEqual(names);
      expect(await connection.db.selectFrom("incident").select("id").execute()).toEqual([{ id: incident.id }]);
      await connection.close();
    },
  );
});
