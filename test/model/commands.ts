import type { AsyncCommand } from "fast-check";
import { writeHaltTable } from "../../src/store/holds.ts";
import { fc } from "../harness/chance.ts";
import type { Remark, Somebody } from "./github.ts";
import { faultsNow, type Watch } from "./invariants.ts";
import { commands as shell, type Universe } from "./universe.ts";

/** All that has to be known to say which commands make sense: everything else is read off GitHub and the audit. */
export interface Model {
  opened: boolean;
  gone: boolean;
  up: boolean;
  halted: boolean;
}

export interface Reality {
  readonly universe: Universe;
  readonly watch: Watch;
}

type Command = AsyncCommand<Model, Reality>;

/** How often each was carried out. */
export const counts = new Map<string, number>();

interface Plan {
  readonly name: string;
  readonly text: string;
  readonly can?: (model: Model) => boolean;
  readonly changes?: (model: Model) => void;
  readonly act: (universe: Universe, watch: Watch) => Promise<void> | void;
}

/** Carries a plan out; whatever follows from it happens later, in steps, unless the plan says otherwise. */
const command = ({ name, text, can, changes, act }: Plan): Command => ({
  check: (model) => can?.(model) ?? true,
  run: async (model, { universe, watch }) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    changes?.(model);
    await act(universe, watch);
    const faults = await faultsNow(universe, watch);
    if (faults.length > 0) throw new Error(faults.join("\n"));
  },
  toString: () => `${name}(${text})`,
});

const isOpen = (model: Model): boolean => model.opened && !model.gone;
const who = fc.nat(4);
const somebody = ({ github }: Universe, at: number): Somebody => pick(github.people, at);
const pick = <T>(list: readonly T[], at: number): T => {
  const found = list[at % list.length];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
};

/** What is said reaches the bot at once, and so much of what follows from it happens. */
const heard = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: fc.nat(12) });

const waiting = ({ github }: Universe) => github.webhooks.filter(({ state }) => state === "waiting");
const delivers = fc.tuple(fc.nat(5), fc.constantFrom("once", "twice", "anew"), heard).map(([at, how, after]) =>
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
const loses = fc.nat(5).map((at) =>
  command({
    name: "lose",
    text: `${at}`,
    act: (universe) => {
      const comments = waiting(universe).filter(({ payload }) => JSON.parse(payload).action === "created");
      if (comments.length > 0) pick(comments, at).state = "lost";
    },
  }),
);

const ticks = fc.constantFrom(1_000, 20_000, 6 * 60_000, 16 * 60_000, 61 * 60_000).map((ms) =>
  command({
    name: "tick",
    text: `${ms / 1_000} s`,
    act: async (universe) => {
      universe.time.pass(ms);
      await universe.steps();
    },
  }),
);

const jumps = fc
  .constantFrom(-3_600_000, 3_600_000)
  .map((ms) => command({ name: "set clock", text: `${ms / 3_600_000} h`, act: ({ time }) => time.setWallClock(ms) }));

const crashes = fc.nat(40).map((statements) =>
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
const restarts = fc.tuple(fc.boolean(), heard).map(([graceful, after]) =>
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

const fails = fc
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

const halts = fc.boolean().map((halted) =>
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

const goesOn = fc
  .integer({ min: 1, max: 20 })
  .map((count) => command({ name: "step", text: `${count}`, act: (universe) => universe.steps(count) }));

const says = (name: string, by: number, body: string, after: number | undefined): Command =>
  command({
    name,
    text: `${by}, ${JSON.stringify(body)}, ${after ?? "all"}`,
    can: isOpen,
    act: async (universe) => {
      universe.github.say(somebody(universe, by), body);
      const webhook = universe.github.webhooks.at(-1);
      if (webhook) await universe.deliver(webhook);
      await universe.steps(after);
    },
  });

const numbers = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 2, arbitrary: fc.integer({ min: 4, max: 9 }) },
);
const reason = fc.constantFrom("", " web-1 the disk is full", " web-1 the disk is full");

const approves = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: who }),
    numbers,
    fc.option(numbers),
    reason,
    heard,
  )
  .map(([by, first, second, why, after]) =>
    says("approve", by, `/approve ${first}${second === null ? "" : ` ${second}`}${why}`, after),
  );
const denies = fc
  .tuple(who, numbers, heard)
  .map(([by, number, after]) => says("deny", by, `/deny ${number} no`, after));
