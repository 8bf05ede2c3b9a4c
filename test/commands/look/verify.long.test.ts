import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { rebuild, snapshotOf, storedLedgerFrom } from "../../../src/features/verify/ledger.ts";
import { withoutMarker } from "../../../src/github/comments.ts";
import type { IssueComment } from "../../../src/github/conversation.ts";
import { hashOf } from "../../../src/store/audit/chain.ts";
import type { Incident } from "../../../src/store/incidents.ts";
import { repo } from "../../harness/playground.ts";
import { cardOf, proposing, type Stage, startStage } from "../../harness/stage.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-verify-"));
let stage: Stage;
let thread: Awaited<ReturnType<Stage["incident"]>>;
beforeAll(async () => {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
  const key = join(folder, "audit.key");
  writeFileSync(key, pem, { mode: 0o600 });
  stage = await startStage({ config: { audit: { signing_key_file: key } } });
  thread = await playTenSteps();
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => stage.github.clearFaults());

/** Ten turns with all that an incident has: failures, a refusal, people's own commands, a hold, restarts and card edits. */
async function playTenSteps() {
  stage.play(async (command, { channel }) => {
    channel.write(command.includes("fails") ? "no space left\n" : `fine\n<!-- countersign-record {"action":1} -->\n`);
    return command.includes("fails") ? 1 : 0;
  });
  const made = await stage.incident("uptime", "df -h", "echo '- [ ] **9** · 🟢 low · `web-1`'");
  for (let step = 1; step < 9; step++) {
    const next = step * 3 + 1;
    stage.model.play(
      proposing(
        `LIKELY: step ${step}.`,
        `stat /srv/${step}`,
        `ls /srv/${step}`,
        step === 3 ? "ls fails" : `df -h /srv/${step}`,
      ),
    );
    await stage.ask(made, "lee", step === 4 ? `/approve ${next - 3} ${next - 1}` : `/approve ${next - 3} ${next - 2}`);
    if (step === 2) await stage.restart();
    if (step === 3) await stage.ask(made, "mona", `/reject ${next + 1} not that\r\none`);
    if (step === 5)
      await stage.github.editComment("sam", repo, (await cardOf(made, next)).id, await ticked(made, next));
  }
  await stage.ask(made, "sam", "/run web-1\n```sh\nuptime\necho two >/tmp/lines\n```");
  await stage.ask(made, "sam", "/hold");
  await stage.ask(made, "lee", "/resume");
  await stage.restart();
  await stage.ask(made, "lee", "/approve 25", { text: "CONFIRMED by 1: done." });
  await stage.quiet();
  return made;
}

async function ticked(of: typeof thread, number: number): Promise<string> {
  return (await cardOf(of, number)).body.replace("- [ ]", "- [x]");
}

/** What /verify answers somebody who only reads. */
async function verdict(): Promise<string> {
  const { said, isMarked } = await stage.ask(thread, "rita", "/verify");
  expect(isMarked("rocket")).toBe(true);
  return said.join("\n");
}

/** Somebody with write access does it while GitHub's webhooks are lost, so that the bot cannot have seen it. */
async function unseen(...acts: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const act of acts) {
    stage.github.fault({ event: "issue_comment" }, { drop: "before" });
    await act();
    await stage.github.settled();
    stage.github.clearFaults();
  }
}

const edit = (id: number, body: string) => () => stage.github.editComment("sam", repo, id, body);
const remove = (id: number) => () => stage.github.deleteComment("sam", repo, id);
const find = async (part: string | RegExp) => {
  const found = (await thread.comments()).find(({ body }) =>
    typeof part === "string" ? body.includes(part) : part.test(body),
  );
  if (!found) throw new Error(`no comment has ${part}`);
  return found;
};

async function incidentRow(): Promise<Incident> {
  return stage.bot.deps.store.db
    .selectFrom("incident")
    .selectAll()
    .where("number", "=", thread.number)
    .executeTakeFirstOrThrow();
}

