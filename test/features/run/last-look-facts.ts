import { halt, liftHalt } from "../../../src/cli/halt.ts";
import { repo } from "../../harness/playground.ts";
import { cardOf } from "../../harness/stage.ts";
import { type Cell, fan, type LookGround, pathOf, plainServers, soon } from "./last-look-ground.ts";

/** What GitHub tells of itself but that somebody has commented: the webhooks that are lost while a fact is flipped. */
export const lostEvents = [
  "issue_comment.edited",
  "issue_comment.deleted",
  "issues",
  "repository",
  "installation",
  "installation_repositories",
];

/** Something that an approval rests on. */
export interface Fact {
  readonly name: string;
  /** What is told of a command that was not sent for it. */
  readonly told: RegExp;
  /** Makes it otherwise, for all who wait; GitHub's webhooks of it are lost. */
  readonly flip: (ground: LookGround, cells: readonly Cell[]) => Promise<unknown> | unknown;
  readonly undo?: (ground: LookGround) => Promise<unknown> | unknown;
  /** Flipped at the last moment before all are let go. */
  readonly late?: boolean;
  /** Moments at which it makes no sense, by server, with the reason. */
  readonly not?: Readonly<Record<string, string>>;
}

const each = (cells: readonly Cell[], act: (cell: Cell) => Promise<unknown>): Promise<unknown> =>
  Promise.all(cells.map(act));

/** Changes a card as mona, who administers the repository. */
const editCards = (ground: LookGround, cells: readonly Cell[], change: (body: string, cell: Cell) => string) =>
  each(cells, async (cell) => {
    const { id, body } = await cardOf(cell.thread, cell.number);
    return ground.github.editComment("mona", repo, id, change(body, cell));
  });

const patch = (ground: LookGround, path: string, body: object) => ground.github.as("mona")("PATCH", path, body);

type Entries = Readonly<Record<string, object>>;
const onServers = (ground: LookGround, change: object): void =>
  ground.reload(({ servers, ...rest }) => ({
    ...rest,
    servers: Object.fromEntries(
      Object.entries(servers as Entries).map(([name, entry]) => [
        name,
        { ...entry, ...(name !== "bastion" && change) },
      ]),
    ),
  }));

const withRule = ({ policy, ...rest }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...rest,
  policy: { ...(policy as object), rules: [{ id: "ours", names: "echo systemctl uptime", level: "high" }] },
});

const behind = "its webhook stands in line behind that of /approve";
const reloaded = (ground: LookGround): void => ground.reload();
const wordGone = /approved it was edited or deleted/;
const cardEdited = /card was edited/;
const noApprover = /may no longer approve/;
const otherRules = /rules that gave it its risk have changed/;
const otherServer = /server's entry or host key/;

