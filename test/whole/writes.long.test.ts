import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { endMarker, startMarker } from "../../src/agent/reply/markers.ts";
import { markIn } from "../../src/github/comments.ts";
import { useStarted } from "../harness/use-started.ts";
import { startWatchedBot } from "../injection/watched-bot.ts";
import { readKept } from "../simulation/history.ts";
import { checkRest } from "../simulation/judge.ts";
import { saying } from "../ssh/fake-host.ts";

const workflow = `name: look
description: Looks at a volume
steps:
  - { server: web-1, title: Space, command: df -h }
  - { server: web-1, title: Inodes, command: df -i }
`;

/** What the agent says turn by turn: two proposals each time, once a question. */
function turns(): () => { text: string; toolCalls?: { name: string; arguments: unknown }[] } {
  let turn = 0;
  return () => {
    turn++;
    if (turn === 7)
      return { text: "", toolCalls: [{ name: "ask_question", arguments: { question: "May it go?", choices: [] } }] };
    const actions = ["a", "b"].map((name, index) => ({
      id: `${index + 1}`,
      api: "ssh.execute",
      title: "Look",
      description: "looks",
      params: { server: "web-1", command: `ls /srv/${turn}${name}` },
    }));
    return { text: `LIKELY: step ${turn}.\n${startMarker}\n${JSON.stringify({ actions })}\n${endMarker}` };
  };
}

/** What a write is, by its request; nothing for what only reads. */
const kinds: readonly (readonly [kind: string, method: string, path: RegExp])[] = [
  ["reaction", "POST", /\/reactions$/],
  ["create", "POST", /\/issues\/\d+\/comments$/],
  ["edit", "PATCH", /\/comments\/\d+$/],
  ["label", "POST", /\/labels$/],
  ["label", "DELETE", /\/labels\//],
  ["close", "PATCH", /\/issues\/\d+$/],
];

describe("an incident of ten steps, with a workflow, a hold and a question", () => {
  const writes: { readonly kind: string; readonly at: number }[] = [];
  const watched = useStarted(() =>
    startWatchedBot({
      answer: turns(),
      play: saying("fine\n"),
      files: { "AGENTS.md": "# Web\n", ".github/countersign/workflows/look.yml": workflow },
      // GitHub's own limit, in place of none.
      config: { github: { writes_per_minute: 80 } },
    }),
  );
  beforeAll(() => {
    watched.github.onTraffic((traffic) => {
      if (traffic.kind !== "request" || traffic.by !== "installation") return;
      const { method, path, operationId } = traffic;
      const kind = operationId?.toLowerCase().includes("minimi")
        ? "minimise"
        : kinds.find(([, asked, fits]) => asked === method && fits.test(path))?.[0];
      if (kind !== undefined) writes.push({ kind, at: performance.now() });
    });
  });

  it("RR-08 no minute sees more than 80 writes, none says what stands there already, and a step costs few", {
    timeout: 1_200_000,
  }, async () => {
    const thread = await watched.open({ title: "Volume full on web-1" });
    const settled = async (): Promise<void> => {
      do {
        await sleep(50);
        await watched.quiet();
      } while (checkRest(await readKept(watched.bot.deps.store.db)).length > 0);
    };
    const say = async (login: string, body: string): Promise<void> => {
      await settled();
      await thread.say(login, body);
    };
    await watched.quiet();
    for (let step = 0; step < 10; step++) {
      if (step === 3) await say("sam", "/workflow look");
      if (step === 5) {
        await say("sam", "/hold");
        await say("lee", "/resume");
      }
      if (step === 6) await say("sam", "/answer q1 yes");
      await settled();
      const { nextNumber } = await watched.bot.deps.store.db
        .selectFrom("incident")
        .select("nextNumber")
        .executeTakeFirstOrThrow();
      await say("lee", `/approve ${nextNumber - 2} ${nextNumber - 1}`);
    }
    await say("sam", "/close the volume was full");
    await settled();

    const ours = (await thread.comments()).filter(({ login }) => login.endsWith("[bot]"));
    const counts = Map.groupBy(writes, ({ kind }) => kind);
    const inAnyMinute = writes.map(({ at }) => writes.filter((one) => one.at >= at && one.at < at + 60_000).length);
    const busiest = Math.max(...inAnyMinute);
    console.log(
      `ten steps: ${ours.length} comments, ${writes.length} writes (${[...counts].map(([kind, all]) => `${all.length} ${kind}`).join(", ")}), ${busiest} in the busiest minute`,
    );
    expect(busiest).toBeLessThanOrEqual(80);
    // 👀 and 🚀, run card, its end, the card and the next one, the board while it runs and after, a fold.
    expect(writes.length).toBeLessThanOrEqual(14 * 10);
    const bodies = watched.sent.flatMap(({ method, path, body }) => {
      if (method === "GET" || body === "" || !path.includes("/comments")) return [];
      const { body: text = "" } = JSON.parse(body) as { body?: string };
      return markIn(text) === undefined ? [] : [{ of: markIn(text), text }];
    });
    const { db } = watched.bot.deps.store;
    const rows = await db.selectFrom("comment").select(["id", "slot"]).execute();
    const slotOf = new Map(rows.map(({ id, slot }) => [id, slot.split(":")[0] ?? slot]));
    const edited = Map.groupBy(
      bodies.filter(({ of }, at) => bodies.slice(0, at).some((one) => one.of === of)),
      ({ of }) => slotOf.get(of ?? "") ?? "",
    );
    console.log(`edits: ${[...edited].map(([slot, all]) => `${all.length} ${slot}`).join(", ")}`);
    const twice = bodies.filter(
      ({ of, text }, at) => bodies.slice(0, at).findLast((one) => one.of === of)?.text === text,
    );
    expect(twice).toEqual([]);
  });
});
