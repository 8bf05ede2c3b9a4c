import { describe, expect, it } from "vitest";
import { newsOf, proposing, type Stage, useStage } from "../../harness/stage.ts";

const secret = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
const restart = { command: "systemctl restart spooler", title: "Restart" };

/** An incident that was solved: confirmed by 1, mended by 2 beside a change that changed nothing, told to be well, closed. */
async function solved(stage: Stage, close: string): Promise<number> {
  let isFull = true;
  stage.play(async (command, { channel }) => {
    if (command.includes("restart")) isFull = false;
    if (!command.includes("df -h")) return 0;
    channel.write(isFull ? "No space left on device\n" : "4 % used\n");
    // Of a public repository's outputs nothing is kept but how they ended.
    return isFull ? 1 : 0;
  });
  const thread = await stage.incident("df -h");
  stage.model.play(proposing(`CONFIRMED by 1.\n\nA debug log fills the spool, token ${secret}.`, restart));
  await stage.ask(thread, "lee", "/approve 1");
  await stage.ask(thread, "lee", "/approve 2", { text: "CONFIRMED by 2: all is well again." });
  await stage.ask(thread, "lee", "/retry 1", { text: "CONFIRMED by 3: all is well again." });
  await stage.ask(thread, "sam", "/run web-1\n```sh\ntouch /srv/spool/seen\n```");
  await stage.ask(thread, "lee", "/approve 4", { text: "LIKELY: so." });
  // The draft of its postmortem.
  await stage.ask(thread, "lee", close, { text: "I cannot say." });
  return thread.number;
}

const firstCard = async (stage: Stage): Promise<string> => {
  stage.model.play({ text: "LIKELY: looking at it." });
  const thread = await stage.open();
  await thread.waitFor((body) => body.includes("Looking at it."), "the card");
  await stage.quiet();
  return (await thread.comments()).find(({ body }) => body.includes("Looking at it."))?.body ?? "";
};

const lineIn = (card: string): string | undefined => /^\*\*Similar incident.*$/m.exec(card)?.[0];

describe("an incident like one that was closed", () => {
  const stage = useStage();

  it("PRODUCT SR-39 SR-45 is told what that was and what helped: people in one line of the first card, the model as data; each once", async () => {
    expect(lineIn(await firstCard(stage))).toBeUndefined();
    const first = await solved(stage, "/close");
    const byAgent = await firstCard(stage);
    expect(lineIn(byAgent)).toMatch(
      new RegExp(
        "^\\*\\*Similar incident\\*\\* · \\[`#" +
          first +
          "`\\]\\(http\\S+/acme/web/issues/" +
          first +
          "\\), closed today: " +
          "A debug log fills the spool, token \\\\\\[REDACTED\\\\\\] \\(the agent's words\\); helped: `systemctl restart spooler`$",
      ),
    );

    const second = await solved(stage, `/close debug log level left on <!-- x --> ${secret}`);
    stage.model.play({ text: "LIKELY: looking at it." });
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("Looking at it."), "the card");
    await stage.quiet();
    const [, card] = (await thread.comments()).map(({ body }) => body);
    expect(lineIn(card ?? "")).toContain(
      `/${second}), closed today: debug log level left on \\[REDACTED\\]; helped: \`systemctl restart spooler\``,
    );
    expect(newsOf(stage)).toMatch(
      /look first\.\n\n<similar-incidents nonce="[^"]+">\n#(\d+), closed today: debug log level left on \[REDACTED\]; helped: systemctl restart spooler\n#\d+, closed today: A debug log fills the spool, token \[REDACTED\] \(the agent's words, not verified\); helped: systemctl restart spooler\n<\/similar-incidents/,
    );
    const { said } = await stage.ask(thread, "sam", "/ask and now?", { text: "LIKELY: still looking." });
    expect(said.join("\n")).not.toContain("Similar incident");
    expect(newsOf(stage)).not.toContain("similar-incidents");
  });

  it("PRODUCT but never of another repository", async () => {
    await stage.bot.deps.store.db.updateTable("incident").set({ repoId: 77, repo: "acme/other" }).execute();
    expect(lineIn(await firstCard(stage))).toBeUndefined();
    expect(newsOf(stage)).not.toContain("similar-incidents");
  });
});

describe("on a public repository", () => {
  const stage = useStage(() => ({ private: false }));

  it("SR-11 nothing of what the agent read in an output is told again, only what a person said and what ran", async () => {
    await solved(stage, "/close");
    expect(lineIn(await firstCard(stage))).toMatch(/\), closed today; helped: `systemctl restart spooler`$/);
    await solved(stage, "/close the log level");
    expect(lineIn(await firstCard(stage))).toMatch(/\), closed today: the log level; helped: /);
  });
});
