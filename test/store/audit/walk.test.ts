import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { type AuditRow, appendAudit, auditRows, changedRow, createChainWalk } from "../../../src/store/audit/chain.ts";
import { openStore, type Store, type Tx } from "../../../src/store/database/open.ts";
import { newId } from "../../../src/store/ids.ts";
import { useStarted } from "../../harness/use-started.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of the walk along the audit on a PostgreSQL server");

describe("the walk along the audit", () => {
  const incidentId = newId();
  const append = (times: number) =>
    store.transaction(async (tx) => {
      for (let n = 0; n < times; n++)
        await appendAudit(tx, { kind: "job_set_aside", incidentId, body: { queue: "post", key: `${n}`, reason: "" } });
    });
  const store = useStarted(async () => openStore((await here[0]?.create()) ?? ""));
  beforeAll(async () => {
    await append(1_500);
    await sql`alter table audit disable trigger audit_guard`.execute(store.db);
  });

  /** What a look says after this, which is put back. */
  async function withChange(statement: string, look: (tx: Tx) => Promise<unknown>): Promise<unknown> {
    const thrown = await store
      .transaction(async (tx) => {
        await sql.raw(statement).execute(tx);
        throw Object.assign(new Error("put back"), { found: await look(tx) });
      })
      .catch((error: unknown) => error);
    return thrown instanceof Error && "found" in thrown ? thrown.found : thrown;
  }

  it("SR-64 a look that has not come to the end says so, and the next goes on there", async () => {
    const look = createChainWalk(() => store.db, 1_000);
    expect(await look()).toMatchObject({ ok: false, seq: 1_001, reason: expect.stringContaining("was not reached") });
    expect(await look()).toMatchObject({ ok: true, rows: 1_500 });
    await append(10);
    expect(await look()).toMatchObject({ ok: true, rows: 1_510 });
  });

  it.each([
    ["a row cut out of what held before", "delete from audit where seq = 1200", 1_200],
    ["the row at which it stopped", "update audit set body = '{}', hash = 'x' where seq = 1510", 1_510],
    ["an end that is gone", "delete from audit where seq = 1510", 1_510],
    ["a row behind it", "insert into audit values (1511, '', 'test', null, '{}', 'x', 'y')", 1_511],
    ["a head set back", "update audit_head set seq = 1", 1_511],
  ])("SR-64 finds %s, though it does not walk all again", async (_what, statement, seq) => {
    let db: Store["db"] | Tx = store.db;
    const look = createChainWalk(() => db);
    expect(await look()).toMatchObject({ ok: true, rows: 1_510 });
    const found = await withChange(statement, (tx) => {
      db = tx;
      return look();
    });
    expect(found).toMatchObject({ ok: false, seq });
  });

  it.each(["body = '{\"n\":99}'", "kind = 'other'", "at = '2026-03-01T12:00:01.000Z'"])(
    "SR-64 a row of before that was changed to %s is found by whoever reads that row",
    async (change) => {
      const found = await withChange(`update audit set ${change} where seq = 1200`, async (tx) => {
        const rows: AuditRow[] = [];
        for await (const some of auditRows(tx, { incidentId })) rows.push(...some);
        return changedRow(rows);
      });
      expect(found).toMatchObject({ seq: 1_200 });
    },
  );
});
