import { expect, it } from "vitest";
import { startEmulate } from "../../emulator/emulate.ts";
import { seed } from "./world.ts";

it("a request is answered although this process stood still for longer than emulate keeps a connection", async () => {
  const emulate = await startEmulate({ ...seed, webhook: { url: "", secret: "" } }, ["bot"]);
  const path = `/repos/${seed.owner}/${seed.repos[0].name}`;
  await emulate.call("bot", "GET", path);
  for (const end = performance.now() + 6_500; performance.now() < end; );
  const { status } = await emulate.call("bot", "POST", `${path}/issues`, { title: "still there" });
  expect(status).toBe(201);
  await emulate.close();
});
