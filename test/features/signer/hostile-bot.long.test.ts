import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { startSigner } from "../../../src/service/signer.ts";
import type { SignerAnswer } from "../../../src/signer/protocol.ts";
import { jobRequestLine } from "../../../src/ssh/wrap.ts";
import type { ActionSpec } from "../../../src/store/actions.ts";
import { missing } from "../../harness/missing.ts";
import { type SignerWorld, startSignerWorld, word } from "./signer-world.ts";

/** A bot that was taken over: it has the App's key, its own SSH key and file, and asks whatever it likes. Nothing that people did not approve runs. */

const started = await startSignerWorld();
if ("missing" in started)
  missing("sshd", `test/features/signer/hostile-bot.long.test.ts was left out: ${started.missing}`);

describe.runIf(!("missing" in started))("a bot that was taken over", () => {
  const world = started as SignerWorld;
  afterAll(() => world.close());

  type Issue = Awaited<ReturnType<SignerWorld["issueOf"]>>;
  interface Lure {
    readonly issue: Issue;
    /** What people read and approve. */
    readonly spec: ActionSpec;
    readonly card: number;
  }
  const lure = async (order: Parameters<SignerWorld["specOf"]>[1] = {}): Promise<Lure> => {
    const issue = await world.issueOf(word());
    const spec = world.specOf(issue, order);
    return { issue, spec, card: await world.post(issue.number, world.cardOf(spec)) };
  };
  const approve = ({ issue }: Pick<Lure, "issue">, login = "lee", words = "/approve 1") =>
    world.say(login, issue.number, words);
  const evil = () => `echo evil-${word()} >>"$HOME/ran.log"`;
  const second = () => sleep(1_100); // GitHub's times are whole seconds.
  const target = (spec: ActionSpec, change: object): ActionSpec =>
    ({ ...spec, targets: spec.targets.map((one) => ({ ...one, ...change })) }) as ActionSpec;

  type Attempt = () => Promise<unknown>;
  /** What it asks for, which the signer must refuse with these words. */
  const refusedBySigner: readonly (readonly [string, RegExp, Attempt])[] = [
    [
      "another command under a number that is approved",
      /another command/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, world.specOf(l.issue, { command: evil() }), [await approve(l)]);
      },
    ],
    [
      "other bytes with the right spec",
      /bytes are not those/,
      async () => {
        const l = await lure();
        const other = world.specOf(l.issue, { command: evil() });
        return { ...world.requestOf(l.issue, l.spec, [await approve(l)]), bytes: other.targets[0]?.wrapped };
      },
    ],
    [
      "the right bytes with something behind them",
      /bytes are not those/,
      async () => {
        const l = await lure();
        const request = world.requestOf(l.issue, l.spec, [await approve(l)]);
        return { ...request, bytes: `${request.bytes}; ${evil()}` };
      },
    ],
    [
      "bytes and spec that agree with each other and not with the command",
      /host keys or bytes/,
      async () => {
        const l = await lure();
        const other = world.specOf(l.issue, { command: evil() });
        return world.requestOf(l.issue, { ...l.spec, targets: other.targets }, [await approve(l)]);
      },
    ],
    [
      "another server",
      /another command|not name|not those/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, world.specOf(l.issue, { command: l.spec.command, server: "web-2" }), [
          await approve(l),
        ]);
      },
    ],
    [
      "another server for the same spec",
      /host keys or bytes/,
      async () => {
        const l = await lure();
        return { ...world.requestOf(l.issue, l.spec, [await approve(l)]), server: "web-2" };
      },
    ],
    [
      "the same a second time",
      /signed once/,
      async () => {
        const l = await lure();
        const request = world.requestOf(l.issue, l.spec, [await approve(l)]);
        expect(await world.ask(request)).toMatchObject({ ok: true });
        return request;
      },
    ],
    [
      "the same a second time after a restart",
      /signed once/,
      async () => {
        const l = await lure();
        const request = world.requestOf(l.issue, l.spec, [await approve(l)]);
        expect(await world.ask(request)).toMatchObject({ ok: true });
        await world.restart();
        return request;
      },
    ],
    [
      "the same a second time under another digest",
      /signed once/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        expect(await world.ask(world.requestOf(l.issue, l.spec, [comment]))).toMatchObject({ ok: true });
        return world.requestOf(l.issue, world.specOf(l.issue, { command: l.spec.command }), [comment]);
      },
    ],
    [
      "the same a second time under another number",
      /does not approve 2/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        const copy = world.specOf(l.issue, { command: l.spec.command, number: 2 });
        await world.post(l.issue.number, world.cardOf(copy));
        return world.requestOf(l.issue, copy, [comment]);
      },
    ],
    [
      "a card that is edited after the approval",
      /another command/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        const other = world.specOf(l.issue, { command: evil() });
        await world.edit(l.issue.number, l.card, world.cardOf(other));
        return world.requestOf(l.issue, other, [comment]);
      },
    ],
    [
      "a card that is edited to and fro",
      /another command/,
      async () => {
        const l = await lure();
        const other = world.specOf(l.issue, { command: evil() });
        await world.edit(l.issue.number, l.card, world.cardOf(other));
        const comment = await approve(l);
        return world.requestOf(l.issue, other, [comment]);
      },
    ],
    [
      "a card that is deleted, and another that stood beside it",
      /was deleted/,
      async () => {
        const l = await lure();
        const other = world.specOf(l.issue, { command: evil() });
        await world.post(l.issue.number, world.cardOf(other));
        const comment = await approve(l);
        await world.comments.remove(world.place(l.issue.number), l.card);
        return world.requestOf(l.issue, other, [comment]);
      },
    ],
    [
      "a second card beside the one that people read",
      /another command/,
      async () => {
        const l = await lure();
        const other = world.specOf(l.issue, { command: evil() });
        await world.post(l.issue.number, world.cardOf(other));
        return world.requestOf(l.issue, other, [await approve(l)]);
      },
    ],
    [
      "a card in a hidden comment",
      /not on the issue|before its card/,
      async () => {
        const issue = await world.issueOf(word());
        const other = world.specOf(issue, { command: evil() });
        await world.post(issue.number, `Approve it: 1 is harmless.\n\n<!--\n\n${world.cardOf(other)}\n\n-->`);
        return world.requestOf(issue, other, [await approve({ issue })]);
      },
    ],
    [
      "a card in a fold",
      /hides/,
      async () => {
        const issue = await world.issueOf(word());
        const other = world.specOf(issue, { command: evil() });
        await world.post(
          issue.number,
          `1 is harmless.\n\n<details><summary>more</summary>\n\n${world.cardOf(other)}\n\n</details>`,
        );
        return world.requestOf(issue, other, [await approve({ issue })]);
      },
    ],
    [
      "a card in a comment that only GitHub sees begin",
      /hides|not on the issue|before its card/,
      async () => {
        const issue = await world.issueOf(word());
        const other = world.specOf(issue, { command: evil() });
        await world.post(
          issue.number,
          `1 is harmless.\n\n~~~\n\`\`\`\n~~~\n\n<!--\n\`\`\`\n\n${world.cardOf(other)}\n\n-->`,
        );
        return world.requestOf(issue, other, [await approve({ issue })]);
      },
    ],
    [
      "a card in a fold that begins within a line",
      /hides|not on the issue|before its card/,
      async () => {
        const issue = await world.issueOf(word());
        const other = world.specOf(issue, { command: evil() });
        await world.post(issue.number, `1 is harmless. <details>\n\n${world.cardOf(other)}`);
        return world.requestOf(issue, other, [await approve({ issue })]);
      },
    ],
    [
      "a card whose command is in a comment, before one that people see",
      /hides|not on the issue|before its card/,
      async () => {
        const issue = await world.issueOf(word());
        const other = world.specOf(issue, { command: evil() });
        await world.post(
          issue.number,
          world.cardOf(other).replace(/^( {2}```sh\n[\s\S]*? {2}```)$/m, "  <!--\n$1\n  -->\n  ```sh\n  df -h\n  ```"),
        );
        return world.requestOf(issue, other, [await approve({ issue })]);
      },
    ],
    [
      "a card in a hidden part",
      /hides|not on the issue|before its card/,
      async () => {
        const issue = await world.issueOf(word());
        const other = world.specOf(issue, { command: evil() });
        await world.post(issue.number, `1 is harmless.\n\n<div hidden>\n\n${world.cardOf(other)}\n\n</div>`);
        return world.requestOf(issue, other, [await approve({ issue })]);
      },
    ],
    [
      "a card behind more marks than are read",
      /hides|not on the issue|before its card/,
      async () => {
        const issue = await world.issueOf(word());
        const other = world.specOf(issue, { command: evil() });
        await world.post(
          issue.number,
          `${"*a* ".repeat(1_200)}\n~~~\n\n\`\`\`\n~~~\n<!--\n\`\`\`\n\n${world.cardOf(other)}`,
        );
        return world.requestOf(issue, other, [await approve({ issue })]);
      },
    ],
    [
      "a card in a block of code",
      /not on the issue|before its card/,
      async () => {
        const issue = await world.issueOf(word());
        const other = world.specOf(issue, { command: evil() });
        await world.post(issue.number, `1 is harmless.\n\n\`\`\`\`\`\n${world.cardOf(other)}\n\`\`\`\`\``);
        return world.requestOf(issue, other, [await approve({ issue })]);
      },
    ],
    [
      "a card that a person wrote",
      /not on the issue|before its card/,
      async () => {
        const issue = await world.issueOf(word());
        const other = world.specOf(issue, { command: evil() });
        await world.say("sam", issue.number, world.cardOf(other));
        return world.requestOf(issue, other, [await approve({ issue })]);
      },
    ],
    [
      "no card at all",
      /not on the issue|before its card/,
      async () => {
        const issue = await world.issueOf(word());
        return world.requestOf(issue, world.specOf(issue, { command: evil() }), [await approve({ issue })]);
      },
    ],
    [
      "a card that came after its approval",
      /before its card/,
      async () => {
        const issue = await world.issueOf(word());
        const comment = await approve({ issue });
        const other = world.specOf(issue, { command: evil() });
        await world.post(issue.number, world.cardOf(other));
        return world.requestOf(issue, other, [comment]);
      },
    ],
    [
      "a card that is edited in after its approval, in the same second or not",
      /before its card/,
      async () => {
        const issue = await world.issueOf(word());
        const card = await world.post(issue.number, "1 is harmless.");
        const comment = await approve({ issue });
        const other = world.specOf(issue, { command: evil() });
        await world.edit(issue.number, card, world.cardOf(other));
        return world.requestOf(issue, other, [comment]);
      },
    ],
    [
      "a set whose members are not what the card shows",
      /not those that its card shows/,
      async () => {
        const l = await lure({ command: "df -h\nuptime", risk: "low" });
        const other = world.specOf(l.issue, { command: l.spec.command, risk: "low", members: ["df -h", "id"] });
        return { ...world.requestOf(l.issue, other, [await approve(l)]), step: 1, bytes: other.targets[1]?.wrapped };
      },
    ],
    [
      "a risk that is too low",
      /medium risk|high risk/,
      async () => {
        const l = await lure({ command: "rm -rf /srv/app", risk: "low" });
        return world.requestOf(l.issue, l.spec, [await approve(l)]);
      },
    ],
    [
      "a command that never runs",
      /block risk/,
      async () => {
        const l = await lure({ command: "rm -rf /", risk: "high" });
        return world.requestOf(l.issue, l.spec, [await approve(l, "lee", "/approve 1 web-1 because")]);
      },
    ],
    [
      "high risk with one approval",
      /1 of 2/,
      async () => {
        const l = await lure({ command: "rm -rf /srv/app", risk: "high" });
        await sleep(5_500);
        return world.requestOf(l.issue, l.spec, [await approve(l, "lee", "/approve 1 web-1 it is full")]);
      },
    ],
    [
      "high risk with two comments of one person",
      /already counts/,
      async () => {
        const l = await lure({ command: "rm -rf /srv/app", risk: "high" });
        await sleep(5_500);
        const comments = [
          await approve(l, "lee", "/approve 1 web-1 full"),
          await approve(l, "lee", "/approve 1 web-1 full"),
        ];
        return world.requestOf(l.issue, l.spec, comments);
      },
    ],
    [
      "high risk approved in the second after its card",
      /5 seconds/,
      async () => {
        const l = await lure({ command: "rm -rf /srv/app", risk: "high" });
        return world.requestOf(l.issue, l.spec, [await approve(l, "lee", "/approve 1 web-1 full")]);
      },
    ],
    [
      "high risk without a reason",
      /reason|server/,
      async () => {
        const l = await lure({ command: "rm -rf /srv/app", risk: "high" });
        return world.requestOf(l.issue, l.spec, [await approve(l)]);
      },
    ],
    [
      "high risk by /approve all",
      /comment of its own/,
      async () => {
        const l = await lure({ command: "rm -rf /srv/app", risk: "high" });
        return world.requestOf(l.issue, l.spec, [await approve(l, "lee", "/approve all web-1 full")]);
      },
    ],
    [
      "an approval of somebody who only reads",
      /only|access/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, l.spec, [await approve(l, "rita")]);
      },
    ],
    [
      "an approval of somebody who is no approver",
      /only/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, l.spec, [await approve(l, "sam")]);
      },
    ],
    [
      "an approval that the bot wrote",
      /no person's/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, l.spec, [await world.post(l.issue.number, "/approve 1")]);
      },
    ],
    [
      "an approval by e-mail",
      /e-mail/,
      async () => {
        const l = await lure();
        const mail = await world.github.emailComment("lee", "acme/web", l.issue.number, "/approve 1");
        return world.requestOf(l.issue, l.spec, [(mail.body as { id: number }).id]);
      },
    ],
    [
      "a person's comment that the bot made an approval",
      /edited somebody/,
      async () => {
        const l = await lure();
        const comment = await world.say("lee", l.issue.number, "Looks bad.");
        await world.edit(l.issue.number, comment, "/approve 1");
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "an approval that its author edited",
      /edited/,
      async () => {
        const l = await lure();
        const comment = await world.say("lee", l.issue.number, "/approve 2");
        await world.github.editComment("lee", "acme/web", comment, "/approve 1");
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "an approval that was deleted",
      /not on the issue/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        await world.github.deleteComment("lee", "acme/web", comment);
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "an approval of another issue",
      /not on the issue/,
      async () => {
        const [l, other] = [await lure(), await lure()];
        return world.requestOf(l.issue, l.spec, [await approve(other)]);
      },
    ],
    [
      "a spec of another issue",
      /another command|not the one|not on the issue/,
      async () => {
        const [l, other] = [await lure(), await lure()];
        return world.requestOf(other.issue, l.spec, [await approve(other)]);
      },
    ],
    [
      "an approval of another number",
      /does not approve/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, l.spec, [await approve(l, "lee", "/approve 2")]);
      },
    ],
    [
      "a comment that only speaks of it",
      /no person's|does not approve/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, l.spec, [await approve(l, "lee", "I would /approve 1 if I were you")]);
      },
    ],
    [
      "an approval of another digest",
      /the action is/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, l.spec, [await approve(l, "lee", "/approve 1@deadbeef")]);
      },
    ],
    [
      "an approver who lost the right",
      /access|only/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        world.github.setTeam("oncall", ["mona"]);
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "the author's own approval",
      /you wrote this command/,
      async () => {
        const issue = await world.issueOf(word());
        const spec = world.specOf(issue);
        await world.say("lee", issue.number, `/run web-1\n\`\`\`sh\n${spec.command}\n\`\`\``);
        await world.post(issue.number, world.cardOf(spec));
        return world.requestOf(issue, spec, [await approve({ issue })]);
      },
    ],
    [
      "what was rejected",
      /rejected/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        await world.say("mona", l.issue.number, "/reject 1 not now");
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "what was rejected by a comment that the bot deleted",
      /was deleted/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        const rejection = await world.say("mona", l.issue.number, "/reject 1 not now");
        await world.comments.remove(world.place(l.issue.number), rejection);
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "what was held by a comment that the bot edited",
      /edited somebody's comment/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        await world.edit(l.issue.number, await world.say("mona", l.issue.number, "/hold"), "All is well.");
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "what was denied by the other word",
      /rejected/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        await world.say("mona", l.issue.number, "/deny 1");
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "what is held",
      /holds it/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        await world.say("sam", l.issue.number, "/hold");
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "what was approved before a hold was lifted",
      /halt or hold/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        await world.say("sam", l.issue.number, "/hold");
        await world.say("mona", l.issue.number, "/resume");
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "what is held, with a resume of somebody who may not",
      /holds it/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        await world.say("lee", l.issue.number, "/hold");
        await world.say("sam", l.issue.number, "/resume");
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "what was cancelled",
      /halt or hold/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        await world.say("sam", l.issue.number, "/cancel 1");
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "an issue that is closed",
      /closed/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        await world.github.as("mona")("PATCH", `/repos/acme/web/issues/${l.issue.number}`, { state: "closed" });
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "an issue that was closed since",
      /closed after/,
      async () => {
        const l = await lure();
        const comment = await approve(l);
        await second();
        for (const state of ["closed", "open"])
          await world.github.as("mona")("PATCH", `/repos/acme/web/issues/${l.issue.number}`, { state });
        return world.requestOf(l.issue, l.spec, [comment]);
      },
    ],
    [
      "what has expired",
      /expired/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, { ...l.spec, expiresAt: new Date(Date.now() - 1_000).toISOString() }, [
          await approve(l),
        ]);
      },
    ],
    [
      "another repository",
      /not in the signer's file/,
      async () => {
        const l = await lure();
        return { ...world.requestOf(l.issue, l.spec, [await approve(l)]), repo: "acme/other" };
      },
    ],
    [
      "a spec that names another repository's number",
      /not the one/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, { ...l.spec, repoId: 1 }, [await approve(l)]);
      },
    ],
    [
      "no approval, by a lease or a schedule",
      /no comment approves it/,
      async () => {
        const l = await lure({ command: "uptime", risk: "low" });
        return world.requestOf(l.issue, l.spec, []);
      },
    ],
    [
      "an opening lease",
      /opening lease/,
      async () => {
        const l = await lure({ command: "uptime", risk: "low" });
        return world.requestOf(l.issue, { ...l.spec, opening: "x" }, [await approve(l)]);
      },
    ],
    [
      "a lease's comment",
      /does not approve/,
      async () => {
        const l = await lure({ command: "uptime", risk: "low" });
        return world.requestOf(l.issue, l.spec, [await approve(l, "lee", "/lease 15m web-1")]);
      },
    ],
    [
      "a check under another's approval",
      /own number/,
      async () => {
        const l = await lure({ command: "uptime", risk: "low" });
        return world.requestOf(l.issue, { ...l.spec, checks: 1 }, [await approve(l)]);
      },
    ],
    [
      "a command under a condition",
      /condition/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, { ...l.spec, guard: { check: 2, command: "true", shows: "x" } }, [
          await approve(l),
        ]);
      },
    ],
    [
      "values that nobody filled in",
      /values/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, { ...l.spec, open: [{ name: "x", kind: "word" }] }, [await approve(l)]);
      },
    ],
    [
      "another account on the server",
      /host keys or bytes/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, target(l.spec, { user: "root2" }), [await approve(l)]);
      },
    ],
    [
      "another host key",
      /host keys or bytes/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, target(l.spec, { hostKeys: ["SHA256:x"] }), [await approve(l)]);
      },
    ],
    [
      "a command that is no job",
      /host keys or bytes/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, target(l.spec, { jobId: null }), [await approve(l)]);
      },
    ],
    [
      "one server twice",
      /host keys or bytes/,
      async () => {
        const l = await lure();
        return world.requestOf(l.issue, { ...l.spec, targets: [...l.spec.targets, ...l.spec.targets] }, [
          await approve(l),
        ]);
      },
    ],
    [
      "the job of another action",
      /another action's/,
      async () => {
        const [l, other] = [await lure(), await lure()];
        expect(await world.ask(world.requestOf(l.issue, l.spec, [await approve(l)]))).toMatchObject({ ok: true });
        const jobId = l.spec.targets[0]?.jobId ?? "";
        const own = other.spec.targets[0]?.jobId ?? "";
        const wrapped = other.spec.targets[0]?.wrapped.replaceAll(own, jobId);
        return world.requestOf(other.issue, target(other.spec, { jobId, wrapped }), [await approve(other)]);
      },
    ],
    [
      "one /run of an approver for two numbers",
      /another number/,
      async () => {
        const issue = await world.issueOf(word());
        const of = (number: number) => world.specOf(issue, { number, command: "uptime", risk: "low" });
        const comment = await world.say("lee", issue.number, "/run web-1\n```sh\nuptime\n```");
        const [one, two] = [of(1), of(2)];
        for (const spec of [one, two]) await world.post(issue.number, world.cardOf(spec));
        expect(await world.ask(world.requestOf(issue, one, [comment]))).toMatchObject({ ok: true });
        return world.requestOf(issue, two, [comment]);
      },
    ],
    [
      "a /run of more than a read as its own approval",
      /does not approve/,
      async () => {
        const issue = await world.issueOf(word());
        const spec = world.specOf(issue);
        const comment = await world.say("lee", issue.number, `/run web-1\n\`\`\`sh\n${spec.command}\n\`\`\``);
        await world.post(issue.number, world.cardOf(spec));
        return world.requestOf(issue, spec, [comment]);
      },
    ],
    [
      "a fixed script for a job that is none",
      /no such job/,
      async () => {
        const job = { act: "follow", jobId: "a".repeat(32), offset: 0 } as const;
        const bytes = jobRequestLine(world.serverOf("web-1"), job);
        return { v: 1, ask: "job", server: "web-1", job, bytes, publicKey: world.publicKey };
      },
    ],
    [
      "a job that the signer said would never begin",
      /never began/,
      async () => {
        const l = await lure();
        const job = { act: "settle", jobId: l.spec.targets[0]?.jobId ?? "", offset: 0 } as const;
        const bytes = jobRequestLine(world.serverOf("web-1"), job);
        const asked = { v: 1, ask: "job", server: "web-1", job, bytes, publicKey: world.publicKey };
        expect(await world.ask(asked)).toMatchObject({ ok: false, reason: expect.stringMatching(/no such job/) });
        return world.requestOf(l.issue, l.spec, [await approve(l)]);
      },
    ],
    [
      "a fixed script with a payload",
      /not the signer's own/,
      async () => {
        const l = await lure();
        expect(await world.ask(world.requestOf(l.issue, l.spec, [await approve(l)]))).toMatchObject({ ok: true });
        const job = { act: "kill", jobId: l.spec.targets[0]?.jobId ?? "", graceMs: 1_000 } as const;
        const bytes = `${jobRequestLine(world.serverOf("web-1"), job)}; ${evil()}`;
        return { v: 1, ask: "job", server: "web-1", job, bytes, publicKey: world.publicKey };
      },
    ],
    [
      "a fixed script for another server's job",
      /no such job/,
      async () => {
        const l = await lure();
        expect(await world.ask(world.requestOf(l.issue, l.spec, [await approve(l)]))).toMatchObject({ ok: true });
        const job = { act: "status", jobId: l.spec.targets[0]?.jobId ?? "" } as const;
        const bytes = jobRequestLine(world.serverOf("web-2"), job);
        return { v: 1, ask: "job", server: "web-2", job, bytes, publicKey: world.publicKey };
      },
    ],
    [
      "a job's id that is a command",
      /not of the signer's form/,
      async () => {
        const job = { act: "status", jobId: "'; evil; '" };
        return { v: 1, ask: "job", server: "web-1", job, bytes: evil(), publicKey: world.publicKey };
      },
    ],
    [
      "a script that there is not",
      /not of the signer's form/,
      async () => {
        const job = { act: "start", jobId: "a".repeat(32) };
        return { v: 1, ask: "job", server: "web-1", job, bytes: evil(), publicKey: world.publicKey };
      },
    ],
    [
      "a key with options",
      /not of the signer's form/,
      async () => {
        const l = await lure();
        return { ...world.requestOf(l.issue, l.spec, [await approve(l)]), publicKey: `${world.publicKey}\n-O` };
      },
    ],
    [
      "a request with more in it",
      /not of the signer's form/,
      async () => {
        const l = await lure();
        return { ...world.requestOf(l.issue, l.spec, [await approve(l)]), trust: true };
      },
    ],
    ["no request", /not of the signer's form/, async () => "sign it"],
  ];

  const refused = async (request: unknown, words: RegExp): Promise<void> => {
    const before = world.log.length;
    const said: SignerAnswer = await world.ask(request);
    expect(said).toMatchObject({ ok: false, reason: expect.stringMatching(words) });
    expect(world.log.slice(before)).toMatchObject([{ event: "signer_refused", reason: said.ok ? "" : said.reason }]);
  };

  const signedLines = (): readonly string[] =>
    world
      .record()
      .split("\n")
      .filter((line) => line.includes('"signed":'));

  it.each(refusedBySigner)("SR-72 gets no certificate for %s", async (_, words, attempt) => {
    try {
      const request = await attempt();
      const signed = signedLines();
      await refused(request, words);
      expect(signedLines()).toEqual(signed);
    } finally {
      world.github.setTeam("oncall", ["mona", "lee"]);
    }
  });

  /** A certificate as people approved it, and the word that the command leaves behind. */
  const certified = async (command?: string) => {
    const l = await lure(command === undefined ? {} : { command });
    const said = await world.ask(world.requestOf(l.issue, l.spec, [await approve(l)]));
    if (!said.ok) throw new Error(said.reason);
    const left = /echo (\w+)/.exec(l.spec.command)?.[1] ?? "";
    return { ...l, certificate: said.certificate, ran: () => world.ran().filter((line) => line.includes(left)) };
  };

  it("SR-72 has one certificate run its command once, in twenty sessions and whatever they ask for", async () => {
    const { certificate, ran } = await certified();
    const evils = Array.from({ length: 20 }, evil);
    await Promise.all(evils.map((command) => world.ssh(certificate, command)));
    expect(ran()).toHaveLength(1);
    expect(world.ran().join()).not.toContain("evil");
    expect((await world.ssh(certificate, evil())).out).not.toMatch(/denied/);
    expect(ran()).toHaveLength(1);
  });

  it("SR-72 brings nothing in by stdin", async () => {
    const { certificate } = await certified('cat >>"$HOME/ran.log"');
    await world.ssh(certificate, "x", { stdin: "evil by stdin\n" });
    expect(world.ran().join()).not.toContain("evil");
  });

  it("SR-72 brings nothing in by the environment", async () => {
    const mark = word();
    const { certificate } = await certified(
      `echo "${mark}[$LC_ALL$LC_EVIL$EVIL$SSH_ORIGINAL_COMMAND]" >>"$HOME/ran.log"`,
    );
    const env = { LC_ALL: "evil", LC_EVIL: "evil", EVIL: "evil" };
    await world.ssh(certificate, "evil", { env, options: ["-o", "SendEnv=LC_* EVIL"] });
    expect(world.ran().filter((line) => line.startsWith(mark))).toEqual([`${mark}[]`]);
  });

  it.each([
    ["a terminal", ["-tt"]],
    ["an agent", ["-A"]],
    ["a subsystem", ["-s"]],
  ])("SR-72 gets no %s with a certificate", async (_, options) => {
    const { certificate, ran } = await certified();
    await world.ssh(certificate, "sftp", { options, env: { SSH_AUTH_SOCK: "/nowhere" } });
    expect(ran().length).toBeLessThanOrEqual(1);
    expect(world.sshdLog()).not.toMatch(/subsystem request for sftp by user.*\n.*sftp-server/);
  });

  it("SR-72 forwards no port with a certificate", async () => {
    const { certificate } = await certified();
    const out = await world.ssh(certificate, "x", { options: ["-W", "127.0.0.1:1"] });
    expect(out.out).toMatch(/administratively prohibited|forwarding/);
  });

  const sshdRefuses = async (certificate: string | undefined, options: readonly string[] = []): Promise<void> => {
    const mark = `evil-${word()}`;
    const { out } = await world.ssh(certificate, `echo ${mark} >>"$HOME/ran.log"`, { options });
    expect(out).toMatch(/Permission denied/);
    expect(world.ran().join()).not.toContain(mark);
  };
  const forge = (ca: string, ...flags: string[]): string => {
    writeFileSync(world.at("forged.pub"), `${world.publicKey}\n`);
    execFileSync("ssh-keygen", ["-q", "-s", world.at(ca), "-I", "forged", ...flags, world.at("forged.pub")]);
    return readFileSync(world.at("forged-cert.pub"), "utf8").trim();
  };

  it("SR-72 is not let in by its key alone, and sshd's log has it", async () => {
    await sshdRefuses(undefined);
    expect(world.sshdLog()).toMatch(/Failed publickey|Connection closed by authenticating user/);
  });

  it.each([
    ["another authority", () => forge("other-ca", "-n", "countersign:web-1")],
    ["its own key", () => forge("bot", "-n", "countersign:web-1")],
    ["the authority, for another server", () => forge("ca", "-n", "countersign:web-2")],
    ["the authority, for the account's name", () => forge("ca", "-n", world.sshd.user)],
    ["the authority, yesterday", () => forge("ca", "-n", "countersign:web-1", "-V", "-2d:-1d")],
    ["the authority, tomorrow", () => forge("ca", "-n", "countersign:web-1", "-V", "+1d:+2d")],
    [
      "the authority, for another address",
      () => forge("ca", "-n", "countersign:web-1", "-O", "source-address=192.0.2.1/32"),
    ],
  ])("SR-72 is not let in by a certificate of %s", async (_, made) => sshdRefuses(made()));

  it("SR-72 is not let in from another address with a certificate that was signed", async () => {
    const { certificate, ran } = await certified();
    await sshdRefuses(certificate, ["-b", "127.0.0.2"]);
    expect(ran()).toEqual([]);
  });

  it("SR-72 is not let in after a minute", async () => {
    const { certificate, ran } = await certified();
    await sleep(62_000);
    await sshdRefuses(certificate);
    expect(ran()).toEqual([]);
    expect(world.sshdLog()).toMatch(/expired/);
  });

  it("SR-72 cannot have a second signer beside the first one's record", async () => {
    await expect(startSigner(world.config)).rejects.toThrow(/another signer/);
  });

  it("SR-72 cannot have one request signed twice at once", async () => {
    const l = await lure();
    const request = world.requestOf(l.issue, l.spec, [await approve(l)]);
    const said = await Promise.all(Array.from({ length: 8 }, () => world.ask(request)));
    expect(said.filter(({ ok }) => ok)).toHaveLength(1);
  });
});
