import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { actionsOf } from "../../../src/store/actions.ts";
import { keepValues, valuesOf } from "../../../src/store/incidents.ts";
import { incident } from "../../harness/playground.ts";
import { cardOf, incidentIdOf, newsOf, proposing, statesOf, useStage } from "../../harness/stage.ts";

const skill = `---
name: spool-full
description: "The mail spool of a server is full. Use when SpoolAlmostFull fires or mail is deferred because the spool is full."
metadata:
  alerts: "SpoolAlmostFull"
---

# Spool full

## Verify

\`\`\`sh
kubectl -n <namespace> get pods
kubectl -n $NAMESPACE logs <pod>
# undo: echo <pod> of <namespace>
\`\`\`

## Act

\`\`\`sh
kubectl -n <namespace> delete pod <pod>
\`\`\`
`;
const workflow = `name: restart-pod
description: Restarts a pod
params: { namespace: {}, pod: {} }
steps:
  - { server: web-1, title: "Restart {{pod}}", command: "kubectl -n {{namespace}} delete pod {{pod}}" }
`;

const stage = useStage(() => ({
  files: {
    "AGENTS.md": "# Web\n",
    ".github/skills/spool-full/SKILL.md": skill,
    ".github/countersign/workflows/restart-pod.yml": workflow,
  },
}));

/** An incident that the runbook fits, with what its issue says below. */
async function opened(...lines: readonly string[]): Promise<Thread & { readonly number: number }> {
  stage.model.play({ text: "LIKELY: the runbook fits." });
  const body = [incident.body, "", ...lines].join("\n");
  const thread = await stage.opened({ title: incident.title, body });
  return thread;
}

async function keep(thread: { readonly number: number }, labels: Readonly<Record<string, string>>): Promise<void> {
  const { db, transaction } = stage.bot.deps.store;
  const id = await incidentIdOf(db, thread.number);
  await transaction((tx) => keepValues(tx, id, "alert", labels));
}

const actionsIn = async ({ number }: { readonly number: number }) => {
  const { db } = stage.bot.deps.store;
  return actionsOf(db, await incidentIdOf(db, number));
};

describe("WF-3 what is known of an incident by name", () => {
  it("WF-3 fills a runbook's check, and the card names its source; what nobody said is a form", async () => {
    const thread = await opened("### Namespace", "", "shop");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "incomplete" });
    const { body } = await cardOf(thread, 1);
    expect(body).toContain(
      "  *filled in:* `namespace` = `shop` (the issue)\n  ```sh\n  kubectl -n shop get pods\n  ```",
    );
    expect(body).toContain(
      "  *needs a value before it can be approved:* `/fill 2 pod=…` · `pod` is a name of letters, digits, dots, dashes and underscores\n",
    );
    expect(body).toContain("kubectl -n shop logs <pod>");
    expect(body).toContain("`/approve 1` ·");
  });

  it("WF-3 is left open where the alert and the issue say different things, which the card says", {
    tags: ["long"],
  }, async () => {
    const thread = await opened("pod: cart-1", "namespace: shop");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    await keep(thread, { pod: "cart-2", namespace: "shop" });
    stage.model.play(proposing("LIKELY: it hangs.", "kubectl -n <namespace> logs --previous <pod>"));
    await stage.ask(thread, "lee", "/ask what did it say before?");
    const { body } = await cardOf(thread, 2);
    expect(body).toContain("`/fill 2 pod=…`");
    expect(body).toContain("(several different values are known; give the right one)");
  });

  it("WF-3 gives a workflow what nobody gave it", async () => {
    const thread = await opened("namespace: shop");
    await keep(thread, { pod: "cart-7f9" });
    expect((await stage.ask(thread, "sam", "/workflow restart-pod")).isMarked("rocket")).toBe(true);
    const { body } = await cardOf(thread, 3);
    expect(body).toContain("**Restart cart-7f9**");
    expect(body).toContain("*filled in:* `namespace` = `shop` (the issue) · `pod` = `cart-7f9` (the alert)");
    expect(body).toContain("kubectl -n shop delete pod cart-7f9");
  });

  it("WF-3 PA-4 fills what the model leaves open, and asks for the rest; a variable is the shell's", async () => {
    stage.model.play(proposing("LIKELY: it is full.", "kubectl -n <namespace> get pod <pod>", "echo $POD"));
    const thread = await stage.opened({ title: "Odd", body: "namespace: shop" });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "incomplete", 2: "proposed" });
    expect((await cardOf(thread, 1)).body).toContain("kubectl -n shop get pod <pod>");
  });
});

