import { expect, it } from "vitest";
import { unknownReasons } from "../../../src/base/unknown.ts";
import { leaveBehind } from "../../features/run/left-behind.ts";
import { startStage } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";

const short = { soft_timeout: "10s", hard_timeout: "20s" };
const stage = useStarted(() => startStage({ beside: { "web-1": short } }));

it("POLICY-6 /explain says when a command is ended, also where that is less than a minute", async () => {
  const thread = await stage.incident("uptime");
  const { said } = await stage.ask(thread, "rita", "/explain 1");
  expect(said[0]).toContain("ended after 20 s at the latest");
});

it("RR-06 /explain says of an UNKNOWN run what its reason means, what to look at, and what to type", async () => {
  const thread = await stage.incident("uptime", "df -h");
  const left = await leaveBehind(stage, thread, { numbers: [1, 2], begun: { 1: "open" } });
  await left.serve();
  const { says, next } = unknownReasons["bot-stopped"];
  const { said } = await stage.ask(thread, "rita", "/explain 1");
  expect(said[0]).toContain(`**Why UNKNOWN** on \`web-1\`: ${says.replace("{check}", "")} L${next.slice(1)}.`);
  expect(said[0]).toContain("It may have run; it only reads, so `/retry 1` can run it again.");
  expect((await stage.ask(thread, "rita", "/explain 2")).said[0]).not.toContain("UNKNOWN");
});
