import { describe, expect, it } from "vitest";
import { partsOf } from "../../../src/store/incident-rows.ts";
import { startTalkingModel } from "../../agent/fake-model.ts";
import { endpointsOf } from "../../harness/playground.ts";
import { incidentIn, proposing } from "../../harness/stage.ts";
import { startWorld } from "../../harness/world.ts";
import { commandsOf, saying } from "../../ssh/fake-host.ts";
import { usePlaces } from "../../store/use-places.ts";

const here = await usePlaces("reads of a turn under kill -9 on a PostgreSQL server");
const reads = ["uptime", "df -h"];
const opening = { servers: ["web-1"], max_time: "15m", max_commands: 9 };
/** From the turn's begin to its end; the reads run in the turn of the opening, or of a person's question. */
const points = [
  ["CP04:2", "opened"],
  ["CP05", "opened"],
  ["CP06", "opened"],
  ["CP07:2", "opened"],
  ["CP09", "opened"],
  ["CP10", "opened"],
  ["CP11", "opened"],
  ["CP12", "opened"],
  ["CP13", "opened"],
  ["CP14", "opened"],
  ["CP14:2", "opened"],
  ["CP16:4", "opened"],
  ["CP05:2", "asked"],
  ["CP09", "asked"],
  ["CP11", "asked"],
  ["CP14", "asked"],
  ["CP14:2", "asked"],
] as const;

describe.each(here)(
  "AR-03 RR-06 a turn in whose midst the process is killed while its reads run ($kind)",
  ({ create }) => {
    it.each(points)(
      "AR-03 RR-06 CH-01 at %s in the turn that was %s: no read runs twice, the lease's count is exact, and the agent reads what ran",
      async (at, began) => {
        const model = await startTalkingModel((messages) => {
          const last = messages.at(-1)?.content ?? "";
          if (messages.some(({ content }) => /^Run of \d/m.test(content)))
            return { text: "CONFIRMED by 1: it is read." };
          if (messages.at(-1)?.role === "tool") return { text: "INCONCLUSIVE: it waits." };
          if (began === "asked" && !last.includes("A person asks")) return { text: "INCONCLUSIVE: nobody asks." };
          const [, list = "{}"] = proposing("", ...reads).text.split(/---ACTIONS_JSON_(?:START|END)---/);
          return { text: "", toolCalls: [{ name: "propose_actions", arguments: JSON.parse(list) }] };
        });
        const world = await startWorld({
          play: saying("fine\n"),
          storeUrl: await create(),
          config: { model: { endpoints: endpointsOf(model), deadline: "5s" }, policy: { lease: { opening } } },
        });
        const sentOf = (read: string) => commandsOf(world.host).filter((command) => command.includes(read)).length;
        const first = await world.start({ env: { CRASH_AT: at }, mayEnd: true });
        const reborn = first.ended.then(async (end) => {
          await world.start();
          await world.redeliver();
          return end;
        });
        try {
          const thread = await world.open({ title: "Something is odd on web-1", body: "It is slow since 14:02Z." });
          if (began === "asked") {
            await thread.waitFor((body) => body.includes("Nobody asks"), "the first card", 60_000);
            await thread.say("lee", "/ask how is it?");
          }
          expect(await reborn).toBe("SIGKILL");
          await world.redeliver();
          await thread.waitFor((body) => body.includes("It is read"), "the reading", 60_000);
          for (const read of reads) expect(sentOf(read), read).toBeLessThanOrEqual(1);
          await world.end("SIGTERM");
          await world.look(async ({ db }) => {
            const { id } = await incidentIn(db, thread.number);
            const rows = await partsOf(db, id, "actions", "batches", "lease", "runs", "turns");
            const ran = rows.actions.filter((action) => rows.runs.some(({ actionId }) => actionId === action.id));
            expect(rows.lease?.used).toBe(ran.length);
            expect(new Set(rows.runs.map(({ actionId }) => actionId)).size).toBe(rows.runs.length);
            expect(rows.batches.map(({ readAt }) => readAt !== null)).toEqual(rows.batches.map(() => true));
            expect(rows.turns.filter(({ prose }) => prose.includes("it is read"))).toHaveLength(1);
          });
        } finally {
          await world.close();
          await model.close();
        }
      },
      150_000,
    );
  },
);
