import { expect, it } from "vitest";
import { startStage } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";

const short = { soft_timeout: "10s", hard_timeout: "20s" };
const stage = useStarted(() => startStage({ beside: { "web-1": short } }));

it("POLICY-6 /explain says when a command is ended, also where that is less than a minute", async () => {
  const thread = await stage.incident("uptime");
  const { said } = await stage.ask(thread, "rita", "/explain 1");
  expect(said[0]).toContain("ended after 20 s at the latest");
});