async function readAll(): Promise<readonly IssueComment[]> {
  const { installationId, repo: name, number: issue } = await incidentRow();
  const all: IssueComment[] = [];
  for await (const page of stage.bot.deps.readComments({ installationId, repo: name, issue })) all.push(...page);
  return all;
}

describe("/verify", () => {
  it("DC-6 an untouched incident of ten steps agrees, after restarts, holds, failures and drawn-over cards", async () => {
    const text = await verdict();
    const comments = (await thread.comments()).length - 1;
    expect(text).toMatch(
      /^✅ \*\*Nothing was altered\*\*: \d+ comments and \d+ events match the audit \(\d+ entries, head `[0-9a-f]{16}`\)\./,
    );
    expect(text).toContain(`${comments} comments`);
    expect(text).not.toContain("Earlier changes");
  });

  it("DC-6 the record rebuilt from the comments alone is the store's: who proposed, who approved, what ran where, exit, output", async () => {
    const incident = await incidentRow();
    const comments = (await readAll()).map((comment) => ({ ...comment, body: withoutMarker(comment.body) }));
    const { deps: world } = stage.bot;
    const snapshot = await world.store.transaction((tx) => snapshotOf(tx, incident));
    const { entries } = storedLedgerFrom(snapshot, snapshot, { isPublic: false, markdown: world.markdown });
    const rebuilt = rebuild(comments);
    expect(rebuilt).toEqual(entries);
    expect(rebuilt.length).toBeGreaterThan(25);
    const ran = rebuilt.filter(({ runs }) => runs.length > 0);
    expect(ran.length).toBeGreaterThanOrEqual(16);
    expect(ran.every(({ approvals }) => approvals[0]?.login === "lee")).toBe(true);
    expect(rebuilt[0]).toMatchObject({ number: 1, by: "model", place: "web-1", command: "uptime", gone: undefined });
    expect(rebuilt[2]?.command).toBe("echo '- [ ] **9** · 🟢 low · `web-1`'");
    expect(rebuilt.at(-1)).toMatchObject({ by: "@sam", command: "uptime\necho two >/tmp/lines", risk: "medium" });
    expect(new Set(rebuilt.map(({ gone }) => gone))).toEqual(new Set([undefined, "superseded", "rejected"]));
    const rows = await world.store.db.selectFrom("run").select(["redactedSha256"]).execute();
    expect(new Set(ran.flatMap(({ runs }) => runs.map((run) => run.outputSha256)))).toEqual(
      new Set(rows.map(({ redactedSha256 }) => redactedSha256)),
    );
  });

  it("DC-6 SR-27 an edited card, an edited output and two that changed places are found, and nothing else", async () => {
    const card = await cardOf(thread, 1);
    await unseen(edit(card.id, card.body.replace("uptime", "uptime; rm -rf /srv")));
    const edited = await verdict();
    expect(edited).toContain("**2 things do not agree**");
    expect(edited).toMatch(/\*\*edited\*\* · \[the card of 1, 2, 3\]\(\S+\), last by `@sam`/);
    expect(edited).toContain("**1**, the command: the issue says `uptime; rm -rf /srv`, the store `uptime`");
    await unseen(edit(card.id, card.body));

    const results = await find("no space left");
    await unseen(edit(results.id, results.body.replace("no space left", "all is well")));
    const output = await verdict();
    expect(output).toContain("**One thing does not agree**");
    expect(output).toMatch(/\*\*edited\*\* · \[the card of 10, 12, 13, 14, 15\]\(\S+\), last by `@sam`/);
    await unseen(edit(results.id, results.body.replace(",1,", ",0,").replace("exit 1", "exit 0")));
    expect(await verdict()).toContain("**12**, how it ended on web-1: the issue says `0`, the store `1`");
    await unseen(edit(results.id, results.body));

    const other = await cardOf(thread, 4);
    await unseen(edit(card.id, other.body), edit(other.id, card.body));
    const swapped = await verdict();
    expect(swapped).toContain("**2 things do not agree**");
    expect(swapped).toMatch(
      /\*\*reordered\*\* · where \[the card of 1, 2, 3\]\(\S+\) stood there is now the card of 1, 2, 4, 5, 6/,
    );
    expect(swapped).toMatch(
      /\*\*reordered\*\* · where \[the card of 1, 2, 4, 5, 6\]\(\S+\) stood there is now the card of 1, 2, 3/,
    );
    await unseen(edit(card.id, card.body), edit(other.id, other.body));
    expect(await verdict()).toContain("Nothing was altered");
  });

  it("DC-6 SR-30 look-alikes are found: of a person, in our own name, and a second copy of a card", async () => {
    const card = await cardOf(thread, 1);
    let mine = 0;
    await unseen(async () => {
      mine = await thread.say("sam", withoutMarker(card.body));
    });
    const forged = await verdict();
    expect(forged).toContain("**One thing does not agree**");
    expect(forged).toMatch(/\*\*forged\*\* · \[a look-alike of my cards\]\(\S+\) by `@sam` shows 1, 2, 3\./);
    await unseen(remove(mine));

    const { installationId } = await incidentRow();
    const place = { installationId, repo, issue: thread.number };
    const { comments } = stage.bot.deps;
    const posted = await comments.create(place, { id: "01900000-0000-7000-8000-000000000000", body: "All is well." });
    expect(await verdict()).toMatch(/\*\*forged\*\* · \[a comment in my name\]\(\S+\) that the store has never seen/);
    if (posted.kind === "posted") await unseen(remove(posted.githubId));

    const id = /countersign ([0-9a-f-]+) -->\s*$/.exec(card.body)?.[1] ?? "";
    const again = await comments.create(place, { id, body: withoutMarker(card.body) });
    expect(await verdict()).toMatch(/\*\*copied\*\* · \[a second copy of a comment of mine\]/);
    if (again.kind === "posted") await unseen(remove(again.githubId));
    expect(await verdict()).toContain("Nothing was altered");
  });

  it("DC-6 what was hidden and what was altered in the words of people is found", async () => {
    const graphql = (query: string) => stage.github.as("sam")("POST", "/graphql", { query });
    const approval = await find(/^\/approve 1 2$/);
    const nodeId = await nodeOf(approval.id);
    await graphql(
      `mutation { minimizeComment(input: {subjectId: "${nodeId}", classifier: OFF_TOPIC}) { clientMutationId } }`,
    );
    expect(await verdict()).toMatch(
      /\*\*hidden\*\* · \[the approval of 1, 2\]\(\S+\) by `@lee` is minimized as `off-topic`/,
    );
    await graphql(`mutation { unminimizeComment(input: {subjectId: "${nodeId}"}) { clientMutationId } }`);

    await unseen(edit(approval.id, "/approve 1"));
    expect(await verdict()).toMatch(
      /\*\*edited\*\* · \[the approval of 1, 2\]\(\S+\) by `@lee` does not read as it did when it counted; last edited by `@sam`/,
    );
    await unseen(edit(approval.id, "/approve 1 2"));
    const asked = await find(/^\/run web-1/);
    await unseen(edit(asked.id, "/run web-1\n```sh\nid\n```"));
    expect(await verdict()).toMatch(/\*\*edited\*\* · \[the comment for `command_proposed` of 28\]/);
  });

  it("DC-6 a deleted card with its results and a deleted approval are found; what the bot saw and put back is told apart", async () => {
    const results = await find("**1** ✅");
    await unseen(remove(results.id));
    expect(await verdict()).toContain("**deleted** · the card of 1, 2, 4, 5, 6 is gone from the issue.");
    const approval = await find(/^\/approve 10 12$/);
    await unseen(remove(approval.id));
    const gone = await verdict();
    expect(gone).toContain("**deleted** · the approval of 10, 12 by `@lee` is gone from the issue.");
    expect(gone).toContain("**10**, who approved it: the issue says `nobody`, the store `@lee`");
    // The card that is gone had the results of 1 and 2 above its own entries.
    expect(gone).toContain("**1**, who approved it: the issue says `nobody`, the store `@lee`");
    expect(gone).toContain("**2**, where it ran: the issue says `nowhere`, the store `web-1`");

    const before = gone.split("\n- **").length;
    const card = await cardOf(thread, 7);
    await edit(card.id, `${card.body} and more`)();
    await stage.quiet();
    await remove((await find("**7** ✅")).id)();
    await stage.quiet();
    const mended = await verdict();
    expect(mended.split("\n- **").length).toBe(before);
    expect(mended).toMatch(
      /Earlier changes.*\n\n- \S+ \S+ · the card of 4, 5, 7, 8, 9 was edited by `@sam`, and put back\n- \S+ \S+ · the card of 7, 8, 10, 11, 12 was deleted by `@sam`, and put back/,
    );
  });

  it.each([
    ["no note", (board: string) => board.replace(/<!-- countersign\/audit.*? -->/, ""), "it is not signed"],
    ["no checkpoint", (board: string) => board.replace(/audit \d+:.*(?=<\/sub>)/, ""), "it is not signed"],
    [
      "a checkpoint that its note did not sign",
      (board: string) => board.replace(/audit \d+:[0-9a-f]+/, "audit 3:0123456789abcdef"),
      /it shows 3 rows, and signed is another, of \d+ rows/,
    ],
    ["a note that was changed", (board: string) => board.replace(" | — ", "0 | — "), "its signature does not match"],
  ])("SR-64 SR-66 where there is a key, a board with %s is no witness", async (_what, change, fault) => {
    const board = await find("Board of this");
    const changed = change(board.body);
    expect(changed).not.toBe(board.body);
    await unseen(edit(board.id, changed));
    expect((await verdict()).split("\n").find((line) => line.includes("the board's checkpoint: it"))).toMatch(fault);
    await unseen(edit(board.id, board.body));
    expect(await verdict()).not.toContain("the board's checkpoint");
  });

  it("SR-64 SR-66 a store that was rewritten is convicted by its chain, or by the checkpoint that the board shows", async () => {
    const { db } = stage.bot.deps.store;
    const wrong = async (body: string, from: number) => {
      const rows = await db.selectFrom("audit").selectAll().where("seq", ">=", from).orderBy("seq").execute();
      await sql.raw("alter table audit disable trigger audit_guard").execute(db);
      await db.updateTable("audit").set({ body }).where("seq", "=", from).execute();
      return rows;
    };
    const story = '{"n":"another story"}';
    const rows = await wrong(story, 4);
    expect(await verdict()).toContain("**The store itself** · row 4 of the audit: was changed after it was written");
    // The whole chain anew, as somebody with the database would: only what is outside of it knows better.
    const all = await db.selectFrom("audit").selectAll().where("seq", ">=", 4).orderBy("seq").execute();
    let prev = rows[0]?.prev ?? "";
    for (const row of all) {
      const hash = hashOf({ ...row, prev });
      await db.updateTable("audit").set({ prev, hash }).where("seq", "=", row.seq).execute();
      prev = hash;
    }
    await db.updateTable("auditHead").set({ hash: prev }).execute();
    const convicted = await verdict();
    expect(convicted).not.toContain("of the audit: was changed");
    expect(convicted).toMatch(
      /\*\*The store itself\*\* · the board's checkpoint: row \d+ is not the one .* the audit was rewritten/,
    );
  });

  async function nodeOf(id: number): Promise<string> {
    const { body } = await stage.github.as("mona")("GET", `/repos/${repo}/issues/comments/${id}`);
    return typeof body === "object" && body !== null && "node_id" in body ? String(body.node_id) : "";
  }
});
