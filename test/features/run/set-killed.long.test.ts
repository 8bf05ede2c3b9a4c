import { describe, expect, it } from "vitest";
import { repo } from "../../harness/playground.ts";
import { startWorld } from "../../harness/world.ts";
import { commandsOf, saying } from "../../ssh/fake-host.ts";
import { usePlaces } from "../../store/use-places.ts";

const here = await usePlaces("sets and leases under kill -9 on a PostgreSQL server");
/** The two checks of the runbook that fits, which are one set. */
const checks = ["97 percent", "uname -s"];
const approval = "/approve 1";
/** Allows the set, and not one command more. */
const lease = "/lease 15m web-1 2";
/** The operator's file gives the same at the opening, and nobody comments. */
const opening = "";
/** From the first comments to the result, and what lets the set go; `:2` is the second comment or check. */
const points = [
  ["CP07:2", approval],
  ["CP07:3", lease],
  ["CP09", lease],
  ["CP09:2", approval],
  ["CP11", lease],
  ["CP13", approval],
  ["CP13:2", lease],
  ["CP14", approval],
  ["CP14:2", lease],
  ["CP01", opening],
  ["CP02", opening],
  ["CP03", opening],
  ["CP04:2", opening],
  ["CP05", opening],
  ["CP06", opening],
  ["CP07:2", opening],
  ["CP09", opening],
  ["CP09:2", opening],
  ["CP10", opening],
  ["CP11", opening],
  ["CP12", opening],
  ["CP13", opening],
  ["CP13:2", opening],
  ["CP14", opening],
  ["CP14:2", opening],
  ["CP16:2", opening],
  ["CP16:3", opening],
  ["CP16:4", opening],
] as const;

describe.each(here)("AR-26 RR-06 a set in whose midst the process is killed ($kind)", ({ create }) => {
  it.each(points)(
    "AR-26 AR-03 CH-01 RR-06 is told whole at %s by %s, or what is missing of it; no check runs twice, nor beyond a lease, and what changed is told once",
    async (at, word) => {
      const world = await startWorld({
        play: saying("fine\n"),
        storeUrl: await create(),
        config: {
          context: { services: { spool: [repo] } },
          policy: {
            lease:
              word === opening
                ? { opening: { servers: ["web-1"], max_time: "15m", max_commands: 2 } }
                : { allowed: true, servers: ["web-1"], max_time: "15m", max_commands: 2 },
          },
        },
      });
      const sentOf = (check: string) => commandsOf(world.host).filter((command) => command.includes(check)).length;
      world.github.addActivity(repo, { releases: [{ tag: "v2", by: "lee", at: new Date().toISOString() }] });
      const first = await world.start({ env: { CRASH_AT: at }, mayEnd: true });
      const reborn = first.ended.then(async (end) => {
        await world.start();
        await world.redeliver();
        return end;
      });
      try {
        // Without an hour, the window of what changed ends when it is opened.
        const thread = await world.open({
          title: "Disk full on web-1",
          body: "The spool of web-1 is at 97 %. Mail is deferred.",
        });
        if (word !== opening) {
          await thread.waitFor((body) => body.includes("2 checks, one approval"), "the set");
          await thread.say("lee", word);
        }
        expect(await reborn).toBe("SIGKILL");
        await world.redeliver();
        const card = await thread.waitFor(
          (body) => /(?:^|>)1 (?:✅|❓|🔌)/mu.test(body) && /(?:^|>)2 (?:✅|❓|🔌)/mu.test(body),
          "what became of each",
          60_000,
        );
        for (const [index, check] of checks.entries()) {
          const sent = sentOf(check);
          expect(sent, check).toBeLessThanOrEqual(1);
          const [, mark] = new RegExp(`(?:^|>)${index + 1} (✅|❓|🔌)`, "mu").exec(card.body) ?? [];
          // What is told to have ended well ran, and what is told not to have begun did not.
          if (mark === "✅") expect(sent, check).toBe(1);
          if (mark === "🔌") expect(sent, check).toBe(0);
        }
        const before = checks.map(sentOf);
        // Its two commands are used up, whatever became of them: the same checks again wait for people.
        await thread.say("lee", "/ask look again");
        await thread.waitFor((body) => /^- \[ \] \*\*2\*\*/m.test(body), "the set once more");
        await world.github.settled();
        expect(checks.map(sentOf)).toEqual(before);
        const isTable = (body: string): boolean => body.includes("**What changed**");
        await thread.waitFor(isTable, "what changed");
        await world.github.settled();
        expect((await thread.comments()).filter(({ body }) => isTable(body))).toHaveLength(1);
      } finally {
        await world.close();
      }
    },
    150_000,
  );
});
