import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { startStage } from "../../harness/stage.ts";
import { useFolder, writerIn } from "../../harness/use-started.ts";

const write = writerIn(useFolder());

it("OC-8 /status keeps nobody from the store while a calendar does not answer, and says then that it cannot be read", async () => {
  const calendar = createServer();
  await new Promise<void>((resolve) => calendar.listen(0, "127.0.0.1", resolve));
  const { port } = calendar.address() as AddressInfo;
  const url_file = write("calendar", `http://127.0.0.1:${port}/`);
  const stage = await startStage({ config: { oncall: { calendar: { url_file } } } });
  try {
    stage.model.play({ text: "LIKELY: nothing to do." });
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("othing to do"), "the card");
    await stage.quiet();
    const asked = once(calendar, "request");
    await thread.say("rita", "/status");
    const [, response] = await asked;
    const free = stage.bot.deps.store.transaction(async () => "free");
    expect(await Promise.race([free, sleep(2_000, "held")])).toBe("free");
    response.writeHead(500).end();
    await thread.waitFor((body) => body.includes("can approve:") && body.includes("⚠️"), "the status");
  } finally {
    await stage.close();
    calendar.closeAllConnections();
    calendar.close();
  }
});
