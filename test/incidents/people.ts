import { setTimeout as sleep } from "node:timers/promises";
import type { Thread } from "../../demo/thread.ts";
import { leaseTerms, type Said } from "./allowed.ts";
import { question } from "./engineer.ts";

/** A high risk is not approved within five seconds of its card (SR-57). */
const readingMs = 6_000;
const approvers = ["lee", "mona"] as const;

/** What the cards ask for now, in their own words. */
function readCards(text: string) {
  const lines = [...text.matchAll(/^`\/approve ([^`]+)`/gm)].map(([, line = ""]) => line);
  const plain = new Set(lines.filter((line) => /^[\d ]+$/.test(line)).flatMap((line) => line.split(" ").map(Number)));
  const low = new Set([...text.matchAll(/\*\*(\d+)\*\* · 🟢 low/gu)].map(([, number]) => Number(number)));
  const stopped = [...text.matchAll(/Needs approval again: ([\d, ]+)/g)].flatMap(([, list = ""]) =>
    list.split(", ").map(Number),
  );
  return {
    /** Those that one comment may approve together. */
    plain: [...plain].toSorted((a, b) => a - b),
    /** Those of high risk, each with the place that has to be named. */
    high: lines.flatMap((line) => {
      const [, number, place = ""] = /^(\d+) (\S+) <why>$/.exec(line) ?? [];
      return number === undefined ? [] : [{ number: Number(number), place }];
    }),
    /** Told once that a read has stopped the rest, one says --keep-going for what only reads. */
    goesOn: [...plain].every((number) => low.has(number)) && stopped.some((number) => plain.has(number)),
  };
}

/** Whether a comment names what asks for its changes: a run by its number, or an output in quotes. */
const namesEvidence = (body: string): boolean => {
  const prose = body
    .replace(/^ *```[\s\S]*?^ *```/gm, "")
    .replace(/^ {2}\*.*$/gm, "")
    .replace(/^`\/.*$/gm, "");
  return /\bruns? \d|\b\d+ (?:shows?|says?|has|reads?)\b|\((?:runs? )?\d+(?:, \d+)*\)|["“`][^"”`]{4,}["”`]/i.test(
    prose.replace(/\*\*\d+\*\* · \S+ \w+ · `[^`]+`/g, ""),
  );
};

/** Two people who approve what the cards ask for, in their words: what is of high risk by itself, each of them. */
export function createPeople(thread: Thread, { isCareful = false } = {}) {
  const seen = new Map<number, { readonly at: number; readonly by: string[] }>();
  const said: Said[] = [];
  const say = async (login: string, body: string): Promise<true> => {
    said.push({ login, body, at: new Date() });
    await thread.say(login, body);
    return true;
  };
  const approveHigh = async ({ number, place }: { readonly number: number; readonly place: string }): Promise<true> => {
    const card = seen.get(number);
    const who = approvers.find((login) => !card?.by.includes(login));
    if (!card || !who) throw new Error(`${number} still waits after everybody has approved it`);
    await sleep(Math.max(0, card.at + readingMs - performance.now()));
    card.by.push(who);
    return say(who, `/approve ${number} ${place} the outputs above ask for it`);
  };
  return {
    /** What they have allowed so far, in their words. */
    said: (): readonly Said[] => said,
    /** Lets what only reads on these servers run for a while. */
    lease: (servers: readonly string[]) =>
      say("lee", `/lease ${leaseTerms.minutes}m ${servers.join(",")} ${leaseTerms.commands}`),
    ask: () => say("lee", `/ask ${question}`),
    /** Says the next approval; false where no card asks for one. */
    approve: async (): Promise<boolean> => {
      const cards = (await thread.comments()).filter(
        ({ login, body }) => login.endsWith("[bot]") && !body.includes("Board of"),
      );
      const { plain, high, goesOn } = readCards(cards.map(({ body }) => body).join("\n"));
      const changes = cards
        .filter(({ body }) => isCareful && !namesEvidence(body))
        .flatMap(({ body }) =>
          [...body.matchAll(/- \[ \] \*\*(\d+)\*\* · (?!🟢)/gu)].map(([, number]) => Number(number)),
        );
      const unfounded = changes.find((number) => [...plain, ...high.map((one) => one.number)].includes(number));
      if (unfounded !== undefined) return say("lee", `/reject ${unfounded} name the run that asks for it`);
      // What was left when the others were decided comes first: its check has shown by now that it waits.
      const left = high.find(({ number }) => seen.has(number));
      for (const { number } of high) if (!seen.has(number)) seen.set(number, { at: performance.now(), by: [] });
      if (left) return approveHigh(left);
      if (plain.length > 0) return say("lee", `/approve ${plain.join(" ")}${goesOn ? " --keep-going" : ""}`);
      const [first] = high;
      return first ? approveHigh(first) : false;
    },
  };
}