const proposes = fc
  .tuple(who, fc.constantFrom(...Object.values(shell)), heard)
  .map(([by, script, after]) => says("run", by, `/run web-1\n\`\`\`sh\n${script}\n\`\`\``, after));
const others = fc
  .tuple(
    who,
    fc.constantFrom("/hold", "/hold --kill", "/resume", "/cancel 1", "/cancel 2", "/retry 1", "/ask why"),
    heard,
  )
  .map(([by, body, after]) => says(body.split(" ")[0]?.slice(1) ?? "", by, body, after));

/** On what somebody has written, or on a comment of the bot's. */
const changes = (name: string, at: number, ours: boolean, act: (universe: Universe, remark: Remark) => void): Command =>
  command({
    name,
    text: `${ours ? "ours" : "theirs"} ${at}`,
    can: isOpen,
    act: (universe) => {
      const remarks = universe.github.issue.remarks.filter((r) => !r.deleted && (r.ours !== undefined) === ours);
      if (remarks.length > 0) act(universe, pick(remarks.toReversed(), at));
    },
  });
const edits = fc
  .tuple(fc.nat(3), fc.boolean())
  .map(([at, ours]) =>
    changes("edit", at, ours, (universe, remark) =>
      universe.github.edit(somebody(universe, 0), remark, `${remark.body.replace("web-1", "web-2")} `),
    ),
  );
const removes = fc
  .tuple(fc.nat(3), fc.boolean())
  .map(([at, ours]) =>
    changes("delete", at, ours, (universe, remark) => universe.github.remove(somebody(universe, 0), remark)),
  );

const rights = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom("revoke", "demote", "restore"))
  .map(([at, how]) =>
    command({
      name: how,
      text: `${at}`,
      act: (universe) => {
        const person = somebody(universe, at);
        person.role = how === "demote" ? "read" : "write";
        person.onCall = how === "restore";
      },
    }),
  );
const renames = fc.integer({ min: 1, max: 3 }).map((at) =>
  command({
    name: "rename",
    text: `${at}`,
    act: ({ github }) => {
      const [person, other] = [pick(github.people, at), pick(github.people, at + 1)];
      // Somebody else takes the name that becomes free.
      const freed = person.login;
      github.rename(person, `${freed}-2`);
      github.rename(other, freed);
    },
  }),
);

const happens = (
  name: "close" | "reopen" | "transfer" | "publicise",
  can: (model: Model) => boolean,
): fc.Arbitrary<Command> =>
  heard.map((after) =>
    command({
      name,
      text: `${after ?? "all"}`,
      can,
      changes: (model) => {
        if (name === "transfer") model.gone = true;
      },
      act: async (universe) => {
        const before = universe.github.webhooks.length;
        universe.github[name]("mona");
        const webhook = universe.github.webhooks[before];
        if (webhook && after !== undefined) await universe.deliver(webhook);
        await universe.steps(after);
      },
    }),
  );

const opens = heard.map((after) =>
  command({
    name: "open",
    text: `${after ?? "all"}`,
    can: ({ opened }) => !opened,
    changes: (model) => {
      model.opened = true;
    },
    act: async (universe) => {
      universe.github.open();
      const webhook = universe.github.webhooks.at(-1);
      if (webhook && after !== 0) await universe.deliver(webhook);
      await universe.steps(after);
    },
  }),
);

const weighted: readonly (readonly [number, fc.Arbitrary<Command>])[] = [
  [12, approves],
  [2, denies],
  [3, proposes],
  [3, others],
  [2, edits],
  [2, removes],
  [5, delivers],
  [1, loses],
  [3, rights],
  [1, renames],
  [1, happens("close", isOpen)],
  [1, happens("reopen", isOpen)],
  [1, happens("transfer", isOpen)],
  [1, happens("publicise", isOpen)],
  [4, ticks],
  [1, jumps],
  [4, crashes],
  [4, restarts],
  [6, fails],
  [2, halts],
  [4, goesOn],
];

/** Each begins with an incident, so that there is something to do. */
export const commandsFrom = (maxCommands: number): fc.Arbitrary<readonly [Command, Iterable<Command>]> =>
  fc.tuple(
    opens,
    fc.commands([...weighted.flatMap(([weight, one]) => Array.from({ length: weight }, () => one))], {
      maxCommands,
      size: "max",
    }),
  );
