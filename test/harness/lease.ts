import type { Thread } from "../../demo/thread.ts";
import { giveLease } from "../../src/store/leases.ts";
import type { Playground } from "./playground.ts";

/** Opens an incident with two cards that wait, the second by sam's `/run`, and gives lee a lease on `web-1`. */
export async function openWithLease({
  open,
  quiet,
  github,
  bot,
}: Playground): Promise<{ readonly thread: Thread & { readonly number: number }; readonly incidentId: string }> {
  const thread = await open();
  await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
  await thread.say("sam", "/run web-1\n```sh\nuptime\n```");
  await thread.waitFor((body) => body.includes("- [ ] **2**"), "the card of another");
  await quiet();
  const incidentId = await bot.deps.store.transaction(async (tx) => {
    const { id } = await tx.selectFrom("incident").select("id").executeTakeFirstOrThrow();
    const now = new Date();
    await giveLease(tx, {
      incidentId: id,
      person: github.person("lee"),
      role: "write",
      comment: { id: 1, nodeId: "", sha256: "" },
      servers: ["web-1"],
      endsAt: new Date(now.getTime() + 60_000),
      maxCommands: 9,
      now,
    });
    return id;
  });
  return { thread, incidentId };
}
