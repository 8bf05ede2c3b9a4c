import { describe, expect, it } from "vitest";
import { actionStates } from "../../src/base/action.ts";
import {
  type ActionSpec,
  actionOf,
  actionsOf,
  addApproval,
  approvalsOfAction,
  digestOf,
  lawfulTransitions,
  moveAction,
  withdrawApprovals,
} from "../../src/store/actions.ts";
import { openPartsOf, partsOf } from "../../src/store/incident-rows.ts";
import { draft, lee, mona, useStore } from "./rows.ts";

const { store, incident, action } = useStore();
const verdict = (verdict: "approve" | "reject", person = lee, commentId = 1) => ({
  verdict,
  person,
  role: "write",
  comment: { id: commentId, nodeId: `IC_${commentId}`, sha256: "ab".repeat(32) },
  reason: "",
});

const approvals = async ({ id }: { readonly id: string }) => (await partsOf(store().db, id, "approvals")).approvals;

describe("actions", () => {
  it("PA-6 numbers grow from one in each incident, whatever became of the actions, also side by side", async () => {
    const [first, second] = [await incident(), await incident()];
    const one = await action(first);
    await store().transaction((tx) => moveAction(tx, one, { from: "proposed", to: "void" }));
    await Promise.all([action(first), action(first), action(second)]);
    const numbers = async (id: string) => (await actionsOf(store().db, id)).map(({ number }) => number);
    expect(await numbers(first.id)).toEqual([1, 2, 3]);
    expect(await numbers(second.id)).toEqual([1]);
    expect(await actionOf(store().db, first.id, 1)).toMatchObject({ id: one.id, state: "void" });
    expect(await actionOf(store().db, first.id, 4)).toBeUndefined();
  });

  it("SR-20 the digest is of every field, in whatever order they stand, and no two actions share one", async () => {
    const given = await incident();
    const [one, two] = [await action(given), await action(given)];
    expect(one.digest).toBe(digestOf(one.spec));
    expect(two.digest).not.toBe(one.digest);
    const reversed = Object.fromEntries(Object.entries(one.spec).reverse()) as unknown as ActionSpec;
    expect(digestOf(reversed)).toBe(one.digest);
    const digests = Object.entries(one.spec).map(([field, value]) =>
      digestOf({ ...one.spec, [field]: typeof value === "number" ? value + 1 : `${value}!` }),
    );
    expect(new Set([...digests, one.digest]).size).toBe(Object.keys(one.spec).length + 1);
  });

  it("SR-18 a person's command keeps who wrote it, and the agent's has nobody", async () => {
    const given = await incident();
    const written = await action(given, { origin: "person", author: lee });
    expect(written).toMatchObject({ authorId: lee.id, authorLogin: lee.login });
    expect(await action(given)).toMatchObject({ authorId: null, authorLogin: null });
  });

  it("SR-20 what an approval binds cannot be changed in the store", async () => {
    const one = await action(await incident());
    const change = (set: object) => store().db.updateTable("action").set(set).where("id", "=", one.id).execute();
    await expect(change({ spec: JSON.stringify({ ...one.spec, command: "reboot" }) })).rejects.toThrow();
    await expect(change({ digest: "00" })).rejects.toThrow();
  });

  it("RR-05 a move is made once: of twenty at the same time one is told that it was the one", async () => {
    const one = await action(await incident());
    const moves = await Promise.all(
      Array.from({ length: 20 }, () =>
        store().transaction((tx) => moveAction(tx, one, { from: "proposed", to: "approved" })),
      ),
    );
    expect(moves.filter((moved) => moved)).toHaveLength(1);
  });

  it("a move keeps its reason, and the number of what came in an action's place where something did", async () => {
    const given = await incident();
    const [one, two] = [await action(given), await action(given)];
    await store().transaction(async (tx) => {
      await moveAction(tx, one, { from: "proposed", to: "superseded", reason: "edited", supersededBy: two.number });
      await moveAction(tx, two, { from: "proposed", to: "approved" });
    });
    const [first, second] = await actionsOf(store().db, given.id);
    expect(first).toMatchObject({ state: "superseded", stateReason: "edited", supersededBy: two.number });
    expect(second).toMatchObject({ state: "approved", stateReason: null, supersededBy: null });
  });

  it("SR-26 the database itself refuses every transition that is not lawful", async () => {
    const given = await incident();
    for (const from of ["proposed", "rejected", "done"] as const) {
      for (const to of actionStates.filter((state) => state !== from)) {
        const one = await action(given);
        const path = { proposed: [], rejected: ["rejected"], done: ["approved", "dispatching", "done"] } as const;
        let at: (typeof actionStates)[number] = "proposed";
        for (const next of path[from]) {
          await store().transaction((tx) => moveAction(tx, one, { from: at, to: next }));
          at = next;
        }
        const lawful: readonly string[] = lawfulTransitions[from];
        const moved = await store()
          .transaction((tx) => moveAction(tx, one, { from, to }))
          .catch(() => false);
        expect(moved, `${from} → ${to}`).toBe(lawful.includes(to));
      }
    }
  });
});