const byName: Readonly<Record<string, Omit<Fact, "name">>> = {
  "approval deleted": {
    told: wordGone,
    flip: ({ github }, cells) => each(cells, ({ approvedBy }) => github.deleteComment("lee", repo, approvedBy)),
  },
  "approval edited": {
    told: wordGone,
    flip: ({ github }, cells) => each(cells, (cell) => github.editComment("lee", repo, cell.approvedBy, "never mind")),
  },
  "approval edited and put back": {
    told: wordGone,
    flip: ({ github }, cells) =>
      each(cells, async ({ approvedBy, thread }) => {
        const said = (await thread.comments()).find(({ id }) => id === approvedBy)?.body ?? "";
        await github.editComment("lee", repo, approvedBy, "never mind");
        await github.editComment("lee", repo, approvedBy, said);
      }),
  },
  "card edited by an admin": {
    told: cardEdited,
    flip: (ground, cells) => editCards(ground, cells, (body, { token }) => body.replaceAll(token, "other")),
  },
  "a space added to the card": {
    told: cardEdited,
    flip: (ground, cells) => editCards(ground, cells, (body) => `${body} `),
  },
  "card edited, written over by us": {
    told: cardEdited,
    flip: (ground, cells) =>
      each(cells, async (cell) => {
        // What the bot draws meanwhile stands there too: once more then.
        await soon("the card is as it was", async () => {
          const { id, body } = await cardOf(cell.thread, cell.number);
          await ground.github.editComment("mona", repo, id, body.replaceAll(cell.token, "other"));
          const { id: row, nodeId } = await ground.bot.deps.store.db
            .selectFrom("comment")
            .select(["id", "nodeId"])
            .where("githubId", "=", id)
            .executeTakeFirstOrThrow();
          const place = { installationId: ground.github.installationId, repo, issue: cell.thread.number };
          const ours = body.replace(/\n\n<!-- countersign [0-9a-f-]+ -->$/, "");
          await ground.bot.deps.comments.edit(place, { id: row, body: ours, githubId: id, nodeId: nodeId ?? "" });
          return (await cardOf(cell.thread, cell.number)).body === body || undefined;
        });
      }),
  },
  "card deleted": {
    told: /card was deleted/,
    flip: ({ github }, cells) =>
      each(cells, async (cell) => github.deleteComment("mona", repo, (await cardOf(cell.thread, cell.number)).id)),
  },
  "approver lost the role": {
    told: noApprover,
    flip: ({ github }) => github.setRole("lee", "read", repo),
    undo: ({ github }) => github.setRole("lee", "write", repo),
  },
  "approver left the team": {
    told: noApprover,
    flip: ({ github }) => github.setTeam("oncall", ["mona"]),
    undo: ({ github }) => github.setTeam("oncall", ["mona", "lee"]),
  },
  "issue closed": {
    told: /issue is closed/,
    flip: (ground, cells) => each(cells, ({ thread }) => patch(ground, pathOf(thread.number), { state: "closed" })),
  },
  "repository made public": {
    told: /repository is public/,
    flip: (ground) => patch(ground, `/repos/${repo}`, { private: false, visibility: "public" }),
    undo: (ground) => patch(ground, `/repos/${repo}`, { private: true, visibility: "private" }),
  },
  "repository renamed, old name answers": {
    told: /has another name now/,
    flip: (ground) => patch(ground, `/repos/${repo}`, { name: "web-of-old" }),
    undo: (ground) => patch(ground, "/repos/acme/web-of-old", { name: "web" }),
  },
  "operator's new rule": { told: otherRules, flip: (ground) => ground.reload(withRule), undo: reloaded },
  "operator's new rule, in the file": {
    told: otherRules,
    late: true,
    flip: (ground) => ground.rewrite(withRule),
    undo: async (ground) => {
      ground.rewrite((same) => same);
      await soon("the old rules", () => ground.bot.deps.config.policy.rules.length === 0 || undefined);
    },
  },
  "server's account changed": {
    told: otherServer,
    flip: (ground) => onServers(ground, { user: "root" }),
    undo: reloaded,
  },
  "server's pinned key changed": {
    told: otherServer,
    flip: (ground) => onServers(ground, { host_key: ground.stranger.hostKey }),
    undo: reloaded,
  },
  "server shows another host key": {
    told: /host key of \S+ changed/,
    flip: ({ board, stranger }) => {
      for (const name of [...plainServers, ...fan]) board(name).switchTo(stranger.entry.port);
    },
    undo: (ground) => ground.comeHome(),
  },
  "time is over": {
    told: /time (was|is) over|has expired|expired before it could be sent/,
    flip: (ground) =>
      ground.reload(({ policy, ...rest }) => ({
        ...rest,
        policy: { ...(policy as object), low: { expires: "1s" }, medium: { expires: "1s" } },
      })),
    undo: reloaded,
  },
  "halted by the operator": {
    told: /halted/,
    flip: (ground) => halt({ config: ground.bot.deps.config.file }),
    undo: (ground) => liftHalt({ config: ground.bot.deps.config.file }),
  },
  "held by a person": {
    told: /held by/,
    not: { hold: "it is the moment itself", own: behind },
    flip: (ground, cells) =>
      each(cells, async ({ thread }) => {
        await thread.say("mona", "/hold");
        await soon("the hold", async () => {
          const { db } = ground.bot.deps.store;
          return db.selectFrom("hold").select("issue").where("issue", "=", thread.number).executeTakeFirst();
        });
      }),
  },
  "rejected by another approver": {
    told: /state rejected/,
    not: { own: behind, fan: "it runs already, which /cancel ends" },
    flip: (ground, cells) =>
      each(cells, async (cell) => {
        await cell.thread.say("mona", `/reject ${cell.number} not that one`);
        await soon("the rejection", async () => /state rejected/.test(await ground.against(cell)) || undefined);
      }),
  },
  "execution switched off": {
    told: /only proposes/,
    flip: (ground) => ground.reload((file) => ({ ...file, execution: { at_once: 1, enabled: false } })),
    undo: reloaded,
  },
  "App uninstalled, token still taken": {
    told: /App is not installed/,
    flip: ({ github }) => github.uninstall({ tokensGoOn: true }),
    undo: ({ github }) => github.unsuspendInstallation(),
  },
  "App suspended": {
    told: /facts_failed/,
    flip: ({ github }) => github.suspendInstallation(),
    undo: ({ github }) => github.unsuspendInstallation(),
  },
};

export const facts: readonly Fact[] = Object.entries(byName).map(([name, fact]) => ({ name, ...fact }));
