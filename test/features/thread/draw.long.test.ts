import { expect, it } from "vitest";
import { createThread } from "../../../demo/thread.ts";
import { show } from "../../../src/features/thread/post.ts";
import { incidentOf } from "../../../src/store/incidents.ts";
import { repo, usePlayground } from "../../harness/playground.ts";

const playground = usePlayground();

it("RR-08 what changes ten times before the poster comes is drawn once, as it is then", async () => {
  const { bot, github, open, quiet } = playground;
  const { deps } = bot;
  const thread = await open();
  await quiet();
  const { id } = await deps.store.db.selectFrom("incident").select("id").executeTakeFirstOrThrow();
  let edits = 0;
  const stop = github.onTraffic(({ kind, ...traffic }) => {
    if (kind === "request" && "operationId" in traffic && traffic.operationId === "issues/update-comment") edits++;
  });
  for (let n = 1; n <= 10; n++)
    await deps.store.transaction(async (tx) => show(tx, deps, await incidentOf(tx, id), `looking ${n}`));
  const { waitFor } = createThread(github, repo, thread.number);
  await waitFor((body) => body.includes("looking 10"), "the board");
  await quiet();
  stop();
  expect(edits).toBe(1);
  const { changed, drawn } = await incidentOf(deps.store.db, id);
  expect(drawn).toBe(changed);
});
