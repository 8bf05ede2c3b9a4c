import { duration, name } from "../github/render/ink.ts";
import { standingOf } from "../jobs/hold.ts";
import { actionsOf } from "../store/actions.ts";
import { sessionOf } from "../store/incidents.ts";
import { phases } from "../types.ts";
import { answer } from "./answer.ts";
import type { Command } from "./command.ts";

/** INJ-6, PRODUCT.md: where the incident stands, what it has cost, and who may approve. */
export const status: Command = {
  verb: "status",
  usage: "/status",
  summary: "where this incident stands and who may approve",
  may: "see",
  run: (call) =>
    call.commit(async (tx, incident) => {
      const { world, ground } = call;
      const { code } = world.ink;
      const session = await sessionOf(tx, incident.id);
      const standing = await standingOf(world, tx, incident);
      const actions = await actionsOf(tx, incident.id);
      const numbers = (states: readonly string[]) =>
        actions.filter((action) => states.includes(action.state)).map((action) => action.number);
      const list = (what: string, which: readonly number[]) =>
        which.length === 0 ? [] : [`- ${what}: ${which.join(", ")}`];
      const { approvers } = ground.rules.policy;
      const who = [...approvers.teams.map(code), ...approvers.users.map((user) => name(user.login))];
      const age = duration(world.now().getTime() - incident.createdAt.getTime());
      const body = [
        `**${incident.state}** for ${age} · phase ${phases.indexOf(incident.phase) + 1} of ${phases.length}, ${incident.phase} · step ${session.steps} of ${session.stepLimit}${standing.kind === "stopped" ? ` · ${world.ink.plain(standing.words)}` : ""}`,
        "",
        ...list("wait for approval", numbers(["proposed"])),
        ...list("approved, next in line", numbers(["approved"])),
        ...list("running", numbers(["dispatching", "running"])),
        ...list("done", numbers(["done"])),
        `- may approve: ${who.length === 0 ? "nobody, `policy.approvers` is empty" : who.join(", ")}`,
        `- servers: ${ground.rules.servers.map((server) => code(server.name)).join(", ") || "none"}`,
        `- model: ${world.ask ? `${session.inputTokens} tokens in, ${session.outputTokens} out` : "none, the offline responder answers"}`,
        `- repository files at ${code(ground.context.commit?.slice(0, 7) ?? "an empty branch")}, session ${code(session.id)}`,
        ...ground.rules.notes.map((note) => `- ⚠️ ${world.ink.plain(note)}`),
      ].join("\n");
      await answer(tx, call, incident, { outcome: "done", body });
    }),
};
