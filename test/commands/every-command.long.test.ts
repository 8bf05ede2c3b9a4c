import { describe, expect, it } from "vitest";
import { commands } from "../../src/commands/registry.ts";
import { commented } from "../../src/commands/slash-comment.ts";
import type { Config } from "../../src/config/load.ts";
import type { CommentEvent } from "../../src/github/events.ts";
import { actionsOf } from "../../src/store/actions.ts";
import { incidentOf } from "../../src/store/incidents.ts";
import { jobOf } from "../harness/job.ts";
import { incidentIdOf, statesOf, useStage } from "../harness/stage.ts";

const stage = useStage();

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

describe("every slash command", () => {
  it("SR-61 is silent for bots, for outsiders, and for who only reads a public repository", async () => {
    const thread = await stage.incident("uptime");
    const { deps: world } = stage.bot;
    const posts = () =>
      world.store.db.selectFrom("comment").select("slot").where("issue", "=", thread.number).execute();
    const reactions = () =>
      world.store.db.selectFrom("reaction").select("id").where("issue", "=", thread.number).execute();
    const issue = await incidentOf(world.store.db, await incidentIdOf(world.store.db, thread.number));
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
          body: `/${verb}`,
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

  it("PRODUCT /help with a verb behind it says how that is given; a name that is none lists them all", async () => {
    const thread = await stage.incident("uptime");
    expect((await stage.ask(thread, "sam", "/help /Approve")).said.join()).toContain(
      "- takes `--keep-going`, `--timeout 10m`\n- for approvers; you are not one of them\n- for example",
    );
    expect((await stage.ask(thread, "sam", "/help nothing")).said.join()).toContain("What you can type here");
  });

  it("SR-25 a number pinned to another issue's action is told where it belongs, and nothing runs", async () => {
    const one = await stage.incident("uptime");
    const other = await stage.incident("df -h");
    const { db } = stage.bot.deps.store;
    const [{ digest } = { digest: "" }] = await actionsOf(db, await incidentIdOf(db, one.number));
    const before = await untouched(other.number);
    for (const number of [1, 7]) {
      const answer = await stage.ask(other, "lee", `/approve ${number}@${digest.slice(0, 12)}`);
      expect(answer.said.join()).toContain(`is **1** of issue ${one.number} and is approved only there.`);
    }
    expect(await untouched(other.number)).toEqual(before);
  });
});
