import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendAudit, hashOf, verifyAudit } from "../../../src/store/audit/chain.ts";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import { newId } from "../../../src/store/ids.ts";
import { useStarted } from "../../harness/use-started.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of the audit on a PostgreSQL server");

describe.each(here)("the audit ($kind)", ({ create }) => {
  const store = useStarted(async () => openStore(await create()));

  it("SR-64 is one chain over all that was appended, also at the same time", async () => {
    expect(await verifyAudit(store.db)).toEqual({ ok: true, rows: 0, head: "" });
    const incidentId = newId();
    const append = (n: number) =>
      store.transaction((tx) =>
        appendAudit(tx, { kind: "job_set_aside", incidentId, body: { reason: `${n}`, queue: "post", key: "ü" } }),
      );
    await Promise.all([1, 2, 3, 4, 5].map(append));
    const rows = await store.db.selectFrom("audit").selectAll().orderBy("seq").execute();
    expect(rows.map(({ seq, body }) => [seq, body.slice(0, 23)])).toEqual(
      [1, 2, 3, 4, 5].map((seq) => [seq, '{"key":"ü","queue":"post"'.slice(0, 23)]),
    );
    const last = rows.at(-1);
    expect(await verifyAudit(store.db)).toEqual({ ok: true, rows: 5, head: last?.hash });
    expect(last && hashOf(last)).toBe(last?.hash);
  });

  it("SR-63 keeps no record of what was undone, and leaves no gap", async () => {
    const before = await verifyAudit(store.db);
    const undone = store.transaction(async (tx) => {
      await appendAudit(tx, { kind: "job_set_aside", body: { queue: "post", key: "undone", reason: "" } });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await verifyAudit(store.db)).toEqual(before);
  });

  it.each(["update audit set body = '{}' where seq = 1", "delete from audit where seq = 1", "truncate audit"])(
    "SR-64 cannot be changed by %s",
    (statement) => expect(sql.raw(statement).execute(store.db)).rejects.toThrow("the audit is append-only"),
  );
});

describe("the verifier", () => {
  const rows = 10_000;
  let store: Store;
  beforeAll(async () => {
    store = await openStore((await here[0]?.create()) ?? "");
    let prev = "";
    for (let from = 1; from <= rows; from += 1_000) {
      const links = Array.from({ length: 1_000 }, (_, n) => {
        const link = {
          seq: from + n,
          at: "2026-03-01T12:00:00.000Z",
          kind: "test",
          incidentId: null,
          body: `{"n":${n}}`,
          prev,
        };
        prev = hashOf(link);
        return { ...link, hash: prev };
      });
      await store.db.insertInto("audit").values(links).execute();
    }
    await store.db.updateTable("auditHead").set({ seq: rows, hash: prev }).execute();
    await sql`alter table audit disable trigger audit_guard`.execute(store.db);
  });
  afterAll(() => store.close());

  it("SR-64 passes a log of 10,000 rows as it was written", async () => {
    expect(await verifyAudit(store.db)).toMatchObject({ ok: true, rows });
  });

  const middle = 5_000;
  it.each([
    ["an edit", `update audit set body = '{"n":0}' where seq = ${middle}`, middle],
    ["another time", `update audit set at = '2026-03-01T12:00:01.000Z' where seq = ${middle}`, middle],
    ["another kind", `update audit set kind = 'other' where seq = ${middle}`, middle],
    ["another incident", `update audit set incident_id = gen_random_uuid() where seq = ${middle}`, middle],
    ["a deletion", `delete from audit where seq = ${middle}`, middle],
    [
      "a deletion closed up",
      `with gone as (delete from audit where seq = ${rows}) update audit set seq = seq where seq = 1`,
      rows + 0,
    ],
    ["a forged row at the end", `insert into audit values (${rows + 1}, '', 'test', null, '{}', 'x', 'y')`, rows + 1],
    [
      "two rows in each other's place",
      `update audit a set body = b.body, hash = b.hash, prev = b.prev from audit b where (a.seq, b.seq) in ((${middle}, ${middle + 1}), (${middle + 1}, ${middle}))`,
      middle,
    ],
    ["a first row gone", "delete from audit where seq = 1", 1],
    ["everything gone", "delete from audit", 1],
    ["a head set back", `update audit_head set seq = ${middle}`, rows + 1],
    ["no head", "delete from audit_head", rows + 1],
  ])("SR-64 finds %s", async (_name, mutation, seq) => {
    const found = await store
      .transaction(async (tx) => {
        await sql.raw(mutation).execute(tx);
        throw Object.assign(new Error("put back"), { found: await verifyAudit(tx) });
      })
      .catch((error: unknown) => error);
    expect(found).toMatchObject({ found: { ok: false, seq } });
  });
});
