import type { Demo } from "./demo.ts";
import { demoRepo } from "./demo.ts";
import { plainText } from "./plain-text.ts";
import { createThread, openIssue, type Thread } from "./thread.ts";

/**
 * Plays the first incident through to its end, as four people would; prints what happens, and then the issue as one of them reads it.
 * Throws where a step does not come true.
 */
export async function playOnce(demo: Demo, print: (line: string) => void): Promise<void> {
  const incident = demo.incidents.find(({ id }) => id === "full-disk");
  if (!incident) throw new Error("the demo has no full disk");
  const started = performance.now();
  const tell = (line: string) => print(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${line}`);
  const number = await openIssue(demo.github, demoRepo, { by: "mona", ...incident, labels: [incident.label] });
  const thread = createThread(demo.github, demoRepo, number);
  tell(`@mona opens an incident: ${incident.title}`);
  await playDisk(thread, tell);

  print(`\n${demoRepo} #${number}: ${incident.title}\n`);
  const comments = [{ login: "mona", body: incident.body }, ...(await thread.comments())];
  for (const { login, body } of comments)
    print(`── @${login.replace("[bot]", " (bot)")} ${"─".repeat(70 - login.length)}\n\n${plainText(body)}\n`);
  const invalid = demo.github.invalid();
  if (invalid.length > 0) throw new Error(`requests that GitHub would not take:\n${invalid.join("\n")}`);
}

type Tell = (line: string) => void;

const openIn = (body: string): readonly number[] =>
  [...body.matchAll(/^- \[ \] \*\*(\d+)\*\*/gm)].map((match) => Number(match[1]));

async function playDisk(thread: Thread, tell: Tell): Promise<void> {
  const countersign = countersignOn(thread, tell);
  const card = await thread.waitFor((body) => /^- \[ \] \*\*1\*\*/m.test(body), "the proposal card");
  const proposed = openIn(card.body);
  tell("the bot proposes three checks that only read, as one number");

  await thread.say("eve", "/approve 1");
  tell("@eve, who may not, comments /approve 1: nothing is run");
  const approval = await thread.say("lee", `/approve ${proposed.join(" ")}`);
  tell(`@lee comments /approve ${proposed.join(" ")}`);
  const table = await thread.waitFor(
    (body) => /^(?:<details[^>]*><summary>)?3 [✅❌ℹ⚠]/mu.test(body),
    "the results of the diagnosis",
  );
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