describe("/fill", () => {
  it("WF-3 SR-18 SR-20 proposes the command with its values under a new number, digest and author; the form is superseded", async () => {
    const thread = await opened("namespace: shop");
    expect((await stage.ask(thread, "sam", "/fill 2 pod=cart-7f9")).isMarked("rocket")).toBe(true);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "superseded", 3: "proposed" });
    const { body } = await cardOf(thread, 3);
    expect(body).toContain("kubectl -n shop logs cart-7f9");
    expect(body).toContain("*filled in:* `namespace` = `shop` (the issue) · `pod` = `cart-7f9` (a person)");
    expect(body).toContain("2, filled in by `@sam`");
    const [, form, filled] = await actionsIn(thread);
    expect(filled).toMatchObject({
      origin: "person",
      authorLogin: "sam",
      spec: { command: "kubectl -n shop logs cart-7f9", undo: "echo cart-7f9 of shop" },
    });
    expect(filled?.spec.open).toBeUndefined();
    expect(form?.spec.undo).toBeUndefined();
    expect(filled?.digest).not.toBe(form?.digest);
    await stage.expectSaid(thread, "sam", "/fill 2 pod=cart-8", "**2** was superseded by");
    await stage.expectSaid(thread, "sam", "/fill 3 pod=cart-8", "**3** has nothing to fill in");
    const { db } = stage.bot.deps.store;
    expect(await valuesOf(db, await incidentIdOf(db, thread.number))).toContainEqual({
      source: "person",
      name: "pod",
      value: "cart-7f9",
    });
  });

  it("WF-3 a form is never approved, and goes with its issue", { tags: ["long"] }, async () => {
    const thread = await opened("namespace: shop");
    const before = stage.ran().length;
    await stage.expectSaid(thread, "lee", "/approve 2", "**2** is not complete. Give its values: `/fill 2 pod=…`");
    expect(stage.ran()).toHaveLength(before);
    await stage.ask(thread, "lee", "/close --anyway none");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void", 2: "void" });
  });

  it("WF-3 SR-18 a form can be turned down, or changed into another command", { tags: ["long"] }, async () => {
    const thread = await opened();
    await stage.ask(thread, "sam", "/edit 1\n```sh\nkubectl get pods -A\n```");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "superseded", 2: "incomplete", 3: "proposed" });
    await stage.ask(thread, "lee", "/reject 2 no");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "superseded", 2: "rejected", 3: "proposed" });
  });

  it.each([
    [
      "/fill 2 pod=--all",
      "`pod` must be a name of letters, digits, dots, dashes and underscores. To complete it: `/fill 2 pod=…`",
    ],
    ["/fill 2 pods=cart", "2 has no value called `pods`"],
    ["/fill 2 pod=a pod=b", "`pod` is given twice"],
    ["/fill 2", "2 asks for `pod`"],
    ["/fill 1 pod=a", "**1** has nothing to fill in"],
    ["/fill 9 pod=a", "**9**: there is no such number"],
    ["/fill pod=a", "Write `/fill <number>`"],
  ])("WF-3 %s changes nothing, and the answer says what is wrong", async (comment, said) => {
    const thread = await opened("namespace: shop");
    await stage.expectRefusal(thread, "sam", comment, said);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "incomplete" });
  });

  it("WF-3 SR-17 is for whoever may propose a command", async () => {
    const thread = await opened("namespace: shop");
    expect((await stage.ask(thread, "rita", "/fill 2 pod=cart")).isMarked("-1")).toBe(true);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "incomplete" });
  });

  it("WF-3 SR-20 the level is that of the command with its values, and each value has a digest of its own", async () => {
    stage.model.play(proposing("LIKELY: clean up.", "rm -r <path>", "ls <path>", "ls <path> -l"));
    const thread = await stage.opened({ title: "Odd", body: "Nothing known." });
    const levelOf = async (number: number) => (await actionsIn(thread)).find((one) => one.number === number)?.spec.risk;
    expect((await stage.ask(thread, "sam", "/fill 1 path=/")).isMarked("-1")).toBe(true);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "incomplete", 4: "blocked" });
    const { db } = stage.bot.deps.store;
    expect(await valuesOf(db, await incidentIdOf(db, thread.number))).toEqual([]);
    await stage.ask(thread, "sam", "/fill 1 path=/srv/app/cache");
    expect(await levelOf(5)).toBe("high");
    await stage.ask(thread, "sam", "/fill 2 path=/srv");
    await stage.ask(thread, "sam", "/fill 3 path=/tmp");
    expect(await levelOf(6)).toBe("low");
    const digests = (await actionsIn(thread)).map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it("WF-3 what is completed in part asks for the rest, and the runbook's next step has what a person said", {
    tags: ["long"],
  }, async () => {
    const thread = await opened();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "incomplete", 2: "incomplete" });
    await stage.ask(thread, "sam", "/fill 2 namespace=shop");
    expect((await cardOf(thread, 3)).body).toContain("`/fill 3 pod=…`");
    await stage.ask(thread, "sam", "/fill 3 Pod=cart-7f9");
    expect((await cardOf(thread, 4)).body).toContain("kubectl -n shop logs cart-7f9");
    stage.model.play(proposing("LIKELY: it is stuck.", "kubectl -n <ns> delete pod <pod-name>"));
    await stage.ask(thread, "sam", "/ask what now?");
    const { body } = await cardOf(thread, 5);
    expect(body).toContain("kubectl -n shop delete pod cart-7f9");
    expect(newsOf(stage)).toContain("4 by sam");
  });
});
