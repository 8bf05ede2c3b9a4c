import { setTimeout as sleep } from "node:timers/promises";
import { type Cell, type LookGround, propose, soon, warmUp } from "./last-look-ground.ts";

/** A moment at which an approved command can wait. */
export interface Moment {
  readonly name: string;
  /** The server that it is for, and the place as people name it. */
  readonly server: string;
  /** Whoever waits there gives up in ten seconds or a little more. */
  readonly isShort?: boolean;
  readonly propose: (ground: LookGround) => Promise<Cell>;
  /** Before it is approved: makes what it will wait for. Returns what tells that it waits, and what lets it go. */
  readonly prepare: (ground: LookGround, cell: Cell) => Promise<Waiting>;
}

export interface Waiting {
  readonly waits: () => Promise<void>;
  readonly letGo: () => Promise<void> | void;
}

/** How old an answer of GitHub is when nothing may be sent on it any more. */
export const tooOldMs = 1_050;

const noteOf =
  (ground: LookGround, { thread, number }: Cell, words: RegExp) =>
  async (): Promise<void> => {
    const { db } = ground.bot.deps.store;
    await soon(`${words} on ${number} of #${thread.number}`, async () => {
      const rows = await db
        .selectFrom("batch")
        .innerJoin("incident", "incident.id", "batch.incidentId")
        .select("batch.waitsFor as waitsFor")
        .where("incident.number", "=", thread.number)
        .execute();
      return rows.some(({ waitsFor }) => words.test(waitsFor ?? "")) || undefined;
    });
  };

/** The pool has no connection to the server any more. */
async function forget(ground: LookGround, ...servers: readonly string[]): Promise<void> {
  for (const server of servers) ground.board(server).cut();
  await sleep(50);
}

const heldBack = (ground: LookGround, server: string): Waiting => {
  const board = ground.board(server);
  return {
    waits: async () => void (await soon(`${server} is dialled`, () => board.held() > 0 || undefined)),
    letGo: board.pass,
  };
};

/** The question of this issue, the so-many-th from now on, is held up before or after GitHub has worked out its answer. */
function holdFacts(ground: LookGround, { thread }: Cell, when: "before" | "after"): Waiting {
  let isReached = false;
  const gate = Promise.withResolvers<void>();
  ground.github.fault(factsOf(thread.number), {
    meanwhile: {
      [when]: () => {
        isReached = true;
        return gate.promise;
      },
    },
  });
  return { waits: async () => void (await soon("GitHub is asked", () => isReached || undefined)), letGo: gate.resolve };
}

const factsOf = (issue: number) => ({ path: /graphql/, body: new RegExp(`query Facts.*"issue":${issue}\\D`) });

const at = (server: string): Pick<Moment, "server" | "propose"> => ({
  server,
  propose: (ground) => propose(ground, server),
});

/** The server, or the host that leads to it, takes no connection yet. */
const dialling = (name: string, server: string, { through = server, dropFirst = 0 } = {}): Moment => ({
  name,
  ...at(server),
  isShort: true,
  prepare: async (ground) => {
    await forget(ground, ...new Set([server, through]));
    ground.board(through).hold({ dropFirst });
    return heldBack(ground, through);
  },
});

/** GitHub's answer to the look before the command is late. */
const asking = (name: string, server: string, when: "before" | "after", again = false): Moment => ({
  name,
  ...at(server),
  isShort: true,
  prepare: async (ground, cell) => {
    await warmUp(ground, server);
    if (again) ground.github.fault(factsOf(cell.thread.number), { meanwhile: { after: () => sleep(tooOldMs) } });
    return holdFacts(ground, cell, when);
  },
});

export const moments: readonly Moment[] = [
  {
    name: "all sessions taken",
    ...at("sessions"),
    prepare: async (ground, cell) => {
      const { letGo } = await ground.take("sessions");
      return { waits: noteOf(ground, cell, /has no session free/), letGo };
    },
  },
  {
    name: "the server's line",
    server: "line",
    propose: (ground) => propose(ground, "line", { medium: true }),
    prepare: async (ground, cell) => {
      const before = await propose(ground, "line", { medium: true });
      const { letGo } = ground.stall(before.token);
      await before.thread.say("lee", `/approve ${before.number}`);
      const begun = () => ground.begun(before.token) > 0 || undefined;
      await soon("the one before it in line", begun, () => ground.against(before));
      return { waits: noteOf(ground, cell, /is busy with/), letGo };
    },
  },
  {
    name: "a run of the batch before it",
    server: "batch",
    propose: (ground) => propose(ground, "batch", { before: true }),
    prepare: async (ground, cell) => {
      const first = cell.token.replace("cell", "before");
      const { letGo } = ground.stall(first);
      return { waits: async () => void (await soon("the first", () => ground.begun(first) > 0 || undefined)), letGo };
    },
  },
  {
    name: "fan-out, the last server",
    server: "fan",
    propose: (ground) => propose(ground, "fan"),
    prepare: async (ground, cell) => {
      await warmUp(ground, "fan-2");
      const { letGo } = ground.stall(cell.token);
      cell.begunBefore = 1;
      return {
        waits: async () => void (await soon("the first", () => ground.begun(cell.token) > 0 || undefined)),
        letGo,
      };
    },
  },
  {
    name: "a hold, lifted",
    ...at("hold"),
    prepare: async (ground, cell) => {
      await forget(ground, "hold");
      ground.board("hold").hold();
      const dialled = heldBack(ground, "hold");
      return {
        waits: async () => {
          await dialled.waits();
          await cell.thread.say("mona", "/hold");
          await noteOf(ground, cell, /is held by/)();
          ground.board("hold").pass();
        },
        letGo: async () => void (await cell.thread.say("mona", "/resume")),
      };
    },
  },
  dialling("slow jump host", "jump", { through: "bastion" }),
  dialling("slow handshake", "slow"),
  dialling("dropped, dialled again", "drops", { dropFirst: 2 }),
  // What /approve itself reads is too old when it is there, so that GitHub is asked again.
  asking("GitHub slow to look", "asked", "before", true),
  asking("GitHub slow to tell", "told", "after", true),
  asking("/approve's own answer slow", "own", "after"),
];
