import { expect, it } from "vitest";
import { estimateTokens } from "../../../src/agent/tokens.ts";
import { call, proposing, useStage } from "../../harness/stage.ts";

const turns = 20;

const stage = useStage();

it("OP-1 over 20 turns at least 90 % of what each request holds stands at the beginning of the one before", async () => {
  stage.play(async (_command, { channel }) => {
    for (let i = 0; i < 30; i++) channel.write(`${i}: nothing odd in part ${i} of the log\n`);
    return 0;
  });
  const next = (number: number) => [
    call("list_servers", {}, "<status>Looking</status>"),
    proposing(number === 1 ? "LIKELY: nothing yet." : `LIKELY: ${number - 1} shows nothing.`, `du -x /var/${number}`),
  ];
  const thread = await stage.opened({}, ...next(1));
  for (let turn = 1; turn < turns; turn++) {
    await stage.ask(thread, "lee", `/approve ${turn} seen by lee`, ...next(turn + 1));
  }
  stage.model.verify();
  const requests = stage.model.requests.map(({ body }) => [
    JSON.stringify(body.tools ?? []),
    ...body.messages.map((message) => JSON.stringify(message)),
  ]);
  const tokens = (parts: readonly string[]): number => parts.reduce((sum, part) => sum + estimateTokens(part), 0);
  let [all, shared] = [0, 0];
  for (const [at, parts] of requests.slice(1).entries()) {
    const before = requests[at] ?? [];
    const differs = parts.findIndex((part, index) => part !== before[index]);
    all += tokens(parts);
    shared += tokens(parts.slice(0, differs < 0 ? undefined : differs));
  }
  console.log(`prefix over ${turns} turns: ${((100 * shared) / all).toFixed(1)} % of ${all} tokens`);
  expect(requests.length).toBe(2 * turns);
  expect(shared / all).toBeGreaterThanOrEqual(0.9);
});
