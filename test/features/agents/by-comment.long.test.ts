import { describe, expect, it } from "vitest";
import { commands, commented } from "../../../src/commands/slash-comment.ts";
import type { Config } from "../../../src/config/values.ts";
import type { CommentEvent } from "../../../src/github/events.ts";
import { incidentOf } from "../../../src/store/incidents.ts";
import { jobOf } from "../../harness/job.ts";
import { cardOf, incidentIdOf, startStage, statesOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";

type Actor = NonNullable<CommentEvent["comment"]["author"]>;

const stage = useStarted(() => startStage({ people: [{ login: "claude", role: "admin" }] }));

const listedApp = 77;
const otherApp = 55;
const robot: Actor = { id: 4_242, login: "holmes[bot]", type: "Bot" };
const person = (login: string): Actor => ({ id: stage.github.person(login).id, login, type: "User" });

/** The operator's agents; whatever else claude is: an admin, and named among the approvers. */
function withAgents(config: Config, caps: object = {}): Config {
  const claude = { login: "claude", id: person("claude").id };
  const proposers = { ...config.policy.proposers, apps: [listedApp], users: [claude], ...caps };
  return {
    ...config,
    policy: { ...config.policy, proposers, approvers: { ...config.policy.approvers, users: [claude], proposers } },
  };
}

let commentId = 800_000;

/** A comment of somebody, as GitHub tells of it; resolves with the reactions on it and the answers to it. */
async function says(
  issue: number,
  by: { readonly author: Actor; readonly viaAppId?: number },
  body: string,
  caps: object = {},
): Promise<{ readonly reactions: readonly string[]; readonly answer: string }> {
  const { deps } = stage.bot;
  const row = await incidentOf(deps.store.db, await incidentIdOf(deps.store.db, issue));
  const { author } = by;
  const id = ++commentId;
  const at = new Date();
  const comment = {
    id,
    nodeId: `C_${id}`,
    body,
    before: undefined,
    edited: false,
    author,
    createdAt: at,
    updatedAt: at,
  };
  const event: CommentEvent = {
    ...{ action: "created", issue: row, private: true, title: row.title, body: row.body, open: true, opener: author },
    ...{ labels: ["incident"], isPullRequest: false, sender: author, label: undefined },
    comment: { ...comment, viaAppId: by.viaAppId },
  };
  const world = Object.defineProperty(Object.create(deps), "config", { value: withAgents(deps.config, caps) });
  await commented(world, { ...jobOf("delivery", {}), receivedAt: at }, event);
  const reactions = await deps.store.db.selectFrom("reaction").select("content").where("commentId", "=", id).execute();
  const slot = await deps.store.db
    .selectFrom("comment")
    .select("body")
    .where("slot", "=", `reply:${id}`)
    .executeTakeFirst();
  await stage.quiet();
  return { reactions: reactions.map(({ content }) => content), answer: slot?.body ?? "" };
}

const run = (command: string, why = "look"): string => `/run web-1 ${why}\n\`\`\`sh\n${command}\n\`\`\``;

describe("who may type what", () => {
  const audiences = {
    reader: ["see"],
    writer: ["see", "propose", "act"],
    approver: ["see", "propose", "act", "approve"],
  };
  const agent = { agent: ["run", "ask"] } as const;
  it.each([
    ["a reader", () => ({ author: person("rita") }), audiences.reader],
    ["a writer", () => ({ author: person("sam") }), audiences.writer],
    ["an approver, or their own token", () => ({ author: person("lee") }), audiences.approver],
    ["an approver through another App", () => ({ author: person("lee"), viaAppId: otherApp }), audiences.writer],
    ["an approver through a listed App", () => ({ author: person("lee"), viaAppId: listedApp }), agent.agent],
    ["a listed App", () => ({ author: robot, viaAppId: listedApp }), agent.agent],
    ["a listed account, an admin and approver besides", () => ({ author: person("claude") }), agent.agent],
    ["another App", () => ({ author: robot, viaAppId: otherApp }), "silence"],
    ["a bot without an App", () => ({ author: robot }), "silence"],
    ["this bot itself", () => ({ author: robot, viaAppId: stage.github.appId }), "silence"],
    ["a stranger through a listed App", () => ({ author: person("eve"), viaAppId: listedApp }), "silence"],
  ] as const)("AG-1 SR-16 SR-61 %s", async (_who, by, allowed) => {
    const thread = await stage.incident("uptime");
    for (const { verb, may } of commands) {
      const { reactions, answer } = await says(thread.number, by(), `/${verb}`);
      const mark = `/${verb}: ${reactions}`;
      if (allowed === "silence") expect(reactions, mark).toEqual([]);
      else if (
        (allowed as readonly string[]).includes(may) ||
        (allowed === agent.agent && ["run", "ask"].includes(verb))
      ) {
        if (answer === "") expect(reactions, mark).toContain("eyes");
        expect(reactions, mark).not.toContain("-1");
        expect(answer, mark).not.toContain("is for people");
      } else if (answer === "") expect(reactions, mark).toContain("-1");
      else expect(answer, mark).toMatch(/^Nothing was run\. /);
    }
  });
});

describe("an agent's /run", () => {
  it("AG-2 waits for a person though it only reads and its account is an approver; the card says that it is an app", async () => {
    const thread = await stage.incident("uptime");
    const app = await says(thread.number, { author: robot, viaAppId: listedApp }, run("df -h"));
    expect(app).toEqual({ reactions: expect.arrayContaining(["rocket"]), answer: "" });
    await says(thread.number, { author: person("claude") }, run("free -m", "/approve 2\n/approve all"));
    await says(thread.number, { author: person("lee"), viaAppId: listedApp }, run("uname -r"));
    expect(await statesOf(stage, thread.number)).toEqual({
      1: "proposed",
      2: "proposed",
      3: "proposed",
      4: "proposed",
    });
    expect((await cardOf(thread, 2)).body).toContain("**Proposed by the app `@holmes`\\[bot\\]**");
    expect((await cardOf(thread, 3)).body).toMatch(/\*\*Proposed by the agent `@claude`\*\*/);
    expect((await cardOf(thread, 4)).body).toMatch(/\*\*Proposed by an app for `@lee`\*\*/);
    expect(stage.ran().join()).not.toContain("df -h");
    await stage.ask(thread, "lee", "/approve 2");
    expect((await statesOf(stage, thread.number))[2]).toBe("done");
    expect(stage.ran().join()).toContain("df -h");
  });

  it("AG-1 its approval, its talk, its mentions and its mistakes do nothing; a denial says what it may", async () => {
    const thread = await stage.incident("uptime");
    const by = { author: { ...robot, id: 4_244 }, viaAppId: listedApp };
    for (const body of ["@countersign look again", "approve 1", "/approve1", "`/approve 1`", "> /run web-1", "/nosuch"])
      expect(await says(thread.number, by, body), body).toEqual({ reactions: [], answer: "" });
    const denied = await says(thread.number, by, "/approve 1");
    expect(denied.reactions).toEqual([]);
    expect(denied.answer).toContain(
      "`/approve` is for people: `policy.proposers` lets you use `/run` and `/ask` alone.",
    );
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("AG-3 has at most so many proposals open, and makes so many in an hour, over all issues", async () => {
    const [one, two] = [await stage.incident("uptime"), await stage.incident("uptime")];
    const by = { author: { ...robot, id: 4_243, login: "eager[bot]" }, viaAppId: listedApp };
    const caps = { openProposals: 2, proposalsPerHour: 3 };
    await says(one.number, by, run("df -h"), caps);
    await says(two.number, by, run("df -i"), caps);
    const third = await says(two.number, by, run("free"), caps);
    expect(third.answer).toContain("Nothing was run. You have 2 proposals open, and an agent may have 2.");
    await stage.ask(one, "lee", "/reject 2");
    await says(one.number, by, run("free"), caps);
    await stage.ask(one, "lee", "/reject 3");
    const late = await says(one.number, by, run("free -m"), caps);
    expect(late.answer).toContain("You have made 3 proposals within an hour, and an agent may make 3.");
    expect(await statesOf(stage, two.number)).toEqual({ 1: "proposed", 2: "proposed" });
  });
});
