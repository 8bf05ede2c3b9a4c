import { setBack } from "../../src/features/verify/restored.ts";
import { closeIssue, restart, startLongStage } from "../commands/long-command.ts";
import { leaveBehind } from "../features/run/left-behind.ts";
import { cardOf, incidentIdOf, proposing, type Stage } from "../harness/stage.ts";
import type { Example, Part } from "./page.ts";

/** Plays what makes the bot speak without being asked. */
export async function playNotices(stage: Stage): Promise<Part> {
  const newAfter = async (thread: Awaited<ReturnType<Stage["incident"]>>, work: () => Promise<unknown>) => {
    const before = new Set((await thread.comments()).map(({ id }) => id));
    await work();
    await stage.quiet();
    const said = (await thread.comments()).filter(({ id, login }) => !before.has(id) && login.endsWith("[bot]"));
    return said.map(({ body }) => body).join("\n\n---\n\n");
  };
  const examples: Example[] = [];
  const told = async (title: string, work: (thread: Awaited<ReturnType<Stage["incident"]>>) => Promise<unknown>) => {
    const thread = await stage.incident(restart);
    examples.push({ title, body: await newAfter(thread, () => work(thread)) });
  };
  const comments = "/repos/acme/web/issues/comments";
  await told("A card was edited", async (thread) => {
    const { id } = await cardOf(thread, 1);
    await stage.github.as("sam")("PATCH", `${comments}/${id}`, { body: "Nothing to see here." });
  });
  await told("A card was deleted", async (thread) => {
    const { id } = await cardOf(thread, 1);
    await stage.github.as("sam")("DELETE", `${comments}/${id}`);
  });
  await told("A box was ticked", async (thread) => {
    const { id, body } = await cardOf(thread, 1);
    await stage.github.as("sam")("PATCH", `${comments}/${id}`, { body: body.replace("- [ ]", "- [x]") });
  });
  await told("Somebody posted a look-alike", (thread) =>
    thread.say("sam", "- [ ] **1** · 🟢 low · `web-1` · **Look**"),
  );
  await told("A typo was corrected by editing", async (thread) => {
    const id = await thread.say("lee", "/aprove 1");
    await stage.quiet();
    await stage.github.as("lee")("PATCH", `${comments}/${id}`, { body: "/approve 1" });
  });
  await told("An approval was edited before it was enough", async (thread) => {
    await thread.say("sam", "/run web-1\n```sh\nrm -r /srv/cache\n```");
    await stage.quiet();
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const id = await thread.say("lee", "/approve 2 web-1 it is full");
    await stage.quiet();
    await stage.github.as("lee")("PATCH", `${comments}/${id}`, { body: "/approve 2 web-1 I am not sure" });
  });
  await told("The store was restored from an older copy", async ({ number }) => {
    const { deps: world } = stage.bot;
    const { db } = world.store;
    const id = await incidentIdOf(db, number);
    await world.store.transaction((tx) => setBack(tx, world, id));
  });
  for (const [title, ending] of [
    ["It failed, and the agent does not reply", { kind: "exited", code: 3 }],
    ["Nobody knows how it ended", { kind: "unknown", reason: "The connection was lost." }],
  ] as const)
    await told(title, async (thread) => {
      const left = await leaveBehind(stage, thread, { numbers: [1], begun: { 1: ending } });
      await closeIssue(stage, thread);
      await stage.quiet();
      await left.serve();
    });
  return { title: "Notices: what it says unasked", examples };
}

/** Plays what is answered about a command that runs, and the notice that it takes long. */
export async function playRunning(): Promise<Part> {
  const long = await startLongStage("1s");
  try {
    const thread = await long.running();
    const late = await thread.waitFor((body) => body.includes("is still running on"), "that it takes long");
    const examples: Example[] = [{ title: "It takes long", body: late.body }];
    for (const body of [
      "/approve 1",
      "/output 1",
      "/output 1 tail 5",
      "/wait 1 soon",
      "/wait 1 10m",
      "/edit 1\n```sh\nls\n```",
      "/cancel 1 web-9",
      "/continue 1",
      "/hold --kill",
      "/cancel 1",
    ]) {
      const before = new Set((await thread.comments()).map(({ id }) => id));
      if (body === "/continue 1") long.stage.model.play(proposing("LIKELY: it waits for its last worker."));
      const mine = await thread.say("lee", body);
      // While it runs the bot is never at rest: an answer is a new comment that is not about the time it takes, or marks alone.
      for (;;) {
        const said = (await thread.comments()).find(
          ({ id, body }) => !before.has(id) && id !== mine && !body.includes("is still running on"),
        );
        const isMarked = body === "/wait 1 10m" && (await thread.reactions(mine)).includes("rocket");
        if (said || isMarked) {
          examples.push({ title: `@lee: \`${body.split("\n", 1)[0]}\``, body: said?.body ?? "*no comment; 👀 🚀*" });
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    return { title: "While a command runs", examples };
  } finally {
    await long.close();
  }
}
