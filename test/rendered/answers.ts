import { expect } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import type { Step } from "../agent/fake-model.ts";
import { cases } from "../commands/cases.ts";
import { call, proposing, type Stage } from "../harness/stage.ts";
import type { Example, Part } from "./page.ts";

/** Who says what, in order. */
type Said = readonly [login: string, body: string];
interface Scene {
  readonly title: string;
  /** On a stage where leases are allowed and steps are few. */
  readonly alone?: true;
  /** What the model says here to a comment, beside what it says in every scene. */
  readonly turns?: Readonly<Record<string, Step | readonly Step[]>>;
  readonly proposed: readonly string[];
  readonly says: readonly Said[];
}

const sh = (command: string): string => `\n\`\`\`sh\n${command}\n\`\`\``;
const written: readonly Scene[] = [
  {
    title: "`/approve` and `/reject`",
    proposed: ["uptime", "df -i", "rm -r /srv/cache"],
    says: [
      ["sam", `/run web-1${sh("df -h")}`],
      ["sam", `/run web-1${sh("mkfs.ext4 /dev/sda1")}`],
      ["sam", `/run web-1${sh("whoami")}`],
      ["lee", "/approve"],
      ["lee", "/approve 99"],
      ["rita", "/approve 1"],
      ["sam", "/approve 1"],
      ["sam", "/approve 4"],
      ["lee", "`/approve 1`"],
      ["lee", "Looks fine.\n/approve 1"],
      ["lee", "/aprove 1"],
      ["lee", "/approve 1 --dry-run"],
      ["lee", "/approve 1 --timeout soon"],
      ["lee", "/approve all but 3"],
      ["lee", "/approve 3"],
      ["lee", "/approve 3 web-1"],
      ["lee", "/approve 3 web-1 the disk is full"],
      ["lee", "/approve 3 web-1 it is"],
      ["mona", "/approve 3 web-1 agreed"],
      ["lee", "/approve 5"],
      ["lee", "/approve 1 99"],
      ["lee", "/approve 1"],
      ["lee", "/reject"],
      ["lee", "/reject 99"],
      ["lee", "/reject 6 not during the sale"],
      ["lee", "/approve 6"],
      ["lee", "/reject 1"],
    ],
  },
  {
    title: "`/run`, `/edit`, `/retry` and `/explain`",
    proposed: ["uptime", "df -h"],
    says: [
      ["sam", "/run"],
      ["sam", "/run web-1"],
      ["sam", "/run web-1 df -i"],
      ["sam", `/run webs${sh("df -i")}`],
      ["sam", `/run web-1 is it full?${sh("df -i")}`],
      ["sam", "/edit"],
      ["sam", "/edit 1"],
      ["sam", `/edit 1${sh("uptime")}`],
      ["sam", `/edit 1 only who${sh("uptime -p")}`],
      ["lee", "/retry"],
      ["lee", "/retry 2"],
      ["sam", "/explain"],
      ["sam", "/explain 99"],
      ["sam", "/explain 2"],
      ["lee", "/approve 2"],
      ["lee", "/retry 2"],
      ["sam", "/output"],
      ["sam", "/output 1"],
      ["sam", "/output 2"],
      ["sam", "/output 2 page 9"],
      ["sam", "/output 2 grep nothing"],
      ["sam", "/output 2 head 5"],
      ["sam", "/cancel"],
      ["sam", "/cancel 2"],
      ["lee", "/continue 2"],
      ["lee", "/wait 1"],
    ],
  },
  {
    title: "`/fill`",
    proposed: ["uptime", "kubectl -n shop logs <pod>"],
    says: [
      ["sam", "/fill"],
      ["sam", "/fill 1"],
      ["sam", "/fill 2"],
      ["sam", "/fill 2 node=web-1"],
      ["sam", "/fill 2 pod=$(id)"],
      ["lee", "/approve 2 web-1"],
      ["sam", "/fill 2 pod=cart-7f9"],
    ],
  },
  {
    title: "`/hold`, `/resume`, `/auto`, `/handover` and `/pillar`",
    proposed: ["uptime"],
    says: [
      ["sam", "/hold 1"],
      ["sam", "/hold --now"],
      ["sam", "/hold the deploy goes first"],
      ["sam", "/hold"],
      ["lee", "/approve 1"],
      ["lee", "/ask what now?"],
      ["sam", "/resume"],
      ["lee", "/resume"],
      ["lee", "/resume"],
      ["lee", "/hold all"],
      ["lee", "/resume"],
      ["lee", "/resume all"],
      ["lee", "/auto"],
      ["lee", "/auto on"],
      ["lee", "/auto off"],
      ["sam", "/handover"],
      ["sam", "/handover accept"],
      ["sam", "/handover @mona"],
      ["sam", "/handover @rita"],
      ["sam", "/handover @lee"],
      ["lee", "/handover accept"],
      ["sam", "/pillar"],
      ["sam", "/pillar rescue"],
      ["sam", "/pillar revive"],
      ["sam", "/pillar revive"],
    ],
  },
  {
    title: "A lease, a plan and steps",
    proposed: ["uptime", "systemctl restart nginx", "rm -r /srv/cache"],
    alone: true,
    turns: {
      "/ask make a plan": [
        call("update_plan", { plan: "- [ ] look at the load\n- [ ] restart nginx" }),
        proposing("LIKELY: a worker hangs.", "uptime", "systemctl restart nginx"),
      ],
      "/auto on": [
        proposing("LIKELY: looking on.", "df -h"),
        proposing("CONFIRMED by 4: a worker hangs.", "systemctl restart nginx"),
      ],
      "/close --anyway a worker hung": {
        text: [
          "IMPACT: Mail from web-1 was deferred from 14:02Z on; nobody lost any.",
          "CHAIN: A worker hung after a restart. It took no more mail, so the spool filled up until the alert fired.",
          "FOLLOW-UPS:",
          "- Alert on a worker that takes nothing for five minutes",
          "- Restart hung workers by a watchdog",
        ].join("\n"),
      },
    },
    says: [
      ["sam", "/ask make a plan"],
      ["sam", "/plan"],
      ["lee", "/auto on"],
      ["lee", "/auto off"],
      ["sam", "/ask what else?"],
      ["lee", "/resume"],
      ["lee", "/close a worker hung"],
      ["lee", "/close --anyway a worker hung"],
    ],
  },
  {
    title: "What there is",
    proposed: ["uptime"],
    says: [
      ["sam", "/help"],
      ["sam", "/help approve"],
      ["sam", "/help run"],
      ["sam", "/help aprove"],
      ["sam", "/status"],
      ["rita", "/whoami"],
      ["lee", "/whoami"],
      ["sam", "/servers"],
      ["sam", "/skills"],
      ["sam", "/workflow"],
      ["sam", "/workflow drain"],
      ["sam", "/workflow look"],
      ["sam", "/workflow look why="],
      ["sam", "/workflow look why=slow"],
      ["sam", "/plan"],
      ["sam", "/verify"],
      ["lee", "/prompt"],
      ["lee", "/prompt show"],
      ["lee", "/prompt set"],
      ["lee", "/prompt set Name the unit first."],
      ["lee", "/prompt reset"],
      ["lee", "/prompt update"],
      ["lee", "/prompt cancel"],
    ],
  },
  {
    title: "`/ask`, `/answer`, `/feedback`, `/investigate` and `/close`",
    proposed: ["uptime"],
    says: [
      ["sam", "/ask"],
      ["sam", "/ask 9"],
      ["sam", "/answer"],
      ["sam", "/answer q1 yes"],
      ["sam", "/ask which release is it?"],
      ["sam", "/answer q1"],
      ["sam", "/answer q9 yes"],
      ["sam", "/answer q1 the one of 14:00"],
      ["sam", "/answer q1 yes"],
      ["sam", "/feedback"],
      ["sam", "/feedback up quick"],
      ["sam", "/investigate Leave db-1 alone."],
      ["lee", "/close --anyway the log volume was full"],
      ["lee", "/close"],
      ["lee", "/approve 1"],
      ["sam", "/ask and now?"],
      ["sam", "/investigate"],
      ["lee", "/hold"],
    ],
  },
];

