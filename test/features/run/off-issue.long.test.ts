import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { Reply } from "../../agent/fake-model.ts";
import { call, startStage } from "../../harness/stage.ts";

const canary = "canary8041";
const output = `${canary} token=ghp_0123456789abcdefghijABCDEFGHIJ012345`;

it("SR-11 SR-49 neither a public issue nor the model that answers on it is told a word of an output: its end, a page, so far, a question", async () => {
  const going = Promise.withResolvers<void>();
  const stage = await startStage({ private: false, beside: { "web-1": { tty: true } } });
  stage.play(async (command, { channel, over }) => {
    if (command.startsWith("exec sh")) return 127;
    channel.write(command.includes("free -m") ? `[sudo] password for ${canary}: ` : `${output}\n`);
    if (command.includes("free -m")) return { signal: await over };
    if (command.includes("df -h")) await going.promise;
    return 0;
  });
  // It says again, where all can read it, whatever it was told.
  const parrot: Reply = ({ messages }) => ({
    text: messages
      .filter(({ role }) => role === "user" || role === "tool")
      .slice(-3)
      .map(({ content }) => content)
      .join("\n\n"),
  });
  const thread = await stage.incident("uptime", "free -m");
  const seen = (words: string) => thread.waitFor((body) => body.includes(words), words);

  await stage.ask(thread, "lee", "/approve 1 2", call("read_output", { action: 1 }), parrot);
  await stage.ask(thread, "sam", "/run web-1\n```sh\ndf -h\n```");
  await thread.say("lee", "/approve 3");
  await seen("running since");
  stage.model.play(parrot, parrot, parrot);
  await thread.say("lee", "/continue 3");
  await seen("not ended");
  going.resolve();
  await stage.quiet();
  await stage.ask(thread, "lee", "/ask What did they say?");

  const said = (await thread.comments()).map(({ body }) => body).join("\n");
  const sent = stage.model.requests.map(({ body }) => JSON.stringify(body)).join("\n");
  expect(said).toMatch(/\*\* ✅ [\s\S]*under 1 kB, kept off this public issue; SHA-256 when redacted [0-9a-f]{64}/);
  expect(said).toContain("It asks: a question that is kept off this public issue");
  expect(sent).toContain("what it says is kept off this public issue");
  expect(sent).toContain("output-of-1 nonce");
  expect(said).not.toContain(canary);
  expect(said).not.toContain(createHash("sha256").update(`${output}\n`).digest("hex"));
  expect(sent).not.toContain(canary);
  stage.model.verify();
  await stage.close();
});
