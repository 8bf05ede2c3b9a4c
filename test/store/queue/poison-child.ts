/**
 * A process of `poison.long.test.ts`: serves jobs, and ends itself at the one that is poison, as a crash would. Appends what it
 * begins and ends to a file; ends well once nothing waits.
 */
import { appendFileSync } from "node:fs";
import { openStore } from "../../../src/store/database/open.ts";

const [url = "", report = ""] = process.argv.slice(2);
const say = (what: string, name: unknown): void => appendFileSync(report, `${what} ${name}\n`);

const store = await openStore(url);
await store.queue.serve(
  "delivery",
  { slots: 8, ahead: 8, onPoison: async (job) => say("given-up", job.key) },
  async ({ key }) => {
    say("begun", key);
    // The poison has its effect while others are under way.
    if (key === "sudden") process.kill(process.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, key === "poison" ? 50 : 100));
    if (key === "poison") process.kill(process.pid, "SIGKILL");
    say("ended", key);
  },
);
await store.queue.idle();
await store.close();