describe("approvals", () => {
  it("WF-3 SR-26 the database refuses to let a form be approved, by whatever way it comes", async () => {
    const given = await incident();
    const open = [{ name: "pod", kind: "a name" }];
    const form = await action(given, { state: "incomplete", spec: { ...draft.spec, open } });
    expect(form.spec.open).toEqual(open);
    await store().transaction((tx) => moveAction(tx, form, { from: "incomplete", to: "superseded" }));
    const revived = store().transaction((tx) => moveAction(tx, form, { from: "superseded", to: "proposed" }));
    await expect(revived).rejects.toThrow("action_form_never_runs");
    const whole = await action(given);
    await store().transaction((tx) => moveAction(tx, whole, { from: "proposed", to: "superseded" }));
    expect(await store().transaction((tx) => moveAction(tx, whole, { from: "superseded", to: "proposed" }))).toBe(true);
  });

  it("SR-18 one person approves an action once, and again only after it was withdrawn", async () => {
    const given = await incident();
    const one = await action(given);
    const approve = () => store().transaction((tx) => addApproval(tx, one, verdict("approve")));
    await approve();
    await expect(approve()).rejects.toThrow();
    await store().transaction((tx) => withdrawApprovals(tx, { actionIds: [one.id] }));
    await approve();
    const standing = { personId: lee.id, digest: one.digest, via: "comment" };
    expect(approvalsOfAction(await approvals(given), one)).toMatchObject([standing]);
    await store().transaction((tx) => addApproval(tx, one, { ...verdict("approve", mona), via: "lease" }));
    expect(await approvals(given)).toMatchObject([standing, { personId: mona.id, via: "lease" }]);
  });

  it("SR-18 SR-28 a transaction finds the approvals that it has given, and can take them back", async () => {
    const given = await incident();
    const [one, two] = [await action(given), await action(given)];
    await store().transaction(async (tx) => {
      for (const of of [one, two]) await addApproval(tx, of, verdict("approve", lee, 1));
      const read = await partsOf(tx, given.id, "approvals", "withdrawn");
      expect([read.approvals.length, read.withdrawn]).toEqual([2, []]);
      await addApproval(tx, one, verdict("approve", mona, 2));
      await withdrawApprovals(tx, { actionIds: [one.id] });
    });
    const { approvals: left, withdrawn } = await openPartsOf(store().db, given.id, "approvals", "withdrawn");
    expect(left.map(({ actionId }) => actionId)).toEqual([two.id]);
    expect(withdrawn).toEqual([1, 2].map((commentId) => ({ actionId: one.id, commentId })));
    const undone = store().transaction(async (tx) => {
      await addApproval(tx, two, verdict("approve", mona, 3));
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await approvals(given)).toHaveLength(1);
  });

  it("SR-28 those of one comment are withdrawn; others, other actions' and rejections stay", async () => {
    const given = await incident();
    const [one, two] = [await action(given), await action(given)];
    for (const [of, draft] of [
      [one, verdict("approve", lee, 1)],
      [one, verdict("approve", mona, 2)],
      [one, verdict("reject", lee, 1)],
      [two, verdict("approve", lee, 1)],
    ] as const)
      await store().transaction((tx) => addApproval(tx, of, draft));
    const withdraw = (actionIds: readonly string[], commentId?: number) =>
      store().transaction((tx) => withdrawApprovals(tx, { actionIds, ...(commentId ? { commentId } : {}) }));
    expect(await withdraw([one.id], 1)).toEqual([{ actionId: one.id }]);
    expect(await withdraw([one.id], 1)).toEqual([]);
    expect(await withdraw([], 2)).toEqual([]);
    const left = await approvals(given);
    expect(left.map(({ actionId, verdict, personId }) => [actionId, verdict, personId])).toEqual([
      [one.id, "approve", mona.id],
      [one.id, "reject", lee.id],
      [two.id, "approve", lee.id],
    ]);
  });
});
