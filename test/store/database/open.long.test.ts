import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { OperatorError } from "../../../src/base/errors.ts";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import { newId } from "../../../src/store/ids.ts";
import { freshFolder, removeFolder } from "../fresh.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of the store on a PostgreSQL server");

async function using<T>(url: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

const refusal = async (url: string): Promise<string> => {
  const error = await openStore(url).then(
    async (store) => {
      await store.close();
      return undefined;
    },
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OperatorError);
  return String(error);
};

describe.each(here)("the store ($kind)", ({ create }) => {
  it("gives back whole numbers, times and JSON as they were put in", async () => {
    await using(await create(), async ({ db }) => {
      const incidentId = newId();
      const at = new Date("2026-03-01T12:00:00.123Z");
      await sql`create table probe (big bigint, at timestamptz, doc jsonb)`.execute(db);
      await sql`insert into probe values (${4_294_967_296_123}, ${at}, ${JSON.stringify({ snake_key: [1, { incidentId }] })})`.execute(
        db,
      );
      const { rows } = await sql`select big, at, doc from probe`.execute(db);
      expect(rows).toEqual([{ big: 4_294_967_296_123, at, doc: { snake_key: [1, { incidentId }] } }]);
    });
  });

  it("keeps nothing of a transaction that throws, and all of one that does not", async () => {
    const url = await create();
    await using(url, async (store) => {
      const insert = (id: number) =>
        store.transaction(async (tx) => {
          await tx
            .insertInto("repository")
            .values({ id, installationId: 1, name: `acme/${id}` })
            .execute();
          if (id === 2) throw new Error("changed my mind");
        });
      await insert(1);
      await expect(insert(2)).rejects.toThrow("changed my mind");
    });
    await using(url, async ({ db }) => {
      expect(await db.selectFrom("repository").select("id").execute()).toEqual([{ id: 1 }]);
    });
  });

  it("refuses to be used round an open transaction, which would wait for ever", async () => {
    await using(await create(), async (store) => {
      const round = store.transaction(async () => {
        await store.db.selectFrom("repository").selectAll().execute();
      });
      await expect(round).rejects.toThrow("inside a transaction");
      const nested = store.transaction(() => store.transaction(async () => {}));
      await expect(nested).rejects.toThrow("inside a transaction");
      expect(await store.db.selectFrom("repository").selectAll().execute()).toEqual([]);
    });
  });

  it("RR-20 says that it can be written", async () => {
    await using(await create(), ({ writable }) => expect(writable()).resolves.toBeUndefined());
  });

  it("RR-18 refuses a store that a newer version has written, and changes nothing in it", async () => {
    const url = await create();
    await using(url, async ({ db }) => {
      await sql`insert into kysely_migration values ('9999-future', '2030-01-01')`.execute(db);
    });
    expect(await refusal(url)).toMatch(/newer version of this program \(it has 9999-future\).*start that version/);
  });
});

describe("the embedded store", () => {
  it("RR-12 is one process's: a second is refused and told whose it is", async () => {
    const folder = await freshFolder();
    await using(`file:${folder}`, async () => {
      expect(await refusal(`file:${folder}`)).toContain(`in use by another process (pid ${process.pid})`);
    });
    await using(`file:${folder}`, async ({ writable }) => writable());
    removeFolder(folder);
  });

  it("F-21 refuses to start on a damaged database and leaves it as it was", async () => {
    const folder = await freshFolder();
    const control = join(folder, "pgdata-18", "global", "pg_control");
    writeFileSync(control, Buffer.alloc(8192, 7));
    expect(await refusal(`file:${folder}`)).toMatch(/cannot be read.*restore a backup/s);
    expect(readFileSync(control)).toEqual(Buffer.alloc(8192, 7));
    removeFolder(folder);
  });

  const many =
    "insert into repository (id, installation_id, name) select n, 1, 'acme/' || n from generate_series(1, 5000) n";
  const big = `insert into delivery (guid, line, event, payload) select n::text, 'issue:1:1', 'push', repeat(md5(n::text), 400)
    from generate_series(1, 50) n`;
  const aside = "(select reltoastrelid from pg_class where oid = 'delivery'::regclass)";
  it.each([
    ["of a table", many, "'repository'"],
    // A count of its rows would read the index alone.
    ["of a table that an index stands for", `${many}; vacuum (analyze) repository`, "'repository'"],
    ["of what a table keeps out of line", big, aside],
  ])("F-21 finds a damaged page %s at the start", async (_, fill, relation) => {
    const folder = await freshFolder();
    const path = await using(`file:${folder}`, async ({ db }) => {
      for (const statement of [...fill.split("; "), "checkpoint"]) await sql.raw(statement).execute(db);
      const { rows } = await sql.raw<{ path: string }>(`select pg_relation_filepath(${relation}) as path`).execute(db);
      return rows[0]?.path ?? "";
    });
    const file = join(folder, "pgdata-18", path);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x5a, 100, 4000));
    expect(await refusal(`file:${folder}`)).toMatch(/cannot be read.*invalid page/s);
    removeFolder(folder);
  });

  it("F-21 finds at the start that something kept out of line is gone, though no page is damaged", async () => {
    const folder = await freshFolder();
    const path = await using(`file:${folder}`, async ({ db }) => {
      for (const statement of [big, "checkpoint"]) await sql.raw(statement).execute(db);
      const { rows } = await sql.raw<{ path: string }>(`select pg_relation_filepath(${aside}) as path`).execute(db);
      return rows[0]?.path ?? "";
    });
    writeFileSync(join(folder, "pgdata-18", path), "");
    expect(await refusal(`file:${folder}`)).toMatch(/cannot be read/);
    removeFolder(folder);
  });

  it("RR-12 never makes a new empty database where the old one is gone", async () => {
    const folder = await freshFolder();
    renameSync(join(folder, "pgdata-18"), join(folder, "moved"));
    expect(await refusal(`file:${folder}`)).toContain("its database files are gone");
    rmSync(join(folder, "moved"), { recursive: true });
    expect(await refusal(`file:${folder}`)).toContain("its database files are gone");
    removeFolder(folder);
  });
});

