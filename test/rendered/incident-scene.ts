import { createHash } from "node:crypto";
import { type Demo, demoRepo } from "../../demo/demo.ts";
import { plainText } from "../../demo/plain-text.ts";
import { createThread, openIssue } from "../../demo/thread.ts";

/** What docs/incident.png shows: a part of one incident of the demo. */
export interface IncidentScene {
  readonly issue: number;
  /** The first comment that is shown; it goes on to the last one there is. */
  readonly firstComment: number;
  /** What the shown comments read. */
  readonly text: string;
  /** What README says the picture shows. */
  readonly caption: string;
}

/** Plays the bad rollout of the demo until its cause is undone. */
export async function playIncidentScene(demo: Demo): Promise<IncidentScene> {
  const incident = demo.incidents.find(({ id }) => id === "rollout");
  if (!incident) throw new Error("the demo has no bad rollout");
  const issue = await openIssue(demo.github, demoRepo, { by: "mona", ...incident, labels: [incident.label] });
  const thread = createThread(demo.github, demoRepo, issue);
  const quiet = async (): Promise<void> => {
    for (let still = 0; still < 2; still++) {
      await demo.github.settled();
      await demo.bot.deps.store.queue.idle();
    }
  };
  await thread.waitFor((body) => body.includes("`/approve 1`"), "the checks");
  await quiet();
  const firstComment = await thread.say("lee", "/approve 1");
  const card = await thread.waitFor((body) => body.includes("`/approve 2 3`"), "the step");
  await quiet();
  await thread.say("mona", "/approve 2 3 2.4.1 lacks a setting");
  await thread.waitFor((body) => body.includes("Done. If it is healthy"), "the end");
  await quiet();
  const comments = await thread.comments();
  const shown = comments.slice(comments.findIndex(({ id }) => id === firstComment));
  const text = shown.map(({ login, body }) => `${login.replace("[bot]", " (bot)")}\n\n${plainText(body)}\n`).join("\n");
  const [, command = ""] = /^ *```sh\n *(.*)\n *```$/m.exec(card.body) ?? [];
  const [, fault = ""] = /showed `([^`]+)`/.exec(card.body) ?? [];
  const caption = `An incident of the demo: lee approves checks, which show ${fault}; the bot proposes ${command}, mona approves, and it runs`;
  return { issue, firstComment, text, caption };
}

/** The first line of docs/incident.txt: to which picture it belongs. */
export const headOf = (picture: Uint8Array): string =>
  `What docs/incident.png reads (sha256 ${createHash("sha256").update(picture).digest("hex").slice(0, 16)}); \`npm run picture\` makes both.`;

/** Without what differs from one time to the next: durations, ages, and the columns that they widen. */
export const timeless = (text: string): string =>
  text.replaceAll(/\b(?:\d+m)?\d+(?:\.\d+)?(?: ?s\b|…)/g, "0 s").replaceAll(/ +/g, " ");
