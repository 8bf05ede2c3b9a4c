import { afterEach, describe, expect, it } from "vitest";
import { startHosts } from "../../harness/hosts.ts";
import { cardOf, proposing, type Stage, statesOf, useStage } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { type Play, saying } from "../../ssh/fake-host.ts";
import { textOutsideCode } from "../../text/markdown.ts";

const done = { text: "LIKELY, see 1, 2 and 3: nothing to do." };
const names = ["web-1", "web-2", "web-3", "web-4", "web-5"];

/** How a server plays its commands; `fine`, exit 0, unless said otherwise. */
let plays: Readonly<Record<string, Play>> = {};
const hosts = useStarted(() =>
  startHosts(names, (name) => (command, io) => (plays[name] ?? saying("fine\n"))(command, io)),
);
const stage = useStage(() => ({ servers: hosts.servers, config: { execution: { at_once: 2 } } }));
afterEach(() => {
  plays = {};
});

const ranOn = () => hosts.sent();
const runCard = async (thread: Awaited<ReturnType<Stage["incident"]>>): Promise<string> =>
  (await thread.comments()).findLast(({ body }) => body.includes("| server | result |"))?.body ?? "";

describe("an action on a group", () => {
  it("SR-18 is one number on one card that names each server, and one approval runs it on all of them", async () => {
    const thread = await stage.incident({ server: "web", command: "uptime" });
    const card = (await cardOf(thread, 1)).body;
    expect(card).toContain("`web` (5 servers)");
    for (const name of names) expect(card).toContain(`\`${name}\``);
    const before = ranOn();
    await stage.ask(thread, "lee", "/approve 1", done);
    for (const name of names) expect(ranOn()[name]).toBe((before[name] ?? 0) + 1);
    const shown = await runCard(thread);
    expect(shown).toContain("**1** ✅ `uptime` on `web` (5 servers) · exit 0 on 5");
    expect(shown).toContain("**5 of 5 say the same:**");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
  });

  it("SR-18 of medium risk on more servers than policy says at once counts as high: two people, the group named, a reason", async () => {
    const thread = await stage.incident({ server: "web", command: "systemctl restart nginx" });
    const card = (await cardOf(thread, 1)).body;
    expect(card).toContain("🔴 high");
    expect(card).toContain("runs on 5 servers at once");
    const before = ranOn();
    const one = await stage.ask(thread, "lee", "/approve 1 web-1 stuck workers");
    expect(one.said.join()).toContain("**1** needs the server's name. Comment `/approve 1 web <why>`");
    expect(ranOn()).toEqual(before);
  });

  it("DC-4 after the first failure no further server is begun, each says how it ended, and the rest was surely not started", async () => {
    const thread = await stage.incident({ server: "web", command: "uptime", expect: { exit: 0 } });
    plays = { "web-1": saying("no route to host\n", 3) };
    const before = ranOn();
    await stage.ask(thread, "lee", "/approve 1", done);
    const shown = await runCard(thread);
    expect(shown).toContain("| `web-1` | ❌ exit 3");
    expect(shown).toContain("| `web-5` | 🔌 not started");
    expect(shown).toContain("it failed on web-1 before");
    expect(shown).toContain("no route to host");
    expect(ranOn()["web-5"]).toBe(before["web-5"]);
    expect(textOutsideCode(shown)).not.toContain("UNKNOWN");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
  });

  it("DC-4 with --keep-going all servers run, what failed stands first, and equal outputs are told once", async () => {
    const thread = await stage.incident({ server: "web", command: "uptime" });
    plays = { "web-3": async () => 1 };
    const before = ranOn();
    await stage.ask(thread, "lee", "/approve 1 --keep-going", done);
    const shown = await runCard(thread);
    expect(shown).toContain("✅ exit 0 on 4, ❌ exit 1 on 1");
    expect(shown).toContain("**4 of 5 say the same:**");
    expect(ranOn()["web-5"]).toBe((before["web-5"] ?? 0) + 1);
    const sent = JSON.stringify(stage.model.requests.at(-1)?.body.messages);
    expect(sent).toContain("Run of 1 on web-1, web-2, web-4, web-5");
  });

  it("DC-4 at most as many servers at once as the operator allows", async () => {
    const thread = await stage.incident({ server: "web", command: "uptime" });
    let now = 0;
    let most = 0;
    const slow: Play = async () => {
      now++;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 60));
      now--;
      return 0;
    };
    plays = Object.fromEntries(names.map((name) => [name, slow]));
    await stage.ask(thread, "lee", "/approve 1", done);
    expect(most).toBe(2);
  });

  it("AR-14 the output of one of its servers is read by that server's name; without one, a failure's", async () => {
    const thread = await stage.incident({ server: "web-2, web-3", command: "uptime" });
    plays = { "web-2": saying("from two\n"), "web-3": saying("from three\n", 1) };
    await stage.ask(thread, "lee", "/approve 1", done);
    await stage.expectSaid(thread, "lee", "/output 1", "from three");
    await stage.expectSaid(thread, "lee", "/output 1 web-2 tail 5", "from two");
  });

  it("SR-20 names that are no server and no group of the repository make no action", async () => {
    const wrong = proposing("LIKELY: x.", { server: "web, db-9", command: "uptime" });
    const thread = await stage.opened({}, wrong, wrong);
    expect(await statesOf(stage, thread.number)).toEqual({});
    expect((await thread.comments()).map(({ body }) => body).join()).toContain("db-9");
  });
});
