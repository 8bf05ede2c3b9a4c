import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/database/open.ts";
import { usePlaces } from "../use-places.ts";
import { printTables } from "./print-tables.ts";

const here = await usePlaces("a test of the tables' types on a PostgreSQL server");

describe.each(here)("the types of the tables ($kind)", ({ create }) => {
  it("are those of the migrated schema, byte for byte (`-u` writes them)", async () => {
    const store = await openStore(await create());
    const text = await printTables(store.db);
    await store.close();
    await expect(text).toMatchFileSnapshot(
      fileURLToPath(new URL("../../../src/store/database/tables.ts", import.meta.url)),
    );
  });
});
