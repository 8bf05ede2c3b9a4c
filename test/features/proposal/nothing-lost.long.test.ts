import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { actionsOf } from "../../../src/store/actions.ts";
import {
  call,
  cardOf,
  incidentIdOf,
  newsOf,
  proposing,
  type Stage,
  startStage,
  statesOf,
} from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";
import { useBotPlaces } from "../../store/use-places.ts";

const places = await useBotPlaces("nothing of a reply is lost, on PostgreSQL");

const step = (title: string, command: string) => `  - { server: web-1, title: ${title}, command: ${command} }\n`;
const workflowFiles = {
  "AGENTS.md": "# Web\n",
  ".github/countersign/workflows/cycle.yml": `name: cycle\ndescription: Stops, looks, starts\nsteps:\n${step("Stop", "systemctl stop app")}${step("Look", "df -h")}${step("Start", "systemctl start app")}${step("Look", "df -h")}`,
  ".github/countersign/workflows/wipe.yml": `name: wipe\ndescription: Never runs whole\nsteps:\n${step("Look", "uptime")}${step("Wipe", "mkfs.ext4 /dev/sda1")}${step("Look", "free -m")}`,
  ".github/countersign/workflows/leak.yml": `name: leak\ndescription: Holds a secret\nsteps:\n${step("Look", "uptime")}${step("Log in", "mysql -u root -pHunter2Hunter2 -e 'select 1'")}`,
};

const blocked = "mkfs.ext4 /dev/sda1";
const action = (command: string, more: object = {}) => ({
  ...{ api: "ssh.execute", title: command, description: "looks", params: { server: "web-1", command } },
  ...more,
});
const propose = (...actions: readonly object[]) => call("propose_actions", { actions });

