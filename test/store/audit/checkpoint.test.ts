import { generateKeyPairSync } from "node:crypto";
import { rmSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendAudit, hashOf, verifyAudit } from "../../../src/store/audit/chain.ts";
import { contradiction, createNotary, readHead } from "../../../src/store/audit/checkpoint.ts";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import { freshFolder } from "../fresh.ts";

const pem = (): string => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const rows = 10_000;

describe("checkpoints of the audit", () => {
  const notary = createNotary(pem());
  const checkpoint = { size: 41, head: "ab".repeat(32) };

  it("SR-66 a signed note reads back, and one bit or another key makes it nothing", () => {
    const note = notary.sign(checkpoint);
    expect(notary.read(note)).toEqual(checkpoint);
    expect(notary.read(note.replace("41", "42"))).toBeUndefined();
    expect(notary.read(note.replace("ab", "cb"))).toBeUndefined();
    expect(createNotary(pem()).read(note)).toBeUndefined();
    expect(notary.read("")).toBeUndefined();
  });
});

describe(`SR-64 an audit of ${rows} rows`, () => {
  let store: Store;
  let folder: string;

  beforeAll(async () => {
    folder = await freshFolder();
    store = await openStore(`file:${folder}`);
    // Written as appendAudit writes them, many to a statement.
    let last = { seq: 0, hash: "" };
    const chain = Array.from({ length: rows }, (_, n) => {
      const link = {
        prev: last.hash,
        seq: n + 1,
        at: new Date().toISOString(),
        kind: "test",
        incidentId: null,
        body: `{"n":${n}}`,
      };
      last = { seq: link.seq, hash: hashOf(link) };
      return { ...link, hash: last.hash };
    });
    for (let from = 0; from < rows; from += 1_000)
      await store.db
        .insertInto("audit")
        .values(chain.slice(from, from + 1_000))
        .execute();
    await store.db.updateTable("auditHead").set(last).where("one", "=", 1).execute();
    await store.transaction((tx) =>
      appendAudit(tx, { kind: "job_set_aside", body: { queue: "post", key: `${rows}`, reason: "" } }),
    );
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Does what only somebody with the database's own password could, looks, and undoes it. */
  async function tampered(statements: readonly string[], look: () => Promise<unknown>): Promise<unknown> {
    const undo = ["drop table audit_was", "drop table head_was"];
    for (const text of [
      "create table audit_was as select * from audit",
      "create table head_was as select * from audit_head",
      "alter table audit disable trigger audit_guard",
      ...statements,
    ])
      await sql.raw(text).execute(store.db);
    const seen = await look();
    for (const text of [
      "delete from audit",
      "insert into audit select * from audit_was",
      "delete from audit_head",
      "insert into audit_head select * from head_was",
      "alter table audit enable trigger audit_guard",
      ...undo,
    ])
      await sql.raw(text).execute(store.db);
    return seen;
  }
  const verified = () => verifyAudit(store.db);

  it("verifies as it was written", async () => expect(await verified()).toMatchObject({ ok: true, rows: rows + 1 }));

  it.each([
    ["an edit", ["update audit set body = '{\"n\":1}' where seq = 5000"], 5000],
    ["a deletion", ["delete from audit where seq = 5000"], 5000],
    [
      "two rows that changed places",
      [
        "update audit set seq = -1 where seq = 5000",
        "update audit set seq = 5000 where seq = 5001",
        "update audit set seq = 5001 where seq = -1",
      ],
      5000,
    ],
    [
      "a row that was put in",
      ["insert into audit select 10002, at, kind, incident_id, body, prev, hash from audit where seq = 9000"],
      10_002,
    ],
    ["an end that was cut off", ["delete from audit where seq > 9000"], 9001],
    [
      "an end that was cut off with its head",
      ["delete from audit where seq > 9000", "update audit_head set seq = 8000"],
      9001,
    ],
  ])("finds %s", async (_what, statements, seq) => {
    expect(await tampered(statements, verified)).toMatchObject({ ok: false, seq });
  });

  it("cannot be changed by a plain statement", async () => {
    await expect(sql.raw("delete from audit where seq = 3").execute(store.db)).rejects.toThrow("append-only");
  });

  it("SR-66 a log that was rewritten from the middle and is whole in itself contradicts an old checkpoint", async () => {
    const before = await readHead(store.db);
    const seen = await tampered([], async () => {
      const kept = await store.db
        .selectFrom("audit")
        .selectAll()
        .where("seq", ">=", rows - 1)
        .orderBy("seq")
        .execute();
      let prev = kept[0]?.prev ?? "";
      for (const row of kept) {
        const body = '{"n":"another story"}';
        const hash = hashOf({ ...row, body, prev });
        await store.db.updateTable("audit").set({ body, prev, hash }).where("seq", "=", row.seq).execute();
        prev = hash;
      }
      await store.db.updateTable("auditHead").set({ hash: prev }).execute();
      return { chain: await verified(), checkpoint: await contradiction(store.db, before) };
    });
    expect(seen).toMatchObject({ chain: { ok: true }, checkpoint: expect.stringContaining("was rewritten") });
    expect(await contradiction(store.db, before)).toBeUndefined();
    expect(await contradiction(store.db, { size: rows + 5, head: "00".repeat(32) })).toContain("its end is missing");
  });
});
