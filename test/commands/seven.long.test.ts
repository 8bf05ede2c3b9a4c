import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { endMarker, startMarker } from "../../src/agent/reply/markers.ts";
import { commands } from "../../src/commands/slash-comment.ts";
import { withoutMarker } from "../../src/github/comments.ts";
import { repo } from "../harness/playground.ts";
import { auditOf } from "../harness/stage.ts";
import { startWatchedBot, type WatchedBot } from "../injection/watched-bot.ts";
import { saying } from "../ssh/fake-host.ts";
import { cases } from "./cases.ts";

let watched: WatchedBot;
beforeAll(async () => {
  const actions = ["uptime", "df -h"].map((command, index) => ({
    id: `${index + 1}`,
    api: "ssh.execute",
    title: "Look",
    description: "looks",
    params: { server: "web-1", command },
  }));
  watched = await startWatchedBot({
    answer: () => ({ text: `LIKELY: on.\n${startMarker}\n${JSON.stringify({ actions })}\n${endMarker}` }),
    play: saying("fine\n"),
    files: {
      "AGENTS.md": "# Web\n",
      ".github/countersign/workflows/look.yml":
        "name: look\ndescription: Looks\nparams: { place: {} }\nsteps:\n  - { server: web-1, title: T, command: 'ls {{place}}' }\n",
    },
    config: { policy: { lease: { allowed: true, servers: ["web-1"] } } },
  });
});
afterAll(() => watched.close());

type Incident = Thread & { readonly number: number };

/** Everybody says theirs at once, each on their own issue; what the bot answers, by verb. */
async function sayAll(on: ReadonlyMap<string, Incident>, login: string, bodies: ReadonlyMap<string, string>) {
  const ids = new Map<string, number>();
  for (const [verb, body] of bodies) {
    const thread = on.get(verb);
    if (thread) ids.set(verb, await thread.say(login, body));
  }
  await watched.quiet();
  const answers = new Map<string, { readonly outcome: string; readonly said: string }>();
  for (const [verb, id] of ids) {
    const thread = on.get(verb);
    if (!thread) continue;
    const said = (await thread.comments()).filter((one) => one.login.endsWith("[bot]") && one.id > id);
    const outcome = (await thread.reactions(id)).filter((one) => one !== "eyes").join();
    answers.set(verb, { outcome, said: said.map(({ body }) => withoutMarker(body)).join("\n\n") });
  }
  return answers;
}

describe("every slash command, each on an incident of its own", () => {
  it("SR-17 SR-61 PRODUCT is refused, answers wrong arguments and flags, is done, is harmless twice and on a closed issue", {
    timeout: 1_200_000,
  }, async () => {
    expect([...cases.keys()].sort()).toEqual(commands.map(({ verb }) => verb).sort());
    const on = new Map<string, Incident>();
    for (const verb of [...cases.keys()]) on.set(verb, await watched.open({ title: `Case ${verb}` }));
    await watched.quiet();
    const bodies = (which: "good" | "wrong", may?: string) =>
      new Map(
        commands
          .filter((command) => may === undefined || command.may === may)
          .map(({ verb }) => [verb, cases.get(verb)?.[which] ?? ""]),
      );
    const refused = [
      ...(await sayAll(on, "rita", bodies("good", "act"))),
      ...(await sayAll(on, "rita", bodies("good", "propose"))),
      ...(await sayAll(on, "sam", bodies("good", "approve"))),
    ];
    expect(refused.filter(([, { outcome, said }]) => outcome !== (said === "" ? "-1" : ""))).toEqual([]);
    // A reader is told in words once (SR-67), whoever may write here each time: shortly, after the first.
    const ofApprovers = commands.filter(({ may }) => may === "approve").length;
    const told = refused.filter(([, { said }]) => said !== "");
    expect(told).toHaveLength(1 + ofApprovers);
    for (const [verb, { said }] of told) {
      expect(said, verb).toMatch(/^Nothing was run\. /);
      expect(said, verb).toContain(`\`/${verb}\``);
      if (!said.includes("is for approvers only."))
        expect(said, verb).toMatch(/; you (have \w+ access|are not one of them)\. Ask one of .*, or see `\/help`\./);
    }
    expect(await auditOf(watched, { kind: "command_denied" })).toHaveLength(refused.length);
    const seen = await sayAll(on, "rita", bodies("good", "see"));
    expect([...seen].filter(([, { outcome, said }]) => outcome === "-1" || said === "")).toEqual([]);
    expect(watched.host.seen.commands).toEqual([]);

    const wrong = await sayAll(on, "lee", bodies("wrong"));
    expect(watched.host.seen.commands).toEqual([]);
    const good = await sayAll(on, "lee", bodies("good"));
    const twice = await sayAll(on, "lee", bodies("good"));
    for (const { number } of on.values())
      await watched.github.as("mona")("PATCH", `/repos/${repo}/issues/${number}`, { state: "closed" });
    await watched.quiet();
    const ran = watched.host.seen.commands.length;
    const closed = await sayAll(on, "lee", bodies("good"));
    for (const behind of ["", " 99", " --no-such-flag"]) {
      const all = await sayAll(on, "lee", new Map(commands.map(({ verb }) => [verb, `/${verb}${behind}`])));
      expect([...all].filter(([, { said }]) => said === "").map(([verb]) => verb + behind)).toEqual([]);
    }
    expect(watched.host.seen.commands).toHaveLength(ran);

    const amiss = [...cases].flatMap(([verb, row]) =>
      (
        [
          ["wrong", wrong, row.mistake],
          ["good", good, row.done],
          ["twice", twice, row.twice],
          ["closed", closed, row.closed],
        ] as const
      ).flatMap(([when, answers, words]) => {
        const { outcome = "none", said = "" } = answers.get(verb) ?? {};
        const isTold = words.test(said) && ["rocket", "confused", ""].includes(outcome);
        return isTold ? [] : [`/${verb}, ${when}: ${outcome} ${said}`];
      }),
    );
    expect(amiss).toEqual([]);
    // An approval and an approver's own low command ran theirs once, and a lease what it may; everything else ran nothing.
    const numbers = await watched.bot.deps.store.db
      .selectFrom("run")
      .innerJoin("action", "action.id", "run.actionId")
      .innerJoin("incident", "incident.id", "action.incidentId")
      .select("incident.number as issue")
      .execute();
    const where = new Set(numbers.map(({ issue }) => issue));
    expect([...on].filter(([, { number }]) => where.has(number)).map(([verb]) => verb)).toEqual([
      "approve",
      "run",
      "lease",
      "auto",
    ]);
  });
});
