import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { cardOf, proposing, startStage, statesOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";

const stage = useStarted(() =>
  startStage({
    configure: (config) => {
      Object.assign(config.policy as object, {
        lease: { allowed: true, servers: ["web-1"], max_time: "30m", max_commands: 6 },
      });
    },
  }),
);
const commands = ["uptime", "df -h", "cat /etc/hostname"];
const set = { command: "", commands, title: "First look" };
const done = { text: "CONFIRMED by 1: nothing more to do." };

const play = () =>
  stage.play(async (command, { channel }) => {
    channel.write(command.includes("df -h") ? "ERROR: df: cannot read table: Input/output error\n" : "fine\n");
    return command.includes("hostname") ? 1 : 0;
  });

const bodies = async (thread: Thread): Promise<string> =>
  (await thread.comments()).map(({ body }) => body).join("\n\n");

const rowsOf = async (number: number, kind: string) => {
  const rows = await stage.bot.deps.store.db
    .selectFrom("audit")
    .innerJoin("incident", "incident.id", "audit.incidentId")
    .select("audit.body as body")
    .where("incident.number", "=", number)
    .where("kind", "=", kind)
    .orderBy("seq")
    .execute();
  return rows.map(({ body }) => JSON.parse(body));
};

describe("DC-4 a set of checks", () => {
  it("AR-26 is one item: one number, one approval, each command once, one table, and its outputs by their place", async () => {
    play();
    const thread = await stage.incident(set, "systemctl restart nginx");
    const card = (await cardOf(thread, 1)).body;
    expect(card).toContain("**1** · 🟢 low · `web-1` · **First look**");
    expect(card).toContain("*3 checks, one approval:* each runs by itself");
    expect(card).toContain("uptime\n  df -h\n  cat /etc/hostname");
    expect(Object.keys(await statesOf(stage, thread.number))).toEqual(["1", "2"]);
    stage.model.play(done);
    const before = stage.ran().length;
    await stage.ask(thread, "lee", "/approve 1");
    const ran = stage.ran().slice(before);
    for (const command of commands)
      expect(
        ran.filter((line) => line.includes(command)),
        command,
      ).toHaveLength(1);
    const said = await bodies(thread);
    expect(said).toMatch(/\| 1 \| `uptime` \| ✅ exit 0/);
    expect(said).toMatch(/\| 2 \| `df -h` \|.*\| `ERROR: df: cannot read table/);
    expect(said).toMatch(/\| 3 \| `cat \/etc\/hostname` \|.*exit 1/);
    expect((await stage.ask(thread, "lee", "/output 1 3")).said.join()).toContain(
      "output of check 3, `cat /etc/hostname`",
    );
    expect((await stage.ask(thread, "lee", "/output 1 9")).said.join()).toContain("**1** has no check 9");
    expect((await stage.ask(thread, "lee", "/explain 1")).said.join()).toContain("cat /etc/hostname");
    expect((await stage.ask(thread, "lee", "/verify")).said.join()).toContain("Nothing was altered");
    const [sentOff] = await rowsOf(thread.number, "command_dispatched");
    expect(Object.keys(sentOff.runs)).toEqual(["web-1#1", "web-1#2", "web-1#3"]);
    expect((await rowsOf(thread.number, "command_executed")).map(({ step }) => step).toSorted()).toEqual([0, 1, 2]);
    const asked = stage.model.requests.at(-1);
    expect(JSON.stringify(asked)).toContain("$ cat /etc/hostname");
    stage.model.play(done);
    await stage.ask(thread, "lee", "/retry 1");
    expect(
      stage
        .ran()
        .slice(before)
        .filter((line) => line.includes("uptime")),
    ).toHaveLength(2);
  });

  it("AR-26 leaves out what does more than read, reaches out or never ends, which is proposed by itself", async () => {
    const thread = await stage.incident({
      command: "",
      commands: ["uptime", "systemctl restart nginx", "tail -f /var/log/x", "df -h"],
      title: "Look",
    });
    const states = await statesOf(stage, thread.number);
    expect(Object.keys(states)).toEqual(["1", "2", "3"]);
    const { body } = await cardOf(thread, 1);
    expect(body).toContain("uptime\n  df -h");
    expect(body).toMatch(/\*\*2\*\* · 🟡 medium/);
  });

  it("AR-26 a person's /run --each is one too, whole or not at all; under a lease each command counts", async () => {
    play();
    const thread = await stage.incident("systemctl restart nginx");
    stage.model.play(done);
    const before = stage.ran().length;
    await stage.ask(thread, "lee", "/run --each web-1\n```sh\nuptime\ndf -h\n```");
    expect(stage.ran().slice(before)).toHaveLength(2);
    const no = await stage.ask(thread, "lee", "/run --each web-1\n```sh\nuptime\nsystemctl restart cron\n```");
    expect(no.said.join()).toContain("systemctl restart cron is not a bounded read of one server");
    await stage.ask(thread, "lee", "/lease 15m web-1 4");
    stage.model.play(
      proposing("LIKELY: on.", set, { command: "", commands: ["free -m", "uname -a"], title: "More" }),
      done,
    );
    await stage.ask(thread, "lee", "/ask look");
    // Three of the four, and the second set would take two.
    expect(stage.ran().slice(before)).toHaveLength(5);
    const board = (await thread.comments()).find(({ body }) => body.includes("Board of this incident"));
    expect(board?.body).toContain("3 of 4 commands used");
  });
});
