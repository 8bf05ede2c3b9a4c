import type { Demo } from "./demo.ts";
import { demoRepo } from "./demo.ts";
import type { DemoIncident } from "./incidents.ts";
import { createThread, openIssue, type Thread } from "./thread.ts";

/**
 * Plays the first incident through to its end, as four people would, then the one on the cluster; prints what happens and what the issues
 * then read.
 * Throws where a step does not come true.
 */
export async function playOnce(demo: Demo, print: (line: string) => void): Promise<void> {
  const started = performance.now();
  const tell = (line: string) => print(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${line}`);
  const threads = [await playDisk(demo, tell), await playRollout(demo, tell)];
  for (const thread of threads) {
    print("");
    for (const comment of await thread.comments()) {
      print(`──── @${comment.login} ${"─".repeat(Math.max(0, 70 - comment.login.length))}`);
      print(comment.body.replace(/\s*<!-- countersign .*-->\s*$/, ""));
      print("");
    }
  }
  const invalid = demo.github.invalid();
  if (invalid.length > 0) throw new Error(`requests that GitHub would not take:\n${invalid.join("\n")}`);
}

type Tell = (line: string) => void;

async function open(demo: Demo, id: DemoIncident["id"], tell: Tell): Promise<Thread> {
  const incident = demo.incidents.find((one) => one.id === id);
  if (!incident) throw new Error(`the demo has no incident ${id}`);
  tell(`@mona opens an incident: ${incident.title}`);
  const number = await openIssue(demo.github, demoRepo, { by: "mona", ...incident, labels: [incident.label] });
  return createThread(demo.github, demoRepo, number);
}

const openIn = (body: string): readonly number[] =>
  [...body.matchAll(/^- \[ \] \*\*(\d+)\*\*/gm)].map((match) => Number(match[1]));

async function playDisk(demo: Demo, tell: Tell): Promise<Thread> {
  const thread = await open(demo, "full-disk", tell);
  const countersign = countersignOn(thread, tell);
  const card = await thread.waitFor((body) => /^- \[ \] \*\*1\*\*/m.test(body), "the proposal card");
  const proposed = openIn(card.body);
  tell("the bot proposes three checks that only read, as one number");

  await thread.say("eve", "/approve 1");
  tell("@eve, who may not, comments /approve 1: nothing is run");
  const approval = await thread.say("lee", `/approve ${proposed.join(" ")}`);
  tell(`@lee comments /approve ${proposed.join(" ")}`);
  const table = await thread.waitFor((body) => /^\| 3 \| .*[✅❌ℹ⚠]/mu.test(body), "the results of the diagnosis");
  if (!table.body.includes("100% /var")) throw new Error(`the checks do not show a full disk:\n${table.body}`);
  tell("the three results stand in one table: the disk is full");

  const freeing = await thread.waitFor(
    (body) => /^- \[ \] \*\*(?!1\*)\d+\*\* .*\n[\s\S]*logrotate -f /m.test(body),
    "the first step",
  );
  const [step = 0, ...checks] = openIn(freeing.body);
  tell(`the bot proposes to rotate the log, as ${step}, and a look at what that did`);
  await thread.say("sam", `/approve ${step}`);
  await thread.waitFor((body) => body.includes("can use `/approve`"), "sam's refusal");
  tell("@sam, who has write access, may not approve it, and is told who may");
  await countersign([step, ...checks], "mona", "the log is not needed");

  const restarting = await thread.waitFor(
    (body) => /^- \[ \] .*\n[\s\S]*systemctl restart /m.test(body),
    "the second step",
  );
  tell("the disk has room: the bot proposes to start the service again");
  await countersign(openIn(restarting.body), "lee", "space is free again");
  await thread.waitFor((body) => body.includes("Done. If it is healthy"), "the end");
  tell("the service answers: nothing more is proposed");

  await thread.say("lee", "/close a debug log without rotation filled the disk");
  await thread.waitFor((body) => body.includes("**Postmortem draft**"), "the summary");
  tell("@lee comments /close; the issue is closed with a summary");

  const reactions = await thread.reactions(approval);
  if (!reactions.includes("eyes")) throw new Error("the approval has no 👀");
  return thread;
}

/** A release that does not start, undone. */
async function playRollout(demo: Demo, tell: Tell): Promise<Thread> {
  const thread = await open(demo, "rollout", tell);
  const countersign = countersignOn(thread, tell);
  const card = await thread.waitFor(
    (body) => /^- \[ \] .*\n[\s\S]*kubectl get pods/m.test(body),
    "the looks at the cluster",
  );
  tell("the bot proposes its looks at the cluster prod-eu, as one number");
  const looks = `/approve ${openIn(card.body).join(" ")}`;
  await thread.say("lee", looks);
  tell(`@lee comments ${looks}`);
  await thread.waitFor((body) => /^\| 1 \| [✅⚠].*kubectl get pods/mu.test(body), "the results of the looks");
  const undoing = await thread.waitFor(
    (body) => /^- \[ \] \*\*(?!1\*)\d+\*\* .*\n[\s\S]*kubectl rollout undo /m.test(body),
    "the undo",
  );
  tell("every pod is in a crash loop: the bot proposes to go back to the release before, and a look at what that did");
  await countersign(openIn(undoing.body), "mona", "2.4.1 lacks a setting");
  await thread.waitFor((body) => body.includes("Done. If it is healthy"), "the end");
  await thread.say("lee", "/close release 2.4.1 lacks CART_DB_URL");
  await thread.waitFor((body) => body.includes("**Postmortem draft**"), "the summary");
  tell("the rollout is through; @lee comments /close");
  return thread;
}

/** Approves, and waits for the end of what was approved. */
const countersignOn =
  (thread: Thread, tell: Tell) =>
  async (numbers: readonly number[], login: string, why = ""): Promise<void> => {
    const comment = `/approve ${numbers.join(" ")} ${why}`.trim();
    await thread.say(login, comment);
    tell(`@${login} comments ${comment}`);
    await thread.waitFor(
      (body) => new RegExp(`\\*\\*${numbers.at(-1)}\\*\\* [✅ℹ]`, "u").test(body),
      `${numbers.at(-1)} to end well`,
    );
    tell(`${numbers.join(", ")} ran and ended with exit 0`);
  };
