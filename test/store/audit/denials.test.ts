import { describe, expect, it } from "vitest";
import { appendDenial, appendRefusal, denialLimit } from "../../../src/store/audit/denials.ts";
import { openStore } from "../../../src/store/database/open.ts";
import { useStarted } from "../../harness/use-started.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of denials on a PostgreSQL server");

describe.each(here)("denials in the audit ($kind)", ({ create }) => {
  const store = useStarted(async () => openStore(await create()));

  const deny = (id: number, now: Date) =>
    store.transaction((tx) => {
      const body = { by: { id, login: `p${id}` }, commentId: 1, verb: "approve", role: "read", told: false };
      return appendDenial(tx, { kind: "command_denied", body }, now);
    });
  const kindsOf = async (by: number) => {
    const rows = await store.db.selectFrom("audit").select(["kind", "body"]).orderBy("seq").execute();
    return rows.filter(({ body }) => JSON.parse(body).by?.id === by).map(({ kind }) => kind);
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

  it("SR-07 SR-67 strangers together fill no more than a person, and cannot have a listed repository's line left out", async () => {
    const now = new Date();
    const refuse = (repoId: number, listed = false) =>
      store.transaction((tx) => {
        const by = { id: 9, login: "eve" };
        const body = { repo: `acme/${repoId}`, repoId, installationId: 1, event: "issues.opened", by, reason: "" };
        return appendRefusal(tx, { listed, now, body });
      });
    const written: boolean[] = [];
    for (let repoId = 0; repoId < denialLimit.rows + 10; repoId++)
      written.push(await refuse(repoId), await refuse(repoId));
    // Each once, and one that tells of the rest.
    expect(written.filter((isWritten) => isWritten)).toHaveLength(denialLimit.rows + 1);
    expect([await refuse(900, true), await refuse(900, true)]).toEqual([true, false]);
    const rows = await store.db.selectFrom("audit").select("body").where("kind", "=", "denials_muted").execute();
    expect(rows.filter(({ body }) => JSON.parse(body).scope === "strangers")).toHaveLength(1);
  });
});
