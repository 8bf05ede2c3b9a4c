import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missing } from "../../harness/missing.ts";
import { type SignedWorld, startSignedWorld } from "./bot-world.ts";
import { word } from "./signer-world.ts";

const started = await startSignedWorld();
if ("missing" in started) missing("sshd", `test/features/signer/story.long.test.ts was left out: ${started.missing}`);

describe.runIf(!("missing" in started))("a bot with a signer", () => {
  const world = started as SignedWorld;
  let thread: Awaited<ReturnType<SignedWorld["world"]["open"]>>;
  beforeAll(async () => {
    await world.world.start();
    thread = await world.world.open({ title: "Something is odd", body: "It is slow." });
    await thread.waitFor(() => true, "the board");
    await world.startSigner();
  });
  afterAll(() => world.close());

  let last = 0;
  /** Has sam propose a command, and lee approve it; returns its number. */
  const run = async (server: string, command: string, approve = true): Promise<number> => {
    await thread.say("sam", `/run ${server}\n\n\`\`\`\n${command}\n\`\`\``);
    const number = ++last;
    await thread.waitFor((body) => body.includes(`- [ ] **${number}**`), `the card of ${number}`);
    if (approve) await thread.say("lee", `/approve ${number}`);
    return number;
  };
  const endOf = (number: number): Promise<{ readonly body: string }> =>
    thread.waitFor(
      (body) => new RegExp(`\\*\\*${number}\\*\\* (?:✅|❓|🔌|❌)`, "u").test(body),
      `the end of ${number}`,
    );

  it("SR-72 an approved change and a read run on certificates, beside a server with a key", async () => {
    const marks = [word(), word()];
    const change = await run("web-1", `echo ${marks[0]} >>"$HOME/ran.log" && echo did ${marks[0]}`);
    expect((await endOf(change)).body).toContain(`did ${marks[0]}`);
    const other = await run("web-2", `echo ${marks[1]} >>"$HOME/ran.log" && echo did ${marks[1]}`);
    expect((await endOf(other)).body).toContain(`did ${marks[1]}`);
    const read = await run("web-1", "uname -s");
    expect((await endOf(read)).body).toContain("Linux");
    expect(world.ranOn("web-1")).toEqual([marks[0]]);
    expect(world.ranOn("web-2")).toEqual([marks[1]]);
    expect(world.record()).toHaveLength(2);
  });
});
