import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore, type Store } from "../../src/store/database.ts";
import { appendDenial, denialLimit } from "../../src/store/denials.ts";
import { places } from "./fresh.ts";

const here = await places("tests of denials on a PostgreSQL server");
afterAll(async () => {
  for (const place of here) await place.remove();
});

describe.each(here)("denials in the audit ($kind)", ({ create }) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await create());
  });
  afterAll(() => store.close());

  const deny = (by: number, now: Date) =>
    store.transaction((tx) => appendDenial(tx, { kind: "command_denied", incidentId: null, now, body: { by } }));
  const kindsOf = async (by: number) => {
    const rows = await store.db.selectFrom("audit").select(["kind", "body"]).orderBy("seq").execute();
    return rows.filter(({ body }) => body.startsWith(`{"by":${by}`)).map(({ kind }) => kind);
  };

  it("SR-67 one person fills only so many rows in a while; that more came is said once, and others are not touched", async () => {
    const now = new Date();
    for (let i = 0; i < denialLimit.rows + 10; i++) await deny(7, now);
    await deny(8, now);
    const kinds = await kindsOf(7);
    expect(kinds.filter((kind) => kind === "command_denied")).toHaveLength(denialLimit.rows);
    expect(kinds.at(-1)).toBe("denials_muted");
    expect(kinds).toHaveLength(denialLimit.rows + 1);
    expect(await kindsOf(8)).toEqual(["command_denied"]);
    await deny(7, new Date(now.getTime() + denialLimit.windowMs + 60_000));
    expect((await kindsOf(7)).at(-1)).toBe("command_denied");
  });
});
