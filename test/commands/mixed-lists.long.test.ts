import { expect, it } from "vitest";
import { actionsOf } from "../../src/store/actions.ts";
import { runsOf } from "../../src/store/runs.ts";
import { fc } from "../harness/chance.ts";
import { incidentIdOf, useStage } from "../harness/stage.ts";

const stage = useStage(() => ({ config: { model: { endpoints: [] }, policy: { medium: { approvals: 2 } } } }));

/** Each kind of number that somebody can name, by how it is made; what is made of `good` runs. */
const commands = {
  good: "uptime",
  better: "df -h",
  needsTwo: "systemctl restart nginx",
  high: "rm -r /srv/app/cache/old",
  blocked: "rm -rf /",
  rejected: "free -m",
  superseded: "ls /srv",
  expired: "ls /var",
  void: "ls /opt",
  done: "hostname",
} as const;
type Kind = keyof typeof commands | "unknown" | "pinned" | "mispinned";

/** An incident with one action of each kind; their numbers and digests. */
async function incident() {
  const thread = await stage.opened({ title: "Nothing that a runbook knows", body: "" });
  const { db } = stage.bot.deps.store;
  const id = await incidentIdOf(db, thread.number);
  for (const command of Object.values(commands)) await thread.say("sam", `/run web-1\n\`\`\`sh\n${command}\n\`\`\``);
  await stage.quiet();
  const actions = await actionsOf(db, id);
  const of = (kind: keyof typeof commands) => {
    const found = actions.find(({ spec }) => spec.command === commands[kind]);
    if (!found) throw new Error(`no action of ${commands[kind]}`);
    return found;
  };
  await thread.say("lee", `/reject ${of("rejected").number}`);
  await thread.say("lee", `/approve ${of("done").number}`);
  await thread.say("sam", `/edit ${of("superseded").number}\n\`\`\`sh\nls -l /srv\n\`\`\``);
  await stage.quiet();
  const gone = { expired: "expired", void: "void" } as const;
  for (const [kind, state] of Object.entries(gone))
    await db
      .updateTable("action")
      .set({ state })
      .where("id", "=", of(kind as keyof typeof gone).id)
      .execute();
  return { thread, id, of };
}

const kinds: readonly Kind[] = [
  ...(Object.keys(commands) as (keyof typeof commands)[]),
  "unknown",
  "pinned",
  "mispinned",
];
const cases = fc.sample(
  fc.record({ list: fc.shuffledSubarray([...kinds], { minLength: 2, maxLength: 6 }), keepGoing: fc.boolean() }),
  { numRuns: 4, seed: 17 },
);

it.each([...cases, { list: "all" as const, keepGoing: false }])(
  "DC-4 PRODUCT the sentence about each number agrees with what became of it: $list (keep going: $keepGoing)",
  async ({ list, keepGoing }) => {
    const { thread, id, of } = await incident();
    const { db } = stage.bot.deps.store;
    const typed = new Map<number, string>();
    for (const kind of list === "all" ? [] : list) {
      if (kind === "unknown") typed.set(99, "99");
      else if (kind === "pinned")
        typed.set(of("better").number, `${of("better").number}@${of("better").digest.slice(0, 8)}`);
      else if (kind === "mispinned") typed.set(of("good").number, `${of("good").number}@00000000`);
      else if (!typed.has(of(kind).number)) typed.set(of(kind).number, `${of(kind).number}`);
    }
    const before = new Map((await actionsOf(db, id)).map(({ number, state }) => [number, state]));
    const named =
      list === "all"
        ? [...before].flatMap(([number, state]) => (state === "proposed" ? [number] : []))
        : [...typed.keys()];
    const answer = await stage.ask(
      thread,
      "lee",
      `/approve ${list === "all" ? "all" : [...typed.values()].join(" ")}${keepGoing ? " --keep-going" : ""}`.replace(
        /^(\/approve)(.*) (--keep-going)$/,
        "$1 $3$2",
      ),
    );
    const text =
      answer.said.find(
        (body) => /not run|on (its|their) way|Nothing was run|approvals/.test(body) && !body.includes("```"),
      ) ?? "";
    const batches = await db.selectFrom("batch").selectAll().where("incidentId", "=", id).execute();
    const own = batches.find(({ commentId }) => commentId === answer.id);
    const actions = await actionsOf(db, id);
    const ran = new Set((await runsOf(db, id)).flatMap((run) => (run.batchId === own?.id ? [run.actionId] : [])));
    for (const number of named) {
      const action = actions.find((one) => one.number === number);
      const lines = text.split("\n\n").filter((line) => {
        // What another one waits for is no sentence about it.
        const about = line.replace(/waits for \*\*\d+\*\*/g, "");
        return new RegExp(`\\*\\*${number}(@|\\*\\*)`).test(about) || line.startsWith(`[**${number}`);
      });
      if (action && ran.has(action.id)) {
        expect(action.state, text).toBe("done");
        if (text !== "") expect(lines.join(), text).toMatch(/on (its|their) way\.$/m);
        continue;
      }
      expect(lines, `${number} in ${text}`).toHaveLength(1);
      const was = before.get(number);
      if (was === "done") expect(lines[0]).toContain("already run");
      else expect(lines[0], text).toMatch(/; not run|not run yet/);
      expect(action?.state === "done", text).toBe(was === "done");
    }
    expect(text.includes("Nothing was run") && ran.size > 0, text).toBe(false);
  },
);