const said = written.flatMap(({ says }) => says.map(([, body]) => body));
const scenes: readonly Scene[] = [
  ...written,
  {
    title: "Other commands",
    proposed: ["uptime", "df -h"],
    says: [...cases]
      .filter(([verb]) => !said.some((body) => new RegExp(`^/${verb}\\b`).test(body)))
      .map(([, { good }]) => ["lee", good]),
  },
];

export const files = {
  "AGENTS.md": "# Web\n",
  ".github/skills/spool/SKILL.md": "---\nname: spool\ndescription: The mail spool is full.\n---\n\n# Spool\n",
  ".github/countersign/workflows/look.yml":
    'name: look\ndescription: Looks around.\nparams:\n  why: { description: The reason. }\nsteps:\n  - { server: web-1, title: Look, command: "echo {{why}}" }\n',
};

const shownAs = (login: string, body: string): string =>
  `@${login}: ${body
    .split("\n")
    .map((line) => (line === "```sh" || line === "```" ? "" : `\`${line.replaceAll("`", "´")}\``))
    .filter((line) => line !== "")
    .join(" ⏎ ")}`;

/** High risk that is approved within five seconds of its card has to be confirmed. */
const haste = "/approve 3 web-1 the disk is full";

/** Plays every slash command, its good cases and its refusals, each scene on an incident of its own. */
export async function playAnswers(usual: Stage, alone: Stage): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const { title, proposed, says, ...scene } of scenes) {
    const stage = scene.alone ? alone : usual;
    const thread = await stage.incident(...proposed);
    const examples: Example[] = [];
    for (const [login, body] of says) {
      if (body === haste) await new Promise((resolve) => setTimeout(resolve, 6_000));
      const steps = [scene.turns?.[body] ?? turns[body] ?? []].flat();
      const asked = stage.model.requests.length;
      stage.model.play(...steps);
      const { said, reactions } = await stage.ask(thread, login, body);
      if (steps.length > 0) expect(stage.model.requests.length, body).toBeGreaterThan(asked);
      const answer = said.length > 0 ? said.join("\n\n---\n\n") : `*no comment; ${marks(reactions)}*`;
      examples.push({ title: shownAs(login, body), body: answer });
    }
    await closed(stage, thread);
    parts.push({ title: `Answers: ${title}`, examples });
  }
  return parts;
}

const emoji: Readonly<Record<string, string>> = { eyes: "👀", "+1": "👍", "-1": "👎", confused: "😕", rocket: "🚀" };
const marks = (reactions: readonly string[]): string => reactions.map((one) => emoji[one] ?? one).join(" ");

const turn = proposing("LIKELY: nothing more to do.");
/** What the model says in the turn that a comment starts, by the comment. */
const turns: Readonly<Record<string, Step>> = {
  "/approve 1 99": turn,
  "/approve 2": turn,
  "/approve 3 web-1 agreed": proposing("LIKELY: looking on.", "uptime", "systemctl restart nginx"),
  "/ask which release is it?": call("ask_question", { question: "Which release?", choices: [] }),
  "/answer q1 the one of 14:00": turn,
  "/investigate Leave db-1 alone.": turn,
};

const closed = async (stage: Stage, { number }: Thread & { number: number }): Promise<void> => {
  await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${number}`, { state: "closed" });
  await stage.quiet();
};
