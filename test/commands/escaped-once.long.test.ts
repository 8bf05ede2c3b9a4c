import { describe, expect, it } from "vitest";
import { markIn, withoutMarker } from "../../src/github/comments.ts";
import { call, proposing, startStage } from "../harness/stage.ts";
import { useStarted } from "../harness/use-started.ts";
import { heardBy } from "../text/bots.ts";
import { htmlIn, seen } from "../text/seen.ts";

/** Words of somebody else that look like HTML, and how a person is to read them. `PROSE` is Markdown by the agent's protocol. */
const hostile = (mark: string): string => `${mark} <img src=x onerror=y> a & b [&lt;] \`<b>\` &amp; ${mark}-END`;
/** Of a note an image is not kept. */
const noted = (mark: string): string => hostile(mark).replace("<img src=x onerror=y>", "[image not read]");
const read: Readonly<Record<string, (mark: string) => string>> = {
  ANSWER: noted,
  CLOSED: noted,
  NOTE: noted,
  PART: noted,
  REJECTED: noted,
  PROSE: (mark) => `${mark} <img src=x onerror=y> a & b [<] <b> & ${mark}-END`,
  // In HTML a backtick is none of Markdown's.
  PROSEHTML: (mark) => `<p> ${mark} <img src=x onerror=y> a & b [<] \`<b>\` & ${mark}-END </p>`,
  PROSEEND: (mark) => `${mark} <img src=x onerror=y> a & b [<] <b> & ${mark}-END`,
  PLAN: (mark) => `${mark} <img src=x onerror=y> a & b [<] <b> & ${mark}-END`,
};

const skill = `---
name: spool
description: ${JSON.stringify(hostile("SKILL"))}
---

# Spool
`;
const workflow = `name: look
description: ${JSON.stringify(hostile("WORKFLOW"))}
params:
  why: { description: ${JSON.stringify(hostile("PARAM"))}, default: none }
steps:
  - { server: web-1, title: ${JSON.stringify(hostile("STEP"))}, command: "uptime {{why}}" }
`;

const stage = useStarted(() =>
  startStage({
    files: {
      "AGENTS.md": "# Web\n",
      ".github/skills/spool/SKILL.md": skill,
      ".github/countersign/workflows/look.yml": workflow,
    },
  }),
);

const ours = /^<(?:\/?sub|\/?details|details><summary>(?:[^<>]|<code>@?[\w.-]+<\/code>)*<\/summary)>$/;

/** Which marks were drawn; every one of them as it is to be read. */
function drawn(bodies: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const body of bodies.map(withoutMarker)) {
    const text = seen(body);
    for (const [, mark = ""] of text.matchAll(/\b([A-Z]{4,})(?= <| &lt;|&lt;| \[image)/g)) {
      expect(text, body).toContain((read[mark] ?? hostile)(mark));
      found.add(mark);
    }
    expect(
      htmlIn(body).filter((html) => !ours.test(html)),
      body,
    ).toEqual([]);
    expect(heardBy(body)).toEqual([]);
  }
  return found;
}

describe("on every comment", () => {
  it("SR-31 SR-42 what others wrote is read as they wrote it, neither escaped twice nor not at all", async () => {
    stage.play(async (command, { channel }) => {
      channel.write(`${hostile("OUTPUT")}\n`);
      return command.includes("df -i") ? 1 : 0;
    });
    stage.model.play(
      call("update_plan", { plan: `- [ ] ${hostile("PLAN")}` }),
      call("ask_question", { question: hostile("QUESTION"), choices: [] }),
    );
    const thread = await stage.open({ title: hostile("ISSUE"), body: `${hostile("BODY")} ${hostile("PROSEHTML")}` });
    await thread.waitFor((body) => body.includes("**q1**"), "the question");
    await stage.quiet();
    const wild = { title: hostile("TITLE"), description: `It may be ${hostile("ABOUT")}` };
    const reply = proposing(
      `LIKELY: it may be ${hostile("PROSE")}\n\n<p>\n${hostile("PROSEHTML")}\n</p>\n`,
      { command: "df -h", ...wild },
      { command: "df -i", ...wild },
      { command: "uptime", ...wild },
    );
    // What only helps to decide is on a card until that is over.
    const { said: proposed } = await stage.ask(thread, "lee", `/answer q1 ${hostile("ANSWER")}`, reply);
    await stage.ask(thread, "lee", `/reject 3 ${hostile("REJECTED")}`);
    const suggested = `[SUGGESTIONS]\n1. ${hostile("SUGGESTION")}\n[/SUGGESTIONS]`;
    stage.model.play({ text: `LIKELY, see 1: it may be ${hostile("PROSEEND")}\n\n${suggested}\n` });
    // Only the newest card shows what it suggests, so it is read now.
    const { said: read } = await stage.ask(thread, "lee", "/approve 1 2");
    const says = [
      "/ask",
      "/answer q1",
      "/explain 1",
      "/output 1",
      "/status",
      "/servers",
      "/skills",
      "/workflow",
      `/workflow ${hostile("NAME")}`,
      "/workflow look",
      `/run web-1 ${hostile("NOTE")}\n\`\`\`sh\ntouch /tmp/x\n\`\`\``,
      `/prompt set ${hostile("PART")}`,
      "/prompt show",
      "/handover @sam",
      "/whoami",
      "/verify",
      `/hold ${hostile("HELD")}`,
      "/approve 4",
      "/resume",
      "/plan",
      "/feedback good",
      "/retry 2",
      "/help",
      `/close --anyway ${hostile("CLOSED")}`,
    ];
    const bodies: string[] = [...proposed, ...read];
    for (const body of says) bodies.push(...(await stage.ask(thread, "lee", body)).said);
    const all = [
      ...bodies,
      ...(await thread.comments()).filter(({ body }) => markIn(body) !== undefined).map(({ body }) => body),
    ];
    const marks = drawn(all);
    // What is told to the agent alone, an answer or a prompt, loses its HTML before it is shown (SR-37).
    expect([...marks].toSorted()).toEqual(
      "ABOUT ANSWER CLOSED ISSUE NOTE OUTPUT PARAM PART PLAN PROSE PROSEEND PROSEHTML QUESTION REJECTED SKILL STEP SUGGESTION TITLE WORKFLOW".split(
        " ",
      ),
    );
  });
});
