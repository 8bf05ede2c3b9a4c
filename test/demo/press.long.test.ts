import { describe, expect, it } from "vitest";
import { demoRepo, startDemo } from "../../demo/demo.ts";
import type { DemoIncident } from "../../demo/incidents.ts";
import { createThread, openIssue, type Thread } from "../../demo/thread.ts";
import { verbNamed } from "../../src/slash/verbs.ts";
import { useStarted } from "../harness/use-started.ts";

/** A slash command that a comment of the bot offers. */
interface Offer {
  readonly text: string;
  /** What it would do, in words that do not count: two offers of one meaning are pressed once. */
  readonly meaning: string;
}

/** How somebody goes on: what only looks first, so that it takes no other offer away. */
const order = ["help", "probe", "explain", "output", "ask", "approve", "retry", "reject", "close"];
const verbOf = (text: string): string => /^\/(\S+)/.exec(text)?.[1] ?? "";
const rankOf = ({ text }: Offer): number => (order.indexOf(verbOf(text)) + order.length + 1) % (order.length + 1);

/** No answer to an offer sounds like this. */
const trouble =
  /not known whether|\bunknown\b|internal error|Nothing was run|for the demo's kubectl|command not found|TypeError|sandbox:/i;

/** Cards, boards and run cards, which change as the incident goes on; answers to people, such as the table of `/help`, are none. */
const isCard = (body: string): boolean => /^\*\*Phase |^📖 \*\*Runbook links\*\*|<!-- countersign-record /m.test(body);

/** Inline code, as the page makes buttons of it: what an output says is none. */
const offersOn = (body: string, commandsOf: ReadonlyMap<string, string>): readonly Offer[] =>
  body
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, "")
    .split("\n")
    .flatMap((line) => [...line.matchAll(/`(\/[^`]+)`([^`]*)/g)])
    .filter(([, text = ""]) => verbNamed(verbOf(text)) !== undefined)
    .map(([, text = "", label = ""]) => {
      const numbers = text.match(/\b\d+\b/g) ?? [];
      const about = verbOf(text) === "ask" ? label : numbers.map((number) => commandsOf.get(number)).join(" then ");
      return { text, meaning: `${verbOf(text)}: ${about.trim()}` };
    });

describe("issue 4: the cards of the demo", () => {
  const demo = useStarted(() => startDemo({ port: 0 }));
  const quiet = async (): Promise<void> => {
    for (let still = 0; still < 2; still++) {
      await demo.github.settled();
      await demo.bot.deps.store.queue.idle();
    }
  };

  /** One incident of its kind, with what its comments offer now, and what came of each offer that was taken. */
  async function open(id: DemoIncident["id"]) {
    const reset = await fetch(`${demo.bot.url}/page/reset`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(reset.status).toBe(200);
    const incident = demo.incidents.find((one) => one.id === id);
    if (!incident) throw new Error(`no incident ${id}`);
    const number = await openIssue(demo.github, demoRepo, { by: "mona", ...incident, labels: [incident.label] });
    const thread = createThread(demo.github, demoRepo, number);
    await quiet();
    const { db } = demo.bot.deps.store;
    const actions = () =>
      db
        .selectFrom("action")
        .innerJoin("incident", "incident.id", "action.incidentId")
        .where("incident.number", "=", number)
        .select(["action.number", "action.spec"])
        .execute();
    const runs = () =>
      db
        .selectFrom("run")
        .innerJoin("action", "action.id", "run.actionId")
        .innerJoin("incident", "incident.id", "action.incidentId")
        .where("incident.number", "=", number)
        .select(["run.id", "run.ending", "action.spec"])
        .execute();
    return {
      offers: async (): Promise<readonly Offer[]> => {
        const commandsOf = new Map((await actions()).map(({ number: one, spec }) => [String(one), spec.command]));
        const comments = (await thread.comments()).filter(({ login }) => login.endsWith("[bot]"));
        return comments
          .flatMap(({ body }) => (isCard(body) ? offersOn(body, commandsOf) : []))
          .toSorted((a, b) => rankOf(a) - rankOf(b));
      },
      take: async ({ text }: Offer): Promise<readonly string[]> => {
        const [before, ranBefore] = [await bodiesOf(thread), new Set((await runs()).map((run) => run.id))];
        const comment = await thread.say("lee", text.replaceAll(/<[^>]+>/g, "the release lacked a setting"));
        await quiet();
        const said = [...(await bodiesOf(thread))].filter(([one, body]) => one !== comment && before.get(one) !== body);
        const marks = await thread.reactions(comment);
        const ended = (await runs()).filter((run) => !ranBefore.has(run.id));
        return [
          ...(said.length + marks.length === 0 ? ["no answer"] : []),
          // `/close` asks first where something waits or failed.
          ...(said.some(([, body]) => body.startsWith("Not closed: "))
            ? []
            : marks.filter((mark) => mark === "confused" || mark === "-1")),
          ...said.filter(([one, body]) => !before.has(one) && trouble.test(body)).map(([, body]) => body),
          ...ended.flatMap(({ ending, spec }) =>
            ending?.kind === "exited" && (ending.code === 0 || (spec.risk === "low" && spec.probes === undefined))
              ? []
              : [`${spec.command}: ${JSON.stringify(ending)}`],
          ),
        ].map((finding) => `${text} → ${finding}`);
      },
    };
  }

  it.each([
    ["full-disk", ["probe", "close"]],
    ["connections", ["lease", "close"]],
    ["certificate", ["probe", "close"]],
    ["rollout", ["probe", "close"]],
    // How it ends is offered after the merge, which people do on the pull request.
    ["memory", []],
  ] as const)("OFF-1 %s: each command that a comment offers is answered well where it is offered", async (id, own) => {
    /** What was offered, by its meaning, with the offers that lead there from a new incident. */
    const ways = new Map<string, readonly Offer[]>();
    const taken = new Set<string>();
    const findings: string[] = [];
    for (let incidents = 0; incidents < 40; incidents++) {
      const left = [...ways].find(([meaning]) => !taken.has(meaning));
      if (incidents > 0 && left === undefined) break;
      const { offers, take } = await open(id);
      const way: Offer[] = [];
      const [...plan] = left?.[1] ?? [];
      // How it ends is offered once what still stands open has run, though that was pressed elsewhere.
      let again = 2;
      for (;;) {
        const offered = await offers();
        for (const offer of offered) if (!ways.has(offer.meaning)) ways.set(offer.meaning, [...way, offer]);
        const fresh = plan.shift() ?? offered.find(({ meaning }) => !taken.has(meaning));
        const isOver = fresh === undefined && again-- === 0;
        const next = fresh ?? (isOver ? undefined : offered.find(({ meaning }) => meaning.startsWith("approve:")));
        if (next === undefined) break;
        const found = await take(next);
        if (!taken.has(next.meaning)) findings.push(...found);
        taken.add(next.meaning);
        way.push(next);
      }
    }
    expect(findings).toEqual([]);
    expect([...ways.keys()].filter((meaning) => !taken.has(meaning))).toEqual([]);
    const verbs = new Set([...taken].map((meaning) => meaning.split(":")[0]));
    expect(verbs.difference(new Set(["lease", "output", "probe", ...own]))).toEqual(
      new Set(["help", "ask", "approve", "reject"]),
    );
    for (const verb of own) expect(verbs).toContain(verb);
    expect(demo.github.invalid()).toEqual([]);
  });
});

const bodiesOf = async (thread: Thread): Promise<ReadonlyMap<number, string>> =>
  new Map((await thread.comments()).map(({ id, body }) => [id, body]));
