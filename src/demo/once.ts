import type { Demo } from "./demo.ts";
import { demoRepo } from "./demo.ts";
import { createThread, openIssue } from "./thread.ts";

/**
 * Plays the first incident through to its end, as four people would, and prints what happens and what the issue then reads.
 * Throws where a step does not come true.
 */
export async function playOnce(demo: Demo, print: (line: string) => void): Promise<void> {
  const started = performance.now();
  const [incident] = demo.incidents;
  if (!incident) throw new Error("the demo has no incident");
  const step = (line: string) => print(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${line}`);

  step(`@mona opens an incident: ${incident.title}`);
  const number = await openIssue(demo.github, demoRepo, { by: "mona", ...incident, labels: [incident.label] });
  const thread = createThread(demo.github, demoRepo, number);
  const numberOf = (command: string, body: string): number => {
    const before = body.slice(0, body.indexOf(`\n  ${command}`));
    const entry = [...before.matchAll(/^- \[[ x]\] \*\*(\d+)\*\*/gm)].at(-1);
    if (!entry) throw new Error(`no action proposes ${command}`);
    return Number(entry[1]);
  };

  const card = await thread.waitFor((body) => /^- \[ \] \*\*1\*\*/m.test(body), "the proposal card");
  const proposed = [...card.body.matchAll(/^- \[ \] \*\*(\d+)\*\*/gm)].map((match) => match[1]);
  step(`the bot proposes ${proposed.length} commands that only read`);

  await thread.say("eve", "/approve 1");
  step("@eve, who may not, comments /approve 1: nothing is run");
  const approval = await thread.say("lee", `/approve ${proposed.join(" ")} --keep-going`);
  step(`@lee comments /approve ${proposed.join(" ")} --keep-going`);
  await thread.waitFor((body) => /\*\*3\*\* · [✅❌]/u.test(body), "the results of the diagnosis");
  step("the three results stand on the issue: the disk is full");

  const command = "logrotate -f /etc/logrotate.d/checkout";
  await thread.say("sam", `/run web-1 the debug log grew without end\n\`\`\`sh\n${command}\n\`\`\``);
  step(`@sam, who has write access, proposes: ${command}`);
  const freeing = await thread.waitFor(
    (body) => body.includes(command) && body.includes("Proposed by `@sam`"),
    "sam's own card",
  );
  const freeNumber = numberOf(command, freeing.body);
  await thread.say("sam", `/approve ${freeNumber}`);
  await thread.waitFor((body) => body.includes("is not yours to give here"), "sam's refusal");
  step("@sam may not approve it, and is told who may");
  await countersign(freeNumber, "mona", "the log is not needed");

  const restart = "systemctl restart checkout-api";
  await thread.say("sam", `/run web-1\n\`\`\`sh\n${restart}\n\`\`\``);
  const restarting = await thread.waitFor(
    (body) => body.includes(restart) && body.includes("Proposed by `@sam`"),
    "the restart's card",
  );
  step(`@sam proposes: ${restart}`);
  await countersign(numberOf(restart, restarting.body), "lee", "space is free again");

  await thread.say("lee", "/close a debug log without rotation filled the disk");
  await thread.waitFor((body) => body.includes("**Postmortem draft**"), "the summary");
  step("@lee comments /close; the issue is closed with a summary");

  const reactions = await thread.reactions(approval);
  if (!reactions.includes("eyes")) throw new Error("the approval has no 👀");
  print("");
  for (const comment of await thread.comments()) {
    print(`──── @${comment.login} ${"─".repeat(Math.max(0, 70 - comment.login.length))}`);
    print(comment.body.replace(/\s*<!-- countersign .*-->\s*$/, ""));
    print("");
  }
  const invalid = demo.github.invalid();
  if (invalid.length > 0) throw new Error(`requests that GitHub would not take:\n${invalid.join("\n")}`);

  async function countersign(actionNumber: number, login: string, why: string): Promise<void> {
    const mark = new RegExp(`\\*\\*${actionNumber}\\*\\* · ✅ exit 0`);
    const current = (await thread.comments()).find((c) => c.body.includes(`- [ ] **${actionNumber}** · 🔴`));
    const words = current ? `web-1 ${why}` : why;
    await thread.say(login, `/approve ${actionNumber} ${words}`);
    step(`@${login} countersigns ${actionNumber}`);
    if (current) {
      const other = login === "mona" ? "lee" : "mona";
      await thread.say(other, `/approve ${actionNumber} web-1 ${why}`);
      step(`@${other} countersigns ${actionNumber} too: it is high risk`);
    }
    await thread.waitFor((body) => mark.test(body), `${actionNumber} to end well`);
    step(`${actionNumber} ran and ended with exit 0`);
  }
}
