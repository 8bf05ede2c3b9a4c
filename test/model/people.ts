import { fc } from "../harness/chance.ts";
import { commands as shell } from "./agent.ts";
import { type Command, command, heard, isOpen, type Model, pick, somebody, who } from "./command.ts";
import type { Remark } from "./threads.ts";
import type { Universe } from "./universe.ts";

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

export const approves = fc
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
export const denies = fc
  .tuple(who, numbers, heard)
  .map(([by, number, after]) => says("deny", by, `/deny ${number} no`, after));
export const proposes = fc
  .tuple(who, fc.constantFrom(...Object.values(shell)), heard)
  .map(([by, script, after]) => says("run", by, `/run web-1\n\`\`\`sh\n${script}\n\`\`\``, after));
export const others = fc
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
export const edits = fc
  .tuple(fc.nat(3), fc.boolean())
  .map(([at, ours]) =>
    changes("edit", at, ours, (universe, remark) =>
      universe.github.edit(somebody(universe, 0), remark, `${remark.body.replace("web-1", "web-2")} `),
    ),
  );
export const removes = fc
  .tuple(fc.nat(3), fc.boolean())
  .map(([at, ours]) =>
    changes("delete", at, ours, (universe, remark) => universe.github.remove(somebody(universe, 0), remark)),
  );

export const rights = fc
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
export const renames = fc.integer({ min: 1, max: 3 }).map((at) =>
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

export const happens = (
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

export const opens = heard.map((after) =>
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
