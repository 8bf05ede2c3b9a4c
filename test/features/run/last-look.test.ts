import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { repo } from "../../harness/playground.ts";
import { cardOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { type Cell, pathOf, propose, soon, startLookGround } from "./last-look-ground.ts";

const ground = useStarted(() => startLookGround(undefined));

/** Waits until a command is on its way to its server and cannot leave yet. */
const isHeldUp = (cell: Cell): Promise<unknown> =>
  soon(`${cell.token} waits`, async () =>
    /state dispatching|no session free/.test(await ground.against(cell)) ? true : undefined,
  );

const changes: Readonly<Record<string, (cell: Cell) => Promise<unknown>>> = {
  "its approval was deleted": ({ approvedBy }) => ground.github.deleteComment("mona", repo, approvedBy),
  "its approval was edited": ({ approvedBy }) => ground.github.editComment("mona", repo, approvedBy, "never mind"),
  "an admin edited its card": async ({ thread, number, token }) => {
    const { id, body } = await cardOf(thread, number);
    await ground.github.editComment("mona", repo, id, body.replaceAll(token, "other"));
  },
  "its issue was closed": ({ thread }) => ground.github.as("mona")("PATCH", pathOf(thread.number), { state: "closed" }),
  "its approver lost the role": async () => ground.github.setRole("lee", "read", repo),
};

describe("what GitHub says of an approval", () => {
  it("SR-24 is asked once more when the session is there: what changed while all were taken lets nothing run", {
    tags: ["long"],
  }, async () => {
    const names = Object.keys(changes);
    const [before, ...cells] = await Promise.all([undefined, ...names].map(() => propose(ground, "sessions")));
    if (!before) throw new Error("somebody has the session");
    await ground.quiet();
    const { letGo } = ground.stall(before.token);
    await before.thread.say("mona", before.approval);
    await soon("the session is taken", () => ground.begun(before.token) > 0 || undefined);
    for (const [index, cell] of cells.entries())
      cell.approvedBy = await cell.thread.say(names[index]?.includes("role") ? "lee" : "mona", cell.approval);
    for (const cell of cells) await isHeldUp(cell);
    for (const event of ["issue_comment.edited", "issue_comment.deleted", "issues"])
      ground.github.fault({ event, times: 1_000 }, { drop: "before" });
    for (const [index, change] of Object.values(changes).entries()) await change(cells[index] as Cell);
    letGo();
    for (const cell of cells)
      await soon(`${cell.token} is settled`, async () =>
        /state (?:void|proposed|done)/.test(await ground.against(cell)) ? true : undefined,
      );
    ground.github.clearFaults();
    ground.github.setRole("lee", "write", repo);
    expect(names.filter((_, index) => ground.begun(cells[index]?.token ?? "") > 0)).toEqual([]);
    expect(ground.begun(before.token)).toBe(1);
  });
});

describe("the server's host key", () => {
  it("SR-51 is that of this moment: shown another one by a machine that was restarted, nothing is sent by the connection of before", {
    tags: ["long"],
  }, async () => {
    const [before, cell] = [await propose(ground, "slow"), await propose(ground, "slow")];
    await ground.quiet();
    await before.thread.say("lee", before.approval);
    await soon("a connection that was used", () => ground.begun(before.token) > 0 || undefined);
    await ground.quiet();
    await sleep(1_000);
    const asked = ground.stranger.seen.connections;
    ground.board("slow").switchTo(ground.stranger.entry.port);
    await cell.thread.say("lee", cell.approval);
    await soon("it is settled", async () =>
      /state (?:void|done)/.test(await ground.against(cell)) ? true : undefined,
    );
    expect([ground.begun(cell.token), ground.stranger.seen.connections - asked]).toEqual([0, 1]);
    expect([ground.stranger.seen.authentications, ground.stranger.seen.commands]).toEqual([0, []]);
    expect(await ground.against(cell)).toMatch(/state void[\s\S]*the host key of slow changed/);
  });
});
