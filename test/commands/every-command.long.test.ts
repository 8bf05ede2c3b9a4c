import { describe, expect, it } from "vitest";
import { commands } from "../../src/commands/registry.ts";
import { commented } from "../../src/commands/slash-comment.ts";
import type { Config } from "../../src/config/load.ts";
import type { CommentEvent } from "../../src/github/events.ts";
import { incidentOf } from "../../src/store/incidents.ts";
import { jobOf } from "../harness/job.ts";
import { type Stage, statesOf, useStage } from "../harness/stage.ts";

const stage = useStage();

/** Those whose effect would spoil the table for the others: they have suites of their own. */
const apart = ["close", "hold", "investigate"];
const listed = commands.filter(({ verb }) => !apart.includes(verb));
const typed = (verb: string): string => `/${verb}`;

/** A page of GitHub's comments holds what a few commands are asked and answered, so that each few have an issue of their own. */
async function onIncidents(work: (thread: Incident, commands: typeof listed) => Promise<void>): Promise<void> {
  for (let from = 0; from < listed.length; from += 10)
    await work(await stage.incident("uptime", "df -h"), listed.slice(from, from + 10));
}
type Incident = Awaited<ReturnType<Stage["incident"]>>;

/** What nobody may cause by typing a verb alone: a run, a new action, a change of state. */
async function untouched(issue: number): Promise<object> {
  return { ran: stage.ran().length, states: await statesOf(stage, issue) };
}

const job = { ...jobOf("delivery", {}, { attempt: 5, failures: 4, isLast: true }), receivedAt: new Date() };

/** The same, for a repository that the operator lets be public. */
const open = (config: Config): Config => ({
  ...config,
  repositories: config.repositories.map((one) => ({ ...one, allowPublic: true })),
});

const idOf = async (thread: Incident): Promise<string> => {
  const { db } = stage.bot.deps.store;
  const row = await db
    .selectFrom("incident")
    .select("id")
    .where("number", "=", thread.number)
    .executeTakeFirstOrThrow();
  return row.id;
};

describe("every slash command", () => {
  it("SR-17 SR-61 is answered to those who may, refused to those who may not, and told once in words", async () => {
    let refusals = 0;
    await onIncidents(async (thread, some) => {
      const before = await untouched(thread.number);
      for (const { verb, may } of some) {
        const body = typed(verb);
        const refused = may === "act" || may === "propose" ? "rita" : may === "approve" ? "sam" : undefined;
        const denied = refused && (await stage.ask(thread, refused, body));
        if (denied) expect(denied.reactions, body).toEqual(["eyes", "-1"]);
        for (const text of denied?.said ?? []) {
          refusals++;
          expect(text, body).toMatch(/^Nothing was run\. /);
          expect(text, body).toContain(`\`/${verb}\``);
          if (!text.includes("is for approvers only."))
            expect(text, body).toMatch(
              /; you (have \w+ access|are not one of them)\. Ask one of .*, or see `\/help`\./,
            );
        }
        const allowed = await stage.ask(thread, may === "see" ? "rita" : "lee", body);
        expect(allowed.reactions[0], body).toBe("eyes");
        expect(allowed.reactions, body).not.toContain("-1");
        expect(allowed.said.join(""), body).not.toBe("");
      }
      expect(await untouched(thread.number)).toEqual(before);
    });
    // A reader is told once in words within ten minutes (SR-67), a colleague who may write each time: shortly, after the first.
    const ofApprovers = commands.filter(({ may }) => may === "approve").length;
    expect(refusals).toBe(1 + ofApprovers);
    const denied = await stage.bot.deps.store.db
      .selectFrom("audit")
      .select("body")
      .where("kind", "=", "command_denied")
      .execute();
    expect(denied).toHaveLength(listed.filter(({ may }) => may !== "see").length);
  });

  it("SR-61 is silent for bots, for outsiders, and for who only reads a public repository", async () => {
    const thread = await stage.incident("uptime");
    const { deps: world } = stage.bot;
    const posts = () =>
      world.store.db.selectFrom("comment").select("slot").where("issue", "=", thread.number).execute();
    const reactions = () =>
      world.store.db.selectFrom("reaction").select("id").where("issue", "=", thread.number).execute();
    const issue = await incidentOf(world.store.db, await idOf(thread));
    const { body } = await stage.github.as("rita")("GET", "/user");
    const { id: rita } = body as { id: number };
    const before = [await untouched(thread.number), await posts(), await reactions()];
    let commentId = 900_000;
    for (const { verb } of commands) {
      for (const [author, isPrivate] of [
        [{ id: 4_242, login: "deploy-bot[bot]", type: "Bot" }, true],
        [{ id: 4_243, login: "eve", type: "User" }, true],
        [{ id: rita, login: "rita", type: "User" }, false],
      ] as const) {
        commentId++;
        const comment = {
          id: commentId,
          nodeId: `C_${commentId}`,
          body: typed(verb),
          before: undefined,
          edited: false,
          author,
          createdAt: new Date(),
          updatedAt: new Date(),
          viaAppId: undefined,
        };
        const event: CommentEvent = {
          action: "created",
          issue: { ...issue, nodeId: issue.nodeId },
          private: isPrivate,
          title: issue.title,
          body: issue.body,
          open: true,
          opener: author,
          labels: ["incident"],
          isPullRequest: false,
          sender: author,
          label: undefined,
          comment,
        };
        await commented({ ...world, config: open(world.config) }, job, event);
      }
    }
    expect([await untouched(thread.number), await posts(), await reactions()]).toEqual(before);
  });

  it("PRODUCT answers a wrong number, a wrong flag and the same thing twice, and on a closed issue changes nothing", async () => {
    await onIncidents(async (thread, some) => {
      await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });
      await stage.quiet();
      const before = await untouched(thread.number);
      for (const { verb } of some) {
        for (const body of [`${typed(verb)} 99`, `${typed(verb)} --no-such-flag`, typed(verb), typed(verb)]) {
          const answer = await stage.ask(thread, "lee", body);
          expect(answer.reactions[0], body).toBe("eyes");
          expect(answer.said.join(""), body).not.toBe("");
        }
      }
      expect(await untouched(thread.number)).toEqual(before);
    });
  });

  it("PRODUCT /help with a verb behind it says how that is given; a name that is none lists them all", async () => {
    const thread = await stage.incident("uptime");
    const one = await stage.ask(thread, "sam", "/help /Approve");
    expect(one.said.join()).toContain(
      "- takes `--keep-going`, `--timeout 10m`\n- for approvers; you are not one of them\n- for example",
    );
    const all = await stage.ask(thread, "sam", "/help nothing");
    expect(all.said.join()).toContain("What you can type here");
  });

  it("SR-25 a number pinned to another issue's action is told where it belongs, and nothing runs", async () => {
    const one = await stage.incident("uptime");
    const other = await stage.incident("df -h");
    const { digest } = await stage.bot.deps.store.db
      .selectFrom("action")
      .innerJoin("incident", "incident.id", "action.incidentId")
      .select("digest")
      .where("incident.number", "=", one.number)
      .executeTakeFirstOrThrow();
    const before = await untouched(other.number);
    for (const number of [1, 7]) {
      const answer = await stage.ask(other, "lee", `/approve ${number}@${digest.slice(0, 12)}`);
      expect(answer.said.join()).toContain(`is **1** of issue ${one.number} and is approved only there.`);
    }
    expect(await untouched(other.number)).toEqual(before);
  });
});
