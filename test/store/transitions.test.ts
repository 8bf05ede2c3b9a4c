import { rmSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lawfulTransitions } from "../../src/store/actions.ts";
import { openStore, type Store } from "../../src/store/database/open.ts";
import { freshFolder } from "./fresh.ts";

describe("the states of an action", () => {
  let store: Store;
  let folder: string;

  beforeAll(async () => {
    folder = await freshFolder();
    store = await openStore(`file:${folder}`);
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("follow each other in the database as the program's list says", async () => {
    const { rows } = await sql<{ step: string }>`
      select from_state || ' → ' || to_state as step from action_transition
    `.execute(store.db);
    const listed = Object.entries(lawfulTransitions).flatMap(([from, next]) => next.map((to) => `${from} → ${to}`));
    expect(rows.map(({ step }) => step).sort()).toEqual(listed.sort());
  });
});
