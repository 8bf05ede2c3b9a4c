import { writeHaltTable } from "../../src/store/holds.ts";
import { fc } from "../harness/chance.ts";
import { command, heard, pick } from "./command.ts";
import type { Watch } from "./invariants.ts";
import type { Universe } from "./universe.ts";

const waiting = ({ github }: Universe) => github.webhooks.filter(({ state }) => state === "waiting");
export const delivers = fc.tuple(fc.nat(5), fc.constantFrom("once", "twice", "anew"), heard).map(([at, how, after]) =>
  command({
    name: how === "once" ? "deliver" : "duplicate",
    text: `${at}, ${how}, ${after ?? "all"}`,
    act: async (universe) => {
      const list = how === "once" ? waiting(universe) : universe.github.webhooks;
      if (list.length === 0) return;
      const webhook = pick(list, at);
      await universe.deliver(webhook);
      if (how === "twice") await universe.deliver(webhook);
      // The same comment by another hook has a GUID of its own (F-02).
      if (how === "anew" && webhook.event === "issue_comment") await universe.deliver(webhook, `${webhook.guid}-anew`);
      await universe.steps(after);
    },
  }),
);
export const loses = fc.nat(5).map((at) =>
  command({
    name: "lose",
    text: `${at}`,
    act: (universe) => {
      const comments = waiting(universe).filter(({ payload }) => JSON.parse(payload).action === "created");
      if (comments.length > 0) pick(comments, at).state = "lost";
    },
  }),
);

export const ticks = fc.constantFrom(1_000, 20_000, 6 * 60_000, 16 * 60_000, 61 * 60_000).map((ms) =>
  command({
    name: "tick",
    text: `${ms / 1_000} s`,
    act: async (universe) => {
      universe.time.pass(ms);
      await universe.steps();
    },
  }),
);

export const jumps = fc
  .constantFrom(-3_600_000, 3_600_000)
  .map((ms) => command({ name: "set clock", text: `${ms / 3_600_000} h`, act: ({ time }) => time.setWallClock(ms) }));

export const crashes = fc.nat(40).map((statements) =>
  command({
    name: "crash",
    text: `${statements}`,
    can: ({ up }) => up,
    changes: (model) => {
      model.up = false;
    },
    act: (universe) => universe.kill(statements),
  }),
);
export const restarts = fc.tuple(fc.boolean(), heard).map(([graceful, after]) =>
  command({
    name: graceful ? "restart" : "start",
    text: `${after ?? "all"}`,
    can: ({ up }) => graceful || !up,
    changes: (model) => {
      model.up = true;
    },
    act: async (universe) => {
      if (graceful) await universe.stop();
      await universe.start();
      await universe.steps(after);
    },
  }),
);

export const fails = fc
  .oneof(
    fc.constantFrom("refuse", "lose", "limit", "away").map((kind) => ({ of: "github", kind })),
    fc.constantFrom("fail", "junk").map((kind) => ({ of: "llm", kind })),
    fc.constantFrom("before", "after").map((kind) => ({ of: "db", kind })),
    fc.constantFrom("connect", "reset", "fail", "hang").map((kind) => ({ of: "ssh", kind })),
    fc.constant({ of: "audit", kind: "full" }),
  )
  .map(({ of, kind }) =>
    command({
      name: "failNext",
      text: `${of}, ${kind}`,
      act: ({ github, agent, storeFaults, host, auditFaults }) => {
        const lists: Readonly<Record<string, string[]>> = {
          github: github.faults,
          llm: agent.faults,
          db: storeFaults,
          ssh: host.faults,
        };
        // Away for longer than anything is tried that counts its failures.
        if (kind === "away") lists[of]?.push(...Array.from({ length: 12 }, () => "refuse"));
        else lists[of]?.push(kind);
        if (of === "audit") auditFaults.count++;
      },
    }),
  );

export const halts = fc.boolean().map((halted) =>
  command({
    name: halted ? "halt" : "unhalt",
    text: "",
    can: (model) => model.halted !== halted,
    changes: (model) => {
      model.halted = halted;
    },
    act: (universe, watch) => setSwitch(universe, watch, halted),
  }),
);

/** The operator's kill switch, by the tool of its own. */
export async function setSwitch({ database, time }: Universe, { halts }: Watch, halted: boolean): Promise<void> {
  await database.look.transaction().execute(async (tx) => {
    await writeHaltTable(tx, { scope: "*", halted, by: "root", at: time.now().toISOString(), kill: false });
    const { seq } = await tx.selectFrom("auditHead").select("seq").executeTakeFirstOrThrow();
    const last = halts.at(-1);
    if (halted) halts.push({ from: seq, to: Number.POSITIVE_INFINITY });
    else if (last) last.to = seq;
  });
}

export const goesOn = fc
  .integer({ min: 1, max: 20 })
  .map((count) => command({ name: "step", text: `${count}`, act: (universe) => universe.steps(count) }));
