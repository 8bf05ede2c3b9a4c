import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { sleep } from "../../src/base/clock.ts";
import type { Ending, ExecOrder } from "../../src/base/run.ts";
import { useStarted } from "../harness/use-started.ts";
import { branchOf, startPatchWorld } from "./world.ts";

const world = useStarted(startPatchWorld);
const pullsOf = async (order: ExecOrder) => (await world.pulls()).filter(({ head }) => head.ref === branchOf(order));
const hasBranch = async (order: ExecOrder): Promise<boolean> =>
  (await world.gh.as("mona")("GET", `/repos/acme/infra/git/ref/heads/${branchOf(order)}`)).status === 200;
const found = (order: ExecOrder): ExecOrder => ({ ...order, mode: "job", jobId: "j", resume: { sentAt: new Date() } });

interface Sender {
  readonly signal: (name: NodeJS.Signals) => void;
  readonly over: Promise<{ readonly killed: boolean; readonly end: { ending: Ending; text: string } | undefined }>;
}

/** A bot's process that sends it. */
function startSender(order: ExecOrder): Sender {
  const child = spawn(process.execPath, ["test/patches/sender.ts"], { stdio: ["pipe", "pipe", "inherit"] });
  const { appId, privateKey } = world.app;
  child.stdin.end(JSON.stringify({ order, app: { appId, privateKey, apiUrl: world.gh.url } }));
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once("close", (_, signal) => resolve(signal)));
  const over = Promise.all([text(child.stdout), ended]).then(([said, signal]) => ({
    killed: signal === "SIGKILL",
    end: said === "" ? undefined : JSON.parse(said),
  }));
  return { signal: (name) => void child.kill(name), over };
}

const requests = [
  ["tree", /git\/trees/, "unreachable"],
  ["commit", /git\/commits/, "unreachable"],
  ["branch", /git\/refs/, "made"],
  ["pull request", /\/pulls/, "made"],
] as const;

describe("RR-06 a bot that is killed", () => {
  const moments = requests.flatMap(([what, path, done], at) => [
    { moment: `before GitHub has the ${what}`, path, when: "before", end: requests[at - 1]?.[2] ?? "unreachable" },
    { moment: `when GitHub has the ${what} and the answer is on its way`, path, when: "after", end: done },
  ]);

  it.each(moments)("$moment: the next one finds what is there, finishes it once, and tells it right", async (one) => {
    const { path, when, end } = one;
    const order = await world.orderOf();
    const sender = startSender(order);
    // The request of a process that is dead is still worked on.
    const meanwhile = {
      [when]: async () => {
        sender.signal("SIGKILL");
        await sender.over;
      },
    };
    world.gh.fault({ method: "POST", path }, when === "before" ? { meanwhile, drop: "before" } : { meanwhile });
    expect(await sender.over).toEqual({ killed: true, end: undefined });
    const { ending, text: said } = await world.send(found(order));
    const pulls = await pullsOf(order);
    if (end === "made") {
      expect(ending).toEqual({ kind: "exited", code: 0 });
      expect(pulls).toHaveLength(1);
      expect(said).toContain(`draft pull request ${world.gh.url}/acme/infra/pull/${pulls[0]?.number}\n`);
    } else {
      expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringMatching(/^it never began/) });
      expect(pulls).toEqual([]);
      expect(await hasBranch(order)).toBe(false);
    }
    // Once more, as after another crash.
    const again = await world.send(found(order));
    expect({ ending: again.ending, said: again.text }).toEqual({ ending, said });
    expect(await pullsOf(order)).toHaveLength(pulls.length);
  });
});

describe("RR-06 a bot that is paused for longer than 15 s", () => {
  const paused = async (order: ExecOrder, path: RegExp, meanwhile: () => Promise<unknown>) => {
    const sender = startSender(order);
    const stopped = Promise.withResolvers<void>();
    const after = async () => {
      sender.signal("SIGSTOP");
      stopped.resolve();
    };
    world.gh.fault({ method: "POST", path }, { meanwhile: { after } });
    await stopped.promise;
    await Promise.all([sleep(16_000), meanwhile()]);
    world.writes();
    sender.signal("SIGCONT");
    const { end } = await sender.over;
    expect(world.writes()).toEqual([]);
    return end;
  };

  it("writes nothing when it goes on, and says that it never began", async () => {
    const order = await world.orderOf();
    const end = await paused(order, /git\/commits/, async () => undefined);
    expect(end?.ending).toMatchObject({ kind: "unreachable", reason: expect.stringMatching(/too old|did not answer/) });
    expect(await hasBranch(order)).toBe(false);
  });

  it("finds the pull request that another one has made meanwhile", async () => {
    const order = await world.orderOf();
    const end = await paused(order, /git\/refs/, () => world.send(found(order)));
    expect(end).toMatchObject({ ending: { kind: "exited", code: 0 } });
    expect(await pullsOf(order)).toHaveLength(1);
  });
});