describe("an address", () => {
  it("that names no store is refused with an example", async () => {
    expect(await refusal("mysql://root@db/x")).toContain("write file:./data or postgres://");
  });

  it("of a server that is not there is refused, and the message keeps the password", async () => {
    const text = await refusal("postgres://bot:hunter2@127.0.0.1:1/countersign");
    expect(text).toContain("postgres://127.0.0.1:1/countersign: the database cannot be reached");
    expect(text).not.toContain("hunter2");
  });
});

describe.each(here.filter(({ kind }) => kind === "server"))("a PostgreSQL server", ({ create }) => {
  it("RR-01 that confirms before it has written is refused", async () => {
    const url = await create();
    await using(url, async ({ db }) => {
      await sql.raw(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`).execute(db);
    });
    expect(await refusal(url)).toContain("has synchronous_commit = off and would lose what it has confirmed");
  });

  it("RR-18 is brought up in one transaction: where one statement fails nothing of it stays, and later it is done", async () => {
    const url = await create();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const tables = async () => {
      const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
      return rows.map(({ tablename }) => String(tablename)).filter((name) => !name.startsWith("kysely"));
    };
    await client.query("create table label (id int)");
    await expect(openStore(url)).rejects.toThrow("already exists");
    expect(await tables()).toEqual(["label"]);
    await client.query("drop table label");
    await using(url, async () => expect(await tables()).toContain("incident"));
    await client.end();
  });

  it("F-34 that is empty is opened by eight processes at the same moment", async () => {
    const url = await create();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(url)));
    await Promise.all(stores.map((store) => store.close()));
  });
});