describe.each(places)("nothing of a reply is lost, on a store that is $kind", ({ available, url }) => {
  describe.runIf(available)("a turn of the agent", () => {
    let stage: Stage;
    beforeAll(async () => {
      const storeUrl = await url();
      stage = await startStage({ files: workflowFiles, ...(storeUrl === undefined ? {} : { storeUrl }) });
      return () => stage.close();
    });
    afterEach(() => stage.model.verify());

    const commandsOf = async (issue: number) => {
      const { db } = stage.bot.deps.store;
      const actions = await actionsOf(db, await incidentIdOf(db, issue));
      return actions.map(({ number, state, spec }) => `${number} ${state} ${spec.set?.length ?? spec.command}`);
    };
    const toolResults = () =>
      stage.model.requests.at(-1)?.body.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : [])) ??
      [];

    it("PA-4 PA-6 a proposal that policy blocked keeps its place when the call is made again without it", async () => {
      stage.model.play(
        propose(action("uptime"), action(blocked), action("df -h", { expect: { exit: "zero" } })),
        propose(action("uptime"), action("df -h")),
        { text: "LIKELY: look first." },
      );
      const thread = await stage.opened();
      expect(await commandsOf(thread.number)).toEqual([
        "1 proposed uptime",
        `2 blocked ${blocked}`,
        "3 proposed df -h",
      ]);
      expect(toolResults().at(-1)).toMatch(
        /^Proposed:\n- low, .+: "uptime" on web-1\n- low, .+: "df -h" on web-1\nBlocked before, and still shown to people:\n- blocked \(.+\): "mkfs\.ext4 \/dev\/sda1" on web-1$/,
      );
      expect((await cardOf(thread, 2)).body).toMatch(/blocked/);
    });

    it("PA-4 so does one of a block that is sent back to be corrected, and the model is told", async () => {
      const first = proposing("LIKELY: see.", "uptime", blocked, { command: "df -h", expect: { exit: "zero" } });
      const thread = await stage.opened({}, first, proposing("LIKELY: see.", "uptime", "df -h"));
      expect(newsOf(stage)).toMatch(
        /Policy blocks "Look" on web-1 \(.+\)\. People are shown it as blocked in any case/,
      );
      expect(await commandsOf(thread.number)).toEqual([
        "1 proposed uptime",
        `2 blocked ${blocked}`,
        "3 proposed df -h",
      ]);
    });

    it("PA-6 a number is given when people are told of its command: none that only the model has read is passed over", async () => {
      const go = Promise.withResolvers<void>();
      stage.model.play(propose(action("uptime"), action("df -h")), {
        text: "LIKELY: the disk tells most.",
        after: go.promise,
      });
      const thread = await stage.open();
      await until(() => expect(toolResults().at(-1)).toMatch(/^Proposed:\n- low, needs 1 approval: "uptime"/));
      await thread.say("sam", "/run web-1\n```sh\nfree -m\n```");
      await until(async () => expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" }));
      go.resolve();
      await stage.quiet();
      expect(await commandsOf(thread.number)).toEqual(["1 proposed free -m", "2 proposed uptime", "3 proposed df -h"]);

      stage.model.play(propose(action("ps aux"), action("ss -tln")), propose(action("ss -tln"), action("vmstat")), {
        text: "LIKELY: the sockets.",
      });
      await stage.ask(thread, "sam", "/ask what else?");
      expect(await commandsOf(thread.number)).toEqual([
        // An answer to a question supersedes nothing.
        ...["1 proposed free -m", "2 proposed uptime", "3 proposed df -h"],
        ...["4 proposed ss -tln", "5 proposed vmstat"],
      ]);
    });

    it("WF-1 all steps of the agent's workflow stand in order, also one that is open already or comes twice, and approving runs them in it", async () => {
      const thread = await stage.incident("df -h", "uptime");
      stage.model.play(call("start_workflow", { name: "cycle" }), { text: "LIKELY: cycle it." });
      await stage.ask(thread, "sam", "/ask cycle it");
      expect(await commandsOf(thread.number)).toEqual([
        ...["1 superseded df -h", "2 proposed uptime", "3 proposed systemctl stop app", "4 proposed df -h"],
        ...["5 proposed systemctl start app", "6 proposed df -h"],
      ]);
      expect(toolResults().at(-1)).toMatch(
        /^Proposed: the 4 steps of cycle, in order .+\n- medium.+"Stop" on web-1\n- low.+"Look" on web-1\n- medium.+\n- low/,
      );
      const { db } = stage.bot.deps.store;
      const first = (await actionsOf(db, await incidentIdOf(db, thread.number)))[0];
      expect(first).toMatchObject({ supersededBy: 4 });
      const before = stage.ran().length;
      await stage.ask(thread, "lee", "/approve 3 4 5 6", { text: "CONFIRMED by 6: done." });
      const order = stage
        .ran()
        .slice(before)
        .flatMap((script) => /systemctl \w+ app|df -h/.exec(script) ?? []);
      expect(order).toEqual(["systemctl stop app", "df -h", "systemctl start app", "df -h"]);
    });

    it("WF-1 a step that a person has open already stands again under its own number, and people and model are told", async () => {
      const thread = await stage.incident("uptime");
      await stage.ask(thread, "sam", "/run web-1\n```sh\ndf -h\n```");
      stage.model.play(
        call("start_workflow", { name: "cycle" }),
        { text: "LIKELY: cycle it." },
        { text: "LIKELY: so." },
      );
      const { said } = await stage.ask(thread, "sam", "/ask cycle it");
      expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "proposed", 3: "proposed", 4: "proposed" });
      expect(said.join("\n")).toContain("4 is a step of its workflow and the same command as 2, which stays as it is.");
      await stage.ask(thread, "sam", "/ask and now?");
      expect(newsOf(stage)).toContain("4 is a step of its workflow and the same command as 2");
    });

    it("WF-1 a step that policy blocks stands blocked in its place; one that can be no action leaves the whole workflow out, and the model is told", async () => {
      const thread = await stage.opened({}, call("start_workflow", { name: "wipe" }), { text: "LIKELY: wipe it." });
      expect(await commandsOf(thread.number)).toEqual([
        "1 proposed uptime",
        `2 blocked ${blocked}`,
        "3 proposed free -m",
      ]);
      expect(toolResults().at(-1)).toMatch(/\n- blocked \(.+\): "Wipe" on web-1\n/);
      const other = await stage.opened({}, call("start_workflow", { name: "leak" }), { text: "LIKELY: it cannot be." });
      expect(await commandsOf(other.number)).toEqual([]);
      expect(toolResults().at(-1)).toMatch(/^Error: nothing of leak was proposed: step 2: .*secret/);
    });

    it("PA-6 a look before a change and the same look after it are two; twice in a row it stands once, and that is said", async () => {
      const thread = await stage.opened({}, proposing("LIKELY: cycle it.", "df -h", "systemctl restart app", "df -h"));
      expect(await commandsOf(thread.number)).toEqual([
        ...["1 proposed df -h", "2 proposed systemctl restart app", "3 proposed df -h"],
      ]);
      stage.model.play(proposing("LIKELY: look.", "uptime", "uptime"));
      await stage.expectSaid(thread, "sam", "/ask look", "4 stands twice in the reply, so it is listed once.");
    });

    it("AR-26 reads of one proposal that a change parts stay in their order", async () => {
      const commands = ["uptime", "df -h", "systemctl restart app", "free -m", "ps aux"];
      const thread = await stage.opened({}, proposing("LIKELY: so.", { command: "", commands }));
      expect(await commandsOf(thread.number)).toEqual([
        ...["1 proposed 2", "2 proposed systemctl restart app", "3 proposed 2"],
      ]);
    });

    it("AR-20 the check of a form stands by itself, and that a blocked command's check is left out is said", async () => {
      stage.model.play(
        proposing(
          "LIKELY: so.",
          { command: "systemctl restart <unit>", title: "Restart", check: "uptime" },
          { command: blocked, title: "Wipe", check: "df -h" },
        ),
      );
      const thread = await stage.opened();
      expect(await commandsOf(thread.number)).toEqual([
        ...["1 incomplete systemctl restart <unit>", "2 proposed uptime", `3 blocked ${blocked}`],
      ]);
      expect((await cardOf(thread, 1)).body).toContain("Check: Wipe is not proposed, because 3 is blocked.");
    });
  });
});
